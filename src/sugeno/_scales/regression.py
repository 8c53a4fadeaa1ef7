"""Ridge logistic regression by Newton's method: what a column says beside all others.

It is used to find out signs and orders, not to predict. A column looked at alone may borrow its
direction from another: large diamonds are dear, and worse stones. Ranks and categories of all
columns keep the order of the values and nothing else, as rules do.

Newton's method needs a handful of steps,
its last Hessian gives standard errors, and it is the same on every run; whoever wants it to be the
same for any order of the rows hands them over in an order of their contents.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from sugeno._scales.categories import Groups
from sugeno._scales.value_counts import ValueCounts
from sugeno._threads import one_thread

Floats = NDArray[np.float64]

#: Newton's method ends after so many steps at the latest.
_MOST_STEPS = 50
#: Steps below this change no sign that is worth anything.
_SMALL_STEP = 1e-7
#: Coefficients are kept to so many decimals, so that two of the same size are equal.
_DECIMALS = 6


@dataclass(frozen=True, eq=False)
class Regression:
    """Coefficients of a logistic regression.

    Attributes
    ----------
    intercept : float
        Log odds where all columns are zero.
    coefficients : ndarray of shape (m,)
        Of each column, to six decimals.
    errors : ndarray of shape (m,)
        Their standard errors, from the penalised Hessian.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._scales.regression import ridge_logistic
    >>> x = np.array([[-1.0], [-1.0], [1.0], [1.0]])
    >>> ridge_logistic(x, np.array([0.0, 0.0, 0.0, 1.0]), np.ones(4)).z > 0
    array([ True])
    """

    intercept: float
    coefficients: Floats
    errors: Floats

    @property
    def z(self) -> Floats:
        """Each coefficient in its standard errors."""
        return self.coefficients / self.errors


def ridge_logistic(
    columns: Floats, target: Floats, weights: Floats, *, penalty: float = 1.0
) -> Regression:
    """Fit log odds that are linear in some columns, with a penalty on their squares.

    Minimises Σ w (log(1 + exp(η)) − t η) + penalty/2 · Σ b², where η = a + x·b: what scikit-learn's
    ``LogisticRegression`` does with ``C=1/penalty``. The penalty makes the minimum unique, also
    where columns repeat each other or part the classes. Costs O(n m² + m³) per step.

    Parameters
    ----------
    columns : ndarray of shape (n, m)
        The columns, all on scales that a common penalty suits.
    target : ndarray of shape (n,)
        Numbers in [0, 1]: the class, or where it stands among ordered ones.
    weights : ndarray of shape (n,)
        Positive weights of the rows, as numbers of rows.
    penalty : float, default=1.0
        Weight of the squares.

    Returns
    -------
    Regression
        Coefficients and standard errors.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._scales.regression import ridge_logistic
    >>> rng = np.random.default_rng(0)
    >>> size = rng.normal(size=500)
    >>> flaws = size + rng.normal(size=500)
    >>> dear = (2 * size - flaws > 0).astype(float)
    >>> fit = ridge_logistic(np.column_stack([size, flaws]), dear, np.ones(500))
    >>> np.sign(fit.coefficients), np.corrcoef(flaws, dear)[0, 1] > 0
    (array([ 1., -1.]), np.True_)
    """
    design = np.column_stack([np.ones(len(columns)), columns])
    ridge = np.full(design.shape[1], penalty)
    ridge[0] = 1e-9 * penalty  # the intercept is free, and exists where there is one class only
    b = np.zeros(design.shape[1])
    with one_thread():  # many small products; and the same sums on any number of cores
        for _ in range(_MOST_STEPS):
            hessian, step = _newton(design, target, weights, ridge, b)
            b = _descended(design, target, weights, ridge, b, step)
            if np.abs(step).max() < _SMALL_STEP:
                break
    errors = np.sqrt(np.diag(np.linalg.inv(hessian)).astype(np.float64))
    b = np.round(b, _DECIMALS).astype(np.float64) + 0.0
    return Regression(float(b[0]), b[1:], errors[1:])


def _newton(
    design: Floats, target: Floats, weights: Floats, ridge: Floats, b: Floats
) -> tuple[Floats, Floats]:
    """Hessian at a point, and the step from there to the minimum of the parabola."""
    p = expit(design @ b)
    curvature = np.maximum(weights * p * (1 - p), 1e-12)
    hessian = (design * curvature[:, None]).T @ design + np.diag(ridge)
    gradient = design.T @ (weights * (target - p)) - ridge * b
    step = np.linalg.solve(hessian, gradient).astype(np.float64)
    return hessian, step


def _descended(
    design: Floats, target: Floats, weights: Floats, ridge: Floats, b: Floats, step: Floats
) -> Floats:
    """Go along a step, half as far as long as that would lead up."""
    before = _loss(design, target, weights, ridge, b)
    for _ in range(30):
        if _loss(design, target, weights, ridge, b + step) <= before:
            break
        step = step / 2
    return b + step


def _loss(design: Floats, target: Floats, weights: Floats, ridge: Floats, b: Floats) -> float:
    """What is minimised."""
    score = design @ b
    return float(weights @ (np.logaddexp(0, score) - target * score) + ridge @ (b * b) / 2)


def beside_others(
    X: Floats, scales: Sequence[ValueCounts | Groups], target: Floats, weights: Floats
) -> list[Regression]:
    """Fit a ridge logistic regression on all columns, and return the part of each.

    Parameters
    ----------
    X : ndarray of shape (n, m)
        Rows, or a sample of them; NaN where a value is missing, numbers of labels in categories.
    scales : sequence of ValueCounts or Groups
        Of a column of numbers its values, which give ranks from -1 to 1; of a category its groups,
        each of which is a column of the regression.
    target : ndarray of shape (n,)
        Numbers in [0, 1]: the class, or where it stands among ordered ones.
    weights : ndarray of shape (n,)
        Weights as numbers of rows.

    Returns
    -------
    list of Regression
        Per column the coefficient of its rank, or those of its groups.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._scales.regression import beside_others
    >>> from sugeno._scales.value_counts import ValueCounts
    >>> rng = np.random.default_rng(0)
    >>> size = rng.integers(1, 9, 500)
    >>> flaws = size + rng.integers(1, 9, 500)
    >>> dear = 2 * size > flaws
    >>> X = np.column_stack([size, flaws]).astype(float)
    >>> counts = [ValueCounts(*(u[:, None] if i else u for i, u in
    ...           enumerate(np.unique(x, return_counts=True)))) for x in X.T]
    >>> parts = beside_others(X, counts, dear.astype(float), np.ones(500))
    >>> [float(np.sign(part.coefficients[0])) for part in parts]
    [1.0, -1.0]
    """
    parts = [_design(X[:, j], scale) for j, scale in enumerate(scales)]
    fit = ridge_logistic(np.hstack(parts), target, weights)
    ends = np.cumsum([0, *(part.shape[1] for part in parts)]).tolist()
    return [
        Regression(fit.intercept, fit.coefficients[start:end], fit.errors[start:end])
        for start, end in pairwise(ends)
    ]


def _design(column: Floats, scale: ValueCounts | Groups) -> Floats:
    """Columns of the regression: a rank, 0 where it is missing, or a truth value per group."""
    gaps = np.isnan(column)
    if isinstance(scale, ValueCounts):
        ranks = np.append(2 * scale.centred_ranks, 0.0)
        place = np.searchsorted(scale.values[1:], np.where(gaps, 0.0, column), side="right")
        return ranks[np.where(gaps, -1, place)][:, None]
    n_groups = scale.sizes.size
    of_label = np.append(scale.of_label, n_groups if scale.missing is None else scale.missing)
    group = of_label[np.where(gaps, -1, column).astype(np.intp)]
    result: Floats = (group[:, None] == np.arange(n_groups)).astype(np.float64)
    return result
