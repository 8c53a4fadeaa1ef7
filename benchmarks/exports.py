"""What it costs to predict elsewhere: SQL on DuckDB, and ONNX Runtime, against our own predict.

The SQL of a large ensemble is long, so it counts how long DuckDB plans it too.
"""

from __future__ import annotations

from functools import partial
from time import process_time
from typing import Any

import duckdb
import numpy as np
import onnxruntime
import pyarrow as pa

from benchmarks.data import noisy_table
from benchmarks.harness import Row, Section, side_by_side
from sugeno import SugenoClassifier, SugenoEnsembleClassifier
from sugeno.export import to_onnx, to_sql

__all__ = ["run"]


def run(quick: bool) -> Section:
    """Labels of many rows, one thread each; all three must agree."""
    n, m = (2_000, 6) if quick else (1_000_000, 6)
    X, y = noisy_table(n, m)
    train = slice(0, 2_000)
    clf = SugenoClassifier(levels=3, max_rules=8, time_limit=5).fit(X[train], y[train])
    ours = partial(clf.predict, X)
    elsewhere = {"SQL on DuckDB": _on_duckdb(clf, X), "ONNX Runtime": _on_onnx(clf, X)}
    rows = []
    for name, theirs in elsewhere.items():
        if not (np.asarray(theirs()) == ours()).all():
            raise AssertionError(f"{name} and predict disagree")
        mine, other = side_by_side(ours, theirs, 1 if quick else 5)
        rows.append(
            Row(
                f"`predict` by {name}, {n:,} × {m}, {len(clf.rules_)} rules",
                f"{other / mine:.1f} × our own `predict`",
            )
        )
    return Section("Exports", [*rows, *_ensemble(quick)])


def _ensemble(quick: bool) -> list[Row]:
    """An ensemble of ten continuous columns, which has thousands of levels."""
    n = 500 if quick else 100_000
    X, y = noisy_table(n, 10)
    train = slice(0, 300 if quick else 3_000)
    clf = SugenoEnsembleClassifier(n_bags=2 if quick else 20).fit(X[train], y[train])
    elsewhere, planning = _on_duckdb(clf, X), _on_duckdb(clf, X[:1])
    start = process_time()
    planning()
    planned = process_time() - start
    if not (np.asarray(elsewhere()) == clf.predict(X)).all():
        raise AssertionError("SQL on DuckDB and the ensemble disagree")
    mine, other = side_by_side(partial(clf.predict, X), elsewhere, 1 if quick else 3)
    levels = clf.model_.literals.levels.size
    what = f"an ensemble of {levels:,} levels"
    size = len(to_sql(clf, output="label")) / 1e6
    return [
        Row(f"SQL of {what} on DuckDB, a row", f"{planned:.1f} s for {size:.1f} MB of text"),
        Row(
            f"`predict` of {what} by SQL on DuckDB, {n:,} × 10",
            f"{other / mine:.1f} × our own `predict`",
        ),
    ]


def _on_duckdb(clf: SugenoClassifier | SugenoEnsembleClassifier, X: Any) -> Any:
    """The expression on a table of the database; the answers come back as an array."""
    connection = duckdb.connect(config={"threads": 1})
    frame = pa.table({f"x{j}": column for j, column in enumerate(X.T)})
    connection.register("frame", frame)
    connection.execute("CREATE TABLE t AS SELECT * FROM frame")
    query = f"SELECT ({to_sql(clf, output='label')}) AS label FROM t"
    return lambda: connection.execute(query).fetchnumpy()["label"]


def _on_onnx(clf: SugenoClassifier, X: Any) -> Any:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(
        to_onnx(clf).SerializeToString(), options, providers=["CPUExecutionProvider"]
    )
    rows = np.ascontiguousarray(X, dtype=np.float64)
    return lambda: session.run(["label"], {"X": rows})[0]
