"""Tables with text and gaps, from a file to a model and back to rows, on the command line."""

import json
import re

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import HistGradientBoostingClassifier

import sugeno
from cli.test_cli_reading_models import fine, refused
from estimators.test_any_columns import applicants, houses
from sugeno import SugenoClassifier


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("mixed")
    data, model = folder / "any.csv", folder / "model.json"
    X, y = applicants(300)
    X["paid"] = np.where(y, "yes", "no")
    X.drop(columns="since").to_csv(data, index=False)
    told = fine("fit", data, "--target", "paid", "--k", 2, "--levels", 2, "-o", model).output
    n_read = len({one.name for one in sugeno.load(model).model_.criteria})
    # What is left out is no criterion, and both sides of a column are one.
    assert f"300 rows, {n_read} criteria;" in told
    assert n_read < len(X.columns) - 2
    return model, data


def test_a_model_of_a_mixed_table_is_kept_and_shown(files):
    model, data = files
    assert "home is" in fine("rules", model).output
    counted = fine("rules", model, "--data", data).output
    assert counted == fine("rules", model).output


def test_new_rows_may_have_gaps_and_labels_that_nobody_has_seen(files, tmp_path):
    model, data = files
    new = tmp_path / "new.csv"
    rows = pd.read_csv(data, nrows=6).assign(home=["own", "tent", None, "none", "rent", "own"])
    rows.loc[[1, 5], "income"] = None
    rows.drop(columns=["id", "land"]).to_csv(new, index=False)
    decided = json.loads(fine("predict", model, new, "--format", "json").output)
    clf = sugeno.load(model)
    cells = rows[["income", "home"]].astype(object).where(rows[["income", "home"]].notna(), None)
    frame = pd.DataFrame({"income": rows["income"], "home": cells["home"]})
    assert [row["prediction"] for row in decided] == clf.predict(frame).tolist()
    assert [row["probability"] for row in decided] == clf.predict_proba(frame)[:, 1].tolist()
    assert "'income' must hold numbers" in refused(
        "predict", model, "-", stdin="income,home\nmuch,own\n"
    )


def test_rows_are_explained_and_reported(files, tmp_path):
    model, data = files
    assert "home is" in fine("explain", model, data, "--row", 1, "--immutable", "income").output
    assert "decisive factor" in fine("explain", model, data, "--letter").output
    fine("report", model, data, "-o", tmp_path / "page.html")
    assert "home is" in (tmp_path / "page.html").read_text(encoding="utf-8")


def test_dates_and_truth_values_of_a_model_are_read_from_text(tmp_path):
    rng = np.random.default_rng(0)
    since = pd.Timestamp("2020-01-01") + pd.to_timedelta(rng.integers(0, 900, 200), "D")
    X = pd.DataFrame({"since": since, "member": rng.random(200) < 0.5})
    y = (since > pd.Timestamp("2021-03-01")) & X["member"]
    clf = SugenoClassifier(levels=1).fit(X, y)
    model = tmp_path / "model.json"
    sugeno.save(clf, model)
    X.to_csv(tmp_path / "rows.csv", index=False)
    decided = fine("predict", model, tmp_path / "rows.csv", "--only", "--format", "json").output
    assert [row["prediction"] for row in json.loads(decided)] == clf.predict(X).tolist()
    assert "must hold dates such as" in refused(
        "predict", model, "-", stdin="since,member\nsoon,true\n"
    )
    assert "must hold true or false" in refused(
        "predict", model, "-", stdin="since,member\n2020-01-01,maybe\n"
    )


@pytest.fixture(scope="module")
def classes(tmp_path_factory):
    """The same of three classes without an order."""
    folder = tmp_path_factory.mktemp("classes")
    data, model = folder / "houses.csv", folder / "model.json"
    X, y = houses()
    X.drop(columns="seen").assign(plan=y).to_csv(data, index=False)
    said = fine("fit", data, "--target", "plan", "--k", 2, "--levels", 2, "-o", model).output
    assert "home    blue   unordered" in said
    return model, data


