"""The first look at a frame: its columns, its labels, and what its weights are multiples of."""

from __future__ import annotations

import glob
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from sugeno._counts.frame import Frame
from sugeno._counts.frame_columns import FrameColumns, class_code, declared_order, is_missing
from sugeno._counts.frame_groups import Passes
from sugeno._counts.frame_weights import IntegerWeight

if TYPE_CHECKING:
    import narwhals as nw

__all__ = ["OpenFrame", "frame_of"]

#: More labels than this are measurements.
_MOST_LABELS = 1000


def frame_of(frame: Any, memory: str | None = None) -> nw.DataFrame[Any] | nw.LazyFrame[Any]:
    """Take a frame of any engine, or the Parquet or CSV files of a path or pattern by DuckDB.

    For files DuckDB may be given a limit of memory, such as "1GB".

    Examples
    --------
    >>> import polars as pl
    >>> from sugeno._counts.frame_opening import frame_of
    >>> frame_of(pl.LazyFrame({"x": [1]})).collect_schema().names()
    ['x']
    """
    import narwhals as nw

    native = _relation(fspath(frame), memory) if isinstance(frame, str | PathLike) else frame
    taken = nw.from_native(native, pass_through=True)
    if not isinstance(taken, nw.DataFrame | nw.LazyFrame):
        raise TypeError(
            "frame must be a table of pandas, Polars, PyArrow, DuckDB, Dask, Spark or Ibis, or the "
            f"path of Parquet or CSV files. Got {type(frame).__name__} instead; for arrays use fit."
        )
    return taken


def _relation(path: str, memory: str | None) -> Any:
    """Files as a relation of a database in memory, which reads them each time that it is asked."""
    connection = _connection(memory)
    if not glob.glob(path, recursive=True) and "://" not in path:
        raise FileNotFoundError(f"No file matches {path!r}.")
    if path.endswith((".csv", ".csv.gz", ".tsv", ".txt")):
        # Without a limit casts reach the reader, which takes no truth value for a number.
        return connection.read_csv(path).limit(1 << 62)
    return connection.read_parquet(path)


@cache
def _connection(memory: str | None) -> Any:
    """One database per limit, never closed: before DuckDB 2 its relations would end with it."""
    try:
        import duckdb
    except ImportError as error:
        raise ImportError(
            "Files are read by DuckDB, which is not installed: pip install 'sugeno[sql]'."
        ) from error
    return duckdb.connect(config={} if memory is None else {"memory_limit": memory})


@dataclass(frozen=True)
class OpenFrame:
    """A frame whose labels are known.

    Attributes
    ----------
    columns : FrameColumns
        The criteria.
    labels : list
        The labels of rows with positive weight.
    order : tuple or None
        All labels that may occur, the lowest first, where the frame declares them.
    """

    columns: FrameColumns
    labels: list[Any]
    order: tuple[Any, ...] | None
    _rows: nw.LazyFrame[Any]
    _target: nw.Expr
    _totals: list[int]
    _weight: IntegerWeight | None

    @classmethod
    def of(
        cls,
        frame: nw.DataFrame[Any] | nw.LazyFrame[Any],
        target: str,
        weight: str | None = None,
        features: Sequence[str] | None = None,
        *,
        max_values: int = 100_000,
        passes: Passes | None = None,
    ) -> OpenFrame:
        """Count labels and weights: one pass.

        Examples
        --------
        >>> import narwhals as nw
        >>> import polars as pl
        >>> from sugeno._counts.frame_opening import OpenFrame
        >>> frame = nw.from_native(pl.LazyFrame({"x": [1, 2], "y": ["no", "yes"]}))
        >>> sorted(OpenFrame.of(frame, "y").labels)
        ['no', 'yes']
        """
        import narwhals as nw

        passes = passes or Passes()
        schema = frame.collect_schema()
        names = _features(schema.names(), target, weight, features)
        columns = FrameColumns.of(frame, names)
        order = declared_order(frame, target, schema[target])
        label = nw.col(target)
        if frame.implementation.is_pyarrow() and isinstance(schema[target], nw.Categorical):
            label = label.cast(nw.String)  # PyArrow does not compare a dictionary
        rows = frame.lazy() if isinstance(frame, nw.DataFrame) else frame
        if weight is None:
            labels, totals = _counted_labels(rows, label, passes)
            return cls(columns, labels, order, rows, label, totals, None)
        heavy = nw.col(weight).cast(nw.Float64)
        counts = _counted_weights(rows, label, heavy, max_values, passes)
        integer = IntegerWeight.of(heavy, counts.weights, counts.repeats)
        labels, totals = counts.by_label(integer)
        return cls(columns, labels, order, rows.filter(heavy > 0), label, totals, integer)

    def source(
        self,
        classes: NDArray[Any],
        *,
        missing: str = "error",
        max_values: int = 100_000,
        passes: Passes | None = None,
    ) -> Frame:
        """Return the counts of the frame, once the order of the classes is known."""
        known = classes.tolist()
        totals = dict(zip(self.labels, self._totals))
        return Frame(
            self._rows,
            self.columns,
            class_code(self._target, known),
            np.array([totals[label] for label in known], dtype=np.int64),
            self._weight,
            missing=missing,
            max_values=max_values,
            passes=passes,
        )


