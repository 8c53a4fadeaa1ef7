"""The Sugeno classifier that chooses its kind, k and margin by cross-validation (section 6.2)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from joblib import effective_n_jobs
from numpy.typing import ArrayLike, NDArray
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import get_scorer, get_scorer_names
from sklearn.model_selection import check_cv
from sklearn.utils import Bunch
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing
from sklearn.utils.parallel import Parallel, delayed

from sugeno._counts.loss import Loss
from sugeno._exceptions import MarginError, warn_user
from sugeno._learning.candidates import (
    MOST_RULES,
    Candidate,
    Recipe,
    check_candidates,
    learn_candidate,
)
from sugeno._learning.data import HeldOutRows, RowsInMemory, TrainingData
from sugeno._learning.distillation import Distillation
from sugeno._learning.engine import SolverOptions, check_k
from sugeno._learning.folds import (
    USUAL_TIME,
    Fold,
    check_folds,
    limit_folds,
    rows_for_folds,
    stratified_folds,
)
from sugeno._learning.labels import Classes
from sugeno._learning.selection import Trial, choose
from sugeno._learning.training import Training
from sugeno._scales.directions import Directions
from sugeno._sets.chains import count_subsets
from sugeno._sklearn import (
    StrOptions,
    fit_context,
    raise_for_params,
    routing_enabled,
    safe_indexing,
)
from sugeno.estimators._base import BaseSugenoClassifier, checked_loss, data_of_rows, seed_of
from sugeno.estimators._reading import ReadsModel
from sugeno.estimators._scoring import (
    TIE,
    Contest,
    FoldTime,
    Outcome,
    Part,
    mean_loss,
    score_fold,
    tabulated,
    takes_weights,
)
from sugeno.estimators.classifier import SugenoClassifier
from sugeno.model.judged import Judged
from sugeno.model.model import HeldOut, Model
from sugeno.solvers.budget import DEFAULT_TIME_LIMIT, Budget
from sugeno.solvers.program import MAX_VARIABLES

__all__ = ["SugenoClassifierCV"]

Floats = NDArray[np.float64]

#: Up to so many features every k is tried by default.
_FEW_FEATURES = 10
#: Numbers of distilled rules of each boundary to try, where classes are ordered.
_SIZES = (1, 2, 3, 5)
#: Levels of each criterion of the exact challenger, and of how many criteria at most: with more of
#: either it takes longer than the ensemble.
_LEVELS, _MOST_CRITERIA = 8, 40


@dataclass(frozen=True, eq=False)
class _Parts:
    """Rows, their folds, and what the scorer is given for each row."""

    rows: Part
    folds: list[Fold]
    score_params: dict[str, Any]


class SugenoClassifierCV(ReadsModel, BaseSugenoClassifier):
    """The classifier to begin with: rules or points, of the kind that does best on held-out rows.

    Several kinds of models compete. The favourite is an ensemble, distilled into few rules or
    points. An ensemble varies little from sample to sample, and few rules keep most of its
    accuracy. Exact kinds challenge it: the paper's model for several k, and rules over 8 levels of
    each criterion. A challenger wins if it is clearly better on held-out rows. In each fold
    everything is learned from the training part alone, directions included. Then the chosen kind is
    fitted to all rows.

    Parameters
    ----------
    levels : "auto", {"shared", "single", "all", "distilled"}, int or sequence of these, \
