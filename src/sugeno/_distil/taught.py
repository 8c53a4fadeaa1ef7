"""What the search for points sees: patterns of literals, with weights and targets in whole numbers.

A row matters only through the number of levels that it reaches on each criterion, so equal rows
are merged. Sums over patterns are exact, so that no result depends on the order of rows.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sugeno._distil.curves import Counts, saved_at
from sugeno._distil.patterns import (
    distinct_steps,
    reached_literals,
    steps_reached,
    told_apart,
)

__all__ = ["TaughtPatterns", "merge_targets"]

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
Bools = NDArray[np.bool_]

#: Parts of all weights together: float64 sums them exactly.
_PARTS = 2.0**44


@dataclass(frozen=True, eq=False)
class TaughtPatterns:
    """Distinct patterns with what they weigh, and what of it should pass each boundary.

    Attributes
    ----------
    steps : ndarray of intp, shape (n_lines, n_patterns)
        How many of the levels of each criterion that has any the pattern reaches.
    weight : ndarray of shape (n_patterns,)
        Whole numbers, which float64 sums exactly.
    wanted : ndarray of shape (B, n_patterns)
        Whole numbers, none greater than the weight.
    criteria, literals : ndarray of intp, shape (n_literals,)
        As in `SoftPatterns`.
    saved : ndarray of shape (B + 1, B)
        As in `Counts`.
    """

    steps: Ints
    weight: Floats
    wanted: Floats
    criteria: Ints
    literals: Ints
    saved: Floats

    @cached_property
    def _lines(self) -> Ints:
        """Line of each literal among the criteria that have levels."""
        return np.searchsorted(np.unique(self.criteria), self.criteria)

    @cached_property
    def _weaker(self) -> Ints:
        """How many weaker literals of its criterion stand before each literal."""
        return np.arange(len(self.criteria)) - np.searchsorted(self.criteria, self.criteria)

    @cached_property
    def _cells(self) -> Ints:
        """Place of each pattern on each line, in one numbering of the places on all lines."""
        sizes = np.bincount(self._lines, minlength=len(self.steps)) + 1
        first: Ints = np.cumsum(sizes) - sizes
        return self.steps + first[:, None]

    def reaches(self, literal: int) -> Bools:
        """Tell which patterns reach a literal."""
        reached: Bools = self.steps[self._lines[literal]] > self._weaker[literal]
        return reached

    def scores(self, points: Ints) -> Ints:
        """Points of each pattern."""
        result = np.zeros(len(self.weight), dtype=np.intp)
        for j in np.flatnonzero(points).tolist():
            result += points[j] * self.reaches(j)
        return result

    def counted(self, scores: Ints) -> Counts:
        """Weights by score."""
        weight, *wanted = (_summed(scores, sums) for sums in (self.weight, *self.wanted))
        return Counts(weight[None], np.stack(wanted)[:, None], self.saved)

    def moved(self, scores: Ints, free: Ints, most: int) -> Counts:
        """Weights by score if the patterns that reach a literal had 1, …, `most` points more.

        Parameters
        ----------
        scores : ndarray of intp, shape (n_patterns,)
            Their points.
        free : ndarray of intp
            The literals, each of them on its own.
        most : int
            Largest number of points.

        Returns
        -------
        Counts
            All literals with one point, then all with two, and so on.
        """
        n_scores = int(scores.max(initial=0)) + 1
        place = self._cells * n_scores + scores
        tables = [
            self._moved(place, scores, sums, free, most, n_scores)
            for sums in (self.weight, *self.wanted)
        ]
        return Counts(tables[0], np.stack(tables[1:]), self.saved)

    def _moved(
        self,
        place: Ints,
        scores: Ints,
        sums: Floats,
        free: Ints,
        most: int,
        n_scores: int,
    ) -> Floats:
        n_cells = len(self.criteria) + len(self.steps)
        spread = np.broadcast_to(sums, place.shape).ravel()
        table = _summed(place.ravel(), spread, n_cells * n_scores)
        # From each place on a line to the end of all lines, and to the end of the line.
        beyond = np.zeros((n_cells + 1, n_scores))
        beyond[:-1] = np.cumsum(table.reshape(n_cells, n_scores)[::-1], axis=0)[::-1]
        line = self._lines[free]
        ends = np.cumsum(np.bincount(self._lines, minlength=len(self.steps)) + 1)
        reached = beyond[free + line + 1] - beyond[ends[line]]
        result = np.zeros((most, len(free), n_scores + most))
        result[:, :, :n_scores] = _summed(scores, sums, n_scores) - reached
        for points in range(1, most + 1):
            result[points - 1, :, points : points + n_scores] += reached
        return result.reshape(most * len(free), -1)


def _summed(places: Ints, weights: Floats, n_places: int = 0) -> Floats:
    """Add up the weights at each place."""
    sums: Floats = np.bincount(places, weights, minlength=n_places).astype(np.float64, copy=False)
    return sums


def merge_targets(
    X: Floats,
    weight: Floats,
    target: Floats,
    criteria: Ints,
    levels: Floats,
    saved: Floats | None = None,
) -> TaughtPatterns:
    """Merge rows that reach the same literals, and add their weights exactly.

    Parameters
    ----------
    X : ndarray of shape (n_rows, n_criteria)
        Oriented table: higher is better.
    weight : ndarray of shape (n_rows,)
        Weights of the rows, together about one.
    target : ndarray of shape (n_rows,) or (B, n_rows)
        How likely each row passes each boundary, from 0 to 1.
    criteria, levels : ndarray of shape (n_literals,)
        The literals "criterion reaches level", sorted by criterion, then level.
    saved : ndarray of shape (B + 1, B), optional
        What it saves that a row of each class passes each boundary; by default rows should pass
        what they are likelier to pass than not.

    Returns
    -------
    TaughtPatterns

    Notes
    -----
    O(n log n) for sorting.
    """
    steps, order, starts = distinct_steps(steps_reached(X, criteria, levels))
    literals = told_apart(reached_literals(steps, criteria), criteria)
    criteria, levels = criteria[literals], levels[literals]
    parts = weight * _PARTS
    whole = np.rint(np.vstack([parts, parts * target]))[:, order]
    weight, *wanted = np.add.reduceat(whole, starts, axis=1)
    steps = steps_reached(X[order[starts]], criteria, levels)
    saved = saved_at(0.5, len(wanted)) if saved is None else saved
    return TaughtPatterns(steps, weight, np.array(wanted), criteria, literals, saved)
