"""A frame of any engine as a source of counts: rows stay where they are, counts cross over.

Every question is one group-by on columns that are computed from the raw ones. Patterns are packed
into integers first, so that the engine groups by numbers and not by tuples of truth values. What
comes back is integers, and is checked: a table that changes between two questions is noticed.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Mapping, Sequence
from functools import reduce
from operator import add
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from sugeno._counts.class_weights import cost_by_class
from sugeno._counts.frame_columns import FrameColumns, first_met, is_missing
from sugeno._counts.frame_groups import Passes
from sugeno._counts.frame_sample import sampled_rows
from sugeno._counts.frame_values import (
    check_rows,
    check_values,
    count_frame_values,
    rounded_down,
)
from sugeno._counts.frame_weights import IntegerWeight
from sugeno._counts.patterns import Patterns
from sugeno._counts.sample import MOST_ROWS, TooManyGroups
from sugeno._counts.table import Table
from sugeno._counts.weights import RowWeights
from sugeno._scales.literals import Literals
from sugeno._scales.value_counts import ValueCounts
from sugeno._sets.masks import pack

if TYPE_CHECKING:
    import narwhals as nw

__all__ = ["Frame", "two_sides"]

Ints = NDArray[np.int64]

#: Readings of missing values by which they reach no level, at either end of a row.
_WORST = ("error", "pessimistic")
#: Literals in one integer key.
_KEY_BITS = 62


class Frame:
    """Rows on an engine, seen through counts.

    Parameters
    ----------
    rows : narwhals.LazyFrame
        The rows of positive weight.
    columns : FrameColumns
        The criteria.
    code : narwhals.Expr
        The number of the class of a row, and one more than the last where there is none.
    totals : ndarray of int64 of shape (C,)
        Weight of each class.
    weight : IntegerWeight, optional
        Weight of each row; 1 by default.
    missing : {"error", "pessimistic", "optimistic", "interval"}, default="error"
        What a missing value means; see `sugeno._counts.table.Table`.
    max_values : int, default=100_000
        So many distinct values may a criterion have; more are rounded down to multiples.
    passes : Passes, optional
        Counts the passes, and tells about them.

    Attributes
    ----------
    lazy_rows : narwhals.LazyFrame
        The criteria as x0, x1, …, the class as code, and the weight.
    counted : dict of int to ValueCounts
        Values of the criteria that have been asked for.
    steps : dict of int to float
        Of criteria with very many values: the step to whose multiples they are rounded down.

    Examples
    --------
    >>> import narwhals as nw
    >>> import numpy as np
    >>> import polars as pl
    >>> from sugeno._counts.frame import Frame
    >>> from sugeno._counts.frame_columns import FrameColumns, class_code
    >>> rows = nw.from_native(pl.LazyFrame({"x": [1, 2, 2], "y": [0, 1, 1]}))
    >>> code = class_code(nw.col("y"), [0, 1])
    >>> frame = Frame(rows, FrameColumns.of(rows, ["x"]), code, np.array([1, 2]))
    >>> frame.value_counts(0, by_class=True).weights
    array([[1, 0],
           [0, 2]])
    """

    def __init__(
        self,
        rows: nw.LazyFrame[Any],
        columns: FrameColumns,
        code: nw.Expr,
        totals: Ints,
        weight: IntegerWeight | None = None,
        *,
        missing: str = "error",
        max_values: int = 100_000,
        passes: Passes | None = None,
    ) -> None:
        self.totals = totals
        self.is_priced = False
        self.missing = missing
        self.lazy_rows = _renamed(rows, columns, code, weight)
        self._columns = columns
        self._weight = weight
        self.max_values = max_values
        self.counted: dict[int, ValueCounts] = {}
        self.steps: dict[int, float] = {}
        self._passes = passes or Passes()
        self._prices = [1] * totals.size
        self._price_unit = self.unit

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the criteria."""
        return self._columns.names

    @property
    def n_criteria(self) -> int:
        """Number of criteria."""
        return len(self.names)

    @property
    def total(self) -> int:
        """Weight of all rows."""
        return int(self.totals.sum())

    @property
    def unit(self) -> float:
        """What one unit of weight is worth to the user."""
        return 1.0 if self._weight is None else self._weight.unit

    @property
    def is_unweighted(self) -> bool:
        """Whether each row weighs one unit."""
        return self._weight is None

    def priced(self, factors: tuple[int, int, float]) -> Frame:
        """Return the same rows where an error costs so many times their weight, by class."""
        prices, unit = cost_by_class(self.totals, factors, self.is_unweighted)
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
        import narwhals as nw

        unknown = nw.col("code") >= self.totals.size
        two = first_met([(unknown, 2), (condition, 1)], 0).cast(nw.Int64)
        frame = copy.copy(self)
        frame.lazy_rows = self.lazy_rows.with_columns(two.alias("code"))
        frame.totals = two_sides(self.totals[None], upper)[0]
        frame.counted = {
            j: ValueCounts(counts.values, two_sides(counts.weights, upper))
            for j, counts in self.counted.items()
        }
        frame._prices = [1, 1]
        return frame

    def value_counts(self, criterion: int, *, by_class: bool = False) -> ValueCounts:
        """Return how much weight each value of a criterion has, in all or in each class."""
        if criterion not in self.counted:
            self.counted[criterion] = count_frame_values(self, criterion)
        counts = self.counted[criterion]
        return counts if by_class else ValueCounts(counts.values, counts.total[:, None])

    def range_of(self, criterion: int) -> tuple[float, float]:
        """Return the least and the greatest finite value of a criterion. One pass."""
        import narwhals as nw

        number = nw.col(f"x{criterion}")
        finite = self.lazy_rows.select(number).filter(
            ~is_missing(number) & (number.abs() < math.inf)
        )
        query = finite.select(number.min().alias("least"), number.max().alias("greatest"))
        found = self._passes.collected(query, f"range of {self.names[criterion]!r}")
        return float(found["least"][0]), float(found["greatest"][0])

    def round_down(self, criterion: int, exponent: int) -> None:
        """Round a criterion down to multiples of a power of two in all passes to come."""
        import narwhals as nw

        name = f"x{criterion}"
        self.lazy_rows = self.lazy_rows.with_columns(
            rounded_down(nw.col(name), exponent).alias(name)
        )
        self.steps[criterion] = 2.0**-exponent

    def patterns(
        self, lower: Literals, upper: Literals | None = None, *, priced: bool = False
    ) -> Patterns:
        """Return how much weight each class has on each pattern of the given literals."""
        ends = self._ends(lower, upper)
        keys = [key for end in ends for key in end]
        groups = self.group(
            f"patterns of {lower.levels.size} literals",
            {f"key{i}": key for i, key in enumerate(keys)},
            most=MOST_ROWS,
            remedy=f"The literals must part the rows into at most {MOST_ROWS} patterns. "
            "Got more instead; use fewer levels, or fewer criteria.",
        )
        words = [groups[f"key{i}"] for i in range(len(keys))]
        least = _unpacked(words[: len(ends[0])], lower.levels.size)
        check_values(self, lower, least, groups, best=self.missing == "optimistic")
        weights = self._priced_weights(groups) if priced else self.weights_of(groups)
        rest = (groups["code"], weights, lower.chains, int(self.totals.size))
        if len(ends) == 1:
            return Patterns.from_rows(pack(least), *rest)
        most = _unpacked(words[len(ends[0]) :], lower.levels.size)
        check_values(self, upper or lower, most, groups, best=self.missing not in _WORST)
        return Patterns.from_intervals(pack(least), pack(most), *rest)

    def _ends(self, lower: Literals, upper: Literals | None) -> list[list[nw.Expr]]:
        """Integer keys of the set that a row satisfies for certain, and at most."""
        open_values = self.missing == "interval"
        best = self.missing == "optimistic"
        if upper is None and not open_values:
            return [self._keys(lower, best)]
        return [self._keys(lower, best), self._keys(upper or lower, best or open_values)]

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

        best = self.missing == "optimistic"
        rungs = [
            (_number_of(self._reached(literals, best)) >= quorum).cast(nw.Int64)
            for literals in ladder
        ]
        groups = self.group(f"medians at {len(ladder)} levels", {"rungs": reduce(add, rungs)})
        exactly = np.zeros((len(ladder) + 1, self.totals.size), dtype=np.int64)
        np.add.at(exactly, (groups["rungs"], groups["code"]), self._costs(groups))
        at_least: Ints = exactly[::-1].cumsum(axis=0)[::-1][1:]
        return at_least

    def rows(self) -> Table:
        """Return the distinct rows with their weights, if there are few enough."""
        return self.table_of(self.distinct("distinct rows"))

    def sample(self, size: int) -> Table:
        """Return the distinct rows with the smallest hashes; see `sampled_rows`."""
        return sampled_rows(self, size)

    def distinct(
        self,
        title: str,
        keys: Mapping[str, nw.Expr] | None = None,
        *,
        among: nw.Expr | None = None,
    ) -> dict[str, NDArray[Any]]:
        """Group the rows, or some of them, by all criteria. One pass."""
        import narwhals as nw

        columns = {f"x{j}": nw.col(f"x{j}") for j in range(self.n_criteria)}
        # Engines differ in how they group nulls and NaN; no value is infinite.
        numbers = {
            name: nw.when(is_missing(column)).then(nw.lit(math.inf)).otherwise(column)
            for name, column in columns.items()
        }
        groups = self.group(
            title,
            numbers | dict(keys or {}),
            among=among,
            most=MOST_ROWS,
            remedy="These parameters look at rows and not only at counts, so that the frame must "
            f"have at most {MOST_ROWS} distinct rows. Got more instead; round its columns, "
            "learn from a sample, or use threshold='median' and solver='exact'.",
        )
        if among is None:
            check_rows(self, self._values(groups), groups)
        return groups

    def _values(self, groups: Mapping[str, NDArray[Any]]) -> NDArray[np.float64]:
        """Values of distinct rows; NaN where one is missing."""
        X = np.column_stack([groups[f"x{j}"] for j in range(self.n_criteria)]) + 0.0
        return np.where(np.isinf(X), np.nan, X)

    def table_of(self, groups: Mapping[str, NDArray[Any]]) -> Table:
        """Distinct rows as a table."""
        weights = self.weights_of(groups)
        return Table(
            self._values(groups),
            groups["code"],
            weights,
            self._priced_weights(groups) if self.is_priced else weights,
            int(self.totals.size),
            self.missing,
        )

    def weights_of(self, groups: Mapping[str, NDArray[Any]]) -> RowWeights:
        """Weights of groups of rows."""
        each = 1 if self._weight is None else self._weight.each
        return RowWeights(groups["weight"], groups["weight"].size, self.unit, each)

    def _priced_weights(self, groups: Mapping[str, NDArray[Any]]) -> RowWeights:
        costs = self._costs(groups)
        return RowWeights(costs, costs.size, self._price_unit)

    def _costs(self, groups: Mapping[str, NDArray[Any]]) -> Ints:
        costs: Ints = groups["weight"] * np.array(self._prices, dtype=np.int64)[groups["code"]]
        return costs

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
        """Group rows by keys and class; add up weights and more whole numbers. One pass."""
        import narwhals as nw

        summed = dict(sums or {})
        columns = [expr.alias(name) for name, expr in (dict(keys) | summed).items()]
        totals = [nw.col(name).sum() for name in summed]
        if self._weight is None:
            totals.append(nw.len().alias("weight"))
        else:
            columns.append(nw.col("weight"))
            totals.append(nw.col("weight").sum())
        asked = self.lazy_rows if among is None else self.lazy_rows.filter(among)
        rows = asked.select(nw.col("code"), *columns)
        query = rows.group_by(*keys, "code").agg(*totals)
        # DuckDB adds up into 128 bits, which leave it as decimals or floats.
        query = query.with_columns(nw.col(*{*summed, "weight"}).cast(nw.Int64))
        if most is not None:
            query = query.head(most + 1)
        groups = self._passes.collected(query, title)
        if most is not None and groups["weight"].size > most:
            raise TooManyGroups(remedy)
        if among is None:
            self._check_totals(groups)
        return groups

    def _check_totals(self, groups: Mapping[str, NDArray[Any]]) -> None:
        """Notice rows that came, went or changed their class since the first pass."""
        found = np.zeros(self.totals.size + 1, dtype=np.int64)
        np.add.at(found, groups["code"], groups["weight"])
        if found.tolist() == [*self.totals.tolist(), 0]:
            return
        raise ValueError(
            "The frame must give the same rows each time that it is asked, and each of them a "
            f"class. Got the weights {(self.totals * self.unit).tolist()} by class first, and then "
            f"{(found[:-1] * self.unit).tolist()} with {found[-1] * self.unit:g} without a class; "
            "take a snapshot of it, and leave out the rows without a label."
        )


