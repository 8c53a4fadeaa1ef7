"""Reading tables: CSV as programs and spreadsheets write it, and Parquet.

A table is read as texts; what they mean is asked column by column (`sugeno.cli.tables`). The
delimiter, the decimal mark and the encoding are found out, and what is ragged is refused by line.
"""

from __future__ import annotations

import csv
import io
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sugeno.cli.errors import Refusal
from sugeno.cli.tables import Style, Table, without_unit

__all__ = ["read_table"]

_DELIMITERS = ",;\t|"
#: How files of other kinds begin.
_PARQUET, _ZIP, _OLD_EXCEL, _GZIP = b"PAR1", b"PK\x03\x04", b"\xd0\xcf\x11\xe0", b"\x1f\x8b"
_MARKS = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))
#: A number with a decimal comma, and one that could as well have a comma between thousands.
_COMMA = re.compile(r"[+-]?(\d+|\d{1,3}(\.\d{3})+),\d+")
#: A heading above the names of the columns: lines of one cell, as spreadsheets save them with
#: empty ones beside it, then at least two names.
_TITLE = re.compile(
    r"\ufeff?([^\",;\t|\n]*([,;\t|]{2,})?\r?\n)+(?=[^\d,;\t|\n]{2,}([,;\t|])[^\d,;\t|\n]{2,})"
)
_DOUBTFUL = re.compile(r"[+-]?[1-9]\d{0,2},\d{3}")


def read_table(path: str, decimal: str | None = None) -> Table:
    r"""Read a table from a file, or from the standard input where the path is ``-``.

    Parameters
    ----------
    path : str
        A CSV file (comma, semicolon, tab or bar; UTF-8, UTF-16 or Windows-1252) or a Parquet file.
    decimal : {".", ","}, optional
        The decimal mark of numbers; by default it is found out.

    Returns
    -------
    Table
        The texts of all cells, by column.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from sugeno.cli.reading import read_table
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder, "data.csv")
    ...     _ = file.write_text("price;sold\n3,5;yes\n12;no\n")
    ...     table = read_table(str(file))
    >>> table.columns, table.style.decimal
    ({'price': ['3,5', '12'], 'sold': ['yes', 'no']}, ',')
    """
    origin = "standard input" if path == "-" else Path(path).name
    content = sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
    if content[:4] == _PARQUET:
        return _read_parquet(content, origin)
    _refuse_other_kinds(content, origin)
    text, marked = _decoded(content)
    return _read_csv(text, origin, decimal, marked)


def _refuse_other_kinds(content: bytes, origin: str) -> None:
    if content.startswith((_ZIP, _OLD_EXCEL)):
        raise Refusal(
            f"{origin} is a workbook or an archive, not a table; save the sheet as CSV (UTF-8)."
        )
    if content.startswith(_GZIP):
        raise Refusal(f"{origin} is compressed; use 'gunzip -c {origin} | sugeno … -'.")


def _decoded(content: bytes) -> tuple[str, bool]:
    """Text of a file, and whether it began with a byte order mark."""
    for mark, encoding in _MARKS:
        if content.startswith(mark):
            return content.decode(encoding, errors="replace"), True
    try:
        return content.decode("utf-8"), False
    except UnicodeDecodeError:
        # Spreadsheets on Windows save "CSV" so; a byte that it lacks is not worth an error.
        return content.decode("cp1252", errors="replace"), False


def _read_csv(text: str, origin: str, decimal: str | None, marked: bool) -> Table:
    if not text.strip():
        raise Refusal(f"{origin} is empty; it needs a line of column names, and rows.")
    if "\0" in text:
        raise Refusal(f"{origin} is not a text file; give a CSV or a Parquet file.")
    remarks = re.match(r"(#[^,;\t|\n]*\n)+", text)  # lines of some programs above the names
    told = re.match(r"sep=(.)\r?\n", text)  # the first line of some spreadsheets
    above = told or remarks or _TITLE.match(text)
    skipped = text[: above.end()].count("\n") if above else 0
    text = text[above.end() :] if above else text
    delimiter = told[1] if told else _delimiter(text)
    rows = list(_rows(text, origin, delimiter, skipped))
    (_, header), body = rows[0], rows[1:]
    columns = _by_column(header, [cells for _, cells in body], origin)
    if not body:
        raise Refusal(f"{origin} has column names but no rows; add rows below line 1.")
    mark = decimal or _decimal(columns, delimiter, origin)
    style = Style(delimiter, mark, marked)
    return Table(origin, columns, [line for line, _ in body], style)


