"""In a notebook a fitted classifier shows its rules, its honest errors and what was assumed."""

import html as markup
import re
from itertools import product

import numpy as np
import pandas as pd
import pytest
import sklearn
from report_models import clauses, mixed_table
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

import sugeno
from sugeno import (
    SugenoClassifier,
    SugenoClassifierCV,
    SugenoDistiller,
    SugenoEnsembleClassifier,
    SugenoOrdinalClassifier,
)


def shown(clf):
    return clf._repr_mimebundle_()["text/html"]


def text_of(page):
    return markup.unescape(re.sub(r"\s+", " ", re.sub(r"<style.*?</style>|<[^>]*>", " ", page)))


def percent(share):
    return f"{100 * share:.1f}".removesuffix(".0") + " %"


@pytest.fixture(scope="module")
def loans():
    rng = np.random.default_rng(3)
    n = 200
    home = rng.choice(["own", "rent", "<b>tent</b>"], n)
    table = pd.DataFrame({"id": np.arange(n), "income": rng.integers(1, 90, n), "home": home})
    deny = np.where(table.income + 30 * (home == "own") + rng.normal(0, 9, n) > 45, "no", "yes")
    y = pd.Series(deny, name="deny")
    return SugenoClassifierCV(levels="single", cv=3).fit(table, y), table, y


@pytest.mark.parametrize("kind", ["two classes", "in an order", "without an order"])
def test_an_ensemble_says_what_it_is_and_how_often_it_errs(kind):
    rng = np.random.default_rng(0)
    X = rng.integers(0, 5, size=(90, 3))
    level = np.digitize(X.sum(axis=1) + rng.normal(0, 1, 90), [5.0, 8.0])
    y = {"two classes": level > 1, "in an order": level}.get(kind, np.array([*"bca"])[level])
    order = "sorted" if kind == "in an order" else None
    clf = SugenoEnsembleClassifier(n_bags=3, directions=None, order=order).fit(X, y)
    text = text_of(shown(clf))
    assert "3 criteria and " in text
    assert "add to the odds of" in text
    assert "Errors on held-out rows: " in text
    again = text_of(shown(sugeno.loads(sugeno.dumps(clf))))
    assert text.partition("Errors")[0] == again.partition("Errors")[0]


def test_before_fitting_there_is_the_picture_of_scikit_learn_alone():
    page = shown(SugenoClassifierCV())
    assert "sk-container" in page
    assert "sugeno-fitted" not in page


def test_rules_errors_and_assumptions_stand_above_the_picture(loans):
    clf, _, _ = loans
    page = shown(clf)
    assert "sugeno-fitted" in clf._repr_html_()
    assert page.index("sugeno-fitted") < page.index("sk-container")
    text = text_of(page)
    assert "deny = yes if" in text
    for rule in clf.rules_:
        assert rule in text
    confusion = clf.held_out_confusion_
    wrong = 1 - np.trace(confusion) / confusion.sum()
    always = 1 - confusion.sum(axis=1).max() / confusion.sum()
    assert wrong < always
    assert f"Errors on held-out rows: {percent(wrong)} (" in text
    assert f"Always saying deny = no: {percent(always)}." in text
    assert "id is left out: " in text
    assert "What was assumed about 2 columns" in text
    assert clf.columns_["income"].evidence in text


def test_names_in_the_data_never_become_markup(loans):
    assert "<b>tent" not in shown(loans[0])
    assert "&lt;b&gt;tent" in shown(loans[0])


def test_rules_that_do_not_beat_the_largest_class_are_said_not_to():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(90, 2)), rng.random(90) < 0.1
    clf = SugenoClassifierCV(levels="single", cv=3, directions=[1, 1]).fit(X, y)
    assert "This makes no fewer errors than always saying class False." in text_of(shown(clf))


def test_text_is_asked_for_and_there_is_no_markup(loans):
    with sklearn.config_context(display="text"):
        assert [*loans[0]._repr_mimebundle_()] == ["text/plain"]


def test_in_a_pipeline_the_picture_is_that_of_scikit_learn(loans):
    _, table, y = loans
    line = make_pipeline(FunctionTransformer(), SugenoClassifier()).fit(table[["income"]], y)
    assert "sugeno-fitted" not in line._repr_html_()


def test_a_file_remembers_the_error_and_what_was_assumed(loans):
    text = text_of(shown(sugeno.loads(sugeno.dumps(loans[0]))))
    assert f"Errors on held-out rows: {percent(loans[0].held_out_error_)} (" in text
    assert "What was assumed about 2 columns" in text


def test_a_classifier_that_nobody_validated_says_so():
    X, y, signs = mixed_table()
    text = text_of(shown(SugenoClassifier(directions=signs).fit(X, y)))
    assert "Errors on held-out rows are not known" in text
    assert "assumed" not in text


def test_a_card_shows_its_points_and_clauses_what_they_refuse():
    X, y, signs = mixed_table()
    card = SugenoDistiller(form="points", directions=signs, random_state=0).fit(X, y)
    text = text_of(shown(card))
    assert f"from {card.rules_.needed} of {sum(card.rules_.points)} points" in text
    refusing, _, _ = clauses()
    assert "class 1 if all of these 3 conditions hold" in text_of(shown(refusing))


def test_ordered_classes_show_the_rules_of_each_boundary_and_long_lists_are_counted():
    X, y, signs = mixed_table()
    grades = y + (X[:, 0] > 3)
    clf = SugenoOrdinalClassifier(levels=2, max_rules=4, k=3, directions=signs).fit(X, grades)
    text = text_of(shown(clf))
    assert "at least 1" in text
    assert "at least 2" in text
    every = np.array([*product((0, 1), repeat=7)])
    many = SugenoClassifier(directions=None).fit(every, every.sum(axis=1) >= 4)
    assert len(many.rules_) == 35
    assert "… and 15 more rules, in rules_" in text_of(shown(many))


def test_classes_without_an_order_show_the_rules_of_each():
    X = [[1, 1], [2, 1], [1, 8], [2, 9], [8, 2], [9, 1]]
    clf = SugenoClassifier().fit(X, ["low", "low", "tall", "tall", "wide", "wide"])
    text = text_of(shown(clf))
    for label, rules in clf.rules_.items():
        assert f"{label} if this rule holds; otherwise not {label}" in text
        assert next(iter(rules)) in text


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_colours_are_those_of_the_notebook(loans, scheme, chromium, tmp_path):
    path = tmp_path / "cell.html"
    dark = "<style>body { background: #111; color: #eee }</style>" if scheme == "dark" else ""
    path.write_text(f"<meta charset=utf-8>{dark}{shown(loans[0])}", encoding="utf-8")
    page = chromium.new_page(color_scheme=scheme)
    page.goto(path.as_uri())
    colours = page.evaluate(
        "[...document.querySelectorAll('.sugeno-fitted, .sugeno-fitted *')]"
        ".map(one => getComputedStyle(one)).map(one => one.color + one.backgroundColor)"
    )
    ink = page.evaluate("getComputedStyle(document.body).color")
    page.close()
    assert {*colours} == {f"{ink}rgba(0, 0, 0, 0)"}
