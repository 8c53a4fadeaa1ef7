"""A classifier of ordered classes: nested rules per class boundary."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassifierMixin

from sugeno._counts.loss import Loss
from sugeno._counts.table import Table
from sugeno._counts.weights import row_weights
from sugeno._ensemble.course import Plan
from sugeno._learning.engine import Settings, check_k, check_settings
from sugeno._learning.labels import ordered_classes
from sugeno._learning.ordinal import learn_ordinal
from sugeno._learning.ordinal_distillation import distil_ordinal
from sugeno._learning.training import Training, prepare
from sugeno._scales.columns import declared_order
from sugeno._scales.directions import Directions, warn_if_weak
from sugeno._scales.missing import MISSING_POLICIES
from sugeno._sklearn import Interval, StrOptions, fit_context
from sugeno.estimators._frames_ordinal import OrdersFrames
from sugeno.estimators._reading import ReadsModel
from sugeno.estimators._validation import check_table
from sugeno.solvers.budget import DEFAULT_TIME_LIMIT, Budget

__all__ = ["MOST_CRITERIA", "LearnsOrder", "SugenoOrdinalClassifier"]

#: Length of a distilled list, and criteria in a distilled rule, unless the user says otherwise.
_MOST_RULES, MOST_CRITERIA = 5, 4


class LearnsOrder(ReadsModel, ClassifierMixin, BaseEstimator):
    """The way of a table of ordered classes from the user to learning.

    Subclasses have the parameters ``loss``, ``classes``, ``directions`` and ``missing``.

    Examples
    --------
    >>> from sugeno import SugenoOrdinalClassifier
    >>> from sugeno.estimators.ordinal import LearnsOrder
    >>> issubclass(SugenoOrdinalClassifier, LearnsOrder)
    True
    """

    def _training(
        self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None
    ) -> tuple[Training, Loss]:
        """Validate a table to learn from; rows without weight are left out."""
        table, labels = check_table(self, X, y=y, missing=self.missing)
        weights = row_weights(sample_weight, len(table))
        if weights.present is not None:
            table, labels = table[weights.present], labels[weights.present]
            weights = weights.take(weights.present)
        order, codes = ordered_classes(labels, self.classes, declared_order(y))
        loss = self._checked_loss(order.size)
        weights = loss.limited(weights)
        training = prepare(
            Table(table, codes, weights, weights, order.size, self.missing),
            order,
            directions=self.directions,
            feature_names=getattr(self, "feature_names_in_", None),
            labels=getattr(self, "feature_labels_in_", None),
        )
        warn_if_weak(training.found, stacklevel=5)
        return training, loss

    def _checked_loss(self, n_classes: int) -> Loss:
        """The loss, unless rows that are open on both sides cannot have it."""
        loss = Loss.of(self.loss, n_classes)
        if self.missing == "interval" and not loss.grows:
            raise ValueError(
                "missing='interval' adds up what a row may be too low and too high, which needs a "
                "loss that does not fall on the way from the true class to either side. Got "
                f"loss={np.asarray(self.loss).tolist()} instead; use another loss, or "
                "missing='pessimistic'."
            )
        return loss


class SugenoOrdinalClassifier(OrdersFrames, LearnsOrder):
    """Classifier of ordered classes: monotone rules for "at least this class", nested.

    A row gets the highest class whose rules it satisfies. Rules of a higher class imply those of a
    lower one, by construction, so that no row is "at least good" and not "at least fair". The
    prediction never falls when a criterion gets better.

    Parameters
    ----------
    levels : {"distilled", "shared", "all"} or int, default="distilled"
        "distilled": an ensemble per class boundary, distilled into at most ``max_rules`` rules
        each; the most accurate choice. "shared" is the paper's model for several classes:
        thresholds β₁ < β₂ < … of one Sugeno integral with one capacity. An int gives each
        criterion up to so many levels per boundary, where the classes on either side part best;
        "all" every value that occurs, up to 64. All but "distilled" are learned exactly (see
        ``gap_``).
    loss : {"mixed", "zero_one", "absolute"} or array-like of shape (C, C), default="mixed"
        What an error costs: 1 ("zero_one"), the distance in classes ("absolute"), the sum of both
        ("mixed"), or an entry of a matrix with a row per true and a column per predicted class.
    classes : array-like, "sorted" or None, default=None
        The classes, the lowest first. None takes the order of an ordered categorical, or of
        numbers; text is refused, unless "sorted" says that alphabetical order is meant.
    k : int or None, default=None
        Largest number of criteria in a rule. None for no limit; with "distilled" for 4.
    max_rules : int or None, default=None
        Largest number of rules per boundary. None for no limit; with "distilled" for 5.
    rule_cost, literal_cost : float, default=0.0
        Price of each rule and of each criterion in it, in units of sample weight times loss; not
        with "distilled".
    directions : "auto", array-like of shape (n_features,), dict, Directions or None, \
