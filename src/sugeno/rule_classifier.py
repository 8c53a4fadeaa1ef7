"""A classifier whose model is given: read from a file, edited, or joined from others."""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from sugeno.classifier import BaseSugenoClassifier
from sugeno.model.model import Model

__all__ = ["RuleClassifier"]


class RuleClassifier(BaseSugenoClassifier):
    """A finished classifier as a scikit-learn estimator; `fit` learns nothing.

    What a loaded or edited model becomes. It predicts and reads as the classifier that learned
    the model does, and has no parameters to tune.

    Parameters
    ----------
    model : Model
        The finished model, ``model_`` of a fitted classifier.

    Attributes
    ----------
    model_ : Model
        The model that was given.
    classes_ : ndarray of shape (2,)
        The labels, sorted.
    positive_ : object
        The label of the positive class, for which the rules speak.
    rules_ : RuleSet
        The rules in original units.

    Examples
    --------
    >>> from sugeno import RuleClassifier, SugenoClassifier
    >>> learned = SugenoClassifier().fit([[1], [2], [3], [4]], [0, 0, 1, 1])
    >>> clf = RuleClassifier.of(learned.model_)
    >>> print(clf.rules_, clf.predict([[2], [3]]))
    accept if x0 >= 3 [0 1]
    """

    def __init__(self, model: Model) -> None:
        self.model = model

    @classmethod
    def of(cls, model: Model) -> Self:
        """Return the classifier of a model, ready to predict."""
        return cls(model).fit()

    def fit(self, X: Any = None, y: Any = None) -> Self:
        """Take the model as it is; rows and labels are not looked at.

        Parameters
        ----------
        X, y : object, optional
            Ignored; there so that the classifier can stand in a pipeline.

        Returns
        -------
        RuleClassifier
            The classifier, ready to predict.
        """
        model = self.model
        criteria = model.literals.criteria
        self.classes_, self.positive_ = np.sort(model.classes), model.classes[1]
        self.n_features_in_ = len(criteria)
        if model.rules.named:
            self.feature_names_in_ = np.array([c.name for c in criteria], dtype=object)
        if any(c.labels is not None for c in criteria):
            self.feature_labels_in_ = tuple(c.labels for c in criteria)
        return self._store(model)
