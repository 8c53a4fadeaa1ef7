"""How good decisions are, in lines of text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["confusion_lines", "share"]


def confusion_lines(counts: NDArray[np.floating[Any]], names: Sequence[str]) -> Iterator[str]:
    """Yield a table of true classes by decided ones, with the recall and precision of each.

    Parameters
    ----------
    counts : ndarray of shape (C, C)
        Rows of each class (rows) that are decided to be of each class (columns).
    names : sequence of str
        What the classes are called.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno.cli.judging import confusion_lines
    >>> for line in confusion_lines(np.array([[90, 10], [5, 15]]), ["no", "yes"]):
    ...     print(line)
    in truth   decided no  decided yes  recall  precision
    no                 90           10   0.900      0.947
    yes                 5           15   0.750      0.600
    """
    head = ["in truth", *(f"decided {name}" for name in names), "recall", "precision"]
    rows = [head]
    for place, name in enumerate(names):
        right = counts[place, place]
        shares = share(right, counts[place].sum()), share(right, counts[:, place].sum())
        rows.append([name, *(f"{count:.6g}" for count in counts[place].tolist()), *shares])
    widths = [max(map(len, part)) for part in zip(*rows)]
    for first, *rest in rows:
        cells = (cell.rjust(width) for cell, width in zip(rest, widths[1:]))
        yield "  ".join([first.ljust(widths[0] + 1), *cells]).rstrip()


def share(some: float, of: float) -> str:
    """Write a share to three decimals; a dash where there is nothing to share.

    Examples
    --------
    >>> from sugeno.cli.judging import share
    >>> share(1, 3), share(0, 0)
    ('0.333', '-')
    """
    return f"{some / of:.3f}" if of else "-"
