"""Ordered classes: a fit of five classes beside the fit of two on the same table."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.harness import Row, Section, side_by_side
from sugeno import SugenoClassifier, SugenoOrdinalClassifier

__all__ = ["run"]

#: At most so many fits of two classes.
FIT = 10.0


def run(quick: bool) -> Section:
    """Measure the exact fit of thresholds on one integral, for both losses."""
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
    return Section("Ordered classes", rows)
