"""Utilities: each criterion on the unit interval, commensurable and increasing (section 4.1).

A value of a criterion becomes the share of the training data below it, half of its ties
included. Between two observed values the utility is linear; below the observed range it is 0,
above it is 1. The arithmetic is in `sugeno.quantiles`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from numbers import Real
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin, _fit_context
from sklearn.utils.validation import check_is_fitted, validate_data

from sugeno.measure import row_weights
from sugeno.quantiles import Quantiles, fit_quantiles, levels, utilities

__all__ = [
    "QuantileUtility",
    "Quantiles",
    "check_beta",
    "check_directions",
    "check_table",
    "fit_quantiles",
    "levels",
    "utilities",
]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def check_directions(
    directions: ArrayLike | Mapping[str, int] | None,
    n_features: int,
    feature_names: Sequence[str] | NDArray[np.object_] | None = None,
) -> Ints:
    """Bring directions into the form of one integer per criterion, +1 or -1.

    Parameters
    ----------
    directions : array-like of shape (n_features,), mapping or None
        +1 where higher values are better, -1 where lower ones are. A mapping goes from feature
        names to directions; features that it does not name get +1. None is +1 everywhere.
    n_features : int
        Number of criteria.
    feature_names : sequence of str, optional
        Names of the criteria, which a mapping needs.

    Returns
    -------
    ndarray of int64 of shape (n_features,)
        The directions.

    Examples
    --------
    >>> from sugeno.utility import check_directions
    >>> check_directions({"price": -1}, 2, ["quality", "price"])
    array([ 1, -1])
    """
    if directions is None:
        return np.ones(n_features, dtype=np.int64)
    if isinstance(directions, Mapping):
        directions = _directions_by_name(directions, feature_names)
    array = np.asarray(directions)
    if array.shape != (n_features,):
        raise ValueError(
            f"directions must hold one of +1 and -1 per feature, shape ({n_features},). "
            f"Got shape {array.shape} instead."
        )
    for j, value in enumerate(array.tolist()):
        if isinstance(value, bool) or not isinstance(value, Real) or value not in (-1, 1):
            name = f"feature {j}" if feature_names is None else repr(feature_names[j])
            raise ValueError(
                f"The direction of {name} must be +1 (higher is better) or -1 (lower is better). "
                f"Got {value!r} instead."
            )
    return array.astype(np.int64)


def _directions_by_name(
    directions: Mapping[str, Any], feature_names: Sequence[str] | NDArray[np.object_] | None
) -> list[Any]:
    """Directions in the order of the features, +1 where none is given."""
    if feature_names is None:
        raise ValueError(
            f"directions by name need a table with column names. Got {dict(directions)!r} and a "
            "table without names; pass a data frame, or one of +1 and -1 per column."
        )
    names = [str(name) for name in feature_names]
    unknown = [name for name in directions if name not in names]
    if unknown:
        raise ValueError(
            f"directions must name features of the table, which are {names}. Got {unknown} instead."
        )
    return [directions.get(name, 1) for name in names]


def check_table(estimator: BaseEstimator, X: ArrayLike, **options: Any) -> Any:
    """Validate a table of finite numbers as scikit-learn does; options go to `validate_data`.

    Examples
    --------
    >>> from sklearn.base import BaseEstimator
    >>> from sugeno.utility import check_table
    >>> check_table(BaseEstimator(), [[1, 2]])
    array([[1., 2.]])
    """
    # The check adds up all entries first. Near the largest number that may give inf - inf, which
    # is no fault of the table: each entry is then looked at.
    with np.errstate(invalid="ignore"):
        return validate_data(estimator, X, dtype=np.float64, **options)


def check_beta(beta: Any) -> float:
    """Return a utility level as a float after checking that it is one.

    Examples
    --------
    >>> from sugeno.utility import check_beta
    >>> check_beta(1)
    1.0
    """
    if not isinstance(beta, Real) or not 0 <= float(beta) <= 1:
        raise ValueError(f"beta must be a number in [0, 1]. Got {beta!r} instead.")
    return float(beta)


class QuantileUtility(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):
    """Map each criterion to its empirical distribution function with mid-ranks.

    The utility of an observed value is the share of the rows below it plus half the share of
    the rows that tie with it. It is linear between observed values, 0 below and 1 above the
    observed range. This is the transformation of section 4.1 of the paper, divided by the
    number of rows (the paper's formula lacks that), so that it lies in [0, 1].

    Parameters
    ----------
    directions : array-like of shape (n_features,), dict or None, default=None
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
    cumulative_ : list of ndarray of integers
        Per criterion the weight of all rows up to each value, in integer units.
    total_ : int
        Weight of all rows in the same units.
    n_features_in_ : int
        Number of criteria seen during fit.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, when the table had names.

    Notes
    -----
    Fitting sorts each column once. Weights are counts: a repeated row equals a weight of 2, a
    weight of 0 equals an absent row, and the order of the rows does not matter, to the last bit.

    Examples
    --------
    >>> from sugeno.utility import QuantileUtility
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
        "directions": ["array-like", dict, None],
        "saturate": ["boolean"],
    }

    def __init__(
        self,
        *,
        directions: ArrayLike | Mapping[str, int] | None = None,
        saturate: bool = False,
    ) -> None:
        self.directions = directions
        self.saturate = saturate

    @classmethod
    def from_quantiles(
        cls, knots: Quantiles, feature_names: NDArray[np.object_] | None = None
    ) -> Self:
        """Make a fitted transformer of knots that were counted elsewhere.

        Parameters
        ----------
        knots : Quantiles
            The knots of all criteria.
        feature_names : ndarray of str of shape (m,), optional
            Names of the criteria.

        Returns
        -------
        QuantileUtility
            A fitted transformer.

        Examples
        --------
        >>> import numpy as np
        >>> from sugeno.utility import Quantiles, QuantileUtility
        >>> knots = Quantiles([np.array([4.0, 5.0])], [np.array([1, 3])], 3, np.array([1]))
        >>> QuantileUtility.from_quantiles(knots).transform([[5.0]])
        array([[0.66666667]])
        """
        new = cls(directions=knots.directions.tolist(), saturate=knots.saturate)
        new.n_features_in_ = len(knots.values)
        if feature_names is not None:
            new.feature_names_in_ = feature_names
        return new._store(knots)

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: ArrayLike, y: object = None, sample_weight: ArrayLike | None = None) -> Self:
        """Count the values of every criterion.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Table of numbers.
        y : None
            Ignored; the transformation does not look at the classes.
        sample_weight : array-like of shape (n_samples,), optional
            Weights of the rows.

        Returns
        -------
        QuantileUtility
            The fitted transformer.
        """
        table = check_table(self, X)
        weights = row_weights(sample_weight, table.shape[0])
        names = getattr(self, "feature_names_in_", None)
        directions = check_directions(self.directions, table.shape[1], names)
        return self._store(fit_quantiles(table, weights, directions, self.saturate))

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

        A value x reaches β if and only if it is at least as good as the level: ``x >= level``
        for an increasing criterion, ``x <= level`` for a decreasing one. This is exact for every
        floating-point number.

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
    def _knots(self) -> Quantiles:
        return Quantiles(
            self.values_, self.cumulative_, self.total_, self.directions_, self.saturate
        )

    def _store(self, knots: Quantiles) -> Self:
        self.values_ = knots.values
        self.cumulative_ = knots.cumulative
        self.total_ = knots.total
        self.directions_ = knots.directions
        return self
