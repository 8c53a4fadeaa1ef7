"""The paper's tables with all their classes."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from sugeno.datasets import load_raw

__all__ = ["TABLES", "Ordered", "load_table"]

#: Tables with all their classes; MPG, whose target is a number, in quartiles.
TABLES = ("ESL", "LEV", "ERA", "MPG", "DGS1", "DGS2", "BCC", "DBS")


@dataclass(frozen=True)
class Ordered:
    """Rows turned so that more is better, with classes 0, 1, …."""

    name: str
    X: np.ndarray
    y: np.ndarray
    n_classes: int

    def part(self, rows: np.ndarray) -> Ordered:
        """Some of the rows."""
        return replace(self, X=self.X[rows], y=self.y[rows])


def load_table(name: str) -> Ordered:
    """Load a table by name."""
    raw = load_raw(name)
    y = np.asarray(raw.target)
    if name == "MPG":
        y = np.searchsorted(np.quantile(y, [0.25, 0.5, 0.75]), y)
    classes, codes = np.unique(y, return_inverse=True)
    X = np.asarray(raw.data, dtype=float) * raw.directions + 0.0
    return Ordered(name, X, codes.astype(np.int64), classes.size)
