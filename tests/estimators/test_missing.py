"""Missing values: what they mean in training, what is certain whatever they are, refusals."""

from functools import partial
from itertools import product

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from costly import costly
from oracles import up_sets
from sugeno import (
    QuantileUtility,
    RuleClassifier,
    SugenoClassifier,
    SugenoOrdinalClassifier,
)
from tables import POLICIES, rows_with_holes

SEEDS = st.integers(0, 2**32 - 1)


table = partial(rows_with_holes, n=60, share=0.25, levels=5)


def classifiers(n_classes=2):
    if n_classes > 2:
        return [SugenoOrdinalClassifier(levels=levels) for levels in ("shared", 2, "all")]
    return [
        SugenoClassifier(),
        SugenoClassifier(k=2),
        SugenoClassifier(levels=2),
        SugenoClassifier(levels="single"),
        SugenoClassifier(solver="lp"),
        SugenoClassifier(margin=0.05),
        SugenoOrdinalClassifier(levels="all"),
    ]


@pytest.mark.no_cover
@costly
@given(SEEDS, st.sampled_from(POLICIES), st.sampled_from([2, 3]))
def test_no_completion_contradicts_a_certain_answer(seed, missing, n_classes):
    rng = np.random.default_rng(seed)
    X, y = table(seed, n_classes=n_classes)
    directions = rng.choice([-1, 1], 3)
    for clf in classifiers(n_classes):
        clf.set_params(missing=missing, directions=directions).fit(X * directions, y)
        low, high = clf.predict_interval(X * directions).T
        assert (low <= high).all()
        for _ in range(20):
            whole = np.where(np.isnan(X), rng.integers(-1, 7, X.shape), X) * directions
            answer = clf.predict(whole)
            np.testing.assert_array_equal(clf.predict_interval(whole), np.c_[answer, answer])
            assert (low <= answer).all()
            assert (answer <= high).all()
        for fill, end in ((-99.0, low), (99.0, high)):  # both ends are reached
            whole = np.where(np.isnan(X), fill, X) * directions
            np.testing.assert_array_equal(clf.predict(whole), end)
        decided = high if missing == "optimistic" else low
        np.testing.assert_array_equal(clf.predict(X * directions), decided)


@pytest.mark.no_cover
@costly
@given(SEEDS, st.sampled_from(POLICIES), st.sampled_from([2, 3]))
def test_improving_a_value_lowers_neither_end(seed, missing, n_classes):
    rng = np.random.default_rng(seed)
    X, y = table(seed, n_classes=n_classes)
    better = X + rng.integers(0, 3, X.shape)
    for clf in classifiers(n_classes):
        clf.set_params(missing=missing, directions=None).fit(X, y)
        before, after = clf.predict_interval(X), clf.predict_interval(better)
        assert (before <= after).all()
        shares = [np.cumsum(clf.predict_proba(rows)[:, ::-1], axis=1) for rows in (X, better)]
        assert (shares[0] <= shares[1] + 1e-12).all()


@pytest.mark.parametrize("seed", range(20))
def test_a_row_is_right_only_if_it_is_so_whatever_is_missing(seed):
    X, y = table(seed, n=25)
    clf = SugenoClassifier(missing="interval", directions=None, threshold=0.5).fit(X, y)
    least, most = (
        clf.model_.boundaries[0].literals.satisfied(np.nan_to_num(X, nan=fill))[:, 0].astype(int)
        for fill in (-99.0, 99.0)
    )
    families = [u for u in up_sets(3) if not u[0] and u[-1]]
    fewest = min(np.where(y == 1, ~u[least], u[most]).sum() for u in families)
    assert clf.objective_ == clf.bound_ == fewest
    low, high = clf.predict_interval(X).T
    assert np.where(y == 1, low != 1, high != 0).sum() == fewest


@pytest.mark.parametrize("missing", ["pessimistic", "optimistic"])
@pytest.mark.parametrize("levels", [2, "all"])
def test_a_reading_is_the_same_as_filling_in_before(missing, levels):
    X, y = table(3)
    fill = -1.0 if missing == "pessimistic" else 9.0
    whole = np.nan_to_num(X, nan=fill)
    clf = SugenoClassifier(missing=missing, levels=levels, directions=None).fit(X, y)
    np.testing.assert_array_equal(clf.predict(X), clf.predict(whole))
    np.testing.assert_array_equal(clf.predict_proba(X), clf.predict_proba(whole))
    assert clf.objective_ == (clf.predict(X) != y).sum()


