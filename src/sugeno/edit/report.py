"""What an edit changes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sugeno._counts.weights import RowWeights
from sugeno._scales.number import plain
from sugeno.edit._assembly import EvaluationRows
from sugeno.model.boundary import Boundary
from sugeno.model.model import Model
from sugeno.model.per_class import ModelPerClass

__all__ = ["Among", "EditReport", "Moves"]


@dataclass(frozen=True)
class Moves:
    """Rows that are decided otherwise among classes without an order.

    Attributes
    ----------
    n_rows : int
        Number of rows that were given.
    counts : dict
        From a pair of labels, before and after, to the number of rows.
    errors_before, errors_after : float
        Weight of the errors.

    Examples
    --------
    >>> from sugeno.edit.report import Moves
    >>> print(Moves(40, {("red", "blue"): 2}, 3.0, 5.0))
    Of all classes, 2 of 40 rows are decided otherwise: 2 blue instead of red. Errors: 3 before, \
5 after.
    """

    n_rows: int
    counts: dict[tuple[Any, Any], int]
    errors_before: float
    errors_after: float

    def __str__(self) -> str:
        errors = f"Errors: {plain(self.errors_before)} before, {plain(self.errors_after)} after."
        number = sum(self.counts.values())
        if not number:
            return f"Of all classes, none of {self.n_rows} rows is decided otherwise. {errors}"
        listed = ", ".join(
            f"{n} {after} instead of {before}" for (before, after), n in self.counts.items()
        )
        verb = "row is" if self.n_rows == 1 else "rows are"
        return (
            f"Of all classes, {number} of {self.n_rows} {verb} decided otherwise: {listed}. "
            f"{errors}"
        )


@dataclass(frozen=True, eq=False)
class Among:
    """Classes without an order, of which one is edited, and rows to judge all of them by.

    Attributes
    ----------
    whole : ModelPerClass
        All models before the edit.
    place : int
        Place of the class that is edited.
    X : ndarray
        Rows, as the models read them.
    labels : ndarray
        Their classes.
    weights : RowWeights
        Their weights.

    Examples
    --------
    >>> from sugeno import SugenoClassifier
    >>> X, y = [[1, 6], [2, 5], [5, 2], [6, 1], [9, 9], [8, 8]], list("aabbcc")
    >>> clf = SugenoClassifier(directions=None).fit(X, y)
    >>> clf.edit(X, y, boundary="b").among.place
    1
    """

    whole: ModelPerClass
    place: int
    X: NDArray[Any]
    labels: NDArray[Any]
    weights: RowWeights

    def moves(self, model: Model) -> Moves:
        """Which rows are decided otherwise with another model of the class."""
        before = self.whole.decide(self.X)
        after = self.whole.with_model(self.place, model).decide(self.X)
        errors = (self.weights.sums((one != self.labels)[:, None]) for one in (before, after))
        changed = before != after
        pairs = zip(before[changed].tolist(), after[changed].tolist())
        counts = dict(sorted(Counter(pairs).items(), key=lambda item: (-item[1], str(item[0]))))
        first, second = (float(one[0]) * self.weights.unit for one in errors)
        return Moves(len(self.X), counts, first, second)


@dataclass(frozen=True, eq=False)
class EditReport:
    """Which rows get another label, and what that costs in errors.

    Attributes
    ----------
    steps : tuple of str
        What was done.
    before, after : str
        The rules as text.
    names : tuple of two str
        What rows that are accepted are called, and all others.
    n_rows : int or None
        Number of rows that were given; None without rows. The rest is then None or empty.
    newly_accepted, newly_refused : ndarray of int
        Places of the rows that change.
    errors_before, errors_after : float or None
        Weight of the errors on the rows.
    moves : Moves or None
        Of classes without an order: which rows another class wins.

    Examples
    --------
    >>> from sugeno import SugenoClassifier
    >>> X, y = [[1], [2], [3], [4]], [0, 0, 1, 1]
    >>> edit = SugenoClassifier().fit(X, y).edit(X, y).move_level("x0", 3, to=4)
    >>> print(edit.report)
    moved the level of x0 from 3 to 4
    before: class 1 if x0 >= 3
    after: class 1 if x0 >= 4
    1 of 4 rows changes: 1 is class 0 now. Errors: 0 before, 1 after.
    """

    steps: tuple[str, ...]
    before: str
    after: str
    names: tuple[str, str]
    n_rows: int | None = None
    newly_accepted: NDArray[np.intp] = field(default_factory=lambda: np.zeros(0, dtype=np.intp))
    newly_refused: NDArray[np.intp] = field(default_factory=lambda: np.zeros(0, dtype=np.intp))
    errors_before: float | None = None
    errors_after: float | None = None
    moves: Moves | None = None

    @classmethod
    def of(
        cls, steps: Sequence[str], before: Boundary, after: Boundary, rows: EvaluationRows | None
    ) -> EditReport:
        """Compare two models on rows."""
        names = after.form.head, after.form.others
        found = cls(tuple(steps), str(before.form), str(after.form), names)
        if rows is None:
            return found
        old, new = before.accepted(rows.X), after.accepted(rows.X)
        return found._counted(rows, rows.positive, old, new)

    @classmethod
    def of_card(
        cls,
        steps: Sequence[str],
        before: Model,
        after: Model,
        rows: Sequence[EvaluationRows] | None,
    ) -> EditReport:
        """Compare two models with a card; of ordered classes rows get a higher or a lower one."""
        if len(before.boundaries) == 1:
            sides = before.boundaries[0], after.boundaries[0]
            return cls.of(steps, *sides, None if rows is None else rows[0])
        names = "of a higher class", "of a lower class"
        found = cls(tuple(steps), str(before.rules), str(after.rules), names)
        if rows is None:
            return found
        old, new = (
            np.sum([one.accepted(own.X) for one, own in zip(model.boundaries, rows)], axis=0)
            for model in (before, after)
        )
        return found._counted(rows[0], np.sum([own.positive for own in rows], axis=0), old, new)

    def _counted(
        self, rows: EvaluationRows, truth: NDArray[Any], old: NDArray[Any], new: NDArray[Any]
    ) -> EditReport:
        """Add what changes on rows: their places before and after, and in truth."""
        return replace(
            self,
            n_rows=len(truth),
            newly_accepted=np.flatnonzero(new > old),
            newly_refused=np.flatnonzero(new < old),
            errors_before=rows.weight_of(old != truth),
            errors_after=rows.weight_of(new != truth),
        )

    @property
    def changed(self) -> NDArray[np.intp]:
        """Places of all rows that change, ascending."""
        return np.sort(np.concatenate([self.newly_accepted, self.newly_refused]))

    def __str__(self) -> str:
        lines = [*self.steps, f"before: {self.before}", f"after: {self.after}"]
        last = [] if self.moves is None else [str(self.moves)]
        return "\n".join([*lines, self._rows(), *last])

    def _rows(self) -> str:
        if self.n_rows is None:
            return "Without rows there is nothing to count; give X and y to see what changes."
        before, after = plain(self.errors_before or 0.0), plain(self.errors_after or 0.0)
        errors = f"Errors: {before} before, {after} after."
        number = self.changed.size
        if number == 0:
            return f"None of {self.n_rows} rows changes. {errors}"
        parts = [
            f"{rows.size} {'is' if rows.size == 1 else 'are'} {verb} now"
            for rows, verb in zip((self.newly_accepted, self.newly_refused), self.names)
            if rows.size
        ]
        change = f"{number} of {self.n_rows} rows {'changes' if number == 1 else 'change'}"
        return f"{change}: {', '.join(parts)}. {errors}"
