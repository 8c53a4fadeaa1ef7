"""What would be assumed about columns, and how it is overruled on the command line."""

import numpy as np
import pytest

from cli.running import fine, run


def told(*arguments):
    return fine(*arguments).output


@pytest.fixture
def data(tmp_path):
    rng = np.random.default_rng(0)
    path = tmp_path / "loans.csv"
    lines = ["row,age,home,zone,paid,mood"]
    for row in range(200):
        age, home = rng.integers(18, 80), rng.choice(["own", "rent", "parents"])
        paid = ["no", "yes"][int((abs(age - 50) < 16) != (rng.random() < 0.1))]
        cell = "" if rng.random() < 0.1 else age
        lines.append(f"{row},{cell},{home},{rng.integers(1, 5)},{paid},{rng.choice([*'abc'])}")
    path.write_text("\n".join(lines))
    return path


def line_of(shown, name):
    return next(line for line in shown.splitlines() if line.startswith(f"{name} "))


def test_without_a_target_kinds_are_shown(data):
    shown = told("look", data)
    assert "direction" not in shown
    assert line_of(shown, "row").split()[1] == "id"
    assert line_of(shown, "home").split()[1] == "unordered"


def test_with_a_target_directions_are_shown_as_fit_assumes_them(data):
    shown = told("look", data, "--target", "paid")
    assert " above " in line_of(shown, "home")
    assert shown.strip() in told("fit", data, "-t", "paid", "--k", "2")


def test_a_column_that_holds_the_answer_is_said_to(data):
    lines = data.read_text().splitlines()
    cells = [f"{line},{int(',yes,' not in line)}" for line in lines[1:]]
    data.write_text("\n".join([f"{lines[0]},closed", *cells]))
    shown = told("look", data, "--target", "paid")
    assert "AUC 0.000, it alone tells the classes apart" in line_of(shown, "closed")
    assert shown.count("it alone") == 1


def test_what_is_said_of_columns_is_taken(data):
    said = ("--column", "zone=unordered", "--column", "home=parents,rent,own")
    said += ("--column", "age=peak", "--column", "row=keep", "--column", "mood=drop")
    for command in (("look", data, "-t", "paid"), ("fit", data, "-t", "paid", "--k", "2")):
        shown = told(*command, *said)
        assert line_of(shown, "zone").split()[1] == "unordered"
        assert line_of(shown, "home").split()[1] == "ordered"
        assert "peak at" in line_of(shown, "age")
        assert "you said so" in line_of(shown, "mood")
        assert line_of(shown, "row").split()[1] == "number"


def test_signs_are_directions(data):
    shown = told("look", data, "-t", "paid", "--column", "age=-")
    assert line_of(shown, "age").split()[2] == "down"


def test_classes_without_an_order_have_kinds_alone(data):
    shown = told("look", data, "--target", "mood")
    assert "direction" not in shown.splitlines()[-6]


def test_a_wrong_word_is_refused(data):
    result = run("fit", data, "-t", "paid", "--column", "age=sideways")
    assert result.exit_code == 2
    assert "What is said of column 'age'" in result.stderr


def test_rules_that_do_not_beat_the_largest_class_say_so(tmp_path):
    rng = np.random.default_rng(0)
    path = tmp_path / "lot.csv"
    rows = [f"{rng.random():.2f},{int(rng.random() < 0.1)}" for _ in range(100)]
    path.write_text("\n".join(["x,late", *rows]))
    shown = told("fit", path, "-t", "late")
    assert "Always saying late = 0:" in shown
    assert "This makes no fewer errors than always saying late = 0." in shown
    assert "decided late = 1" in shown
    assert "no fewer errors than always" in told("evaluate", path, "-t", "late", "--cv", "3")
    exact = told("fit", path, "-t", "late", "--k", "1", "--max-rules", "1")
    assert "Always saying late = 0:" in exact
