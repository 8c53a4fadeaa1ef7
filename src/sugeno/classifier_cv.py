"""The Sugeno classifier with k and margin chosen by cross-validation (section 6.2)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import groupby
from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone
from sklearn.metrics import get_scorer, get_scorer_names
from sklearn.model_selection import check_cv
from sklearn.utils import Bunch
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing
from sklearn.utils.parallel import Parallel, delayed
from sklearn.utils.validation import check_is_fitted

from sugeno._counts.class_weights import class_factors, costs_of_rows
from sugeno._counts.weights import RowWeights, row_weights
from sugeno._exceptions import MarginError
from sugeno._learning.engine import check_settings
from sugeno._learning.folds import Fold, check_folds, stratified_folds
from sugeno._learning.learn import learn, learn_path
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
from sugeno._validation import check_table
from sugeno.classifier import (
    BaseSugenoClassifier,
    SugenoClassifier,
    check_k,
    in_sorted_order,
)
from sugeno.solvers.budget import DEFAULT_TIME_LIMIT
from sugeno.solvers.program import MAX_VARIABLES

__all__ = ["SugenoClassifierCV"]

Floats = NDArray[np.float64]
Candidates = list[tuple[int, float]]

#: Up to so many features every k is tried by default.
_FEW_FEATURES = 10
#: Mean scores that differ by less are equal: a sum may be rounded either way.
_TIE = 1e-12


class SugenoClassifierCV(BaseSugenoClassifier):
    """Sugeno classifier that chooses k, and the margin, by cross-validation.

    In each fold directions, utilities and threshold are learned from its training part only. They
    do not depend on k, so they are learned once per fold, and the capacity once per k and margin.
    Of candidates with the same mean score the smallest k is taken, then the smallest margin. At
    last the classifier is fitted to all rows.

    Parameters
    ----------
    ks : sequence of int or None, default=None
        The k to try. None tries 1, …, n_features; with more than 10 features 1, 2, 3, 4 and
        n_features, as far as solver="lp" can handle them.
    margins : sequence of float, default=(0.0,)
        The margins to try. One that is too large for the threshold of some fold gets the score
        NaN there, and is not chosen.
    cv : int, cross-validation generator or iterable, default=10
        An int is the number of stratified folds; it is lowered to the number of rows of the
        rarer class. Their rows are drawn at random, in a way that does not depend on the order
        in which they come.
    scoring : str, callable or None, default=None
        What to maximise. None is the accuracy, where rows count with their sample weight and
        class weight, as in the errors that the classifier minimises. Other scorers get the sample
        weights if they take them, and see the classes in sorted order, as they presume.
    n_jobs : int or None, default=None
        Number of folds to run at the same time, by joblib, whose backend can be chosen with
        ``joblib.parallel_config``.
    threshold, solver, directions, positive, normalized, class_weight, extension, max_rules, \
rule_cost, literal_cost, subsets, time_limit, random_state
        As for `SugenoClassifier`.

    Attributes
    ----------
    k_ : int
        The chosen k.
    margin_ : float
        The chosen margin.
    best_score_ : float
        Mean score of the chosen candidate.
    cv_results_ : dict of str to ndarray
        As `sklearn.model_selection.GridSearchCV` has it: ``params``, ``param_k``,
        ``param_margin``, ``split<i>_test_score``, ``mean_test_score``, ``std_test_score`` and
        ``rank_test_score``.
    n_splits_ : int
        Number of folds.
    classes_, n_features_in_, feature_names_in_, feature_labels_in_, feature_importances_, \
