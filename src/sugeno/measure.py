"""The measure: weighted counts, the only way in which data enters learning.

Learning never looks at raw rows. It sees how much weight each value of a column carries and how
much weight each class has on each pattern. All weights are held as integers, so that their sums
are exact: the result cannot depend on the order of the rows, a row of weight 2 is a row that
stands there twice, and a row of weight 0 is not there.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["EXACT_FLOAT", "TOTAL_BITS", "RowWeights", "row_weights", "value_counts"]

#: Totals stay below 2**61, so that a sum or a difference of two of them fits into int64.
TOTAL_BITS = 60
#: Sums of integers below this are exact in float64.
EXACT_FLOAT = 1 << 53


@dataclass(frozen=True)
class RowWeights:
    """Row weights as integers; ``weights * unit`` are the weights that the user gave.

    Attributes
    ----------
    values : ndarray of int64 of shape (n,) or None
        One integer per row; None means that every row counts once.
    n : int
        Number of rows.
    unit : float
        What one integer unit is worth: 1 for integer weights, else a power of two.

    Examples
    --------
    >>> from sugeno.measure import row_weights
    >>> row_weights([2, 0, 1], 3).total
    3
    >>> row_weights(None, 3).total
    3
    """

    values: NDArray[np.int64] | None
    n: int
    unit: float = 1.0

    @property
    def total(self) -> int:
        """Sum of all integer weights."""
        return self.n if self.values is None else int(self.values.sum())

    @property
    def present(self) -> NDArray[np.bool_] | None:
        """Rows of positive weight, or None when that is all of them."""
        if self.values is None or self.values.all():
            return None
        return self.values > 0

    def take(self, rows: NDArray[np.bool_] | NDArray[np.intp]) -> RowWeights:
        """Weights of the selected rows."""
        if self.values is None:
            return RowWeights(None, int(np.empty(self.n, dtype=bool)[rows].size), self.unit)
        chosen = self.values[rows]
        return RowWeights(chosen, chosen.size, self.unit)


def row_weights(sample_weight: ArrayLike | None, n: int) -> RowWeights:
    """Turn sample weights into integers.

    Integer weights stay what they are. Others are multiplied by a power of two and rounded; the
    power is chosen so that the total lies just below 2**60. The sum of any set of rows is then
    wrong by at most ``n / 2**60`` of the total, which is less than the rounding of a plain
    floating-point sum.

    Parameters
    ----------
    sample_weight : array-like of shape (n,) or None
        Non-negative finite numbers, not all zero. None is a weight of 1 for every row.
    n : int
        Number of rows.

    Returns
    -------
    RowWeights
        The integer weights and the value of their unit.

    Examples
    --------
    >>> from sugeno.measure import row_weights
    >>> w = row_weights([0.5, 0.25], 2)
    >>> w.values * w.unit
    array([0.5 , 0.25])
    """
    if sample_weight is None:
        return RowWeights(None, n)
    weights = np.asarray(sample_weight, dtype=np.float64)
    if weights.ndim == 0:
        weights = np.full(n, float(weights))
    if weights.shape != (n,):
        raise ValueError(
            f"sample_weight must have one weight per row, shape ({n},). "
            f"Got shape {weights.shape} instead."
        )
    if not np.isfinite(weights).all():
        raise ValueError("sample_weight must be finite. Got NaN or infinity instead; remove it.")
    if n and weights.min() < 0:
        raise ValueError(
            f"sample_weight must not be negative. Got {weights.min():g} instead; "
            "use 0 to leave a row out."
        )
    if n and weights.max() == 0:
        raise ValueError(
            "sample_weight must not be zero everywhere: there is no row to learn from. "
            "Give at least one row a positive weight."
        )
    largest = math.frexp(weights.max())[1]
    if (weights == np.rint(weights)).all() and largest + n.bit_length() <= TOTAL_BITS:
        return RowWeights(weights.astype(np.int64), n)
    # Weights are brought near 1 first, so that their sum neither overflows nor vanishes.
    total = math.fsum(np.ldexp(weights, -largest))
    exponent = TOTAL_BITS - math.frexp(total)[1] - largest
    if not -1000 < exponent < 1000:
        raise ValueError(
            f"sample_weight must lie between about 1e-280 and 1e280. Got {weights.max():g} as the "
            "largest instead; multiply all weights by a constant."
        )
    return RowWeights(np.rint(np.ldexp(weights, exponent)).astype(np.int64), n, 2.0**-exponent)


def value_counts(
    column: NDArray[np.float64], weights: NDArray[np.int64] | None = None
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return the distinct values of a column, ascending, and their cumulative weights.

    Costs one sort of the column (an argsort when weights are given).

    Parameters
    ----------
    column : ndarray of shape (n,)
        Finite values, in any order.
    weights : ndarray of int64 of shape (n,), optional
        Positive integer weights.

    Returns
    -------
    values : ndarray of shape (v,)
        The distinct values, ascending.
    cumulative : ndarray of int64 of shape (v,)
        Weight of all rows whose value is at most this one.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno.measure import value_counts
    >>> value_counts(np.array([3.0, 1.0, 3.0, 2.0]))
    (array([1., 2., 3.]), array([1, 2, 4]))
    """
    if weights is None:
        ordered = np.sort(column)
        last = _last_of_each(ordered)
        values = ordered[last]
        del ordered
        last += 1
        cumulative = last
    else:
        order = np.argsort(column)
        ordered = column[order]
        last = _last_of_each(ordered)
        values = ordered[last]
        cumulative = np.cumsum(weights[order])[last]
    # Adding zero turns -0.0 into 0.0: which of the two comes last is an accident of row order.
    values += 0.0
    return values, cumulative


def _last_of_each(ordered: NDArray[np.float64]) -> NDArray[np.intp]:
    """Index of the last occurrence of each distinct value of a sorted column."""
    changes = np.flatnonzero(ordered[1:] != ordered[:-1])
    return np.append(changes, ordered.size - 1)
