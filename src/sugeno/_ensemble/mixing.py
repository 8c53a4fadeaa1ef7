"""How much each kind of bags counts: by rows outside the bags."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sugeno._ensemble.logit import minimize_logit
from sugeno._ensemble.sample import Floats

_LEAST_SHARE = 1 / 64  # positive, so that probabilities keep the order of the scores
_PRIOR = 8.0  # rows that speak for equal shares: few rows cannot tell kinds apart
_SIGN = np.array([[-1.0], [1.0]])  # of the score in the loss of either class
_GRAIN = 2.0**-20


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