default="auto"
        Kinds of models to choose from. "auto" is ("distilled", "shared", 8), with the distilled
        ensemble as the favourite. Rules over 8 levels are tried for the largest k alone. They are
        not tried with more than 40 features, nor with parameters that only "shared" has
        (``threshold``, ``margins``, ``solver``, ``subsets``). Other values are as for
        `SugenoClassifier`. Among them the best mean score wins, and of equal scores the smallest
        k, then the smallest margin. "shared" is the protocol of the paper (section 6.2).
    form : {"rules", "points", "auto"}, default="auto"
        What ensembles are distilled into: rules, a card of points, or whichever agrees better with
        them. There each condition has to be worth .0003 of all rows, and rules .002 more than
        points, which rank rows better. With limits on rules (``max_rules``, or ``ks`` below 4), and
        for ordered classes, "auto" is "rules". Of these points are one card with several
        thresholds.
    ks : sequence of int or None, default=None
        The k to try. None tries 1, …, n_features; with more than 10 features 1, 2, 3, 4 and
        n_features, as far as solver="lp" can handle them. A distilled rule has at most 4 criteria,
        and no more than the largest k.
    margins : sequence of float, default=(0.0,)
        The margins to try. One that is too large for the threshold of some fold gets the score
        NaN there, and is not chosen.
    cv : int, cross-validation generator or iterable, default=5
        An int is the number of stratified folds; it is lowered to the number of rows of the rarer
        class. Their rows are drawn at random, in a way that does not depend on the order in which
        they come. With more than 20,000 rows one fold is enough, learned from 20,000. Of more than
        100,000 different rows a sample is looked at, which depends only on what they hold.
    columns, special, words
        As for `SugenoClassifier`.
    refit : {"best", "simplest"}, default="best"
        What is fitted to all rows. "best": the favourite unless a challenger is better than chance
        allows, or makes no error at all with fewer rules (levels="auto"), else the best score.
        "simplest": the fewest conditions whose held-out error is within one standard error of the
        least. Of distilled rules at most 1, 2, 3, 5 and 20 are tried.
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
        Seconds for the whole fit, half of them for the folds. When they are over, folds and
        candidates that have not begun are skipped, and a warning says so. An ensemble then grows
        no further, and a search ends with what it has. A fit takes longer only to count a very
        long table. None sets no limit.
    threshold, solver, directions, positive, order, loss, normalized, class_weight, costs, \
