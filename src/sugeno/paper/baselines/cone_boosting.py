"""Boosting of cone rules: the learner inside MORE (Dembczyński, Kotłowski, Słowiński 2009).

A *cone* is a set of rows that contains with a row every better one (an upper cone) or every worse
one (a lower cone), given by at most one cut per column. Rules on upper cones add to the score,
rules on lower cones take from it, hence the sum is monotone. Each stage weights the rows by the
exponential loss, grows one cone of either kind cut by cut, and keeps the better one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

__all__ = ["Cone", "Cuts", "boost_cones", "grow_cone"]

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Places = NDArray[np.intp]

#: Scores are sums of weights that add up to 1; a smaller gain is rounding.
_NO_GAIN = 1e-12


@dataclass(frozen=True)
class Cone:
    """An upper or a lower cone.

    Attributes
    ----------
    sign : {1, -1}
        +1 for an upper cone, -1 for a lower one.
    cuts : tuple of (column, place)
        In an upper cone the rows reach the place in the column, in a lower one do not exceed it.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno.paper.baselines.cone_boosting import Cone
    >>> Cone(1, ((0, 2),)).covers(np.array([[1, 5], [2, 0]]))
    array([False,  True])
    """

    sign: int
    cuts: tuple[tuple[int, int], ...]

    def covers(self, places: Places) -> Bools:
        """Tell which rows lie in the cone."""
        inside = np.ones(len(places), dtype=np.bool_)
        for column, place in self.cuts:
            inside &= _reaches(places[:, column], place, self.sign)
        return inside


@dataclass(frozen=True)
class Cuts:
    """All cuts of all columns, numbered in one range.

    Cut number ``offsets[j] + p`` is place p of column j.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno.paper.baselines.cone_boosting import Cuts
    >>> cuts = Cuts(np.array([2, 3]))
    >>> cuts.column, cuts.first, cuts.last
    (array([0, 0, 1, 1, 1]), array([0, 0, 2, 2, 2]), array([1, 1, 4, 4, 4]))
    """

    sizes: Places

    @cached_property
    def offsets(self) -> Places:
        """Number of the first cut of each column."""
        return np.cumsum(self.sizes) - self.sizes

    @cached_property
    def column(self) -> Places:
        """Column of each cut."""
        return np.repeat(np.arange(self.sizes.size), self.sizes)

    @cached_property
    def first(self) -> Places:
        """Number of the first cut in the column of each cut."""
        return self.offsets[self.column]

    @cached_property
    def last(self) -> Places:
        """Number of the last cut in the column of each cut."""
        return self.first + self.sizes[self.column] - 1

    def gains(self, numbers: Places, gain: Floats, sign: int) -> Floats:
        """Total gain of the rows that remain after each cut.

        One histogram over all columns and one cumulative sum.
        """
        spread = np.repeat(gain, numbers.shape[1])
        cuts = self.column.size
        at = np.asarray(np.bincount(numbers.ravel(), spread, cuts), dtype=np.float64)
        up_to = np.cumsum(at)
        if sign > 0:
            return up_to[self.last] - up_to + at
        return up_to - up_to[self.first] + at[self.first]


def grow_cone(numbers: Places, gain: Floats, sign: int, cuts: Cuts) -> tuple[float, Cone]:
    """Grow a cone greedily: take the cut with the largest gain until none helps.

    Parameters
    ----------
    numbers : ndarray of shape (n, m)
        Number of the cut at which each entry lies.
    gain : ndarray of shape (n,)
        What it is worth to cover each row; scaled to about 1 in total.
    sign : {1, -1}
        +1 for an upper cone, -1 for a lower one.
    cuts : Cuts
        The numbering.

    Returns
    -------
    score : float
        Gain of all covered rows.
    cone : Cone
        The cone; without cuts when covering everything is best.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno.paper.baselines.cone_boosting import Cuts, grow_cone
    >>> numbers = np.array([[0, 2], [1, 3], [1, 2]])
    >>> grow_cone(numbers, np.array([-0.3, 0.5, -0.2]), 1, Cuts(np.array([2, 2])))
    (0.5, Cone(sign=1, cuts=((1, 1),)))
    """
    score = float(gain.sum())
    chosen: dict[int, int] = {}
    while True:
        gains = cuts.gains(numbers, gain, sign)
        best = int(np.argmax(gains))
        if gains[best] <= score + _NO_GAIN:
            break
        score, column = float(gains[best]), int(cuts.column[best])
        chosen[column] = best - int(cuts.offsets[column])
        inside = _reaches(numbers[:, column], best, sign)
        numbers, gain = numbers[inside], gain[inside]
    return score, Cone(sign, tuple(sorted(chosen.items())))


def boost_cones(
    places: Places,
    accepted: Bools,
    weight: Floats,
    samples: Iterator[Places],
    *,
    learning_rate: float,
    coverage_penalty: float,
) -> tuple[float, dict[Cone, float]]:
    """Fit an additive score of cone rules by stagewise minimisation of the exponential loss.

    Stage t has weights ``v_i ∝ w_i exp(-y_i F(x_i))``. On a sample of the rows it grows the cone
    of largest ``V+ - V- - coverage_penalty * (V+ + V-)``, where V+ and V- are the weights of the
    covered rows of its own and of the other class. On all rows the rule then gets the weight
    ``learning_rate / 2 * log((V+ + e) / (V- + e))`` with e = 1 / D.

    Parameters
    ----------
    places : ndarray of shape (D, m)
        Distinct rows; more is better.
    accepted : ndarray of bool of shape (D,)
        Their monotone labels.
    weight : ndarray of shape (D,)
        Their weights, which add up to 1.
    samples : iterator over ndarray of intp
        The rows to grow the cone of each stage on.
    learning_rate : float
        Share of the optimal step that is taken.
    coverage_penalty : float
        What it costs to cover a unit of weight.

    Returns
    -------
    intercept : float
        Score of a row that no rule covers.
    rules : dict from Cone to float
        Weight of each cone: positive for upper, negative for lower ones.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno.paper.baselines.cone_boosting import boost_cones
    >>> places = np.array([[0], [1], [2]])
    >>> weight = np.full(3, 1 / 3)
    >>> _, rules = boost_cones(places, np.array([False, False, True]), weight,
    ...     iter([np.arange(3)]), learning_rate=1.0, coverage_penalty=0.1)
    >>> [cone.cuts for cone in rules]
    [((0, 1),)]
    """
    label = np.where(accepted, 1.0, -1.0)
    cuts = Cuts(places.max(axis=0) + 1)
    numbers = places + cuts.offsets
    smooth = 1 / len(places)
    share = float(weight[accepted].sum())
    intercept = 0.5 * float(np.log((share + smooth) / (1 - share + smooth)))
    score = np.full(len(places), intercept)
    rules: dict[Cone, float] = {}
    for sample in samples:
        pull = _pull(label, weight, score)
        cone = _best_cone(numbers[sample], label[sample], pull[sample], coverage_penalty, cuts)
        if cone is None:
            continue
        inside = cone.covers(places)
        step = learning_rate * _half_log_odds(pull[inside], label[inside] * cone.sign, smooth)
        # A cone that fits its sample may be wrong on all rows; it must not break monotonicity.
        if step > 0:
            rules[cone] = rules.get(cone, 0.0) + cone.sign * step
            score[inside] += cone.sign * step
    return intercept, rules


def _reaches(column: Places, place: int, sign: int) -> Bools:
    """Tell which entries lie on the side of a place that a cone takes."""
    inside: Bools = column >= place if sign > 0 else column <= place
    return inside


def _pull(label: Floats, weight: Floats, score: Floats) -> Floats:
    """Weights of the rows under the exponential loss, adding up to 1."""
    exponent = -label * score
    # Only ratios matter, and the largest exponent must not overflow.
    pull = weight * np.exp(exponent - exponent.max())
    normalised: Floats = pull / pull.sum()
    return normalised


def _best_cone(
    numbers: Places, label: Floats, pull: Floats, coverage_penalty: float, cuts: Cuts
) -> Cone | None:
    """Grow an upper and a lower cone, keep the one that scores higher; None if neither has cuts."""
    pull = pull / pull.sum()
    best, best_score = None, -np.inf
    for sign in (1, -1):
        score, cone = grow_cone(numbers, pull * (sign * label - coverage_penalty), sign, cuts)
        if cone.cuts and score > best_score:
            best, best_score = cone, score
    return best


def _half_log_odds(pull: Floats, agreement: Floats, smooth: float) -> float:
    """Best step of a rule under the exponential loss, smoothed."""
    right, wrong = pull[agreement > 0].sum(), pull[agreement < 0].sum()
    return 0.5 * float(np.log((right + smooth) / (wrong + smooth)))
