"""Missing values, natural and hidden on purpose: the tables of ``docs/missing.md``.

``python -m benchmarks.missing --repeats 1``; a run that was stopped goes on where it stopped. The
tables with their own missing values are read from the folder in ``$SUGENO_DATA``.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline

from benchmarks.folding import (
    Measure,
    main,
    mean,
    number,
    ranked_table,
)
from benchmarks.harness import markdown_table
from benchmarks.relabelling import load_task
from sugeno import SugenoClassifier, SugenoEnsembleClassifier
from sugeno.datasets._sources import SOURCES
from sugeno.datasets._tasks import TASKS
from sugeno.paper.experiments.journal import Record

PAGE = Path("docs/missing.md")
READINGS = ("pessimistic", "optimistic", "interval")
#: Directions and positive class of the tables that have missing values of their own.
NATURAL: dict[str, tuple[list[int], Callable[[pd.Series], pd.Series]]] = {
    "mmg": ([1, 1, 1, 1, -1], lambda y: y == 1),
    "mpg": ([-1, -1, -1, -1, 1, 1, 1], lambda y: y > 22.75),
    "bcw": ([1] * 9, lambda y: y == 4),
    "bcc": ([1, 1, 1, 1, 1, -1, 1], lambda y: y == 1),
}
#: How values are hidden: at random, by another column, or because they are bad.
MASKS = {
    "random": "Hidden at random",
    "other": "Hidden where the first column is bad",
    "bad": "Only bad values hidden",
}
MASKED = ("ESL", "LEV", "ERA", "HAB", "BCW", "MPG")
SHARES = (5, 20, 40)
COLUMNS = [
    *(f"{kind}{reading}" for kind in ("", "3 levels, ") for reading in READINGS),
    "imputed",
    "3 levels, imputed",
    "ensemble, pessimistic",
    "ensemble, imputed",
    "HGB",
]


def tables() -> list[str]:
    """Names of all tables; a mask is part of the name."""
    masks = [f"{kind} {share} %" for kind in MASKS for share in SHARES]
    return [*NATURAL, *(f"{name}, {mask}" for name in MASKED for mask in masks)]


def load_table(name: str) -> tuple[np.ndarray, np.ndarray]:
    """Load a table with its missing values, turned so that more is better."""
    if name in NATURAL:
        directions, positive = NATURAL[name]
        table = pd.read_csv(Path(os.environ["SUGENO_DATA"]) / f"{name}.csv")
        table = _coded(table) if name == "bcc" else table
        y = positive(table.iloc[:, -1]).to_numpy().astype(int)
        return table.iloc[:, :-1].to_numpy(dtype=float) * directions + 0.0, y
    task, kind, share = name.replace(",", "").removesuffix(" %").split()
    X, y = load_task(task)
    hidden = _hidden(X, kind, int(share) / 100)
    return np.where(hidden, np.nan, X), y


def _coded(table: pd.DataFrame) -> pd.DataFrame:
    """The categories of BCC by rank, as in the paper's task, with the rows that are incomplete."""
    source, task = SOURCES["bcc"], TASKS["BCC"]
    table = table.rename(columns=source.aliases)
    coded = {name: table[name].map(codes) for name, codes in source.codes.items()}
    return table.assign(**coded)[[*task.criteria, task.rule.column]]


def _hidden(X: np.ndarray, kind: str, share: float) -> np.ndarray:
    """Choose entries to hide; their share of all entries is that asked for.

    At random; among the worse half of each column only ("bad"); or in rows whose first column,
    which is always known, is in its worse half ("other").
    """
    rng = np.random.default_rng(0)
    bad = np.median(X, axis=0) >= X
    if kind == "bad":
        hidden = (rng.random(X.shape) < share / bad.mean(axis=0)) & bad
    elif kind == "other":
        m, rows = X.shape[1], bad[:, :1]
        hidden = (rng.random(X.shape) < share * m / (m - 1) / rows.mean()) & rows
        hidden[:, 0] = False
    else:
        hidden = rng.random(X.shape) < share
    hidden[hidden.all(axis=1), 0] = False
    return hidden


