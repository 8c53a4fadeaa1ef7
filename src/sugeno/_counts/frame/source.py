"""A frame of any engine as a source of counts: rows stay where they are, counts cross over.

Every question is one group-by on columns that are computed from the raw ones. Patterns are packed
into integers first, so that the engine groups by numbers and not by tuples of truth values.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Mapping, Sequence
from functools import reduce
from operator import add
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sugeno._counts.frame.columns import is_missing
from sugeno._counts.frame.distinct import hashed
from sugeno._counts.frame.queries import EngineRows, Groups
from sugeno._counts.frame.values import (
    check_rows,
    check_values,
    count_engine_values,
    rounded_down,
)
from sugeno._counts.patterns import Patterns
from sugeno._counts.sample import HASHES, MOST_ROWS, in_order, scale_of, smallest_hashes
from sugeno._counts.table import Table
from sugeno._counts.weights import RowWeights, cost_by_class
from sugeno._scales.criterion import Criterion, counts_on_scale
from sugeno._scales.literals import Literals
from sugeno._scales.missing import reaches_all_levels
from sugeno._scales.value_counts import ValueCounts
from sugeno._sets.masks import pack

if TYPE_CHECKING:
    import narwhals as nw

Ints = NDArray[np.int64]

#: Literals in one integer key.
_KEY_BITS = 62


class Frame:
    """Rows on an engine, seen through counts: a `sugeno._counts.source.Source`.

    Parameters
    ----------
    rows : EngineRows
        The rows of positive weight.
    missing : {"error", "pessimistic", "optimistic", "interval"}, default="error"
        What a missing value means.
    max_values : int, default=100_000
        So many distinct values may a criterion have; more are rounded down to multiples.
    counted : mapping of int to ValueCounts, optional
        Values of the criteria that are known already.

    Examples
    --------
    >>> import narwhals as nw
    >>> import numpy as np
    >>> import polars as pl
    >>> from sugeno._counts.frame.columns import FrameColumns, class_code
    >>> from sugeno._counts.frame.queries import EngineRows
    >>> from sugeno._counts.frame.source import Frame
    >>> frame = nw.from_native(pl.LazyFrame({"x": [1, 2, 2], "y": [0, 1, 1]}))
    >>> code = class_code(nw.col("y"), [0, 1])
    >>> rows = EngineRows.of(frame, FrameColumns.of(frame, ["x"]), code, np.array([1, 2]))
    >>> Frame(rows).value_counts(0, by_class=True).weights
    array([[1, 0],
           [0, 2]])
    """

    in_memory = False
    places = None

    def __init__(
        self,
        rows: EngineRows,
        *,
        missing: str = "error",
        max_values: int = 100_000,
        counted: Mapping[int, ValueCounts] | None = None,
    ) -> None:
        self.missing = missing
        self.is_priced = False
        self._rows = rows
        self._max_values = max_values
        self._counted = dict(counted or {})
        self._prices = [1] * rows.n_classes
        self._price_unit = rows.unit

    @property
    def n_criteria(self) -> int:
        """Number of criteria."""
        return self._rows.n_criteria

    @property
    def total(self) -> int:
        """Weight of all rows."""
        return int(self.totals.sum())

    @property
    def totals(self) -> Ints:
        """Weight of each class."""
        return self._rows.totals

    @property
    def unit(self) -> float:
        """What one unit of weight is worth to the user."""
        return self._rows.unit

    def priced(self, factors: tuple[int, int, float]) -> Frame:
        """Return the same rows where an error costs so many times their weight, by class."""
        prices, unit = cost_by_class(self.totals, factors, self._rows.each)
        frame = copy.copy(self)
        frame.is_priced = True
        frame._prices, frame._price_unit = prices, self.unit * unit
        return frame

    def at_boundary(self, boundary: int) -> Frame:
        """Return the same rows with two classes: up to this one, and above it."""
        import narwhals as nw

        return self._in_two(nw.col("code") > boundary, slice(boundary + 1, None))

    def against_rest(self, code: int) -> Frame:
        """Return the same rows with two classes: all others, and this one."""
        import narwhals as nw

        return self._in_two(nw.col("code") == code, slice(code, code + 1))

    def _in_two(self, condition: nw.Expr, upper: slice) -> Frame:
        """The same rows with two classes: those with a condition, of the given classes, above."""
        frame = copy.copy(self)
        frame._rows = self._rows.in_two(condition, upper)
        frame._counted = {j: counts.in_two(upper) for j, counts in self._counted.items()}
        frame._prices = [1, 1]
        return frame

    def value_counts(self, criterion: int, *, by_class: bool = False) -> ValueCounts:
        """Return how much weight each value of a criterion has, in all or in each class."""
        import narwhals as nw

        if criterion not in self._counted:
            counts, exponent = count_engine_values(
                self._rows, criterion, self.missing, self._max_values
            )
            self._counted[criterion] = counts
            if exponent is not None:  # in all queries to come
                name = f"x{criterion}"
                rounded = rounded_down(nw.col(name), exponent)
                self._rows = self._rows.with_columns(**{name: rounded})
        counts = self._counted[criterion]
        return counts if by_class else ValueCounts(counts.values, counts.total[:, None])

    def patterns(
        self, lower: Literals, upper: Literals | None = None, *, priced: bool = False
    ) -> Patterns:
        """Return how much weight each class has on each pattern of the given literals."""
        best = reaches_all_levels(self.missing)
        literals = [lower] if upper is None and best[0] == best[1] else [lower, upper or lower]
        keys = [self._keys(one, reach) for one, reach in zip(literals, best)]
        groups = self._rows.group(
            f"patterns of {lower.levels.size} literals",
            {f"key{i}": key for i, key in enumerate(key for end in keys for key in end)},
            most=MOST_ROWS,
            remedy=f"The literals must part the rows into at most {MOST_ROWS} patterns. "
            "Got more instead; use fewer levels, or fewer criteria.",
        )
        words = [groups[f"key{i}"] for i in range(sum(map(len, keys)))]
        ends = [_unpacked(words[i * len(keys[0]) :], lower.levels.size) for i in range(len(keys))]
        for one, satisfied, reach in zip(literals, ends, best):
            check_values(self._rows, self._counted, one, satisfied, groups, best=reach)
        weights = self._priced_weights(groups) if priced else self._rows.weights_of(groups)
        rest = (groups["code"], weights, lower.chains, self._rows.n_classes)
        if len(ends) == 1:
            return Patterns.from_rows(pack(ends[0]), *rest)
        return Patterns.from_intervals(pack(ends[0]), pack(ends[1]), *rest)

    def _keys(self, literals: Literals, best: bool) -> list[nw.Expr]:
        """Pack the literals that a row satisfies into integers."""
        import narwhals as nw

        bits = [
            reached.cast(nw.Int64) * (1 << j % _KEY_BITS)
            for j, reached in enumerate(self._reached(literals, best))
        ]
        starts = range(0, len(bits), _KEY_BITS)
        return [reduce(add, bits[start : start + _KEY_BITS]) for start in starts]

    def _reached(self, literals: Literals, best: bool) -> list[nw.Expr]:
        """Literals as expressions; a missing value reaches all levels, or none."""
        import narwhals as nw

        numbers = [nw.col(f"x{j}") for j in range(self.n_criteria)]
        directions = literals.directions.tolist()
        if self.missing != "error":
            filled = [nw.lit((d if best else -d) * math.inf) for d in directions]
            numbers = [
                nw.when(is_missing(number)).then(fill).otherwise(number)
                for number, fill in zip(numbers, filled)
            ]
        return [
            numbers[j] >= level if directions[j] > 0 else numbers[j] <= level
            for j, level in zip(literals.columns.tolist(), literals.levels.tolist())
        ]

    def reaching(self, ladder: Sequence[Literals], quorum: int) -> Ints:
        """Return what the rows of each class cost that satisfy so many of the literals."""
        import narwhals as nw

        best, _ = reaches_all_levels(self.missing)
        rungs = [
            (_number_of(self._reached(literals, best)) >= quorum).cast(nw.Int64)
            for literals in ladder
        ]
        title = f"medians at {len(ladder)} levels"
        groups = self._rows.group(title, {"rungs": reduce(add, rungs)})
        exactly = np.zeros((len(ladder) + 1, self.totals.size), dtype=np.int64)
        np.add.at(exactly, (groups["rungs"], groups["code"]), self._costs(groups))
        at_least: Ints = exactly[::-1].cumsum(axis=0)[::-1][1:]
        return at_least

    def rows(self) -> Table:
        """Return the distinct rows with their weights, if there are few enough."""
        groups = self._rows.distinct("distinct rows")
        check_rows(self._rows, self._counted, groups)
        return self._table_of(groups)

    def on_scales(self, criteria: Sequence[Criterion]) -> Frame:
        """Return the same rows with a column for each criterion, which reads one of these columns.

        Its values need no query: they are those of the column, read by the criterion.
        """
        columns = [j if one.column is None else one.column for j, one in enumerate(criteria)]
        counts = [self.value_counts(j, by_class=True) for j in columns]
        frame = copy.copy(self)
        frame.missing = "pessimistic"
        frame._rows = self._rows.on_scales(criteria, columns)
        frame._counted = {
            number: counts_on_scale(one, self.totals, criterion)
            for number, (one, criterion) in enumerate(zip(counts, criteria))
        }
        return frame

    def sample(self, size: int) -> Table:
        """Return the distinct rows with the smallest hashes; one query as a rule."""
        import narwhals as nw

        ends = [self.value_counts(j).values[[0, -1]].tolist() for j in range(self.n_criteria)]
        rows, value = hashed(self._rows, [scale_of(*one) for one in ends]), nw.col("hash")

        def below(bound: int) -> tuple[Table, NDArray[np.intp]]:
            among = value < bound if bound < HASHES else None
            title = f"rows with a hash below {bound}"
            groups = rows.distinct(title, {"hash": value}, among=among)
            if among is None:
                check_rows(self._rows, self._counted, groups)
            return in_order(self._table_of(groups), groups["hash"])

        return smallest_hashes(below, size, self.total)

    def _table_of(self, groups: Groups) -> Table:
        """Distinct rows as a table."""
        weights = self._rows.weights_of(groups)
        return Table(
            self._rows.values_of(groups),
            groups["code"],
            weights,
            self._priced_weights(groups) if self.is_priced else weights,
            self._rows.n_classes,
            self.missing,
        )

    def _priced_weights(self, groups: Groups) -> RowWeights:
        costs = self._costs(groups)
        return RowWeights(costs, costs.size, self._price_unit)

    def _costs(self, groups: Groups) -> Ints:
        copies = groups["weight"] // max(1, self._rows.each)
        costs: Ints = copies * np.array(self._prices, dtype=np.int64)[groups["code"]]
        return costs


def _number_of(conditions: Sequence[nw.Expr]) -> nw.Expr:
    """How many of the conditions are met."""
    import narwhals as nw

    return reduce(add, [condition.cast(nw.Int64) for condition in conditions])


def _unpacked(words: Sequence[Ints], n_literals: int) -> NDArray[np.bool_]:
    """Which literals are satisfied, from integer keys."""
    bits = [words[j // _KEY_BITS] >> j % _KEY_BITS & 1 for j in range(n_literals)]
    return np.column_stack(bits).astype(np.bool_)
