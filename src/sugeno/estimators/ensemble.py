"""An ensemble of Sugeno classifiers: bagged, boosted, monotone rules with grades."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit
from sklearn.utils.validation import check_is_fitted

from sugeno._counts.sample import places_in
from sugeno._ensemble.course import Plan
from sugeno._learning.data import TrainingData
from sugeno._learning.folds import USUAL_TIME
from sugeno._learning.labels import Classes
from sugeno._learning.teaching import Teaching, fit_ensemble, learning_rows, oriented
from sugeno._learning.training import Training
from sugeno._scales.directions import Directions
from sugeno._scales.missing import MISSING_POLICIES, as_read, filled
from sugeno._sklearn import Interval, StrOptions
from sugeno.estimators._base import BaseSugenoClassifier, seed_of, without_order
from sugeno.estimators._one_versus_rest import shares
from sugeno.estimators._reading import check_confidence
from sugeno.estimators._validation import check_table
from sugeno.solvers.budget import Budget

__all__ = ["SugenoEnsembleClassifier"]

Floats = NDArray[np.float64]

#: What a table tells only if its columns have names, or labels.
_OF_A_FRAME = ("feature_names_in_", "feature_labels_in_")


class SugenoEnsembleClassifier(BaseSugenoClassifier):
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
    time_limit : float or None, default=120.0
        Seconds for the whole fit; when they are over, the ensemble grows no further. None sets no
        limit.
    n_jobs : int or None, default=None
        Number of threads that grow bags; it does not change the result.
    random_state : int, RandomState instance or None, default=0
        Seed of the bags and of the literals that are tried. The same rows, in whatever order, give
        the same ensemble.

    Attributes
    ----------
    classes_ : ndarray of shape (C,)
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
        "time_limit": [Interval(Real, 0, None, closed="left"), None],
        "n_jobs": [Integral, None],
        "random_state": ["random_state"],
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
        time_limit: float | None = USUAL_TIME,
        n_jobs: int | None = None,
        random_state: int | np.random.RandomState | None = 0,
    ) -> None:
        self.n_bags = n_bags
        self.max_rounds = max_rounds
        self.directions = directions
        self.class_weight = class_weight
        self.positive = positive
        self.missing = missing
        self.time_limit = time_limit
        self.n_jobs = n_jobs
        self.random_state = random_state

    def _learn(self, data: TrainingData, budget: Budget) -> Training:
        """Grow the ensemble on a sample of the rows, all if there are not many."""
        training = self._prepared(data)
        self._grow(training.sampled, budget)
        if data.rows is None:
            self.n_sampled_ = len(training.sampled.table.codes)
        else:
            self.oob_decision_function_ = self._both(self._oob_probability(training))
        return training

    def _store(self, training: Training) -> Self:
        """Everything has been kept while the ensemble grew."""
        return self

    def _store_each(self, labels: NDArray[Any], each: Sequence[Any]) -> Self:
        self.classes_ = labels
        self.directions_ = np.array([one.directions_ for one in each])
        return self

    def _classes(self, found: NDArray[Any], declared: Sequence[Any] | None) -> Classes:
        return without_order(found, self.positive, declared)

    def _oob_probability(self, training: Training) -> Floats:
        """Probabilities of all rows; of those outside the sample, which no bag knows, its own."""
        found: Floats = self._ensemble.oob_probability
        if training.sampled is training:
            return found
        places = places_in(training.sampled.table, training.table)
        own: Floats = self._ensemble.probability(learning_rows(training))
        return np.where(places < 0, own, found[places])

    def _grow(self, training: Training, budget: Budget) -> None:
        """Learn from prepared training data."""
        seed = seed_of(self.random_state)
        plan = Plan(bags=self.n_bags, max_rounds=self.max_rounds, seed=seed, n_jobs=self.n_jobs)
        self._ensemble, rows = fit_ensemble(training, plan, budget)
        self.classes_, self.positive_ = np.sort(training.classes), training.classes[1]
        self.directions_ = training.knots.directions
        self._criteria = training.criteria
        self._policy = training.source.missing
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
    def within(
        cls, other: BaseSugenoClassifier, training: Training, budget: Budget, **params: Any
    ) -> Self:
        """Grow an ensemble inside another estimator, which has prepared table and labels."""
        self = cls(
            directions=training.knots.directions,
            class_weight=other.class_weight,
            positive=training.classes[1],
            missing=training.table.missing,
            **params,
        )
        for name in ("n_features_in_", *_OF_A_FRAME):
            if hasattr(other, name):
                setattr(self, name, getattr(other, name))
        self._grow(training, budget)
        return self

    def teaching(self, training: Training) -> Teaching:
        """What the ensemble says of the rows that it was grown on."""
        return Teaching.of_ensemble(self._ensemble, learning_rows(training))

    @property
    def _is_turned(self) -> bool:
        """Whether the positive class comes first in sorted order."""
        return bool(self.classes_[0] == self.positive_)

    def _both(self, positive: Floats) -> Floats:
        """Probabilities of both classes in sorted order, from those of the positive one."""
        both = [1 - positive, positive]
        return np.column_stack(both[::-1] if self._is_turned else both)

    @property
    def _each(self) -> list[Any]:
        """The ensembles of classes without an order; none where there are two classes."""
        check_is_fitted(self)
        return [*getattr(self, "per_class_", {}).values()]

    def _check_two(self) -> None:
        """Refuse what has a meaning for two classes alone."""
        if self._each:
            labels = self.classes_.tolist()
            raise AttributeError(
                "SugenoEnsembleClassifier answers this for two classes. Each of the "
                f"{len(labels)} classes has an ensemble, itself against the rest; ask that one, "
                f"such as per_class_[{labels[0]!r}]."
            )

    def decision_function(self, X: ArrayLike) -> Floats:
        """Return the log odds of ``classes_[1]``.

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
        if self._each:
            return self.predict_proba(X)
        scores = self._ensemble.scores(self._oriented_rows(X))
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
            Of two classes the positive one where its probability exceeds 1/2, else the other one.
            Of more than two the likeliest.
        """
        if self._each:
            likeliest: NDArray[np.intp] = self.predict_proba(X).argmax(axis=1)
            return self.classes_.take(likeliest)
        accepted = self._ensemble.scores(self._oriented_rows(X)) > 0
        labels: NDArray[Any] = self.classes_.take(accepted ^ self._is_turned)
        return labels

    def predict_proba(self, X: ArrayLike) -> Floats:
        """Return the probability of each class for each row.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Table with the columns of the training data.

        Returns
        -------
        ndarray of shape (n_samples, C)
            Probabilities in the order of ``classes_``.
        """
        if self._each:
            return shares(self._each, X)
        return self._both(self._ensemble.probability(self._oriented_rows(X)))

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
        self._check_two()
        result: NDArray[np.bool_] = self._ensemble.can_flip(self._oriented_rows(X))
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
        self._check_two()
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
        ndarray of bool of shape (n_samples, C)
            In the order of ``classes_``. Of two classes both are True where the answer is open;
            of more than two those are that may be accepted against the rest.
        """
        check_confidence(confidence)
        if self._each:
            each = [one.predict_set(X, confidence=confidence)[:, 1] for one in self._each]
            return np.column_stack(each)
        low, high = self._scores_at_ends(X)
        sure = (low > 0) & (expit(low) >= confidence)
        both = [~sure, (high > 0) | (expit(high) > 1 - confidence)]
        return np.column_stack(both[::-1] if self._is_turned else both)

    def _scores_at_ends(self, X: ArrayLike) -> tuple[Floats, Floats]:
        """The lowest and the highest score that filling in can lead to."""
        ensemble, rows = self._ensemble, self._rows(X)
        low, high = (
            ensemble.scores(oriented(filled(rows, self.directions_, best=best), self.directions_))
            for best in (False, True)
        )
        return low, high

    def _oriented_rows(self, X: ArrayLike) -> Floats:
        return oriented(as_read(self._rows(X), self.directions_, self._policy), self.directions_)

    def _rows(self, X: ArrayLike) -> Floats:
        """Validate rows to classify, as numbers that may be missing if that has a meaning."""
        check_is_fitted(self)
        rows: Floats = check_table(self, X, reset=False, missing=self.missing)
        return rows
