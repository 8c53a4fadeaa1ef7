"""Learning, reading, deciding and judging from the command line, on tables that people have."""

import csv
import io
import json
import re
import subprocess
import sys
import warnings

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from rich.console import Console
from sklearn.datasets import load_iris

import sugeno
from cli.running import fine, refused, run
from sugeno import Card, RuleSet, SugenoClassifier, SugenoClassifierCV, WeakDirectionWarning
from sugeno.cli.app import app
from sugeno.cli.waiting import waiting
from sugeno.datasets import load


def cars(n=120):
    """A table with text, ordered labels, a decreasing criterion and an id."""
    rng = np.random.default_rng(0)
    size = rng.choice(["small", "medium", "large"], n)
    price, speed = rng.integers(1, 10, n), rng.integers(1, 10, n)
    sold = (size == "large") & (price <= 6) | (speed >= 7) & (price <= 4)
    return pd.DataFrame(
        {
            "id": np.arange(1, n + 1),
            "size": size,
            "price": price,
            "top speed": speed / 2,
            "sold": np.where(sold, "yes", "no"),
        }
    )


ORDER = ("--order", "size=small,medium,large", "--drop-column", "id")


@pytest.fixture
def data(tmp_path):
    file = tmp_path / "cars.csv"
    cars().to_csv(file, index=False)
    return file


@pytest.fixture
def model(data, tmp_path):
    file = tmp_path / "model.json"
    fine("fit", data, "--target", "sold", "--k", "all", "--levels", 3, *ORDER, "-o", file)
    return file


