"""Classifiers whose model is given: read from a file, edited, or joined from others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin

from sugeno.estimators._reading import ReadsModel
from sugeno.model.form import Form
from sugeno.model.model import Model
from sugeno.model.per_class import ModelPerClass
from sugeno.model.rules import RuleSet

__all__ = ["OrdinalRuleClassifier", "RuleClassifier", "classifier_of"]


class RuleClassifier(ReadsModel, ClassifierMixin, BaseEstimator):
    """A finished classifier as a scikit-learn estimator; `fit` learns nothing.

    What a loaded or edited model becomes. It predicts and reads as the classifier that learned
    the model does, and has no parameters to tune.

    Parameters
    ----------
    model : Model or ModelPerClass
        The finished model, ``model_`` of a fitted classifier, or those of classes without an order.

    Attributes
    ----------
    model_ : Model or ModelPerClass
        The model that was given.
    classes_ : ndarray of shape (C,)
        The labels, sorted.
    order_ : ndarray of shape (C,)
        The labels, the lowest first; of two classes the last one is the positive one.
    positive_ : object
        Of two classes the label of the positive one, for which the rules speak.
    per_class_ : dict
        Of classes without an order: from each label to the classifier of it against the rest.
    rules_ : RuleSet, OrdinalRules or dict
        The rules in original units; of ordered classes those of each boundary, of classes without
        an order those of each label.

    Examples
    --------
    >>> from sugeno import RuleClassifier, SugenoClassifier
    >>> learned = SugenoClassifier().fit([[1], [2], [3], [4]], [0, 0, 1, 1])
    >>> clf = RuleClassifier.of(learned.model_)
    >>> print(clf.rules_, clf.predict([[2], [3]]))
    accept if x0 >= 3 [0 1]
    """

    def __init__(self, model: Model | ModelPerClass) -> None:
        self.model = model

    @classmethod
    def of(cls, model: Model | ModelPerClass) -> Self:
        """Return the classifier of a model, ready to predict."""
        return cls(model).fit()

    @classmethod
    def from_rules(
        cls,
        rules: RuleSet,
        X: ArrayLike | None = None,
        y: ArrayLike | None = None,
        *,
        classes: Sequence[Any] | None = None,
        sample_weight: ArrayLike | None = None,
    ) -> Self:
        """Make a classifier of rules that a person wrote, or joined from others.

        Parameters
        ----------
        rules : RuleSet
            What decides.
        X : array-like or frame of shape (n_samples, n_features), optional
            Rows to learn probabilities, support and importances from.
        y : array-like of shape (n_samples,), optional
            Their labels, of two classes.
        classes : sequence of two labels, optional
            The negative and the positive label. By default the labels in y, of which that of the
            rules is positive; without y False and True.
        sample_weight : array-like of shape (n_samples,), optional
            Weights of the rows.

        Returns
        -------
        RuleClassifier
            Ready to predict.

        Examples
        --------
        >>> import pandas as pd
        >>> from sugeno import RuleClassifier, RuleSet
        >>> clf = RuleClassifier.from_rules(RuleSet.parse("speed >= 5 and price <= 3"))
        >>> clf.predict(pd.DataFrame({"speed": [6, 6], "price": [2, 4]}))
        array([ True, False])
        """
        from sugeno.edit import assembled

        labels = _two_labels(rules, y, classes)
        clf = cls.of(Model.of_two_classes(assembled(rules, labels)))
        rows = clf._rows_to_judge(X, y, sample_weight)
        if rows is None:
            return clf
        return cls.of(Model.of_two_classes(assembled(rules, labels, rows)))

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
        if isinstance(model, ModelPerClass):
            self.per_class_ = {label: type(self).of(one) for label, one in model.items()}
            _know_columns(self, model.models[0].rules[0])
            return self._store(model)
        _know_columns(self, model.rules[0])
        return self._store(model)


#: The same for ordered classes; a model says itself how many boundaries it has.
OrdinalRuleClassifier = RuleClassifier


def classifier_of(model: Model | ModelPerClass) -> RuleClassifier:
    """Return the classifier of a finished model: of two classes, of ordered or unordered ones.

    Examples
    --------
    >>> from sugeno import SugenoClassifier
    >>> from sugeno.estimators.rule_classifier import classifier_of
    >>> clf = SugenoClassifier().fit([[1], [2], [3], [4]], [0, 0, 1, 1])
    >>> type(classifier_of(clf.model_)).__name__
    'RuleClassifier'
    """
    return RuleClassifier.of(model)


def _know_columns(clf: Any, form: Form) -> None:
    """Leave on a classifier what scikit-learn knows of the columns of a table."""
    criteria = form.literal_set.criteria
    clf.n_features_in_ = len(criteria)
    if form.named:
        clf.feature_names_in_ = np.array([c.name for c in criteria], dtype=object)
    if any(c.labels is not None for c in criteria):
        clf.feature_labels_in_ = tuple(c.labels for c in criteria)


def _two_labels(rules: RuleSet, y: ArrayLike | None, classes: Sequence[Any] | None) -> NDArray[Any]:
    """The negative and the positive label."""
    labels = np.asarray([False, True] if y is None else np.unique(np.asarray(y)))
    labels = labels if classes is None else np.asarray(classes)
    if labels.shape != (2,) or labels[0] == labels[1]:
        raise ValueError(
            f"There must be two classes. Got {labels.tolist()} instead; give the negative and the "
            "positive label in classes."
        )
    if classes is None and rules.label is not None and labels[0] == rules.label:
        return labels[::-1].copy()
    return labels
