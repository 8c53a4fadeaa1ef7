"""Classes without an order: one monotone classifier per class, with directions of its own."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import ClassifierMixin, MetaEstimatorMixin, clone
from sklearn.utils import get_tags
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted

from sugeno._sklearn import DocumentedEstimator, HasMethods, fit_context
from sugeno.estimators._validation import check_table
from sugeno.estimators._wrapping import learn_each, rows_with_weight, weights_for
from sugeno.estimators.classifier import SugenoClassifier
from sugeno.model.per_class import normalised

__all__ = ["SugenoNominalClassifier"]

Floats = NDArray[np.float64]


class SugenoNominalClassifier(MetaEstimatorMixin, ClassifierMixin, DocumentedEstimator):
    """Classifier of classes without an order: rules for each class against the rest.

    There is no order of the classes that all criteria could agree with. So each class has a
    monotone classifier with directions of its own: what speaks for one class may speak against
    another. The class with the highest calibrated probability wins. Where the rules of no class
    hold, or those of several, `predict_set` says so.

    Parameters
    ----------
    estimator : classifier or None, default=None
        Any classifier of two classes with ``predict_proba``, such as `SugenoClassifierCV`,
        `SugenoDistiller` or a logistic regression. None for ``SugenoClassifier()``. It is fitted
        to labels that are true for the class and false for all others.

    Attributes
    ----------
    classes_ : ndarray of shape (C,)
        The labels, sorted.
    estimators_ : list of classifiers
        The fitted classifier of each class.
    rules_ : dict
        From each label to its `RuleSet`, where the classifier inside has rules.
    directions_ : ndarray of int of shape (C, n_features_in_)
        +1 or -1 per class and feature, where the classifier inside has directions.
    n_features_in_ : int
        Number of features seen during fit.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, when X had names.

    See Also
    --------
    SugenoOrdinalClassifier : Classes in an order.

    Examples
    --------
    >>> from sugeno import SugenoNominalClassifier
    >>> X = [[1, 1], [2, 1], [1, 8], [2, 9], [8, 2], [9, 1]]
    >>> clf = SugenoNominalClassifier().fit(X, ["low", "low", "tall", "tall", "wide", "wide"])
    >>> for label, rules in clf.rules_.items():
    ...     print(rules)
    low if x0 <= 5 and x1 <= 4
    tall if x0 <= 5 and x1 >= 2
    wide if x0 >= 2
    >>> clf.predict([[1, 9], [8, 1]])
    array(['tall', 'wide'], dtype='<U4')
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "estimator": [HasMethods(["fit", "predict_proba"]), None],
    }

    def __init__(self, estimator: Any = None) -> None:
        self.estimator = estimator

    @fit_context(prefer_skip_nested_validation=False)
    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Fit a classifier for each class against the rest.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows, as the classifier inside takes them.
        y : array-like of shape (n_samples,)
            Labels of two or more classes.
        sample_weight : array-like of shape (n_samples,), optional
            Weights of the rows.

        Returns
        -------
        SugenoNominalClassifier
            The fitted classifier.
        """
        inside = SugenoClassifier() if self.estimator is None else self.estimator
        missing = getattr(inside, "missing", "error")
        _, labels = check_table(self, X, y=y, missing=missing)
        check_classification_targets(labels)
        X, labels, sample_weight = rows_with_weight(X, labels, sample_weight)
        self.classes_ = np.unique(labels)
        if self.classes_.size < 2:
            raise ValueError(
                "The classifier needs rows of at least two classes with positive weight. "
                f"Got 1 class instead: {self.classes_.tolist()[0]!r}."
            )
        weights = weights_for(inside, sample_weight)
        classes = self.classes_
        self.estimators_ = learn_each(
            lambda place: clone(inside).fit(X, labels == classes[place], **weights), classes
        )
        return self

    @property
    def rules_(self) -> dict[Any, Any]:
        """The rules of each class, which speak for it."""
        each = zip(self.classes_.tolist(), self.estimators_)
        return {label: one.rules_.relabelled(label) for label, one in each}

    @property
    def directions_(self) -> NDArray[np.int64]:
        """The directions of the features for each class."""
        return np.array([one.directions_ for one in self.estimators_])

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """Return the likeliest class of each row.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        ndarray of shape (n_samples,)
            Labels; of equally likely ones the first in sorted order.
        """
        labels: NDArray[Any] = self.predict_proba(X).argmax(axis=1)
        return self.classes_.take(labels)

    def predict_proba(self, X: ArrayLike) -> Floats:
        """Return the probabilities of the classes, each by its own classifier, to the sum 1.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        ndarray of shape (n_samples, C)
            Probabilities in the order of ``classes_``; equal ones where all classifiers say 0.
        """
        check_is_fitted(self)
        return normalised([one.predict_proba(X)[:, 1] for one in self.estimators_])

    def decision_function(self, X: ArrayLike) -> Floats:
        """Return the probabilities; for two classes their difference.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        ndarray of shape (n_samples, C), or (n_samples,) for two classes
            Largest at the predicted class, or positive where it is ``classes_[1]``.
        """
        chances = self.predict_proba(X)
        return chances if chances.shape[1] > 2 else chances[:, 1] - chances[:, 0]

    def predict_set(self, X: ArrayLike) -> NDArray[np.bool_]:
        """Tell for each row the rules of which classes hold: none, one or several.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        ndarray of bool of shape (n_samples, C)
            In the order of ``classes_``. Also True where rules may hold, because the classifier of
            the class leaves it open. A row of one True is a clear case; `predict` decides the
            others by their probabilities.
        """
        check_is_fitted(self)
        return np.column_stack([_may_hold(one, X) for one in self.estimators_])

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        inside = get_tags(SugenoClassifier() if self.estimator is None else self.estimator)
        tags.input_tags.allow_nan = inside.input_tags.allow_nan
        tags.classifier_tags.poor_score = inside.classifier_tags.poor_score
        return tags


def _may_hold(one: Any, X: ArrayLike) -> NDArray[np.bool_]:
    """Whether the rules of a class hold, or are not ruled out where its classifier says so."""
    if hasattr(one, "predict_set"):
        return np.asarray(one.predict_set(X)[:, 1], dtype=np.bool_)
    return np.asarray(one.predict(X), dtype=np.bool_)
