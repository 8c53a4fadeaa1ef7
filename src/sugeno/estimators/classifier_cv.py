"""The Sugeno classifier that chooses its kind, k and margin by cross-validation (section 6.2)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from joblib import effective_n_jobs
from numpy.typing import ArrayLike, NDArray
from sklearn.metrics import get_scorer, get_scorer_names
from sklearn.model_selection import check_cv
from sklearn.utils import Bunch
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing
from sklearn.utils.parallel import Parallel, delayed

from sugeno._counts.weights import RowWeights, row_weights
from sugeno._exceptions import MarginError
from sugeno._learning.candidates import MOST_RULES, Candidate, Recipe, learn_candidate
from sugeno._learning.distillation import Distillation
from sugeno._learning.engine import Settings, check_k, check_levels, check_missing, check_settings
from sugeno._learning.extent import with_extent
from sugeno._learning.folds import (
    USUAL_TIME,
    Fold,
    check_folds,
    limit_folds,
    rows_for_folds,
    stratified_folds,
)
from sugeno._learning.selection import Trial, choose
from sugeno._learning.training import Training
from sugeno._scales.columns import declared_order
from sugeno._scales.directions import Directions, warn_if_weak
from sugeno._sets.subsets import count_subsets
from sugeno._sklearn import (
    StrOptions,
    fit_context,
    raise_for_params,
    routing_enabled,
    safe_indexing,
)
from sugeno.estimators._choices import entry_of, kinds_of
from sugeno.estimators._frames_sampled import ChoosesFromFrames
from sugeno.estimators._monotone import BaseSugenoClassifier
from sugeno.estimators._per_class import LearnsEachClass, or_each_class
from sugeno.estimators._scoring import (
    TIE,
    Rows,
    per_row,
    score_fold,
    tabulated,
    takes_weights,
    time_of_a_fold,
)
from sugeno.estimators._validation import check_table
from sugeno.estimators.classifier import SugenoClassifier
from sugeno.model.boundary import Boundary
from sugeno.model.model import Model
from sugeno.solvers.budget import DEFAULT_TIME_LIMIT, Budget
from sugeno.solvers.program import MAX_VARIABLES

__all__ = ["SugenoClassifierCV"]

Floats = NDArray[np.float64]

#: Up to so many features every k is tried by default.
_FEW_FEATURES = 10


@dataclass(frozen=True)
class _Parts:
    """Rows, their folds, and what the scorer is given for each row."""

    rows: Rows
    folds: list[Fold]
    score_params: dict[str, Any]


class SugenoClassifierCV(ChoosesFromFrames, LearnsEachClass, BaseSugenoClassifier):
    """Sugeno classifier that chooses its kind by rows that were left out: where to begin.

    An ensemble of Sugeno classifiers has little variance, and few rules distilled from it keep
    most of its accuracy. That is the favourite; the paper's model, for several k, challenges it,
    and wins if it is clearly better on the rows left out. In each fold everything, directions
    included, is learned from its training part only. At last the classifier is fitted to all rows.

    Parameters
    ----------
    levels : "auto", {"shared", "single", "all", "distilled"}, int or sequence of these, \
default="auto"
        Kinds of models to choose from. "auto" is ("distilled", "shared"), with the distilled
        ensemble as the favourite. The others are as for `SugenoClassifier`; among them the best
        mean score wins, of equal ones the smallest k, then the smallest margin. "shared" is the
        protocol of the paper (section 6.2).
    ks : sequence of int or None, default=None
        The k to try. None tries 1, …, n_features; with more than 10 features 1, 2, 3, 4 and
        n_features, as far as solver="lp" can handle them. A distilled rule has at most 4 criteria,
        and no more than the largest k.
    margins : sequence of float, default=(0.0,)
        The margins to try. One that is too large for the threshold of some fold gets the score
        NaN there, and is not chosen.
    cv : int, cross-validation generator or iterable, default=5
        An int is the number of stratified folds; it is lowered to the number of rows of the
        rarer class. Their rows are drawn at random, in a way that does not depend on the order
        in which they come. With more than 20,000 rows one fold is enough, learned from 20,000; of
        more than 100,000 different rows a sample is looked at, which depends on what they hold.
    refit : {"best", "simplest"}, default="best"
        What is fitted to all rows. "best": the favourite unless a challenger is better than
        chance allows, or makes no error at all with fewer rules (levels="auto"), else the best
        score. "simplest": the candidate with the fewest rules that is not worse than the best one
        by more than one standard error.
    scoring : str, callable or None, default=None
        What to maximise. None is the accuracy, where rows count with their sample weight and
        class weight, as in the errors that the classifier minimises. Other scorers get the sample
        weights if they take them.
    n_jobs : int or None, default=None
        Number of folds to run at the same time, by joblib, whose backend can be chosen with
        ``joblib.parallel_config``.
    callback : callable or None, default=None
        Called with the number of folds that are done and of all folds.
    time_limit : float or None, default=120.0
        Seconds for the whole fit, half of them for the folds. When they are over, an ensemble grows
        no further and a search ends with what it has: longer than that a fit takes only to count
        a very long table. None sets no limit.
    threshold, solver, directions, positive, normalized, class_weight, extension, max_rules, \