def test_every_command_takes_classes_without_an_order(classes, tmp_path):
    model, data = classes
    clf = sugeno.load(model)
    rows = pd.read_csv(data)
    looked = fine("look", data, "--target", "plan").output
    assert repr(clf.columns_) in looked
    assert "green if" in fine("rules", model, "--data", data).output
    decided = json.loads(fine("predict", model, data, "--format", "json").output)
    assert [one["prediction"] for one in decided] == clf.predict(rows).tolist()
    assert "home were" in fine("explain", model, data).output
    assert "recall" in fine("evaluate", data, "--target", "plan", "--k", 1, "--levels", 1).output
    fine("report", model, data, "-o", tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "<strong>id</strong> is left out" in page
    assert "orders of labels of its own" in page
    beside = (tmp_path / "page-1.html").read_text(encoding="utf-8")
    assert "What was assumed" in beside
    for language in ("sql", "pmml", "dmn", "python"):
        assert "home" in fine("export", model, "--to", language).output


def test_the_rules_of_one_class_are_edited(classes):
    model, data = classes
    given = ("edit", model, "--add", "age >= 30", "--data", data)
    assert "Of all classes, " in fine(*given, "--boundary", "green").output
    assert "--boundary blue, green, red. Got 'pink'" in refused(*given, "--boundary", "pink")


def test_none_is_a_label_of_a_target_of_words(tmp_path):
    data, model = tmp_path / "trial.csv", tmp_path / "trial.json"
    dose = np.arange(60) % 6
    relief = np.array(["None", "Some", "Marked"])[dose // 2]
    pd.DataFrame({"dose": dose, "relief": relief}).to_csv(data, index=False)
    fit = ("fit", data, "-t", "relief", "--levels", 2, "--k", 1)
    order = "--order=relief=None,Some,Marked"
    for options in ([order], [order, "--drop-missing"], []):
        said = fine(*fit, *options, "-o", model).stdout
        assert "60 rows" in said
        assert "None (20 rows)" in said
    fine("fit", data, "-t", "relief", "--levels", 2, "--k", 1, order, "-o", model)
    judged = ("--data", data, "-t", "relief", "--drop-missing")
    shown = fine("rules", model, *judged).stdout
    assert re.search(r"dose >= 2 +1 +40 +1 +40", shown), shown
    assert "20 rows (33.3%) are None" in fine(*fit, "--positive", "None").stdout


def people(seed, n):
    """Young and old ones are ill more often."""
    rng = np.random.default_rng(seed)
    table = pd.DataFrame({"age": rng.integers(18, 80, n), "income": rng.normal(40, 12, n).round(1)})
    odds = 9 * ((table["age"] - 47) / 31) ** 2 - 4 + 0.06 * (table["income"] - 40)
    return table.assign(ill=np.where(rng.random(n) < 1 / (1 + np.exp(-odds)), "yes", "no"))


@pytest.mark.no_cover
def test_a_column_of_numbers_that_turns_is_found_as_look_says(tmp_path):
    train, test = people(0, 1000), people(1, 4000)
    train.to_csv(tmp_path / "people.csv", index=False)
    given = tmp_path / "people.csv", "-t", "ill"
    assert re.search("^age +number +free", fine("look", *given).stdout, re.MULTILINE)
    fitted = fine("fit", *given, "-o", tmp_path / "model.json")
    assert re.search("^age +number +free", fitted.stdout, re.MULTILINE)
    ours = sugeno.load(tmp_path / "model.json").predict(test[["age", "income"]])
    boosting = HistGradientBoostingClassifier(random_state=0).fit(train.iloc[:, :2], train["ill"])
    errors, theirs = (
        (said != test["ill"]).mean() for said in (ours, boosting.predict(test.iloc[:, :2]))
    )
    assert errors <= theirs + 0.01
    # With its direction said there is nothing to be found.
    said = fine("fit", *given, "--direction", "age=+", "--direction", "income=+")
    assert "free" not in said.stdout
