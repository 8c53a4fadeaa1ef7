"""Measure classifiers of ordered classes, ten-fold, and write the tables of ``docs/ordinal.md``.

``python -m benchmarks.ordinal --repeats 1``; a run that was stopped goes on where it stopped.
``--page`` only writes the tables from what was measured.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from benchmarks.folding import measure
from benchmarks.ordinal.columns import COLUMNS
from benchmarks.ordinal.page import write_page
from benchmarks.ordinal.tables import TABLES, load_table
from sugeno.paper.experiments.journal import Journal

PAGE = Path("docs/ordinal.md")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("build/ordinal"))
    parser.add_argument("--columns", default=",".join(COLUMNS))
    parser.add_argument("--tables", default=",".join(TABLES))
    parser.add_argument("--page", action="store_true", help="only write the page")
    options = parser.parse_args()
    journal = Journal(options.out / "folds.jsonl")
    if not options.page:
        tables = {name: load_table(name) for name in options.tables.split(",")}
        measure(
            journal,
            {name: (table.X, table.y) for name, table in tables.items()},
            lambda name: {c: COLUMNS[c].on(tables[name]) for c in options.columns.split(",")},
            options.repeats,
        )
        journal.rewrite()
    write_page(PAGE, journal)
    print(PAGE)


if __name__ == "__main__":
    main()
