"""Optimal closures by minimum cut, exact for 62-bit integer weights.

A *closure* of a directed graph is a set of nodes that no arc leaves. Given a weight per node,
positive for nodes that one would like to have and negative for those that one would rather not,
the closure of largest weight is the source side of a minimum cut (Picard 1976).

`scipy.sparse.csgraph.maximum_flow` computes in int32 and overflows silently. Larger weights are
therefore fed to it a few bits at a time: after a phase all weights and the flow are doubled as
often as bits are added, and what the flow can still grow by is bounded by the number of nodes
times the last doubling, which stays below 2**30. No weight is ever rounded.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import breadth_first_order, maximum_flow

__all__ = ["Closures", "optimal_closures"]

#: No phase sends more than this. An arc and its reverse together then never hold 2**31.
_MOST_PER_PHASE = 2**30 - 1


@dataclass(frozen=True)
class Closures:
    """The smallest and the largest optimal closure, and the weight that both give up.

    Attributes
    ----------
    minimal, maximal : ndarray of bool of shape (N,)
        Every optimal closure contains the first and lies inside the second.
    cost : int
        Positive weight left out plus negative weight taken in: the value of the minimum cut.
    """

    minimal: NDArray[np.bool_]
    maximal: NDArray[np.bool_]
    cost: int


def optimal_closures(
    weight: NDArray[np.int64], tail: NDArray[np.intp], head: NDArray[np.intp]
) -> Closures:
    """Find the optimal closures of a graph.

    Parameters
    ----------
    weight : ndarray of int64 of shape (N,)
        Node weights; the sum of their absolute values must stay below 2**62.
    tail, head : ndarray of intp
        Arcs: a closure that contains ``tail[a]`` contains ``head[a]``.

    Returns
    -------
    Closures
        Minimal and maximal optimal closure and their cost.

    Notes
    -----
    One maximum flow (Dinic) when the weights fit into 31 bits, a few more above that.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno.solvers.flow import optimal_closures
    >>> found = optimal_closures(np.array([3, -2, -2]), np.array([0, 0]), np.array([1, 2]))
    >>> found.minimal, found.cost
    (array([False, False, False]), 3)
    """
    if int(np.abs(weight).astype(object).sum()) >= 2**62:
        raise OverflowError("The weights add up to 2**62 or more; divide them by a power of two.")
    network = _Network(weight, tail, head)
    residual = network.saturate()
    n = len(weight)
    from_source = np.zeros(n + 2, dtype=np.bool_)
    from_source[breadth_first_order(residual, n, return_predecessors=False)] = True
    to_sink = np.zeros(n + 2, dtype=np.bool_)
    to_sink[breadth_first_order(residual.T.tocsr(), n + 1, return_predecessors=False)] = True
    minimal = from_source[:n]
    cost = int(weight[(weight > 0) & ~minimal].sum() - weight[(weight < 0) & minimal].sum())
    return Closures(minimal, ~to_sink[:n], cost)


class _Network:
    """The flow network of a closure problem: source, sink, and arcs that are never full."""

    def __init__(
        self, weight: NDArray[np.int64], tail: NDArray[np.intp], head: NDArray[np.intp]
    ) -> None:
        n = len(weight)
        wanted, unwanted = np.flatnonzero(weight > 0), np.flatnonzero(weight < 0)
        self.shape = (n + 2, n + 2)
        self.tail = np.concatenate([np.full(wanted.size, n), unwanted, tail])
        self.head = np.concatenate([wanted, np.full(unwanted.size, n + 1), head])
        self.capacity = np.concatenate([weight[wanted], -weight[unwanted]])
        self.largest = int(self.capacity.sum())

    def saturate(self) -> csr_array:
        """Send a maximum flow and return the graph of what is left (positive entries only)."""
        n = self.shape[0] - 2
        # A phase adds less than 2**bits to each of at most n finite arcs of the last cut.
        bits_at_once = 30 - n.bit_length()
        shift = max(0, self.largest.bit_length() - 30)
        flow: Any = csr_array(self.shape, dtype=np.int64)
        room = self._room(flow, shift)
        while True:
            limited = room.copy()
            limited.data = np.minimum(limited.data, _MOST_PER_PHASE).astype(np.int32)
            sent = maximum_flow(limited, n, n + 1)
            assert 0 <= sent.flow_value <= _MOST_PER_PHASE
            flow = flow + sent.flow.astype(np.int64)
            if shift == 0:
                return self._room(flow, 0)
            step = min(shift, bits_at_once)
            shift -= step
            flow.data <<= step
            room = self._room(flow, shift)

    def _room(self, flow: csr_array, shift: int) -> csr_array:
        """Residual capacities at a precision of ``2**shift`` units."""
        finite = self.capacity >> shift
        # More than everything there is can never be asked for: such an arc is never full.
        endless = np.full(self.tail.size - finite.size, 2**62, dtype=np.int64)
        data = np.concatenate([finite, endless])
        room: csr_array = csr_array((data, (self.tail, self.head)), shape=self.shape) - flow
        room.data[room.data < 0] = 0
        room.eliminate_zeros()
        return room
