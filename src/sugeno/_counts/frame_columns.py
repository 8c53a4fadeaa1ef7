"""What the columns of a frame mean, as expressions that any engine can compute.

Numbers and truth values become doubles, ordered labels their places, the target the number of its
class. An expression is nothing but a plan: no engine is asked here, except for the types.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING, Any

from sugeno._scales.columns import (
    ColumnLabels,
    check_numbers,
    double_column,
    label_texts,
    order_of,
    refuse_kind,
)

if TYPE_CHECKING:
    import narwhals as nw

__all__ = ["FrameColumns", "class_code", "declared_order", "first_met", "is_missing"]


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
    """

    names: tuple[str, ...]
    numbers: tuple[nw.Expr, ...]
    labels: ColumnLabels | None
    whole: tuple[bool, ...]

    @classmethod
    def of(cls, frame: nw.DataFrame[Any] | nw.LazyFrame[Any], names: Sequence[str]) -> FrameColumns:
        """Read the types of columns, and refuse by name what has no order.

        Examples
        --------
        >>> import narwhals as nw
        >>> import polars as pl
        >>> from sugeno._counts.frame_columns import FrameColumns
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
    >>> from sugeno._counts.frame_columns import first_met
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


def class_code(target: nw.Expr, classes: Sequence[Any]) -> nw.Expr:
    """Return the place of a label among the classes; one more than the last for any other."""
    import narwhals as nw

    codes = [(target == label, code) for code, label in enumerate(classes)]
    return first_met(codes, len(classes)).cast(nw.Int64)


def is_missing(number: nw.Expr) -> nw.Expr:
    """Whether a double is null or NaN; never null itself."""
    return number.is_null() | number.is_nan().fill_null(True)
