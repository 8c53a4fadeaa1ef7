"""Growth of the exact fit (k = None) with the number of rows and criteria."""

from __future__ import annotations

import multiprocessing
import resource
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

import numpy as np

from benchmarks.data import noisy_table
from benchmarks.harness import Row, Section, markdown_table
from sugeno import SugenoClassifier
from sugeno.solvers import closure

__all__ = ["FIGURE", "Point", "draw", "run"]

#: Where the figure is, beside the page that shows it.
FIGURE = "benchmarks/growth.png"
#: Seconds that a fit may take, and bytes that it may use.
_SECONDS, _BYTES = 60.0, 12 << 30
_CRITERIA = (5, 10, 15, 20, 30, 60)
_ROWS = (100, 300, 1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000, 3_000_000)


class Point(NamedTuple):
    """One fit: size of the table, seconds, and size of its network."""

    n: int
    m: int
    seconds: float
    patterns: int
    arcs: int
    rules: int


def run(quick: bool) -> Section:
    """Fit the promised table, and whatever else is done within a minute."""
    if quick:
        point = measure(2_000, 30)
        return Section("Growth", [_row(point)])
    points = [point for m in _CRITERIA for point in _series(m)]
    promised = next((p for p in points if (p.n, p.m) == (100_000, 30)), None)
    details = [
        f"![Seconds of a fit against the number of rows]({FIGURE})",
        f"Each line ends where the next fit would take more than {_SECONDS:g} s, or more than "
        f"{_BYTES >> 30} GB.",
        _table(points),
    ]
    return Section("Growth", [_row(promised)], details, {FIGURE: partial(draw, points)})


def measure(n: int, m: int) -> Point:
    """Fit once, and count the arcs of the network that is cut."""
    X, y = noisy_table(n, m)
    with _recorded_networks() as networks:
        start = time.perf_counter()
        model = SugenoClassifier(directions=np.ones(m)).fit(X, y)
        seconds = time.perf_counter() - start
    patterns, arcs = networks[0]
    return Point(n, m, seconds, patterns, arcs, len(model.rules_))


@contextmanager
def _recorded_networks() -> Iterator[list[tuple[int, int]]]:
    """Note the number of patterns and of arcs whenever a network is built."""
    found: list[tuple[int, int]] = []
    build = closure._network

    def build_and_note(masks: Any, *arguments: Any) -> Any:
        network = build(masks, *arguments)
        found.append((len(masks), 0 if network is None else network[2][0].size))
        return network

    with patch.object(closure, "_network", build_and_note):
        yield found


def _series(m: int) -> Iterator[Point]:
    """Fits of more and more rows, while a fit that grows linearly would not take too long."""
    seconds_per_row = 0.0
    for n in _ROWS:
        point = _measure_apart(n, m) if n * seconds_per_row <= _SECONDS else None
        if point is None or point.seconds > _SECONDS:
            return
        seconds_per_row = point.seconds / n
        yield point


def _measure_apart(n: int, m: int) -> Point | None:
    """Measure in a process of its own, which ends when it takes too long or too much memory."""
    context = multiprocessing.get_context("spawn")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_send_measurement, args=(sender, n, m))
    process.start()
    sender.close()
    try:
        # The process also has to start and to draw its table.
        return receiver.recv() if receiver.poll(1.5 * _SECONDS) else None
    except EOFError:
        return None
    finally:
        process.kill()
        process.join()


def _send_measurement(sender: Connection, n: int, m: int) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (_BYTES, _BYTES))
    try:
        sender.send(measure(n, m))
    except (MemoryError, OverflowError):
        sender.close()


def _row(point: Point | None) -> Row:
    if point is None:
        what = "`fit`, n = 100,000, m = 30, noisy labels, k = None"
        return Row(what, "does not finish", "finishes", False)
    return Row(
        f"`fit`, n = {point.n:,}, m = {point.m}, noisy labels, k = None",
        f"{point.seconds:.1f} s; {point.patterns:,} patterns, {point.arcs:,} arcs",
        "finishes",
        True,
    )


def _table(points: list[Point]) -> str:
    head = ["criteria", "rows", "seconds", "patterns", "arcs", "rules"]
    rows = [
        (p.m, f"{p.n:,}", f"{p.seconds:.3f}", f"{p.patterns:,}", f"{p.arcs:,}", f"{p.rules:,}")
        for p in points
    ]
    return markdown_table(head, rows)


def draw(points: list[Point], path: Path) -> None:
    """Plot seconds against rows, a line for each number of criteria."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6.4, 4.0), layout="constrained")
    axes = figure.subplots()
    for m in sorted({point.m for point in points}):
        line = [point for point in points if point.m == m]
        axes.loglog([p.n for p in line], [p.seconds for p in line], marker="o", label=f"m = {m}")
    axes.axhline(_SECONDS, color="0.6", linestyle="--")
    axes.set_xlabel("rows")
    axes.set_ylabel("seconds of fit(X, y)")
    axes.set_title("Exact fit, k = None, noisy labels")
    axes.legend()
    axes.grid(visible=True, which="major", alpha=0.3)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=120)
