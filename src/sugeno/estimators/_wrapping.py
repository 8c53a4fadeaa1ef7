"""Classifiers around others: the rows and weights that these get, and what they answer."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import ClassifierMixin, MetaEstimatorMixin
from sklearn.utils import get_tags, indexable
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted, has_fit_parameter

from sugeno._counts.weights import row_weights
from sugeno._exceptions import WeakDirectionWarning, warn_user
from sugeno._sklearn import DocumentedEstimator, safe_indexing


def rows_with_weight(X: Any, y: Any, sample_weight: ArrayLike | None) -> tuple[Any, Any, Any]:
    """Leave out rows without weight.

    Examples
    --------
    >>> from sugeno.estimators._wrapping import rows_with_weight
    >>> rows_with_weight([[1], [2]], ["a", "b"], [0, 1])
    ([[2]], ['b'], [1])
    """
    present = row_weights(sample_weight, len(np.asarray(y))).present
    if present is None:
        return X, y, sample_weight
    X, y, sample_weight = (safe_indexing(part, present) for part in indexable(X, y, sample_weight))
    return X, y, sample_weight


def weights_for(inside: Any, sample_weight: Any) -> dict[str, Any]:
    """Return the weights as ``fit`` of a classifier takes them; one that does not is refused.

    Examples
    --------
    >>> from sugeno import SugenoClassifier
    >>> from sugeno.estimators._wrapping import weights_for
    >>> weights_for(SugenoClassifier(), [1, 2])
    {'sample_weight': [1, 2]}
    """
    if sample_weight is None:
        return {}
    if not has_fit_parameter(inside, "sample_weight"):
        raise ValueError(
            f"{type(inside).__name__} does not take sample weights. Got weights instead of None; "
            "leave them out."
        )
    return {"sample_weight": sample_weight}


def learn_each(learn_one: Callable[[int], Any], labels: NDArray[Any]) -> list[Any]:
    """Call a function for the place of each label; a weak direction is said to be of that label.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno.estimators._wrapping import learn_each
    >>> learn_each(lambda place: place + 1, np.array(["a", "b"]))
    [1, 2]
    """
    each = []
    for place, label in enumerate(labels.tolist()):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", WeakDirectionWarning)
            each.append(learn_one(place))
        for warning in caught:
            _warn_again(warning, label)
    return each


def _warn_again(warning: warnings.WarningMessage, label: object) -> None:
    if warning.category is WeakDirectionWarning:
        said = f"{warning.message} (Class {label!r} against the rest.)"
        warn_user(said, WeakDirectionWarning)
    else:
        warnings.warn_explicit(warning.message, warning.category, warning.filename, warning.lineno)


def inner_has(method: str) -> Any:
    """Tell whether the estimator inside has a method."""

    def has(self: Any) -> bool:
        getattr(getattr(self, "estimator_", self.estimator), method)
        return True

    return available_if(has)


class AnswersAsInside(MetaEstimatorMixin, ClassifierMixin, DocumentedEstimator):
    """A classifier that predicts what the one inside, ``estimator_``, predicts.

    Examples
    --------
    >>> from sugeno import ConformalClassifier, SugenoClassifier
    >>> X, y = [[1], [2], [3], [4]] * 9, [0, 0, 1, 1] * 9
    >>> ConformalClassifier(SugenoClassifier()).fit(X, y).predict([[2], [3]])
    array([0, 1])
    """

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        inside = get_tags(self.estimator)
        tags.input_tags.allow_nan = inside.input_tags.allow_nan
        if inside.classifier_tags is not None:
            tags.classifier_tags.multi_class = inside.classifier_tags.multi_class
            tags.classifier_tags.poor_score = inside.classifier_tags.poor_score
        return tags

    def _asked(self, X: ArrayLike) -> Any:
        """The fitted classifier, after a look at the rows that it is asked about."""
        check_is_fitted(self)
        return self.estimator_

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """Return what the fitted classifier predicts.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        ndarray of shape (n_samples,)
            Labels.
        """
        return np.asarray(self._asked(X).predict(X))

    @inner_has("predict_proba")
    def predict_proba(self, X: ArrayLike) -> NDArray[np.float64]:
        """Return the probabilities of the fitted classifier, in the order of ``classes_``.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        ndarray of shape (n_samples, C)
            Probabilities.
        """
        return np.asarray(self._asked(X).predict_proba(X))
