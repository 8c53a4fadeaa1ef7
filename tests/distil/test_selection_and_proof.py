"""The chosen size is as good as the best, and the program over a pool is exact."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from sugeno._distil.path import distil_path
from sugeno._distil.patterns import merge_rows
from sugeno._distil.proof import best_in_pool
from sugeno._distil.selection import choose_size, held_out_losses


def test_zero_tolerance_takes_the_lowest_loss():
    losses = np.random.default_rng(0).random((50, 6)) + np.array([3, 2, 1, 0, 1, 2])
    assert choose_size(losses, tolerance=0.0) == 3


def test_equal_losses_take_the_smallest_size():
    losses = np.column_stack([np.ones(20), np.zeros((20, 3))])
    assert choose_size(losses) == 1


def test_a_difference_within_its_noise_does_not_count():
    rng = np.random.default_rng(1)
    losses = (rng.random((100, 2)) < 0.3).astype(float)
    losses[:, 1] -= losses[:, 1].mean() - losses[:, 0].mean() + 0.01
    assert choose_size(losses, tolerance=0.0) == 1
    assert choose_size(losses, tolerance=1.0) == 0


def test_each_row_is_judged_by_the_path_that_did_not_see_it():
    X = np.arange(20.0)[:, None]
    y = (X[:, 0] >= 10).astype(float)
    y[3] = 1
    literals = np.zeros(1, dtype=np.intp), np.array([9.5])
    seen = []

    def distil(mask):
        seen.append(mask)
        return distil_path(X[mask], 2 * y[mask] - 1, *literals, max_rules=1), *literals

    losses = held_out_losses(X, y, np.arange(20) % 4, distil)
    assert sum(~m for m in seen).tolist() == [1] * 20
    assert losses[:, 1].sum() == 1


@pytest.mark.parametrize("seed", range(4))
def test_the_program_is_the_best_set_of_pool_rules(seed):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 3, (40, 4)).astype(float)
    d = rng.integers(-5, 6, 40).astype(float)
    criteria = np.repeat(np.arange(4), 2).astype(np.intp)
    patterns = merge_rows(X, d, criteria, np.tile([0.5, 1.5], 4))
    pool = [(i, j) for i, j in combinations(range(8), 2) if criteria[i] != criteria[j]][:12]
    found = best_in_pool(patterns, pool, max_rules=3, price=0.5)
    covers = np.array([patterns.reached[list(r)].all(axis=0) for r in pool])
    best = max(
        patterns.gains[covers[list(some)].any(axis=0)].sum() / patterns.units - 0.5 * size
        for size in range(1, 4)
        for some in combinations(range(12), size)
    )
    assert found.objective == pytest.approx(max(best, 0))
    assert found.bound == pytest.approx(found.objective)
    again = best_in_pool(patterns, pool, max_rules=3, price=0.5, at_least=found.objective)
    assert again.objective == pytest.approx(found.objective)
