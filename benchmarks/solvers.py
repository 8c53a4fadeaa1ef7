"""The minimum cut against the linear program, and against the implementation of the paper."""

from __future__ import annotations

import warnings
from importlib import import_module
from typing import Any

import numpy as np
from sklearn.base import clone

from benchmarks.data import noisy_table
from benchmarks.harness import Row, Section, side_by_side
from sugeno import SugenoClassifier
from sugeno._counts.table import Table
from sugeno._counts.weights import row_weights
from sugeno._learning.training import at_threshold, prepare
from sugeno.solvers.closure import solve_closure
from sugeno.solvers.program import solve_lp

__all__ = ["run"]

#: How many times faster the cut is, and the whole fit than the package on PyPI.
CUT_FASTER, PEER_FASTER = 30.0, 200.0


def run(quick: bool) -> Section:
    """Compare solvers, and whole fits."""
    repeats = 1 if quick else 5
    rows = [*_against_program(200 if quick else 1000, 6 if quick else 10, repeats)]
    rows.append(_all_subsets(200 if quick else 1000, 6 if quick else 10, repeats))
    rows.append(_against_peer(100 if quick else 300, 6 if quick else 12, repeats))
    return Section("Against the linear program", rows)


def _against_program(n: int, m: int, repeats: int) -> list[Row]:
    X, y = noisy_table(n, m)
    up = np.ones(m)
    table = Table.of(X, y.astype(np.intp), row_weights(None, n))
    training = prepare(table, np.array([False, True]), directions=up)
    patterns = at_threshold(training, training.median_threshold).patterns
    cut, program = side_by_side(
        lambda: solve_closure(patterns), lambda: solve_lp(patterns), repeats
    )
    fit, program_fit = side_by_side(
        lambda: SugenoClassifier(directions=up).fit(X, y),
        lambda: SugenoClassifier(directions=up, solver="lp").fit(X, y),
        repeats,
    )
    ratio = program / cut
    return [
        Row(
            f'closure against `solver="lp"`, n = {n}, m = {m}, k = None ({len(patterns.masks)} '
            "patterns)",
            f"{ratio:.0f} × faster",
            f"{CUT_FASTER:g} ×",
            ratio >= CUT_FASTER,
        ),
        Row("the same, whole `fit` (directions given)", f"{program_fit / fit:.0f} × faster"),
    ]


def _all_subsets(n: int, m: int, repeats: int) -> Row:
    X, y = noisy_table(n, m)
    model = SugenoClassifier(k=3, subsets="all", directions=np.ones(m))
    program = clone(model).set_params(solver="lp")
    cut, highs = side_by_side(lambda: model.fit(X, y), lambda: program.fit(X, y), repeats)
    return Row(
        f'`fit` with `subsets="all"`, n = {n}, m = {m}, k = 3, against `solver="lp"`',
        f"{highs / cut:.0f} × faster, {1e3 * cut:.0f} ms",
    )


def _against_peer(n: int, m: int, repeats: int) -> Row:
    what = f"`SugenoClassifier().fit` against `sugeno-classifier` 1.0.1, n = {n}, m = {m}"
    peer = _peer()
    if peer is None:
        return Row(what, "not installed; `make bench` installs it", f"{PEER_FASTER:g} ×")
    X, y = noisy_table(n, m)
    ours, theirs = side_by_side(
        lambda: _fit_quietly(SugenoClassifier(), X, y),
        lambda: _fit_quietly(peer(margin=0.01), X, y),
        repeats,
    )
    ratio = theirs / ours
    return Row(what, f"{ratio:.0f} × faster", f"{PEER_FASTER:g} ×", ratio >= PEER_FASTER)


def _fit_quietly(peer: Any, X: Any, y: Any) -> None:
    """Fit the peer, whatever its own dependencies have to say about how it calls them."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        peer.fit(X, y)


def _peer() -> Any:
    try:
        return import_module("classifier.sugeno_classifier").SugenoClassifier
    except ImportError:
        return None
