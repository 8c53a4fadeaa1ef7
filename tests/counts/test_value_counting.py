"""The distinct values of a column with their weights, in all and by class."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from sugeno._counts.value_counting import (
    count_columns_by_class,
    count_values,
    count_values_by_class,
    known_values,
)
from sugeno._counts.weights import row_weights


def counted(column, weights=None):
    column = np.array(column, dtype=float)
    return count_values(column, row_weights(weights, column.size))


def test_values_are_counted_in_ascending_order():
    counts = counted([3.0, -1.0, 3.0, 2.0])
    assert counts.values.tolist() == [-1.0, 2.0, 3.0]
    assert counts.cumulative.tolist() == [1, 2, 4]


def test_weights_are_added_up_per_value():
    counts = counted([3.0, -1.0, 3.0], [5, 1, 2])
    assert counts.values.tolist() == [-1.0, 3.0]
    assert counts.cumulative.tolist() == [1, 8]


@pytest.mark.parametrize("weights", [None, np.array([1, 1])])
@pytest.mark.parametrize("column", [[0.0, -0.0], [-0.0, 0.0]])
def test_both_zeros_are_one_value_and_it_is_positive(column, weights):
    both = row_weights(weights, 2)
    by_class = count_values_by_class(np.array(column), np.array([0, 1]), both, 2)
    for counts in (counted(column, weights), by_class):
        assert counts.values.tolist() == [0.0]
        assert not np.signbit(counts.values[0])
        assert counts.cumulative.tolist() == [2]


def test_a_single_row_is_one_value():
    counts = counted([7.0])
    assert (counts.values.tolist(), counts.cumulative.tolist()) == ([7.0], [1])


@given(
    arrays(np.int64, st.integers(1, 20), elements=st.integers(-2, 2)),
    st.integers(2, 4),
    st.booleans(),
    st.integers(0, 2**32 - 1),
)
def test_counts_by_class_are_what_a_loop_counts(column, n_classes, weighted, seed):
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, n_classes, column.size)
    weight = rng.integers(1, 5, column.size) if weighted else np.ones(column.size, int)
    given_weights = row_weights(weight if weighted else None, column.size)
    found = count_values_by_class(column.astype(float), codes, given_weights, n_classes)
    assert found.values.tolist() == sorted(set(column.tolist()))
    for value, row in zip(found.values, found.weights, strict=True):
        for code in range(n_classes):
            assert row[code] == weight[(column == value) & (codes == code)].sum()
    np.testing.assert_array_equal(
        found.total, count_values(column.astype(float), given_weights).total
    )


@given(st.integers(1, 20), st.integers(1, 5), st.integers(2, 4), st.integers(0, 2**32 - 1))
def test_all_columns_in_one_go_are_counted_as_each_alone(n, m, n_classes, seed):
    random = np.random.default_rng(seed)
    X = random.integers(-2, 3, (n, m)) * random.choice([-1.0, 1.0], (n, m))  # both zeros
    codes = random.integers(0, n_classes, n)
    largest = random.choice([2, 2**58])  # the weights of all columns add up to more than 2**63
    given_weights = random.integers(1, largest, n) // n + 1 if random.random() < 0.7 else None
    weights = row_weights(given_weights, n)
    together, places = count_columns_by_class(X, codes, weights, n_classes)
    for j, counts in enumerate(together):
        np.testing.assert_array_equal(counts.values[places[j]], X[:, j])
        alone = count_values_by_class(X[:, j], codes, weights, n_classes)
        np.testing.assert_array_equal(counts.values, alone.values)
        np.testing.assert_array_equal(np.signbit(counts.values), np.signbit(alone.values))
        np.testing.assert_array_equal(counts.weights, alone.weights)


@pytest.mark.parametrize("shape", [(7, 4), (0, 2), (3, 0), (700_000, 2)], ids=str)
def test_known_values_are_the_distinct_finite_ones_of_each_column(shape):
    X = np.random.default_rng(0).integers(-3, 4, shape).astype(float)
    X[X == 3], X[X == -3] = np.inf, -np.inf
    found = known_values(X)
    assert [values.tolist() for values in found] == [
        np.unique(column[np.isfinite(column)]).tolist() for column in X.T
    ]
