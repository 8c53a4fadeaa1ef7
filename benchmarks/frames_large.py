"""Tables beyond memory at full size: too long for the ordinary run, each asked for by its name.

``python -m benchmarks.frames_large parquet 100000000`` and so on; see `_PARTS`. Each prints its
rows with their targets, and the peak memory of its process.
"""

from __future__ import annotations

import resource
import sys
import time
import warnings
from collections.abc import Callable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import duckdb

from benchmarks.frames import CRITERIA, columns_of, filters, generated_rows, write_rows
from benchmarks.harness import Row
from sugeno import SugenoClassifier

__all__ = ["main"]

#: What a fit of 10⁸ rows may take of the memory, in GB.
_MOST_MEMORY = 1.0


def main(part: str, n: int) -> None:
    """Measure one part, and print its rows."""
    with TemporaryDirectory() as folder:
        rows = _PARTS[part](n, Path(folder))
    for row in rows:
        print(f"{row.what}: {row.measured} (target: {row.target or 'reported'}; {row.verdict})")


def _parquet(n: int, folder: Path) -> list[Row]:
    """A fit of files, against a scan of them with a filter per criterion; DuckDB with a limit."""
    path = write_rows(n, folder)
    connection = _limited()
    files = connection.read_parquet(path)
    scan = _seconds(lambda: connection.execute(filters(f"'{path}'")).fetchall())
    clf = SugenoClassifier()
    fit = _seconds(lambda: clf.fit_frame(files, "y"))
    return _fit_rows(f"{n:,} × {CRITERIA} in Parquet on DuckDB", clf, fit, scan, limited=True)


def _generated(n: int, folder: Path) -> list[Row]:
    """A fit of rows that the engine makes while it counts, so that no file is needed."""
    connection = _limited()
    scan = _seconds(lambda: connection.execute(filters(f"({generated_rows(n)})")).fetchall())
    clf = SugenoClassifier()
    fit = _seconds(lambda: clf.fit_frame(connection.sql(generated_rows(n)), "y"))
    return _fit_rows(f"{n:,} × {CRITERIA} made by DuckDB", clf, fit, scan, limited=False)


def _fit_rows(
    what: str, clf: SugenoClassifier, fit: float, scan: float, *, limited: bool
) -> list[Row]:
    per_pass, memory = fit / clf.n_passes_ / scan, _peak_memory()
    return [
        Row(
            f"`fit_frame`, {what}",
            f"{fit:.0f} s, {clf.n_passes_} passes, each {per_pass:.1f} × a scan of {scan:.1f} s",
            "≤ 5 ×, ≤ 12 passes" if limited else "",
            per_pass <= 5 and clf.n_passes_ <= 12 if limited else None,
        ),
        Row(f"peak memory, {what}", f"{memory:.2f} GB", "< 1 GB", memory < _MOST_MEMORY),
    ]


def _spark(n: int, folder: Path) -> list[Row]:
    """Spark on two cores, against its own count with the same filters."""
    warnings.simplefilter("ignore")
    from pyspark.sql import SparkSession
    from pyspark.sql import functions as F

    path = write_rows(n, folder)
    quiet = {"spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false"}
    small = {"spark.sql.shuffle.partitions": "2", "spark.driver.memory": "2g"}
    session = SparkSession.builder.master("local[2]").config(map=quiet | small).getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    frame = session.read.parquet(path)
    counts = [F.count(F.when(F.col(f"x{j}") >= 2, 1)) for j in range(CRITERIA)]
    frame.agg(*counts).collect()  # Java warms up
    scan = min(_seconds(lambda: frame.agg(*counts).collect()) for _ in range(2))
    clf = SugenoClassifier()
    fit = _seconds(lambda: clf.fit_frame(frame, "y"))
    session.stop()
    per_pass = fit / clf.n_passes_ / scan
    return [
        Row(
            f"`fit_frame`, {n:,} × {CRITERIA} on Spark local[2]",
            f"{fit:.0f} s, {clf.n_passes_} passes, each {per_pass:.1f} × a count of {scan:.1f} s",
            "≤ 3 × per pass",
            per_pass <= 3,
        )
    ]


def _boosted(library: str, n: int, folder: Path) -> list[Row]:
    """A boosted monotone ensemble of others in memory, on the same rows, loading included."""
    path = write_rows(n, folder)
    X: Any = None

    def fit() -> Any:
        nonlocal X
        X, y = columns_of(path)
        return _booster(library).fit(X, y), y

    start = time.perf_counter()
    model, y = fit()
    seconds = time.perf_counter() - start
    error = float((model.predict(X) != y).mean())
    what = f"{library}, monotone, 100 rounds, {n:,} × {CRITERIA} in memory"
    return [Row(what, f"{seconds:.0f} s, {_peak_memory():.2f} GB, {error:.2%} errors on its rows")]


def _booster(library: str) -> Any:
    if library == "LightGBM":
        from lightgbm import LGBMClassifier

        return LGBMClassifier(monotone_constraints=[1] * CRITERIA, n_jobs=2, verbose=-1)
    from xgboost import XGBClassifier

    return XGBClassifier(monotone_constraints=(1,) * CRITERIA, n_jobs=2, n_estimators=100)


def _ours(n: int, folder: Path) -> list[Row]:
    """Our rules on the same rows, from the file."""
    path = write_rows(n, folder)
    clf = SugenoClassifier()
    seconds = _seconds(lambda: clf.fit_frame(_limited().read_parquet(path), "y"))
    error = clf.objective_ / n
    what = f"`fit_frame`, {n:,} × {CRITERIA} in Parquet on DuckDB, {len(clf.rules_)} rules"
    return [Row(what, f"{seconds:.0f} s, {_peak_memory():.2f} GB, {error:.2%} errors on its rows")]


def _limited() -> duckdb.DuckDBPyConnection:
    return duckdb.connect(config={"memory_limit": "500MB"})


def _peak_memory() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20


def _seconds(function: Callable[[], object]) -> float:
    start = time.perf_counter()
    function()
    return time.perf_counter() - start


_PARTS: dict[str, Callable[[int, Path], list[Row]]] = {
    "parquet": _parquet,
    "generated": _generated,
    "spark": _spark,
    "ours": _ours,
    "lightgbm": partial(_boosted, "LightGBM"),
    "xgboost": partial(_boosted, "XGBoost"),
}

if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
