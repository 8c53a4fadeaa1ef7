"""Choquistic regression: logistic regression on a Choquet integral (Fallah Tehrani et al. 2012).

The log-odds of the positive class are γ·(C(u) - β), with C the Choquet integral of the utilities
with respect to a capacity, γ > 0 and 0 ≤ β ≤ 1. For a 2-additive capacity γ·C(u) is a sum of the
terms u_i, min(u_i, u_j) and max(u_i, u_j) with non-negative weights, and every such sum is one:
these are the extreme points of the monotone 2-additive games, since -min(u_i, u_j) equals max(u_i,
u_j) - u_i - u_j. Maximum likelihood is therefore logistic regression with non-negative weights w
and an offset b in [0, sum(w)]: convex, and solved to optimality.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from numbers import Integral, Real
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.exceptions import ConvergenceWarning
from threadpoolctl import threadpool_limits

from sugeno._ensemble.logit import minimize_logit
from sugeno._sklearn import Interval, Options, StrOptions, fit_context
from sugeno.estimators.utility import QuantileUtility
from sugeno.paper.baselines.base import BinaryBaseline, LabelledRows

__all__ = ["ChoquetTerm", "ChoquisticRegression", "LogitFit", "choquet_terms", "fit_logit"]

Floats = NDArray[np.float64]


class ChoquetTerm(NamedTuple):
    """One term of the log-odds: a weight times a minimum or a maximum of utilities.

    Attributes
    ----------
    operation : {"value", "min", "max"}
        What is done with the utilities.
    criteria : tuple of int
        Columns of the criteria: one for "value", two otherwise.
    weight : float
        A positive number.

    Examples
    --------
    >>> from sugeno.paper.baselines.choquistic import ChoquetTerm
    >>> ChoquetTerm("min", (0, 2), 1.5).evaluate(np.array([[0.5, 0.1, 0.25]]))
    array([0.375])
    """

    operation: str
    criteria: tuple[int, ...]
    weight: float

    def evaluate(self, U: Floats) -> Floats:
        """Return weight times term for each row of utilities."""
        columns = [U[:, j] for j in self.criteria]
        if self.operation == "value":
            return self.weight * columns[0]
        combine = np.minimum if self.operation == "min" else np.maximum
        result: Floats = self.weight * combine(*columns)
        return result


def choquet_terms(U: Floats, additivity: int) -> Floats:
    """Return the columns u_i, then min(u_i, u_j), then max(u_i, u_j), for all pairs i < j.

    Parameters
    ----------
    U : ndarray of shape (n, m)
        Utilities.
    additivity : {1, 2}
        With 1 only the columns u_i.

    Returns
    -------
    ndarray of shape (n, m) or (n, m * m)
        The terms.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno.paper.baselines.choquistic import choquet_terms
    >>> choquet_terms(np.array([[0.5, 0.25]]), 2)
    array([[0.5 , 0.25, 0.25, 0.5 ]])
    """
    if additivity == 1:
        return U
    i, j = np.triu_indices(U.shape[1], 1)
    return np.hstack([U, np.minimum(U[:, i], U[:, j]), np.maximum(U[:, i], U[:, j])])


class ChoquisticRegression(BinaryBaseline):
    """Logistic regression on a 2-additive Choquet integral of the criteria.

    The model is P(y = 1 | x) = sigmoid(γ·(C(u) - β)) with utilities u, γ ≥ 0 and 0 ≤ β ≤ 1 [1]_.
    Its normalised capacity is monotone and at most 2-additive. It is fitted by penalised maximum
    likelihood; the problem is convex and its optimum unique. Better values of a criterion never
    lower the probability of the positive class.

    Parameters
    ----------
    additivity : {1, 2}, default=2
        With 1 the capacity is additive, and the model a logistic regression with non-negative
        coefficients; with 2 any two criteria may interact.
    directions : "auto", array-like of shape (n_features,), dict or None, default="auto"
        +1 where higher values speak for the second class, -1 where lower ones do. A dict goes from
        feature names to directions (+1 for others), None is +1 everywhere. "auto" takes the sign of
        a rank statistic per feature, see `sugeno._scales.directions.rank_evidence`.
    alpha : float, default=1e-4
        Strength of the penalty ``alpha / 2 * sum(w**2)`` on the weights of the terms, against
        the mean loss per row. It must be positive: without it, data that can be separated have
        no optimum.
    tol : float, default=1e-6
        Largest violation of the optimality conditions (gradient of the mean loss).
    max_iter : int, default=5000
        Most iterations of the solver.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        The classes; the second is the positive one.
    terms_ : list of ChoquetTerm
        The terms of γ·C(u) whose weight is not zero.
    gamma_ : float
        Precision γ, the sum of the weights.
    threshold_ : float
        Threshold β, the integral at which both classes are equally likely.
    mobius_ : dict of tuple of int to float
        Möbius transform of the capacity, without zeros; the values add up to 1.
    shapley_ : ndarray of shape (n_features_in_,)
        Shapley value, the importance of each criterion; they add up to 1.
    interaction_ : ndarray of shape (n_features_in_, n_features_in_)
        Interaction index of each pair: positive where both criteria are needed, negative where
        either will do.
    utility_ : QuantileUtility
        The transformation of the criteria to utilities.
    directions_ : ndarray of int of shape (n_features_in_,)
        +1 or -1 per criterion.
    n_iter_ : int
        Iterations of the solver.
    n_features_in_ : int
        Number of criteria seen during fit.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, when the table had names.

    Notes
    -----
    Time and memory of an iteration grow like the number of distinct rows times the square of the
    number of criteria. The original normalises criteria linearly; here they become quantiles, as
    in the Sugeno classifier.

    References
    ----------
    .. [1] A. Fallah Tehrani, W. Cheng, K. Dembczyński, E. Hüllermeier: Learning monotone
       nonlinear models using the Choquet integral. Machine Learning 89 (2012) 183-211.

    Examples
    --------
    >>> from sugeno.paper.baselines import ChoquisticRegression
    >>> X = [[1, 1], [1, 3], [3, 1], [2, 2], [3, 3], [3, 2], [2, 3]]
    >>> y = [0, 0, 0, 1, 1, 1, 1]
    >>> model = ChoquisticRegression().fit(X, y)
    >>> model.predict([[1, 9], [2, 4]])
    array([0, 1])
    >>> model.interaction_[0, 1].round(2)  # both criteria are needed
    np.float64(0.77)
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "additivity": [Options(Integral, {1, 2})],
        "directions": [StrOptions({"auto"}), "array-like", dict, None],
        "alpha": [Interval(Real, 0, None, closed="neither")],
        "tol": [Interval(Real, 0, None, closed="neither")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
    }

    def __init__(
        self,
        *,
        additivity: int = 2,
        directions: ArrayLike | Mapping[str, int] | str | None = "auto",
        alpha: float = 1e-4,
        tol: float = 1e-6,
        max_iter: int = 5000,
    ) -> None:
        self.additivity = additivity
        self.directions = directions
        self.alpha = alpha
        self.tol = tol
        self.max_iter = max_iter

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Fit capacity, precision and threshold.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Table of numbers.
        y : array-like of shape (n_samples,)
            Two classes.
        sample_weight : array-like of shape (n_samples,), optional
            Weights of the rows; a weight of 2 equals a row that stands there twice.

        Returns
        -------
        ChoquisticRegression
            The fitted classifier.
        """
        rows = self._fit_rows(X, y, sample_weight)
        self.utility_ = QuantileUtility.from_knots(rows.knots)
        terms = choquet_terms(_training_utilities(rows), self.additivity)
        # Hundreds of small products: starting threads for each costs more than they save.
        with threadpool_limits(limits=1, user_api="blas"):
            fit = fit_logit(
                terms,
                rows.positive / rows.knots.total,
                rows.negative / rows.knots.total,
                alpha=self.alpha,
                tol=self.tol,
                max_iter=self.max_iter,
            )
        if fit.residual > self.tol:
            warnings.warn(
                f"The optimality conditions hold up to {fit.residual:.1e} only, tol is "
                f"{self.tol:.1e}. Increase max_iter ({self.max_iter}), tol or alpha.",
                ConvergenceWarning,
                stacklevel=2,
            )
        self._store(fit)
        return self

    def _store(self, fit: LogitFit) -> None:
        """Translate weights of terms into the attributes of the capacity."""
        m = self.n_features_in_
        self.n_iter_ = fit.n_iter
        self.terms_ = _name_terms(fit.weights, m)
        self.gamma_ = float(fit.weights.sum())
        # With γ = 0 all capacities predict alike; take the mean of the criteria.
        weights = fit.weights / self.gamma_ if self.gamma_ else np.full(m, 1 / m)
        self.threshold_ = fit.offset / self.gamma_ if self.gamma_ else 0.5
        singletons, self.interaction_ = _mobius(weights, m)
        self.shapley_ = singletons + self.interaction_.sum(axis=1) / 2
        self.mobius_ = _mobius_by_set(singletons, self.interaction_)

    def decision_function(self, X: ArrayLike) -> Floats:
        """Return the log-odds γ·(C(u) - β) of the second class.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Table with the columns of the fitted one.

        Returns
        -------
        ndarray of shape (n_samples,)
            Never lower, not even in the last bit, for a row that is better.
        """
        table = self._new_rows(X)
        U = self.utility_.transform(table)
        # Term by term: in a matrix product the order of the sum may differ from row to row.
        total = np.zeros(len(U))
        for term in self.terms_:
            total += term.evaluate(U)
        return total - self.gamma_ * self.threshold_


def _training_utilities(rows: LabelledRows) -> Floats:
    """Utilities of the distinct training rows: each lies on knots."""
    columns = [rows.knots.knot_utilities(j)[place] for j, place in enumerate(rows.places.T)]
    return np.column_stack(columns)


def _pair_weights(weights: Floats, m: int) -> tuple[Floats, Floats]:
    """Weights of the minima and of the maxima; zeros for an additive model."""
    pairs = weights[m:] if weights.size > m else np.zeros(m * (m - 1))
    lower, upper = np.split(pairs, 2)
    return lower, upper


def _name_terms(weights: Floats, m: int) -> list[ChoquetTerm]:
    """List the terms of positive weight."""
    pairs = list(zip(*(index.tolist() for index in np.triu_indices(m, 1))))
    named = [("value", (j,)) for j in range(m)]
    named += [(operation, pair) for operation in ("min", "max") for pair in pairs]
    return [
        ChoquetTerm(operation, criteria, weight)
        for (operation, criteria), weight in zip(named, weights.tolist())
        if weight > 0
    ]


def _mobius(weights: Floats, m: int) -> tuple[Floats, Floats]:
    """Möbius transform of singletons (m,) and of pairs, a symmetric (m, m) matrix.

    A maximum is the sum of both utilities less their minimum.
    """
    lower, upper = _pair_weights(weights, m)
    i, j = np.triu_indices(m, 1)
    pairs = np.zeros((m, m))
    pairs[i, j] = pairs[j, i] = lower - upper
    singletons = weights[:m] + np.bincount(i, upper, m) + np.bincount(j, upper, m)
    return singletons, pairs


def _mobius_by_set(singletons: Floats, pairs: Floats) -> dict[tuple[int, ...], float]:
    """Möbius transform by set, without zeros."""
    m = singletons.size
    values: dict[tuple[int, ...], float] = {(j,): float(singletons[j]) for j in range(m)}
    values |= {(i, j): float(pairs[i, j]) for i in range(m) for j in range(i + 1, m)}
    return {criteria: value for criteria, value in values.items() if value}


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
    >>> from sugeno.paper.baselines.choquistic import LogitFit
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
    >>> from sugeno.paper.baselines.choquistic import fit_logit
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
