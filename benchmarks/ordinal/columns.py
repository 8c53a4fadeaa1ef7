"""What is compared: our classifiers of ordered classes and others."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from benchmarks.folding import Measure
from benchmarks.ordinal.tables import Ordered
from sugeno import SugenoEnsembleClassifier, SugenoOrdinalClassifier

__all__ = ["COLUMNS", "PEERS", "Column"]


@dataclass(frozen=True)
class Column:
    """A learner, and what is noted about it on one fold."""

    name: str
    build: Callable[[], Any]
    about: str

    def on(self, table: Ordered) -> Measure:
        """Return what measures the learner on a fold of a table."""
        return lambda train, test: self.measure(table.part(train), table.part(test))

    def measure(self, train: Ordered, test: Ordered) -> dict[str, Any]:
        """Sum up errors, distances and ranked probability scores on the test rows."""
        classifier = self.build()
        start = time.thread_time()
        classifier.fit(train.X, train.y)
        seconds = time.thread_time() - start
        found = np.asarray(classifier.predict(test.X), dtype=np.int64)
        result: dict[str, Any] = {
            "errors": int(np.count_nonzero(found != test.y)),
            "distance": int(np.abs(found - test.y).sum()),
            "seconds": round(seconds, 3),
        }
        if hasattr(classifier, "predict_proba"):
            shares = classifier.predict_proba(test.X)
            classes = getattr(classifier, "classes_", np.unique(train.y))
            score = _ranked_score(shares, np.asarray(classes), test)
            result["ranked_score"] = round(score, 6)
        rules = getattr(classifier, "rules_", None)
        if rules is not None:
            result["rules"] = [len(of) for of in rules]
            sizes = [len(s) for of in rules for s in of.sets]
            result["criteria"] = round(float(np.mean(sizes or [0])), 3)
        return result


def _ranked_score(shares: np.ndarray, classes: np.ndarray, test: Ordered) -> float:
    """Sum over rows of the mean squared error of the probabilities of "at least"."""
    full = np.zeros((len(shares), test.n_classes))
    full[:, classes.astype(int)] = shares
    higher = 1 - np.cumsum(full, axis=1)[:, :-1]
    passed = test.y[:, None] > np.arange(test.n_classes - 1)
    return float(((higher - passed) ** 2).mean(axis=1).sum())


class PerBoundary(ClassifierMixin, BaseEstimator):
    """One classifier per class boundary; their probabilities are made to fall."""

    def __init__(self, build: Callable[[int], Any]) -> None:
        self.build = build

    def fit(self, X: np.ndarray, y: np.ndarray) -> PerBoundary:
        self.classes_ = np.unique(y)
        self.parts_ = [self.build(X.shape[1]).fit(X, y > c) for c in self.classes_[:-1]]
        return self

    def _passed(self, X: np.ndarray) -> np.ndarray:
        each = np.column_stack([part.predict_proba(X)[:, 1] for part in self.parts_])
        return np.minimum.accumulate(each, axis=1)

    def predict(self, X: np.ndarray) -> np.ndarray:
        return self.classes_[(self._passed(X) > 0.5).sum(axis=1)]

    def predict_proba(self, X: np.ndarray) -> np.ndarray:
        ends = np.ones((len(X), 1))
        return -np.diff(np.hstack([ends, self._passed(X), 0 * ends]), axis=1)


class Rounded(BaseEstimator):
    """A monotone regression on the places of the classes, rounded."""

    def fit(self, X: np.ndarray, y: np.ndarray) -> Rounded:
        self.most_ = y.max()
        self.model_ = HistGradientBoostingRegressor(
            monotonic_cst=[1] * X.shape[1], random_state=0
        ).fit(X, y)
        return self

    def predict(self, X: np.ndarray) -> np.ndarray:
        return np.clip(np.rint(self.model_.predict(X)), 0, self.most_).astype(int)


def _ours(**options: Any) -> Callable[[], Any]:
    return lambda: SugenoOrdinalClassifier(directions=None, **options)


def _ensembles() -> Any:
    return PerBoundary(lambda m: SugenoEnsembleClassifier(directions=None))


def _boosting() -> Any:
    return PerBoundary(
        lambda m: HistGradientBoostingClassifier(monotonic_cst=[1] * m, random_state=0)
    )


def _mord() -> Any:
    from mord import LogisticAT

    return make_pipeline(StandardScaler(), LogisticAT())


def _pom() -> Any:
    from skordinal.classifiers import POM

    return make_pipeline(StandardScaler(), POM())


def _redsvm() -> Any:
    from skordinal.classifiers import REDSVM

    return make_pipeline(StandardScaler(), REDSVM())


def _logistic() -> Any:
    return make_pipeline(StandardScaler(), LogisticRegression(max_iter=2000))


#: All columns by name, in the order in which they are shown.
COLUMNS = {
    column.name: column
    for column in (
        Column("distilled", _ours(), "`SugenoOrdinalClassifier()`: ≤ 5 rules per boundary"),
        Column("distilled absolute", _ours(loss="absolute"), '`loss="absolute"`'),
        Column("distilled 0/1", _ours(loss="zero_one"), '`loss="zero_one"`'),
        Column(
            "shared",
            _ours(levels="shared", loss="absolute"),
            'one integral: `levels="shared", loss="absolute"`',
        ),
        Column(
            "3 levels",
            _ours(levels=3, loss="absolute"),
            '`levels=3, loss="absolute"`, exact, no limit on the rules',
        ),
        Column("ensembles", _ensembles, "`SugenoEnsembleClassifier` per boundary: no rules"),
        Column("mord", _mord, "ordinal logistic regression, `mord.LogisticAT`, standardised"),
        Column("HGB", _boosting, "monotone HistGradientBoostingClassifier per boundary"),
        Column("HGB rounded", Rounded, "monotone HistGradientBoostingRegressor, rounded"),
        Column("LR", _logistic, "multinomial logistic regression, standardised"),
        Column("POM", _pom, "proportional odds, `skordinal`'s `POM`, standardised"),
        Column(
            "REDSVM",
            _redsvm,
            "support vectors for ordered classes, `skordinal`'s `REDSVM`, standardised",
        ),
    )
}

#: What is not ours.
PEERS = ("mord", "HGB", "HGB rounded", "LR", "POM", "REDSVM")
