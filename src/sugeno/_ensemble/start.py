"""Where a bag may start: a monotone logistic regression on the utilities of its rows.

Many tables are nearly additive, and a bag of few rows would spend its rounds on what a regression
says at once. It has a weight w_j ≥ 0 for the utility u_j of each criterion, the paper's empirical
distribution. A utility is the mean of all literals of its criterion. So the regression, too, is a
sum of members with one literal each, and boosting goes on from there.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sugeno._ensemble.logit import minimize_logit
from sugeno._ensemble.sample import Codes, Floats, Ints

RESOLUTION = 2.0**-24  # scores are multiples of it, so that they add exactly
RIDGE = 3.0  # against w² for utilities of variance 1, in units of weight
_TOLERANCE = 1e-4  # of the gradient, as a share of the weight
_MAX_ITER = 50
_GRAIN = 2.0**-12  # weights are multiples of it: what rounding does to sums cannot be seen


@dataclass(frozen=True)
class Start:
    """A logistic regression before the first round.

    Attributes
    ----------
    base : int
        Score of a row that reaches no level.
    rises : list of arrays of int
        What reaching each level of each criterion adds, in units of ``RESOLUTION``; none is
        negative.
    gains : array of shape (m,)
        Share of each criterion in twice the decrease of the logistic loss.
    """

    base: int
    rises: list[Ints]
    gains: Floats

    def scores(self, codes: Codes) -> Ints:
        """Scores of rows with codes of shape (m, n)."""
        total = np.full(codes.shape[1], self.base, dtype=np.int64)
        for row, rise in zip(codes, self.rises):
            total += np.concatenate([[0], np.cumsum(rise)])[row]
        return total


def fit_start(codes: Codes, weight: Floats, n_levels: list[int]) -> Start:
    """Fit a logistic regression to the rows of a bag.

    Parameters
    ----------
    codes : array of shape (m, n)
        How many levels each row reaches.
    weight : array of shape (2, n)
        Weights of the rows in either class.
    n_levels : list of int
        Number of levels of each criterion.

    Returns
    -------
    Start
        The regression, of non-negative weights.

    Notes
    -----
    The loss is Σ log(1 + exp(−s)) over the rows, and one row more that is average in everything and
    half of either class, plus ``RIDGE`` Σ w² / 2. Cost: O(n m) per iteration, at most 50 of them.
    """
    total = weight.sum(axis=0)
    tables = [_utilities(row, total, n) for row, n in zip(codes, n_levels)]
    design = np.column_stack(
        [*(table[row] for table, row in zip(tables, codes)), np.ones(len(total))]
    )
    # Half a row of either class in the middle: a bag of one class has finite odds.
    middle = np.append(np.zeros(len(tables)), 1.0)
    found = minimize_logit(
        np.vstack([design, middle]),
        np.append(weight[1], 0.5),
        np.append(weight[0], 0.5),
        np.append(np.full(len(tables), RIDGE), 0.0),
        bounds=[(0.0, None)] * len(tables) + [(None, None)],
        tol=_TOLERANCE * max(total.sum(), 1.0),
        max_iter=_MAX_ITER,
    ).x
    slopes, offset = np.rint(found[:-1] / _GRAIN) * _GRAIN, float(np.rint(found[-1] / _GRAIN))
    steps = [np.rint(w * table / RESOLUTION).astype(np.int64) for w, table in zip(slopes, tables)]
    base = int(np.rint(offset * _GRAIN / RESOLUTION)) + sum(int(step[0]) for step in steps)
    spread = slopes * np.sqrt([np.average(t[r] ** 2, weights=total) for t, r in zip(tables, codes)])
    return Start(base, [np.diff(step) for step in steps], _gains(design, found, weight, spread))


def _utilities(codes: Codes, weight: Floats, n_levels: int) -> Floats:
    """Utility of each code, the mean rank of its rows, moved and stretched to variance 1."""
    count = np.bincount(codes, weight, minlength=n_levels + 1)
    below = np.cumsum(count) - count
    ranks: Floats = (below + count / 2) / max(weight.sum(), np.finfo(float).tiny) - 0.5
    stretched: Floats = ranks * np.sqrt(12.0)
    return stretched


def _gains(design: Floats, found: Floats, weight: Floats, spread: Floats) -> Floats:
    """Twice the gain over a constant, shared out by what each criterion moves."""
    if not spread.any():
        return np.zeros_like(spread)
    negative, positive = weight.sum(axis=1)
    constant = np.log((positive + 0.5) / (negative + 0.5))
    before, after = (_loss(z, weight) for z in (np.full(len(design), constant), design @ found))
    shared: Floats = 2 * max(before - after, 0.0) * spread / spread.sum()
    return shared


def _loss(scores: Floats, weight: Floats) -> float:
    return float(weight[0] @ np.logaddexp(0, scores) + weight[1] @ np.logaddexp(0, -scores))
