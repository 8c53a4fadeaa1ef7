"""Cards of points: literals with small whole points, for every number of literals.

A row has the points of the literals that it reaches, and passes a boundary from so many points on.
A card is good if a logistic curve over its score predicts well (log loss) and if its best cut
disagrees little with the teacher; the objective is the sum of both, and a small price of each
point. For all literals at once, a table of the taught weight by score and literal says what giving
them points would do: rows that reach a literal move by its points. The path grows by one literal at
a time from the card before, and from it doubled, times 1.5 and halved, so that finer and coarser
points find room; then each literal is taken out and the best one put in, until nothing improves.
This is done at every second size: on held-out tables as good as at each of them, in a third of the
time.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, reduce

import numpy as np
from numpy.typing import NDArray

from sugeno._distil.curves import Counts, Curves
from sugeno._distil.taught import TaughtPatterns

__all__ = [
    "LITERAL_PRICE",
    "MOST_POINTS",
    "POINT_PRICE",
    "PointCard",
    "PointEffort",
    "card_of_points",
    "point_path",
    "worthwhile_size",
]

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

#: What a literal has to save, as a share of what a card without literals loses; chosen on held-out
#: tables. Where one class is rare that is little, and so is all that literals can save.
LITERAL_PRICE = 0.0004
#: Points of a literal, at most.
MOST_POINTS = 5
#: What a point has to save, likewise: of cards that are about as good the one with fewer points.
POINT_PRICE = 0.0003
#: The path ends when so many further literals were not worth their price.
_PATIENCE = 3
#: Candidates are compared after so many of Newton's steps, and the best ones after as many more.
_STEPS, _CLOSER = 2, 32
#: The points of a card are multiplied by these before a literal is added.
_SCALES = (1.0, 2.0, 1.5, 0.5)
#: An objective has to fall by so much: less is rounding.
_LEAST = 1e-9
#: After these steps the objective is at most so much above what a fit would make of it.
_ROUGH = 1e-4


@dataclass(frozen=True)
class PointEffort:
    """How long to search.

    Attributes
    ----------
    starts : int
        Of the cards with one more literal, so many are improved by exchanges, the best ones.
    every : int
        So many literals apart; the cards between are as they grew.
    """

    starts: int = 1
    every: int = 2


@dataclass(frozen=True)
class PointCard:
    """Points of literals, and from how many points on a row passes each boundary.

    Attributes
    ----------
    literals : tuple of int
        Places of the literals among the candidates, rising.
    points : tuple of int
        Their points, without a common divisor.
    thresholds : tuple of int
        For each boundary, from how many points on accepting gains.
    objective : float
        Log loss and expected disagreement, summed over the boundaries, and the price of the points.
    disagreement : tuple of float
        Expected share of the taught rows on which card and teacher differ at each boundary, or
        the expected loss there.
    """

    literals: tuple[int, ...]
    points: tuple[int, ...]
    thresholds: tuple[int, ...]
    objective: float
    disagreement: tuple[float, ...]


def point_path(
    patterns: TaughtPatterns,
    *,
    n_literals: int | None = None,
    price: float = LITERAL_PRICE,
    max_points: int = MOST_POINTS,
    effort: PointEffort | None = None,
    out_of_time: Callable[[], bool] = lambda: False,
) -> list[PointCard]:
    """Find a card for every number of literals.

    Parameters
    ----------
    patterns : TaughtPatterns
        What is taught.
    n_literals : int, optional
        Where the path ends; by default where further literals are not worth their price.
    price : float, default=0.0004
        What a literal has to save, as a share of the objective of the card without literals.
    max_points : int, default=5
        Largest number of points of a literal.
    effort : PointEffort, optional
        How long to search.
    out_of_time : callable, optional
        Asked between two steps; ends the search with what it has.

    Returns
    -------
    list of PointCard
        Entry K has at most K literals, and no higher objective than the entry before.

    Notes
    -----
    O(m n + L S) to look at all L literals with n patterns, m criteria and S scores; about K² of
    these looks for K literals.
    """
    search, effort = _Search(patterns, max_points, out_of_time), effort or PointEffort()
    path = [search.scored(np.zeros(len(patterns.criteria), dtype=np.intp))]
    while len(path) <= _length(path, n_literals, price) and not out_of_time():
        # The card that was asked for is improved, whatever the steps.
        due = len(path) % effort.every == 0 or len(path) == n_literals
        grown = search.grown(path[-1], effort.starts if due else 0)
        best = min(grown, key=_objective, default=path[-1])
        path.append(best if best.objective < path[-1].objective - _LEAST else path[-1])
    return [search.finished(card) for card in path]


def card_of_points(patterns: TaughtPatterns, points: Ints) -> PointCard:
    """Return the card that has these points of each literal, with its best thresholds."""
    search = _Search(patterns, MOST_POINTS, lambda: False)
    return search.finished(search.scored(points))


def _length(path: list[_Scored], n_literals: int | None, price: float) -> int:
    """How many literals the path is to have, as far as that can be said."""
    if n_literals is not None:
        return n_literals
    counts = [int(np.count_nonzero(card.points)) for card in path]
    stuck = len(path) > 1 and path[-1] is path[-2]
    return 0 if stuck else _least([card.objective for card in path], counts, price) + _PATIENCE


def worthwhile_size(path: Sequence[PointCard], price: float = LITERAL_PRICE) -> int:
    """Place on a path at which the objective and the price of the literals together are least."""
    return _least([card.objective for card in path], [len(card.literals) for card in path], price)


def _least(objectives: Sequence[float], counts: Sequence[int], price: float) -> int:
    each = price * objectives[0]
    return int(np.argmin([value + each * count for value, count in zip(objectives, counts)]))


@dataclass(frozen=True, eq=False)
class _Scored:
    """A card with what is known about it."""

    points: Ints
    scores: Ints
    curves: Curves
    objective: float


def _objective(card: _Scored) -> float:
    return card.objective


@dataclass(eq=False)
class _Search:
    """The search for good cards over one table of patterns."""

    patterns: TaughtPatterns
    max_points: int
    out_of_time: Callable[[], bool]
    #: Where exchanges led from cards that were met.
    _settled: dict[bytes, _Scored] = field(default_factory=dict)

    @cached_property
    def _each(self) -> float:
        """Price of a point, by what a card without points loses."""
        counts = self.patterns.counted(np.zeros(len(self.patterns.weight), dtype=np.intp))
        _, loss = Curves.fitted(counts)
        return POINT_PRICE * float(loss[0] + self._disagreement(counts).sum())

    def grown(self, card: _Scored, starts: int) -> list[_Scored]:
        """Return cards with one more literal: from this one, and from it on other scales.

        So many of them, the best ones, after exchanges; without any start the best one as it is.
        """
        # Halves are rounded up: of one point remains one.
        scales = [np.floor(card.points * factor + 0.5).astype(np.intp) for factor in _SCALES]
        distinct = {scale.tobytes(): np.minimum(scale, self.max_points) for scale in scales}
        bases = [self.scored(points, card.curves) for points in distinct.values()]
        added = [found for base in bases if (found := self._with_best(base, np.inf)) is not None]
        added.sort(key=_objective)
        return [self._settle(one) for one in added[:starts]] or added[:1]

    def _settle(self, card: _Scored) -> _Scored:
        """Take each literal out and put the best one in, until nothing improves."""
        met = [card.points.tobytes()]
        failed: set[int] = set()
        while met[-1] not in self._settled and not self.out_of_time():
            waiting = (int(j) for j in np.flatnonzero(card.points) if j not in failed)
            literal = next(waiting, None)
            if literal is None:
                break
            better = self._exchanged(card, literal)
            if better is None:
                failed.add(literal)
            else:
                card, failed = better, set()
                met.append(card.points.tobytes())
        card = self._settled.get(met[-1], card)
        self._settled.update(dict.fromkeys(met, card))
        return card

    def _exchanged(self, card: _Scored, literal: int) -> _Scored | None:
        """Put the best literal in the place of one, if that improves the card."""
        points = card.points.copy()
        points[literal] = 0
        scores = card.scores - card.points[literal] * self.patterns.reaches(literal)
        return self._with_best(_Scored(points, scores, card.curves, np.inf), card.objective)

    def _with_best(self, card: _Scored, below: float) -> _Scored | None:
        """Give points to the literal that improves the card most, if the objective gets lower."""
        free = np.flatnonzero(card.points == 0)
        if not free.size:
            return None
        place, value = self._best(card, free)
        if value > below + _ROUGH:
            return None
        points = card.points.copy()
        points[free[place % free.size]] = place // free.size + 1
        better = self.scored(points, card.curves)
        return better if better.objective < below - _LEAST else None

    def _best(self, card: _Scored, free: Ints) -> tuple[int, float]:
        """Place of the best of all free literals with 1, of all with 2, … points; its objective."""
        counts = self.patterns.moved(card.scores, free, self.max_points)
        curves = card.curves.repeated(len(counts.weight)) if card.points.any() else _rough(counts)
        disagreement = self._disagreement(counts).sum(axis=0)
        places = np.arange(len(counts.weight))
        totals = int(card.points.sum()) + places // free.size + 1
        for n_kept in (_CLOSER, 1):
            for _ in range(_STEPS):
                curves = curves.stepped(counts)
            values = curves.loss(counts) + disagreement + self._each * totals[places]
            # In whole units: what differs by rounding alone is equal, and the first is taken.
            best = np.argsort(np.rint(values / _LEAST), kind="stable")[:n_kept]
            counts, curves = counts.chosen(best), curves.chosen(best)
            disagreement, places = disagreement[best], places[best]
        return int(places[0]), float(values[best[0]])

    def scored(self, points: Ints, start: Curves | None = None) -> _Scored:
        """Fit the curve of a card, and count what it disagrees about."""
        scores = self.patterns.scores(points)
        counts = self.patterns.counted(scores)
        curves, loss = Curves.fitted(counts, start)
        objective = float(loss[0] + self._disagreement(counts).sum())
        return _Scored(points, scores, curves, objective + self._each * int(points.sum()))

    @staticmethod
    def _disagreement(counts: Counts) -> Floats:
        """Expected loss at each boundary with the best cuts: shape (B, C)."""
        return counts.losses(counts.best_cuts()[1])

    def finished(self, card: _Scored) -> PointCard:
        """The card in small numbers, with its thresholds."""
        literals = np.flatnonzero(card.points)
        divisor = reduce(math.gcd, card.points.tolist(), 0) or 1
        points = card.points // divisor
        counts = self.patterns.counted(self.patterns.scores(points))
        return PointCard(
            tuple(self.patterns.literals[literals].tolist()),
            tuple(points[literals].tolist()),
            tuple(counts.best_cuts()[0][:, 0].tolist()),
            card.objective - self._each * int((card.points - points).sum()),
            tuple(self._disagreement(counts)[:, 0].tolist()),
        )


def _rough(counts: Counts) -> Curves:
    """Curves for cards that have no point yet, one step from flat ones."""
    return Curves.flat(counts).stepped(counts)
