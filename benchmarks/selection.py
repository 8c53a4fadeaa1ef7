"""Choosing k by cross-validation."""

from __future__ import annotations

import time

from sklearn.model_selection import StratifiedKFold

from benchmarks.harness import Row, Section
from sugeno import SugenoClassifierCV
from sugeno.datasets import load

__all__ = ["run"]

#: Seconds on two cores.
SECONDS = 15.0


def run(quick: bool) -> Section:
    """Cross-validate k = 1…m on the widest of the paper's tasks."""
    name = "ESL" if quick else "ILP"
    bunch = load(name)
    folds = StratifiedKFold(3 if quick else 10, shuffle=True, random_state=0)
    start = time.perf_counter()
    model = SugenoClassifierCV(levels="shared", cv=folds, n_jobs=1 if quick else 2)
    model.fit(bunch.data, bunch.target)
    seconds = time.perf_counter() - start
    n, m = bunch.data.shape
    return Section(
        "Choosing k",
        [
            Row(
                f"`SugenoClassifierCV(levels='shared')` over k = 1…{m}, {name} ({n} × {m}), "
                f"{folds.get_n_splits()}-fold, 2 cores",
                f"{seconds:.1f} s (k = {model.k_})",
                f"under {SECONDS:g} s",
                seconds < SECONDS,
            )
        ],
    )
