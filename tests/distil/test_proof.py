"""The program over a pool of rules is exact."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from sugeno._distil.patterns import merge_rows
from sugeno._distil.proof import best_in_pool


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


def test_a_set_that_nothing_in_the_pool_reaches_stays():
    X = np.array([[0.0], [1.0], [2.0]])
    criteria = np.zeros(2, dtype=np.intp)
    patterns = merge_rows(X, np.array([-1.0, 1.0, 2.0]), criteria, np.array([0.5, 1.5]))
    found = best_in_pool(patterns, [(1,)], max_rules=1, at_least=3.0)
    assert found.chosen is None
    assert found.objective == 3.0
