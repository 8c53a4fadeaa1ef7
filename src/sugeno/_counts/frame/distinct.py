"""Distinct rows of a frame: all of them in one query where there can only be few, or a sample.

Where all criteria are whole numbers of small ranges, a row is one number, whose bits are its
values. A group-by on this number and the class fetches all that a table holds, and what remains to
be asked is answered in memory. Where this would be too many rows, it still gives the values of a
few criteria at a time. A sample is chosen by a hash, see `sugeno._counts.sample`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import accumulate
from operator import add
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sugeno._counts.frame.columns import ColumnRanges, is_missing
from sugeno._counts.frame.queries import EngineRows, Groups
from sugeno._counts.frame.values import counts_by_value
from sugeno._counts.sample import BITS, HASHES, MISSING, ROUNDS, hash_part, mixed
from sugeno._counts.table import Table
from sugeno._scales.value_counts import ValueCounts

if TYPE_CHECKING:
    import narwhals as nw

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

#: At most so many distinct rows cross over, those of each class counted.
_MOST_ROWS = 1 << 20
#: At most so many distinct parts of rows do, where the rows are too many.
_MOST_PARTS = 1 << 16
#: Doubles hold whole numbers of so many bits exactly.
_MOST_BITS = 53


def few_distinct_rows(
    rows: EngineRows, ranges: ColumnRanges, missing: str, max_values: int
) -> Table | dict[int, ValueCounts]:
    """Fetch the distinct rows if they are few; else count the values of several criteria at once.

    Parameters
    ----------
    rows : EngineRows
        The rows.
    ranges : ColumnRanges
        Of its criteria.
    missing : {"error", "pessimistic", "optimistic", "interval"}
        What a missing value means.
    max_values : int
        Criteria with more values are left to `sugeno._counts.frame.values`.

    Returns
    -------
    Table or dict of int to ValueCounts
        The rows, after one query; or the values of some criteria.
    """
    criteria = _packable(ranges, missing, max_values)
    every = _Packing(criteria, ranges)
    if len(criteria) == rows.n_criteria and every.fits(_MOST_ROWS // rows.n_classes):
        table = _fetched_rows(rows, every, missing)
        # A frame has words for rows without any value.
        return {} if np.isnan(table.X).all(axis=1).any() else table
    without_gaps = [j for j in criteria if not ranges.missing[j]]
    counted: dict[int, ValueCounts] = {}
    for block in _blocks(without_gaps, ranges, _MOST_PARTS // rows.n_classes):
        counted |= _values_of(rows, block)
    return counted


def hashed(rows: EngineRows, scales: Sequence[float]) -> EngineRows:
    """Return the same rows with a column for their hash, by the scales of `scale_of`."""
    import narwhals as nw

    parts = [hash_part(_whole(j, scale), j) for j, scale in enumerate(scales)]
    found = rows.with_columns(hash=reduce(add, parts) % HASHES)
    for factor, summand in ROUNDS:  # in steps, so that no engine computes a round twice
        found = found.with_columns(hash=mixed(nw.col("hash"), factor, summand))
    return found


def _whole(criterion: int, scale: float) -> nw.Expr:
    """A criterion as whole numbers from 0."""
    import narwhals as nw

    number = nw.col(f"x{criterion}")
    absent = is_missing(number)
    present = nw.when(absent).then(nw.lit(0.0)).otherwise(number)
    whole = (present * scale).floor().cast(nw.Int64) + (1 << BITS)
    return nw.when(absent).then(nw.lit(MISSING, nw.Int64)).otherwise(whole)


def _packable(ranges: ColumnRanges, policy: str, max_values: int) -> list[int]:
    """Criteria of whole numbers, neither too many nor missing without a meaning."""
    found = zip(ranges.sizes, ranges.missing.tolist())
    return [
        j
        for j, (size, missing) in enumerate(found)
        if size is not None and size <= max_values
        if not missing or policy != "error"
    ]


@dataclass(frozen=True)
class _Packing:
    """Values of some criteria as the bits of one whole number.

    The bits of a criterion say by how much a value exceeds the least one. An unexpected or missing
    value has the number after that of the greatest value.
    """

    criteria: Sequence[int]
    ranges: ColumnRanges

    @property
    def _sizes(self) -> list[int]:
        return [self.ranges.sizes[j] or 0 for j in self.criteria]

    @property
    def _ends(self) -> list[int]:
        """Where the bits of each criterion end."""
        return list(accumulate(size.bit_length() for size in self._sizes))

    def fits(self, most: int) -> bool:
        """Whether there can be no more than so many different rows."""
        gaps = [bool(self.ranges.missing[j]) for j in self.criteria]
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
        least = float(self.ranges.least[criterion])
        greatest = float(self.ranges.greatest[criterion])
        known = (number >= least) & (number <= greatest)
        if not self.ranges.by_type[criterion]:
            known = known & (number.floor() == number)
        return nw.when(known).then(number - least).otherwise(nw.lit(greatest - least + 1.0))

    def values(self, keys: Ints) -> Floats:
        """The values of rows, given by their numbers; NaN where one is none of those expected."""
        X = np.empty((keys.size, len(self.criteria)))
        for place, (j, end) in enumerate(zip(self.criteria, self._ends)):
            size = self._sizes[place]
            excess = keys >> end - size.bit_length() & (1 << size.bit_length()) - 1
            X[:, place] = np.where(excess < size, self.ranges.least[j] + excess, np.nan)
        return X + 0.0  # -0.0 is 0.0


def _fetched(rows: EngineRows, packing: _Packing, title: str) -> tuple[Floats, Groups]:
    """Distinct rows, or parts of them, in the order of their numbers. One query."""
    groups = rows.group(title, {"key": packing.key})
    order = np.lexsort((groups["code"], groups["key"]))
    groups = {name: column[order] for name, column in groups.items()}
    X = packing.values(groups["key"])
    for j, column in zip(packing.criteria, X.T):
        _check_range(rows, packing.ranges, j, column, groups["weight"])
    return X, groups


def _fetched_rows(rows: EngineRows, packing: _Packing, missing: str) -> Table:
    X, groups = _fetched(rows, packing, "distinct rows, packed")
    weights = rows.weights_of(groups)
    return Table(X, groups["code"], weights, weights, rows.n_classes, missing)


def _blocks(criteria: Sequence[int], ranges: ColumnRanges, most: int) -> Iterator[_Packing]:
    """Criteria of few values, as many together as fit into one query."""
    block: list[int] = []
    for j in criteria:
        if not _Packing([j], ranges).fits(most):
            continue
        if block and not _Packing([*block, j], ranges).fits(most):
            yield _Packing(block, ranges)
            block = []
        block.append(j)
    if block:
        yield _Packing(block, ranges)


def _values_of(rows: EngineRows, packing: _Packing) -> dict[int, ValueCounts]:
    """Values of some criteria."""
    names = ", ".join(repr(rows.names[j]) for j in packing.criteria)
    X, groups = _fetched(rows, packing, f"values of {names}")
    return {
        j: counts_by_value(column, groups, rows.n_classes)
        for j, column in zip(packing.criteria, X.T)
    }


def _check_range(
    rows: EngineRows, ranges: ColumnRanges, criterion: int, column: Floats, weights: Ints
) -> None:
    """Notice values that have come or gone since the first query."""
    absent = np.isnan(column)
    found = (np.fmin.reduce(column), np.fmax.reduce(column), weights[absent].sum())
    expected = (ranges.least, ranges.greatest, ranges.missing)
    if found != tuple(part[criterion] for part in expected):
        raise ValueError(
            "The frame must give the same rows each time that it is asked. Got values of "
            f"{rows.names[criterion]!r} from {ranges.least[criterion]:g} to "
            f"{ranges.greatest[criterion]:g} first, and then others; take a snapshot of it."
        )
