"""Distillation: any classifier with probabilities, turned into a handful of monotone rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib.util import find_spec
from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.utils.validation import check_is_fitted, has_fit_parameter

from sugeno._counts.loss import Loss
from sugeno._counts.table import Table
from sugeno._distil.levels import weights_of_teacher
from sugeno._learning.boundary import with_extent
from sugeno._learning.candidates import MOST_RULES
from sugeno._learning.data import TrainingData
from sugeno._learning.distillation import (
    LITERAL_COST,
    RULE_COST,
    Found,
    NestedDistillation,
    PointDistillation,
    distil_rules,
    found_in_form,
)
from sugeno._learning.effort import effort_for
from sugeno._learning.folds import USUAL_TIME, stratified_folds
from sugeno._learning.labels import Classes
from sugeno._learning.teaching import TaughtVerdicts, Teaching, learning_rows
from sugeno._learning.training import Training, at_boundary
from sugeno._scales.directions import Directions
from sugeno._scales.rows import oriented
from sugeno._sklearn import Interval, StrOptions
from sugeno.estimators._base import (
    BaseSugenoClassifier,
    checked_loss,
    seed_of,
    without_order,
)
from sugeno.estimators._reading import ReadsModel
from sugeno.estimators._validation import SHARED_CONSTRAINTS
from sugeno.estimators.ensemble import SugenoEnsembleClassifier
from sugeno.model.model import Learned, Model
from sugeno.solvers.budget import Budget

__all__ = ["SugenoDistiller", "distill"]

Floats = NDArray[np.float64]

#: Parameters that rules alone read, at their defaults.
_OF_RULES = {
    "n_rules": None,
    "max_rules": MOST_RULES,
    "k": 4,
    "rule_penalty": RULE_COST,
}


class SugenoDistiller(ReadsModel, BaseSugenoClassifier):
    """Few monotone rules that agree with a teacher.

    The teacher says how likely each row is positive. That is a weight, Σ(2p − 1) per pattern, so
    rules are learned from it as they are from labels. Where the teacher is sure, disagreeing with
    it costs much. Half of the weight is on the training rows; their target is half the teacher's
    probability and half the true class. The other half is on varied rows, where the training rows
    leave gaps. A varied row is a training row that takes one criterion in eight, at least one, from
    another row. The levels of the literals are where the teacher changes its mind.

    Parameters
    ----------
    teacher : classifier or None, default=None
        Anything with ``predict_proba``. A fitted one teaches as it is. Another one is fitted here,
        and judges each training row without having seen it (out of fold). None is our own ensemble,
        `SugenoEnsembleClassifier`.
    form : {"rules", "points", "auto"}, default="rules"
        What is learned: rules (or clauses where fewer of them do), a card of points, or whichever
        agrees better with the teacher. There a literal has to be worth ``literal_penalty``, and
        rules .002 more than points, which rank rows better.
    n_literals : int or None, default=None
        Number of literals of a card, or fewer if the search finds no more that help. None chooses
        by what each literal saves. For ``form="points"`` alone.
    n_rules : int or None, default=None
        Number of rules, or fewer if the search finds no more that help. None takes the number at
        which the agreement, less ``rule_penalty`` per rule, is largest.
    max_rules : int, default=20
        Length of the path, and largest number of rules.
    k : int, default=4
        Largest number of criteria in a rule.
    rule_penalty : float, default=0.0003
        What a rule has to gain, as a share of all rows.
    literal_penalty : float, default=0.0003
        What a literal has to gain, as a share of all rows. Literals and rules that gain less are
        pruned from what the search found. Levels are moved and rules joined where that helps.
    improve : bool, default=False
        Whether to use the time that is left for a better set of the chosen size. A mixed-integer
        program looks for it among all rules that the search met. Of a card, for better points of
        the same conditions, with a bound: see ``card_bound_``.
    time_limit : float or None, default=120.0
        Seconds for the whole fit. When they are over, an ensemble grows no further, and a search
        ends with what it has. A teacher that is given takes its own time. None sets no limit.
    directions : "auto", Directions, array-like of shape (n_features,), dict or None, default="auto"
        As for `SugenoClassifier`.
    columns, special : dict or None, default=None
        As for `SugenoClassifier`.
    class_weight : dict, "balanced" or None, default=None
        Price of an error in each class; multiplies the sample weights.
    costs : dict, array-like of shape (2, 2) or None, default=None
        As for `SugenoClassifier`, of two classes.
    words : tuple of two str or None, default=None
        As for `SugenoClassifier`.
    positive : object, default=None
        As for `SugenoClassifier`.
    order : array-like, "sorted" or None, default=None
        Of ordered classes, the lowest first. They are learned with ``form="points"``: one card
        with a threshold for each class but the lowest. An ordered categorical y says it too.
    missing : {"error", "pessimistic", "optimistic", "interval"}, default="error"
        As for `SugenoClassifier`. A teacher that is given has to take missing values as they are.
    abstain : bool, default=False
        As for `SugenoClassifier`.
    n_jobs : int or None, default=None
        Number of processes that grow the ensemble; it does not change the result.
    random_state : int, RandomState instance or None, default=0
        Seed of the ensemble, of the varied rows and of the search. The same rows, in whatever
        order, give the same rules.

    Attributes
    ----------
    teacher_ : object
        The fitted teacher; a `SugenoEnsembleClassifier` if none was given. Of ordered classes
        None then, since each boundary has an ensemble of its own.
    path_ : list of dict
        For each number of rules: ``rules``, and ``literals`` (conditions that a person reads).
        ``form`` is "dnf" for rules joined by "or", "cnf" for clauses joined by "and". Then
        ``disagreement`` (share of the taught rows, expected), ``fidelity`` and ``error`` (shares of
        the training rows). Of a card for each number of literals, with ``form`` "points" and a
        literal as a rule. Of ordered classes ``disagreement`` is the expected loss, and the last
        two are not there.
    n_literals_ : int
        Number of literals that a person reads.
    per_class_ : dict
        Of more than two classes: a distiller for each against the rest; see `SugenoClassifier`.
    fidelity_ : float
        Share of the training rows on which rules and teacher agree; of two classes.
    objective_, bound_, gap_ : float
        Expected disagreement with the teacher in units of row weight; a proved lower bound for all
        monotone classifiers over the candidate literals; their difference.
    card_bound_ : float
        With ``improve`` and a card: a proved lower bound on the disagreement of every card of the
        same conditions with at most 5 points each. Other conditions may do better, and nothing is
        said about errors.
    classes_, n_features_in_, feature_names_in_, directions_, capacity_, rules_, k_
        As for `SugenoClassifier`.

    Examples
    --------
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sugeno import SugenoDistiller
    >>> from sugeno.datasets import load
    >>> lecturers = load("LEV")
    >>> clf = SugenoDistiller(LogisticRegression(), n_rules=2, directions=None)
    >>> clf = clf.fit(lecturers.data, lecturers.target)
    >>> len(clf.rules_)
    2
    >>> clf = SugenoDistiller(form="points", n_literals=4, directions=None)
    >>> clf.fit(lecturers.data, lecturers.target).n_literals_
    4
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **SHARED_CONSTRAINTS,
        "teacher": "no_validation",
        "form": [StrOptions({"rules", "points", "auto"})],
        "n_literals": [Interval(Integral, 1, None, closed="left"), None],
        "n_rules": [Interval(Integral, 1, None, closed="left"), None],
        "max_rules": [Interval(Integral, 1, None, closed="left")],
        "k": [Interval(Integral, 1, None, closed="left")],
        "rule_penalty": [Interval(Real, 0, None, closed="left")],
        "literal_penalty": [Interval(Real, 0, None, closed="left")],
        "improve": ["boolean"],
        "order": [StrOptions({"sorted"}), "array-like", None],
        "words": ["array-like", None],
        "abstain": ["boolean"],
    }

    def __init__(
        self,
        teacher: Any = None,
        *,
        form: str = "rules",
        n_literals: int | None = None,
        n_rules: int | None = None,
        max_rules: int = MOST_RULES,
        k: int = 4,
        rule_penalty: float = RULE_COST,
        literal_penalty: float = LITERAL_COST,
        improve: bool = False,
        time_limit: float | None = USUAL_TIME,
        directions: Directions | ArrayLike | Mapping[str, int | str] | str | None = "auto",
        columns: Mapping[str, Any] | None = None,
        special: Mapping[str, Mapping[Any, Any]] | None = None,
        class_weight: Mapping[Any, float] | str | None = None,
        costs: Mapping[str, float] | ArrayLike | None = None,
        positive: object = None,
        order: Sequence[Any] | str | None = None,
        words: tuple[str, str] | None = None,
        missing: str = "error",
        abstain: bool = False,
        n_jobs: int | None = None,
        random_state: int | np.random.RandomState | None = 0,
    ) -> None:
        self.teacher = teacher
        self.form = form
        self.n_literals = n_literals
        self.n_rules = n_rules
        self.max_rules = max_rules
        self.k = k
        self.rule_penalty = rule_penalty
        self.literal_penalty = literal_penalty
        self.improve = improve
        self.time_limit = time_limit
        self.directions = directions
        self.columns = columns
        self.special = special
        self.class_weight = class_weight
        self.costs = costs
        self.positive = positive
        self.order = order
        self.words = words
        self.missing = missing
        self.abstain = abstain
        self.n_jobs = n_jobs
        self.random_state = random_state

    def _learn(self, data: TrainingData, budget: Budget) -> Model:
        """Listen to the teacher, and learn the rules; of a frame on a sample of its rows."""
        self._check_form()
        counted = self._prepared(data)
        training = counted if data.rows is not None else counted.sampled
        seed = seed_of(self.random_state)
        if data.loss is not None:
            return self._learn_order(data, counted, training, budget, seed)
        teaching = self._listen(training, budget, seed)
        effort = effort_for("model")
        taught = TaughtVerdicts.of(
            training, teaching, seed=seed, n_varied=effort.n_varied, budget=budget
        )
        found, size = found_in_form(
            taught,
            self.form,
            lambda: self._rules(taught, budget, seed),
            n_literals=self.n_literals,
            penalty=self.literal_penalty,
            effort=effort.points,
            budget=budget,
        )
        if self.improve and isinstance(found, PointDistillation):
            found, least = found.improved(size, budget.left())
            self.card_bound_ = found.total * least
        self.path_ = found.summary()
        self.fidelity_ = self.path_[size]["fidelity"]
        self.n_literals_ = found.n_literals(size)
        if data.rows is None:
            self.n_sampled_ = len(training.table.codes)
        boundary = replace(found, training=counted).model(size)
        name = type(self.teacher_).__name__
        model = Model.of_two_classes(
            with_extent(boundary, counted) if self.abstain else boundary,
            Learned("distilled", name, "disagreement with the teacher"),
            counted.assumed,
        )
        return replace(model, costs=counted.costs)

    def _learn_order(
        self, data: TrainingData, counted: Training, training: Training, budget: Budget, seed: int
    ) -> Model:
        """Learn one card of ordered classes, with a threshold for each but the lowest."""
        if self.improve or self.abstain or data.loss is None:
            raise ValueError(
                "improve=True and abstain=True are for two classes, and so is a card that is "
                "proved or left open. Got classes in an order instead; leave both at False."
            )
        effort, loss = effort_for("model"), data.loss
        if self.teacher is None:
            self.teacher_: Any = None
            nested = NestedDistillation.of(
                training, loss, effort, seed=seed, n_jobs=self.n_jobs, budget=budget
            )
        else:
            teachings = self._listen_order(training, seed)
            views = [at_boundary(training, b) for b in range(len(teachings))]
            own = [*map(learning_rows, views)]
            nested = NestedDistillation.of_teachings(
                training, loss, teachings, own, effort, seed=seed, budget=budget
            )
        found = nested.points(counted, budget, self.n_literals)
        model = found.model()
        self.path_, self.n_literals_ = nested.summary(), found.n_literals
        if data.rows is None:
            self.n_sampled_ = len(training.table.codes)
        learned = Learned("distilled", type(self.teacher_).__name__, "training error")
        if self.teacher is None:
            learned = replace(learned, teacher=SugenoEnsembleClassifier.__name__)
        return replace(model, learned=learned, assumed=counted.assumed, costs=counted.costs)

    def _listen_order(self, training: Training, seed: int) -> list[Teaching]:
        """Ask the teacher of ordered classes how likely rows pass each boundary."""
        out_of_sample = self._asked_teacher(training)
        directions, own = training.knots.directions, learning_rows(training)

        def at(boundary: int) -> Teaching:
            def probability(rows: Floats) -> Floats:
                said = _asked(self.teacher_, oriented(rows, directions), training)
                result: Floats = said[:, boundary]
                return result

            cuts = weights_of_teacher(own, probability, seed=seed)
            return Teaching(out_of_sample[:, boundary], probability, cuts)

        return [at(boundary) for boundary in range(out_of_sample.shape[1])]

    def _check_form(self) -> None:
        """Refuse what the other form alone reads."""
        if self.n_literals is not None and self.form != "points":
            raise ValueError(
                "The 'n_literals' parameter of SugenoDistiller is the length of a card: it needs "
                f"form='points'. Got form={self.form!r} instead; use n_rules for rules."
            )
        given = {
            name: getattr(self, name)
            for name, usual in _OF_RULES.items()
            if self.form == "points" and getattr(self, name) != usual
        }
        if given:
            shown = ", ".join(f"{name}={value!r}" for name, value in given.items())
            raise ValueError(
                f"form='points' reads nothing that is about rules. Got {shown} instead; leave it "
                "at its default, and use n_literals for the length of a card."
            )

    def _rules(self, taught: TaughtVerdicts, budget: Budget, seed: int) -> Found:
        effort = effort_for("model")
        found = distil_rules(
            taught,
            max_rules=max(self.max_rules, self.n_rules or 0),
            k=min(self.k, taught.training.table.n_criteria),
            price=self.rule_penalty,
            n_rules=self.n_rules,
            forms=effort.forms,
            effort=effort.rules,
            seed=seed,
            budget=budget,
        )
        size = found.best_size(self.rule_penalty) if self.n_rules is None else self.n_rules
        size = min(max(size, 1), len(found) - 1)
        if self.improve:
            found = found.improved(size, budget.left())
        return found.pruned(self.literal_penalty, budget=budget), size

    def _classes(self, found: NDArray[Any], declared: Sequence[Any] | None) -> Classes:
        if self.form == "points":
            return super()._classes(found, declared)
        if self.order is not None and found.size > 2:
            raise ValueError(
                "The 'order' parameter of SugenoDistiller is for form='points', one card with a "
                f"threshold for each class. Got form={self.form!r} instead; SugenoClassifier "
                "distils rules of ordered classes with levels='distilled'."
            )
        return without_order(found, self.positive, declared)

    def _loss(self, classes: Classes) -> Loss | None:
        return checked_loss(None, classes, self.missing, self.costs)

    def _listen(self, training: Training, budget: Budget, seed: int) -> Teaching:
        """Fit the teacher where it is not fitted yet, and ask it about the training rows."""
        if self.teacher is None:
            effort = effort_for("model")
            ensemble = SugenoEnsembleClassifier.within(
                self,
                training,
                budget,
                n_bags=effort.bags,
                max_rounds=effort.max_rounds,
                n_jobs=self.n_jobs,
                random_state=seed,
            )
            self.teacher_ = ensemble
            return ensemble._teaching(training)
        out_of_sample = self._asked_teacher(training)[:, 0]
        directions = training.knots.directions
        return Teaching(
            out_of_sample,
            lambda rows: _asked(self.teacher_, oriented(rows, directions), training)[:, 0],
        )

    def _asked_teacher(self, training: Training) -> Floats:
        """How likely training rows pass each boundary, by a teacher that is fitted if need be."""
        if not hasattr(self.teacher, "predict_proba"):
            raise TypeError(
                "The 'teacher' parameter of SugenoDistiller must be a classifier with "
                f"predict_proba. Got {type(self.teacher).__name__} instead; wrap it in "
                "sklearn.calibration.CalibratedClassifierCV."
            )
        if _is_fitted(self.teacher):
            self.teacher_ = self.teacher
            return _asked(self.teacher_, training.table.X, training)
        out_of_sample = _out_of_fold(self.teacher, training)
        self.teacher_ = _taught(self.teacher, training.table, training)
        return out_of_sample

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        # One rule is a box, and the blobs with which scikit-learn defines a good score are none.
        tags.classifier_tags.poor_score = self.n_rules == 1 or self.k == 1
        return tags