def _build(name: str, m: int) -> Any:
    if name.startswith("ensemble"):
        imputed = name.endswith("imputed")
        reading = "error" if imputed else "pessimistic"
        ensemble = SugenoEnsembleClassifier(missing=reading, directions=None)
        return _imputed(ensemble) if imputed else ensemble
    levels = 3 if name.startswith("3 levels") else "shared"
    reading = name.removeprefix("3 levels, ")
    if name == "HGB":
        return HistGradientBoostingClassifier(monotonic_cst=[1] * m, random_state=0)
    if reading == "imputed":
        return _imputed(SugenoClassifier(levels=levels, directions=None))
    return SugenoClassifier(levels=levels, missing=reading, directions=None)


def _imputed(inside: Any) -> Any:
    return make_pipeline(SimpleImputer(strategy="median"), inside)


def _column(X: np.ndarray, y: np.ndarray, name: str) -> Measure:
    def result(train: np.ndarray, test: np.ndarray) -> dict[str, Any]:
        fitted = _build(name, X.shape[1]).fit(X[train], y[train])
        rows, right = X[test], y[test]
        wrong = fitted.predict(rows) != right
        found: dict[str, Any] = {"errors": int(wrong.sum())}
        open_rows = np.isnan(rows).any(axis=1)
        if hasattr(fitted, "predict_interval"):
            low, high = fitted.predict_interval(rows).T
            found["certain"] = int((low == high).sum())
            found["certain_errors"] = int((wrong & (low == high)).sum())
        elif name == "HGB":
            found["open"] = int(open_rows.sum())
            found["outside"] = _outside(fitted, rows[open_rows])
        return found

    return result


def _outside(fitted: Any, rows: np.ndarray) -> int:
    """Count incomplete rows whose probability no completion could have."""
    if len(rows) == 0:
        return 0
    worst, best = (np.nan_to_num(rows, nan=end) for end in (-1e9, 1e9))
    low, p, high = (fitted.predict_proba(part)[:, 1] for part in (worst, rows, best))
    return int(((p < low - 1e-9) | (p > high + 1e-9)).sum())


def _overview(known: dict[str, list[Record]]) -> str:
    """Mean over the masked tables for each way of hiding values, and each share."""
    masks = [f"{kind} {share} %" for kind in MASKS for share in SHARES]
    tables_of = {mask: [known[name] for name in known if name.endswith(mask)] for mask in masks}
    rows: list[list[object]] = [
        [
            column,
            *(
                number(float(np.mean([mean(found, column, "errors") for found in tables])))
                for tables in tables_of.values()
            ),
        ]
        for column in COLUMNS
    ]
    return markdown_table(["", *masks], rows)


def _certain(known: dict[str, list[Record]]) -> str:
    rows = []
    for name, found in known.items():
        total = sum(record.rows[1] for record in found)
        cells: list[object] = [name]
        for column in ("interval", "3 levels, interval"):
            sums = {
                what: sum(record.results[column][what] for record in found)
                for what in ("certain", "certain_errors")
            }
            cells += [
                number(sums["certain"] / total),
                number(sums["certain_errors"] / max(sums["certain"], 1)),
            ]
        incomplete = sum(record.results["HGB"]["open"] for record in found)
        outside = sum(record.results["HGB"]["outside"] for record in found)
        rows.append([*cells, incomplete, outside])
    head = [
        "table",
        "certain",
        "errors among them",
        "3 levels: certain",
        "errors among them",
        "incomplete rows",
        "HGB outside every completion",
    ]
    return markdown_table(head, rows)


def _sections(known: dict[str, list[Record]]) -> list[str]:
    groups = {
        "Tables with missing values of their own": tuple(NATURAL),
        **{
            f"{title}, {share} %": tuple(f"{name}, {kind} {share} %" for name in MASKED)
            for kind, title in MASKS.items()
            for share in SHARES
        },
    }
    parts = [
        f"### {title}\n\n" + ranked_table(part, COLUMNS, "errors")
        for title, names in groups.items()
        if (part := {name: known[name] for name in names if name in known})
    ]
    overview = "### Hidden values, mean over six tables\n\n" + _overview(known)
    return [overview, *parts, "### What is certain\n\n" + _certain(known)]


if __name__ == "__main__":
    main(PAGE, __doc__, load_table, tables(), _column, [*COLUMNS], _sections)
