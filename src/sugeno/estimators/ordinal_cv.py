"""The classifier of ordered classes that chooses its kind by cross-validation."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from numbers import Integral
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.metrics import get_scorer, get_scorer_names
from sklearn.model_selection import check_cv
from sklearn.utils.parallel import Parallel, delayed

from sugeno._counts.loss import Loss
from sugeno._counts.weights import row_weights
from sugeno._ensemble.course import Plan
from sugeno._exceptions import WeakDirectionWarning
from sugeno._learning.candidates import MOST_RULES
from sugeno._learning.engine import Settings, check_k
from sugeno._learning.folds import USUAL_TIME, Fold, limit_folds
from sugeno._learning.labels import ordered_classes
from sugeno._learning.ordinal_candidates import (
    OrdinalCandidate,
    OrdinalRecipe,
    learn_ordinal_candidate,
    learn_ordinal_candidates,
    ordinal_folds,
)
from sugeno._learning.selection import Trial, choose
from sugeno._scales.columns import declared_order
from sugeno._scales.directions import Directions
from sugeno._sklearn import StrOptions, fit_context
from sugeno.estimators._scoring import TIE, tabulated, takes_weights, time_of_a_fold
from sugeno.estimators._validation import check_table
from sugeno.estimators.ordinal import MOST_CRITERIA, LearnsOrder, SugenoOrdinalClassifier
from sugeno.solvers.budget import DEFAULT_TIME_LIMIT, Budget

__all__ = ["SugenoOrdinalClassifierCV"]

Floats = NDArray[np.float64]


class SugenoOrdinalClassifierCV(LearnsOrder):
    """Classifier of ordered classes that chooses its kind by rows that were left out.

    As `SugenoClassifierCV` does for two classes: rules distilled from ensembles are the favourite,
    the paper's model challenges them, and wins if it clearly loses less on the rows left out. In
    each fold everything, directions included, is learned from its training part only. At last the
    classifier is fitted to all rows.

    Parameters
    ----------
    levels : "auto", {"distilled", "shared", "all"}, int or sequence of these, default="auto"
        Kinds of models to choose from, as for `SugenoOrdinalClassifier`. "auto" is ("distilled",
        "shared"), with the distilled rules as the favourite.
    max_rules : int or sequence of int, default=(1, 2, 3, 5)
        Largest numbers of distilled rules per boundary to try. The other kinds have no limit.
    loss : {"mixed", "zero_one", "absolute"} or array-like of shape (C, C), default="mixed"
        What an error costs, on rows left out too.
    classes : array-like, "sorted" or None, default=None
        The classes, the lowest first; as for `SugenoOrdinalClassifier`.
    k : int or None, default=None
        Largest number of criteria in a rule. None for no limit; of distilled rules for 4.
    cv : int, cross-validation generator or iterable, default=5
        An int is the number of folds, in equal parts of each class; classes with fewer rows are
        drawn together with their neighbours, and may be missing where a fold learns. The folds do
        not depend on the order of the rows. With more than 20,000 rows one fold is enough, learned
        from 20,000.
    refit : {"best", "simplest"}, default="best"
        What is fitted to all rows. "best": the favourite unless a challenger is better than
        chance allows (levels="auto"), else the best score. "simplest": the candidate with the
        fewest rules that is not worse than the best one by more than one standard error.
    scoring : str, callable or None, default=None
        What to maximise. None is the mean loss with its sign turned, by sample weight. Other
        scorers get the sample weights if they take them.
    n_jobs : int or None, default=None
        Number of folds to run at the same time.
    callback : callable or None, default=None
        Called with the number of folds that are done and of all folds.
    time_limit : float or None, default=120.0
        Seconds for the whole fit, half of them for the folds. When they are over, an ensemble grows
        no further and a search ends with what it has. None sets no limit.
    directions, normalized, extension, missing, random_state
        As for `SugenoOrdinalClassifier`.

    Attributes
    ----------
    levels_ : int or str
        The chosen kind of model.
    max_rules_ : int or None
        The chosen largest number of distilled rules per boundary.
    best_score_ : float
        Mean score of the chosen candidate.
    cv_results_ : dict of str to ndarray
        ``params``, ``param_levels``, ``param_max_rules``, ``split<i>_test_score``,
        ``mean_test_score``, ``std_test_score``, ``rank_test_score``; and ``mean_n_rules``, of all
        boundaries together.
    n_splits_ : int
        Number of folds.
    classes_, order_, n_features_in_, feature_names_in_, directions_, rules_, thresholds_, \
