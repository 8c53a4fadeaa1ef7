"""What whoever waits is shown: a bar after two seconds, or how far a long run is."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    SpinnerColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

__all__ = ["PlainProgress", "show_progress", "waiting"]

Report = Callable[[int, int], None]

#: Seconds before anything is shown.
PATIENCE = 2.0


@contextmanager
def waiting(
    text: str, console: Console | None = None, patience: float = PATIENCE
) -> Iterator[Report]:
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


class PlainProgress:
    """Print a line now and then: at every tenth of the work, and at least every half minute.

    Parameters
    ----------
    write : callable
        Takes a line of text.
    clock : callable, default=time.monotonic
        Gives seconds.

    Examples
    --------
    >>> from sugeno.cli.waiting import PlainProgress
    >>> seconds = iter([0.0, 10.0, 20.0])
    >>> report = PlainProgress(print, clock=lambda: next(seconds))
    >>> report(1, 2)
    1 of 2 splits, 0:00:10 left
    >>> report(2, 2)
    2 of 2 splits, 0:00:00 left
    """

    PAUSE = 30.0

    def __init__(
        self, write: Callable[[str], None], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._write = write
        self._clock = clock
        self._start = self._last = clock()

    def __call__(self, done: int, total: int) -> None:
        """Report that so many of so many splits are done."""
        now = self._clock()
        tenth = done * 10 // total > (done - 1) * 10 // total
        if not tenth and now - self._last < self.PAUSE:
            return
        self._last = now
        left = round((now - self._start) / done * (total - done))
        self._write(
            f"{done} of {total} splits, {left // 3600}:{left // 60 % 60:02}:{left % 60:02} left"
        )


@contextmanager
def show_progress(console: Console) -> Iterator[Report]:
    r"""Give a function that shows how far a run is.

    Parameters
    ----------
    console : rich.console.Console
        Where to show it.

    Examples
    --------
    >>> import io
    >>> from rich.console import Console
    >>> from sugeno.cli.waiting import show_progress
    >>> text = io.StringIO()
    >>> with show_progress(Console(file=text)) as report:
    ...     report(1, 1)
    >>> text.getvalue()
    '1 of 1 splits, 0:00:00 left\n'
    """
    if not console.is_terminal:
        yield PlainProgress(lambda line: console.print(line, highlight=False, soft_wrap=True))
        return
    with Progress(
        TextColumn("splits"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
        console=console,
        speed_estimate_period=600,  # long: splits of small and of large data sets take turns
    ) as progress:
        task = progress.add_task("splits", total=None)
        yield lambda done, total: progress.update(task, completed=done, total=total)
