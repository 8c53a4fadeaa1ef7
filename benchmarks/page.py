"""The page and the table that a run leaves behind."""

from __future__ import annotations

from pathlib import Path

from benchmarks.folding import rewrite_tables
from benchmarks.harness import Row, Section, markdown_table
from benchmarks.machine import describe

__all__ = ["plain_table", "write"]

_HEAD = ("what", "measured", "target", "met?")
_OPENING = "# Benchmarks\n\n```console\n$ make bench\n```\n"


def plain_table(rows: list[Row]) -> str:
    """Lay out the one table for a terminal."""
    lines = [_HEAD, *((r.what, r.measured, r.target, r.verdict) for r in rows)]
    cells = [[cell.replace("`", "") for cell in line] for line in lines]
    widths = [max(len(line[column]) for line in cells) for column in range(len(_HEAD))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip() for line in cells
    )


def write(sections: list[Section], folder: Path) -> Path:
    """Write the tables of the page below what is written by hand, and draw its figures."""
    rows = [row for section in sections for row in section.rows]
    parts = [
        f"Measured on: {describe()}.",
        markdown_table(_HEAD, [(r.what, r.measured, r.target, r.verdict) for r in rows]),
    ]
    folder.mkdir(parents=True, exist_ok=True)
    for section in sections:
        if section.details:
            parts += [f"## {section.title}", *section.details]
        for name, draw in section.figures.items():
            draw(folder / name)
    page = folder / "benchmarks.md"
    if not page.exists():
        page.write_text(_OPENING, encoding="utf-8")
    rewrite_tables(page, parts)
    return page
