"""Pivotality: how often the decision hangs on a criterion.

A criterion is pivotal for a row if the row is accepted with all of its levels reached and rejected
with none of them, whatever the other criteria say being left as it is: Birnbaum's importance of a
component, Banzhaf's of a voter, on the patterns of the training rows instead of all patterns.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from sugeno._counts.patterns import Patterns
from sugeno._sets.chains import Chains, spread_up
from sugeno._sets.masks import Masks, contains_any, pack

__all__ = ["pivotality"]

#: Rules times patterns times criteria that are compared; beyond it the heaviest patterns count.
_MOST_COMPARISONS = 1 << 27


def pivotality(rules: Masks, patterns: Patterns) -> NDArray[np.float64]:
    """Share of the training weight for which each criterion is pivotal, scaled to the sum 1.

    Parameters
    ----------
    rules : ndarray of uint64 of shape (R, words)
        The boundary sets.
    patterns : Patterns
        The patterns of the training rows.

    Returns
    -------
    ndarray of float64 of shape (m,)
        Non-negative, with the sum 1. Equal parts where no criterion is pivotal for any row, as
        when everything is accepted.

    Notes
    -----
    A table over all patterns where that is small; else one comparison per rule, pattern and
    criterion that occurs in a rule, of the heaviest patterns only if that were more than 2**27.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._counts.patterns import Patterns
    >>> from sugeno._sets.chains import Chains
    >>> from sugeno.model.pivotality import pivotality
    >>> masks, none = np.array([[0], [1], [2], [3]], np.uint64), np.zeros(4, np.int64)
    >>> p = Patterns.of_two_classes(masks, np.array([1, 5, 2, 1]), none, Chains.single(2))
    >>> pivotality(np.array([[3]], np.uint64), p)
    array([0.33333333, 0.66666667])
    """
    chains = patterns.chains
    used = [chain for chain in _chain_masks(chains) if (rules & chain).any()]
    masks, weight = _heaviest(patterns, max(1, len(rules)) * max(1, len(used)))
    accepts = _verdicts(rules, chains, len(masks))
    pivotal = np.zeros(chains.n_criteria)
    for j, chain in enumerate(_chain_masks(chains)):
        if (rules & chain).any():
            flips = accepts(masks | chain) & ~accepts(masks & ~chain)
            pivotal[j] = float(weight[flips].sum())
    total = pivotal.sum()
    return pivotal / total if total > 0 else np.full(pivotal.size, 1 / pivotal.size)


def _chain_masks(chains: Chains) -> list[Masks]:
    """The literals of each criterion, packed."""
    return [pack((chains.criteria == j)[None]) for j in range(chains.n_criteria)]


def _heaviest(patterns: Patterns, cost: int) -> tuple[Masks, NDArray[np.int64]]:
    """The patterns that there is time to look at, with their weights."""
    weight = patterns.lower.sum(axis=1)
    most = max(1, _MOST_COMPARISONS // cost)
    if patterns.chains.is_small or weight.size <= most:
        return patterns.masks, weight
    kept = np.argsort(-weight, kind="stable")[:most]
    return patterns.masks[kept], weight[kept]


def _verdicts(
    rules: Masks, chains: Chains, n_patterns: int
) -> Callable[[Masks], NDArray[np.bool_]]:
    """How to tell which patterns are accepted: by a table of all of them, or one by one."""
    if not chains.is_small or n_patterns * len(rules) < chains.n_cells:
        return lambda masks: contains_any(masks, rules)
    table = spread_up(chains.table_of(rules), chains, np.logical_or)
    return lambda masks: table[chains.cells_of(masks)]
