"""Few sets that accept the same patterns as many."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from heapq import heapify, heappop, heapreplace
from itertools import accumulate
from operator import or_
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from sugeno._sets.masks import Masks, inclusion_pairs, is_subset, minimal

__all__ = ["few_sets"]

#: So many cells of the table "set against pattern" are held as they are.
_FEW_CELLS = 1 << 18


def few_sets(sets: Masks, masks: Masks, weights: NDArray[np.int64]) -> Masks:
    """Keep few of the sets that accept the same patterns: greedily, then without idle ones.

    Parameters
    ----------
    sets : ndarray of uint64 of shape (R, words)
        Sets; a pattern that contains one of them is accepted.
    masks : ndarray of uint64 of shape (D, words)
        The patterns.
    weights : ndarray of int64 of shape (D,)
        What it is worth to cover each pattern soon.

    Returns
    -------
    ndarray of uint64 of shape (·, words)
        An antichain in canonical order that accepts the same patterns.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno.solvers.cover import few_sets
    >>> sets, masks = np.array([[1], [2], [4]], np.uint64), np.array([[3], [6], [5]], np.uint64)
    >>> few_sets(sets, masks, np.array([1, 1, 1])).ravel().tolist()
    [1, 2]
    """
    if len(sets) * len(masks) <= _FEW_CELLS:
        return minimal(sets[_few_of_table(is_subset(sets, masks), weights)])
    covers = _covers(sets, masks)
    left = weights.astype(np.float64)
    chosen: list[int] = []
    for row in _greedy(covers @ left, lambda row: left[_members(covers, row)].sum()):
        chosen.append(row)
        left[_members(covers, row)] = 0.0
    often = np.bincount(covers[chosen].indices, minlength=left.size)
    for row in reversed(chosen):
        members = _members(covers, row)
        if (often[members] > 1).all():
            often[members] -= 1
            chosen.remove(row)
    return minimal(sets[chosen])


def _greedy(first: NDArray[Any], worth: Callable[[int], float]) -> Iterator[int]:
    """Rows that add something, those that add most first, given what each would add alone.

    What a row adds can only fall as others are taken: only the row that promised most is looked at
    again. Of equal ones the first is taken.
    """
    promises = [(-one, row) for row, one in enumerate(first.tolist())]
    heapify(promises)
    while promises and promises[0][0]:
        promised, row = promises[0]
        added = worth(row)
        if added < -promised:
            heapreplace(promises, (-added, row))
        else:
            yield heappop(promises)[1]


def _few_of_table(covers: NDArray[np.bool_], weights: NDArray[np.int64]) -> list[int]:
    """Rows of a small table that cover the same columns: greedily, then without idle ones.

    Rows are integers with a bit per column, and so are the digits of the weights.
    """
    sets = _as_integers(covers)
    digits = [
        (place, digit)
        for place in range(int(weights.max(initial=0)).bit_length())
        if (digit := _as_integers((weights >> place & 1 == 1)[None])[0])
    ]

    def worth(row: int) -> int:
        new = sets[row] & left
        return sum([(new & digit).bit_count() << place for place, digit in digits])

    left = -1
    chosen: list[int] = []
    for row in _greedy(covers @ weights, worth):
        chosen.append(row)
        left &= ~sets[row]
    return _without_idle(chosen, sets)


def _without_idle(chosen: list[int], sets: list[int]) -> list[int]:
    """Leave out, the last first, what the others cover without it."""
    before = list(accumulate((sets[row] for row in chosen), or_, initial=0))
    kept, after = [], 0
    for row, covered in zip(reversed(chosen), reversed(before[:-1])):
        if sets[row] & ~(covered | after):
            kept.append(row)
            after |= sets[row]
    return kept[::-1]


def _as_integers(table: NDArray[np.bool_]) -> list[int]:
    """Each row of a table as an integer with a bit per column."""
    packed = np.packbits(table, axis=1, bitorder="little")
    return [int.from_bytes(row.tobytes(), "little") for row in packed]


def _covers(sets: Masks, masks: Masks) -> csr_array:
    """Tell which patterns contain which set: sparse, for there may be many of both."""
    i, j = inclusion_pairs(sets, masks)
    return csr_array((np.ones(i.size), (i, j)), shape=(len(sets), len(masks)))


def _members(covers: csr_array, row: int) -> NDArray[np.int32]:
    members: NDArray[np.int32] = covers.indices[covers.indptr[row] : covers.indptr[row + 1]]
    return members
