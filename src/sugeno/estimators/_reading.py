"""Everything that a fitted classifier answers: it reads ``model_``, whatever it is.

Two classes are one boundary, ordered classes are several, and classes without an order have a
model each (`ModelPerClass`). What only rules and cards have is refused where a sum of steps
decides (`ScoreModel`). The rooms that show a model to people are imported when they are asked
for: whoever only predicts does not wait for them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import ClassifierMixin
from sklearn.utils.validation import check_is_fitted, column_or_1d

from sugeno._counts.weights import row_weights
from sugeno._exceptions import ModelFileError
from sugeno._sklearn import DocumentedEstimator
from sugeno.capacity import Capacity
from sugeno.estimators._validation import check_rows, check_table
from sugeno.estimators.utility import QuantileUtility
from sugeno.model.class_rules import stacked
from sugeno.model.fitted import AnyModel, model_of, ordered_model_of
from sugeno.model.judged import Grades, Judged
from sugeno.model.model import HeldOut, Model, OrderedModel, places_among
from sugeno.model.per_class import ModelPerClass
from sugeno.model.rules import RuleSet
from sugeno.model.score_model import ScoreModel
from sugeno.model.text import Backend

if TYPE_CHECKING:
    from sugeno.edit import CardEdit, Edit, EvaluationRows
    from sugeno.explain import Explanations, Letters, SumExplanations
    from sugeno.model.monotone import MonotoneProof

Floats = NDArray[np.float64]


class ReadsModel:
    """Methods of classifiers with a finished model, ``model_``.

    Examples
    --------
    >>> from sugeno import SugenoClassifier
    >>> clf = SugenoClassifier().fit([[1], [2], [3], [4]], [0, 0, 1, 1])
    >>> clf.predict([[2], [3]]), str(clf.rules_)
    (array([0, 1]), 'class 1 if x0 >= 3')
    """

    classes_: NDArray[Any]
    model_: Any  # Model or ScoreModel, or ModelPerClass for classes without an order
    n_features_in_: int
    per_class_: dict[Any, Any]

    def _store(self, model: AnyModel) -> Self:
        """Keep what a fitted classifier shows."""
        self.model_ = model
        # Scorers of scikit-learn presume sorted labels, whichever of them is the positive one.
        self.classes_ = np.sort(model.classes)
        if isinstance(model, ModelPerClass):
            if model.assumed is not None:
                self.columns_ = model.assumed
            return self
        self.order_ = model.classes
        if isinstance(model, ScoreModel):
            return self
        self.k_ = model.boundaries[0].k
        self.objective_ = model.certificate.objective
        self.bound_ = model.certificate.bound
        self.gap_ = model.certificate.gap
        if len(model.boundaries) == 1:
            self.threshold_ = model.boundaries[0].threshold
        return self

    @property
    def _decider(self) -> Any:
        check_is_fitted(self)
        return self.model_

    @property
    def _ordered_model(self) -> Any:
        """The model, where there is one of all classes together."""
        check_is_fitted(self)
        return ordered_model_of(self)

    @property
    def _ruled_model(self) -> Model:
        """The same where rules or a card decide."""
        check_is_fitted(self)
        try:
            return model_of(self)
        except TypeError as error:  # then there is no such attribute
            raise AttributeError(str(error)) from None

    @property
    def _has_rules_per_class(self) -> bool:
        """Whether each of several classes without an order has rules, or a card, of its own."""
        return isinstance(self._decider, ModelPerClass) and not self._decider.adds_up

    def _checked(self, X: ArrayLike) -> NDArray[Any]:
        # Sums are looked up by doubles; conditions compare any kind of number as it is.
        return self._numbers(X) if self._decider.adds_up else check_rows(self, X)

    @property
    def directions_(self) -> NDArray[np.int64]:
        """+1 or -1 for each feature; 0 for one that is left out, or counts either way."""
        model = self._decider
        if isinstance(model, ModelPerClass):
            return np.array([self._directions_of(one) for one in model.models])
        return self._directions_of(model)

    @property
    def rules_(self) -> Any:
        """The rules, or the card; of ordered classes of each boundary, else of each label."""
        if self._has_rules_per_class:
            return self.model_.rules
        model = self._ruled_model
        return model.rules[0] if len(model.boundaries) == 1 else model.rules

    @property
    def positive_(self) -> Any:
        """Of two classes the label of the positive one, for which the rules speak."""
        model = self._ordered_model
        if len(model.boundaries) > 1:
            raise AttributeError("Of more than two classes none is the positive one; see order_.")
        return model.classes[1]

    @property
    def utility_(self) -> QuantileUtility:
        """The utilities f, with at most about 512 knots per criterion."""
        knots = self._ruled_model.utility
        if knots is None:
            raise AttributeError("Each literal is a binary utility of its own; see rules_.")
        names = getattr(self, "feature_names_in_", None)
        return QuantileUtility.from_knots(knots, names, getattr(self, "feature_labels_in_", None))

    @property
    def capacity_(self) -> Capacity:
        """The capacity μ: how sufficient each set of criteria is."""
        try:
            return self._ruled_model.capacity
        except OverflowError as error:  # then there is no such attribute, as `dir` understands it
            raise AttributeError(str(error)) from None

    @property
    def thresholds_(self) -> Floats:
        """The thresholds β₁ < β₂ < … of the integral, one per boundary."""
        return self._ruled_model.thresholds

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

    def error_without(
        self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> Floats:
        """Return by how much the errors on some rows rise without each feature.

        `feature_importances_` tells how often a decision hangs on a feature. That is much for a
        rule that few rows satisfy, since most rows are decided by not satisfying it. This tells
        what the feature is worth. It is the exact mean over all permutations: each row is given
        the feature's value of every other row in turn.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows, at best those that the classifier has not seen.
        y : array-like of shape (n_samples,)
            Their labels.
        sample_weight : array-like of shape (n_samples,), optional
            Weights of the rows.

        Returns
        -------
        ndarray of shape (n_features_in_,)
            Rise of the share of errors; with ``costs`` of the mean cost.

        Examples
        --------
        >>> from sugeno import SugenoClassifier
        >>> X, y = [[1, 1], [2, 1], [3, 2], [4, 1]], [0, 0, 1, 1]
        >>> SugenoClassifier(levels="single", directions=None).fit(X, y).error_without(X, y)
        array([0.5, 0. ])
        """
        from sugeno.model.withheld import error_without

        model = self._decider
        rows = np.asarray(self._checked(X), dtype=np.float64)
        places = model.places(column_or_1d(y))
        weights = row_weights(sample_weight, len(rows))
        counted = weights.units.astype(np.float64)
        return self._by_feature(error_without(model, rows, places, counted))

    def _directions_of(self, model: OrderedModel) -> NDArray[np.int64]:
        found = np.zeros(self.n_features_in_, dtype=np.int64)
        for column, own in model.by_column.items():
            if len(own) == 1:
                found[column] = model.criteria[own[0]].direction
        return found

    def _by_feature(self, by_criterion: NDArray[Any]) -> NDArray[Any]:
        """What holds of each feature, where the same was found of all criteria that read it."""
        found = np.zeros((*by_criterion.shape[:-1], self.n_features_in_), by_criterion.dtype)
        for column, own in self._decider.by_column.items():
            found[..., column] = by_criterion[..., own[0]]
        return found

    def integral(self, X: ArrayLike) -> Floats:
        """Return the Sugeno integral of each row, equation (3): accepted if it is at least β.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Table with the columns of the training data.

        Returns
        -------
        ndarray of shape (n_samples,)
            ``S_μ(f(x))``: the class is the number of ``thresholds_`` that it reaches.
        """
        return self._ruled_model.integral(self._numbers(X))

    def _numbers(self, X: ArrayLike) -> Floats:
        """Validate rows to be read as numbers, which may be missing if that has a meaning."""
        rows: Floats = check_table(self, X, reset=False, missing=self.model_.missing)
        return rows

    def explain(
        self,
        X: ArrayLike,
        *,
        immutable: Iterable[str | int] = (),
        permitted_range: Mapping[str | int, tuple[Any, Any]] | None = None,
        cost: Mapping[str | int, float] | Callable[[str, Any, Any], float] | None = None,
        n_counterfactuals: int = 3,
    ) -> Explanations | SumExplanations:
        """Explain the decision on each row, exactly.

        Per row: the rules that fired, and a smallest reason (criteria whose present values decide,
        whatever the others are). Then the nearest counterfactuals within the limits, or the proof
        that there is none, and how far each criterion alone is from flipping the decision. For a
        refused row a counterfactual says what has to rise, for an accepted one what has to fall.

        Of ordered classes: the rules that put the row at least into its class, with a smallest
        reason. Then a smallest set of criteria that keep it from a higher class, and the nearest
        ways up and down.

        Of an ensemble: what each criterion adds to the log odds, and which criteria can flip the
        decision alone. Then the cheapest changes of one and of two criteria within the limits, or
        the proof that there is none.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Table with the columns of the training data.
        immutable : iterable of str or int, default=()
            Criteria that must not change, by name or by place.
        permitted_range : dict, optional
            From criteria to the lowest and the highest value that they may be changed to, in
            original units or labels. None is an open end.
        cost : dict or callable, optional
            Price of a step from one level to the next, by criterion, 1 where it is left out. Or a
            function of the name of the criterion, its value and its new value that returns the
            price of the change. An infinite price forbids a change.
        n_counterfactuals : int, default=3
            Largest number of counterfactuals. Each is about a set of criteria of its own.

        Returns
        -------
        Explanations or SumExplanations
            A sequence of `sugeno.explain.Explanation`, of an ensemble of
            `sugeno.explain.SumExplanation`, with `to_frame` and `sentences`.

        Notes
        -----
        Equal costs: fewer criteria come first, then those of earlier columns. New values are
        observed ones next to a level, where the model knows them. Contributions are Shapley values
        beside a row that reaches no level. Each is the steps of a criterion, and half of what it
        adds together with each other one.

        Examples
        --------
        >>> import pandas as pd
        >>> from sugeno import SugenoClassifier
        >>> X = pd.DataFrame({"interview": [2, 4, 6, 7, 8, 9], "price": [9, 8, 8, 7, 3, 5]})
        >>> clf = SugenoClassifier().fit(X, ["no", "no", "no", "yes", "yes", "yes"])
        >>> clf.explain(X[:1])
        Class no. Class yes if interview rises from 2 to 7 and price falls from 9 to 7.
        >>> clf.explain(X[:1], immutable=["price"])
        Class no. No counterfactual exists within these limits.
        """
        from sugeno.explain import explain

        # Of sums of several classes without an order nobody knows what flips all of them.
        model = self._ordered_model if self._decider.adds_up else self.model_
        return explain(
            model,
            self._numbers(X),
            immutable=immutable,
            permitted_range=permitted_range,
            cost=cost,
            n_counterfactuals=n_counterfactuals,
        )

    def can_flip(self, X: ArrayLike) -> NDArray[np.bool_]:
        """Tell for each row which features can change what an ensemble decides, each alone.

        Exact: a feature can do so if and only if its best value or its worst value does. Of one
        without a direction all values between its levels are tried. `explain` answers this for
        rules and cards.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Table with the columns of the training data.

        Returns
        -------
        ndarray of bool of shape (n_samples, n_features_in_)
            True where the feature alone decides.
        """
        model = self._ordered_model
        if not model.adds_up:
            raise AttributeError(
                f"can_flip is for ensembles. Got {type(self).__name__} with rules or a card "
                "instead; explain(X).margins is finite where a criterion can flip the decision."
            )
        return self._by_feature(model.can_flip(self._checked(X)))

    def reasons(
        self,
        X: ArrayLike,
        max_reasons: int = 4,
        *,
        codes: Mapping[str | int, str] | None = None,
        texts: Mapping[str | int, str | tuple[str, str]] | None = None,
        against: Literal["higher", "lower"] = "higher",
    ) -> Letters:
        """Give the reasons of each decision, as a letter to the person concerned does.

        They are the criteria of a smallest set whose present values explain the decision whatever
        the rest: factors that were decisive, and no others. Of ordered classes: what keeps the
        row from the next class, and from the one below if it is in the highest one. Of classes
        without an order: why the rules of its class hold.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Table with the columns of the training data.
        max_reasons : int, default=4
            Largest number of reasons to list. Where a decision takes more, its text says so, and
            ``needed`` says how many.
        codes : dict, optional
            From criteria to the code of the reason; the name where it is left out.
        texts : dict, optional
            From criteria to what to say where they fall short of the higher class. A pair also
            has what to say where they suffice for it. ``{value}``, ``{level}`` and
            ``{criterion}`` are filled in.
        against : {"higher", "lower"}, default="higher"
            Of ordered classes: whether to say what keeps a row from the next higher class, or from
            the next lower one. The latter is for classes of which a higher one is bad news.

        Returns
        -------
        Letters
            A sequence of `sugeno.explain.Letter`, with `to_frame`.

        Examples
        --------
        >>> import pandas as pd
        >>> from sugeno import SugenoClassifier
        >>> X = pd.DataFrame({"interview": [2, 4, 6, 7, 8, 9], "price": [9, 8, 8, 7, 3, 5]})
        >>> clf = SugenoClassifier().fit(X, ["no", "no", "no", "yes", "yes", "yes"])
        >>> print(clf.reasons(X, texts={"interview": "Interview rated {value}"})[0])
        Class no. The decisive factor:
        - Interview rated 2
        """
        from sugeno.explain import reasons

        model = self.model_ if self._has_rules_per_class else self._ruled_model
        rows = self._numbers(X)
        return reasons(model, rows, max_reasons, codes=codes, texts=texts, against=against)

    def verify_monotone(self) -> MonotoneProof:
        """Prove that class and probabilities never fall when a criterion gets better.

        Of classes without an order: of each its own probability, against the rest. Columns without
        a direction have to stay as they are; the text names them.

        Returns
        -------
        MonotoneProof
            True if it is proved; as text one line that says so, or what is wrong.

        Examples
        --------
        >>> from sugeno import SugenoClassifier
        >>> bool(SugenoClassifier().fit([[1], [2], [3], [4]], [0, 0, 1, 1]).verify_monotone())
        True
        """
        found: MonotoneProof = self._decider.verify_monotone()
        return found.where_these_stay(self._decider.free_columns)

    def rules_table(
        self,
        X: Any = None,
        y: Any = None,
        *,
        sample_weight: ArrayLike | None = None,
        n_resamples: int = 0,
        random_state: int | np.random.RandomState | None = None,
        words: bool = False,
        backend: Backend = "pandas",
    ) -> Any:
        """Return the rules as a data frame, with what each of them stands on.

        Columns: ``rule`` and ``size``, its number of criteria. Of ordered classes ``boundary``
        comes first, of classes without an order ``class``. ``support`` is the weight of the rows
        that satisfy it, ``precision`` the share of that weight which has the label. ``unique`` is
        the weight of the rows that satisfy no other rule. With ``n_resamples`` also ``stability``
        and ``criteria_stability``, see `rule_stability`.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features), optional
            Rows to count; by default the numbers are those of the training rows.
        y : array-like of shape (n_samples,), optional
            Their labels.
        sample_weight : array-like of shape (n_samples,), optional
            Their weights.
        n_resamples : int, default=0
            How often to repeat the fit on resampled rows, to see how often each rule recurs.
            Needs X and y.
        random_state : int, RandomState instance or None, default=None
            Seed of the resampling.
        words : bool, default=False
            Whether to write "at least 6" for ``>= 6``.
        backend : {"pandas", "polars", "pyarrow"}, default="pandas"
            Which library's frame; it must be installed.

        Returns
        -------
        pandas.DataFrame, polars.DataFrame or pyarrow.Table
            One row per rule.

        Examples
        --------
        >>> from sugeno import SugenoClassifier
        >>> clf = SugenoClassifier().fit([[1], [2], [3], [4]], [0, 0, 1, 1])
        >>> clf.rules_table([[3], [4], [5]], [0, 1, 1], words=True)
                        rule  size  support  precision  unique
        0  x0 at least 3     1      3.0   0.666667     3.0
        """
        options = {
            "sample_weight": sample_weight,
            "n_resamples": n_resamples,
            "random_state": random_state,
            "words": words,
            "backend": backend,
        }
        if self._has_rules_per_class:
            return self._table_per_class(X, y, options)
        model = self._ruled_model
        if X is None or y is None:
            if n_resamples or not (X is None and y is None):
                raise ValueError("X and y must be given together, and for n_resamples both.")
            return self.rules_.to_frame(backend, words=words)
        counted: Any = model.counted_rules(X, y, sample_weight)
        counted = counted if len(model.boundaries) > 1 else counted[0]
        if not n_resamples:
            return counted.to_frame(backend, words=words)
        from sugeno.estimators.stability import rule_stability

        found = rule_stability(
            self,
            X,
            y,
            sample_weight=sample_weight,
            n_resamples=n_resamples,
            random_state=random_state,
        )
        return replace(found, rules=counted).to_frame(backend, words=words)

    def _table_per_class(self, X: Any, y: Any, options: dict[str, Any]) -> Any:
        """The rules of all classes, one class after the other; each counts its own rows."""
        labels = None if y is None else column_or_1d(np.asarray(y))
        if labels is not None:
            self.model_.places(labels)  # refuses labels that no class has
        each = {
            label: one.rules_table(X, None if labels is None else labels == label, **options)
            for label, one in self.per_class_.items()
        }
        return stacked("class", each, options["backend"])

    def edit(
        self,
        X: ArrayLike | None = None,
        y: Any = None,
        sample_weight: ArrayLike | None = None,
        *,
        boundary: object = None,
    ) -> Edit | CardEdit:
        """Begin to edit the rules, or the card; the classifier itself stays as it is.

        Of ordered classes the rules of one boundary are edited. The report is about this
        boundary: rows that pass it now, or no more, and errors in telling the classes below it
        from those above. The new classifier must stay nested: whoever passes a boundary passes
        those before it. Where an edit breaks that, an error says which rule does.

        Of classes without an order the rules of one class are edited, and rows are given to the
        likeliest class as before. The report also counts the rows that another class wins.

        A card is edited as a whole: its points and levels are those of all boundaries, and the
        report is about the classes.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features), optional
            Rows to judge the edits by. With them the report counts the rows that change and the
            errors, and probabilities, support and importances are those of the rows.
        y : array-like of shape (n_samples,), optional
            Their labels.
        sample_weight : array-like of shape (n_samples,), optional
            Their weights.
        boundary : object, optional
            The lowest class above the boundary; two classes have one boundary, which needs no
            name. Of classes without an order the class whose rules are edited.

        Returns
        -------
        Edit or CardEdit
            ``add``, ``remove``, ``replace``, ``move_level`` and ``forbid`` each return a new one.
            ``report`` says what changed, and ``classifier`` is the `RuleClassifier`. Of a card with
            ``set_points``, ``move_level``, ``set_needed`` and ``forbid``.

        Examples
        --------
        >>> from sugeno import SugenoClassifier
        >>> X, y = [[1], [2], [3], [4]], [0, 0, 1, 1]
        >>> edit = SugenoClassifier().fit(X, y).edit(X, y).move_level("x0", 3, to=4)
        >>> edit.report.errors_after, edit.classifier.predict([[3], [4]])
        (1.0, array([0, 1]))
        """
        from sugeno.edit import CardEdit, Edit

        if self._has_rules_per_class:
            return self._edit_of_class(X, y, sample_weight, boundary)
        model = self._ruled_model
        if model.rules.cards:
            each = [
                rows
                for place in range(len(model.boundaries))
                if (rows := self._rows_to_judge(X, y, sample_weight, place)) is not None
            ]
            return CardEdit.of(model, each or None, RuleClassifier.of)
        edit = Edit.of(model, finish=RuleClassifier.of, boundary=boundary)
        return replace(edit, rows=self._rows_to_judge(X, y, sample_weight, edit.place))

    def _edit_of_class(
        self, X: Any, y: Any, sample_weight: ArrayLike | None, label: object
    ) -> Edit:
        """Begin to edit the rules of one of several classes without an order."""
        from sugeno.edit import Among, Edit, EvaluationRows

        whole = self.model_
        edit = Edit.of_class(whole, label, RuleClassifier.of)
        if X is None and y is None:
            return edit
        values, labels = self._rows_and_labels(X, y)
        place, weights = whole.place_of(label), row_weights(sample_weight, len(values))
        places_among(whole.classes, labels)
        own = edit.original.boundaries[0].read(whole.per_model(values)[place])
        rows = EvaluationRows(own, np.asarray(labels == label), weights)
        return replace(edit, rows=rows, among=Among(whole, place, values, labels, weights))

    def _rows_and_labels(self, X: Any, y: Any) -> tuple[Any, Any]:
        """Validate rows with labels."""
        if X is None or y is None:
            raise ValueError("X and y must be given together, or neither of them.")
        values, labels = check_table(self, X, reset=False, missing=self.model_.missing, y=y)
        return values, labels

    def _rows_to_judge(
        self, X: Any, y: Any, sample_weight: ArrayLike | None, place: int = 0
    ) -> EvaluationRows | None:
        """Validate rows with labels, for one boundary; None where there are none."""
        from sugeno.edit import EvaluationRows

        if X is None and y is None:
            return None
        model = self._ruled_model
        values, labels = self._rows_and_labels(X, y)
        above = np.asarray(model.places(labels) > place)
        weights = row_weights(sample_weight, len(values))
        return EvaluationRows(model.boundaries[place].read(values), above, weights)

    def report(self, X: Any, y: Any, path: str | Path = "report.html", **options: Any) -> Path:
        """Write one HTML file to read and to play with: rules or effects, errors, rows, what if.

        It needs no network and no server, and can be sent to people who have no Python.

        Parameters
        ----------
        X : array-like or frame of shape (n_samples, n_features)
            Rows to show the rules on.
        y : array-like of shape (n_samples,)
            Their labels.
        path : str or path, default="report.html"
            Where to write.
        **options
            ``title``, ``class_names``, ``error`` on new rows and errors of others
            (``baseline``), ``sample_weight``, …; see `sugeno.report.report_html`.

        Returns
        -------
        Path
            The file.

        Examples
        --------
        >>> from tempfile import TemporaryDirectory
        >>> from sugeno import SugenoClassifier
        >>> X, y = [[1], [2], [3], [4]], [0, 0, 1, 1]
        >>> with TemporaryDirectory() as folder:
        ...     SugenoClassifier().fit(X, y).report(X, y, f"{folder}/loans.html").name
        'loans.html'
        """
        from sugeno.report import write_report

        check_is_fitted(self)
        sizes = getattr(self, "path_", getattr(self, "distillation_path_", None))
        known = {"sizes": sizes, "model_json": _model_json(self.model_)}
        return write_report(self, X, y, path, **{**known, **options})

    def _learned_html(self) -> str:
        """What a notebook shows above the picture: rules, honest errors, what was assumed."""
        if not hasattr(self, "model_"):
            return ""
        from sugeno.report._notebook import notebook_html

        return notebook_html(self.model_)


class RuleClassifier(ReadsModel, ClassifierMixin, DocumentedEstimator):
    """A finished classifier as a scikit-learn estimator; `fit` learns nothing.

    What a loaded or edited model becomes: rules, a card, or an ensemble as a sum of steps. It
    predicts and reads as the classifier that learned the model does, and has no parameters to tune.

    Parameters
    ----------
    model : Model, ScoreModel or ModelPerClass
        The finished model, ``model_`` of a fitted classifier, or those of classes without an order.

    Attributes
    ----------
    model_ : Model, ScoreModel or ModelPerClass
        The model that was given.
    classes_ : ndarray of shape (C,)
        The labels, sorted.
    order_ : ndarray of shape (C,)
        The labels, the lowest first; of two classes the last one is the positive one.
    positive_ : object
        Of two classes the label of the positive one, for which the rules speak.
    columns_ : Assumed
        What was assumed about the columns, of a table of any kind.
    per_class_ : dict
        Of classes without an order: from each label to the classifier of it against the rest.
    rules_ : RuleSet, OrdinalRules or dict
        The rules in original units; of ordered classes those of each boundary, of classes without
        an order those of each label. An ensemble has none.
    feature_importances_ : ndarray of shape (n_features_in_,)
        How much each feature matters.

    Examples
    --------
    >>> from sugeno import RuleClassifier, SugenoClassifier
    >>> learned = SugenoClassifier().fit([[1], [2], [3], [4]], [0, 0, 1, 1])
    >>> clf = RuleClassifier.of(learned.model_)
    >>> print(clf.rules_, clf.predict([[2], [3]]))
    class 1 if x0 >= 3 [0 1]
    """

    def __init__(self, model: AnyModel) -> None:
        self.model = model

    @classmethod
    def of(cls, model: AnyModel) -> Self:
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
        first = model.models[0] if isinstance(model, ModelPerClass) else model
        _know_columns(self, model, named=first.has_names)
        return self._store(model)


#: The same for ordered classes; a model says itself how many boundaries it has.
OrdinalRuleClassifier = RuleClassifier


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


def _check_confidence(confidence: float) -> None:
    """Refuse a confidence that a label has at least, or that none can have."""
    if not 0.5 <= confidence <= 1:
        raise ValueError(
            f"confidence must be a number between 0.5 and 1. Got {confidence!r} instead; 0.5 asks "
            "for nothing more than the decision."
        )


def _know_columns(clf: Any, model: Any, *, named: bool) -> None:
    """Leave on a classifier what scikit-learn knows of the columns of a table."""
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


def _model_json(model: Any) -> str | None:
    """The text of the model file; None where a file cannot hold the model."""
    from sugeno._format import write_model

    try:
        return write_model(model)
    except ModelFileError:
        return None
