"""Columns that turn: U-shapes and turning points, compared with brute force."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.isotonic import isotonic_regression

from costly import costly
from sugeno._counts.value_counting import count_values_by_class
from sugeno._counts.weights import row_weights
from sugeno._scales.shape import is_u_shaped, turning_point
from sugeno._scales.value_counts import ValueCounts


def counted(x, y):
    return count_values_by_class(x, y.astype(np.intp), row_weights(None, len(x)), 2)


def drawn(log_odds, n=400, seed=0):
    """Values from 0 to 1, and classes with the given log odds."""
    rng = np.random.default_rng(seed)
    x = np.round(rng.random(n), 2)
    return counted(x, rng.random(n) < 1 / (1 + np.exp(-log_odds(x))))


@pytest.mark.parametrize("sign", [1, -1])
def test_a_u_and_its_reverse_are_found(sign):
    assert is_u_shaped(drawn(lambda x: sign * (12 * (x - 0.5) ** 2 - 1)))


@pytest.mark.parametrize(
    "log_odds",
    [
        lambda x: 4 * x - 2,
        lambda x: 0 * x,
        lambda x: np.where(x > 0.8, 3, -1),  # a step is bent, but does not turn in the middle
        lambda x: 6 * (x - 0.95) ** 2 - 2,
    ],
)
def test_what_rises_or_says_nothing_is_no_u(log_odds):
    found = [is_u_shaped(drawn(log_odds, seed=seed)) for seed in range(10)]
    assert sum(found) <= 1


def test_two_values_cannot_turn_and_weights_count():
    assert not is_u_shaped(ValueCounts(np.array([0.0, 1.0]), np.array([[9, 1], [1, 9]])))
    weak = ValueCounts(np.arange(3.0), np.array([[3, 6], [6, 3], [3, 6]]))
    assert not is_u_shaped(weak)
    assert is_u_shaped(weak, unit=20.0)


def error_with_turn(rates, weights, place):
    """Least squared error of a curve that rises up to a place and falls from there on."""
    best = np.inf
    for height in np.unique(np.concatenate([rates, np.linspace(0, 1, 51)])):
        left = np.minimum(
            isotonic_regression(rates[: place + 1], sample_weight=weights[: place + 1]), height
        )
        right = np.minimum(
            isotonic_regression(rates[place:], sample_weight=weights[place:], increasing=False),
            height,
        )
        left[-1] = right[0] = height
        curve = np.concatenate([left, right[1:]])
        best = min(best, float(weights @ (curve - rates) ** 2))
    return best


@costly
@given(
    st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=1, max_size=6), st.booleans()
)
def test_no_other_turning_point_is_nearer_to_the_rates(rows, peak):
    weights = np.array(rows)
    weights[:, 0] += 1
    weights[0, 1] += 1
    counts = ValueCounts(np.arange(len(rows)) * 10.0, weights)
    total = weights.sum(axis=1).astype(float)
    rates = weights[:, 1] / total
    rates = rates if peak else 1 - rates
    errors = [error_with_turn(rates, total, place) for place in range(len(rows))]
    found = int(turning_point(counts, peak=peak)) // 10
    assert errors[found] <= min(errors) + 0.02  # heights are tried in steps of .02


def test_a_known_turn():
    x = np.arange(11.0)
    shape = np.column_stack([10 * np.abs(x - 3) + 5, 100 - 10 * np.abs(x - 3)]).astype(np.int64)
    assert turning_point(ValueCounts(x, shape), peak=True) == 3
    assert turning_point(ValueCounts(x, shape[:, ::-1]), peak=False) == 3
