"""Grades: a capacity whose values say how sufficient each set of criteria is.

A classifier only needs to know which sets reach β. The probabilities of the patterns say more:
they order the sets. Here they become values of the capacity, on either side of β as the rules
demand, so that people can read how sufficient a set is, and the Sugeno integral ranks rows
instead of only telling two kinds of them apart.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sugeno._sets.chains import Chains, count_small_sets, small_sets
from sugeno._sets.masks import Masks, canonical_order, contains_any, set_sizes
from sugeno.capacity import Capacity
from sugeno.model.form import Form
from sugeno.model.probability import Probability

__all__ = ["binary_threshold", "graded_capacity"]

#: Sets of the largest size that keeps their number below this are graded.
_MOST_SETS = 4096


def binary_threshold(form: Form) -> float:
    """Return the threshold β where each literal is a binary utility: 1/2.

    S ≥ β accepts a row that satisfies no literal, whose utilities are all 0, only for β = 0; so
    that is the threshold of rules that accept everything.

    Examples
    --------
    >>> from sugeno import RuleSet
    >>> from sugeno.model.grading import binary_threshold
    >>> binary_threshold(RuleSet.parse("speed >= 5")), binary_threshold(RuleSet([set()], [5]))
    (0.5, 0.0)
    """
    nothing = np.zeros_like(form.literal_set.chains.full)
    return 0.0 if form.accepts(nothing)[0] else 0.5


def graded_capacity(
    probability: Probability,
    boundary_sets: Masks,
    *,
    chains: Chains,
    k: int,
    beta: float,
    normalized: bool = True,
    criteria: Sequence[str] | None = None,
) -> Capacity:
    """Build a k-maxitive capacity that reaches β exactly on the family of the boundary sets.

    A set of probability p gets the value βp / c up to the cut c, which is 1/2 unless errors differ
    in cost, and β + (1 − β)(p − c) / (1 − c) above. Graded are the sets of at most k criteria, so
    that the capacity is k-maxitive (fewer criteria where there would be too many sets), and the
    boundary sets.

    Parameters
    ----------
    probability : Probability
        Probabilities of the positive class by pattern.
    boundary_sets : ndarray of uint64 of shape (R, words)
        The minimal accepted sets, closed.
    chains : Chains
        The literals of each criterion. The capacity is one on literals, each of which is a
        criterion with a binary utility where there are several; its sets have one of each chain.
    k : int
        Largest number of criteria in a focal set.
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
    >>> from sugeno._counts.patterns import Patterns
    >>> from sugeno._sets.chains import Chains
    >>> from sugeno.model.grading import graded_capacity
    >>> from sugeno.model.probability import Probability
    >>> masks, labels = np.array([[1], [2], [3]], np.uint64), np.array([False, False, True])
    >>> p = Patterns.of_two_classes(
    ...     masks, np.array([1, 1, 3]), np.array([3, 3, 1]), Chains.single(2)
    ... )
    >>> fitted = Probability.fitted(p, labels)
    >>> capacity = graded_capacity(fitted, masks[2:], chains=Chains.single(2), k=2, beta=0.5)
    >>> capacity(0), capacity([0, 1]), capacity.boundary_sets(0.5)
    (0.3, 1.0, ((0, 1),))
    """
    k = min(k, chains.n_criteria)
    sets = np.unique(np.concatenate([_small_sets(chains, k), boundary_sets]), axis=0)
    sets = sets[canonical_order(sets)]
    sets = sets[set_sizes(sets) > 0]
    accepted = contains_any(sets, boundary_sets)
    values = _grades(probability.of(sets, accepted), accepted, beta, probability.cut)
    if normalized:
        values[values == values.max()] = 1.0
    return Capacity.from_masks(
        chains.strongest(sets),
        values,
        m=chains.n_literals,
        criteria=criteria,
        normalized=normalized,
    )


def _small_sets(chains: Chains, k: int) -> Masks:
    size = k
    while size > 1 and count_small_sets(chains, size) > _MOST_SETS:
        size -= 1
    return small_sets(chains, size)


def _grades(
    probability: NDArray[np.float64], accepted: NDArray[np.bool_], beta: float, cut: float
) -> NDArray[np.float64]:
    """Map probabilities to [0, β) below the cut and to [β, 1] above."""
    reach = np.minimum(beta + (1.0 - beta) * ((probability - cut) / (1.0 - cut)), 1.0)
    miss = np.minimum(beta * probability / cut, np.nextafter(beta, 0.0))
    return np.where(accepted, np.maximum(reach, beta), miss)