def distill(teacher: Any, X: ArrayLike, y: ArrayLike, **parameters: Any) -> SugenoDistiller:
    """Turn a classifier into few monotone rules.

    Parameters
    ----------
    teacher : classifier
        Fitted or not, with ``predict_proba``.
    X : array-like of shape (n_samples, n_features)
        Training rows.
    y : array-like of shape (n_samples,)
        Their labels.
    **parameters
        Of `SugenoDistiller`.

    Returns
    -------
    SugenoDistiller
        Fitted, with ``rules_``.

    Examples
    --------
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sugeno import distill
    >>> X, y = [[1, 5], [2, 3], [3, 9], [4, 8]] * 5, [0, 0, 1, 1] * 5
    >>> print(distill(LogisticRegression().fit(X, y), X, y, directions=None).rules_)
    class 1 if x1 >= 6
    """
    distiller = SugenoDistiller(teacher, **parameters)
    return distiller.fit(X, y)  # type: ignore[no-any-return]


def _is_fitted(teacher: Any) -> bool:
    if not hasattr(teacher, "fit"):
        return True  # nothing to fit: it knows already
    try:
        check_is_fitted(teacher)
    except NotFittedError:
        return False
    return True


def _taught(teacher: Any, table: Table, training: Training) -> Any:
    """Fit a copy of the teacher; it sees weights if it can."""
    copy = clone(teacher)
    options = {}
    weights = training.chance_weights(table)
    if weights.values is not None:
        if not has_fit_parameter(copy, "sample_weight"):
            raise ValueError(
                f"The teacher {type(copy).__name__} does not take sample weights. Got weights "
                "instead of None; fit the teacher yourself, or leave out the weights."
            )
        options["sample_weight"] = weights.values * weights.unit
    return copy.fit(table.X, training.classes[table.codes], **options)


