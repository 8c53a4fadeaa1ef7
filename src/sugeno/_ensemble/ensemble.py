"""An ensemble of bagged, boosted, monotone rules: fit, predict, weigh criteria and kinds.

Of ordered classes each row is asked about at each boundary, and the boundary is one more criterion,
of which a lower one is better: as nothing falls when a criterion gets better, whoever passes a
boundary passes those before it, and what all boundaries have in common is learned once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import expit

from sugeno._ensemble.boosting_run import BoostingRun, EnsembleParams, log_loss
from sugeno._ensemble.logit import minimize_logit
from sugeno._ensemble.members import Members, collect, joined
from sugeno._ensemble.sample import (
    Bools,
    Floats,
    Ints,
    Merged,
    Places,
    at_each_boundary,
    boundary_cuts,
    encode,
    levels,
    merge,
)

_LEAST_SHARE = 1 / 64  # positive, so that probabilities keep the order of the scores
_PRIOR = 8.0  # rows that speak for equal shares: few rows cannot tell kinds apart
_SIGN = np.array([[-1.0], [1.0]])  # of the score in the loss of either class
_GRAIN = 2.0**-20


@dataclass(frozen=True)
class Ensemble:
    """A fitted ensemble.

    Parameters
    ----------
    members : Members
        Its rules; they alone predict.
    rounds : int
        Number of rounds that was kept, the larger one of both kinds of bags.
    slope : float
        Factor of the members' mean score, at most 1, against overconfidence.
    oob_at_least : array of shape (number of training rows, C − 1)
        Probability of passing each boundary from the bags that a row is not in: soft labels that
        have not seen the row's own label.
    oob_log_loss, oob_error : float
        Of these probabilities; of several boundaries the loss is the mean over them, and an error
        is another class.
    """

    members: Members
    rounds: int
    slope: float
    oob_at_least: Floats
    oob_log_loss: float
    oob_error: float

    @property
    def oob_probability(self) -> Floats:
        """The same of two classes, of shape (number of training rows,)."""
        found: Floats = self.oob_at_least[:, 0]
        return found

    def at_least(self, X: Floats) -> Floats:
        """Probability of passing each boundary, of shape (n, C − 1): it never rises."""
        rows = _asked(X, self.oob_at_least.shape[1] + 1)
        found: Floats = self.probability(rows).reshape(-1, len(X)).T
        return found

    def scores(self, X: Floats) -> Floats:
        """Log odds of the positive class: exactly non-decreasing in every criterion."""
        return self.slope * self.members.scores(X)

    def probability(self, X: Floats) -> Floats:
        """Probability of the positive class; as monotone as the scores.

        Different scores differ by at least ``slope * RESOLUTION / bags``, far more than
        the error of the exponential function, so it cannot reverse them.
        """
        return np.asarray(expit(self.scores(X)), dtype=np.float64)


def fit(
    X: Floats,
    y: Places,
    weight: Floats | None = None,
    params: EnsembleParams | None = None,
    stop: Callable[[], bool] = lambda: False,
    cut: float = 0.5,
    n_classes: int = 2,
) -> Ensemble:
    """Fit an ensemble to rows ``X`` (higher is better) with places ``y`` of ordered classes.

    Bags are drawn from the merged table and boosted in stages, side by side; they
    stop when the out-of-bag log loss of their mean has its minimum well behind it. When `stop` says
    so, no more bags are drawn, and they grow no further. Rows of a probability above the cut are
    accepted, which matters to the out-of-bag error alone.
    Cost: O(bags · rounds · (literals² · block + rows of a bag)).
    """
    params = params or EnsembleParams()
    table = merge(X, y, weight, n_classes)
    cuts = [*levels(table), *boundary_cuts(n_classes)]
    runs = _runs(table, cuts, params, stop)
    for run in runs:
        run.grow()
    kept = [run.scores[run.best] for run in runs]
    shares = mixture(kept, runs[0].weight)
    members = _members(runs, cuts, shares)
    watched = mixed(kept, shares)
    slope, loss = float(shares.sum()), log_loss(watched, runs[0].weight)
    oob = _oob_at_least(X, y, table, runs[0].watched, watched, slope, members)
    w = np.ones(len(y)) if weight is None else weight
    rounds = max(run.rounds for run in runs)
    return Ensemble(members, rounds, slope, oob, loss, _mean((oob > cut).sum(axis=1) != y, w))


def _runs(
    table: Merged,
    cuts: list[Floats],
    params: EnsembleParams,
    stop: Callable[[], bool] = lambda: False,
) -> list[BoostingRun]:
    """Bags that start at the odds of the classes, and others that start with a regression.

    The latter know at once what is additive, the former what is not; rows outside the bags tell
    how much of both a table has.
    """
    n_classes, n_levels = len(table.weight), [len(cut) for cut in cuts]
    codes = at_each_boundary(encode(table.rows, cuts[: table.rows.shape[1]]), n_classes)
    plain = params.bags - int(params.bags * params.logistic)
    kinds = ((range(plain), None), (range(plain, params.bags), n_levels))
    return [BoostingRun(table, codes, params, bags, given, stop) for bags, given in kinds if bags]


def _members(runs: list[BoostingRun], cuts: list[Floats], shares: Floats) -> Members:
    """The members of all bags, so that their mean is that of the runs, weighed by their shares."""
    bags = [len(run.outside) for run in runs]
    parts = [collect(run.boosters, cuts).until(run.rounds) for run in runs]
    factors = shares / shares.sum() * sum(bags) / bags
    return joined([part.times(factor) for part, factor in zip(parts, factors.tolist())])


def _asked(X: Floats, n_classes: int) -> Floats:
    """The rows at each boundary, one boundary after the other."""
    if n_classes == 2:
        return X
    boundary = -np.repeat(np.arange(n_classes - 1.0), len(X))
    return np.column_stack([np.tile(X, (n_classes - 1, 1)), boundary])


def _oob_at_least(
    X: Floats,
    y: Places,
    table: Merged,
    watched: Ints,
    found: Floats,
    slope: float,
    members: Members,
) -> Floats:
    """Out-of-bag probabilities of the original rows at each boundary.

    A row that was not watched, or is in every bag, has the ensemble's own: with
    so many rows its label weighs little, and else there is no other.
    """
    n_classes, n = table.weight.shape
    known = np.full((2, (n_classes - 1) * n), np.nan)
    known[:, watched] = found
    scores, there = np.full((n_classes - 1, len(y)), np.nan), table.place >= 0
    for b, own in enumerate(scores):
        above = (y[there] > b).astype(np.intp)
        own[there] = known[above, b * n + table.place[there]]
    # What is known of some boundaries alone might not be nested beside the rest.
    missing = np.isnan(scores).any(axis=0)
    asked = _asked(X[missing], n_classes)
    scores[:, missing] = (slope * members.scores(asked)).reshape(n_classes - 1, -1)
    return np.minimum.accumulate(np.asarray(expit(scores.T), dtype=np.float64), axis=1)


def _mean(values: Bools, weight: Floats) -> float:
    top = weight.max(initial=0.0)
    scaled = weight / top if top > 0 else weight  # huge weights must not overflow
    return float(scaled @ values / max(scaled.sum(), 1.0))


def mixture(scores: Sequence[Floats], weight: Floats) -> Floats:
    """Shares of several kinds of scores that minimise the logistic loss of their sum.

    Each share lies between 1/64 and 1, and they are held towards equal ones that add up to 1.
    Boosting goes on to order the rows better while it becomes too sure of itself: a sum below 1
    mends that.

    Parameters
    ----------
    scores : sequence of arrays of shape (2, n)
        Out-of-bag scores in both classes; nan where there is none.
    weight : array of shape (2, n)
        Weights in both classes.

    Returns
    -------
    array
        One share per kind.
    """
    margins = np.stack([(_SIGN * found).ravel() for found in scores], axis=1)
    known = ~np.isnan(margins).any(axis=1) & (weight.ravel() > 0)
    rows, equal = weight.ravel()[known], 1 / len(scores)
    found = minimize_logit(
        margins[known],
        rows,
        np.zeros_like(rows),
        np.full(len(scores), _PRIOR),
        centre=equal,
        bounds=[(_LEAST_SHARE, 1.0)] * len(scores),
        tol=1e-6 * max(rows.sum(), 1.0),
        max_iter=200,
    )
    shares: Floats = np.rint(found.x / _GRAIN) * _GRAIN
    return shares


def mixed(scores: Sequence[Floats], shares: Floats) -> Floats:
    """The sum of the scores by their shares; what one kind does not know, the others say."""
    stacked = np.stack(scores)
    factors = shares.reshape(-1, *np.ones(stacked.ndim - 1, dtype=np.intp))
    present = np.where(np.isnan(stacked), 0.0, factors)
    total, missing = present.sum(axis=0), np.full(stacked.shape[1:], np.nan)
    summed = (np.nan_to_num(stacked) * present).sum(axis=0)
    result: Floats = np.divide(summed * shares.sum(), total, out=missing, where=total > 0)
    return result
