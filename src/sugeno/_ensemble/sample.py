"""The canonical table of distinct rows, its levels, and the bags drawn from it.

Everything random is a function of this table. So the order of the rows cannot
matter, a row of weight 2 is a row that stands there twice, and a row of weight
0 is absent: all three give the same table, bit for bit.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sugeno._counts.row_order import row_order
from sugeno._counts.value_counting import known_values

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
Places = NDArray[np.bool_] | NDArray[np.intp]
Codes = NDArray[np.uint8]

MAX_LEVELS = 255  # per criterion: a code then fits into one byte
_MAX_UNITS = 2.0**31  # of one row: beyond that, a binomial draw gains nothing
_MAX_TOTAL = 2.0**40  # of all weights: larger ones are divided by a power of two
_LOWERED = 64  # weights are added as multiples of 2**-64, where no sum overflows


@dataclass(frozen=True)
class Merged:
    """Distinct rows in lexicographic order.

    Parameters
    ----------
    rows : array of shape (n, m)
        The distinct rows of positive weight, sorted.
    weight : array of shape (C, n)
        The weight of each row in each class, the lowest first.
    place : array of shape (number of original rows,)
        Where each original row went; -1 where its weight is 0.
    """

    rows: Floats
    weight: Floats
    place: Ints


def merge(X: Floats, y: Places, weight: Floats | None = None, n_classes: int = 2) -> Merged:
    """The table of the distinct rows of ``X`` with their class weights; ``y`` says the classes.

    The weights of a row are added in the order of their size, so that the sum
    does not depend on the order of the rows even for fractional weights. Cost:
    one lexicographic sort, O(m n log n).
    """
    w = np.ones(len(y)) if weight is None else weight
    kept = np.flatnonzero(w > 0)
    values, labels, w = X[kept] + 0.0, y[kept], w[kept]  # + 0.0: there is one zero
    order = row_order((w, labels, *values.T[::-1]))
    values, labels = values[order], labels[order]
    new = np.ones(len(order), dtype=bool)
    new[1:] = (values[1:] != values[:-1]).any(axis=1)
    group = np.cumsum(new) - 1
    lowered = np.ldexp(w[order], -_LOWERED)
    each = [lowered * (labels == c) for c in range(n_classes)]
    sums = np.array([np.bincount(group, own, new.sum()) for own in each])
    place = np.full(len(y), -1)
    place[kept[order]] = group
    return Merged(values[new], _bounded(sums), place)


def _bounded(sums: Floats) -> Floats:
    """Sums of lowered weights raised again, so far that their total is at most ``_MAX_TOTAL``."""
    excess = int(np.frexp(sums.sum() / np.ldexp(_MAX_TOTAL, -_LOWERED))[1])
    raised: Floats = np.ldexp(sums, _LOWERED - max(excess, 0))
    return raised


def levels(table: Merged) -> list[Floats]:
    """Cut points of each criterion, strictly above one observed value, at most the next.

    All of them if there are at most ``MAX_LEVELS``, else those nearest to evenly
    spaced quantiles of the weights. Cost: O(m n log n).
    """
    total = table.weight.sum(axis=0)
    # An infinite value stands for a missing one: no level.
    distinct = known_values(table.rows)
    return [_cuts(values, column, total) for values, column in zip(distinct, table.rows.T)]


def _cuts(values: Floats, column: Floats, weight: Floats) -> Floats:
    below, above = values[:-1], values[1:]
    if len(below) > MAX_LEVELS:
        known = np.isfinite(column)
        group = np.searchsorted(values, column[known])
        reached = np.cumsum(np.bincount(group, weight[known]))
        targets = reached[-1] * np.arange(1, MAX_LEVELS + 1) / (MAX_LEVELS + 1)
        chosen = np.unique(np.searchsorted(reached[:-2], targets))
        below, above = below[chosen], above[chosen]
    middle = below / 2 + above / 2
    return np.where((below < middle) & (middle <= above), middle, above)


def encode(X: Floats, cuts: list[Floats]) -> Codes:
    """How many levels each value reaches, as an array of shape (m, n)."""
    codes = np.empty((X.shape[1], X.shape[0]), dtype=np.uint8)
    for j, cut in enumerate(cuts):
        codes[j] = np.searchsorted(cut, X[:, j], side="right")
    return codes


def at_boundaries(weight: Floats) -> Floats:
    """Weights of shape (C, n) below and above each boundary, as one of shape (2, (C − 1) n).

    The rows at the lowest boundary come first, then all rows again at the next one.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._ensemble.sample import at_boundaries
    >>> at_boundaries(np.array([[1.0, 0.0], [2.0, 0.0], [4.0, 8.0]]))
    array([[1., 0., 3., 0.],
           [6., 8., 4., 8.]])
    """
    if len(weight) == 2:
        return weight
    below = np.cumsum(weight, axis=0)[:-1]
    above = np.cumsum(weight[::-1], axis=0)[-2::-1]
    return np.stack([below.ravel(), above.ravel()])


def boundary_cuts(n_classes: int) -> list[Floats]:
    """Cut points of the criterion that says at which boundary a row is asked about.

    Its value is −b at boundary b: the lower the boundary, the better. Two classes have none.
    """
    return [np.arange(2.0 - n_classes, 0.0) + 0.5] if n_classes > 2 else []


def at_each_boundary(codes: Codes, n_classes: int) -> Codes:
    """The codes of all rows at each boundary, with those of the boundary as one more criterion."""
    if n_classes == 2:
        return codes
    n = codes.shape[1]
    places = np.repeat(np.arange(n_classes - 2, -1, -1), n).astype(np.uint8)
    return np.vstack([np.tile(codes, n_classes - 1), places])


@dataclass(frozen=True)
class Bag:
    """Weights of shape (2, (C − 1) n) inside and outside of one bag, see `at_boundaries`."""

    inside: Floats
    outside: Floats


def draw(table: Merged, share: float, rng: np.random.Generator) -> Bag:
    """Each unit of weight goes into the bag with probability ``share``, else it stays out.

    A weight w consists of ⌈w⌉ equal units, so the number inside is binomial: a
    draw from the counts, not from the rows. What is inside is so at all boundaries. Cost: O(C n).
    """
    units = np.minimum(np.ceil(table.weight), _MAX_UNITS)
    size = np.divide(table.weight, units, out=np.zeros_like(units), where=units > 0)
    inside = rng.binomial(units.astype(np.int64), share).astype(np.float64)
    return Bag(at_boundaries(inside * size), at_boundaries((units - inside) * size))
