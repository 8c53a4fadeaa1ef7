"""What a classifier learns from: rows in memory or a frame of any engine, seen through counts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sugeno._counts.loss import Loss
from sugeno._counts.sample import SAMPLE
from sugeno._counts.source import Source
from sugeno._counts.weights import RowWeights, weights_by_label
from sugeno._learning.labels import Classes
from sugeno._learning.scales import Scales, find_scales
from sugeno._learning.training import Training, prepare
from sugeno._scales.directions import Directions, given_directions
from sugeno._scales.kinds import Column, column_of_counts
from sugeno.model.judged import Judged
from sugeno.model.model import HeldOut
from sugeno.model.text import class_names

__all__ = ["HeldOutRows", "RowsInMemory", "TrainingData", "weight_of_classes"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class RowsInMemory:
    """Rows in memory, those without weight too, as splitters and scorers of scikit-learn see them.

    Attributes
    ----------
    X : ndarray of shape (n, m)
        Their values.
    y : ndarray of shape (n,)
        Their labels.
    weights : RowWeights
        Their weights.
    given : ndarray of shape (n,) or None
        The weights as they were given, where they were.
    """

    X: Floats
    y: NDArray[Any]
    weights: RowWeights
    given: NDArray[Any] | None = None


@dataclass(frozen=True, eq=False)
class HeldOutRows:
    """What one class against the rest said of rows while they were held out.

    Attributes
    ----------
    X : ndarray of shape (n, m)
        All rows that folds were drawn from.
    mine : ndarray of bool of shape (n,)
        Which of them are of the class.
    chances : ndarray of shape (n,)
        How likely they are of the class; NaN for rows that were never held out.
    weight : ndarray of shape (n,)
        What each row counts.
    n_folds : int
        Number of folds.
    measured : str
        How, see `sugeno.model.model.HeldOut`.
    """

    X: Floats
    mine: NDArray[np.bool_]
    chances: Floats
    weight: Floats
    n_folds: int
    measured: str

    @staticmethod
    def together(each: Sequence[HeldOutRows]) -> HeldOut | None:
        """Decide about held-out rows as the models of all classes do together.

        None where the folds of the classes were drawn from different rows.

        Examples
        --------
        >>> import numpy as np
        >>> from sugeno._learning.data import HeldOutRows
        >>> X, truth = np.arange(3.0)[:, None], np.array([0, 1, 2])
        >>> said = np.array([[0.9, 0.1, 0.2], [0.3, 0.2, 0.4], [0.1, 0.1, 0.8]])
        >>> rows = [
        ...     HeldOutRows(X, truth == c, said[:, c], np.ones(3), 3, "folds") for c in range(3)
        ... ]
        >>> HeldOutRows.together(rows).judged.confusion.tolist()
        [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, 0.0, 1.0]]
        """
        first = each[0]
        if not all(np.array_equal(one.X, first.X, equal_nan=True) for one in each):
            return None
        mine, chances = (
            np.column_stack([getattr(one, name) for one in each]) for name in ("mine", "chances")
        )
        known = ~np.isnan(chances).any(axis=1)
        # Each row is of one class; rows that were joined by class are others for every class.
        if not known.any() or (mine.sum(axis=1) != 1).any():
            return None
        places, decided = mine[known].argmax(axis=1), chances[known].argmax(axis=1)
        # Classes without an order have no boundaries, so that nothing lies above one.
        judged = Judged.decided(places, decided, first.weight[known], len(each))
        return HeldOut(judged.error, first.n_folds, first.measured, judged)


@dataclass(frozen=True, eq=False)
class TrainingData:
    """Training data as it comes in: counts by class, the classes, and what is known of columns.

    Attributes
    ----------
    source : Source
        The rows of positive weight, seen through counts.
    classes : Classes
        Their classes: two, ordered ones, or ones without an order.
    loss : Loss or None
        What each error costs; None where each costs the same.
    names : ndarray of object of shape (m,) or None
        Names of the columns, where they have any.
    labels : tuple or None
        Per column its ordered labels, None for numbers, where there are ordered categoricals.
    rows : RowsInMemory or None
        The rows themselves, where they are in memory.
    sample : int
        Number of rows of different values that is enough for what looks at rows.
    weighted : bool
        Whether the rows were given weights.
    metadata : dict
        What splitters and scorers are given besides.
    columns : tuple of Column or None
        What the columns of a table of any kind hold.
    scales : Scales or None
        What these columns mean, where that is known already.
    target : str or None
        Name of what is predicted, where it has one.
    words : tuple of two str or None
        What rows of the positive one of two classes are called, and all others.
    costs : Loss or None
        What the two errors of two classes cost, where that was said.
    held_out : list of HeldOutRows or None
        Of one class against the rest: where to leave what was said of held-out rows.
    """

    source: Source
    classes: Classes
    loss: Loss | None = None
    names: NDArray[np.object_] | None = None
    labels: tuple[tuple[str, ...] | None, ...] | None = None
    rows: RowsInMemory | None = None
    sample: int = SAMPLE
    weighted: bool = False
    metadata: Mapping[str, Any] = field(default_factory=dict)
    columns: tuple[Column, ...] | None = None
    scales: Scales | None = None
    target: str | None = None
    words: tuple[str, str] | None = None
    costs: Loss | None = None
    held_out: list[HeldOutRows] | None = None

    def against_rest(self, place: int, held_out: list[HeldOutRows] | None = None) -> TrainingData:
        """Return the same rows with two classes: all others, False, and this one, True."""
        rows = self.rows
        if rows is not None:
            rows = replace(rows, y=rows.y == self.classes.labels[place])
        name = class_names(self.classes.labels.tolist(), self.target)[place]
        return replace(
            self,
            source=self.source.against_rest(place),
            classes=Classes(np.array([False, True])),
            rows=rows,
            scales=None,
            words=(name, f"not {name}"),
            held_out=held_out,
        )

    def with_free_columns(self, directions: Any) -> TrainingData:
        """Read numbers by their kinds, where the rows speak against any one direction of a column.

        Only of columns that have names. What the user says of missing cells stays as it is said.
        """
        if self.columns is not None or self.names is None or self.source.missing != "error":
            return self
        if isinstance(directions, str) and directions == "model":
            return self
        given = given_directions(directions, self.source.n_criteria, self.names)
        if given.all():
            return self
        columns = self._columns_of_numbers(self.names.tolist())
        if all(one.left_out for one in columns):
            return self
        said = {one.name: int(sign) for one, sign in zip(columns, given) if sign}
        for rows in self._questions():
            scales = find_scales(rows, columns, said, self._positive)
            if any(one.direction == "free" for one in scales.assumed):
                asked = scales if rows is self.source else None
                return replace(self, columns=columns, scales=asked)
        return self

    def _questions(self) -> Iterator[Source]:
        """The rows; of classes without an order those of each class against the rest."""
        if self.classes.ordered:
            yield self.source
        else:
            yield from map(self.source.against_rest, range(self.classes.size))

    def _columns_of_numbers(self, names: Sequence[str]) -> tuple[Column, ...]:
        """The kinds of columns that have numbers or ordered labels alone."""
        columns = []
        for j, (name, labels) in enumerate(zip(names, self.labels or [None] * len(names))):
            values = self.source.value_counts(j, by_class=True).values
            sort, ends = "number" if labels is None else "ordered", values[[0, -1]].tolist()
            columns.append(
                column_of_counts(
                    name, sort, self.source.total, 0, labels=labels, ends=ends, numbered=False
                )
            )
        return tuple(columns)

    @property
    def _positive(self) -> str:
        """What rows of the higher one of two classes are called."""
        labels = self.classes.labels.tolist()
        return class_names(labels, self.target, self.words)[-1] if len(labels) == 2 else ""

    def prepared(
        self,
        directions: Directions | ArrayLike | Mapping[str, int | str] | str | None,
        class_weight: Mapping[Any, float] | str | None = None,
    ) -> Training:
        """Orient the criteria and count their values.

        More than two classes have been weighed before, row by row.
        """
        training = prepare(
            self.source,
            self.classes.labels,
            directions=directions,
            class_weight=class_weight if self.classes.size == 2 else None,
            feature_names=self.names,
            labels=self.labels,
            columns=self.columns,
            scales=self.scales,
            positive=self._positive,
            costs=self.costs,
        )
        return replace(training, sample=self.sample)


def weight_of_classes(
    class_weight: Mapping[Any, float] | str, labels: NDArray[Any], totals: Floats, total: float
) -> Floats:
    """Return the weight of each class, given the weight of its rows and that of all.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._learning.data import weight_of_classes
    >>> weight_of_classes("balanced", np.array(["a", "b", "c"]), np.array([2.0, 1.0, 1.0]), 4.0)
    array([0.66666667, 1.33333333, 1.33333333])
    """
    if isinstance(class_weight, Mapping):
        return np.array(weights_by_label(class_weight, labels))
    return total / (labels.size * totals)
