"""How well the scores rank: the graded Sugeno integral against the bare verdict."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.metrics import roc_auc_score

from benchmarks.data import splits, tasks
from benchmarks.harness import Row, Section, markdown_table
from sugeno import SugenoClassifier

__all__ = ["run"]

_SCORES = ("verdict 0/1", "Sugeno integral", "probability")


def run(quick: bool) -> Section:
    """AUC on held-out halves (k = None)."""
    number = 2 if quick else 10
    found = {name: _task(bunch, number) for name, bunch in tasks(quick)}
    bare, graded, probability = np.mean(list(found.values()), axis=0)
    rows = [(name, *(f"{auc:.3f}" for auc in value)) for name, value in found.items()]
    return Section(
        "Scores",
        [
            Row(
                f"AUC of `decision_function` on held-out halves, mean over {len(found)} tasks",
                f"{graded:.3f}; verdict alone {bare:.3f}, `predict_proba` {probability:.3f}",
                "above the verdict alone",
                bool(graded > bare),
            )
        ],
        [
            f"Mean AUC over {number} random halves per task.",
            markdown_table(["task", *_SCORES], rows),
        ],
    )


def _task(bunch: Any, number: int) -> np.ndarray[Any, np.dtype[np.float64]]:
    total = np.zeros(len(_SCORES))
    for train, test in splits(bunch.target, 0.5, number, seed=0):
        model = SugenoClassifier(directions=bunch.directions)
        model.fit(bunch.data[train], bunch.target[train])
        rows, labels = bunch.data[test], bunch.target[test]
        scores = (
            model.predict(rows),
            model.decision_function(rows),
            model.predict_proba(rows)[:, 1],
        )
        total += [roc_auc_score(labels, score) for score in scores]
    return total / number