default="auto"
        As for `SugenoClassifier`.
    normalized : bool, default=True
        Whether a row that satisfies every criterion has the highest class; not with "distilled".
    extension : {"auto", "lower", "upper", "nearest", "short"}, default="auto"
        As for `SugenoClassifier`; not with "distilled".
    missing : {"error", "pessimistic", "optimistic", "interval"}, default="error"
        As for `SugenoClassifier`. With "interval" a training row costs what it may be too low plus
        what it may be too high; with "distilled" it is taught to each boundary as what speaks
        against its class there.
    time_limit : float or None, default=30.0
        Seconds for proofs, where k or the rules are limited.
    n_jobs : int or None, default=None
        Number of processes that grow bags of the ensembles; it does not change the result.
    random_state : int, default=0
        Seed of the ensembles.

    Attributes
    ----------
    classes_ : ndarray of shape (C,)
        The labels, sorted, as everywhere in scikit-learn; probabilities are in this order.
    order_ : ndarray of shape (C,)
        The labels, the lowest first.
    n_features_in_ : int
        Number of features seen during fit.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, when X had names.
    directions_ : ndarray of int of shape (n_features_in_,)
        +1 or -1 per feature.
    rules_ : OrdinalRules
        Per class boundary a `RuleSet`, the lowest first.
    thresholds_ : ndarray of shape (C − 1,)
        The thresholds of the integral, with levels="shared".
    feature_importances_ : ndarray of shape (n_features_in_,)
        How pivotal each feature is, in the mean over the boundaries; the sum is 1.
    model_ : Model
        The finished model. All of the above are views of it.
    objective_, bound_, gap_ : float
        Weighted loss of the training rows (with the price of the rules), a proved lower bound on
        it, and their difference; 0 means that no nested rules with these levels are better.

    See Also
    --------
    monotone_labels : The cheapest monotone labels of a table.

    Examples
    --------
    >>> from sugeno import SugenoOrdinalClassifier
    >>> X, y = [[1, 2], [2, 1], [3, 3], [4, 2], [5, 5], [6, 4]], ["C", "C", "B", "B", "A", "A"]
    >>> clf = SugenoOrdinalClassifier(levels=1, classes=["C", "B", "A"]).fit(X, y)
    >>> print(clf.rules_)
    at least B if x0 >= 3, or x1 >= 4
    at least A if x0 >= 5 and x1 >= 4
    >>> clf.predict([[2, 3], [5, 3], [5, 4]])
    array(['C', 'B', 'A'], dtype='<U1')
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "levels": [
            StrOptions({"distilled", "shared", "all"}),
            Interval(Integral, 1, None, closed="left"),
        ],
        "loss": [StrOptions({"mixed", "zero_one", "absolute"}), "array-like"],
        "classes": [StrOptions({"sorted"}), "array-like", None],
        "k": [Interval(Integral, 1, None, closed="left"), None],
        "max_rules": [Interval(Integral, 1, None, closed="left"), None],
        "rule_cost": [Interval(Real, 0, None, closed="left")],
        "literal_cost": [Interval(Real, 0, None, closed="left")],
        "directions": [StrOptions({"auto"}), Directions, "array-like", dict, None],
        "normalized": ["boolean"],
        "extension": [StrOptions({"auto", "lower", "upper", "nearest", "short"})],
        "missing": [StrOptions(set(MISSING_POLICIES))],
        "time_limit": [Interval(Real, 0, None, closed="left"), None],
        "n_jobs": [Integral, None],
        "random_state": [Interval(Integral, 0, None, closed="left")],
    }

    def __init__(
        self,
        *,
        levels: int | str = "distilled",
        loss: str | ArrayLike = "mixed",
        classes: Sequence[Any] | str | None = None,
        k: int | None = None,
        max_rules: int | None = None,
        rule_cost: float = 0.0,
        literal_cost: float = 0.0,
        directions: Directions | ArrayLike | Mapping[str, int | str] | str | None = "auto",
        normalized: bool = True,
        extension: str = "auto",
        missing: str = "error",
        time_limit: float | None = DEFAULT_TIME_LIMIT,
        n_jobs: int | None = None,
        random_state: int = 0,
    ) -> None:
        self.levels = levels
        self.loss = loss
        self.classes = classes
        self.k = k
        self.max_rules = max_rules
        self.rule_cost = rule_cost
        self.literal_cost = literal_cost
        self.directions = directions
        self.normalized = normalized
        self.extension = extension
        self.missing = missing
        self.time_limit = time_limit
        self.n_jobs = n_jobs
        self.random_state = random_state

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Learn nested rules for all class boundaries.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Finite numbers and truth values, in a frame also ordered categoricals.
        y : array-like of shape (n_samples,)
            Labels of two or more ordered classes.
        sample_weight : array-like of shape (n_samples,), optional
            Weights of the rows.

        Returns
        -------
        SugenoOrdinalClassifier
            The fitted classifier.
        """
        budget = Budget.of(self.time_limit)
        self._check_options()
        training, loss = self._training(X, y, sample_weight)
        return self._learned(training, loss, budget)

    def _learned(self, training: Training, loss: Loss, budget: Budget) -> Self:
        """Learn from what has been counted; an ensemble from a sample of the rows."""
        n_criteria = training.source.n_criteria
        check_k(self.k, n_criteria)
        if self.levels == "distilled":
            model = distil_ordinal(
                training.sampled,
                loss,
                counted=training,
                max_rules=_MOST_RULES if self.max_rules is None else self.max_rules,
                k=min(MOST_CRITERIA, n_criteria) if self.k is None else self.k,
                plan=Plan(seed=self.random_state, n_jobs=self.n_jobs),
            )
        else:
            settings = self._settings()
            check_settings(settings, "median", [self.k], n_criteria)
            model = learn_ordinal(training, loss, self.k, self.levels, settings, budget)
        return self._store(model)

    def _settings(self) -> Settings:
        return Settings(
            normalized=self.normalized,
            extension=self.extension,
            max_rules=self.max_rules,
            rule_cost=self.rule_cost,
            literal_cost=self.literal_cost,
            time_limit=self.time_limit,
        )

    def _check_options(self) -> None:
        """Refuse with "distilled" what only the exact solvers read."""
        if self.levels != "distilled":
            return
        plain = {
            "rule_cost": 0.0,
            "literal_cost": 0.0,
            "normalized": True,
            "extension": "auto",
        }
        changed = [name for name, value in plain.items() if getattr(self, name) != value]
        if changed:
            raise ValueError(
                f"levels='distilled' does not read {', '.join(changed)}. Leave them at their "
                "defaults, or use levels='shared', 'all' or a number of levels."
            )

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        # The blobs with which scikit-learn defines a good score have no order, and only rules at
        # all levels can be as many as it takes to tell them apart nevertheless.
        tags.classifier_tags.poor_score = self.levels != "all"
        tags.input_tags.allow_nan = self.missing != "error"
        return tags
