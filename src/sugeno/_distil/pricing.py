"""The best rules for given gains: all pairs of literals by one matrix product, then a beam.

With Z the 0/1 matrix of literals by open patterns, Z diag(g) Z' holds the gain of every single
literal on its diagonal and of every pair beside it. The best pairs are multiplied by all literals
for triples, the best triples for sets of four. Every value is exact; only which pairs and triples
are extended is a choice.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sugeno._distil.patterns import SoftPatterns

__all__ = ["Pricer"]


class Pricer:
    """Price all rules of at most `max_criteria` criteria on a residual.

    Parameters
    ----------
    patterns : SoftPatterns
        Literals by patterns.
    max_criteria : int
        Largest number of criteria in a rule.
    beam : int
        How many of the best pairs (triples) are extended by every literal.
    """

    def __init__(self, patterns: SoftPatterns, max_criteria: int, beam: int) -> None:
        self._by_pattern = np.ascontiguousarray(patterns.reached.T)
        self._criteria = patterns.criteria
        self._max_criteria = max_criteria
        self._beam = beam
        apart = self._criteria[:, None] < self._criteria
        if max_criteria == 1:
            apart[:] = False
        np.fill_diagonal(apart, True)
        self._pairs = np.flatnonzero(apart)
        self._gains: NDArray[np.float32] = np.zeros_like(patterns.gains)
        self._value: NDArray[np.float32] = np.zeros(apart.shape, dtype=np.float32)

    def best_rules(
        self, gains: NDArray[np.float32], keep: int
    ) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
        """Return the `keep` rules of highest total gain, best first.

        Parameters
        ----------
        gains : ndarray of shape (n_patterns,)
            Whole numbers; zero for patterns that are covered already.
        keep : int
            Number of rules wanted.

        Returns
        -------
        values : ndarray of shape (at most keep,)
        rules : ndarray of intp, shape (at most keep, max(max_criteria, 2))
            Literals of each rule; a short rule repeats its last literal.

        Notes
        -----
        O(L² u) for L literals and u open patterns, and O(beam L u) for each further criterion.
        """
        value = self._pair_values(gains)
        best, rules = _highest(value, self._pairs, max(self._beam, keep))
        open_ = np.flatnonzero(gains)
        reached, gains = self._by_pattern.take(open_, axis=0), gains[open_, None]
        for _ in range(2, self._max_criteria):
            longer = self._extend(reached, gains, rules[: self._beam], keep)
            # Repeating the last literal leaves a shorter rule as it is.
            rules = np.concatenate([np.column_stack([rules, rules[:, -1]]), longer[1]])
            best = np.concatenate([best, longer[0]])
            # Stable: of equals the shorter rule comes first.
            order = np.argsort(-best, kind="stable")
            best, rules = best[order], rules[order]
        chosen = self._diverse(rules)[:keep]
        return best[chosen], rules[chosen]

    def _pair_values(self, gains: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the gain of every pair of literals."""
        if np.count_nonzero(gains != self._gains) > np.count_nonzero(gains):
            self._gains = np.zeros_like(gains)
            self._value = np.zeros_like(self._value)
        # From one residual to the next few gains change; sums of whole numbers are exact.
        changed = np.flatnonzero(gains != self._gains)
        reached = self._by_pattern.take(changed, axis=0)
        change = gains[changed] - self._gains[changed]
        self._value += (reached.T * change) @ reached
        self._gains = gains
        return self._value

    def _diverse(self, rules: NDArray[np.intp]) -> NDArray[np.intp]:
        """Order rules so that the best of each set of criteria come first."""
        # Neighbouring levels make near copies; other criteria are what exchanges lack.
        criteria = np.sort(self._criteria[rules], axis=1)
        code = criteria @ (self._criteria[-1] + 1) ** np.arange(criteria.shape[1])
        is_other = np.ones(len(rules), dtype=bool)
        is_other[np.unique(code, return_index=True)[1]] = False
        return np.argsort(is_other, kind="stable")

    def _extend(
        self,
        reached: NDArray[np.float32],
        gains: NDArray[np.float32],
        rules: NDArray[np.intp],
        keep: int,
    ) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
        """Add to each rule each literal of another criterion, and return the best results."""
        cover = gains * reached.take(rules[:, 0], axis=1)
        for literals in rules[:, 1:].T:
            cover *= reached.take(literals, axis=1)
        value = cover.T @ reached
        taken = (self._criteria[rules][:, :, None] == self._criteria).any(axis=1)
        found, place = _highest(value, np.flatnonzero(~taken), max(self._beam, keep))
        return found, np.column_stack([rules[place[:, 0]], place[:, 1]])


def _highest(
    value: NDArray[np.floating[Any]], allowed: NDArray[np.intp], keep: int
) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
    """Return the highest of the allowed entries of a table with their places, ties by place."""
    # Value and place in one number: no ties are left for argpartition to break as it pleases.
    key = allowed - value.ravel()[allowed].astype(np.float64) * value.size
    if keep < len(key):
        top = np.argpartition(key, keep - 1)[:keep]
        allowed, key = allowed[top], key[top]
    chosen = allowed[np.argsort(key)]
    places = np.column_stack(np.unravel_index(chosen, value.shape))
    return value.ravel()[chosen].astype(np.float64), places
