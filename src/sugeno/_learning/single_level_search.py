"""One level per criterion, learned together with the family: binary utilities (section 3).

With one literal per criterion a classifier is a monotone Boolean function of "criterion j reaches
its level". Levels and function are learned in turns: all levels but one stay, the one moves to
where the best function makes the fewest errors, until no move helps. Each look costs one run of
the solver on the patterns that the levels make of the rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sugeno._counts.patterns import Patterns
from sugeno._counts.source import Source
from sugeno._counts.weights import RowWeights
from sugeno._learning.levels import cut_points
from sugeno._scales.literals import Literals
from sugeno._sets.chains import Chains
from sugeno._sets.masks import pack, unpack
from sugeno.solvers.base import Solution

__all__ = ["single_levels"]

Places = NDArray[np.intp]
Solve = Callable[[Patterns], Solution]


def single_levels(
    source: Source,
    literals: Literals,
    solve: Solve,
    is_over: Callable[[], bool] = lambda: False,
) -> Literals:
    """Choose one of several literals of each criterion.

    Parameters
    ----------
    source : Source
        Counts of the training rows.
    literals : Literals
        The levels to choose from.
    solve : callable
        Solver that says how many errors the best family makes on given patterns.
    is_over : callable
        Asked before each look; ends the search.

    Returns
    -------
    Literals
        One for each criterion that has any.

    Notes
    -----
    A local optimum: no single level can be moved to make fewer errors. Starts from the level at
    which each criterion alone separates the classes best, and from the middle levels.
    """
    rows = _RowsOnChains.of(source, literals)
    best, fewest = None, np.inf
    for start in rows.starts(source, literals):
        chosen, errors = _descend(rows, start, solve, is_over)
        if errors < fewest:
            best, fewest = chosen, errors
    offsets = np.concatenate([[0], np.cumsum(literals.chains.sizes)[:-1]]).astype(np.intp)
    present = np.array(literals.chains.sizes) > 0
    return literals.chosen((offsets + (rows.middle if best is None else best))[present])


def _descend(
    rows: _RowsOnChains, start: Places, solve: Solve, is_over: Callable[[], bool]
) -> tuple[Places, float]:
    """Move one level at a time to its best place, until none moves."""
    chosen, errors = start.copy(), solve(rows.patterns_at(start)).objective
    idle, j = 0, 0
    while idle < len(rows.sizes) and not is_over():
        moved = False
        for place in range(rows.sizes[j]):
            trial = chosen.copy()
            trial[j] = place
            if place == chosen[j] or is_over():
                continue
            found = solve(rows.patterns_at(trial)).objective
            if found < errors:
                chosen, errors, moved = trial, found, True
        idle = 0 if moved else idle + 1
        j = (j + 1) % len(rows.sizes)
    return chosen, errors


@dataclass(frozen=True)
class _RowsOnChains:
    """Rows as places on the chains of all candidate levels; equal rows are merged."""

    reached: NDArray[np.intp]
    codes: NDArray[np.intp]
    weights: RowWeights
    sizes: tuple[int, ...]

    @classmethod
    def of(cls, source: Source, literals: Literals) -> _RowsOnChains:
        patterns = source.patterns(literals, priced=True)
        bits = unpack(patterns.masks, patterns.n_literals).astype(np.intp)
        ends = np.cumsum((0, *patterns.chains.sizes))
        running = np.concatenate([np.zeros((len(bits), 1), np.intp), bits.cumsum(axis=1)], axis=1)
        reached = running[:, ends[1:]] - running[:, ends[:-1]]
        weight = np.concatenate([patterns.negative, patterns.positive])
        codes = np.repeat([0, 1], len(bits))
        kept = weight > 0
        weights = RowWeights(weight[kept], int(kept.sum()), patterns.unit)
        return cls(
            np.concatenate([reached, reached])[kept], codes[kept], weights, patterns.chains.sizes
        )

    @property
    def middle(self) -> Places:
        """The middle level of each criterion."""
        return np.array([max(0, (size - 1) // 2) for size in self.sizes], dtype=np.intp)

    def starts(self, source: Source, literals: Literals) -> Iterator[Places]:
        """Levels to begin with."""
        yield self._alone(source, literals)
        yield self.middle

    def _alone(self, source: Source, literals: Literals) -> Places:
        """For each criterion the level nearest to its best cut when it is looked at alone."""
        result = self.middle
        for j, criterion in enumerate(literals.criteria):
            mine = np.flatnonzero(literals.columns == j)
            counts = source.value_counts(j, by_class=True)
            if mine.size and counts.values.size > 1:
                cut = int(cut_points(counts, criterion.direction, 1)[0])
                goal = counts.values[cut + 1] if criterion.direction > 0 else counts.values[cut]
                result[j] = int(np.argmin(np.abs(literals.better[mine] - goal)))
        return result

    def patterns_at(self, chosen: Places) -> Patterns:
        """Patterns when criterion j has the level of number ``chosen[j]``."""
        present = np.array(self.sizes) > 0
        rows = pack((self.reached > chosen)[:, present])
        chains = Chains.single(int(present.sum()))
        return Patterns.from_rows(rows, self.codes, self.weights, chains)
