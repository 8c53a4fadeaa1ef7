"""What to learn from a teacher: soft verdicts on training rows and on rows that vary them.

A soft label is only a weight: for a row of weight w and target t, accepting it gains w(2t − 1)
more than rejecting it does. Training rows carry the teacher's out-of-sample probability mixed
with the true class; varied rows, each a training row with a few criteria of another, carry the
teacher's probability where the training rows leave gaps.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from sugeno._counts.row_order import row_order

__all__ = [
    "Draw",
    "Teacher",
    "joined_rows",
    "recombined_rows",
    "signed_gains",
    "soft_targets",
    "thinned_rows",
    "varied_rows",
]

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
Teacher = Callable[[Floats], Floats]


class Draw(Protocol):
    """A way to draw rows where the training rows leave gaps."""

    def __call__(
        self,
        X: Floats,
        n_rows: int,
        *,
        weight: Floats | None = None,
        together: Ints | None = None,
        seed: int = 0,
    ) -> Floats:
        """Draw rows by their share of the weight."""


#: Of so many criteria of a varied row, or fewer, one comes from another row.
_CRITERIA_PER_EXCHANGE = 8


def signed_gains(target: Floats, weight: Floats, cut: float = 0.5) -> Floats:
    """Return ``2 w (t − c)``, for weights that add up to one and the cut c.

    Covering rows with these gains in total G makes an expected error of
    ``Σ w t − G`` (in shares of the weight): more gain is less disagreement, one for one. Where a
    missed row costs c₁ and a false alarm c₀, the cut is ``c₀ / (c₀ + c₁)``, and these are the
    expected gains ``w (c₁ t − c₀ (1 − t))`` by the mean of both costs.
    """
    gains: Floats = weight * (2 * target - 2 * cut)
    return gains


def recombined_rows(
    X: Floats,
    n_rows: int,
    *,
    weight: Floats | None = None,
    together: Ints | None = None,
    seed: int = 0,
) -> Floats:
    """Draw rows each of whose criteria comes from one of two training rows.

    Rows are sorted and drawn by their share of the weight, so that the order of rows does not
    matter and a row of weight two is drawn like two equal rows. Both parents lie in the data,
    so that a recombined row keeps every marginal distribution and half of the dependence.

    Parameters
    ----------
    X : ndarray of shape (n, m)
        Training rows.
    n_rows : int
        Number of rows to draw.
    weight : ndarray of shape (n,), optional
        Sample weights.
    together : ndarray of intp of shape (m,), optional
        Of each criterion one with which it comes from the same row, such as the first of those
        that read the same column; by default itself.
    seed : int, default=0
        Of the draws.

    Returns
    -------
    ndarray of shape (n_rows, m)

    Notes
    -----
    O(m n log n) for sorting, O(n_rows m) for drawing.
    """
    rng = np.random.default_rng(seed)
    first, second = _parents(X, n_rows, weight, rng)
    taken = rng.random(first.shape) < 0.5
    drawn: Floats = np.where(taken if together is None else taken[:, together], first, second)
    return drawn


def varied_rows(
    X: Floats,
    n_rows: int,
    *,
    weight: Floats | None = None,
    together: Ints | None = None,
    seed: int = 0,
) -> Floats:
    """Draw training rows, each with one criterion in eight, at least one, of another training row.

    They ask "what if this were different?" and stay near the data: most of the dependence among
    criteria is kept, so that no rule is spent on what hardly occurs. Parameters, draws and
    cost are those of `recombined_rows`.
    """
    rng = np.random.default_rng(seed)
    first, second = _parents(X, n_rows, weight, rng)
    exchanged = -(-X.shape[1] // _CRITERIA_PER_EXCHANGE)
    lots = rng.random(first.shape)
    taken = lots <= np.partition(lots, exchanged - 1, axis=1)[:, [exchanged - 1]]
    drawn: Floats = np.where(taken if together is None else taken[:, together], second, first)
    return drawn


def _parents(X: Floats, n_rows: int, weight: Floats | None, rng: np.random.Generator) -> Floats:
    """Two training rows for each row to be drawn, by their share of the weight: (2, n_rows, m)."""
    weight = np.ones(len(X)) if weight is None else weight
    order = row_order((weight, *X.T[::-1]))
    share = np.cumsum(weight[order])
    parents = np.searchsorted(share, rng.random((2, n_rows)) * share[-1], side="right")
    drawn: Floats = X[order[np.minimum(parents, len(X) - 1)]]
    return drawn


def thinned_rows(
    X: Floats, y: Floats, p: Floats, limit: int, *, weight: Floats | None = None
) -> NDArray[np.intp]:
    """Choose `limit` rows that stand for all, for tables that are too long to search.

    Rows are sorted by class, probability and values, and taken at equal steps of the weight:
    each class and each range of probability keeps its share, without any random draw. The
    chosen rows have equal weights; a heavy row may be chosen more than once.

    Parameters
    ----------
    X, y, p : ndarray
        Rows, classes, and the teacher's probabilities.
    limit : int
        Number of rows to choose; a table with no more rows is left as it is.
    weight : ndarray of shape (n,), optional
        Sample weights.

    Returns
    -------
    ndarray of intp
        Places of the chosen rows.

    Notes
    -----
    O(m n log n) for sorting.
    """
    if len(X) <= limit:
        return np.arange(len(X))
    weight = np.ones(len(X)) if weight is None else weight
    order = row_order((weight, *X.T[::-1], p, y))
    share = np.cumsum(weight[order])
    steps = (np.arange(limit) + 0.5) / limit * share[-1]
    chosen: NDArray[np.intp] = order[np.searchsorted(share, steps, side="right")]
    return chosen


def joined_rows(
    X: Floats, y: Floats, p: Floats, *, weight: Floats | None = None
) -> tuple[Floats, Floats, Floats, Floats]:
    """Join rows that are alike in values, class and probability, and add up their weights.

    Gains are rounded row by row: only so a row of weight two counts as two rows do.

    Parameters
    ----------
    X, y, p : ndarray
        Rows, classes, and the teacher's probabilities.
    weight : ndarray of shape (n,), optional
        Sample weights.

    Returns
    -------
    X, y, p, weight : ndarray
        Distinct rows of positive weight, sorted.

    Notes
    -----
    O(m n log n) for sorting.
    """
    weight = np.ones(len(X)) if weight is None else weight
    keys = (weight, p, y, *X.T[::-1])
    order = row_order(keys)
    order = order[weight[order] > 0]
    is_new = np.zeros(len(order), dtype=np.bool_)
    is_new[:1] = True
    for key in keys[1:]:
        is_new[1:] |= key[order[1:]] != key[order[:-1]]
    starts = np.flatnonzero(is_new)
    first = order[starts]
    # Whole numbers or not: sorted by their size, they are added in one order.
    return X[first], y[first], p[first], np.add.reduceat(weight[order], starts)


def soft_targets(
    X: Floats,
    y: Floats,
    out_of_sample: Floats,
    probability: Teacher,
    *,
    weight: Floats | None = None,
    mix: float = 0.5,
    draw: Draw = varied_rows,
    n_varied: int = 3000,
    varied_share: float = 0.5,
    together: Ints | None = None,
    seed: int = 0,
) -> tuple[Floats, Floats, Floats, Floats]:
    """Return rows from which to distil, how likely each is positive, and their weights.

    Parameters
    ----------
    X : ndarray of shape (n, m)
        Oriented training rows.
    y : ndarray of shape (n,)
        True classes, 0 or 1.
    out_of_sample : ndarray of shape (n,)
        The teacher's probabilities of the training rows, out of bag or out of fold.
    probability : callable
        The teacher: rows to probabilities.
    weight : ndarray of shape (n,), optional
        Sample weights.
    mix : float, default=0.5
        Share of the true class in the target of a training row: ``(1 − mix) p + mix y``.
    draw : callable, default=varied_rows
        How varied rows are drawn.
    n_varied : int, default=3000
        Their number; 0 for none.
    varied_share : float, default=0.5
        Their share of the weight.
    together : ndarray of intp of shape (m,), optional
        As for `recombined_rows`.
    seed : int, default=0
        Of the draws.

    Returns
    -------
    rows : ndarray of shape (n + n_varied, m)
    target, weight : ndarray of shape (n + n_varied,)
        The weights add up to one.
    said : ndarray of shape (n + n_varied,)
        What the teacher alone says.
    """
    weight = np.ones(len(X)) if weight is None else weight
    # fsum rounds once: the scale does not depend on the order of rows.
    share = weight / math.fsum(weight.tolist())
    target = (1 - mix) * out_of_sample + mix * y
    if n_varied == 0:
        return X, target, share, out_of_sample
    drawn = draw(X, n_varied, weight=weight, together=together, seed=seed)
    told = probability(drawn)
    return (
        np.concatenate([X, drawn]),
        np.concatenate([target, told]),
        np.concatenate([(1 - varied_share) * share, np.full(n_varied, varied_share / n_varied)]),
        np.concatenate([out_of_sample, told]),
    )
