"""What all monotone classifiers share: the way in, and everything after learning."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import ClassifierMixin

from sugeno._counts.table import Table
from sugeno._counts.weights import RowWeights, row_weights
from sugeno._learning.engine import Settings
from sugeno._learning.labels import two_classes
from sugeno._learning.training import Training, prepare
from sugeno._scales.columns import declared_order
from sugeno._scales.directions import warn_if_weak
from sugeno._scales.missing import check_not_all_missing, has_missing
from sugeno._sklearn import RemembersParameters
from sugeno.estimators._reading import ReadsModel
from sugeno.estimators._validation import check_table

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
            check_not_all_missing(X, known)
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


class BaseSugenoClassifier(ReadsModel, MonotoneClassifier):
    """What all Sugeno classifiers share: the way in, and everything after learning.

    Examples
    --------
    >>> from sugeno import SugenoClassifier, SugenoClassifierCV
    >>> from sugeno.estimators._monotone import BaseSugenoClassifier
    >>> all(issubclass(c, BaseSugenoClassifier) for c in (SugenoClassifier, SugenoClassifierCV))
    True
    """

    def _settings(self) -> Settings:
        return Settings(**{field.name: getattr(self, field.name) for field in fields(Settings)})
