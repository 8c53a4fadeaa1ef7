"""Random splits that depend on nothing but their name.

Split i of a data set at a training share is drawn from a seed sequence made of the user's seed,
the data set's name, the share and i. So it is the same in every run, in every process, in any
order and for every method.
"""

from __future__ import annotations

from dataclasses import dataclass
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

__all__ = ["Split", "draw_split"]


@dataclass(frozen=True)
class Split:
    """Row numbers for training and for testing, and a seed for the learners.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno.paper.experiments.splits import draw_split
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
    >>> from sugeno.paper.experiments.splits import draw_split
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
