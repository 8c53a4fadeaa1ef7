"""The data sets of a run, and their random splits; one that is missing does not stop the others.

Splits depend on nothing but their name. Split i of a data set at a training share is drawn from a
seed sequence made of the user's seed, the data set's name, the share and i. So it is the same in
every run, in every process, in any order and for every method.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from sugeno.datasets import load, load_raw
from sugeno.paper.experiments.journal import Key
from sugeno.paper.experiments.measurements import Part

__all__ = ["DataSet", "Split", "draw_split", "load_all"]


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


@dataclass(frozen=True)
class Split:
    """Row numbers for training and for testing, and a seed for the learners.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno.paper.experiments.data import draw_split
    >>> split = draw_split(np.array([0, 1] * 5), dataset="ESL", share=20, index=0, seed=0)
    >>> split.train.size, split.test.size
    (2, 8)
    """

    train: NDArray[np.intp]
    test: NDArray[np.intp]
    random_state: int


def draw_split(
    y: NDArray[np.int64], *, dataset: str, share: int, index: int, seed: int = 0
) -> Split:
    """Draw a split at random, again until the training part has every class.

    As in the paper the split is plain, not stratified.

    Parameters
    ----------
    y : ndarray of shape (n,)
        Classes.
    dataset : str
        Name of the data set.
    share : int
        Percentage of the rows used for training; the number of rows is rounded half up.
    index : int
        Number of the split.
    seed : int, default=0
        The user's seed.

    Returns
    -------
    Split
        Row numbers of both parts in random order, and a seed for the learners.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno.paper.experiments.data import draw_split
    >>> y = np.array([0, 1, 0, 1, 0, 1])
    >>> one = draw_split(y, dataset="ESL", share=50, index=7)
    >>> two = draw_split(y, dataset="ESL", share=50, index=7)
    >>> bool((one.train == two.train).all())
    True
    """
    sequence = np.random.SeedSequence([seed, crc32(dataset.encode()), share, index])
    random_state = int(sequence.generate_state(1)[0])
    rng = np.random.default_rng(sequence)
    n_train = (share * y.size + 50) // 100
    n_classes = np.unique(y).size
    if n_train < n_classes:
        raise ValueError(
            f"A training part must hold every class at least once. Got {n_train} rows for "
            f"{n_classes} classes instead ({share} % of {y.size} rows of {dataset})."
        )
    while True:
        order = rng.permutation(y.size)
        if np.unique(y[order[:n_train]]).size == n_classes:
            return Split(order[:n_train], order[n_train:], random_state)
