"""Empirical distribution functions with mid-ranks, as pure functions (section 4.1).

The function of a criterion is piecewise linear. Its knots are the distinct values of the column
and their cumulative weights, nothing else, so they can be counted wherever the data lives. The
functions here trust their input; `sugeno.QuantileUtility` is the validated way in.
"""

from __future__ import annotations

import math
import struct
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sugeno._scales.value_counts import ValueCounts

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_FLOAT, _INTEGER = struct.Struct("<d"), struct.Struct("<q")
#: So few rows are looked up faster than they are sorted.
_FEW_ROWS = 1024
#: A finished model keeps about so many knots of each criterion.
_KEPT_KNOTS = 512


@dataclass(frozen=True)
class Knots:
    """Knots of the empirical distribution functions of all criteria.

    Attributes
    ----------
    values : list of ndarray
        Per criterion the distinct observed values times its direction, ascending.
    ranks : list of ndarray of integers
        Per criterion twice the mid-rank of each value: the weight of all rows below it plus the
        weight of all rows up to it.
    total : int
        Weight of all rows.
    directions : ndarray of int of shape (m,)
        +1 where higher values are better, -1 where lower ones are.
    saturate : bool
        Whether the observed maximum has utility 1.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._scales.knots import Knots
    >>> knots = Knots([np.array([4.0, 5.0, 9.0])], [np.array([1, 4, 7])], 4, np.array([1]))
    >>> knots.knot_utilities(0)
    array([0.125, 0.5  , 0.875])
    """

    values: list[Floats]
    ranks: list[NDArray[np.integer[Any]]]
    total: int
    directions: Ints
    saturate: bool = False

    def knot_utilities(self, j: int) -> Floats:
        """Utilities of the observed values of criterion j: mid-ranks divided by the total."""
        result: Floats = self.ranks[j] / (2 * self.total)
        if self.saturate:
            result[-1] = 1.0
        return result

    def utilities_at(self, j: int, places: NDArray[np.intp]) -> Floats:
        """Utilities of some of the observed values of criterion j."""
        result: Floats = self.ranks[j][places] / (2 * self.total)
        if self.saturate:
            result[places == len(self.ranks[j]) - 1] = 1.0
        return result

    def knot_utility(self, j: int, i: int) -> float:
        """Return the utility of the i-th observed value of criterion j."""
        if self.saturate and i == len(self.ranks[j]) - 1:
            return 1.0
        return float(self.ranks[j][i]) / float(2 * self.total)

    def first_reaching(self, j: int, beta: float) -> int:
        """Place of the first observed value of criterion j whose utility is at least β."""
        ranks, whole = self.ranks[j], float(2 * self.total)
        # The last value reaches everything if the utility saturates.
        others = range(len(ranks) - (self.saturate and beta <= 1.0))
        return bisect_left(others, beta, key=lambda i: float(ranks[i]) / whole)

    def thinned(self, *betas: float) -> Knots:
        """Keep about 512 knots per criterion, evenly spread over the rows.

        The ends stay, and so do the knots on either side of each β: the same values reach β as
        before, to the last bit.
        """
        kept = [self._spread(j, betas) for j in range(len(self.values))]
        values = [observed[places] for observed, places in zip(self.values, kept)]
        ranks = [observed[places] for observed, places in zip(self.ranks, kept)]
        return replace(self, values=values, ranks=ranks)

    def _spread(self, j: int, betas: Sequence[float]) -> NDArray[np.intp] | slice:
        size = self.values[j].size
        if size <= _KEPT_KNOTS:
            return slice(None)
        even = np.searchsorted(self.ranks[j], np.linspace(0, 2 * self.total, _KEPT_KNOTS))
        first = [self.first_reaching(j, beta) for beta in betas]
        before = [place - 1 for place in first]
        return np.unique(np.clip([*even, 0, *before, *first, size - 1], 0, size - 1))


