"""From the text of a file to the table of a task, the same whichever copy it came from."""

from __future__ import annotations

import csv
import hashlib
import io
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from sugeno.datasets._sources import Source
from sugeno.datasets._tasks import TASKS, Task

#: The texts of a table, column by column.
Columns = Mapping[str, Sequence[str]]

_MISSING = frozenset({"", "?", "na", "nan"})


def columns_of(source: Source) -> list[str]:
    """Columns that any task needs from a table, in the order in which they first occur."""
    tasks = (task for task in TASKS.values() if task.key == source.key)
    return list(dict.fromkeys(name for task in tasks for name in task.columns))


def read_columns(text: str, source: Source, origin: str) -> dict[str, list[str]]:
    """Read the columns that the tasks need from comma-, semicolon- or tab-separated text.

    The header is the first line that names all of them; what stands before it is skipped.
    """
    first_line = text.partition("\n")[0]
    delimiter = max(",;\t", key=first_line.count)
    rows = [row for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter) if row]
    wanted = set(columns_of(source))
    for number, row in enumerate(rows):
        header = [_canonical(name, source) for name in row]
        if wanted.issubset(header):
            return _by_column(header, rows[number + 1 :], source, origin)
    raise ValueError(
        f"A file of {source.title} must have a header that names the columns "
        f"{', '.join(columns_of(source))}. Got {origin} without one; replace it with the file "
        f"from {source.page}."
    )


def _by_column(
    header: Sequence[str], rows: Iterable[Sequence[str]], source: Source, origin: str
) -> dict[str, list[str]]:
    """Turn rows of texts into columns; every row must be as long as the header."""
    rows = list(rows)
    for number, row in enumerate(rows, start=1):
        if len(row) != len(header):
            raise ValueError(
                f"Every row of {origin} must have {len(header)} values like its header. "
                f"Got {len(row)} in row {number} instead; replace the file with the one "
                f"from {source.page}."
            )
    return {name: [row[header.index(name)] for row in rows] for name in columns_of(source)}


def select_columns(named: Mapping[str, Sequence[str]], source: Source) -> dict[str, list[str]]:
    """Pick the columns that the tasks need by their names in any known copy."""
    canonical = {_canonical(name, source): list(texts) for name, texts in named.items()}
    missing = [name for name in columns_of(source) if name not in canonical]
    if missing:
        raise ValueError(
            f"The table {source.title} must have the column(s) {', '.join(missing)}. Got "
            f"{', '.join(named)} instead; get the table by hand from {source.page}."
        )
    return {name: canonical[name] for name in columns_of(source)}


def _canonical(name: str, source: Source) -> str:
    """Name of a column in lower case with underscores, after translation."""
    plain = name.strip().strip("'\"").lower().replace("-", "_").replace(" ", "_")
    return source.aliases.get(plain, plain)


def write_columns(columns: Columns) -> str:
    """Write columns as the text that :func:`read_columns` reads."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(zip(*columns.values(), strict=True))
    return out.getvalue()


def task_table(columns: Columns, task: Task, source: Source) -> NDArray[np.float64]:
    """Complete rows of a task, criteria first and the raw target last, in canonical order.

    Copies of a data set differ in the order of their rows, so the rows are sorted: by the first
    criterion, then the second, and so on, and by the raw target at last.
    """
    table = np.column_stack([_numbers(columns[name], name, source) for name in task.columns])
    table = table[~np.isnan(table).any(axis=1)]
    return table[np.lexsort(table.T[::-1])]


def _numbers(texts: Iterable[str], name: str, source: Source) -> NDArray[np.float64]:
    """Turn the texts of a column into numbers, NaN where a value is missing."""
    codes = source.codes.get(name, {})
    return np.array([_number(text, codes, name, source) for text in texts], dtype=np.float64)


def _number(text: str, codes: Mapping[str, float], name: str, source: Source) -> float:
    plain = text.strip().strip("'\"").lower()
    if plain in _MISSING:
        return float("nan")
    if plain in codes:
        return codes[plain]
    try:
        # Scores of the argument corpus carry a label: "2 (Average)".
        return float(plain.partition(" (")[0])
    except ValueError as error:
        expected = "a number" + (f" or one of {', '.join(codes)}" if codes else "")
        raise ValueError(
            f"The values of column {name!r} of {source.title} must be {expected}. "
            f"Got {text!r} instead; replace the file with the one from {source.page}."
        ) from error


def checksum(table: NDArray[np.float64]) -> str:
    """SHA-256 of a table in canonical order, as little-endian 64-bit floats row by row.

    It is taken after parsing, so it is the same for every copy of the same data.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno.datasets._table import checksum
    >>> checksum(np.array([[1.0, 2.0]]))[:12]
    'dc91ce9a50dd'
    """
    # Adding zero turns -0.0 into 0.0, which is the same number in other bytes.
    return hashlib.sha256(np.ascontiguousarray(table + 0.0, dtype="<f8").tobytes()).hexdigest()


def verify(table: NDArray[np.float64], task: Task, origin: str, remedy: str) -> None:
    """Refuse a table that is not the data of the task, and say what to do about it."""
    found = checksum(table)
    if found != task.checksum:
        raise ValueError(
            f"The data of {task.name} must be {task.rows} complete rows with the SHA-256 checksum "
            f"{task.checksum}. Got {len(table)} complete rows with {found} from {origin} instead; "
            f"{remedy}."
        )
