"""Tables of texts, and what their columns mean: numbers, ordered labels, classes.

Whatever cannot be read is refused by column and line, with the option that settles it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from sugeno.cli.dates import AMBIGUOUS, DATES, read_dates
from sugeno.cli.errors import Refusal, did_you_mean

if TYPE_CHECKING:
    from datetime import datetime

    import polars as pl

__all__ = ["Style", "Table", "is_missing", "number", "without_unit"]

#: Cells that stand for nothing in every column.
_NOTHING = frozenset({"", "na", "n/a", "n.a.", "#n/a", "?"})
#: So do these among numbers and dates; in a column of words they are words.
_MISSING = _NOTHING | {
    *("nan", "null", "(null)", "\\n", "none", "-", "--", "---", ".", "..", "...", "*"),
    *("missing", "unknown", "not available", "not applicable", "not recorded", "no data"),
    *("n.d.", "n.v.", "k.a.", "k. a.", "keine angabe", "unbekannt"),
    *("#nv", "#ref!", "#value!", "#div/0!", "#num!", "#name?", "#null!"),
}
#: A column with so few different cells has labels, even if most of them are numbers.
_FEW_LABELS = 20
#: Of numbers with a unit there are at least so many, or they are labels.
_FEW_MEASURES = 3
#: What makes words of the cells of a column.
_AS_WORDS = ("unordered", "drop")
_TRUTH = {"false": 0.0, "true": 1.0}
_PLAIN = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?")
_GROUPED = re.compile(r"[+-]?\d{1,3}(,\d{3})+(\.\d+)?")
_SPACES = re.compile(r"(?<=\d)[\u00a0\u202f '’](?=\d{3}(?!\d))")
#: Signs of money and of shares, which do not change a number among others with the same sign.
_UNIT = re.compile(r"^([+-]?)[$€£¥]\s*|\s*[%$€£¥]$")
#: A number with its unit, such as 34 yrs or 1.73 m.
_MEASURE = re.compile(r"(.*\d)\s*([^\W\d_]{1,12}\.?|°\s?[CF]?)")
#: A code, such as a postal one: leading zeros mean something.
_CODE = re.compile(r"0\d{2,}")
_TIME = re.compile(r"\d{1,2}:\d{2}.*")
#: A negative number as accountants write it.
_BRACKETED = re.compile(r"\(([^()]*\d[^()]*)\)")


def _like_date(text: str) -> bool:
    """Whether a cell looks like a date or a time of day."""
    return any(form.fullmatch(text) for form in (*DATES, _TIME))


@dataclass(frozen=True)
class Style:
    """How a CSV file is written.

    Examples
    --------
    >>> from sugeno.cli.tables import Style
    >>> Style(";", ",").decimal
    ','
    """

    delimiter: str = ","
    decimal: str = "."
    marked: bool = False


def is_missing(text: str) -> bool:
    """Whether a cell stands for nothing.

    Examples
    --------
    >>> from sugeno.cli.tables import is_missing
    >>> [is_missing(text) for text in ("", "NA", "0", "none of it")]
    [True, True, False, False]
    """
    return text.casefold() in _MISSING


def number(text: str, decimal: str = ".") -> float | None:
    """Read a number, with or without marks between thousands; None if it is none.

    Signs of money and per cent are left out, and (12) is -12, as accountants write it. Digits that
    begin with two zeros or more, or with one of three digits or more, are a code and no number.

    Examples
    --------
    >>> from sugeno.cli.tables import number
    >>> number("1,250.5"), number("1.250,5", ","), number("3,5"), number("TRUE")
    (1250.5, 1250.5, None, 1.0)
    >>> number("$1,250"), number("($1,250)"), number("12.5 %"), number("01067")
    (1250.0, -1250.0, 12.5, None)
    """
    if _CODE.fullmatch(text):
        return None
    text = _without_signs(text)
    if decimal == ",":
        text = text.translate({ord(","): ".", ord("."): ","})
    if not _PLAIN.fullmatch(text):
        text = _SPACES.sub("", text)
        if _GROUPED.fullmatch(text):
            text = text.replace(",", "")
        elif not _PLAIN.fullmatch(text):
            return _TRUTH.get(text.casefold())
    value = float(text)
    return value if abs(value) < float("inf") else None


def _without_signs(text: str) -> str:
    """A number without signs of money and shares, with a minus as programs write it."""
    text = _BRACKETED.sub(r"-\1", text).replace("\N{MINUS SIGN}", "-")
    return _UNIT.sub(r"\1", text)


def without_unit(text: str) -> str:
    """Leave out the unit after a number, and signs of money and shares.

    Examples
    --------
    >>> from sugeno.cli.tables import without_unit
    >>> [without_unit(text) for text in ("2.345,67 €", "3,5 %", "1,73 m", "home")]
    ['2.345,67', '3,5', '1,73', 'home']
    """
    bare = _without_signs(text)
    parts = _MEASURE.fullmatch(bare)
    return parts[1] if parts else bare


@dataclass(frozen=True)
class Table:
    """Columns of texts, with the lines that they come from.

    Attributes
    ----------
    origin : str
        What to call the table in a message.
    columns : dict of str to list of str
        The texts of each column.
    lines : list of int
        The line of each row in the file.
    style : Style
        How the file is written.
    unit : str
        What the numbers in ``lines`` count.
    orders : dict of str to sequence of str
        The labels of columns that have an order in the file, the lowest first.

    Examples
    --------
    >>> from sugeno.cli.tables import Table
    >>> table = Table("sizes.csv", {"size": ["L", "S"], "price": ["9", "3.5"]}, [2, 3])
    >>> table.frame(["size", "price"], {"size": ["S", "M", "L"]}).rows()
    [('L', 9.0), ('S', 3.5)]
    """

    origin: str
    columns: Mapping[str, list[str]]
    lines: Sequence[int]
    style: Style = Style()
    unit: str = "line"
    orders: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def column(self, name: str) -> list[str]:
        """Texts of a column; a wrong name gets the right one suggested."""
        if name not in self.columns:
            hint = did_you_mean(name, self.columns)
            if any(self.value(other) is not None for other in self.columns):
                hint = (
                    f"its first line, {', '.join(self.columns)}, seems to be a row; begin the file "
                    "with a line of the names of the columns."
                )
            raise Refusal(f"{self.origin} has no column {name!r}; {hint}")
        return self.columns[name]

    def where(self, rows: Sequence[int]) -> str:
        """Name the lines of some rows, the first few of them."""
        shown = ", ".join(str(self.lines[row]) for row in rows[:5])
        more = f" and {len(rows) - 5} more" if len(rows) > 5 else ""
        return f"{self.unit}{'s' * (len(rows) > 1)} {shown}{more}"

    def gaps(self, name: str, labels: Collection[str] = ()) -> set[str]:
        """The cells of a column that stand for nothing; labels that were named never do.

        Among words "none" and its like are words.
        """
        cells = {*self.column(name)}
        marks = set(filter(is_missing, cells))
        others = cells - marks
        if any(self.value(cell) is None and not _like_date(cell) for cell in others):
            marks = {cell for cell in marks if cell.casefold() in _NOTHING}
        return marks - {*labels}

    def complete(
        self, names: Sequence[str], orders: Mapping[str, Collection[str]] | None = None
    ) -> Table:
        """Leave out the rows that miss a cell in one of some columns, whose labels may be named."""
        columns = [self.column(name) for name in names]
        gaps = [self.gaps(name, (orders or {}).get(name, ())) for name in names]
        kept = [
            row
            for row, cells in enumerate(zip(*columns))
            if not any(cell in missing for cell, missing in zip(cells, gaps))
        ]
        if not kept:
            raise Refusal(f"{self.origin} has no complete row; fill in cells, or drop columns.")
        return self.take(kept)

    def take(self, rows: Sequence[int]) -> Table:
        """Some of the rows, by place."""
        taken = {name: [cells[row] for row in rows] for name, cells in self.columns.items()}
        return replace(self, columns=taken, lines=[self.lines[row] for row in rows])

    def frame(
        self,
        names: Sequence[str],
        orders: Mapping[str, Sequence[str]],
        *,
        gaps: bool = False,
        words: Sequence[str] = (),
    ) -> pl.DataFrame:
        """Read columns as a frame: numbers, truth values, dates, words, and ordered labels.

        A missing cell is null where gaps are allowed, and refused elsewhere. Some columns are text
        without an order; then a missing cell of any column has a meaning of its own.
        """
        import polars as pl

        strange = [name for name in self._not_numbers(names, orders) if name not in words]
        if not gaps and not words:
            self._refuse_missing(names)
        if strange:
            raise Refusal(self._why_not_numbers(strange))
        read = {name: self._words(name) for name in words}
        read |= {name: self._labels(name, orders[name]) for name in names if name in orders}
        return pl.DataFrame([read[n] if n in read else self._numbers(n) for n in names])

    def words_among(
        self,
        names: Sequence[str],
        orders: Mapping[str, Sequence[str]],
        said: Mapping[str, object] | None = None,
    ) -> list[str]:
        """Columns of dates and of text without an order.

        What is said of a column may make words of its cells, whatever they are.
        """
        taken = [n for n, one in (said or {}).items() if isinstance(one, list) or one in _AS_WORDS]
        found = self._not_numbers(names, orders)
        found = [name for name in found if self._is_text(name)]
        # Two numbers with a unit, such as 2wd and 4wd, are rather labels.
        found += [name for name in names if 0 < len(self._measured(name)) < _FEW_MEASURES]
        return [name for name in names if name not in orders and name in {*taken, *found}]

    def dates(self, name: str) -> list[datetime | None] | None:
        """The cells of a column of dates; None if it has something else."""
        cells = self.columns[name]
        known = [cell for cell in dict.fromkeys(cells) if not is_missing(cell)]
        if not known or not _like_date(known[0]):
            return None
        read = read_dates(known)
        if read == AMBIGUOUS:
            raise Refusal(
                f"{self.origin}: column {name!r} has dates such as {known[0]!r}, which can be read "
                "in two ways. Write them with the year first, such as 2026-01-31, or leave the "
                f"column out: --drop-column {_quoted(name)}."
            )
        return [read.get(cell) for cell in cells] if isinstance(read, dict) else None

    def _not_numbers(self, names: Sequence[str], orders: Mapping[str, Sequence[str]]) -> list[str]:
        return [name for name in names if name not in orders and None in self._values(name)]

    def _is_text(self, name: str) -> bool:
        """Whether a column holds words or codes, and not numbers with a few strange cells."""
        cells = [cell for cell in self.columns[name] if not is_missing(cell)]
        if any(map(_CODE.fullmatch, cells)):
            return True
        words = sum(self.value(cell) is None for cell in cells)
        return 2 * words > len(cells) or len(set(cells)) <= _FEW_LABELS

    def _words(self, name: str) -> pl.Series:
        """Dates, or words as they are; "none" and its like are labels among others."""
        import polars as pl

        dates = self.dates(name)
        if dates is not None:
            return pl.Series(name, dates, pl.Datetime("us"))
        cells = [None if cell.casefold() in _NOTHING else cell for cell in self.columns[name]]
        return pl.Series(name, cells, pl.String)

    def _numbers(self, name: str) -> pl.Series:
        import polars as pl

        values = pl.Series(name, self._values(name), pl.Float64).fill_nan(None)
        known = {cell.casefold() for cell in set(self.columns[name]) if not is_missing(cell)}
        return values.cast(pl.Boolean) if known and known <= _TRUTH.keys() else values

    def _labels(self, name: str, order: Sequence[str]) -> pl.Series:
        import polars as pl

        self.refuse_others(name, order)
        known = set(order)
        cells = [cell if cell in known else None for cell in self.columns[name]]
        return pl.Series(name, cells, pl.Enum(order))

    def typed(self, name: str) -> list[float | str | None]:
        """Cells of a column as numbers where all of them are numbers; None where one is missing."""
        cells = [None if is_missing(cell) else cell for cell in self.column(name)]
        if not self._is_numeric([cell for cell in cells if cell is not None]):
            return list(cells)
        values = [None if cell is None else self.value(cell) for cell in cells]
        whole = all(value is None or value == int(value) for value in values)
        return [int(v) if whole and v is not None else v for v in values]

    def value(self, text: str) -> float | None:
        """Read one cell."""
        return number(text, self.style.decimal)

    def measure(self, text: str) -> float | None:
        """Read one cell, with or without a unit."""
        value = self.value(text)
        return self.value(without_unit(text)) if value is None else value

    def _measured(self, name: str) -> set[str]:
        """The cells of a column of numbers that all have the same unit."""
        cells = {cell for cell in self.columns[name] if not is_missing(cell)}
        parts = [_MEASURE.fullmatch(cell) for cell in cells]
        units = {part and part[2] for part in parts}
        alike = len(units) == 1 and None not in units
        return cells if alike and all(self.value(cell) is None for cell in cells) else set()

    def _values(self, name: str) -> Sequence[float | None]:
        cells = self.columns[name]
        # Values repeat.
        read = {cell: math.nan if is_missing(cell) else self.value(cell) for cell in set(cells)}
        read.update((cell, self.measure(cell)) for cell in self._measured(name))
        shares = [cell for cell in read if cell.endswith("%")]
        if len(shares) < sum(value == value for value in read.values()):
            read.update(dict.fromkeys(shares))  # 12 % beside .12: nobody knows
        return [read[cell] for cell in cells]

    def _is_numeric(self, cells: Sequence[str]) -> bool:
        return all(self.value(cell) is not None for cell in cells)

    def _refuse_missing(self, names: Sequence[str]) -> None:
        gaps = {}
        for name in names:
            cells = self.column(name)
            marks = set(filter(is_missing, set(cells)))
            if marks:
                gaps[name] = [row for row, cell in enumerate(cells) if cell in marks]
        if gaps:
            found = "; ".join(f"{n!r} in {len(r)} ({self.where(r)})" for n, r in gaps.items())
            raise Refusal(
                f"{self.origin} has missing cells: {found}. Fill them, leave those rows out with "
                "--drop-missing or the columns with --drop-column, or say with --missing what they "
                "mean."
            )

    def refuse_others(self, name: str, order: Sequence[str]) -> None:
        """Refuse a column with other cells than the labels that were named."""
        found = set(self.column(name)) - set(order)
        unknown = sorted(cell for cell in found if not is_missing(cell))
        if unknown:
            raise Refusal(
                f"{self.origin}: column {name!r} has {', '.join(map(repr, unknown[:5]))} besides "
                f"the labels {', '.join(order)}; name all labels, the lowest first: "
                f"--order {name}={','.join([*order, *unknown[:5]])}."
            )

    def _why_not_numbers(self, names: Sequence[str]) -> str:
        """Say of each column why it cannot be a criterion, and what to do about it."""
        reasons = [self._reason(name) for name in names]
        drop = " ".join(f"--drop-column {_quoted(name)}" for name in names)
        return f"{self.origin}: {'; '.join(reasons)}. Or leave out what is no criterion: {drop}."

    def _reason(self, name: str) -> str:
        cells = self.columns[name]
        labels = list(dict.fromkeys(cells))
        if all(map(_like_date, labels)):
            return (
                f"column {name!r} has dates or times such as {labels[0]!r}, write them with the "
                "year first, such as 2026-01-31"
            )
        values = self._values(name)
        wrong = [row for row, value in enumerate(values) if value is None]
        if len(wrong) <= len(cells) // 2:
            texts = ", ".join(dict.fromkeys(repr(cells[row]) for row in wrong[:3]))
            return (
                f"column {name!r} has {texts} among its numbers ({self.where(wrong)}), mend them, "
                f"or take its cells as labels: --column {_quoted(f'{name}=unordered')}"
            )
        if len(labels) > max(10, len(cells) // 2):
            return f"column {name!r} has a text of its own in nearly every row, like a name"
        shown = ",".join(labels[:5]) + (",…" if len(labels) > 5 else "")
        return (
            f"column {name!r} has text, give its order, the lowest first: "
            f"--order {_quoted(f'{name}={shown}')}"
        )


def _quoted(text: str) -> str:
    """Quote for a shell where it is needed."""
    return text if re.fullmatch(r"[\w=,.…-]+", text) else '"' + text.replace('"', '\\"') + '"'
