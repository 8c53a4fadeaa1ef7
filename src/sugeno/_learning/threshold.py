"""The threshold β in closed form: program (10) and its alternating variant (section 6.1).

Program (10) minimises Σ (β − s_i)₊ over the positive plus Σ (s_i − β)₊ over the negative rows,
for a score s. Its slope at β is the weight of all rows with s < β less the weight W⁻ of the
negative class. So a β is optimal if and only if it lies between the W⁻-th and the (W⁻ + 1)-th of
all scores, in ascending order: the labels enter only through the class weights.

With ties the two may be one value M. The program relaxes "<" to "≤", so that it cannot tell β = M,
which accepts the rows that score M, from a β just above M, which rejects them; in the limit both
are optimal. The class that has more weight among those rows decides: if it is the negative one,
β goes half-way up to the next larger score.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sugeno._counts.weights import RowWeights, row_weights
from sugeno._scales.knots import Knots, levels, utilities
from sugeno._scales.literals import satisfied

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

#: Up to this many rows all medians are computed.
_FEW_ROWS = 20_000
#: Rows whose medians bracket the order statistics of a long table.
_SAMPLE_ROWS = 4096


def lower_median(U: ArrayLike) -> Floats:
    """Return the median of each row; of the two middle values, when m is even, the lower one.

    The lower median is itself a Sugeno integral, the mean of the two middle values is not.
    Costs a partition of each row.

    Examples
    --------
    >>> from sugeno._learning.threshold import lower_median
    >>> lower_median([[0.1, 0.9, 0.5], [0.3, 0.2, 0.9]])
    array([0.5, 0.3])
    >>> lower_median([[0.1, 0.9, 0.5, 0.8]])
    array([0.5])
    """
    table = np.asarray(U, dtype=np.float64)
    middle = (table.shape[1] - 1) // 2
    result: Floats = np.partition(table, middle, axis=1)[:, middle]
    return result


def known_median(U: Floats) -> Floats:
    """Return the lower median of the known entries of each row; NaN is unknown.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._learning.threshold import known_median
    >>> known_median(np.array([[0.9, np.nan, 0.1], [np.nan, 0.4, np.nan]]))
    array([0.1, 0.4])
    """
    ordered = np.sort(U, axis=1)  # NaN comes last
    place = (np.count_nonzero(~np.isnan(U), axis=1) - 1) // 2
    median: Floats = ordered[np.arange(len(U)), place]
    return median


def threshold_interval(
    scores: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None
) -> tuple[float, float]:
    """Return all optimal thresholds of program (10) for given scores: a closed interval.

    Parameters
    ----------
    scores : array-like of shape (n,)
        Score of each row: the median utility in the paper, or a Sugeno integral.
    y : array-like of bool of shape (n,)
        True for positive rows. Both classes must have weight.
    sample_weight : array-like of shape (n,), optional
        Weights of the slack variables.

    Returns
    -------
    low, high : float
        The W⁻-th and the (W⁻ + 1)-th smallest score.

    Notes
    -----
    Costs one selection, linear in n, without weights; one sort with weights.

    Examples
    --------
    >>> from sugeno._learning.threshold import threshold_interval
    >>> threshold_interval([0.2, 0.4, 0.6, 0.8], [False, True, False, True])
    (0.4, 0.6)
    """
    values = np.asarray(scores, dtype=np.float64)
    weights = row_weights(sample_weight, values.size)
    return _interval(values, np.asarray(y, dtype=np.bool_), weights)


def _interval(
    scores: Floats, positive: NDArray[np.bool_], weights: RowWeights
) -> tuple[float, float]:
    rank = negative_weight(positive, weights)
    low, high = _order_statistics(scores, weights.values, [rank, rank + 1])
    return low, high


def median_threshold(U: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> float:
    """Solve program (10): the best threshold of the median surrogate, in closed form.

    Parameters
    ----------
    U : array-like of shape (n, m)
        Utilities.
    y : array-like of bool of shape (n,)
        True for positive rows. Both classes must have weight.
    sample_weight : array-like of shape (n,), optional
        Weights of the slack variables.

    Returns
    -------
    float
        The middle of the interval of optimal thresholds; see above for ties.

    Examples
    --------
    >>> from sugeno._learning.threshold import median_threshold
    >>> U = [[0.1, 0.3, 0.2], [0.6, 0.5, 0.1], [0.9, 0.7, 0.8]]
    >>> median_threshold(U, [False, False, True])
    0.65
    """
    return alternating_threshold(lower_median(U), y, sample_weight)


def alternating_threshold(
    S: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None
) -> float:
    """Optimise the threshold again, once the capacity is known (β₀ of section 6.1).

    This is program (10) with the Sugeno integral in place of the median.

    Parameters
    ----------
    S : array-like of shape (n,)
        Sugeno integral of each row.
    y : array-like of bool of shape (n,)
        True for positive rows. Both classes must have weight.
    sample_weight : array-like of shape (n,), optional
        Weights of the slack variables.

    Returns
    -------
    float
        The middle of the interval of optimal thresholds; see above for ties.

    Examples
    --------
    >>> from sugeno._learning.threshold import alternating_threshold
    >>> alternating_threshold([0.2, 0.4, 0.5, 0.9], [False, False, True, True])
    0.45
    """
    scores = np.asarray(S, dtype=np.float64)
    weights = row_weights(sample_weight, scores.size)
    return threshold_of_scores(scores, np.asarray(y, dtype=np.bool_), weights)


def threshold_of_scores(scores: Floats, positive: NDArray[np.bool_], weights: RowWeights) -> float:
    """Solve program (10) for scores of rows that are weighted already.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._counts.weights import row_weights
    >>> from sugeno._learning.threshold import threshold_of_scores
    >>> y = np.array([False, True])
    >>> threshold_of_scores(np.array([0.25, 0.75]), y, row_weights(None, 2))
    0.5
    """
    low, high = _interval(scores, positive, weights)
    if low == high and _mostly_negative(scores == low, positive, weights.values):
        larger = scores[scores > low]
        high = float(larger.min()) if larger.size else 1.0
    return middle_of(low, high)


def median_threshold_of_rows(
    X: Floats, positive: NDArray[np.bool_], weights: RowWeights, knots: Knots
) -> float:
    """Solve program (10) for rows in original units, without computing all utilities.

    ``Med(u) >= b`` holds if and only if at least half of the criteria reach level b, which takes
    one comparison per entry. So for a long table the medians of some of its rows bracket the
    wanted order statistics, comparisons count the rows below and above the bracket, and the
    search goes on among the rows inside. The result is the same as that of `median_threshold`,
    to the last bit.

    Parameters
    ----------
    X : ndarray of shape (n, m)
        Training rows, all of positive weight.
    positive : ndarray of bool of shape (n,)
        True for positive rows; both classes must occur.
    weights : RowWeights
        Weights of the rows.
    knots : Knots
        The utilities, fitted on the same rows.

    Returns
    -------
    float
        The middle of the interval of optimal thresholds; see above for ties.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._counts.weights import row_weights
    >>> from sugeno._learning.threshold import median_threshold_of_rows
    >>> from sugeno._scales.knots import Knots
    >>> X, w = np.array([[1.0], [2.0], [3.0], [4.0]]), row_weights(None, 4)
    >>> knots = Knots([X[:, 0]], [np.array([1, 3, 5, 7])], 4, np.array([1]))
    >>> median_threshold_of_rows(X, np.array([False, False, True, True]), w, knots)
    0.5
    """
    if len(X) <= _FEW_ROWS:
        return threshold_of_scores(lower_median(utilities(X, knots)), positive, weights)
    rank = negative_weight(positive, weights)
    low, high = _select(X, weights.values, knots, [rank, rank + 1])
    if low == high:
        above = _reaches(X, knots, math.nextafter(low, math.inf))
        tied = _reaches(X, knots, low) & ~above
        if _mostly_negative(tied, positive, weights.values):
            up_to = weights.total - _weight(weights.values, above)
            high = 1.0 if not above.any() else _select(X, weights.values, knots, [up_to + 1])[0]
    return middle_of(low, high)


def negative_weight(positive: NDArray[np.bool_], weights: RowWeights) -> int:
    """Weight W⁻ of the negative rows, as an integer.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._counts.weights import row_weights
    >>> from sugeno._learning.threshold import negative_weight
    >>> negative_weight(np.array([True, False]), row_weights([1, 3], 2))
    3
    """
    if weights.values is None:
        negative = positive.size - int(np.count_nonzero(positive))
    else:
        negative = int(weights.values[~positive].sum())
    if not 0 < negative < weights.total:
        raise ValueError(
            "Program (10) needs rows of both classes. Got only "
            f"{'negative' if negative else 'positive'} ones instead."
        )
    return negative


def _mostly_negative(
    rows: NDArray[np.bool_], positive: NDArray[np.bool_], weights: Integers | None
) -> bool:
    return _weight(weights, rows & ~positive) > _weight(weights, rows & positive)


def middle_of(low: float, high: float) -> float:
    """Return the middle of an interval, kept strictly inside (0, 1)."""
    beta = low + (high - low) / 2
    return min(max(beta, math.nextafter(0.0, 1.0)), math.nextafter(1.0, 0.0))


def _order_statistics(values: Floats, weights: Integers | None, ranks: list[int]) -> list[float]:
    """Values at the given ranks, counted from 1, where a row of weight w stands w times."""
    if weights is None:
        places = [rank - 1 for rank in ranks]
        selected: list[float] = np.partition(values, places)[places].tolist()
        return selected
    order = np.argsort(values)
    cumulative = np.cumsum(weights[order])
    selected = values[order[np.searchsorted(cumulative, ranks)]].tolist()
    return selected


def _select(X: Floats, weights: Integers | None, knots: Knots, ranks: list[int]) -> list[float]:
    """Order statistics of the median utilities of rows."""
    if len(X) > _FEW_ROWS and ranks:
        for low, high in _brackets(X, weights, knots, ranks):
            found = _select_between(X, weights, knots, ranks, low, high)
            if found is not None:
                return found
    return _select_outright(X, weights, knots, ranks)


def _select_outright(
    X: Floats, weights: Integers | None, knots: Knots, ranks: list[int]
) -> list[float]:
    if not ranks:
        return []
    return _order_statistics(lower_median(utilities(X, knots)), weights, ranks)


def _brackets(
    X: Floats, weights: Integers | None, knots: Knots, ranks: list[int]
) -> list[tuple[float, float]]:
    """Guess where the order statistics lie from evenly spaced rows; a narrow and a wide guess."""
    rows = slice(None, None, -(-len(X) // _SAMPLE_ROWS))
    medians = lower_median(utilities(X[rows], knots))
    order = np.argsort(medians)
    weight = np.ones(order.size) if weights is None else weights[rows][order].astype(np.float64)
    share = np.cumsum(weight / weight.sum())
    total = len(X) if weights is None else int(weights.sum())
    # Four standard deviations of a share that is estimated from so many rows.
    spread = 2 * math.sqrt(float(np.square(weight / weight.sum()).sum()))
    guesses = []
    for doubt in (spread, 0.2):
        wanted = [ranks[0] / total - doubt, ranks[-1] / total + doubt]
        places = np.minimum(np.searchsorted(share, wanted), order.size - 1)
        low, high = medians[order[places]].tolist()
        guesses.append((low, high))
    return guesses


def _select_between(
    X: Floats,
    weights: Integers | None,
    knots: Knots,
    ranks: list[int],
    low: float,
    high: float,
) -> list[float] | None:
    """Order statistics that lie between two given medians; None if one of them does not."""
    inside = _reaches(X, knots, low)
    below = _weight(weights, ~inside)
    inside &= ~_reaches(X, knots, math.nextafter(high, math.inf))
    if not below < ranks[0] <= ranks[-1] <= below + _weight(weights, inside):
        return None
    rows, part = X[inside], None if weights is None else weights[inside]
    between = _reaches(rows, knots, math.nextafter(low, math.inf))
    up_to_low = below + _weight(part, ~between)
    between &= ~_reaches(rows, knots, high)
    below_high = up_to_low + _weight(part, between)
    rest = [rank - up_to_low for rank in ranks if up_to_low < rank <= below_high]
    # Without this, a sample that misleads could make the search crawl.
    select = _select if 2 * np.count_nonzero(between) < len(X) else _select_outright
    found = iter(select(rows[between], None if part is None else part[between], knots, rest))
    return [low if r <= up_to_low else high if r > below_high else next(found) for r in ranks]


def _reaches(X: Floats, knots: Knots, b: float) -> NDArray[np.bool_]:
    """Tell which rows have a lower median utility of at least b."""
    m = X.shape[1]
    masks = satisfied(X, levels(knots, b), knots.directions)
    # A sum over one word takes longer than to compare.
    counts = np.bitwise_count(masks)
    reached = counts[:, 0] if m <= 64 else counts.sum(axis=1)
    result: NDArray[np.bool_] = reached >= m - (m - 1) // 2
    return result


def _weight(weights: Integers | None, rows: NDArray[np.bool_]) -> int:
    """Weight of the marked rows."""
    return int(np.count_nonzero(rows)) if weights is None else int(weights[rows].sum())
