"""Results that are kept with the code, so that a new measurement adds to them.

A result holds as long as its recipe does: that of a peer as long as its version is the same, ours
as long as the code that learns is.
"""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from sugeno.paper.experiments.journal import Journal, Record

__all__ = ["KEPT", "drop_stale", "keep", "recall"]

KEPT = Path(__file__).with_name("results.jsonl.gz")


def recall(journal: Journal, path: Path = KEPT) -> None:
    """Add to a journal what was kept and it does not have."""
    if not path.exists():
        return
    for line in gzip.decompress(path.read_bytes()).splitlines():
        record = Record.from_line(line)
        known = journal.records.get(record.key)
        if known is None or record.results.keys() - known.results.keys():
            journal.add(record if known is None else record.merge(known))


def drop_stale(journal: Journal, recipes: Mapping[str, str]) -> None:
    """Forget results that another recipe gave: a page shows one code, not several."""
    for key, record in journal.records.items():
        holding = {
            name: result
            for name, result in record.results.items()
            if result["recipe"] == recipes.get(name)
        }
        journal.records[key] = replace(record, results=holding)


def keep(journal: Journal, path: Path = KEPT) -> None:
    """Keep what a journal holds: the same bytes for the same results."""
    lines = [journal.records[key].to_line() for key in sorted(journal.records)]
    path.write_bytes(gzip.compress("".join(f"{line}\n" for line in lines).encode(), mtime=0))
