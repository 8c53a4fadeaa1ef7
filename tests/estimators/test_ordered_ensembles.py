"""Ensembles of ordered classes: one sum per boundary, nested by construction."""

from itertools import product

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.metrics import log_loss

import sugeno
from sugeno import SugenoEnsembleClassifier

FEW = {"n_bags": 3, "max_rounds": 40, "directions": [1, 1, 1]}
GRADES = ["poor", "fair", "good", "top"]


def graded(n=240, seed=0):
    """Three criteria from 0 to 4, and a grade that their sum decides, with noise."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 5, (n, 3))
    score = X.sum(axis=1) + rng.normal(scale=1.5, size=n)
    return X, np.array(GRADES)[np.digitize(score, [4, 6.5, 9])]


@pytest.fixture(scope="module")
def fitted():
    X, y = graded()
    return SugenoEnsembleClassifier(**FEW, order=GRADES).fit(X, y), X, y


def test_classes_and_probabilities_never_fall_on_any_row(fitted):
    clf, _, _ = fitted
    grid = np.array([*product(range(-1, 6), repeat=3)])
    places = clf.model_.places(clf.predict(grid)).reshape(7, 7, 7)
    passed = clf.predict_proba(grid)[:, np.argsort(np.argsort(GRADES))][:, ::-1].cumsum(axis=1)
    assert len(np.unique(places)) == 4
    for axis in range(3):
        assert (np.diff(places, axis=axis) >= 0).all()
        assert (np.diff(passed.reshape(7, 7, 7, 4), axis=axis) >= -1e-15).all()
    assert (np.diff(clf.model_.at_least(grid), axis=1) <= 0).all()
    assert clf.verify_monotone()
    assert "whoever passes a boundary passes those before it" in str(clf.verify_monotone())


def test_the_predicted_class_is_the_likeliest_one(fitted):
    clf, X, _ = fitted
    chances = clf.predict_proba(X)
    assert (clf.classes_[chances.argmax(axis=1)] == clf.predict(X)).all()
    assert (clf.classes_[clf.decision_function(X).argmax(axis=1)] == clf.predict(X)).all()
    np.testing.assert_allclose(chances.sum(axis=1), 1)
    alone = clf.predict_set(X)
    assert (alone.sum(axis=1) == 1).all()
    assert (clf.classes_[alone.argmax(axis=1)] == clf.predict(X)).all()


def test_rows_outside_the_bags_say_how_good_it_is(fitted):
    clf, X, y = fitted
    chances = clf.oob_decision_function_
    assert chances.shape == (len(X), 4)
    np.testing.assert_allclose(chances.sum(axis=1), 1)
    shares = np.array([np.mean(y == label) for label in clf.classes_])
    assert log_loss(y, chances) < 0.8 * log_loss(y, np.tile(shares, (len(y), 1)))
    assert clf.held_out_confusion_.sum() == len(y)
    assert np.trace(clf.held_out_confusion_) / len(y) == pytest.approx(clf.oob_score_)


def test_an_ordered_categorical_says_the_order_and_frames_learn_alike(fitted):
    clf, X, y = fitted
    declared = pd.Categorical(y, GRADES, ordered=True)
    again = SugenoEnsembleClassifier(**FEW).fit(X, pd.Series(declared))
    assert again.order_.tolist() == GRADES
    np.testing.assert_array_equal(again.predict_proba(X), clf.predict_proba(X))
    frame = pl.DataFrame(X, schema=["a", "b", "c"]).with_columns(
        pl.Series("grade", y.tolist(), pl.Enum(GRADES))
    )
    framed = SugenoEnsembleClassifier(**FEW).fit_frame(frame, target="grade")
    named = pd.DataFrame(X, columns=["a", "b", "c"])
    np.testing.assert_array_equal(framed.predict_proba(named), clf.predict_proba(X))


def test_rows_and_weights_are_the_same_thing(fitted):
    _, X, y = fitted
    rng = np.random.default_rng(1)
    times = rng.integers(0, 3, len(X))
    shuffled = rng.permutation(np.repeat(np.arange(len(X)), times))
    repeated = SugenoEnsembleClassifier(**FEW, order=GRADES).fit(X[shuffled], y[shuffled])
    weighed = SugenoEnsembleClassifier(**FEW, order=GRADES).fit(X, y, sample_weight=times)
    np.testing.assert_array_equal(repeated.predict_proba(X), weighed.predict_proba(X))


def test_two_classes_are_one_boundary():
    X, y = graded()
    y = np.where(np.isin(y, ["good", "top"]), "yes", "no")
    one = SugenoEnsembleClassifier(**FEW, order=["no", "yes"]).fit(X, y)
    other = SugenoEnsembleClassifier(**FEW).fit(X, y)
    assert sugeno.dumps(one) == sugeno.dumps(other)


def test_a_criterion_can_change_the_class_alone_if_its_ends_do(fitted):
    clf, X, _ = fitted
    found = clf.can_flip(X)
    for j in range(3):
        worst, best = X.copy(), X.copy()
        worst[:, j], best[:, j] = -99, 99
        now = clf.predict(X)
        expected = (clf.predict(worst) != now) | (clf.predict(best) != now)
        np.testing.assert_array_equal(found[:, j], expected)
    assert clf.pivotality_ == pytest.approx(found.mean(axis=0))


def test_what_is_for_two_classes_is_refused():
    X, y = graded()
    with pytest.raises(ValueError, match="'costs' parameter of an ensemble is for two classes"):
        SugenoEnsembleClassifier(**FEW, order=GRADES, costs=1 - np.eye(4)).fit(X, y)
    with pytest.raises(ValueError, match="'interval' of an ensemble is for two classes"):
        SugenoEnsembleClassifier(**FEW, order=GRADES, missing="interval").fit(X, y)


def test_what_only_rules_have_is_said_to_be_missing(fitted):
    clf, X, _ = fitted
    for ask in (
        lambda: clf.rules_,
        lambda: clf.capacity_,
        lambda: clf.edit(),
        lambda: clf.integral(X),
        lambda: clf.rules_table(),
        lambda: clf.reasons(X),
    ):
        with pytest.raises(AttributeError, match="a sum of steps, instead; distill it into rules"):
            ask()
    rules = sugeno.SugenoClassifier(levels=1).fit(X, X[:, 0] > 2)
    with pytest.raises(AttributeError, match=r"can_flip is for ensembles.*explain\(X\).margins"):
        rules.can_flip(X)


@pytest.mark.parametrize("missing", ["pessimistic", "optimistic"])
def test_missing_values_have_ends_that_hold_the_class(missing):
    X, y = graded()
    X = X.astype(float)
    X[np.random.default_rng(2).random(X.shape) < 0.1] = np.nan
    X[np.isnan(X).all(axis=1), 0] = 1
    clf = SugenoEnsembleClassifier(**FEW, order=GRADES, missing=missing).fit(X, y)
    low, high = map(clf.model_.places, clf.predict_interval(X).T)
    assert (low < high).any()
    full = np.where(np.isnan(X), -99 if missing == "pessimistic" else 99, X)
    np.testing.assert_array_equal(clf.predict(X), clf.predict(full))
    places = clf.model_.places(clf.predict(X))
    assert ((low <= places) & (places <= high)).all()
    again = sugeno.loads(sugeno.dumps(clf))
    np.testing.assert_array_equal(again.predict_interval(X), clf.predict_interval(X))
