"""Orders as arcs: what a closure needs to know about which set, or row, lies above which."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from sugeno._sets.chains import Chains

__all__ = ["Arcs", "cover_arcs", "dominance_pairs", "grid_arcs"]

Places = NDArray[np.intp]
#: Tails and heads: the head lies above the tail.
Arcs = tuple[Places, Places]

#: So many pairs of rows are compared at a time.
_BLOCK = 1 << 20


def cover_arcs(n: int, above: Callable[[int], NDArray[np.bool_]]) -> Arcs:
    """Cover relation (Hasse diagram) of an order whose nodes stand in one of its linear orders.

    What lies above a node is one long integer, a bit per node. As nobody stands before one that
    he lies above, the lowest bit is a cover; it and all that lies above it are then struck out.

    Parameters
    ----------
    n : int
        Number of nodes.
    above : callable
        From a node to a Boolean row: who lies above it. The node itself is left out.

    Returns
    -------
    tail, head : ndarray of intp
        The covers.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno.solvers.order import cover_arcs
    >>> tail, head = cover_arcs(3, lambda node: np.arange(3) > node)
    >>> list(zip(tail.tolist(), head.tolist()))
    [(0, 1), (1, 2)]
    """
    bits = [_as_integer(above(node), node) for node in range(n)]
    tails: list[int] = []
    heads: list[int] = []
    for node, left in enumerate(bits):
        while left:
            cover = (left & -left).bit_length() - 1
            tails.append(node)
            heads.append(cover)
            left &= ~(bits[cover] | (1 << cover))
    return np.array(tails, dtype=np.intp), np.array(heads, dtype=np.intp)


def _as_integer(row: NDArray[np.bool_], node: int) -> int:
    """The nodes of a Boolean row other than one of them, as bits of an integer."""
    packed = np.packbits(row, bitorder="little").tobytes()
    return int.from_bytes(packed, "little") & ~(1 << node)


def grid_arcs(number: Places, chains: Chains) -> Arcs:
    """Steps of one level between the cells of a table that have a number (not -1).

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._sets.chains import Chains
    >>> from sugeno.solvers.order import grid_arcs
    >>> grid_arcs(np.array([0, 1, -1, 2]), Chains.single(2))
    (array([0, 1]), array([1, 2]))
    """
    tails, heads = [], []
    for view in chains.along(number):
        lower, upper = view[:, :-1], view[:, 1:]
        both = (lower >= 0) & (upper >= 0)
        tails.append(lower[both])
        heads.append(upper[both])
    return np.concatenate(tails), np.concatenate(heads)


def dominance_pairs(lower: Places, upper: Places) -> Arcs:
    """List the pairs (i, j) in which row ``upper[j]`` dominates row ``lower[i]``.

    Compares every pair, column by column, in blocks of bounded memory.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno.solvers.order import dominance_pairs
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