def knots_of(
    counts: Iterable[ValueCounts], total: int, directions: Ints, saturate: bool = False
) -> Knots:
    """Turn the counts of all criteria into knots; they are read one after the other.

    Parameters
    ----------
    counts : iterable of ValueCounts
        Counts of each criterion.
    total : int
        Weight of all rows; a criterion with missing values has less, and its ranks are stretched.
    directions : ndarray of int of shape (m,)
        +1 or -1 per criterion.
    saturate : bool, default=False
        Whether the observed maximum gets utility 1.

    Returns
    -------
    Knots
        The knots.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._scales.knots import knots_of
    >>> from sugeno._scales.value_counts import ValueCounts
    >>> counts = ValueCounts(np.array([4.0, 9.0]), np.array([[1], [2]]))
    >>> knots_of([counts], 3, np.array([-1])).values
    [array([-9., -4.])]
    """
    dtype = np.int32 if 2 * total <= np.iinfo(np.int32).max else np.int64
    values: list[Floats] = []
    ranks: list[NDArray[np.integer[Any]]] = []
    for counted, direction in zip(counts, directions):
        observed, rank = counted.values, 2 * counted.cumulative
        known = int(rank[-1]) // 2
        rank -= counted.total
        if direction < 0:
            # Adding zero turns -0.0 into 0.0.
            observed, rank = -observed[::-1] + 0.0, 2 * known - rank[::-1]
        if known != total:  # values are missing: the utility is that among the known ones
            rank = _stretched(rank, total, known)
        values.append(observed)
        ranks.append(rank.astype(dtype, copy=False))
        del rank  # or it would stay in memory while the next criterion is counted
    return Knots(values, ranks, total, directions, saturate)


