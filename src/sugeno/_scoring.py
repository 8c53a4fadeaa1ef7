"""Scores of candidates on rows that were left out of learning."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from sugeno._counts.class_weights import class_factors, costs_of_rows
from sugeno._counts.weights import RowWeights
from sugeno._learning.candidates import Candidate, Recipe, learn_candidates
from sugeno._learning.training import Training
from sugeno.classifier import SugenoClassifier

__all__ = ["Rows", "score_fold"]

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Rows:
    """Some rows of the training data."""

    X: Floats
    y: NDArray[Any]
    weights: RowWeights


def score_fold(
    template: SugenoClassifier,
    train: Rows,
    test: Rows,
    names: NDArray[np.object_] | None,
    candidates: Sequence[Candidate],
    recipe: Recipe,
    scorer: Any,
    score_params: dict[str, Any],
) -> list[tuple[float, float]]:
    """Learn every candidate on one fold; return its score on the rows left out, and its rules."""
    classifier = clone(template)  # folds may run as threads
    classifier.n_features_in_ = train.X.shape[1]
    training = classifier._prepare(train.X, train.y, train.weights, names=names)
    if scorer is None:
        scorer = _Accuracy.of(training, classifier, test.weights)
    found: dict[Candidate, tuple[float, float]] = {}
    for candidate, model in learn_candidates(training, candidates, recipe):
        if model is None:
            found[candidate] = (np.nan, np.nan)
            continue
        score = float(scorer(classifier._store(model), test.X, test.y, **score_params))
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
