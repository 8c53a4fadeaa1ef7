"""Which way each feature points: found from the data, with the evidence."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator

from sugeno._counts.table import Table
from sugeno._counts.weights import row_weights
from sugeno._learning.labels import two_classes
from sugeno._scales.columns import declared_order
from sugeno._scales.directions import (
    Directions,
    directions_by_rank,
    warn_if_weak,
)
from sugeno._scales.evidence import rank_evidence
from sugeno.estimators._validation import check_table

__all__ = ["infer_directions"]

_METHODS = ("rank", "model")


def infer_directions(
    X: ArrayLike,
    y: ArrayLike,
    *,
    method: Literal["rank", "model"] = "rank",
    positive: object = None,
    sample_weight: ArrayLike | None = None,
    random_state: int | np.random.RandomState | None = None,
) -> Directions:
    """Find out for each feature whether higher or lower values speak for the positive class.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Finite numbers, truth values and, in a frame, ordered categoricals.
    y : array-like of shape (n_samples,)
        Labels of two classes; which one is the positive class, see `positive`.
    method : {"rank", "model"}, default="rank"
        "rank" takes the sign of AUC - 1/2 of each feature alone, +1 when it is exactly 1/2. The
        evidence is weak when the Mann-Whitney statistic (normal approximation with ties) lies
        less than 1.645 standard deviations from its mean without any effect.

        "model" is Appendix B of the paper. A neural network with one hidden layer of 16 units
        learns the classes from the utilities of the features (`QuantileUtility`, standardised). The
        utilities keep the order of the values and nothing else. Then each row votes on each
        feature: does the output go up or down when its value is raised by δ? The step δ leads to
        the next value that was observed for this feature, the smallest step that an ordinal scale
        knows. Rows at the highest value do not vote. The evidence is weak when between 40 % and 60
        % of the votes are for up.
    positive : object, optional
        The label of the positive class. By default the order of an ordered categorical decides
        (the last category is positive), and for any other target the sorted order of the labels.
    sample_weight : array-like of shape (n_samples,), optional
        Weights of the rows. They are counts: a weight of 2 is a row that stands there twice,
        for the direction and for the strength of the evidence.
    random_state : int, RandomState or None, default=None
        Seed of the network's first weights. Give an integer for the same result every time. The
        method "rank" has nothing random.

    Returns
    -------
    Directions
        Directions, statistic and strength of the evidence per feature. It prints as a table.

    Warns
    -----
    WeakDirectionWarning
        When the evidence is weak for some features; the warning names them.

    Examples
    --------
    >>> from sugeno import infer_directions
    >>> X = [[1, 9], [2, 8], [3, 7], [4, 6], [5, 5], [6, 5]]
    >>> y = ["bad", "bad", "bad", "good", "good", "good"]
    >>> infer_directions(X, y, method="model", random_state=0)
    Directions by method 'model'
    feature  direction  up  down  up share  evidence
    x0       +1         5   0     1.000     clear
    x1       -1         0   5     0.000     clear
    """
    if method not in _METHODS:
        raise ValueError(
            f"The 'method' parameter of infer_directions must be one of {list(_METHODS)}. "
            f"Got {method!r} instead."
        )
    holder = BaseEstimator()  # validation leaves the feature names on an estimator
    values, labels = check_table(holder, X, y=y)
    names = getattr(holder, "feature_names_in_", [f"x{j}" for j in range(values.shape[1])])
    weights = row_weights(sample_weight, values.shape[0])
    if weights.present is not None:
        values, labels = values[weights.present], labels[weights.present]
        weights = weights.take(weights.present)
    _, codes = two_classes(labels, positive, declared_order(y))
    table = Table.of(values, codes, weights)
    if method == "model":
        from sugeno._learning.directions_by_network import directions_by_model

        found = directions_by_model(table, tuple(map(str, names)), random_state)
    else:
        found = _by_rank(table, tuple(map(str, names)))
    warn_if_weak(found)
    return found


def _by_rank(table: Table, names: tuple[str, ...]) -> Directions:
    """Look at each feature alone."""
    counts = [table.value_counts(j, by_class=True) for j in range(table.n_criteria)]
    return directions_by_rank(rank_evidence(counts, table.unit), names)
