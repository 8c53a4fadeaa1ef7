"""Levels of each criterion: where a literal may say "at least".

The paper reads every criterion at one quantile. Here each criterion has levels of its own: cut
points between neighbouring observed values, where the share of the positive class changes most.
They are numbers that a person would write, and no observed value lies on the wrong side of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import isotonic_regression

from sugeno._counts.patterns import Patterns
from sugeno._counts.source import Source
from sugeno._counts.weights import RowWeights
from sugeno._scales.criterion import Criterion
from sugeno._scales.dates import separating_date
from sugeno._scales.literals import Literals
from sugeno._scales.number import separating_number
from sugeno._scales.value_counts import ValueCounts
from sugeno._sets.chains import Chains
from sugeno._sets.masks import pack

Floats = NDArray[np.float64]
Places = NDArray[np.intp]

#: ``levels="all"`` takes every distinct value up to this many per criterion, else quantiles.
MOST_LEVELS = 64


def literals_between(source: Source, criteria: Sequence[Criterion], levels: int | str) -> Literals:
    """Literals at up to so many levels of each criterion for each boundary between classes.

    Parameters
    ----------
    source : Source
        Value counts of the training rows by class.
    criteria : sequence of Criterion
        The criteria with their directions.
    levels : int or "all"
        Number of levels per criterion and boundary, where the classes on either side of it part
        best; "all" takes every cut between distinct values, up to 64.

    Returns
    -------
    Literals
        None for a criterion that is constant, unless all are.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._counts.table import Table
    >>> from sugeno._counts.weights import row_weights
    >>> from sugeno._learning.levels import literals_between
    >>> from sugeno._scales.criterion import Criterion
    >>> X, y = np.array([[1.0], [2.0], [4.0], [8.0]]), np.array([0, 0, 1, 1])
    >>> table = Table.of(X, y, row_weights(None, 4))
    >>> literals_between(table, [Criterion("speed")], 1).texts
    ('speed >= 3',)
    """

    def cuts(j: int, criterion: Criterion) -> Cuts:
        counted = source.value_counts(j, by_class=True)
        places = [
            cut_points(counted.in_two(slice(b, None)), criterion.direction, levels)
            for b in range(1, counted.weights.shape[1])
        ]
        return Cuts.of(counted.values, np.unique(np.concatenate(places)))

    # One criterion after the other: all counts together may be larger than the table.
    return literals_at([cuts(j, criterion) for j, criterion in enumerate(criteria)], criteria)


def cut_points(counts: ValueCounts, direction: int, levels: int | str) -> Places:
    """Choose places to cut: place i lies between the distinct values i and i + 1, ascending.

    Cuts that isotonic regression of the class on the value does not make cannot separate the
    classes better than their neighbours do, so they are left out first; of the rest those stay
    whose loss would cost most in likelihood, found by merging neighbours one after the other.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._learning.levels import cut_points
    >>> from sugeno._scales.value_counts import ValueCounts
    >>> weights = np.array([[4, 0], [3, 1], [1, 3], [0, 4]])
    >>> cut_points(ValueCounts(np.arange(4.0), weights), 1, 1)
    array([1])
    """
    n_cuts = counts.values.size - 1
    if levels == "all":
        return _even_cuts(counts, min(n_cuts, MOST_LEVELS))
    wanted = int(levels)
    if n_cuts <= wanted:
        return np.arange(n_cuts)
    blocks = _isotonic_blocks(counts, direction)
    if len(blocks) - 1 < wanted:
        # The class says nothing more; further cuts split the rows evenly.
        steps = np.cumsum([size for size, _, _ in blocks])[:-1] - 1
        even = _even_cuts(counts, min(n_cuts, wanted))
        further = even[~np.isin(even, steps)][: wanted - steps.size]
        return np.sort(np.concatenate([steps, further])).astype(np.intp)
    return _merged(blocks, wanted)


def _even_cuts(counts: ValueCounts, wanted: int) -> Places:
    """Cuts that part the rows into shares as equal as the values allow."""
    n_cuts = counts.values.size - 1
    if n_cuts <= wanted:
        return np.arange(n_cuts)
    cumulative = counts.cumulative
    targets = cumulative[-1] * (np.arange(1, wanted + 1) / (wanted + 1))
    return np.unique(np.minimum(np.searchsorted(cumulative, targets), n_cuts - 1))


def _isotonic_blocks(counts: ValueCounts, direction: int) -> list[tuple[int, float, float]]:
    """Runs of values with the same isotonic share of the higher classes: size, won, lost."""
    won = counts.weights[:, 1:].sum(axis=1).astype(np.float64)
    weight = counts.total.astype(np.float64)
    fitted = isotonic_regression(won / weight, weights=weight, increasing=direction > 0)
    starts = fitted.blocks[:-1]
    sizes = np.diff(fitted.blocks)
    sums = np.add.reduceat(won, starts), np.add.reduceat(weight, starts)
    return [(int(n), w, t - w) for n, w, t in zip(sizes.tolist(), *(s.tolist() for s in sums))]


def _merged(blocks: list[tuple[int, float, float]], wanted: int) -> Places:
    """Merge the pair of neighbouring blocks that loses least until few enough cuts are left."""
    sizes = [size for size, _, _ in blocks]
    won = np.array([w for _, w, _ in blocks])
    lost = np.array([n for _, _, n in blocks])
    while len(sizes) - 1 > wanted:
        loss = (
            _information(won[:-1], lost[:-1])
            + _information(won[1:], lost[1:])
            - _information(won[:-1] + won[1:], lost[:-1] + lost[1:])
        )
        i = int(np.argmin(loss))
        won[i] += won[i + 1]
        lost[i] += lost[i + 1]
        sizes[i] += sizes.pop(i + 1)
        won, lost = np.delete(won, i + 1), np.delete(lost, i + 1)
    return np.cumsum(sizes)[:-1] - 1


def _information(won: Floats, lost: Floats) -> Floats:
    """Log-likelihood of blocks with so much weight in either class."""
    total = won + lost
    with np.errstate(divide="ignore", invalid="ignore"):
        parts = np.where(won > 0, won * np.log(won / total), 0.0)
        parts += np.where(lost > 0, lost * np.log(lost / total), 0.0)
    result: Floats = parts
    return result


@dataclass(frozen=True)
class Cuts:
    """Cuts between the observed values of a criterion.

    Attributes
    ----------
    below, above : ndarray of float64
        The values on both sides of each cut, ascending.
    least : float
        The least observed value.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._learning.levels import Cuts
    >>> Cuts.of(np.array([1.0, 2.0, 4.0]), np.array([1]))
    Cuts(below=array([2.]), above=array([4.]), least=1.0)
    """

    below: Floats
    above: Floats
    least: float

    @classmethod
    def of(cls, values: Floats, places: Places) -> Cuts:
        """Cut i lies between the values i and i + 1."""
        return cls(values[places], values[places + 1], float(values[0]))


def literals_at(cuts: Sequence[Cuts], criteria: Sequence[Criterion]) -> Literals:
    """Make literals of cuts between observed values; their levels are as short as they can be.

    Parameters
    ----------
    cuts : sequence of Cuts
        The cuts of each criterion.
    criteria : sequence of Criterion
        The criteria with their directions.

    Returns
    -------
    Literals
        The weakest literal of each criterion first. Where all criteria are constant, and nothing
        can be cut, "at least this value" and "more than it": what all rows reach, and what none
        does.
    """
    if not any(one.below.size for one in cuts):
        return _at_constants(cuts, criteria)
    columns: list[int] = []
    numbers: list[tuple[float, float, float]] = []
    for j, (one, criterion) in enumerate(zip(cuts, criteria, strict=True)):
        if criterion.direction > 0:
            pairs = list(zip(one.below.tolist(), one.above.tolist()))
        else:
            pairs = list(zip(one.above.tolist(), one.below.tolist()))[::-1]
        columns += [j] * len(pairs)
        numbers += [(level_between(criterion, *pair), *pair) for pair in pairs]
    levels, worse, better = np.array(numbers, dtype=np.float64).reshape(-1, 3).T
    return Literals(tuple(criteria), np.array(columns, np.intp), levels, worse, better)


def _at_constants(cuts: Sequence[Cuts], criteria: Sequence[Criterion]) -> Literals:
    """Two literals per criterion, at its only value and beyond it."""
    values = np.array([one.least for one in cuts])
    ends = np.inf * np.array([criterion.direction for criterion in criteria])
    levels = np.column_stack([values, np.nextafter(values, ends)])
    worse, better = np.column_stack([-ends, values]), np.column_stack([values, ends])
    columns = np.repeat(np.arange(len(criteria)), 2)
    return Literals(tuple(criteria), columns, levels.ravel(), worse.ravel(), better.ravel())


def level_between(criterion: Criterion, worse: float, better: float) -> float:
    """The number that people would choose between two values, on the side of the better one.

    The shortest one, of several the nearest to the middle; or the roundest date.

    Examples
    --------
    >>> from sugeno._learning.levels import level_between
    >>> from sugeno._scales.criterion import Criterion
    >>> level_between(Criterion("price", -1), 7.2, 5.5)
    6.0
    """
    if criterion.kind == "date":
        return separating_date(worse, better)
    return float(separating_number(worse, better, worse / 2 + better / 2))


@dataclass(frozen=True, eq=False)
class ReachedLevels:
    """How many of its candidate levels each criterion of a row reaches; equal rows are merged.

    Attributes
    ----------
    reached : ndarray of int of shape (n, m)
        So many levels, from the easiest on.
    codes : ndarray of shape (n,)
        Class of each row, of two.
    weights : RowWeights
        What an error on each row costs.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._counts.weights import row_weights
    >>> from sugeno._learning.levels import ReachedLevels
    >>> rows = ReachedLevels(np.array([[0, 2], [1, 1]]), np.array([0, 1]), row_weights(None, 2))
    >>> rows.patterns_at(0).masks.tolist(), rows.patterns_at(np.array([0, 1])).masks.tolist()
    ([[2], [3]], [[1], [2]])
    """

    reached: NDArray[Any]
    codes: NDArray[Any]
    weights: RowWeights

    def patterns_at(self, level: int | NDArray[np.intp]) -> Patterns:
        """Patterns where each criterion has the level of this number, or of a number of its own."""
        rows, chains = pack(self.reached > level), Chains.single(self.reached.shape[1])
        return Patterns.from_rows(rows, self.codes, self.weights, chains)
