"""An ensemble of Sugeno classifiers: bagged, boosted, monotone rules with grades."""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Integral
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit
from sklearn.utils.validation import check_is_fitted

from sugeno._counts.sample import places_in
from sugeno._ensemble.course import Plan
from sugeno._learning.distillation import Teaching, fit_ensemble, learning_rows, oriented
from sugeno._learning.training import Training
from sugeno._scales.directions import Directions
from sugeno._scales.missing import MISSING_POLICIES, as_read, filled
from sugeno._sklearn import Interval, StrOptions, fit_context
from sugeno.estimators._frames_sampled import GrowsFromFrames
from sugeno.estimators._monotone import MonotoneClassifier
from sugeno.estimators._per_class import LearnsEachClass, OfTwoClasses, or_each_class
from sugeno.estimators._reading import check_confidence

__all__ = ["SugenoEnsembleClassifier"]

Floats = NDArray[np.float64]

#: What a table tells only if its columns have names, or labels.
_OF_A_FRAME = ("feature_names_in_", "feature_labels_in_")


class _Grown(MonotoneClassifier):
    """An ensemble of two classes that has been grown."""

    missing: str
    _ensemble: Any = OfTwoClasses()

    def decision_function(self, X: ArrayLike) -> Floats:
        """Return the log odds of ``classes_[1]``.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Table with the columns of the training data.

        Returns
        -------
        ndarray of shape (n_samples,)
            Positive where ``classes_[1]`` is predicted; never falls (never rises, if that is not
            the positive class) when a criterion improves.
        """
        rows = self._oriented_rows(X)
        scores = self._ensemble.scores(rows)
        result: Floats = -scores if self._is_turned else scores
        return result

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """Return the label of each row.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Table with the columns of the training data.

        Returns
        -------
        ndarray of shape (n_samples,)
            The positive class where its probability exceeds 1/2, else the other one.
        """
        rows = self._oriented_rows(X)
        accepted = self._ensemble.scores(rows) > 0
        labels: NDArray[Any] = self.classes_.take(accepted ^ self._is_turned)
        return labels

    def predict_proba(self, X: ArrayLike) -> Floats:
        """Return the probability of both classes for each row.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Table with the columns of the training data.

        Returns
        -------
        ndarray of shape (n_samples, 2)
            Probabilities in the order of ``classes_``.
        """
        rows = self._oriented_rows(X)
        return self._both(self._ensemble.probability(rows))

    def can_flip(self, X: ArrayLike) -> NDArray[np.bool_]:
        """Tell for each row which criteria can flip its decision, each of them alone.

        Exact: a criterion can do so if and only if its best value (for a rejected row) or its
        worst value (for an accepted one) does.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Table with the columns of the training data.

        Returns
        -------
        ndarray of bool of shape (n_samples, n_features)
            True where the criterion alone decides.
        """
        check_is_fitted(self)
        ensemble = self._ensemble
        result: NDArray[np.bool_] = ensemble.can_flip(self._oriented_rows(X))
        return result

    def predict_interval(self, X: ArrayLike) -> NDArray[Any]:
        """Return the lowest and the highest label that filling in missing values can lead to.

        Exact: scores never fall when a value gets better, so that the worst and the best values
        decide.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Table with the columns of the training data.

        Returns
        -------
        ndarray of shape (n_samples, 2)
            The lowest and the highest label; the negative one is lower.
        """
        ends = np.column_stack(self._scores_at_ends(X)) > 0
        labels: NDArray[Any] = self.classes_.take(ends ^ self._is_turned)
        return labels

    def predict_set(self, X: ArrayLike, *, confidence: float = 0.5) -> NDArray[np.bool_]:
        """Tell for each row which labels are left open.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Table with the columns of the training data.
        confidence : float, default=0.5
            How likely a label must be, whatever is missing, to stand alone.

        Returns
        -------
        ndarray of bool of shape (n_samples, 2)
            In the order of ``classes_``; both True where the answer is open.
        """
        check_confidence(confidence)
        low, high = self._scores_at_ends(X)
        sure = (low > 0) & (expit(low) >= confidence)
        return self._open(sure, (high > 0) | (expit(high) > 1 - confidence))

    def _scores_at_ends(self, X: ArrayLike) -> tuple[Floats, Floats]:
        """The lowest and the highest score that filling in can lead to."""
        check_is_fitted(self)
        ensemble, rows = self._ensemble, self._rows(X)
        low, high = (
            ensemble.scores(oriented(filled(rows, self.directions_, best=best), self.directions_))
            for best in (False, True)
        )
        return low, high

    def _oriented_rows(self, X: ArrayLike) -> Floats:
        check_is_fitted(self)
        return oriented(as_read(self._rows(X), self.directions_, self.missing), self.directions_)