rule_cost, literal_cost, subsets, missing, abstain, random_state
        As for `SugenoClassifier`.

    Attributes
    ----------
    levels_ : int or str
        The chosen kind of model.
    k_ : int
        The chosen k.
    margin_ : float
        The chosen margin.
    best_score_ : float
        Mean score of the chosen candidate.
    cv_results_ : dict of str to ndarray
        As `sklearn.model_selection.GridSearchCV` has it: ``params``, ``param_levels``,
        ``param_k``, ``param_margin``, ``split<i>_test_score``, ``mean_test_score``,
        ``std_test_score``, ``rank_test_score``; and ``mean_n_rules``.
    n_splits_ : int
        Number of folds.
    per_class_ : dict
        Of more than two classes: a `SugenoClassifierCV` for each against the rest, which has all
        of the attributes here; see `SugenoClassifier`.
    distillation_path_ : list of dict
        Where the distilled ensemble was chosen: for each number of rules how well they agree with
        the ensemble and with the labels, as ``path_`` of `SugenoDistiller`.
    classes_, n_features_in_, feature_names_in_, feature_labels_in_, feature_importances_, \
directions_, utility_, threshold_, capacity_, rules_, objective_, bound_, gap_
        As for `SugenoClassifier`, of the classifier fitted to all rows.

    Notes
    -----
    In the folds there are no proofs, and the ensemble is half as large. 1000 rows of 10 criteria
    take a few seconds in all, and no limit on time matters.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno import SugenoClassifierCV
    >>> rng = np.random.default_rng(0)
    >>> X = rng.integers(1, 6, size=(200, 3))
    >>> y = (X >= 4).sum(axis=1) >= 2
    >>> clf = SugenoClassifierCV(levels="shared").fit(X, y)
    >>> clf.k_
    2
    >>> print(clf.rules_)
    accept if
      x0 >= 4 and x1 >= 4, or
      x0 >= 4 and x2 >= 4, or
      x1 >= 4 and x2 >= 4
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "levels": [str, Integral, "array-like"],
        "ks": ["array-like", None],
        "margins": ["array-like"],
        "cv": ["cv_object"],
        "refit": [StrOptions({"best", "simplest"})],
        "callback": [callable, None],
        "scoring": [StrOptions(set(get_scorer_names())), callable, None],
        "n_jobs": [Integral, None],
        **{
            name: constraint
            for name, constraint in SugenoClassifier._parameter_constraints.items()
            if name not in ("k", "levels", "margin")
        },
    }

    def __init__(
        self,
        *,
        levels: int | str | Sequence[int | str] = "auto",
        ks: Iterable[int] | None = None,
        margins: Iterable[float] = (0.0,),
        cv: Any = 5,
        refit: str = "best",
        callback: Callable[[int, int], None] | None = None,
        scoring: str | Callable[..., float] | None = None,
        n_jobs: int | None = None,
        threshold: str | float = "median",
        solver: str = "exact",
        directions: Directions | ArrayLike | Mapping[str, int | str] | str | None = "auto",
        positive: object = None,
        normalized: bool = True,
        class_weight: Mapping[Any, float] | str | None = None,
        extension: str = "auto",
        max_rules: int | None = None,
        rule_cost: float = 0.0,
        literal_cost: float = 0.0,
        subsets: str | None = None,
        missing: str = "error",
        abstain: bool = False,
        time_limit: float | None = USUAL_TIME,
        random_state: int | np.random.RandomState | None = None,
    ) -> None:
        self.levels = levels
        self.ks = ks
        self.margins = margins
        self.cv = cv
        self.refit = refit
        self.callback = callback
        self.scoring = scoring
        self.n_jobs = n_jobs
        self.threshold = threshold
        self.solver = solver
        self.directions = directions
        self.positive = positive
        self.normalized = normalized
        self.class_weight = class_weight
        self.extension = extension
        self.max_rules = max_rules
        self.rule_cost = rule_cost
        self.literal_cost = literal_cost
        self.subsets = subsets
        self.missing = missing
        self.abstain = abstain
        self.time_limit = time_limit
        self.random_state = random_state

    @fit_context(prefer_skip_nested_validation=True)
    @or_each_class
    def fit(
        self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None, **params: Any
    ) -> Self:
        """Choose the kind of model, and learn it.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Finite numbers and truth values, in a frame also ordered categoricals.
        y : array-like of shape (n_samples,)
            Labels. Of two classes `positive` says which one the rules speak for; of more than
            two each has a model of its own.
        sample_weight : array-like of shape (n_samples,), optional
            Weights of the rows.
        **params : dict
            Parameters for the splitter and the scorer, when metadata routing is enabled.

        Returns
        -------
        SugenoClassifierCV
            The fitted classifier.
        """
        raise_for_params(params, self, "fit")
        table, labels = check_table(self, X, y=y, missing=self.missing)
        weights = row_weights(sample_weight, table.shape[0])
        given = None if sample_weight is None else per_row(sample_weight, len(table))
        routed = self._route(given, params)
        candidates = self._candidates(table.shape[1])
        self._check(candidates, table.shape[1])
        budget = Budget.of(self.time_limit, usual=USUAL_TIME)
        training = self._prepare(table, labels, weights, declared_order(y))
        warn_if_weak(training.found, stacklevel=5)
        if isinstance(self.cv, Integral) and not params:
            parts = self._drawn(training, weighted=sample_weight is not None)
        else:
            folds = self._folds(table, labels, weights, routed.splitter.split)
            parts = _Parts(Rows(table, labels, weights), folds, routed.scorer.score)
        return self._learn_best(training, parts, candidates, budget)

    def _drawn(self, training: Training, *, weighted: bool) -> _Parts:
        """Draw folds from the counts, so that they do not depend on where the rows are."""
        rows = rows_for_folds(training.sampled.table, training.sample)
        folds = stratified_folds(rows.X, rows.codes, rows.weights, int(self.cv))
        units = np.ones(rows.weights.n) if rows.weights.values is None else rows.weights.values
        routed = self._route(units * rows.unit if weighted else None, {})
        return _Parts(
            Rows(rows.X, training.classes.take(rows.codes), rows.weights),
            limit_folds(folds, rows.codes),
            routed.scorer.score,
        )

    def _learn_best(
        self,
        training: Training,
        parts: _Parts,
        candidates: list[Candidate],
        budget: Budget,
    ) -> Self:
        """Score the candidates on folds, and learn the best one from all that was counted."""
        n_folds = len(parts.folds)
        outcomes = self._begun(parts, candidates)
        ahead = self._learned_ahead(training, candidates[0], n_folds, budget)
        best = candidates[self._choose(candidates, *self._scores(outcomes, n_folds))]
        if best not in ahead:
            ahead[best] = learn_candidate(training, best, self._recipe(), budget.part(1.0))
        return self._keep(best, training, *ahead[best])

    def _learned_ahead(
        self, training: Training, favourite: Candidate, n_folds: int, budget: Budget
    ) -> dict[Candidate, tuple[Boundary, Distillation | None]]:
        """Learn the favourite, which hardly ever loses, where the folds leave a process idle."""
        expected = self.levels == "auto" and self.refit == "best"
        if not expected or effective_n_jobs(self.n_jobs) <= n_folds:
            return {}
        return {favourite: learn_candidate(training, favourite, self._recipe(), budget.part(1.0))}

    def _keep(
        self,
        best: Candidate,
        training: Training,
        model: Boundary,
        distillation: Distillation | None,
    ) -> Self:
        """Keep what was chosen."""
        self.levels_, self.margin_ = best.levels, best.margin
        self.__dict__.pop("distillation_path_", None)  # of a fit before
        if distillation is not None:
            self.distillation_path_ = distillation.summary()
        found = with_extent(model, training) if self.abstain else model
        return self._store(Model.of_two_classes(found))

    def _settings(self) -> Settings:
        settings = super()._settings()
        if self.time_limit == USUAL_TIME:  # the default is no wish that a solver could refuse
            settings = replace(settings, time_limit=DEFAULT_TIME_LIMIT)
        return settings

    def _recipe(self) -> Recipe:
        given: Any = self.random_state
        seed = given if isinstance(given, Integral) else 0
        rules = MOST_RULES if self.max_rules is None else int(self.max_rules)
        return Recipe(self.threshold, self._settings(), rules, self.n_jobs, int(seed))

    def _check(self, candidates: list[Candidate], n_features: int) -> None:
        """Refuse parameters that do not go together."""
        settings = self._settings()
        learned = [c for c in candidates if c.levels != "distilled"]
        if learned:
            check_settings(settings, self.threshold, [c.k for c in learned], n_features)
            check_missing(self.missing, self.threshold)
        for candidate in learned:
            if candidate.levels != "shared":
                check_levels(candidate.levels, settings, candidate.margin, self.threshold)

    def _route(self, sample_weight: NDArray[Any] | None, params: dict[str, Any]) -> Bunch:
        """Say what goes to the splitter and what to the scorer."""
        if routing_enabled():
            routed = process_routing(self, "fit", sample_weight=sample_weight, **params)
            return Bunch(**{"scorer": Bunch(score={}), **routed})
        weighted = sample_weight is not None and takes_weights(self._scorer())
        scored = {"sample_weight": sample_weight} if weighted else {}
        return Bunch(splitter=Bunch(split={}), scorer=Bunch(score=scored))

    def _candidates(self, n_features: int) -> list[Candidate]:
        """All candidates; of each kind the preferred ones first."""
        ks = self._ks(n_features)
        margins = sorted({float(entry_of(margin, Real, "margins")) for margin in self.margins})
        if not ks or not margins:
            raise ValueError(
                "The 'ks' and 'margins' parameters of SugenoClassifierCV must not be empty. "
                f"Got {self.ks!r} and {self.margins!r} instead; give at least one value of each."
            )
        candidates: list[Candidate] = []
        for kind in kinds_of(self.levels):
            if kind == "distilled":
                candidates.append(Candidate.distilled(ks))
            else:
                candidates += [Candidate(kind, k, margin) for k in ks for margin in margins]
        return candidates

    def _ks(self, n_features: int) -> list[int]:
        """The k to try."""
        if self.ks is not None:
            ks = sorted({entry_of(k, Integral, "ks") for k in self.ks})
        elif n_features <= _FEW_FEATURES:
            ks = list(range(1, n_features + 1))
        else:
            ks = [1, 2, 3, 4, n_features]
            if self.solver == "lp":
                ks = [k for k in ks if count_subsets(n_features, k) <= MAX_VARIABLES]
        for k in (ks[0], ks[-1]) if ks else ():
            check_k(k, n_features)
        return ks

    def _folds(
        self, X: Floats, y: NDArray[Any], weights: RowWeights, params: dict[str, Any]
    ) -> list[Fold]:
        """Rows of each fold to learn from and to score."""
        codes = (y == self.positive_).astype(np.intp)
        if isinstance(self.cv, Integral):
            return limit_folds(stratified_folds(X, codes, weights, int(self.cv)), codes)
        folds = list(check_cv(self.cv, y, classifier=True).split(X, y, **params))
        check_folds(folds, codes, weights, self.classes_)
        return folds

    def _begun(
        self, parts: _Parts, candidates: list[Candidate]
    ) -> Iterator[list[tuple[float, float]]]:
        """Begin to score every candidate on every fold; with several processes beside all else."""
        shared = set(SugenoClassifier._get_param_names()) & set(self._get_param_names())
        given = {name: getattr(self, name) for name in shared - {"levels", "positive"}}
        model = SugenoClassifier(positive=self.positive_, **given)
        names = getattr(self, "feature_names_in_", None)
        outcomes: Iterator[Any] = Parallel(n_jobs=self.n_jobs, return_as="generator")(
            delayed(score_fold)(
                model,
                parts.rows.take(train),
                parts.rows.take(test),
                names,
                candidates,
                self._recipe(),
                self._scorer(),
                {name: safe_indexing(value, test) for name, value in parts.score_params.items()},
                time_of_a_fold(self.time_limit, len(parts.folds), self.n_jobs),
            )
            for train, test in parts.folds
        )
        return outcomes

    def _scores(
        self, outcomes: Iterator[list[tuple[float, float]]], n_folds: int
    ) -> tuple[Floats, Floats]:
        """Scores and numbers of rules, of shape (candidates, folds), when all folds are done."""
        found = []
        for done, outcome in enumerate(outcomes, start=1):
            found.append(outcome)
            if self.callback is not None:
                self.callback(done, n_folds)
        scores, rules = np.array(found).transpose(2, 1, 0)
        return scores, rules

    def _choose(self, candidates: list[Candidate], scores: Floats, rules: Floats) -> int:
        """Tabulate the scores, and return the candidate to be fitted to all rows."""
        mean = scores.mean(axis=1)
        if np.isnan(mean).all():
            raise MarginError(
                "The 'margins' parameter of SugenoClassifierCV must hold a margin below "
                "min(β, 1 − β) for the threshold β of every fold. "
                f"Got {self.margins!r} instead; add 0.0."
            )
        ordered = np.where(np.isnan(mean), -np.inf, mean)
        best = self._chosen(candidates, ordered, scores, rules)
        self.cv_results_ = tabulated(candidates, scores, rules)
        self.n_splits_ = scores.shape[1]
        self.best_score_ = float(mean[best])
        return best

    def _chosen(
        self, candidates: list[Candidate], mean: Floats, scores: Floats, rules: Floats
    ) -> int:
        """The favourite, the best or the simplest candidate."""
        if self.refit == "best" and self.levels != "auto":
            return int(np.argmax(mean >= mean.max() - TIE))
        trials = [Trial(1 - scores[i], float(rules[i].mean())) for i in range(len(candidates))]
        # A list that nobody would read is no candidate unless the user asked for its kind.
        allowed = [
            i
            for i, trial in enumerate(trials)
            if np.isfinite(mean[i]) and (self.levels != "auto" or trial.rules <= MOST_RULES)
        ]
        return allowed[
            choose([trials[i] for i in allowed], favourite=0, simplest=self.refit == "simplest")
        ]

    def score(
        self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None, **params: Any
    ) -> float:
        """Score predictions with the scorer that chose the model.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows.
        y : array-like of shape (n_samples,)
            Their labels.
        sample_weight : array-like of shape (n_samples,), optional
            Weights of the rows.
        **params : dict
            Parameters for the scorer, when metadata routing is enabled.

        Returns
        -------
        float
            The score.
        """
        raise_for_params(params, self, "score")
        scorer = self._scorer()
        if scorer is None:
            return float(super().score(X, y, sample_weight))
        if routing_enabled():
            routed = process_routing(self, "score", sample_weight=sample_weight, **params)
            params = routed.scorer.score
        elif sample_weight is not None:
            params = {"sample_weight": sample_weight}
        return float(scorer(self, X, y, **params))

    def _scorer(self) -> Any:
        return None if self.scoring is None else get_scorer(self.scoring)

    def get_metadata_routing(self) -> MetadataRouter:
        """Return how metadata such as sample weights reach splitter and scorer.

        Returns
        -------
        MetadataRouter
            The routing of scikit-learn.
        """
        to_splitter = MethodMapping().add(caller="fit", callee="split")
        to_scorer = MethodMapping().add(caller="score", callee="score")
        to_scorer.add(caller="fit", callee="score")
        router = MetadataRouter(owner=self).add_self_request(self)
        router.add(splitter=self.cv, method_mapping=to_splitter)
        if self.scoring is not None:
            router.add(scorer=self._scorer(), method_mapping=to_scorer)
        return router

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        # See `SugenoClassifier`: a single criterion per rule may do badly with few features, and
        # so may few levels with few rows.
        given: Any = self.levels
        kinds = [given] if isinstance(given, str | Integral) else list(given)
        few = any(isinstance(kind, Integral) or kind == "single" for kind in kinds)
        tags.classifier_tags.poor_score = few or (self.ks is not None and list(self.ks) == [1])
        tags.input_tags.allow_nan = self.missing != "error"
        return tags
