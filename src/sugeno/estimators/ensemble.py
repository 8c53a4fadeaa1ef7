"""An ensemble of Sugeno classifiers: bagged, boosted, monotone rules with grades."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from numbers import Integral
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sugeno._counts.sample import places_in
from sugeno._ensemble.boosting_run import EnsembleParams
from sugeno._learning.data import TrainingData
from sugeno._learning.folds import USUAL_TIME
from sugeno._learning.labels import Classes
from sugeno._learning.scores import finished_scores
from sugeno._learning.teaching import Teaching, fit_ensemble, learning_rows
from sugeno._learning.training import Training
from sugeno._scales.directions import Directions
from sugeno._sklearn import Interval, StrOptions
from sugeno.estimators._base import BaseSugenoClassifier, seed_of
from sugeno.estimators._reading import ReadsModel
from sugeno.estimators._validation import SHARED_CONSTRAINTS
from sugeno.model.score_model import ScoreModel
from sugeno.solvers.budget import Budget

__all__ = ["SugenoEnsembleClassifier"]

Floats = NDArray[np.float64]

#: So many rows show how often a criterion decides; a column without a direction has many values.
_ENOUGH_ROWS = 5_000
#: What a table tells only if its columns have names, or labels.
_OF_A_FRAME = ("feature_names_in_", "feature_labels_in_")


class SugenoEnsembleClassifier(ReadsModel, BaseSugenoClassifier):
    """Ensemble of small Sugeno classifiers, monotone and with calibrated probabilities.

    Each member is a Sugeno integral over binary utilities, with a capacity of two grades. It is the
    minimum ("and") or the maximum ("or") of one or two literals ``criterion reaches level``. Its
    grade is high where the rule holds and low where it does not, so it never falls when a criterion
    gets better. Neither does the sum of all members, to the last bit. Members are added one after
    the other where they lower the logistic loss most, in several bags of rows side by side. The
    number of rounds is the one at which rows outside the bags are predicted best. Half of the bags
    start with a logistic regression that has a weight w ≥ 0 for the utility of each criterion. As a
    utility is the mean of the literals of its criterion, that is a sum of members too. Rows outside
    the bags say how much either half counts.

    Parameters
    ----------
    n_bags : int, default=20
        Number of bags.
    max_rounds : int, default=500
        Largest number of members per bag.
    directions : "auto", Directions, array-like of shape (n_features,), dict or None, default="auto"
        As for `SugenoClassifier`.
    columns, special : dict or None, default=None
        As for `SugenoClassifier`.
    class_weight : dict, "balanced" or None, default=None
        Price of an error in each class; multiplies the sample weights.
    costs : dict, array-like of shape (2, 2) or None, default=None
        As for `SugenoClassifier`, of two classes.
    positive : object, default=None
        As for `SugenoClassifier`.
    order : sequence, "sorted" or None, default=None
        As for `SugenoClassifier`: with it, or where y is an ordered categorical, one ensemble
        learns all class boundaries, nested by construction.
    missing : {"error", "pessimistic", "optimistic", "interval"}, default="error"
        What NaN, None or null means (docs/missing.md). "error" refuses it. "pessimistic": worse
        than every level. "optimistic": better than every level. "interval", of two classes: either.
        Training then looks at the worst case of a positive row and at the best case of a negative
        one. Prediction decides as for "pessimistic".
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
    model_ : ScoreModel
        The finished sum: all that predictions, files, exports, explanations and the page read. Of
        more than two classes without an order a `ModelPerClass` of them.
    classes_ : ndarray of shape (C,)
        The labels, sorted.
    order_ : ndarray of shape (C,)
        The labels, the lowest first, where they have an order; two have.
    positive_ : object
        Of two classes the label of the positive one.
    n_features_in_ : int
        Number of features seen during fit.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, when X had names.
    directions_ : ndarray of int of shape (n_features_in_,)
        +1 or -1 per feature; 0 where one is left out, or counts either way.
    n_rounds_ : int
        Number of rounds that was kept; the larger one of both halves of the bags.
    n_members_ : int
        Number of members in all bags; literals that bags start with count once.
    oob_score_ : float
        Accuracy on the rows outside the bags.
    oob_log_loss_ : float
        Log loss on them.
    oob_decision_function_ : ndarray of shape (n_samples, C)
        Probabilities of the training rows, each from the bags that it is not in. Of more than
        100,000 different rows the bags know a sample; the others have the ensemble's own.
    held_out_confusion_, held_out_auc_, held_out_auc_interval_, held_out_calibration_, \
