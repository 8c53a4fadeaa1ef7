"""The Sugeno integral beside a sort of the same matrix."""

from __future__ import annotations

from benchmarks.harness import Row, Section, markdown_table
from benchmarks.integral import MAX_MEMORY_RATIO, MAX_TIME_RATIO
from benchmarks.integral import run as measure_integral

__all__ = ["run"]


def run(quick: bool) -> Section:
    """Measure all forms; the promise is about the first."""
    n = 20_000 if quick else 1_000_000
    cases = measure_integral(n, 1 if quick else 5)
    time, memory = cases[0]["time_ratio"], cases[0]["memory_ratio"]
    what = f"Sugeno integral, n = {n:,}, m = 10, every set focal"
    table = markdown_table(
        ["capacity", "form", "× argsort", "× memory of U"],
        [
            (c["case"], c["form"], f"{c['time_ratio']:.2f}", f"{c['memory_ratio']:.2f}")
            for c in cases
        ],
    )
    return Section(
        "Sugeno integral",
        [
            Row(
                what,
                f"{time:.2f} × `np.argsort(U, axis=1)`",
                f"at most {MAX_TIME_RATIO:g} ×",
                time <= MAX_TIME_RATIO,
            ),
            Row(
                "its memory",
                f"{memory:.2f} × U",
                f"under {MAX_MEMORY_RATIO:g} ×",
                memory < MAX_MEMORY_RATIO,
            ),
        ],
        [table],
    )
