"""Passes over a frame: each is one query, counted, told about, and answered by a few rows."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import redirect_stdout
from dataclasses import dataclass, field
from io import StringIO
from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

if TYPE_CHECKING:
    import narwhals as nw

__all__ = ["MOST_LABELS", "OwnTime", "Passes"]

#: So many labels are asked for; as many are measurements.
MOST_LABELS = 1000


@dataclass
class OwnTime:
    """A clock that stands still while an engine works: a slow one must not change the model.

    Examples
    --------
    >>> from sugeno._counts.frame_groups import OwnTime
    >>> clock = OwnTime()
    >>> early = clock()
    >>> clock.waited += 100.0
    >>> clock() < early
    True
    """

    waited: float = 0.0

    def __call__(self) -> float:
        """Seconds, without those that were waited."""
        return time.monotonic() - self.waited


@dataclass
class Passes:
    """The passes over a frame so far.

    Attributes
    ----------
    tell : callable or None
        Is told what each pass is for, and what is sent to the engine where it can be written.
    count : int
        Number of passes.
    clock : OwnTime
        The time that passes beside them.

    Examples
    --------
    >>> import narwhals as nw
    >>> import polars as pl
    >>> from sugeno._counts.frame_groups import Passes
    >>> passes = Passes()
    >>> passes.collected(nw.from_native(pl.LazyFrame({"x": [1, 2]})), "all rows")
    {'x': array([1, 2])}
    >>> passes.count
    1
    """

    tell: Callable[[str], object] | None = None
    count: int = 0
    clock: OwnTime = field(default_factory=OwnTime)

    def collected(self, query: nw.LazyFrame[Any], title: str) -> dict[str, NDArray[Any]]:
        """Run a query on its engine, and take the few rows of its answer by column."""
        self.count += 1
        if self.tell is not None:
            self.tell(f"-- {title}\n{_sent(query)}".strip())
        start = time.monotonic()
        answer = query.collect()
        self.clock.waited += time.monotonic() - start
        return {name: answer[name].to_numpy() for name in answer.columns}


def _sent(query: nw.LazyFrame[Any]) -> str:
    """What the engine is sent: SQL, or the plan of an engine that has no SQL; nothing of others."""
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
