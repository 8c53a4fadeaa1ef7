"""Utilities: each criterion on the unit interval, commensurable and increasing (section 4.1).

A value of a criterion becomes the share of the training data below it, half of its ties
included. Between two observed values the utility is linear; below the observed range it is 0,
above it is 1. The arithmetic is in `sugeno._scales.knots`.
"""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Real
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import OneToOneFeatureMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from sugeno._counts.table import Table
from sugeno._counts.weights import row_weights
from sugeno._scales.columns import ColumnLabels
from sugeno._scales.directions import Directions, given_directions
from sugeno._scales.knots import Knots, knots_of, levels, utilities
from sugeno._sklearn import DocumentedEstimator, fit_context
from sugeno.estimators._validation import check_table

__all__ = ["QuantileUtility"]

Floats = NDArray[np.float64]


def check_beta(beta: Any) -> float:
    """Return a utility level as a float after checking that it is one.

    Examples
    --------
    >>> from sugeno.estimators.utility import check_beta
    >>> check_beta(1)
    1.0
    """
    if not isinstance(beta, Real) or not 0 <= float(beta) <= 1:
        raise ValueError(f"beta must be a number in [0, 1]. Got {beta!r} instead.")
    return float(beta)


class QuantileUtility(OneToOneFeatureMixin, TransformerMixin, DocumentedEstimator):
    """Map each criterion to its empirical distribution function with mid-ranks.

    The utility of an observed value is the share of the rows below it plus half the share of the
    rows that tie with it. It is linear between observed values, 0 below and 1 above the observed
    range. This is the transformation of section 4.1 of the paper, divided by the number of rows, so
    that it lies in [0, 1]. The paper's formula lacks the division.

    Parameters
    ----------
    directions : Directions, array-like of shape (n_features,), dict or None, default=None
        +1 where higher values are better, -1 where lower ones are. A dict goes from feature
        names to directions; features that it does not name get +1. None is +1 everywhere.
    saturate : bool, default=False
        Give the observed best value utility 1. Without it that value has a utility below 1, and
        a high threshold is out of reach of the training data.

    Attributes
    ----------
    directions_ : ndarray of int of shape (n_features_in_,)
        +1 or -1 per criterion.
    values_ : list of ndarray
        Per criterion the distinct observed values times its direction, ascending.
    ranks_ : list of ndarray of integers
        Per criterion twice the mid-rank of each value, in integer units. That is the weight of all
        rows below it plus the weight of all rows up to it.
    total_ : int
        Weight of all rows in the same units.
    n_features_in_ : int
        Number of criteria seen during fit.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, when the table had names.
    feature_labels_in_ : tuple
        Per criterion its ordered labels, None for numbers, when X had ordered categoricals.

    Notes
    -----
    Fitting sorts each column once. Weights are counts: a repeated row equals a weight of 2, a
    weight of 0 equals an absent row. The order of the rows does not matter, to the last bit.

    Examples
    --------
    >>> from sugeno import QuantileUtility
    >>> X = [[4, 30], [5, 10], [5, 20], [9, 40]]
    >>> utility = QuantileUtility(directions=[1, -1]).fit(X)
    >>> utility.transform(X)
    array([[0.125, 0.375],
           [0.5  , 0.875],
           [0.5  , 0.625],
           [0.875, 0.125]])
    >>> utility.level(0.6875)
    array([ 7. , 17.5])
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "directions": [Directions, "array-like", dict, None],
        "saturate": ["boolean"],
    }

    def __init__(
        self,
        *,
        directions: Directions | ArrayLike | Mapping[str, int] | None = None,
        saturate: bool = False,
    ) -> None:
        self.directions = directions
        self.saturate = saturate

    @classmethod
    def from_knots(
        cls,
        knots: Knots,
        feature_names: NDArray[np.object_] | None = None,
        feature_labels: ColumnLabels | None = None,
    ) -> Self:
        """Make a fitted transformer of knots that were counted elsewhere.

        Parameters
        ----------
        knots : Knots
            The knots of all criteria.
        feature_names : ndarray of str of shape (m,), optional
            Names of the criteria.
        feature_labels : tuple, optional
            Per criterion its ordered labels, None for numbers.

        Returns
        -------
        QuantileUtility
            A fitted transformer.

        Examples
        --------
        >>> import numpy as np
        >>> from sugeno import QuantileUtility
        >>> from sugeno._scales.knots import Knots
        >>> knots = Knots([np.array([4.0, 5.0])], [np.array([1, 4])], 3, np.array([1]))
        >>> QuantileUtility.from_knots(knots).transform([[5.0]])
        array([[0.66666667]])
        """
        new = cls(directions=knots.directions.tolist(), saturate=knots.saturate)
        new.n_features_in_ = len(knots.values)
        if feature_names is not None:
            new.feature_names_in_ = feature_names
        if feature_labels is not None:
            new.feature_labels_in_ = feature_labels
        return new._store(knots)

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: ArrayLike, y: object = None, sample_weight: ArrayLike | None = None) -> Self:
        """Count the values of every criterion.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Finite numbers, truth values and, in a frame, ordered categoricals.
        y : None
            Ignored; the transformation does not look at the classes.
        sample_weight : array-like of shape (n_samples,), optional
            Weights of the rows.

        Returns
        -------
        QuantileUtility
            The fitted transformer.
        """
        values = check_table(self, X)
        weights = row_weights(sample_weight, values.shape[0])
        directions = self._given_directions(values.shape[1])
        one_class = np.broadcast_to(np.intp(0), len(values))
        table = Table.of(values, one_class, weights)
        counts = map(table.value_counts, range(table.n_criteria))
        return self._store(knots_of(counts, table.total, directions, self.saturate))

    def _given_directions(self, m: int) -> NDArray[np.int64]:
        """Directions as one number per criterion; those that nobody names are +1."""
        names = getattr(self, "feature_names_in_", None)
        given = given_directions(self.directions, m, names)
        return np.where(given == 0, 1, given)

    def transform(self, X: ArrayLike) -> Floats:
        """Return the utilities of a table.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Table with the columns of the fitted one.

        Returns
        -------
        ndarray of shape (n_samples, n_features)
            Numbers in [0, 1]; higher is better.
        """
        check_is_fitted(self)
        return utilities(check_table(self, X, reset=False), self._knots)

    def level(self, beta: float) -> Floats:
        """Return the worst value of each criterion whose utility reaches β, in original units.

        A value x reaches β if and only if it is at least as good as the level. That is
        ``x >= level`` for an increasing criterion, ``x <= level`` for a decreasing one. This is
        exact for every floating-point number.

        Parameters
        ----------
        beta : float
            Utility to reach, in [0, 1].

        Returns
        -------
        ndarray of shape (n_features_in_,)
            One level per criterion.
        """
        check_is_fitted(self)
        return levels(self._knots, check_beta(beta))

    @property
    def _knots(self) -> Knots:
        return Knots(self.values_, self.ranks_, self.total_, self.directions_, self.saturate)

    def _store(self, knots: Knots) -> Self:
        self.values_ = knots.values
        self.ranks_ = knots.ranks
        self.total_ = knots.total
        self.directions_ = knots.directions
        return self
