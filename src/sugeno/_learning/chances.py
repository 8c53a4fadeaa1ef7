"""Probabilities of distilled rules: a curve over what the teacher says, split by the decision.

Rules have few distinct decisions; the teacher knows more. Other literals that tell rows apart stand
beside those of the rules: where one class is rare, two conditions may decide as well as any, and
hardly rank. Each literal gets points, in tenths of log-odds, and so does being accepted: a logistic
regression on the teacher's targets whose coefficients are not negative. So the probability never
falls when a criterion gets better; it is clipped at the cut, so that it agrees with the rules, and
shifted, so that its mean on the training rows is their share of the positive class.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq, minimize
from scipy.special import expit, xlog1py, xlogy

from sugeno._counts.patterns import Patterns
from sugeno._sets.masks import Masks, unpack
from sugeno._threads import one_thread
from sugeno.model.probability import Probability, Steps, split_at

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

#: Log-odds of a point.
_POINT = 0.1
#: Price of a squared coefficient beside the mean log loss.
_RIDGE = 3e-4
#: Log-odds by which a curve is shifted, at most.
_MOST_SHIFT = 4.0
#: So many literals have points at most, those of the rules or others beside them; others have to
#: save so much of the log loss, as a share of that of one probability for all rows.
_MOST_LITERALS, _WORTH = 12, 0.003
#: What is compared is rounded to so much, lest the last bits decide.
_LEAST = 1e-9
#: Curves are whole multiples of so many log-odds: what a search leaves in the last bits differs
#: between processors, and a model must not.
_RESOLUTION = 2.0**-32


@dataclass(frozen=True, eq=False)
class _Curve:
    """Log-odds ``points / 10 + offset``, with a rise for what is accepted."""

    offset: float
    rise: float
    cut: float

    def chances(self, points: Floats, accepted: Bools, shift: float = 0.0) -> Floats:
        """Probability of each number of points, at most the cut for what is not accepted."""
        odds = points * _POINT + self.offset + self.rise * accepted + shift
        return split_at(self.cut, expit(odds), accepted)


def taught_probability(
    masks: Masks,
    target: Floats,
    weight: Floats,
    accepts: Callable[[Masks], Bools],
    patterns: Patterns,
    cut: float = 0.5,
) -> Probability:
    """Learn the probability of patterns from a teacher's targets.

    Parameters
    ----------
    masks : ndarray of uint64 of shape (n, words)
        The literals that taught rows satisfy.
    target, weight : ndarray of shape (n,)
        How likely each of them is positive; its share of the weight.
    accepts : callable
        Tells which packed sets of literals are accepted.
    patterns : Patterns
        Those of the training rows, of which the probability has the mean.
    cut : float, default=0.5
        The probability that what is accepted exceeds, and nothing else.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._counts.patterns import Patterns
    >>> from sugeno._learning.chances import taught_probability
    >>> from sugeno._sets.chains import Chains
    >>> masks, target = np.array([[0], [1], [3]], np.uint64), np.array([0.1, 0.4, 0.9])
    >>> p = Patterns.of_two_classes(
    ...     masks, np.array([1, 4, 9]), np.array([9, 6, 1]), Chains.single(2)
    ... )
    >>> accepts = lambda masks: masks[:, 0] == 3
    >>> found = taught_probability(masks, target, np.ones(3), accepts, p)
    >>> found.of(masks, accepts(masks)).round(2)
    array([0.1, 0.4, 0.9])
    """
    carries = weight > 0
    distinct, place = np.unique(masks[carries], axis=0, return_inverse=True)
    total, wanted = (
        np.bincount(place.ravel(), sums[carries]) for sums in (weight, weight * target)
    )
    bits = unpack(distinct, patterns.n_literals)
    points, curve = _regression(bits, accepts(distinct), wanted / total, total / total.sum(), cut)
    shift = _shift(curve, points, patterns, accepts(patterns.masks))
    scores = np.arange(points.sum() + 1)
    rejected, accepted = (
        Steps(scores, curve.chances(scores, np.full(scores.size, side), shift))
        for side in (False, True)
    )
    return Probability(points, rejected, accepted, cut)


def telling_literals(
    reached: Bools,
    known: NDArray[np.intp],
    accepted: Bools,
    target: Floats,
    weight: Floats,
    cut: float = 0.5,
) -> NDArray[np.intp]:
    """Add to the literals of rules those that tell more about how likely rows are.

    The literal on which what is left unexplained leans most is added, and all points are fitted
    anew, as long as the log loss falls by its worth.

    Parameters
    ----------
    reached : ndarray of bool of shape (n, n_candidates)
        Which candidate literals the taught rows reach.
    known : ndarray of intp
        Places of those of the rules, rising.
    accepted : ndarray of bool of shape (n,)
        What the rules say.
    target, weight : ndarray of shape (n,)
        How likely the teacher says that each row is positive; its share of the weight.
    cut : float, default=0.5
        The probability that what is accepted exceeds, and nothing else.

    Returns
    -------
    ndarray of intp
        Places of all literals that are to have points, rising.

    Notes
    -----
    O(n n_candidates) for each literal that is added, and for fits of at most 13 coefficients.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._learning.chances import telling_literals
    >>> reached = np.array([[1, 0, 0], [1, 1, 0], [1, 1, 1]]) > 0
    >>> accepted, target = np.array([False, False, True]), np.array([0.1, 0.4, 0.9])
    >>> telling_literals(reached, np.array([2]), accepted, target, np.ones(3)).tolist()
    [1, 2]
    """
    weight = weight / weight.sum()
    share = float(weight @ target)
    worth = _WORTH * _log_loss(np.full(len(target), share), target, weight)
    loss, odds = _fitted(reached[:, known], accepted, target, weight, cut)
    while known.size < min(_MOST_LITERALS, reached.shape[1]):
        lean = np.rint(((weight * (target - expit(odds))) @ reached) / _LEAST)
        lean[known] = 0
        best = int(np.argmax(lean))
        if lean[best] <= 0:
            break
        wider = np.sort(np.append(known, best))
        further, odds = _fitted(reached[:, wider], accepted, target, weight, cut)
        if loss - further < worth:
            break
        known, loss = wider, further
    return known


def _fitted(
    bits: Bools, accepted: Bools, target: Floats, weight: Floats, cut: float
) -> tuple[float, Floats]:
    """Log loss of the curve over these literals, and its log-odds before they are split."""
    points, curve = _regression(bits, accepted, target, weight, cut)
    scores = bits @ points
    odds = scores * _POINT + curve.offset + curve.rise * accepted
    return _log_loss(curve.chances(scores, accepted), target, weight), odds


def _log_loss(chances: Floats, target: Floats, weight: Floats) -> float:
    return -float(weight @ (xlogy(target, chances) + xlog1py(1 - target, -chances)))


def _regression(
    bits: Bools, accepted: Bools, target: Floats, weight: Floats, cut: float
) -> tuple[Floats, _Curve]:
    """Points of each literal, none negative, and the curve over them."""
    table = np.column_stack([bits, accepted, np.ones(len(bits))]).astype(np.float64)
    price = np.append(np.full(table.shape[1] - 1, _RIDGE), 0.0)

    def loss(coefficients: Floats) -> tuple[float, Floats]:
        odds = table @ coefficients
        each = np.logaddexp(0.0, odds) - target * odds
        slope = (weight * (expit(odds) - target)) @ table
        penalty = price * coefficients
        return float(weight @ each + penalty @ coefficients), slope + 2 * penalty

    start, bounds = np.zeros(table.shape[1]), [(0.0, None)] * (table.shape[1] - 1)
    with one_thread():
        found = minimize(loss, start, jac=True, method="L-BFGS-B", bounds=[*bounds, (None, None)])
    points: Floats = np.rint(found.x[:-2] / _POINT)
    return points, _Curve(_rounded(found.x[-1]), _rounded(found.x[-2]), cut)


def _shift(curve: _Curve, points: Floats, patterns: Patterns, accepted: Bools) -> float:
    """How far to shift a curve, so that its mean is the share of the positive class."""
    scores = unpack(patterns.masks, points.size) @ points
    weight = (patterns.positive + patterns.negative).astype(np.float64)
    share = float(patterns.positive.sum()) / float(weight.sum())

    def excess(shift: float) -> float:
        return float(np.average(curve.chances(scores, accepted, shift), weights=weight)) - share

    # Where one side has all rows, the cut may be as near as their probabilities can come.
    if excess(-_MOST_SHIFT) >= 0 or excess(_MOST_SHIFT) <= 0:
        return 0.0
    return _rounded(brentq(excess, -_MOST_SHIFT, _MOST_SHIFT))


def _rounded(odds: float) -> float:
    return float(np.rint(odds / _RESOLUTION) * _RESOLUTION)
