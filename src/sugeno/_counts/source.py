"""Where counts come from: all that learning asks of a table.

A numpy table answers (`sugeno._counts.table.Table`), and so does a group-by on the engine that
holds the data (`sugeno._counts.frame.source.Frame`). All weights are integers, so that neither the
order of the rows nor their partitioning can matter. What needs rows, such as utilities of all rows
or a vote of the rows, asks for them by name: `rows`, or `sample`. No caller asks what kind of
source it has.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from sugeno._counts.patterns import Patterns
from sugeno._scales.criterion import Criterion
from sugeno._scales.literals import Literals
from sugeno._scales.value_counts import ValueCounts

if TYPE_CHECKING:
    from sugeno._counts.table import Table


class Source(Protocol):
    """Rows with ordered classes and integer weights, seen through counts."""

    @property
    def n_criteria(self) -> int:
        """Number of criteria."""

    @property
    def total(self) -> int:
        """Weight of all rows."""

    @property
    def totals(self) -> NDArray[np.int64]:
        """Weight of each class."""

    @property
    def unit(self) -> float:
        """What one unit of weight is worth to the user."""

    @property
    def missing(self) -> str:
        """What a missing value means; see `sugeno._counts.table.Table`."""

    @property
    def in_memory(self) -> bool:
        """Whether the rows are here, so that to look at them costs no query."""

    @property
    def places(self) -> NDArray[np.intp] | None:
        """Place of each entry, by criterion, among its values; None if the rows are not few."""

    @property
    def is_priced(self) -> bool:
        """Whether an error may cost something else than the weight of its row."""

    def priced(self, factors: tuple[int, int, float]) -> Source:
        """Return the same rows where an error costs so many times their weight, by class.

        The factors are those of `sugeno._counts.weights.class_factors`.
        """

    def at_boundary(self, boundary: int) -> Source:
        """Return the same rows with two classes: up to this one, and above it."""

    def value_counts(self, criterion: int, *, by_class: bool = False) -> ValueCounts:
        """Return how much weight each value of a criterion has, in all or in each class."""

    def patterns(
        self, lower: Literals, upper: Literals | None = None, *, priced: bool = False
    ) -> Patterns:
        """Return how much weight each class has on each pattern of the given literals.

        With `upper` a row is the interval from the literals of `lower` that it satisfies to
        those of `upper`. With `priced` a row weighs what an error on it costs.
        """

    def reaching(self, ladder: Sequence[Literals], quorum: int) -> NDArray[np.int64]:
        """Return what the rows of each class cost that satisfy so many of the literals.

        One row of the result per rung, one column per class. The rungs of the ladder get harder:
        a row that satisfies `quorum` literals of one does so on all before it.
        """

    def against_rest(self, code: int) -> Source:
        """Return the same rows with two classes: all others, and this one."""

    def on_scales(self, criteria: Sequence[Criterion]) -> Source:
        """Return the same rows with a column for each criterion, which reads one of these columns.

        A missing value that has no place of its own satisfies nothing.
        """

    def sample(self, size: int) -> Table:
        """Return all rows if they are few, else some distinct ones; see `sugeno._counts.sample`.

        They are chosen by what they hold, so that every source of the same rows gives the same.
        """

    def rows(self) -> Table:
        """Return the rows themselves; equal ones may stand there once, with their weight."""
