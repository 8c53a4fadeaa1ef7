"""Targets and levels do not depend on the order of rows, and mean what they say."""

from __future__ import annotations

import numpy as np
import pytest

from sugeno._distil.levels import (
    choose_levels,
    cut_points,
    weights_of_teacher,
    weights_of_thresholds,
)
from sugeno._distil.targets import (
    joined_rows,
    recombined_rows,
    signed_gains,
    soft_targets,
    thinned_rows,
    varied_rows,
)
from sugeno._scales.number import separating_number

both_kinds = pytest.mark.parametrize("draw", [recombined_rows, varied_rows])


@pytest.fixture
def X():
    return np.random.default_rng(0).normal(size=(60, 3)).round(1)


def teacher(X):
    return 1 / (1 + np.exp(-4 * X[:, 0] - X[:, 1]))


def test_gain_and_expected_error_add_up():
    rng = np.random.default_rng(1)
    target, weight, accepted = rng.random(50), rng.random(50), rng.random(50) < 0.5
    share = weight / weight.sum()
    error = share @ np.where(accepted, 1 - target, target)
    gain = signed_gains(target, share)[accepted].sum()
    assert error == pytest.approx(share @ target - gain)


@both_kinds
def test_drawn_rows_do_not_depend_on_the_order_of_rows(X, draw):
    shuffled = X[np.random.default_rng(2).permutation(len(X))]
    np.testing.assert_array_equal(draw(X, 200), draw(shuffled, 200))


@both_kinds
def test_a_row_of_weight_two_is_drawn_like_two_rows(X, draw):
    weight = np.where(np.arange(60) % 3 == 0, 2.0, 1.0)
    repeated = np.repeat(X, weight.astype(int), axis=0)
    np.testing.assert_array_equal(draw(X, 200, weight=weight), draw(repeated, 200))


def test_a_recombined_row_has_at_most_two_parents(X):
    for row in recombined_rows(X, 30):
        agrees = row == X
        assert (agrees[:, None] | agrees[None]).all(axis=2).any()


@pytest.mark.parametrize(("n_criteria", "exchanged"), [(1, 1), (3, 1), (8, 1), (9, 2), (17, 3)])
def test_a_varied_row_has_one_criterion_in_eight_of_another_row(n_criteria, exchanged):
    X = np.arange(20.0)[:, None] + 100 * np.arange(n_criteria)  # a value tells row and criterion
    origins = varied_rows(X, 400) - 100 * np.arange(n_criteria)
    rare = [min(np.unique(row, return_counts=True)[1]) for row in origins if len(set(row)) > 1]
    assert all(len(set(row)) <= 2 for row in origins.tolist())
    assert n_criteria == 1 or set(rare) == {min(exchanged, n_criteria - exchanged)}


def test_each_criterion_is_varied_about_as_often():
    X = np.arange(200.0)[:, None] + 1000 * np.arange(4)
    origins = varied_rows(X, 4000) - 1000 * np.arange(4)
    usual = np.median(origins, axis=1, keepdims=True)
    assert np.abs((origins != usual).mean(axis=0) - 1 / 4).max() < 0.05


@both_kinds
def test_criteria_that_read_the_same_column_come_from_the_same_row(draw):
    """Else a rule could be learned for an age that is at least 52 and at most 48."""
    age, income = np.arange(50.0), np.arange(50.0) ** 2
    X = np.column_stack([age, income, -age])
    drawn = draw(X, 500, together=np.array([0, 1, 0]))
    assert (drawn[:, 2] == -drawn[:, 0]).all()
    assert (drawn[:, 1] != drawn[:, 0] ** 2).any()
    assert (draw(X, 500)[:, 2] != -draw(X, 500)[:, 0]).any()


def test_hard_labels_without_varied_rows_are_the_labels(X):
    y = (X[:, 0] > 0).astype(float)
    rows, *soft, said = soft_targets(X, y, np.full(60, 0.5), teacher, mix=1.0, n_varied=0)
    assert (said == 0.5).all()
    np.testing.assert_array_equal(rows, X)
    np.testing.assert_allclose(signed_gains(*soft), (2 * y - 1) / 60)


def test_joined_rows_are_the_same_for_weights_and_for_repeated_rows(X):
    rng = np.random.default_rng(4)
    X = X.round()
    y, p = rng.integers(0, 2, 60).astype(float), rng.integers(0, 3, 60) / 4
    times, order = rng.integers(0, 4, 60), rng.permutation(60)
    joined = joined_rows(X, y, p, weight=times.astype(float))
    repeated = joined_rows(*(np.repeat(a[order], times[order], axis=0) for a in (X, y, p)))
    for one, other in zip(joined, repeated, strict=True):
        np.testing.assert_array_equal(one, other)
    rows, classes, says, weight = joined
    seen = {}
    for *row, c, q, w in np.column_stack([X, y, p, times]).tolist():
        seen[(*row, c, q)] = seen.get((*row, c, q), 0) + w
    found = zip(np.column_stack([rows, classes, says]).tolist(), weight.tolist(), strict=True)
    assert {tuple(row): w for row, w in found} == {row: w for row, w in seen.items() if w}


