"""Value counts: how much weight each value of a criterion has in each class.

They are one of the two questions that learning asks a table; they give the utilities (the
distribution of the values) and the direction (do higher values speak for the positive class?) at
once. They are sums of integers, so they can be counted wherever the data lives.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class ValueCounts:
    """The distinct values of one criterion with their weights.

    Attributes
    ----------
    values : ndarray of float64 of shape (v,)
        The distinct values in original units, ascending.
    weights : ndarray of int64 of shape (v, C)
        Integer weight of the rows of each class with this value. C is 1 where the classes were
        not asked for.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._scales.value_counts import ValueCounts
    >>> counts = ValueCounts(np.array([1.0, 2.0]), np.array([[2, 0], [1, 1]]))
    >>> counts.cumulative
    array([2, 4])
    """

    values: NDArray[np.float64]
    weights: NDArray[np.int64]

    @cached_property
    def total(self) -> NDArray[np.int64]:
        """Weight of each value over all classes."""
        if self.weights.shape[1] == 2:  # two columns are added faster than short rows
            return self.weights[:, 0] + self.weights[:, 1]
        return self.weights[:, 0] if self.weights.shape[1] == 1 else self.weights.sum(axis=1)

    @property
    def cumulative(self) -> NDArray[np.int64]:
        """Weight of all rows whose value is at most this one."""
        return np.cumsum(self.total)

    @property
    def centred_ranks(self) -> NDArray[np.float64]:
        """Mid-rank of each value as a share of all rows, less 1/2.

        Examples
        --------
        >>> import numpy as np
        >>> from sugeno._scales.value_counts import ValueCounts
        >>> ValueCounts(np.array([1.0, 2.0]), np.array([[1, 0], [2, 1]])).centred_ranks
        array([-0.375,  0.125])
        """
        total = self.total
        ranks: NDArray[np.float64] = (self.cumulative - total / 2) / total.sum() - 0.5
        return ranks

    def in_two(self, upper: slice) -> ValueCounts:
        """Return the counts of two classes: all others, and these together.

        Examples
        --------
        >>> import numpy as np
        >>> from sugeno._scales.value_counts import ValueCounts
        >>> ValueCounts(np.array([7.0]), np.array([[1, 2, 4]])).in_two(slice(1, None)).weights
        array([[1, 6]])
        """
        return ValueCounts(self.values, two_sides(self.weights, upper))


def two_sides(weights: NDArray[np.int64], upper: slice) -> NDArray[np.int64]:
    """Weights by class as weights of the other classes, and of these.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._scales.value_counts import two_sides
    >>> two_sides(np.array([[1, 2, 4]]), slice(1, None))
    array([[1, 6]])
    """
    above = weights[:, upper].sum(axis=1)
    return np.column_stack([weights.sum(axis=1) - above, above])
