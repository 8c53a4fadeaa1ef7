"""What ``import sugeno`` adds to the import of what it cannot do without."""

from __future__ import annotations

import os
import subprocess
import sys

from benchmarks.harness import Row, Section

__all__ = ["run"]

#: At most so many imports of what is needed.
IMPORT = 1.3
#: What is needed: arrays, the graphs of the minimum cuts, the estimator contract.
_NEEDED = "numpy, scipy.sparse, sklearn.base"


def run(quick: bool) -> Section:
    """Import in fresh interpreters that take turns; their own start is not counted."""
    turns = [
        [_seconds(modules) for modules in ("sugeno", _NEEDED)] for _ in range(1 if quick else 10)
    ]
    ours, needed = (min(seconds) for seconds in zip(*turns))
    ratio = ours / needed
    return Section(
        "Import",
        [
            Row(
                "`import sugeno`",
                f"{ratio:.2f} × `import {_NEEDED}` ({ours:.2f} s)",
                f"at most {IMPORT:g} ×",
                ratio <= IMPORT,
            )
        ],
    )


def _seconds(modules: str) -> float:
    code = (
        "from time import perf_counter\n"
        "start = perf_counter()\n"
        f"import {modules}\n"
        "print(perf_counter() - start)\n"
    )
    # What an installed package has compiled is not compiled again.
    compiled = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=compiled
    )
    return float(done.stdout)
