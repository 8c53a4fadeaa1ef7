"""The threshold of program (10) from counts alone, for tables whose rows stay where they are.

``Med(u) >= b`` holds if and only if at least half of the criteria reach level b. So the weight of
the rows whose median reaches b is a count, and the order statistics that program (10) asks for are
found by bisection over the utilities that occur. One pass over the table tells about several
levels at once, and every count is remembered.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from sugeno._counts.source import Source
from sugeno._learning.threshold import middle_of
from sugeno._scales.criterion import Criterion
from sugeno._scales.knots import Knots
from sugeno._scales.literals import Literals

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

#: Comparisons per row in one pass; there are as many levels as they allow.
_COMPARISONS = 64


def median_threshold_of_counts(
    source: Source, criteria: Sequence[Criterion], knots: Knots
) -> float:
    """Solve program (10) by bisection: the threshold of `median_threshold`, to the last bit.

    Parameters
    ----------
    source : Source
        Rows of two classes, both with weight.
    criteria : sequence of Criterion
        The criteria with their directions.
    knots : Knots
        The utilities, fitted on the same rows.

    Returns
    -------
    float
        The middle of the interval of optimal thresholds.

    Notes
    -----
    With V different utilities and B levels per pass, about log V / log (B + 1) passes; one or two
    more where the threshold is a tie. B is 64 over the number of criteria, at least 1.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._counts.table import Table
    >>> from sugeno._counts.weights import row_weights
    >>> from sugeno._learning.median_of_counts import median_threshold_of_counts
    >>> from sugeno._learning.training import prepare
    >>> X, y = np.array([[1.0], [2.0], [3.0]]), np.array([0, 1, 1])
    >>> training = prepare(Table.of(X, y, row_weights(None, 3)), np.array([0, 1]))
    >>> round(median_threshold_of_counts(training.source, training.criteria, training.knots), 3)
    0.333
    """
    medians = _Medians.of(source, criteria, knots)
    rank = int(medians.reached[0][0])
    place, above = medians.place_of(rank), medians.place_of(rank + 1)
    low, high = medians.levels[[place, above]].tolist()
    if place == above and medians.is_mostly_negative(place):
        high = medians.next_after(place)
    return middle_of(low, high)


@dataclass(frozen=True)
class _Medians:
    """The median utilities of all rows, known by what the rows cost that reach a level.

    Attributes
    ----------
    levels : ndarray of shape (V,)
        The utilities that occur, ascending: every median is one of them.
    reached : dict
        By place of a level, what the rows of each class cost whose median reaches it.
    """

    source: Source
    criteria: Sequence[Criterion]
    knots: Knots
    levels: Floats
    reached: dict[int, Ints] = field(default_factory=dict)

    @classmethod
    def of(cls, source: Source, criteria: Sequence[Criterion], knots: Knots) -> _Medians:
        utilities = [knots.knot_utilities(j) for j in range(source.n_criteria)]
        if source.missing != "error":
            utilities.append(np.array([0.0, 1.0]))  # of missing values
        medians = cls(source, criteria, knots, np.unique(np.concatenate(utilities)))
        medians.reached[medians.levels.size] = np.zeros(2, dtype=np.int64)
        medians._ask([0, *medians._between(0, medians.levels.size)])  # all reach the first level
        return medians

    def place_of(self, rank: int) -> int:
        """Place of the median at a rank, counted from 1: the last level that it reaches."""
        enough = int(self.reached[0].sum()) - rank + 1
        while True:
            reached = {place: int(cost.sum()) for place, cost in self.reached.items()}
            first = max(place for place, cost in reached.items() if cost >= enough)
            last = min(place for place, cost in reached.items() if cost < enough)
            if last - first == 1:
                return first
            self._ask(self._between(first, last))

    def _between(self, first: int, last: int) -> list[int]:
        """Places strictly between two others: as many as one pass can tell about."""
        rungs = max(1, _COMPARISONS // self.source.n_criteria)
        if last - first <= rungs + 1:
            return list(range(first + 1, last))
        places: list[int] = np.linspace(first, last, rungs + 2).astype(int)[1:-1].tolist()
        return places

    def _ask(self, places: list[int]) -> None:
        """Count the rows that reach these levels, in one pass."""
        m = self.source.n_criteria
        ladder = [
            Literals.at_utility(self.criteria, self.knots, self.levels[place]) for place in places
        ]
        self.reached.update(zip(places, self.source.reaching(ladder, m - (m - 1) // 2)))

    def is_mostly_negative(self, place: int) -> bool:
        """Whether the negative class costs more among the rows whose median is this level."""
        negative, positive = (self.reached[place] - self.reached[place + 1]).tolist()
        return bool(negative > positive)

    def next_after(self, place: int) -> float:
        """Return the next larger median of a row, or 1 if there is none."""
        larger = int(self.reached[place + 1].sum())
        if larger == 0:
            return 1.0
        return float(self.levels[self.place_of(int(self.reached[0].sum()) - larger + 1)])
