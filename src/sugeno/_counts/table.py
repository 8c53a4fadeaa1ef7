"""A table in memory as a source of counts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sugeno._counts.patterns import Patterns
from sugeno._counts.row_order import row_order
from sugeno._counts.sample import sampled_table
from sugeno._counts.value_counting import (
    ColumnCounts,
    count_columns_by_class,
    count_values,
    count_values_by_class,
    laid_out,
)
from sugeno._counts.weights import RowWeights, costs_of_rows
from sugeno._scales.criterion import Criterion, on_scales
from sugeno._scales.literals import Literals
from sugeno._scales.missing import ends, has_missing
from sugeno._scales.value_counts import ValueCounts

Floats = NDArray[np.float64]

#: So many columns are laid out at a time.
_COLUMNS_AT_ONCE = 5
#: Up to this many entries the values of all columns are counted in one go, and kept.
_FEW_ENTRIES = 1 << 16


@dataclass(frozen=True)
class Table:
    """Rows of positive weight with their classes.

    Attributes
    ----------
    X : ndarray of float64 of shape (n, m)
        Values in original units; NaN where one is missing, if `missing` says what that means.
    codes : ndarray of intp of shape (n,)
        Class of each row, 0 to C − 1.
    weights : RowWeights
        Sample weights.
    costs : RowWeights
        Sample weights times class weights: what an error costs.
    n_classes : int
        Number of classes C.
    missing : {"error", "pessimistic", "optimistic", "interval"}
        What a missing value is: worse than every level, better, or either, so that the row is an
        interval of patterns. With "error" there is none.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._counts.table import Table
    >>> from sugeno._counts.weights import row_weights
    >>> rows = Table.of(np.array([[1.0], [2.0], [2.0]]), np.array([0, 1, 1]), row_weights(None, 3))
    >>> rows.value_counts(0, by_class=True).weights
    array([[1, 0],
           [0, 2]])
    """

    X: Floats
    codes: NDArray[np.intp]
    weights: RowWeights
    costs: RowWeights
    n_classes: int = 2
    missing: str = "error"

    in_memory: ClassVar[bool] = True

    @classmethod
    def of(
        cls, X: Floats, codes: NDArray[np.intp], weights: RowWeights, missing: str = "error"
    ) -> Table:
        """Rows on which an error costs what they weigh; those without weight are left out."""
        present = weights.present
        if present is not None:
            X, codes, weights = X[present], codes[present], weights.take(present)
        return cls(X, codes, weights, weights, missing=missing)

    def take(self, rows: NDArray[np.intp] | NDArray[np.bool_]) -> Table:
        """Some of the rows."""
        weights = self.weights.take(rows)
        costs = self.costs.take(rows) if self.is_priced else weights
        return Table(self.X[rows], self.codes[rows], weights, costs, self.n_classes, self.missing)

    def joined(self) -> Table:
        """The distinct rows of each class with the weight of all equal ones, in order.

        Examples
        --------
        >>> import numpy as np
        >>> from sugeno._counts.table import Table
        >>> from sugeno._counts.weights import row_weights
        >>> X, codes = np.array([[3.0], [1.0], [3.0]]), np.array([0, 1, 0])
        >>> Table.of(X, codes, row_weights(None, 3)).joined().weights.values
        array([1, 2])
        """
        order = row_order((self.codes, *self.X.T[::-1]))
        return self.take(order).joined_neighbours()[0]

    def joined_neighbours(self) -> tuple[Table, NDArray[np.intp]]:
        """Join rows with the rows before them that are equal, in class too; return the first ones.

        Examples
        --------
        >>> import numpy as np
        >>> from sugeno._counts.table import Table
        >>> from sugeno._counts.weights import row_weights
        >>> X, codes = np.array([[1.0], [3.0], [3.0]]), np.array([1, 0, 0])
        >>> Table.of(X, codes, row_weights(None, 3)).joined_neighbours()[1]
        array([0, 1])
        """
        values = np.nan_to_num(self.X, nan=np.inf)
        new = np.ones(len(values), dtype=np.bool_)
        new[1:] = (values[1:] != values[:-1]).any(axis=1) | (self.codes[1:] != self.codes[:-1])
        first = np.flatnonzero(new)
        weights = self.weights.joined(first)
        costs = self.costs.joined(first) if self.is_priced else weights
        joined = replace(
            self, X=self.X[first] + 0.0, codes=self.codes[first], weights=weights, costs=costs
        )
        return joined, first

    def on_scales(self, criteria: Sequence[Criterion]) -> Table:
        """Return the same rows with a column for each criterion, which reads one of these columns.

        Examples
        --------
        >>> import numpy as np
        >>> from sugeno._counts.table import Table
        >>> from sugeno._counts.weights import row_weights
        >>> from sugeno._scales.criterion import Criterion
        >>> rows = Table.of(np.array([[5.0, 1.0]]), np.array([0]), row_weights(None, 1))
        >>> rows.on_scales([Criterion("b", column=1), Criterion("b", -1, column=1)]).X
        array([[1., 1.]])
        """
        return replace(self, X=on_scales(self.X, criteria), missing="pessimistic")

    def sample(self, size: int) -> Table:
        """Return all rows, or the distinct rows with the smallest hashes if there are more."""
        return self if len(self.codes) <= size else sampled_table(self, size)

    @property
    def n_criteria(self) -> int:
        """Number of criteria."""
        return int(self.X.shape[1])

    @property
    def total(self) -> int:
        """Weight of all rows."""
        return self.weights.total

    @property
    def totals(self) -> NDArray[np.int64]:
        """Weight of each class."""
        return np.array(
            [self.weights.take(self.codes == code).total for code in range(self.n_classes)]
        )

    @property
    def unit(self) -> float:
        """What one unit of weight is worth to the user."""
        return self.weights.unit

    @property
    def is_priced(self) -> bool:
        """Whether an error may cost something else than the weight of its row."""
        return self.costs is not self.weights

    def priced(self, factors: tuple[int, int, float]) -> Table:
        """Return the same rows where an error costs so many times their weight, by class."""
        return replace(self, costs=costs_of_rows(self.weights, self.positive, factors))

    def at_boundary(self, boundary: int) -> Table:
        """Return the same rows with two classes: up to this one, and above it."""
        return replace(self, codes=(self.codes > boundary).astype(np.intp), n_classes=2)

    def against_rest(self, code: int) -> Table:
        """Return the same rows with two classes: all others, and this one."""
        return replace(self, codes=(self.codes == code).astype(np.intp), n_classes=2)

    def rows(self) -> Table:
        """Return the rows themselves."""
        return self

    @property
    def positive(self) -> NDArray[np.bool_]:
        """Whether a row belongs to the higher of two classes."""
        return self.codes > 0

    def value_counts(self, criterion: int, *, by_class: bool = False) -> ValueCounts:
        """Return how much weight each value of a criterion has, in all or in each class."""
        if self._counted is not None:
            return self._counted.counts[criterion]
        column, codes, weights = self._column(criterion), self.codes, self.weights
        if self.missing != "error" and has_missing(column):
            there = ~np.isnan(column)
            column, codes, weights = column[there], codes[there], weights.take(there)
        if by_class:
            return count_values_by_class(column, codes, weights, self.n_classes)
        return count_values(column, weights)

    def _column(self, criterion: int) -> Floats:
        """A column as an array of its own; those beside it are laid out in the same go."""
        if criterion not in self._laid_out:
            first = criterion - criterion % _COLUMNS_AT_ONCE
            columns = range(first, min(first + _COLUMNS_AT_ONCE, self.n_criteria))
            self._laid_out.clear()
            self._laid_out.update(zip(columns, laid_out(self.X, columns)))
        return self._laid_out.pop(criterion)

    @cached_property
    def _laid_out(self) -> dict[int, Floats]:
        """Columns that somebody may ask for next."""
        return {}

    @property
    def places(self) -> NDArray[np.intp] | None:
        """Place of each entry, by criterion, among its values; None if the table is not small."""
        return None if self._counted is None else self._counted.places

    @cached_property
    def _counted(self) -> ColumnCounts | None:
        """The counts by class of all criteria of a small table without missing values."""
        if self.X.size > _FEW_ENTRIES or (self.missing != "error" and has_missing(self.X)):
            return None
        return count_columns_by_class(self.X, self.codes, self.weights, self.n_classes)

    def patterns(
        self, lower: Literals, upper: Literals | None = None, *, priced: bool = False
    ) -> Patterns:
        """Return how much weight each class has on each pattern of the given literals."""
        weights = self.costs if priced else self.weights
        worst, best = self._ends(lower.directions)
        chains, rows = lower.chains, lower.satisfied(worst)
        if upper is None and best is worst:
            return Patterns.from_rows(rows, self.codes, weights, chains, self.n_classes)
        most = (upper or lower).satisfied(best)
        return Patterns.from_intervals(rows, most, self.codes, weights, chains, self.n_classes)

    def _ends(self, directions: NDArray[np.int64]) -> tuple[Floats, Floats]:
        """The rows in the worst case and in the best; the same table where no value is open."""
        return ends(self.X, directions, self.missing)

    def settled(self, directions: NDArray[np.int64]) -> Floats:
        """The rows with missing values as learning reads them, for learners that see one value.

        With "interval" a row of the higher class is in the worst case and one of the lower class
        in the best: a monotone learner that is right there is right whatever the truth.
        """
        worst, best = self._ends(directions)
        return worst if best is worst else np.where(self.positive[:, None], worst, best)

    def reaching(self, ladder: Sequence[Literals], quorum: int) -> NDArray[np.int64]:
        """Return what the rows of each class cost that satisfy so many of the literals."""
        weights = np.empty((len(ladder), self.n_classes), dtype=np.int64)
        for rung, literals in enumerate(ladder):
            reached = np.bitwise_count(literals.satisfied(self.X)).sum(axis=1) >= quorum
            for code in range(self.n_classes):
                weights[rung, code] = self.costs.take(reached & (self.codes == code)).total
        return weights
