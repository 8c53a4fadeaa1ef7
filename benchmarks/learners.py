"""The classifier to begin with, the ensemble and levels: seconds, and ratios against boosting."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.exceptions import ConvergenceWarning

from benchmarks.data import noisy_table
from benchmarks.harness import Row, Section, side_by_side
from sugeno import (
    SugenoClassifier,
    SugenoClassifierCV,
    SugenoDistiller,
    SugenoEnsembleClassifier,
    SugenoOrdinalClassifierCV,
)
from sugeno.datasets import load

__all__ = ["run"]

#: Seconds on two cores, and ratios.
CV_1000, CV_583, ENSEMBLE_1000 = 20.0, 15.0, 2.0
LONG, LEVELS, PREDICT, MIXED = 20.0, 10.0, 4.0, 1.5
#: Seconds beyond a limit of time.
BEYOND = 1.0


def run(quick: bool) -> Section:
    """Time each learner on its tables; long ones beside LightGBM on the same rows."""
    n, long, jobs = (60, 200, 1) if quick else (1000, 100_000, 2)
    rows = [*_short(n, quick, jobs), *_long(long, 6 if quick else 30, jobs)]
    if not quick:
        rows += _long(1_000_000, 15, jobs, promised=False)
    rows += [*_mixed(n, jobs), *_limited(200 if quick else 2000)]
    return Section("Learners", [*rows, *_levels(long), _predict(long)])


def _seconds(action: Callable[[], Any]) -> float:
    start = time.perf_counter()
    action()
    return time.perf_counter() - start


def _short(n: int, quick: bool, jobs: int) -> list[Row]:
    X, y = noisy_table(n, 10)
    up = np.ones(10)
    rows = [
        _limit(
            f"`SugenoClassifierCV().fit`, {n} × 10, 2 cores",
            _seconds(lambda: SugenoClassifierCV(directions=up, n_jobs=jobs).fit(X, y)),
            CV_1000,
        ),
        _limit(
            f"`SugenoEnsembleClassifier().fit`, {n} × 10, 2 cores",
            _seconds(lambda: SugenoEnsembleClassifier(directions=up, n_jobs=jobs).fit(X, y)),
            ENSEMBLE_1000,
        ),
    ]
    if not quick:
        bunch = load("ILP")
        model = SugenoClassifierCV(directions=bunch.directions, n_jobs=jobs)
        seconds = _seconds(lambda: model.fit(bunch.data, bunch.target))
        rows.append(_limit("`SugenoClassifierCV().fit`, ILP (583 × 9), 2 cores", seconds, CV_583))
    return rows


def _limit(what: str, seconds: float, most: float) -> Row:
    return Row(what, f"{seconds:.1f} s", f"under {most:g} s", seconds < most)


def _long(n: int, m: int, jobs: int, *, promised: bool = True) -> list[Row]:
    """Long tables: ours beside LightGBM with the same constraints and as many threads."""
    try:
        from lightgbm import LGBMClassifier
    except ModuleNotFoundError:
        return [Row(f"`fit`, {n:,} × {m}, beside LightGBM", "lightgbm is not installed")]
    X, y = noisy_table(n, m)
    up = np.ones(m, dtype=int)
    peer = LGBMClassifier(monotone_constraints=up.tolist(), n_jobs=jobs, verbose=-1)
    theirs = _seconds(lambda: peer.fit(X, y))
    rows = []
    for model in (SugenoEnsembleClassifier, SugenoClassifierCV):
        ours = _seconds(lambda model=model: model(directions=up, n_jobs=jobs).fit(X, y))
        ratio = ours / theirs
        rows.append(
            Row(
                f"`{model.__name__}().fit`, {n:,} × {m}",
                f"{ratio:.1f} × LightGBM's `fit` ({ours:.0f} s)",
                f"under {LONG:g} ×" if promised else "",
                ratio < LONG if promised else None,
            )
        )
    return rows


def _mixed(n: int, jobs: int) -> list[Row]:
    """Ten of thirty columns as labels without an order, beside the numbers that they stand for."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, 30))
    y = X[:, :3].sum(axis=1) + X[:, 20:24].sum(axis=1) / 2 + rng.normal(size=n) > 0
    numbers = pd.DataFrame(X, columns=[f"v{j}" for j in range(30)])
    mixed = numbers.copy()
    for name in numbers.columns[20:]:
        labels = np.array([f"l{place}" for place in rng.permutation(12)])
        mixed[name] = labels[np.digitize(numbers[name], np.linspace(-1.8, 1.8, 11))]
    rows = []
    for model in (
        SugenoClassifierCV(n_jobs=jobs),
        SugenoEnsembleClassifier(n_jobs=jobs),
        SugenoClassifier(),
    ):
        ours, theirs = side_by_side(
            lambda model=model: model.fit(mixed, y), lambda model=model: model.fit(numbers, y), 1
        )
        what = f"`{type(model).__name__}().fit`, {n:,} × 20 numbers and 10 columns of labels"
        measured = f"{ours / theirs:.1f} × 30 numbers ({ours:.1f} s)"
        rows.append(Row(what, measured, f"at most {MIXED:g} ×", ours <= MIXED * theirs))
    return rows


def _limited(m: int) -> list[Row]:
    """Wide tables within limits of time."""
    X, y = noisy_table(300, m)
    ordered = np.digitize(X[:, :3].sum(axis=1), [-1.0, 1.0])
    rows = []
    for model, labels in ((SugenoClassifierCV, y), (SugenoOrdinalClassifierCV, ordered)):
        for limit in (0.5, 2.0, 5.0):
            clf = model(directions=None, time_limit=limit)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", ConvergenceWarning)  # the time is over
                seconds = _seconds(lambda clf=clf, labels=labels: clf.fit(X, labels))
            what = f"`{model.__name__}(time_limit={limit:g}).fit`, 300 × {m}"
            target = f"at most {BEYOND:g} s beyond the limit"
            rows.append(Row(what, f"{seconds:.1f} s", target, seconds <= limit + BEYOND))
    return rows


def _levels(n: int) -> list[Row]:
    """All levels of ordinal criteria at once: one minimum cut over 5^8 cells at most."""
    rng = np.random.default_rng(0)
    X = rng.integers(0, 5, size=(n, 8)).astype(float)
    y = X.sum(axis=1) + rng.normal(0, 3, n) > 16
    booster = HistGradientBoostingClassifier(monotonic_cst=[1] * 8)
    ours, theirs = side_by_side(
        lambda: SugenoClassifier(levels="all", directions=None).fit(X, y),
        lambda: booster.fit(X, y),
        1,
    )
    ratio = ours / theirs
    what = f"`SugenoClassifier(levels='all').fit`, {n:,} × 8, 5 levels"
    measured = f"{ratio:.1f} × HistGradientBoosting's `fit` ({ours:.1f} s)"
    return [Row(what, measured, f"under {LEVELS:g} ×", ratio < LEVELS)]


def _predict(n: int) -> Row:
    """Predict by distilled rules beside one comparison of the table with a row of levels."""
    X, y = noisy_table(n, 10)
    few = slice(0, min(n, 1000))
    model = SugenoDistiller(directions=np.ones(10), max_rules=7).fit(X[few], y[few])
    level = X.mean(axis=0)
    ours, theirs = side_by_side(lambda: model.predict(X), lambda: np.greater_equal(X, level), 5)
    ratio = ours / theirs
    what = f"`predict` of {len(model.rules_)} distilled rules, {n:,} × 10"
    return Row(what, f"{ratio:.1f} × `X >= levels`", f"at most {PREDICT:g} ×", ratio <= PREDICT)
