"""What every solver returns: a family of accepted patterns and how good it is proved to be."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sugeno.patterns import Masks, Patterns

__all__ = ["Solution", "forced_errors", "is_forced"]


@dataclass(frozen=True)
class Solution:
    """A monotone labelling of the patterns with its certificate.

    Attributes
    ----------
    accepted : ndarray of bool of shape (D,)
        The label of each pattern that the solver was given.
    boundary_sets : ndarray of uint64 of shape (R, words) or None
        The minimal accepted sets, when the solver determines them. None: the labels of the
        patterns that do not occur are still free (see `sugeno.solvers.extension`).
    objective : int or float
        Weight of the rows in error, forced ones included, plus the price of the rules where
        they have one, in integer units of weight.
    bound : float
        A proved lower bound on the objective of every family in the class searched.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno.solvers.base import Solution
    >>> Solution(np.array([False, True]), None, 5, 3.0).gap
    2.0
    """

    accepted: NDArray[np.bool_]
    boundary_sets: Masks | None
    objective: float
    bound: float

    @property
    def gap(self) -> float:
        """How far the objective may be from the optimum; 0 means proved optimal."""
        return max(0.0, self.objective - self.bound)


def is_forced(patterns: Patterns, normalized: bool) -> NDArray[np.bool_]:
    """Mark the patterns whose label no capacity can choose.

    μ(∅) = 0 gives S ≤ max u, so a row that satisfies nothing is rejected; μ([m]) = 1, which a
    normalized capacity has, accepts a row that satisfies everything.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno.patterns import Patterns
    >>> from sugeno.solvers.base import is_forced
    >>> masks, one = np.array([[0], [1], [3]], np.uint64), np.ones(3, np.int64)
    >>> is_forced(Patterns(masks, one, one, 2), normalized=True)
    array([ True, False,  True])
    """
    return patterns.is_empty_set | patterns.is_full_set if normalized else patterns.is_empty_set


def forced_errors(patterns: Patterns, normalized: bool) -> int:
    """Weight of the rows whose pattern is forced to the wrong label.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno.patterns import Patterns
    >>> from sugeno.solvers.base import forced_errors
    >>> masks, one = np.array([[0], [1], [3]], np.uint64), np.ones(3, np.int64)
    >>> forced_errors(Patterns(masks, 2 * one, 5 * one, 2), normalized=True)
    7
    """
    errors = int(patterns.positive[patterns.is_empty_set].sum())
    if normalized:
        errors += int(patterns.negative[patterns.is_full_set].sum())
    return errors
