"""What the measurements have in common: a row of the table, a section, and timing side by side."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from benchmarks.integral import best_of, peak_memory

__all__ = ["Row", "Section", "best_of", "markdown_table", "peak_memory", "side_by_side"]

#: Seconds that a turn lasts at least.
_TURN = 0.1


@dataclass(frozen=True)
class Row:
    """One promise and what became of it.

    Attributes
    ----------
    what : str
        What is measured, with its size.
    measured : str
        The figure.
    target : str
        What was promised; empty for a figure that is only reported.
    met : bool or None
        Whether the promise is kept; None when there is none, or when it was not measured.
    """

    what: str
    measured: str
    target: str = ""
    met: bool | None = None

    @property
    def verdict(self) -> str:
        """One word for the last column."""
        return "–" if self.met is None else "yes" if self.met else "NO"


@dataclass(frozen=True)
class Section:
    """Rows that were measured together, and what lies behind them.

    Attributes
    ----------
    title : str
        Heading of the details.
    rows : list of Row
        Rows of the one table.
    details : list of str
        Markdown paragraphs and tables.
    figures : dict
        From the path of a figure, beside the page, to the function that draws it there.
    """

    title: str
    rows: list[Row]
    details: list[str] = field(default_factory=list)
    figures: dict[str, Callable[[Path], None]] = field(default_factory=dict)


def side_by_side(
    ours: Callable[[], object], theirs: Callable[[], object], repeats: int
) -> tuple[float, float]:
    """Best seconds of two functions that take turns.

    A turn lasts a tenth of a second at least: a fast function is called several times in a turn,
    and the mean counts. Otherwise it would be charged for the cache that the other one emptied.
    """
    counts = [_calls_per_turn(function) for function in (ours, theirs)]
    turns = [partial(_repeat, *pair) for pair in zip((ours, theirs), counts)]
    our_seconds, their_seconds = best_of(repeats, *turns)
    return our_seconds / counts[0], their_seconds / counts[1]


def _calls_per_turn(function: Callable[[], object]) -> int:
    _repeat(function, 1)  # the first call may have to import or to compile something
    (seconds,) = best_of(1, function)
    return max(1, round(_TURN / max(seconds, 1e-6)))


def _repeat(function: Callable[[], object], count: int) -> None:
    for _ in range(count):
        function()


def markdown_table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Lay out a Markdown table; all columns but the first are aligned to the right."""
    lines = ["| " + " | ".join(head) + " |", "|---|" + "---:|" * (len(head) - 1)]
    lines += ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows]
    return "\n".join(lines)