@pytest.mark.parametrize("missing", ["error", *POLICIES])
@pytest.mark.parametrize("options", [{}, {"k": 2}, {"levels": 2}, {"margin": 0.05}])
def test_a_complete_table_is_learned_as_ever(missing, options):
    X, y = table(1, share=0)
    plain = SugenoClassifier(**options).fit(X, y)
    clf = SugenoClassifier(missing=missing, **options).fit(X, y)
    assert str(clf.rules_) == str(plain.rules_)
    assert clf.threshold_ == plain.threshold_
    np.testing.assert_array_equal(clf.predict_proba(X), plain.predict_proba(X))
    np.testing.assert_array_equal(clf.decision_function(X), plain.decision_function(X))
    np.testing.assert_array_equal(clf.integral(X), plain.integral(X))
    answers = clf.predict(X)
    np.testing.assert_array_equal(clf.predict_interval(X), np.c_[answers, answers])


@pytest.mark.parametrize("missing", POLICIES)
def test_the_integral_reaches_the_threshold_where_the_row_is_accepted(missing):
    X, y = table(5)
    clf = SugenoClassifier(missing=missing, directions=None).fit(X, y)
    np.testing.assert_array_equal(clf.integral(X) >= clf.threshold_, clf.predict(X) == 1)
    X, y = table(5, n_classes=3)
    clf = SugenoOrdinalClassifier(missing=missing, directions=None, levels="shared").fit(X, y)
    reached = (clf.integral(X)[:, None] >= clf.thresholds_).sum(axis=1)
    np.testing.assert_array_equal(reached, clf.predict(X))


@pytest.mark.parametrize("missing", POLICIES)
def test_utilities_are_those_among_the_known_values(missing):
    X = np.column_stack([np.r_[np.arange(10.0), np.full(5, np.nan)], np.arange(15.0)])
    y = np.r_[np.zeros(7, int), np.ones(8, int)]
    knots = SugenoClassifier(missing=missing, directions=[1, 1]).fit(X, y).model_.utility
    np.testing.assert_allclose(knots.knot_utilities(0), (np.arange(10) + 0.5) / 10, atol=0.02)
    assert (np.diff(knots.ranks[0]) > 0).all()
    turned = SugenoClassifier(missing=missing, directions=[-1, 1]).fit(X, y).model_.utility
    np.testing.assert_allclose(turned.knot_utilities(0), knots.knot_utilities(0), atol=0.02)


@pytest.mark.parametrize("threshold", ["median", "mean-median", "alternating", 0.4])
@pytest.mark.parametrize("missing", POLICIES)
def test_every_threshold_that_is_offered_works(threshold, missing):
    X, y = table(2)
    clf = SugenoClassifier(threshold=threshold, missing=missing).fit(X, y)
    assert 0 < clf.threshold_ < 1
    assert clf.objective_ >= (clf.predict(X) != y).sum() - 1e-9


def test_a_search_over_all_thresholds_needs_known_values():
    X, y = table(2)
    with pytest.raises(ValueError, match=r"threshold='joint'.*missing='interval'"):
        SugenoClassifier(threshold="joint", missing="interval").fit(X, y)
    clf = SugenoClassifier(threshold="joint", missing="pessimistic").fit(X, y)
    assert clf.objective_ == (clf.predict(X) != y).sum()


def frames():
    columns = {"age": [1, None, 3, 4, 5, 6], "size": [None, 2, 3, None, 5, 6]}
    labels = pd.Categorical(["S", None, "M", "L", "L", "L"], ["S", "M", "L"], ordered=True)
    numbers = pd.DataFrame(columns)
    return [
        numbers,
        numbers.convert_dtypes(),
        numbers.astype(object),
        pl.DataFrame(columns),
        pa.table(columns),
        numbers.to_numpy(),
        numbers.to_numpy(object),
        numbers.assign(shirt=labels),
    ]


@pytest.mark.parametrize("X", frames(), ids=lambda X: f"{type(X).__module__}")
def test_every_kind_of_missing_value_is_read(X):
    y = [0, 0, 0, 1, 1, 1]
    for missing in POLICIES:
        clf = SugenoClassifier(levels=2, missing=missing, directions=None).fit(X, y)
        assert clf.predict(X).shape == (6,)
        assert clf.predict_interval(X).shape == (6, 2)
    with pytest.raises(ValueError, match=r"missing values, in .* rows, in the columns") as error:
        SugenoClassifier(directions=None).fit(X, y)
    assert "missing='pessimistic'" in str(error.value)
    assert ("'age' (1), 'size' (2)" in str(error.value)) or "'x0' (1), 'x1' (2)" in str(error.value)


