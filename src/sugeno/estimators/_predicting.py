"""What every classifier of ours predicts, by whatever decides: a model, or an ensemble."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.validation import check_is_fitted

from sugeno._exceptions import ModelFileError
from sugeno.model.judged import Grades, Judged
from sugeno.model.model import HeldOut
from sugeno.model.per_class import ModelPerClass

Floats = NDArray[np.float64]


def _check_confidence(confidence: float) -> None:
    """Refuse a confidence that a label has at least, or that none can have."""
    if not 0.5 <= confidence <= 1:
        raise ValueError(
            f"confidence must be a number between 0.5 and 1. Got {confidence!r} instead; 0.5 asks "
            "for nothing more than the decision."
        )


class Predicts:
    """Decisions on rows, of whatever decides: a finished model, or an ensemble.

    Examples
    --------
    >>> from sugeno import SugenoClassifier
    >>> clf = SugenoClassifier().fit([[1], [2], [3], [4]], [0, 0, 1, 1])
    >>> clf.predict([[2], [3]])
    array([0, 1])
    """

    classes_: NDArray[Any]
    n_features_in_: int

    if TYPE_CHECKING:

        @property
        def _decider(self) -> Any:
            """What decides: ``classes``, the lowest first, and verdicts on checked rows."""

        @property
        def _ordered_model(self) -> Any:
            """The same, where one decides for all classes together."""

        def _checked(self, X: ArrayLike) -> NDArray[Any]:
            """Validate rows to classify."""

    @property
    def feature_importances_(self) -> Floats:
        """How much each feature matters for the decisions on the training rows; the sum is 1.

        Of rules and cards how often a decision hangs on it, of an ensemble its share of the gain.
        """
        found: Floats = self._decider.importances
        columns = [one.column for one in self._decider.criteria]
        if None in columns:
            return found.copy()
        by_column = np.zeros(self.n_features_in_)
        np.add.at(by_column, columns, found)
        return by_column

    @property
    def held_out_error_(self) -> float:
        """Errors on held-out rows, where they were measured; of ordered classes the mean loss."""
        return self._held_out.error

    @property
    def held_out_confusion_(self) -> Floats:
        """Weight of held-out rows by true class (rows) and decided class, the lowest first."""
        return self._judged.confusion.copy()

    @property
    def held_out_cost_(self) -> float:
        """What decisions about held-out rows cost in the mean; 1 for each error without costs."""
        judged, costs = self._judged, self._decider.costs
        return judged.error if costs is None else judged.cost(costs)

    @property
    def held_out_auc_(self) -> float:
        """Of two classes the area under the ROC curve, on held-out rows."""
        return self._grades.auc

    @property
    def held_out_auc_interval_(self) -> tuple[float, float]:
        """An interval of 95 % for ``held_out_auc_``, by DeLong's variance."""
        return self._grades.auc_interval

    @property
    def held_out_calibration_(self) -> list[dict[str, float]]:
        """Of groups of held-out rows the probability that was said, and what happened."""
        return self._grades.calibration_records

    @property
    def _held_out(self) -> HeldOut:
        known: HeldOut | None = self._decider.held_out
        if known is None:
            raise AttributeError(
                "Errors on held-out rows are not known of this classifier; SugenoClassifierCV "
                "measures them."
            )
        return known

    @property
    def _judged(self) -> Judged:
        judged = self._held_out.judged
        if judged is None:
            raise AttributeError(
                "Of held-out rows this classifier knows the error alone; fit it again to have "
                "them counted."
            )
        return judged

    @property
    def _grades(self) -> Grades:
        """Held-out rows of two classes by probability, where there are rows of both."""
        grades = self._judged.grades
        if len(grades) != 1 or not grades[0].has_both:
            raise AttributeError(
                "This is known of two classes that both have held-out rows; of ordered classes "
                "see RuleClassifier.of(clf.model_.at_boundary(0))."
            )
        return grades[0]

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """Return the label of each row.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Table with the columns of the training data.

        Returns
        -------
        ndarray of shape (n_samples,)
            Of two classes the positive one where it is accepted, else the other one. Of ordered
            classes the highest one whose rules hold, else the lowest. Of classes without an order
            the likeliest, by `predict_proba`; of equally likely ones the first in sorted order.
        """
        labels: NDArray[Any] = self._decider.decide(self._checked(X))
        return labels

    def predict_proba(self, X: ArrayLike) -> Floats:
        """Return the probability of each class for each row.

        Of two classes the probability of the positive one never falls when a criterion gets better.
        It exceeds 1/2, or the cut-off of ``costs``, exactly where the row is accepted. Of ordered
        classes this is true of a class or a higher one. With more than two ordered classes the
        probabilities are moved away from 1/2 at the boundaries. So the predicted class is the
        likeliest one, as scikit-learn demands. ``model_.at_least`` has them without this. Of
        classes without an order the model of each class gives such a probability, and they are
        divided by their sum. Where all of them are 0, the classes are equally likely.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Table with the columns of the training data.

        Returns
        -------
        ndarray of shape (n_samples, C)
            Probabilities in the order of ``classes_``.
        """
        return self._sorted(self._decider.class_probabilities(self._checked(X)))

    def decision_function(self, X: ArrayLike) -> Floats:
        """Return how far each row is from leaving, or entering, each class.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Table with the columns of the training data.

        Returns
        -------
        ndarray of shape (n_samples,), or (n_samples, C) for more than two classes
            Of two classes the probability of ``classes_[1]`` less 1/2, or less the cut-off of
            ``costs``. It is positive where that label is predicted. Of an ensemble log odds in the
            place of probabilities. Of ordered classes the smaller one of the two margins to the
            boundaries of the class. Of classes without an order their probabilities. Both are
            largest at the predicted class.
        """
        if isinstance(self._decider, ModelPerClass):
            return self.predict_proba(X)
        margin = self._decider.margins(self._checked(X))
        # A probability at the cut does not pass; then the margin must not be a tie.
        margin[margin == 0] = np.nextafter(0.0, -1.0)
        ends = np.full((len(margin), 1), np.inf)
        both = np.minimum(np.hstack([ends, margin]), -np.hstack([margin, -ends]))
        found = self._sorted(both)
        return found if found.shape[1] > 2 else found[:, 1]

    def _sorted(self, columns: NDArray[Any]) -> NDArray[Any]:
        """Columns by class, the lowest first, in the order of ``classes_``."""
        return columns[:, np.argsort(self._decider.classes)]

    def predict_interval(self, X: ArrayLike) -> NDArray[Any]:
        """Return the lowest and the highest label that filling in missing values can lead to.

        Exact: the model is monotone, so that the worst and the best values decide. Equal ends
        mean that the answer is certain, whatever is missing. No end falls when a criterion gets
        better.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Table with the columns of the training data; values may be missing unless the
            classifier was fitted with missing="error".

        Returns
        -------
        ndarray of shape (n_samples, 2)
            The lowest and the highest label; of two classes the negative one is lower.

        Examples
        --------
        >>> from sugeno import SugenoClassifier
        >>> clf = SugenoClassifier(missing="interval", directions=None)
        >>> clf = clf.fit([[1, 1], [2, 3], [3, 2], [4, 4]], [0, 0, 1, 1])
        >>> clf.predict_interval([[float("nan"), 4], [1, float("nan")]])
        array([[0, 1],
               [0, 0]])
        """
        model = self._ordered_model
        least, most = model.ends(self._checked(X))
        return np.column_stack([model.classes.take(least), model.classes.take(most)])

    def predict_set(self, X: ArrayLike, *, confidence: float = 0.5) -> NDArray[np.bool_]:
        """Tell for each row which labels are left open.

        A label is open for one of three reasons. Filling in missing values can lead to it. Or a
        model that is as good on the training data gives it, which the fit has to know by
        ``abstain=True``. Or its probability, or that of passing a boundary, may exceed
        ``1 - confidence``. When a criterion gets better, the lowest open label never gets lower,
        nor does the highest.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Table with the columns of the training data.
        confidence : float, default=0.5
            How likely a label must be to stand alone, at least 0.5, which asks for nothing.

        Returns
        -------
        ndarray of bool of shape (n_samples, C)
            In the order of ``classes_``. Of two classes one is True, or both where the answer is
            open; of ordered classes all from the lowest open one to the highest. Of classes without
            an order those whose rules hold, or may hold. None or several of them is no clear case,
            and `predict` then decides by the probabilities.

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
        _check_confidence(confidence)
        return self._sorted(self._decider.open_labels(self._checked(X), confidence))

    def predict_frame(self, frame: Any, *, outputs: Sequence[str] = ("prediction",)) -> Any:
        """Add the decisions to a table of any engine, as columns that it computes itself.

        What is lazy stays lazy, and no row is copied.

        Parameters
        ----------
        frame : frame, str or path
            A table of pandas, Polars (eager or lazy), PyArrow, DuckDB, Dask, Spark or Ibis, with
            a column for each criterion. Or a path or glob pattern of Parquet or CSV files, which
            DuckDB reads; the result is a relation, which can write itself to files.
        outputs : sequence of {"prediction", "probability", "rule"}, default=("prediction",)
            The columns to add. "prediction" is the label that `predict` gives. "probability" is
            that of the positive class; of more than two classes each has a column
            "probability_<label>". "rule" is the first rule that leads to the class, null if there
            is none (of clauses the first one that does not hold). DuckDB has an ENUM for the rule.

        Returns
        -------
        frame
            The same with more columns, in its own library.

        Notes
        -----
        Nulls and NaN reach no level, as with ``missing="pessimistic"``: a lazy table is not
        looked at, so that they cannot be refused as `predict` does.

        Examples
        --------
        >>> import polars as pl
        >>> from sugeno import SugenoClassifier
        >>> loans = pl.DataFrame({"income": [2, 4, 6, 7], "paid": ["no", "no", "yes", "yes"]})
        >>> clf = SugenoClassifier().fit_frame(loans, target="paid")
        >>> decided = clf.predict_frame(loans.lazy().drop("paid"), outputs=["prediction", "rule"])
        >>> decided.collect().rows()[1:3]
        [(4, 'no', None), (6, 'yes', 'income >= 5')]
        """
        from sugeno._counts.frame.summary import frame_of
        from sugeno.export.frames import with_decisions

        check_is_fitted(self)
        return with_decisions(self, frame_of(frame), outputs).to_native()


def know_columns(clf: Any, model: Any, *, named: bool) -> None:
    """Leave on a classifier what scikit-learn knows of the columns of a table.

    Examples
    --------
    >>> from sugeno import RuleClassifier, SugenoClassifier
    >>> model = SugenoClassifier().fit([[1], [2], [3], [4]], [0, 0, 1, 1]).model_
    >>> RuleClassifier.of(model).n_features_in_
    1
    """
    criteria = model.criteria
    if model.assumed is not None:
        names = model.assumed.columns
        clf.columns_, clf.n_features_in_ = model.assumed, len(names)
        clf.feature_names_in_ = np.array(names, dtype=object)
        return
    clf.n_features_in_ = len(criteria)
    if named:
        clf.feature_names_in_ = np.array([c.name for c in criteria], dtype=object)
    if any(c.labels is not None for c in criteria):
        clf.feature_labels_in_ = tuple(c.labels for c in criteria)


def model_json(model: Any) -> str | None:
    """Return the text of the model file; None where a file cannot hold the model.

    Examples
    --------
    >>> from sugeno import SugenoClassifier
    >>> from sugeno.estimators._predicting import model_json
    >>> model_json(SugenoClassifier().fit([[1], [2], [3], [4]], [0, 0, 1, 1]).model_)[:1]
    '{'
    """
    from sugeno._format import write_model

    try:
        return write_model(model)
    except ModelFileError:
        return None
