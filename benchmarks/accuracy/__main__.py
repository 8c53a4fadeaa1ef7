"""Measure accuracy on many splits, resumably, and write ``docs/accuracy.md``.

``python -m benchmarks.accuracy --splits 50 --jobs 2``; a run that was stopped goes on where it
stopped, and one with new code begins with the results that are kept in the repository and still
hold. ``--page`` only writes the page from what was measured, ``--keep`` keeps it.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from benchmarks.accuracy.columns import COLUMNS
from benchmarks.accuracy.kept import adopt, drop_stale, keep, recall
from benchmarks.accuracy.page import write_page
from benchmarks.accuracy.tables import FURTHER, load_tables
from sugeno.paper.experiments.journal import Journal, Key
from sugeno.paper.experiments.paper import DATASETS, SHARES
from sugeno.paper.experiments.runner import pending, run

PAGE = Path("docs/accuracy.md")


def keys(seed: int, splits: int) -> list[Key]:
    """List all splits: the paper's tasks at three shares, the further tables at one."""
    return [
        Key(seed, name, share, split)
        for split in range(splits)  # outermost: a run that is stopped has whole rounds of splits
        for name, shares in [
            *((name, SHARES) for name in DATASETS),
            *((name, (50,)) for name in FURTHER),
        ]
        for share in shares
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--splits", type=int, default=50)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--out", type=Path, default=Path("build/accuracy"))
    parser.add_argument("--columns", default=",".join(COLUMNS))
    parser.add_argument("--page", action="store_true", help="only write the page")
    parser.add_argument("--keep", action="store_true", help="keep the results in the repository")
    parser.add_argument(
        "--adopt",
        type=Path,
        metavar="JOURNAL",
        help="splits measured again: columns that are the same there keep their older results",
    )
    options = parser.parse_args()
    journal = Journal(options.out / "splits.jsonl")
    recall(journal)
    if options.adopt is not None:
        print("the same:", ", ".join(adopt(journal, Journal(options.adopt))) or "none")
    recipes = {name: column.recipe for name, column in COLUMNS.items()}
    drop_stale(journal, recipes)
    recall(journal)  # in place of what was stale
    drop_stale(journal, recipes)
    if not options.page:
        wanted = [COLUMNS[name] for name in options.columns.split(",")]
        tables = load_tables((*DATASETS, *FURTHER))
        fingerprints = {name: table.fingerprint for name, table in tables.items()}
        items = pending(
            keys(options.seed, options.splits),
            fingerprints,
            dict.fromkeys(tables, wanted),
            journal,
        )
        run(items, tables, journal, jobs=options.jobs, progress=_say)
        journal.rewrite()
    if options.keep:
        keep(journal)
    write_page(PAGE, journal, options.seed)
    print(f"\n{PAGE}")


def _say(done: int, todo: int) -> None:
    print(f"\r{done} of {todo} splits", end="", flush=True)


if __name__ == "__main__":
    main()
