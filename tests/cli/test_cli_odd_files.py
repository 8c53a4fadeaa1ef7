"""Files as tired people have them: dates, money, shares, codes, remarks above the names."""

import json

import numpy as np
import pandas as pd
import pytest

import sugeno
from cli.test_cli_reading_models import fine, refused

N = 60


@pytest.fixture
def loans():
    rng = np.random.default_rng(1)
    income = rng.lognormal(8, 0.5, N).round(2)
    seen = np.datetime64("2019-01-01") + rng.integers(0, 900, N).astype("m8[D]")
    y = np.where(income > 2800, "yes", "no")
    return pd.DataFrame({"income": income, "seen": seen, "y": y})


def fitted(tmp_path, frame, *more, text=None):
    """A model of a file, and the file; rows of the file are decided alike in all ways."""
    data, model = tmp_path / "odd.csv", tmp_path / "model.json"
    data.write_text(frame.to_csv(index=False) if text is None else text, encoding="utf-8")
    said = fine(
        "fit", data, "--target", "y", "--k", "all", "--levels", 2, "-o", model, *more
    ).output
    clf = sugeno.load(model)
    decided = json.loads(fine("predict", model, data, "--format", "json").output)
    return clf, [one["prediction"] for one in decided], said


@pytest.mark.parametrize(
    "written", ["%Y-%m-%d", "%d.%m.%Y", "%m/%d/%Y", "%d/%m/%Y", "%Y-%m-%d 10:30:00", "%Y/%m/%d"]
)
def test_dates_are_read_however_they_are_written(written, loans, tmp_path):
    y = np.where(loans["seen"] > "2020-03-01", "yes", "no")
    frame = loans.assign(y=y, seen=loans["seen"].dt.strftime(written))
    clf, decided, _ = fitted(tmp_path, frame)
    assert clf.columns_["seen"].kind == "date"
    assert decided == y.tolist()
    assert "seen >= 2020-0" in str(clf.rules_)


def test_dates_that_can_be_read_in_two_ways_and_are_none_are_refused(loans, tmp_path):
    data = tmp_path / "dates.csv"
    days = ["03/04/2020", "05/06/2020"] * 30
    loans.assign(seen=days).to_csv(data, index=False)
    said = refused("fit", data, "--target", "y")
    assert "'03/04/2020', which can be read in two ways" in said
    assert "--drop-column seen" in said
    model = tmp_path / "model.json"
    loans.to_csv(data, index=False)
    fine("fit", data, "--target", "y", "--k", 1, "--levels", 1, "-o", model)
    loans.assign(seen=["2020-02-30", *[""] * 59]).to_csv(data, index=False)
    said = refused("predict", model, data)
    assert "'seen' must hold dates such as 2026-03-31" in said
    assert "'2020-02-30' (line 2)" in said
    loans.assign(seen="").to_csv(data, index=False)
    assert "yes" in fine("predict", model, data).output


@pytest.mark.parametrize("written", ["${:,.2f}", "{:.2f} €", "{:,.2f} %", "+{:.2f}"])
def test_signs_beside_numbers_are_left_out(written, loans, tmp_path):
    frame = loans.assign(income=loans["income"].map(written.format)).drop(columns="seen")
    clf, decided, _ = fitted(tmp_path, frame)
    assert decided == loans["y"].tolist()
    assert str(clf.rules_) == str(fitted(tmp_path, loans.drop(columns="seen"))[0].rules_)


def test_shares_beside_numbers_without_the_sign_are_refused(loans, tmp_path):
    data = tmp_path / "shares.csv"
    rates = ["12 %", *(f"{n / 100}" for n in range(1, N))]
    loans.assign(rate=rates).to_csv(data, index=False)
    assert "'12 %' among its numbers (line 2)" in refused("look", data, "--target", "y")


def test_postal_codes_are_labels_and_phone_numbers_no_numbers(loans, tmp_path):
    frame = loans.drop(columns="seen").assign(
        zip=["01067", "80331", "10115"] * 20, phone=[f"+49 {n}" for n in range(1000, 1000 + N)]
    )
    clf, _, _ = fitted(tmp_path, frame)
    assert clf.columns_["zip"].kind == "unordered"
    assert clf.columns_["phone"].left_out == "a text of its own in nearly every row"


