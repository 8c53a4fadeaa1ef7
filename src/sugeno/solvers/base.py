"""What every solver is asked, what it declares that it can do, and what it returns."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from sugeno._counts.patterns import Patterns
from sugeno._sets.masks import Masks
from sugeno.solvers.budget import Budget

__all__ = ["Request", "Solution", "Solver", "forced_errors", "is_forced"]


@dataclass(frozen=True)
class Request:
    """What a solver is asked: the patterns, and what limits the family.

    Attributes
    ----------
    patterns : Patterns
        Observed patterns with class weights.
    k : int
        Largest number of criteria in a boundary set.
    normalized : bool
        Whether μ([m]) = 1.
    beta, margin : float
        Threshold and margin at which the patterns were taken.
    subsets : str or None
        What it takes to accept a positive row with more than k satisfied criteria.
    max_rules : int or None
        Largest number of boundary sets.
    rule_cost, literal_cost : float
        Price of a rule and of each criterion in it, in units of sample weight.
    random_state : int, RandomState or None
        Seed.
    budget : Budget
        The time that is left.
    positive_utilities : callable or None
        Utilities and weights of the positive rows, for the solver that looks at rows.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._counts.patterns import Patterns
    >>> from sugeno._sets.chains import Chains
    >>> from sugeno.solvers.base import Request
    >>> masks, one = np.array([[0], [1]], np.uint64), np.ones(2, np.int64)
    >>> Request(Patterns.of_two_classes(masks, one, one, Chains.single(2)), 2).is_unrestricted
    True
    """

    patterns: Patterns
    k: int
    normalized: bool = True
    beta: float = 0.5
    margin: float = 0.0
    subsets: str | None = None
    max_rules: int | None = None
    rule_cost: float = 0.0
    literal_cost: float = 0.0
    random_state: Any = None
    budget: Budget = field(default_factory=lambda: Budget.of(None))
    positive_utilities: (
        Callable[[], tuple[NDArray[np.float64], NDArray[np.int64] | None]] | None
    ) = None

    @property
    def is_unrestricted(self) -> bool:
        """Whether a boundary set may have any number of criteria."""
        return self.k >= self.patterns.chains.n_criteria


@dataclass(frozen=True)
class Solver:
    """A way to answer requests, and what it takes into account.

    The dispatch asks the declarations and nothing else: a parameter that a user has set goes to a
    solver that uses it, or is refused. A new solver declares itself and is listed there.

    Attributes
    ----------
    name : str
        What it is, for people.
    solve : callable
        From a request to a solution.
    uses : frozenset of str
        The parameters that it takes into account: "k" (fewer criteria per rule than there are),
        "margin", "max_rules", "rule_cost", "literal_cost", "extension",
        "random_state", and each choice of subsets, for example "subsets='all'".
    several_levels : bool
        Whether a criterion may have more than one literal.

    Examples
    --------
    >>> from sugeno.solvers.closure import CLOSURE
    >>> "max_rules" in CLOSURE.uses
    False
    """

    name: str
    solve: Callable[[Request], Solution]
    uses: frozenset[str]
    several_levels: bool = True


@dataclass(frozen=True)
class Solution:
    """A monotone labelling of the patterns with its certificate.

    Attributes
    ----------
    labels : ndarray of int of shape (D,)
        The class of each pattern that the solver was given: the number of class boundaries that
        it passes. With two classes 1 is accepted and 0 is rejected.
    families : tuple of ndarray of uint64 of shape (R, words), or None
        Per class boundary the minimal sets that pass it, nested, when the solver determines
        them. None: the labels of the patterns that do not occur are still free (see
        `sugeno.solvers.extension`).
    objective : int or float
        Weight of the rows in error, forced ones included, plus the price of the rules where
        they have one, in integer units of weight.
    bound : float
        A proved lower bound on the objective of every family in the class searched.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno.solvers.base import Solution
    >>> Solution.of_two_classes(np.array([False, True]), None, 5, 3.0).gap
    2.0
    """

    labels: NDArray[np.intp]
    families: tuple[Masks, ...] | None
    objective: float
    bound: float

    @classmethod
    def of_two_classes(
        cls,
        accepted: NDArray[np.bool_],
        boundary_sets: Masks | None,
        objective: float,
        bound: float,
        **more: Any,
    ) -> Self:
        """Build from the only family that two classes have."""
        families = None if boundary_sets is None else (boundary_sets,)
        return cls(accepted.astype(np.intp), families, objective, bound, **more)

    @property
    def accepted(self) -> NDArray[np.bool_]:
        """Which patterns pass the first boundary."""
        return self.labels > 0

    @property
    def boundary_sets(self) -> Masks | None:
        """The minimal sets that pass the first boundary."""
        return None if self.families is None else self.families[0]

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
    >>> from sugeno._counts.patterns import Patterns
    >>> from sugeno._sets.chains import Chains
    >>> from sugeno.solvers.base import is_forced
    >>> masks, one = np.array([[0], [1], [3]], np.uint64), np.ones(3, np.int64)
    >>> is_forced(Patterns.of_two_classes(masks, one, one, Chains.single(2)), normalized=True)
    array([ True, False,  True])
    """
    return patterns.is_empty_set | patterns.is_full_set if normalized else patterns.is_empty_set


def forced_errors(patterns: Patterns, normalized: bool) -> int:
    """Weight of the rows whose pattern is forced to the wrong label.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._counts.patterns import Patterns
    >>> from sugeno._sets.chains import Chains
    >>> from sugeno.solvers.base import forced_errors
    >>> masks, one = np.array([[0], [1], [3]], np.uint64), np.ones(3, np.int64)
    >>> p = Patterns.of_two_classes(masks, 2 * one, 5 * one, Chains.single(2))
    >>> forced_errors(p, normalized=True)
    7
    """
    errors = int(patterns.positive[patterns.is_empty_set].sum())
    if normalized:
        errors += int(patterns.negative[patterns.is_full_set].sum())
    return errors