def _features(
    names: list[str], target: str, weight: str | None, features: Sequence[str] | None
) -> list[str]:
    """Columns that are criteria; by default all but target and weight."""
    special = [target] if weight is None else [target, weight]
    chosen = [name for name in names if name not in special] if features is None else [*features]
    unknown = [name for name in [*special, *chosen] if name not in names]
    if unknown:
        raise ValueError(
            f"target, weight and features must be columns of the frame, which are {names}. "
            f"Got {unknown} instead."
        )
    twice = [name for name in chosen if name in special or chosen.count(name) > 1]
    if twice or not chosen:
        raise ValueError(
            "features must name at least one column, each once, and neither target nor weight. "
            f"Got {chosen} instead."
        )
    return chosen


def _counted_labels(
    rows: nw.LazyFrame[Any], label: nw.Expr, passes: Passes
) -> tuple[list[Any], list[int]]:
    import narwhals as nw

    query = rows.select(label.alias("label")).group_by("label").agg(nw.len().alias("n"))
    groups = passes.collected(query.head(_MOST_LABELS), "labels")
    # Engines differ in how they group nulls. Rows without a label are noticed in later passes.
    known = [(a, n) for a, n in zip(groups["label"].tolist(), groups["n"].tolist()) if _is_label(a)]
    return [a for a, _ in known], [n for _, n in known]


def _is_label(value: Any) -> bool:
    """Whether a value is neither None nor NaN nor the NA of pandas, which compares with nothing."""
    return value is not None and (value == value) is True


@dataclass(frozen=True)
class _WeightCounts:
    """How often each weight occurs with each label."""

    labels: list[Any]
    weights: NDArray[np.float64]
    repeats: NDArray[np.int64]

    def by_label(self, weight: IntegerWeight) -> tuple[list[Any], list[int]]:
        """Weight of each label that has any, in units."""
        units = np.rint(np.ldexp(self.weights, weight.exponent)).astype(np.int64)
        units = np.maximum(units, self.weights > 0) * self.repeats
        totals: dict[Any, int] = {}
        for label, weight_of in zip(self.labels, units.tolist()):
            totals[label] = totals.get(label, 0) + weight_of
        present = {a: n for a, n in totals.items() if n > 0 and _is_label(a)}
        return list(present), list(present.values())


def _counted_weights(
    rows: nw.LazyFrame[Any],
    label: nw.Expr,
    weight: nw.Expr,
    most: int,
    passes: Passes,
) -> _WeightCounts:
    import narwhals as nw

    unusable = is_missing(weight) | (weight == math.inf)
    given = nw.when(unusable).then(nw.lit(-1.0)).otherwise(weight)
    columns = [label.alias("label"), given.alias("weight")]
    query = rows.select(*columns).group_by("label", "weight").agg(nw.len().alias("n"))
    groups = passes.collected(query.head(most + 1), "labels and weights")
    weights = groups["weight"]
    if weights.size > most:
        raise ValueError(
            f"The weights must have at most max_values={most} distinct values, so that they can be "
            "turned into whole numbers exactly. Got more instead; round them, or raise max_values."
        )
    if weights.min(initial=0.0) < 0 or weights.max(initial=0.0) == 0:
        raise ValueError(
            "The weights must be finite, not negative, and not all 0. Got "
            f"{int(groups['n'][weights < 0].sum())} that are negative, null, NaN or infinite "
            "instead; use 0 to leave a row out."
        )
    return _WeightCounts(groups["label"].tolist(), weights, groups["n"].astype(np.int64))
