"""Scores of candidates on rows that were left out of learning."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from joblib import effective_n_jobs
from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone

from sugeno._counts.class_weights import class_factors, costs_of_rows
from sugeno._counts.weights import RowWeights
from sugeno._learning.candidates import Candidate, Recipe, learn_candidates
from sugeno._learning.training import Training
from sugeno.estimators.classifier import SugenoClassifier
from sugeno.model.model import Model
from sugeno.solvers.budget import Budget

__all__ = ["TIE", "Rows", "per_row", "score_fold", "tabulated", "takes_weights", "time_of_a_fold"]

Floats = NDArray[np.float64]

#: Mean scores that differ by less are equal: a sum may be rounded either way.
TIE = 1e-12


@dataclass(frozen=True)
class Rows:
    """Some rows of the training data."""

    X: Floats
    y: NDArray[Any]
    weights: RowWeights

    def take(self, rows: NDArray[np.intp]) -> Rows:
        """Some of the rows."""
        return Rows(self.X[rows], self.y[rows], self.weights.take(rows))


def score_fold(
    template: SugenoClassifier,
    train: Rows,
    test: Rows,
    names: NDArray[np.object_] | None,
    candidates: Sequence[Candidate],
    recipe: Recipe,
    scorer: Any,
    score_params: dict[str, Any],
    time_limit: float | None = None,
) -> list[tuple[float, float]]:
    """Learn every candidate on one fold; return its score on the rows left out, and its rules.

    The time runs from when the fold begins, which may wait for a process.
    """
    budget = Budget.of(time_limit)
    classifier = clone(template)  # folds may run as threads
    classifier.n_features_in_ = train.X.shape[1]
    training = classifier._prepare(train.X, train.y, train.weights, names=names)
    if scorer is None:
        scorer = _Accuracy.of(training, classifier, test.weights)
    found: dict[Candidate, tuple[float, float]] = {}
    for candidate, model in learn_candidates(training, candidates, recipe, budget):
        if model is None:
            found[candidate] = (np.nan, np.nan)
            continue
        score = float(
            scorer(classifier._store(Model.of_two_classes(model)), test.X, test.y, **score_params)
        )
        found[candidate] = (score, float(len(model.rules)))
    return [found[candidate] for candidate in candidates]


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
        factors = class_factors(classifier.class_weight, training.classes, lost, won)
        return cls(weights, factors)

    def __call__(self, classifier: SugenoClassifier, X: Floats, y: NDArray[Any]) -> float:
        costs = costs_of_rows(self.weights, y == classifier.model_.classes[1], self.factors)
        right = classifier.predict(X) == y
        return costs.take(right).total / costs.total


def per_row(sample_weight: ArrayLike, n: int) -> NDArray[Any]:
    """Weights as splitters and scorers take them, one per row also where one number is given."""
    return np.broadcast_to(np.asarray(sample_weight), n)


def takes_weights(scorer: Any) -> bool:
    """Whether a scorer takes sample weights; a plain callable is not asked to."""
    accepts = getattr(scorer, "_accept_sample_weight", None)
    return bool(accepts and accepts())


def time_of_a_fold(limit: float | None, n_folds: int, n_jobs: int | None) -> float | None:
    """Half of the time for a fit, in equal parts for the folds that follow one another.

    Examples
    --------
    >>> from sugeno.estimators._scoring import time_of_a_fold
    >>> time_of_a_fold(120.0, 5, 2)
    20.0
    """
    if limit is None:
        return None
    one_after_the_other = -(-n_folds // int(effective_n_jobs(n_jobs)))
    return limit / 2 / one_after_the_other


def tabulated(candidates: Sequence[Any], scores: Floats, rules: Floats) -> dict[str, Any]:
    """Scores as `sklearn.model_selection.GridSearchCV` shows them, from one row per candidate.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._learning.candidates import Candidate
    >>> from sugeno.estimators._scoring import tabulated
    >>> tried = [Candidate("shared", 1, 0.0), Candidate("shared", 2, 0.0)]
    >>> table = tabulated(tried, np.array([[0.5, 0.7], [0.8, 0.8]]), np.ones((2, 2)))
    >>> table["rank_test_score"]
    array([2, 1], dtype=int32)
    """
    mean = scores.mean(axis=1)
    ordered = np.where(np.isnan(mean), -np.inf, mean)
    better = (ordered[:, None] > ordered[None, :] + TIE).sum(axis=0)
    return {
        "params": [candidate.params for candidate in candidates],
        **{
            f"param_{name}": np.ma.array(
                [candidate.params[name] for candidate in candidates],
                dtype=object if name in ("levels", "max_rules") else None,
            )
            for name in candidates[0].params
        },
        **{f"split{i}_test_score": column for i, column in enumerate(scores.T)},
        "mean_test_score": mean,
        "std_test_score": scores.std(axis=1),
        "rank_test_score": better.astype(np.int32) + 1,
        "mean_n_rules": rules.mean(axis=1),
    }
