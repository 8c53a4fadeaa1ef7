"""The page and the table that a run leaves behind."""

from __future__ import annotations

from pathlib import Path

from benchmarks.harness import Row, Section, markdown_table
from benchmarks.machine import describe

__all__ = ["plain_table", "write"]

_HEAD = ("what", "measured", "target", "met?")


def plain_table(rows: list[Row]) -> str:
    """Lay out the one table for a terminal."""
    lines = [_HEAD, *((r.what, r.measured, r.target, r.verdict) for r in rows)]
    cells = [[cell.replace("`", "") for cell in line] for line in lines]
    widths = [max(len(line[column]) for line in cells) for column in range(len(_HEAD))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip() for line in cells
    )


def write(sections: list[Section], folder: Path) -> Path:
    """Write the page and draw its figures."""
    rows = [row for section in sections for row in section.rows]
    parts = [
        "# Benchmarks",
        "`make bench` measures all of this in one run and writes this page. What is compared is "
        "measured side by side, in turns, the best of five each; so the ratios carry over to "
        "other machines, the seconds do not.",
        f"Measured on: {describe()}.",
        markdown_table(_HEAD, [(r.what, r.measured, r.target, r.verdict) for r in rows]),
    ]
    for section in sections:
        if section.details:
            parts += [f"## {section.title}", *section.details]
        for name, draw in section.figures.items():
            draw(folder / name)
    folder.mkdir(parents=True, exist_ok=True)
    page = folder / "benchmarks.md"
    page.write_text("\n\n".join(parts) + "\n", encoding="utf-8")
    return page