def two_sides(weights: Ints, upper: slice) -> Ints:
    """Weights by class as weights of the other classes, and of these.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._counts.frame import two_sides
    >>> two_sides(np.array([[1, 2, 4]]), slice(1, None))
    array([[1, 6]])
    """
    above = weights[:, upper].sum(axis=1)
    return np.column_stack([weights.sum(axis=1) - above, above])


def _renamed(
    rows: nw.LazyFrame[Any], columns: FrameColumns, code: nw.Expr, weight: IntegerWeight | None
) -> nw.LazyFrame[Any]:
    """Criteria as x0, x1, …, class and weight: names that cannot clash, and no further casts."""
    numbers = [number.alias(f"x{j}") for j, number in enumerate(columns.numbers)]
    units = [] if weight is None else [weight.units.alias("weight")]
    return rows.select(*numbers, code.alias("code"), *units)


def _number_of(conditions: Sequence[nw.Expr]) -> nw.Expr:
    """How many of the conditions are met."""
    import narwhals as nw

    return reduce(add, [condition.cast(nw.Int64) for condition in conditions])


def _unpacked(words: Sequence[Ints], n_literals: int) -> NDArray[np.bool_]:
    """Which literals are satisfied, from integer keys."""
    bits = [words[j // _KEY_BITS] >> j % _KEY_BITS & 1 for j in range(n_literals)]
    return np.column_stack(bits).astype(np.bool_)
