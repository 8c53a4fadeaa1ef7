"""How many rules: the fewest whose held-out error is not clearly above the lowest.

In each fold a path is distilled from the other folds and every set on it judges the rows held
out. Sizes are compared row by row, so that what all sizes get wrong cancels: a size is as good as
the best one while the difference of their errors is within some standard errors of that
difference. Of those sizes the smallest is chosen.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from sugeno._distil.path import RulePath

__all__ = ["choose_size", "held_out_losses"]

Floats = NDArray[np.float64]
#: Rows to train on (a mask) to a path and the literals it is about.
DistilFold = Callable[[NDArray[np.bool_]], tuple[RulePath, NDArray[np.intp], Floats]]


def held_out_losses(
    X: Floats, target: Floats, fold: NDArray[np.intp], distil: DistilFold
) -> Floats:
    """Return the loss of each row under the set of each size that did not see the row.

    Parameters
    ----------
    X : ndarray of shape (n, m)
        Oriented rows.
    target : ndarray of shape (n,)
        The class, 0 or 1, or a probability: the loss is then an expected one, with less noise.
    fold : ndarray of intp, shape (n,)
        The fold that holds each row out.
    distil : callable
        From a mask of training rows to a path and its literals.

    Returns
    -------
    ndarray of shape (n, max_rules + 1)
        ``t`` for rejecting, ``1 − t`` for accepting.
    """
    columns: list[tuple[NDArray[np.bool_], Floats]] = []
    for k in np.unique(fold):
        out = fold == k
        path, criteria, levels = distil(~out)
        accepted = np.column_stack([s.accepts(X[out], criteria, levels) for s in path.sets])
        columns.append((out, np.where(accepted, 1 - target[out, None], target[out, None])))
    losses = np.empty((len(X), columns[0][1].shape[1]))
    for out, loss in columns:
        losses[out] = loss
    return losses


def choose_size(losses: Floats, *, weight: Floats | None = None, tolerance: float = 0.5) -> int:
    """Return the smallest size whose loss is within `tolerance` standard errors of the best.

    Parameters
    ----------
    losses : ndarray of shape (n, n_sizes)
        Held-out loss of each row under each size.
    weight : ndarray of shape (n,), optional
        Sample weights.
    tolerance : float, default=0.5
        In standard errors of the paired difference to the best size; 1 is the usual
        one-standard-error rule, 0 takes the best size.

    Returns
    -------
    int
        A column of `losses`.

    Notes
    -----
    With δ the differences of a size's losses to those of the best size, the size is as good if
    ``mean(δ) ≤ tolerance · std(δ) / √n``.
    """
    share = np.full(len(losses), 1 / len(losses)) if weight is None else weight / weight.sum()
    best = int(np.argmin(share @ losses))
    difference = losses - losses[:, [best]]
    mean = share @ difference
    variance = (share**2) @ (difference - mean) ** 2
    return int(np.flatnonzero(mean <= tolerance * np.sqrt(variance))[0])
