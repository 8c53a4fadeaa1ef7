"""Optimal closures of small bipartite graphs, in plain Python.

Between sets that are wanted and sets that are not, a maximum flow is an assignment of what is
unwanted to what is wanted. With a few hundred arcs it is found by augmenting paths before a
library has built its matrices, and integers of any size are exact.
"""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["small_closures"]


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
    >>> from sugeno.solvers.small_flow import small_closures
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