directions_, utility_, threshold_, capacity_, rules_, objective_, bound_, gap_
        As for `SugenoClassifier`, of the classifier fitted to all rows.

    Notes
    -----
    Costs one run of the solver per fold, k and margin. In the folds ``time_limit`` is 0: they
    take the family that the local search finds within about a second, without the proof. The
    last fit, to all rows, has the given limit.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno import SugenoClassifierCV
    >>> rng = np.random.default_rng(0)
    >>> X = rng.integers(1, 6, size=(200, 3))
    >>> y = (X >= 4).sum(axis=1) >= 2
    >>> clf = SugenoClassifierCV(cv=5).fit(X, y)
    >>> clf.k_
    2
    >>> print(clf.rules_)
    accept if
      x0 >= 4 and x1 >= 4, or
      x0 >= 4 and x2 >= 4, or
      x1 >= 4 and x2 >= 4
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "ks": ["array-like", None],
        "margins": ["array-like"],
        "cv": ["cv_object"],
        "scoring": [StrOptions(set(get_scorer_names())), callable, None],
        "n_jobs": [Integral, None],
        **{
            name: constraint
            for name, constraint in SugenoClassifier._parameter_constraints.items()
            if name not in ("k", "margin")
        },
    }

    def __init__(
        self,
        *,
        ks: Iterable[int] | None = None,
        margins: Iterable[float] = (0.0,),
        cv: Any = 10,
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
        time_limit: float | None = DEFAULT_TIME_LIMIT,
        random_state: int | np.random.RandomState | None = None,
    ) -> None:
        self.ks = ks
        self.margins = margins
        self.cv = cv
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
        self.time_limit = time_limit
        self.random_state = random_state

    @fit_context(prefer_skip_nested_validation=True)
    def fit(
        self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None, **params: Any
    ) -> Self:
        """Choose k and margin, and learn the classifier.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Finite numbers and truth values, in a frame also ordered categoricals.
        y : array-like of shape (n_samples,)
            Labels of two classes; which one is the positive class, see `positive`.
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
        table, labels = check_table(self, X, y=y)
        weights = row_weights(sample_weight, table.shape[0])
        given = None if sample_weight is None else _per_row(sample_weight, len(table))
        routed = self._route(given, params)
        candidates = self._candidates(table.shape[1])
        ks = [k for k, _ in candidates]
        check_settings(self._settings(), self.threshold, ks, table.shape[1])
        training = self._prepare(table, labels, weights, declared_order(y))
        warn_if_weak(training.found, stacklevel=4)
        folds = self._folds(table, labels, weights, routed.splitter.split)
        scores = self._scores(table, labels, weights, folds, candidates, routed.scorer.score)
        best = self._choose(candidates, scores)
        self.k_, self.margin_ = candidates[best]
        return self._store(learn(training, self.k_, self.margin_, self.threshold, self._settings()))

    def _route(self, sample_weight: NDArray[Any] | None, params: dict[str, Any]) -> Bunch:
        """Say what goes to the splitter and what to the scorer."""
        if routing_enabled():
            routed = process_routing(self, "fit", sample_weight=sample_weight, **params)
            return Bunch(**{"scorer": Bunch(score={}), **routed})
        weighted = sample_weight is not None and _takes_weights(self._scorer())
        scored = {"sample_weight": sample_weight} if weighted else {}
        return Bunch(splitter=Bunch(split={}), scorer=Bunch(score=scored))

    def _candidates(self, n_features: int) -> Candidates:
        """Pairs of k and margin, the preferred ones first."""
        if self.ks is not None:
            ks = sorted({_as_number(k, Integral, "ks") for k in self.ks})
        elif n_features <= _FEW_FEATURES:
            ks = list(range(1, n_features + 1))
        else:
            ks = [1, 2, 3, 4, n_features]
            if self.solver == "lp":
                ks = [k for k in ks if count_subsets(n_features, k) <= MAX_VARIABLES]
        margins = sorted({float(_as_number(margin, Real, "margins")) for margin in self.margins})
        if not ks or not margins:
            raise ValueError(
                "The 'ks' and 'margins' parameters of SugenoClassifierCV must not be empty. "
                f"Got {self.ks!r} and {self.margins!r} instead; give at least one value of each."
            )
        for k in (ks[0], ks[-1]):
            check_k(k, n_features)
        return [(k, margin) for k in ks for margin in margins]

    def _folds(
        self, X: Floats, y: NDArray[Any], weights: RowWeights, params: dict[str, Any]
    ) -> list[Fold]:
        """Rows of each fold to learn from and to score."""
        codes = (y == self.classes_[1]).astype(np.intp)
        if isinstance(self.cv, Integral):
            return stratified_folds(X, codes, weights, int(self.cv))
        folds = list(check_cv(self.cv, y, classifier=True).split(X, y, **params))
        check_folds(folds, codes, weights, self.classes_)
        return folds

    def _scores(
        self,
        X: Floats,
        y: NDArray[Any],
        weights: RowWeights,
        folds: list[Fold],
        candidates: Candidates,
        score_params: dict[str, Any],
    ) -> Floats:
        """Score every candidate on every fold: shape (candidates, folds)."""
        shared = set(SugenoClassifier._get_param_names()) - {"k", "margin", "positive"}
        given = {name: getattr(self, name) for name in shared}
        model = SugenoClassifier(positive=self.classes_[1], **given)
        names = getattr(self, "feature_names_in_", None)
        columns = Parallel(n_jobs=self.n_jobs)(
            delayed(_score_fold)(
                model,
                _Rows(X[train], y[train], weights.take(train)),
                _Rows(X[test], y[test], weights.take(test)),
                names,
                candidates,
                self._scorer(),
                {name: safe_indexing(value, test) for name, value in score_params.items()},
            )
            for train, test in folds
        )
        return np.array(columns).T

    def _choose(self, candidates: Candidates, scores: Floats) -> int:
        """Tabulate the scores, and return the first of the best candidates."""
        mean = scores.mean(axis=1)
        if np.isnan(mean).all():
            raise MarginError(
                "The 'margins' parameter of SugenoClassifierCV must hold a margin below "
                "min(β, 1 − β) for the threshold β of every fold. "
                f"Got {self.margins!r} instead; add 0.0."
            )
        ordered = np.where(np.isnan(mean), -np.inf, mean)
        best = int(np.argmax(ordered >= ordered.max() - _TIE))
        better = (ordered[:, None] > ordered[None, :] + _TIE).sum(axis=0)
        self.cv_results_ = {
            "params": [{"k": k, "margin": margin} for k, margin in candidates],
            "param_k": np.ma.array([k for k, _ in candidates]),
            "param_margin": np.ma.array([margin for _, margin in candidates]),
            **{f"split{i}_test_score": column for i, column in enumerate(scores.T)},
            "mean_test_score": mean,
            "std_test_score": scores.std(axis=1),
            "rank_test_score": better.astype(np.int32) + 1,
        }
        self.n_splits_ = scores.shape[1]
        self.best_score_ = float(mean[best])
        return best

    def score(
        self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None, **params: Any
    ) -> float:
        """Score predictions with the scorer that chose k and margin.

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
        check_is_fitted(self)
        scorer = self._scorer()
        if scorer is None:
            return float(super().score(X, y, sample_weight))
        if routing_enabled():
            routed = process_routing(self, "score", sample_weight=sample_weight, **params)
            params = routed.scorer.score
        elif sample_weight is not None:
            params = {"sample_weight": sample_weight}
        return float(scorer(in_sorted_order(self), X, y, **params))

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
        # See `SugenoClassifier`: a single criterion per rule may do badly with few features.
        tags.classifier_tags.poor_score = self.ks is not None and list(self.ks) == [1]
        return tags


