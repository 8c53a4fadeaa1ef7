"""What every classifier here promises: better rows never fare worse, and rows are a measure."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression

from sugeno import (
    SugenoClassifier,
    SugenoClassifierCV,
    SugenoDistiller,
    SugenoEnsembleClassifier,
)

pytestmark = pytest.mark.usefixtures("brief")

SIGNS = np.array([1, -1, 1, -1])
MODELS = {
    "two levels": SugenoClassifier(levels=2),
    "two levels, two criteria": SugenoClassifier(levels=2, k=2, time_limit=0),
    "single level": SugenoClassifier(levels="single"),
    "all levels": SugenoClassifier(levels="all"),
    "three levels, upper": SugenoClassifier(levels=3, extension="upper"),
    "ensemble": SugenoEnsembleClassifier(n_bags=3, max_rounds=40),
    "distilled": SugenoDistiller(max_rules=6),
    "taught": SugenoDistiller(LogisticRegression(), max_rules=6),
    "choice": SugenoClassifierCV(cv=2, max_rules=6),
}
every = pytest.mark.parametrize("name", MODELS)


def table(kind, seed=0, n=80):
    """A noisy label that rises with two criteria and falls with the two others."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 5, (n, 4)).astype(float) if kind == "grades" else rng.normal(size=(n, 4))
    score = (X - X.mean(axis=0)) @ SIGNS
    y = score + rng.normal(0, score.std(), n) > 0
    return X, y.astype(int)


def assert_monotone(clf, X, signs, seed=0):
    """Compare random rows, on the values of the table and off them, with better ones."""
    rng = np.random.default_rng(seed)
    low = np.column_stack([rng.choice(column, 800) for column in X.T])
    low += rng.normal(size=low.shape) * (rng.random(low.shape) < 0.3)
    step = rng.choice([0.0, 1e-9, 0.5, 1.0, 3.0], low.shape)
    high = low + signs * step
    assert (clf.predict(high) >= clf.predict(low)).all()
    assert (clf.decision_function(high) >= clf.decision_function(low)).all()
    for column, sign in ((1, 1), (0, -1)):
        change = clf.predict_proba(high)[:, column] - clf.predict_proba(low)[:, column]
        assert (sign * change >= 0).all()
    # The test can fail: somewhere better rows do fare better.
    assert (clf.decision_function(high) > clf.decision_function(low)).any()


@every
@pytest.mark.parametrize("kind", ["grades", "measurements"])
def test_outputs_never_fall_when_criteria_get_better(name, kind):
    X, y = table(kind)
    clf = clone(MODELS[name]).set_params(directions=SIGNS).fit(X, y)
    assert_monotone(clf, X, SIGNS)


@every
def test_outputs_follow_directions_that_were_found(name):
    X, y = table("grades", seed=1, n=120)
    clf = clone(MODELS[name]).fit(X, y)
    assert_monotone(clf, X, clf.directions_)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("form", ["dnf", "cnf"])
def test_both_forms_of_distilled_rules_are_monotone(form, seed, spend):
    spend(forms=(form,))
    X, y = table("grades", seed)
    clf = SugenoDistiller(n_rules=3, max_rules=3, directions=SIGNS).fit(X, y)
    assert clf.rules_.form == form
    assert len(clf.rules_) >= 2
    assert_monotone(clf, X, SIGNS, seed)
    accepted = clf.predict(X) == 1
    assert (accepted == clf.rules_.predict(X)).all()
    assert (accepted == (clf.decision_function(X) > 0)).all()
    assert (accepted == (clf.predict_proba(X)[:, 1] > 0.5)).all()


def assert_same(one, other, rows):
    """Two classifiers are equal to the last bit."""
    for method in ("predict", "predict_proba", "decision_function"):
        np.testing.assert_array_equal(getattr(one, method)(rows), getattr(other, method)(rows))
    if hasattr(one, "rules_"):
        assert one.rules_ == other.rules_
        assert str(one.rules_) == str(other.rules_)
        assert (one.objective_, one.bound_) == (other.objective_, other.bound_)


MEASURES = {name: MODELS[name] for name in ("two levels", "all levels", "ensemble", "distilled")}
of_measures = pytest.mark.parametrize("name", MEASURES)


@of_measures
@pytest.mark.parametrize("kind", ["grades", "measurements"])
@pytest.mark.parametrize("weighted", [False, True])
def test_the_order_of_the_rows_does_not_matter(name, kind, weighted):
    X, y = table(kind)
    rng = np.random.default_rng(5)
    weights = rng.random(len(y)) * 3 if weighted else np.ones(len(y))
    order = rng.permutation(len(y))
    given = (weights,) if weighted else ()
    moved = (weights[order],) if weighted else ()
    one = clone(MODELS[name]).fit(X, y, *given)
    other = clone(MODELS[name]).fit(X[order], y[order], *moved)
    assert_same(one, other, np.vstack([X, X + 0.3]))


@of_measures
def test_a_row_of_weight_two_is_there_twice_and_one_of_weight_zero_is_absent(name):
    X, y = table("grades", seed=2)
    times = np.random.default_rng(0).integers(0, 3, len(y))
    weighted = clone(MODELS[name]).fit(X, y, sample_weight=times)
    repeated = clone(MODELS[name]).fit(np.repeat(X, times, axis=0), np.repeat(y, times))
    assert_same(weighted, repeated, X)
    present = times > 0
    rest = clone(MODELS[name]).fit(X[present], y[present], sample_weight=times[present])
    assert_same(weighted, rest, X)


def test_the_choice_does_not_depend_on_the_order_of_the_rows():
    X, y = table("grades", seed=3)
    order = np.random.default_rng(1).permutation(len(y))
    one = clone(MODELS["choice"]).fit(X, y)
    other = clone(MODELS["choice"]).fit(X[order], y[order])
    assert one.levels_ == other.levels_
    np.testing.assert_array_equal(
        one.cv_results_["mean_test_score"], other.cv_results_["mean_test_score"]
    )
    assert_same(one, other, X)
