"""Some rows, chosen by what they hold: the same ones in memory and on every engine.

The hash of a row is arithmetic that numpy and every engine do exactly: its values as whole numbers
of at most 41 bits, and products of numbers below 2**31. Rows that agree in all criteria have one
hash, so that they are taken together, with the weight of all of them, or not at all.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Protocol, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from sugeno._counts.row_order import row_order

Ints = NDArray[np.int64]

#: Rows of different values that learners look at, unless the user says otherwise.
SAMPLE = 100_000
#: More rows of different values are never looked at.
MOST_ROWS = 1 << 20
#: A sample has so many rows of each class, or all that there are.
_LEAST_OF_A_CLASS = 10

#: A prime; hashes are below it.
HASHES = 2**31 - 1
#: A primitive root of it: its powers weigh the criteria.
_ROOT = 48271
#: Bits of a value, but for its sign, that its hash depends on.
BITS = 40
#: Where a missing value stands among values, which begin at 0.
MISSING = 1 << BITS + 2
#: Rounds that mix the weighted sum of the values: h² + a h + b.
ROUNDS = ((1_103_515_245, 12_345), (69_069, 1_234_567), (1_664_525, 1_013_904_223))


class RowsToSample(Protocol):
    """What is asked of the rows to choose from; `sugeno._counts.table.Table` has it."""

    @property
    def X(self) -> NDArray[np.float64]:
        """Values, NaN where one is missing."""

    @property
    def codes(self) -> NDArray[np.intp]:
        """Class of each row."""

    @property
    def n_classes(self) -> int:
        """Number of classes."""

    def take(self, rows: NDArray[Any]) -> Self:
        """Return some of the rows."""

    def joined_neighbours(self) -> tuple[Self, NDArray[np.intp]]:
        """Join rows with the rows before them that are equal; return the first ones."""


R = TypeVar("R", bound=RowsToSample)


class TooManyGroups(ValueError):
    """An answer has more rows than should cross over, or be looked at."""


def smallest_hashes(
    below: Callable[[int], tuple[R, NDArray[np.intp]]], size: int, n_rows: int
) -> R:
    """Return the rows with the smallest hashes, so many of different values.

    More where a class would have fewer than ten of them, up to about a million.

    Parameters
    ----------
    below : callable
        Returns the distinct rows with hashes below a bound, in their order, with their numbers; or
        raises `TooManyGroups`.
    size : int
        Number of rows of different values.
    n_rows : int
        Number of all rows, or their weight: for a first guess of the bound.

    Notes
    -----
    One call as a rule: a bound that so many rows would make necessary. If too few are different,
    or of a class, the bound is raised.
    """
    bound = min(HASHES, int(HASHES * size / n_rows * 1.2) + 1000)
    table, numbers = below(bound)
    while bound < HASHES and not _is_enough(table, numbers, size):
        found = int(numbers[-1]) + 1 if numbers.size else 0
        bound = min(HASHES, max(4 * bound, int(bound * 1.5 * size / (found + 1))))
        try:
            table, numbers = below(bound)
        except TooManyGroups:
            if found < size:
                raise
            return table.take(numbers < size)  # a class is too rare
    return table.take(numbers < _needed(table, numbers, size))


def _is_enough(table: RowsToSample, numbers: NDArray[np.intp], size: int) -> bool:
    counts = np.bincount(table.codes, minlength=table.n_classes)
    return bool(numbers.size and numbers[-1] + 1 >= size and counts.min() >= _LEAST_OF_A_CLASS)


def _needed(table: RowsToSample, numbers: NDArray[np.intp], size: int) -> int:
    """Number of rows of different values that give each class its ten rows."""
    firsts = [numbers[table.codes == code][:_LEAST_OF_A_CLASS] for code in range(table.n_classes)]
    return max([size, *(int(first[-1]) + 1 for first in firsts if first.size)])


def sampled_table(table: R, size: int) -> R:
    """Return the rows of a table with the smallest hashes; see `smallest_hashes`.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._counts.sample import sampled_table
    >>> from sugeno._counts.table import Table
    >>> from sugeno._counts.weights import row_weights
    >>> X, codes = np.arange(4000.0)[:, None] // 2, np.arange(4000) // 2000
    >>> sample = sampled_table(Table.of(X, codes, row_weights(None, 4000)), 500)
    >>> sample.total, sample.codes.size
    (1000, 500)
    """
    hashes = _hashes(table)

    def below(bound: int) -> tuple[R, NDArray[np.intp]]:
        near = np.flatnonzero(hashes < bound)
        found = in_order(table.take(near), hashes[near])
        if found[1].size and found[1][-1] >= MOST_ROWS:
            raise TooManyGroups(f"The table has more than {MOST_ROWS} rows of different values.")
        return found

    return smallest_hashes(below, size, len(table.codes))


def in_order(table: R, hashes: Ints) -> tuple[R, NDArray[np.intp]]:
    """Join equal rows, in the order of hashes, values and classes; equal values have one number."""
    order = row_order((table.codes, *table.X.T[::-1], hashes))
    joined, first = table.take(order).joined_neighbours()
    values, found = np.nan_to_num(joined.X, nan=math.inf), hashes[order][first]
    new = (found[1:] != found[:-1]) | (values[1:] != values[:-1]).any(axis=1)
    numbers = np.concatenate([[0] * min(1, found.size), np.cumsum(new)])
    return joined, numbers.astype(np.intp)


def places_in(sample: RowsToSample, table: RowsToSample) -> NDArray[np.intp]:
    """Return where each row of a table is in a sample of its rows; -1 where it is not.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._counts.sample import places_in
    >>> from sugeno._counts.table import Table
    >>> from sugeno._counts.weights import row_weights
    >>> X, codes = np.array([[3.0], [1.0], [3.0]]), np.array([0, 1, 0])
    >>> table = Table.of(X, codes, row_weights(None, 3))
    >>> places_in(table.take(np.array([2])), table)
    array([ 0, -1,  0])
    """
    n = len(sample.codes)
    X = np.concatenate([sample.X, table.X]) + 0.0
    codes = np.concatenate([sample.codes, table.codes])
    order = row_order((codes, *X.T[::-1]))  # stable: what is in the sample comes first
    values = np.nan_to_num(X[order], nan=math.inf)
    new = np.ones(order.size, dtype=np.bool_)
    new[1:] = (values[1:] != values[:-1]).any(axis=1) | (codes[order][1:] != codes[order][:-1])
    first = order[new][np.cumsum(new) - 1]
    places = np.empty(order.size, dtype=np.intp)
    places[order] = np.where(first < n, first, -1)
    return places[n:]


def hash_part(whole: Any, criterion: int) -> Any:
    """What a criterion adds to the hash of a row, as an expression or as an array.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._counts.sample import hash_part
    >>> hash_part(np.array([1, 2]), 0)
    array([48271, 96542])
    """
    return whole % HASHES * pow(_ROOT, criterion + 1, HASHES) % HASHES


def mixed(value: Any, factor: int, summand: int) -> Any:
    """Mix a hash once more, as an expression or as an array.

    Examples
    --------
    >>> from sugeno._counts.sample import mixed
    >>> mixed(10, 3, 1)
    131
    """
    return (value * value + value * factor + summand) % HASHES


def scale_of(least: float, greatest: float) -> float:
    """Return what makes the values of a criterion whole numbers of enough bits.

    Examples
    --------
    >>> from sugeno._counts.sample import BITS, scale_of
    >>> scale_of(-3.0, 1.5) == 2.0 ** (BITS - 2)
    True
    """
    _, exponent = math.frexp(max(abs(least), abs(greatest)))
    return float(2.0 ** min(BITS - exponent, 1000))  # a larger power is beyond the doubles


def _hashes(table: RowsToSample) -> Ints:
    """The hash of each row."""
    value = np.zeros(len(table.codes), dtype=np.int64)
    for j in range(table.X.shape[1]):
        value += hash_part(_whole(table.X[:, j]), j)
    value %= HASHES
    for factor, summand in ROUNDS:
        value = mixed(value, factor, summand)
    return value


def _whole(column: NDArray[np.float64]) -> Ints:
    """A criterion as whole numbers from 0."""
    present = np.nan_to_num(column, nan=0.0)
    scale = scale_of(float(present.min(initial=0.0)), float(present.max(initial=0.0)))
    whole = np.floor(present * scale).astype(np.int64) + (1 << BITS)
    return np.where(np.isnan(column), MISSING, whole)
