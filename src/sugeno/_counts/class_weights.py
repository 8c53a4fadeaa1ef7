"""Class weights: the price of an error in each class, as integers like all weights."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sugeno._counts.weights import TOTAL_BITS, RowWeights

__all__ = ["class_factors", "cost_by_class", "costs_of_rows", "weights_by_label"]


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
    >>> from sugeno._counts.class_weights import class_factors
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
    >>> from sugeno._counts.class_weights import weights_by_label
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
    >>> from sugeno._counts.class_weights import costs_of_rows
    >>> from sugeno._counts.weights import row_weights
    >>> costs_of_rows(row_weights(None, 2), np.array([True, False]), (2, 5, 0.5)).values
    array([5, 2])
    """
    *by_class, unit = factors
    if by_class == [1, 1]:
        return RowWeights(weights.values, weights.n, weights.unit * unit)
    values = np.ones(weights.n, dtype=np.int64) if weights.values is None else weights.values
    rows = [~positive, positive]
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
    >>> from sugeno._counts.class_weights import cost_by_class
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
