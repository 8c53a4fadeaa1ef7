"""Measure everything: ``python -m benchmarks`` (or ``make bench``, which installs the peer too).

``--quick`` runs all measurements on small tables, to see that they work; its figures mean
nothing and are not written down. ``--only NAME`` runs the measurements of one module.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from importlib import import_module
from pathlib import Path

from benchmarks import page
from benchmarks.harness import Section

__all__ = ["main"]

#: Modules with a function ``run(quick)``, in the order of the table.
_MODULES = (
    "imports",
    "integral_rows",
    "solvers",
    "scale",
    "frames",
    "classes",
    "growth",
    "maxitive",
    "extensions",
    "ranking",
    "selection",
    "learners",
    "exports",
    "page_size",
    "reading",
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmarks; the exit status is 1 if a promise is broken."""
    options = _parse(arguments)
    sections = []
    for name in options.only or _MODULES:
        print(f"measuring: {name}", file=sys.stderr, flush=True)
        section: Section = import_module(f"benchmarks.{name}").run(options.quick)
        sections.append(section)
    rows = [row for section in sections for row in section.rows]
    if options.quick:
        print(page.plain_table([replace(row, met=None) for row in rows]))
        print("A smoke run: small tables, few repeats, no verdict.")
        return 0
    print(page.plain_table(rows))
    if not options.only:
        page.write(sections, options.output)
    return int(any(row.met is False for row in rows))


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small tables, one repeat, no page")
    parser.add_argument("--only", action="append", choices=_MODULES, help="only this module")
    parser.add_argument(
        "--output",
        type=Path,
        default=Path(__file__).parents[1] / "docs",
        help="folder of benchmarks.md (default: docs)",
    )
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
