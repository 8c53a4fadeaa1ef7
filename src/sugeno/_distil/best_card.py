"""The best card over given literals, with a bound: a program over points, a threshold, patterns.

A pattern passes or not (v). One that gains by passing counts only if its points reach the
threshold, one that loses counts unless they miss it. HiGHS gives the card that disagrees least with
the teacher, or a bound on it when time is up. The bound holds for cards of these literals, with
so many points at most; for all monotone classifiers over them take the minimum cut.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import csr_array, hstack

from sugeno._distil.taught import TaughtPatterns

__all__ = ["CardOptimum", "best_card"]

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]


@dataclass(frozen=True)
class CardOptimum:
    """What the program found.

    Attributes
    ----------
    points : tuple of int or None
        Of each literal, 0 where it has none; None where no card was found in time.
    bound : float
        No card of these literals disagrees less with the teacher.
    """

    points: tuple[int, ...] | None
    bound: float


def best_card(
    patterns: TaughtPatterns,
    literals: Ints,
    *,
    max_points: int,
    time_limit: float | None = 10.0,
) -> CardOptimum:
    """Minimise the expected disagreement of a card with one threshold.

    Parameters
    ----------
    patterns : TaughtPatterns
        What is taught at one boundary.
    literals : ndarray of intp
        Places of the literals that may have points, rising.
    max_points : int
        Largest number of points of a literal.
    time_limit : float or None, default=10.0
        Seconds.

    Returns
    -------
    CardOptimum

    Notes
    -----
    ``p·x_i ≥ θ`` where v_i = 1 and passing gains, ``p·x_i < θ`` where v_i = 0 and it loses, each
    with one constant that switches it off. NP-hard; patterns that reach the same literals are one.
    """
    reached = np.array([patterns.reaches(int(j)) for j in literals], dtype=np.float64)
    reached = reached.reshape(len(literals), len(patterns.weight)).T
    distinct, place = np.unique(reached, axis=0, return_inverse=True)
    counts = patterns.counted(place.ravel())
    gains = counts.gains[0, 0] / counts.total[0]
    gains = np.append(gains, np.zeros(len(distinct) - gains.size))
    missed = float(counts.losses(np.zeros((1, 1)))[0, 0])
    useful = gains != 0
    distinct, gains = distinct[useful], gains[useful]
    n_literals, n_patterns = len(literals), len(gains)
    most = max_points * n_literals + 1
    # Points, threshold, then what passes.
    scores = csr_array(np.hstack([distinct, -np.ones((n_patterns, 1))]))
    switches = csr_array(np.diag(np.full(n_patterns, -float(most))))
    wins, losses = gains > 0, gains < 0
    table = csr_array(hstack([scores, switches]))
    found = milp(
        np.concatenate([np.zeros(n_literals + 1), -gains]),
        integrality=np.ones(n_literals + 1 + n_patterns, dtype=np.intp),
        bounds=Bounds(
            0, np.concatenate([np.full(n_literals, max_points), [most], np.ones(n_patterns)])
        ),
        constraints=[
            LinearConstraint(table[wins], -most, np.inf),
            LinearConstraint(table[losses], -np.inf, -1),
        ],
        options={} if time_limit is None else {"time_limit": time_limit},
    )
    gained = float(gains[wins].sum()) if found.mip_dual_bound is None else -found.mip_dual_bound
    points = None if found.x is None else tuple(np.rint(found.x[:n_literals]).astype(int).tolist())
    return CardOptimum(points, max(0.0, missed - gained))