def _per_row(sample_weight: ArrayLike, n: int) -> NDArray[Any]:
    """Weights as splitters and scorers take them, one per row also where one number is given."""
    return np.broadcast_to(np.asarray(sample_weight), n)


def _takes_weights(scorer: Any) -> bool:
    """Whether a scorer takes sample weights; a plain callable is not asked to."""
    accepts = getattr(scorer, "_accept_sample_weight", None)
    return bool(accepts and accepts())


def _as_number(value: Any, kind: type, name: str) -> Any:
    """Check an entry of ks or margins with the rule for k or margin."""
    constraint = SugenoClassifier._parameter_constraints[name[:-1]][0]
    if isinstance(value, bool) or not isinstance(value, kind) or value not in constraint:
        raise ValueError(
            f"The '{name}' parameter of SugenoClassifierCV must hold values that are each "
            f"{constraint}. Got {value!r} instead."
        )
    return value


@dataclass(frozen=True)
class _Rows:
    """Some rows of the training data."""

    X: Floats
    y: NDArray[Any]
    weights: RowWeights


def _score_fold(
    template: SugenoClassifier,
    train: _Rows,
    test: _Rows,
    names: NDArray[np.object_] | None,
    candidates: Candidates,
    scorer: Any,
    score_params: dict[str, Any],
) -> list[float]:
    """Learn every candidate on one fold, and score it on the rows left out."""
    classifier = clone(template)  # folds may run as threads
    classifier.n_features_in_ = train.X.shape[1]
    training = classifier._prepare(train.X, train.y, train.weights, names=names)
    if scorer is None:
        scorer = _Accuracy.of(training, classifier, test.weights)
    scores: dict[tuple[int, float], float] = {}
    by_margin = sorted(candidates, key=lambda candidate: candidate[1])
    for _, group in groupby(by_margin, key=lambda candidate: candidate[1]):
        pairs = list(group)
        # Proofs of optimality would not change which candidate is best, only the time it takes.
        settings = replace(classifier._settings(), time_limit=0)
        models = learn_path(training, pairs, classifier.threshold, settings)
        try:
            for pair, model in zip(pairs, models):
                fitted = in_sorted_order(classifier._store(model))
                scores[pair] = float(scorer(fitted, test.X, test.y, **score_params))
        except MarginError:
            scores.update(dict.fromkeys(pairs, np.nan))
    return [scores[candidate] for candidate in candidates]


@dataclass(frozen=True)
class _Accuracy:
    """Share of the rows left out that are right, by what an error on each of them costs."""

    weights: RowWeights
    factors: tuple[int, int, float]

    @classmethod
    def of(cls, training: Training, classifier: SugenoClassifier, weights: RowWeights) -> _Accuracy:
        table = training.table
        won = table.weights.take(table.positive).total
        lost = table.total - won
        factors = class_factors(classifier.class_weight, classifier.classes_, lost, won)
        return cls(weights, factors)

    def __call__(self, classifier: SugenoClassifier, X: Floats, y: NDArray[Any]) -> float:
        costs = costs_of_rows(self.weights, y == classifier.model_.classes[1], self.factors)
        right = classifier.predict(X) == y
        return costs.take(right).total / costs.total