held_out_cost_
        As for `SugenoClassifierCV`, of the rows outside the bags.
    per_class_ : dict
        Of more than two classes without an order: an ensemble for each against the rest.
    feature_importances_ : ndarray of shape (n_features_in_,)
        Share of each criterion in what all members gain.
    pivotality_ : ndarray of shape (n_features_in_,)
        Share of the training weight whose class the feature alone can change, exactly. Of more
        than 5,000 different rows a sample is looked at.

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
        **SHARED_CONSTRAINTS,
        "n_bags": [Interval(Integral, 2, None, closed="left")],
        "max_rounds": [Interval(Integral, 1, None, closed="left")],
        "order": ["array-like", StrOptions({"sorted"}), None],
    }

    def __init__(
        self,
        *,
        n_bags: int = 20,
        max_rounds: int = 500,
        directions: Directions | ArrayLike | Mapping[str, int | str] | str | None = "auto",
        columns: Mapping[str, Any] | None = None,
        special: Mapping[str, Mapping[Any, Any]] | None = None,
        class_weight: Mapping[Any, float] | str | None = None,
        costs: Mapping[str, float] | ArrayLike | None = None,
        positive: object = None,
        order: Sequence[Any] | str | None = None,
        missing: str = "error",
        time_limit: float | None = USUAL_TIME,
        n_jobs: int | None = None,
        random_state: int | np.random.RandomState | None = 0,
    ) -> None:
        self.n_bags = n_bags
        self.max_rounds = max_rounds
        self.directions = directions
        self.columns = columns
        self.special = special
        self.class_weight = class_weight
        self.costs = costs
        self.positive = positive
        self.order = order
        self.missing = missing
        self.time_limit = time_limit
        self.n_jobs = n_jobs
        self.random_state = random_state

    def _learn(self, data: TrainingData, budget: Budget) -> ScoreModel:
        """Grow the ensemble on a sample of the rows, all if there are not many."""
        training = self._prepared(data)
        self._grow(training.sampled, budget)
        if data.rows is None:
            self.n_sampled_ = len(training.sampled.table.codes)
        else:
            self._tell_oob(self._oob_at_least(training))
        found: ScoreModel = self.model_
        return found

    def _loss(self, classes: Classes) -> None:
        """The class is the median one, whatever errors cost; what asks for more is refused."""
        if not classes.ordered or classes.size == 2:
            return
        if self.costs is not None:
            raise ValueError(
                "The 'costs' parameter of an ensemble is for two classes. Got "
                f"{classes.size} ordered classes instead; leave it out, or use SugenoClassifierCV."
            )
        if self.missing == "interval":
            raise ValueError(
                "missing='interval' of an ensemble is for two classes. Got "
                f"{classes.size} ordered classes instead; use missing='pessimistic'."
            )

    def _oob_at_least(self, training: Training) -> Floats:
        """Probabilities of all rows; of those outside the sample, which no bag knows, its own."""
        found: Floats = self._ensemble.oob_at_least
        if training.sampled is training:
            return found
        places = places_in(training.sampled.table, training.table)
        own: Floats = self._ensemble.at_least(learning_rows(training))
        return np.where(places[:, None] < 0, own, found[places])

    def _grow(self, training: Training, budget: Budget) -> None:
        """Learn from prepared training data."""
        seed = seed_of(self.random_state)
        plan = EnsembleParams(
            bags=self.n_bags, max_rounds=self.max_rounds, seed=seed, n_jobs=self.n_jobs
        )
        self._ensemble, _ = fit_ensemble(training, plan, budget)
        self._store(finished_scores(training, self._ensemble))
        self.n_rounds_ = self._ensemble.rounds
        self.n_members_ = len(self._ensemble.members)
        self.oob_score_ = 1.0 - self._ensemble.oob_error
        self.oob_log_loss_ = self._ensemble.oob_log_loss
        self._tell_oob(self._ensemble.oob_at_least)
        some = training.source.sample(_ENOUGH_ROWS)
        flipped = self.model_.flips(learning_rows(replace(training, source=some)))
        weights = some.weights
        self.pivotality_ = self._by_feature(weights.sums(flipped) / weights.total)

    def _tell_oob(self, at_least: Floats) -> None:
        ends = np.ones((len(at_least), 1))
        shares = -np.diff(np.hstack([ends, at_least, 0 * ends]), axis=1)
        self.oob_decision_function_ = self._sorted(shares)

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

    def _teaching(self, training: Training) -> Teaching:
        """What the ensemble says of the rows that it was grown on."""
        return Teaching.of_ensemble(self._ensemble, learning_rows(training))
