"""The figures that the paper prints, as data.

Tables 2, 5 and 7 of arXiv:2007.03046 are shipped as ``paper.json``, digit by digit as printed,
including the few places in which the paper contradicts itself.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

__all__ = ["DATASETS", "METHODS", "SHARES", "Cell", "Regularised", "published", "regularised"]

#: The twelve tasks in the order of the paper's tables.
DATASETS = (
    "DGS1",
    "DGS2",
    "DBS",
    "MMG",
    "MPG",
    "ESL",
    "ERA",
    "BCC",
    "BCW",
    "LEV",
    "HAB",
    "ILP",
)
#: The paper's five methods.
METHODS = ("DT", "LR", "CR", "MORE", "SI")
#: Percentage of the rows that is used for training.
SHARES = (20, 50, 80)


@dataclass(frozen=True)
class Cell:
    """Mean and standard deviation of the 0/1 loss over a number of splits.

    Examples
    --------
    >>> from sugeno.paper.experiments.paper import Cell
    >>> Cell(mean=0.1, sd=0.02, splits=100).standard_error
    0.002
    """

    mean: float
    sd: float
    splits: int

    @property
    def standard_error(self) -> float:
        """Standard deviation of the mean."""
        return self.sd / math.sqrt(self.splits)


@dataclass(frozen=True)
class Regularised:
    """One row of Table 7: fully maxitive, k-maxitive and the average k.

    Examples
    --------
    >>> from sugeno.paper.experiments.paper import regularised
    >>> regularised("HAB", 20).average_k
    1.82
    """

    full: Cell
    maxitive: Cell
    average_k: float


@cache
def tables() -> dict[str, Any]:
    """Read ``paper.json``.

    Examples
    --------
    >>> from sugeno.paper.experiments.paper import tables
    >>> tables()["average_rank"]["20"]["SI"]
    2.25
    """
    text = resources.files("sugeno.paper.experiments").joinpath("paper.json").read_text("utf-8")
    content: dict[str, Any] = json.loads(text)
    return content


def published(dataset: str, share: int, method: str) -> Cell:
    """Look a cell of Table 2 up.

    Parameters
    ----------
    dataset : str
        Name of the task, such as "ESL".
    share : {20, 50, 80}
        Percentage of the rows used for training.
    method : str
        One of the paper's methods: DT, LR, CR, MORE, SI.

    Examples
    --------
    >>> from sugeno.paper.experiments.paper import published
    >>> published("ESL", 20, "LR")
    Cell(mean=0.077, sd=0.013, splits=100)
    """
    mean, sd, _ = tables()["table2"][str(share)][dataset][method]
    return Cell(mean, sd, tables()["splits"])


def regularised(dataset: str, share: int) -> Regularised:
    """Look a row of Table 7 up.

    Parameters
    ----------
    dataset : str
        Name of the task, such as "ESL".
    share : {20, 50, 80}
        Percentage of the rows used for training.

    Examples
    --------
    >>> from sugeno.paper.experiments.paper import regularised
    >>> regularised("ESL", 80).full.mean
    0.108
    """
    row = tables()["table7"][str(share)][dataset]
    splits = tables()["splits"]
    full, maxitive = (Cell(mean, sd, splits) for mean, sd in (row["full"], row["kmax"]))
    return Regularised(full, maxitive, row["k"])
