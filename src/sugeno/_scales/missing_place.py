"""Where a missing number stands on its scale: found from the training rows, as a direction is.

Rows without the value have a rate of the positive class, rows with it a rate that rises with the
value. Missing stands where the rising curve has that rate: it is one more level of the criterion,
so that the model stays monotone.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from sklearn.isotonic import isotonic_regression

from sugeno._scales.categories import SMOOTHING, class_scores
from sugeno._scales.value_counts import ValueCounts

__all__ = ["given_place", "place_of_missing"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def place_of_missing(
    counts: ValueCounts, missing: Ints, direction: int, *, unit: float = 1.0
) -> float:
    """Find the value, in original units, that a missing one is as good as.

    The rate of the rows is an isotonic regression of the class on the value; that of the missing
    rows is (s + 10 r) / (n + 10), where s is the sum of the class scores of n rows and r the mean
    of all. Below the curve missing is worse than every observed value, above it better; on a block
    of the curve it is the middle one of its values, and between two blocks halfway.

    Parameters
    ----------
    counts : ValueCounts
        Weight of each known value by class.
    missing : ndarray of int64 of shape (C,)
        Weight of the rows without a value by class.
    direction : int
        +1 where higher values are better, -1 where lower ones are.
    unit : float, default=1.0
        What one unit of weight is worth in rows.

    Returns
    -------
    float
        A value between observed ones, or the next number beyond all of them.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._scales.missing_place import place_of_missing
    >>> from sugeno._scales.value_counts import ValueCounts
    >>> income = ValueCounts(np.array([1.0, 2.0, 4.0]), np.array([[90, 10], [50, 50], [10, 90]]))
    >>> place_of_missing(income, np.array([70, 30]), 1)
    1.5
    >>> place_of_missing(income, np.array([100, 0]), 1)
    0.9999999999999999
    """
    totals = counts.weights.sum(axis=0) + missing
    scores = class_scores(totals)
    mean = float(totals @ scores / totals.sum())
    rate = (float(missing @ scores) * unit + SMOOTHING * mean) / (
        float(missing.sum()) * unit + SMOOTHING
    )
    values = counts.values if direction > 0 else -counts.values[::-1]
    weights = counts.weights if direction > 0 else counts.weights[::-1]
    return direction * _on_curve(values, weights, scores, rate) + 0.0


def given_place(counts: ValueCounts, direction: int, meaning: str | float) -> float:
    """Place of a missing value that the user has named: "worst", "best" or a value.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._scales.missing_place import given_place
    >>> from sugeno._scales.value_counts import ValueCounts
    >>> months = ValueCounts(np.array([3.0, 8.0]), np.array([[1], [1]]))
    >>> given_place(months, -1, "worst"), given_place(months, 1, 5)
    (8.000000000000002, 5.0)
    """
    if not isinstance(meaning, str):
        return float(meaning)
    if meaning not in ("worst", "best"):
        raise ValueError(
            "A missing value must be 'worst', 'best' or the number that it is as good as. Got "
            f"{meaning!r} instead."
        )
    up = (direction > 0) == (meaning == "best")
    end = counts.values[-1 if up else 0]
    return math.nextafter(end, math.inf if up else -math.inf)


def _on_curve(values: Floats, weights: Ints, scores: Floats, rate: float) -> float:
    """Where a rising curve through oriented values has a rate."""
    total = weights.sum(axis=1)
    curve = isotonic_regression(weights @ scores / total, sample_weight=total.astype(np.float64))
    # Blocks have one rate, up to rounding.
    curve = np.round(curve, 12)
    first, last = (int(np.searchsorted(curve, round(rate, 12), side)) for side in ("left", "right"))
    if first < last:
        return float(values[(first + last - 1) // 2])
    if first == 0:
        return math.nextafter(values[0], -math.inf)
    if first == values.size:
        return math.nextafter(values[-1], math.inf)
    return float(values[first - 1] / 2 + values[first] / 2)
