"""Weights of rows and classes: exact where they fit, rounded to 60 bits of the total elsewhere."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone

from sugeno import SugenoClassifier, SugenoClassifierCV, dumps
from sugeno._counts.weights import class_factors, costs_of_rows, row_weights

LABELS = np.array([0, 1])


@pytest.mark.parametrize(
    ("given", "values", "unit"),
    [
        ([1.5, 0.25], [6, 1], 0.25),
        ([0.5, 0.0, 2.0], [1, 0, 4], 0.5),
        ([3.0, 1.0], [3, 1], 1.0),
        ([2.0**61, 2.0**61], [1, 1], 2.0**61),
    ],
)
def test_dyadic_fractions_become_small_exact_integers(given, values, unit):
    weights = row_weights(given, len(given))
    assert weights.values.tolist() == values
    assert weights.unit == unit


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1, 1], r"shape \(3,\). Got shape \(2,\)"),
        ([[1, 1, 1]], r"shape \(3,\). Got shape \(1, 3\)"),
        ([1, np.nan, 1], "must be finite"),
        ([1, np.inf, 1], "must be finite"),
        ([1, -2, 1], "must not be negative. Got -2"),
        ([0, 0, 0], "must not be zero everywhere"),
    ],
)
def test_bad_weights_give_one_clear_error(weights, message):
    with pytest.raises(ValueError, match=message):
        SugenoClassifier().fit([[1], [2], [3]], [0, 1, 1], weights)


def table(n=60):
    rng = np.random.default_rng(0)
    X = rng.integers(0, 5, (n, 2))
    return X, (X.sum(axis=1) + rng.integers(-1, 2, n) >= 4).astype(int), rng.integers(0, 4, n)


def test_a_row_counts_as_often_as_its_weight_says_and_one_of_weight_zero_not_at_all():
    X, y, weights = table()
    assert (weights == 0).any()
    clf = SugenoClassifier(levels=2, directions=[1, 1])
    weighed = dumps(clf.fit(X, y, weights))
    assert weighed == dumps(clf.fit(np.repeat(X, weights, axis=0), np.repeat(y, weights)))
    there = weights > 0
    assert weighed == dumps(clf.fit(X[there], y[there], weights[there]))


@pytest.mark.parametrize("scale", [1e-12, 0.25, 1e12])
def test_errors_are_counted_in_the_unit_of_the_weights(scale):
    X, y, weights = table()
    clf = SugenoClassifier(directions=[1, 1])
    expected = clone(clf).fit(X, y, weights)
    found = clf.fit(X, y, weights * scale)
    assert str(found.rules_) == str(expected.rules_)
    assert found.objective_ == pytest.approx(expected.objective_ * scale, rel=1e-14)


def test_fractions_become_integers_times_a_power_of_two():
    given = np.array([0.1, 0.25, 3.7, 0.0])
    weights = row_weights(given, 4)
    assert np.log2(weights.unit) == int(np.log2(weights.unit))
    np.testing.assert_array_equal(weights.values * weights.unit, given)
    assert weights.total <= 2**60
    assert weights.take(np.array([1])).unit == weights.unit
    many = np.random.default_rng(0).random(1000)
    weights = row_weights(many, 1000)
    assert weights.total * weights.unit == pytest.approx(many.sum(), rel=1e-15)


def test_no_weights_count_every_row_once():
    weights = row_weights(None, 4)
    assert (weights.values, weights.total, weights.present) == (None, 4, None)
    assert weights.take(np.array([True, False, True, True])).total == 3
    assert class_factors(None, LABELS, 3, 4) == (1, 1, 1.0)


@given(st.lists(st.floats(0, 1e6, width=32), min_size=1, max_size=30).filter(any))
def test_weights_are_exact_wherever_their_total_fits(given):
    weights = row_weights(given, len(given))
    exact = [Fraction(weight) for weight in given]
    if sum(exact) / min(Fraction(1, weight.denominator) for weight in exact) < 2**60:
        assert [Fraction(int(v)) * Fraction(weights.unit) for v in weights.values] == exact
    assert weights.total < 2**61
    assert ((weights.values > 0) == (np.array(given) > 0)).all()


@pytest.mark.parametrize("tiny", [1e-19, 1e-200, 5e-324])
def test_a_tiny_weight_is_a_row_that_is_there(tiny):
    weights = row_weights([tiny, 1.0], 2)
    assert weights.values[0] == 1
    assert weights.present is None
    clf = SugenoClassifier(directions=[1]).fit([[1], [2]], [0, 1], [tiny, 1.0])
    assert clf.predict([[1], [2]]).tolist() == [0, 1]


@pytest.mark.parametrize("weight", [1.5, 0.1, np.pi])
def test_class_weights_cost_what_they_say_with_fractional_sample_weights(weight):
    X, y = [[1], [1], [2], [2]], [0, 1, 0, 1]
    clf = SugenoClassifier(class_weight={1: 1e9}, directions=[1], normalized=False)
    clf.fit(X, y, np.full(4, weight))
    assert clf.objective_ == pytest.approx(2 * weight, rel=1e-8)  # 2**-60 of 2e9
    assert clf.bound_ <= clf.objective_


@given(
    st.lists(st.floats(1e-3, 1e3), min_size=2, max_size=20),
    st.tuples(st.floats(1e-6, 1e9), st.floats(1e-6, 1e9)),
)
def test_costs_are_within_60_bits_of_the_products(given, prices):
    positive = np.arange(len(given)) % 2 == 1
    weights = row_weights(given, len(given))
    won = weights.take(positive).total
    factors = class_factors(dict(enumerate(prices)), LABELS, weights.total - won, won)
    costs = costs_of_rows(weights, positive, factors)
    scale = [Fraction(prices[int(p)]) for p in positive]
    wanted = [Fraction(int(w)) * Fraction(weights.unit) * f for w, f in zip(weights.values, scale)]
    found = [Fraction(int(cost)) * Fraction(costs.unit) for cost in costs.values]
    error = max(abs(a - b) for a, b in zip(wanted, found))
    assert error <= sum(wanted) / 2**58
    assert costs.total < 2**61


@given(st.integers(1, 2**59), st.integers(1, 2**59))
def test_balanced_costs_are_equal_for_both_classes(negative, positive):
    weights = row_weights([float(negative), float(positive)], 2)
    totals = [int(weights.values[0]), int(weights.values[1])]
    factors = class_factors("balanced", LABELS, *totals)
    costs = costs_of_rows(weights, np.array([False, True]), factors)
    assert costs.values[0] == costs.values[1]


@pytest.mark.parametrize(("negative", "positive"), [(3, 7), (10, 10), (1, 10**6), (2**59, 2**58)])
def test_balanced_classes_have_equal_totals_and_keep_the_sum(negative, positive):
    first, second, unit = class_factors("balanced", LABELS, negative, positive)
    assert first * negative == second * positive
    assert first * negative * unit == pytest.approx((negative + positive) / 2)


@pytest.mark.parametrize("weights", [(1, 5), (0.25, 3), (0.1, 0.7), (1000, 0.0001), (1e-9, 1e-9)])
def test_factors_are_in_proportion_to_the_weights(weights):
    first, second, unit = class_factors(dict(enumerate(weights)), LABELS, 50, 50)
    assert (first * unit, second * unit) == pytest.approx(weights, rel=1e-6)


def test_class_factors_are_exact():
    first, second, unit = class_factors({0: 0.1, 1: 1e9}, LABELS, 2**59, 2**59)
    assert Fraction(first) / second == Fraction(0.1) / Fraction(1e9)
    assert second * Fraction(unit) == Fraction(1e9)


@pytest.mark.parametrize("scoring", [None, "accuracy"])
def test_a_scalar_weight_is_the_weight_of_every_row_in_cross_validation(scoring):
    rng = np.random.default_rng(0)
    X = rng.integers(0, 5, (60, 2))
    y = X.sum(axis=1) >= 4
    one = SugenoClassifierCV(levels="shared", cv=3, scoring=scoring, directions=[1, 1])
    scalar = clone(one).fit(X, y, 0.5)
    assert scalar.best_score_ == one.fit(X, y).best_score_
    assert scalar.objective_ == one.objective_ / 2
