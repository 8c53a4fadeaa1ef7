"""What each column says beside all others: a regression on ranks and categories of all of them.

A column looked at alone may borrow its direction from another: large diamonds are dear, and worse
stones. Ranks keep the order of the values and nothing else, as rules do.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from sugeno._scales.categories import Groups
from sugeno._scales.regression import Regression, ridge_logistic
from sugeno._scales.shape import centred_ranks
from sugeno._scales.value_counts import ValueCounts

__all__ = ["beside_others"]

Floats = NDArray[np.float64]


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
    >>> from sugeno._scales.joint_regression import beside_others
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
        ranks = np.append(2 * centred_ranks(scale), 0.0)
        place = np.searchsorted(scale.values[1:], np.where(gaps, 0.0, column), side="right")
        return ranks[np.where(gaps, -1, place)][:, None]
    n_groups = scale.sizes.size
    of_label = np.append(scale.of_label, n_groups if scale.missing is None else scale.missing)
    group = of_label[np.where(gaps, -1, column).astype(np.intp)]
    result: Floats = (group[:, None] == np.arange(n_groups)).astype(np.float64)
    return result