def learned_in_python(**parameters):
    frame = cars()
    X = frame[["size", "price", "top speed"]].copy()
    X["size"] = pd.Categorical(X["size"], ["small", "medium", "large"], ordered=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return SugenoClassifier(**parameters).fit(X, frame["sold"]), X


# ------------------------------------------------------------------------------------------ fit


def test_fit_learns_what_the_estimator_learns_from_a_frame(data, model):
    clf, X = learned_in_python(levels=3)
    loaded = sugeno.load(model)
    assert loaded.rules_ == clf.rules_
    assert loaded.rules_.to_records() == clf.rules_.to_records()
    np.testing.assert_array_equal(loaded.predict_proba(X), clf.predict_proba(X))


def test_fit_without_k_is_what_a_new_user_should_call(tmp_path, brief):
    task = load("ESL")
    fine("datasets", "ESL", "-o", tmp_path / "esl.csv")
    fine("fit", tmp_path / "esl.csv", "-t", "class", "-o", tmp_path / "m.json")
    named = pd.DataFrame(task.data, columns=task.feature_names)
    labels = np.array(task.target_names)[task.target]
    assert sugeno.load(tmp_path / "m.json").rules_ == SugenoClassifierCV().fit(named, labels).rules_


@pytest.mark.usefixtures("brief")
def test_the_form_is_the_one_that_was_asked_for(data, model):
    for form, kind in (("points", Card), ("rules", RuleSet)):
        fine("fit", data, "-t", "sold", "--form", form, *ORDER, "-o", model)
        assert isinstance(sugeno.load(model).rules_, kind)
    fine("fit", data, "-t", "sold", "--form", "rules", "--k", 1, *ORDER, "-o", model)
    assert isinstance(sugeno.load(model).rules_, RuleSet)


def test_fit_says_what_was_learned_and_how_good_it_is(data):
    result = fine("fit", data, "-t", "sold", "--k", 2, *ORDER)
    clf, _ = learned_in_python(k=2)
    assert str(clf.rules_) in result.stdout
    count = (cars()["sold"] == "yes").sum()
    assert f"120 rows, 3 criteria; {count} rows (" in result.stdout
    wrong = int(clf.objective_)
    assert f"Errors on these rows: {wrong} of 120" in result.stdout
    assert "-o model.json" in result.stderr


def test_fit_reads_the_standard_input_and_writes_the_standard_output(data):
    result = fine("fit", "-", "-t", "sold", "--k", 1, *ORDER, "-o", "-", stdin=data.read_bytes())
    assert sugeno.loads(result.stdout).rules_ == learned_in_python(k=1)[0].rules_
    assert "Errors on these rows" in result.stderr


def test_a_semicolon_table_with_decimal_commas_gives_the_same_model(model, tmp_path):
    file = tmp_path / "excel.csv"
    text = cars().to_csv(index=False, sep=";", decimal=",", lineterminator="\r\n")
    file.write_bytes(text.encode("utf-8-sig"))
    out = tmp_path / "excel.json"
    fine("fit", file, "-t", "sold", "--k", "all", "--levels", 3, *ORDER, "-o", out)
    assert out.read_bytes() == model.read_bytes()


def test_a_parquet_table_gives_the_same_model(model, tmp_path):
    file, out = tmp_path / "cars.parquet", tmp_path / "parquet.json"
    cars().to_parquet(file)
    fine("fit", file, "-t", "sold", "--k", "all", "--levels", 3, *ORDER, "-o", out)
    assert out.read_bytes() == model.read_bytes()


def test_directions_and_the_positive_class_are_believed(data, tmp_path):
    out = tmp_path / "m.json"
    fine(
        *("fit", data, "-t", "sold", "--k", 2, *ORDER, "--positive", "no", "-o", out),
        *("--direction", "price=+", "--direction", "top speed=-1", "--direction", "size=auto"),
    )
    clf = sugeno.load(out)
    assert clf.positive_ == "no"
    assert clf.directions_.tolist() == [-1, 1, -1]


def test_weak_directions_are_noted_by_name(data):
    frame = cars()
    frame["noise"] = np.random.default_rng(1).permutation(len(frame)) % 7
    frame.to_csv(data, index=False)
    given = ("fit", data, "-t", "sold", "--k", 1, *ORDER)
    assert "The evidence for the direction of 'noise' (AUC 0." in fine(*given).stderr
    assert "'noise'" not in fine(*given, "--direction", "noise=+").stderr
    notes = [fine(*given, "--positive", label).stderr for label in ("yes", "no")]
    found = [float(re.search(r"'noise' \(AUC ([\d.]+)\)", one)[1]) for one in notes]
    assert sum(found) == pytest.approx(1, abs=2e-3)


@pytest.mark.parametrize("command", ["fit", "evaluate"])
def test_weak_directions_are_noted_where_cells_are_missing(data, command):
    frame = cars()
    frame["noise"] = np.random.default_rng(1).permutation(len(frame)) % 7
    frame.loc[::9, "noise"] = np.nan
    frame.to_csv(data, index=False)
    given = (command, data, "-t", "sold", "--k", 1, *ORDER, "--missing", "pessimistic")
    assert "The evidence for the direction of 'noise' (AUC 0." in fine(*given).stderr


def test_chosen_columns_are_the_criteria(data, tmp_path):
    out = tmp_path / "m.json"
    fine("fit", data, "-t", "sold", "--k", 1, "--features", "price,top speed", "-o", out)
    assert sugeno.load(out).feature_names_in_.tolist() == ["price", "top speed"]


def test_a_column_that_counts_the_rows_is_left_out_unless_it_is_asked_for(tmp_path):
    file = tmp_path / "marks.csv"
    file.write_text("id,x,y\n" + "".join(f"{i},{i % 7},{int(i % 7 > 3)}\n" for i in range(60)))
    result = fine("fit", file, "-t", "y", "--k", 1)
    assert re.search(r"id +id +consecutive whole numbers", result.stdout)
    for way in (("--features", "id,x"), ("--column", "id=keep")):
        kept = fine("fit", file, "-t", "y", "--k", 1, *way).stdout
        assert re.search(r"id +number", kept)
        assert "distinct" not in kept


def test_numbers_of_rows_are_left_out_whatever_the_classes(tmp_path):
    file = tmp_path / "irises.csv"
    lines = [f"{row},{row % 3 + row % 7 / 10},{'abc'[row % 3]}" for row in range(60)]
    file.write_text("\n".join([",size,kind", *lines]))
    result = fine("fit", file, "-t", "kind", "--k", 1)
    assert re.search(r"Unnamed: 0 +id +consecutive whole numbers", result.stdout)
    assert "Unnamed: 0 " not in result.stdout.partition("if ")[2]


def test_rows_with_missing_cells_are_left_out_on_demand(data, tmp_path):
    frame = cars()
    frame.loc[[3, 7], "price"] = np.nan
    frame.to_csv(data, index=False)
    given = ("fit", data, "-t", "sold", "--k", 1, *ORDER)
    assert "2, too few to tell, so worse than all others" in fine(*given).stdout
    result = fine(*given, "--drop-missing")
    assert "Left out 2 of 120 rows" in result.stderr
    assert "118 rows" in result.stdout


def test_many_classes_are_made_two(tmp_path):
    file, out = tmp_path / "marks.csv", tmp_path / "m.json"
    rows = "".join(f"{x},{min(x // 2, 4)}\n" for x in range(10))
    file.write_text("x,mark\n" + rows)
    assert "1 (2 rows)" in fine("fit", file, "-t", "mark", "--k", 1).stdout
    fine("fit", file, "-t", "mark", "--positive", ">=2", "--k", 1, "-o", out)
    assert str(sugeno.load(out).rules_) == "mark >= 2 if x >= 4"


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (["-t", "Sold"], ["no column 'Sold'", "did you mean 'sold'?"]),
        (["-t", "sold", *ORDER, "--direction", "Price=-"], ["'Price'", "did you mean 'price'?"]),
        (["-t", "sold", *ORDER, "--direction", "price=down"], ["+, - or auto", "'down'"]),
        (["-t", "sold", *ORDER, "--direction", "price"], ["price=-", "Got 'price'"]),
        (["-t", "sold", *ORDER, "--k", "9"], ["--k must be a number from 1 to 3", "'9'"]),
        (["-t", "sold", *ORDER, "--k", "few"], ["--k must be a number", "'few'"]),
        (["-t", "sold", *ORDER, "--k", "1", "--simple"], ["--simple", "leave out --k"]),
        (["-t", "sold", *ORDER, "--k", "1", "--form", "points"], ["'form'", "levels='distilled'"]),
        (["-t", "sold", *ORDER, "--levels", "some"], ["'levels'", "'some'"]),
        (["-t", "sold", "--order", "size=S"], ["--order size", "two or more labels"]),
        (["-t", "sold", "--order", "siz=a,b"], ["no column 'siz'", "'size'"]),
        (["-t", "sold", "--positive", "Yes", *ORDER], ["'Yes'", "did you mean 'yes'?"]),
        (["-t", "sold", "--features", "sold"], ["no criteria besides 'sold'"]),
        (["-t", "sold", "--max-rules", "0"], ["--max-rules", "--help"]),
        ([], ["Missing option", "'sugeno fit --help'"]),
        (["-t", "sold", "--targt", "x"], ["--targt", "'sugeno fit --help'"]),
    ],
)
def test_wrong_options_are_explained_in_one_line(data, arguments, parts):
    result = CliRunner().invoke(app, ["fit", str(data), *arguments], prog_name="sugeno")
    assert result.exit_code == 2, result.output
    assert result.stderr.count("\n") == 1, result.stderr
    assert all(part in result.stderr for part in parts), result.stderr


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (["fit", "no.csv", "-t", "y"], ["There is no file 'no.csv'"]),
        (["fit", ".", "-t", "y"], ["directory", "check the name"]),
        (["rules", "no.json"], ["There is no file 'no.json'"]),
        (["frobnicate"], ["No such command 'frobnicate'"]),
        (["datasets", "IRIS"], ["'IRIS'"]),
        (["datasets", "-o", "x.csv"], ["Say which data set"]),
        (["datasets", "LEV", "-o", "x.xlsx"], [".csv, .json or .parquet"]),
        (["datasets", "LEV", "-o", "nowhere/x.csv"], ["no folder 'nowhere'", "make it"]),
        (["datasets", "LEV", "-o", "."], ["is a folder"]),
        (["reproduce", "table2", "--columns", "SVM"], ["Got SVM instead"]),
    ],
)
def test_other_mistakes_are_explained_in_one_line(arguments, parts, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    message = refused(*arguments)
    assert all(part in message for part in parts), message


@pytest.mark.parametrize("place", ["before", "after"])
def test_debug_shows_the_traceback(place):
    arguments = ["fit", "no.csv", "-t", "y"]
    arguments = ["--debug", *arguments] if place == "before" else [*arguments, "--debug"]
    result = run(*arguments)
    assert isinstance(result.exception, FileNotFoundError)


def test_a_fault_of_the_program_is_called_one(data, monkeypatch):
    def broken(*given):
        raise KeyError("lost")

    monkeypatch.setattr("sugeno.cli.fit.read_table", broken)
    message = refused("fit", data, "-t", "sold")
    assert "KeyError: 'lost'. This is a fault of sugeno; --debug shows where." in message


# ------------------------------------------------------------------------- rules, predict, help


def test_rules_are_shown_with_their_numbers_and_support(model):
    clf = sugeno.load(model)
    lines = fine("rules", model).output.splitlines()
    assert lines[0] == "sold = yes if one of these rules holds"
    for number, (line, record) in enumerate(zip(lines[2:], clf.rules_.to_records()), 1):
        assert line.split()[0] == str(number)
        assert record["rule"] in line
        assert f"{record['support']:g}" in line.split()
    assert fine("rules", model, "--format", "text").output == f"{clf.rules_}\n"
    records = json.loads(fine("rules", model, "--format", "json").output)
    assert [record["rule"] for record in records] == list(clf.rules_)
    table = list(csv.DictReader(io.StringIO(fine("rules", model, "--format", "csv").output)))
    assert [row["number"] for row in table] == [str(i + 1) for i in range(len(clf.rules_))]


def test_rules_read_a_model_from_the_standard_input(model):
    assert fine("rules", "-", stdin=model.read_bytes()).output == fine("rules", model).output


def test_a_file_that_is_no_model_is_refused(tmp_path):
    file = tmp_path / "m.json"
    file.write_text("{}")
    assert "Error: " in refused("rules", file)


def test_predictions_stand_beside_the_columns_as_they_were(data, model, tmp_path):
    out = tmp_path / "out.csv"
    result = fine("predict", model, data, "-o", out)
    clf, X = learned_in_python(levels=3)
    frame = pd.read_csv(out)
    assert frame.columns.tolist() == [*cars().columns, "prediction", "probability"]
    assert frame["prediction"].tolist() == clf.predict(X).tolist()
    np.testing.assert_array_equal(frame["probability"], clf.predict_proba(X)[:, 1])
    pd.testing.assert_frame_equal(frame[cars().columns], cars(), check_dtype=False)
    assert f"120 rows, {(clf.predict(X) == 'yes').sum()} of them 'yes'" in result.stderr


@pytest.mark.parametrize("kind", ["json", "parquet", "csv"])
def test_predictions_are_written_in_every_format(data, model, tmp_path, kind):
    out = tmp_path / f"out.{kind}"
    fine("predict", model, data, "-o", out)
    read = {"json": pd.read_json, "parquet": pd.read_parquet, "csv": pd.read_csv}[kind]
    clf, X = learned_in_python(levels=3)
    frame = read(out)
    assert frame["prediction"].tolist() == clf.predict(X).tolist()
    assert frame["price"].tolist() == cars()["price"].tolist()
    piped = run("predict", model, data, "--format", kind).stdout_bytes
    assert piped == out.read_bytes()


def test_predictions_of_a_spreadsheet_are_written_as_spreadsheets_write(model, tmp_path):
    file, out = tmp_path / "excel.csv", tmp_path / "out.csv"
    file.write_bytes(cars().to_csv(index=False, sep=";", decimal=",").encode("utf-8-sig"))
    fine("predict", model, file, "-o", out)
    assert out.read_bytes().startswith(b"\xef\xbb\xbfid;size;")
    again = pd.read_csv(out, sep=";", decimal=",")
    assert again["probability"].dtype == float
    assert again["top speed"].tolist() == cars()["top speed"].tolist()


def test_predict_finds_columns_by_name_and_ignores_the_others(data, model):
    header = "sold,extra,top speed,size,price\n"
    result = fine(
        "predict", model, "-", "--only", stdin=header + "?,,4.5,large,1\n?,x,0.5,small,9\n"
    )
    rows = result.stdout.splitlines()
    assert rows[0] == "prediction,probability"
    assert [row.split(",")[0] for row in rows[1:]] == ["yes", "no"]


@pytest.mark.parametrize(
    ("content", "parts"),
    [
        ("price,Size,top speed\n1,large,1\n", ["lacks", "'size'", "did you mean 'Size'?"]),
        ("price,size,top speed\n1,huge,1\n", ["one of small, medium, large", "'huge' (line 2)"]),
        (
            "price,size,top speed\n1,large,fast\n",
            ["'top speed' must hold numbers", "'fast' (line 2)"],
        ),
        ("price,size,top speed\n1,large,\n", ["'top speed'", "Got nothing (line 2)"]),
        ("price,size,top speed,prediction\n1,large,1,0\n", ["'prediction' already", "--only"]),
    ],
)
def test_predict_refuses_rows_that_do_not_suit_the_model(model, content, parts):
    message = refused("predict", model, "-", stdin=content)
    assert all(part in message for part in parts), message


def test_predict_leaves_out_rows_with_gaps_on_demand(model):
    rows = "price,size,top speed,note\n1,large,4,\n1,,4,x\n9,small,1,NA\n"
    result = fine("predict", model, "-", "--drop-missing", stdin=rows)
    assert [line.split(",")[4] for line in result.stdout.splitlines()[1:]] == ["yes", "no"]
    assert "Left out 1 of 3 rows" in result.stderr


def test_help_fits_one_screen():
    lines = fine("--help").output.splitlines()
    assert len(lines) <= 24
    assert max(map(len, lines)) <= 80
    assert not any(line.rstrip().endswith("...") for line in lines[4:])


@pytest.mark.parametrize("command", sorted(app.commands))
def test_every_command_explains_itself(command):
    lines = fine(command, "--help").output.splitlines()
    assert max(map(len, lines)) <= 80
    assert any("--debug" in line for line in lines)


# ------------------------------------------------------------------------- evaluate, datasets


@pytest.mark.filterwarnings("ignore:time_limit:sklearn.exceptions.ConvergenceWarning")
def test_without_time_the_one_fold_is_called_so(tmp_path):
    rng = np.random.default_rng(0)
    wide = pd.DataFrame(rng.normal(size=(300, 200)).round(3)).add_prefix("v")
    total = wide.iloc[:, :3].sum(axis=1) + rng.normal(size=300)
    wide.assign(y=np.where(total > 0, "high", "low")).to_csv(tmp_path / "wide.csv", index=False)
    said = fine("fit", tmp_path / "wide.csv", "--target", "y", "--time-limit", "1e-9").stdout
    assert re.search(r"^Errors on held-out rows: .*, in one fold\.$", said, re.MULTILINE)


def test_evaluate_counts_the_errors_of_folds(data):
    from sklearn.model_selection import StratifiedKFold, cross_val_score

    result = fine("evaluate", data, "-t", "sold", "--k", 2, *ORDER, "--cv", 4)
    X = learned_in_python(k=2)[1]
    folds = StratifiedKFold(4, shuffle=True, random_state=0)
    errors = 1 - cross_val_score(SugenoClassifier(k=2), X, cars()["sold"], cv=folds)
    assert f"error      {errors.mean():.3f} ± {errors.std():.3f}" in result.output
    share = (cars()["sold"] == "yes").mean()
    assert f"{min(share, 1 - share):.3f}" in result.output


def test_evaluate_needs_rows_of_both_classes_in_every_fold(tmp_path):
    file = tmp_path / "few.csv"
    file.write_text("x,y\n1,no\n2,no\n3,yes\n4,yes\n")
    message = refused("evaluate", file, "-t", "y", "--k", "all", "--cv", 3)
    assert "Got 2 of class no; use --cv 2" in message
    assert "of 2 folds" in fine("evaluate", file, "-t", "y", "--k", "all").output


def test_a_data_set_is_written_and_described(tmp_path):
    out = tmp_path / "hab.csv"
    result = fine("datasets", "hab", "-o", out)
    task = load("HAB")
    frame = pd.read_csv(out)
    assert frame.columns.tolist() == [*task.feature_names, "class"]
    np.testing.assert_array_equal(frame[task.feature_names], task.data)
    assert (frame["class"] == task.target_names[1]).tolist() == (task.target == 1).tolist()
    assert '--positive "died"' in result.stderr
    assert "--direction operation_year=-" in result.stderr
    assert fine("datasets", "HAB").output.startswith("HAB: ")
    assert fine("datasets", "HAB", "-o", "-").stdout == out.read_text()


# ------------------------------------------------------------------------- progress, processes


def test_waiting_shows_a_bar_on_a_terminal_only_and_only_after_a_while():
    def shown(patience, terminal=True):
        text = io.StringIO()
        console = Console(file=text, force_terminal=terminal, width=80)
        with waiting("learning", console, patience) as report:
            report(1, 2)
            if patience == 0:
                import time

                time.sleep(0.3)
        return text.getvalue()

    assert "learning" in shown(0)
    assert "learning" not in shown(60)
    assert shown(0, terminal=False) == ""


def sugeno_process(*arguments, **options):
    return subprocess.run(
        [sys.executable, "-m", "sugeno", *map(str, arguments)],
        capture_output=True,
        check=False,
        **options,
    )


def test_a_pipe_of_processes_works_without_files(data):
    fitted = sugeno_process(
        *("fit", "-", "-t", "sold", "--k", "2", *ORDER, "-o", "-"), input=data.read_bytes()
    )
    assert fitted.returncode == 0, fitted.stderr
    shown = sugeno_process("rules", "-", "--format", "text", input=fitted.stdout)
    assert shown.stdout.decode().strip() == str(learned_in_python(k=2)[0].rules_)


def test_a_process_ends_with_status_2_and_one_line():
    done = sugeno_process("fit", "no.csv", "--target", "y")
    assert done.returncode == 2
    assert done.stdout == b""
    assert done.stderr.decode().strip() == (
        "Error: There is no file 'no.csv'; check the name and the folder."
    )


def test_csv_needs_neither_pandas_nor_pyarrow(data, tmp_path):
    code = (
        "import sys; sys.modules.update(dict.fromkeys(['pandas', 'pyarrow']));"
        "from sugeno.cli import main; main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, "fit", str(data), "-t", "sold", "--k", "2", *ORDER],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert str(learned_in_python(k=2)[0].rules_) in done.stdout


def test_shell_completion_knows_the_commands():
    import os

    done = sugeno_process(
        env={
            **os.environ,
            "_SUGENO_COMPLETE": "bash_complete",
            "COMP_WORDS": "sugeno ev",
            "COMP_CWORD": "1",
        }
    )
    assert b"evaluate" in done.stdout


# ------------------------------------------------------------------- classes without an order


def test_three_classes_without_an_order_are_learned_shown_and_predicted(tmp_path):
    iris = load_iris(as_frame=True)
    frame = iris.frame.drop(columns="target").round(1)
    frame["species"] = iris.target_names[iris.target]
    data, model, out = (tmp_path / name for name in ("iris.csv", "iris.json", "decided.csv"))
    frame.to_csv(data, index=False)
    options = ("--target", "species", "--k", "2", "--levels", "2")
    said = fine("fit", data, *options, "-o", model).stdout
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", WeakDirectionWarning)
        clf = SugenoClassifier(k=2, levels=2).fit(frame.iloc[:, :4], frame["species"])
    assert "setosa (50 rows), versicolor (50 rows), virginica (50 rows)" in said
    assert all(str(rules) in said for rules in clf.rules_.values())
    assert fine("rules", model, "--format", "text").stdout.strip() in said
    counted = json.loads(fine("rules", model, "--data", data, "--format", "json").stdout)
    assert {rule["boundary"] for rule in counted} == set(iris.target_names)
    fine("predict", model, data, "-o", out)
    decided = pd.read_csv(out)
    assert decided["prediction"].tolist() == clf.predict(frame.iloc[:, :4]).tolist()
    assert (
        decided["probability_setosa"].tolist()
        == clf.predict_proba(frame.iloc[:, :4])[:, 0].tolist()
    )
    judged = fine("evaluate", data, *options, "--cv", 3).stdout
    assert "always setosa: 0.667" in judged
    assert "decided setosa  decided versicolor" in judged
    assert "Say whose rules change" in refused("edit", model, "--drop", 1)


def test_a_table_with_text_gaps_and_ids_is_learned_as_it_comes(tmp_path):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "number": np.arange(300),
            "home": rng.choice(["own", "rent", "none"], 300),
            "income": rng.normal(3000, 900, 300).round(),
        }
    )
    frame["paid"] = np.where(frame["income"] + 900 * (frame["home"] == "own") > 3200, "yes", "no")
    frame.loc[::17, "income"] = np.nan
    data = tmp_path / "loans.csv"
    frame.to_csv(data, index=False)
    said = fine("fit", data, "--target", "paid", "--k", "2", "--levels", "2").stdout
    assert re.search(r"^number +id .*consecutive whole numbers", said, re.MULTILINE)
    assert re.search(r"^home +unordered +own above", said, re.MULTILINE)
    assert re.search(r"^income +number +up .* 18, ", said, re.MULTILINE)
    assert "home is own" in said
    assert "recall" in fine("evaluate", data, "-t", "paid", "--k", 1, "--cv", 3).stdout
