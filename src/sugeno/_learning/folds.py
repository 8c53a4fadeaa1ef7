"""Folds of a table: which rows to learn from and which to score.

A fold is a function of what rows hold: value, class and weight. Where they stand does not matter.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import StratifiedKFold

from sugeno._counts.row_order import row_order
from sugeno._counts.weights import RowWeights

__all__ = ["USUAL_TIME", "Fold", "check_folds", "few_enough", "stratified_folds"]

#: Seconds for a fit with all its folds, unless the user says otherwise.
USUAL_TIME = 120.0
#: Beyond so many rows one fold tells enough, learned from so many.
_MANY_ROWS = 20_000


#: Rows to learn from, and rows to score.
Fold = tuple[NDArray[np.intp], NDArray[np.intp]]


def stratified_folds(
    X: NDArray[np.float64], codes: NDArray[np.intp], weights: RowWeights, n_folds: int
) -> list[Fold]:
    """Draw folds at random from the rows of positive weight, in equal parts of each class.

    Parameters
    ----------
    X : ndarray of shape (n, m)
        Values.
    codes : ndarray of intp of shape (n,)
        Class of each row.
    weights : RowWeights
        Weight of each row.
    n_folds : int
        Number of folds, lowered to the number of rows of the rarest class.

    Returns
    -------
    list of pairs of ndarray of intp
        Rows to learn from and rows to score; each part has weight in every class.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._counts.weights import row_weights
    >>> from sugeno._learning.folds import stratified_folds
    >>> X, codes = np.arange(4.0)[:, None], np.array([0, 0, 1, 1])
    >>> [sorted(codes[test].tolist()) for _, test in stratified_folds(
    ...     X, codes, row_weights(None, 4), 10)]
    [[0, 1], [0, 1]]
    """
    present = weights.present
    rows = np.arange(len(codes)) if present is None else np.flatnonzero(present)
    fewest = int(np.unique(codes[rows], return_counts=True)[1].min())
    if fewest < 2:
        raise ValueError(
            "Cross-validation needs at least 2 rows of each class. Got only 1 sample of one "
            "class instead; use SugenoClassifier, or collect more rows."
        )
    rows = rows[_mixed(X[rows], codes[rows], weights.take(rows))]
    folds = StratifiedKFold(min(n_folds, fewest)).split(rows, codes[rows])
    return [(rows[train], rows[test]) for train, test in folds]


def few_enough(folds: list[Fold], codes: NDArray[np.intp]) -> list[Fold]:
    """Of a table with very many rows only the first fold, and some of its rows to learn from.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._learning.folds import few_enough
    >>> half = np.arange(30_000)
    >>> folds = few_enough([(half, half + 30_000), (half + 30_000, half)], half.repeat(2) % 2)
    >>> [(len(train), len(test)) for train, test in folds]
    [(20000, 30000)]
    """
    if len(codes) <= _MANY_ROWS:
        return folds
    train, test = folds[0]
    return [(_thinned(train, codes), test)]


def _thinned(rows: NDArray[np.intp], codes: NDArray[np.intp]) -> NDArray[np.intp]:
    """Keep as many rows as are enough, of each class its share, evenly spaced."""
    share = min(1.0, _MANY_ROWS / len(rows))
    kept = [_spaced(rows[codes[rows] == code], share) for code in np.unique(codes[rows])]
    return np.sort(np.concatenate(kept))


def _spaced(rows: NDArray[np.intp], share: float) -> NDArray[np.intp]:
    """Take a share of some rows, one at least."""
    places = (np.arange(math.ceil(share * len(rows))) / share).astype(np.intp)
    return rows[np.minimum(places, len(rows) - 1)]


def _mixed(
    X: NDArray[np.float64], codes: NDArray[np.intp], weights: RowWeights
) -> NDArray[np.intp]:
    """Put rows into one random order that depends on what they hold, not on where they stand."""
    last = (codes,) if weights.values is None else (weights.values, codes)
    order = row_order((*last, *X.T[::-1]))
    return order[np.random.default_rng(0).permutation(order.size)]


def check_folds(
    folds: Sequence[Fold], codes: NDArray[np.intp], weights: RowWeights, classes: NDArray[Any]
) -> None:
    """Refuse folds from which nothing can be learned, or on which nothing can be scored.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._counts.weights import row_weights
    >>> from sugeno._learning.folds import check_folds
    >>> one = (np.array([0, 1]), np.array([2]))
    >>> check_folds([one], np.array([0, 1, 1]), row_weights(None, 3), np.array([0, 1]))
    """
    for number, (train, test) in enumerate(folds):
        learned = weights.take(train)
        rows = train if learned.present is None else train[learned.present]
        missing = [label for c, label in enumerate(classes.tolist()) if c not in codes[rows]]
        if missing:
            raise ValueError(
                f"Fold {number} of 'cv' must leave rows of every class with positive weight to "
                f"learn from. Got none of class {missing[0]!r}; use stratified folds (an int as "
                "'cv'), or fewer of them."
            )
        if weights.take(test).total == 0:
            raise ValueError(
                f"Fold {number} of 'cv' must score rows with positive weight. Got {len(test)} rows "
                "whose weights add up to 0; use an int as 'cv', or leave those rows out."
            )
