"""Pivotality: how often the decision hangs on a criterion.

A criterion is pivotal for a row if the row is accepted with all of its levels reached and rejected
with none of them, whatever the other criteria say being left as it is: Birnbaum's importance of a
component, Banzhaf's of a voter, on the patterns of the training rows instead of all patterns.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sugeno._counts.patterns import Patterns
from sugeno._sets.chains import Chains
from sugeno._sets.masks import Masks, pack
from sugeno.model.form import Form

__all__ = ["pivotality"]

#: Rules times patterns times criteria that are compared; beyond it the heaviest patterns count.
_MOST_COMPARISONS = 1 << 27
#: Patterns, once per criterion, that are looked at in one go.
_PATTERNS_AT_ONCE = 1 << 14


def pivotality(rules: Form, patterns: Patterns) -> NDArray[np.float64]:
    """Share of the training weight for which each criterion is pivotal, scaled to the sum 1.

    Parameters
    ----------
    rules : Form
        What decides.
    patterns : Patterns
        The patterns of the training rows, sets of the literals of the rules.

    Returns
    -------
    ndarray of float64 of shape (m,)
        Non-negative, with the sum 1. Equal parts where no criterion is pivotal for any row, as
        when everything is accepted.

    Notes
    -----
    At most one verdict per pattern and criterion that occurs in a rule; of the heaviest patterns
    only, if that were more than 2**27 comparisons of a pattern with a rule.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno import RuleSet
    >>> from sugeno._counts.patterns import Patterns
    >>> from sugeno._sets.chains import Chains
    >>> from sugeno.model.pivotality import pivotality
    >>> masks, none = np.array([[0], [1], [2], [3]], np.uint64), np.zeros(4, np.int64)
    >>> p = Patterns.of_two_classes(masks, np.array([1, 5, 2, 1]), none, Chains.single(2))
    >>> pivotality(RuleSet([{0, 1}], [3, 5]), p)
    array([0.33333333, 0.66666667])
    """
    chains = rules.literal_set.chains
    used = _used_chains(rules, chains)
    masks, weight = _heaviest(patterns, max(1, len(rules)) * max(1, len(used)))
    pivotal, accepted = np.zeros(chains.n_criteria), rules.accepts(masks)
    # Several criteria in one question: small tables are many questions to few patterns.
    at_once = max(1, _PATTERNS_AT_ONCE // max(1, len(masks)))
    for start in range(0, len(used), at_once):
        criteria = list(used)[start : start + at_once]
        chain = np.concatenate([used[j] for j in criteria])[:, None]
        flips = _flips(rules, masks, accepted, chain)
        pivotal[criteria] = np.where(flips, weight, 0).sum(axis=1)
    total = pivotal.sum()
    return pivotal / total if total > 0 else np.full(pivotal.size, 1 / pivotal.size)


def _flips(
    rules: Form, masks: Masks, accepted: NDArray[np.bool_], chain: Masks
) -> NDArray[np.bool_]:
    """Tell for which patterns each criterion decides: shape (criteria, patterns).

    Whoever is accepted can only lose by it, whoever is rejected can only win.
    """
    moved = np.where(accepted[:, None], masks & ~chain, masks | chain)
    flips: NDArray[np.bool_] = (moved != masks).any(axis=-1)
    before = np.broadcast_to(accepted, flips.shape)[flips]
    flips[flips] = rules.accepts(moved[flips]) != before
    return flips


def _used_chains(rules: Form, chains: Chains) -> dict[int, Masks]:
    """The literals, packed, of each criterion that a rule speaks about."""
    packed = pack(chains.criteria == np.arange(chains.n_criteria)[:, None])
    used = np.unique(chains.criteria[list(rules.used)])
    return {int(j): packed[j : j + 1] for j in used}


def _heaviest(patterns: Patterns, cost: int) -> tuple[Masks, NDArray[np.int64]]:
    """The patterns that there is time to look at, with their weights."""
    weight = patterns.lower.sum(axis=1)
    most = max(1, _MOST_COMPARISONS // cost)
    if weight.size <= most:
        return patterns.masks, weight
    kept = np.argsort(-weight, kind="stable")[:most]
    return patterns.masks[kept], weight[kept]
