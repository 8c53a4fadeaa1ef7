"""What an edit changes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sugeno._scales.number import plain
from sugeno.edit._assembly import Rows
from sugeno.model.boundary import Boundary

__all__ = ["EditReport"]


@dataclass(frozen=True, eq=False)
class EditReport:
    """Which rows get another label, and what that costs in errors.

    Attributes
    ----------
    steps : tuple of str
        What was done.
    before, after : str
        The rules as text.
    n_rows : int or None
        Number of rows that were given; None without rows. The rest is then None or empty.
    newly_accepted, newly_refused : ndarray of int
        Places of the rows that change.
    errors_before, errors_after : float or None
        Weight of the errors on the rows.
    names : tuple of two str
        What rows that are accepted are called, and all others.

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
    n_rows: int | None
    newly_accepted: NDArray[np.intp]
    newly_refused: NDArray[np.intp]
    errors_before: float | None
    errors_after: float | None
    names: tuple[str, str]

    @classmethod
    def of(
        cls, steps: Sequence[str], before: Boundary, after: Boundary, rows: Rows | None
    ) -> EditReport:
        """Compare two models on rows."""
        texts = str(before.form), str(after.form)
        names = after.form.head, after.form.others
        none: NDArray[np.intp] = np.zeros(0, dtype=np.intp)
        if rows is None:
            return cls(tuple(steps), *texts, None, none, none, None, None, names)
        old, new = before.accepted(rows.X), after.accepted(rows.X)
        return cls(
            tuple(steps),
            *texts,
            len(rows.X),
            np.flatnonzero(new & ~old),
            np.flatnonzero(old & ~new),
            rows.errors(old),
            rows.errors(new),
            names,
        )

    @property
    def changed(self) -> NDArray[np.intp]:
        """Places of all rows that change, ascending."""
        return np.sort(np.concatenate([self.newly_accepted, self.newly_refused]))

    def __str__(self) -> str:
        lines = [*self.steps, f"before: {self.before}", f"after: {self.after}"]
        return "\n".join([*lines, self._rows()])

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
