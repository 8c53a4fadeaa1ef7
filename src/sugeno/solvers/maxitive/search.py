"""Local search for a good family of rules (docs/theory.md, 3).

The worth of a family is the net weight of what it covers, less what its rules cost. All
candidates are priced at once, for every possible replacement of a rule, by what they cover of the
patterns that each rule covers alone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sugeno.solvers.exclusive_coverage import ExclusiveCoverage, products

__all__ = ["Search"]

Floats = NDArray[np.float64]
Family = NDArray[np.intp]

#: So many truth values are turned into numbers once and for all; of more that takes much memory.
_FEW_CELLS = 1 << 24


@dataclass
class Search:
    """A family of candidates that covers as much net weight as possible.

    Attributes
    ----------
    covers : ndarray of bool of shape (K, D)
        Whether a candidate covers a pattern.
    value : ndarray of float64 of shape (D,)
        Net weight of each pattern.
    cost : ndarray of float64 of shape (K,)
        What each candidate costs as a rule.
    least, most : int
        Bounds on the number of rules.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno.solvers.maxitive.search import Search
    >>> covers = np.array([[1, 1, 0], [1, 0, 0], [0, 0, 1]], dtype=bool)
    >>> search = Search(covers, np.array([3.0, -2.0, 1.0]), np.zeros(3), 0, 3)
    >>> search.run(starts=[], target=4.0, rounds=5).tolist()
    [1, 2]
    """

    covers: NDArray[np.bool_]
    value: Floats
    cost: Floats
    least: int
    most: int
    _by_pattern: NDArray[Any] = field(init=False, repr=False)
    _coverage: ExclusiveCoverage = field(init=False, repr=False)

    def __post_init__(self) -> None:
        by_pattern = self.covers.T
        if by_pattern.size <= _FEW_CELLS:
            by_pattern = np.ascontiguousarray(by_pattern, dtype=np.float64)
        self._by_pattern = by_pattern
        self._coverage = ExclusiveCoverage(self.value)

    def worth(self, family: Family) -> float:
        """Net weight covered by the family, less its cost."""
        covered = self.covers[family].any(axis=0)
        return float(self.value[covered].sum() - self.cost[family].sum())

    def run(
        self,
        starts: list[Floats],
        target: float,
        rounds: int,
        out_of_time: Callable[[], bool] = lambda: False,
    ) -> Family:
        """Improve greedy families by swaps, then shake the best one ``rounds`` times.

        Parameters
        ----------
        starts : list of ndarray of shape (D,)
            Further views of the pattern values from which greedy families are built.
        target : float
            An upper bound on the worth; the search ends when it is reached.
        rounds : int
            How often the best family is shaken.
        out_of_time : callable
            Asked now and then; ends the search.

        Returns
        -------
        ndarray of intp
            Indices of the candidates in the best family found, ascending.
        """
        best, best_worth = np.empty(0, dtype=np.intp), -np.inf
        for view in [self.value, *(self._cautious(q) for q in (2.0, 4.0)), *starts]:
            family = self._improve(self._greedy(view, out_of_time), out_of_time)
            if (worth := self.worth(family)) > best_worth:
                best, best_worth = family, worth
            if best_worth >= target or out_of_time():
                return best
        # A fixed seed: the same data gives the same rules.
        random = np.random.default_rng(0)
        for _ in range(rounds):
            family = self._improve(self._shake(best, random), out_of_time)
            if (worth := self.worth(family)) > best_worth:
                best, best_worth = family, worth
            if best_worth >= target or out_of_time():
                break
        return best

    def _cautious(self, penalty: float) -> Floats:
        """Values under which covering a negative pattern weighs more: rules get precise."""
        return np.where(self.value < 0, penalty * self.value, self.value)

    def _greedy(self, view: Floats, out_of_time: Callable[[], bool]) -> Family:
        """Add the candidate of largest gain until none gains or time is up."""
        family: list[int] = []
        left = view.copy()
        while len(family) < self.most:
            gain = products(left, self._by_pattern) - self.cost
            best = int(np.argmax(gain))
            if len(family) >= self.least and (gain[best] <= 0 or (family and out_of_time())):
                break
            family.append(best)
            left[self.covers[best]] = 0.0
        return np.array(sorted(set(family)), dtype=np.intp)

    def _improve(self, family: Family, out_of_time: Callable[[], bool]) -> Family:
        """Drop, add and swap single rules while that increases the worth and time is left."""
        while True:
            if out_of_time():
                return family
            grown = self._best_move(family)
            if grown is None:
                return family
            family = grown

    def _best_move(self, family: Family) -> Family | None:
        """Best of all single drops, additions and swaps; None if none is an improvement."""
        shares = self._coverage.shares(self.covers, self._by_pattern, tuple(family.tolist()))
        # Line r: what candidates cover of what is open without rule r; the last line: now.
        gain = np.vstack([shares[:-1] + shares[-1], shares[-1:]]) - self.cost
        kept = shares[np.arange(len(family)), family] - self.cost[family]
        if len(family) >= self.most:
            gain[-1] = -np.inf
        enter = np.argmax(gain, axis=1)
        change = gain[np.arange(len(gain)), enter]
        change[:-1] -= kept
        drop = -kept if len(family) > self.least else np.full(len(family), -np.inf)
        move = int(np.argmax(change))
        tolerance = 1e-9 * (1.0 + np.abs(self.value).max(initial=0.0))
        if len(family) and drop.max() > max(tolerance, change[move]):
            return np.delete(family, int(np.argmax(drop)))
        if change[move] <= tolerance:
            return None
        stay = np.delete(family, move) if move < len(family) else family
        return np.union1d(stay, enter[move])

    def _shake(self, family: Family, random: np.random.Generator) -> Family:
        """Remove a few rules at random and put in a few others that would not lose much."""
        leave = random.random(len(family)) < 0.3
        stay = family[~leave]
        uncovered = ~self.covers[stay].any(axis=0)
        gain = products(self.value * uncovered, self._by_pattern) - self.cost
        room = min(2, self.most - len(stay))
        short_list = np.argsort(-gain, kind="stable")[: 4 + len(gain) // 4]
        enter = random.choice(short_list, size=min(room, len(short_list)), replace=False)
        return np.union1d(stay, enter)
