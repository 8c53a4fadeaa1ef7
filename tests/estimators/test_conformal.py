"""Sets of labels: how often they hold the true one, and that they grow with the criteria."""

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.linear_model import LogisticRegression

from sugeno import (
    ConformalClassifier,
    SugenoClassifier,
    SugenoEnsembleClassifier,
    SugenoNominalClassifier,
    SugenoOrdinalClassifier,
)
from sugeno.datasets import load_raw
from sugeno.estimators.conformal import conformal_limit


def table(seed, n=300, n_classes=3, m=3):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 6, size=(n, m)).astype(float)
    score = X.sum(axis=1) + rng.normal(0, 2, n)
    return X, np.searchsorted(np.quantile(score, np.arange(1, n_classes) / n_classes), score)


@given(
    st.lists(st.integers(0, 5), min_size=1, max_size=12),
    st.sampled_from([0.05, 0.1, 0.2, 0.25, 0.5, 0.9]),
)
def test_whichever_row_is_the_new_one_enough_of_them_are_held(scores, alpha):
    # Exchangeable rows: each of them is the new one equally often.
    scores = np.array(scores, dtype=float)
    held = [score <= conformal_limit(np.delete(scores, i), alpha) for i, score in enumerate(scores)]
    assert Fraction(sum(held), len(held)) >= 1 - Fraction(str(alpha))


def test_no_row_is_held_that_need_not_be():
    for n, alpha in ((9, 0.1), (19, 0.1), (99, 0.05), (4, 0.2)):
        scores = np.arange(float(n + 1))
        held = sum(s <= conformal_limit(np.delete(scores, i), alpha) for i, s in enumerate(scores))
        assert held == math.ceil((n + 1) * Fraction(str(1 - alpha)))


@pytest.mark.parametrize("by_class", [False, True])
@pytest.mark.parametrize("inside", [SugenoClassifier(), SugenoOrdinalClassifier(levels=3)])
def test_new_rows_are_covered_as_promised(inside, by_class):
    n_classes = 2 if isinstance(inside, SugenoClassifier) else 3
    missed = []
    for seed in range(12):
        X, y = table(seed, n=1200, n_classes=n_classes)
        clf = ConformalClassifier(inside, alpha=0.2, by_class=by_class).fit(X[:600], y[:600])
        held = clf.predict_set(X[600:])[np.arange(600), y[600:]]
        groups = [y[600:] == c for c in range(n_classes)] if by_class else [slice(None)]
        missed.append([1 - held[group].mean() for group in groups])
    assert (np.mean(missed, axis=0) < 0.2 + 0.03).all()


def ends_of(clf, X):
    """Places of the lowest and the highest label of each set, which must have no gaps."""
    order = getattr(clf.estimator_, "order_", clf.classes_)
    held = clf.predict_set(X)[:, np.searchsorted(clf.classes_, order)]
    low, high = held.argmax(axis=1), order.size - 1 - held[:, ::-1].argmax(axis=1)
    some = held.any(axis=1)
    np.testing.assert_array_equal(held.sum(axis=1)[some], (high - low + 1)[some])
    return low, high, some


def assert_improving_lowers_neither_end(clf, worse, better):
    (low, high, some), (new_low, new_high, new_some) = (ends_of(clf, X) for X in (worse, better))
    known = some & new_some
    assert (low[known] <= new_low[known]).all()
    assert (high[known] <= new_high[known]).all()


@pytest.mark.parametrize("by_class", [False, True])
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(
    ("inside", "classes"),
    [
        (SugenoClassifier(directions=None), [0, 1]),
        (SugenoOrdinalClassifier(levels=2, directions=None), [0, 1, 2]),
        (SugenoOrdinalClassifier(levels=2, directions=None, classes=["c", "a", "b"]), [*"cab"]),
        (SugenoOrdinalClassifier(levels="all", directions=None), [0, 1, 2, 3, 4]),
    ],
)
def test_sets_have_no_gaps_and_improving_lowers_neither_end(seed, inside, classes, by_class):
    X, y = table(seed, n_classes=len(classes))
    y = np.array(classes)[y]
    clf = ConformalClassifier(inside, alpha=0.2, by_class=by_class).fit(X, y)
    rows = np.random.default_rng(seed).integers(-1, 7, size=(200, 3))
    better = rows + np.random.default_rng(1).integers(0, 3, rows.shape)
    assert_improving_lowers_neither_end(clf, rows, better)


@pytest.mark.parametrize("by_class", [False, True])
@pytest.mark.parametrize("levels", [1, 2, "all"])
def test_equal_probabilities_of_a_class_or_a_higher_one_give_equal_ends(levels, by_class):
    lecturers = load_raw("LEV")
    inside = SugenoOrdinalClassifier(levels=levels, directions=None)
    rows = np.array([*product(range(5), repeat=4)])
    for seed in range(6):
        clf = ConformalClassifier(inside, alpha=0.2, by_class=by_class, random_state=seed)
        clf.fit(lecturers.data, lecturers.target)
        for j in range(4):
            worse = rows[rows[:, j] < 4]
            better = worse + (np.arange(4) == j)
            assert_improving_lowers_neither_end(clf, worse, better)


@pytest.mark.parametrize("by_class", [False, True])
@pytest.mark.parametrize(
    "inside",
    [
        SugenoClassifier(levels=3, directions=None),
        SugenoEnsembleClassifier(n_bags=3, directions=None),
    ],
    ids=lambda inside: type(inside).__name__,
)
def test_the_order_that_a_column_declares_reaches_the_classifier_inside(inside, by_class):
    X, y = table(1, n_classes=4)
    grades = pd.Series(pd.Categorical.from_codes(y, ["poor", "fair", "good", "best"], ordered=True))
    clf = ConformalClassifier(inside, alpha=0.2, by_class=by_class).fit(X, grades)
    assert clf.estimator_.order_.tolist() == ["poor", "fair", "good", "best"]
    cells = np.array([*product(range(-1, 6), repeat=3)], dtype=float)
    for j in range(3):
        assert_improving_lowers_neither_end(clf, cells, cells + (np.arange(3) == j))


def test_classes_without_an_order_have_sets_as_well():
    X, y = table(0)
    for inside in (SugenoNominalClassifier(), LogisticRegression()):
        clf = ConformalClassifier(inside, alpha=0.2).fit(X, y)
        sets = clf.predict_set(X)
        np.testing.assert_array_equal(sets, 1 - clf.predict_proba(X) <= clf.limits_)
        assert sets[np.arange(len(y)), y].mean() > 0.75


def test_few_rows_rule_out_nothing_and_unseen_labels_are_strange():
    X, y = [[1], [2], [3], [4], [5]], [0, 1, 0, 1, 1]
    clf = ConformalClassifier(LogisticRegression(), alpha=0.1).fit(X, y)
    assert np.isinf(clf.limits_).all()
    assert clf.predict_set(X).all()
    rare = np.r_[np.zeros(30, int), np.ones(30, int), 2]
    clf = ConformalClassifier(LogisticRegression(), alpha=0.04, calibration=0.4)
    fitted = (clf.set_params(random_state=s).fit(np.arange(61)[:, None], rare) for s in range(99))
    unseen = next(one for one in fitted if one.classes_.size == 2)
    # One of 25 rows has a label that nobody expects: the promise needs the 25th smallest score.
    assert np.isinf(unseen.limits_).all()
