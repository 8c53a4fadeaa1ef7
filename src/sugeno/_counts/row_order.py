"""Rows in the order of their contents, which does not depend on where they stand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Places = NDArray[np.intp]


def row_order(keys: Sequence[NDArray[Any]]) -> Places:
    """Return the permutation that sorts rows by several keys, the most important one last.

    It is that of `numpy.lexsort`, which sorts by every key. Here a key sorts only the rows that
    all keys before it have in common: of measured values hardly any.

    Parameters
    ----------
    keys : sequence of ndarray of shape (n,)
        The keys; at least one.

    Returns
    -------
    ndarray of intp of shape (n,)
        The places of the rows, in order; equal rows as they stand.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._counts.row_order import row_order
    >>> row_order((np.array([3, 1, 2]), np.array([0.5, 0.5, 0.1])))
    array([2, 1, 0])
    """
    *others, most = keys
    order: Places = np.argsort(most, kind="stable")
    run = np.cumsum(_differs(most[order]), dtype=np.int64)
    tied = _in_runs(run)
    for number in range(len(others) - 1, -1, -1):
        if not tied.size:
            return order
        # A table with few different rows: by all keys that are left, at once.
        if 2 * tied.size > order.size and 2 * number < len(others):
            rest = [key[order[tied]] for key in others[: number + 1]]
            order[tied] = order[tied][np.lexsort((*rest, run[tied]))]
            return order
        places = order[tied]
        moved = np.lexsort((others[number][places], run[tied]))
        order[tied] = places[moved]
        new = _differs(others[number][order[tied]]) | _differs(run[tied])
        run = np.full(order.size, -1, dtype=np.int64)
        run[tied] = np.cumsum(new)
        tied = tied[_in_runs(run[tied])]
    return order


def _differs(ordered: NDArray[Any]) -> NDArray[np.bool_]:
    """Whether each entry differs from the one before; missing values are alike."""
    result = np.ones(len(ordered), dtype=np.bool_)
    result[1:] = ordered[1:] != ordered[:-1]
    if ordered.dtype.kind == "f":
        missing = np.isnan(ordered)
        result[1:] &= ~(missing[1:] & missing[:-1])
    return result


def _in_runs(run: NDArray[np.int64]) -> Places:
    """Places of the entries that have a neighbour in the same run."""
    same = run[1:] == run[:-1]
    shared = np.zeros(run.size, dtype=np.bool_)
    shared[1:] |= same
    shared[:-1] |= same
    return np.flatnonzero(shared)