class SugenoEnsembleClassifier(GrowsFromFrames, LearnsEachClass, _Grown):
    """Ensemble of small Sugeno classifiers, monotone and with calibrated probabilities.

    Each member is a Sugeno integral over binary utilities, with a capacity of two grades: the
    minimum ("and") or the maximum ("or") of one or two literals ``criterion reaches level``. Its
    grade is high where the rule holds and low where it does not, so it never falls when a criterion
    gets better, and neither does their sum, to the last bit. Members are added one after the other
    where they lower the logistic loss most, in several bags of rows side by side; the number of
    rounds is the one at which rows outside the bags are predicted best. Half of the bags start with
    a line, a weight w ≥ 0 for the utility of each criterion: as a utility is the mean of the
    literals of its criterion, that is a sum of members too. Rows outside the bags say how much
    either half counts.

    Parameters
    ----------
    n_bags : int, default=20
        Number of bags.
    max_rounds : int, default=500
        Largest number of members per bag.
    directions : "auto", Directions, array-like of shape (n_features,), dict or None, default="auto"
        As for `SugenoClassifier`.
    class_weight : dict, "balanced" or None, default=None
        Price of an error in each class; multiplies the sample weights.
    positive : object, default=None
        As for `SugenoClassifier`.
    missing : {"error", "pessimistic", "optimistic", "interval"}, default="error"
        What NaN, None or null means (docs/missing.md): refused; worse than every level; better;
        or either, so that training looks at the worst case of a positive row and at the best case
        of a negative one, and prediction decides as for "pessimistic".
    n_jobs : int or None, default=None
        Number of threads that grow bags; it does not change the result.
    random_state : int, default=0
        Seed of the bags and of the literals that are tried. The same rows, in whatever order, give
        the same ensemble.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        The labels, sorted.
    positive_ : object
        The label of the positive class.
    n_features_in_ : int
        Number of features seen during fit.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, when X had names.
    directions_ : ndarray of int of shape (n_features_in_,)
        +1 or -1 per feature.
    n_rounds_ : int
        Number of rounds that was kept; the larger one of both halves of the bags.
    n_members_ : int
        Number of members in all bags; literals that bags start with count once.
    oob_score_ : float
        Accuracy on the rows outside the bags.
    oob_log_loss_ : float
        Log loss on them.
    oob_decision_function_ : ndarray of shape (n_samples, 2)
        Probabilities of the training rows, each from the bags that it is not in. Of more than
        100,000 different rows the bags know a sample; the others have the ensemble's own.
    per_class_ : dict
        Of more than two classes: an ensemble for each against the rest.
    feature_importances_ : ndarray of shape (n_features_in_,)
        Share of each criterion in what all members gain.
    pivotality_ : ndarray of shape (n_features_in_,)
        Share of the training weight whose decision the criterion alone can flip, exactly.

    See Also
    --------
    SugenoDistiller : The same verdicts in a handful of rules.

    Examples
    --------
    >>> from sugeno import SugenoEnsembleClassifier
    >>> from sugeno.datasets import load
    >>> lecturers = load("LEV")
    >>> clf = SugenoEnsembleClassifier(n_bags=5, directions=None)
    >>> clf = clf.fit(lecturers.data, lecturers.target)
    >>> clf.oob_score_ > 0.8
    True
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "n_bags": [Interval(Integral, 2, None, closed="left")],
        "max_rounds": [Interval(Integral, 1, None, closed="left")],
        "directions": [StrOptions({"auto"}), Directions, "array-like", dict, None],
        "class_weight": [dict, StrOptions({"balanced"}), None],
        "positive": "no_validation",
        "missing": [StrOptions(set(MISSING_POLICIES))],
        "n_jobs": [Integral, None],
        "random_state": [Interval(Integral, 0, None, closed="left")],
    }

    def __init__(
        self,
        *,
        n_bags: int = 20,
        max_rounds: int = 500,
        directions: Directions | ArrayLike | Mapping[str, int | str] | str | None = "auto",
        class_weight: Mapping[Any, float] | str | None = None,
        positive: object = None,
        missing: str = "error",
        n_jobs: int | None = None,
        random_state: int = 0,
    ) -> None:
        self.n_bags = n_bags
        self.max_rounds = max_rounds
        self.directions = directions
        self.class_weight = class_weight
        self.positive = positive
        self.missing = missing
        self.n_jobs = n_jobs
        self.random_state = random_state

    @fit_context(prefer_skip_nested_validation=True)
    @or_each_class
    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Grow the ensemble.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Table of finite numbers or ordered categories.
        y : array-like of shape (n_samples,)
            Labels of two classes, or of more, of which each has a model of its own.
        sample_weight : array-like of shape (n_samples,), optional
            Weights of the rows.

        Returns
        -------
        SugenoEnsembleClassifier
            The fitted ensemble.
        """
        training = self._training(X, y, sample_weight)
        self._grow(training.sampled)
        self.oob_decision_function_ = self._both(self._oob_probability(training))
        return self

    def _oob_probability(self, training: Training) -> Floats:
        """Probabilities of all rows; of those outside the sample, which no bag knows, its own."""
        found: Floats = self._ensemble.oob_probability
        if training.sampled is training:
            return found
        places = places_in(training.sampled.table, training.table)
        own: Floats = self._ensemble.probability(learning_rows(training))
        return np.where(places < 0, own, found[places])

    def _grow(self, training: Training) -> None:
        """Learn from prepared training data."""
        plan = Plan(
            bags=self.n_bags, max_rounds=self.max_rounds, seed=self.random_state, n_jobs=self.n_jobs
        )
        self._ensemble, rows = fit_ensemble(training, plan)
        self.directions_ = training.knots.directions
        self.n_rounds_ = self._ensemble.rounds
        self.n_members_ = len(self._ensemble.members)
        self.oob_score_ = 1.0 - self._ensemble.oob_error
        self.oob_log_loss_ = self._ensemble.oob_log_loss
        self.oob_decision_function_ = self._both(self._ensemble.oob_probability)
        gains = self._ensemble.members.gains()
        self.feature_importances_ = gains / gains.sum() if gains.any() else gains
        weights = training.table.weights
        self.pivotality_ = weights.sums(self._ensemble.can_flip(rows)) / weights.total

    @classmethod
    def within(cls, other: MonotoneClassifier, training: Training, **params: Any) -> Self:
        """Grow an ensemble inside another estimator, which has prepared table and labels."""
        self = cls(
            directions=training.knots.directions,
            class_weight=other.class_weight,
            positive=other.positive_,
            missing=training.table.missing,
            **params,
        )
        for name in ("classes_", "positive_", "n_features_in_", *_OF_A_FRAME):
            if hasattr(other, name):
                setattr(self, name, getattr(other, name))
        self._grow(training)
        return self

    def teaching(self, training: Training) -> Teaching:
        """What the ensemble says of the rows that it was grown on."""
        return Teaching.of_ensemble(self._ensemble, learning_rows(training))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = self.missing != "error"
        return tags
