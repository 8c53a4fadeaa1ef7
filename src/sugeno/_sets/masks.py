"""Packed sets: the algebra of sets of literals, as bits of 64-bit words.

Sets are packed into words: literal ``j`` is bit ``j % 64`` of word ``j // 64``. An array of sets
has shape (number of sets, number of words). Sets are kept in *canonical order*: by size, then
numerically; so a set never stands before one of its subsets.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

Masks = NDArray[np.uint64]

#: Blocks of this many comparisons are done in one go.
_BLOCK = 1 << 20
#: So many sets are unpacked at a time.
_BLOCK_SETS = 1 << 13
#: So many pairs of sets are compared without splitting them first.
_OUTRIGHT = 1 << 17


def pack(bits: NDArray[np.bool_]) -> Masks:
    """Pack a Boolean matrix, one set per row, into words.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._sets.masks import pack
    >>> pack(np.array([[True, False, True], [False, True, False]]))
    array([[5],
           [2]], dtype=uint64)
    """
    packed = np.packbits(bits, axis=1, bitorder="little")
    words = max(1, -(-packed.shape[1] // 8))
    padded = np.zeros((bits.shape[0], 8 * words), dtype=np.uint8)
    padded[:, : packed.shape[1]] = packed
    return padded.view("<u8").astype(np.uint64, copy=False)


def unpack(masks: Masks, n_literals: int) -> NDArray[np.bool_]:
    """Turn packed sets back into a Boolean matrix with one column per literal.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._sets.masks import pack, unpack
    >>> unpack(pack(np.array([[True, False, True]])), 3)
    array([[ True, False,  True]])
    """
    as_bytes = np.ascontiguousarray(masks.astype("<u8", copy=False)).view(np.uint8)
    return np.unpackbits(as_bytes, axis=1, count=n_literals, bitorder="little").view(np.bool_)


def unpacked_blocks(masks: Masks, n_literals: int) -> Iterator[tuple[slice, NDArray[np.bool_]]]:
    """Unpack sets a few thousand at a time: as numbers, all of them would need much memory.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._sets.masks import unpacked_blocks
    >>> [(rows, bits.tolist()) for rows, bits in unpacked_blocks(np.array([[2]], np.uint64), 2)]
    [(slice(0, 8192, None), [[False, True]])]
    """
    for start in range(0, len(masks), _BLOCK_SETS):
        rows = slice(start, start + _BLOCK_SETS)
        yield rows, unpack(masks[rows], n_literals)


def distinct_masks(masks: Masks) -> tuple[Masks, NDArray[np.intp]]:
    """Return the distinct sets, and the place of each given set among them.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._sets.masks import distinct_masks
    >>> distinct, place = distinct_masks(np.array([[5], [2], [5]], dtype=np.uint64))
    >>> distinct.ravel().tolist(), place.tolist()
    ([2, 5], [1, 0, 1])
    """
    if masks.shape[1] == 1:  # much faster than rows of words
        words, place = np.unique(masks[:, 0], return_inverse=True)
        return words[:, None], place
    distinct, place = np.unique(masks, axis=0, return_inverse=True)
    return distinct, place.reshape(-1)


def set_sizes(masks: Masks) -> NDArray[np.intp]:
    """Return the number of literals in each set.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._sets.masks import set_sizes
    >>> set_sizes(np.array([[5], [2]], dtype=np.uint64))
    array([2, 1])
    """
    counts = np.bitwise_count(masks)
    if masks.shape[1] == 1:
        return counts[:, 0].astype(np.intp)
    sizes: NDArray[np.intp] = counts.sum(axis=1, dtype=np.intp)
    return sizes


def canonical_order(masks: Masks) -> NDArray[np.intp]:
    """Return the permutation that sorts sets by size, then numerically.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._sets.masks import canonical_order
    >>> canonical_order(np.array([[6], [5], [2]], dtype=np.uint64))
    array([2, 1, 0])
    """
    return np.lexsort((*masks.T, set_sizes(masks)))


def is_subset(lower: Masks, upper: Masks) -> NDArray[np.bool_]:
    """Tell for every pair whether the set ``lower[i]`` is contained in ``upper[j]``.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._sets.masks import is_subset
    >>> sets = np.array([[1], [2], [3]], dtype=np.uint64)
    >>> is_subset(sets, sets).astype(int)
    array([[1, 0, 1],
           [0, 1, 1],
           [0, 0, 1]])
    """
    missing = ~upper
    contained = np.empty((len(lower), len(upper)), dtype=np.bool_)
    step = max(1, _BLOCK // max(1, len(upper)))
    for start in range(0, len(lower), step):
        rows, out = lower[start : start + step], contained[start : start + step]
        np.equal(rows[:, None, 0] & missing[None, :, 0], 0, out=out)
        for word in range(1, lower.shape[1]):
            out &= (rows[:, None, word] & missing[None, :, word]) == 0
    return contained


def inclusion_pairs(lower: Masks, upper: Masks) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """List all pairs (i, j) with ``lower[i]`` contained in ``upper[j]``.

    Splits both sides on one literal at a time: a set that has it cannot lie in one that lacks
    it, so a quarter of the pairs falls away at each split; small blocks are compared outright.
    On random sets the cost grows like (a·b)^0.8 instead of a·b comparisons.

    Parameters
    ----------
    lower, upper : ndarray of uint64 of shape (a, words) and (b, words)
        Packed sets.

    Returns
    -------
    i, j : ndarray of intp
        Indices of the pairs, in no particular order.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._sets.masks import inclusion_pairs
    >>> i, j = inclusion_pairs(np.array([[1], [2]], np.uint64), np.array([[3], [2]], np.uint64))
    >>> sorted(zip(i.tolist(), j.tolist()))
    [(0, 0), (1, 0), (1, 1)]
    """
    found = list(inclusion_blocks(lower, upper))
    if not found:
        return np.empty(0, np.intp), np.empty(0, np.intp)
    if len(found) == 1:
        return found[0]
    return np.concatenate([i for i, _ in found]), np.concatenate([j for _, j in found])


def inclusion_blocks(
    lower: Masks, upper: Masks
) -> Iterator[tuple[NDArray[np.intp], NDArray[np.intp]]]:
    """List the pairs of `inclusion_pairs` a few at a time: there may be too many to keep.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._sets.masks import inclusion_blocks
    >>> sets = np.array([[1], [3]], np.uint64)
    >>> [(i.tolist(), j.tolist()) for i, j in inclusion_blocks(sets, sets)]
    [([0, 0, 1], [0, 1, 1])]
    """
    lower, upper = narrow(lower, upper)
    for i, j in _blocks(lower, upper):
        yield from _pairs_of_block(lower, upper, i, j)


def _blocks(
    lower: Masks, upper: Masks, done: NDArray[np.bool_] | None = None
) -> Iterator[tuple[NDArray[np.intp], NDArray[np.intp]]]:
    """Blocks of pairs among which all inclusions are; upper sets that are done are left out.

    The caller may mark more upper sets as done between two blocks.
    """
    bits = 8 * lower.itemsize * lower.shape[1]
    stack = [(np.arange(len(lower)), np.arange(len(upper)), 0)]
    while stack:
        i, j, bit = stack.pop()
        if done is not None:
            j = j[~done[j]]
        if i.size == 0 or j.size == 0:
            continue
        if i.size * j.size <= _OUTRIGHT or min(i.size, j.size) < 16 or bit == bits:
            yield i, j
            continue
        word, shift = divmod(bit, 8 * lower.itemsize)
        flag = lower.dtype.type(1 << shift)
        has_i = (lower[i, word] & flag) != 0
        has_j = (upper[j, word] & flag) != 0
        stack.append((i[has_i], j[has_j], bit + 1))
        stack.append((i[~has_i], j, bit + 1))


def narrow(lower: Masks, upper: Masks) -> tuple[Masks, Masks]:
    """Sets that need few bits in the smallest words that hold them: comparing gets cheaper.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._sets.masks import narrow
    >>> narrow(np.array([[5]], np.uint64), np.array([[7]], np.uint64))[0].dtype
    dtype('uint16')
    """
    if lower.shape[1] > 1 or not (lower.size and upper.size):
        return lower, upper
    largest = max(int(lower.max()), int(upper.max()))
    kind = np.uint16 if largest < 1 << 16 else np.uint32 if largest < 1 << 32 else np.uint64
    return lower.astype(kind), upper.astype(kind)


def _pairs_of_block(
    lower: Masks, upper: Masks, i: NDArray[np.intp], j: NDArray[np.intp]
) -> list[tuple[NDArray[np.intp], NDArray[np.intp]]]:
    """Compare two blocks outright, in slices of bounded memory."""
    step = max(1, _BLOCK // j.size)
    if i.size <= step and lower.shape[1] == 1:
        inside = np.flatnonzero((lower[i] & ~upper[j, 0]) == 0)
        a, b = np.divmod(inside, j.size)
        return [(i[a], j[b])]
    pairs = []
    for start in range(0, i.size, step):
        part = i[start : start + step]
        a, b = np.nonzero(is_subset(lower[part], upper[j]))
        if a.size:
            pairs.append((part[a], j[b]))
    return pairs


def minimal(masks: Masks) -> Masks:
    """Keep the minimal sets: an antichain, without repetition, in canonical order.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._sets.masks import minimal
    >>> minimal(np.array([[7], [3], [4], [3]], dtype=np.uint64))
    array([[4],
           [3]], dtype=uint64)
    """
    ordered = masks[canonical_order(masks)]
    if len(ordered) > 1:
        ordered = ordered[np.append(True, (ordered[1:] != ordered[:-1]).any(axis=1))]
    if len(ordered) ** 2 <= _OUTRIGHT:
        small, _ = narrow(ordered, ordered)
        inside = is_subset(small, small)
        inside.reshape(-1)[:: len(inside) + 1] = False  # but for itself
        least: Masks = ordered[~inside.any(axis=0)]
        return least
    sizes = set_sizes(ordered)
    kept = ordered[:0]
    for size in np.unique(sizes):
        level = ordered[sizes == size]
        kept = np.concatenate([kept, level[~contains_any(level, kept)]])
    return kept


def contains_any(sets: Masks, members: Masks) -> NDArray[np.bool_]:
    """Tell which sets contain at least one of the members.

    With the boundary sets as members this is equation (6): a set is accepted if and only if it
    contains a boundary set.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._sets.masks import contains_any
    >>> contains_any(np.array([[1], [7], [4]], np.uint64), np.array([[3], [4]], np.uint64))
    array([False,  True,  True])
    """
    result = np.zeros(len(sets), dtype=np.bool_)
    members, sets = narrow(members, sets)
    for i, j in _blocks(members, sets, result):
        step = max(1, _BLOCK // i.size)
        for start in range(0, j.size, step):
            part = j[start : start + step]
            result[part] |= is_subset(members[i], sets[part]).any(axis=0)
    return result


def meets_all(sets: Masks, members: Masks) -> NDArray[np.bool_]:
    """Tell which sets have a literal in common with every member: the clauses of a CNF.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._sets.masks import meets_all
    >>> meets_all(np.array([[1], [5], [6]], np.uint64), np.array([[3], [4]], np.uint64))
    array([False,  True,  True])
    """
    result = np.ones(len(sets), dtype=np.bool_)
    for member in members:
        result &= (sets & member).any(axis=1)
    return result
