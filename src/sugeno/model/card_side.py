"""Why a score of points passes or misses its threshold, and what would change that.

An accepted row has enough points, whatever it misses; a refused row misses so many that the others
are not enough. So both verdicts are one: with the literals that speak for it, a row has *held*
points, and so many of them suffice. The fewest criteria that suffice are those with the most held
points; the cheapest way to a flip gives up, or gains, enough points at the lowest price: a knapsack
over the levels of the criteria, solved exactly.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from heapq import heappop, heappush
from itertools import count

import numpy as np
from numpy.typing import NDArray

from sugeno._sets.chains import Chains
from sugeno._sets.masks import Masks, pack, unpack
from sugeno.model.form import IMPOSSIBLE

__all__ = ["CardSide"]

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
Bools = NDArray[np.bool_]

#: Entries of the tables of a knapsack that are held in one go.
_ENTRIES = 1 << 22


@dataclass(frozen=True, eq=False)
class CardSide:
    """The theory of one verdict of a card; see `sugeno.model.form.Side`.

    Attributes
    ----------
    accepted : bool
        The verdict.
    chains : Chains
        The literals of each criterion.
    points : ndarray of intp of shape (L,)
        What each literal adds.
    enough : int
        So many points of literals that speak for the verdict suffice for it.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno import Card
    >>> refused, accepted = Card([2, 1, 1], [5, 5, 5], needed=2).sides
    >>> accepted.reasons(np.array([[7]], np.uint64))
    array([[1]], dtype=uint64)
    >>> refused.cheapest(np.array([[5]], np.uint64), np.array([[3.0, 0.0, 1.0]]))
    (array([1.]), array([[4]], dtype=uint64))
    """

    accepted: bool
    chains: Chains
    points: Ints
    enough: int

    @classmethod
    def both(cls, chains: Chains, points: Ints, needed: int) -> tuple[CardSide, CardSide]:
        """Return the theory of refused and of accepted sets."""
        # Who misses more than all points but the needed ones cannot have enough.
        missing = int(points.sum()) - needed + 1
        return cls(False, chains, points, missing), cls(True, chains, points, needed)

    def state(self, masks: Masks) -> Masks:
        """Return the literals that speak for the verdict."""
        return masks if self.accepted else self.chains.full & ~masks

    @cached_property
    def _spans(self) -> list[range]:
        """The literals of each criterion; of one a part of which is held, those come first."""
        ends = np.cumsum(self.chains.sizes, dtype=np.intp).tolist()
        spans = [range(end - size, end) for size, end in zip(self.chains.sizes, ends)]
        # Reached are the weakest literals, missed are the strongest ones.
        return spans if self.accepted else [span[::-1] for span in spans]

    def _held(self, bits: Bools) -> Ints:
        """Points of each criterion that speak for the verdict: shape (n, m)."""
        member = self.chains.criteria[:, None] == np.arange(self.chains.n_criteria)
        held: Ints = (bits * self.points) @ member.astype(np.intp)
        return held

    def reasons(self, states: Masks) -> Masks:
        """Return a part of each state that suffices for the verdict, whatever the rest.

        It speaks about as few criteria as possible, and the first ones of these in the order of
        the columns; about each of them it says no more than it must, the last one first.

        Notes
        -----
        O(m² log m) for each state: the criteria are sorted by their points.
        """
        bits = unpack(states, self.chains.n_literals)
        held = self._held(bits)
        chosen = self._fewest(held)
        spare = np.where(chosen, held, 0).sum(axis=1) - self.enough
        found = np.zeros_like(bits)
        for j in reversed(range(self.chains.n_criteria)):
            spare = self._said(j, bits, held[:, j], chosen[:, j], spare, found)
        return pack(found)

    def _fewest(self, held: Ints) -> Bools:
        """Choose the fewest criteria that have enough points, the first of several such sets."""
        most = _best_sums(held)
        size = (most < self.enough).sum(axis=1)
        size, left = np.minimum(size, held.shape[1]), np.full(len(held), self.enough)
        chosen = np.zeros(held.shape, dtype=np.bool_)
        rows = np.arange(len(held))
        for j in range(held.shape[1]):
            rest = _best_sums(held[:, j + 1 :])
            after = np.clip(size - 1, 0, rest.shape[1] - 1)
            taken = (size > 0) & (held[:, j] + rest[rows, after] >= left)
            taken &= size - 1 <= rest.shape[1] - 1
            chosen[:, j] = taken
            size, left = size - taken, left - np.where(taken, held[:, j], 0)
        return chosen

    def _said(
        self, j: int, bits: Bools, held: Ints, chosen: Bools, spare: Ints, found: Bools
    ) -> Ints:
        """Say what is needed about one criterion; return the points that are spare after it."""
        wanted, said = held - spare, np.zeros(len(held), dtype=np.intp)
        settled = ~chosen
        for literal in self._spans[j]:
            holds = bits[:, literal] & ~settled
            said += holds * self.points[literal]
            found[:, literal] = done = holds & (said >= wanted)
            settled = settled | done
        return np.where(chosen, spare - (held - said), spare)

    def cheapest(self, states: Masks, prices: Floats) -> tuple[Floats, Masks]:
        """Find the cheapest change of each state that flips the verdict.

        Notes
        -----
        O(n L S) for n states, L literals and S points: the least price of giving up r points of
        the first criteria, for every r.
        """
        keys, found = np.full(len(states), IMPOSSIBLE), np.zeros_like(states)
        size = (int(self.points.sum()) + 2) * max(1, self.chains.n_criteria)
        step = max(1, _ENTRIES // size)
        for start in range(0, len(states), step):
            rows = slice(start, start + step)
            keys[rows], found[rows] = self._knapsack(states[rows], prices[rows])
        return keys, found

    def _knapsack(self, states: Masks, prices: Floats) -> tuple[Floats, Masks]:
        bits = unpack(states, self.chains.n_literals)
        amounts, need = self._amounts(bits), self._need(bits)
        prices = np.where(bits & (prices < IMPOSSIBLE), prices, np.inf)
        left = np.arange(int(need.max(initial=0)) + 1)
        least = np.where(left > 0, np.inf, np.zeros((len(states), 1)))
        choices = []
        for span in self._spans:
            least, choice = _with_criterion(least, span, amounts, prices)
            choices.append(choice)
        rows = np.arange(len(states))
        keys = least[rows, need]
        turned = np.zeros_like(bits)
        need = np.where(np.isfinite(keys), need, 0)
        for choice in reversed(choices):
            literal = choice[rows, need]
            hit = (literal >= 0) & (need > 0)
            turned[rows[hit], literal[hit]] = True
            need = np.where(hit, np.maximum(need - amounts[rows, literal], 0), need)
        return np.where(np.isfinite(keys), keys, IMPOSSIBLE), pack(turned)

    def _need(self, bits: Bools) -> Ints:
        """So many points have to change sides."""
        need: Ints = self._held(bits).sum(axis=1) - self.enough + 1
        return np.maximum(need, 0)

    def _amounts(self, bits: Bools) -> Ints:
        """Points that change sides with each literal, as it takes others of its criterion along."""
        # Who gives up a level gives up those beyond it; who gains one gains those before it.
        values = bits * self.points
        result = np.zeros_like(values)
        for span in self._spans:
            order = list(span)[::-1]
            result[:, order] = np.cumsum(values[:, order], axis=1)
        return result

    def changes(self, state: Masks, prices: Floats) -> Iterator[tuple[float, Masks, Masks]]:
        """Yield the minimal changes of one state that flip the verdict, cheapest first.

        Best first: what the criteria that are left can do at best is known exactly.
        """
        bits = unpack(state[None], self.chains.n_literals)
        amounts, need = self._amounts(bits)[0], int(self._need(bits)[0])
        options = [
            [j for j in span[::-1] if bits[0, j] and prices[j] < IMPOSSIBLE] for span in self._spans
        ]
        bounds = self._bounds(bits, amounts, prices, need)
        ticket = count()
        heap: list[tuple[float, int, int, int, tuple[int, ...]]] = []

        def put(paid: float, j: int, left: int, chosen: tuple[int, ...]) -> None:
            total = paid + float(bounds[j][left])
            if total < IMPOSSIBLE:
                heappush(heap, (total, next(ticket), j, left, chosen))

        put(0.0, len(options), need, ())
        while heap:
            total, _, j, left, chosen = heappop(heap)
            if left == 0:
                if self._is_minimal(bits[0], amounts, need, chosen):
                    yield (total, *self._turned(bits, chosen))
                continue
            paid = sum(float(prices[literal]) for literal in chosen)
            put(paid, j - 1, left, chosen)
            for literal in options[j - 1]:
                more = max(left - int(amounts[literal]), 0)
                put(paid + float(prices[literal]), j - 1, more, (*chosen, literal))

    def _bounds(self, bits: Bools, amounts: Ints, prices: Floats, need: int) -> list[Floats]:
        """Least price of so many points with none, the first, the first two, … criteria."""
        left = np.arange(need + 1)
        least = np.where(left > 0, np.inf, 0.0)[None]
        allowed = np.where(bits & (prices < IMPOSSIBLE), prices, np.inf)
        bounds = [least[0]]
        for span in self._spans:
            least, _ = _with_criterion(least, span, amounts[None], allowed)
            bounds.append(least[0])
        return bounds

    def _is_minimal(self, bits: Bools, amounts: Ints, need: int, chosen: tuple[int, ...]) -> bool:
        """Tell whether no criterion could change less."""
        together = sum(int(amounts[literal]) for literal in chosen)
        # A literal less: what it takes along beyond itself still changes.
        return all(together - int(self.points[literal]) < need for literal in chosen)

    def _turned(self, bits: Bools, chosen: tuple[int, ...]) -> tuple[Masks, Masks]:
        """The literals that are chosen, and all that change with them."""
        turn = np.zeros_like(bits)
        turn[0, list(chosen)] = True
        packed = pack(turn)
        wide = self.chains.raised(packed) if self.accepted else self.chains.closed(packed)
        return packed[0], (wide & pack(bits))[0]


def _best_sums(held: Ints) -> Ints:
    """Most points of 0, 1, … criteria: shape (n, m + 1)."""
    falling = -np.sort(-held, axis=1)
    none = np.zeros((len(held), 1), dtype=np.intp)
    return np.concatenate([none, np.cumsum(falling, axis=1)], axis=1)


def _with_criterion(
    least: Floats, span: range, amounts: Ints, prices: Floats
) -> tuple[Floats, Ints]:
    """Least price of each number of points if one more criterion may change, and its literal."""
    best, choice = least.copy(), np.full(least.shape, -1, dtype=np.intp)
    left = np.arange(least.shape[1])
    for literal in span[::-1]:
        before = np.maximum(left - amounts[:, literal, None], 0)
        price = np.take_along_axis(least, before, axis=1) + prices[:, literal, None]
        better = price < best
        best, choice = np.where(better, price, best), np.where(better, literal, choice)
    return best, choice
