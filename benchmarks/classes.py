"""Ordered classes: five beside two on the same table, and the default on three small tables."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from benchmarks.harness import Row, Section, best_of, side_by_side
from sugeno import SugenoClassifier, SugenoOrdinalClassifier
from sugeno.datasets import load_raw

__all__ = ["run"]

#: At most so many fits of two classes.
FIT = 10.0
#: Seconds of a default fit of a small table with all its classes.
SMALL_FIT = 1.0


def run(quick: bool) -> Section:
    """Measure the exact fit of thresholds on one integral, then the default."""
    return Section("Ordered classes", [*_against_two(quick), *_small(quick)])


def _against_two(quick: bool) -> list[Row]:
    n, m, repeats = (2000, 4, 1) if quick else (100_000, 8, 3)
    rng = np.random.default_rng(0)
    X = rng.integers(0, 5, size=(n, m)).astype(float)
    score = X.sum(axis=1) + rng.normal(0, 3, n)
    y = np.searchsorted(np.quantile(score, [0.2, 0.4, 0.6, 0.8]), score)

    def two() -> Any:
        return SugenoClassifier(directions=None).fit(X, y >= 2)

    rows = []
    for loss in ("absolute", "zero_one"):
        five = SugenoOrdinalClassifier(levels="shared", loss=loss, directions=None)
        fitting, plain = side_by_side(lambda five=five: five.fit(X, y), two, repeats)
        what = f"5 classes, loss {loss}, n = {n:,}, m = {m} of 5 values"
        measured = f"{fitting / plain:.2f} × `SugenoClassifier` on 2 classes"
        rows.append(Row(what, measured, f"at most {FIT:g} ×", fitting / plain <= FIT))
    return rows


def _small(quick: bool) -> list[Row]:
    rows = []
    for name in ("LEV",) if quick else ("ESL", "LEV", "ERA"):
        table = load_raw(name)
        clf = SugenoOrdinalClassifier(directions=table.directions)
        (seconds,) = best_of(1 if quick else 5, partial(clf.fit, table.data, table.target))
        n, m = table.data.shape
        what = f"`SugenoOrdinalClassifier().fit`, {name} ({n} × {m}, {clf.classes_.size} classes)"
        rows.append(Row(what, f"{seconds:.2f} s", f"under {SMALL_FIT:g} s", seconds < SMALL_FIT))
    return rows
