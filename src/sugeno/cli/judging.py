"""How good decisions are, in lines of text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from sugeno._scales.number import plain

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from sugeno._counts.loss import Loss
    from sugeno.model.judged import Judged

__all__ = ["calibration_lines", "confusion_lines", "quality_lines", "share"]

#: Fewer and larger groups than on the page, which draws them.
_MOST_GROUPS = 5
#: Width of a column of them.
_CELL = 7


def quality_lines(judged: Judged, names: Sequence[str], costs: Loss | None) -> Iterator[str]:
    """Yield costs and AUC, each beside what it compares with.

    Parameters
    ----------
    judged : Judged
        The rows that are counted.
    names : sequence of str
        What the classes are called.
    costs : Loss or None
        What errors cost, where that was said.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._counts.loss import Loss
    >>> from sugeno.cli.judging import quality_lines
    >>> from sugeno.model.judged import Grades, Judged
    >>> grades = Grades(np.array([0.1, 0.4]), np.array([90.0, 10.0]), np.array([5.0, 15.0]))
    >>> judged = Judged(np.array([[90.0, 10], [5, 15]]), (grades,))
    >>> for line in quality_lines(judged, ["no", "yes"], Loss.of({"missed": 4}, 2)):
    ...     print(line)
    cost       0.250 per row  (always no: 0.667, always yes: 0.833)
    AUC        0.825  (95 % interval 0.723 to 0.927, DeLong)
    mean p     0.163 ± 0.032  (of yes, which 0.167 of the rows are)
    """
    if costs is not None:
        constant = ", ".join(
            f"always {name}: {cost:.3f}"
            for name, cost in zip(names, judged.costs_of_always(costs).tolist())
        )
        yield f"cost       {judged.cost(costs):.3f} per row  ({constant})"
    if len(names) == 2 and judged.grades[0].has_both:
        grades, name = judged.grades[0], names[1]
        low, high = grades.auc_interval
        yield f"AUC        {grades.auc:.3f}  (95 % interval {low:.3f} to {high:.3f}, DeLong)"
        said, rate, error = grades.mean
        yield f"mean p     {said:.3f} ± {error:.3f}  (of {name}, which {rate:.3f} of the rows are)"


def calibration_lines(judged: Judged, names: Sequence[str]) -> Iterator[str]:
    """Yield a column per group of rows of two classes: what was said, and what happened.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno.cli.judging import calibration_lines
    >>> from sugeno.model.judged import Grades, Judged
    >>> grades = Grades(np.array([0.1, 0.4]), np.array([90.0, 10.0]), np.array([5.0, 15.0]))
    >>> judged = Judged(np.array([[90.0, 10], [5, 15]]), (grades,))
    >>> for line in calibration_lines(judged, ["no", "yes"]):
    ...     print(line)
    p that was said    0.10   0.40
    share of yes       0.05   0.60
    rows                 95     25
    """
    if len(names) > 2 or not judged.grades[0].has_both:
        return
    groups = judged.grades[0].in_groups(_MOST_GROUPS)
    lines = {
        "p that was said": [f"{said:.2f}" for said, _, _ in groups],
        f"share of {names[1]}": [f"{above / rows:.2f}" for _, rows, above in groups],
        "rows": [plain(rows) for _, rows, _ in groups],
    }
    width = max(map(len, lines)) + 1
    for head, cells in lines.items():
        yield f"{head:<{width}}" + "".join(f"{cell:>{_CELL}}" for cell in cells)


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
    >>> for line in confusion_lines(np.array([[9000001, 10], [5, 15]]), ["no", "yes"]):
    ...     print(line)
    in truth   decided no  decided yes  recall  precision
    no            9000001           10   1.000      1.000
    yes                 5           15   0.750      0.600
    """
    head = ["in truth", *(f"decided {name}" for name in names), "recall", "precision"]
    rows = [head]
    for place, name in enumerate(names):
        right = counts[place, place]
        wholes = counts[place].sum(), counts[:, place].sum()  # in truth, decided
        shares = [share(float(right), float(whole)) for whole in wholes]
        rows.append([name, *map(plain, counts[place].tolist()), *shares])
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
