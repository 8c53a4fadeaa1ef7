"""Some rows of a frame, chosen by what they hold: the same ones on every engine.

The hash of a row is arithmetic that every engine does exactly: its values as whole numbers of at
most 41 bits, and products of numbers below 2**31. Rows that agree in all criteria have one hash,
so that they are taken together, with the weight of all of them, or not at all.
"""

from __future__ import annotations

import copy
import math
from functools import reduce
from operator import add
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from sugeno._counts.frame_columns import is_missing
from sugeno._counts.table import Table

if TYPE_CHECKING:
    import narwhals as nw

    from sugeno._counts.frame import Frame

__all__ = ["sampled_rows"]

#: A prime; hashes are below it.
_PRIME = 2**31 - 1
#: A primitive root of it: its powers weigh the criteria.
_ROOT = 48271
#: Bits of a value, but for its sign, that its hash depends on.
_BITS = 40
#: Where a missing value stands among values, which begin at 0.
_MISSING = 1 << _BITS + 2
#: Rounds that mix the weighted sum of the values: h² + a h + b.
_ROUNDS = ((1_103_515_245, 12_345), (69_069, 1_234_567), (1_664_525, 1_013_904_223))


def sampled_rows(frame: Frame, size: int) -> Table:
    """Return the distinct rows with the smallest hashes, so many of different values.

    Parameters
    ----------
    frame : Frame
        Whose values are counted.
    size : int
        Number of rows of different values; fewer if there are not so many.

    Returns
    -------
    Table
        A row per distinct row and class, with its weight, in the order of the hashes.

    Notes
    -----
    One pass as a rule: rows with hashes below a bound that so many rows would make necessary. If
    too few are different, the bound is raised, which takes another pass.
    """
    hashed = _hashed(frame)
    bound = min(_PRIME, int(_PRIME * size / frame.total * 1.2) + 1000)
    while True:
        table, hashes = _below(hashed, bound, size)
        numbers = _numbered(hashes, table.X)
        found = int(numbers[-1]) + 1 if numbers.size else 0
        if found >= size or bound == _PRIME:
            return table.take(numbers < size)
        bound = min(_PRIME, max(4 * bound, int(bound * 1.5 * size / (found + 1))))


def _hashed(frame: Frame) -> Frame:
    """The same rows with a column for their hash."""
    import narwhals as nw

    parts = [
        _whole(frame, j) % _PRIME * pow(_ROOT, j + 1, _PRIME) % _PRIME
        for j in range(frame.n_criteria)
    ]
    hashed = copy.copy(frame)
    rows = frame.lazy_rows.with_columns(hash=reduce(add, parts) % _PRIME)
    value = nw.col("hash")
    for factor, summand in _ROUNDS:  # in steps, so that no engine computes a round twice
        rows = rows.with_columns(hash=(value * value + value * factor + summand) % _PRIME)
    hashed.lazy_rows = rows
    return hashed


def _whole(frame: Frame, criterion: int) -> nw.Expr:
    """A criterion as whole numbers from 0."""
    import narwhals as nw

    counts = frame.value_counts(criterion)
    _, exponent = math.frexp(float(np.abs(counts.values[[0, -1]]).max()))
    number = nw.col(f"x{criterion}")
    absent = is_missing(number)
    present = nw.when(absent).then(nw.lit(0.0)).otherwise(number)
    scale = min(_BITS - exponent, 1000)  # a larger power would be beyond the doubles
    whole = (present * 2.0**scale).floor().cast(nw.Int64) + (1 << _BITS)
    return nw.when(absent).then(nw.lit(_MISSING, nw.Int64)).otherwise(whole)


def _below(hashed: Frame, bound: int, size: int) -> tuple[Table, NDArray[np.int64]]:
    """Distinct rows whose hash is below a bound, in the order of hashes and values."""
    import narwhals as nw

    value = nw.col("hash")
    groups = hashed.distinct(
        f"rows with a hash below {bound}",
        {"hash": value},
        among=value < bound if bound < _PRIME else None,
    )
    table = hashed.table_of(groups)
    order = np.lexsort((table.codes, *table.X.T[::-1], groups["hash"]))
    return table.take(order), groups["hash"][order]


def _numbered(hashes: NDArray[np.int64], X: NDArray[Any]) -> NDArray[np.intp]:
    """Number rows by their values, in their order: the first ones 0, the next different ones 1."""
    filled = np.nan_to_num(X, nan=math.inf)
    new = (hashes[1:] != hashes[:-1]) | (filled[1:] != filled[:-1]).any(axis=1)
    return np.concatenate([[0] * min(1, hashes.size), np.cumsum(new)]).astype(np.intp)
