"""k-maxitive capacities (sections 2.2 and 5 of the paper)."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given

from small_capacities import (
    by_definition,
    capacities,
    monotone,
    random_capacity,
    scattered,
    subsets,
)
from sugeno import Capacity, sugeno_integral


def is_k_maxitive_by_definition(values, k):
    """Every set of more than k criteria has a proper subset of the same value."""
    return all(
        any(values[frozenset(v)] == values[u] for v in subsets(u) if len(v) < len(u))
        for u in values
        if len(u) > k
    )


@given(capacities(max_m=4) | capacities(max_m=4, normalized=False))
def test_a_capacity_is_k_maxitive_iff_no_focal_set_exceeds_k(capacity):
    values = by_definition(capacity)
    for k in range(1, capacity.m + 1):
        expected = is_k_maxitive_by_definition(values, k)
        assert capacity.is_k_maxitive(k) == expected
        assert (capacity.maxitivity <= k) == expected


@given(capacities(max_m=4))
def test_maxitive_means_the_maximum_over_unions(capacity):
    values = by_definition(capacity)
    expected = all(values[a | b] == max(values[a], values[b]) for a in values for b in values)
    assert capacity.is_maxitive == expected


@given(capacities(max_m=4))
def test_focal_sets_are_the_sets_that_exceed_all_their_proper_subsets(capacity):
    values = by_definition(capacity)
    focal = {
        tuple(sorted(a)): v
        for a, v in values.items()
        if a and all(values[frozenset(b)] < v for b in subsets(a) if len(b) < len(a))
    }
    assert dict(capacity.focal_sets) == {a: v for a, v in focal.items() if v > 0}


def k_star_by_definition(capacity, epsilon):
    """The smallest element of G, in exact arithmetic."""
    values = {a: Fraction(v) for a, v in by_definition(capacity).items()}
    for k in range(1, capacity.m + 1):
        gaps = (
            values[b] - max(values[frozenset(a)] for a in subsets(b) if len(a) <= k)
            for b in values
            if b
        )
        if max(gaps) <= Fraction(epsilon):
            return k
    raise AssertionError("m itself is always in G")


@pytest.mark.parametrize("seed", range(10))
def test_theorem_2_holds_on_random_capacities(seed):
    rng = np.random.default_rng(seed)
    for trial in range(50):
        m = int(rng.integers(1, 6))
        # Tenths are where rounding decides: 0.8 - 0.7 is more than 0.1, 0.3 - 0.2 is less.
        capacity = random_capacity(rng, m, levels=10 if trial % 2 else None)
        epsilon = float(rng.choice([0.0, 0.1, 0.2, 0.3, rng.random()]))
        k_star, approximation = capacity.maxitive_approximation(epsilon)
        assert k_star == k_star_by_definition(capacity, epsilon)
        assert approximation.is_k_maxitive(k_star)
        small = np.bitwise_count(np.arange(1 << m)) <= k_star
        assert (approximation.to_dense()[small] == capacity.to_dense()[small]).all()
        rows = np.vstack([rng.random((20, m)), np.round(rng.random((20, m)) * 10) / 10, np.eye(m)])
        exact = sugeno_integral(rows, capacity)
        lower = sugeno_integral(rows, approximation)
        for s, t in zip(exact.tolist(), lower.tolist(), strict=True):
            assert 0 <= Fraction(s) - Fraction(t) <= Fraction(epsilon)


def test_the_bound_of_theorem_2_is_checked_beyond_the_rounding_of_a_difference():
    # The gap is a little more than 0.75, but the difference of the two numbers rounds to it.
    capacity = Capacity({0: 0.25 - 2.0**-55, (0, 1): 1.0}, m=2)
    assert 1.0 - capacity(0) == 0.75
    assert capacity.maxitive_approximation(0.75)[0] == k_star_by_definition(capacity, 0.75) == 2


def test_an_approximation_may_lose_the_normalization():
    capacity = Capacity({0: 0.5, (0, 1): 1.0}, m=2)
    k_star, approximation = capacity.maxitive_approximation(0.5)
    assert (k_star, approximation.normalized, approximation.top) == (1, False, 0.5)


def test_without_an_error_the_approximation_is_the_capacity_itself():
    rng = np.random.default_rng(0)
    for m in (1, 2, 3, 4, 5):
        capacity = random_capacity(rng, m, levels=8)
        assert capacity.maxitive_approximation(0.0) == (capacity.maxitivity, capacity)


def test_nested_sets_of_a_k_maxitive_capacity_need_not_be_worth_the_same():
    # The paper's sections 4.2 and 5 say μ(A_1) = … = μ(A_{m-k}) by k-maxitivity. They are not.
    capacity = Capacity.from_rules([(0,)], m=3)
    assert capacity.is_k_maxitive(1)
    order = np.argsort([0.1, 0.5, 0.9])
    nested = [capacity(order[j:]) for j in range(3)]
    assert nested == [1.0, 0.0, 0.0]
    assert nested[0] != nested[1]


def test_theorem_2_works_on_many_focal_sets_by_table_and_by_pairs_alike():
    rng = np.random.default_rng(3)
    for _ in range(20):
        dense = Capacity.from_dense(monotone(rng.random(32) ** 2))
        sparse = scattered(dense, sorted(rng.choice(70, 5, replace=False).tolist()), 70)
        for epsilon in (0.0, 0.05, 0.3):
            k, small = dense.maxitive_approximation(epsilon)
            k_sparse, large = sparse.maxitive_approximation(epsilon)
            assert k == k_sparse
            assert small.focal_values.tolist() == large.focal_values.tolist()
