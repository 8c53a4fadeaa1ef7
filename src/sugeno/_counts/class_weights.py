"""Class weights: the price of an error in each class, as integers like all weights."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sugeno._counts.weights import TOTAL_BITS, RowWeights, row_weights

__all__ = ["class_factors", "costs_of_rows"]

#: Factors are rounded to so many bits, unless the weights leave room for fewer.
_FACTOR_BITS = 45


def class_factors(
    class_weight: Mapping[Any, float] | str | None,
    classes: NDArray[Any],
    negative: int,
    positive: int,
) -> tuple[int, int, float]:
    """Turn class weights into one integer per class and the value of its unit.

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
        unit = (negative + positive) / (2 * (negative // common) * positive)
        return positive // common, negative // common, unit
    first, second = _weights_by_label(class_weight, classes)
    room = TOTAL_BITS - (negative + positive).bit_length()
    exponent = max(min(room, _FACTOR_BITS), 20) - math.frexp(max(first, second))[1]
    scaled = [max(1, round(math.ldexp(weight, exponent))) for weight in (first, second)]
    common = math.gcd(*scaled)
    return scaled[0] // common, scaled[1] // common, math.ldexp(common, -exponent)


def _weights_by_label(
    class_weight: Mapping[Any, float], classes: NDArray[Any]
) -> tuple[float, float]:
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
    return weights[0], weights[1]


def costs_of_rows(
    weights: RowWeights, positive: NDArray[np.bool_], factors: tuple[int, int, float]
) -> RowWeights:
    """Multiply row weights by the factor of the class: what an error on each row costs.

    Exact while the total stays below 2**60; otherwise rounded as in `sugeno._counts.weights`.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._counts.class_weights import costs_of_rows
    >>> from sugeno._counts.weights import row_weights
    >>> costs_of_rows(row_weights(None, 2), np.array([True, False]), (2, 5, 0.5)).values
    array([5, 2])
    """
    negative_factor, positive_factor, unit = factors
    if negative_factor == positive_factor == 1:
        return RowWeights(weights.values, weights.n, weights.unit * unit)
    values = np.ones(weights.n, dtype=np.int64) if weights.values is None else weights.values
    if weights.total * max(negative_factor, positive_factor) < 1 << TOTAL_BITS:
        factor = np.where(positive, positive_factor, negative_factor)
        return RowWeights(values * factor, weights.n, weights.unit * unit)
    worth = np.where(positive, positive_factor * unit, negative_factor * unit)
    return row_weights(values * weights.unit * worth, weights.n)
