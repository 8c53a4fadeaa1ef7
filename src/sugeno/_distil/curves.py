"""Logistic curves over a score of whole points, for many scores at once.

The probability of passing boundary b with s points is ``1 / (1 + exp(−(α s + β_b)))``: one slope
for all boundaries, so that the curves never cross. All that a fit needs are the weights of the rows
with each number of points; Newton's method then takes a few products of these tables, for hundreds
of cards in one go.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

__all__ = ["Counts", "Curves", "saved_at"]

Floats = NDArray[np.float64]

#: Price of a slope per point of standard deviation, squared: a bound for scores without any error.
_RIDGE = 1e-4
#: Log-odds beyond these are all the same.
_MOST = 30.0
#: Steps of a fit, at most, and the fall of the loss at which it ends.
_STEPS, _FALL = 60, 1e-11


@dataclass(frozen=True, eq=False)
class Counts:
    """Weights of rows by their score, for C cards.

    Attributes
    ----------
    weight : ndarray of shape (C, S)
        Of all rows with 0, 1, … points.
    wanted : ndarray of shape (B, C, S)
        Expected weight of those among them that pass each boundary.
    saved : ndarray of shape (B + 1, B)
        What it saves that a row of each class passes each boundary, see `saved_at`.
    """

    weight: Floats
    wanted: Floats
    saved: Floats

    @cached_property
    def powers(self) -> Floats:
        """1, s and s² of each score s: shape (S, 3)."""
        scores = np.arange(self.weight.shape[1], dtype=np.float64)
        return np.stack([np.ones_like(scores), scores, scores * scores], axis=1)

    @cached_property
    def total(self) -> Floats:
        """Weight of all rows of each card."""
        total: Floats = self.weight.sum(axis=1)
        return total

    @cached_property
    def ridge(self) -> Floats:
        """Price of a squared slope; with the variance of the scores, so that scale is free."""
        n, first, second = (self.weight @ self.powers).T
        price: Floats = _RIDGE * np.maximum(second - first * first / n, 0.0)
        return price

    def chosen(self, cards: NDArray[np.intp]) -> Counts:
        """Only some of the cards."""
        return Counts(self.weight[cards], self.wanted[:, cards], self.saved)

    @property
    def gains(self) -> Floats:
        """What it saves that rows with so many points pass each boundary: shape (B, C, S)."""
        # Of the lowest class are those that pass nothing, of the next those that pass no more.
        each = np.diff(self.saved, axis=0, prepend=0.0)
        passed = np.concatenate([self.weight[None], self.wanted])
        gains: Floats = np.tensordot(each.T, passed, axes=1)
        return gains

    def best_cuts(self) -> tuple[NDArray[np.intp], Floats]:
        """Return the number of points from which passing each boundary gains most, and that gain.

        The cuts never fall from boundary to boundary. Of equally good ones they are the largest;
        one more than there are points if passing never gains.

        Returns
        -------
        cuts : ndarray of intp of shape (B, C)
        gains : ndarray of shape (B, C)
            What is saved from the cut on.
        """
        gains = self.gains
        # From the last score down, beginning with none: the first maximum is the largest cut.
        down = np.cumsum(gains[..., ::-1], axis=-1)
        down = np.concatenate([np.zeros_like(down[..., :1]), down], axis=-1)
        # The best of the boundaries so far, if the last of them has no larger cut than this one.
        together = [down[0]]
        for own in down[1:]:
            together.append(own + np.maximum.accumulate(together[-1][:, ::-1], axis=1)[:, ::-1])
        first = np.zeros(len(self.weight), dtype=np.intp)
        places = []
        for best in reversed(together):
            allowed = np.arange(best.shape[1]) >= first[:, None]
            first = np.argmax(np.where(allowed, best, -np.inf), axis=1)
            places.append(first)
        place = np.stack(places[::-1])
        return gains.shape[-1] - place, np.take_along_axis(down, place[..., None], axis=-1)[..., 0]

    def losses(self, gains: Floats) -> Floats:
        """Expected loss at each boundary for each unit of weight, where so much is saved."""
        shares = -np.diff(self.wanted.sum(axis=-1), axis=0, append=0.0)
        missed = np.tril(self.saved, -1)[1:].T @ shares
        result: Floats = (missed - gains) / self.total
        return result


def saved_at(cut: float, n_boundaries: int = 1) -> Floats:
    """What passing saves where rows should pass the boundaries that they are likelier to pass.

    With a cut of 1/2 that is 1 for each row that should pass, and -1 for each other one.

    Examples
    --------
    >>> from sugeno._distil.curves import saved_at
    >>> saved_at(0.25).ravel().tolist()
    [-0.5, 1.5]
    >>> saved_at(0.5, 2).tolist()
    [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0]]
    """
    passes = np.arange(n_boundaries + 1)[:, None] > np.arange(n_boundaries)
    return np.where(passes, 2 * (1 - cut), -2 * cut)


@dataclass(frozen=True, eq=False)
class Curves:
    """Logistic curves over scores.

    Attributes
    ----------
    slope : ndarray of shape (C,)
        Rise of the log-odds with each point, never negative.
    offset : ndarray of shape (B, C)
        Log-odds of passing each boundary without any point.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._distil.curves import Counts, Curves, saved_at
    >>> counts = Counts(np.array([[10.0, 10.0]]), np.array([[[2.0, 8.0]]]), saved_at(0.5))
    >>> curves, loss = Curves.fitted(counts)
    >>> curves.probabilities(2).round(3)
    array([[[0.2, 0.8]]])
    """

    slope: Floats
    offset: Floats

    @classmethod
    def flat(cls, counts: Counts) -> Curves:
        """The best curves that do not rise."""
        share = counts.wanted.sum(axis=-1) / counts.total
        with np.errstate(divide="ignore"):
            odds = np.log(share) - np.log1p(-share)
        return cls(np.zeros(len(counts.weight)), np.clip(odds, -_MOST, _MOST))

    def repeated(self, n_cards: int) -> Curves:
        """The curves of one card for many."""
        n_boundaries = len(self.offset)
        return Curves(
            np.broadcast_to(self.slope, (n_cards,)),
            np.broadcast_to(self.offset, (n_boundaries, n_cards)),
        )

    def chosen(self, cards: NDArray[np.intp]) -> Curves:
        """Only some of the cards."""
        return Curves(self.slope[cards], self.offset[:, cards])

    @classmethod
    def fitted(cls, counts: Counts, start: Curves | None = None) -> tuple[Curves, Floats]:
        """Fit the curves, and return them with their loss (see `loss`).

        Newton's steps from the given curves, or from flat ones, halved while they do not help.
        """
        curves = cls.flat(counts) if start is None else start
        loss = curves.loss(counts)
        for _ in range(_STEPS):
            better, fell = curves._halved_step(counts, loss)
            done = (fell <= _FALL).all()
            curves, loss = better, loss - fell
            if done:
                break
        return curves, loss

    def _halved_step(self, counts: Counts, loss: Floats) -> tuple[Curves, Floats]:
        """A step as long as it helps each of the curves, and by how much."""
        target, size = self.stepped(counts), np.ones(len(loss))
        for _ in range(30):
            there = self._towards(target, size)
            fell = loss - there.loss(counts)
            if (fell >= 0).all():
                break
            size = np.where(fell < 0, size / 2, size)
        size = np.where(fell < 0, 0.0, size)
        return self._towards(target, size), np.maximum(fell, 0.0)

    def _towards(self, other: Curves, size: Floats) -> Curves:
        return Curves(
            self.slope + size * (other.slope - self.slope),
            self.offset + size * (other.offset - self.offset),
        )

    def stepped(self, counts: Counts) -> Curves:
        """The curves after a step of Newton's method; slopes that would be negative are 0."""
        p = self.probabilities(counts.weight.shape[1])
        passing = counts.weight * p
        error = (passing - counts.wanted) @ counts.powers[:, :2]
        bend = (passing * (1 - p)) @ counts.powers
        ridge = 2 * counts.ridge
        height = np.maximum(bend[..., 0], 1e-300)
        tilt = bend[..., 1] / height
        pull = (error[..., 1] - tilt * error[..., 0]).sum(axis=0) + ridge * self.slope
        stiff = (bend[..., 2] - tilt * bend[..., 1]).sum(axis=0) + ridge
        slope = np.maximum(self.slope - pull / np.maximum(stiff, 1e-300), 0.0)
        offset = self.offset - error[..., 0] / height - tilt * (slope - self.slope)
        return Curves(slope, np.clip(offset, -4 * _MOST, 4 * _MOST))

    def loss(self, counts: Counts) -> Floats:
        """Mean log loss of each card, summed over boundaries, with a tiny price for its slope."""
        odds = self._odds(counts.weight.shape[1])
        # log(1 + e^u) = u + log(1 + e^−u)
        each = counts.weight * np.log1p(np.exp(-odds)) + (counts.weight - counts.wanted) * odds
        result: Floats = (each.sum(axis=(0, 2)) + self.slope**2 * counts.ridge) / counts.total
        return result

    def probabilities(self, n_scores: int) -> Floats:
        """Probability of passing each boundary with 0, 1, … points: shape (B, C, n_scores)."""
        result: Floats = 1 / (1 + np.exp(-self._odds(n_scores)))
        return result

    def _odds(self, n_scores: int) -> Floats:
        odds = self.slope[:, None] * np.arange(n_scores) + self.offset[..., None]
        return np.clip(odds, -_MOST, _MOST)
