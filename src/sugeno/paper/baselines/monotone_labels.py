"""Labels that agree with dominance and differ from the given ones as little as possible.

A row dominates another when it is at least as good in every column. Labels are monotone when no
rejected row dominates an accepted one. Finding the monotone labels of least weighted change is
a maximum closure problem, solved exactly by one minimum cut.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sugeno.solvers.flow import optimal_closures

__all__ = ["dominance_pairs", "monotone_labels"]

Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]
Places = NDArray[np.intp]

#: So many pairs of rows are compared at a time.
_BLOCK = 1 << 20


def dominance_pairs(lower: Places, upper: Places) -> tuple[Places, Places]:
    """List the pairs (i, j) in which row ``upper[j]`` dominates row ``lower[i]``.

    Compares every pair, column by column, in blocks of bounded memory.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno.paper.baselines.monotone_labels import dominance_pairs
    >>> dominance_pairs(np.array([[1, 1], [0, 2]]), np.array([[2, 1], [1, 2]]))
    (array([0, 0, 1]), array([0, 1, 1]))
    """
    step = max(1, _BLOCK // max(1, len(upper)))
    found = [np.empty((2, 0), dtype=np.intp)]
    for start in range(0, len(lower), step):
        block = lower[start : start + step]
        dominates = np.ones((len(block), len(upper)), dtype=np.bool_)
        for low, high in zip(block.T, upper.T):
            dominates &= low[:, None] <= high
        i, j = np.nonzero(dominates)
        found.append(np.stack([i + start, j]))
    i, j = np.concatenate(found, axis=1)
    return i, j


def monotone_labels(places: Places, positive: Ints, negative: Ints) -> Bools:
    """Return the monotone labels with the smallest weight of rows that get the other class.

    Of several solutions the one that accepts fewest rows is taken: they form a lattice, so there
    is a smallest. Only rows in conflict enter the cut; the others keep their majority.

    Parameters
    ----------
    places : ndarray of shape (D, m)
        Distinct rows; more is better in every column.
    positive, negative : ndarray of int64 of shape (D,)
        Weight of either class at each row.

    Returns
    -------
    ndarray of bool of shape (D,)
        Whether a row is accepted.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno.paper.baselines.monotone_labels import monotone_labels
    >>> rows = np.array([[0], [1], [2]])
    >>> monotone_labels(rows, np.array([3, 0, 4]), np.array([0, 2, 0]))
    array([ True,  True,  True])
    """
    net = positive - negative
    accepted = net > 0
    wanted, unwanted = np.flatnonzero(net > 0), np.flatnonzero(net < 0)
    i, j = dominance_pairs(places[wanted], places[unwanted])
    if i.size:
        tails, heads = wanted[i], unwanted[j]
        nodes = np.unique(np.concatenate([tails, heads]))
        arcs = np.searchsorted(nodes, tails), np.searchsorted(nodes, heads)
        accepted[nodes] = optimal_closures(net[nodes], *arcs).minimal
    # A row without net weight is accepted only if it must be.
    idle = np.flatnonzero(net == 0)
    accepted[idle[dominance_pairs(places[accepted], places[idle])[1]]] = True
    return accepted
