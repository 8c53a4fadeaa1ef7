"""Scores of candidates on held-out rows, whatever the classes."""

from __future__ import annotations

import time
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from numbers import Real
from typing import Any

import numpy as np
from joblib import effective_n_jobs
from numpy.typing import NDArray

from sugeno._counts.loss import Loss
from sugeno._counts.table import Table
from sugeno._counts.weights import RowWeights, class_factors, costs_of_rows
from sugeno._exceptions import WeakDirectionWarning
from sugeno._learning.candidates import Candidate, Recipe, learn_candidates
from sugeno._learning.training import Training, prepare
from sugeno._scales.criterion import on_scales
from sugeno._scales.kinds import Column
from sugeno._scales.missing import check_not_all_missing, has_missing
from sugeno.estimators.classifier import SugenoClassifier
from sugeno.model.model import Model
from sugeno.solvers.budget import Budget

Floats = NDArray[np.float64]

#: Mean scores that differ by less are equal: a sum may be rounded either way.
TIE = 1e-12
#: Seconds of a fold for which no time is left; 0 would leave out proofs alone.
_NO_TIME = 1e-9


@dataclass(frozen=True, eq=False)
class Part:
    """Some rows of the training data.

    Attributes
    ----------
    X : ndarray of shape (n, m)
        Their values.
    codes : ndarray of intp of shape (n,)
        Places of their labels among the classes; rows without weight may have any.
    weights : RowWeights
        Their weights.
    """

    X: Floats
    codes: NDArray[np.intp]
    weights: RowWeights

    def take(self, rows: NDArray[np.intp]) -> Part:
        """Some of the rows."""
        return Part(self.X[rows], self.codes[rows], self.weights.take(rows))

    @property
    def counted(self) -> Floats:
        """The weight of each row, in the user's units."""
        units = self.weights.values
        counted: Floats = np.ones(len(self.codes))
        return counted if units is None else counted * units * self.weights.unit


@dataclass(frozen=True, eq=False)
class Contest:
    """What is the same on all folds.

    Attributes
    ----------
    candidates : sequence of Candidate
        What is compared.
    recipe : Recipe
        What they have in common.
    labels : ndarray of shape (C,)
        The classes, the lowest first.
    names : ndarray of object or None
        Names of the columns.
    directions, class_weight
        As users give them.
    missing : str
        What a missing value means.
    scorer : callable or None
        What is maximised; None for the right share, or for the mean loss with its sign turned.
    columns : tuple of Column or None
        What the columns of a table of any kind hold.
    costs : Loss or None
        What the two errors of two classes cost, where that was said.
    """

    candidates: Sequence[Candidate]
    recipe: Recipe
    labels: NDArray[Any]
    names: Any
    directions: Any
    class_weight: Any
    missing: str
    scorer: Any
    columns: tuple[Column, ...] | None = None
    costs: Loss | None = None

    def prepared(self, part: Part) -> tuple[Training, Recipe, NDArray[np.intp]]:
        """Orient the criteria of a part; of ordered classes a rare one may be missing in it."""
        X, codes, weights = part.X, part.codes, part.weights
        if weights.present is not None:
            X, codes, weights = (
                X[weights.present],
                codes[weights.present],
                weights.take(weights.present),
            )
        if self.missing != "error" and has_missing(X):
            check_not_all_missing(X, self.names)
        known, places = np.unique(codes, return_inverse=True)
        loss = self.recipe.loss
        if loss is not None:
            loss = Loss.of(loss.prices[np.ix_(known, known)], known.size)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", WeakDirectionWarning)  # all rows have been looked at
            training = prepare(
                Table(X, places, weights, weights, known.size, self.missing),
                self.labels[known],
                directions=self.directions,
                class_weight=self.class_weight if self.labels.size == 2 else None,
                feature_names=self.names,
                columns=self.columns,
                costs=self.costs,
            )
        return training, replace(self.recipe, loss=loss), known


