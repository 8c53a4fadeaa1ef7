"""What the Sugeno classifier is compared with, each a scikit-learn estimator.

`ChoquisticRegression` and `MonotoneRuleEnsemble` (MORE) are monotone by construction, as is what
`monotone_boosting` makes; `GiniTree` and what `logistic` makes are not.
"""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler

from sugeno.paper.baselines.choquistic import ChoquisticRegression
from sugeno.paper.baselines.gini_tree import GiniTree
from sugeno.paper.baselines.more import MonotoneRuleEnsemble

__all__ = [
    "ChoquisticRegression",
    "GiniTree",
    "MonotoneRuleEnsemble",
    "logistic",
    "monotone_boosting",
]

#: As good as infinite: scikit-learn 1.8 warns about infinity, 1.9 about ``penalty=None``.
_NO_PENALTY = 1e12


def logistic() -> Pipeline:
    """Return a logistic regression without penalty on standardised features, the paper's LR.

    Returns
    -------
    Pipeline
        An unfitted classifier.

    Examples
    --------
    >>> from sugeno.paper.baselines import logistic
    >>> X, y = [[1], [2], [3], [4], [5], [6]], [0, 0, 1, 0, 1, 1]
    >>> logistic().fit(X, y).predict([[1], [6]])
    array([0, 1])
    """
    return make_pipeline(StandardScaler(), LogisticRegression(C=_NO_PENALTY, max_iter=1000))


def monotone_boosting(directions: ArrayLike, **options: Any) -> HistGradientBoostingClassifier:
    """Return gradient boosting with monotonicity constraints, what many would pick instead.

    Parameters
    ----------
    directions : array-like of shape (n_features,) or dict
        +1 where higher values speak for the second class, -1 where lower ones do, 0 where nothing
        is known. A dict goes from feature names to directions.
    **options
        Further parameters of `sklearn.ensemble.HistGradientBoostingClassifier`.

    Returns
    -------
    HistGradientBoostingClassifier
        An unfitted classifier.

    Examples
    --------
    >>> from sugeno.paper.baselines import monotone_boosting
    >>> monotone_boosting([1, -1]).monotonic_cst
    [1, -1]
    """
    return HistGradientBoostingClassifier(monotonic_cst=directions, **options)