def test_truth_values_are_said_as_such(loans, tmp_path):
    rng = np.random.default_rng(0)
    flag = rng.random(N) < 0.5
    frame = pd.DataFrame({"flag": np.where(flag, "TRUE", "FALSE"), "x": rng.random(N), "y": flag})
    clf, decided, _ = fitted(tmp_path, frame.assign(y=np.where(flag, "yes", "no")))
    assert str(clf.rules_) == "class yes if flag is true"
    assert decided == np.where(flag, "yes", "no").tolist()


def test_models_that_have_truth_values_as_numbers_still_read_them(tmp_path):
    clf = sugeno.SugenoClassifier().fit(pd.DataFrame({"flag": [0, 1] * 9}), [0, 1] * 9)
    model, data = tmp_path / "model.json", tmp_path / "new.csv"
    sugeno.save(clf, model)
    data.write_text("flag\nTRUE\nfalse\n")
    decided = json.loads(fine("predict", model, data, "--format", "json").output)
    assert [one["prediction"] for one in decided] == [1, 0]


def test_remarks_above_the_names_are_skipped_and_lines_are_counted_with_them(loans, tmp_path):
    text = "# exported\n# in 2020\n" + loans.drop(columns="seen").to_csv(index=False)
    _, decided, _ = fitted(tmp_path, None, text=text)
    assert decided == loans["y"].tolist()
    broken = tmp_path / "broken.csv"
    broken.write_text("# exported\na,y\n1,yes\n2\n")
    assert "line 4: got 1 cells" in refused("look", broken)


def test_a_file_without_names_is_called_so(loans, tmp_path):
    data = tmp_path / "bare.csv"
    loans.to_csv(data, index=False, header=False)
    assert "seems to be a row; begin the file with a line of the names" in refused(
        "fit", data, "--target", "y"
    )


def test_marks_of_missing_cells_are_not_blamed_for_strange_ones(loans, tmp_path):
    data = tmp_path / "marks.csv"
    ages = [str(n) for n in range(20, 20 + N)]
    ages[:6] = ["?", "n.a.", "-", "--", "20 or so", "."]
    loans.assign(age=ages).to_csv(data, index=False)
    said = refused("look", data, "--target", "y")
    assert "has '20 or so' among its numbers (line 6)" in said
    assert "--column age=unordered" in said
    ages[4] = ""
    clf, _, _ = fitted(tmp_path, loans.assign(age=ages), "--column", "age=free")
    assert clf.columns_["age"].missing.startswith("6, ")


@pytest.mark.parametrize("said", ["unordered", "drop"])
def test_what_is_said_of_a_column_makes_labels_of_its_cells(said, loans, tmp_path):
    years = [f"{n}+" if n % 9 == 0 else str(n) for n in range(N)]
    clf, _, _ = fitted(tmp_path, loans.assign(years=years), "--column", f"years={said}")
    assert clf.columns_["years"].kind in ("unordered", "id")


def test_labels_that_differ_in_capital_letters_are_noted(loans, tmp_path):
    homes = ["own", "Own", "rent"] * 20
    _, _, said = fitted(tmp_path, loans.assign(home=homes))
    assert "Column 'home' has 'Own' and 'own', which are taken for different labels." in said


@pytest.mark.parametrize("scale", [1, 100])
def test_a_target_of_many_numbers_is_to_be_cut(scale, loans, tmp_path):
    data = tmp_path / "many.csv"
    y = (loans["income"] * scale).round() if scale == 1 else loans["income"]
    y = y.astype(int) if scale == 1 else y
    loans.assign(y=y).to_csv(data, index=False)
    said = refused("fit", data, "--target", "y")
    assert "different numbers" in said
    assert ("--ordered" in said) == (scale == 1)
    cut = said.split("--positive '")[1].split("'")[0]
    counted = fine("look", data, "--target", "y", "--positive", cut).output
    assert "income" in counted


def test_a_table_without_a_column_to_learn_from_says_why(tmp_path):
    data = tmp_path / "names.csv"
    names = [f"Person {n}" for n in range(N)]
    pd.DataFrame({"name": names, "y": ["a", "b"] * 30}).to_csv(data, index=False)
    said = refused("fit", data, "--target", "y")
    assert "'name': a text of its own in nearly every row" in said
