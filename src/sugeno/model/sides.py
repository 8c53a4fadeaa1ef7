"""Accepted and refused sets of literals seen alike: reasons and flips of rules and clauses.

An accepted set has all literals of some rule, and of every clause at least one. A refused set is
the mirror image: it misses all literals of some clause, and of every rule at least one. So there
are two sides and one theory. With the *state* of a set, the literals that it has if it is accepted
and those that it misses if it is refused:

- a set of its own family (rules, or clauses) inside the state is a reason for the verdict;
- to flip the verdict is to change the state on all of a set of the other family.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sugeno._sets.chains import Chains
from sugeno._sets.masks import Masks, is_subset, pack, unpack
from sugeno._sets.transversals import Task, cheapest, cheapest_choices, smallest_cover
from sugeno.model.form import IMPOSSIBLE

__all__ = ["RuleSide"]

Floats = NDArray[np.float64]

#: Comparisons of a set with a state, and prices, that are held in one go.
_COMPARISONS, _PRICES = 1 << 22, 1 << 23


@dataclass(frozen=True, eq=False)
class RuleSide:
    """The theory of one verdict; see `sugeno.model.form.Side`.

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

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._sets.chains import Chains
    >>> from sugeno.model.sides import RuleSide
    >>> rules, clauses = np.array([[3], [5]], np.uint64), np.array([[6], [1]], np.uint64)
    >>> refused, accepted = RuleSide.both(Chains.single(3), rules, clauses)
    >>> refused.own.ravel().tolist(), accepted.own.ravel().tolist()
    ([1, 6], [3, 5])
    """

    accepted: bool
    chains: Chains
    own: Masks | None
    other: Masks | None

    @classmethod
    def both(
        cls, chains: Chains, rules: Masks | None, clauses: Masks | None
    ) -> tuple[RuleSide, RuleSide]:
        """Return the theory of refused and of accepted sets, from rules, clauses or both."""
        sets = None if rules is None else _ordered(rules, chains)
        others = None if clauses is None else _ordered(chains.raised(clauses), chains)
        return cls(False, chains, others, sets), cls(True, chains, sets, others)

    def state(self, masks: Masks) -> Masks:
        """Return the literals that speak for the verdict."""
        return masks if self.accepted else self.chains.full & ~masks

    def _edges(self, reasons: Masks) -> Masks:
        """Of each criterion the literal that says it all, in sets that explain."""
        return self.chains.strongest(reasons) if self.accepted else self.chains.weakest(reasons)

    def _turns(self, changes: Masks) -> Masks:
        """Of each criterion the literal that says it all, in sets that flip."""
        return self.chains.weakest(changes) if self.accepted else self.chains.strongest(changes)

    @cached_property
    def _ways(self) -> Masks:
        """What each set of the other family turns, one literal per criterion."""
        other = np.zeros_like(self.chains.full[:0]) if self.other is None else self.other
        return self._turns(other)

    @cached_property
    def _way_table(self) -> Floats:
        """The same as a table with a row per literal."""
        return unpack(self._ways, self.chains.n_literals).T.astype(np.float64)

    def reasons(self, states: Masks) -> Masks:
        """Return a part of each state that explains the verdict whatever the rest.

        It speaks about as few criteria as possible; of several, the first in the order of the
        columns.
        """
        found = self._searched_reasons(states) if self.own is None else self._first(states)
        return self._edges(found)

    def _first(self, states: Masks) -> Masks:
        """The first set of the own family inside each state."""
        found = np.zeros_like(states)
        left = np.arange(len(states))
        step = max(1, _COMPARISONS // max(1, len(states)))
        own = np.zeros_like(states[:0]) if self.own is None else self.own
        for start in range(0, len(own), step):
            block = own[start : start + step]
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

    def cheapest(self, states: Masks, prices: Floats) -> tuple[Floats, Masks]:
        """Find the cheapest change of each state that flips the verdict.

        Every set of the other family is tried, so that a price from `IMPOSSIBLE` on proves that
        there is no way. Costs one product of the prices with the family.
        """
        keys, found = np.full(len(states), IMPOSSIBLE), np.zeros_like(states)
        if self.other is None:
            return self._searched_cheapest(states, prices)
        if len(self.other) == 0:
            return keys, found
        step = max(1, _PRICES // len(self.other))
        for start in range(0, len(states), step):
            rows = slice(start, start + step)
            totals = prices[rows] @ self._way_table
            best = totals.argmin(axis=1)
            keys[rows] = totals[np.arange(best.size), best]
            found[rows] = self._ways[best] & states[rows]
        found[keys >= IMPOSSIBLE] = 0
        return keys, found

    def _searched_cheapest(self, states: Masks, prices: Floats) -> tuple[Floats, Masks]:
        """The same where the other family is not written down: break every reason that holds."""
        if self.own is None:
            raise ValueError("One of the two families must be there.")
        keys, found = np.full(len(states), IMPOSSIBLE), np.zeros_like(states)
        left = np.arange(len(states))
        if states.shape[1] == 1:
            chains = self.chains
            allowed = pack(prices < IMPOSSIBLE)[:, 0]
            holds = is_subset(self.own, states).T
            sets = np.where(holds, self._edges(self.own)[:, 0] & allowed[:, None], np.uint64(0))
            possible = np.flatnonzero(((sets != 0) == holds).all(axis=1))
            ones = pack(np.eye(chains.n_literals, dtype=np.bool_))
            adds = (chains.raised(ones) if self.accepted else chains.closed(ones))[:, 0]
            owner = chains.criteria
            groups = pack(owner[:, None] == owner)[:, 0]
            paid = prices[possible]
            choice = cheapest(Task(sets[possible], adds, paid, paid, groups))
            done = ~np.isnan(choice.keys)
            keys[possible[done]] = choice.keys[done]
            found[possible[done]] = self._turns(choice.chosen[done, None])
            left = possible[~done]
        for i in left.tolist():
            for key, turn, _ in self._searched_changes(states[i], prices[i]):
                keys[i], found[i] = key, turn
                break
        return keys, found

    def changes(self, state: Masks, prices: Floats) -> Iterator[tuple[float, Masks, Masks]]:
        """Yield the possible changes of one state that flip the verdict, cheapest first."""
        if self.other is None:
            yield from self._searched_changes(state, prices)
            return
        keys = prices @ self._way_table
        turns = self._ways & state
        for place in np.argsort(keys, kind="stable").tolist():
            if keys[place] >= IMPOSSIBLE:
                return
            yield float(keys[place]), turns[place], self.other[place] & state

    def _searched_changes(
        self, state: Masks, prices: Floats
    ) -> Iterator[tuple[float, Masks, Masks]]:
        """The same without the other family: break every reason that holds."""
        if self.own is None:
            raise ValueError("One of the two families must be there.")
        chains = self.chains
        holding = self.own[is_subset(self.own, state[None])[:, 0]]
        if not holding.any(axis=1).all():  # the verdict needs no reason, and nothing flips it
            return
        owner = chains.criteria.tolist()
        family = [
            {owner[literal]: literal for literal in np.flatnonzero(one).tolist()}
            for one in unpack(self._edges(holding), chains.n_literals)
        ]
        order = -1 if self.accepted else 1
        for key, choice in cheapest_choices(family, prices.tolist(), order):
            if key >= IMPOSSIBLE:
                return
            turn = np.zeros((1, chains.n_literals), dtype=np.bool_)
            turn[0, list(choice.values())] = True
            packed = pack(turn)
            wide = chains.raised(packed) if self.accepted else chains.closed(packed)
            yield key, packed[0], wide[0] & state


def _ordered(masks: Masks, chains: Chains) -> Masks:
    """Sort sets by their number of criteria, then by the criteria, then by the literals."""
    members = unpack(masks, chains.n_literals)
    keys = []
    for one in members:
        criteria = np.unique(chains.criteria[one]).tolist()
        keys.append((len(criteria), criteria, np.flatnonzero(one).tolist()))
    order = sorted(range(len(keys)), key=keys.__getitem__)
    return masks[np.array(order, dtype=np.intp)]
