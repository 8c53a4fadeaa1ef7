"""What the columns of a frame mean, as expressions that any engine can compute.

Numbers and truth values become doubles, ordered labels their places, the target the number of its
class, weights the whole numbers that `sugeno._counts.weights` makes of them. An expression is
nothing but a plan: no engine is asked here, except for the types.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import add
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from sugeno._counts.weights import scale_of_weights
from sugeno._scales.columns import (
    ColumnLabels,
    check_numbers,
    double_column,
    label_texts,
    order_of,
    refuse_kind,
)
from sugeno._scales.criterion import Criterion
from sugeno._scales.kinds import Column

if TYPE_CHECKING:
    import narwhals as nw

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class FrameColumns:
    """The criteria of a frame.

    Attributes
    ----------
    names : tuple of str
        Names of the columns.
    numbers : tuple of narwhals.Expr
        Each column as doubles; null or NaN where a value is missing.
    labels : tuple of tuples of str or None, or None
        Per column its ordered labels; None if no column has any.
    whole : tuple of bool
        Per column whether its type has whole numbers alone; a missing one is null then.
    kinds : tuple of Column or None
        What the columns of a table of any kind hold.
    """

    names: tuple[str, ...]
    numbers: tuple[nw.Expr, ...]
    labels: ColumnLabels | None
    whole: tuple[bool, ...]
    kinds: tuple[Column, ...] | None = None

    @classmethod
    def of(cls, frame: nw.DataFrame[Any] | nw.LazyFrame[Any], names: Sequence[str]) -> FrameColumns:
        """Read the types of columns, and refuse by name what has no order.

        Examples
        --------
        >>> import narwhals as nw
        >>> import polars as pl
        >>> from sugeno._counts.frame.columns import FrameColumns
        >>> sizes = pl.Series("size", ["L", "S"], dtype=pl.Enum(["S", "M", "L"]))
        >>> FrameColumns.of(nw.from_native(pl.LazyFrame([sizes])), ["size"]).labels
        (('S', 'M', 'L'),)
        """
        import narwhals as nw

        schema = frame.collect_schema()
        numbers: list[nw.Expr] = []
        labels: list[tuple[str, ...] | None] = []
        for name in names:
            order = declared_order(frame, name, schema[name])
            if order is None:
                _check_numbers(frame, name, schema[name])
                numbers.append(double_column(frame, name, schema[name]))
                labels.append(None)
            else:
                numbers.append(_place(name, order))
                labels.append(label_texts(order, name))
        known = tuple(labels) if any(labels) else None
        whole = tuple(schema[name].is_integer() or schema[name] == nw.Boolean for name in names)
        return cls(tuple(names), tuple(numbers), known, whole)


def _check_numbers(
    frame: nw.DataFrame[Any] | nw.LazyFrame[Any], name: str, kind: nw.dtypes.DType
) -> None:
    """Refuse what has no order; objects of a frame in memory may be decimals."""
    import narwhals as nw

    if isinstance(kind, nw.Object) and isinstance(frame, nw.DataFrame):
        check_numbers(frame[name])
    else:
        refuse_kind(name, kind)


def declared_order(
    frame: nw.DataFrame[Any] | nw.LazyFrame[Any], name: str, kind: nw.dtypes.DType
) -> tuple[Any, ...] | None:
    """Return the categories of an ordered column, the lowest first; None for any other."""
    import narwhals as nw

    if isinstance(kind, nw.Enum):
        return tuple(kind.categories)
    return order_of(frame[name]) if isinstance(frame, nw.DataFrame) else None


def _place(name: str, order: Sequence[Any]) -> nw.Expr:
    """Place of a label among its categories; NaN where it is missing."""
    import narwhals as nw

    column = nw.col(name)
    if all(isinstance(label, str) for label in order):
        column = column.cast(nw.String)  # PyArrow does not compare a dictionary
    places = [(column == label, float(place)) for place, label in enumerate(order)]
    return first_met(places, float("nan"))


def first_met(branches: Sequence[tuple[nw.Expr, Any]], otherwise: Any) -> nw.Expr:
    """Return the value of the first condition that is met; null meets none.

    Examples
    --------
    >>> import narwhals as nw
    >>> import polars as pl
    >>> from sugeno._counts.frame.columns import first_met
    >>> frame = nw.from_native(pl.DataFrame({"x": [1, 2, None]}))
    >>> steps = first_met([(nw.col("x") >= 2, 5), (nw.col("x") >= 1, 4)], 3)
    >>> frame.select(step=steps)["step"].to_list()
    [4, 5, 3]
    """
    import narwhals as nw

    return reduce(
        lambda rest, branch: nw.when(branch[0]).then(nw.lit(branch[1])).otherwise(rest),
        reversed(branches),
        nw.lit(otherwise),
    )


def by_bits(column: nw.Expr, values: Sequence[Any], places: Sequence[int]) -> nw.Expr:
    """Return the place of each value as a double: the sum of its bits.

    Engines take minutes for some hundred branches inside each other; bits are few and stand side
    by side.

    Examples
    --------
    >>> import narwhals as nw
    >>> import polars as pl
    >>> from sugeno._counts.frame.columns import by_bits
    >>> frame = nw.from_native(pl.DataFrame({"x": ["b", "c", "a"]}))
    >>> frame.select(by_bits(nw.col("x"), ["a", "b", "c"], [0, 1, 3]))["x"].to_list()
    [1.0, 3.0, 0.0]
    """
    import narwhals as nw

    bits = []
    for bit in range(max(1, max(places).bit_length())):
        having = [value for value, place in zip(values, places) if place >> bit & 1]
        # PyArrow does not look for anything in an empty list.
        met = column.is_in(having) if having else column.is_null() & False
        bits.append(met.cast(nw.Float64) * float(1 << bit))
    return reduce(add, bits)


def on_scale(number: nw.Expr, criterion: Criterion) -> nw.Expr:
    """Values of a criterion from those of its column, as `Criterion.read` has them.

    Examples
    --------
    >>> import narwhals as nw
    >>> import polars as pl
    >>> from sugeno._counts.frame.columns import on_scale
    >>> from sugeno._scales.criterion import Criterion, Gap
    >>> ages = nw.from_native(pl.DataFrame({"x0": [31.0, None, 77.0]}))
    >>> age = Criterion("age", gaps=(Gap(40.0),), within=(0.0, 60.0))
    >>> ages.select(on_scale(nw.col("x0"), age).alias("age"))["age"].to_list()
    [31.0, 40.0, 60.0]
    """
    import narwhals as nw

    if criterion.reads_as_it_is:
        return number
    absent, found = is_missing(number), number
    if criterion.places is not None:
        places = [*map(int, criterion.places)]  # groups of labels are counted
        at = by_bits(number, [*map(float, range(len(places)))], places)
        found = nw.when(number < 0).then(nw.lit(criterion.unseen)).otherwise(at)
        if criterion.missing is None:
            found = nw.when(absent).then(nw.lit(criterion.unseen)).otherwise(found)
    if criterion.within is not None:
        low, high = criterion.within
        found = nw.when(found < low).then(nw.lit(low)).otherwise(found)
        found = nw.when(found > high).then(nw.lit(high)).otherwise(found)
    for gap in criterion.gaps:
        met = absent if gap.code is None else number == gap.code
        found = nw.when(met).then(nw.lit(gap.place)).otherwise(found)
    return found


def class_code(target: nw.Expr, classes: Sequence[Any]) -> nw.Expr:
    """Return the place of a label among the classes; one more than the last for any other."""
    import narwhals as nw

    codes = [(target == label, code) for code, label in enumerate(classes)]
    return first_met(codes, len(classes)).cast(nw.Int64)


def is_missing(number: nw.Expr) -> nw.Expr:
    """Whether a double is null or NaN; never null itself."""
    return number.is_null() | number.is_nan().fill_null(True)


@dataclass(frozen=True)
class IntegerWeight:
    """A column of positive weights times a power of two, as whole numbers.

    Attributes
    ----------
    column : narwhals.Expr
        The weights as doubles.
    exponent : int
        Of the power of two.
    is_exact : bool
        Whether the product is whole as it is; otherwise it is rounded.
    each : int
        The weight of every row, in units; 0 if they weigh differently.

    Examples
    --------
    >>> import narwhals as nw
    >>> import numpy as np
    >>> import polars as pl
    >>> from sugeno._counts.frame.columns import IntegerWeight
    >>> weight = IntegerWeight.of(nw.col("w"), np.array([1.5, 0.25]), np.array([1, 7]))
    >>> frame = nw.from_native(pl.DataFrame({"w": [0.25, 1.5]}))
    >>> frame.select(weight.units.alias("w"))["w"].to_list(), weight.unit
    ([1, 6], 0.25)
    """

    column: nw.Expr
    exponent: int = 0
    is_exact: bool = True
    each: int = 0

    @classmethod
    def of(
        cls, column: nw.Expr, weights: NDArray[np.float64], repeats: NDArray[np.int64]
    ) -> IntegerWeight:
        """Find the power of two from the distinct weights and how often each occurs."""
        exponent = scale_of_weights(weights, repeats)
        scaled = np.ldexp(weights, exponent)
        positive = np.unique(weights[weights > 0])
        each = max(1, round(math.ldexp(positive[0], exponent))) if positive.size == 1 else 0
        return cls(column, exponent, bool((scaled == np.rint(scaled)).all()), each)

    @property
    def unit(self) -> float:
        """What one unit is worth to the user."""
        return float(2.0**-self.exponent)

    @property
    def units(self) -> nw.Expr:
        """The weights as whole numbers; half to even, and no positive weight becomes 0.

        Engines round halves in different ways, so that rounding is spelt out: `floor` is exact,
        and so is what is left over.
        """
        import narwhals as nw

        scaled = self.column * 2.0**self.exponent
        if self.is_exact:
            return scaled.cast(nw.Int64)
        below = scaled.floor()
        whole = below.cast(nw.Int64)
        rest = scaled - below
        up = (rest > 0.5) | ((rest == 0.5) & (whole % 2 == 1)) | (scaled < 1.0)
        return whole + first_met([(up, 1)], 0).cast(nw.Int64)


@dataclass(frozen=True)
class ColumnRanges:
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
    >>> from sugeno._counts.frame.columns import FrameColumns
    >>> from sugeno._counts.frame.columns import ColumnRanges
    >>> frame = nw.from_native(pl.DataFrame({"x": [2, 7, None], "z": [1.0, 2.5, 9.0]}))
    >>> columns = FrameColumns.of(frame, ["x", "z"])
    >>> values = frame.select(*ColumnRanges.columns(columns))
    >>> found = values.select(*ColumnRanges.aggregates(columns))
    >>> ranges = ColumnRanges.of(columns, {name: found[name].to_numpy() for name in found.columns})
    >>> ranges.sizes, ranges.missing
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
    ) -> ColumnRanges:
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
