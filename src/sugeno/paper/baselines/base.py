"""What the monotone baselines share: from a table to distinct rows with class weights.

Like the Sugeno classifier, the baselines see the data as a measure only: the distinct rows in a
canonical order, each with the integer weight of its positive and of its negative copies. Row
order, repeated rows and weights of zero then cannot matter, not even in the last bit.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted, validate_data

from sugeno._counts.table import Table
from sugeno._counts.weights import RowWeights, row_weights
from sugeno._learning.labels import two_classes
from sugeno._learning.training import prepare
from sugeno._scales.knots import Knots

__all__ = ["BinaryBaseline", "LabelledRows", "distinct_rows"]

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]
Places = NDArray[np.intp]


@dataclass(frozen=True)
class LabelledRows:
    """The distinct rows of a training table with the weight of each class.

    Attributes
    ----------
    places : ndarray of intp of shape (D, m)
        Place of each entry among the distinct oriented values of its column; lexicographic order.
    positive, negative : ndarray of int64 of shape (D,)
        Integer weight of the copies of each row in either class.
    knots : Knots
        The distinct oriented values of each column, their weights, and the directions.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._counts.table import Table
    >>> from sugeno._counts.weights import row_weights
    >>> from sugeno._learning.training import prepare
    >>> from sugeno.paper.baselines.base import LabelledRows
    >>> table = Table.of(np.array([[7.0], [5.0], [7.0]]), np.array([1, 0, 0]), row_weights(None, 3))
    >>> rows = LabelledRows.of(table, prepare(table, np.array([0, 1]), directions=[1]).knots)
    >>> rows.places.ravel(), rows.positive, rows.negative
    (array([0, 1]), array([0, 1]), array([1, 1]))
    """

    places: Places
    positive: Ints
    negative: Ints
    knots: Knots

    @classmethod
    def of(cls, table: Table, knots: Knots) -> LabelledRows:
        """Group the rows of a table."""
        places = np.empty(table.X.shape, dtype=np.intp)
        for j, direction in enumerate(knots.directions):
            places[:, j] = np.searchsorted(knots.values[j], direction * table.X[:, j])
        return cls(*distinct_rows(places, table.positive, table.weights), knots)


def distinct_rows(
    places: Places, positive: Bools, weights: RowWeights
) -> tuple[Places, Ints, Ints]:
    """Return the distinct rows in lexicographic order and the weight of each class.

    Costs one stable sort per column; the sums are exact.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno.paper.baselines.base import distinct_rows
    >>> from sugeno._counts.weights import row_weights
    >>> rows = np.array([[1, 0], [0, 2], [1, 0]])
    >>> distinct_rows(rows, np.array([True, True, False]), row_weights([1, 2, 3], 3))
    (array([[0, 2],
           [1, 0]]), array([2, 1]), array([0, 3]))
    """
    order = np.lexsort(places.T[::-1])
    ordered = places[order]
    starts = np.flatnonzero(np.append(True, (ordered[1:] != ordered[:-1]).any(axis=1)))
    total = np.add.reduceat(weights.units[order], starts)
    upper = np.add.reduceat(np.where(positive, weights.units, 0)[order], starts)
    return ordered[starts], upper, total - upper


class BinaryBaseline(ClassifierMixin, BaseEstimator):
    """A classifier for two classes with a decision function and directions.

    Subclasses have a parameter ``directions`` and implement ``decision_function``.

    Examples
    --------
    >>> from sugeno.paper.baselines.base import BinaryBaseline
    >>> BinaryBaseline().__sklearn_tags__().classifier_tags.multi_class
    False
    """

    directions: ArrayLike | Mapping[str, int] | str | None
    #: Log-odds of the second class that one unit of the decision function stands for.
    _log_odds_of_score = 1.0

    def decision_function(self, X: ArrayLike) -> Floats:
        """Return a number per row, positive where the second class is predicted."""
        raise NotImplementedError

    def predict(self, X: ArrayLike) -> NDArray[np.generic]:
        """Return the more likely class of each row.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Table with the columns of the fitted one.

        Returns
        -------
        ndarray of shape (n_samples,)
            Entries of ``classes_``; the second where ``decision_function(X) > 0``.
        """
        accepted = self.decision_function(X) > 0
        labels: NDArray[np.generic] = self.classes_[accepted.astype(np.intp)]
        return labels

    def predict_proba(self, X: ArrayLike) -> Floats:
        """Return the probabilities of both classes.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Table with the columns of the fitted one.

        Returns
        -------
        ndarray of shape (n_samples, 2)
            One column per entry of ``classes_``.
        """
        log_odds = self._log_odds_of_score * self.decision_function(X)
        return np.column_stack([expit(-log_odds), expit(log_odds)])

    def _fit_rows(
        self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None
    ) -> LabelledRows:
        """Validate the training data, set ``classes_`` and ``directions_``, and group the rows."""
        values, target = validate_data(self, X, y, dtype=np.float64)
        weights = row_weights(sample_weight, len(values))
        present = weights.present
        if present is not None:
            values, target, weights = values[present], target[present], weights.take(present)
        self.classes_, codes = two_classes(target)
        names = getattr(self, "feature_names_in_", None)
        table = Table.of(values, codes, weights)
        training = prepare(table, self.classes_, directions=self.directions, feature_names=names)
        self.directions_ = training.knots.directions
        return LabelledRows.of(table, training.knots)

    def _new_rows(self, X: ArrayLike) -> Floats:
        """Validate a table to predict for."""
        check_is_fitted(self)
        table: Floats = validate_data(self, X, dtype=np.float64, reset=False)
        return table

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags
