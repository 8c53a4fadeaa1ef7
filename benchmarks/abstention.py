"""Error on the rows that are answered: the tables of ``docs/abstention.md``.

``python -m benchmarks.abstention --repeats 1``; a run that was stopped goes on where it stopped.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.ensemble import HistGradientBoostingClassifier

from benchmarks.folding import Measure, folds_measured, main, number
from benchmarks.harness import markdown_table
from benchmarks.relabelling import load_task
from sugeno import SugenoClassifier, SugenoDistiller, SugenoEnsembleClassifier
from sugeno.paper.baselines import logistic
from sugeno.paper.experiments.journal import Record
from sugeno.paper.experiments.paper import DATASETS
from sugeno.plot.errors import coverage_and_error

PAGE = Path("docs/abstention.md")
#: Shares of the rows that are answered.
COVERAGES = (1.0, 0.95, 0.9, 0.8, 0.7, 0.6, 0.5)

#: Learners by name; rows are turned so that more is better.
LEARNERS: dict[str, Callable[[int], Any]] = {
    "LR": lambda m: logistic(),
    "HGB": lambda m: HistGradientBoostingClassifier(monotonic_cst=[1] * m, random_state=0),
    "ensemble": lambda m: SugenoEnsembleClassifier(directions=None),
    "rules": lambda m: SugenoDistiller(directions=None, abstain=True),
    "SI": lambda m: SugenoClassifier(directions=None, abstain=True),
    "SI, 3 levels": lambda m: SugenoClassifier(levels=3, directions=None, abstain=True),
}
#: Those that know what the training rows leave open.
OPEN = ("rules", "SI", "SI, 3 levels")


def _column(X: np.ndarray, y: np.ndarray, name: str) -> Measure:
    def result(train: np.ndarray, test: np.ndarray) -> dict[str, Any]:
        fitted = clone(LEARNERS[name](X.shape[1])).fit(X[train], y[train])
        chances = fitted.predict_proba(X[test])
        wrong = fitted.classes_[chances.argmax(axis=1)] != y[test]
        found = {"chance": chances.max(axis=1).round(9).tolist(), "wrong": wrong.tolist()}
        if name in OPEN:
            found["open"] = (fitted.predict_set(X[test]).sum(axis=1) > 1).tolist()
        return found

    return result


def _rows(records: list[Record], column: str, what: str) -> np.ndarray:
    """Something about each test row, of all folds together."""
    return np.concatenate([record.results[column][what] for record in records])


def _errors(records: list[Record], column: str) -> np.ndarray:
    """Error on the rows that are answered, at each coverage; a tie counts in part."""
    name = column.removesuffix(", by probability")
    certainty = _rows(records, name, "chance")
    if name in OPEN and name == column:
        certainty = certainty + ~_rows(records, name, "open")
    coverage, error = coverage_and_error(certainty, _rows(records, name, "wrong"))
    wrong = np.interp(COVERAGES, np.r_[0, coverage], np.r_[0, coverage * error])
    return wrong / COVERAGES


def _table(known: dict[str, list[Record]]) -> str:
    columns = [*LEARNERS, *(f"{name}, by probability" for name in OPEN)]
    means = {c: np.mean([_errors(found, c) for found in known.values()], axis=0) for c in columns}
    rows = [[column, *map(number, values.tolist())] for column, values in means.items()]
    return markdown_table(["answered", *(f"{c:.0%}" for c in COVERAGES)], rows)


def _tasks(known: dict[str, list[Record]], coverage: float) -> str:
    place = COVERAGES.index(coverage)
    rows = [
        [task, *(number(float(_errors(found, column)[place])) for column in LEARNERS)]
        for task, found in known.items()
    ]
    return markdown_table(["", *LEARNERS], rows)


def _open(known: dict[str, list[Record]]) -> str:
    """How many rows are open, and the errors on them and on the others."""
    rows = []
    for task, found in known.items():
        cells: list[object] = [task]
        for name in OPEN:
            is_open, wrong = _rows(found, name, "open"), _rows(found, name, "wrong")
            parts = [wrong[is_open], wrong[~is_open]]
            rates = [number(float(part.mean()) if part.size else np.nan) for part in parts]
            cells += [number(float(is_open.mean())), *rates]
        rows.append(cells)
    head = [h for name in OPEN for h in (f"{name}: open", "errors there", "errors elsewhere")]
    return markdown_table(["", *head], rows)


def _sections(known: dict[str, list[Record]]) -> list[str]:
    return [
        folds_measured(known),
        "### Error by share of rows answered, mean over the tasks\n\n" + _table(known),
        "### Error with 80 % answered\n\n" + _tasks(known, 0.8),
        "### What is open\n\n" + _open(known),
    ]


if __name__ == "__main__":
    main(PAGE, __doc__, load_task, DATASETS, _column, [*LEARNERS], _sections)