extension, max_rules, rule_cost, literal_cost, subsets, missing, abstain, random_state
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
        Mean score of the chosen candidate on the folds. It is too good: the best one of several
        noisy scores was chosen.
    held_out_error_ : float
        An honest estimate of the error of what is chosen. For each fold the other folds choose, and
        the error of that choice on the fold counts. This nested choice needs no further fits. The
        share of wrong rows by sample weight; of ordered classes the mean loss. Where there is one
        fold, the error on it, which with its thousands of rows profits little.
    held_out_confusion_ : ndarray of shape (C, C)
        Weight of the held-out rows of each class (rows) by the class that this choice gives them
        (columns), the lowest class first.
    held_out_cost_ : float
        What these decisions cost in the mean, in the units of ``costs``; 1 for each error without.
    held_out_auc_ : float
        Of two classes: the share of pairs of held-out rows of different classes in which the one
        of the positive class has the higher probability. All folds are taken together.
    held_out_auc_interval_ : tuple of two float
        An interval of 95 % for it, by DeLong's variance.
    held_out_calibration_ : list of dict
        Of two classes: ten groups of held-out rows, by rising probability. Each has the mean
        probability that was ``said``, and the share of the positive class that ``happened`` with an
        interval of 95 % (``low``, ``high``). ``rows`` is their weight.
    cv_results_ : dict of str to ndarray
        As `sklearn.model_selection.GridSearchCV` has it: ``params``, ``param_levels``,
        ``param_k``, ``param_margin``, ``split<i>_test_score``, ``mean_test_score``,
        ``std_test_score``, ``rank_test_score``; and ``mean_n_rules``.
    n_splits_ : int
        Number of folds that were scored.
    per_class_ : dict
        Of more than two classes: a `SugenoClassifierCV` for each against the rest, which has all
        of the attributes here; see `SugenoClassifier`.
    distillation_path_ : list of dict
        Where the distilled ensemble was chosen: how well each number of rules agrees with the
        ensemble and with the labels, as ``path_`` of `SugenoDistiller`.
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
    class True if
      x0 >= 4 and x1 >= 4, or
      x0 >= 4 and x2 >= 4, or
      x1 >= 4 and x2 >= 4
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "form": [StrOptions({"rules", "points", "auto"})],
        "ks": ["array-like", None],
        "margins": ["array-like"],
        "cv": ["cv_object"],
        "refit": [StrOptions({"best", "simplest"})],
        "callback": [callable, None],
        "scoring": [StrOptions(set(get_scorer_names())), callable, None],
        **{
            name: constraint
            for name, constraint in SugenoClassifier._parameter_constraints.items()
            if name not in ("k", "margin")
        },
        "levels": [str, Integral, "array-like"],
        "max_rules": [Integral, "array-like", None],
    }

    def __init__(
        self,
        *,
        levels: int | str | Sequence[int | str] = "auto",
        form: str = "auto",
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
        columns: Mapping[str, Any] | None = None,
        special: Mapping[str, Mapping[Any, Any]] | None = None,
        positive: object = None,
        words: tuple[str, str] | None = None,
        order: Sequence[Any] | str | None = None,
        loss: str | ArrayLike | None = None,
        normalized: bool = True,
        class_weight: Mapping[Any, float] | str | None = None,
        costs: Mapping[str, float] | ArrayLike | None = None,
        extension: str = "auto",
        max_rules: int | Sequence[int] | None = None,
        rule_cost: float = 0.0,
        literal_cost: float = 0.0,
        subsets: str | None = None,
        missing: str = "error",
        abstain: bool = False,
        time_limit: float | None = USUAL_TIME,
        random_state: int | np.random.RandomState | None = 0,
    ) -> None:
        self.levels = levels
        self.form = form
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
        self.columns = columns
        self.special = special
        self.positive = positive
        self.words = words
        self.order = order
        self.loss = loss
        self.normalized = normalized
        self.class_weight = class_weight
        self.costs = costs
        self.extension = extension
        self.max_rules = max_rules
        self.rule_cost = rule_cost
        self.literal_cost = literal_cost
        self.subsets = subsets
        self.missing = missing
        self.abstain = abstain
        self.time_limit = time_limit
        self.random_state = random_state

    _usual_time = USUAL_TIME

    @fit_context(prefer_skip_nested_validation=True)
    def fit(
        self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None, **params: Any
    ) -> Self:
        """Choose the kind of model, and learn it.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Numbers and truth values, in a frame also ordered categoricals.
        y : array-like of shape (n_samples,)
            Labels of two or more classes.
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
        budget = Budget.of(self.time_limit, usual=USUAL_TIME)
        data = data_of_rows(self, X, y, sample_weight)
        return self._fit(replace(data, metadata=params), budget)

    def _learn(self, data: TrainingData, budget: Budget) -> Model:
        """Score the candidates on folds, and learn the best one from all that was counted."""
        candidates = self._candidates(data)
        recipe = self._recipe(data)
        check_candidates(candidates, recipe, data.source.n_criteria, self.missing)
        if data.rows is None and not isinstance(self.cv, Integral):
            raise ValueError(
                "The 'cv' parameter must be a number of folds where the rows of a frame are dealt "
                f"to them by what they hold. Got {self.cv!r} instead."
            )
        training = self._prepared(data)
        parts = self._parts(data, training)
        outcomes = self._submit_folds(data, parts, candidates, recipe, budget)
        favourite = self._favourite(candidates)
        ahead = self._fit_favourite_early(training, candidates[favourite], recipe, parts, budget)
        found, parts = self._awaited(outcomes, parts)
        best = candidates[self._choose(candidates, found, data)]
        held_out = self._measured(candidates, found, parts, data)
        if best not in ahead:
            ahead[best] = learn_candidate(training, best, recipe, budget.part(1.0))
        model, path = ahead[best]
        if model.learned is not None:
            model = replace(model, learned=replace(model.learned, held_out=held_out))
        self.levels_, self.margin_, self.max_rules_ = best.levels, best.margin, best.max_rules
        if path is not None:
            self.distillation_path_ = path.summary()
        if data.rows is None:
            self.n_sampled_ = len(training.sampled.table.codes)
        return model

    def _loss(self, classes: Classes) -> Loss | None:
        return checked_loss(self.loss, classes, self.missing, self.costs)

    def _recipe(self, data: TrainingData) -> Recipe:
        given = {field.name: getattr(self, field.name) for field in fields(SolverOptions)}
        limit = DEFAULT_TIME_LIMIT if self.time_limit == USUAL_TIME else self.time_limit
        settings = SolverOptions(**{**given, "time_limit": limit, "max_rules": None})
        seed = seed_of(self.random_state)
        given_by = (self.threshold, data.loss, seed, self.n_jobs, self.abstain, self.form)
        return Recipe(settings, *given_by)

    def _candidates(self, data: TrainingData) -> list[Candidate]:
        """All candidates; of each kind the preferred ones first."""
        several = data.loss is not None
        margins = sorted({float(_entry(margin, Real, "margins")) for margin in self.margins})
        sizes = self._sizes()
        ks = self._ks(data.source.n_criteria, several=several)
        if not ks or not margins:
            raise ValueError(
                "The 'ks' and 'margins' parameters of SugenoClassifierCV must not be empty. "
                f"Got {self.ks!r} and {self.margins!r} instead; give at least one value of each."
            )
        candidates: list[Candidate] = []
        kinds = self._kinds(margins, data.source.n_criteria)
        if margins != [0.0] and kinds == ["distilled"]:
            raise ValueError(
                "The 'margins' parameter of SugenoClassifierCV is of the paper's model alone. Got "
                f"margins={self.margins!r} with levels={self.levels!r} instead; leave it at its "
                "default, or add 'shared' to levels."
            )
        for kind in kinds:
            if kind == "distilled":
                candidates += [Candidate.distilled(ks, size) for size in self._lengths(several)]
                continue
            most = None if self.max_rules is None else sizes[-1]
            tried = ks if kind == "shared" or self.levels != "auto" else ks[-1:]
            candidates += [Candidate(kind, k, margin, most) for k in tried for margin in margins]
        return candidates

    def _lengths(self, several: bool) -> Sequence[int | None]:
        """The numbers of distilled rules to try, the fewest first."""
        if self.max_rules is not None:
            return self._sizes()
        if several:
            # A card has one length, whatever the numbers of rules.
            return (None,) if self.form == "points" else _SIZES
        return (*_SIZES, None) if self.refit == "simplest" else (None,)

    def _kinds(self, margins: list[float], n_criteria: int) -> list[Any]:
        """Kinds of models to choose from."""
        if not (isinstance(self.levels, str) and self.levels == "auto"):
            return _given_kinds(self.levels)
        of_the_paper = (self.solver, self.subsets, self.threshold, margins)
        plain = of_the_paper == ("exact", None, "median", [0.0])
        own_levels = plain and n_criteria <= _MOST_CRITERIA
        return ["distilled", "shared", _LEVELS] if own_levels else ["distilled", "shared"]

    def _sizes(self) -> list[Any]:
        """The numbers of rules to try, the fewest first."""
        given: Any = self.max_rules
        if given is None:
            return [None]
        sizes = [given] if isinstance(given, Integral) else sorted(set(given))
        if not sizes or any(isinstance(size, bool) or size < 1 for size in sizes):
            raise ValueError(
                "The 'max_rules' parameter of SugenoClassifierCV must be None, a positive int or "
                f"several of these. Got {given!r} instead."
            )
        return [int(size) for size in sizes]

    def _given_ks(self) -> Iterable[int] | None:
        return self.ks

    def _ks(self, n_features: int, *, several: bool) -> list[Any]:
        """The k to try; of ordered classes none is smaller unless the user says so."""
        given = self._given_ks()
        if given is not None:
            ks: list[Any] = sorted({_entry(k, Integral, "ks") for k in given})
        elif several:
            return [None]
        elif n_features <= _FEW_FEATURES:
            ks = list(range(1, n_features + 1))
        else:
            ks = [1, 2, 3, 4, n_features]
            if self.solver == "lp":
                ks = [k for k in ks if count_subsets(n_features, k) <= MAX_VARIABLES]
        for k in (ks[0], ks[-1]) if ks else ():
            check_k(k, n_features)
        return ks

    def _parts(self, data: TrainingData, training: Training) -> _Parts:
        """Rows to learn from and to score; drawn from the counts, unless the user has a way."""
        rows, given = data.rows, data.rows.given if data.rows is not None else None
        if rows is not None and not (isinstance(self.cv, Integral) and not data.metadata):
            routed = self._route(given, dict(data.metadata))
            part = Part(rows.X, _codes(data, rows), rows.weights)
            folds = self._folds(data, rows, part, routed.splitter.split)
            return _Parts(part, folds, routed.scorer.score)
        # Each fold reads a table of any kind by scales of its own.
        any_kind = data.columns is not None
        table = data.source.sample(training.sample) if any_kind else training.sampled.table
        drawn = rows_for_folds(table, training.sample)
        folds = stratified_folds(drawn.X, drawn.codes, drawn.weights, int(self.cv))
        routed = self._route(drawn.weights.units * drawn.unit if data.weighted else None, {})
        part = Part(drawn.X, drawn.codes, drawn.weights)
        return _Parts(part, limit_folds(folds, drawn.codes), routed.scorer.score)

    def _folds(
        self, data: TrainingData, rows: RowsInMemory, part: Part, params: dict[str, Any]
    ) -> list[Fold]:
        """The folds of the user's splitter."""
        if isinstance(self.cv, Integral):
            folds = stratified_folds(part.X, part.codes, part.weights, int(self.cv))
            return limit_folds(folds, part.codes)
        folds = list(check_cv(self.cv, rows.y, classifier=True).split(rows.X, rows.y, **params))
        check_folds(folds, part.codes, part.weights, data.classes.labels)
        return folds

    def _route(self, sample_weight: NDArray[Any] | None, params: dict[str, Any]) -> Bunch:
        """Say what goes to the splitter and what to the scorer."""
        if routing_enabled():
            routed = process_routing(self, "fit", sample_weight=sample_weight, **params)
            return Bunch(**{"scorer": Bunch(score={}), **routed})
        weighted = sample_weight is not None and takes_weights(self._scorer())
        scored = {"sample_weight": sample_weight} if weighted else {}
        return Bunch(splitter=Bunch(split={}), scorer=Bunch(score=scored))

    def _submit_folds(
        self,
        data: TrainingData,
        parts: _Parts,
        candidates: list[Candidate],
        recipe: Recipe,
        budget: Budget,
    ) -> Iterator[list[Outcome] | None]:
        """Begin to score every candidate on every fold; with several processes beside all else."""
        contest = Contest(
            candidates,
            recipe,
            data.classes.labels,
            data.names,
            self.directions,
            self.class_weight,
            self.missing if data.columns is None else "pessimistic",
            self._scorer(),
            data.columns,
            data.costs,
        )
        times = FoldTime.of(budget, len(parts.folds), self.n_jobs)
        outcomes: Iterator[Any] = Parallel(n_jobs=self.n_jobs, return_as="generator")(
            delayed(score_fold)(
                contest,
                parts.rows.take(train),
                parts.rows.take(test),
                {name: safe_indexing(value, test) for name, value in parts.score_params.items()},
                allowed,
            )
            for (train, test), allowed in zip(parts.folds, times)
        )
        return outcomes

    def _awaited(
        self, outcomes: Iterator[list[Outcome] | None], parts: _Parts
    ) -> tuple[list[list[Outcome]], _Parts]:
        """What all candidates did on each fold, and the folds that were done within the time."""
        found, folds = [], []
        for done, (outcome, fold) in enumerate(zip(outcomes, parts.folds), start=1):
            if outcome is not None:
                found.append(outcome)
                folds.append(fold)
            if self.callback is not None:
                self.callback(done, len(parts.folds))
        self._warn_of_time(found, len(parts.folds))
        return found, replace(parts, folds=folds)

    def _warn_of_time(self, found: list[list[Outcome]], n_folds: int) -> None:
        """Say what was left out because the time was over."""
        left_out = [sum(one.late for one in outcomes) for outcomes in zip(*found)]
        never = sum(1 for late in left_out if late)
        if len(found) < n_folds or never:
            warn_user(
                f"time_limit={self.time_limit} cut the comparison of kinds short: {len(found)} of "
                f"{n_folds} folds were scored, and {len(left_out) - never} of {len(left_out)} "
                "candidates were compared on all of them. The classifier is learned from all rows "
                "all the same; the choice of its kind and held_out_error_ rest on these folds. "
                "Give more time, or compare fewer kinds (levels=, ks=).",
                ConvergenceWarning,
            )

    def _fit_favourite_early(
        self,
        training: Training,
        favourite: Candidate,
        recipe: Recipe,
        parts: _Parts,
        budget: Budget,
    ) -> dict[Candidate, tuple[Model, Distillation | None]]:
        """Learn the favourite, which hardly ever loses, where the folds leave a process idle."""
        expected = self.levels == "auto" and self.refit == "best"
        if not expected or effective_n_jobs(self.n_jobs) <= len(parts.folds):
            return {}
        return {favourite: learn_candidate(training, favourite, recipe, budget.part(1.0))}

    def _favourite(self, candidates: list[Candidate]) -> int:
        """The distilled rules, of several lengths the longest."""
        distilled = [i for i, candidate in enumerate(candidates) if candidate.is_distilled]
        return distilled[-1] if distilled else 0

    def _choose(
        self, candidates: list[Candidate], found: list[list[Outcome]], data: TrainingData
    ) -> int:
        """Tabulate the scores, and return the candidate to be fitted to all rows."""
        scores, rules, conditions = (
            _of_outcomes(found, name) for name in ("score", "rules", "conditions")
        )
        mean = scores.mean(axis=1)
        if np.isnan(mean).all():
            raise MarginError(
                "The 'margins' parameter of SugenoClassifierCV must hold a margin below "
                "min(β, 1 − β) for the threshold β of every fold. "
                f"Got {self.margins!r} instead; add 0.0."
            )
        best = self._chosen(candidates, found, data)
        self.cv_results_ = tabulated(candidates, scores, rules, conditions)
        self.n_splits_ = scores.shape[1]
        self.best_score_ = float(mean[best])
        return best

    def _measured(
        self,
        candidates: list[Candidate],
        found: list[list[Outcome]],
        parts: _Parts,
        data: TrainingData,
    ) -> HeldOut | None:
        """Estimate the error of what is chosen, on rows that had no part in the choice.

        For each fold the other folds choose, and the fold says how much that choice errs on it. The
        score of the winner itself profits from the choice: it is the best of several noisy ones.
        """
        n_folds = len(found)
        errors, weights, counted, tested = [], [], [], []
        for fold, (_, test) in enumerate(parts.folds):
            others = found[:fold] + found[fold + 1 :] or found
            chosen = found[fold][self._chosen(candidates, others, data)]
            if chosen.predicted is not None:  # else the margin was too large here
                part = parts.rows.take(test)
                tested.append(test)
                errors.append(mean_loss(data.loss, part, chosen.predicted))
                weights.append(part.weights.total)
                counted.append((part.codes, chosen.predicted, chosen.chances, part.counted))
        if not errors:
            return None
        places, decided, chances, weight = (np.concatenate(column) for column in zip(*counted))
        cut = 0.5 if data.costs is None else data.costs.cut
        cuts = [cut] * (data.classes.size - 1)
        judged = Judged.of(places, decided, chances, weight, cuts)
        way = "nested choice over" if len(candidates) > 1 else "cross-validation over"
        measured = f"{way} {n_folds} folds" if n_folds > 1 else "one held-out part"
        if data.held_out is not None:
            said = np.full(len(parts.rows.codes), np.nan)
            said[np.concatenate(tested)] = chances[:, 0]
            given = parts.rows.X, parts.rows.codes == 1, said, parts.rows.counted
            data.held_out.append(HeldOutRows(*given, n_folds, measured))
        return HeldOut(float(np.average(errors, weights=weights)), n_folds, measured, judged)

    def _chosen(
        self, candidates: list[Candidate], found: list[list[Outcome]], data: TrainingData
    ) -> int:
        """The favourite, the best or the simplest candidate."""
        scores = _of_outcomes(found, "score")
        if self.refit == "best" and self.levels != "auto":
            mean = np.where(np.isnan(scores).any(axis=1), -np.inf, scores.mean(axis=1))
            return int(np.argmax(mean >= mean.max() - TIE))
        lost = np.concatenate([np.stack([one.lost for one in fold]) for fold in found], axis=1)
        sizes = [_of_outcomes(found, name).mean(axis=1) for name in ("rules", "conditions")]
        trials = [Trial(*known) for known in zip(lost, *sizes)]
        # A list that nobody would read is no candidate unless the user asked for its kind; what
        # is distilled has a price for its length.
        most = MOST_RULES * (data.classes.size - 1)
        allowed = [
            i
            for i, (trial, one) in enumerate(zip(trials, candidates))
            if not np.isnan(trial.loss).any()
            and (self.levels != "auto" or one.is_distilled or trial.rules <= most)
        ]
        allowed = allowed or [self._favourite(candidates)]
        favourite = self._favourite([candidates[i] for i in allowed])
        simplest = self.refit == "simplest"
        return allowed[choose([trials[i] for i in allowed], favourite, simplest=simplest)]

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
        # so may few levels with few rows, and a threshold learned together with the rules.
        given: Any = self.levels
        kinds = [given] if isinstance(given, str | Integral) else list(given)
        few = any(isinstance(kind, Integral) or kind == "single" for kind in kinds)
        few = few or self.threshold == "joint"
        tags.classifier_tags.poor_score = few or (self.ks is not None and list(self.ks) == [1])
        return tags


