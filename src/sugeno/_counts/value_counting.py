"""Count the values of a column, with or without regard to the classes."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sugeno._counts.weights import RowWeights
from sugeno._scales.value_counts import ValueCounts

Floats = NDArray[np.float64]

#: Rows of a block: their part of a few columns stays in the cache.
_BLOCK_ROWS = 4096
#: Entries of the columns that are sorted in one go.
_BLOCK_CELLS = 1 << 20


def laid_out(X: Floats, columns: range) -> Floats:
    """Return neighbouring columns as the rows of an array of their own.

    Where a table is stored row by row, several columns are copied at once, block by block. To copy
    one column alone takes as long, since most of the table passes through the cache anyway.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._counts.value_counting import laid_out
    >>> laid_out(np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]), range(1, 3))
    array([[2., 5.],
           [3., 6.]])
    """
    result = np.empty((len(columns), len(X)))
    part = X[:, columns.start : columns.stop]
    for start in range(0, len(X), _BLOCK_ROWS):
        rows = slice(start, start + _BLOCK_ROWS)
        result[:, rows] = part[rows].T
    return result


def known_values(X: Floats) -> list[Floats]:
    """Return the distinct finite values of each column, ascending.

    Several columns are sorted by one call. With a call for each column of a wide table, the calls
    take longer than the sorting.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._counts.value_counting import known_values
    >>> known_values(np.array([[3.0, 7.0], [1.0, -np.inf], [3.0, 6.0]]))
    [array([1., 3.]), array([6., 7.])]
    """
    found: list[Floats] = []
    at_once = max(1, _BLOCK_CELLS // max(1, len(X)))
    for start in range(0, X.shape[1], at_once):
        columns = np.sort(laid_out(X, range(start, min(start + at_once, X.shape[1]))), axis=1)
        kept = np.isfinite(columns)
        kept[:, 1:] &= columns[:, 1:] != columns[:, :-1]
        found += np.split(columns[kept], np.cumsum(kept.sum(axis=1))[:-1])
    return found


def count_values(column: Floats, weights: RowWeights) -> ValueCounts:
    """Count the values of a column; all rows have positive weight.

    Costs one sort of the column, in place (an argsort when weights are given).

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
        column.sort()
        is_last = _is_last(column)
        if is_last.all():  # measured values: each occurs once
            once = np.broadcast_to(np.int64(1), (column.size, 1))
            return ValueCounts(_without_negative_zero(column), once)
        last = np.flatnonzero(is_last)
        values = column[last]
        running = last
        running += 1
    else:
        order = np.argsort(column)
        ordered = column[order]
        last = np.flatnonzero(_is_last(ordered))
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
    ordered = column[order]
    last = np.flatnonzero(_is_last(ordered))
    by_class = _weights_by_class(order, last, codes, weights, n_classes)
    return ValueCounts(_without_negative_zero(ordered[last]), by_class)


class ColumnCounts(NamedTuple):
    """The counts of all columns of a small table, and where its entries are among the values.

    Attributes
    ----------
    counts : list of ValueCounts
        Counts by class of each column.
    places : ndarray of intp of shape (m, n)
        Place of each entry among the ascending values of its column.
    """

    counts: list[ValueCounts]
    places: NDArray[np.intp]


def count_columns_by_class(
    X: Floats, codes: NDArray[np.intp], weights: RowWeights, n_classes: int
) -> ColumnCounts:
    """Count the values of all columns by a few calls, which is fastest for small tables.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._counts.value_counting import count_columns_by_class
    >>> from sugeno._counts.weights import row_weights
    >>> X, codes = np.array([[3.0, 7.0], [1.0, 7.0]]), np.array([1, 0])
    >>> counts, places = count_columns_by_class(X, codes, row_weights(None, 2), 2)
    >>> [one.values for one in counts], places[0]
    ([array([1., 3.]), array([7.])], array([1, 0]))
    """
    columns = np.ascontiguousarray(X.T)
    order = np.argsort(columns, axis=1)
    ordered = np.take_along_axis(columns, order, axis=1)
    is_last = np.ones(ordered.shape, dtype=np.bool_)
    np.not_equal(ordered[:, 1:], ordered[:, :-1], out=is_last[:, :-1])
    # Laid end to end, the columns are one: each of them ends with the last of a value. Should the
    # sum of all weights overflow, the differences of running sums would still be right.
    last = np.flatnonzero(is_last)
    by_class = _weights_by_class(order.ravel(), last, codes, weights, n_classes)
    values = _without_negative_zero(ordered.ravel()[last])
    running = np.cumsum(is_last, axis=1)
    ends = np.cumsum(running[:, -1]).tolist()
    places = np.empty_like(order)
    np.put_along_axis(places, order, running - is_last, axis=1)
    counts = [
        ValueCounts(values[start:end], by_class[start:end]) for start, end in zip([0, *ends], ends)
    ]
    return ColumnCounts(counts, places)


def _weights_by_class(
    order: NDArray[np.intp],
    last: NDArray[np.intp],
    codes: NDArray[np.intp],
    weights: RowWeights,
    n_classes: int,
) -> NDArray[np.int64]:
    """Weight of each class on each run of rows in the given order; runs end where `last` says."""
    labels = codes[order]
    by_class = np.empty((n_classes, last.size), dtype=np.int64)
    for code in range(n_classes):
        mine = labels == code
        counted = mine if weights.values is None else np.where(mine, weights.values[order], 0)
        running = np.cumsum(counted, dtype=np.int64)[last]
        by_class[code] = running
        by_class[code, 1:] -= running[:-1]
    return by_class.T


def _without_negative_zero(values: Floats) -> Floats:
    """Turn -0.0 into 0.0: which of the two comes last is an accident of row order."""
    values += 0.0
    return values


def _is_last(ordered: Floats) -> NDArray[np.bool_]:
    """Marks the last occurrence of each distinct value of a sorted column."""
    is_last = np.ones(ordered.size, dtype=np.bool_)
    np.not_equal(ordered[1:], ordered[:-1], out=is_last[:-1])
    return is_last
