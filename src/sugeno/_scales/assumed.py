"""What was assumed about the columns of a table: a small table that people can check."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass, fields

__all__ = ["Assumed", "AssumedColumn"]

#: Cells with more characters are shortened in print.
_WIDEST = 48


@dataclass(frozen=True)
class AssumedColumn:
    """What was assumed about one column.

    Attributes
    ----------
    column : str
        Its name.
    kind : str
        What it holds: number, date, ordered, truth, two-valued, unordered, id or constant.
    direction : str
        Which values are good: "up", "down", "free", "peak at 120", or the order of labels, the
        best first.
    evidence : str
        What speaks for it.
    missing : str
        How many cells are missing, and what a missing one is as good as.
    left_out : str
        Why the column is left out; empty where it is not.

    Examples
    --------
    >>> from sugeno._scales.assumed import AssumedColumn
    >>> AssumedColumn("id", "id", left_out="consecutive whole numbers, each once").direction
    ''
    """

    column: str
    kind: str
    direction: str = ""
    evidence: str = ""
    missing: str = ""
    left_out: str = ""


class Assumed(Sequence[AssumedColumn]):
    """What was assumed about all columns. Prints as a table.

    Parameters
    ----------
    columns : sequence of AssumedColumn
        One per column.

    Examples
    --------
    >>> from sugeno._scales.assumed import Assumed, AssumedColumn
    >>> found = Assumed([AssumedColumn("age", "number", "up", "AUC 0.71"),
    ...                  AssumedColumn("row", "id", left_out="its name")])
    >>> found
    column  kind    direction  evidence  left out
    age     number  up         AUC 0.71
    row     id                           its name
    >>> found["age"].direction
    'up'
    """

    def __init__(self, columns: Sequence[AssumedColumn]) -> None:
        self._columns = tuple(columns)

    def __len__(self) -> int:
        return len(self._columns)

    def __iter__(self) -> Iterator[AssumedColumn]:
        return iter(self._columns)

    def __getitem__(self, key: int | str) -> AssumedColumn:  # type: ignore[override]
        if isinstance(key, str):
            return next(one for one in self._columns if one.column == key)
        return self._columns[key]

    def rows(self) -> list[tuple[str, ...]]:
        """The title and the cells of each row; columns without any cell are left out."""
        titles = [field.name.replace("_", " ") for field in fields(AssumedColumn)]
        parts = zip(titles, *map(astuple, self._columns))
        kept = [part for part in parts if any(part[1:])]
        return [*zip(*kept)]

    def __repr__(self) -> str:
        rows = [tuple(map(_shortened, row)) for row in self.rows()]
        widths = [max(map(len, part)) for part in zip(*rows)]
        return "\n".join(
            "  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip()
            for row in rows
        )


def _shortened(cell: str) -> str:
    """A cell that leaves room for others: its middle is left out."""
    return cell if len(cell) <= _WIDEST else f"{cell[: _WIDEST // 2]}…{cell[-_WIDEST // 2 + 1 :]}"
