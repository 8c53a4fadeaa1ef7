"""Grades: a capacity whose values say how sufficient each set of criteria is.

A classifier only needs to know which sets reach β. The probabilities of the patterns say more:
they order the sets. Here they become values of the capacity, on either side of β as the rules
demand, so that the Sugeno integral ranks rows instead of only telling two kinds of them apart.
Narrowed to a window around β that holds no other utility of a training row, it ranks these rows as
their probabilities do (rows with a utility of exactly β may tie at β).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sugeno.capacity import Capacity
from sugeno.patterns import Masks, canonical_order, contains_any, set_sizes
from sugeno.probability import PatternProbabilities
from sugeno.quantiles import Quantiles
from sugeno.solvers.candidates import count_subsets, small_sets

__all__ = ["graded_capacity", "narrowed", "window"]

#: A k-maxitive capacity is graded on sets of the largest size that keeps their number below this.
_MOST_SETS = 4096


def graded_capacity(
    probabilities: PatternProbabilities,
    boundary_sets: Masks,
    *,
    m: int,
    k: int,
    beta: float,
    normalized: bool = True,
    criteria: Sequence[str] | None = None,
) -> Capacity:
    """Build a k-maxitive capacity that reaches β exactly on the family of the boundary sets.

    A set of probability p gets the value 2βp up to p = 1/2 and β + (1 − β)(2p − 1) above. For
    k = m the graded sets are the observed patterns and the boundary sets; for k < m they are
    sets of at most k criteria, so that the capacity stays k-maxitive.

    Parameters
    ----------
    probabilities : PatternProbabilities
        Probabilities of the positive class by pattern.
    boundary_sets : ndarray of uint64 of shape (R, words)
        The minimal accepted sets.
    m, k : int
        Number of criteria, and largest size of a focal set.
    beta : float
        The threshold.
    normalized : bool, default=True
        Whether μ([m]) = 1.
    criteria : sequence of str, optional
        Names of the criteria.

    Returns
    -------
    Capacity
        With ``boundary_sets(beta)`` as given.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno.grading import graded_capacity
    >>> from sugeno.probability import PatternProbabilities
    >>> known = PatternProbabilities(np.array([[1], [3]], np.uint64), np.array([0.25, 0.75]))
    >>> graded_capacity(known, np.array([[3]], np.uint64), m=2, k=2, beta=0.4)
    Capacity({(0,): 0.2, (0, 1): 1.0}, m=2)
    """
    sets = probabilities.masks if k >= m else _small_sets(m, k)
    sets = np.unique(np.concatenate([sets, boundary_sets]), axis=0)
    sets = sets[canonical_order(sets)]
    sets = sets[set_sizes(sets) > 0]
    accepted = contains_any(sets, boundary_sets)
    values = _grades(probabilities.of(sets, accepted), accepted, beta)
    if normalized:
        values[values == values.max()] = 1.0
    return Capacity.from_masks(sets, values, m=m, criteria=criteria, normalized=normalized)


def _small_sets(m: int, k: int) -> Masks:
    size = k
    while size > 1 and count_subsets(m, size) > _MOST_SETS:
        size -= 1
    return small_sets(m, size)


def _grades(
    probability: NDArray[np.float64], accepted: NDArray[np.bool_], beta: float
) -> NDArray[np.float64]:
    """Map probabilities to [0, β) below 1/2 and to [β, 1] above."""
    reach = np.minimum(beta + (1.0 - beta) * (2.0 * probability - 1.0), 1.0)
    miss = np.minimum(2.0 * beta * probability, np.nextafter(beta, 0.0))
    return np.where(accepted, np.maximum(reach, beta), miss)


def window(knots: Quantiles, beta: float) -> float:
    """Half the distance from β to the nearest other utility of an observed value, or to 0 and 1.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno.grading import window
    >>> from sugeno.quantiles import Quantiles
    >>> knots = Quantiles([np.array([4.0, 5.0])], [np.array([1, 2])], 2, np.array([1]))
    >>> window(knots, 0.5)
    0.125
    """
    nearest = min(beta, 1 - beta)
    for j, values in enumerate(knots.values):
        first = _first_reaching(knots, j, beta)
        for i in range(max(first - 1, 0), min(first + 2, values.size)):
            distance = abs(knots.knot_utility(j, i) - beta)
            nearest = min(nearest, distance) if distance else nearest
    return nearest / 2


def _first_reaching(knots: Quantiles, j: int, beta: float) -> int:
    """Position of the first observed value of criterion j whose utility is at least β."""
    positions = range(knots.values[j].size)
    return bisect_left(positions, True, key=lambda i: knots.knot_utility(j, i) >= beta)


def narrowed(capacity: Capacity, beta: float, width: float, normalized: bool) -> Capacity:
    """Move all values but 1 into a window around β, each on its side and in the same order.

    When the window holds no utility of a row, S_μ(u) ≥ t means μ({u ≥ β}) ≥ t for every t in
    it. So the Sugeno integral of the row is the value of its pattern (unless that is 0 or 1), and
    ranks rows as the grades rank patterns. The values of program (7), β ± ρ, are of this kind.

    Examples
    --------
    >>> from sugeno.capacity import Capacity
    >>> from sugeno.grading import narrowed
    >>> narrowed(Capacity({0: 0.25, 1: 0.75, (0, 1): 1}, m=2), 0.5, 0.125, True)
    Capacity({(0,): 0.4375, (1,): 0.5625, (0, 1): 1.0}, m=2)
    """
    values = capacity.focal_values
    share = width / max(beta, 1 - beta)
    above = beta + share * (values - beta)
    # Rounding must not carry a value over the threshold.
    below = np.minimum(beta - share * (beta - values), np.nextafter(beta, -np.inf))
    moved = np.where(values >= beta, np.where(values == 1, 1.0, above), below)
    return Capacity.from_masks(
        capacity.focal_masks,
        moved,
        m=capacity.m,
        criteria=capacity.criteria,
        normalized=normalized,
    )
