"""What was assumed about the columns of a table: a small table that people can check."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass, fields, replace

from sugeno._scales.directions import Directions

#: Cells with more characters are shortened in print.
_WIDEST = 80
#: In such a cell the labels of an order are shortened first, and what stands between them is kept.
_LONG_LABEL, _ABOVE = 24, " above "


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
    of_class : str
        Of classes without an order the one for which, against the rest, this was assumed; empty
        where it was assumed for all of them.

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
    of_class: str = ""


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

    @classmethod
    def of_classes(cls, labels: Sequence[object], each: Sequence[Assumed]) -> Assumed:
        """Put together what was assumed for each class against the rest.

        A column has one line where that is the same for all classes, else a line for each of them.

        Examples
        --------
        >>> from sugeno._scales.assumed import Assumed, AssumedColumn
        >>> row = AssumedColumn("row", "id", left_out="its name")
        >>> each = [Assumed([AssumedColumn("age", "number", way), row]) for way in ("up", "down")]
        >>> Assumed.of_classes(["a", "b"], each)
        column  class  kind    direction  left out
        age     a      number  up
        age     b      number  down
        row            id                 its name
        """
        found: list[AssumedColumn] = []
        for lines in zip(*each, strict=True):
            if len(set(lines)) == 1:
                found.append(lines[0])
            else:
                found += [replace(line, of_class=str(one)) for one, line in zip(labels, lines)]
        return cls(found)

    def voted(self, directions: Directions) -> Assumed:
        """The same, with the votes of the rows as the evidence for directions."""
        votes = zip(directions.names, directions.statistic.tolist(), directions.weak.tolist())
        told = {name: f"{up:.0%} of votes for up{', weak' * weak}" for name, up, weak in votes}
        each = (replace(one, evidence=told.get(one.column, one.evidence)) for one in self)
        return Assumed([*each])

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns, each once."""
        return tuple(dict.fromkeys(one.column for one in self._columns))

    def __len__(self) -> int:
        return len(self._columns)

    def __iter__(self) -> Iterator[AssumedColumn]:
        return iter(self._columns)

    def __getitem__(self, key: int | str) -> AssumedColumn:  # type: ignore[override]
        if not isinstance(key, str):
            return self._columns[key]
        found = [one for one in self._columns if one.column == key]
        if len(found) != 1:
            raise KeyError(
                f"{key!r} has {len(found)} lines, where one was expected. The columns are "
                f"{', '.join(self.columns)}. What was assumed for one of several classes is in "
                "columns_ of its classifier, such as per_class_[label].columns_."
            )
        return found[0]

    def rows(self) -> list[tuple[str, ...]]:
        """The title and the cells of each row; columns without any cell are left out."""
        titles = [field.name.replace("_", " ") for field in fields(AssumedColumn)]
        column, *others, of_class = zip(titles, *map(astuple, self._columns))
        shown = [column, ("class", *of_class[1:]), *others]
        kept = [part for part in shown if any(part[1:])]
        return [*zip(*kept)]

    def __repr__(self) -> str:
        rows = [tuple(map(_shortened, row)) for row in self.rows()]
        widths = [max(map(len, part)) for part in zip(*rows)]
        return "\n".join(
            "  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip()
            for row in rows
        )


def _shortened(cell: str) -> str:
    """A cell in one line that leaves room for others: long labels of an order are cut, then all."""
    cell = " ".join(cell.split())
    if len(cell) > _WIDEST:
        cell = _ABOVE.join(_cut(label, _LONG_LABEL) for label in cell.split(_ABOVE))
    return _cut(cell, _WIDEST)


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else f"{text[: width - 1].rstrip()}…"
