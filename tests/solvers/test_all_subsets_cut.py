"""Positive rows that share their weight among k-subsets: against brute force and the program."""

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

from classifier_tables import grades, patterns_at
from oracles import antichains, patterns_of, random_patterns
from sugeno import SugenoClassifier
from sugeno._sets.masks import contains_any, is_subset, minimal, pack, set_sizes
from sugeno.solvers import all_subsets_cut
from sugeno.solvers.all_subsets_cut import all_subsets, share_out, solve_shared
from sugeno.solvers.closure import solve_closure
from sugeno.solvers.program import solve_lp


def members(mask):
    return [j for j in range(64) if mask >> j & 1]


def loss(patterns, k, member):
    """Weight in error when a positive row is as wrong as its k-subsets are rejected."""
    total = Fraction(0)
    codes = patterns.masks[:, 0].tolist()
    for code, positive, negative in zip(
        codes, patterns.positive.tolist(), patterns.negative.tolist()
    ):
        total += negative * bool(member[code])
        if code.bit_count() <= k:
            total += positive * (not member[code])
        else:
            parts = [sum(1 << j for j in c) for c in combinations(members(code), k)]
            total += positive * Fraction(sum(not member[part] for part in parts), len(parts))
    return total


@pytest.mark.parametrize("m", [2, 3, 4])
def test_the_cut_is_the_best_of_all_families(m):
    rng = np.random.default_rng(m)
    for _ in range(40):
        patterns = random_patterns(rng, m)
        k = int(rng.integers(1, m))
        parts = share_out(patterns, k)
        value = Fraction(solve_closure(parts, normalized=False).objective, round(1 / parts.unit))
        assert value == min(loss(patterns, k, member) for member, _ in antichains(m, k))


@pytest.mark.parametrize("normalized", [True, False])
def test_the_family_accepts_what_the_cut_accepts_with_no_idle_set(normalized):
    rng = np.random.default_rng(0)
    empty = 0
    for _ in range(200):
        m = int(rng.integers(2, 6))
        patterns = random_patterns(rng, m)
        k = int(rng.integers(1, m))
        found = solve_shared(patterns, k, normalized=normalized)
        sets = found.boundary_sets
        assert (set_sizes(sets) <= k).all()
        assert np.array_equal(sets, minimal(sets))
        assert np.array_equal(found.accepted, contains_any(patterns.masks, sets))
        assert found.objective == patterns.errors(found.accepted) >= found.bound
        parts = share_out(patterns, k)
        cut = solve_closure(parts, normalized=normalized)
        allowed = parts.masks[cut.accepted & (set_sizes(parts.masks) <= k)]
        weighty = patterns.positive + patterns.negative > 0
        if len(allowed):
            wanted = contains_any(patterns.masks, allowed)
            assert np.array_equal(found.accepted[weighty], wanted[weighty])
            covers = is_subset(sets, patterns.masks)
            assert (covers & (covers.sum(axis=0) == 1)).any(axis=1).all()
        else:
            empty += 1
            assert len(sets) == int(normalized)
    assert empty > 10


def test_a_single_set_is_the_best_single_set_where_the_cut_accepts_nothing():
    # Three negative rows for each positive one everywhere; the set {2} covers the fewest.
    masks = np.array([[1], [2], [3], [4]], dtype=np.uint64)
    patterns = patterns_of(masks, np.array([1, 1, 1, 1]), np.array([3, 3, 3, 2]), 3)
    found = solve_shared(patterns, 2)
    assert len(found.boundary_sets) == 1
    # A set that no row satisfies costs nothing at all.
    assert found.objective == 4
    assert solve_shared(patterns, 2, normalized=False).boundary_sets.shape == (0, 1)


def test_the_linear_program_with_all_subsets_has_the_value_of_the_cut():
    rng = np.random.default_rng(1)
    for _ in range(60):
        m = int(rng.integers(2, 6))
        patterns = random_patterns(rng, m)
        k = int(rng.integers(1, m))
        beta = float(rng.uniform(0.2, 0.8))
        rho = min(beta, 1 - beta) * float(rng.uniform(0.1, 0.9))
        program = solve_lp(patterns, k, beta=beta, rho=rho, subsets=all_subsets(patterns, k))
        parts = share_out(patterns, k)
        hopeless = int(patterns.positive[patterns.is_empty_set].sum())
        cost = solve_closure(parts, normalized=False).objective * parts.unit - hopeless
        assert program.program_value == pytest.approx(2 * rho * cost + (beta + rho) * hopeless)


def test_shares_are_exact_and_nothing_gets_lost():
    rng = np.random.default_rng(2)
    for _ in range(50):
        m = int(rng.integers(2, 7))
        patterns = random_patterns(rng, m)
        k = int(rng.integers(1, m))
        parts = share_out(patterns, k)
        scale = round(1 / parts.unit)
        assert parts.positive.sum() == scale * patterns.positive.sum()
        assert parts.negative.sum() == scale * patterns.negative.sum()
        assert (set_sizes(parts.masks[parts.positive > 0]) <= k).all()
        assert len(np.unique(parts.masks, axis=0)) == len(parts.masks)


def test_weights_of_many_bits_are_shared_without_overflow():
    rng = np.random.default_rng(3)
    for _ in range(20):
        small = random_patterns(rng, 5)
        huge = patterns_of(small.masks, small.positive << 50, small.negative << 50, 5)
        parts = share_out(huge, 2)
        assert parts.positive.min() >= 0
        assert parts.total <= huge.total * round(huge.unit / parts.unit) < 2**61
        assert np.array_equal(
            solve_shared(huge, 2).boundary_sets, solve_shared(small, 2).boundary_sets
        )


def test_sets_may_spread_over_several_words():
    bits = np.zeros((2, 130), dtype=bool)
    bits[0, [0, 70, 129]] = True
    bits[1, [0, 70]] = True
    masks = pack(bits)[[1, 0]]
    patterns = patterns_of(masks, np.array([0, 6]), np.array([5, 0]), 130)
    parts = share_out(patterns, 2)
    assert parts.positive.tolist() == [6, 6, 6]
    assert parts.negative.tolist() == [15, 0, 0]
    sets = solve_shared(patterns, 2).boundary_sets
    expected = np.zeros((1, 130), dtype=bool)
    expected[0, [0, 129]] = True
    assert np.array_equal(sets, pack(expected))


def test_too_many_subsets_are_refused_with_their_number(monkeypatch):
    monkeypatch.setattr(all_subsets_cut, "MOST_PAIRS", 5)
    patterns = patterns_of(np.array([[15]], np.uint64), np.array([1]), np.array([0]), 5)
    with pytest.raises(ValueError, match=r"list 6 subsets of the 1 patterns .* Use subsets=None"):
        solve_shared(patterns, 2)
    assert len(solve_shared(patterns, 1).boundary_sets) == 1


def test_the_program_with_all_subsets_is_solved_by_both_solvers_alike():
    for seed in range(5):
        X, y = grades(seed)
        clf = SugenoClassifier(solver="lp", k=2, subsets="all").fit(X, y)
        parts = share_out(patterns_at(clf, X, y), 2)
        accepted = contains_any(parts.masks, clf.rules_.masks)
        assert parts.errors(accepted) == solve_closure(parts, normalized=False).objective
        again = SugenoClassifier(solver="lp", k=2, subsets="all", random_state=7).fit(X, y)
        assert str(again.rules_) == str(clf.rules_)
