"""The paper's linear program (7), for fidelity and as an oracle for the exact solvers.

Its variables are the values c_A of the capacity, for the sets A of at most k criteria, and one
slack per distinct constraint. The constraints say that c is monotone, that a positive row with
pattern P reaches β + ρ on P, and that a negative row with pattern N stays at or below β − ρ on N,
each up to its slack. Weights stand at the slacks.

Which sets there are, and which of them contain which, depends on the number of criteria and on k
only: these variables are kept from one program to the next.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.optimize import linprog
from sklearn.utils import check_random_state

from sugeno._counts.patterns import Patterns
from sugeno._counts.weights import RowWeights
from sugeno._sets.chains import Chains, count_subsets
from sugeno._sets.masks import Masks, contains_any, inclusion_pairs, pack, unpack
from sugeno.solvers.base import Solution, forced_errors, is_forced

__all__ = [
    "MAX_VARIABLES",
    "LPSolution",
    "ObservedVariables",
    "SubsetWeights",
    "Variables",
    "observed_variables",
    "solve_lp",
    "top_subsets",
    "variables_of",
]


@dataclass(frozen=True)
class Variables:
    """One variable per set of 1 to k of m criteria, in canonical order.

    Attributes
    ----------
    m, k : int
        Number of criteria, and of those in the largest set.
    bits : ndarray of bool of shape (V, m)
        The sets.
    smaller, larger : ndarray of intp
        For each set of two or more criteria and each member: the set without it, the set itself.
    offsets : ndarray of intp
        Number of variables for sets of fewer than s criteria.
    binomials : ndarray of intp
        ``binomials[j, s]`` is C(j, s).

    Examples
    --------
    >>> from sugeno.solvers.program import variables_of
    >>> variables_of(3, 2).bits.astype(int).tolist()
    [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0], [1, 0, 1], [0, 1, 1]]
    """

    m: int
    k: int
    bits: Bits
    smaller: Indices
    larger: Indices
    offsets: Indices
    binomials: Indices

    def number(self, sets: Bits) -> Indices:
        """Return the variable of each set: its rank in the combinatorial number system."""
        position = np.cumsum(sets, axis=1)
        terms = np.where(sets, self.binomials[np.arange(self.m), position], 0)
        result: Indices = self.offsets[position[:, -1]] + terms.sum(axis=1)
        return result

    def k_subsets(self, sets: Bits) -> Bits:
        """Tell which sets contain which sets of exactly k criteria: shape (sets, C(m, k))."""
        largest = self.bits[self.offsets[self.k] :]
        contained: Bits = (~sets).astype(np.float32) @ largest.T.astype(np.float32) == 0
        return contained

    def monotone(self, c: Floats) -> Floats:
        """Raise, in place, each value to the largest one of a subset."""
        starts = np.searchsorted(self.larger, self.offsets)
        for size in range(2, self.k + 1):
            rows = slice(starts[size], starts[size + 1])
            np.maximum.at(c, self.larger[rows], c[self.smaller[rows]])
        return c


@lru_cache(maxsize=64)
def variables_of(m: int, k: int) -> Variables:
    """Return the variables for sets of at most k of m criteria; they are kept for the next call.

    Examples
    --------
    >>> from sugeno.solvers.program import variables_of
    >>> len(variables_of(4, 4).bits)
    15
    """
    binomials = np.array([[comb(j, s) for s in range(k + 1)] for j in range(m)], dtype=np.intp)
    sizes = [comb(m, s) for s in range(1, k + 1)]
    offsets = np.concatenate([[0, 0], np.cumsum(sizes)]).astype(np.intp)
    bits = np.zeros((sum(sizes), m), dtype=np.bool_)
    none = np.empty(0, dtype=np.intp)
    unordered = Variables(m, k, bits, none, none, offsets, binomials)
    for s in range(1, k + 1):
        members = np.zeros((sizes[s - 1], m), dtype=np.bool_)
        np.put_along_axis(members, np.array(list(combinations(range(m), s))), True, axis=1)
        bits[unordered.number(members)] = members
    larger, dropped = np.nonzero(bits & (bits.sum(axis=1) > 1)[:, None])
    without = bits[larger]
    without[np.arange(dropped.size), dropped] = False
    return Variables(m, k, bits, unordered.number(without), larger, offsets, binomials)


@dataclass(frozen=True)
class ObservedVariables(Variables):
    """One variable per set that occurs, for more criteria than 2^m allows.

    A set that does not occur costs nothing, and a monotone function on those that do extends to
    all sets; so the optimum is the same (docs/theory.md, 2).

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno.solvers.program import observed_variables
    >>> observed_variables(np.array([[1], [7]], np.uint64), 3).larger
    array([1])
    """

    def number(self, sets: Bits) -> Indices:
        """Return the variable of each set; it must occur."""
        places = {row.tobytes(): i for i, row in enumerate(self.bits)}
        return np.array([places[row.tobytes()] for row in sets], dtype=np.intp)

    def monotone(self, c: Floats) -> Floats:
        """Raise, in place, each value to the largest one of a subset: all pairs are listed."""
        np.maximum.at(c, self.larger, c[self.smaller].copy())
        return c


def observed_variables(masks: Masks, m: int) -> ObservedVariables:
    """Return one variable for each of the given sets.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno.solvers.program import observed_variables
    >>> observed_variables(np.array([[1], [7]], np.uint64), 3).bits.sum(axis=1)
    array([1, 3])
    """
    smaller, larger = inclusion_pairs(masks, masks)
    proper = smaller != larger
    none = np.zeros(m + 2, dtype=np.intp)
    return ObservedVariables(m, m, unpack(masks, m), smaller[proper], larger[proper], none, none)


Bits = NDArray[np.bool_]
Indices = NDArray[np.intp]
Floats = NDArray[np.float64]

_linprog: Any = linprog  # its published types do not know sparse matrices

#: A program with more variables than 2**16 is refused.
MAX_VARIABLES = 1 << 16
#: Values closer than this to a corner of the feasible region are that corner.
_SNAP = 1e-7
#: Share of the total weight by which the value of the program may be wrong.
_TOLERANCE = 1e-6


@dataclass(frozen=True)
class SubsetWeights:
    """Sets of at most k criteria, one for each positive row, with the weight they stand for.

    Attributes
    ----------
    masks : ndarray of uint64 of shape (R, words)
        Packed sets.
    weights : ndarray of shape (R,)
        Weight in the integer units of the patterns.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno.solvers.program import SubsetWeights
    >>> SubsetWeights(np.array([[3]], np.uint64), np.array([2.0])).weights
    array([2.])
    """

    masks: Masks
    weights: Floats


@dataclass(frozen=True)
class LPSolution(Solution):
    """Solution of program (7).

    Attributes
    ----------
    program_value : float
        Optimum of the program: the weighted sum of all slacks, in integer units. With k < m it
        is that of the program as printed, which does not ask for μ([m]) = 1.
    focal_sets : ndarray of uint64 of shape (F, words)
        The sets whose value exceeds that of every proper subset.
    focal_values : ndarray of shape (F,)
        Their values: the capacity.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._counts.patterns import Patterns
    >>> from sugeno._sets.chains import Chains
    >>> from sugeno.solvers.program import solve_lp
    >>> masks = np.array([[1], [2], [3]], dtype=np.uint64)
    >>> p = Patterns.of_two_classes(
    ...     masks, np.array([5, 0, 1]), np.array([1, 4, 0]), Chains.single(2)
    ... )
    >>> solution = solve_lp(p, beta=0.5, rho=0.25)
    >>> solution.program_value, solution.objective
    (0.5, 1)
    """

    program_value: float
    focal_sets: Masks
    focal_values: Floats


def solve_lp(
    patterns: Patterns,
    k: int | None = None,
    *,
    normalized: bool = True,
    beta: float = 0.5,
    rho: float | None = None,
    subsets: str | SubsetWeights = "random",
    random_state: int | np.random.RandomState | None = None,
) -> LPSolution:
    """Solve program (7) with HiGHS.

    For k = m its optimum is exact: the family {A: c_A ≥ β} makes the fewest possible margin
    errors. For k < m a positive row whose pattern has more than k criteria is tied to one
    k-subset of it, as in the paper; that is sufficient, not necessary, so the family need not be
    the best one.

    Parameters
    ----------
    patterns : Patterns
        Positive rows with {u ≥ β + margin}, negative ones with {u ≥ β − margin}.
    k : int, optional
        Largest size of a focal set; None or m for an unrestricted capacity.
    normalized : bool, default=True
        Whether μ([m]) = 1. With k < m the program is solved without it; then the sets of the
        largest value get value 1, after the cheapest set has joined an empty family.
    beta : float, default=0.5
        The threshold.
    rho : float, optional
        The ρ of the program, with 0 < ρ < min(β, 1 − β); by default half of that bound. On given
        patterns every ρ leads to the same optimal families, and ρ = 0 to none: then c_A = β is
        optimal for all A. So a margin of 0, the limit 0⁺, is any ρ here with patterns at β.
    subsets : {"random"} or SubsetWeights, default="random"
        The k-subsets for positive rows. "random" draws, for each pattern, as many as rows of
        weight 1 make up its weight; the draw depends on the measure only.
    random_state : int, RandomState or None
        Seed of the draw.

    Returns
    -------
    LPSolution
        Family, capacity and program value. ``bound`` is proved by the program for k = m, and the
        weight of the smaller class of each pattern for k < m.

    Notes
    -----
    2^m − 1 variables and m·2^(m−1) rows for k = m up to 16 criteria; above, one variable for each
    set that occurs and one row for each pair of nested ones, which has the same optimum. For
    k < m there are Σ_{s≤k} C(m, s) variables. Parts that depend on m and k only are kept.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._counts.patterns import Patterns
    >>> from sugeno._sets.chains import Chains
    >>> from sugeno.solvers.program import solve_lp
    >>> masks = np.array([[1], [2], [3]], dtype=np.uint64)
    >>> p = Patterns.of_two_classes(
    ...     masks, np.array([5, 0, 1]), np.array([1, 4, 0]), Chains.single(2)
    ... )
    >>> solve_lp(p, k=1).boundary_sets
    array([[1]], dtype=uint64)
    """
    m = patterns.n_literals
    k = m if k is None else min(k, m)
    rho = min(beta, 1 - beta) / 2 if rho is None else rho
    if not 0 < rho < min(beta, 1 - beta):
        raise ValueError(
            f"rho must lie strictly between 0 and min(β, 1 − β) = {min(beta, 1 - beta):g}. "
            f"Got {rho:g} instead."
        )
    if k == m and count_subsets(m, m) > MAX_VARIABLES:
        program: Variables = _observed_program(patterns)
    else:
        _check_size(m, k)
        program = variables_of(m, k)
    positive = _positive_weights(program, patterns, subsets, random_state)
    c, value = _solve(program, patterns, positive, normalized and k == m, beta, rho)
    if normalized and k < m:
        _normalize(c, program, patterns, beta)
    return _solution(c, value, program, patterns, normalized, beta, rho)


def _observed_program(patterns: Patterns) -> ObservedVariables:
    masks = patterns.masks[~patterns.is_empty_set & ~patterns.is_full_set]
    masks = np.concatenate([masks, patterns.chains.full])
    if len(masks) > MAX_VARIABLES:
        raise ValueError(
            f"solver='lp' with k=None would need {len(masks):,} variables, one for each pattern "
            f"that occurs, more than the {MAX_VARIABLES:,} it accepts. Use solver='exact', which "
            "needs none of them."
        )
    return observed_variables(masks, patterns.n_literals)


def _check_size(m: int, k: int) -> None:
    variables = count_subsets(m, k)
    if variables > MAX_VARIABLES:
        raise ValueError(
            f"solver='lp' with k={k} and {m} features would need {variables:,} variables, "
            f"more than the {MAX_VARIABLES:,} it accepts. Use solver='exact', which needs none of "
            "them, or a smaller k."
        )


def _positive_weights(
    program: Variables,
    patterns: Patterns,
    subsets: str | SubsetWeights,
    random_state: int | np.random.RandomState | None,
) -> Floats:
    """Weight of the positive rows that are tied to each variable."""
    weight = np.zeros(len(program.bits))
    if isinstance(subsets, SubsetWeights):
        chosen = unpack(subsets.masks, program.m)
        rows = chosen.any(axis=1)
        np.add.at(weight, program.number(chosen[rows]), subsets.weights[rows])
        return weight
    if subsets != "random":
        raise ValueError(f"subsets must be 'random' or SubsetWeights. Got {subsets!r} instead.")
    bits = unpack(patterns.masks, program.m)
    size = bits.sum(axis=1)
    small = (patterns.positive > 0) & (size > 0) & (size <= program.k)
    weight[program.number(bits[small])] = patterns.positive[small]
    large = np.flatnonzero((patterns.positive > 0) & (size > program.k))
    if large.size:
        choices = program.k_subsets(bits[large])
        weight[program.offsets[program.k] :] += _draw(
            choices, patterns.positive[large], patterns.unit, check_random_state(random_state)
        )
    return weight


def _draw(
    choices: Bits, weights: NDArray[np.int64], unit: float, generator: np.random.RandomState
) -> Floats:
    """Let each positive row draw one of the k-subsets of its pattern; add up their weights.

    Rows of equal pattern are exchangeable, so only the number of rows that draw a subset counts:
    a multinomial variable. Patterns come in canonical order; so neither the order of the rows
    nor the choice between a weight and repeated rows changes the draw.
    """
    drawn = np.zeros(choices.shape[1])
    rows = np.clip(np.rint(weights * unit), 1, 2**31 - 1).astype(np.int64)
    for i in range(len(choices)):
        candidates = np.flatnonzero(choices[i])
        evenly = np.full(candidates.size, 1 / candidates.size)
        times = generator.multinomial(rows[i], evenly)
        drawn[candidates] += times / rows[i] * weights[i]
    return drawn


def _solve(
    program: Variables,
    patterns: Patterns,
    positive: Floats,
    full_is_one: bool,
    beta: float,
    rho: float,
) -> tuple[Floats, float]:
    """Return the values c_A at an optimal vertex and the optimum of the program."""
    n_sets = len(program.bits)
    reached = np.flatnonzero(positive)
    negative, kept_low, kept_low_row = _negative_rows(program, patterns)
    weights = np.concatenate([positive[reached], negative])
    matrix, right = _constraints(program, reached, kept_low, kept_low_row, weights.size, beta, rho)
    bounds = np.zeros((n_sets + weights.size, 2))
    bounds[:n_sets, 1] = 1.0
    bounds[n_sets:, 1] = np.inf
    if full_is_one:
        bounds[n_sets - 1, 0] = 1.0
    unavoidable = (beta + rho) * float(patterns.positive[patterns.is_empty_set].sum())
    if weights.size == 0:
        return bounds[:, 0].copy(), unavoidable
    scale = float(weights.mean())
    cost = np.concatenate([np.zeros(n_sets), weights / scale])
    result = _linprog(cost, A_ub=matrix, b_ub=right, bounds=bounds, method="highs")
    if result.status != 0:
        raise RuntimeError(f"HiGHS did not solve program (7): {result.message}")
    c = _snap(result.x[:n_sets], [0.0, beta - rho, beta + rho, 1.0])
    return program.monotone(c), float(result.fun) * scale + unavoidable


def _negative_rows(program: Variables, patterns: Patterns) -> tuple[Floats, Indices, Indices]:
    """Weights of the negative patterns, and which variables each of them keeps low.

    A pattern of at most k criteria keeps its own variable low, a larger one those of all its
    k-subsets; monotonicity does the rest.
    """
    present = np.flatnonzero((patterns.negative > 0) & ~patterns.is_empty_set)
    bits = unpack(patterns.masks[present], program.m)
    small = np.flatnonzero(bits.sum(axis=1) <= program.k)
    large = np.flatnonzero(bits.sum(axis=1) > program.k)
    row, subset = np.nonzero(program.k_subsets(bits[large]))
    variables = np.concatenate([program.number(bits[small]), program.offsets[program.k] + subset])
    return patterns.negative[present].astype(float), variables, np.concatenate([small, large[row]])


def _constraints(
    program: Variables,
    reached: Indices,
    kept_low: Indices,
    kept_low_row: Indices,
    n_slacks: int,
    beta: float,
    rho: float,
) -> tuple[sparse.csc_array, Floats]:
    """Rows of the program as ``matrix @ (c, slacks) <= right``."""
    n_sets, n_covers, n_reached = len(program.bits), program.larger.size, reached.size
    slack_of_row = np.concatenate([np.arange(n_reached), n_reached + kept_low_row])
    data_rows = n_covers + np.arange(slack_of_row.size)
    covers = np.arange(n_covers)
    row = np.concatenate([covers, covers, data_rows, data_rows])
    column = np.concatenate(
        [program.smaller, program.larger, reached, kept_low, n_sets + slack_of_row]
    )
    sign = np.repeat(
        [1.0, -1.0, -1.0, 1.0, -1.0],
        [n_covers, n_covers, n_reached, kept_low.size, slack_of_row.size],
    )
    right = np.repeat([0.0, -beta - rho, beta - rho], [n_covers, n_reached, kept_low.size])
    shape = (right.size, n_sets + n_slacks)
    return sparse.csc_array((sign, (row, column)), shape=shape), right


def _snap(c: Floats, corners: list[float]) -> Floats:
    """Remove the rounding of the solver: a vertex takes these values only."""
    nearest = np.array(corners)[np.abs(c[:, None] - corners).argmin(axis=1)]
    return np.where(np.abs(c - nearest) <= _SNAP, nearest, np.clip(c, 0.0, 1.0))


def _normalize(c: Floats, program: Variables, patterns: Patterns, beta: float) -> None:
    """Give μ([m]) = max c the value 1, in place, and stay k-maxitive.

    If no set reaches β, the one whose acceptance costs the fewest errors has to.
    """
    if c.max() >= beta:
        c[c == c.max()] = 1.0
        return
    outside = (~unpack(patterns.masks, program.m)).astype(np.float32)
    contained = outside @ program.bits.T.astype(np.float32) == 0
    gains = [int(patterns.net[column].sum()) for column in contained.T]
    c[int(np.argmax(gains))] = 1.0
    program.monotone(c)


def _solution(
    c: Floats,
    value: float,
    program: Variables,
    patterns: Patterns,
    normalized: bool,
    beta: float,
    rho: float,
) -> LPSolution:
    """Read family, capacity and certificate off the values c_A."""
    below = np.zeros_like(c)
    np.maximum.at(below, program.larger, c[program.smaller])
    boundary = pack(program.bits[(c >= beta) & (below < beta)])
    focal = c > below
    accepted = contains_any(patterns.masks, boundary)
    objective = patterns.errors(accepted)
    return LPSolution.of_two_classes(
        accepted,
        boundary,
        objective,
        min(float(objective), _bound(value, program, patterns, normalized, beta, rho)),
        program_value=value,
        focal_sets=pack(program.bits[focal]),
        focal_values=c[focal],
    )


def _bound(
    value: float,
    program: Variables,
    patterns: Patterns,
    normalized: bool,
    beta: float,
    rho: float,
) -> float:
    """Lower bound on the errors: from the program if k = m, pattern by pattern otherwise."""
    forced = forced_errors(patterns, normalized)
    free = ~is_forced(patterns, normalized)
    if program.k < program.m:
        return float(forced + int(np.minimum(patterns.positive, patterns.negative)[free].sum()))
    constant = (beta + rho) * float(patterns.positive[patterns.is_empty_set].sum())
    if normalized:
        constant += (1 - beta + rho) * float(patterns.negative[patterns.is_full_set].sum())
    cost = (value - constant) / (2 * rho) - _TOLERANCE * patterns.total
    return float(forced + max(0, math.ceil(cost)))


def top_subsets(
    U: Floats, weights: NDArray[np.int64] | None, k: int, level: float
) -> SubsetWeights:
    """Return for each positive row its k best criteria, as far as they reach a level.

    The other reading of section 4.2 (``p = m − k + 2``). Of equal utilities the first criterion
    counts as the larger.

    Parameters
    ----------
    U : ndarray of shape (n, m)
        Utilities of the positive rows.
    weights : ndarray of int64 of shape (n,) or None
        Their integer weights.
    k : int
        Largest size of a set.
    level : float
        β plus the margin.

    Returns
    -------
    SubsetWeights
        The distinct sets with their weights.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno.solvers.program import top_subsets
    >>> top_subsets(np.array([[0.6, 0.9, 0.8], [0.1, 0.7, 0.2]]), None, 2, 0.5).masks
    array([[2],
           [6]], dtype=uint64)
    """
    best = np.argsort(-U, axis=1, kind="stable")[:, :k]
    bits = np.zeros(U.shape, dtype=np.bool_)
    np.put_along_axis(bits, best, np.take_along_axis(U, best, axis=1) >= level, axis=1)
    counted = Patterns.from_rows(
        pack(bits),
        np.ones(len(U), dtype=np.bool_),
        RowWeights(weights, len(U)),
        Chains.single(U.shape[1]),
    )
    return SubsetWeights(counted.masks, counted.positive.astype(np.float64))
