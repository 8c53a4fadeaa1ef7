"""k-maxitive capacities on the paper's tasks: certificates, the search alone, and the program."""

from __future__ import annotations

import time
from statistics import median
from typing import Any, NamedTuple

import numpy as np

from benchmarks.data import tasks
from benchmarks.harness import Row, Section, markdown_table
from sugeno import SugenoClassifier

__all__ = ["run"]

#: Share of cases with a proof, loss of the search alone, and its median milliseconds.
PROVED, LOSS, MILLISECONDS = 0.95, 0.02, 50.0


class Case(NamedTuple):
    """Training errors of one task and k, all at the default threshold with known directions."""

    task: str
    k: int
    errors: float
    gap: float
    seconds: float
    search_errors: float
    search_seconds: float
    program_errors: list[float]

    @property
    def best_known(self) -> float:
        """Fewest errors that any of the runs reached."""
        return min(self.errors, self.search_errors, *self.program_errors)


def run(quick: bool) -> Section:
    """Solve every task for k up to 4."""
    limit, seeds = (1.0, 2) if quick else (10.0, 10)
    repeats = 1 if quick else 5
    cases = [
        _case(name, bunch, k, limit, seeds, repeats)
        for name, bunch in tasks(quick)
        for k in range(1, min(4, bunch.data.shape[1]) + 1)
    ]
    rows = [_proofs(cases, limit), *_search(cases), _program(cases, seeds)]
    return Section("k-maxitive capacities on the paper's tasks", rows, [_table(cases, seeds)])


def _case(name: str, bunch: Any, k: int, limit: float, seeds: int, repeats: int) -> Case:
    def fit(**options: Any) -> Any:
        model = SugenoClassifier(k=k, directions=bunch.directions, **options)
        return model.fit(bunch.data, bunch.target)

    start = time.perf_counter()
    exact = fit(time_limit=limit)
    seconds = time.perf_counter() - start
    search_seconds = np.inf
    for _ in range(repeats):
        start = time.perf_counter()
        search = fit(time_limit=0)
        search_seconds = min(search_seconds, time.perf_counter() - start)
    programs = [fit(solver="lp", random_state=seed).objective_ for seed in range(seeds)]
    return Case(
        name,
        k,
        exact.objective_,
        exact.gap_,
        seconds,
        search.objective_,
        search_seconds,
        programs,
    )


def _proofs(cases: list[Case], limit: float) -> Row:
    open_cases = [c for c in cases if c.gap > 0]
    share = 1 - len(open_cases) / len(cases)
    rest = ", ".join(f"{c.task} k = {c.k}: {c.gap:g}" for c in open_cases)
    slowest = max(c.seconds for c in cases)
    n_tasks = len({c.task for c in cases})
    return Row(
        f"k-maxitive, {n_tasks} tasks, whole data, k = 1…4, {limit:g} s each: gap 0",
        f"{len(cases) - len(open_cases)} of {len(cases)} cases"
        + (f"; the rest: {rest}" if rest else "")
        + f"; slowest {slowest:.1f} s",
        f"{PROVED:.0%}",
        share >= PROVED,
    )


def _search(cases: list[Case]) -> list[Row]:
    found, best = sum(c.search_errors for c in cases), sum(c.best_known for c in cases)
    loss, middle = found / best - 1, 1e3 * median(c.search_seconds for c in cases)
    return [
        Row(
            "the same with `time_limit=0`: all errors against the best known",
            f"{found:g} against {best:g}: {loss:.2%} more",
            f"at most {LOSS:.0%} more",
            loss <= LOSS,
        ),
        Row(
            "the same with `time_limit=0`: median time of `fit`",
            f"{middle:.1f} ms",
            f"under {MILLISECONDS:g} ms",
            middle < MILLISECONDS,
        ),
    ]


def _program(cases: list[Case], seeds: int) -> Row:
    worse = [c for c in cases if c.errors > min(c.program_errors)]
    ours = sum(c.errors for c in cases)
    theirs = sum(min(c.program_errors) for c in cases)
    names = "".join(f"; more on {c.task} k = {c.k}" for c in worse)
    return Row(
        f"against the paper's program with random subsets, best of {seeds} seeds",
        f"{ours:g} against {theirs:g} errors{names}",
        "never more errors",
        not worse,
    )


def _table(cases: list[Case], seeds: int) -> str:
    head = [
        "task",
        "k",
        "errors",
        "gap",
        "seconds",
        "errors, `time_limit=0`",
        "ms",
        f"program, best of {seeds}",
        "program, mean",
    ]
    rows = [
        (
            c.task,
            c.k,
            f"{c.errors:g}",
            f"{c.gap:g}",
            f"{c.seconds:.2f}",
            f"{c.search_errors:g}",
            f"{1e3 * c.search_seconds:.1f}",
            f"{min(c.program_errors):g}",
            f"{float(np.mean(c.program_errors)):.1f}",
        )
        for c in cases
    ]
    return markdown_table(head, rows)