def _asked(teacher: Any, X: Floats, training: Training) -> Floats:
    """Probability of each class but the lowest, or a higher one, in the eyes of a teacher."""
    known, labels = np.asarray(teacher.classes_).tolist(), training.classes.tolist()[1:]
    for label in labels:
        if label not in known:
            raise ValueError(
                f"The teacher must know the class {label!r}. Its classes are {known} instead."
            )
    X = np.where(np.isinf(X), np.nan, X) if training.table.missing != "error" else X
    told = teacher.predict_proba(_known_to(teacher, X, training))
    downwards = [known.index(label) for label in labels[::-1]]
    each = np.asarray(told, dtype=np.float64)[:, downwards]
    return np.minimum(np.cumsum(each, axis=1), 1.0)[:, ::-1]


def _known_to(teacher: Any, X: Floats, training: Training) -> Any:
    """Rows as the teacher saw them: as a frame with its names, in its order, if it has names."""
    names = getattr(teacher, "feature_names_in_", None)
    if names is None:
        return X
    if training.named:
        ours = [criterion.name for criterion in training.criteria]
        unknown = [name for name in names if name not in ours]
        if unknown:
            raise ValueError(
                f"The teacher must have been fitted to columns of X, which are {ours}. It asks "
                f"for {unknown} instead; fit it to the same table."
            )
        X = X[:, [ours.index(name) for name in names]]
    return _frame(X, [str(name) for name in names])


def _frame(X: Floats, names: list[str]) -> Any:
    """A data frame of whichever library is installed."""
    import narwhals

    installed = [name for name in ("pandas", "polars", "pyarrow") if find_spec(name)]
    if not installed:
        raise ImportError(
            "The teacher was fitted to a data frame, and no library of data frames is installed "
            "here. Install pandas, or fit the teacher to an array."
        )
    backend: Any = installed[0]
    return narwhals.from_numpy(X, schema=names, backend=backend).to_native()


def _out_of_fold(teacher: Any, training: Training) -> Floats:
    """Probability of each training row from a teacher that did not see it."""
    table = training.table
    result = np.empty((len(table.codes), training.classes.size - 1))
    for learn, judge in stratified_folds(table.X, table.codes, table.weights, 5):
        copy = _taught(teacher, table.take(learn), training)
        result[judge] = _asked(copy, table.X[judge], training)
    return result
