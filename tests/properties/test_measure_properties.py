"""Weights are counts: order, repetition and absence of rows, to the last bit."""

import warnings
from fractions import Fraction
from unittest import mock

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.neural_network import MLPClassifier

from sugeno import QuantileUtility, WeakDirectionWarning, infer_directions
from sugeno._counts.value_counting import count_values
from sugeno._counts.weights import row_weights

FINITE = st.floats(allow_nan=False, allow_infinity=False)
FEW = st.sampled_from([-2.0, -0.0, 0.0, 0.1, 1.0, 1e308, -1e308])
MIXED = st.one_of(FINITE, FEW)


@st.composite
def weighted_tables(draw, entries=MIXED, min_rows=1):
    """Table, integer weights (one at least positive) and directions."""
    n, m = draw(st.integers(min_rows, 12)), draw(st.integers(1, 3))
    X = draw(arrays(np.float64, (n, m), elements=entries))
    weights = draw(arrays(np.int64, n, elements=st.integers(0, 3)))
    weights[draw(st.integers(0, n - 1))] = draw(st.integers(1, 3))
    directions = draw(arrays(np.int64, m, elements=st.sampled_from([-1, 1])))
    return X, weights, directions


def same_utility(one, other):
    """Whether two fitted transformers are the same function, bit by bit."""
    assert one.total_ == other.total_
    for a, b in zip(one.values_, other.values_, strict=True):
        np.testing.assert_array_equal(a, b)
        np.testing.assert_array_equal(np.signbit(a), np.signbit(b))
    for a, b in zip(one.ranks_, other.ranks_, strict=True):
        np.testing.assert_array_equal(a, b)


@given(weighted_tables())
def test_weights_are_repetitions_of_rows(case):
    X, weights, directions = case
    weighted = QuantileUtility(directions=directions).fit(X, sample_weight=weights)
    repeated = QuantileUtility(directions=directions).fit(np.repeat(X, weights, axis=0))
    same_utility(weighted, repeated)


@given(weighted_tables(), st.randoms(use_true_random=False))
def test_the_order_of_rows_does_not_matter(case, random):
    X, weights, directions = case
    order = random.sample(range(len(X)), len(X))
    utility = QuantileUtility(directions=directions)
    same_utility(
        utility.fit(X, sample_weight=weights),
        QuantileUtility(directions=directions).fit(X[order], sample_weight=weights[order]),
    )


@given(weighted_tables(), st.sampled_from([0.5, 0.75, 2.0**-30, 1024.0]))
def test_utilities_do_not_depend_on_the_unit_of_the_weights(case, unit):
    X, weights, directions = case
    utility = QuantileUtility(directions=directions)
    expected = utility.fit(X, sample_weight=weights).transform(X)
    found = utility.fit(X, sample_weight=weights * unit).transform(X)
    np.testing.assert_allclose(found, expected, rtol=4e-16)


@given(weighted_tables())
def test_counts_are_what_a_loop_counts(case):
    X, weights, _ = case
    column, weights = X[weights > 0, 0], weights[weights > 0]
    counts = count_values(column, row_weights(weights, column.size))
    assert counts.values.tolist() == sorted(set(column.tolist()))
    for value, count in zip(counts.values, counts.cumulative, strict=True):
        assert count == weights[column <= value].sum()


@given(
    arrays(
        np.float64,
        st.integers(1, 20),
        elements=st.one_of(st.just(0.0), st.floats(1e-100, 1e100)),
    ).filter(lambda w: w.max() > 0)
)
def test_integer_weights_are_within_one_unit_of_the_given_ones(given_weights):
    weights = row_weights(given_weights, given_weights.size)
    for units, weight in zip(weights.values.tolist(), given_weights.tolist(), strict=True):
        error = abs(units - Fraction(weight) / Fraction(weights.unit))
        assert error < 1
        assert error <= Fraction(1, 2) or units == 1  # what is there stays there
    assert ((weights.values > 0) == (given_weights > 0)).all()
    assert weights.total <= 2**60 + given_weights.size


def fit_briefly(network, *arguments, fit=MLPClassifier.fit, **options):
    """Five iterations: whether two networks learn the same shows long before they have learned."""
    return fit(network.set_params(max_iter=5), *arguments, **options)


@mock.patch.object(MLPClassifier, "fit", fit_briefly)
@pytest.mark.parametrize("method", ["rank", "model"])
@given(weighted_tables(entries=FEW, min_rows=2), st.randoms(use_true_random=False))
def test_directions_depend_on_the_measure_only(method, case, random):
    X, weights, _ = case
    weights[:2] = np.maximum(weights[:2], 1)
    y = np.arange(len(X)) % 2 == 1
    order = random.sample(range(len(X)), len(X))
    repeated = np.repeat(np.arange(len(X)), weights)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", WeakDirectionWarning)
        results = [
            infer_directions(X, y, method=method, sample_weight=weights, random_state=0),
            infer_directions(
                X[order],
                y[order],
                method=method,
                sample_weight=weights[order],
                random_state=0,
            ),
            infer_directions(X[repeated], y[repeated], method=method, random_state=0),
        ]
    for other in results[1:]:
        np.testing.assert_array_equal(results[0].directions, other.directions)
        np.testing.assert_array_equal(results[0].statistic, other.statistic)
        np.testing.assert_array_equal(results[0].weak, other.weak)
