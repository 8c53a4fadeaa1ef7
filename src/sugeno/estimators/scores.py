"""Classifiers that add up: what the ensemble answers, and what a loaded one becomes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from sugeno._sklearn import DocumentedEstimator
from sugeno.estimators._predicting import Predicts, know_columns, model_json
from sugeno.estimators._validation import check_table
from sugeno.model.per_class import ModelPerClass
from sugeno.model.score_model import ScoreModel

if TYPE_CHECKING:
    from sugeno.explain import SumExplanations
    from sugeno.model.monotone import MonotoneProof

__all__ = ["ReadsScores", "ScoreClassifier"]

Floats = NDArray[np.float64]


class ReadsScores(Predicts):
    """Methods of classifiers whose ``model_`` is a sum of steps.

    Examples
    --------
    >>> from sugeno import SugenoEnsembleClassifier
    >>> clf = SugenoEnsembleClassifier(n_bags=2).fit([[1], [2], [3], [4]] * 9, [0, 0, 1, 1] * 9)
    >>> clf.decision_function([[2], [3]]) > 0
    array([False,  True])
    """

    model_: Any  # ScoreModel, or a ModelPerClass of them for classes without an order
    n_features_in_: int

    def _store(self, model: ScoreModel | ModelPerClass) -> Self:
        """Keep what a fitted classifier shows."""
        self.model_ = model
        self.classes_ = np.sort(model.classes)
        if isinstance(model, ModelPerClass):
            self.directions_: Any = model.directions
            if model.assumed is not None:
                self.columns_ = model.assumed
            return self
        self.positive_ = model.classes[1]
        self.directions_ = model.literals.directions
        return self

    @property
    def _decider(self) -> Any:
        check_is_fitted(self)
        return self.model_

    @property
    def _ordered_model(self) -> ScoreModel:
        """What decides about two classes; with more of them there is no such thing."""
        model = self._decider
        if isinstance(model, ModelPerClass):
            labels = self.classes_.tolist()
            raise AttributeError(
                f"{type(self).__name__} answers this for two classes. Each of the "
                f"{len(labels)} classes has an ensemble, itself against the rest; ask that one, "
                f"such as per_class_[{labels[0]!r}]."
            )
        found: ScoreModel = model
        return found

    def _checked(self, X: ArrayLike) -> Floats:
        check_is_fitted(self)
        rows: Floats = check_table(self, X, reset=False, missing=self.model_.missing)
        return rows

    def decision_function(self, X: ArrayLike) -> Floats:
        """Return the log odds of ``classes_[1]``, less those of the cut-off that ``costs`` say.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Table with the columns of the training data.

        Returns
        -------
        ndarray of shape (n_samples,), or (n_samples, C) for more than two classes
            Positive where ``classes_[1]`` is predicted; never falls (never rises, if that is not
            the positive class) when a criterion improves. Of more than two classes their
            probabilities.
        """
        if isinstance(self._decider, ModelPerClass):
            return self.predict_proba(X)
        model = self._ordered_model
        scores = model.margins(self._checked(X))
        return scores if self.classes_[1] == model.classes[1] else -scores

    def can_flip(self, X: ArrayLike) -> NDArray[np.bool_]:
        """Tell for each row which criteria can flip its decision, each of them alone.

        Exact: a criterion can do so if and only if its best value (for a rejected row) or its
        worst value (for an accepted one) does. A column without a direction is two criteria, each
        looked at by itself; `explain` moves both together.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Table with the columns of the training data.

        Returns
        -------
        ndarray of bool of shape (n_samples, n_criteria)
            True where the criterion alone decides; in the order of ``directions_``.
        """
        model = self._ordered_model
        return model.can_flip(self._checked(X))

    def explain(
        self,
        X: ArrayLike,
        *,
        immutable: Iterable[str | int] = (),
        permitted_range: Mapping[str | int, tuple[Any, Any]] | None = None,
        cost: Mapping[str | int, float] | Callable[[str, Any, Any], float] | None = None,
        n_counterfactuals: int = 3,
    ) -> SumExplanations:
        """Explain the decision on each row, exactly.

        Per row: what each criterion adds to the log odds; which criteria can flip the decision
        alone, and their cheapest ways; the cheapest changes of one and of two criteria within the
        limits, or the proof that there is none.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Table with the columns of the training data.
        immutable : iterable of str or int, default=()
            Criteria that must not change, by name or by place.
        permitted_range : dict, optional
            From criteria to the pair of the lowest and the highest value that they may be changed
            to, in original units or labels; None for an open end.
        cost : dict or callable, optional
            Price of a step from one level to the next, by criterion, 1 where it is left out. Or a
            function of the name of the criterion, its value and its new value that returns the
            price of the change. An infinite price forbids a change.
        n_counterfactuals : int, default=3
            Largest number of counterfactuals. Each is about a set of criteria of its own.

        Returns
        -------
        SumExplanations
            A sequence of `sugeno.explain.SumExplanation`, with `to_frame` and `sentences`.

        Notes
        -----
        The contributions are Shapley values beside a row that reaches no level: the steps of a
        criterion, and half of what it adds together with each other one. New values are observed
        ones. Cost: for two criteria each pair of their levels.

        Examples
        --------
        >>> import pandas as pd
        >>> from sugeno import SugenoEnsembleClassifier
        >>> X = pd.DataFrame({"interview": [2, 4, 6, 7] * 9, "price": [9, 8, 9, 7] * 9})
        >>> clf = SugenoEnsembleClassifier(n_bags=2).fit(X, ["no", "no", "yes", "yes"] * 9)
        >>> clf.explain(X[1:2], immutable=["price"])
        Class no. Class yes if interview rises from 4 to 6.
        """
        from sugeno.explain import explain_sum

        model = self._ordered_model
        return explain_sum(
            model,
            self._checked(X),
            immutable=immutable,
            permitted_range=permitted_range,
            cost=cost,
            n_counterfactuals=n_counterfactuals,
        )

    def report(self, X: Any, y: Any, path: str | Path = "report.html", **options: Any) -> Path:
        """Write one HTML file to read and to play with: effects, pairs, errors, rows, what if.

        It needs no network and no server, and can be sent to people who have no Python.

        Parameters
        ----------
        X : array-like or frame of shape (n_samples, n_features)
            Rows to show the model on.
        y : array-like of shape (n_samples,)
            Their labels.
        path : str or path, default="report.html"
            Where to write.
        **options
            As for `sugeno.report.report_html`.

        Returns
        -------
        Path
            The file. Of classes without an order each class has a page beside it.

        Examples
        --------
        >>> from tempfile import TemporaryDirectory
        >>> from sugeno import SugenoEnsembleClassifier
        >>> X, y = [[1], [2], [3], [4]] * 9, [0, 0, 1, 1] * 9
        >>> clf = SugenoEnsembleClassifier(n_bags=2).fit(X, y)
        >>> with TemporaryDirectory() as folder:
        ...     clf.report(X, y, f"{folder}/loans.html").name
        'loans.html'
        """
        from sugeno.report import write_report

        check_is_fitted(self)
        return write_report(self, X, y, path, **{"model_json": model_json(self.model_), **options})

    def verify_monotone(self) -> MonotoneProof:
        """Prove that class and probability never fall when a criterion gets better.

        Returns
        -------
        MonotoneProof
            True if it is proved; as text one line that says so, or what is wrong.

        Examples
        --------
        >>> from sugeno import SugenoEnsembleClassifier
        >>> clf = SugenoEnsembleClassifier(n_bags=2).fit([[1], [2], [3]] * 9, [0, 1, 1] * 9)
        >>> bool(clf.verify_monotone())
        True
        """
        return self._ordered_model.verify_monotone()


class ScoreClassifier(ReadsScores, ClassifierMixin, DocumentedEstimator):
    """A finished ensemble as a scikit-learn estimator; `fit` learns nothing.

    What a loaded ensemble becomes. It predicts and reads as the one that learned the model does,
    and has no parameters to tune.

    Parameters
    ----------
    model : ScoreModel or ModelPerClass
        The finished model, ``model_`` of a fitted `SugenoEnsembleClassifier`.

    Attributes
    ----------
    model_ : ScoreModel or ModelPerClass
        The model that was given.
    classes_ : ndarray of shape (C,)
        The labels, sorted.
    positive_ : object
        Of two classes the label of the positive one.
    columns_ : Assumed
        What was assumed about the columns, of a table of any kind.
    per_class_ : dict
        Of classes without an order: from each label to the classifier of it against the rest.
    feature_importances_ : ndarray of shape (n_features_in_,)
        Of two classes the share of each criterion in what the ensemble gained.

    See Also
    --------
    RuleClassifier : The same for models of rules and cards.

    Examples
    --------
    >>> from sugeno import ScoreClassifier, SugenoEnsembleClassifier
    >>> clf = SugenoEnsembleClassifier(n_bags=2).fit([[1], [2], [3], [4]] * 9, [0, 0, 1, 1] * 9)
    >>> ScoreClassifier.of(clf.model_).predict([[2], [3]])
    array([0, 1])
    """

    def __init__(self, model: ScoreModel | ModelPerClass) -> None:
        self.model = model

    @classmethod
    def of(cls, model: ScoreModel | ModelPerClass) -> Self:
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
        ScoreClassifier
            The classifier, ready to predict.
        """
        model = self.model
        first: Any = model
        if isinstance(model, ModelPerClass):
            each: tuple[Any, ...] = model.models
            self.per_class_ = dict(zip(model.classes.tolist(), map(type(self).of, each)))
            first = each[0]
        know_columns(self, model, named=first.has_names)
        return self._store(model)
