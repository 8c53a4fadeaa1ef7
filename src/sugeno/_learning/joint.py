"""Threshold and capacity learned together: the best β over all levels that matter.

Between two neighbouring utilities that occur, β does not change any pattern. So the levels that
occur, and one above them all, are all candidates there are, and each is one run of a solver. Rows
that lie between the same candidates on every criterion never part, so they are merged once for all
runs; a candidate whose unavoidable errors (both classes on one pattern) already exceed the best
result needs no run at all.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from sugeno._counts.patterns import Patterns
from sugeno._counts.weights import RowWeights
from sugeno._learning.levels import ReachedLevels
from sugeno.solvers.base import Solution
from sugeno.solvers.budget import Budget
from sugeno.solvers.closure import solve_closure

Floats = NDArray[np.float64]
Solve = Callable[[Patterns], Solution]

#: With more distinct levels than this, so many quantiles of them are tried.
MOST_LEVELS = 200


@dataclass(frozen=True)
class JointResult:
    """The best threshold found, with its patterns and its solution.

    Attributes
    ----------
    threshold : float
        The threshold β.
    patterns : Patterns
        Patterns at this threshold.
    solution : Solution
        The family learned there; its ``bound`` holds for every candidate level.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._counts.patterns import Patterns
    >>> from sugeno._sets.chains import Chains
    >>> from sugeno.solvers.closure import solve_closure
    >>> from sugeno._learning.joint import JointResult
    >>> p = Patterns.of_two_classes(
    ...     np.array([[1]], np.uint64), np.array([1]), np.array([0]), Chains.single(1)
    ... )
    >>> JointResult(0.5, p, solve_closure(p)).solution.gap
    0.0
    """

    threshold: float
    patterns: Patterns
    solution: Solution


def candidate_levels(U: Floats, margin: float = 0.0) -> Floats:
    """Levels at which the patterns differ, thinned out to 200 quantiles.

    Without a margin these are the distinct utilities. With one, the patterns change where the
    threshold is a margin above or below a utility; levels are taken from between these places.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._learning.joint import candidate_levels
    >>> candidate_levels(np.array([[0.25, 0.75], [0.75, 0.25]]))
    array([0.25, 0.75])
    """
    utilities = np.unique(U)
    levels = utilities[(utilities > margin) & (utilities < 1.0 - margin)]
    if margin > 0 and levels.size:
        places = np.union1d(utilities - margin, utilities + margin)
        levels = places[:-1] + np.diff(places) / 2
        levels = levels[(levels > margin) & (levels < 1.0 - margin)]
    if levels.size > MOST_LEVELS:
        ranks = np.linspace(0, levels.size - 1, MOST_LEVELS).round().astype(np.intp)
        levels = levels[ranks]
    return levels


def joint_threshold(
    U: Floats,
    positive: NDArray[np.bool_],
    weights: RowWeights,
    *,
    near: float,
    margin: float = 0.0,
    quick: Solve,
    thorough: Solve,
    normalized: bool = True,
    budget: Budget | None = None,
) -> JointResult:
    """Find the threshold and the family that together make the fewest weighted errors.

    Parameters
    ----------
    U : ndarray of shape (n, m)
        Utilities.
    positive : ndarray of bool of shape (n,)
        Class of each row.
    weights : RowWeights
        Weight of each row.
    near : float
        Among equally good thresholds the one nearest to this wins; it is itself the last resort.
    margin : float, default=0
        The margin ρ.
    quick, thorough : callable
        Solvers: the first for a first look at every candidate, the second for the candidates
        that may still be better than the best. The same solver twice is fine.
    normalized : bool, default=True
        Whether the capacity is normalized.
    budget : Budget, optional
        The time for all levels together. When it is over, the best result so far counts.

    Returns
    -------
    JointResult
        Threshold, patterns and solution.

    Notes
    -----
    One minimum cut per candidate level at most, and further runs of the solvers only where the
    cut leaves room for an improvement.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._counts.weights import row_weights
    >>> from sugeno.solvers.closure import solve_closure
    >>> from sugeno._learning.joint import joint_threshold
    >>> U, y = np.array([[0.1], [0.4], [0.6], [0.9]]), np.array([False, False, False, True])
    >>> joint_threshold(
    ...     U, y, row_weights(None, 4), near=0.5, quick=solve_closure, thorough=solve_closure
    ... ).threshold
    0.9
    """
    levels = candidate_levels(U, margin)
    if levels.size == 0:
        raise ValueError(
            "threshold='joint' finds no level between the margin and its complement; "
            f"got margin={margin:g} and utilities from {U.min():g} to {U.max():g}. "
            "Lower the margin, or give the threshold as a number."
        )
    budget = Budget.of(None) if budget is None else budget
    levels, by_distance = _ranked(levels, near, margin)
    table = _reached(U, positive, weights, levels, margin)
    patterns = {i: table.patterns_at(i) for i in by_distance}
    bounds = _lower_bounds(patterns, normalized, budget)
    first = min(int(np.searchsorted(levels, near)), levels.size - 1)
    found = _first_look([first, *by_distance], patterns, bounds, quick, budget)
    best_level = min(found, key=lambda i: (found[i].objective, by_distance.index(i)))
    promising = sorted(by_distance, key=lambda i: found[i].objective if i in found else np.inf)
    order = [best_level, *(i for i in promising if i != best_level)]
    best, best_level = _second_look(
        order, patterns, bounds, found[best_level], best_level, thorough, budget
    )
    bound = min(best.objective, *bounds.values())
    solution = replace(best, bound=float(bound))
    return JointResult(float(levels[best_level]), patterns[best_level], solution)


def _ranked(levels: Floats, near: float, margin: float) -> tuple[Floats, list[int]]:
    """All levels to try, ascending, and the order in which they are preferred.

    Levels that occur come first, by their distance from ``near``. The last are ``near`` itself,
    so that no result is worse than that of the threshold one would have without a search, and a
    level above all others, at which the fewest rows satisfy anything.
    """
    top = levels[-1] + (1.0 - levels[-1]) / 2
    more = np.array([level for level in (near, top) if margin < level < 1.0 - margin])
    ranked = np.union1d(levels, more)
    distance = np.abs(ranked - near)
    distance[~np.isin(ranked, levels)] += 1.0
    order: list[int] = np.argsort(distance, kind="stable").tolist()
    return ranked, order


def _lower_bounds(
    patterns: dict[int, Patterns], normalized: bool, budget: Budget
) -> dict[int, float]:
    """Fewest errors of any capacity at each level; a weaker bound where it does not matter."""
    overlap = {i: float(np.minimum(p.positive, p.negative).sum()) for i, p in patterns.items()}
    best = np.inf
    bounds = {}
    for i in sorted(overlap, key=lambda i: overlap[i]):
        if overlap[i] > best or budget.search_is_over():
            bounds[i] = overlap[i]
            continue
        bounds[i] = solve_closure(patterns[i], normalized=normalized).bound
        best = min(best, bounds[i])
    return bounds


def _first_look(
    order: list[int],
    patterns: dict[int, Patterns],
    bounds: dict[int, float],
    solve: Solve,
    budget: Budget,
) -> dict[int, Solution]:
    """Solutions of the quick solver at the first level and at all that may be better.

    The first level is the one that needs no search: whatever the time, it has been seen.
    """
    found = {order[0]: solve(patterns[order[0]])}
    best = found[order[0]].objective
    for i in sorted(order, key=lambda i: bounds[i]):
        if bounds[i] > best or budget.search_is_over():
            break
        if i not in found:
            found[i] = solve(patterns[i])
            best = min(best, found[i].objective)
    return found


def _second_look(
    order: list[int],
    patterns: dict[int, Patterns],
    bounds: dict[int, float],
    best: Solution,
    best_level: int,
    solve: Solve,
    budget: Budget,
) -> tuple[Solution, int]:
    """Solve thoroughly wherever the bound allows a better result; tighten the bounds."""
    for i in order:
        if bounds[i] >= best.objective:
            continue
        if budget.is_over() and budget.search_is_over():
            break
        found = solve(patterns[i])
        bounds[i] = max(bounds[i], found.bound)
        if found.objective < best.objective:
            best, best_level = found, i
    return best, best_level


def _reached(
    U: Floats,
    positive: NDArray[np.bool_],
    weights: RowWeights,
    levels: Floats,
    margin: float,
) -> ReachedLevels:
    """The rows, by how many candidate levels each criterion reaches; equal rows are merged."""
    reached = np.empty((len(U), U.shape[1] + 1), dtype=np.int16)
    reached[:, -1] = positive
    for rows, shift in ((positive, margin), (~positive, -margin)):
        reached[rows, :-1] = np.searchsorted(levels + shift, U[rows], side="right")
    distinct, cell = np.unique(reached, axis=0, return_inverse=True)
    merged = np.zeros(len(distinct), dtype=np.int64)
    np.add.at(merged, cell.reshape(-1), weights.units)
    merged_weights = RowWeights(merged, len(distinct), weights.unit)
    return ReachedLevels(distinct[:, :-1], distinct[:, -1].astype(np.bool_), merged_weights)