def test_half_of_the_weight_is_on_varied_rows(X):
    y = np.ones(60)
    weight = soft_targets(X, y, y, lambda rows: np.ones(len(rows)), n_varied=90)[2]
    assert weight[:60].sum() == pytest.approx(0.5)
    assert weight[60:].sum() == pytest.approx(0.5)


def test_a_cut_lies_strictly_above_the_value_below():
    tight = np.array([1.0, np.nextafter(1.0, 2), 3, 3])
    cuts = cut_points(tight)
    assert np.all(np.unique(tight)[:-1] < cuts)
    assert np.all(cuts <= np.unique(tight)[1:])
    assert len(cut_points(np.ones(5))) == 0


def test_thresholds_fall_on_the_cut_that_asks_the_same(X):
    weights = weights_of_thresholds(X, np.zeros(60, dtype=np.intp), X[:, 0], np.ones(60))
    counts = np.unique(X[:, 0], return_counts=True)[1]
    # Reaching the lowest value asks nothing, so its threshold has no cut.
    np.testing.assert_array_equal(weights[0], counts[1:])
    assert weights[1].sum() == 0


def test_levels_go_where_the_teacher_changes_its_mind(X):
    def step(rows):
        return (rows[:, 1] >= 0.35).astype(float)

    criteria, levels = choose_levels(X, weights_of_teacher(X, step), 5)
    assert set(criteria) == {1}
    cuts = cut_points(X[:, 1])
    assert (
        cuts[np.searchsorted(cuts, 0.35)] in levels
        or cuts[np.searchsorted(cuts, 0.35) - 1] in levels
    )


def test_levels_do_not_depend_on_the_order_of_rows(X):
    shuffled = X[np.random.default_rng(3).permutation(len(X))]
    first = choose_levels(X, weights_of_teacher(X, teacher), 20)
    second = choose_levels(shuffled, weights_of_teacher(shuffled, teacher), 20)
    np.testing.assert_array_equal(first[0], second[0])
    np.testing.assert_array_equal(first[1], second[1])


def test_few_values_give_all_cuts_and_a_constant_column_none():
    X = np.array([[0.0, 1, 5], [1, 1, 6], [2, 1, 7], [1, 1, 8]])
    criteria, levels = choose_levels(X, [np.ones(2), np.ones(0), np.ones(3)], 100)
    np.testing.assert_array_equal(criteria, [0, 0, 2, 2, 2])
    np.testing.assert_array_equal(levels, [0.5, 1.5, 5.5, 6.5, 7.5])


def test_a_teacher_without_opinion_needs_no_level(X):
    weights = weights_of_teacher(X, lambda rows: np.full(len(rows), 0.3))
    assert len(choose_levels(X, weights)[0]) == 0


def test_thinning_keeps_shares_and_ignores_the_order_of_rows(X):
    y, p = (X[:, 0] > 0).astype(float), teacher(X)
    chosen = thinned_rows(X, y, p, 30)
    assert abs(y[chosen].mean() - y.mean()) < 1 / 30
    shuffled = np.random.default_rng(4).permutation(60)
    again = shuffled[thinned_rows(X[shuffled], y[shuffled], p[shuffled], 30)]
    np.testing.assert_array_equal(X[chosen], X[again])
    np.testing.assert_array_equal(thinned_rows(X, y, p, 60), np.arange(60))


@pytest.mark.parametrize("sign", [1, -1])
def test_levels_are_round_numbers_where_the_weights_leave_a_choice(sign):
    rng = np.random.default_rng(1)
    X = sign * rng.lognormal(6, 1, (500, 1))
    _, levels = choose_levels(X, [np.ones(499)], 12)
    above = np.sort(X[:, 0])[np.searchsorted(np.sort(X[:, 0]), levels)]
    below = np.sort(X[:, 0])[np.searchsorted(np.sort(X[:, 0]), levels) - 1]
    # A number of one or two digits lies between the neighbours of most cuts.
    written = [separating_number(a, b, a / 2 + b / 2) for a, b in zip(below, above)]
    digits = [len(text.strip("-").rstrip("0").replace(".", "")) for text in written]
    assert len(levels) == 12
    assert np.mean(np.array(digits) <= 2) > 0.8
