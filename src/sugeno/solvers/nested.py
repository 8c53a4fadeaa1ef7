"""All class boundaries at once, exactly: one minimum cut for any loss (docs/ordinal.md).

Classes are ordered, and a class is the number of boundaries that a row passes. The families of
the boundaries are nested up-sets. What a row costs is a sum over the boundaries that it passes,
whatever the loss, so the cheapest nested families are a maximum closure: a node for each set and
boundary, arcs to the larger sets and to the boundary before. Where passing a boundary never gains
more than passing the one before it does, set by set, the boundaries need not know of each other:
their smallest (largest) optima are nested by themselves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import breadth_first_order

from sugeno._counts.loss import Loss
from sugeno._counts.patterns import Patterns
from sugeno._sets.chains import Chains
from sugeno._sets.masks import Masks, canonical_order, inclusion_pairs, is_subset, set_sizes
from sugeno.solvers.base import Solution
from sugeno.solvers.flow import optimal_closures
from sugeno.solvers.order import Arcs, cover_arcs, grid_arcs

__all__ = ["Boundaries", "nested_labels", "solve_nested"]

Ints = NDArray[np.int64]
Which = Literal["minimal", "maximal"]

#: Up to this many sets the cover relation is worked out set by set.
_FEW_SETS = 3000


@dataclass(frozen=True)
class Boundaries:
    """What it gains to let a set pass each boundary.

    Attributes
    ----------
    masks : ndarray of uint64 of shape (D, words)
        The distinct sets, in canonical order.
    gains : ndarray of int64 of shape (D, B)
        What is saved if the set passes the boundary.
    none : int
        The cost if nothing passes any boundary.
    chains : Chains
        The literals of each criterion.
    unit : float
        What 1 is worth to the user.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._counts.loss import Loss
    >>> from sugeno._counts.patterns import Patterns
    >>> from sugeno._sets.chains import Chains
    >>> from sugeno.solvers.nested import Boundaries, solve_nested
    >>> masks, weights = np.array([[1], [2], [3]], np.uint64), np.array([[1, 0, 3]] * 3)
    >>> patterns = Patterns(masks, weights, weights, Chains.single(2))
    >>> boundaries = Boundaries.of([patterns, patterns], Loss.of("absolute", 3))
    >>> solve_nested(boundaries).labels, solve_nested(boundaries).objective
    (array([2, 2, 2]), 6)
    """

    masks: Masks
    gains: Ints
    none: int
    chains: Chains
    unit: float = 1.0

    @classmethod
    def of(cls, patterns: Sequence[Patterns], loss: Loss) -> Boundaries:
        """Put together the patterns of each boundary; all are sets of the same literals."""
        first = patterns[0]
        masks, place = np.unique(
            np.concatenate([p.masks for p in patterns]), axis=0, return_inverse=True
        )
        gains = np.zeros((len(masks), len(patterns)), dtype=np.int64)
        ends = np.cumsum([len(p.masks) for p in patterns])[:-1]
        for b, (at, known) in enumerate(zip(np.split(place.ravel(), ends), patterns)):
            # The sets of a boundary are distinct: each place is written to once.
            gains[at, b] = loss.gains(known.lower, known.upper)[:, b]
        weights = first.lower.sum(axis=0)
        weights[0] = first.upper[:, 0].sum()
        order = canonical_order(masks)
        none = int(weights @ loss.matrix[:, 0])
        return cls(masks[order], gains[order], none, first.chains, first.unit * loss.unit)

    def at(self, boundary: int) -> Patterns:
        """One boundary as two classes: what it gains, and what it costs, to pass."""
        gains = self.gains[:, boundary]
        return Patterns.of_two_classes(
            self.masks, np.maximum(gains, 0), np.maximum(-gains, 0), self.chains, self.unit
        )

    def cost(self, labels: NDArray[np.intp]) -> int:
        """Cost of a labelling: the number of boundaries that each set passes."""
        passed = labels[:, None] > np.arange(self.gains.shape[1])
        return self.none - int(self.gains[passed].sum())


def solve_nested(
    boundaries: Boundaries, *, normalized: bool = True, which: Which = "minimal"
) -> Solution:
    """Find the nested families of least cost.

    Parameters
    ----------
    boundaries : Boundaries
        What it gains to pass.
    normalized : bool, default=True
        Whether μ([m]) = 1, so that a row that satisfies everything passes every boundary.
    which : {"minimal", "maximal"}, default="minimal"
        Optimal families form a lattice: let pass as little or as much as an optimum can.

    Returns
    -------
    Solution
        Optimal: ``bound == objective``. ``families`` is None, because sets that do not occur may
        still be labelled in several ways.

    Notes
    -----
    Polynomial: one maximum flow with a node per set and boundary; one per boundary, each with a
    node per set, where passing never gains more than passing the boundary before, as for convex
    losses on the same sets.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._sets.chains import Chains
    >>> from sugeno.solvers.nested import Boundaries, solve_nested
    >>> masks, gains = np.array([[1], [2]], np.uint64), np.array([[4, -1], [-2, 3]])
    >>> solve_nested(Boundaries(masks, gains, 10, Chains.single(2))).labels
    array([1, 2])
    """
    masks, n = boundaries.masks, boundaries.gains.shape[1]
    empty, full = set_sizes(masks) == 0, set_sizes(masks) == boundaries.chains.n_literals
    forced = empty | full if normalized else empty
    extra, arcs = _order(masks, boundaries.chains)
    gains = np.zeros((len(masks) + extra, n), dtype=np.int64)
    gains[: len(masks)] = np.where(forced[:, None], 0, boundaries.gains)
    labels = nested_labels(gains, arcs, which)[: len(masks)]
    labels[empty] = 0
    if normalized:
        labels[full] = n
    objective = boundaries.cost(labels)
    return Solution(labels, None, objective, float(objective))


def nested_labels(gains: Ints, arcs: Arcs, which: Which = "minimal") -> NDArray[np.intp]:
    """Return the smallest or largest monotone labels of least cost, over any order.

    Parameters
    ----------
    gains : ndarray of int64 of shape (N, B)
        What is saved if a node passes a boundary.
    arcs : tuple of ndarray
        Tails and heads: the label of a head is at least that of the tail.
    which : {"minimal", "maximal"}, default="minimal"
        Optimal labels form a lattice.

    Returns
    -------
    ndarray of intp of shape (N,)
        The number of boundaries that each node passes.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno.solvers.nested import nested_labels
    >>> gains = np.array([[3, 2], [-1, -1]])
    >>> nested_labels(gains, (np.array([0]), np.array([1])))
    array([2, 2])
    """
    n, n_boundaries = gains.shape
    if (np.diff(gains, axis=1) <= 0).all():
        passed = [_closure(gains[:, b], *arcs, which) for b in range(n_boundaries)]
        return np.asarray(np.sum(passed, axis=0), dtype=np.intp)
    # Node (b, i) has the number b·n + i; who passes a boundary passes the one before.
    shifts = n * np.arange(n_boundaries)
    later = np.arange(n, n * n_boundaries)
    tail, head = (np.add.outer(shifts, ends).ravel() for ends in arcs)
    tail, head = np.concatenate([tail, later]), np.concatenate([head, later - n])
    chosen = _closure(gains.T.ravel(), tail, head, which)
    return np.asarray(chosen.reshape(n_boundaries, n).sum(axis=0), dtype=np.intp)


def _closure(
    weight: Ints, tail: NDArray[np.intp], head: NDArray[np.intp], which: Which
) -> NDArray[np.bool_]:
    """Smallest or largest optimal closure; only nodes that pull both ways enter the cut."""
    wanted = _reached(weight > 0, tail, head)
    feared = _reached(weight < 0, head, tail)
    disputed = wanted & feared
    chosen = weight > 0
    if disputed.any():
        number = np.cumsum(disputed) - 1
        inside = disputed[tail] & disputed[head]
        arcs = number[tail[inside]], number[head[inside]]
        found = optimal_closures(weight[disputed], *arcs)
        chosen[disputed] = found.minimal if which == "minimal" else found.maximal
    # Nodes without weight join the smallest closure if they must, the largest if they can.
    if which == "minimal":
        return _reached(chosen, tail, head)
    return ~_reached(~chosen & (disputed | (weight < 0)), head, tail)


def _reached(
    start: NDArray[np.bool_], tail: NDArray[np.intp], head: NDArray[np.intp]
) -> NDArray[np.bool_]:
    """Mark the nodes that paths from the given ones lead to, themselves included."""
    n, sources = start.size, np.flatnonzero(start)
    tails = np.concatenate([tail, np.full(sources.size, n)])
    heads = np.concatenate([head, sources])
    graph = csr_array((np.ones(tails.size, np.int8), (tails, heads)), shape=(n + 1, n + 1))
    found = np.zeros(n + 1, dtype=np.bool_)
    found[breadth_first_order(graph, n, return_predecessors=False)] = True
    return found[:n]


def _order(masks: Masks, chains: Chains) -> tuple[int, Arcs]:
    """Arcs that represent inclusion, and how many sets of the table they lead through."""
    if len(masks) <= _FEW_SETS:
        return 0, cover_arcs(len(masks), lambda i: is_subset(masks[i : i + 1], masks)[0])
    if chains.is_small:
        number = np.full(chains.n_cells, -1, dtype=np.intp)
        number[chains.cells_of(masks)] = np.arange(len(masks))
        others = np.flatnonzero(number < 0)
        number[others] = len(masks) + np.arange(others.size)
        return others.size, grid_arcs(number, chains)
    tail, head = inclusion_pairs(masks, masks)
    proper = tail != head
    return 0, (tail[proper], head[proper])
