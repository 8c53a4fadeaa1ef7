"""The journal: a JSON line per finished split, so that a killed run can go on, and tables can read.

While a run lasts, lines are appended in the order in which the splits finish. At its end the file
is rewritten in canonical order, so that two runs leave the same bytes, whatever happened between.
A line looks like this::

    {"data": "c0ffee12", "dataset": "ESL", "results": {"LR": {"errors": 31, "recipe": "5eed0123"}},
     "rows": [98, 390], "seed": 0, "share": 20, "split": 0}

"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sugeno.paper.experiments.paper import SHARES, Cell

__all__ = ["Journal", "Key", "Record", "Results"]


class Key(NamedTuple):
    """Which split of which data set.

    Examples
    --------
    >>> from sugeno.paper.experiments.journal import Key
    >>> Key(seed=0, dataset="ESL", share=20, split=3).dataset
    'ESL'
    """

    seed: int
    dataset: str
    share: int
    split: int


@dataclass(frozen=True)
class Record:
    """What was measured on one split.

    Attributes
    ----------
    key : Key
        Which split of which data set.
    data : str
        Fingerprint of the data set, so that results on other data are not taken for these.
    rows : tuple of two int
        Number of rows for training and for testing.
    results : dict of str to dict
        For every column what it gave: ``errors`` on the test part, ``recipe`` (a fingerprint of
        how it was learned), ``k`` where there is one.

    Examples
    --------
    >>> from sugeno.paper.experiments.journal import Key, Record
    >>> record = Record(Key(0, "ESL", 20, 3), "c0ffee12", (98, 390), {"LR": {"errors": 31}})
    >>> Record.from_line(record.to_line()) == record
    True
    """

    key: Key
    data: str
    rows: tuple[int, int]
    results: dict[str, dict[str, Any]]

    def to_line(self) -> str:
        """Write the record as one line of JSON."""
        content = {
            **self.key._asdict(),
            "data": self.data,
            "rows": self.rows,
            "results": self.results,
        }
        return json.dumps(content, sort_keys=True)

    @classmethod
    def from_line(cls, line: str | bytes) -> Record:
        """Read a record from one line of JSON."""
        content = json.loads(line)
        key = Key(**{name: content[name] for name in Key._fields})
        n_train, n_test = content["rows"]
        return cls(key, content["data"], (n_train, n_test), content["results"])

    def merge(self, newer: Record) -> Record:
        """Add the results of a newer record of the same split; it wins, and other data replace."""
        if newer.data != self.data:
            return newer
        return Record(self.key, self.data, newer.rows, {**self.results, **newer.results})


class Journal:
    """A file of records that survives the end of the process at any moment.

    Opening it reads what is there; a last line that was cut off by the end of an earlier run is
    removed and its split counts as not done.

    Parameters
    ----------
    path : str or Path
        The file; it is made when the first record is added.

    Attributes
    ----------
    records : dict of Key to Record
        All that is known, several lines about one split merged.

    Examples
    --------
    >>> import tempfile
    >>> from sugeno.paper.experiments.journal import Journal, Key, Record
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     journal = Journal(f"{folder}/splits.jsonl")
    ...     journal.add(Record(Key(0, "ESL", 20, 3), "c0ffee12", (98, 390), {"LR": {"errors": 31}}))
    ...     again = Journal(f"{folder}/splits.jsonl")
    >>> list(again.records)
    [Key(seed=0, dataset='ESL', share=20, split=3)]
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self.records: dict[Key, Record] = {}
        if self.path.exists():
            _cut_torn_line(self.path)
            for record in _read(self.path):
                self._remember(record)

    def add(self, record: Record) -> None:
        """Append a record, and hand it over to the operating system at once."""
        self._remember(record)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("a", encoding="utf-8", newline="\n") as file:
            file.write(record.to_line() + "\n")

    def rewrite(self) -> None:
        """Replace the file by its canonical form: one line per split, sorted."""
        _write(self.path, (self.records[key] for key in sorted(self.records)))

    def _remember(self, record: Record) -> None:
        known = self.records.get(record.key)
        self.records[record.key] = record if known is None else known.merge(record)


def _cut_torn_line(path: Path) -> None:
    """Remove what follows the last line break: a line of a run that was killed while writing."""
    content = path.read_bytes()
    whole = content.rfind(b"\n") + 1
    if whole < len(content):
        with path.open("r+b") as file:
            file.truncate(whole)


def _read(path: Path) -> Iterator[Record]:
    """Read all records of a file without a torn line."""
    for number, line in enumerate(path.read_bytes().splitlines(), start=1):
        try:
            yield Record.from_line(line)
        except (ValueError, KeyError, TypeError) as error:
            raise ValueError(
                f"Line {number} of {path} must be a record of one split, as this program writes "
                f"it. Got {line[:60]!r} instead; remove the line, and its split is done again."
            ) from error


