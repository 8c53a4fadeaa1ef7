"""How far the values of each criterion reach: found beside the labels, in the same pass."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from sugeno._counts.frame_columns import FrameColumns, is_missing

if TYPE_CHECKING:
    import narwhals as nw

__all__ = ["Extents"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Extents:
    """Least and greatest values of the criteria, and whether whole numbers alone lie between.

    Attributes
    ----------
    least, greatest : ndarray of float64 of shape (m,)
        Infinite where a value is infinite or not whole, or where there is none.
    missing : ndarray of int64 of shape (m,)
        Weight of the rows without a value.
    by_type : tuple of bool
        Whether the column can hold nothing but whole numbers.

    Examples
    --------
    >>> import narwhals as nw
    >>> import polars as pl
    >>> from sugeno._counts.frame_columns import FrameColumns
    >>> from sugeno._counts.frame_extents import Extents
    >>> frame = nw.from_native(pl.DataFrame({"x": [2, 7, None], "z": [1.0, 2.5, 9.0]}))
    >>> columns = FrameColumns.of(frame, ["x", "z"])
    >>> found = frame.select(*Extents.columns(columns)).select(*Extents.aggregates(columns))
    >>> extents = Extents.of(columns, {name: found[name].to_numpy() for name in found.columns})
    >>> extents.sizes, extents.missing
    ([6, None], array([1, 0]))
    """

    least: Floats
    greatest: Floats
    missing: Ints
    by_type: tuple[bool, ...]

    @staticmethod
    def columns(columns: FrameColumns) -> list[nw.Expr]:
        """Values to look for the least and the greatest of, and whether they are missing."""
        import narwhals as nw

        found = []
        for j, (number, by_type) in enumerate(zip(columns.numbers, columns.whole)):
            value = number if by_type else _whole_or_infinite(number)
            found += [value.alias(f"x{j}"), is_missing(number).cast(nw.Int64).alias(f"missing{j}")]
        return found

    @staticmethod
    def aggregates(columns: FrameColumns) -> list[nw.Expr]:
        """What a group-by makes of these columns."""
        import narwhals as nw

        found = []
        for j in range(len(columns.names)):
            value = nw.col(f"x{j}")
            found += [value.min().alias(f"least{j}"), value.max().alias(f"greatest{j}")]
            found.append(nw.col(f"missing{j}").sum())
        return found

    @classmethod
    def of(
        cls,
        columns: FrameColumns,
        groups: Mapping[str, NDArray[Any]],
        units: Ints | None = None,
    ) -> Extents:
        """Join what was found in groups of rows; each row weighs as many units as its group says.

        Groups whose rows weigh nothing do not count.
        """

        def stacked(name: str) -> Floats:
            found = [groups[f"{name}{j}"].astype(np.float64) for j in range(len(columns.names))]
            return np.column_stack(found)

        least, greatest, missing = map(stacked, ("least", "greatest", "missing"))
        weights = np.ones(len(least), dtype=np.int64) if units is None else units
        there = weights > 0
        return cls(
            # A group without a value has null, which is NaN here, and which is passed over.
            np.fmin.reduce(least[there], axis=0, initial=math.inf),
            np.fmax.reduce(greatest[there], axis=0, initial=-math.inf),
            weights @ missing.astype(np.int64),
            columns.whole,
        )

    @property
    def sizes(self) -> list[int | None]:
        """Number of whole numbers from the least value to the greatest; None if not all whole."""
        ends = zip(self.least.tolist(), self.greatest.tolist())
        return [
            int(b) - int(a) + 1 if math.isfinite(a) and math.isfinite(b) else None for a, b in ends
        ]


def _whole_or_infinite(number: nw.Expr) -> nw.Expr:
    """Whole numbers as they are, null where there is no value, and infinity for any other."""
    import narwhals as nw

    is_whole = (number.abs() < math.inf) & (number.floor() == number)
    value = nw.when(is_whole).then(number).otherwise(nw.lit(math.inf))
    return nw.when(~is_missing(number)).then(value)
