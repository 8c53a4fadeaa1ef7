"""Few short rules that agree with the labels of all observed patterns.

Every accepted pattern is a rule already. Literals are dropped from it, the least useful one first,
for as long as no rejected pattern satisfies what is left; on a chain that lowers a level. What is
left is as general as the data allow, so that a few such rules cover all accepted patterns. There
are two opinions on what is useful, and both propose rules: a literal that keeps out rejected
patterns which little else keeps out, and one that accepted patterns have more often than rejected.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sugeno._sets.chains import Chains
from sugeno._sets.masks import Masks, contains_any, minimal, pack, unpack
from sugeno._threads import one_thread
from sugeno.solvers.budget import Budget
from sugeno.solvers.cover import few_sets

__all__ = ["short_rules"]

Bits = NDArray[np.bool_]
Floats = NDArray[np.float32]

#: So many rules are shortened at a time, at most; the most general of them may cover the others.
_BATCH = 256
#: Cells of the table "rule against rejected pattern" of a batch.
_CELLS = 1 << 22
#: With more pairs of an accepted and a rejected pattern the accepted ones stay as they are: so many
#: contradict each other closely that shorter rules would still be too many to read.
_MOST_PAIRS = 50_000_000


def short_rules(
    accepted: Masks, rejected: Masks, chains: Chains, budget: Budget | None = None
) -> Masks:
    """Return few short rules that hold for all accepted and for no rejected patterns.

    Parameters
    ----------
    accepted, rejected : ndarray of uint64 of shape (·, words)
        Closed sets; no accepted one lies inside a rejected one, and none is empty.
    chains : Chains
        The literals of each criterion.
    budget : Budget, optional
        When its time is over, the accepted patterns that are not covered yet stay as they are.

    Returns
    -------
    ndarray of uint64 of shape (R, words)
        Boundary sets in canonical order: an antichain.

    Notes
    -----
    Only minimal accepted and maximal rejected patterns matter. Shortening costs one product of
    the tables of a batch of rules and of the rejected patterns for each literal that is dropped.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._sets.chains import Chains
    >>> from sugeno.solvers.short_rules import short_rules
    >>> accepted, rejected = np.array([[7], [13]], np.uint64), np.array([[10], [6]], np.uint64)
    >>> short_rules(accepted, rejected, Chains.single(4)).ravel().tolist()
    [1]
    """
    budget = Budget.of(None) if budget is None else budget
    targets = minimal(accepted)
    closest = _maximal(rejected, chains)
    if len(targets) * len(closest) > _MOST_PAIRS:
        return targets
    shortening = _Shortening.of(accepted, rejected, closest, chains)
    size = max(1, min(_BATCH, _CELLS // max(1, len(closest))))
    rules, left = targets[:0], targets
    found: list[Masks] = []
    with one_thread():
        while len(left) and not budget.search_is_over():
            rules = minimal(shortening.shortened(left[:size], budget))
            found.append(rules)
            left = left[size:]
            left = left[~contains_any(left, rules)]
    if len(found) > 1 or len(left):  # the rules of one batch are an antichain already
        rules = minimal(np.concatenate([*found, left]))
    return few_sets(rules, targets, np.ones(len(targets), dtype=np.int64))


def _maximal(masks: Masks, chains: Chains) -> Masks:
    """Keep the maximal sets."""
    return chains.full & ~minimal(chains.full & ~masks)


@dataclass(frozen=True)
class _Shortening:
    """Drops literals from rules, many rules at a time.

    Attributes
    ----------
    chains : Chains
        The literals of each criterion.
    lacks : ndarray of float32 of shape (r, L)
        1 where a rejected pattern does not satisfy a literal.
    typical : ndarray of float32 of shape (L,)
        How much more often accepted than rejected patterns satisfy a literal.
    """

    chains: Chains
    lacks: Floats
    typical: Floats

    @classmethod
    def of(cls, accepted: Masks, rejected: Masks, closest: Masks, chains: Chains) -> _Shortening:
        """Look at the patterns once for all rules."""
        lacks = ~unpack(closest, chains.n_literals)
        often, seldom = (
            unpack(masks, chains.n_literals).mean(axis=0) for masks in (accepted, rejected)
        )
        return cls(chains, lacks.astype(np.float32), (often - seldom).astype(np.float32))

    def shortened(self, masks: Masks, budget: Budget) -> Masks:
        """Rules as short as possible, by either opinion on what is useful."""
        rules = unpack(np.concatenate([masks, masks]), self.chains.n_literals)
        self._shorten(rules, len(masks), budget)
        return pack(rules)

    def _shorten(self, rules: Bits, half: int, budget: Budget) -> None:
        """Drop the least useful literal of each rule while there is one that it can spare.

        The first half of the rules hears one opinion on what is useful, the second the other. A
        rule is as good as the pattern that it comes from at any time: a search may end here.
        """
        # By how many of its literals each rule keeps each rejected pattern out.
        apart = rules.astype(np.float32) @ self.lacks.T
        rows = np.arange(len(rules))
        needed = np.zeros_like(rules)
        alone = np.zeros(apart.shape, dtype=np.bool_)
        while not budget.search_is_over():
            # What a single literal keeps out makes it needed for ever: only new cases are added.
            new = (apart == 1) & ~alone
            alone |= new
            some, those = new.any(axis=1), new.any(axis=0)
            needed[some] |= new[np.ix_(some, those)].astype(np.float32) @ self.lacks[those] > 0
            free = self._strongest(rules[rows]) & ~needed
            # A rule that cannot spare a literal now cannot do so later.
            going = free.any(axis=1)
            if not going.any():
                return
            rows, free, apart = rows[going], free[going], apart[going]
            needed, alone = needed[going], alone[going]
            use = np.empty(free.shape, dtype=np.float32)
            first = int(np.searchsorted(rows, half))
            use[:first] = self._separation(apart[:first])
            use[first:] = self.typical
            use[~free] = np.inf
            literals = use.argmin(axis=1)
            rules[rows, literals] = False
            apart -= self.lacks.T[literals]

    def _strongest(self, rules: Bits) -> Bits:
        """The strongest level of each criterion: what a rule can do without first."""
        if self.chains.is_single:
            return rules
        return unpack(self.chains.strongest(pack(rules)), self.chains.n_literals)

    def _separation(self, apart: Floats) -> Floats:
        """How many rejected patterns a literal keeps out, those that little keeps out above all."""
        closeness = np.float32(1.0) / np.square(np.maximum(apart, np.float32(1.0)))
        return np.asarray(closeness @ self.lacks)
