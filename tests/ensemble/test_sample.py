"""The canonical table, its levels and its bags."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sugeno._ensemble.sample import MAX_LEVELS, Merged, draw, encode, levels, merge


def one_column(values):
    X = np.asarray(values, dtype=float)[:, None]
    return merge(X, np.ones(len(X), dtype=bool))


def test_equal_rows_are_merged_and_sorted():
    X = np.array([[2.0, 1.0], [1.0, 5.0], [2.0, 1.0], [2.0, 1.0]])
    table = merge(X, np.array([True, False, False, True]))
    assert table.rows.tolist() == [[1.0, 5.0], [2.0, 1.0]]
    assert table.weight.tolist() == [[1.0, 1.0], [0.0, 2.0]]
    assert table.place.tolist() == [1, 0, 1, 1]


def test_both_zeros_are_one_value():
    assert len(one_column([0.0, -0.0]).rows) == 1


def test_rows_of_weight_zero_are_absent():
    table = merge(np.array([[1.0], [2.0]]), np.array([True, False]), np.array([0.0, 3.0]))
    assert table.rows.tolist() == [[2.0]]
    assert table.place.tolist() == [-1, 0]


def test_fractional_weights_add_alike_in_any_order():
    rng = np.random.default_rng(0)
    X, y, w = np.zeros((300, 1)), rng.random(300) < 0.5, rng.random(300)
    order = rng.permutation(300)
    assert (merge(X, y, w).weight == merge(X[order], y[order], w[order]).weight).all()


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=30))
def test_every_level_lies_between_two_neighbours(values):
    table = one_column(values)
    (cuts,) = levels(table)
    seen = table.rows[:, 0]
    assert len(cuts) == len(seen) - 1
    assert (seen[:-1] < cuts).all()
    assert (cuts <= seen[1:]).all()


def test_many_values_have_evenly_spread_levels():
    table = one_column(np.arange(10_000))
    (cuts,) = levels(table)
    assert len(cuts) == MAX_LEVELS
    sizes = np.bincount(encode(table.rows, [cuts])[0])
    assert sizes.max() <= 1.1 * sizes.min()


def test_a_frequent_value_does_not_hide_the_others():
    table = merge(np.arange(1000.0)[:, None], np.ones(1000, bool), np.r_[1e6, np.ones(999)])
    (cuts,) = levels(table)
    assert 0.0 < cuts[0] <= 1.0


def test_codes_count_the_levels_that_are_reached():
    X = np.array([[1.0], [2.0], [2.5], [9.0]])
    assert encode(X, [np.array([2.0, 3.0])]).tolist() == [[0, 1, 1, 2]]


@pytest.mark.parametrize("weight", [1.0, 5.0, 0.3, 2.5, 1e12])
def test_a_bag_divides_the_weight(weight):
    table = Merged(np.zeros((1, 1)), np.array([[0.0], [weight]]), np.zeros(1, dtype=int))
    bag = draw(table, 0.6, np.random.default_rng(0))
    assert bag.inside + bag.outside == pytest.approx(table.weight)
    assert (bag.inside >= 0).all()
    assert (bag.outside >= 0).all()


def test_the_mean_share_of_the_bags_is_kept():
    table = Merged(np.zeros((1, 1)), np.array([[7.0], [40.0]]), np.zeros(1, dtype=int))
    rng = np.random.default_rng(0)
    mean = np.mean([draw(table, 0.6, rng).inside for _ in range(3000)], axis=0)
    assert mean == pytest.approx(0.6 * table.weight, rel=0.02)
