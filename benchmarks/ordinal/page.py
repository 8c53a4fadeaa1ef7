"""The tables of ``docs/ordinal.md``, from the journal."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from benchmarks.folding import (
    complete,
    folds_measured,
    mean,
    mean_ranks,
    means,
    number,
    rank_number,
    ranked_table,
    rewrite_tables,
)
from benchmarks.harness import markdown_table
from benchmarks.ordinal.columns import COLUMNS, PEERS
from benchmarks.ordinal.tables import TABLES
from sugeno.paper.experiments.journal import Journal, Record

__all__ = ["write_page"]

#: What a public learner (exact relabelling, then rules) had in 5 × 10 folds, untuned.
REFERENCE = {"ESL": (0.328, 0.353, 39), "LEV": (0.371, 0.404, 25), "ERA": (0.728, 1.249, 24)}
_SHOWN = {
    "errors": "Share of wrong classes",
    "distance": "Mean distance in classes",
    "ranked_score": "Mean ranked probability score",
}


def write_page(path: Path, journal: Journal) -> None:
    """Write the tables from the folds that all columns have."""
    known = complete(journal, TABLES, COLUMNS)
    about = "\n".join(f"- **{column.name}**: {column.about}" for column in COLUMNS.values())
    tables = (
        f"### {title}\n\n" + ranked_table(known, COLUMNS, what) for what, title in _SHOWN.items()
    )
    parts = [
        folds_measured(known),
        about,
        *tables,
        "### Beside the peers\n\n" + _peers(known),
        "### Beside the reference\n\n" + _reference(known),
        "### Rules and time\n\n" + _rules(known),
    ]
    rewrite_tables(path, parts)


def _peers(known: dict[str, list[Record]]) -> str:
    """Mean ranks of the default among the peers: our other columns are near copies of it."""
    names = ["distilled", *PEERS]
    ranks = [mean_ranks(means(known, names, what)).tolist() for what in _SHOWN]
    rows = [[name, *map(rank_number, found)] for name, found in zip(names, zip(*ranks))]
    return markdown_table(["mean rank", "wrong", "distance", "ranked score"], rows)


def _reference(known: dict[str, list[Record]]) -> str:
    rows: list[list[object]] = [
        [
            name,
            *(number(mean(known[name], "distilled", what)) for what in ("errors", "distance")),
            f"{np.mean([sum(r.results['distilled']['rules']) for r in known[name]]):.1f}",
            number(errors),
            number(distance),
            rules,
        ]
        for name, (errors, distance, rules) in REFERENCE.items()
        if name in known
    ]
    if len(rows) == len(REFERENCE):
        ours = [
            np.mean([mean(known[name], "distilled", what) for name in REFERENCE])
            for what in ("errors", "distance")
        ]
        theirs = np.mean([row[:2] for row in REFERENCE.values()], axis=0)
        rows.append(["mean", *map(number, ours), "", *map(number, theirs), ""])
    head = ["", "wrong", "distance", "rules in all", "reference: wrong", "distance", "rules"]
    return markdown_table(head, rows)


def _rules(known: dict[str, list[Record]]) -> str:
    rows = []
    for name in COLUMNS:
        results = [record.results[name] for found in known.values() for record in found]
        seconds = f"{np.mean([result['seconds'] for result in results]):.2f}"
        if "rules" not in results[0]:
            rows.append([name, "–", "–", "–", seconds])
            continue
        each = np.concatenate([result["rules"] for result in results])
        criteria = f"{np.mean([result['criteria'] for result in results]):.1f}"
        rows.append([name, f"{each.mean():.1f}", f"{each.max()}", criteria, seconds])
    head = ["", "rules per boundary", "most", "criteria per rule", "CPU seconds per fit"]
    return markdown_table(head, rows)
