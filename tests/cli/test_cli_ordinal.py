"""Ordered classes from the command line: learning, rules, decisions, reasons, judging."""

import csv
import io
import json
import re

import numpy as np
import pandas as pd
import pytest

import sugeno
from cli.running import fine, refused
from ordinal_models import graded_table
from sugeno import SugenoOrdinalClassifier

GRADES = ["bad", "ok", "good"]
SIZES = ["XS", "S", "M", "L", "XL", "XXL"]
SETTINGS = ("--order", "rating=bad,ok,good", "--levels", 2, "--drop-column", "mark")
SETTINGS += ("--order", "size=XS,S,M,L,XL,XXL")


@pytest.fixture
def frame():
    X, y = graded_table(m=3, n_classes=3)
    found = pd.DataFrame(X, columns=["price €", "speed", "size"])
    found["price €"] = 10 - found["price €"]
    found["size"] = np.array(SIZES)[X[:, 2].astype(int)]
    return found.assign(rating=np.array(GRADES)[y], mark=y + 1)


def criteria(frame):
    kind = pd.CategoricalDtype(SIZES, ordered=True)
    return frame[["price €", "speed", "size"]].astype({"size": kind})


@pytest.fixture
def files(frame, tmp_path):
    data, model = tmp_path / "cars.csv", tmp_path / "model.json"
    frame.to_csv(data, index=False)
    fine("fit", data, "-t", "rating", *SETTINGS, "-o", model)
    return model, data


def learned(frame):
    return SugenoOrdinalClassifier(levels=2, classes=GRADES).fit(criteria(frame), frame["rating"])


def test_fit_learns_what_the_classifier_learns_and_says_how_good_it_is(files, frame):
    model, data = files
    loaded, clf = sugeno.load(model), learned(frame)
    assert str(loaded.rules_) == str(clf.rules_)
    assert (loaded.predict(criteria(frame)) == clf.predict(criteria(frame))).all()
    said = fine("fit", data, "-t", "rating", *SETTINGS).stdout
    wrong = (clf.predict(criteria(frame)) != frame["rating"]).sum()
    counts = frame["rating"].value_counts()
    shares = ", ".join(f"{g} ({counts[g]} rows)" for g in GRADES)
    assert f"; classes, the lowest first: {shares}." in said
    assert f"Errors on these rows: {wrong} of 120" in said
    assert str(clf.rules_) in said


def test_whole_numbers_are_ordered_as_they_are(files, frame):
    _, data = files
    order = ("--drop-column", "rating", "--order", "size=XS,S,M,L,XL,XXL", "--levels", 2)
    text = fine("fit", data, "-t", "mark", "--ordered", *order, "-o", "-").stdout
    loaded = sugeno.loads(text)
    assert loaded.order_.tolist() == [1, 2, 3]
    named = np.array(GRADES)[loaded.predict(criteria(frame)) - 1]
    assert (named == learned(frame).predict(criteria(frame))).all()


@pytest.mark.usefixtures("brief")
def test_the_default_is_distilled_and_options_reach_it(files):
    model, data = files
    rest = ("-t", "rating", *SETTINGS[:2], *SETTINGS[4:], "--max-rules", 1, "--k", 2)
    fine("fit", data, *rest, "-o", model)
    rules = sugeno.load(model).rules_
    assert [len(boundary) for boundary in rules] == [1, 1]
    assert all(len(members) <= 2 for boundary in rules for members in boundary.sets)


def test_the_simplest_is_chosen_on_rows_left_out(files):
    model, data = files
    said = fine("fit", data, "-t", "rating", *SETTINGS, "--simple", "-o", model).stdout
    assert re.search(
        r"Errors on held-out rows: [\d.]+%, [\d.]+ classes off in the mean, in 5", said
    )
    assert "Always saying " in said


def test_rules_are_shown_by_boundary_and_counted_on_other_rows(files, frame):
    model, data = files
    clf = sugeno.load(model)
    shown = fine("rules", model).stdout
    assert shown.startswith("at least ok if one of these rules holds")
    assert "\n\nat least good if one of these rules holds\n" in shown
    assert fine("rules", model, "--format", "text").stdout == f"{clf.rules_}\n"
    assert "size at least" in fine("rules", model, "--format", "words").stdout
    half = data.with_name("half.csv")
    frame[:60].to_csv(half, index=False)
    counted = fine("rules", model, "--format", "json", "--data", half, "-t", "rating").stdout
    expected = clf.rules_table(criteria(frame)[:60], frame["rating"][:60])
    records = json.loads(counted)
    assert [record["support"] for record in records] == expected["support"].tolist()
    assert [record["boundary"] for record in records] == expected["boundary"].tolist()
    numbers = [record["number"] for record in records if record["boundary"] == "at least good"]
    assert numbers == list(range(1, len(clf.rules_[1]) + 1))


