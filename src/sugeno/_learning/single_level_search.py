"""One level per criterion, learned together with the family: binary utilities (section 3).

With one literal per criterion a classifier is a monotone Boolean function of "criterion j reaches
its level". Levels and function are learned in turns: all levels but one stay, the one moves to
where the best function makes the fewest errors, until no move helps. Each look costs one run of
the solver on the patterns that the levels make of the rows.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from sugeno._counts.patterns import Patterns
from sugeno._counts.source import Source
from sugeno._counts.weights import RowWeights
from sugeno._learning.levels import ReachedLevels, cut_points
from sugeno._scales.literals import Literals
from sugeno._sets.masks import unpack
from sugeno.solvers.base import Solution

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
    sizes = np.array(literals.chains.sizes, dtype=np.intp)
    present = np.flatnonzero(sizes)
    rows, middle = _reached(source, literals, present), (sizes[present] - 1) // 2
    best, fewest = middle, np.inf
    for start in (_alone(source, literals, present, middle), middle):
        chosen, errors = _descend(rows, sizes[present], start, solve, is_over)
        if errors < fewest:
            best, fewest = chosen, errors
    return literals.chosen((np.cumsum(sizes) - sizes)[present] + best)


def _descend(
    rows: ReachedLevels,
    sizes: Places,
    start: Places,
    solve: Solve,
    is_over: Callable[[], bool],
) -> tuple[Places, float]:
    """Move one level at a time to its best place, until none moves."""
    chosen, errors = start.copy(), solve(rows.patterns_at(start)).objective
    idle, j = 0, 0
    while idle < sizes.size and not is_over():
        moved = False
        for place in range(sizes[j]):
            trial = chosen.copy()
            trial[j] = place
            if place == chosen[j] or is_over():
                continue
            found = solve(rows.patterns_at(trial)).objective
            if found < errors:
                chosen, errors, moved = trial, found, True
        idle = 0 if moved else idle + 1
        j = (j + 1) % sizes.size
    return chosen, errors


def _reached(source: Source, literals: Literals, present: Places) -> ReachedLevels:
    """The rows, by how many of its levels each criterion that has any reaches."""
    patterns = source.patterns(literals, priced=True)
    bits = unpack(patterns.masks, patterns.n_literals).astype(np.intp)
    reached = np.column_stack([bits[:, literals.columns == j].sum(axis=1) for j in present])
    weight = np.concatenate([patterns.negative, patterns.positive])
    kept = weight > 0
    return ReachedLevels(
        np.concatenate([reached, reached])[kept],
        np.repeat([0, 1], len(bits))[kept],
        RowWeights(weight[kept], int(kept.sum()), patterns.unit),
    )


def _alone(source: Source, literals: Literals, present: Places, middle: Places) -> Places:
    """For each criterion the level nearest to its best cut when it is looked at alone."""
    result = middle.copy()
    for place, j in enumerate(present.tolist()):
        counts = source.value_counts(j, by_class=True)
        if counts.values.size > 1:
            direction = literals.criteria[j].direction
            cut = int(cut_points(counts, direction, 1)[0])
            goal = counts.values[cut + 1] if direction > 0 else counts.values[cut]
            levels = literals.better[literals.columns == j]
            result[place] = int(np.argmin(np.abs(levels - goal)))
    return result
