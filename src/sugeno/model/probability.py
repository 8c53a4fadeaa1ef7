"""Probabilities of patterns: a monotone score, calibrated on either side of the decision.

Each literal that a row satisfies adds to its score what the criterion alone says about the class
(isotonic log-odds, never negative). The scores of the rejected and of the accepted training
patterns are then turned into probabilities by isotonic regression, below and above the cut: 1/2,
or what the costs of errors say. So the probability never falls when a criterion gets better,
agrees with the rules, and takes a few numbers to store.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import isotonic_regression

from sugeno._counts.patterns import Patterns
from sugeno._sets.masks import Masks, unpacked_blocks

__all__ = ["Probability", "Steps", "just_above", "split_at"]

Floats = NDArray[np.float64]

#: Scores are whole multiples of this many log-odds: their sums are exact, hence monotone.
_RESOLUTION = 2.0**-20


def just_above(cut: float) -> float:
    """Return the smallest probability of what is accepted.

    Examples
    --------
    >>> from sugeno.model.probability import just_above
    >>> just_above(0.5)
    0.5000000000000001
    """
    return float(np.nextafter(cut, 1.0))


def split_at(cut: float, chances: Floats, accepted: NDArray[np.bool_]) -> Floats:
    """Return probabilities on the side of the cut where decisions are.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno.model.probability import split_at
    >>> split_at(0.25, np.array([0.2, 0.4]), np.array([False, False]))
    array([0.2 , 0.25])
    """
    return np.where(accepted, np.maximum(chances, just_above(cut)), np.minimum(chances, cut))


@dataclass(frozen=True, eq=False)
class Steps:
    """A step function that never falls: ``values[i]`` from ``starts[i]`` on.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno.model.probability import Steps
    >>> Steps(np.array([0.0, 5.0]), np.array([0.1, 0.4]))(np.array([-1.0, 4.0, 5.0]))
    array([0.1, 0.1, 0.4])
    """

    starts: Floats
    values: Floats

    def __call__(self, scores: Floats) -> Floats:
        """Return the value at each score."""
        place = np.searchsorted(self.starts, scores, side="right") - 1
        result: Floats = self.values[np.maximum(place, 0)]
        return result

    @classmethod
    def calibrated(
        cls, scores: Floats, positive: Floats, negative: Floats, low: float, high: float
    ) -> Steps:
        """Isotonic regression of the class on the score, within two bounds.

        The share of each of its steps is that of Laplace's rule of succession, as if one more row
        of either class had been seen there: no few rows make a probability 0 or 1. What gets out
        of order by that is put in order again.
        """
        if scores.size == 0:
            return cls(np.zeros(1), np.array([min(max(0.5, low), high)]))
        starts, place = np.unique(scores, return_inverse=True)
        won = np.bincount(place, weights=positive)
        weight = won + np.bincount(place, weights=negative)
        first = isotonic_regression(won / weight, weights=weight).blocks[:-1]
        won, weight = (np.add.reduceat(sums, first) for sums in (won, weight))
        fitted = (won + 1) / (weight + 2)
        if (fitted[1:] < fitted[:-1]).any():
            fitted = isotonic_regression(fitted, weights=weight + 2).x
        starts, values = starts[first], np.clip(np.maximum.accumulate(fitted), low, high)
        kept = np.append(True, values[1:] != values[:-1])
        return cls(starts[kept], values[kept])


@dataclass(frozen=True, eq=False)
class Probability:
    """Monotone probabilities of the positive class for all patterns, observed or not.

    Attributes
    ----------
    gains : ndarray of float64 of shape (L,)
        What each literal adds to the score: whole numbers.
    rejected, accepted : Steps
        From score to probability, at most the cut for rejected patterns, above for accepted ones.
    cut : float
        1/2, unless one error costs more than the other.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._counts.patterns import Patterns
    >>> from sugeno._sets.chains import Chains
    >>> from sugeno.model.probability import Probability
    >>> masks = np.array([[0], [1], [3]], np.uint64)
    >>> p = Patterns.of_two_classes(
    ...     masks, np.array([1, 1, 3]), np.array([3, 2, 1]), Chains.single(2)
    ... )
    >>> accepted = np.array([False, False, True])
    >>> Probability.fitted(p, accepted).of(masks, accepted).round(2)
    array([0.33, 0.4 , 0.67])
    """

    gains: Floats
    rejected: Steps
    accepted: Steps
    cut: float = 0.5

    @classmethod
    def fitted(
        cls, patterns: Patterns, accepted: NDArray[np.bool_], cut: float = 0.5
    ) -> Probability:
        """Learn the score and its calibration; costs a few products of the D × L table."""
        return cls.over(_gains(patterns), patterns, accepted, cut)

    @classmethod
    def over(
        cls, gains: Floats, patterns: Patterns, accepted: NDArray[np.bool_], cut: float = 0.5
    ) -> Probability:
        """Calibrate a score whose gains are known."""
        positive = patterns.positive.astype(np.float64) * patterns.unit
        negative = patterns.negative.astype(np.float64) * patterns.unit
        scores = _scores(patterns.masks, gains)
        carries = positive + negative > 0
        rejected, above = (
            Steps.calibrated(scores[rows], positive[rows], negative[rows], low, high)
            for rows, low, high in (
                (carries & ~accepted, 0.0, cut),
                (carries & accepted, just_above(cut), 1.0),
            )
        )
        return cls(gains, rejected, above, cut)

    @classmethod
    def of_points(
        cls, points: Sequence[int], chances: Floats, needed: int, cut: float = 0.5
    ) -> Probability:
        """Take the probabilities of 0, 1, … points, of which so many are needed.

        Examples
        --------
        >>> import numpy as np
        >>> from sugeno.model.probability import Probability
        >>> found = Probability.of_points([1, 2], np.array([0.1, 0.2, 0.6, 0.9]), 2)
        >>> found.rejected(np.array([1.0])), found.accepted(np.array([3.0]))
        (array([0.2]), array([0.9]))
        """
        scores = np.arange(chances.size, dtype=np.float64)
        passed = scores >= needed
        rejected, accepted = (
            Steps(scores[side], chances[side])
            if side.any()
            else Steps(np.zeros(1), np.array([end]))
            for side, end in ((~passed, cut), (passed, just_above(cut)))
        )
        return cls(np.array(points, dtype=np.float64), rejected, accepted, cut)

    def of(self, masks: Masks, accepted: NDArray[np.bool_]) -> Floats:
        """Return the probability of each pattern, on the side of the cut where its label is."""
        scores = _scores(masks, self.gains)
        return np.where(accepted, self.accepted(scores), self.rejected(scores))


def _scores(masks: Masks, gains: Floats) -> Floats:
    """Sum of the gains of each set: whole numbers, so that no order of the terms matters."""
    scores = np.empty(len(masks))
    for rows, bits in unpacked_blocks(masks, gains.size):
        scores[rows] = bits @ gains
    return scores


def _gains(patterns: Patterns) -> Floats:
    """Rise of the log-odds from each place on a chain to the next, isotonic, in whole units."""
    # Sums of integers are exact: their differences cannot come out negative.
    weights = np.stack([patterns.positive, patterns.negative])
    reached = np.zeros((2, patterns.n_literals), dtype=np.int64)
    for rows, bits in unpacked_blocks(patterns.masks, patterns.n_literals):
        reached += weights[:, rows] @ bits
    totals = [weight.sum() for weight in (patterns.positive, patterns.negative)]
    if patterns.chains.is_single:
        # Of two places the isotonic fit is the difference, if it is not negative.
        won, lost = (np.array([total - sums, sums]) for sums, total in zip(reached, totals))
        odds = np.log(won * patterns.unit + 0.5) - np.log(lost * patterns.unit + 0.5)
        rise: Floats = np.maximum(np.rint((odds[1] - odds[0]) / _RESOLUTION), 0.0)
        return rise
    gains = np.zeros(patterns.n_literals)
    start = 0
    for size in patterns.chains.sizes:
        span = slice(start, start + size)
        won, lost = (
            -np.diff(sums[span], prepend=total, append=0) * patterns.unit
            for sums, total in zip(reached, totals)
        )
        odds = np.log(won + 0.5) - np.log(lost + 0.5)
        fitted = isotonic_regression(odds, weights=won + lost + 1e-9).x
        gains[span] = np.maximum(np.rint(np.diff(fitted) / _RESOLUTION), 0.0)
        start += size
    return gains
