"""The column to predict: two classes, and which the rules speak for; or ordered classes."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING, Any

from sugeno._scales.number import shortest
from sugeno.cli.errors import Refusal, did_you_mean
from sugeno.cli.tables import Table, is_missing

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["find_target", "read_labels", "read_ordered_target", "read_target", "rows_with_class"]

#: Classes without an order that get rules of their own, each against the rest.
_MOST_CLASSES = 20
_COMPARISON = re.compile(r"\s*(>=|<=|>|<)\s*(.+)")
_OPPOSITE = {">=": "<", "<=": ">", ">": "<=", "<": ">="}
_COMPARE: dict[str, Callable[[float, float], bool]] = {
    ">=": lambda value, bound: value >= bound,
    "<=": lambda value, bound: value <= bound,
    ">": lambda value, bound: value > bound,
    "<": lambda value, bound: value < bound,
}


def read_target(table: Table, name: str, positive: str | None = None) -> tuple[NDArray[Any], Any]:
    """Read the labels of rows to learn from, and the positive one of two.

    Parameters
    ----------
    table : Table
        The table.
    name : str
        The column.
    positive : str, optional
        The positive label; several, separated by commas; or a comparison such as ``>=3``.

    Returns
    -------
    labels : ndarray
        Whole numbers where all labels are, else texts.
    positive : object
        The positive label, or None if it was not given.

    Examples
    --------
    >>> from sugeno.cli.tables import Table
    >>> from sugeno.cli.targets import read_target
    >>> table = Table("marks.csv", {"mark": ["1", "3", "2"]}, [2, 3, 4])
    >>> read_target(table, "mark", ">=2")
    (array(['mark < 2', 'mark >= 2', 'mark >= 2'], dtype='<U9'), 'mark >= 2')
    """
    import numpy as np

    labels, chosen = _read(table, name, positive)
    _check_several(table, name, labels)
    return np.array(labels), chosen


def read_ordered_target(
    table: Table, name: str, order: Sequence[str] | None
) -> tuple[NDArray[Any], list[Any]]:
    """Read labels of ordered classes, and the classes, the lowest first.

    Parameters
    ----------
    table : Table
        The table.
    name : str
        The column.
    order : sequence of str or None
        Its labels, the lowest first; None for whole numbers.

    Examples
    --------
    >>> from sugeno.cli.tables import Table
    >>> from sugeno.cli.targets import read_ordered_target
    >>> table = Table("marks.csv", {"mark": ["10", "3", "7"]}, [2, 3, 4])
    >>> read_ordered_target(table, "mark", None)
    (array([10,  3,  7]), [3, 7, 10])
    """
    import numpy as np

    cells = table.column(name)
    if order is None:
        read = _labels(table, list(dict.fromkeys(cells)))
        if any(isinstance(label, str) for label in read.values()):
            strange = next(cell for cell in cells if not _is_whole(table, cell))
            raise Refusal(
                f"{table.origin}: --ordered needs whole numbers in {name!r}. Got {strange!r}; "
                f"name the classes, the lowest first: --order {name}=A,B,C."
            )
        return np.array([read[cell] for cell in cells]), sorted(read.values())
    table.refuse_others(name, order)
    absent = [label for label in order if label not in cells]
    if absent:
        raise Refusal(
            f"{table.origin}: no row of the target {name!r} has the class {absent[0]!r}; leave it "
            f"out: --order {name}={','.join(label for label in order if label not in absent)}."
        )
    read = _labels(table, order)
    return np.array([read[cell] for cell in cells]), [read[label] for label in order]


def _is_whole(table: Table, cell: str) -> bool:
    value = None if cell.isalpha() else table.value(cell)
    return value is not None and value == int(value)


def read_labels(
    table: Table, name: str, positive: str | None, classes: Sequence[Any]
) -> NDArray[Any]:
    """Read the labels of rows that a model knows the classes of.

    Examples
    --------
    >>> from sugeno.cli.tables import Table
    >>> from sugeno.cli.targets import read_labels
    >>> read_labels(Table("new.csv", {"sold": ["yes", "yes"]}, [2, 3]), "sold", None, ["no", "yes"])
    array(['yes', 'yes'], dtype='<U3')
    """
    import numpy as np

    known = {str(label): label for label in classes}
    labels, _ = _read(table, name, positive)
    strange = sorted({str(label) for label in labels} - set(known))
    if strange:
        raise Refusal(
            f"{table.origin}: the target {name!r} has {strange[0]!r}, which is no class of the "
            f"model, {_listed(list(known))}; give --positive as it was given to fit."
        )
    return np.array([known[str(label)] for label in labels])


def find_target(
    table: Table, classes: Sequence[Any], criteria: Sequence[str], called: str | None = None
) -> str:
    """Find the column with the classes of a model: the only one that holds nothing else.

    Of several it is the one that is called as in training.

    Examples
    --------
    >>> from sugeno.cli.tables import Table
    >>> from sugeno.cli.targets import find_target
    >>> table = Table("cars.csv", {"price": ["3", "9"], "sold": ["yes", "no"]}, [2, 3])
    >>> find_target(table, ["no", "yes"], ["price"])
    'sold'
    """
    known = {str(label) for label in classes}
    found = [
        name
        for name, cells in table.columns.items()
        if name not in criteria and _has_only(table, cells, known)
    ]
    if called in found:
        return called
    if len(found) == 1:
        return found[0]
    which = f"{len(found)} columns ({', '.join(map(repr, found))})" if found else "no column"
    raise Refusal(
        f"{table.origin} has {which} with the classes of the model, "
        f"{' and '.join(map(repr, map(str, classes)))}; name the target with --target, and say "
        "--positive if training did."
    )


def _has_only(table: Table, cells: Sequence[str], known: set[str]) -> bool:
    """Whether all cells that are not missing are known labels, and there are some."""
    there = [cell for cell in dict.fromkeys(cells) if cell in known or not is_missing(cell)]
    return bool(there) and {str(label) for label in _labels(table, there).values()} <= known


def _read(table: Table, name: str, positive: str | None) -> tuple[list[Any], Any]:
    """Labels of all rows, and the positive one."""
    cells = table.column(name)
    compared = _COMPARISON.fullmatch(positive or "")
    if compared and positive not in cells:
        return _compared(table, name, compared[1], compared[2])
    return _chosen(table, cells, positive)


def rows_with_class(
    table: Table, name: str, positive: str | None = None, labels: Collection[str] = ()
) -> tuple[Table, list[int]]:
    """Leave out the rows whose target is empty, of which nothing can be learned.

    Parameters
    ----------
    table : Table
        The table.
    name : str
        The target.
    positive : str, optional
        The positive label, or several.
    labels : collection of str
        Other labels that are known; what was named is a label, even if it reads like nothing.

    Returns
    -------
    table : Table
        The rows that have a class.
    left_out : list of int
        The places of the others.

    Examples
    --------
    >>> from sugeno.cli.tables import Table
    >>> from sugeno.cli.targets import rows_with_class
    >>> table = Table("marks.csv", {"mark": ["1", "", "2"]}, [2, 3, 4])
    >>> kept, left_out = rows_with_class(table, "mark")
    >>> kept.lines, left_out
    ([2, 4], [1])
    """
    cells, missing = table.column(name), table.gaps(name, [*_named(positive), *labels])
    kept: list[int] = []
    left_out: list[int] = []
    for row, cell in enumerate(cells):
        (left_out if cell in missing else kept).append(row)
    if not kept:
        raise Refusal(f"{table.origin}: the target {name!r} is empty in all rows; fill it in.")
    return (table.take(kept) if left_out else table), left_out


def _named(positive: str | None) -> list[str]:
    """The labels that --positive names."""
    return [] if positive is None else [positive, *map(str.strip, positive.split(","))]


def _compared(table: Table, name: str, sign: str, bound: str) -> tuple[list[Any], str]:
    """Two classes, on either side of a number."""
    limit = table.value(bound)
    values = [table.value(cell) for cell in table.column(name)]
    if limit is None or None in values:
        strange = bound if limit is None else table.column(name)[values.index(None)]
        raise Refusal(
            f"--positive '{sign}{bound}' compares numbers. Got {strange!r} instead; name the "
            "labels of the positive class, separated by commas."
        )
    yes, no = f"{name} {sign} {bound}", f"{name} {_OPPOSITE[sign]} {bound}"
    return [
        yes if _COMPARE[sign](value, limit) else no for value in values if value is not None
    ], yes


def _chosen(table: Table, cells: Sequence[str], positive: str | None) -> tuple[list[Any], Any]:
    """Labels as they are, or the positive ones among many against the others."""
    read = _labels(table, list(dict.fromkeys(cells)))
    labels = [read[cell] for cell in cells]
    if positive is None:
        return labels, None
    if positive in read and len(read) == 2:
        return labels, read[positive]
    parts = [positive] if positive in read else [part.strip() for part in positive.split(",")]
    unknown = [part for part in parts if part not in read]
    if unknown:
        raise Refusal(
            f"--positive must name labels of the target. Got {unknown[0]!r} instead; "
            f"{did_you_mean(unknown[0], sorted(read))}"
        )
    yes, no = " or ".join(parts), "other"
    return [yes if cell in parts else no for cell in cells], yes


def _labels(table: Table, cells: Sequence[str]) -> dict[str, Any]:
    """Whole numbers where all labels are whole numbers that differ, else the texts."""
    values = [None if cell.isalpha() else table.value(cell) for cell in cells]
    whole = [int(value) for value in values if value is not None and value == int(value)]
    if len(set(whole)) < len(cells):
        return {cell: cell for cell in cells}
    return dict(zip(cells, whole))


def _check_several(table: Table, name: str, labels: Sequence[Any]) -> None:
    """Refuse a target with one class, or with so many that it is rather a number or a name."""
    known = sorted(set(labels))
    if 2 <= len(known) <= _MOST_CLASSES:
        return
    shown = ", ".join(map(str, known[:6])) + (", …" if len(known) > 6 else "")
    if len(known) == 1:
        raise Refusal(
            f"{table.origin}: the target {name!r} has one class only, {shown}; two are needed. "
            "Add rows of the other class, or check --target and --positive."
        )
    values = [table.value(str(label)) for label in labels]
    numbers = sorted(value for value in values if value is not None)
    if len(numbers) == len(labels):
        cut = shortest(float(f"{numbers[len(numbers) // 2]:.3g}"))
        keep = "; or keep them all, in their order: --ordered" * isinstance(known[0], int)
        raise Refusal(
            f"{table.origin}: the target {name!r} has {len(known)} different numbers, {shown}; at "
            f"most {_MOST_CLASSES} get rules of their own. Cut it at a value: --positive "
            f"'>={cut}'{keep}."
        )
    some = ",".join(map(str, known[:3]))
    raise Refusal(
        f"{table.origin}: the target {name!r} has {len(known)} classes, {shown}; at most "
        f"{_MOST_CLASSES} get rules of their own. Say which of them are the positive class, such "
        f"as --positive '{some}'; or keep them all, in their order: --order."
    )


def _listed(names: Sequence[str]) -> str:
    return " or ".join(map(repr, names[:6])) + (" or …" if len(names) > 6 else "")
