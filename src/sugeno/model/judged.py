"""Decisions beside the truth, as counts: errors, costs, precision, recall, AUC, calibration.

Whoever shows how good a classifier is reads these counts: the command line, the page, a notebook.
They are counts per probability and class, not rows, so that a model file can keep them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sugeno._counts.loss import Loss

__all__ = ["Grades", "Judged", "shortfall", "wilson"]

Floats = NDArray[np.float64]
Places = NDArray[np.intp]

#: Standard deviations to either side of an interval of 95 %.
_Z = 1.959963984540054
#: Cut-offs that are kept; of more probabilities neighbours are joined.
_MOST_CUTS = 200
#: Groups of rows whose probabilities are compared with what happened.
_GROUPS = 10


def wilson(errors: float, rows: float) -> tuple[float, float]:
    """Wilson's interval of 95 % for a share.

    Examples
    --------
    >>> from sugeno.model.judged import wilson
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
        The probabilities, each once; of joined ones the mean.
    below, above : ndarray of shape (g,)
        Weight of the rows of either side with such a probability.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno.model.judged import Grades
    >>> some = Grades(np.array([0.2, 0.8]), np.array([3.0, 1.0]), np.array([0.0, 2.0]))
    >>> some.auc
    0.875
    """

    chances: Floats
    below: Floats
    above: Floats

    @classmethod
    def of(
        cls, chances: Floats, above: NDArray[np.bool_], weight: Floats, cut: float = 0.5
    ) -> Grades:
        """Count rows by their probability; those on either side of the cut are never joined."""
        distinct, place = np.unique(chances, return_inverse=True)
        below, over = (
            np.bincount(place, weights=weight * side, minlength=distinct.size).astype(np.float64)
            for side in (~above, above)
        )
        firsts = np.arange(distinct.size)
        if distinct.size > _MOST_CUTS:
            # Groups of equal weight, as far as single probabilities allow.
            reached = np.cumsum(below + over)
            groups = np.ceil(reached / reached[-1] * _MOST_CUTS)
            firsts = np.flatnonzero(np.diff(groups, prepend=-1.0))
            half = int((distinct <= cut).sum())
            firsts = np.unique([*firsts.tolist(), min(half, distinct.size - 1)])
        sums = (np.add.reduceat(side, firsts) for side in (below, over))
        return cls(_means(distinct, below + over, firsts), *sums)

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
    def mean(self) -> tuple[float, float, float]:
        """The mean probability, the share of the rows above, and the standard error of that.

        The standard error is that of a share of independent rows with such probabilities.
        """
        weight = self.below + self.above
        total = float(weight.sum())
        spread = float(weight @ (self.chances * (1 - self.chances))) / total
        told = float(weight @ self.chances) / total
        return told, float(self.above.sum()) / total, math.sqrt(spread / total)

    @property
    def calibration(self) -> list[tuple[float, float, float]]:
        """Of ten groups of rows their mean probability, weight, and weight of those above."""
        return self.in_groups(_GROUPS)

    def in_groups(self, number: int) -> list[tuple[float, float, float]]:
        """The same of so many groups at most, about equally large, by rising probability."""
        weight = self.below + self.above
        middle = (np.cumsum(weight) - weight / 2) / weight.sum()
        group = np.minimum((middle * number).astype(np.intp), number - 1)
        found = []
        for g in np.unique(group).tolist():
            mine = group == g
            total = float(weight[mine].sum())
            if total:
                chance = float(np.average(self.chances[mine], weights=weight[mine]))
                found.append((chance, total, float(self.above[mine].sum())))
        return found

    @property
    def calibration_records(self) -> list[dict[str, float]]:
        """The same with the share that happened, and its interval of 95 %."""
        return [
            {
                "said": said,
                "happened": above / rows,
                **dict(zip(("low", "high"), wilson(above, rows))),
                "rows": rows,
            }
            for said, rows, above in self.calibration
        ]


def _means(distinct: Floats, weight: Floats, firsts: NDArray[np.intp]) -> Floats:
    """Mean probability of groups of neighbours; of a single one that itself."""
    last = np.append(firsts[1:], distinct.size) - 1
    # Rows of no weight count a little, so that there is a mean in any case.
    weight = weight + np.finfo(np.float64).tiny
    totals = np.add.reduceat(weight, firsts)
    means = np.add.reduceat(weight * distinct, firsts) / totals
    return np.where(
        last == firsts, distinct[firsts], np.clip(means, distinct[firsts], distinct[last])
    )


@dataclass(frozen=True, eq=False)
class Judged:
    """What was decided about rows, beside the truth.

    Attributes
    ----------
    confusion : ndarray of shape (C, C)
        Weight of the rows by true class (line) and decided class (column), the lowest first.
    grades : tuple of Grades
        Rows by their probability of lying above each boundary; none without an order of classes.
    where : {"held-out rows", "new rows", "these rows"}
        Which rows they are: the first two have not been seen by what decided about them.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno.model.judged import Judged
    >>> places, chances = np.array([0, 0, 0, 1]), np.array([[0.1], [0.2], [0.6], [0.7]])
    >>> some = Judged.of(places, (chances > 0.5).sum(axis=1), chances, np.ones(4))
    >>> some.confusion.tolist(), some.wrong, some.grades[0].auc
    ([[2.0, 1.0], [0.0, 1.0]], 1.0, 1.0)
    """

    confusion: Floats
    grades: tuple[Grades, ...]
    where: str = "held-out rows"

    @classmethod
    def of(
        cls,
        places: Places,
        decided: Places,
        chances: Floats,
        weight: Floats,
        cuts: Sequence[float] | Floats | None = None,
    ) -> Judged:
        """Count rows, by the places of their true and decided classes and their probabilities.

        Parameters
        ----------
        places, decided : ndarray of intp of shape (n,)
            The place of the true class, and of the decided one.
        chances : ndarray of shape (n, C - 1)
            The probability of lying above each boundary.
        weight : ndarray of shape (n,)
            How much each row counts.
        cuts : sequence of float, optional
            The probability beyond which each boundary is passed; by default 1/2.
        """
        n = chances.shape[1] + 1
        ends = [0.5] * (n - 1) if cuts is None else [float(cut) for cut in cuts]
        grades = (
            Grades.of(column, places > b, weight, ends[b]) for b, column in enumerate(chances.T)
        )
        return replace(cls.decided(places, decided, weight, n), grades=tuple(grades))

    @classmethod
    def decided(cls, places: Places, decided: Places, weight: Floats, n_classes: int) -> Judged:
        """Count rows by the places of their true and decided classes alone."""
        size = n_classes * n_classes
        cells = np.bincount(places * n_classes + decided, weights=weight, minlength=size)
        return cls(np.asarray(cells.reshape(n_classes, n_classes), dtype=np.float64), ())

    def at(self, where: str) -> Judged:
        """The same counts, of rows that are called so."""
        return replace(self, where=where)

    def at_boundary(self, place: int) -> Judged:
        """The counts of two classes, below a boundary and above it."""
        sides = np.arange(len(self.confusion)) > place
        parts = np.stack([~sides, sides]).astype(np.float64)
        return replace(
            self, confusion=parts @ self.confusion @ parts.T, grades=(self.grades[place],)
        )

    @property
    def unseen(self) -> bool:
        """Whether the errors are those to expect on other rows."""
        return self.where != "these rows"

    @property
    def total(self) -> float:
        """Weight of all rows."""
        return float(self.confusion.sum())

    @property
    def wrong(self) -> float:
        """Weight of the rows that are decided wrongly."""
        return float(self.confusion.sum() - np.trace(self.confusion))

    @property
    def error(self) -> float:
        """Share of the rows that are decided wrongly."""
        return self.wrong / self.total

    @property
    def largest(self) -> tuple[int, float]:
        """The class of most rows, and the share of rows for which it would be wrong."""
        sizes = self.confusion.sum(axis=1)
        place = int(np.argmax(sizes))
        return place, float((sizes.sum() - sizes[place]) / sizes.sum())

    def cost(self, costs: Loss) -> float:
        """What the decisions cost in the mean of the rows."""
        return float((self.confusion * costs.prices).sum()) / self.total

    def costs_of_always(self, costs: Loss) -> Floats:
        """What it would cost, in the mean, to give all rows each of the classes."""
        found: Floats = self.confusion.sum(axis=1) @ costs.prices / self.total
        return found

    def beats_constant(self, costs: Loss | None = None) -> bool:
        """Whether a class that is given to all rows would be worse: in errors, or in costs."""
        if costs is None:
            return self.error < self.largest[1]
        return self.cost(costs) < float(self.costs_of_always(costs).min())


def shortfall(
    judged: Judged, names: Sequence[str], costs: Loss | None = None, *, command: bool = False
) -> str:
    """Say that one class for all rows, or chance, may be as good, and what helps; else nothing.

    Parameters
    ----------
    judged : Judged
        The rows that are counted.
    names : sequence of str
        What the classes are called, the lowest first.
    costs : Loss, optional
        What errors cost; by default each costs the same.
    command : bool, default=False
        Whether options are named as on the command line.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno.model.judged import Grades, Judged, shortfall
    >>> grades = Grades(np.array([0.1, 0.4]), np.array([80.0, 10.0]), np.array([2.0, 8.0]))
    >>> print(shortfall(Judged(np.array([[90.0, 0], [10, 0]]), (grades,)), ["no", "yes"]))
    This makes no fewer errors than always saying no. Its probabilities do tell the classes apart \
    (AUC 0.84, 95 % interval 0.71 to 0.98). If a missed yes costs more than a false alarm, say so: \
    costs={'missed': 10}. Points (form='points') and SugenoEnsembleClassifier grade more finely.
    """
    if costs is None and not judged.largest[1]:
        return ""
    more = "More rows or other columns may help."
    two = len(names) == 2 and judged.grades[0].has_both
    low, high = judged.grades[0].auc_interval if two else (1.0, 1.0)
    auc = f"(AUC {judged.grades[0].auc:.2f}, 95 % interval {low:.2f} to {high:.2f})" if two else ""
    if judged.beats_constant(costs):
        return "" if low > 0.5 else f"These rows do not show that it beats chance {auc}. {more}"
    place = judged.largest[0] if costs is None else int(judged.costs_of_always(costs).argmin())
    what = "makes no fewer errors" if costs is None else "costs no less"
    said = f"This {what} than always saying {names[place]}."
    if not two:
        return f"{said} {more}"
    if low <= 0.5:
        return f"{said} Nor do its probabilities tell the classes apart {auc}. {more}"
    helps = _helps(judged, names, costs, command)
    return f"{said} Its probabilities do tell the classes apart {auc}.{helps}"


def _helps(judged: Judged, names: Sequence[str], costs: Loss | None, command: bool) -> str:
    """What is worth trying where probabilities tell the classes apart."""
    helps = ""
    if costs is None:
        rare = int(judged.confusion.sum(axis=1).argmin())
        error = "missed" if rare else "false alarm"
        option = f"--cost {error.replace(' ', '-')}=10" if command else f"costs={{'{error}': 10}}"
        costly = (
            f"a missed {names[1]} costs more than a false alarm"
            if rare
            else f"a false alarm, a {names[0]} taken for {names[1]}, costs more than a missed one"
        )
        helps = f" If {costly}, say so: {option}."
    if command:
        return helps
    return f"{helps} Points (form='points') and SugenoEnsembleClassifier grade more finely."