def _given_kinds(levels: Any) -> list[Any]:
    """Kinds of models as the user lists them."""
    kinds: list[Any] = [levels] if isinstance(levels, str | Integral) else list(levels)
    for kind in kinds:
        named = isinstance(kind, str) and kind in {"shared", "single", "all", "distilled"}
        if not named and (isinstance(kind, str | bool) or kind < 1):
            raise ValueError(
                "The 'levels' parameter of SugenoClassifierCV must be 'auto', 'shared', "
                f"'single', 'all', 'distilled', a positive int, or several of these. Got "
                f"{kind!r} instead."
            )
    if not kinds:
        raise ValueError(
            "The 'levels' parameter of SugenoClassifierCV must not be empty. Give a kind of "
            "model, such as 'shared'."
        )
    return kinds


def _entry(value: Any, kind: type, name: str) -> Any:
    """Check an entry of ks or margins with the rule for k or margin."""
    constraint = SugenoClassifier._parameter_constraints[name[:-1]][0]
    if isinstance(value, bool) or not isinstance(value, kind) or value not in constraint:
        raise ValueError(
            f"The '{name}' parameter of SugenoClassifierCV must hold values that are each "
            f"{constraint}. Got {value!r} instead."
        )
    return value


def _of_outcomes(found: list[list[Outcome]], name: str) -> Floats:
    """An attribute of all outcomes: shape (candidates, folds)."""
    return np.array([[getattr(one, name) for one in fold] for fold in found]).T


def _codes(data: TrainingData, rows: RowsInMemory) -> NDArray[np.intp]:
    """Places of the labels of all rows; those without weight may have a label of their own."""
    known = {label: place for place, label in enumerate(data.classes.labels.tolist())}
    return np.array([known.get(label, 0) for label in rows.y.tolist()], dtype=np.intp)
