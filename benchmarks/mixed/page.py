"""The tables of ``docs/tables.md``, from the journal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from benchmarks.accuracy.page import Results
from benchmarks.folding import number, rewrite_tables
from benchmarks.harness import markdown_table
from benchmarks.mixed.columns import COLUMNS, READABLE
from benchmarks.mixed.tables import TABLES, MixedTable
from sugeno.paper.experiments.journal import Journal

__all__ = ["write_page"]

#: What is shown of every column on every table.
_MEASURES = {"errors": "Error", "auc": "AUC", "log_loss": "Log loss", "seconds": "CPU seconds"}


def write_page(page: Path, journal: Journal, tables: Iterable[MixedTable], seed: int) -> None:
    """Write the tables below the mark of the page."""
    results = Results.of(journal, seed, COLUMNS)
    parts = [
        _about(results),
        "## The tables\n\n" + _tables(tables),
        *(f"## {title}\n\n{_by_table(results, what)}" for what, title in _MEASURES.items()),
        "## What a person reads\n\n" + _forms(results),
    ]
    rewrite_tables(page, parts)


def _about(results: Results) -> str:
    fewest = min(results.splits(name)[0] for name in results.found)
    lines = [f"- **{name}**: {COLUMNS[name].about}" for name in results.found]
    measured = {table for table, _ in results.cells}
    left_out = [name for name in (*COLUMNS, *TABLES) if name not in {*results.found, *measured}]
    missed = f"\n\nNot measured this time: {', '.join(left_out)}." if left_out else ""
    return f"Splits of each table: {fewest}.\n\n" + "\n".join(lines) + missed


def _tables(tables: Iterable[MixedTable]) -> str:
    rows = [
        [
            table.name,
            TABLES[table.name][0],
            f"{table.X.shape[0]:,}",
            table.X.shape[1],
            table.n_text,
            f"{int(table.X.isna().to_numpy().sum()):,}",
            number(float(table.y.mean())),
        ]
        for table in tables
    ]
    head = ["table", "positive", "rows", "columns", "of text", "missing cells", "share"]
    return markdown_table(head, rows)


def _by_table(results: Results, what: str) -> str:
    """A row per column, a column per table, and the mean."""
    write = (lambda value: f"{value:.1f}") if what == "seconds" else number
    rows = []
    for name in results.found:
        values = [results.level(what, name, [cell]) for cell in results.cells]
        rows.append([name, *map(write, values), write(float(np.mean(values)))])
    return markdown_table(["", *(table for table, _ in results.cells), "mean"], rows)


def _forms(results: Results) -> str:
    """Which form was chosen, and the median of its conditions."""
    rows = []
    for name in (name for name in READABLE if name in results.found):
        shown = []
        for cell in results.cells:
            found = [*results.found[name][cell].values()]
            conditions = np.median([one["conditions"] for one in found])
            forms = Counter("points" if one["form"] == "points" else "rules" for one in found)
            said = ", ".join(f"{form} {count}" for form, count in sorted(forms.items()))
            shown.append(f"{conditions:.0f} ({said})")
        rows.append([name, *shown])
    head = ["conditions (form, splits)", *(table for table, _ in results.cells)]
    return markdown_table(head, rows)
