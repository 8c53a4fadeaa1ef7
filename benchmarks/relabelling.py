"""Does it help to learn from monotone labels? The tables of ``docs/relabelling.md``.

``python -m benchmarks.relabelling --repeats 1``; a run that was stopped goes on where it stopped.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.ensemble import HistGradientBoostingClassifier

from benchmarks.folding import (
    Measure,
    folds_measured,
    main,
    mean,
    number,
)
from benchmarks.harness import markdown_table
from sugeno import RelabelledClassifier, SugenoClassifier, SugenoDistiller, monotone_labels
from sugeno.datasets import load
from sugeno.paper.baselines import ChoquisticRegression, GiniTree, logistic
from sugeno.paper.experiments.journal import Record
from sugeno.paper.experiments.paper import DATASETS

PAGE = Path("docs/relabelling.md")

#: Learners by name; rows are turned so that more is better.
LEARNERS: dict[str, Callable[[int], Any]] = {
    "LR": lambda m: logistic(),
    "DT": lambda m: GiniTree(random_state=0),
    "HGB": lambda m: HistGradientBoostingClassifier(monotonic_cst=[1] * m, random_state=0),
    "CR": lambda m: ChoquisticRegression(directions=None),
    "SI": lambda m: SugenoClassifier(directions=None),
    "rules": lambda m: SugenoDistiller(directions=None),
}
COLUMNS = [name + suffix for name in LEARNERS for suffix in ("", " relabelled")]


def load_task(name: str) -> tuple[np.ndarray, np.ndarray]:
    """Load a task of the paper, turned so that more is better."""
    task = load(name)
    return np.asarray(task.data, dtype=float) * task.directions + 0.0, np.asarray(task.target)


def _column(X: np.ndarray, y: np.ndarray, name: str) -> Measure:
    inside = LEARNERS[name.split()[0]](X.shape[1])
    if name.endswith("relabelled"):
        inside = RelabelledClassifier(inside, directions=None)

    def errors(train: np.ndarray, test: np.ndarray) -> dict[str, Any]:
        fitted = clone(inside).fit(X[train], y[train])
        return {"errors": int(np.count_nonzero(fitted.predict(X[test]) != y[test]))}

    return errors


def _changes(names: list[str]) -> str:
    """How far each task is from monotone."""
    rows = []
    for name in names:
        X, y = load_task(name)
        found = monotone_labels(X, y, directions=None)
        rows.append([name, len(y), found.changed.size, len(found.violations)])
    return markdown_table(["task", "rows", "labels to change", "pairs that violate"], rows)


def _errors(known: dict[str, list[Record]]) -> str:
    rows = [
        [name, *(number(mean(found, column, "errors")) for column in COLUMNS)]
        for name, found in known.items()
    ]
    means = [np.mean([mean(found, c, "errors") for found in known.values()]) for c in COLUMNS]
    rows.append(["mean", *map(number, means)])
    return markdown_table(["task", *COLUMNS], rows)


def _differences(known: dict[str, list[Record]]) -> str:
    """Relabelled less plain, in points, with the standard error over tasks."""
    rows = []
    for name in LEARNERS:
        gaps = [
            100 * (mean(found, f"{name} relabelled", "errors") - mean(found, name, "errors"))
            for found in known.values()
        ]
        error = np.std(gaps, ddof=1) / np.sqrt(len(gaps)) if len(gaps) > 1 else np.nan
        better = sum(gap < 0 for gap in gaps)
        rows.append([name, f"{np.mean(gaps):+.2f} ± {error:.2f}", f"{better} of {len(gaps)}"])
    head = ["", "relabelled − plain, points ± se over tasks", "tasks with fewer errors"]
    return markdown_table(head, rows)


def _sections(known: dict[str, list[Record]]) -> list[str]:
    return [
        folds_measured(known),
        "### What has to change\n\n" + _changes(list(known)),
        "### Share of wrong classes\n\n" + _errors(known),
        "### Difference\n\n" + _differences(known),
    ]


if __name__ == "__main__":
    main(PAGE, __doc__, load_task, DATASETS, _column, [*COLUMNS], _sections)
