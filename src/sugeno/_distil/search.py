"""The best rule sets of every size: greedy by exact pricing, exchanges, restarts within a pool.

A pool of rules is collected by pricing: greedy runs that fear covering losses more or less, then
the residual of each good set without one of its rules. Within the pool sets are grown, shrunk and
improved by the best exchange, and shaken (some rules dropped, others drawn) to leave local optima.
The sets of neighbouring sizes start one another, so the whole path costs little more than its end.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from sugeno._distil.patterns import SoftPatterns
from sugeno._distil.pool import Chosen, Pool
from sugeno._distil.pricing import Pricer

__all__ = ["Effort", "PathSearch"]


@dataclass(frozen=True)
class Effort:
    """How long to search.

    Attributes
    ----------
    loss_multipliers : tuple of float
        Factors on losses in the greedy runs: larger ones prefer precise rules.
    first, keep : int
        Rules that the first pricing of a greedy run, and every other pricing, give to the pool.
    rounds : int
        How often the sets of all sizes are repriced.
    restarts : int
        Shakes of the set of each size, in each round.
    beam : int
        Pairs (triples) that pricing extends.
    """

    loss_multipliers: tuple[int, ...] = (1, 2, 3, 4, 8)
    first: int = 32
    keep: int = 4
    rounds: int = 1
    restarts: int = 8
    beam: int = 60


@dataclass
class PathSearch:
    """Search rule sets of 1 to `max_rules` rules over one table of patterns.

    Parameters
    ----------
    patterns : SoftPatterns
        Literals by patterns, with gains.
    max_rules, max_criteria : int
        Limits on rules, and on criteria in a rule.
    effort : Effort
        How long to search.
    seed : int
        Of the draws in restarts.
    constant : float
        Gain of the empty set, added to every set of the path.
    out_of_time : callable
        Asked between two steps; ends the search with what it has, a first rule at least.
    """

    patterns: SoftPatterns
    max_rules: int
    max_criteria: int
    effort: Effort = Effort()
    seed: int = 0
    constant: float = 0.0
    out_of_time: Callable[[], bool] = lambda: False
    pool: Pool = field(init=False)
    best: list[tuple[float, Chosen]] = field(init=False)

    def __post_init__(self) -> None:
        self.pool = Pool(self.patterns)
        self._pricer = Pricer(self.patterns, self.max_criteria, self.effort.beam)
        self._rng = np.random.default_rng(self.seed)
        self._priced: set[Chosen] = set()
        # A set of r rules may hold one twice: an idle place that exchanges can fill.
        self.best = [(0.0, ()), *([(-np.inf, ())] * self.max_rules)]

    def start(self) -> None:
        """Fill the pool by greedy runs, and make a first path of it."""
        if self.is_empty:
            return
        first, *others = self.effort.loss_multipliers
        runs = [self._collect(first)]
        runs += [self._collect(fear) for fear in others if not self.out_of_time()]
        for greedy in runs:
            for size in self._sizes_up_to(self.max_rules):
                if size == 1 or not self.out_of_time():
                    self._descend(greedy[:size])
        self._grow(self.max_rules)

    def refine(self, limit: int) -> None:
        """Improve sets of up to `limit` rules by new rules, restarts and their neighbours."""
        if self.is_empty:
            return
        limit = min(limit, self.max_rules)
        steps = [self._reprice, self._grow, self._shake, self._shrink] * self.effort.rounds
        for step in [*steps, self._reprice, self._grow]:
            if self.out_of_time():
                return
            step(limit)

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to cover, or nothing to cover it with."""
        return len(self.patterns.gains) == 0 or len(self.patterns.criteria) == 0

    @staticmethod
    def _sizes_up_to(limit: int) -> list[int]:
        # Neighbouring sizes share most of their rules: every other one is enough.
        return [size for size in range(1, limit + 1) if size < 4 or size % 2 or size == limit]

    def _fearful(self, fear: int) -> NDArray[np.float32]:
        """Return gains in which losses count `fear` times."""
        # Winnings are divided, not losses multiplied: sums must stay exact in float32.
        gains = self.patterns.gains
        return np.where(gains > 0, np.rint(gains / np.float32(fear)), gains)

    def _collect(self, fear: int) -> Chosen:
        """Fill the pool by a greedy run in which losses count `fear` times, and return it."""
        gains = self._fearful(fear)
        keep = max(self.effort.keep, self.effort.first)
        chosen: Chosen = ()
        while len(chosen) < self.max_rules and not (chosen and self.out_of_time()):
            values, rules = self._pricer.best_rules(gains, keep)
            if values[0] <= 0 and chosen:
                break
            chosen = (*chosen, self.pool.add(rules)[0])
            gains = np.where(self.pool.covers[chosen[-1]], np.float32(0), gains)
            keep = self.effort.keep
        return chosen

    def _grow(self, limit: int) -> None:
        """Let each set start the next larger one."""
        for size in range(1, limit + 1):
            if size > 1 and self.out_of_time():
                return
            start = self.best[size - 1][1]
            # Also where nothing is gained at once: exchanges may then find what is.
            self._descend((*start, int(np.argmax(self.pool.additions(start)))))
            self._descend(self.best[size][1])

    def _shrink(self, limit: int) -> None:
        """Let each set start the next smaller one."""
        for size in range(limit, 1, -1):
            chosen = self.best[size][1]
            rest = [chosen[:i] + chosen[i + 1 :] for i in range(len(chosen))]
            self._descend(max(rest, key=self.pool.gain))

    def _shake(self, limit: int) -> None:
        """Drop a few rules of each set, regrow on noisy and fearful gains, and descend."""
        for size in self._sizes_up_to(limit):
            for _ in range(self.effort.restarts):
                if self.out_of_time():
                    return
                chosen = self.best[size][1]
                n_dropped = int(self._rng.integers(1, min(3, size) + 1))
                kept = self._rng.permutation(size)[n_dropped:]
                self._descend(self._regrow(tuple(chosen[i] for i in kept), n_dropped))

    def _regrow(self, chosen: Chosen, n_added: int) -> Chosen:
        fear = int(self._rng.choice(self.effort.loss_multipliers))
        noise = self._rng.random(len(self.patterns.gains), dtype=np.float32)
        gains = np.rint(self._fearful(fear) * noise)
        covers = self.pool.covers
        gains[covers[list(chosen)].any(axis=0)] = 0
        for _ in range(n_added):
            chosen = (*chosen, int(np.argmax(self.pool.covered_gains(gains))))
            gains[covers[chosen[-1]]] = 0
        return chosen

    def _reprice(self, limit: int) -> None:
        """Price what each set leaves open without one of its rules."""
        for size in self._sizes_up_to(limit):
            chosen = self.best[size][1]
            for i in range(size):
                if self.out_of_time():
                    return
                self._price(chosen[:i] + chosen[i + 1 :])

    def _price(self, chosen: Chosen) -> None:
        chosen = tuple(sorted(set(chosen)))
        if chosen not in self._priced:
            self._priced.add(chosen)
            gains = self.pool.open_gains(chosen)
            self.pool.add(self._pricer.best_rules(gains, self.effort.keep)[1])

    def _descend(self, chosen: Chosen) -> None:
        """Make the best exchange while it gains, then note the set at its size."""
        while True:
            value = self.pool.exchanges(chosen)
            place, out = divmod(int(np.argmax(value)), len(chosen))
            if value[place, out] <= 0:
                break
            chosen = (*chosen[:out], place, *chosen[out + 1 :])
        self._note(self.pool.gain(chosen), chosen)

    def _note(self, gain: float, chosen: Chosen) -> None:
        if gain > self.best[len(chosen)][0]:
            self.best[len(chosen)] = (gain, chosen)

    def path(self) -> list[tuple[float, Chosen]]:
        """Return gain and rules (places in the pool) of the best set of each size found.

        Entry r has at most r rules, none of which adds nothing, and no less gain than the
        entry before.
        """
        path: list[tuple[float, Chosen]] = []
        for gain, chosen in self.best[:1] if self.is_empty else self.best:
            for place in sorted(set(chosen)):
                without = tuple(i for i in chosen if i != place)
                if self.pool.gain(without) >= gain:
                    gain, chosen = self.pool.gain(without), without
            if not path or gain > path[-1][0]:
                path.append((gain, chosen))
            else:
                path.append(path[-1])
        return [(gain + self.constant, chosen) for gain, chosen in path]
