"""What all monotone classifiers share: the way in, and everything after learning."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from sugeno._counts.table import Table
from sugeno._counts.weights import RowWeights, row_weights
from sugeno._learning.engine import Settings
from sugeno._learning.labels import two_classes
from sugeno._learning.training import Training, prepare
from sugeno._scales.columns import declared_order
from sugeno._scales.directions import warn_if_weak
from sugeno._scales.missing import has_missing, refuse_hopeless
from sugeno._sklearn import RemembersParameters
from sugeno.capacity import Capacity
from sugeno.estimators._intervals import PredictsIntervals, check_confidence
from sugeno.estimators._reading import Readable
from sugeno.estimators._validation import check_rows, check_table
from sugeno.estimators.utility import QuantileUtility
from sugeno.model.model import Model

__all__ = ["BaseSugenoClassifier", "MonotoneClassifier"]

Floats = NDArray[np.float64]


class MonotoneClassifier(ClassifierMixin, RemembersParameters):
    """What all monotone classifiers share: the way of a table from the user to learning.

    Subclasses have the parameters ``directions``, ``positive`` and ``class_weight``.

    Examples
    --------
    >>> from sugeno import SugenoClassifier
    >>> from sugeno.estimators._monotone import MonotoneClassifier
    >>> issubclass(SugenoClassifier, MonotoneClassifier)
    True
    """

    def _training(
        self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> Training:
        """Validate a table to learn from, as the first step of `fit`."""
        table, labels = check_table(self, X, y=y, missing=getattr(self, "missing", "error"))
        weights = row_weights(sample_weight, table.shape[0])
        training = self._prepare(table, labels, weights, declared_order(y))
        warn_if_weak(training.found, stacklevel=6)  # who calls fit, inside two decorators
        return training

    def _prepare(
        self,
        X: Floats,
        y: NDArray[Any],
        weights: RowWeights,
        order: Sequence[Any] | None = None,
        names: NDArray[np.object_] | None = None,
    ) -> Training:
        """Drop rows without weight, and do what depends on neither k nor margin."""
        if weights.present is not None:
            X, y = X[weights.present], y[weights.present]
            weights = weights.take(weights.present)
        missing: str = getattr(self, "missing", "error")
        known: Any = getattr(self, "feature_names_in_", names)
        if missing != "error" and has_missing(X):
            refuse_hopeless(X, known)
        classes, codes = two_classes(y, self.positive, order)
        # Scorers of scikit-learn presume sorted labels, whichever of them is the positive one.
        self.classes_, self.positive_ = np.sort(classes), classes[1]
        return prepare(
            Table.of(X, codes, weights, missing),
            classes,
            directions=self.directions,
            class_weight=self.class_weight,
            feature_names=known,
            labels=getattr(self, "feature_labels_in_", None),
        )

    @property
    def _is_turned(self) -> bool:
        """Whether the positive class comes first in sorted order."""
        return bool(self.classes_[0] == self.positive_)

    def _both(self, positive: Floats) -> Floats:
        """Probabilities of both classes in sorted order, from those of the positive one."""
        both = [1 - positive, positive]
        return np.column_stack(both[::-1] if self._is_turned else both)

    def _open(self, least: NDArray[np.bool_], most: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Labels that are left open, from what is surely positive and what may be."""
        both = [~least, most]
        return np.column_stack(both[::-1] if self._is_turned else both)

    def _rows(self, X: ArrayLike) -> Floats:
        """Validate rows to classify, as numbers that may be missing if that has a meaning."""
        missing = getattr(self, "missing", "error")
        rows: Floats = check_table(self, X, reset=False, missing=missing)
        return rows

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags


