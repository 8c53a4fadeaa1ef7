"""An ensemble on the command line: learned, kept, asked, explained, exported."""

import json

import numpy as np
import pandas as pd
import pytest

import sugeno
from cli.test_cli_learning import cars, fine, refused

FIT = ("--target", "sold", "--levels", "ensemble")


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """A table, an ensemble of it, and where both are."""
    folder = tmp_path_factory.mktemp("ensemble")
    table = cars()
    table.to_csv(folder / "cars.csv", index=False)
    result = fine("fit", folder / "cars.csv", *FIT, "-o", folder / "model.json")
    return folder, table, result


def test_fit_says_how_good_it_is(kept):
    _, _, result = kept
    assert "sold = yes by a sum of steps" in result.output
    assert "Held-out rows:" in result.output
    assert "rows outside the bag, 20 bags" in result.output


def test_classes_without_an_order_have_ensembles_too(kept):
    folder, _, _ = kept
    fit = ("fit", folder / "cars.csv", "--target", "size", *FIT[2:], "-o", folder / "sizes.json")
    assert fine(*fit).output.count("by a sum of steps") == 3
    fine("predict", folder / "sizes.json", folder / "cars.csv", "-o", folder / "sizes.csv")
    fine("report", folder / "sizes.json", folder / "cars.csv", "-o", folder / "sizes.html")
    assert (folder / "sizes-3.html").exists()


def test_a_kept_ensemble_predicts(kept):
    folder, table, _ = kept
    fine("predict", folder / "model.json", folder / "cars.csv", "-o", folder / "new.csv")
    told = pd.read_csv(folder / "new.csv")
    clf = sugeno.load(folder / "model.json")
    assert isinstance(clf, sugeno.RuleClassifier)
    assert told["prediction"].tolist() == clf.predict(table).tolist()
    np.testing.assert_array_equal(told["probability"], clf.predict_proba(table)[:, 1])


def test_rows_are_explained(kept):
    folder, table, _ = kept
    model = (folder / "model.json", folder / "cars.csv")
    one = fine("explain", *model, "--row", 3, "--immutable", "size").output
    assert one.startswith("Row 3: sold = ")
    assert "where no level is reached" in one
    told = json.loads(fine("explain", *model, "--format", "json").output)
    clf = sugeno.load(folder / "model.json")
    assert [record["label"] for record in told] == clf.predict(table).tolist()
    total = told[0]["base"] + sum(part["log_odds"] for part in told[0]["adds"])
    assert total == pytest.approx(clf.decision_function(table)[0])
    assert "reasons of rules" in refused("explain", *model, "--letter")


def test_rules_are_named_as_what_there_is_not(kept):
    folder, _, _ = kept
    told = refused("rules", folder / "model.json")
    assert "a sum of steps, and has no rules to show" in told


def test_it_is_exported(kept):
    folder, table, _ = kept
    written = fine("export", folder / "model.json", "--to", "python").output
    module = {}
    exec(written, module)
    rows = table.to_dict("records")
    clf = sugeno.load(folder / "model.json")
    assert [module["label"](row) for row in rows] == clf.predict(table).tolist()
    assert "distill it into rules" in refused("export", folder / "model.json", "--to", "dmn")


def test_a_page_is_written(kept):
    folder, _, _ = kept
    fine("report", folder / "model.json", folder / "cars.csv", "-o", folder / "page.html")
    page = (folder / "page.html").read_text(encoding="utf-8")
    assert "What each criterion adds" in page
    assert "errors on held-out rows" in page


def test_it_is_judged_without_rules_to_count(kept):
    folder, _, _ = kept
    told = fine("evaluate", folder / "cars.csv", *FIT, "--cv", 2).output
    assert "(mean and deviation of 2 folds" in told
    assert "rules  " not in told


def test_what_an_ensemble_has_not_is_refused(kept):
    folder, _, _ = kept
    for option in (("--k", 2), ("--max-rules", 3), ("--simple",)):
        told = refused("fit", folder / "cars.csv", *FIT, *option)
        assert f"no rules to limit; leave out {option[0]}." in told


def test_ordered_classes_have_one_ensemble(kept):
    folder, table, _ = kept
    made = folder / "sizes.json"
    order = ("--order", "size=small,medium,large")
    told = fine("fit", folder / "cars.csv", *FIT[:1], "size", *FIT[2:], *order, "-o", made).output
    assert "3 classes by a sum of steps" in told
    assert "rows outside the bag" in told
    clf = sugeno.load(made)
    assert clf.order_.tolist() == ["small", "medium", "large"]
    shown = fine("explain", made, folder / "cars.csv", "--row", 1).output
    assert shown.startswith(f"Row 1: {clf.predict(table)[0]}. ")
    records = fine("explain", made, folder / "cars.csv", "--row", 1, "--format", "json").output
    (record,) = json.loads(records)
    assert {way["label"] for way in record["falls"] + record["counterfactuals"]} <= {*clf.order_}
    fine("report", made, folder / "cars.csv", "-o", folder / "sizes.html")
