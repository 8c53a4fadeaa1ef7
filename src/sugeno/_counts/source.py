"""Where counts come from: all that learning asks of a table.

A numpy table answers (`sugeno._counts.table.Table`); a group-by on another engine can answer as
well. All weights are integers, so that neither the order of the rows nor their partitioning can
matter. What needs the rows themselves, such as utilities of all rows or a vote of the rows, says
so and takes a `Table`.
"""

from __future__ import annotations

from typing import Protocol

from sugeno._counts.patterns import Patterns
from sugeno._scales.literals import Literals
from sugeno._scales.value_counts import ValueCounts

__all__ = ["Source"]


class Source(Protocol):
    """Rows with ordered classes and integer weights, seen through counts."""

    @property
    def n_criteria(self) -> int:
        """Number of criteria."""
        ...

    @property
    def total(self) -> int:
        """Weight of all rows."""
        ...

    @property
    def unit(self) -> float:
        """What one unit of weight is worth to the user."""
        ...

    def value_counts(self, criterion: int, *, by_class: bool = False) -> ValueCounts:
        """Return how much weight each value of a criterion has, in all or in each class."""
        ...

    def patterns(
        self, lower: Literals, upper: Literals | None = None, *, priced: bool = False
    ) -> Patterns:
        """Return how much weight each class has on each pattern of the given literals.

        With `upper` a row is the interval from the literals of `lower` that it satisfies to
        those of `upper`. With `priced` a row weighs what an error on it costs.
        """
        ...
