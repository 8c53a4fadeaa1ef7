"""Weights of rows, and prices of errors by class, as integers.

Learning sees how much weight each value of a column carries and how much weight each class has on
each pattern. All weights are held as integers, so that their sums
are exact: the result cannot depend on the order of the rows, a row of weight 2 is a row that
stands there twice, and a row of weight 0 is not there. Class weights, the price of an error in each
class, are integers too.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sugeno._scales.columns import refuse_masked

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
    def units(self) -> NDArray[np.int64]:
        """Integer weight of each row."""
        return np.ones(self.n, dtype=np.int64) if self.values is None else self.values

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
        return self.units // self._each if self._each else None


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


def class_factors(
    class_weight: Mapping[Any, float] | str | None,
    classes: NDArray[Any],
    negative: int,
    positive: int,
) -> tuple[int, int, float]:
    """Turn class weights into one integer per class and the value of its unit, exactly.

    Parameters
    ----------
    class_weight : mapping, "balanced" or None
        Weight by label (1 where none is given). "balanced" gives both classes the same total
        weight, without changing the total of both.
    classes : ndarray of shape (2,)
        The negative and the positive label.
    negative, positive : int
        Integer weight of the rows of each class.

    Returns
    -------
    negative_factor, positive_factor : int
        Factors of the row weights.
    unit : float
        What a factor of 1 is worth.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._counts.weights import class_factors
    >>> class_factors({"good": 2.5}, np.array(["bad", "good"]), 10, 20)
    (2, 5, 0.5)
    >>> class_factors("balanced", np.array([0, 1]), 10, 20)
    (2, 1, 0.75)
    """
    if class_weight is None:
        return 1, 1, 1.0
    if not isinstance(class_weight, Mapping):
        common = math.gcd(negative, positive)
        worth = (negative + positive) / (2 * (negative // common) * positive)
        return positive // common, negative // common, worth
    # A float is a whole number over a power of two, so two of them have a common unit.
    first, second = map(Fraction, weights_by_label(class_weight, classes))
    unit = Fraction(
        math.gcd(first.numerator * second.denominator, second.numerator * first.denominator),
        first.denominator * second.denominator,
    )
    return int(first / unit), int(second / unit), float(unit)


def weights_by_label(class_weight: Mapping[Any, float], classes: NDArray[Any]) -> list[float]:
    """Return the weight of each class, 1 where none is given; refuse labels that do not occur.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._counts.weights import weights_by_label
    >>> weights_by_label({"c": 2.5}, np.array(["a", "b", "c"]))
    [1.0, 1.0, 2.5]
    """
    labels = classes.tolist()
    unknown = [label for label in class_weight if label not in labels]
    if unknown:
        raise ValueError(
            f"The 'class_weight' parameter must weigh classes of y, which are {labels}. "
            f"Got {unknown} instead."
        )
    weights = [float(class_weight.get(label, 1.0)) for label in labels]
    if not all(math.isfinite(weight) and weight > 0 for weight in weights):
        raise ValueError(
            "The 'class_weight' parameter must hold positive finite weights. "
            f"Got {dict(class_weight)!r} instead; to leave a class out, leave out its rows."
        )
    return weights


def costs_of_rows(
    weights: RowWeights, positive: NDArray[np.bool_], factors: tuple[int, int, float]
) -> RowWeights:
    """Multiply row weights by the factor of the class: what an error on each row costs.

    Exact while the total stays below 2**60. Otherwise the exact costs are divided by the power of
    two that brings the total there, and rounded row by row; no cost becomes 0. Where equal rows
    were joined, they are rounded as if they were not, which takes rows of equal weights.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._counts.weights import costs_of_rows
    >>> from sugeno._counts.weights import row_weights
    >>> costs_of_rows(row_weights(None, 2), np.array([True, False]), (2, 5, 0.5)).values
    array([5, 2])
    """
    *by_class, unit = factors
    if by_class == [1, 1]:
        return RowWeights(weights.values, weights.n, weights.unit * unit)
    values, rows = weights.units, [~positive, positive]
    if weights.each is not None:
        totals = np.array([values[of].sum() for of in rows])
        prices, worth = cost_by_class(totals, factors, weights.each)
        costs = values // max(1, weights.each) * np.array(prices)[positive.astype(np.intp)]
        return RowWeights(costs, weights.n, weights.unit * worth)
    total = sum(int(values[of].sum()) * factor for of, factor in zip(rows, by_class))
    shift = max(0, total.bit_length() - TOTAL_BITS)
    costs = np.empty(weights.n, dtype=np.int64)
    for of, factor in zip(rows, by_class):
        costs[of] = _multiplied(values[of], factor, shift)
    return RowWeights(costs, weights.n, math.ldexp(weights.unit * unit, shift))


def cost_by_class(
    totals: NDArray[np.int64], factors: tuple[int, int, float], each: int
) -> tuple[list[int], float]:
    """Return what an error costs on a row in each class, where the rows themselves are not seen.

    Parameters
    ----------
    totals : ndarray of int64 of shape (2,)
        Weight of each class.
    factors : tuple
        As `class_factors` gives them.
    each : int
        What each row weighs; 0 if they weigh differently, so that nothing can be rounded by class.

    Returns
    -------
    costs : list of int
        The same costs as those of `costs_of_rows`, per row, or per unit where rows weigh
        differently.
    unit : float
        What a cost of 1 is worth, in units of weight.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._counts.weights import cost_by_class
    >>> cost_by_class(np.array([10, 20]), (2, 5, 0.5), 1)
    ([2, 5], 0.5)
    """
    *by_class, unit = factors
    total = sum(int(weight) * factor for weight, factor in zip(totals, by_class))
    shift = max(0, total.bit_length() - TOTAL_BITS) if by_class != [1, 1] else 0
    if shift and not each:
        raise ValueError(
            "Weights times class weights must add up to less than 2**60 units. Got about "
            f"2**{total.bit_length()} instead; round the weights, or the class weights."
        )
    one = np.array([each or 1], dtype=np.int64)
    costs = [int(_multiplied(one, factor, shift)[0]) for factor in by_class]
    return costs, math.ldexp(unit, shift)


def _multiplied(values: NDArray[np.int64], factor: int, shift: int) -> NDArray[np.int64]:
    """Return ``values * factor / 2**shift``, rounded; what is positive stays so."""
    if shift == 0:
        return values * factor
    # Products of more than 64 bits: Python's integers are exact whatever their size.
    halves = values.astype(object) * factor >> shift - 1
    rounded = (halves + 1 >> 1).astype(np.int64)
    return np.maximum(rounded, values > 0)
