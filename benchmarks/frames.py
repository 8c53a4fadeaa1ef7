"""Tables beyond memory: what a fit and a decision cost on DuckDB, against plain scans of the files.

What takes longer has a program of its own: `benchmarks.frames_large`.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb
import numpy as np
from numpy.typing import NDArray

from benchmarks.harness import Row, Section, best_of, markdown_table
from sugeno import SugenoClassifier, dumps

__all__ = ["CRITERIA", "columns_of", "filters", "generated_rows", "run", "write_rows"]

CRITERIA = 8
_SCALE = 5
#: Columns that `predict_frame` adds, and what writing them may cost beside copying the file.
_OUTPUTS = {
    ("prediction",): "≤ 2 ×",
    ("prediction", "probability"): "≤ 2 ×",
    ("prediction", "probability", "rule"): "≤ 2 ×",
}


def run(quick: bool) -> Section:
    """Ordinal criteria in Parquet; every figure beside a scan of the same files."""
    n = 20_000 if quick else 10_000_000
    with TemporaryDirectory() as folder:
        return _measured(n, Path(folder), in_memory=True)


def _measured(n: int, folder: Path, *, in_memory: bool) -> Section:
    path = write_rows(n, folder)
    passes: list[str] = []
    clf = SugenoClassifier()
    fit = _seconds(lambda: clf.fit_frame(path, "y", explain=passes.append))
    scan, copy, *decide = best_of(
        2,
        lambda: duckdb.sql(filters(f"'{path}'")).fetchall(),
        lambda: duckdb.sql(f"COPY (FROM '{path}') TO '{folder}/copy.parquet'"),
        *(partial(_decide, clf, path, outputs, folder) for outputs in _OUTPUTS),
    )
    per_pass = fit / len(passes) / scan
    size = f"{n:,} × {CRITERIA} in Parquet"
    rows = [
        Row(
            f"`fit_frame` on DuckDB, {size}",
            f"{len(passes)} passes, each {per_pass:.1f} × a scan with a filter per criterion",
            "≤ 5 ×, ≤ 12 passes",
            per_pass <= 5 and len(passes) <= 12,
        ),
        *(
            Row(
                f"`predict_frame` to Parquet on DuckDB ({', '.join(outputs)}), {size}",
                f"{seconds / copy:.1f} × copying the file",
                target,
                seconds <= 2 * copy,
            )
            for (outputs, target), seconds in zip(_OUTPUTS.items(), decide)
        ),
    ]
    if in_memory:
        rows.append(_beside_memory(path, clf, fit, folder))
    rows.append(Row(f"rules of this model, {size}", str(len(clf.rules_))))
    seconds = [("fit", fit), ("scan", scan), ("copy", copy)]
    seconds += [(f"write {', '.join(o)}", took) for o, took in zip(_OUTPUTS, decide)]
    table = markdown_table(["what", "seconds"], [(name, f"{took:.2f}") for name, took in seconds])
    return Section("Tables beyond memory", rows, [table])


def _decide(clf: SugenoClassifier, path: str, outputs: Sequence[str], folder: Path) -> None:
    clf.predict_frame(path, outputs=outputs).write_parquet(f"{folder}/decided.parquet")


def _without_names(clf: SugenoClassifier) -> object:
    """What a model file says, but for the names that only a frame has."""
    content = json.loads(dumps(clf))
    del content["target"]
    for model in content["models"]:
        del model["named"]
    return content


def _beside_memory(path: str, clf: SugenoClassifier, frame_seconds: float, folder: Path) -> Row:
    """The same model from an array on disk, loading included."""
    X, y = columns_of(path)
    np.save(folder / "X.npy", X)
    np.save(folder / "y.npy", y.astype(np.int64))
    del X, y
    other = SugenoClassifier()
    seconds = _seconds(lambda: other.fit(np.load(folder / "X.npy"), np.load(folder / "y.npy")))
    if _without_names(other) != _without_names(clf):
        raise AssertionError("the models differ")
    return Row(
        "the same against `fit` on an array, loading included",
        f"{frame_seconds / seconds:.2f} ×",
        "≤ 1 ×",
        frame_seconds <= seconds,
    )


def generated_rows(n: int) -> str:
    """Random ordinal criteria and noisy labels, made by the engine itself: a query."""
    columns = ", ".join(
        f"(hash(i * {CRITERIA} + {j}) % {_SCALE})::TINYINT AS x{j}" for j in range(CRITERIA)
    )
    total = " + ".join(f"x{j}" for j in range(CRITERIA))
    middle, noise = CRITERIA * (_SCALE - 1) // 2, 2 * _SCALE
    label = f"({total} + hash(x0 + 31 * i) % {noise} >= {middle + noise // 2})::TINYINT AS y"
    return f"SELECT * EXCLUDE i, {label} FROM (SELECT i, {columns} FROM range({n}) AS t(i))"


def write_rows(n: int, folder: Path) -> str:
    """Such rows in a file of Parquet."""
    path = f"{folder}/rows.parquet"
    duckdb.sql(f"COPY ({generated_rows(n)}) TO '{path}' (FORMAT PARQUET)")
    return path


def columns_of(path: str) -> tuple[NDArray[np.int8], NDArray[np.int8]]:
    """Criteria and labels of such a file as arrays."""
    columns = duckdb.sql(f"FROM '{path}'").fetchnumpy()
    y = columns.pop("y")
    return np.column_stack(list(columns.values())), y


def filters(rows: str) -> str:
    """Count the rows that pass a filter, for each criterion."""
    counts = ", ".join(f"count(*) FILTER (x{j} >= 2)" for j in range(CRITERIA))
    return f"SELECT {counts} FROM {rows}"


def _seconds(function: Callable[[], object]) -> float:
    start = time.perf_counter()
    function()
    return time.perf_counter() - start
