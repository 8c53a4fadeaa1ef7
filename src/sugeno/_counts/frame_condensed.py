"""Ordinal tables of any length in one pass: the distinct rows, if there can only be few of them.

Where all criteria are whole numbers of small extents, a row is one number, whose bits are its
values. A group-by on this number and the class fetches all that a table holds, and what remains to
be asked is answered in memory. Where this would be too many rows, it still gives the values of a
few criteria at a time.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import accumulate
from operator import add
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from sugeno._counts.class_weights import cost_by_class
from sugeno._counts.frame import Frame
from sugeno._counts.frame_extents import Extents
from sugeno._counts.frame_values import counts_by_value
from sugeno._counts.table import Table
from sugeno._counts.weights import RowWeights

if TYPE_CHECKING:
    import narwhals as nw

__all__ = ["CondensedFrame", "condensed"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

#: At most so many distinct rows cross over, those of each class counted.
_MOST_ROWS = 1 << 20
#: At most so many distinct parts of rows do, where the rows are too many.
_MOST_PARTS = 1 << 16
#: Doubles hold whole numbers of so many bits exactly.
_MOST_BITS = 53


@dataclass(frozen=True)
class CondensedFrame(Table):
    """The distinct rows of a frame with their weights, in memory.

    Attributes
    ----------
    equal : bool
        Whether each row of the frame weighs one unit.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._counts.frame_condensed import CondensedFrame
    >>> from sugeno._counts.weights import RowWeights
    >>> weights = RowWeights(np.array([3, 4]), 2)
    >>> rows = CondensedFrame(np.array([[1.0], [2.0]]), np.array([0, 1]), weights, weights)
    >>> rows.priced((2, 1, 1.0)).costs.values
    array([6, 4])
    """

    equal: bool = True

    def priced(self, factors: tuple[int, int, float]) -> CondensedFrame:
        """Return the same rows where an error costs so many times their weight, by class."""
        prices, unit = cost_by_class(self.totals, factors, self.equal)
        by_row = np.array(prices, dtype=np.int64)[self.codes]
        costs = by_row if self.weights.values is None else by_row * self.weights.values
        return replace(self, costs=RowWeights(costs, costs.size, self.unit * unit))


def condensed(frame: Frame, extents: Extents) -> Frame | CondensedFrame:
    """Fetch the distinct rows if they are few; else count the values of several criteria at once.

    Parameters
    ----------
    frame : Frame
        Of which nothing has been asked yet.
    extents : Extents
        Of its criteria.

    Returns
    -------
    CondensedFrame or Frame
        The rows, after one pass; or the given frame, which knows some of its values then.
    """
    criteria = _packable(frame, extents)
    every = _Packing(criteria, extents)
    if len(criteria) == frame.n_criteria and every.fits(_MOST_ROWS // frame.totals.size):
        rows = _fetched_rows(frame, every)
        # The frame has words for rows without any value.
        return frame if np.isnan(rows.X).all(axis=1).any() else rows
    without_gaps = [j for j in criteria if not extents.missing[j]]
    for block in _blocks(without_gaps, extents, _MOST_PARTS // frame.totals.size):
        _count_values(frame, block)
    return frame


def _packable(frame: Frame, extents: Extents) -> list[int]:
    """Criteria of whole numbers, neither too many nor missing without a meaning."""
    found = zip(extents.sizes, extents.missing.tolist())
    return [
        j
        for j, (size, missing) in enumerate(found)
        if size is not None and size <= frame.max_values
        if not missing or frame.missing != "error"
    ]


@dataclass(frozen=True)
class _Packing:
    """Values of some criteria as the bits of one whole number.

    The bits of a criterion say by how much a value exceeds the least one. All other values, and
    none, are one number more, which no value has.
    """

    criteria: Sequence[int]
    extents: Extents

    @property
    def _sizes(self) -> list[int]:
        return [self.extents.sizes[j] or 0 for j in self.criteria]

    @property
    def _ends(self) -> list[int]:
        """Where the bits of each criterion end."""
        return list(accumulate(size.bit_length() for size in self._sizes))

    def fits(self, most: int) -> bool:
        """Whether there can be no more than so many different rows."""
        gaps = [bool(self.extents.missing[j]) for j in self.criteria]
        rows = math.prod(size + gap for size, gap in zip(self._sizes, gaps))
        return rows <= most and self._ends[-1] <= _MOST_BITS

    @property
    def key(self) -> nw.Expr:
        """The number of a row."""
        import narwhals as nw

        starts = [0, *self._ends[:-1]]
        parts = [self._excess(j) * 2.0**start for j, start in zip(self.criteria, starts)]
        return reduce(add, parts).cast(nw.Int64)

    def _excess(self, criterion: int) -> nw.Expr:
        import narwhals as nw

        number = nw.col(f"x{criterion}")
        least = float(self.extents.least[criterion])
        greatest = float(self.extents.greatest[criterion])
        known = (number >= least) & (number <= greatest)
        if not self.extents.by_type[criterion]:
            known = known & (number.floor() == number)
        return nw.when(known).then(number - least).otherwise(nw.lit(greatest - least + 1.0))

    def values(self, keys: Ints) -> Floats:
        """The values of rows, given by their numbers; NaN where one is none of those expected."""
        X = np.empty((keys.size, len(self.criteria)))
        for place, (j, end) in enumerate(zip(self.criteria, self._ends)):
            size = self._sizes[place]
            excess = keys >> end - size.bit_length() & (1 << size.bit_length()) - 1
            X[:, place] = np.where(excess < size, self.extents.least[j] + excess, np.nan)
        return X + 0.0  # -0.0 is 0.0


def _fetched(frame: Frame, packing: _Packing, title: str) -> tuple[Floats, dict[str, NDArray[Any]]]:
    """Distinct rows, or parts of them, in the order of their numbers. One pass."""
    groups = frame.group(title, {"key": packing.key})
    order = np.lexsort((groups["code"], groups["key"]))
    groups = {name: column[order] for name, column in groups.items()}
    X = packing.values(groups["key"])
    for j, column in zip(packing.criteria, X.T):
        _check_extent(frame, packing.extents, j, column, groups["weight"])
    return X, groups


def _fetched_rows(frame: Frame, packing: _Packing) -> CondensedFrame:
    X, groups = _fetched(frame, packing, "distinct rows, packed")
    weights = frame.weights_of(groups)
    n_classes, equal = int(frame.totals.size), frame.is_unweighted
    return CondensedFrame(X, groups["code"], weights, weights, n_classes, frame.missing, equal)


def _blocks(criteria: Sequence[int], extents: Extents, most: int) -> Iterator[_Packing]:
    """Criteria of few values, as many together as fit into one pass."""
    block: list[int] = []
    for j in criteria:
        if not _Packing([j], extents).fits(most):
            continue
        if block and not _Packing([*block, j], extents).fits(most):
            yield _Packing(block, extents)
            block = []
        block.append(j)
    if block:
        yield _Packing(block, extents)


def _count_values(frame: Frame, packing: _Packing) -> None:
    """Let a frame know the values of some criteria."""
    names = ", ".join(repr(frame.names[j]) for j in packing.criteria)
    X, groups = _fetched(frame, packing, f"values of {names}")
    for j, column in zip(packing.criteria, X.T):
        frame.counted[j] = counts_by_value(column, groups, int(frame.totals.size))


def _check_extent(
    frame: Frame, extents: Extents, criterion: int, column: Floats, weights: Ints
) -> None:
    """Notice values that have come or gone since the first pass."""
    absent = np.isnan(column)
    found = (np.fmin.reduce(column), np.fmax.reduce(column), weights[absent].sum())
    expected = (extents.least, extents.greatest, extents.missing)
    if found != tuple(part[criterion] for part in expected):
        raise ValueError(
            "The frame must give the same rows each time that it is asked. Got values of "
            f"{frame.names[criterion]!r} from {extents.least[criterion]:g} to "
            f"{extents.greatest[criterion]:g} first, and then others; take a snapshot of it."
        )