def _stretched(ranks: Ints, total: int, known: int) -> Ints:
    """Return ``ranks * total / known``, rounded; as total exceeds known, none fall together."""
    exact = ranks if float(total) * 4 * total < 2.0**62 else ranks.astype(object)
    return ((2 * exact * total + known) // (2 * known)).astype(np.int64)


def utilities(X: Floats, knots: Knots) -> Floats:
    """Return the utilities u_ij = f_j(x_ij) of all entries of a table.

    The result never decreases, not even in the last bit, when a value gets better, and it is
    exact at observed values. Costs a sort of each column and a binary search per entry.

    Parameters
    ----------
    X : ndarray of float64 of shape (n, m)
        Finite values in original units.
    knots : Knots
        Result of `knots_of`.

    Returns
    -------
    ndarray of shape (n, m)
        Numbers in [0, 1].

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._scales.knots import Knots, utilities
    >>> knots = Knots([np.array([4.0, 5.0, 9.0])], [np.array([1, 4, 7])], 4, np.array([1]))
    >>> utilities(np.array([[3.0], [5.0], [7.0], [9.0], [10.0]]), knots).ravel()
    array([0.    , 0.5   , 0.6875, 0.875 , 1.    ])
    """
    result = np.empty(X.shape)
    for j, direction in enumerate(knots.directions.tolist()):
        column = X[:, j] if direction > 0 else -X[:, j]
        if len(column) <= _FEW_ROWS:
            result[:, j] = _column_utilities(column, knots, j)
            continue
        # A search for ascending numbers walks through the knots in order, which is several times
        # faster than one that jumps about.
        order = np.argsort(column)
        result[order, j] = _column_utilities(column[order], knots, j)
    return result


def knot_utilities_at(places: NDArray[np.intp], knots: Knots) -> Floats:
    """Return the utilities of rows of which it is known where their values are among the observed.

    Parameters
    ----------
    places : ndarray of intp of shape (m, n)
        Place of each entry among the ascending observed values of its criterion.
    knots : Knots
        Result of `knots_of` on these values.

    Returns
    -------
    ndarray of shape (n, m)
        What `utilities` returns for the same rows, bit for bit.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._scales.knots import Knots, knot_utilities_at
    >>> knots = Knots([np.array([-9.0, -4.0])], [np.array([1, 3])], 2, np.array([-1]))
    >>> knot_utilities_at(np.array([[0, 1]]), knots).ravel()
    array([0.75, 0.25])
    """
    heights = [knots.knot_utilities(j) for j in range(len(places))]
    # A falling criterion is read from its end.
    ascending = [h if d > 0 else h[::-1] for h, d in zip(heights, knots.directions.tolist())]
    starts = np.cumsum([0, *(h.size for h in heights[:-1])])
    result: Floats = np.concatenate(ascending)[places + starts[:, None]].T
    return result


def levels(knots: Knots, beta: float, places: Sequence[int] | None = None) -> Floats:
    """Worst value of each criterion, in original units, whose utility reaches β.

    It is exact: a value x has utility at least β, as `utilities` computes it, if and only if
    ``direction * x >= direction * level``. A binary search over the knots finds the segment that
    crosses β, a closed form guesses the place in it, and a search among the floating-point
    numbers around it settles the last bits. Costs O(m log n).

    Parameters
    ----------
    knots : Knots
        Result of `knots_of`.
    beta : float
        Utility to reach, in [0, 1].
    places : sequence of int, optional
        `Knots.first_reaching` of each criterion, where it is known.

    Returns
    -------
    ndarray of shape (m,)
        The levels. Every value reaches β = 0, so that level is infinite; when not even the
        observed best value reaches β, the level is the next number beyond it.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._scales.knots import Knots, levels
    >>> knots = Knots([np.array([4.0, 5.0, 9.0])], [np.array([1, 4, 7])], 4, np.array([1]))
    >>> levels(knots, 0.6875)
    array([7.])
    """
    if places is None:
        places = [knots.first_reaching(j, beta) for j in range(len(knots.values))]
    oriented = [_oriented_level(knots, j, first, beta) for j, first in enumerate(places)]
    # Adding zero turns the -0.0 of a decreasing criterion into 0.0.
    return np.array([d * x + 0.0 for d, x in zip(knots.directions.tolist(), oriented)])


def _column_utilities(column: Floats, knots: Knots, j: int) -> Floats:
    """Utilities of an oriented column of criterion j."""
    values = knots.values[j]
    right = np.searchsorted(values, column, side="right")
    left = np.maximum(right - 1, 0)
    result = knots.utilities_at(j, left)
    # Training data sits on the knots; only the rest needs arithmetic.
    off = np.flatnonzero(values[left] != column)
    if off.size:
        x, left, right = column[off], left[off], right[off]
        np.minimum(right, values.size - 1, out=right)
        low, high = (knots.utilities_at(j, places) for places in (left, right))
        between = _interpolate(x, values[left], values[right], low, high)
        between[x < values[0]] = 0.0
        between[x > values[-1]] = 1.0
        result[off] = between
    return result


def _interpolate(
    x: Floats, left: Floats, right: Floats, left_height: Floats, right_height: Floats
) -> Floats:
    """Linear interpolation strictly between two knots, monotone in floating point.

    Each step (subtract, divide, multiply, add) is a rounded monotone function of x. The bounds
    keep the result from falling below the left knot and from rounding up to the right one: that
    height is reached at the knot and not before, so that a level on it is the observed value.
    """
    # Entries outside the knots are overwritten by the caller, whatever comes out here.
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        rise, span = x - left, right - left
        wide = np.isinf(span)
        if wide.any():
            # A span beyond the largest number is taken at half scale; a tiny one must not be.
            rise = np.where(wide, x / 2 - left / 2, rise)
            span = np.where(wide, right / 2 - left / 2, span)
        height = left_height + (right_height - left_height) * (rise / span)
    result: Floats = np.maximum(np.minimum(height, np.nextafter(right_height, 0.0)), left_height)
    return result


def _oriented_level(knots: Knots, j: int, first: int, beta: float) -> float:
    """Smallest oriented value of criterion j whose utility is at least β."""
    if beta <= 0:
        return -math.inf
    values = knots.values[j]
    if first == 0:
        return float(values[0])
    if first == values.size:
        return math.nextafter(values[-1], math.inf)
    return _Segment(
        float(values[first - 1]),
        float(values[first]),
        knots.knot_utility(j, first - 1),
        knots.knot_utility(j, first),
    ).crossing(beta)


class _Segment(NamedTuple):
    """A linear piece between two knots, evaluated in plain Python.

    A few dozen evaluations of one number each are much cheaper so than in numpy. `height` takes
    the same steps as `_interpolate` and gives the same bits.
    """

    left: float
    right: float
    left_height: float
    right_height: float

    def height(self, x: float) -> float:
        """Return the utility of a value strictly between the knots."""
        left, right, low, high = self
        rise, span = x - left, right - left
        if span == math.inf:
            rise, span = x / 2 - left / 2, right / 2 - left / 2
        height = low + (high - low) * (rise / span)
        if height >= high:
            height = math.nextafter(high, 0.0)
        return height if height > low else low

    def crossing(self, beta: float) -> float:
        """Smallest value whose utility is at least β; the right knot reaches it, the left not."""
        below, above = _position(self.left), _position(self.right)
        place, step = _position(self._guess(beta)), 1
        # A guess is rarely off by more than a few numbers: go away from it in growing steps.
        while below < place < above:
            if self.height(_number(place)) >= beta:
                above, place = place, place - step
            else:
                below, place = place, place + step
            step *= 2
        while above - below > 1:
            middle = (below + above) // 2
            if self.height(_number(middle)) >= beta:
                above = middle
            else:
                below = middle
        return _number(above)

    def _guess(self, beta: float) -> float:
        """The value at which the utility would cross β if nothing were rounded."""
        share = (beta - self.left_height) / (self.right_height - self.left_height)
        return self.left * (1 - share) + self.right * share


def _position(x: float) -> int:
    """Position of a number among all floating-point numbers; both zeros are at 0."""
    (bits,) = _INTEGER.unpack(_FLOAT.pack(x))
    return int(bits if bits >= 0 else -(2**63) - bits)


def _number(position: int) -> float:
    """Floating-point number at a position; the inverse of `_position`."""
    bits = position if position >= 0 else -(2**63) - position
    (x,) = _FLOAT.unpack(_INTEGER.pack(bits))
    return float(x)