feature_importances_, model_, objective_, bound_, gap_
        As for `SugenoOrdinalClassifier`, of the classifier fitted to all rows.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno import SugenoOrdinalClassifierCV
    >>> X = np.random.default_rng(0).integers(0, 6, (150, 2))
    >>> y = np.minimum(X[:, 0], X[:, 1]) // 2
    >>> clf = SugenoOrdinalClassifierCV(levels=[1, 2], refit="simplest").fit(X, y)
    >>> print(clf.rules_)
    at least 1 if x0 >= 2 and x1 >= 2
    at least 2 if x0 >= 4 and x1 >= 4
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **{
            name: constraint
            for name, constraint in SugenoOrdinalClassifier._parameter_constraints.items()
            if name not in ("rule_cost", "literal_cost")
        },
        "levels": [str, Integral, "array-like"],
        "max_rules": [Integral, "array-like"],
        "cv": ["cv_object"],
        "refit": [StrOptions({"best", "simplest"})],
        "scoring": [StrOptions(set(get_scorer_names())), callable, None],
        "callback": [callable, None],
    }

    def __init__(
        self,
        *,
        levels: int | str | Sequence[int | str] = "auto",
        max_rules: int | Sequence[int] = (1, 2, 3, 5),
        loss: str | ArrayLike = "mixed",
        classes: Sequence[Any] | str | None = None,
        k: int | None = None,
        cv: Any = 5,
        refit: str = "best",
        scoring: str | Callable[..., float] | None = None,
        n_jobs: int | None = None,
        callback: Callable[[int, int], None] | None = None,
        directions: Directions | ArrayLike | Mapping[str, int | str] | str | None = "auto",
        normalized: bool = True,
        extension: str = "auto",
        missing: str = "error",
        time_limit: float | None = USUAL_TIME,
        random_state: int = 0,
    ) -> None:
        self.levels = levels
        self.max_rules = max_rules
        self.loss = loss
        self.classes = classes
        self.k = k
        self.cv = cv
        self.refit = refit
        self.scoring = scoring
        self.n_jobs = n_jobs
        self.callback = callback
        self.directions = directions
        self.normalized = normalized
        self.extension = extension
        self.missing = missing
        self.time_limit = time_limit
        self.random_state = random_state

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Choose the kind of model, and learn it.

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
        SugenoOrdinalClassifierCV
            The fitted classifier.
        """
        budget = Budget.of(self.time_limit, usual=USUAL_TIME)
        training, loss = self._training(X, y, sample_weight)
        candidates = self._candidates()
        check_k(self.k, training.table.n_criteria)
        rows = self._rows_with_weight(X, y, sample_weight)
        scores, rules = self._scores(rows, candidates, loss)
        best = candidates[self._choose(candidates, scores, rules, loss.n_classes - 1)]
        self.levels_, self.max_rules_ = best.levels, best.max_rules
        recipe = self._recipe(training.table.n_criteria)
        return self._store(learn_ordinal_candidate(training, loss, best, recipe, budget.part(1.0)))

    def _candidates(self) -> list[OrdinalCandidate]:
        """All candidates; of the distilled ones those with fewer rules first."""
        given: Any = self.levels
        kinds: list[Any] = [given] if isinstance(given, str | Integral) else list(given)
        if kinds == ["auto"]:
            kinds = ["distilled", "shared"]
        limits: Any = self.max_rules
        sizes: list[Any] = [limits] if isinstance(limits, Integral) else list(limits)
        found = []
        for kind in kinds:
            _check_kind(kind)
            if kind == "distilled":
                found += [OrdinalCandidate(kind, int(size)) for size in sorted(set(sizes))]
            else:
                found.append(OrdinalCandidate(kind))
        if not found or any(c.max_rules is not None and c.max_rules < 1 for c in found):
            raise ValueError(
                "The 'levels' and 'max_rules' parameters of SugenoOrdinalClassifierCV must give at "
                f"least one kind and numbers of 1 or more. Got {self.levels!r} and "
                f"{self.max_rules!r} instead."
            )
        return found

    def _rows_with_weight(self, X: Any, y: Any, sample_weight: Any) -> _Rows:
        table, labels = check_table(self, X, y=y, missing=self.missing)
        weights = row_weights(sample_weight, len(table))
        order, codes = self._order(labels, y, weights.present)
        given = None
        if sample_weight is not None:
            given = np.broadcast_to(np.asarray(sample_weight, dtype=np.float64), len(table))
        return _Rows(table, labels, codes, given, order)

    def _order(
        self, labels: NDArray[Any], y: Any, present: NDArray[np.bool_] | None
    ) -> tuple[NDArray[Any], NDArray[np.intp]]:
        """The classes of rows with weight, and the place of each row's class; -1 for others."""
        kept = np.ones(len(labels), dtype=np.bool_) if present is None else present
        order, codes = ordered_classes(labels[kept], self.classes, declared_order(y))
        whole = np.full(len(labels), -1, dtype=np.intp)
        whole[kept] = codes
        return order, whole

    def _scores(
        self, rows: _Rows, candidates: list[OrdinalCandidate], loss: Loss
    ) -> tuple[Floats, Floats]:
        """Score every candidate on every fold, and count its rules: shapes (candidates, folds)."""
        folds = self._folds(rows)
        names = getattr(self, "feature_names_in_", None)
        template = SugenoOrdinalClassifier(
            levels="shared",
            loss=loss.matrix * loss.unit,
            directions=_by_place(self.directions, names),
            missing=self.missing,
        )
        scorer = None if self.scoring is None else get_scorer(self.scoring)
        recipe = self._recipe(rows.X.shape[1]).quick
        limit = time_of_a_fold(self.time_limit, len(folds), self.n_jobs)
        outcomes = Parallel(n_jobs=self.n_jobs, return_as="generator")(
            delayed(_score_fold)(
                template, rows.take(train), rows.take(test), candidates, recipe, scorer, limit
            )
            for train, test in folds
        )
        found = []
        for done, outcome in enumerate(outcomes, start=1):
            found.append(outcome)
            if self.callback is not None:
                self.callback(done, len(folds))
        scores, rules = np.array(found).transpose(2, 1, 0)
        return scores, rules

    def _folds(self, rows: _Rows) -> list[Fold]:
        """Rows of each fold to learn from and to score; those without weight are left out."""
        present = np.flatnonzero(rows.codes >= 0)
        if isinstance(self.cv, Integral):
            kept = rows.take(present)
            drawn = ordinal_folds(kept.X, kept.codes, kept.weights, int(self.cv))
            folds = [(present[train], present[test]) for train, test in drawn]
            folds = limit_folds(folds, rows.codes)
        else:
            folds = list(check_cv(self.cv, rows.y, classifier=True).split(rows.X, rows.y))
            folds = [(t[rows.codes[t] >= 0], s[rows.codes[s] >= 0]) for t, s in folds]
        for number, (train, test) in enumerate(folds):
            if np.unique(rows.codes[train]).size < 2 or not len(test):
                raise ValueError(
                    f"Fold {number} of 'cv' must learn from rows of at least 2 classes with "
                    f"positive weight, and score some. Got {len(train)} and {len(test)} rows "
                    "instead; use fewer folds, or collect more rows."
                )
        return folds

    def _recipe(self, n_criteria: int) -> OrdinalRecipe:
        limit = DEFAULT_TIME_LIMIT if self.time_limit == USUAL_TIME else self.time_limit
        settings = Settings(
            normalized=self.normalized,
            extension=self.extension,
            max_rules=None,
            rule_cost=0.0,
            literal_cost=0.0,
            time_limit=limit,
        )
        k = min(MOST_CRITERIA, n_criteria) if self.k is None else int(self.k)
        plan = Plan(seed=self.random_state, n_jobs=self.n_jobs)
        return OrdinalRecipe(self.k, k, settings, plan)

    def _choose(
        self, candidates: list[OrdinalCandidate], scores: Floats, rules: Floats, n_boundaries: int
    ) -> int:
        """Tabulate the scores, and return the candidate to be fitted to all rows."""
        mean = scores.mean(axis=1)
        self.cv_results_ = tabulated(candidates, scores, rules)
        self.n_splits_ = scores.shape[1]
        best = self._chosen(candidates, mean, scores, rules, n_boundaries)
        self.best_score_ = float(mean[best])
        return best

    def _chosen(
        self,
        candidates: list[OrdinalCandidate],
        mean: Floats,
        scores: Floats,
        rules: Floats,
        n_boundaries: int,
    ) -> int:
        """The favourite, the best or the simplest candidate."""
        simplest, auto = self.refit == "simplest", self.levels == "auto"
        if not simplest and not auto:
            return int(np.argmax(mean >= mean.max() - TIE))
        trials = [Trial(-scores[i], float(rules[i].mean())) for i in range(len(candidates))]
        # Lists that nobody would read are no candidates unless the user asked for their kind.
        most = MOST_RULES * n_boundaries
        allowed = [i for i, t in enumerate(trials) if not auto or t.rules <= most] or [0]
        distilled = [n for n, i in enumerate(allowed) if candidates[i].levels == "distilled"]
        favourite = distilled[-1] if distilled else 0
        return allowed[choose([trials[i] for i in allowed], favourite, simplest=simplest)]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.poor_score = True  # see `SugenoOrdinalClassifier`
        tags.input_tags.allow_nan = self.missing != "error"
        return tags


