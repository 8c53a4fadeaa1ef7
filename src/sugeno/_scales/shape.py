"""Columns that rise and fall: U-shapes, and where they turn.

A parabola through the log odds, in ranks, tells whether a column turns. Its sums are over values
with their counts by class, so that rows can stay where they are.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sugeno._scales.categories import class_scores
from sugeno._scales.evidence import WEAK_Z, rank_evidence
from sugeno._scales.regression import ridge_logistic
from sugeno._scales.value_counts import ValueCounts

Floats = NDArray[np.float64]

#: So many standard errors of the quadratic term are a U, if its vertex is near the middle.
_CLEAR = 3.0
#: Between which ranks, centred and from -1/2 to 1/2, the vertex of a U lies.
_MIDDLE = 0.35


def is_u_shaped(counts: ValueCounts, unit: float = 1.0) -> bool:
    """Whether the positive class is rare in the middle and frequent at both ends, or the reverse.

    Two things have to be clear. In a ridge logistic regression on the centred ranks r and
    4 (r² − its mean) the quadratic term is more than three standard errors from zero, and the
    vertex lies within ± .35. And the values below the vertex, looked at alone, have one direction
    and those above it the other: a curve that only bends, such as a step, does not turn.

    Parameters
    ----------
    counts : ValueCounts
        Weight of each value by class.
    unit : float, default=1.0
        What one unit of weight is worth in rows.

    Returns
    -------
    bool
        Whether it turns.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._scales.shape import is_u_shaped
    >>> from sugeno._scales.value_counts import ValueCounts
    >>> ages = np.array([20.0, 40.0, 60.0, 80.0])
    >>> is_u_shaped(ValueCounts(ages, np.array([[20, 80], [80, 20], [80, 20], [20, 80]])))
    True
    """
    if counts.values.size < 3:
        return False
    total = counts.total.astype(np.float64)
    r = counts.centred_ranks
    square = 4 * (r * r - total @ (r * r) / total.sum())
    scores = class_scores(counts.weights.sum(axis=0))
    fit = ridge_logistic(
        np.column_stack([r, square]), counts.weights @ scores / total, total * unit
    )
    slope, bend = fit.coefficients.tolist()
    if bend == 0 or abs(float(fit.z[1])) <= _CLEAR or abs(slope / (8 * bend)) >= _MIDDLE:
        return False
    return _turns_at(counts, int(np.abs(r + slope / (8 * bend)).argmin()), bend, unit)


def _turns_at(counts: ValueCounts, place: int, bend: float, unit: float) -> bool:
    """Whether one direction is clear up to a place, and the other one from there on."""
    sides = [
        ValueCounts(counts.values[part], counts.weights[part])
        for part in (slice(None, place + 1), slice(place, None))
    ]
    before, after = rank_evidence(sides, unit)
    way = 1 if bend < 0 else -1  # up and then down, or the reverse
    return min(way * before.z, -way * after.z) >= WEAK_Z


def turning_point(counts: ValueCounts, *, peak: bool) -> float:
    """Find the value up to which rates rise, and from which they fall, or the reverse.

    Of all observed values it is the one at which a curve that turns there is nearest to the rates,
    in squares weighted by rows; of several one in the middle of them.

    Parameters
    ----------
    counts : ValueCounts
        Weight of each value by class.
    peak : bool
        Whether the rates rise first; else they fall first, into a valley.

    Returns
    -------
    float
        An observed value.

    Notes
    -----
    Isotonic regressions of all beginnings and all ends are found by pooling in one pass each: O(v).

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._scales.shape import turning_point
    >>> from sugeno._scales.value_counts import ValueCounts
    >>> pressure = np.array([80.0, 120.0, 160.0])
    >>> turning_point(ValueCounts(pressure, np.array([[8, 2], [1, 9], [5, 5]])), peak=True)
    120.0
    """
    scores = class_scores(counts.weights.sum(axis=0))
    total = counts.total.astype(np.float64)
    rates = counts.weights @ scores / total * (1.0 if peak else -1.0)
    rising, left = _rising(rates, total)
    falling, right = (found[::-1] for found in _rising(rates[::-1], total[::-1]))
    # A part that rises up to here, and one that falls from the next value on.
    error = np.round(rising + np.append(falling[1:], 0.0), 9)
    best = np.flatnonzero(error == error.min())
    place = int(best[(best.size - 1) // 2])
    top = place + (place + 1 < left.size and left[place] < right[place + 1])
    return float(counts.values[top])


def _rising(rates: Floats, weights: Floats) -> tuple[Floats, Floats]:
    """Isotonic regression of every beginning, by pooling: its squared error, and its last value."""
    errors, tops = np.empty(rates.size), np.empty(rates.size)
    blocks: list[tuple[float, float]] = []
    error = 0.0
    for place, (rate, weight) in enumerate(zip(rates.tolist(), weights.tolist())):
        while blocks and blocks[-1][1] >= rate:
            more, other = blocks.pop()
            error += more * weight / (more + weight) * (other - rate) ** 2
            rate = (more * other + weight * rate) / (more + weight)
            weight += more
        blocks.append((weight, rate))
        errors[place], tops[place] = error, rate
    return errors, tops
