"""Row weights as integers."""

import numpy as np
import pytest

from sugeno._counts.weights import RowWeights, row_weights


def test_no_weights_count_every_row_once():
    weights = row_weights(None, 4)
    assert weights.values is None
    assert weights.total == 4
    assert weights.present is None
    assert weights.take(np.array([True, False, True, True])).total == 3
    assert weights.take(np.array([0, 2])).total == 2


def test_integer_weights_stay_what_they_are():
    weights = row_weights([3.0, 0.0, 2.0], 3)
    assert weights.values.tolist() == [3, 0, 2]
    assert weights.unit == 1.0
    assert weights.total == 5


def test_rows_of_weight_zero_are_not_present():
    weights = row_weights([3, 0, 2], 3)
    assert weights.present.tolist() == [True, False, True]
    kept = weights.take(weights.present)
    assert kept.values.tolist() == [3, 2]
    assert kept.present is None
    assert kept.n == 2


def test_a_scalar_weight_is_the_weight_of_every_row():
    assert row_weights(2, 3).values.tolist() == [2, 2, 2]


def test_fractions_become_integers_times_a_power_of_two():
    given = np.array([0.1, 0.25, 3.7, 0.0])
    weights = row_weights(given, 4)
    assert np.log2(weights.unit) == int(np.log2(weights.unit))
    np.testing.assert_array_equal(weights.values * weights.unit, given)
    assert weights.total <= 2**60


def test_the_unit_is_kept_when_rows_are_taken():
    weights = row_weights([0.5, 0.25], 2)
    assert weights.take(np.array([1])).unit == weights.unit


@pytest.mark.parametrize("scale", [1e-12, 1.0, 1e12])
def test_sums_of_fractional_weights_are_right_to_floating_point_precision(scale):
    given = np.random.default_rng(0).random(1000) * scale
    weights = row_weights(given, 1000)
    assert weights.total * weights.unit == pytest.approx(given.sum(), rel=1e-15)


def test_large_integer_weights_are_scaled_so_that_sums_fit():
    weights = row_weights([2.0**61, 2.0**61], 2)
    assert weights.total <= 2**60
    assert weights.total * weights.unit == 2.0**62


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
        row_weights(weights, 3)


def test_weights_cannot_be_changed_by_assignment():
    weights = RowWeights(None, 3)
    with pytest.raises(AttributeError):
        weights.n = 4
