"""Measure tables as they come, on random splits, and write the tables of ``docs/tables.md``.

``python -m benchmarks.mixed --splits 3``; a run that was stopped goes on where it stopped.
``--page`` only writes the tables from what was measured.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from benchmarks.mixed.columns import COLUMNS
from benchmarks.mixed.page import write_page
from benchmarks.mixed.tables import TABLES, load_table
from sugeno.paper.experiments.journal import Journal, Key
from sugeno.paper.experiments.runner import pending, run

PAGE = Path("docs/tables.md")
#: Percentage of the rows to learn from.
SHARE = 60


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--splits", type=int, default=3)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("build/mixed"))
    parser.add_argument("--columns", nargs="+", choices=COLUMNS, default=[*COLUMNS])
    parser.add_argument("--tables", nargs="+", choices=TABLES, default=[*TABLES])
    parser.add_argument("--page", action="store_true", help="only write the page")
    options = parser.parse_args()
    journal = Journal(options.out / "splits.jsonl")
    tables = {name: load_table(name) for name in options.tables}
    if not options.page:
        keys = [
            Key(options.seed, name, SHARE, split)
            for split in range(options.splits)
            for name in tables
        ]
        columns = [COLUMNS[name] for name in options.columns]
        wanted = dict.fromkeys(tables, columns)
        fingerprints = {name: table.fingerprint for name, table in tables.items()}
        items = pending(keys, fingerprints, wanted, journal)
        run(items, tables, journal, jobs=options.jobs, progress=_say)
        journal.rewrite()
    write_page(PAGE, journal, tables.values(), options.seed)
    print(f"\n{PAGE}")


def _say(done: int, todo: int) -> None:
    print(f"\r{done} of {todo} splits", end="", flush=True)


if __name__ == "__main__":
    main()
