"""Results that are kept with the code, so that a new measurement adds to them.

A result holds as long as its recipe does: that of a peer as long as its version is the same, ours
as long as the code that learns is.
"""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from sugeno.paper.experiments.journal import Journal, Record

__all__ = ["KEPT", "adopt", "drop_stale", "keep", "recall"]

#: What may differ between two results of the same learner.
_APART = ("recipe", "seconds")
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


def adopt(journal: Journal, again: Journal, fewest: int = 20) -> list[str]:
    """Let results of other code hold where the present code was seen to give the same.

    Parameters
    ----------
    journal : Journal
        Results, some of them of other code.
    again : Journal
        Some of the same splits, measured by the present code.
    fewest : int, default=20
        Number of splits of a column that have to be the same, all of them, but for the time.

    Returns
    -------
    list of str
        The columns whose results hold.
    """
    compared: dict[tuple[str, str, str], list[bool]] = {}
    for key, record in again.records.items():
        old = journal.records.get(key)
        for name, result in record.results.items() if old is not None else ():
            if name in old.results:
                recipes = (name, old.results[name]["recipe"], result["recipe"])
                compared.setdefault(recipes, []).append(_same(old.results[name], result))
    same = {k for k, found in compared.items() if all(found) and len(found) >= fewest}
    renamed = {(name, old): new for name, old, new in same}
    for key, record in journal.records.items():
        results = {
            name: {**result, "recipe": renamed.get((name, result["recipe"]), result["recipe"])}
            for name, result in record.results.items()
        }
        journal.records[key] = replace(record, results=results)
    return sorted(name for name, _, _ in same)


def _same(old: dict[str, Any], new: dict[str, Any]) -> bool:
    """Whether two results differ at most in time and recipe, of what both of them know.

    Log losses differ in their last digits between versions of what is beneath.
    """
    known = (old.keys() & new.keys()) - {*_APART}
    return all(
        np.isclose(old[name], new[name], rtol=1e-3)
        if name == "log_loss"
        else old[name] == new[name]
        for name in known
    )


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
