"""Small sets of literals: at most k criteria, at most one level of each."""

from __future__ import annotations

from itertools import combinations
from math import comb

import numpy as np

from sugeno._sets.chains import Chains
from sugeno._sets.masks import Masks, canonical_order, pack

__all__ = ["count_small_sets", "count_subsets", "small_sets"]


def count_subsets(n: int, k: int) -> int:
    """Number of non-empty sets of at most k out of n elements.

    Examples
    --------
    >>> from sugeno._sets.subsets import count_subsets
    >>> count_subsets(4, 2)
    10
    """
    return sum(comb(n, size) for size in range(1, k + 1))


def count_small_sets(chains: Chains, k: int) -> int:
    """Number of non-empty sets of at most k criteria with one level of each.

    It is the sum of the first k elementary symmetric polynomials of the numbers of levels.

    Examples
    --------
    >>> from sugeno._sets.chains import Chains
    >>> from sugeno._sets.subsets import count_small_sets
    >>> count_small_sets(Chains((2, 1)), 2)
    5
    """
    by_size = [1] + [0] * k
    for levels in chains.sizes:
        for size in range(k, 0, -1):
            by_size[size] += levels * by_size[size - 1]
    return sum(by_size[1:])


def small_sets(chains: Chains, k: int) -> Masks:
    """All such sets, closed (with the literals that they imply), in canonical order.

    Examples
    --------
    >>> from sugeno._sets.chains import Chains
    >>> from sugeno._sets.subsets import small_sets
    >>> small_sets(Chains((1, 1, 1)), 2).ravel().tolist()
    [1, 2, 4, 3, 5, 6]
    >>> small_sets(Chains((2, 1)), 2).ravel().tolist()
    [1, 4, 3, 5, 7]
    """
    owner = np.repeat(np.arange(len(chains.sizes)), chains.sizes)
    parts = []
    for size in range(1, k + 1):
        chosen = np.array(list(combinations(range(chains.n_literals), size)), dtype=np.intp)
        chosen = chosen.reshape(-1, size)
        criteria = owner[chosen]
        # Two levels of one criterion: the weaker one is implied, the set has fewer criteria.
        chosen = chosen[(criteria[:, 1:] != criteria[:, :-1]).all(axis=1)]
        bits = np.zeros((len(chosen), chains.n_literals), dtype=np.bool_)
        bits[np.arange(len(chosen))[:, None], chosen] = True
        parts.append(bits)
    sets = chains.closed(pack(np.concatenate(parts)))
    return sets[canonical_order(sets)]