def _write(path: Path, records: Iterable[Record]) -> None:
    """Write records into a new file, then put it in place of the old one in one step."""
    new = path.with_name(path.name + ".new")
    path.parent.mkdir(parents=True, exist_ok=True)
    with new.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(record.to_line() + "\n" for record in records)
    os.replace(new, path)


@dataclass(frozen=True)
class Results:
    """All that was measured with one seed.

    Attributes
    ----------
    records : mapping of Key to Record
        What the journal holds.
    seed, splits : int
        Which splits are looked at: 0, ..., splits - 1 of this seed.
    datasets : tuple of str
        Data sets in the order of the tables, missing ones included.
    columns : tuple of str
        Columns that were asked for.
    missing : tuple of str
        Data sets that are not there.

    Examples
    --------
    >>> from sugeno.paper.experiments.journal import Key, Record
    >>> from sugeno.paper.experiments.journal import Results
    >>> keys = [Key(0, "ESL", 20, split) for split in range(2)]
    >>> records = {
    ...     key: Record(key, "c0ffee12", (98, 100), {"LR": {"errors": 10 + 2 * key.split}})
    ...     for key in keys
    ... }
    >>> round(Results(records, 0, 2, ("ESL",), ("LR",)).cell("ESL", 20, "LR").mean, 3)
    0.11
    """

    records: Mapping[Key, Record]
    seed: int
    splits: int
    datasets: tuple[str, ...]
    columns: tuple[str, ...]
    missing: tuple[str, ...] = ()

    def header(self, table: str) -> dict[str, Any]:
        """Say which table it is, and what it was measured with."""
        missing = list(self.missing)
        return {"table": table, "seed": self.seed, "splits": self.splits, "missing": missing}

    @property
    def present(self) -> tuple[str, ...]:
        """Data sets that are there."""
        return tuple(name for name in self.datasets if name not in self.missing)

    def errors(self, dataset: str, share: int, column: str, *path: str) -> NDArray[np.float64]:
        """0/1 loss on the test part: one number, or one row of numbers, per split."""
        counts = self.values(dataset, share, column, *path, "errors")
        sizes = np.array([record.rows[1] for record in self._having(dataset, share, column)])
        rates: NDArray[np.float64] = (counts.T / sizes).T
        return rates

    def values(self, dataset: str, share: int, column: str, *path: str) -> NDArray[np.float64]:
        """Numbers that a column gave on every split, found under the names of ``path``."""
        found = []
        for record in self._having(dataset, share, column):
            value: Any = record.results[column]
            for name in path:
                value = value[name]
            found.append(value)
        return np.array(found, dtype=np.float64)

    def cell(self, dataset: str, share: int, column: str) -> Cell | None:
        """Mean and standard deviation of the 0/1 loss; None when nothing was measured."""
        found = self._having(dataset, share, column)
        if not found:
            return None
        errors = self.errors(dataset, share, column)
        sd = float(errors.std(ddof=1)) if errors.size > 1 else 0.0
        # A quotient of whole numbers: equal sums of errors give equal means, to the last bit.
        mean = sum(r.results[column]["errors"] for r in found) / sum(r.rows[1] for r in found)
        return Cell(mean, sd, errors.size)

    def measured(self, dataset: str, share: int, column: str) -> Cell:
        """Mean and standard deviation of the 0/1 loss of what must have been measured."""
        cell = self.cell(dataset, share, column)
        if cell is None:
            raise ValueError(
                f"The results must hold column {column} of {dataset} at {share} % training. "
                "Got nothing instead; run the measurements first."
            )
        return cell

    def mean(self, column: str) -> float:
        """Mean 0/1 loss over all data sets and shares of training data."""
        cells = [self.measured(name, share, column) for name in self.present for share in SHARES]
        return sum(cell.mean for cell in cells) / len(cells)

    def means(
        self, datasets: Sequence[str], share: int, columns: Sequence[str]
    ) -> NDArray[np.float64]:
        """Mean 0/1 loss as an array of shape (n_datasets, n_columns)."""
        return np.array(
            [[self.measured(name, share, column).mean for column in columns] for name in datasets]
        )

    def _having(self, dataset: str, share: int, column: str) -> list[Record]:
        """Records of all splits on which the column was measured."""
        keys = (Key(self.seed, dataset, share, split) for split in range(self.splits))
        known = (self.records[key] for key in keys if key in self.records)
        return [record for record in known if column in record.results]
