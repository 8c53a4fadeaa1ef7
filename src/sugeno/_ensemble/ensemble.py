"""An ensemble of bagged, boosted, monotone rules: fit, predict, weigh its criteria."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.special import expit

from sugeno._ensemble.course import Course, Plan
from sugeno._ensemble.members import Members, collect
from sugeno._ensemble.sample import Bools, Floats, Merged, encode, levels, merge


@dataclass(frozen=True)
class Ensemble:
    """A fitted ensemble.

    Parameters
    ----------
    members : Members
        Its rules; they alone predict.
    rounds : int
        Number of rounds that was kept.
    slope : float
        Factor of the members' mean score, at most 1, against overconfidence.
    oob_probability : array of shape (number of training rows,)
        Probability from the bags that a row is not in: soft labels that have not
        seen the row's own label.
    oob_log_loss, oob_error : float
        Of these probabilities.
    """

    members: Members
    rounds: int
    slope: float
    oob_probability: Floats
    oob_log_loss: float
    oob_error: float

    def scores(self, X: Floats) -> Floats:
        """Log odds of the positive class: exactly non-decreasing in every criterion."""
        return self.slope * self.members.scores(X)

    def probability(self, X: Floats) -> Floats:
        """Probability of the positive class; as monotone as the scores.

        Different scores differ by at least ``slope * RESOLUTION / bags``, far more than
        the error of the exponential function, so it cannot reverse them.
        """
        return np.asarray(expit(self.scores(X)), dtype=np.float64)

    def can_flip(self, X: Floats) -> Bools:
        """Tell for each row which criteria can flip its decision alone: shape (n, m).

        A monotone score is largest where the criterion is best and smallest where
        it is worst, so these two values decide. Cost: a few predictions.
        """
        return self.members.surfaces.flips(X)


def fit(
    X: Floats,
    y: Bools,
    weight: Floats | None = None,
    plan: Plan | None = None,
    stop: Callable[[], bool] = lambda: False,
) -> Ensemble:
    """Fit an ensemble to rows ``X`` (higher is better) with labels ``y``.

    Bags are drawn from the merged table and boosted in stages, side by side; they
    stop when the out-of-bag log loss of their mean has its minimum well behind it, or when `stop`
    says so.
    Cost: O(bags · rounds · (literals² · block + rows of a bag)).
    """
    plan = plan or Plan()
    table = merge(X, y, weight)
    cuts = levels(table)
    course = Course(table, encode(table.rows, cuts), plan)
    course.run(stop)
    members = collect(course.boosters, cuts).until(course.rounds)
    oob = _oob_probability(X, y, table, course, members)
    w = np.ones(len(y)) if weight is None else weight
    error = _mean((oob > 0.5) != y, w)
    best, loss = course.slopes[course.best], course.losses[course.best]
    return Ensemble(members, course.rounds, best, oob, loss, error)


def _oob_probability(
    X: Floats, y: Bools, table: Merged, course: Course, members: Members
) -> Floats:
    """Out-of-bag probabilities of the original rows.

    A row that was not watched, or is in every bag, has the ensemble's own: with
    so many rows its label weighs little, and else there is no other.
    """
    known = np.full(table.weight.shape, np.nan)
    known[:, course.watched] = course.scores[course.best]
    scores, there = np.full(len(y), np.nan), table.place >= 0
    scores[there] = known[y[there].astype(np.intp), table.place[there]]
    missing = np.isnan(scores)
    scores[missing] = members.scores(X[missing])
    return np.asarray(expit(course.slopes[course.best] * scores), dtype=np.float64)


def _mean(values: Bools, weight: Floats) -> float:
    top = weight.max(initial=0.0)
    scaled = weight / top if top > 0 else weight  # huge weights must not overflow
    return float(scaled @ values / max(scaled.sum(), 1.0))
