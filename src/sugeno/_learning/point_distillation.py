"""From a teacher to a card of points: the same lessons as for rules, learned in another form."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sugeno._distil.curves import Curves
from sugeno._distil.points import LITERAL_PRICE, PointCard, point_path
from sugeno._distil.taught import TaughtPatterns, merge_targets
from sugeno._learning.distillation import LITERAL_COST, Distillation, Taught
from sugeno._learning.training import Training, at_literals
from sugeno._threads import one_thread
from sugeno.model.boundary import Boundary, Certificate
from sugeno.model.card import Card
from sugeno.model.pivotality import pivotality
from sugeno.model.probability import JUST_ABOVE_HALF, Probability, Steps
from sugeno.solvers.budget import Budget

__all__ = ["Found", "PointDistillation", "distil_points", "found_in_form"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class PointDistillation:
    """The path from one literal to many, and the way from a place on it to a model.

    Attributes
    ----------
    training : Training
        What the card is counted on: the training data, or all that it is a sample of.
    taught : Taught
        What was to be learned.
    patterns : TaughtPatterns
        The same as the search saw it.
    path : list of PointCard
        Cards by their number of literals.
    """

    training: Training
    taught: Taught
    patterns: TaughtPatterns
    path: list[PointCard]

    def __len__(self) -> int:
        return len(self.path)

    def best_size(self, price: float = LITERAL_PRICE) -> int:
        """Number of literals at which the objective and their price together are least."""
        worth = [card.objective + price * len(card.literals) for card in self.path]
        return int(np.argmin(worth))

    def disagreement(self, size: int) -> float:
        """Expected share of the taught rows on which the card of a size and the teacher differ."""
        return self.path[size].disagreement[0]

    def n_literals(self, size: int) -> int:
        """How many literals a person reads on the card of a size."""
        return len(self.path[size].literals)

    def summary(self) -> list[dict[str, Any]]:
        """Say of each number of literals how well it agrees with the teacher and the labels."""
        training = self.taught.training
        rows = training.table.settled(training.knots.directions)
        return [
            {
                "rules": len(card.literals),
                "literals": len(card.literals),
                "form": "points",
                "disagreement": card.disagreement[0],
                **self.taught.told(self._card(card).decide(rows, check_finite=False)),
            }
            for card in self.path
        ]

    def model(self, size: int) -> Boundary:
        """Finish the card of a size."""
        found = self.path[size]
        card = self._card(found)
        stage = at_literals(self.training, card.literal_set)
        chances = self._chances(found)
        total = self.training.source.total * self.training.source.unit
        return Boundary(
            labels=self.training.classes,
            form=Card.of(
                card.literal_set,
                card.points,
                card.needed,
                named=card.named,
                label=card.label,
                support=card.support_on(stage.counted),
                chances=chances.tolist(),
            ),
            probability=_probability(card, chances),
            certificate=Certificate(
                total * self.disagreement(size), total * self.taught.least_disagreement
            ),
            threshold=card.needed / max(card.total, 1),
            k=max(1, len({*card.literal_criteria.tolist()})),
            normalized=False,
            utility=None,
            importances=pivotality(card, stage.counted),
            missing=self.training.source.missing,
        )

    def _card(self, found: PointCard) -> Card:
        literals = self.taught.literals.chosen(np.array(found.literals, dtype=np.intp))
        named, label = self.training.named, self.training.classes[1]
        (needed,) = found.thresholds
        return Card.of(literals, found.points, needed, named=named, label=label)

    def _chances(self, found: PointCard) -> Floats:
        """Probability of 0, 1, … points: a logistic curve over what was taught, split at 1/2."""
        points = np.zeros(len(self.patterns.literals), dtype=np.intp)
        points[np.searchsorted(self.patterns.literals, found.literals)] = found.points
        curve, _ = Curves.fitted(self.patterns.counted(self.patterns.scores(points)))
        chances = curve.probabilities(int(points.sum()) + 1)[0, 0]
        passed = np.arange(chances.size) >= found.thresholds[0]
        split: Floats = np.where(
            passed, np.maximum(chances, JUST_ABOVE_HALF), np.minimum(chances, 0.5)
        )
        return split


def _probability(card: Card, chances: Floats) -> Probability:
    """The probability of a row by its points, on either side of the threshold."""
    scores = np.arange(chances.size, dtype=np.float64)
    passed = scores >= card.needed
    sides = [
        Steps(scores[side], chances[side]) if side.any() else Steps(np.zeros(1), np.array([end]))
        for side, end in ((~passed, 0.5), (passed, JUST_ABOVE_HALF))
    ]
    return Probability(np.array(card.points, dtype=np.float64), *sides)


def distil_points(
    taught: Taught,
    *,
    n_literals: int | None = None,
    price: float = LITERAL_PRICE,
    budget: Budget | None = None,
) -> PointDistillation:
    """Search cards of points that agree with a teacher, for every number of literals.

    Parameters
    ----------
    taught : Taught
        What is to be learned.
    n_literals : int, optional
        The number of literals that is asked for.
    price : float, default=0.0015
        What a literal has to save of log loss and disagreement together.
    budget : Budget, optional
        When its time is over, the search ends with what it has.
    """
    patterns = merge_targets(
        taught.rows, taught.weight, taught.target, taught.criteria, taught.levels
    )
    with one_thread():
        path = point_path(
            patterns, n_literals=n_literals, price=price, out_of_time=Budget.of(budget).is_over
        )
    return PointDistillation(taught.training, taught, patterns, path)


#: A path, and the place on it that is chosen.
Found = tuple[Distillation | PointDistillation, int]


def found_in_form(
    taught: Taught,
    form: str,
    rules: Callable[[], Found],
    *,
    n_literals: int | None = None,
    penalty: float = LITERAL_COST,
    budget: Budget | None = None,
) -> Found:
    """Search in the form that is asked for, or in both.

    Parameters
    ----------
    taught : Taught
        What is to be learned.
    form : {"rules", "points", "auto"}
        "auto" takes points where disagreement with the teacher and the penalty of the literals
        together are less.
    rules : callable
        The search for rules.
    n_literals : int, optional
        The number of literals of a card that is asked for.
    penalty : float, default=0.0003
        Of a literal, when the forms are compared.
    budget : Budget, optional
        Of the search for points.
    """
    if form == "rules":
        return rules()
    found = distil_points(taught, n_literals=n_literals, budget=budget)
    size = found.best_size() if n_literals is None else n_literals
    points = found, min(max(size, 1), len(found) - 1)
    if form == "points":
        return points
    known = rules()
    return points if _penalised(*points, penalty) < _penalised(*known, penalty) else known


def _penalised(found: Distillation | PointDistillation, size: int, penalty: float) -> float:
    """Disagreement with the teacher, and the penalty of what a person reads."""
    return found.disagreement(size) + penalty * found.n_literals(size)
