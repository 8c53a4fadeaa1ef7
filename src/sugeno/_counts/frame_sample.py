"""Some rows of a frame, chosen by what they hold: the same ones on every engine.

The hash of a row is arithmetic that every engine does exactly: its values as whole numbers of at
most 41 bits, and products of numbers below 2**31. Rows that agree in all criteria have one hash,
so that they are taken together, with the weight of all of them, or not at all.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Sequence
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

__all__ = ["sampled_rows", "sampled_table"]

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
        table, numbers = _below(hashed, bound)
        found = int(numbers[-1]) + 1 if numbers.size else 0
        if found >= size or bound == _PRIME:
            return table.take(numbers < size)
        bound = min(_PRIME, max(4 * bound, int(bound * 1.5 * size / (found + 1))))


def sampled_table(table: Table, size: int) -> Table:
    """Return the same sample of rows in memory, all of which are distinct.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._counts.frame_sample import sampled_table
    >>> from sugeno._counts.table import Table
    >>> from sugeno._counts.weights import row_weights
    >>> X, codes = np.array([[1.0], [2.0], [2.0], [3.0]]), np.array([0, 0, 1, 1])
    >>> sampled_table(Table.of(X, codes, row_weights([5, 6, 7, 8], 4)), 2).weights.values
    array([5, 8])
    """
    value = _weighed([_whole_column(table, j) for j in range(table.n_criteria)])
    for factor, summand in _ROUNDS:
        value = _mixed(value, factor, summand)
    ordered, numbers = _in_order(table, value)
    return ordered.take(numbers < size)


def _weighed(columns: Sequence[Any]) -> Any:
    """Weighted sum of whole numbers, as an expression or as an array."""
    factors = [pow(_ROOT, j + 1, _PRIME) for j in range(len(columns))]
    parts = [column % _PRIME * factor % _PRIME for column, factor in zip(columns, factors)]
    return reduce(add, parts) % _PRIME


def _mixed(value: Any, factor: int, summand: int) -> Any:
    return (value * value + value * factor + summand) % _PRIME


def _hashed(frame: Frame) -> Frame:
    """The same rows with a column for their hash."""
    import narwhals as nw

    hashed = copy.copy(frame)
    columns = [_whole(frame, j) for j in range(frame.n_criteria)]
    rows = frame.lazy_rows.with_columns(hash=_weighed(columns))
    for factor, summand in _ROUNDS:  # in steps, so that no engine computes a round twice
        rows = rows.with_columns(hash=_mixed(nw.col("hash"), factor, summand))
    hashed.lazy_rows = rows
    return hashed


def _scale(source: Frame | Table, criterion: int) -> float:
    """What makes the values of a criterion whole numbers of enough bits."""
    counts = source.value_counts(criterion)
    _, exponent = math.frexp(float(np.abs(counts.values[[0, -1]]).max()))
    return float(2.0 ** min(_BITS - exponent, 1000))  # a larger power is beyond the doubles


def _whole(frame: Frame, criterion: int) -> nw.Expr:
    """A criterion as whole numbers from 0."""
    import narwhals as nw

    number = nw.col(f"x{criterion}")
    absent = is_missing(number)
    present = nw.when(absent).then(nw.lit(0.0)).otherwise(number)
    whole = (present * _scale(frame, criterion)).floor().cast(nw.Int64) + (1 << _BITS)
    return nw.when(absent).then(nw.lit(_MISSING, nw.Int64)).otherwise(whole)


def _whole_column(table: Table, criterion: int) -> NDArray[np.int64]:
    """The same in memory."""
    column = table.X[:, criterion]
    present = np.nan_to_num(column, nan=0.0)
    whole = np.floor(present * _scale(table, criterion)).astype(np.int64) + (1 << _BITS)
    return np.where(np.isnan(column), _MISSING, whole)


def _below(hashed: Frame, bound: int) -> tuple[Table, NDArray[np.intp]]:
    """Distinct rows whose hash is below a bound, in their order, with their numbers."""
    import narwhals as nw

    value = nw.col("hash")
    groups = hashed.distinct(
        f"rows with a hash below {bound}",
        {"hash": value},
        among=value < bound if bound < _PRIME else None,
    )
    return _in_order(hashed.table_of(groups), groups["hash"])


def _in_order(table: Table, hashes: NDArray[np.int64]) -> tuple[Table, NDArray[np.intp]]:
    """Rows in the order of hashes and values; equal values, whatever their class, have a number."""
    order = np.lexsort((table.codes, *table.X.T[::-1], hashes))
    ordered = table.take(order)
    return ordered, _numbered(hashes[order], ordered.X)


def _numbered(hashes: NDArray[np.int64], X: NDArray[Any]) -> NDArray[np.intp]:
    """Number rows by their values, in their order: the first ones 0, the next different ones 1."""
    filled = np.nan_to_num(X, nan=math.inf)
    new = (hashes[1:] != hashes[:-1]) | (filled[1:] != filled[:-1]).any(axis=1)
    return np.concatenate([[0] * min(1, hashes.size), np.cumsum(new)]).astype(np.intp)
