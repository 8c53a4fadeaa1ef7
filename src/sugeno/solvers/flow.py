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

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import breadth_first_order, maximum_flow

from sugeno.solvers.small_flow import small_closures

__all__ = ["Closures", "optimal_closures"]

#: No phase sends more than this. An arc and its reverse together then never hold 2**31.
_MOST_PER_PHASE = 2**30 - 1
#: Graphs with at most so many arcs, from wanted to unwanted nodes, need no library.
_SMALL_GRAPH = 300
#: Networks with at most so many arcs are searched without building a graph.
_FEW_ARCS = 4000
#: More than everything there is can never be asked for: such an arc is never full.
_ENDLESS = 2**62


@dataclass(frozen=True)
class Closures:
    """The optimal closures of a graph: a lattice with a smallest and a largest member.

    Attributes
    ----------
    find_minimal, find_maximal : callable
        Work out the two; each is called when it is asked for, once.

    Examples
    --------
    Both having and leaving the pair is optimal.

    >>> import numpy as np
    >>> from sugeno.solvers.flow import optimal_closures
    >>> found = optimal_closures(np.array([2, -2]), np.array([0]), np.array([1]))
    >>> found.minimal, found.maximal
    (array([False, False]), array([ True,  True]))
    """

    find_minimal: Callable[[], NDArray[np.bool_]]
    find_maximal: Callable[[], NDArray[np.bool_]]

    @cached_property
    def minimal(self) -> NDArray[np.bool_]:
        """Every optimal closure contains this one."""
        return self.find_minimal()

    @cached_property
    def maximal(self) -> NDArray[np.bool_]:
        """Every optimal closure lies inside this one."""
        return self.find_maximal()


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
        Minimal and maximal optimal closure, each worked out when it is asked for.

    Notes
    -----
    One maximum flow (Dinic) when the weights fit into 31 bits, a few more above that.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno.solvers.flow import optimal_closures
    >>> found = optimal_closures(np.array([3, -2, -2]), np.array([0, 0]), np.array([1, 2]))
    >>> found.minimal
    array([False, False, False])
    """
    if np.abs(weight).sum(dtype=np.float64) >= 2.0**62:
        raise OverflowError("The weights add up to 2**62 or more; divide them by a power of two.")
    if tail.size <= _SMALL_GRAPH and (weight[tail] > 0).all() and (weight[head] < 0).all():
        found = small_closures(weight.tolist(), tail.tolist(), head.tolist())
        smallest, largest = (np.array(members, dtype=np.bool_) for members in found)
        return Closures(lambda: smallest, lambda: largest)
    network = _Network(weight, tail, head)
    room = network.saturate()
    return Closures(partial(network.reached, room), partial(network.not_reaching, room))


class _Network:
    """The flow network of a closure problem: source, sink, and arcs that are never full.

    Every arc is stored beside its reverse, sorted by tail and head. So capacities, flows and what
    is left are plain arrays in one common order, and `maximum_flow` answers in that order too.
    """

    def __init__(
        self, weight: NDArray[np.int64], tail: NDArray[np.intp], head: NDArray[np.intp]
    ) -> None:
        n = len(weight)
        wanted, unwanted = np.flatnonzero(weight > 0), np.flatnonzero(weight < 0)
        finite = np.concatenate([weight[wanted], -weight[unwanted]])
        self.largest = int(finite.sum())
        self.source = n
        self.size = n + 2
        tails = [np.full(wanted.size, n, np.intp), unwanted, tail]
        heads = [wanted, np.full(unwanted.size, n + 1, np.intp), head]
        # Millions of arcs are usual: what is no longer needed goes, so that memory suffices.
        both_ends = [
            np.concatenate(ends, dtype=np.int32) for ends in (tails + heads, heads + tails)
        ]
        place = both_ends[0] * np.int64(self.size) + both_ends[1]
        order = np.argsort(place)
        first = _first_of_each(place[order])
        del place
        self.tails, self.heads = (ends[order[first]] for ends in both_ends)
        del both_ends
        capacity = np.zeros(order.size, dtype=np.int64)
        capacity[: finite.size] = finite
        capacity[finite.size : order.size // 2] = _ENDLESS
        # An arc that is given twice, or in both directions, still is never full.
        self.capacity = np.maximum.reduceat(capacity[order], first) if first.size else capacity
        self.endless = self.capacity == _ENDLESS
        self.starts = np.zeros(self.size + 1, dtype=np.int32)
        np.cumsum(np.bincount(self.tails, minlength=self.size), out=self.starts[1:])

    def saturate(self) -> NDArray[np.int64]:
        """Send a maximum flow and return what each arc has left."""
        n = self.source
        # A phase adds less than 2**bits to each of at most n finite arcs of the last cut.
        bits_at_once = 30 - n.bit_length()
        shift = max(0, self.largest.bit_length() - 30)
        flow: NDArray[np.int64] | int = 0
        while True:
            limited = np.minimum(self._room(flow, shift), _MOST_PER_PHASE).astype(np.int32)
            sent = maximum_flow(self._graph(limited, self.heads, self.starts), n, n + 1)
            flow = flow + self._checked(int(sent.flow_value), sent.flow.data)
            if shift == 0:
                return self._room(flow, 0)
            step = min(shift, bits_at_once)
            shift -= step
            flow = flow << step

    def _checked(self, value: int, sent: NDArray[Any]) -> NDArray[np.int64]:
        """Refuse a flow that overflowed or that is not in the order of the arcs."""
        if not 0 <= value <= _MOST_PER_PHASE or sent.size != self.heads.size:
            raise RuntimeError(
                f"scipy's maximum_flow sent {value} over {sent.size} arcs, where at most "
                f"{_MOST_PER_PHASE} over {self.heads.size} arcs are possible: this version of "
                "scipy does not suit; use one that pyproject.toml names."
            )
        flow: NDArray[np.int64] = sent.astype(np.int64)
        return flow

    def _room(self, flow: NDArray[np.int64] | int, shift: int) -> NDArray[np.int64]:
        """Residual capacities at a precision of ``2**shift`` units."""
        room: NDArray[np.int64] = self.capacity >> shift
        room[self.endless] = _ENDLESS
        room -= flow
        return room

    def _graph(
        self, data: NDArray[np.generic], heads: NDArray[np.int32], starts: NDArray[np.int32]
    ) -> csr_array:
        return csr_array((data, heads, starts), shape=(self.size, self.size))

    def reached(self, room: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Mark what the source still reaches: the smallest closure."""
        return self._reachable(room > 0, self.source)

    def not_reaching(self, room: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Mark what cannot reach the sink: the largest closure."""
        # Whoever reaches the sink is reached from it when every arc is turned around.
        reverse = np.lexsort((self.tails, self.heads))
        return ~self._reachable((room > 0)[reverse], self.source + 1)

    def _reachable(self, open_arcs: NDArray[np.bool_], start: int) -> NDArray[np.bool_]:
        """Mark the nodes that arcs with room left lead to."""
        heads = self.heads[open_arcs]
        found = np.zeros(self.size, dtype=np.bool_)
        if heads.size <= _FEW_ARCS:
            self._sweep(found, self.tails[open_arcs], heads, start)
            return found[: self.source]
        before = np.zeros(open_arcs.size + 1, dtype=np.int32)
        np.cumsum(open_arcs, out=before[1:])
        graph = self._graph(np.ones(heads.size), heads, before[self.starts])
        found[breadth_first_order(graph, start, return_predecessors=False)] = True
        return found[: self.source]

    def _sweep(
        self,
        found: NDArray[np.bool_],
        tails: NDArray[np.int32],
        heads: NDArray[np.int32],
        start: int,
    ) -> None:
        """Mark what is reached, all arcs at a time: paths in small networks are short."""
        reached = np.array([start])
        while not found[reached].all():
            found[reached] = True
            reached = heads[found[tails]]


def _first_of_each(ordered: NDArray[np.int64]) -> NDArray[np.intp]:
    """Place of the first of all equal numbers, which stand beside each other."""
    new = np.ones(ordered.size, dtype=np.bool_)
    np.not_equal(ordered[1:], ordered[:-1], out=new[1:])
    return np.flatnonzero(new)