@dataclass(frozen=True, eq=False)
class _Rows:
    """Some rows of the training data, with the places of their classes in the order."""

    X: Floats
    y: NDArray[Any]
    codes: NDArray[np.intp]
    weights: NDArray[np.float64] | None
    order: NDArray[Any]

    def take(self, rows: NDArray[np.intp]) -> _Rows:
        return replace(
            self,
            X=self.X[rows],
            y=self.y[rows],
            codes=self.codes[rows],
            weights=None if self.weights is None else self.weights[rows],
        )


def _score_fold(
    template: SugenoOrdinalClassifier,
    train: _Rows,
    test: _Rows,
    candidates: Sequence[OrdinalCandidate],
    recipe: OrdinalRecipe,
    scorer: Any,
    time_limit: float | None,
) -> list[tuple[float, float]]:
    """Learn every candidate on one fold; return its score on the rows left out, and its rules."""
    budget = Budget.of(time_limit)
    known = np.unique(train.codes)  # a rare class may be missing here
    matrix = np.asarray(template.loss)
    clf = SugenoOrdinalClassifier(**template.get_params(deep=False))
    clf.set_params(loss=matrix[np.ix_(known, known)], classes=train.order[known].tolist())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", WeakDirectionWarning)  # all rows have been looked at
        training, loss = clf._training(train.X, train.y, train.weights)
    weights = np.ones(len(test.y)) if test.weights is None else test.weights
    found = []
    for _, model in learn_ordinal_candidates(training, loss, candidates, recipe, budget):
        if scorer is None:
            lost = matrix[test.codes, known[model.passed(test.X)]]
            score = -float(lost @ weights / weights.sum())
        else:
            given = {"sample_weight": weights} if takes_weights(scorer) else {}
            score = float(scorer(clf._store(model), test.X, test.y, **given))
        found.append((score, float(model.rules.n_rules)))
    return found


def _check_kind(kind: Any) -> None:
    named = isinstance(kind, str) and kind in {"distilled", "shared", "all"}
    if not named and (isinstance(kind, str | bool) or kind < 1):
        raise ValueError(
            "The 'levels' parameter of SugenoOrdinalClassifierCV must be 'auto', 'distilled', "
            f"'shared', 'all', a positive int, or several of these. Got {kind!r} instead."
        )


def _by_place(directions: Any, names: NDArray[np.object_] | None) -> Any:
    """Directions in the order of the columns, for tables without names."""
    if not isinstance(directions, Mapping) or names is None:
        return directions
    return [directions.get(name, "auto") for name in names.tolist()]
