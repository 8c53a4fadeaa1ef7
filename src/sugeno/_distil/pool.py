"""A growing pool of good rules, and moves within it.

Most moves of the search exchange rules that were met before. With the covers of the pool in one
matrix, the gain of every addition and every exchange follows from one product with the open
patterns and the patterns that each chosen rule covers alone.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sugeno._distil.patterns import SoftPatterns

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
        self._covers = np.empty((256, len(patterns.gains)), dtype=np.float32)
        self._place: dict[bytes, int] = {}
        self.rules: list[tuple[int, ...]] = []

    @property
    def covers(self) -> NDArray[np.float32]:
        """0/1 matrix, rules by patterns."""
        return self._covers[: len(self.rules)]

    def add(self, rules: NDArray[np.intp]) -> list[int]:
        """Add rules (one per line) and return their places; of equal covers the
        shortest rule stays.
        """
        covers = self._patterns.reached[rules[:, 0]]
        for column in rules[:, 1:].T:
            covers = covers * self._patterns.reached[column]
        keys = np.packbits(covers.astype(bool), axis=1)
        return [
            self._add_one(r, c, k.tobytes()) for r, c, k in zip(rules, covers, keys, strict=True)
        ]

    def _add_one(self, rule: NDArray[np.intp], cover: NDArray[np.float32], key: bytes) -> int:
        place = self._place.setdefault(key, len(self.rules))
        literals = tuple(sorted({int(i) for i in rule}))
        if place == len(self.rules):
            if place == len(self._covers):
                self._covers = np.concatenate([self._covers, np.empty_like(self._covers)])
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

    def additions(self, chosen: Chosen) -> NDArray[np.float32]:
        """Return what each rule of the pool would add to the chosen ones."""
        return self.covers @ self.open_gains(chosen)

    def exchanges(self, chosen: Chosen) -> NDArray[np.float32]:
        """Return what replacing chosen rule c by pool rule q would add: entry (q, c).

        With O the open patterns and S_c those that only c covers, it is
        g(q ∩ (O ∪ S_c)) − g(S_c).
        """
        covers = self.covers[list(chosen)]
        counts = covers.sum(axis=0)
        gains = self._patterns.gains
        sole = covers * np.where(counts == 1, gains, np.float32(0))
        open_ = np.where(counts == 0, gains, np.float32(0))
        value: NDArray[np.float32] = self.covers @ (sole + open_).T - sole.sum(axis=1)
        return value