def _delimiter(text: str) -> str:
    """The delimiter that occurs most often in the first line, outside of quotes."""
    first = next(line for line in text.splitlines() if line.strip())
    plain = re.sub(r'"[^"]*"', "", first)
    return max(_DELIMITERS, key=plain.count)


def _rows(text: str, origin: str, delimiter: str, skipped: int) -> Iterator[tuple[int, list[str]]]:
    """Lines with their numbers; all as long as the first, blank ones left out."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    width, before = 0, skipped
    try:
        for cells in reader:
            line, before = before + 1, reader.line_num + skipped
            if not any(cell.strip() for cell in cells):
                continue
            width = width or len(cells)
            if len(cells) != width:
                raise Refusal(
                    f"{origin}, line {line}: got {len(cells)} cells where the header has {width}; "
                    f"mend that line, and quote cells that contain {delimiter!r}."
                )
            yield line, cells
    except csv.Error as error:
        raise Refusal(
            f"{origin}, line {before + 1}: {error}; close the quotes of that line, and double "
            "quotes inside of quotes."
        ) from error


def _by_column(header: list[str], rows: list[list[str]], origin: str) -> dict[str, list[str]]:
    """Columns by name; a column without a name and without cells is left out.

    Names of rows, as R and pandas write them, have no name; pandas calls such a column so.
    """
    names = [name.strip() for name in header]
    columns: dict[str, list[str]] = {}
    for place, name in enumerate(names):
        cells = [row[place].strip() for row in rows]
        if name or any(cells):
            columns[name or f"Unnamed: {place}"] = cells
    repeated = [name for name, times in Counter(filter(None, names)).items() if times > 1]
    if repeated:
        raise Refusal(f"{origin}: several columns are called {_listed(repeated)}; rename them.")
    return columns


def _decimal(columns: dict[str, list[str]], delimiter: str, origin: str) -> str:
    """Decimal mark of a file: a comma where that reads a column whose numbers have commas."""
    if delimiter == ",":
        return "."
    commas = {
        name: [cell for cell in map(without_unit, cells) if _COMMA.fullmatch(cell)]
        for name, cells in columns.items()
    }
    found = [cell for cells in commas.values() for cell in cells]
    if not found:
        return "."
    if all(_DOUBTFUL.fullmatch(cell) for cell in found):
        name = next(name for name, cells in commas.items() if cells)
        raise Refusal(
            f"{origin}: column {name!r} has numbers such as {found[0]!r}, which can be read in two "
            "ways. Say which mark is the decimal one with --decimal , or --decimal ."
        )
    return ","


def _read_parquet(content: bytes, origin: str) -> Table:
    """Read Parquet by whichever library is there; its values become texts that read the same."""
    found, orders = _parquet(content)
    columns = {str(name): list(map(_text, cells)) for name, cells in found.items()}
    rows = len(next(iter(columns.values()), []))
    if not rows:
        raise Refusal(f"{origin} has no rows; write a table that has some.")
    lines = list(range(1, rows + 1))
    return Table(origin, columns, lines, Style(), unit="row", orders=orders)


def _parquet(content: bytes) -> tuple[dict[Any, list[Any]], dict[str, list[str]]]:
    """Columns, and the labels of those that have an order."""
    try:
        from pyarrow import parquet
    except ImportError:
        return _parquet_by_polars(content)
    table = parquet.read_table(io.BytesIO(content))
    orders = {
        field.name: list(map(_text, column.unify_dictionaries().chunk(0).dictionary.to_pylist()))
        for field, column in zip(table.schema, table.columns)
        if getattr(field.type, "ordered", False) and column.num_chunks
    }
    return table.to_pydict(), orders


def _parquet_by_polars(content: bytes) -> tuple[dict[Any, list[Any]], dict[str, list[str]]]:
    try:
        import polars
    except ImportError:
        raise Refusal(
            "A Parquet file needs pyarrow or polars, which are not installed; "
            "pip install pyarrow, or give a CSV file."
        ) from None
    frame = polars.read_parquet(content)
    orders = {
        name: kind.categories.to_list()
        for name, kind in frame.schema.items()
        if isinstance(kind, polars.Enum)
    }
    return frame.to_dict(as_series=False), orders


def _text(value: Any) -> str:
    """Write a value so that it reads back as the same one."""
    if value is None or value != value:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    return repr(value) if isinstance(value, float) else str(value)


def _listed(names: list[str]) -> str:
    return ", ".join(map(repr, names))
