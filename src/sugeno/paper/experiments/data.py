"""Loading the data sets of a run; one that is missing does not stop the others."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256

import numpy as np
from numpy.typing import NDArray

from sugeno.datasets import load, load_raw
from sugeno.paper.experiments.journal import Key
from sugeno.paper.experiments.measurements import Part
from sugeno.paper.experiments.splits import draw_split

__all__ = ["DataSet", "load_all"]


@dataclass(frozen=True, eq=False)
class DataSet:
    """A task in arrays, with a fingerprint.

    Attributes
    ----------
    name : str
        Name of the task.
    X : ndarray of shape (n, m)
        Rows in original units.
    y : ndarray of shape (n,)
        Classes 0 and 1.
    directions : ndarray of int of shape (m,)
        1 where more is better, -1 where less is.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno.paper.experiments.data import DataSet
    >>> len(DataSet("toy", np.eye(2), np.array([0, 1]), np.array([1, 1])).fingerprint)
    8
    """

    name: str
    X: NDArray[np.float64]
    y: NDArray[np.int64]
    directions: NDArray[np.int64]

    @property
    def fingerprint(self) -> str:
        """Eight digits that change with the data."""
        digest = sha256(repr(self.X.shape).encode())
        for array, dtype in ((self.X, "<f8"), (self.y, "<i8"), (self.directions, "<i8")):
            digest.update(np.ascontiguousarray(array, dtype=dtype).tobytes())
        return digest.hexdigest()[:8]

    def part(self, key: Key) -> Part:
        """Cut one split out."""
        split = draw_split(
            self.y, dataset=key.dataset, share=key.share, index=key.split, seed=key.seed
        )
        return Part(
            self.X[split.train],
            self.y[split.train],
            self.X[split.test],
            self.y[split.test],
            self.directions,
            split.random_state,
        )


def load_all(names: Iterable[str]) -> tuple[dict[str, DataSet], dict[str, str]]:
    """Load the data sets that are there.

    Parameters
    ----------
    names : iterable of str
        Names of tasks.

    Returns
    -------
    found : dict of str to DataSet
        What could be loaded.
    missing : dict of str to str
        For every other data set the reason, with what to download and where to put it.

    Examples
    --------
    >>> from sugeno.paper.experiments.data import load_all
    >>> found, missing = load_all(["HAB"])
    >>> found["HAB"].X.shape, missing
    ((306, 3), {})
    """
    found: dict[str, DataSet] = {}
    missing: dict[str, str] = {}
    for name in names:
        try:
            found[name] = _sorted(name)
        except FileNotFoundError as error:
            missing[name] = str(error)
    return found, missing


def _sorted(name: str) -> DataSet:
    """Load a task with its rows sorted by the criteria in turn and then by the raw target."""
    bunch = load(name)
    order = np.lexsort((load_raw(name).target, *bunch.data.T[::-1]))
    return DataSet(name, bunch.data[order], bunch.target[order], bunch.directions)
