"""Reading a journal as tables do: means and standard deviations over splits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sugeno.paper.experiments.journal import Key, Record
from sugeno.paper.experiments.paper import SHARES, Cell

__all__ = ["Results"]


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
    >>> from sugeno.paper.experiments.results import Results
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
