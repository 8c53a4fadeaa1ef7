"""The Sugeno integral against ``np.argsort`` of the same matrix, in one run.

Run with ``python -m benchmarks.integral``. The promise: for a million rows of ten criteria and a
capacity of which every set is focal, the integral costs at most 5 times the sort, and needs less
than 4 times the memory of the matrix.
"""

from __future__ import annotations

import time
import tracemalloc
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sugeno import Capacity, sugeno_integral

#: What the dense case may cost, in sorts and in matrices.
MAX_TIME_RATIO = 5.0
MAX_MEMORY_RATIO = 4.0


def dense_capacity(m: int, seed: int) -> Capacity:
    """Draw a capacity of which every non-empty set is focal: larger sets get larger values."""
    random = np.random.default_rng(seed)
    sizes = np.bitwise_count(np.arange(1 << m, dtype=np.uint64))
    table = (sizes + random.uniform(-0.4, 0.4, 1 << m)) / m
    table[0], table[-1] = 0.0, 1.0
    return Capacity.from_dense(table)


def sparse_capacity(m: int, n_sets: int, seed: int) -> Capacity:
    """Draw a capacity with a few focal sets of one size and different values."""
    random = np.random.default_rng(seed)
    sets = {tuple(random.choice(m, 4, replace=False).tolist()): j for j in range(n_sets)}
    return Capacity({s: (j + 1) / n_sets for s, j in sets.items()}, m=m)


def best_of(repeats: int, *functions: Callable[[], object]) -> list[float]:
    """Time functions in turn, so that a busy moment hits them alike, and keep the best."""
    best = [float("inf")] * len(functions)
    for _ in range(repeats):
        for at, function in enumerate(functions):
            start = time.perf_counter()
            function()
            best[at] = min(best[at], time.perf_counter() - start)
    return best


def peak_memory(function: Callable[[], object]) -> int:
    """Return the most memory that a call holds, with its result, in bytes."""
    tracemalloc.start()
    try:
        function()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def measure(
    name: str, utilities: NDArray[np.float64], capacity: Capacity, form: Any, repeats: int
) -> dict[str, Any]:
    def integral() -> object:
        return sugeno_integral(utilities, capacity, form=form)

    sort, seconds = best_of(repeats, lambda: np.argsort(utilities, axis=1), integral)
    return {
        "case": name,
        "form": form,
        "seconds": seconds,
        "argsort_seconds": sort,
        "time_ratio": seconds / sort,
        "memory_ratio": peak_memory(integral) / utilities.nbytes,
    }


def run(n_rows: int = 1_000_000, repeats: int = 5) -> list[dict[str, Any]]:
    """Measure all forms on a dense capacity, and the default one on a sparse capacity.

    The slow forms get a tenth of the rows and one repetition; their ratio is the same.
    """
    random = np.random.default_rng(0)
    wide = random.random((n_rows, 10))
    few = wide[: max(1, n_rows // 10)]
    sparse = random.random((max(1, n_rows // 10), 60))
    dense, name = dense_capacity(10, 1), "10 criteria, 1023 focal sets"
    return [
        measure(name, wide, dense, "sorted", repeats),
        measure(name, few, dense, "median", 1),
        measure(name, few, dense, "dnf", 1),
        measure("60 criteria, 20 focal sets", sparse, sparse_capacity(60, 20, 2), "sorted", 1),
    ]


def main() -> None:
    results = run()
    for row in results:
        print(
            f"{row['case']:<30} {row['form']:<7} {row['seconds']:7.3f} s"
            f"  {row['time_ratio']:6.2f} x argsort  {row['memory_ratio']:5.2f} x memory of U"
        )
    first = results[0]
    kept = first["time_ratio"] <= MAX_TIME_RATIO and first["memory_ratio"] < MAX_MEMORY_RATIO
    print(
        f"promise: at most {MAX_TIME_RATIO:g} x argsort and less than {MAX_MEMORY_RATIO:g} x "
        f"memory: {'kept' if kept else 'BROKEN'}"
    )


if __name__ == "__main__":
    main()
