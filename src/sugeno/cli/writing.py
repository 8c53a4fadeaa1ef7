"""Writing tables: CSV as the one that was read, JSON, and Parquet."""

from __future__ import annotations

import csv
import io
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from sugeno.cli.errors import Refusal
from sugeno.cli.tables import Style

__all__ = ["FORMATS", "format_of", "write_table"]

FORMATS = ("csv", "json", "parquet")

Columns = Mapping[str, Sequence[Any]]


def format_of(path: str, given: str | None = None) -> str:
    """Format of a file: the one asked for, else by its name, else CSV.

    Examples
    --------
    >>> from sugeno.cli.writing import format_of
    >>> format_of("out.parquet"), format_of("-"), format_of("-", "json")
    ('parquet', 'csv', 'json')
    """
    if given is not None:
        return given
    suffix = Path(path).suffix.lower().lstrip(".")
    if path == "-" or suffix in ("csv", "txt", "tsv"):
        return "csv"
    if suffix in FORMATS:
        return suffix
    raise Refusal(
        f"The name of the output must end in .csv, .json or .parquet. Got {path!r} instead; "
        "or say --format."
    )


def write_table(columns: Columns, path: str, kind: str, style: Style | None = None) -> None:
    """Write columns to a file, or to the standard output where the path is ``-``.

    Examples
    --------
    >>> from sugeno.cli.writing import write_table
    >>> write_table({"name": ["A"], "probability": [0.5]}, "-", "json")
    [
     {"name": "A", "probability": 0.5}
    ]
    """
    content = _WRITERS[kind](columns, style or Style())
    if path != "-":
        Path(path).write_bytes(content)
    elif kind == "parquet":
        sys.stdout.buffer.write(content)
    else:
        click.echo(content.decode("utf-8"), nl=False)


def _csv(columns: Columns, style: Style) -> bytes:
    text = io.StringIO()
    writer = csv.writer(text, delimiter=style.delimiter, lineterminator="\n")
    writer.writerow(columns)
    for row in zip(*columns.values()):
        writer.writerow([_cell(value, style.decimal) for value in row])
    # A byte order mark tells spreadsheets on Windows that it is UTF-8.
    return text.getvalue().encode("utf-8-sig" if style.marked else "utf-8")


def _cell(value: Any, decimal: str) -> str:
    return repr(value).replace(".", decimal) if isinstance(value, float) else str(value)


def _json(columns: Columns, style: Style) -> bytes:
    records = [dict(zip(columns, row)) for row in zip(*columns.values())]
    lines = ",\n ".join(json.dumps(record, ensure_ascii=False) for record in records)
    return f"[\n {lines}\n]\n".encode()


def _parquet(columns: Columns, style: Style) -> bytes:
    stream = io.BytesIO()
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        try:
            import polars
        except ImportError:
            raise Refusal(
                "Parquet needs pyarrow or polars, which are not installed; pip install pyarrow, "
                "or write CSV or JSON."
            ) from None
        polars.DataFrame(dict(columns)).write_parquet(stream)
        return stream.getvalue()
    parquet.write_table(
        pyarrow.table({name: list(cells) for name, cells in columns.items()}), stream
    )
    return stream.getvalue()


_WRITERS: dict[str, Callable[[Columns, Style], bytes]] = {
    "csv": _csv,
    "json": _json,
    "parquet": _parquet,
}
