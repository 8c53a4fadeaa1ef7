"""The best set within a pool of rules, with a bound: a program over rules and patterns.

A rule is taken or not (z); a pattern with something to win counts if a taken rule covers it, one
with something to lose counts if any taken rule does (v). HiGHS gives the best set within the pool,
or a bound on it when time is up. The bound holds for sets of pool rules only; for all rule sets
over the literals take the maximum closure of the patterns.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import coo_array, csr_array

from sugeno._distil.patterns import SoftPatterns

__all__ = ["PoolOptimum", "best_in_pool"]


@dataclass(frozen=True)
class PoolOptimum:
    """What the program found.

    Attributes
    ----------
    chosen : tuple of int or None
        Places of the rules in the pool; None when no set was found in time.
    objective : float
        Gain minus prices of the chosen set, or of the known one.
    bound : float
        No set of pool rules has a higher objective.
    """

    chosen: tuple[int, ...] | None
    objective: float
    bound: float


def best_in_pool(
    patterns: SoftPatterns,
    rules: list[tuple[int, ...]],
    *,
    max_rules: int,
    price: float = 0.0,
    at_least: float = 0.0,
    time_limit: float | None = 10.0,
) -> PoolOptimum:
    """Maximise ``Σ g_i v_i − price Σ z_q`` over sets of at most `max_rules` pool rules.

    Parameters
    ----------
    patterns : SoftPatterns
        Gains; the dual patterns for clauses of a CNF.
    rules : list of tuple of int
        The pool, as places among the literals of `patterns`.
    max_rules : int
        Largest number of rules.
    price : float, default=0.0
        Of a rule, in the same units as the gains of rows.
    at_least : float, default=0.0
        Objective of a known set (the empty one has 0): sets that are worse are cut off.
    time_limit : float or None, default=10.0
        Seconds.

    Returns
    -------
    PoolOptimum

    Notes
    -----
    ``v_i ≤ Σ_{q covers i} z_q`` where g_i > 0 and ``v_i ≥ z_q`` for every q that covers i where
    g_i < 0. NP-hard; patterns with equal columns are merged first.
    """
    covers = _covers(patterns, rules)
    # SoftPatterns covered by the same pool rules are one; rows of the program shrink a lot.
    columns, place = np.unique(np.packbits(covers, axis=0), axis=1, return_inverse=True)
    gains = np.bincount(place.ravel(), patterns.gains, minlength=columns.shape[1])
    covers = np.unpackbits(columns, axis=0, count=len(rules)).astype(bool)
    useful = covers.any(axis=0) & (gains != 0)
    covers, gains = covers[:, useful], gains[useful]
    n_rules, n_patterns = covers.shape
    cost = np.concatenate([np.full(n_rules, price * patterns.units), -gains])
    size = np.concatenate([np.ones(n_rules), np.zeros(n_patterns)])
    result = milp(
        cost,
        integrality=np.concatenate([np.ones(n_rules), np.zeros(n_patterns)]),
        bounds=Bounds(0, 1),
        constraints=[
            LinearConstraint(_cover_rows(covers, gains), -np.inf, 0),
            LinearConstraint(size[None, :], 0, max_rules),
            # One unit of slack: the known set itself must stay feasible after rounding.
            LinearConstraint(-cost[None, :], at_least * patterns.units - 1, np.inf),
        ],
        options={} if time_limit is None else {"time_limit": time_limit},
    )
    bound = float(np.inf) if result.mip_dual_bound is None else -result.mip_dual_bound
    if result.x is None:
        return PoolOptimum(None, at_least, bound / patterns.units)
    chosen = tuple(np.flatnonzero(result.x[:n_rules] > 0.5).tolist())
    gain = gains[covers[list(chosen)].any(axis=0)].sum() / patterns.units
    return PoolOptimum(chosen, float(gain - price * len(chosen)), bound / patterns.units)


def _covers(patterns: SoftPatterns, rules: list[tuple[int, ...]]) -> NDArray[np.bool_]:
    reached = patterns.reached.astype(bool)
    return np.array([reached[list(rule)].all(axis=0) for rule in rules])


def _cover_rows(covers: NDArray[np.bool_], gains: NDArray[np.float64]) -> csr_array:
    """Rows ``v_i − Σ z_q ≤ 0`` of wins, and ``z_q − v_i ≤ 0`` of losses."""
    n_rules = len(covers)
    wins, losses = np.flatnonzero(gains > 0), np.flatnonzero(gains < 0)
    q, w = np.nonzero(covers[:, wins])
    p, k = np.nonzero(covers[:, losses])
    line = np.arange(len(p)) + len(wins)
    rows = np.concatenate([np.arange(len(wins)), w, line, line])
    columns = np.concatenate([n_rules + wins, q, p, n_rules + losses[k]])
    signs = np.repeat([1.0, -1.0, 1.0, -1.0], [len(wins), len(q), len(p), len(p)])
    shape = (len(wins) + len(p), n_rules + len(gains))
    return coo_array((signs, (rows, columns)), shape=shape).tocsr()
