"""What each rule stands on: the training rows that satisfy it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sugeno._counts.patterns import Patterns
from sugeno._sets.masks import Masks, is_subset

__all__ = ["Support"]

#: Rules times patterns that are compared in one go, and at all.
_BLOCK, _MOST_PAIRS = 1 << 22, 1 << 29


@dataclass(frozen=True, eq=False)
class Support:
    """Weight of the training rows that each rule covers, in the user's units.

    Attributes
    ----------
    weight : ndarray of float64 of shape (R,)
        Weight of all rows that satisfy the rule.
    precision : ndarray of float64 of shape (R,)
        Share of that weight which belongs to the positive class; NaN without support.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._counts.patterns import Patterns
    >>> from sugeno._sets.chains import Chains
    >>> from sugeno.model.support import Support
    >>> masks = np.array([[1], [3]], np.uint64)
    >>> p = Patterns.of_two_classes(masks, np.array([1, 3]), np.array([2, 0]), Chains.single(2))
    >>> Support.counted(masks, p).weight
    array([6., 3.])
    """

    weight: NDArray[np.float64]
    precision: NDArray[np.float64]

    @classmethod
    def of_clauses(cls, clauses: Masks, patterns: Patterns) -> Support:
        """Rows that each clause rejects, and the share of them that are negative."""
        missed = [~(patterns.masks & clause).any(axis=1) for clause in clauses]
        negative = np.array([float(patterns.negative[rows].sum()) for rows in missed])
        positive = np.array([float(patterns.positive[rows].sum()) for rows in missed])
        return cls._of(negative, positive, patterns.unit)

    @classmethod
    def counted(cls, rules: Masks, patterns: Patterns) -> Support | None:
        """Compare each rule with each pattern; None where that would take too long."""
        if len(rules) * len(patterns.masks) > _MOST_PAIRS:
            return None
        positive, negative = np.zeros(len(rules)), np.zeros(len(rules))
        step = max(1, _BLOCK // max(1, len(patterns.masks)))
        for start in range(0, len(rules), step):
            covered = is_subset(rules[start : start + step], patterns.masks)
            part = slice(start, start + len(covered))
            positive[part] = covered @ patterns.positive
            negative[part] = covered @ patterns.negative
        return cls._of(positive, negative, patterns.unit)

    @classmethod
    def _of(cls, right: NDArray[np.float64], wrong: NDArray[np.float64], unit: float) -> Support:
        weight = right + wrong
        share = np.divide(right, weight, out=np.full(weight.size, np.nan), where=weight > 0)
        return cls(weight * unit, share)
