"""Facts about cards of points: what they minimise, what they do not depend on, and brute force."""

from __future__ import annotations

from itertools import combinations_with_replacement, product

import numpy as np
import pytest
from scipy.optimize import minimize

from distil.cuts import all_cuts
from sugeno._distil.curves import Counts, Curves, saved_at
from sugeno._distil.points import MOST_POINTS, POINT_PRICE, PointEffort, point_path
from sugeno._distil.taught import merge_targets


def case(seed, n=40, m=3, values=3, boundaries=1):
    """Rows, weights and targets that fall from boundary to boundary."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, values, (n, m)).astype(float)
    worth = X @ rng.integers(1, 4, m) + rng.normal(0, 1, n)
    ends = np.quantile(worth, np.linspace(0, 1, boundaries + 2)[1:-1])
    target = 1 / (1 + np.exp(ends[:, None] - worth))
    return X, rng.integers(1, 4, n) / (2.0 * n), target


def disagreement(scores, weight, target):
    """Of the best cut, trying them all: expected share of rows on which it is wrong."""
    wrong = [
        np.where(scores >= cut, weight * (1 - target), weight * target).sum()
        for cut in range(scores.max() + 2)
    ]
    return min(wrong) / weight.sum()


def objective(X, weight, target, literals, card):
    """By its definition, with the curve of a general optimiser."""
    criteria, levels = literals
    scores = np.zeros(len(X), dtype=int)
    for j, points in card:
        scores += points * (X[:, criteria[j]] >= levels[j])
    share = weight / weight.sum()
    spread = share @ scores**2 - (share @ scores) ** 2

    def loss(x):
        odds = x[0] * scores + x[1:, None]
        each = np.logaddexp(0, odds) - target * odds
        return (share * each).sum() + 1e-4 * spread * x[0] ** 2

    start = np.append(0.0, np.linspace(1, -1, len(target)))
    curve = minimize(loss, start, bounds=[(0, None), *[(None, None)] * len(target)], tol=1e-14)
    lost = curve.fun + sum(disagreement(scores, weight, t) for t in target)
    if not card:
        return lost
    each = POINT_PRICE * objective(X, weight, target, literals, [])
    return lost + each * sum(points for _, points in card)


@pytest.mark.parametrize("boundaries", [1, 3])
def test_the_objective_is_log_loss_and_disagreement_at_the_best_cut(boundaries):
    for seed in range(4):
        X, weight, target = case(seed, boundaries=boundaries)
        literals = all_cuts(X)
        for card in point_path(merge_targets(X, weight, target, *literals), n_literals=4):
            pairs = [*zip(card.literals, card.points, strict=True)]
            expected = objective(X, weight, target, literals, pairs)
            assert card.objective == pytest.approx(expected, abs=2e-6)


@pytest.mark.parametrize("boundaries", [1, 2, 4])
def test_thresholds_are_the_best_cuts_and_nested(boundaries):
    X, weight, target = case(7, n=80, m=4, boundaries=boundaries)
    criteria, levels = all_cuts(X)
    for card in point_path(merge_targets(X, weight, target, criteria, levels), n_literals=5)[1:]:
        scores = np.zeros(len(X), dtype=int)
        for j, points in zip(card.literals, card.points, strict=True):
            scores += points * (X[:, criteria[j]] >= levels[j])
        assert list(card.thresholds) == sorted(card.thresholds)
        for cut, wrong, t in zip(card.thresholds, card.disagreement, target, strict=True):
            there = np.where(scores >= cut, weight * (1 - t), weight * t).sum() / weight.sum()
            assert wrong == pytest.approx(there) == pytest.approx(disagreement(scores, weight, t))


@pytest.mark.parametrize("kind", ["zero_one", "absolute", "random"])
def test_thresholds_of_any_loss_are_the_best_nested_ones(kind):
    rng = np.random.default_rng(0)
    for seed in range(20):
        n_classes = 3 + seed % 2
        gap = np.abs(np.subtract.outer(np.arange(n_classes), np.arange(n_classes)))
        prices = {"zero_one": np.sign(gap), "absolute": gap}.get(kind)
        if prices is None:
            prices = gap * rng.integers(1, 9, gap.shape)
        X, weight, target = case(seed, n=30, m=2, boundaries=n_classes - 1)
        saved = (prices[:, :-1] - prices[:, 1:]).astype(float)
        patterns = merge_targets(X, weight, target, *all_cuts(X), saved)
        share = -np.diff(np.vstack([np.ones(len(X)), target, np.zeros(len(X))]), axis=0)
        for card in point_path(patterns, n_literals=2):
            scores = np.zeros(len(X), dtype=int)
            for j, points in zip(card.literals, card.points, strict=True):
                scores += points * (X[:, all_cuts(X)[0][j]] >= all_cuts(X)[1][j])

            def lost(cuts, scores=scores, prices=prices, share=share, weight=weight):
                place = (scores[:, None] >= np.array(cuts)).sum(axis=1)
                each = (share.T * prices[:, place].T).sum(axis=1)
                return weight @ each / weight.sum()

            nested = combinations_with_replacement(range(scores.max() + 2), n_classes - 1)
            assert sum(card.disagreement) == pytest.approx(min(map(lost, nested)))
            assert sum(card.disagreement) == pytest.approx(lost(card.thresholds))


def objectives(patterns, cards):
    """Objective of many cards at once."""
    width = 1 + 3 * cards.shape[1]
    counts = [patterns.counted(patterns.scores(points)) for points in cards]
    fill = [(0, 0), (0, 0), (0, width)]
    weight = np.concatenate([np.pad(c.weight, fill[1:])[:, :width] for c in counts])
    wanted = np.concatenate([np.pad(c.wanted, fill)[..., :width] for c in counts], axis=1)
    together = Counts(weight, wanted, patterns.saved)
    lost = Curves.fitted(together)[1] + together.losses(together.best_cuts()[1]).sum(axis=0)
    if not cards.any():
        return lost
    (nothing,) = objectives(patterns, np.zeros_like(cards[:1]))
    return lost + POINT_PRICE * nothing * cards.sum(axis=1)


def exhaustive(patterns, most):
    """Lowest objective of any card with at most so many literals, points 0 to 3."""
    cards = np.array([*product(range(4), repeat=len(patterns.literals))])
    cards = cards[(np.count_nonzero(cards, axis=1) <= most) & (np.gcd.reduce(cards, axis=1) <= 1)]
    values, sizes = objectives(patterns, cards), np.count_nonzero(cards, axis=1)
    return np.minimum.accumulate([values[sizes == size].min() for size in range(most + 1)])


def test_tiny_cards_are_near_the_best_of_all_cards():
    above = []
    for seed in range(12):
        X, weight, target = case(seed, m=2, values=4)
        patterns = merge_targets(X, weight, target, *all_cuts(X))
        best = exhaustive(patterns, 4)
        path = point_path(
            patterns, n_literals=4, max_points=3, effort=PointEffort(starts=2, every=1)
        )
        found = np.array([card.objective for card in path])
        assert (found >= best - 1e-8).all()
        assert found[1] == pytest.approx(best[1], abs=1e-8)  # one literal: all are looked at
        above.append(found - best)
    assert np.mean(above) < 0.002
    assert np.mean(np.array(above) < 1e-7) > 0.7


@pytest.mark.parametrize("seed", range(3))
def test_less_effort_costs_little_and_the_size_that_was_asked_for_is_improved(seed):
    X, weight, target = case(seed, m=4, values=6)
    patterns = merge_targets(X, weight, target, *all_cuts(X))
    best, *hasty = (
        [card.objective for card in point_path(patterns, n_literals=5, effort=effort)]
        for effort in (PointEffort(starts=2, every=1), PointEffort(every=5), PointEffort(every=6))
    )
    assert hasty[0] == hasty[1]  # at 5 literals exchanges are made in both
    assert (np.array(hasty) >= np.array(best) - 1e-8)[:, 1].all()
    assert hasty[0][5] <= best[4]
    grown = point_path(patterns, n_literals=6, effort=PointEffort(every=6))[5].objective
    assert grown >= hasty[0][5]


@pytest.mark.parametrize("seed", range(6))
def test_no_literal_can_be_exchanged_for_a_better_one(seed):
    X, weight, target = case(seed, values=4)
    criteria, levels = all_cuts(X)
    patterns = merge_targets(X, weight, target, criteria, levels)
    card = point_path(patterns, n_literals=3, max_points=3)[3]
    # The card may have been divided: some scale of it is one that no exchange improves.
    improves = []
    for scale in range(1, 3 // max(card.points) + 1):
        points = np.zeros(len(patterns.literals), dtype=int)
        points[np.searchsorted(patterns.literals, card.literals)] = np.array(card.points) * scale
        improves.append(_best_exchange(patterns, points) < card.objective - 1e-6)
    assert not all(improves)


def _best_exchange(patterns, points):
    others = []
    for out, j, more in product(np.flatnonzero(points), range(len(points)), (1, 2, 3)):
        other = points.copy()
        other[out] = 0
        if other[j] == 0:
            other[j] = more
            others.append(other)
    return objectives(patterns, np.array(others)).min()


def test_moved_weights_are_those_of_the_card_with_these_points():
    X, weight, target = case(3, m=4, boundaries=2)
    patterns = merge_targets(X, weight, target, *all_cuts(X))
    points = np.zeros(len(patterns.literals), dtype=np.intp)
    points[[1, 4]] = [2, 1]
    free = np.flatnonzero(points == 0)
    moved = patterns.moved(patterns.scores(points), free, 3)
    for place, (more, j) in enumerate(product((1, 2, 3), free)):
        given = points.copy()
        given[j] = more
        counts = patterns.counted(patterns.scores(given))
        width = counts.weight.shape[1]
        assert (moved.weight[place, :width] == counts.weight[0]).all()
        assert (moved.wanted[:, place, :width] == counts.wanted[:, 0]).all()
        assert not moved.weight[place, width:].any()


def test_neither_the_order_of_rows_nor_how_weight_is_spread_over_equal_rows_matters():
    X, weight, target = case(1, n=60, values=4)
    literals = all_cuts(X)
    path = point_path(merge_targets(X, weight, target, *literals))
    shuffled = np.random.default_rng(1).permutation(len(X))
    again = merge_targets(X[shuffled], weight[shuffled], target[:, shuffled], *literals)
    assert point_path(again) == path
    halves = np.tile(np.arange(len(X)), 2)
    again = merge_targets(X[halves], weight[halves] / 2, target[:, halves], *literals)
    # Halves of whole parts are rounded: by less than one part in 2**40.
    assert [(c.literals, c.points, c.thresholds) for c in point_path(again)] == [
        (c.literals, c.points, c.thresholds) for c in path
    ]


def test_a_level_that_no_row_tells_from_another_is_no_candidate():
    X, weight, target = case(2)
    criteria, levels = all_cuts(X)
    plain = point_path(merge_targets(X, weight, target, criteria, levels))
    double = merge_targets(
        X,
        weight,
        target,
        np.repeat(criteria, 2),
        np.repeat(levels, 2) + np.tile([0, 0.1], len(levels)),
    )
    assert [tuple(j // 2 for j in card.literals) for card in point_path(double)] == [
        card.literals for card in plain
    ]


def test_the_path_falls_and_ends_where_literals_are_not_worth_their_price():
    X, weight, target = case(5, n=120, m=5, values=5)
    patterns = merge_targets(X, weight, target, *all_cuts(X))
    cheap, dear = (point_path(patterns, price=price) for price in (0.001, 0.05))
    assert len(dear) < len(cheap)
    assert len(point_path(patterns, n_literals=2)) == 3
    for path in (cheap, dear):
        assert (np.diff([card.objective for card in path]) <= 0).all()
        for size, card in enumerate(path):
            assert len(card.literals) <= size
            assert np.gcd.reduce(card.points or (1,)) == 1
            assert all(1 <= points <= MOST_POINTS for points in card.points)


def test_equal_points_are_a_checklist():
    X, weight, target = case(5, n=120, m=5, values=5)
    patterns = merge_targets(X, weight, target, *all_cuts(X))
    for card in point_path(patterns, n_literals=6, max_points=1):
        assert set(card.points) <= {1}


def test_degenerate_tables():
    one = np.zeros(1, dtype=np.intp), np.array([0.5])
    none = np.empty(0, dtype=np.intp), np.empty(0)
    ramp, even = np.arange(4.0)[:, None], np.full(4, 0.25)
    # Nothing to give points to.
    (card,) = point_path(merge_targets(ramp, even, np.full(4, 0.9), *none), n_literals=0)
    assert (card.literals, card.thresholds) == ((), (0,))
    assert len(point_path(merge_targets(ramp, even, np.full(4, 0.1), *none))) <= 2
    # All of one class: all rows pass, or none.
    for share, cut in ((0.0, 1), (1.0, 0)):
        path = point_path(merge_targets(ramp, even, np.full(4, share), *one))
        assert path[-1].thresholds == (cut,)
        assert path[-1].literals == ()
    # Two classes that one literal tells apart.
    path = point_path(merge_targets(ramp, even, np.array([0.0, 1, 1, 1]), *one))
    assert (path[-1].literals, path[-1].thresholds) == ((0,), (1,))
    assert path[-1].disagreement == (0.0,)


def test_a_search_without_time_has_the_card_without_points():
    X, weight, target = case(5)
    patterns = merge_targets(X, weight, target, *all_cuts(X))
    assert len(point_path(patterns, out_of_time=lambda: True)) == 1
    asked = iter([False, *[True] * 100])
    hasty = point_path(patterns, out_of_time=lambda: next(asked))
    assert len(hasty) == 2
    assert len(hasty[1].literals) == 1


def test_curves_are_the_best_ones_and_do_not_cross():
    rng = np.random.default_rng(0)
    weight = rng.integers(1, 9, (5, 7)).astype(float)
    share = 1 / (1 + np.exp(3 - np.arange(7)))
    counts = Counts(weight, np.stack([weight * share, weight * share / 2]), saved_at(0.5, 2))
    curves, loss = Curves.fitted(counts)
    p = curves.probabilities(7)
    assert (np.diff(p, axis=-1) > 0).all()
    assert (p[0] > p[1]).all()
    for change in product((-0.01, 0, 0.01), repeat=3):
        other = Curves(curves.slope + change[0], curves.offset + np.array(change[1:])[:, None])
        assert (other.loss(counts) >= loss - 1e-9).all()


def test_a_curve_over_what_falls_is_flat():
    counts = Counts(np.array([[4.0, 4.0]]), np.array([[[3.0, 1.0]]]), saved_at(0.5))
    curves, _ = Curves.fitted(counts)
    assert curves.slope.tolist() == [0.0]
    assert curves.probabilities(2).ravel() == pytest.approx([0.5, 0.5])


def test_the_curve_of_a_perfect_score_is_steep_but_finite():
    counts = Counts(np.array([[5.0, 0.0, 5.0]]), np.array([[[0.0, 0.0, 5.0]]]), saved_at(0.5))
    p = Curves.fitted(counts)[0].probabilities(3).ravel()
    assert p[0] < 0.1
    assert p[2] > 0.9
    assert p[1] == pytest.approx(0.5)
