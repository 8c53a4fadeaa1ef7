"""Program (10) in closed form, against a linear program and against the definition."""

import numpy as np
import pytest
from scipy.optimize import linprog

from sugeno._counts.weights import RowWeights, row_weights
from sugeno._learning import threshold as module
from sugeno._learning.threshold import (
    alternating_threshold,
    lower_median,
    median_threshold,
    median_threshold_of_rows,
    threshold_interval,
)
from sugeno._scales.knots import utilities
from tables import fit_knots


def program_ten(scores, y, weights):
    """Minimum of program (10) and the smallest and largest threshold that attain it."""
    n = scores.size
    sign = np.where(y, 1.0, -1.0)
    A = np.column_stack([sign, -np.eye(n)])
    limits = [(0, 1)] + [(0, None)] * n
    best = linprog(np.append(0, weights), A_ub=A, b_ub=sign * scores, bounds=limits)
    value = best.fun + 1e-9
    A_all, b_all = np.vstack([A, np.append(0, weights)]), np.append(sign * scores, value)
    ends = [linprog(np.eye(n + 1)[0] * e, A_ub=A_all, b_ub=b_all, bounds=limits) for e in (1, -1)]
    return best.fun, ends[0].fun, -ends[1].fun


def loss(beta, scores, y, weights):
    slack = np.where(y, np.maximum(beta - scores, 0), np.maximum(scores - beta, 0))
    return float(slack @ weights)


def both_classes(rng, n):
    y = rng.random(n) < rng.uniform(0.2, 0.8)
    y[:2] = [True, False]
    return y


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("levels", [4, 10**6])
def test_closed_form_is_the_solution_of_the_linear_program(weighted, levels):
    rng = np.random.default_rng(levels + weighted)
    for _ in range(25):
        n = int(rng.integers(2, 25))
        y = both_classes(rng, n)
        scores = rng.integers(1, levels, n) / levels
        weights = rng.integers(1, 5, n) if weighted else np.ones(n)
        value, low, high = program_ten(scores, y, weights)
        interval = threshold_interval(scores, y, weights if weighted else None)
        assert interval == pytest.approx((low, high), abs=1e-6)
        assert loss(interval[0], scores, y, weights) == pytest.approx(value, abs=1e-8)
        assert loss(interval[1], scores, y, weights) == pytest.approx(value, abs=1e-8)


def test_labels_enter_only_through_the_class_weights():
    rng = np.random.default_rng(0)
    scores, y = rng.random(30), both_classes(rng, 30)
    assert threshold_interval(scores, y) == threshold_interval(scores, rng.permutation(y))


def test_the_program_does_not_minimise_the_number_of_errors():
    scores, y = np.arange(1, 7) / 10, np.array([1, 1, 0, 0, 0, 1], bool)
    beta = alternating_threshold(scores, y)
    assert np.sum((scores >= beta) != y) == 4
    assert min(np.sum((scores >= b) != y) for b in [*scores, 1.0]) == 2


def test_middle_of_the_interval_when_there_are_no_ties():
    assert alternating_threshold([0.1, 0.3, 0.7, 0.9], [0, 1, 0, 1]) == 0.5


def test_tied_rows_go_to_the_class_that_has_more_weight_among_them():
    scores = np.array([0.2, 0.5, 0.5, 0.5, 0.8])
    mostly_positive = np.array([0, 0, 1, 1, 1], bool)
    mostly_negative = np.array([1, 0, 0, 1, 1], bool)
    assert threshold_interval(scores, mostly_positive) == (0.5, 0.5)
    assert alternating_threshold(scores, mostly_positive) == 0.5
    assert alternating_threshold(scores, mostly_negative) == pytest.approx(0.65)
    # Weights decide, not numbers of rows.
    assert alternating_threshold(scores, mostly_negative, [1, 1, 1, 3, 1]) == 0.5
    # Above the largest score there is 1.
    top = [0.2, 0.5, 0.5, 0.5]
    assert alternating_threshold(top, [1, 0, 0, 1]) == 0.75


def test_threshold_is_strictly_inside_the_unit_interval():
    assert 0 < alternating_threshold([0.0, 0.0], [True, False]) < 1e-300
    assert alternating_threshold([1.0, 1.0, 1.0], [True, True, False]) < 1


@pytest.mark.parametrize("m", [1, 2, 3, 4, 5, 8])
def test_lower_median_is_the_middle_of_the_sorted_row(m):
    U = np.random.default_rng(m).random((20, m))
    assert np.array_equal(lower_median(U), np.sort(U, axis=1)[:, (m - 1) // 2])


@pytest.mark.parametrize("kind", ["continuous", "ordinal", "binary", "sorted"])
@pytest.mark.parametrize("weighting", [None, "integer", "fractional"])
def test_long_tables_give_the_same_threshold_to_the_last_bit(kind, weighting, monkeypatch):
    monkeypatch.setattr(module, "_FEW_ROWS", 50)
    monkeypatch.setattr(module, "_SAMPLE_ROWS", 40)
    rng = np.random.default_rng(3)
    for m in (1, 4, 5) * 5:
        n = int(rng.integers(300, 700))
        X = rng.normal(size=(n, m))
        if kind == "sorted":
            X = np.sort(X, axis=0)
        elif kind != "continuous":
            X = rng.integers(0, 5 if kind == "ordinal" else 2, size=(n, m)).astype(float)
        y = both_classes(rng, n)
        given = {None: None, "integer": rng.integers(1, 5, n), "fractional": rng.random(n) + 0.01}
        weights = row_weights(given[weighting], n)
        knots = fit_knots(X, weights, rng.choice([-1, 1], m))
        expected = median_threshold(utilities(X, knots), y, given[weighting])
        assert median_threshold_of_rows(X, y, weights, knots) == expected


def test_a_sample_that_misleads_only_costs_time(monkeypatch):
    monkeypatch.setattr(module, "_FEW_ROWS", 50)
    monkeypatch.setattr(module, "_SAMPLE_ROWS", 40)
    rng = np.random.default_rng(4)
    n = 800
    X = rng.normal(size=(n, 3))
    X[:: n // 40] += 100  # exactly the rows that the sample takes
    y = both_classes(rng, n)
    for values in (None, np.where(np.arange(n) % 7 == 0, 1000, 1)):
        weights = RowWeights(values, n)
        knots = fit_knots(X, weights, np.ones(3, int))
        expected = median_threshold(utilities(X, knots), y, values)
        assert median_threshold_of_rows(X, y, weights, knots) == expected


def test_order_statistics_at_the_edges_of_a_bracket():
    X, weights = np.arange(1.0, 101.0)[:, None], row_weights(None, 100)
    knots = fit_knots(X, weights, np.array([1]))
    medians = lower_median(utilities(X, knots)).tolist()
    low, high = medians[9], medians[19]
    for ranks in ([10, 11], [9, 10], [19, 20], [20, 21], [14, 15]):
        found = module._select_between(X, None, knots, ranks, low, high)
        inside = ranks[0] >= 10 and ranks[1] <= 20
        assert found == ([medians[r - 1] for r in ranks] if inside else None)


def test_one_class_is_refused():
    with pytest.raises(ValueError, match=r"both classes\. Got only positive"):
        threshold_interval([0.1, 0.2], [True, True])
    with pytest.raises(ValueError, match=r"both classes\. Got only negative"):
        threshold_interval([0.1, 0.2], [True, False], [0, 1])
