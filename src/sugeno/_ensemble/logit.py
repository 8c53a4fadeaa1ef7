"""Penalised logistic regression within bounds, solved to optimality."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import expit

Floats = NDArray[np.float64]
Bound = tuple[float | None, float | None]

#: Pairs of steps and gradients that L-BFGS remembers.
_MEMORY = 20
#: L-BFGS may stop early when a step brings nothing; forgetting its memory frees it.
_RESTARTS = 20


class LogitMinimum(NamedTuple):
    """Where the loss is least.

    Attributes
    ----------
    x : ndarray of shape (T,)
        The coefficients.
    n_iter : int
        Iterations of the solver.
    residual : float
        Largest violation of the optimality conditions: projected gradient, maximum norm.
    """

    x: Floats
    n_iter: int
    residual: float


def minimize_logit(
    design: Floats,
    positive: Floats,
    negative: Floats,
    penalty: Floats,
    *,
    centre: float = 0.0,
    bounds: Sequence[Bound] | None = None,
    tol: float = 1e-6,
    max_iter: int = 5000,
) -> LogitMinimum:
    """Minimise a penalised, weighted logistic loss over coefficients within bounds.

    The objective is ``Σ_i p_i log(1 + exp(−z_i)) + q_i log(1 + exp(z_i)) + Σ_t a_t (x_t − c)² / 2``
    with ``z = design @ x``, which is convex. The solver is L-BFGS-B. Cost: O(n T) per iteration.

    Parameters
    ----------
    design : ndarray of shape (n, T)
        The terms of each row.
    positive, negative : ndarray of shape (n,)
        The weights p and q of either class at each row.
    penalty : ndarray of shape (T,)
        Strength a of the penalty of each coefficient.
    centre : float, default=0.0
        The value c that is not penalised; the search starts there.
    bounds : sequence of (low, high), optional
        Of each coefficient, None for no bound; by default they are not negative.
    tol : float, default=1e-6
        Largest violation of the optimality conditions.
    max_iter : int, default=5000
        Most iterations.

    Returns
    -------
    LogitMinimum
        The optimum, or the best of so many iterations.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._ensemble.logit import minimize_logit
    >>> one = np.ones((1, 1))
    >>> found = minimize_logit(one, np.array([3.0]), np.array([1.0]), np.zeros(1))
    >>> round(float(np.exp(found.x[0])), 3)  # the odds
    3.0
    """
    both = positive + negative
    limits = [(0.0, None)] * design.shape[1] if bounds is None else list(bounds)

    def objective(x: Floats) -> tuple[float, Floats]:
        z, away = design @ x, x - centre
        loss = both @ np.logaddexp(0.0, z) - positive @ z
        slope = both * expit(z) - positive
        return float(loss + 0.5 * (penalty * away) @ away), slope @ design + penalty * away

    x = np.full(design.shape[1], centre)
    n_iter, residual = 0, np.inf
    for _ in range(_RESTARTS):
        result = minimize(
            objective,
            x,
            jac=True,
            method="L-BFGS-B",
            bounds=limits,
            options={
                "maxiter": max_iter - n_iter,
                "maxfun": 10 * max_iter,
                "maxcor": _MEMORY,
                "gtol": tol,
                "ftol": 0.0,
            },
        )
        x, n_iter = result.x, n_iter + result.nit
        residual = _residual(x, np.asarray(result.jac, dtype=np.float64), limits)
        if residual <= tol or n_iter >= max_iter or result.nit == 0:
            break
    return LogitMinimum(x, n_iter, residual)


def _residual(x: Floats, gradient: Floats, bounds: Sequence[Bound]) -> float:
    """The largest part of the gradient that does not point out of the bounds."""
    low = np.array([-np.inf if a is None else a for a, _ in bounds])
    high = np.array([np.inf if b is None else b for _, b in bounds])
    inward = np.where(x > low, gradient, np.minimum(gradient, 0.0))
    inward = np.where(x < high, inward, np.maximum(inward, 0.0))
    return float(np.abs(inward).max(initial=0.0))
