"""The best k-maxitive capacity: few criteria per rule, with a proof of how good it is.

Boundary sets have at most k literals. Finding the best family of such sets is hard already for
k = 1 (docs/theory.md, 3), but real tables have few patterns: a local search over all candidate
sets finds a very good family, the unrestricted optimum and a tight mixed-integer program bound
what any family can reach.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from sugeno._counts.patterns import Patterns
from sugeno._sets.chains import Chains, count_small_sets, spread_up
from sugeno._sets.masks import Masks, contains_any, minimal, pack, unpack
from sugeno._threads import one_thread
from sugeno.solvers.base import Request, Solution, Solver, is_forced
from sugeno.solvers.budget import Budget
from sugeno.solvers.closure import solve_closure
from sugeno.solvers.maxitive.candidates import (
    MOST_CELLS,
    Candidates,
    all_candidates,
    explore_candidates,
    undominated,
    worth_trying,
)
from sugeno.solvers.maxitive.proof import LatticeProgram, Proof
from sugeno.solvers.maxitive.search import Search

#: A program with more cells than this is not built: its relaxation alone would take minutes.
_PROGRAM_CELLS = 3_000_000
#: Nor one with more patterns: their order alone is a table of all pairs.
_PROGRAM_PATTERNS = 4000
#: Prices are read as fractions with denominators up to this.
_LARGEST_DENOMINATOR = 10_000
#: Numbers that differ by less than this, relatively, are the same but for rounding.
_ROUNDING = 1e-9


def solve_maxitive(
    patterns: Patterns,
    k: int,
    *,
    normalized: bool = True,
    time_limit: float | Budget | None = None,
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
    time_limit : float, Budget or None, default=None
        Seconds, or a budget that runs already. 0 leaves the program out. The search tree is
        limited too, up to the default limit and with None, so that as a rule the result does not
        depend on the machine.
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
    budget = Budget.of(time_limit)
    free_optimum = solve_closure(patterns, normalized=normalized)
    candidates = _candidates(task, budget)
    cost = price.of(patterns.chains.count_criteria(candidates.masks))
    value = task.net.astype(np.float64)
    search = Search(candidates.covers, value, cost, task.least, task.most)
    ceiling = float(task.base - free_optimum.objective)
    views = _views(value, free_optimum.accepted[task.relevant])
    with one_thread():
        family = search.run(views, ceiling, budget.rounds, budget.search_is_over)
    worth, bound = search.worth(family), ceiling
    if worth < bound and candidates.complete and not budget.is_over():
        step = price.step(value)
        proof = _prove(task, candidates, cost, worth, step, budget)
        bound = min(bound, price.settled(proof.bound, worth, step))
        if proof.family is not None:
            family = proof.family
    return _finish(task, price, candidates.masks[family], bound)


def _prove(
    task: _Task,
    candidates: Candidates,
    cost: NDArray[np.float64],
    worth: float,
    step: float,
    budget: Budget,
) -> Proof:
    """Ask the lattice program over the candidates and patterns that a better family may need."""
    value = task.net.astype(np.float64)
    kept = worth_trying(candidates.covers, value, worth + step)
    kept = kept[undominated(candidates.covers[kept], value, cost[kept])]
    used = np.flatnonzero(candidates.covers[kept].any(axis=0))
    covers = candidates.covers[np.ix_(kept, used)]
    if not covers.size:
        return Proof(None, worth)
    if covers.size > _PROGRAM_CELLS or used.size > _PROGRAM_PATTERNS or budget.is_over():
        return Proof(None, math.inf)
    program = LatticeProgram(
        covers, task.masks[used], value[used], cost[kept], task.least, task.most
    )
    proof = program.prove(worth, step, budget)
    return proof if proof.family is None else Proof(kept[proof.family], proof.bound)


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

    @property
    def denominator(self) -> int | None:
        """All prices are whole multiples of one over this; None if it would be too large."""
        parts = [Fraction(x).limit_denominator(_LARGEST_DENOMINATOR) for x in self._prices]
        if any(abs(part - Fraction(x)) > 1e-12 for part, x in zip(parts, self._prices)):
            return None
        return math.lcm(*(part.denominator for part in parts))

    @property
    def _prices(self) -> tuple[float, float]:
        return self.rule, self.literal

    def step(self, value: NDArray[np.float64]) -> float:
        """Smallest difference of two worths, if the program can resolve it."""
        total = float(np.abs(value).sum())
        smallest = _ROUNDING * total if self.denominator is None else 1.0 / self.denominator
        return max(smallest, 1e-7 * total)

    def settled(self, bound: float, known: float, step: float) -> float:
        """Turn a bound of the program into one that holds for every family.

        A family that is better at all is better by at least one over the denominator: up to that
        the bound can be rounded down, and beyond it the program saw no more than its step.
        """
        if math.isinf(bound):
            return bound
        whole = self.denominator
        if whole is None:
            return bound + step
        # Counted from a worth that occurs, so that rounding errors of the prices do not matter.
        rounding = 1e-6 * (1.0 + abs(bound))
        rounded = known + math.floor((bound - known + rounding) * whole) / whole
        return rounded + (step - 1.0 / whole)


def _candidates(task: _Task, budget: Budget) -> Candidates:
    chains, patterns = task.patterns.chains, max(1, task.relevant.size)
    if count_small_sets(chains, task.k) * patterns <= MOST_CELLS:
        return all_candidates(task.masks, task.net, chains, task.k)
    most = min(4000, max(100, MOST_CELLS // (3 * patterns)))
    return explore_candidates(
        task.masks, task.net, chains, task.k, most=most, out_of_time=budget.search_is_over
    )


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
    if not price.free and objective - bound <= _ROUNDING * objective:
        bound = objective  # the sums of the prices differ in their last bits only
    return Solution.of_two_classes(accepted, boundary, objective, float(bound))


def _answer(request: Request) -> Solution:
    return solve_maxitive(
        request.patterns,
        request.k,
        normalized=request.normalized,
        time_limit=request.budget,
        max_rules=request.max_rules,
        rule_cost=request.rule_cost,
        literal_cost=request.literal_cost,
    )


MAXITIVE = Solver(
    "local search with a mixed-integer program",
    _answer,
    frozenset({"k", "margin", "max_rules", "rule_cost", "literal_cost"}),
)
