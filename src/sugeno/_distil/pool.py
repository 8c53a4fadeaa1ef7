"""A growing pool of good rules, and moves within it.

Most moves of the search exchange rules that were met before. With the covers of the pool in one
matrix, the gain of every addition and every exchange follows from one product with the open
patterns and the patterns that each chosen rule covers alone. The covers are kept twice: by rule,
to look at the chosen ones, and by pattern, to multiply with those patterns that matter.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sugeno._distil.patterns import SoftPatterns
from sugeno.solvers.exclusive_coverage import ExclusiveCoverage

__all__ = ["Pool"]

Chosen = tuple[int, ...]


class Pool:
    """Rules with pairwise different covers.

    Parameters
    ----------
    patterns : SoftPatterns
        What the rules cover.
    """

    def __init__(self, patterns: SoftPatterns) -> None:
        self._patterns = patterns
        self._covers = np.empty((256, len(patterns.gains)), dtype=np.bool_)
        self._by_pattern = np.zeros((len(patterns.gains), 256), dtype=np.float32)
        self._place: dict[bytes, int] = {}
        self._coverage = ExclusiveCoverage(patterns.gains)
        self.rules: list[tuple[int, ...]] = []

    @property
    def covers(self) -> NDArray[np.bool_]:
        """Which rules cover which patterns."""
        return self._covers[: len(self.rules)]

    def add(self, rules: NDArray[np.intp]) -> list[int]:
        """Add rules (one per line) and return their places; of equal covers the
        shortest rule stays.
        """
        reached = self._patterns.reached[rules[:, 0]]
        for column in rules[:, 1:].T:
            reached = reached * self._patterns.reached[column]
        covers = reached.astype(np.bool_)
        keys = np.packbits(covers, axis=1)
        before = len(self.rules)
        places = [
            self._add_one(r, c, k.tobytes()) for r, c, k in zip(rules, covers, keys, strict=True)
        ]
        new = slice(before, len(self.rules))
        self._by_pattern[:, new] = self._covers[new].T
        return places

    def _add_one(self, rule: NDArray[np.intp], cover: NDArray[np.bool_], key: bytes) -> int:
        place = self._place.setdefault(key, len(self.rules))
        literals = tuple(sorted({int(i) for i in rule}))
        if place == len(self.rules):
            if place == len(self._covers):
                self._covers = np.concatenate([self._covers, np.empty_like(self._covers)])
                twice = [self._by_pattern, np.zeros_like(self._by_pattern)]
                self._by_pattern = np.concatenate(twice, axis=1)
            self._covers[place] = cover
            self.rules.append(literals)
        elif len(literals) < len(self.rules[place]):
            self.rules[place] = literals
        return place

    def gain(self, chosen: Chosen) -> float:
        """Return the total gain of the patterns that the chosen rules cover."""
        covered = self.covers[list(chosen)].any(axis=0)
        return float(self._patterns.gains @ covered.astype(np.float32))

    def open_gains(self, chosen: Chosen) -> NDArray[np.float32]:
        """Return the gains of the patterns that no chosen rule covers, zero elsewhere."""
        covered = self.covers[list(chosen)].any(axis=0)
        return np.where(covered, np.float32(0), self._patterns.gains)

    def covered_gains(self, gains: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the total of the given gains over what each rule of the pool covers."""
        total: NDArray[np.float32] = (gains @ self._by_pattern)[: len(self.rules)]
        return total

    def additions(self, chosen: Chosen) -> NDArray[np.float32]:
        """Return what each rule of the pool would add to the chosen ones."""
        return self.covered_gains(self.open_gains(chosen))

    def exchanges(self, chosen: Chosen) -> NDArray[np.float32]:
        """Return what replacing chosen rule c by pool rule q would add: entry (q, c).

        With O the open patterns and S_c those that only c covers, it is
        g(q ∩ O) + g(q ∩ S_c) − g(S_c).
        """
        shares = self._coverage.shares(self.covers, self._by_pattern, chosen)
        own = shares[np.arange(len(chosen)), list(chosen)]
        value: NDArray[np.float32] = (shares[:-1] + shares[-1] - own[:, None]).T
        return value
