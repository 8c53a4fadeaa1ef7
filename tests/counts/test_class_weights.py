"""Class weights as integers."""

import numpy as np
import pytest

from sugeno._counts.weights import RowWeights, class_factors, costs_of_rows, row_weights

LABELS = np.array(["bad", "good"])


@pytest.mark.parametrize(("negative", "positive"), [(3, 7), (10, 10), (1, 10**6), (2**59, 2**58)])
def test_balanced_classes_have_equal_totals_and_keep_the_sum(negative, positive):
    first, second, unit = class_factors("balanced", LABELS, negative, positive)
    assert first * negative == second * positive
    assert first * negative * unit == pytest.approx((negative + positive) / 2)


@pytest.mark.parametrize("weights", [(1, 5), (0.25, 3), (0.1, 0.7), (1000, 0.0001), (1e-9, 1e-9)])
def test_factors_are_in_proportion_to_the_weights(weights):
    first, second, unit = class_factors(dict(zip(LABELS.tolist(), weights)), LABELS, 50, 50)
    assert (first * unit, second * unit) == pytest.approx(weights, rel=1e-6)


def test_no_weights_change_nothing():
    assert class_factors(None, LABELS, 3, 4) == (1, 1, 1.0)
    weights = row_weights([1, 2], 2)
    assert costs_of_rows(weights, np.array([True, False]), (1, 1, 2.0)).unit == 2.0


def test_integer_weights_stay_exact_and_large_ones_nearly_so():
    positive = np.array([True, False, True])
    exact = costs_of_rows(RowWeights(np.array([1, 2, 3]), 3), positive, (2, 5, 0.5))
    assert exact.values.tolist() == [5, 4, 15]
    assert exact.unit == 0.5
    large = row_weights([0.1, 0.2, 0.3], 3)
    costs = costs_of_rows(large, positive, class_factors({"good": 2.5}, LABELS, 2**58, 2**59))
    assert costs.values * costs.unit == pytest.approx([0.25, 0.2, 0.75], rel=1e-9)
    assert costs.total < 2**60
