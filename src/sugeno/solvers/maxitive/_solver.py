"""The best k-maxitive capacity: few criteria per rule, with a proof of how good it is.

Boundary sets have at most k literals. Finding the best family of such sets is hard already for
k = 1 (docs/theory.md, 3), but real tables have few patterns: a local search over all candidate
sets finds a very good family, the unrestricted optimum and a tight mixed-integer program bound
what any family can reach.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sugeno._counts.patterns import Patterns
from sugeno._sets.chains import Chains, spread_up
from sugeno._sets.masks import Masks, contains_any, minimal, pack, unpack
from sugeno._sets.subsets import count_small_sets
from sugeno.solvers.base import Solution, is_forced
from sugeno.solvers.closure import solve_closure
from sugeno.solvers.maxitive.candidates import (
    MOST_CELLS,
    Candidates,
    all_candidates,
    explore_candidates,
)
from sugeno.solvers.maxitive.proof import LatticeProgram, deadline_of
from sugeno.solvers.maxitive.search import Search

__all__ = ["solve_maxitive"]

#: How often the local search shakes its best family.
_ROUNDS = 40
#: The local search may take this many seconds even if the time limit is shorter.
_SEARCH_TIME = 0.5
#: A program with more cells than this is not built: its relaxation alone would take minutes.
_PROGRAM_CELLS = 3_000_000
#: Without a time limit, the search tree may have this many nodes.
_NODES = 500


def solve_maxitive(
    patterns: Patterns,
    k: int,
    *,
    normalized: bool = True,
    time_limit: float | None = None,
    max_rules: int | None = None,
    rule_cost: float = 0.0,
    literal_cost: float = 0.0,
) -> Solution:
    """Find a k-maxitive capacity with few weighted errors, and a bound on the fewest.

    Every set of at most k literals is a candidate rule. Greedy families, improved by swaps, give
    a first solution; the optimum without the restriction to k gives a first bound. If the two
    differ, the lattice program closes the gap, as far as the limits allow.

    Parameters
    ----------
    patterns : Patterns
        Observed patterns with class weights.
    k : int
        Largest size of a boundary set.
    normalized : bool, default=True
        Whether μ([m]) = 1: there is at least one rule, and a row that satisfies everything is
        accepted.
    time_limit : float or None, default=None
        Seconds. 0 leaves the program out. None limits the search tree instead of the time, so
        that the result does not depend on the machine.
    max_rules : int or None, default=None
        Largest number of boundary sets.
    rule_cost, literal_cost : float, default=0
        Price of a rule and of each of its literals, in units of sample weight.

    Returns
    -------
    Solution
        The objective is the weight of the errors plus the price of the rules.

    Notes
    -----
    k = 1 with at most 2**20 possible patterns is solved exactly by one transform over them.
    Otherwise the search costs a few products of a K × D table, K candidates and D patterns; the
    program is exponential in the worst case.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._counts.patterns import Patterns
    >>> from sugeno._sets.chains import Chains
    >>> from sugeno.solvers.maxitive._solver import solve_maxitive
    >>> masks = np.array([[1], [2], [3]], dtype=np.uint64)
    >>> p = Patterns.of_two_classes(
    ...     masks, np.array([5, 0, 1]), np.array([1, 4, 0]), Chains.single(2)
    ... )
    >>> found = solve_maxitive(p, 1)
    >>> found.boundary_sets.ravel().tolist(), found.objective, found.gap
    ([1], 1, 0.0)
    """
    task = _Task.of(patterns, min(k, patterns.chains.n_criteria), normalized, max_rules)
    price = _Price(rule_cost / patterns.unit, literal_cost / patterns.unit)
    if task.k == 1 and patterns.chains.is_small:
        return _finish(task, price, _best_singletons(task, price), None)
    deadline, _ = deadline_of(time_limit)
    _, search_is_over = deadline_of(None if time_limit is None else max(time_limit, _SEARCH_TIME))
    free_optimum = solve_closure(patterns, normalized=normalized)
    candidates = _candidates(task)
    cost = price.of(patterns.chains.count_criteria(candidates.masks))
    value = task.net.astype(np.float64)
    search = Search(candidates.covers.astype(np.float64), value, cost, task.least, task.most)
    ceiling = float(task.base - free_optimum.objective)
    views = _views(value, free_optimum.accepted[task.relevant])
    family = search.run(views, ceiling, _ROUNDS, search_is_over)
    worth, bound = search.worth(family), ceiling
    small = candidates.complete and candidates.covers.size <= _PROGRAM_CELLS
    if worth < bound and small and time_limit != 0:
        step = price.step(value)
        program = LatticeProgram(candidates.covers, task.masks, value, cost, task.least, task.most)
        nodes = _NODES if time_limit is None else None
        proof = program.prove(worth, step, deadline, nodes)
        bound = min(bound, price.settled(proof.bound, step))
        if proof.family is not None:
            family = proof.family
    return _finish(task, price, candidates.masks[family], bound)


@dataclass(frozen=True)
class _Task:
    """The patterns whose label is open and matters, and the limits on the family."""

    patterns: Patterns
    k: int
    normalized: bool
    relevant: NDArray[np.intp]
    least: int
    most: int

    @classmethod
    def of(cls, patterns: Patterns, k: int, normalized: bool, max_rules: int | None) -> _Task:
        matters = (patterns.net != 0) & ~is_forced(patterns, normalized)
        most = np.iinfo(np.intp).max if max_rules is None else max_rules
        return cls(patterns, k, normalized, np.flatnonzero(matters), int(normalized), most)

    @property
    def masks(self) -> Masks:
        return self.patterns.masks[self.relevant]

    @property
    def net(self) -> NDArray[np.int64]:
        return self.patterns.net[self.relevant]

    @property
    def base(self) -> int:
        """Errors when nothing is accepted but what must be."""
        return self.patterns.errors(self.patterns.is_full_set & self.normalized)


@dataclass(frozen=True)
class _Price:
    """What rules cost, in integer units of weight."""

    rule: float
    literal: float

    def of(self, sizes: NDArray[np.intp]) -> NDArray[np.float64]:
        return self.rule + self.literal * sizes.astype(np.float64)

    @property
    def free(self) -> bool:
        return self.rule == 0 and self.literal == 0

    def step(self, value: NDArray[np.float64]) -> float:
        """Smallest improvement of interest: one unit, if the program can resolve it."""
        resolution = 1e-7 * float(np.abs(value).sum())
        return max(1.0, resolution) if self.free else max(1e-9, resolution)

    def settled(self, bound: float, step: float) -> float:
        """Turn a bound of the program into one that holds; without costs worth is an integer."""
        if not self.free:
            return bound + step
        return math.floor(bound + 1e-6 * (1.0 + abs(bound))) + (step - 1.0)


def _candidates(task: _Task) -> Candidates:
    chains = task.patterns.chains
    cells = count_small_sets(chains, task.k) * max(1, task.relevant.size)
    if cells <= MOST_CELLS:
        return all_candidates(task.masks, task.net, chains, task.k)
    most = max(100, MOST_CELLS // (10 * max(1, task.relevant.size)))
    return explore_candidates(task.masks, task.net, chains, task.k, most=min(most, 4000))


def _views(value: NDArray[np.float64], accepted: NDArray[np.bool_]) -> list[NDArray[np.float64]]:
    """Pattern values as the unrestricted optimum sees them, from which to start a family.

    In the first, nothing that it rejects may be covered: if small sets suffice for that, its
    worth is reached. In the second, only the patterns that it gives up do not count.
    """
    faithful = np.where(accepted, np.maximum(value, 0.0), -np.abs(value).sum())
    lenient = np.where((value > 0) == accepted, value, 0.0)
    return [faithful, lenient]


def _best_singletons(task: _Task, price: _Price) -> Masks:
    """Best family of single literals, exactly.

    A family asks for a level on some criteria; it rejects what stays below all of them, and that
    is what lies inside one pattern. One transform sums the net weight inside every pattern, so
    all families are priced at once: cell c, with c_j levels reached, is the family that asks
    criterion j for level c_j + 1, or for nothing if there is none.
    """
    chains = task.patterns.chains
    inside = np.zeros(chains.n_cells, dtype=np.int64)
    inside[chains.cells_of(task.masks)] = task.net
    lost: NDArray[np.float64] | NDArray[np.int64] = spread_up(inside, chains, np.add)
    rules = np.zeros(chains.n_cells, dtype=np.intp)
    for view in chains.along(rules):
        view[:, :-1] += 1
    if not price.free:
        lost = lost + (price.rule + price.literal) * rules
    allowed = np.flatnonzero((rules >= task.least) & (rules <= task.most))
    # The last of equal families asks for the least of the first criteria.
    order = np.lexsort((-allowed, rules[allowed], lost[allowed]))
    inside_best = unpack(chains.masks_of(allowed[order[:1]]), chains.n_literals)[0]
    return _next_levels(inside_best, chains)


def _next_levels(reached: NDArray[np.bool_], chains: Chains) -> Masks:
    """First level of each criterion that a pattern does not reach, as closed sets."""
    missing = np.flatnonzero(~reached)
    first = np.unique(chains.criteria[missing], return_index=True)[1]
    bits = np.zeros((first.size, chains.n_literals), dtype=np.bool_)
    bits[np.arange(first.size), missing[first]] = True
    return chains.closed(pack(bits))


def _finish(task: _Task, price: _Price, sets: Masks, worth_bound: float | None) -> Solution:
    """Make the family an antichain and count its errors exactly. No bound: it is optimal."""
    boundary = minimal(sets)
    accepted = contains_any(task.patterns.masks, boundary)
    objective: float = task.patterns.errors(accepted)
    if not price.free:
        objective += float(price.of(task.patterns.chains.count_criteria(boundary)).sum())
    bound = objective if worth_bound is None else min(objective, task.base - worth_bound)
    return Solution.of_two_classes(accepted, boundary, objective, float(bound))
