"""An ensemble of Sugeno classifiers: bagged, boosted, monotone rules with grades."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit
from sklearn.utils.validation import check_is_fitted

from sugeno._counts.sample import places_in
from sugeno._ensemble.boosting_run import EnsembleParams
from sugeno._ensemble.ensemble import Ensemble
from sugeno._learning.data import TrainingData
from sugeno._learning.folds import USUAL_TIME
from sugeno._learning.labels import Classes
from sugeno._learning.teaching import Teaching, fit_ensemble, learning_rows, oriented
from sugeno._learning.training import Training
from sugeno._scales.directions import Directions
from sugeno._scales.missing import MISSING_POLICIES, as_read, filled
from sugeno._sklearn import Interval, StrOptions
from sugeno.estimators._base import BaseSugenoClassifier, seed_of, without_order
from sugeno.estimators._predicting import Predicts
from sugeno.estimators._validation import check_table
from sugeno.model.per_class import ModelPerClass
from sugeno.solvers.budget import Budget

__all__ = ["SugenoEnsembleClassifier"]

Floats = NDArray[np.float64]

#: What a table tells only if its columns have names, or labels.
_OF_A_FRAME = ("feature_names_in_", "feature_labels_in_")


class SugenoEnsembleClassifier(Predicts, BaseSugenoClassifier):
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
    columns : dict or None, default=None
        As for `SugenoClassifier`.
    class_weight : dict, "balanced" or None, default=None
        Price of an error in each class; multiplies the sample weights.
    costs : dict, array-like of shape (2, 2) or None, default=None
        As for `SugenoClassifier`, of two classes.
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

    _verdicts: Any  # of two classes, or a ModelPerClass of them

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "n_bags": [Interval(Integral, 2, None, closed="left")],
        "max_rounds": [Interval(Integral, 1, None, closed="left")],
        "directions": [StrOptions({"auto"}), Directions, "array-like", dict, None],
        "columns": [dict, None],
        "class_weight": [dict, StrOptions({"balanced"}), None],
        "costs": [dict, "array-like", None],
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
        columns: Mapping[str, Any] | None = None,
        class_weight: Mapping[Any, float] | str | None = None,
        costs: Mapping[str, float] | ArrayLike | None = None,
        positive: object = None,
        missing: str = "error",
        time_limit: float | None = USUAL_TIME,
        n_jobs: int | None = None,
        random_state: int | np.random.RandomState | None = 0,
    ) -> None:
        self.n_bags = n_bags
        self.max_rounds = max_rounds
        self.directions = directions
        self.columns = columns
        self.class_weight = class_weight
        self.costs = costs
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
            self._tell_oob(self._oob_probability(training))
        return training

    def _store(self, training: Training) -> Self:
        """Everything has been kept while the ensemble grew."""
        return self

    def _store_each(
        self, labels: NDArray[Any], each: Sequence[Any], target: str | None = None
    ) -> Self:
        self.classes_ = labels
        self._verdicts = ModelPerClass(labels, tuple(one._verdicts for one in each))
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
        plan = EnsembleParams(
            bags=self.n_bags, max_rounds=self.max_rounds, seed=seed, n_jobs=self.n_jobs
        )
        self._ensemble, rows = fit_ensemble(training, plan, budget)
        self.classes_, self.positive_ = np.sort(training.classes), training.classes[1]
        self.directions_ = training.knots.directions
        self._criteria = training.criteria
        missing = training.source.missing
        bar = _log_odds(training.cut)
        given = (self._ensemble, training.classes, self.directions_, missing)
        self._verdicts = _Verdicts(*given, bar)
        self.n_rounds_ = self._ensemble.rounds
        self.n_members_ = len(self._ensemble.members)
        self.oob_score_ = 1.0 - self._ensemble.oob_error
        self.oob_log_loss_ = self._ensemble.oob_log_loss
        self._tell_oob(self._ensemble.oob_probability)
        gains = self._ensemble.members.gains()
        self.feature_importances_ = gains / gains.sum() if gains.any() else gains
        weights = training.table.weights
        self.pivotality_ = weights.sums(self._ensemble.can_flip(rows, bar)) / weights.total

    def _tell_oob(self, positive: Floats) -> None:
        self.oob_decision_function_ = self._sorted(np.column_stack([1 - positive, positive]))

    @classmethod
    def within(
        cls, other: BaseSugenoClassifier, training: Training, budget: Budget, **params: Any
    ) -> Self:
        """Grow an ensemble inside another estimator, which has prepared table and labels."""
        self = cls(
            directions=training.knots.directions,
            class_weight=other.class_weight,
            costs=other.costs,
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
    def _decider(self) -> Any:
        check_is_fitted(self)
        return self._verdicts

    @property
    def _ordered_model(self) -> _Verdicts:
        """What decides about two classes; with more of them there is no such thing."""
        if isinstance(self._decider, ModelPerClass):
            labels = self.classes_.tolist()
            raise AttributeError(
                "SugenoEnsembleClassifier answers this for two classes. Each of the "
                f"{len(labels)} classes has an ensemble, itself against the rest; ask that one, "
                f"such as per_class_[{labels[0]!r}]."
            )
        verdicts: _Verdicts = self._verdicts
        return verdicts

    def _checked(self, X: ArrayLike) -> Floats:
        check_is_fitted(self)
        rows: Floats = check_table(self, X, reset=False, missing=self.missing)
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
        scores: Floats = self._verdicts.margins(self._checked(X))
        return scores if self.classes_[1] == self.positive_ else -scores

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
        verdicts = self._ordered_model
        return verdicts.ensemble.can_flip(verdicts.oriented(self._checked(X)), verdicts.bar)


@dataclass(frozen=True, eq=False)
class _Verdicts:
    """What an ensemble says of checked rows; asked as a model of two classes is."""

    ensemble: Ensemble
    classes: NDArray[Any]
    directions: NDArray[np.int64]
    missing: str
    bar: float = 0.0  # log odds of the cut-off

    @property
    def cuts(self) -> Floats:
        """The probability above which rows are accepted."""
        return np.array([expit(self.bar)])

    def oriented(self, X: Floats) -> Floats:
        """Rows as they are read, turned so that more is better."""
        return oriented(as_read(X, self.directions, self.missing), self.directions)

    def margins(self, X: Floats) -> Floats:
        """Log odds of the positive class, less those of the cut-off."""
        return self.ensemble.scores(self.oriented(X)) - self.bar

    def decide(self, X: Floats) -> NDArray[Any]:
        return self.classes.take(self.margins(X) > 0)

    def at_least(self, X: Floats) -> Floats:
        return self.ensemble.probability(self.oriented(X))[:, None]

    def class_probabilities(self, X: Floats) -> Floats:
        positive = self.at_least(X)
        return np.hstack([1 - positive, positive])

    def _scores_at_ends(self, X: Floats) -> list[Floats]:
        """The lowest and the highest score that filling in can lead to."""
        ends = (filled(X, self.directions, best=best) for best in (False, True))
        return [self.ensemble.scores(oriented(rows, self.directions)) for rows in ends]

    def ends(self, X: Floats) -> list[NDArray[np.intp]]:
        return [(scores > self.bar).astype(np.intp) for scores in self._scores_at_ends(X)]

    def open_labels(self, X: Floats, confidence: float) -> NDArray[np.bool_]:
        low, high = self._scores_at_ends(X)
        sure, maybe = low > self.bar, high > self.bar
        if confidence > 0.5:
            sure &= expit(low) >= confidence
            maybe |= expit(high) > 1 - confidence
        return np.column_stack([~sure, maybe])


def _log_odds(probability: float) -> float:
    return math.log(probability / (1 - probability))
