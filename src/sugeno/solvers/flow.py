"""Optimal closures by minimum cut, exact for 62-bit integer weights.

A *closure* of a directed graph is a set of nodes that no arc leaves. Given a weight per node,
positive for nodes that one would like to have and negative for those that one would rather not, the
closure of largest weight is the source side of a minimum cut (Picard 1976).

`scipy.sparse.csgraph.maximum_flow` computes in int32 and overflows silently. Larger weights are
therefore fed to it a few bits at a time: after a phase all weights and the flow are doubled as
often as bits are added, and what the flow can still grow by is bounded by the number of nodes times
the last doubling, which stays below 2**30. No weight is ever rounded.

A small bipartite graph does without the library. Between sets that are wanted and sets that are
not, a maximum flow is an assignment of what is unwanted to what is wanted. With a few hundred arcs
it is found by augmenting paths before a library has built its matrices, and integers of any size
are exact.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import breadth_first_order, maximum_flow

__all__ = ["Closures", "optimal_closures", "small_closures"]


def small_closures(
    weight: Sequence[int], tails: Sequence[int], heads: Sequence[int]
) -> tuple[list[bool], list[bool]]:
    """Return the smallest and the largest optimal closure.

    Parameters
    ----------
    weight : sequence of int
        Node weights; positive for every tail, negative for every head.
    tails, heads : sequence of int
        Arcs: a closure that contains a tail contains its head.

    Returns
    -------
    minimal, maximal : list of bool
        Whether each node belongs to it.

    Examples
    --------
    >>> from sugeno.solvers.flow import small_closures
    >>> small_closures([2, -2], [0], [1])
    ([False, False], [True, True])
    """
    flow = _Flow(weight, tails, heads)
    flow.saturate()
    # What the source still reaches, and what still reaches the sink.
    reached, reaching = flow.stuck, flow.reaching()
    nodes = range(len(weight))
    return [node in reached for node in nodes], [node not in reaching for node in nodes]


class _Flow:
    """A flow from the wanted to the unwanted nodes, and what they have left."""

    def __init__(self, weight: Sequence[int], tails: Sequence[int], heads: Sequence[int]) -> None:
        self.left = [abs(w) for w in weight]
        self.wanted = [node for node, w in enumerate(weight) if w > 0]
        self.unwanted = [node for node, w in enumerate(weight) if w < 0]
        self.above: list[list[int]] = [[] for _ in weight]
        self.below: list[list[int]] = [[] for _ in weight]
        #: What each unwanted node gets from each wanted one.
        self.sent: list[dict[int, int]] = [{} for _ in weight]
        #: Nodes from which no path leads to the sink any more: no later path can enter them.
        self.stuck: set[int] = set()
        left, above, below = self.left, self.above, self.below
        for tail, head in zip(tails, heads):
            above[tail].append(head)
            below[head].append(tail)
            # Most of a maximum flow is found by giving what there is.
            if left[tail] and left[head]:
                amount = min(left[tail], left[head])
                left[tail] -= amount
                left[head] -= amount
                self.sent[head][tail] = self.sent[head].get(tail, 0) + amount

    def saturate(self) -> None:
        """Send as much as possible."""
        for source in self.wanted:
            while self.left[source]:
                path = self._path(source)
                if path is None:
                    break
                self._send(path)

    def _path(self, source: int) -> list[int] | None:
        """Shortest path to a node with something left, as wanted, unwanted, wanted, …."""
        came = {source: -1}
        queue = [source]
        for node in queue:
            for head in self.above[node]:
                if head in came or head in self.stuck:
                    continue
                came[head] = node
                if self.left[head]:
                    return _walked(came, head)
                for giver in self.sent[head]:
                    if giver not in came:
                        came[giver] = head
                        queue.append(giver)
        self.stuck.update(came)
        return None

    def _send(self, path: list[int]) -> None:
        """Give along the path, and take back where it runs against the flow."""
        source, sink = path[0], path[-1]
        back = list(zip(path[1:-1:2], path[2::2]))
        amount = min(
            self.left[source], self.left[sink], *(self.sent[head][giver] for head, giver in back)
        )
        self.left[source] -= amount
        self.left[sink] -= amount
        for giver, head in zip(path[::2], path[1::2]):
            self.sent[head][giver] = self.sent[head].get(giver, 0) + amount
        for head, giver in back:
            self.sent[head][giver] -= amount
            if not self.sent[head][giver]:
                del self.sent[head][giver]

    def reaching(self) -> set[int]:
        """Nodes from which a path leads to an unwanted node with something left."""
        gets: dict[int, list[int]] = {}
        for head in self.unwanted:
            for giver in self.sent[head]:
                gets.setdefault(giver, []).append(head)
        queue = [node for node in self.unwanted if self.left[node]]
        found = set(queue)
        for head in queue:
            for tail in self.below[head]:
                if tail not in found:
                    found.add(tail)
                    new = [head for head in gets.get(tail, ()) if head not in found]
                    queue += new
                    found.update(new)
        return found


def _walked(came: dict[int, int], last: int) -> list[int]:
    """The path that led to a node."""
    path = [last]
    while (last := came[last]) >= 0:
        path.append(last)
    return path[::-1]


#: No phase sends more than this. An arc and its reverse together then never hold 2**31.
_MOST_PER_PHASE = 2**30 - 1
#: Graphs with at most so many arcs, from wanted to unwanted nodes, need no library.
_SMALL_GRAPH = 300
#: Networks with at most so many arcs are searched without building a graph.
_FEW_ARCS = 4000
#: Capacity of an arc that no flow can fill: more than all weights together.
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
                f"{_MOST_PER_PHASE} over {self.heads.size} arcs are possible. This version of "
                "scipy does not suit: use one that pyproject.toml names."
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
