"""Labels that agree with dominance and differ from the given ones as little as possible.

A row dominates another when it is at least as good in every column. Labels are monotone when no
rejected row dominates an accepted one. Finding the monotone labels of least weighted change is
a maximum closure problem, solved exactly by one minimum cut.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sugeno.solvers.flow import optimal_closures
from sugeno.solvers.order import dominance_pairs

__all__ = ["monotone_labels"]

Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]
Places = NDArray[np.intp]


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