def test_predict_writes_the_class_and_the_probability_of_each(files, frame):
    model, data = files
    clf = sugeno.load(model)
    rows = list(csv.DictReader(io.StringIO(fine("predict", model, data).stdout)))
    assert [row["prediction"] for row in rows] == clf.predict(criteria(frame)).tolist()
    chances = clf.predict_proba(criteria(frame))
    for label in GRADES:
        column = chances[:, clf.classes_.tolist().index(label)]
        assert [float(row[f"probability_{label}"]) for row in rows] == column.tolist()
    said = fine("predict", model, data, "-o", data.with_name("out.csv"), "--only").stderr
    good = (clf.predict(criteria(frame)) == "good").sum()
    assert f"{good} of them 'good'." in said


def test_rows_are_explained_as_the_classifier_explains_them(files, frame):
    model, data = files
    clf = sugeno.load(model)
    found = clf.explain(criteria(frame))
    lines = fine("explain", model, data).stdout.splitlines()
    assert lines == [f"{i}: {text}" for i, text in enumerate(found.sentences(), 1)]
    middle = next(i for i, one in enumerate(found) if one.label == "ok")
    text = fine("explain", model, data, "--row", middle + 1).stdout
    one = found[middle]
    assert text.startswith(f"Row {middle + 1}: {one}\n  at least ok because {one.because}\n")
    assert f"  below good because {one.above.because}\n" in text
    assert f"  rule {one.rules[0] + 1}: {list(clf.rules_[0])[one.rules[0]]}\n" in text
    record = json.loads(
        fine("explain", model, data, "--row", middle + 1, "--format", "json").stdout
    )[0]
    assert record["label"] == "ok"
    assert record["barrier"] == [factor.text for factor in one.barrier]
    assert record["counterfactuals"][0]["label"] == one.counterfactuals[0].label
    fixed = clf.explain(criteria(frame), immutable=["size"]).sentences()
    lines = fine("explain", model, data, "--immutable", "size").stdout.splitlines()
    assert lines == [f"{i}: {text}" for i, text in enumerate(fixed, 1)]
    letter = fine("explain", model, data, "--row", middle + 1, "--letter").stdout
    assert letter.startswith(f"{middle + 1}: ok, not good. The")


def test_evaluate_counts_errors_and_distances_on_rows_left_out(files, frame):
    from sklearn.model_selection import StratifiedKFold, cross_val_predict

    _, data = files
    said = fine("evaluate", data, "-t", "rating", *SETTINGS, "--cv", 4).stdout
    X, y = criteria(frame), frame["rating"].to_numpy()
    X["size"] = X["size"].cat.codes
    folds = StratifiedKFold(4, shuffle=True, random_state=0)
    clf = SugenoOrdinalClassifier(levels=2, classes=GRADES)
    found = cross_val_predict(clf, X, y, cv=folds)
    place = {label: i for i, label in enumerate(GRADES)}
    off = np.abs([place[a] - place[b] for a, b in zip(found, y)])
    assert f"error      {(off > 0).mean():.3f} ±" in said
    assert f"distance   {off.mean():.3f} ±" in said
    assert f"far off    {(off > 1).mean():.3f}" in said


def test_the_page_is_about_the_boundary_asked_for(files, tmp_path):
    model, data = files
    page = tmp_path / "page.html"
    fine("report", model, data, "-t", "rating", "--boundary", "good", "-o", page)
    assert "at least good" in page.read_text(encoding="utf-8")
    assert "'good'?" in refused("report", model, data, "-t", "rating", "--boundary", "god")


