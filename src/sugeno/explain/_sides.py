"""Accepted and refused rows seen alike.

An accepted row satisfies all literals of some rule, and of every clause at least one. A refused
row is the mirror image: it misses all literals of some clause, and of every rule at least one. So
there are two sides and one theory. With the *state* of a row, the literals that it satisfies if it
is accepted and those that it misses if it is refused:

- a set of its own family (rules, or clauses) inside the state is a reason for the verdict;
- to flip the verdict is to change the state on all of a set of the other family.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sugeno._sets.chains import Chains
from sugeno._sets.masks import Masks, is_subset, pack, unpack
from sugeno.explain._covers import smallest_cover
from sugeno.explain._frontier import Task, cheapest
from sugeno.model.rules import RuleSet

__all__ = ["Side", "sides_of"]

#: Comparisons of a set with a state that are done in one go.
_BLOCK = 1 << 22


@dataclass(frozen=True, eq=False)
class Side:
    """The theory of one verdict.

    Attributes
    ----------
    accepted : bool
        The verdict.
    chains : Chains
        The literals of each criterion.
    own, other : ndarray of uint64 of shape (a, words) and (b, words), or None
        Sets that explain the verdict, and sets that flip it, each with all literals that go with
        it; fewer criteria first, then in the order of the columns. None where there are too many
        to be written down; of one side at most one is None.
    """

    accepted: bool
    chains: Chains
    own: Masks | None
    other: Masks | None

    def state(self, masks: Masks) -> Masks:
        """Return the literals that speak for the verdict."""
        return masks if self.accepted else self.chains.full & ~masks

    def edges(self, reasons: Masks) -> Masks:
        """Of each criterion the literal that says it all, in sets that explain."""
        return self.chains.strongest(reasons) if self.accepted else self.chains.weakest(reasons)

    def turns(self, changes: Masks) -> Masks:
        """Of each criterion the literal that says it all, in sets that flip."""
        return self.chains.weakest(changes) if self.accepted else self.chains.strongest(changes)

    @cached_property
    def ways(self) -> Masks:
        """What each set of the other family turns, one literal per criterion."""
        return self.turns(np.zeros_like(self.chains.full[:0]) if self.other is None else self.other)

    @cached_property
    def way_table(self) -> NDArray[np.float64]:
        """The same as a table with a row per literal."""
        return unpack(self.ways, self.chains.n_literals).T.astype(np.float64)

    def reasons(self, states: Masks) -> Masks:
        """Return a part of each state that explains the verdict whatever the rest.

        It speaks about as few criteria as possible; of several, the first in the order of the
        columns.
        """
        if self.own is None:
            return self._searched_reasons(states)
        found = np.zeros_like(states)
        left = np.arange(len(states))
        step = max(1, _BLOCK // max(1, len(states)))
        for start in range(0, len(self.own), step):
            block = self.own[start : start + step]
            inside = is_subset(block, states[left])
            first = inside.argmax(axis=0)
            hit = inside[first, np.arange(left.size)]
            found[left[hit]] = block[first[hit]]
            left = left[~hit]
            if left.size == 0:
                break
        return found

    def _searched_reasons(self, states: Masks) -> Masks:
        """Find the smallest sets of criteria that meet what each flip would have to change."""
        if self.other is None:
            raise ValueError("One of the two families must be there.")
        m, owner = self.chains.n_criteria, self.chains.criteria
        touched = np.zeros((len(states), len(self.other), m), dtype=np.bool_)
        for place, one in enumerate(self.other):
            touched[:, place] = self._touched(one & states)
        chosen = np.zeros((len(states), m), dtype=np.bool_)
        left = np.arange(len(states))
        if m <= 64:
            ones = np.uint64(1) << np.arange(m, dtype=np.uint64)
            often = -touched.sum(axis=1, dtype=np.float64)
            sets = np.where(touched, ones, np.uint64(0)).sum(axis=2, dtype=np.uint64)
            found = cheapest(Task(sets, ones, np.ones((len(states), m)), often, ones))
            chosen = unpack(found.chosen[:, None], m)
            left = np.flatnonzero(np.isnan(found.keys))
        for row in left.tolist():
            family = [sum(1 << j for j in np.flatnonzero(one).tolist()) for one in touched[row]]
            chosen[row, list(smallest_cover(family))] = True
        return states & pack(chosen[:, owner])

    def _touched(self, masks: Masks) -> NDArray[np.bool_]:
        """Tell which criteria each set speaks about."""
        bits = unpack(masks, self.chains.n_literals)
        result = np.zeros((len(masks), self.chains.n_criteria), dtype=np.bool_)
        for literal, j in enumerate(self.chains.criteria.tolist()):
            result[:, j] |= bits[:, literal]
        return result


def sides_of(rules: RuleSet) -> tuple[Side, Side]:
    """Return the theory of refused and of accepted rows.

    Examples
    --------
    >>> from sugeno import RuleSet
    >>> from sugeno.explain._sides import sides_of
    >>> refused, accepted = sides_of(RuleSet([{0, 1}, {0, 2}], [1, 1, 1]))
    >>> refused.own.ravel().tolist(), accepted.own.ravel().tolist()
    ([1, 6], [3, 5])
    """
    chains = rules.literal_set.chains
    sets: Masks | None
    clauses: Masks | None
    try:
        sets = _ordered(rules.boundary_sets, chains)
    except OverflowError:
        sets = None
    try:
        clauses = _ordered(chains.raised(rules.clauses), chains)
    except OverflowError:
        clauses = None
    return Side(False, chains, clauses, sets), Side(True, chains, sets, clauses)


def _ordered(masks: Masks, chains: Chains) -> Masks:
    """Sort sets by their number of criteria, then by the criteria, then by the literals."""
    members = unpack(masks, chains.n_literals)
    keys = []
    for one in members:
        criteria = np.unique(chains.criteria[one]).tolist()
        keys.append((len(criteria), criteria, np.flatnonzero(one).tolist()))
    order = sorted(range(len(keys)), key=keys.__getitem__)
    return masks[np.array(order, dtype=np.intp)]