@dataclass(frozen=True)
class FoldTime:
    """The time of a fold, which may begin in another process, and later than others.

    Attributes
    ----------
    seconds : float or None
        What it may take; None without a limit.
    last_start : float or None
        When it has to begin, on the clock that all processes of a machine share; None for the
        fold without which nothing could be said.
    """

    seconds: float | None
    last_start: float | None

    @classmethod
    def of(cls, budget: Budget, n_folds: int, n_jobs: int | None) -> list[FoldTime]:
        """Half of the time for a fit, in equal parts for the folds that follow one another.

        Examples
        --------
        >>> from sugeno.estimators._scoring import FoldTime
        >>> from sugeno.solvers.budget import Budget
        >>> budget = Budget.of(120, clock=lambda: 0.0)
        >>> [time.seconds for time in FoldTime.of(budget, 5, 2)]
        [20.0, 20.0, 20.0, 20.0, 20.0]
        """
        if budget.search_deadline is None:
            return [cls(None, None)] * n_folds
        left = max(_NO_TIME, budget.search_deadline - budget.clock())
        seconds = left / -(-n_folds // int(effective_n_jobs(n_jobs)))
        return [cls(seconds, None), *[cls(seconds, time.monotonic() + left)] * (n_folds - 1)]

    def begun(self) -> Budget | None:
        """Start the clock; None if it is too late."""
        if self.last_start is not None and time.monotonic() > self.last_start:
            return None
        return Budget.of(self.seconds)


@dataclass(frozen=True, eq=False)
class Outcome:
    """How a candidate did on one fold.

    Attributes
    ----------
    score : float
        Its score on the held-out rows; NaN where it could not be learned.
    rules, conditions : float
        Number of its rules, and of the conditions in them.
    lost : ndarray of shape (n,) or (1,)
        What it lost on each held-out row, where the mean weight is 1; of a scorer, which knows no
        rows, 1 less its score.
    predicted : ndarray of intp or None
        Places of the classes that it gives to the held-out rows.
    chances : ndarray of shape (n, C - 1) or None
        Their probabilities of lying above each boundary between classes.
    late : bool
        Whether the time was over before it could be learned.
    """

    score: float
    rules: float
    conditions: float
    lost: Floats
    predicted: NDArray[np.intp] | None = None
    chances: Floats | None = None
    late: bool = False


def score_fold(
    contest: Contest,
    train: Part,
    test: Part,
    score_params: dict[str, Any],
    allowed: FoldTime,
) -> list[Outcome] | None:
    """Learn every candidate on one fold, and score it on the held-out rows.

    None if the time for all folds was over before this one began.
    """
    budget = allowed.begun()
    if budget is None:
        return None
    training, recipe, known = contest.prepared(train)
    found: dict[Candidate, Outcome] = {}
    for candidate, model in learn_candidates(training, contest.candidates, recipe, budget):
        if model is None:
            unknown = np.full(test.weights.n if contest.scorer is None else 1, np.nan)
            late = budget.is_over()
            found[candidate] = Outcome(np.nan, np.nan, np.nan, unknown, late=late)
            continue
        read = replace(test, X=on_scales(test.X, model.criteria))
        predicted = known[model.passed(read.X)]
        score, lost = _score(contest, training, model, read, predicted, score_params)
        sizes = float(model.rules.n_rules), float(model.rules.n_conditions)
        chances = _at_all_boundaries(model.at_least(read.X), known, contest.labels.size)
        found[candidate] = Outcome(score, *sizes, lost, predicted, chances)
    return [found[candidate] for candidate in contest.candidates]


def _at_all_boundaries(chances: Floats, known: NDArray[np.intp], n_classes: int) -> Floats:
    """Probabilities of lying above all boundaries, where some classes were not learned."""
    ends = np.ones((len(chances), 1))
    reached = np.hstack([ends, chances, 0 * ends])  # at least each known class, or one above all
    return reached[:, np.searchsorted(known, np.arange(1, n_classes))]


def _score(
    contest: Contest,
    training: Training,
    model: Model,
    test: Part,
    predicted: NDArray[np.intp],
    score_params: dict[str, Any],
) -> tuple[float, Floats]:
    """The score of a model on held-out rows, and what it lost on each of them."""
    if contest.scorer is not None:
        classifier = SugenoClassifier()
        classifier.n_features_in_ = test.X.shape[1]
        classifier._criteria = ()  # the rows have been read
        y = contest.labels.take(test.codes)
        score = float(contest.scorer(classifier._store(model), test.X, y, **score_params))
        return score, np.array([1.0 - score])
    loss = contest.recipe.loss or contest.costs
    if loss is not None:
        return -mean_loss(loss, test, predicted), _losses(loss, test, predicted, test.weights)
    # What an error costs on the held-out rows is what it costs on those learned from.
    table = training.table
    won = table.weights.take(table.positive).total
    factors = class_factors(contest.class_weight, training.classes, table.total - won, won)
    costs = costs_of_rows(test.weights, test.codes == 1, factors)
    score = costs.take(predicted == test.codes).total / costs.total
    return score, _losses(None, test, predicted, costs)


def mean_loss(loss: Loss | None, rows: Part, predicted: NDArray[np.intp]) -> float:
    """Return what predictions lose in the mean, by sample weight; without a loss 1 per error."""
    lost = _lost(loss, rows, predicted)
    return float(lost @ rows.counted / rows.counted.sum())


def _lost(loss: Loss | None, rows: Part, predicted: NDArray[np.intp]) -> Floats:
    """What each row loses; without a loss 1 per error."""
    lost: Floats = np.asarray(predicted != rows.codes, dtype=np.float64)
    return lost if loss is None else loss.prices[rows.codes, predicted]


def _losses(
    loss: Loss | None, rows: Part, predicted: NDArray[np.intp], weights: RowWeights
) -> Floats:
    """What each row loses, by its weight."""
    lost = _lost(loss, rows, predicted)
    if weights.values is not None:
        lost *= weights.values / weights.values.mean()
    return lost


def takes_weights(scorer: Any) -> bool:
    """Whether a scorer takes sample weights; a plain callable is not asked to."""
    accepts = getattr(scorer, "_accept_sample_weight", None)
    return bool(accepts and accepts())


def tabulated(
    candidates: Sequence[Candidate], scores: Floats, rules: Floats, conditions: Floats
) -> dict[str, Any]:
    """Scores as `sklearn.model_selection.GridSearchCV` shows them, from one row per candidate.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._learning.candidates import Candidate
    >>> from sugeno.estimators._scoring import tabulated
    >>> tried = [Candidate("shared", 1), Candidate("shared", 2)]
    >>> ones = np.ones((2, 2))
    >>> table = tabulated(tried, np.array([[0.5, 0.7], [0.8, 0.8]]), ones, ones)
    >>> table["rank_test_score"]
    array([2, 1], dtype=int32)
    """
    mean = scores.mean(axis=1)
    ordered = np.where(np.isnan(mean), -np.inf, mean)
    better = (ordered[:, None] > ordered[None, :] + TIE).sum(axis=0)
    return {
        "params": [candidate.params for candidate in candidates],
        **{
            f"param_{name}": _column([candidate.params[name] for candidate in candidates])
            for name in candidates[0].params
        },
        **{f"split{i}_test_score": column for i, column in enumerate(scores.T)},
        "mean_test_score": mean,
        "std_test_score": scores.std(axis=1),
        "rank_test_score": better.astype(np.int32) + 1,
        "mean_n_rules": rules.mean(axis=1),
        "mean_n_conditions": conditions.mean(axis=1),
    }


def _column(values: list[Any]) -> Any:
    """Values of a parameter; numbers as numbers, if all are."""
    numbers = all(isinstance(value, Real) for value in values)
    return np.ma.array(values, dtype=None if numbers else object)
