"""Rows on an engine: one group-by is one question, and only its answer crosses over.

Each query is one pass over the table, counted and told about. What comes back is integers, and is
checked: a table that changes between two questions is noticed.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass, field, replace
from io import StringIO
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from sugeno._counts.frame.columns import (
    FrameColumns,
    IntegerWeight,
    first_met,
    is_missing,
    on_scale,
)
from sugeno._counts.sample import MOST_ROWS, TooManyGroups
from sugeno._counts.weights import RowWeights
from sugeno._scales.criterion import Criterion
from sugeno._scales.value_counts import two_sides

if TYPE_CHECKING:
    import narwhals as nw

Ints = NDArray[np.int64]
#: What a group-by answers, column by column.
Groups = Mapping[str, NDArray[Any]]

#: So many labels are asked for; as many are measurements.
MOST_LABELS = 1000


@dataclass
class EngineFreeClock:
    """A clock that stands still while an engine works: a slow one must not change the model.

    Examples
    --------
    >>> from sugeno._counts.frame.queries import EngineFreeClock
    >>> clock = EngineFreeClock()
    >>> early = clock()
    >>> clock.waited += 100.0
    >>> clock() < early
    True
    """

    waited: float = 0.0

    def __call__(self) -> float:
        """Seconds that have passed, without those spent waiting for an engine."""
        return time.monotonic() - self.waited


@dataclass
class QueryLog:
    """The queries to an engine so far: each is one pass over the table.

    Attributes
    ----------
    tell : callable or None
        Is told what each query is for, and what is sent to the engine where it can be written.
    count : int
        Number of queries.
    clock : EngineFreeClock
        The time that passes beside them.

    Examples
    --------
    >>> import narwhals as nw
    >>> import polars as pl
    >>> from sugeno._counts.frame.queries import QueryLog
    >>> log = QueryLog()
    >>> log.run(nw.from_native(pl.LazyFrame({"x": [1, 2]})), "all rows")
    {'x': array([1, 2])}
    >>> log.count
    1
    """

    tell: Callable[[str], object] | None = None
    count: int = 0
    clock: EngineFreeClock = field(default_factory=EngineFreeClock)

    @classmethod
    def of(cls, explain: bool | Callable[[str], object]) -> QueryLog:
        """Let the queries be printed, given to a function, or go unnoticed.

        Examples
        --------
        >>> from sugeno._counts.frame.queries import QueryLog
        >>> QueryLog.of(False).tell is None
        True
        """
        return cls((print if explain else None) if isinstance(explain, bool) else explain)

    def run(self, query: nw.LazyFrame[Any], title: str) -> dict[str, NDArray[Any]]:
        """Run a query on its engine, and take the few rows of its answer by column."""
        self.count += 1
        if self.tell is not None:
            self.tell(f"-- {title}\n{_sent(query)}".strip())
        start = time.monotonic()
        answer = query.collect()
        self.clock.waited += time.monotonic() - start
        return {name: answer[name].to_numpy() for name in answer.columns}


@dataclass(frozen=True)
class EngineRows:
    """Rows with their classes and weights on an engine, and the one way to ask about them.

    Attributes
    ----------
    lazy : narwhals.LazyFrame
        The criteria as x0, x1, …, the number of the class as code (one more than the last where
        there is none), and the weight where rows weigh differently.
    names : tuple of str
        Names of the criteria.
    totals : ndarray of int64 of shape (C,)
        Weight of each class.
    weight : IntegerWeight or None
        Weight of each row; None where it is 1.
    log : QueryLog
        Counts the queries, and tells about them.

    Examples
    --------
    >>> import narwhals as nw
    >>> import numpy as np
    >>> import polars as pl
    >>> from sugeno._counts.frame.columns import FrameColumns, class_code
    >>> from sugeno._counts.frame.queries import EngineRows
    >>> frame = nw.from_native(pl.LazyFrame({"x": [1, 2, 2], "y": [0, 1, 1]}))
    >>> code = class_code(nw.col("y"), [0, 1])
    >>> rows = EngineRows.of(frame, FrameColumns.of(frame, ["x"]), code, np.array([1, 2]))
    >>> rows.group("all", {"x": nw.col("x0")})["weight"].sum()
    np.int64(3)
    """

    lazy: nw.LazyFrame[Any]
    names: tuple[str, ...]
    totals: Ints
    weight: IntegerWeight | None
    log: QueryLog

    @classmethod
    def of(
        cls,
        frame: nw.LazyFrame[Any],
        columns: FrameColumns,
        code: nw.Expr,
        totals: Ints,
        weight: IntegerWeight | None = None,
        log: QueryLog | None = None,
    ) -> EngineRows:
        """Name criteria, class and weight, so that names cannot clash and nothing is cast again."""
        numbers = [number.alias(f"x{j}") for j, number in enumerate(columns.numbers)]
        units = [] if weight is None else [weight.units.alias("weight")]
        lazy = frame.select(*numbers, code.alias("code"), *units)
        return cls(lazy, columns.names, totals, weight, log or QueryLog())

    @property
    def n_criteria(self) -> int:
        """Number of criteria."""
        return len(self.names)

    @property
    def n_classes(self) -> int:
        """Number of classes C."""
        return int(self.totals.size)

    @property
    def unit(self) -> float:
        """What one unit of weight is worth to the user."""
        return 1.0 if self.weight is None else self.weight.unit

    @property
    def each(self) -> int:
        """What each row weighs, in units; 0 if they weigh differently."""
        return 1 if self.weight is None else self.weight.each

    def with_columns(self, **columns: nw.Expr) -> EngineRows:
        """Return the same rows with some columns more, or others."""
        return replace(self, lazy=self.lazy.with_columns(**columns))

    def on_scales(self, criteria: Sequence[Criterion], columns: Sequence[int]) -> EngineRows:
        """Return the same rows with a column for each criterion, which reads one of these."""
        import narwhals as nw

        read = [on_scale(nw.col(f"x{j}"), one) for one, j in zip(criteria, columns)]
        rest = [nw.col(name) for name in (["code"] if self.weight is None else ["code", "weight"])]
        lazy = self.lazy.select(*(one.alias(f"x{i}") for i, one in enumerate(read)), *rest)
        return replace(self, lazy=lazy, names=tuple(one.name for one in criteria))

    def in_two(self, condition: nw.Expr, upper: slice) -> EngineRows:
        """Return the same rows with two classes: those with a condition, of the classes, above."""
        import narwhals as nw

        unknown = nw.col("code") >= self.n_classes
        two = first_met([(unknown, 2), (condition, 1)], 0).cast(nw.Int64)
        return replace(self.with_columns(code=two), totals=two_sides(self.totals[None], upper)[0])

    def group(
        self,
        title: str,
        keys: Mapping[str, nw.Expr],
        sums: Mapping[str, nw.Expr] | None = None,
        *,
        among: nw.Expr | None = None,
        most: int | None = None,
        remedy: str = "",
    ) -> dict[str, NDArray[Any]]:
        """Group rows by keys and class; add up weights and more whole numbers. One query."""
        import narwhals as nw

        summed = dict(sums or {})
        columns = [expr.alias(name) for name, expr in (dict(keys) | summed).items()]
        totals = [nw.col(name).sum() for name in summed]
        if self.weight is None:
            totals.append(nw.len().alias("weight"))
        else:
            columns.append(nw.col("weight"))
            totals.append(nw.col("weight").sum())
        asked = self.lazy if among is None else self.lazy.filter(among)
        rows = asked.select(nw.col("code"), *columns)
        query = rows.group_by(*keys, "code").agg(*totals)
        # DuckDB adds up into 128 bits, which leave it as decimals or floats.
        query = query.with_columns(nw.col(*{*summed, "weight"}).cast(nw.Int64))
        if most is not None:
            query = query.head(most + 1)
        groups = self.log.run(query, title)
        if most is not None and groups["weight"].size > most:
            raise TooManyGroups(remedy)
        if among is None:
            self._check_totals(groups)
        return groups

    def distinct(
        self,
        title: str,
        keys: Mapping[str, nw.Expr] | None = None,
        *,
        among: nw.Expr | None = None,
    ) -> dict[str, NDArray[Any]]:
        """Group the rows, or some of them, by all criteria. One query."""
        import narwhals as nw

        columns = {f"x{j}": nw.col(f"x{j}") for j in range(self.n_criteria)}
        # Engines differ in how they group nulls and NaN; no value is infinite.
        numbers = {
            name: nw.when(is_missing(column)).then(nw.lit(math.inf)).otherwise(column)
            for name, column in columns.items()
        }
        return self.group(
            title,
            numbers | dict(keys or {}),
            among=among,
            most=MOST_ROWS,
            remedy="These parameters look at rows and not only at counts, so that the frame must "
            f"have at most {MOST_ROWS} distinct rows. Got more instead; round its columns, "
            "learn from a sample, or use threshold='median' and solver='exact'.",
        )

    def values_of(self, groups: Groups) -> NDArray[np.float64]:
        """Values of distinct rows; NaN where one is missing."""
        X = np.column_stack([groups[f"x{j}"] for j in range(self.n_criteria)]) + 0.0
        return np.where(np.isinf(X), np.nan, X)

    def weights_of(self, groups: Groups) -> RowWeights:
        """Weights of groups of rows."""
        return RowWeights(groups["weight"], groups["weight"].size, self.unit, self.each)

    def range_of(self, criterion: int) -> tuple[float, float]:
        """Return the least and the greatest finite value of a criterion. One query."""
        import narwhals as nw

        number = nw.col(f"x{criterion}")
        finite = self.lazy.select(number).filter(~is_missing(number) & (number.abs() < math.inf))
        query = finite.select(number.min().alias("least"), number.max().alias("greatest"))
        found = self.log.run(query, f"range of {self.names[criterion]!r}")
        return float(found["least"][0]), float(found["greatest"][0])

    def _check_totals(self, groups: Groups) -> None:
        """Notice rows that came, went or changed their class since the first query."""
        found = np.zeros(self.n_classes + 1, dtype=np.int64)
        np.add.at(found, groups["code"], groups["weight"])
        if found.tolist() == [*self.totals.tolist(), 0]:
            return
        raise ValueError(
            "The frame must give the same rows each time that it is asked, and each of them a "
            f"class. Got the weights {(self.totals * self.unit).tolist()} by class first, and then "
            f"{(found[:-1] * self.unit).tolist()} with {found[-1] * self.unit:g} without a class. "
            "Take a snapshot of it, and leave out the rows without a label."
        )


def _sent(query: nw.LazyFrame[Any]) -> str:
    """The SQL that the engine is sent, or the plan of one without SQL; empty without either."""
    native, engine = query.to_native(), query.implementation
    if engine.is_duckdb():
        return str(native.sql_query())
    if engine.is_ibis():
        import ibis

        return str(ibis.to_sql(native))
    if not engine.is_spark_like() and not engine.is_polars():
        return ""
    printed = StringIO()
    with redirect_stdout(printed):  # Spark prints its plan, Polars returns it
        returned = native.explain()
    return returned or printed.getvalue()
