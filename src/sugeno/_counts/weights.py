"""Row weights as integers.

Learning sees how much weight each value of a column carries and how much weight each class has on
each pattern. All weights are held as integers, so that their sums
are exact: the result cannot depend on the order of the rows, a row of weight 2 is a row that
stands there twice, and a row of weight 0 is not there.
"""

from __future__ import annotations

import math
import operator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sugeno._scales.columns import refuse_masked

__all__ = ["EXACT_FLOAT", "TOTAL_BITS", "RowWeights", "row_weights", "scale_of_weights"]

#: Totals stay below 2**61, so that a sum or a difference of two of them fits into int64.
TOTAL_BITS = 60
#: The sum of all weights in the user's units is below this power of two, and so are its multiples
#: by a class weight.
_TOTAL_EXPONENT = 1000
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
        What one integer unit is worth: 1 for whole weights, else a power of two.
    each : int or None
        Where equal rows were joined: what each of them weighed, 0 if they weighed differently.

    Examples
    --------
    >>> from sugeno._counts.weights import row_weights
    >>> row_weights([2, 0, 1], 3).total
    3
    >>> row_weights(None, 3).total
    3
    """

    values: NDArray[np.int64] | None
    n: int
    unit: float = 1.0
    each: int | None = None

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

    def sums(self, marks: NDArray[np.bool_]) -> NDArray[np.int64]:
        """Weight of the rows that are marked, for each column of marks."""
        if self.values is None:
            return np.asarray(marks.sum(axis=0), dtype=np.int64)
        return self.values @ marks.astype(np.int64)

    def take(self, rows: NDArray[np.bool_] | NDArray[np.intp]) -> RowWeights:
        """Weights of the selected rows."""
        if self.values is None:
            return RowWeights(None, int(np.empty(self.n, dtype=bool)[rows].size), self.unit)
        chosen = self.values[rows]
        return RowWeights(chosen, chosen.size, self.unit, self.each)

    def joined(self, first: NDArray[np.intp]) -> RowWeights:
        """Add up the weights of neighbours; each group begins at the row that is given."""
        if self.values is None:
            return RowWeights(np.diff(first, append=self.n), first.size, self.unit, 1)
        sums = np.add.reduceat(self.values, first) if first.size else self.values
        return RowWeights(sums, first.size, self.unit, self._each)

    @property
    def _each(self) -> int:
        """What each row weighs, or weighed before it was joined with others; 0 if it varies."""
        if self.each is not None:
            return self.each
        if self.values is None:
            return 1
        same = self.values.size and self.values.min() == self.values.max()
        return int(self.values[0]) if same else 0

    @property
    def copies(self) -> NDArray[np.int64] | None:
        """How many rows of the same weight each row stands for; None if weights vary.

        Examples
        --------
        >>> import numpy as np
        >>> from sugeno._counts.weights import row_weights
        >>> row_weights([2, 2, 2], 3).joined(np.array([0, 2])).copies
        array([2, 1])
        """
        if self.values is None:
            return np.ones(self.n, dtype=np.int64)
        return self.values // self._each if self._each else None


def row_weights(sample_weight: ArrayLike | None, n: int) -> RowWeights:
    """Turn sample weights into integers.

    Whole weights stay what they are. Others are multiplied by the smallest power of two that
    makes them whole, and are exact, if their total stays below 2**60. Where it does not, they are
    multiplied by the power of two that brings the total just below 2**60, and rounded; a positive
    weight keeps at least one unit, so that a row that is there stays there. The sum of any set of
    rows is then wrong by less than ``n / 2**59`` of the total, which is less than the rounding of
    a plain floating-point sum.

    Parameters
    ----------
    sample_weight : array-like of shape (n,), a number or None
        Non-negative finite numbers, not all zero; a single number is the weight of every row.
        None is a weight of 1 for every row.
    n : int
        Number of rows.

    Returns
    -------
    RowWeights
        The integer weights and the value of their unit.

    Examples
    --------
    >>> from sugeno._counts.weights import row_weights
    >>> w = row_weights([1.5, 0.25], 2)
    >>> w.values, w.unit
    (array([6, 1]), 0.25)
    """
    if sample_weight is None:
        return RowWeights(None, n)
    weights = _checked(sample_weight, n)
    exponent = scale_of_weights(weights)
    units = np.rint(np.ldexp(weights, exponent)).astype(np.int64)
    return RowWeights(np.maximum(units, weights > 0), n, 2.0**-exponent)


def scale_of_weights(weights: NDArray[np.float64], repeats: NDArray[np.int64] | None = None) -> int:
    """Return the exponent of the power of two that makes weights whole; see `row_weights`.

    Parameters
    ----------
    weights : ndarray of shape (n,)
        Weights, at least one of them positive.
    repeats : ndarray of int64 of shape (n,), optional
        How often each of them stands there; once by default.

    Returns
    -------
    int
        0 for whole weights with a total below 2**60.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._counts.weights import scale_of_weights
    >>> scale_of_weights(np.array([1.5, 0.25])), scale_of_weights(np.array([3.0, 4.0]))
    (2, 0)
    """
    n = weights.size if repeats is None else int(repeats.sum())
    largest = math.frexp(weights.max(initial=0.0))[1]
    if largest + n.bit_length() <= TOTAL_BITS and (weights == np.rint(weights)).all():
        return 0
    # Weights are brought near 1 first, so that their sum neither overflows nor vanishes.
    total = math.frexp(_exact_sum(np.ldexp(weights, -largest), repeats))[1] + largest
    whole = -_lowest_bit(weights)
    exponent = whole if whole + total <= TOTAL_BITS else TOTAL_BITS - total
    if not -1000 < exponent < 1000 or total > _TOTAL_EXPONENT:
        raise ValueError(
            "sample_weight must add up to a number between about 1e-280 and 1e300. Got "
            f"{weights.max():g} as the largest weight instead; multiply all weights by a constant."
        )
    return exponent


def _exact_sum(weights: NDArray[np.float64], repeats: NDArray[np.int64] | None) -> float:
    """Sum of weights with one rounding at the end."""
    if repeats is None:
        return math.fsum(weights)
    return float(sum(map(operator.mul, map(Fraction, weights.tolist()), repeats.tolist())))


def _checked(sample_weight: ArrayLike, n: int) -> NDArray[np.float64]:
    """Refuse what cannot be the weights of n rows."""
    refuse_masked(sample_weight, "sample_weight")
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
    return weights


def _lowest_bit(weights: NDArray[np.float64]) -> int:
    """Exponent of the largest power of two of which all weights are multiples."""
    mantissas, exponents = np.frexp(weights[weights > 0])
    digits = np.ldexp(mantissas, 53).astype(np.int64)
    last = np.frexp((digits & -digits).astype(np.float64))[1] - 1
    return int((exponents - 53 + last).min())
