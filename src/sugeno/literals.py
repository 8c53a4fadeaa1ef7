"""From rows to the sets of literals that they satisfy, packed into words.

A *literal* is a statement "criterion j reaches level t": ``x_j >= t`` where more is better,
``x_j <= t`` where less is better. This is the only pass over the whole table that predicting
needs, and one of the few that fitting needs, so it is written for speed.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils import assert_all_finite

__all__ = ["satisfied"]

#: Rows taken at a time: values, truth values and packed bytes of a block stay in the cache.
_BLOCK_ROWS = 8192


def satisfied(
    X: NDArray[Any],
    levels: ArrayLike,
    directions: ArrayLike,
    criteria: NDArray[np.intp] | None = None,
    *,
    check_finite: bool = False,
) -> NDArray[np.uint64]:
    """Return for each row the packed set of the literals that it satisfies.

    The values must be finite. A literal ``x <= t`` is read as "not ``x >= t⁺``", where t⁺ is
    the next number above t: so the whole table needs one kind of comparison, and decreasing
    criteria cost one exclusive-or of the packed words. Cost: one comparison per row and literal.

    Parameters
    ----------
    X : ndarray of shape (n, m)
        Values in original units.
    levels : array-like of shape (L,)
        Level of each literal in original units.
    directions : array-like of shape (L,)
        +1 where the criterion has to reach the level from below, -1 from above.
    criteria : ndarray of shape (L,), optional
        Column of each literal. By default literal j speaks about column j.
    check_finite : bool, default=False
        Refuse missing and infinite values; cheaper here, while a block is in the cache, than in
        a pass of its own.

    Returns
    -------
    ndarray of uint64 of shape (n, words)
        Literal j is bit ``j % 64`` of word ``j // 64``.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno.literals import satisfied
    >>> X = np.array([[6.0, 9.0], [7.0, 3.0], [1.0, 8.0]])
    >>> satisfied(X, [6, 3], [1, -1])
    array([[1],
           [3],
           [0]], dtype=uint64)
    """
    levels = np.asarray(levels, dtype=np.float64)
    decreasing = np.asarray(directions) < 0
    with np.errstate(over="ignore"):  # beyond the largest number there is infinity
        bounds = np.where(decreasing, np.nextafter(levels, np.inf), levels)
    word = _smallest_word(levels.size)
    words = max(1, -(-levels.size // 64))
    masks = np.zeros((len(X), words), dtype=np.uint64)
    by_column = criteria is None and not X.flags.c_contiguous
    # Columns beyond the last literal stay False.
    width = 64 * words if words > 1 else 8 * word.itemsize
    truth = np.zeros((min(len(X), _BLOCK_ROWS), width), dtype=np.bool_)
    for start in range(0, len(X), _BLOCK_ROWS):
        rows = slice(start, start + _BLOCK_ROWS)
        block = X[rows] if criteria is None else X[rows][:, criteria]
        if by_column:
            packed = _compare_by_column(block, bounds, width // 8)
        else:
            packed = _compare_by_row(block, bounds, truth[: len(block)])
        masks[rows] = packed.view(word).reshape(len(block), words)
        if check_finite:
            _check_finite(X[rows])
    if decreasing.any():
        masks ^= _packed_row(decreasing, words)
    return masks


def _smallest_word(n_literals: int) -> np.dtype[Any]:
    """Smallest little-endian word that holds so many bits, at most 64."""
    return np.dtype("<u8" if n_literals > 32 else "<u4" if n_literals > 16 else "<u2")


def _check_finite(block: NDArray[Any]) -> None:
    """Look at each entry only if the sum of all is not finite."""
    if block.dtype.kind == "f":
        with np.errstate(over="ignore", invalid="ignore"):
            suspicious = not np.isfinite(block.sum())
        if suspicious:
            assert_all_finite(block, input_name="X")


def _compare_by_row(
    block: NDArray[Any], bounds: NDArray[np.float64], truth: NDArray[np.bool_]
) -> NDArray[np.uint8]:
    """Compare a block that lies row by row, and pack eight truth values into each byte."""
    np.greater_equal(block, bounds, out=truth[:, : bounds.size])
    return np.packbits(truth.reshape(-1), bitorder="little")


def _compare_by_column(
    block: NDArray[Any], bounds: NDArray[np.float64], n_bytes: int
) -> NDArray[np.uint8]:
    """Compare a block that lies column by column (as data frames do)."""
    packed = np.zeros((len(block), n_bytes), dtype=np.uint8)
    for first in range(0, bounds.size, 8):
        byte = np.zeros(len(block), dtype=np.uint8)
        for bit, j in enumerate(range(first, min(first + 8, bounds.size))):
            byte |= (block[:, j] >= bounds[j]).view(np.uint8) << np.uint8(bit)
        packed[:, first // 8] = byte
    return packed


def _packed_row(bits: NDArray[np.bool_], words: int) -> NDArray[np.uint64]:
    """Pack one set of literals."""
    padded = np.zeros(64 * words, dtype=np.bool_)
    padded[: bits.size] = bits
    return np.packbits(padded, bitorder="little").view("<u8").astype(np.uint64, copy=False)
