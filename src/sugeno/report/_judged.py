"""Decisions beside the truth: errors, precision, recall, AUC, calibration, with intervals."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sugeno.report._rows import Rows

__all__ = ["Grades", "Judged", "judge", "wilson"]

Floats = NDArray[np.float64]
Places = NDArray[np.intp]

#: Standard deviations to either side of an interval of 95 %.
_Z = 1.959963984540054
#: Cut-offs that the page knows; of more probabilities neighbours are joined.
_MOST_CUTS = 400
#: Groups of rows whose probabilities are compared with what happened.
_GROUPS = 10


def wilson(errors: float, rows: float) -> tuple[float, float]:
    """Wilson's interval of 95 % for a share.

    Examples
    --------
    >>> from sugeno.report._judged import wilson
    >>> [round(end, 3) for end in wilson(0, 50)]
    [0.0, 0.071]
    """
    share, spread = errors / rows, _Z**2 / rows
    middle = (share + spread / 2) / (1 + spread)
    half = math.sqrt(share * (1 - share) * spread + spread**2 / 4) / (1 + spread)
    return max(0.0, middle - half), min(1.0, middle + half)


@dataclass(frozen=True, eq=False)
class Grades:
    """Rows by the probability that they lie above a boundary, the lowest first.

    Attributes
    ----------
    chances : ndarray of shape (g,)
        The probabilities, each once; of joined ones the lowest.
    below, above : ndarray of shape (g,)
        Weight of the rows of either side with such a probability.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno.report._judged import Grades
    >>> some = Grades(np.array([0.2, 0.8]), np.array([3.0, 1.0]), np.array([0.0, 2.0]))
    >>> some.auc
    0.875
    """

    chances: Floats
    below: Floats
    above: Floats

    @classmethod
    def of(cls, chances: Floats, above: NDArray[np.bool_], weight: Floats) -> Grades:
        """Count rows by their probability."""
        distinct, place = np.unique(chances, return_inverse=True)
        sides = [
            np.bincount(place, weights=weight * side, minlength=distinct.size)
            for side in (~above, above)
        ]
        # Those on either side of 1/2, where the rules decide, are never joined.
        apart = np.linspace(0, distinct.size, min(distinct.size, _MOST_CUTS), endpoint=False)
        half = int((distinct <= 0.5).sum())
        firsts = np.unique([*apart.astype(np.intp).tolist(), min(half, distinct.size - 1)])
        below, over = (np.add.reduceat(side, firsts) for side in sides)
        return cls(distinct[firsts], below, over)

    @property
    def has_both(self) -> bool:
        """Whether there are rows on both sides."""
        return bool(self.below.any() and self.above.any())

    @cached_property
    def _placements(self) -> tuple[Floats, Floats]:
        """Share of the rows below that a row above is placed over, and the reverse; ties half."""
        under = (np.cumsum(self.below) - self.below / 2) / self.below.sum()
        over = (np.cumsum(self.above[::-1])[::-1] - self.above / 2) / self.above.sum()
        return under, over

    @property
    def auc(self) -> float:
        """Share of pairs in which the row above has the higher probability, ties counted half."""
        return float(np.average(self._placements[0], weights=self.above))

    @property
    def auc_interval(self) -> tuple[float, float]:
        """Interval of 95 % of the AUC by the variance of DeLong, DeLong and Clarke-Pearson."""
        variance = 0.0
        for placed, weight in zip(self._placements, (self.above, self.below)):
            total = float(weight.sum())
            spread = float(np.average((placed - self.auc) ** 2, weights=weight))
            variance += spread / max(total - 1, 1.0)
        half = _Z * math.sqrt(variance)
        return max(0.0, self.auc - half), min(1.0, self.auc + half)

    @property
    def roc(self) -> tuple[Floats, Floats]:
        """Share of the rows below and above that each cut-off accepts, the highest first."""
        alarms, found = (
            np.append(0.0, np.cumsum(side[::-1])) / side.sum() for side in (self.below, self.above)
        )
        return alarms, found

    @property
    def calibration(self) -> list[tuple[float, float, float]]:
        """Of some groups of rows their mean probability, weight, and weight of those above."""
        weight = self.below + self.above
        middle = (np.cumsum(weight) - weight / 2) / weight.sum()
        group = np.minimum((middle * _GROUPS).astype(np.intp), _GROUPS - 1)
        found = []
        for g in np.unique(group).tolist():
            mine = group == g
            total = float(weight[mine].sum())
            if total:
                chance = float(np.average(self.chances[mine], weights=weight[mine]))
                found.append((chance, total, float(self.above[mine].sum())))
        return found


@dataclass(frozen=True, eq=False)
class Judged:
    """What was decided about rows, to be set beside the truth.

    Attributes
    ----------
    places, decided : ndarray of intp of shape (n,)
        The place of the true class, and of the decided one.
    chances : ndarray of shape (n, L - 1)
        The probability of lying above each boundary.
    weight : ndarray of shape (n,)
        How much each row counts.
    where : {"held-out rows", "new rows", "these rows"}
        Which rows they are: the first two have not been seen by what decided about them.
    """

    places: Places
    decided: Places
    chances: Floats
    weight: Floats
    where: str

    @property
    def unseen(self) -> bool:
        """Whether the errors are those to expect on other rows."""
        return self.where != "these rows"

    @cached_property
    def confusion(self) -> Floats:
        """Weight of the rows by true class (line) and decided class (column)."""
        n = self.chances.shape[1] + 1
        cells = np.bincount(self.places * n + self.decided, weights=self.weight, minlength=n * n)
        return np.asarray(cells.reshape(n, n), dtype=np.float64)

    @property
    def total(self) -> float:
        """Weight of all rows."""
        return float(self.weight.sum())

    @property
    def wrong(self) -> float:
        """Weight of the rows that are decided wrongly."""
        return float(self.confusion.sum() - np.trace(self.confusion))

    @property
    def largest(self) -> tuple[int, float]:
        """The class of most rows, and the share of rows for which it would be wrong."""
        sizes = self.confusion.sum(axis=1)
        place = int(np.argmax(sizes))
        return place, 1 - float(sizes[place] / sizes.sum())

    @cached_property
    def grades(self) -> list[Grades]:
        """Rows by their probability, for each boundary."""
        return [
            Grades.of(chances, self.places > b, self.weight)
            for b, chances in enumerate(self.chances.T)
        ]


def judge(rows: Rows, held_out: ArrayLike | None, new_rows: bool) -> Judged:
    """Judge the model by these rows, or by what was said of them while they were held out.

    Parameters
    ----------
    rows : Rows
        The rows of the page.
    held_out : array-like of shape (n,) or (n, L), optional
        Probabilities of classifiers that had not seen the row, as `predict_proba` has them: a
        column per label, the labels sorted; of two classes that of the higher one is enough.
    new_rows : bool
        Whether the model has not seen the rows.
    """
    model = rows.model
    if held_out is None:
        where = "new rows" if new_rows else "these rows"
        return Judged(rows.places, rows.decided, model.at_least(rows.values), rows.weight, where)
    chances = _above(np.asarray(held_out, dtype=np.float64), len(rows.values), model.classes)
    decided = (chances > 0.5).sum(axis=1)
    return Judged(rows.places, decided, chances, rows.weight, "held-out rows")


def _above(given: Floats, n: int, classes: NDArray[Any]) -> Floats:
    """Probabilities of lying above each boundary."""
    if classes.size == 2 and given.shape == (n,):
        return given[:, None]
    if given.shape != (n, classes.size):
        raise ValueError(
            f"held_out must hold a probability for each of the {n} rows and {classes.size} "
            f"classes. Got an array of shape {given.shape} instead."
        )
    ordered = given[:, np.argsort(np.argsort(classes))]
    return np.cumsum(ordered[:, ::-1], axis=1)[:, ::-1][:, 1:]
