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
from sugeno._counts.sample import SAMPLE
from sugeno._counts.table import Table
from sugeno._counts.weights import RowWeights

Ints = NDArray[np.int64]

#: Seconds for a fit with all its folds, unless the user says otherwise.
USUAL_TIME = 120.0
#: Beyond so many rows one fold tells enough, learned from so many.
_MANY_ROWS = 20_000
#: Of a thinned sample each class has so many rows, or all that there are.
_LEAST_OF_A_CLASS = 10

#: Rows to learn from, and rows to score.
Fold = tuple[NDArray[np.intp], NDArray[np.intp]]


def rows_for_folds(table: Table, most: int = SAMPLE) -> Table:
    """Return the rows from which folds are drawn: at most so many, made from counts.

    Where all rows weigh the same, each distinct row is repeated as often as it was counted; if that
    gives too many rows, in proportion. Otherwise each distinct row stands there once, with the
    weight of all rows equal to it. So no fold scores a row that it has also learned from.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._counts.table import Table
    >>> from sugeno._counts.weights import row_weights
    >>> from sugeno._learning.folds import rows_for_folds
    >>> X, codes = np.array([[3.0], [1.0], [3.0]]), np.array([1, 0, 1])
    >>> rows_for_folds(Table.of(X, codes, row_weights([0.5, 1, 2], 3))).weights.values
    array([2, 5])
    >>> rows_for_folds(Table.of(X, codes, row_weights([2, 2, 2], 3))).X.ravel()
    array([1., 3., 3.])
    """
    if table.weights.values is None:
        return table
    joined = table.joined()
    copies = joined.weights.copies
    if copies is None:
        return joined
    rows = np.repeat(np.arange(copies.size), _thinned_copies(copies, joined.codes, most))
    return Table.of(joined.X[rows], joined.codes[rows], RowWeights(None, rows.size, table.unit))


def _thinned_copies(copies: Ints, codes: NDArray[np.intp], most: int) -> Ints:
    """How often each row is repeated where copies are too many; classes keep their shares."""
    total = int(copies.sum())
    if total <= most:
        return copies
    thinned = np.empty_like(copies)
    for code in np.unique(codes):
        mine = codes == code
        ends = np.cumsum(copies[mine]).astype(object)  # products are beyond 64 bits
        share = max(most * ends[-1] // total, min(_LEAST_OF_A_CLASS, ends[-1]))
        thinned[mine] = np.diff(ends * share // ends[-1], prepend=0)
    return thinned


def stratified_folds(
    X: NDArray[np.float64], codes: NDArray[np.intp], weights: RowWeights, n_folds: int
) -> list[Fold]:
    """Draw folds at random from the rows of positive weight, in equal parts of each class.

    Of more than two classes, which are ordered, a rare one is dealt with its neighbours. It may be
    missing where a fold learns: then it is not predicted there.

    Parameters
    ----------
    X : ndarray of shape (n, m)
        Values.
    codes : ndarray of intp of shape (n,)
        Class of each row.
    weights : RowWeights
        Weight of each row.
    n_folds : int
        Number of folds, lowered to the number of rows of the rarer one of two classes.

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
    >>> X, codes = np.arange(6.0)[:, None], np.array([0, 0, 0, 1, 2, 2])
    >>> [sorted(codes[test].tolist()) for _, test in stratified_folds(
    ...     X, codes, row_weights(None, 6), 3)]
    [[0, 1], [0, 2], [0, 2]]
    """
    present = weights.present
    rows = np.arange(len(codes)) if present is None else np.flatnonzero(present)
    counts = np.bincount(codes[rows])
    if counts.size > 2:
        number = max(2, min(n_folds, int(counts.max())))
        groups = _joined(counts, number)[codes]
    else:
        number, groups = min(n_folds, int(counts.min())), codes
    if number < 2:
        raise ValueError(
            "Cross-validation needs at least 2 rows of each class. Got only 1 sample of one "
            "class instead; use SugenoClassifier, or collect more rows."
        )
    rows = rows[_mixed(X[rows], codes[rows], weights.take(rows))]
    folds = StratifiedKFold(number).split(rows, groups[rows])
    return [(rows[train], rows[test]) for train, test in folds]


def _joined(counts: NDArray[np.intp], least: int) -> NDArray[np.intp]:
    """A group for each class, of at least so many rows as long as there are others to join."""
    groups, group, held = [], 0, 0
    for count in counts.tolist():
        if held >= least:
            group, held = group + 1, 0
        groups.append(group)
        held += count
    found = np.array(groups, dtype=np.intp)
    if held < least and group:
        found[found == group] = group - 1
    return found


def limit_folds(folds: list[Fold], codes: NDArray[np.intp]) -> list[Fold]:
    """Of a table with very many rows only the first fold, and some of its rows to learn from.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._learning.folds import limit_folds
    >>> half = np.arange(30_000)
    >>> folds = limit_folds([(half, half + 30_000), (half + 30_000, half)], half.repeat(2) % 2)
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
        if len(missing) > classes.size - 2:
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
