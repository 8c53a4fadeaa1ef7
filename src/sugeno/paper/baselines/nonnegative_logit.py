"""Logistic regression with non-negative weights and a bounded offset, solved to optimality."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sugeno._ensemble.logit import minimize_logit

__all__ = ["LogitFit", "fit_logit"]

Floats = NDArray[np.float64]


class LogitFit(NamedTuple):
    """Optimal weights and offset, and how well optimality holds.

    Attributes
    ----------
    weights : ndarray of shape (T,)
        Non-negative weights of the terms.
    offset : float
        A number in [0, sum(weights)].
    n_iter : int
        Iterations of the solver.
    residual : float
        Largest violation of the optimality conditions: projected gradient, maximum norm.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno.paper.baselines.nonnegative_logit import LogitFit
    >>> LogitFit(np.array([2.0, 0.0]), 1.0, 12, 1e-7).offset
    1.0
    """

    weights: Floats
    offset: float
    n_iter: int
    residual: float


def fit_logit(
    terms: Floats,
    positive: Floats,
    negative: Floats,
    *,
    alpha: float,
    tol: float = 1e-6,
    max_iter: int = 5000,
) -> LogitFit:
    """Minimise the weighted logistic loss over w ≥ 0 and 0 ≤ b ≤ sum(w).

    The objective is ``sum_i p_i log(1 + exp(-z_i)) + q_i log(1 + exp(z_i)) + alpha/2 |w|²`` with
    ``z = terms @ w - b``; alpha > 0 makes it strictly convex in w. The solver is L-BFGS-B on
    the bounds alone. If its b exceeds sum(w), then by convexity the bound b = sum(w) holds at
    the optimum, and the second run minimises over w with ``z = (terms - 1) @ w``.

    Parameters
    ----------
    terms : ndarray of shape (n, T)
        Values in [0, 1].
    positive, negative : ndarray of shape (n,)
        The weights p and q of either class at each row.
    alpha : float
        Positive strength of the penalty.
    tol : float, default=1e-6
        Largest violation of the optimality conditions. Below about 1e-8 rounding is in the way.
    max_iter : int, default=5000
        Most iterations of one run.

    Returns
    -------
    LogitFit
        The optimum.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno.paper.baselines.nonnegative_logit import fit_logit
    >>> U = np.array([[0.2], [0.4], [0.6], [0.8]])
    >>> p = np.array([0.0, 0.25, 0.0, 0.25])
    >>> fit = fit_logit(U, p, 0.25 - p, alpha=1e-4)
    >>> bool(0 <= fit.offset <= fit.weights.sum())
    True
    """
    n, n_terms = terms.shape
    penalty = np.append(np.full(n_terms, alpha), 0.0)
    design = np.hstack([terms, np.full((n, 1), -1.0)])
    found = minimize_logit(design, positive, negative, penalty, tol=tol, max_iter=max_iter)
    weights, offset = found.x[:-1], float(found.x[-1])
    if offset <= weights.sum():
        return LogitFit(weights, offset, found.n_iter, found.residual)
    bound = minimize_logit(terms - 1, positive, negative, penalty[:-1], tol=tol, max_iter=max_iter)
    n_iter = found.n_iter + bound.n_iter
    return LogitFit(bound.x, float(bound.x.sum()), n_iter, bound.residual)
