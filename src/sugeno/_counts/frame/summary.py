"""The first look at a frame: its columns, its labels, and what its weights are multiples of."""

from __future__ import annotations

import glob
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from sugeno._counts.frame.columns import (
    ColumnRanges,
    FrameColumns,
    IntegerWeight,
    class_code,
    declared_order,
    first_met,
    is_missing,
)
from sugeno._counts.frame.distinct import few_distinct_rows
from sugeno._counts.frame.kinds import is_of_any_kind, kinds_of_frame, number_of_kind
from sugeno._counts.frame.queries import MOST_LABELS, EngineRows, QueryLog
from sugeno._counts.frame.source import Frame
from sugeno._counts.table import Table
from sugeno._scales.kinds import Column, numbers_rows, why_id_by_counts

if TYPE_CHECKING:
    import narwhals as nw


def frame_of(frame: Any, memory: str | None = None) -> nw.DataFrame[Any] | nw.LazyFrame[Any]:
    """Take a frame of any engine, or the Parquet or CSV files of a path or pattern by DuckDB.

    For files DuckDB may be given a limit of memory, such as "1GB".

    Examples
    --------
    >>> import polars as pl
    >>> from sugeno._counts.frame.summary import frame_of
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
class FrameSummary:
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
    _ranges: ColumnRanges
    _may_have_ids: bool

    @classmethod
    def of(
        cls,
        frame: nw.DataFrame[Any] | nw.LazyFrame[Any],
        target: str,
        weight: str | None = None,
        features: Sequence[str] | None = None,
        *,
        max_values: int = 100_000,
        log: QueryLog | None = None,
        wishes: Mapping[str, Any] | None = None,
        special: Mapping[str, Mapping[Any, Any]] | None = None,
        ids: bool = False,
    ) -> FrameSummary:
        """Count labels and weights, and see how far values reach: one pass.

        Wishes are what the user says of columns, ``special`` of cells without a value; ``ids``
        says whether columns of plain numbers may be left out because they number the rows. Where
        one may do so on an engine, some passes more tell.

        Examples
        --------
        >>> import narwhals as nw
        >>> import polars as pl
        >>> from sugeno._counts.frame.summary import FrameSummary
        >>> frame = nw.from_native(pl.LazyFrame({"x": [1, 2], "y": ["no", "yes"]}))
        >>> sorted(FrameSummary.of(frame, "y").labels)
        ['no', 'yes']
        """
        import narwhals as nw

        log = log or QueryLog()
        schema = frame.collect_schema()
        names = _features(schema.names(), target, weight, features)
        columns = _columns(frame, names, log, wishes, special, ids)
        order = declared_order(frame, target, schema[target])
        label = nw.col(target)
        if frame.implementation.is_pyarrow() and isinstance(schema[target], nw.Categorical):
            label = label.cast(nw.String)  # PyArrow does not compare a dictionary
        rows = frame.lazy() if isinstance(frame, nw.DataFrame) else frame
        heavy = None if weight is None else nw.col(weight).cast(nw.Float64)
        found = cls._counted(columns, order, rows, label, heavy, max_values, log)
        if ids and isinstance(frame, nw.LazyFrame) and found._may_have_ids:
            kinds = kinds_of_frame(frame, names, log)
            if {one.kind == "id" for one in kinds} == {False, True}:
                columns = _of_kinds(frame, kinds)
                return cls._counted(columns, order, rows, label, heavy, max_values, log)
        return found

    @classmethod
    def _counted(
        cls,
        columns: FrameColumns,
        order: tuple[Any, ...] | None,
        rows: nw.LazyFrame[Any],
        label: nw.Expr,
        weight: nw.Expr | None,
        max_values: int,
        log: QueryLog,
    ) -> FrameSummary:
        integer = None
        if weight is None:
            groups: Mapping[str, NDArray[Any]] = _counted_labels(rows, label, columns, log)
            labels, totals = _known_labels(groups)
            ranges = ColumnRanges.of(columns, groups)
        else:
            counts = _counted_weights(rows, label, weight, columns, max_values, log)
            groups = counts.groups
            integer = IntegerWeight.of(weight, counts.weights, counts.repeats)
            labels, totals, ranges = counts.in_units(integer, columns)
        may_have_ids = _may_have_ids(columns, groups)
        return cls(columns, labels, order, rows, label, totals, integer, ranges, may_have_ids)

    @property
    def weight_of_labels(self) -> dict[Any, float]:
        """Weight of the rows of each label."""
        unit = 1.0 if self._weight is None else self._weight.unit
        return {label: total * unit for label, total in zip(self.labels, self._totals)}

    def priced(
        self,
        by_label: Mapping[Any, float],
        *,
        max_values: int = 100_000,
        log: QueryLog | None = None,
    ) -> FrameSummary:
        """Return the frame with the weight of each row times that of its label: one pass more."""
        import narwhals as nw

        prices = [(self._target == label, price) for label, price in by_label.items()]
        price = first_met(prices, 1.0).cast(nw.Float64)
        weight = price if self._weight is None else self._weight.column * price
        known = self.columns, self.order, self._rows, self._target
        return self._counted(*known, weight, max_values, log or QueryLog())

    def source(
        self,
        classes: NDArray[Any],
        *,
        missing: str = "error",
        max_values: int = 100_000,
        log: QueryLog | None = None,
    ) -> Frame | Table:
        """Return the counts of the frame, once the order of the classes is known.

        One query for the rows themselves, if they are few and different; else one or none for each
        few criteria with few values.
        """
        known = classes.tolist()
        totals = dict(zip(self.labels, self._totals))
        weight = self._weight
        rows = EngineRows.of(
            self._rows if weight is None else self._rows.filter(weight.column > 0),
            self.columns,
            class_code(self._target, known),
            np.array([totals[label] for label in known], dtype=np.int64),
            weight,
            log,
        )
        found = few_distinct_rows(rows, self._ranges, missing, max_values)
        if isinstance(found, Table):
            return found
        return Frame(rows, missing=missing, max_values=max_values, counted=found)


def _columns(
    frame: nw.DataFrame[Any] | nw.LazyFrame[Any],
    names: Sequence[str],
    log: QueryLog,
    wishes: Mapping[str, Any] | None,
    special: Mapping[str, Mapping[Any, Any]] | None,
    ids: bool,
) -> FrameColumns:
    """The criteria of a frame; of one with texts, or with wishes, the kinds of its columns."""
    numbered = ids and _has_ids(frame, names)
    said = wishes is not None or special is not None
    if not said and not numbered and not is_of_any_kind(frame, names):
        return FrameColumns.of(frame, names)
    return _of_kinds(frame, kinds_of_frame(frame, names, log, wishes, special))


def _of_kinds(
    frame: nw.DataFrame[Any] | nw.LazyFrame[Any], kinds: tuple[Column, ...]
) -> FrameColumns:
    """The criteria of a frame whose columns are of any kind."""
    names = tuple(one.name for one in kinds)
    numbers = tuple(number_of_kind(frame, one) for one in kinds)
    return FrameColumns(names, numbers, None, (False,) * len(names), kinds)


def _has_ids(frame: nw.DataFrame[Any] | nw.LazyFrame[Any], names: Sequence[str]) -> bool:
    """Whether a frame of numbers in memory has a column that numbers its rows."""
    import narwhals as nw

    return isinstance(frame, nw.DataFrame) and numbers_rows(frame.select(*names))


def _may_have_ids(columns: FrameColumns, groups: Mapping[str, NDArray[Any]]) -> bool:
    """Whether a column of numbers without gaps reaches as far as one that numbers the rows."""
    ranges, rows = ColumnRanges.of(columns, groups), int(groups["n"].sum())
    if columns.kinds is not None or ranges.missing.any():
        return False
    ends = zip(columns.names, ranges.least.tolist(), ranges.greatest.tolist(), ranges.sizes)
    return any(why_id_by_counts(name, rows, (a, b)) for name, a, b, size in ends if size)


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


def _grouped(
    rows: nw.LazyFrame[Any], keys: Mapping[str, nw.Expr], columns: FrameColumns
) -> nw.LazyFrame[Any]:
    """Count rows by keys, and see how far the values of the criteria reach."""
    import narwhals as nw

    named = [key.alias(name) for name, key in keys.items()]
    values = rows.select(*named, *ColumnRanges.columns(columns))
    found = values.group_by(*keys).agg(nw.len().alias("n"), *ColumnRanges.aggregates(columns))
    return found


def _counted_labels(
    rows: nw.LazyFrame[Any], label: nw.Expr, columns: FrameColumns, log: QueryLog
) -> dict[str, NDArray[Any]]:
    query = _grouped(rows, {"label": label}, columns)
    return log.run(query.head(MOST_LABELS), "labels")


def _known_labels(groups: Mapping[str, NDArray[Any]]) -> tuple[list[Any], list[int]]:
    """The labels and how many rows have them."""
    # Engines differ in how they group nulls. Rows without a label are noticed in later log.
    known = [(a, n) for a, n in zip(groups["label"].tolist(), groups["n"].tolist()) if _is_label(a)]
    _check_any(len(known))
    return [a for a, _ in known], [n for _, n in known]


def _check_any(n_groups: int) -> None:
    """Refuse a frame from which nothing can be learned."""
    if not n_groups:
        raise ValueError(
            "The frame must have rows with a label. Got none instead; check its filters, and the "
            "name of the target."
        )


def _is_label(value: Any) -> bool:
    """Whether a value is neither None nor NaN nor the NA of pandas, which compares with nothing."""
    return value is not None and (value == value) is True


@dataclass(frozen=True)
class _WeightCounts:
    """How often each weight occurs with each label."""

    groups: Mapping[str, NDArray[Any]]

    @property
    def weights(self) -> NDArray[np.float64]:
        """Weight of a row of each group."""
        return self.groups["weight"]

    @property
    def repeats(self) -> NDArray[np.int64]:
        """Number of rows of each group."""
        return self.groups["n"].astype(np.int64)

    def in_units(
        self, weight: IntegerWeight, columns: FrameColumns
    ) -> tuple[list[Any], list[int], ColumnRanges]:
        """Weight of each label that has any, and ranges of the values, in units."""
        units = np.rint(np.ldexp(self.weights, weight.exponent)).astype(np.int64)
        units = np.maximum(units, self.weights > 0)
        totals: dict[Any, int] = {}
        for label, total in zip(self.groups["label"].tolist(), (units * self.repeats).tolist()):
            totals[label] = totals.get(label, 0) + total
        present = {a: n for a, n in totals.items() if n > 0 and _is_label(a)}
        return list(present), list(present.values()), ColumnRanges.of(columns, self.groups, units)


def _counted_weights(
    rows: nw.LazyFrame[Any],
    label: nw.Expr,
    weight: nw.Expr,
    columns: FrameColumns,
    most: int,
    log: QueryLog,
) -> _WeightCounts:
    import narwhals as nw

    unusable = is_missing(weight) | (weight == math.inf)
    given = nw.when(unusable).then(nw.lit(-1.0)).otherwise(weight)
    query = _grouped(rows, {"label": label, "weight": given}, columns)
    groups = log.run(query.head(most + 1), "labels and weights")
    weights = groups["weight"]
    _check_any(weights.size)
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
    return _WeightCounts(groups)
