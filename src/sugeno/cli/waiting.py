"""A sign of life for whoever waits longer than two seconds at a terminal."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

__all__ = ["waiting"]

#: Seconds before anything is shown.
PATIENCE = 2.0


@contextmanager
def waiting(
    text: str, console: Console | None = None, patience: float = PATIENCE
) -> Iterator[Callable[[int, int], None]]:
    """Show a bar while a block takes long; nothing where no terminal is.

    Parameters
    ----------
    text : str
        What is going on.
    console : rich.console.Console, optional
        Where to show it; by default the standard error.
    patience : float, default=2.0
        Seconds before anything is shown.

    Yields
    ------
    callable
        Takes how many parts of the work are done, and of how many.

    Examples
    --------
    >>> from sugeno.cli.waiting import waiting
    >>> with waiting("learning") as report:
    ...     report(1, 5)
    """
    shown = console or Console(file=sys.stderr)
    if not shown.is_terminal:
        yield lambda done, total: None
        return
    progress = Progress(
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        TimeElapsedColumn(),
        console=shown,
        transient=True,
    )
    task = progress.add_task(text, total=None)
    timer = threading.Timer(patience, progress.start)
    timer.daemon = True
    timer.start()
    try:
        yield lambda done, total: progress.update(task, completed=done, total=total)
    finally:
        timer.cancel()
        timer.join()  # a timer that has just gone off must not start what is stopped here
        progress.stop()
