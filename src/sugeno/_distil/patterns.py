"""What the search sees: distinct patterns of literals, each with a whole number of gain units.

A row matters only through the literals it reaches, so equal rows are merged and sorted by the
levels they reach. Gains are rounded to whole units so small that float32 sums them exactly; hence
no result depends on the order of rows, on how a product is blocked, or on the machine.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sugeno._counts.row_order import row_order

__all__ = [
    "SoftPatterns",
    "distinct_steps",
    "merge_rows",
    "reached_literals",
    "steps_reached",
    "told_apart",
    "units_per_gain",
]

#: float32 holds every integer up to 2**24; half of it leaves room for rounding each row up.
_EXACT_SUM = 2**23


@dataclass(frozen=True)
class SoftPatterns:
    """Distinct patterns, in canonical order.

    Attributes
    ----------
    reached : ndarray of float32, shape (n_literals, n_patterns)
        1 where the pattern reaches the literal.
    gains : ndarray of float32, shape (n_patterns,)
        Whole units of gain for covering the pattern, never 0.
    criteria : ndarray of intp, shape (n_literals,)
        The criterion of each literal.
    literals : ndarray of intp, shape (n_literals,)
        Their places among the candidates: of those that no pattern tells apart, the first.
    units : float
        Units per 1.0 of gain, a power of two.
    """

    reached: NDArray[np.float32]
    gains: NDArray[np.float32]
    criteria: NDArray[np.intp]
    literals: NDArray[np.intp]
    units: float

    def dual(self) -> SoftPatterns:
        """Exchange reaching with missing, and accepting with rejecting.

        A conjunction of clauses rejects a row where all literals of some clause are missed:
        rejected rows are covered by a disjunction of conjunctions of complements.
        """
        return SoftPatterns(1 - self.reached, -self.gains, self.criteria, self.literals, self.units)


def merge_rows(
    X: NDArray[np.float64],
    d: NDArray[np.float64],
    criteria: NDArray[np.intp],
    levels: NDArray[np.float64],
) -> SoftPatterns:
    """Merge rows that reach the same literals, and add their gains exactly.

    Parameters
    ----------
    X : ndarray of shape (n_rows, n_criteria)
        Oriented table: higher is better.
    d : ndarray of shape (n_rows,)
        Signed gain of accepting each row.
    criteria, levels : ndarray of shape (n_literals,)
        The literals "criterion reaches level", sorted by criterion, then level.

    Returns
    -------
    SoftPatterns
        Without the patterns whose gain is zero: covering them changes nothing.

    Notes
    -----
    O(n log n) for sorting. A gain is rounded to a multiple of 2**-23 of all gains together.
    """
    units = units_per_gain(d)
    whole = np.rint(d * units)
    steps, order, starts = distinct_steps(steps_reached(X, criteria, levels))
    # Sums of integers below 2**53 are exact in any order.
    gains = np.add.reduceat(whole[order], starts) if len(starts) else whole
    kept = gains != 0
    reached = reached_literals(steps[:, kept], criteria)
    literals = told_apart(reached, criteria)
    return SoftPatterns(
        reached[literals].astype(np.float32),
        gains[kept].astype(np.float32),
        criteria[literals],
        literals,
        units,
    )


def distinct_steps(
    steps: NDArray[np.intp],
) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.intp]]:
    """Distinct columns, the order that brings equal ones together, and where each begins in it."""
    order = row_order(tuple(steps))
    steps = steps[:, order]
    is_new = np.ones(len(order), dtype=bool)
    is_new[1:] = (steps[:, 1:] != steps[:, :-1]).any(axis=0)
    starts = np.flatnonzero(is_new)
    return steps[:, starts], order, starts


def told_apart(reached: NDArray[np.bool_], criteria: NDArray[np.intp]) -> NDArray[np.intp]:
    """Literals that some pattern tells from the literal before on the same criterion."""
    differs = np.ones(len(criteria), dtype=bool)
    differs[1:] = np.diff(criteria).astype(bool) | (reached[1:] != reached[:-1]).any(axis=1)
    return np.flatnonzero(differs)


def reached_literals(steps: NDArray[np.intp], criteria: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Tell which literals are reached, from the number of levels reached on each criterion."""
    line = np.searchsorted(np.unique(criteria), criteria)
    # So many weaker literals of its criterion stand before each literal.
    weaker = np.arange(len(criteria)) - np.searchsorted(criteria, criteria)
    reached: NDArray[np.bool_] = steps[line] > weaker[:, None]
    return reached


def units_per_gain(d: NDArray[np.float64]) -> float:
    """In how many whole units a gain of 1.0 is counted."""
    # fsum rounds once, so the total does not depend on the order of rows; a power of two keeps
    # gains such as +-1 or one half exactly as they are.
    total = math.fsum(np.abs(d).tolist())
    return 2.0 ** math.floor(math.log2(_EXACT_SUM / total)) if total > 0 else 1.0


def steps_reached(
    X: NDArray[np.float64], criteria: NDArray[np.intp], levels: NDArray[np.float64]
) -> NDArray[np.intp]:
    """Count the levels that each row reaches, one line for each criterion that has levels."""
    used, first = np.unique(criteria, return_index=True)
    steps = np.zeros((max(len(used), 1), len(X)), dtype=np.intp)
    # A column of a wide table is spread over its memory: all are laid out together.
    columns = np.ascontiguousarray(X[:, used].T)
    for line, (column, mine) in enumerate(zip(columns, np.split(levels, first[1:]))):
        steps[line] = np.searchsorted(mine, column, side="right")
    return steps
