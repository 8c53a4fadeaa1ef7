"""The best unrestricted capacity, exactly: a minimum cut over the patterns that occur.

With utilities and threshold fixed, a classifier is an up-set of patterns, and the weight of its
errors is a sum over patterns. The best up-set is a maximum closure of the inclusion order. Only
patterns that conflict (more positive weight below, more negative weight above) matter; the rest
follow their majority.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from sugeno._counts.patterns import Patterns
from sugeno._counts.weights import EXACT_FLOAT
from sugeno._sets.bit_tables import up_set
from sugeno._sets.chains import Chains, spread_down
from sugeno._sets.masks import Masks, contains_any, inclusion_blocks, inclusion_pairs, is_subset
from sugeno.solvers.base import Request, Solution, Solver, is_forced
from sugeno.solvers.flow import optimal_closures
from sugeno.solvers.order import Arcs, cover_arcs, grid_arcs

__all__ = ["CLOSURE", "optimal_labels", "solve_closure"]

#: So many pairs are compared without asking whether a smaller network exists.
_FEW_PAIRS = 1 << 18
#: So often settled conflicts may settle others.
_SETTLING_ROUNDS = 2
#: Above so many bipartite arcs the cover relation is worth computing ...
_MANY_ARCS = 1 << 20
#: ... if its table of all pairs, one bit each, stays small. Otherwise conflicts are added ...
_BITSET_NODES = 30_000
#: ... so many of each set at a time.
_CONFLICTS_OF_A_SET = 2


def solve_closure(
    patterns: Patterns,
    *,
    normalized: bool = True,
    which: Literal["minimal", "maximal"] = "minimal",
) -> Solution:
    """Find the capacity with the fewest weighted errors (program (7), k = m, solved exactly).

    By section 2 of docs/theory.md the linear program (7) has the value
    ``2ρ·C* + forced terms``, with C* the cost of an optimal closure of the inclusion order on
    the observed patterns; for ρ → 0 that cost is the number of training errors.

    Parameters
    ----------
    patterns : Patterns
        Observed patterns with class weights.
    normalized : bool, default=True
        Whether μ([m]) = 1, so that a row that satisfies everything is accepted.
    which : {"minimal", "maximal"}, default="minimal"
        Optimal families form a lattice: accept as little or as much as an optimum can.

    Returns
    -------
    Solution
        Optimal: ``bound == objective``. ``boundary_sets`` is None, because patterns that do not
        occur may still be labelled either way.

    Notes
    -----
    Polynomial: one maximum flow on at most as many nodes as there are distinct patterns.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._counts.patterns import Patterns
    >>> from sugeno._sets.chains import Chains
    >>> from sugeno.solvers.closure import solve_closure
    >>> masks = np.array([[1], [2], [3]], dtype=np.uint64)
    >>> p = Patterns.of_two_classes(
    ...     masks, np.array([5, 0, 1]), np.array([1, 4, 0]), Chains.single(2)
    ... )
    >>> solve_closure(p).accepted, solve_closure(p).objective
    (array([ True, False,  True]), 1)
    """
    forced = is_forced(patterns, normalized)
    net = np.where(forced, 0, patterns.net)
    accepted = optimal_labels(patterns.masks, net, patterns.chains, which)
    accepted = (accepted & ~patterns.is_empty_set) | (patterns.is_full_set & normalized)
    objective = patterns.errors(accepted)
    return Solution.of_two_classes(accepted, None, objective, float(objective))


def optimal_labels(
    masks: Masks,
    net: NDArray[np.int64],
    chains: Chains,
    which: Literal["minimal", "maximal"] = "minimal",
) -> NDArray[np.bool_]:
    """Return the smallest or the largest optimal up-set of the given sets.

    Parameters
    ----------
    masks : ndarray of uint64 of shape (D, words)
        Distinct sets.
    net : ndarray of int64 of shape (D,)
        What it is worth to have a set in the up-set.
    chains : Chains
        The literals of each criterion.
    which : {"minimal", "maximal"}, default="minimal"
        Up-sets of largest worth lie between these two.

    Returns
    -------
    ndarray of bool of shape (D,)
        Whether each set belongs to the up-set.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._sets.chains import Chains
    >>> from sugeno.solvers.closure import optimal_labels
    >>> masks, net, two = np.array([[1], [3]], np.uint64), np.array([2, -2]), Chains.single(2)
    >>> optimal_labels(masks, net, two), optimal_labels(masks, net, two, "maximal")
    (array([False, False]), array([ True,  True]))
    """
    if _has_many_conflicts(masks, net, chains):
        labels = _by_broken_conflicts(masks, net, which)
    else:
        labels = net > 0
        network = _network(masks, net, labels, chains)
        if network is not None:
            nodes, extra, arcs = network
            weight = np.zeros(nodes.size + extra, dtype=np.int64)
            weight[: nodes.size] = net[nodes]
            labels[nodes] = _closure(weight, arcs, which)[: nodes.size]
    # Sets without net weight join the smallest up-set if they must, the largest if they can.
    idle = np.flatnonzero(net == 0)
    if idle.size and which == "minimal":
        labels[idle] = contains_any(masks[idle], masks[labels])
    elif idle.size:
        labels[idle] = ~contains_any(~masks[idle], ~masks[(net != 0) & ~labels])
    return labels


def _closure(weight: NDArray[np.int64], arcs: Arcs, which: str) -> NDArray[np.bool_]:
    found = optimal_closures(weight, *arcs)
    return found.minimal if which == "minimal" else found.maximal


def _has_many_conflicts(masks: Masks, net: NDArray[np.int64], chains: Chains) -> bool:
    """Whether conflicts are too many to be listed, and sets too many for their cover relation."""
    wanted, unwanted = np.flatnonzero(net > 0), np.flatnonzero(net < 0)
    if wanted.size + unwanted.size <= _BITSET_NODES or chains.is_small:
        return False
    return _conflicts(masks, wanted, unwanted) > _MANY_ARCS


def _by_broken_conflicts(masks: Masks, net: NDArray[np.int64], which: str) -> NDArray[np.bool_]:
    """Find an optimal up-set with few of the conflicts: those that it breaks are added.

    Fewer conflicts allow for more, so that what breaks none of the others is optimal. All optimal
    up-sets are optimal with the fewer conflicts too: the smallest there is the smallest of all,
    and the largest the largest.
    """
    wanted, unwanted = np.flatnonzero(net > 0), np.flatnonzero(net < 0)
    arcs = _some_conflicts(masks, wanted, unwanted)
    while True:
        labels = _closure(net, arcs, which)
        broken = _some_conflicts(masks, wanted[labels[wanted]], unwanted[~labels[unwanted]])
        if not broken[0].size:
            return labels
        arcs = np.concatenate([arcs[0], broken[0]]), np.concatenate([arcs[1], broken[1]])


def _some_conflicts(masks: Masks, wanted: NDArray[np.intp], unwanted: NDArray[np.intp]) -> Arcs:
    """Conflicts of these sets, of each of them a few."""
    known = np.zeros((2, len(masks)), dtype=np.int32)
    found = [(wanted[:0], unwanted[:0])]
    for i, j in inclusion_blocks(masks[wanted], masks[unwanted]):
        tail, head = wanted[i], unwanted[j]
        few = known[0, tail] + _occurrence(tail) < _CONFLICTS_OF_A_SET
        few |= known[1, head] + _occurrence(head) < _CONFLICTS_OF_A_SET
        tail, head = tail[few], head[few]
        np.add.at(known[0], tail, 1)
        np.add.at(known[1], head, 1)
        found.append((tail, head))
    tails, heads = zip(*found)
    return np.concatenate(tails), np.concatenate(heads)


def _occurrence(numbers: NDArray[np.intp]) -> NDArray[np.intp]:
    """How often each number has occurred before."""
    order = np.argsort(numbers, kind="stable")
    ordered = numbers[order]
    starts = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1])[: ordered.size])
    sizes = np.diff(starts, append=numbers.size)
    before = np.empty_like(order)
    before[order] = np.arange(numbers.size) - np.repeat(starts, sizes)
    return before


def _network(
    masks: Masks, net: NDArray[np.int64], labels: NDArray[np.bool_], chains: Chains
) -> tuple[NDArray[np.intp], int, Arcs] | None:
    """Choose the smallest network that represents all conflicts; None if there is none."""
    wanted, unwanted = np.flatnonzero(labels), np.flatnonzero(net < 0)
    if wanted.size * unwanted.size <= _FEW_PAIRS:
        return _bipartite(masks, net, labels, wanted, unwanted)
    if chains.is_small:
        grid = _grid(masks, wanted, unwanted, chains)
        return grid or _bipartite(masks, net, labels, wanted, unwanted)
    nodes = np.sort(np.concatenate([wanted, unwanted]))
    if nodes.size <= _BITSET_NODES and _conflicts(masks, wanted, unwanted) > _MANY_ARCS:
        return nodes, 0, _covers(masks[nodes])
    return _bipartite(masks, net, labels, wanted, unwanted)


def _conflicts(masks: Masks, wanted: NDArray[np.intp], unwanted: NDArray[np.intp]) -> float:
    """About how many conflicts there are, by a sample of the wanted sets."""
    sample = wanted[:: max(1, wanted.size // 64)]
    inside = is_subset(masks[sample], masks[unwanted])
    return float(inside.mean() if inside.size else 0.0) * wanted.size * unwanted.size


def _bipartite(
    masks: Masks,
    net: NDArray[np.int64],
    labels: NDArray[np.bool_],
    wanted: NDArray[np.intp],
    unwanted: NDArray[np.intp],
) -> tuple[NDArray[np.intp], int, Arcs] | None:
    """One arc for each conflict that is left: a wanted set inside an unwanted one."""
    i, j = inclusion_pairs(masks[wanted], masks[unwanted])
    tail, head = _settle(net, labels, wanted[i], unwanted[j])
    if tail.size == 0:
        return None
    number = np.zeros(len(masks), dtype=np.intp)
    number[tail] = number[head] = 1
    nodes = np.flatnonzero(number)
    number[nodes] = np.arange(nodes.size)
    return nodes, 0, (number[tail], number[head])


def _settle(
    net: NDArray[np.int64],
    labels: NDArray[np.bool_],
    tail: NDArray[np.intp],
    head: NDArray[np.intp],
) -> Arcs:
    """Label the sets that outweigh all they conflict with, and return the conflicts left.

    A wanted set that is worth more than all unwanted sets above it together belongs to every
    optimal up-set, and so do these; dually an unwanted set takes the wanted ones below with it.
    """
    worth = np.abs(net).astype(np.float64)
    if worth.sum() >= EXACT_FLOAT:
        return tail, head
    for _ in range(_SETTLING_ROUNDS):
        above = np.bincount(tail, weights=worth[head], minlength=net.size)
        below = np.bincount(head, weights=worth[tail], minlength=net.size)
        taken, left = (worth > above)[tail], (worth > below)[head]
        if not (taken.any() or left.any()):
            break
        labels[head[taken]] = True
        labels[tail[left]] = False
        settled = np.zeros(net.size, dtype=np.bool_)
        for ends in (tail, head):
            settled[ends[taken]] = settled[ends[left]] = True
        open_arcs = ~(settled[tail] | settled[head])
        tail, head = tail[open_arcs], head[open_arcs]
    return tail, head


def _grid(
    masks: Masks, wanted: NDArray[np.intp], unwanted: NDArray[np.intp], chains: Chains
) -> tuple[NDArray[np.intp], int, Arcs] | None:
    """Steps of one level through all sets between a wanted and an unwanted one, if few.

    Sets that are not observed carry no weight; they only pass the order on. This needs at most
    one arc per criterion and cell of the table however many patterns there are: m · 2**(m-1) in
    the paper's model.
    """
    cells = chains.cells_of(masks)
    above = np.zeros(chains.n_cells, dtype=np.int32)
    above[cells[unwanted]] = 1
    conflicts = int(spread_down(above, chains, np.add)[cells[wanted]].sum(dtype=np.int64))
    between = up_set(masks[wanted], chains) & (above > 0)
    if conflicts < chains.n_criteria * np.count_nonzero(between) // 2:
        return None
    weighted = np.concatenate([wanted, unwanted])
    nodes = np.sort(weighted[between[cells[weighted]]])
    number = np.full(chains.n_cells, -1, dtype=np.intp)
    number[cells[nodes]] = np.arange(nodes.size)
    steiner = np.flatnonzero(between & (number < 0))
    number[steiner] = nodes.size + np.arange(steiner.size)
    return nodes, steiner.size, grid_arcs(number, chains)


def _covers(masks: Masks) -> Arcs:
    """Cover relation of distinct sets in canonical order."""
    return cover_arcs(len(masks), lambda node: is_subset(masks[node : node + 1], masks)[0])


def _answer(request: Request) -> Solution:
    # Of all optima the most generous one did best on held-out data (docs/benchmarks.md).
    return solve_closure(request.patterns, normalized=request.normalized, which="maximal")


#: With k = m a row has one k-subset, itself: all subsets are that one.
CLOSURE = Solver(
    "a minimum cut over the patterns",
    _answer,
    frozenset({"margin", "extension", "subsets='all'"}),
)