def test_edit_changes_the_rules_of_one_boundary_and_keeps_them_nested(files, frame):
    model, data = files
    clf, new = sugeno.load(model), data.with_name("new.json")
    rows = ("--data", data, "-t", "rating")
    said = fine("edit", model, "--boundary", "good", "--drop", 1, *rows, "-o", new).stdout
    edit = clf.edit(criteria(frame), frame["rating"], boundary="good").remove(
        next(iter(clf.rules_[1]))
    )
    assert str(edit.report) in said
    assert str(sugeno.load(new).rules_) == str(edit.classifier.rules_)
    assert sugeno.load(new).rules_[0] == clf.rules_[0]
    wide = refused("edit", model, "--boundary", "good", "--add", "speed >= -9", "-o", new)
    assert "Whoever passes a boundary must pass those before it" in wide
    assert "edit that boundary first" in wide


@pytest.mark.parametrize("language", ["sql", "onnx", "pmml", "dmn", "python"])
def test_export_writes_what_the_function_returns(files, language):
    model, _ = files
    written = getattr(sugeno.export, f"to_{language}")(sugeno.load(model))
    found = fine("export", model, "--to", language)
    if language == "onnx":
        assert found.stdout_bytes  # a message, the same but for the names inside
    else:
        assert found.stdout.rstrip("\n") == written.rstrip("\n")


def test_export_takes_the_label_whose_probability_is_asked_for(files):
    model, _ = files
    sql = ("export", model, "--to", "sql", "--output", "probability")
    clf = sugeno.load(model)
    expected = sugeno.export.to_sql(clf, output="probability", label="ok")
    assert fine(*sql, "--label", "ok").stdout == f"{expected}\n"
    assert "label must be one of ['bad', 'ok', 'good']. Got 'okay'" in refused(
        *sql, "--label", "okay"
    )


def test_errors_say_what_to_do(files, tmp_path):
    model, data = files
    fit = ("fit", data, "-t", "rating", "--drop-column", "mark", "--order", "size=XS,S,M,L,XL,XXL")
    assert "--order rating=A,B,…, the lowest first" in fine(*fit, "--k", 1).stderr
    assert "needs whole numbers in 'rating'. Got " in refused(*fit, "--ordered")
    few = refused(*fit, "--order", "rating=bad,ok")
    assert "column 'rating' has 'good' besides the labels bad, ok" in few
    more = refused(*fit, "--order", "rating=bad,ok,good,best")
    assert "has the class 'best'; leave it out: --order rating=bad,ok,good." in more
    ordered = (*fit, "--order", "rating=bad,ok,good")
    assert "have no --positive" in refused(*ordered, "--positive", "good")
    assert "use --levels 1" in refused(*ordered, "--levels", "single")
    assert "--boundary ok, good. Got None" in refused("edit", model, "--drop", 1)
    marks = ("fit", data, "-t", "mark", "--drop-column", "rating")
    marks = (*marks, "--order", "size=XS,S,M,L,XL,XXL", "--k", 1)
    assert "if they have one, say --ordered.\n" in fine(*marks).stderr


def test_weak_directions_are_noted_by_name(tmp_path):
    rng = np.random.default_rng(0)
    table = pd.DataFrame({"strong": np.repeat([1, 2, 3], 20), "noise": rng.integers(0, 9, 60)})
    data = tmp_path / "t.csv"
    table.assign(y=table["strong"]).to_csv(data, index=False)
    said = fine("fit", data, "-t", "y", "--ordered", "--levels", 1).stderr
    assert "'noise'" in said
    assert "'strong'" not in said
    assert "--direction NAME=±" in said


@pytest.mark.usefixtures("brief")
def test_one_card_is_shown_once_with_its_thresholds(frame, tmp_path):
    data, model = tmp_path / "cars.csv", tmp_path / "card.json"
    frame.to_csv(data, index=False)
    options = [one for one in SETTINGS if one not in ("--levels", 2)]
    given = ("-t", "rating", *options, "--form", "points")
    said = fine("fit", data, *given, "-o", model).stdout
    cards = sugeno.load(model).rules_
    thresholds = [f"at least {card.label[9:]} from {card.needed} of" for card in cards]
    assert all(said.count(one) == 1 for one in thresholds)
    table = fine("rules", model).stdout
    assert all(table.count(one) == 1 for one in thresholds)
    assert table.count("speed >= ") == sum(text.startswith("speed") for text in cards[0].literals)
    assert "clauses" not in table
    assert len(json.loads(fine("rules", model, "--format", "json").stdout)) == len(cards[0])
    judged = fine("evaluate", data, *given, "--cv", 2).stdout
    assert "of 2 class boundaries together" in judged