class BaseSugenoClassifier(Readable, PredictsIntervals, MonotoneClassifier):
    """What all Sugeno classifiers share: everything after learning.

    Examples
    --------
    >>> from sugeno import SugenoClassifier, SugenoClassifierCV
    >>> from sugeno.estimators._monotone import BaseSugenoClassifier
    >>> all(issubclass(c, BaseSugenoClassifier) for c in (SugenoClassifier, SugenoClassifierCV))
    True
    """

    def _settings(self) -> Settings:
        return Settings(**{field.name: getattr(self, field.name) for field in fields(Settings)})

    def _store(self, model: Model) -> Self:
        """Keep what a fitted classifier shows."""
        self.model_ = model
        (boundary,) = model.boundaries
        self.directions_ = boundary.literals.directions
        self.threshold_ = boundary.threshold
        self.rules_: Any = boundary.rules
        self.k_ = boundary.k
        self.objective_ = model.certificate.objective
        self.bound_ = model.certificate.bound
        self.gap_ = model.certificate.gap
        return self

    @property
    def utility_(self) -> QuantileUtility:
        """The utilities f, with at most about 512 knots per criterion."""
        check_is_fitted(self)
        knots = self.model_.utility
        if knots is None:
            raise AttributeError("Each literal is a binary utility of its own; see rules_.")
        names = getattr(self, "feature_names_in_", None)
        return QuantileUtility.from_knots(knots, names, getattr(self, "feature_labels_in_", None))

    @property
    def capacity_(self) -> Capacity:
        """The capacity μ: how sufficient each set of criteria is."""
        check_is_fitted(self)
        return self._boundary.capacity

    @property
    def feature_importances_(self) -> Floats:
        """How pivotal each feature is for the decisions on the training rows; the sum is 1."""
        check_is_fitted(self)
        return self.model_.importances.copy()

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """Return the label of each row, by the rules.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Table with the columns of the training data.

        Returns
        -------
        ndarray of shape (n_samples,)
            The positive class where a rule holds, else the other one.
        """
        check_is_fitted(self)
        return self.model_.classes.take(self.model_.passed(check_rows(self, X)))

    def predict_set(self, X: ArrayLike, *, confidence: float = 0.5) -> NDArray[np.bool_]:
        """Tell for each row which labels are left open.

        A label is open if filling in missing values can lead to it, or if a model that is as good
        on the training data gives it (with ``abstain=True``), or if its probability may exceed
        ``1 - confidence``. One label at least is. When a criterion gets better, the positive label
        is never taken away, and the negative one never comes in.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Table with the columns of the training data.
        confidence : float, default=0.5
            How likely a label must be to stand alone, at least 0.5, which asks for nothing.

        Returns
        -------
        ndarray of bool of shape (n_samples, 2)
            In the order of ``classes_``; both True where the answer is open.

        Examples
        --------
        >>> from sugeno import SugenoClassifier
        >>> X, y = [[1, 1], [1, 2], [2, 2]] * 9, [0, 0, 1] * 9
        >>> clf = SugenoClassifier(abstain=True, directions=None).fit(X, y)
        >>> clf.predict_set([[1, 2], [2, 1], [2, 2]])
        array([[ True, False],
               [ True,  True],
               [False,  True]])
        """
        check_is_fitted(self)
        check_confidence(confidence)
        rows = check_rows(self, X)
        (least, most), (low, high) = (
            self._boundary.limits(rows),
            self._boundary.probability_ends(rows),
        )
        return self._open(least & (low >= confidence), most | (high > 1 - confidence))

    def integral(self, X: ArrayLike) -> Floats:
        """Return the Sugeno integral of each row, equation (3): accepted if it is at least β.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Table with the columns of the training data.

        Returns
        -------
        ndarray of shape (n_samples,)
            ``S_μ(f(x))``, at least ``threshold_`` exactly for the accepted rows.
        """
        check_is_fitted(self)
        rows = check_table(self, X, reset=False, missing=self.model_.missing)
        return self._boundary.integral(rows)

    def decision_function(self, X: ArrayLike) -> Floats:
        """Return a number per row that ranks rows as `predict_proba` does.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Table with the columns of the training data.

        Returns
        -------
        ndarray of shape (n_samples,)
            The probability of ``classes_[1]`` less 1/2: positive where that label is predicted.
        """
        check_is_fitted(self)
        above = self._boundary.probabilities(check_rows(self, X)) - 0.5
        return -above if self._is_turned else above

    def predict_proba(self, X: ArrayLike) -> Floats:
        """Return the probability of both classes for each row.

        The probability of the positive class never falls when a criterion gets better, and it
        exceeds 1/2 exactly where the row is accepted; see `sugeno.model.probability`.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Table with the columns of the training data.

        Returns
        -------
        ndarray of shape (n_samples, 2)
            Probabilities in the order of ``classes_``.
        """
        check_is_fitted(self)
        return self._both(self._boundary.probabilities(check_rows(self, X)))
