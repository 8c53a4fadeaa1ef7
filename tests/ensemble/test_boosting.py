"""Prices of pairs against explicit loops, and the course of one bag."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import expit

from sugeno._ensemble.boosting import (
    RESOLUTION,
    Boosters,
    BoostingParams,
    Sample,
    covered,
    integers,
    price,
    region_sums,
)


def explicit_price(A, g, h, ridge):
    k = len(A)
    gains = np.full((2, k, k), -np.inf)
    for kind in (0, 1):
        for i in range(k):
            for j in range(k):
                both = A[i] * A[j]
                inside = (both if kind == 0 else A[i] + A[j] - both) > 0
                G1, H1 = g[inside].sum(), h[inside].sum()
                G0, H0 = g[~inside].sum(), h[~inside].sum()
                a1, a0 = G1 / (H1 + ridge), G0 / (H0 + ridge)
                if a1 > a0:
                    gains[kind, i, j] = G1 * a1 + G0 * a0
    return gains


@pytest.mark.parametrize("seed", range(5))
def test_prices_equal_explicit_loops(seed):
    rng = np.random.default_rng(seed)
    A = (rng.random((7, 40)) < 0.5).astype(np.float32)
    p, w = rng.random(40), rng.integers(1, 4, 40)
    g, h = w * ((rng.random(40) < 0.5) - p), w * p * (1 - p)
    pairs = np.stack(np.triu_indices(len(A)), axis=1)
    (found,) = price(A[None], np.array([[g, h]]), 1.0, pairs)
    expected = explicit_price(A, g, h, 1.0)[:, *pairs.T]
    clear = np.isfinite(found) & np.isfinite(expected)
    assert found[clear] == pytest.approx(expected[clear], rel=1e-4, abs=1e-4)
    assert (np.isfinite(found) == np.isfinite(expected)).mean() > 0.98  # ties apart


@given(
    st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=50),
    st.integers(0, 1000),
)
def test_sums_are_exact_in_any_order(values, seed):
    v = np.array(values)
    A = (np.random.default_rng(seed).random((4, len(v))) < 0.5).astype(np.float32)
    order = np.random.default_rng(seed).permutation(len(v))
    counts, unit = integers(v)
    again, same = integers(v[order])
    assert unit == same
    assert np.abs(counts).astype(float).sum() < 2**24
    left = (A * counts) @ A.T
    right = (A[:, order] * again) @ A[:, order].T
    assert (left == right).all()
    assert (left == ((A.astype(int) * counts.astype(int)) @ A.T.astype(int))).all()


def test_region_sums_of_one_literal_are_those_of_its_pair_with_itself():
    A = np.array([[1, 1, 0], [0, 1, 1]], dtype=np.float32)
    values = np.array([[[1.0, 2.0, 4.0], [8.0, 0.0, 16.0]]])
    (first,), (second,) = region_sums(A[None], values, np.array([[0, 0], [0, 1], [1, 1]]))
    assert first.tolist() == pytest.approx(np.array([[3, 2, 6], [3, 7, 6]]))
    assert second.tolist() == pytest.approx(np.array([[8, 0, 16], [8, 24, 16]]))


def sample(n=80, seed=0):
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, 6, (3, n)).astype(np.uint8)
    y = codes.sum(axis=0) > 7
    weight = np.array([~y, y], dtype=float)
    return Sample(codes, weight, np.random.default_rng(1)), y


def booster(n=80, seed=0, **settings_):
    bag, y = sample(n, seed)
    return Boosters([bag], n, bag.codes, BoostingParams(**settings_)), y


def rules_of(bag):
    """The rules of a single bag, as plain values."""
    return [
        (round_.criterion[0], round_.level[:1], round_.conjunction[:1], *grades)
        for round_ in bag.rounds
        for grades in [(round_.low[0], round_.high[0], round_.gain[0])]
        if round_.kept[0]
    ]


def cover(rule, codes):
    criterion, level, conjunction, *_ = rule
    return covered(codes[criterion][None], level, conjunction)[0]


def test_the_loss_of_the_bag_falls():
    bag, y = booster()
    losses = []
    for _ in range(6):
        bag.grow(10)
        scores = bag.followed[0] * RESOLUTION
        losses.append(np.logaddexp(0, np.where(y, -1, 1) * scores).sum())
    assert all(np.diff(losses) < 0)


def test_two_stages_report_the_same_scores_as_their_rules_give():
    bag, _ = booster()
    bag.grow(7)
    bag.grow(8)
    assert len(bag.rounds) == 15
    total = np.full(bag.followed.shape[1], bag.base[0])
    for rule in rules_of(bag):
        total += np.where(cover(rule, bag.seen[0, :, bag.width :]), rule[4], rule[3])
    assert (total == bag.followed[0]).all()


def test_every_rule_is_monotone_and_newton():
    bag, _ = booster(step=1.0, ridge=0.5)
    start = expit(bag.score[0] * RESOLUTION)
    g, h = bag.positive[0] - start, start * (1 - start)
    bag.grow(1)
    ((*rule, low, high, _),) = rules_of(bag)
    inside = cover(rule, bag.codes[0])
    assert high > low
    assert high * RESOLUTION == pytest.approx(g[inside].sum() / (h[inside].sum() + 0.5), 1e-6)
    assert low * RESOLUTION == pytest.approx(g[~inside].sum() / (h[~inside].sum() + 0.5), 1e-6)


def test_blocks_cover_all_rows():
    bag, _ = booster(n=100, block=30)
    seen = np.zeros(100, dtype=bool)
    for rounds in range(4):
        bag.rounds = [None] * rounds
        seen[bag._block()] = True
    assert seen.all()


def test_the_first_rule_is_the_best_of_its_literals():
    bag, _ = booster(literals=10)
    (criterion,), (level,) = booster(literals=10)[0].draws[0].literals(1, 10)
    A = (bag.codes[0, criterion] >= level[:, None]).astype(np.float32)
    p = expit(bag.base[0] * RESOLUTION)
    gains = explicit_price(A, bag.positive[0] - p, np.full(bag.width, p * (1 - p)), 1.0)
    bag.grow(1)
    assert rules_of(bag)[0][-1] == pytest.approx(gains.max(), rel=1e-4)


@pytest.mark.parametrize("block", [25, 4096])
def test_bags_grow_in_step_as_each_would_alone(block):
    sizes = [60, 80, 71]
    settings = BoostingParams(block=block)
    watched = sample(40, 9)[0].codes

    def grown(numbers, *stages):
        bags = [sample(sizes[i], i)[0] for i in numbers]
        group = Boosters(bags, max(sizes), watched, settings)
        for rounds in stages:
            group.grow(rounds)
        return group.scores

    together = grown([0, 1, 2], 40)
    for i in range(3):
        np.testing.assert_array_equal(grown([i], 15, 25)[0], together[i])


def test_a_bag_in_which_nothing_varies_finds_no_rule():
    weight = np.array([[1.0] * 5, [3.0] * 5])  # a rule that always holds would gain
    still = Sample(np.ones((2, 5), np.uint8), weight, np.random.default_rng(0))
    bag = Boosters([still], 5, still.codes, BoostingParams())
    bag.grow(10)
    assert not any(round_.kept.any() for round_ in bag.rounds)
    assert (bag.scores == bag.base).all()
