"""Count the values of a column, with or without regard to the classes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sugeno._counts.weights import RowWeights
from sugeno._scales.value_counts import ValueCounts

__all__ = ["count_values", "count_values_by_class"]

Floats = NDArray[np.float64]


def count_values(column: Floats, weights: RowWeights) -> ValueCounts:
    """Count the values of a column; all rows have positive weight.

    Costs one sort of the column (an argsort when weights are given).

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._counts.value_counting import count_values
    >>> from sugeno._counts.weights import row_weights
    >>> counts = count_values(np.array([3.0, 1.0, 3.0, 2.0]), row_weights(None, 4))
    >>> counts.values, counts.total
    (array([1., 2., 3.]), array([1, 1, 2]))
    """
    if weights.values is None:
        ordered = np.sort(column)
        last = _last_of_each(ordered)
        values = ordered[last]
        del ordered  # the counts need memory of their own
        running = last
        running += 1
    else:
        order = np.argsort(column)
        ordered = column[order]
        last = _last_of_each(ordered)
        values = ordered[last]
        running = np.cumsum(weights.values[order])[last]
    running[1:] -= running[:-1]
    return ValueCounts(_without_negative_zero(values), running[:, None])


def count_values_by_class(
    column: Floats, codes: NDArray[np.intp], weights: RowWeights, n_classes: int
) -> ValueCounts:
    """Count the values of a column class by class; all rows have positive weight.

    Costs one argsort of the column and one cumulative sum per class.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._counts.value_counting import count_values_by_class
    >>> from sugeno._counts.weights import row_weights
    >>> column, codes = np.array([3.0, 1.0, 3.0]), np.array([1, 0, 0])
    >>> count_values_by_class(column, codes, row_weights(None, 3), 2).weights
    array([[1, 0],
           [1, 1]])
    """
    order = np.argsort(column)
    ordered, labels = column[order], codes[order]
    last = _last_of_each(ordered)
    by_class = np.empty((last.size, n_classes), dtype=np.int64)
    for code in range(n_classes):
        mine = labels == code
        counted = mine if weights.values is None else np.where(mine, weights.values[order], 0)
        running = np.cumsum(counted, dtype=np.int64)[last]
        by_class[:, code] = running
        by_class[1:, code] -= running[:-1]
    return ValueCounts(_without_negative_zero(ordered[last]), by_class)


def _without_negative_zero(values: Floats) -> Floats:
    """Turn -0.0 into 0.0: which of the two comes last is an accident of row order."""
    values += 0.0
    return values


def _last_of_each(ordered: Floats) -> NDArray[np.intp]:
    """Index of the last occurrence of each distinct value of a sorted column."""
    changes = np.flatnonzero(ordered[1:] != ordered[:-1])
    return np.append(changes, ordered.size - 1)
