"""A long table: fit beside a sort, predict beside a comparison, and the memory of the fit."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.data import noisy_table
from benchmarks.harness import Row, Section, peak_memory, side_by_side
from sugeno import SugenoClassifier

__all__ = ["run"]

#: At most so many sorts, comparisons and tables.
FIT, PREDICT, MEMORY, WIDE_MEMORY = 2.2, 4.0, 2.0, 4.0


def run(quick: bool) -> Section:
    """Measure fit, predict and memory on the same table, and memory on a wider one."""
    n = 20_000 if quick else 1_000_000
    return Section("Long tables", [*_long(n, 15, 1 if quick else 5), *_wide(n, 30)])


def _long(n: int, m: int, repeats: int) -> list[Row]:
    X, y = noisy_table(n, m)
    up = np.ones(m)

    def fit() -> Any:
        return SugenoClassifier(directions=up).fit(X, y)

    model = fit()
    levels = model.rules_.levels
    fitting, sorting = side_by_side(fit, lambda: np.sort(X, axis=0), repeats)
    predicting, comparing = side_by_side(
        lambda: model.predict(X), lambda: np.greater_equal(X, levels), repeats
    )
    memory = peak_memory(fit) / X.nbytes
    size = f"n = {n:,}, m = {m}"
    return [
        _row(f"`fit` (directions given), {size}", fitting / sorting, "np.sort(X, axis=0)", FIT),
        _row(f"`predict`, {size}", predicting / comparing, "X >= levels", PREDICT),
        _row("memory of that `fit` beyond X", memory, "X", MEMORY),
    ]


def _wide(n: int, m: int) -> list[Row]:
    """Memory of the default and of several levels, where all criteria matter and where five do."""
    rows = []
    for matter in (m, 5):
        X, y = noisy_table(n, m, matter=matter)
        for options in ({}, {"levels": 3, "k": 2}):
            clf = SugenoClassifier(**options)
            given = ", ".join(f"{name}={value}" for name, value in options.items())
            what = f"memory of `SugenoClassifier({given}).fit` beyond X, n = {n:,}, m = {m}"
            memory = peak_memory(lambda clf=clf, X=X, y=y: clf.fit(X, y)) / X.nbytes
            rows.append(_row(f"{what}, of which {matter} matter", memory, "X", WIDE_MEMORY))
    return rows


def _row(what: str, ratio: float, unit: str, most: float) -> Row:
    return Row(what, f"{ratio:.2f} × `{unit}`", f"at most {most:g} ×", ratio <= most)