def test_rows_to_predict_are_refused_by_column_where_nobody_said_what_is_meant():
    X = pd.DataFrame({"age": [1.0, 2, 3, 4], "size": [1.0, 2, 2, 4]})
    clf = SugenoClassifier(directions=None).fit(X, [0, 0, 1, 1])
    for ask in (clf.predict, clf.predict_proba, clf.decision_function, clf.predict_interval):
        with pytest.raises(ValueError, match=r"Input X contains NaN.*'size' \(1\)"):
            ask(X.assign(size=[1, 2, np.nan, 4]))
    for ask in (clf.explain, clf.integral):
        with pytest.raises(ValueError, match=r"Input X contains NaN.*'size' \(1\)"):
            ask(X.assign(size=[1, 2, np.nan, 4]))
    with pytest.raises(ValueError, match="infinity"):
        clf.predict(X.assign(size=[1, 2, np.inf, 4]))
    read = SugenoClassifier(missing="interval").fit(X, [0, 0, 1, 1])
    with pytest.raises(ValueError, match="infinity"):
        read.predict(X.assign(size=[1, 2, np.inf, 4]))


@pytest.mark.parametrize("clf", [SugenoClassifier(), SugenoOrdinalClassifier(levels=1)])
def test_what_has_no_value_at_all_cannot_be_learned_from(clf):
    clf.set_params(missing="interval")
    with pytest.raises(ValueError, match="none in 'x1'"):
        clf.fit([[1, np.nan], [2, np.nan]], [0, 1])
    with pytest.raises(ValueError, match="none in row 1"):
        clf.fit([[1, 2], [np.nan, np.nan], [3, 3]], [0, 0, 1])
    fitted = clf.fit([[1, 2], [3, np.nan]], [0, 1])
    np.testing.assert_array_equal(fitted.predict_interval([[np.nan, np.nan]]), [[0, 1]])


def test_values_known_in_one_class_only_leave_the_direction_open():
    X, y = [[1, 1], [2, 2], [np.nan, 3], [np.nan, 4]], [0, 0, 1, 1]
    clf = SugenoClassifier(missing="pessimistic", levels=1).fit(X, y)
    assert clf.directions_.tolist() == [1, 1]


def test_who_does_not_read_missing_values_refuses_them():
    with pytest.raises(ValueError, match="Fill them in"):
        QuantileUtility().fit(table(0)[0])


def test_a_model_keeps_how_missing_values_are_read():
    X, y = table(0)
    clf = SugenoClassifier(missing="optimistic", directions=None).fit(X, y)
    again = RuleClassifier.of(clf.model_)
    np.testing.assert_array_equal(again.predict(X), clf.predict(X))
    np.testing.assert_array_equal(again.predict_interval(X), clf.predict_interval(X))


def test_the_loss_of_an_open_row_is_what_it_may_be_too_low_and_too_high():
    X, y = table(7, n=20, m=2, n_classes=3)
    clf = SugenoOrdinalClassifier(levels="shared", missing="interval", directions=None)
    clf.set_params(loss="absolute").fit(X, y)
    low, high = clf.predict_interval(X).T
    assert clf.objective_ == (np.maximum(y - low, 0) + np.maximum(high - y, 0)).sum()
    sets = [
        [
            model.literals.satisfied(np.nan_to_num(X, nan=fill))[:, 0].astype(int)
            for model in clf.model_.boundaries
        ]
        for fill in (-99.0, 99.0)
    ]
    families = [u for u in up_sets(2) if not u[0] and u[-1]]

    def cost(chosen):
        least, most = (sum(u[a].astype(int) for u, a in zip(chosen, end)) for end in sets)
        return (np.maximum(y - least, 0) + np.maximum(most - y, 0)).sum()

    nested = [c for c in product(families, repeat=2) if (c[1] <= c[0]).all()]
    assert clf.objective_ == min(map(cost, nested))


def test_what_may_be_too_low_and_too_high_adds_up_only_where_the_loss_grows():
    X, y = table(7, n_classes=3)
    clf = SugenoOrdinalClassifier(levels=2, loss=[[0, 5, 1], [1, 0, 1], [1, 1, 0]])
    with pytest.raises(ValueError, match=r"does not fall .* Got loss=\[\[0, 5, 1\]"):
        clf.set_params(missing="interval").fit(X, y)
    assert clf.set_params(missing="pessimistic").fit(X, y).gap_ == 0
