"""Missing values where ensembles of ordered classes are distilled into rules."""

from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from costly import costly
from sugeno import SugenoOrdinalClassifier, SugenoOrdinalClassifierCV, dumps, loads
from tables import POLICIES, rows_with_holes

pytestmark = pytest.mark.usefixtures("brief")


table = partial(rows_with_holes, n=50, n_classes=3)


def at_least(clf, X):
    return np.cumsum(clf.predict_proba(X)[:, ::-1], axis=1)


@pytest.mark.no_cover
@costly
@given(st.integers(0, 2**32 - 1), st.sampled_from(POLICIES))
def test_filling_in_and_improving_move_the_answer_one_way(seed, missing):
    rng = np.random.default_rng(seed)
    X, y = table(seed)
    turned = rng.choice([-1, 1], 3)
    clf = SugenoOrdinalClassifier(missing=missing, directions=turned).fit(X * turned, y)
    assert clf.verify_monotone()
    low, high = clf.predict_interval(X * turned).T
    chance = at_least(clf, X * turned)
    np.testing.assert_array_equal(clf.predict(X * turned), high if missing == "optimistic" else low)
    better = (X + rng.integers(0, 3, X.shape)) * turned
    assert (clf.predict_interval(X * turned) <= clf.predict_interval(better)).all()
    assert (chance <= at_least(clf, better) + 1e-12).all()
    for _ in range(5):
        whole = np.where(np.isnan(X), rng.integers(-1, 8, X.shape), X) * turned
        answer, filled = clf.predict(whole), at_least(clf, whole)
        assert ((low <= answer) & (answer <= high)).all()
        worse, more = (filled, chance) if missing == "optimistic" else (chance, filled)
        assert (worse <= more + 1e-12).all()
    for fill, end in ((-99.0, low), (99.0, high)):  # both ends are reached
        whole = np.where(np.isnan(X), fill, X) * turned
        np.testing.assert_array_equal(clf.predict(whole), end)


@pytest.mark.parametrize("missing", POLICIES)
def test_a_complete_table_is_learned_as_ever(missing):
    X, y = table(1, share=0, n_classes=4)
    plain, other = (SugenoOrdinalClassifier(missing=m).fit(X, y) for m in ("error", missing))
    assert str(plain.rules_) == str(other.rules_)
    np.testing.assert_array_equal(plain.predict_proba(X), other.predict_proba(X))


@pytest.mark.parametrize("loss", ["zero_one", "absolute", "mixed"])
def test_the_loss_of_an_open_row_is_what_it_may_be_too_low_and_too_high(loss):
    X, y = table(7, n_classes=4)
    clf = SugenoOrdinalClassifier(missing="interval", loss=loss, directions=None).fit(X, y)
    low, high = clf.predict_interval(X).T
    short, beyond = np.maximum(y - low, 0), np.maximum(high - y, 0)
    costs = {"absolute": short + beyond, "zero_one": (short > 0).astype(int) + (beyond > 0)}
    costs["mixed"] = costs["absolute"] + costs["zero_one"]
    assert clf.objective_ == pytest.approx(costs[loss].sum())
    assert clf.bound_ <= clf.objective_


def test_rows_whose_values_are_missing_because_they_are_bad_are_told_apart():
    rng = np.random.default_rng(0)
    X = rng.uniform(size=(300, 2))
    y = np.searchsorted([0.4, 0.7], X[:, 0])
    holes = X.copy()
    holes[X[:, 0] < 0.4, 0] = np.nan
    clf = SugenoOrdinalClassifier(missing="pessimistic", directions=None).fit(holes, y)
    assert clf.score(holes, y) > 0.9


def test_the_choice_of_a_kind_and_the_model_file_read_them_too():
    X, y = table(5, n=80)
    clf = SugenoOrdinalClassifierCV(missing="interval", cv=2, max_rules=2).fit(X, y)
    assert set(clf.cv_results_["param_levels"]) == {"distilled", "shared", 8}
    clf = SugenoOrdinalClassifier(missing="interval").fit(X, y)
    again = loads(dumps(clf))
    np.testing.assert_array_equal(again.predict_interval(X), clf.predict_interval(X))
    np.testing.assert_array_equal(again.predict_proba(X), clf.predict_proba(X))
