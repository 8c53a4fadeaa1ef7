"""Readable classifiers of others, each with at most so many conditions.

A condition is a line of a risk score, or an inner node of a tree or of a sum of trees.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, ClassifierMixin

__all__ = ["FasterRisk", "figs", "streed"]

#: Seconds for one optimal tree; what is best by then is taken.
TREE_SECONDS = 20.0


class FasterRisk(ClassifierMixin, BaseEstimator):
    """A risk score by FasterRisk with its defaults; points have the sign of the direction.

    Parameters
    ----------
    n_conditions : int
        Number of lines of the score.
    directions : array of int
        1 where more is better, -1 where less is.
    """

    def __init__(self, n_conditions: int, directions: np.ndarray) -> None:
        self.n_conditions = n_conditions
        self.directions = directions

    def fit(self, X: np.ndarray, y: np.ndarray) -> FasterRisk:
        """Take the score of the lowest log loss on the training rows."""
        from fasterrisk.binarization_util import BinBinarizer
        from fasterrisk.fasterrisk import RiskScoreClassifier, RiskScoreOptimizer

        self.classes_ = np.unique(y)
        self.binarizer_ = BinBinarizer()
        binary, _ = self.binarizer_.fit_transform(_frame(X))
        columns = [one["col"] for one in self.binarizer_.binarizers]
        rising = np.asarray(self.directions)[columns] > 0  # its conditions say "at most"
        optimizer = RiskScoreOptimizer(
            binary.to_numpy(dtype=float),
            np.where(y == self.classes_[1], 1.0, -1.0),
            k=min(self.n_conditions, len(columns)),
            lb=np.where(rising, -5.0, 0.0).tolist(),
            ub=np.where(rising, 0.0, 5.0).tolist(),
        )
        scores = [
            RiskScoreClassifier(multiplier, points[0], points[1:])
            for multiplier, points in _rounded(optimizer)
        ]
        self.score_ = min(
            scores, key=lambda one: one.compute_logisticLoss(optimizer.X, optimizer.y)
        )
        return self

    @property
    def n_conditions_(self) -> int:
        """Number of conditions that have points."""
        return int(np.count_nonzero(self.score_.coefficients))

    def predict_proba(self, X: np.ndarray) -> np.ndarray:
        """Probabilities of both classes."""
        binary, _ = self.binarizer_.transform(_frame(X))
        chances = self.score_.predict_prob(binary.to_numpy(dtype=float))
        return np.column_stack([1 - chances, chances])

    def predict(self, X: np.ndarray) -> np.ndarray:
        """Classes of a probability above one half."""
        return self.classes_[(self.predict_proba(X)[:, 1] > 0.5).astype(int)]


def _rounded(optimizer: Any) -> Iterator[tuple[float, np.ndarray]]:
    """Do what its ``optimize`` does; the last step of that needs a numpy before 2.3."""
    beam, pool = optimizer.sparseLogRegModel_object, optimizer.sparseDiversePoolLogRegModel_object
    beam.get_sparse_sol_via_OMP(
        k=optimizer.k, parent_size=optimizer.parent_size, child_size=optimizer.child_size
    )
    pool.warm_start_from_beta0_betas_ExpyXB(*beam.get_beta0_betas_ExpyXB())
    intercepts, weights = pool.get_sparseDiversePool(
        gap_tolerance=optimizer.sparseDiverseSet_gap_tolerance,
        select_top_m=optimizer.sparseDiverseSet_select_top_m,
        maxAttempts=optimizer.sparseDiverseSet_maxAttempts,
    )
    for found in np.column_stack([intercepts, weights]):
        yield optimizer.starRaySearchModel_object.line_search_scale_and_round(found)


def _frame(X: np.ndarray) -> pd.DataFrame:
    return pd.DataFrame(np.asarray(X), columns=range(np.asarray(X).shape[1]))


def streed(n_conditions: int) -> Any:
    """An optimal tree of so many inner nodes, not deeper than four; it is not monotone."""
    from pystreed import STreeDClassifier

    depth = 3 if n_conditions <= 7 else 4
    return STreeDClassifier(max_depth=depth, max_num_nodes=n_conditions, time_limit=TREE_SECONDS)


def figs(n_conditions: int, seed: int) -> Any:
    """A sum of trees of so many inner nodes together; it is not monotone."""
    from imodels import FIGSClassifier

    return FIGSClassifier(max_rules=n_conditions, random_state=seed)
