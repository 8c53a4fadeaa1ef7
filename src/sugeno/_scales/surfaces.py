"""A sum of whole numbers: a constant, one table per criterion, one per pair of criteria.

A table has an entry for each number of levels that a criterion reaches. All entries are integers,
so a sum is exact in any order, and can be compared with a whole number exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]
Index = NDArray[np.intp]
Ints = NDArray[np.int64]

_BLOCK = 8192  # rows evaluated at once: their codes stay in the cache


@dataclass(frozen=True)
class Pair:
    """The table of two criteria, over those of their levels that it uses.

    Attributes
    ----------
    first, second : int
        The criteria.
    first_index, second_index : ndarray of intp
        From the code of a criterion to its row, already multiplied by the number of columns, and
        to its column.
    table : ndarray of int64
        The entries, row by row.

    Examples
    --------
    >>> from sugeno._scales.surfaces import Pair
    >>> pair = Pair.of(0, 1, (2, 1), ([1], [0], [7]))
    >>> pair.cells.tolist(), [places.tolist() for places in pair.joint]
    ([[0, 0], [0, 7]], [[1], [0], [7]])
    """

    first: int
    second: int
    first_index: Index
    second_index: Index
    table: Ints

    @classmethod
    def of(
        cls,
        first: int,
        second: int,
        sizes: tuple[int, int],
        joint: tuple[ArrayLike, ArrayLike, ArrayLike],
    ) -> Pair:
        """Put a table together of criteria that have so many levels (``sizes``), see `joint`."""
        places = [np.asarray(each, dtype=np.intp) for each in joint[:2]]
        used = [np.unique(each) for each in places]
        table = np.zeros((used[0].size + 1, used[1].size + 1), dtype=np.int64)
        where = tuple(np.searchsorted(own, each) + 1 for own, each in zip(used, places))
        np.add.at(table, where, np.asarray(joint[2], dtype=np.int64))
        table = table.cumsum(axis=0).cumsum(axis=1)
        rows, columns = (
            np.searchsorted(own, np.arange(size + 1)) for own, size in zip(used, sizes)
        )
        return cls(first, second, rows * table.shape[1], columns, table.ravel())

    @property
    def cells(self) -> Ints:
        """The table, with a row (and a column) more than there are levels of it."""
        return self.table.reshape(-1, int(self.second_index[-1]) + 1)

    @property
    def joint(self) -> tuple[Index, Index, Ints]:
        """What is added where a level of the first criterion and one of the second are reached.

        Places of both levels among all of their criterion, and the addend; all others add nothing.
        """
        both = (self.first_index, self.second_index)
        rows, columns = (np.flatnonzero(np.diff(index)) for index in both)
        adds = np.diff(np.diff(self.cells, axis=0), axis=1)
        row, column = np.nonzero(adds)
        return rows[row], columns[column], adds[row, column]

    def values(self, codes: Index) -> Ints:
        """Entries of the table for the rows with these codes."""
        return self.at(codes[self.first], codes[self.second])

    def at(self, first: Index, second: Index) -> Ints:
        """Entries for codes of the two criteria."""
        found: Ints = self.table[self.first_index[first] + self.second_index[second]]
        return found

    def add_moves(self, codes: Index, ends: Index, moves: Ints) -> None:
        """Add what the entries change by if either criterion alone goes to its end."""
        one, other = codes[self.first], codes[self.second]
        here = self.at(one, other)
        moves[self.first] += self.at(ends[self.first], other) - here
        moves[self.second] += self.at(one, ends[self.second]) - here


@dataclass(frozen=True)
class Surfaces:
    """A constant, a table per criterion, and a table per pair of criteria.

    Attributes
    ----------
    constant : int
        The sum where no level is reached.
    levels : list of ndarray
        Per criterion its levels, ascending: rows are turned so that more is better.
    single : list of ndarray of int64
        Per criterion an entry for each number of levels that it reaches.
    pairs : list of Pair
        Tables of two criteria, each pair at most once.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._scales.surfaces import Pair, Surfaces
    >>> pair = Pair.of(0, 1, (2, 1), ([1], [0], [7]))
    >>> sums = Surfaces(-4, [np.array([2.0, 5.0]), np.array([1.0])],
    ...                 [np.array([0, 3, 3]), np.array([0, 0])], [pair])
    >>> sums.totals(np.array([[1.0, 0.0], [2.0, 9.0], [5.0, 1.0]]))
    array([-4, -1,  6])
    >>> sums.falls()
    []
    """

    constant: int
    levels: list[Floats]
    single: list[Ints]
    pairs: list[Pair]

    def codes(self, X: Floats) -> Index:
        """How many of the used levels each value reaches, of shape (m, n)."""
        found = np.zeros((len(self.levels), len(X)), dtype=np.intp)
        used = [j for j, levels in enumerate(self.levels) if len(levels)]
        # A column of a wide table is spread over its memory: all are laid out together.
        for j, column in zip(used, np.ascontiguousarray(X[:, used].T)):
            found[j] = np.searchsorted(self.levels[j], column, side="right")
        return found

    def totals(self, X: Floats) -> Ints:
        """Exact sums of all rules. Cost: O(n · number of tables), whatever the number of rules."""
        parts = [self.sums(self.codes(X[i : i + _BLOCK])) for i in range(0, len(X), _BLOCK)]
        return np.concatenate([np.zeros(0, dtype=np.int64), *parts])

    def flips(
        self,
        X: Floats,
        passes: Callable[[Ints], Bools],
        together: Sequence[tuple[list[int], Index]] = (),
    ) -> Bools:
        """Tell whether each criterion alone, at its best or worst, turns the verdict on the sum.

        Of shape (n, m). Only the tables of a criterion change with it: all criteria together cost
        as much as a few sums. Criteria that move ``together`` come with the codes that they can
        have at once, of shape (criteria, ways): each way is tried, and what is found holds for all
        of them.
        """
        found = [
            self._flips(self.codes(X[i : i + _BLOCK]), passes, together)
            for i in range(0, len(X), _BLOCK)
        ]
        return np.concatenate([np.zeros((0, len(self.levels)), dtype=np.bool_), *found])

    def _flips(
        self,
        codes: Index,
        passes: Callable[[Ints], Bools],
        together: Sequence[tuple[list[int], Index]],
    ) -> Bools:
        total = self.sums(codes)
        accepted = passes(total)
        best = np.array([len(levels) for levels in self.levels], dtype=np.intp)
        ends = np.where(accepted, 0, best[:, None])
        moves = np.empty(codes.shape, dtype=np.int64)
        for j, table in enumerate(self.single):
            moves[j] = table[ends[j]] - table[codes[j]]
        for pair in self.pairs:
            pair.add_moves(codes, ends, moves)
        flipped: Bools = (passes(total + moves) != accepted).T
        for own, ways in together:
            turned = np.zeros(accepted.shape, dtype=np.bool_)
            for moved in self._sums_at(codes, total, own, ways):
                turned |= passes(moved) != accepted
            flipped[:, own] = turned[:, None]
        return flipped

    def _sums_at(self, codes: Index, total: Ints, own: list[int], ways: Index) -> Iterator[Ints]:
        """The sums of rows where some criteria get other codes, for each way of doing so."""
        concerned = [pair for pair in self.pairs if pair.first in own or pair.second in own]
        rest = total.copy()  # what no way changes
        for j in own:
            rest -= self.single[j][codes[j]]
        for pair in concerned:
            rest -= pair.values(codes)
        # Where each row is in a table, but for the criteria that move.
        places = [
            sum(
                index[codes[j]]
                for j, index in ((pair.first, pair.first_index), (pair.second, pair.second_index))
                if j not in own
            )
            for pair in concerned
        ]
        for way in ways.T.tolist():
            after = dict(zip(own, way))
            moved = rest + sum(self.single[j][code] for j, code in after.items())
            for pair, place in zip(concerned, places):
                if pair.first in after:
                    place = place + pair.first_index[after[pair.first]]
                if pair.second in after:
                    place = place + pair.second_index[after[pair.second]]
                moved += pair.table[place]
            yield moved

    def sums(self, codes: Index) -> Ints:
        """Exact sums of rows with these codes, as `codes` has them."""
        total = np.full(codes.shape[1], self.constant, dtype=np.int64)
        for row, table in zip(codes, self.single):
            total += table[row]
        for pair in self.pairs:
            total += pair.values(codes)
        return total

    def settled(self, code: int) -> Surfaces:
        """Return the sum of the other criteria where the last one has a code.

        Examples
        --------
        >>> import numpy as np
        >>> from sugeno._scales.surfaces import Pair, Surfaces
        >>> pair = Pair.of(0, 1, (2, 1), ([1], [0], [7]))
        >>> sums = Surfaces(-4, [np.array([2.0, 5.0]), np.array([1.0])],
        ...                 [np.array([0, 3, 3]), np.array([0, 2])], [pair])
        >>> at = sums.settled(1)
        >>> at.constant, at.single[0].tolist(), at.pairs
        (-2, [0, 3, 10], [])
        """
        last = len(self.levels) - 1
        single = [table.copy() for table in self.single[:-1]]
        for pair in self.pairs:
            if pair.second == last:
                single[pair.first] += pair.at(np.arange(pair.first_index.size), np.array(code))
        return Surfaces(
            self.constant + int(self.single[-1][code]),
            self.levels[:-1],
            single,
            [pair for pair in self.pairs if pair.second != last],
        )

    def falls(self) -> list[tuple[int, int]]:
        """Return where a sum could fall: criteria, and the places of levels that are reached.

        Exact: each table of a criterion is about another criterion beside it, and these can be
        anywhere, so the least rise is the sum of the least rises of its tables.
        """
        least = [np.diff(table) for table in self.single]
        for pair in self.pairs:
            rows, columns = np.ix_(
                np.arange(pair.first_index.size), np.arange(pair.second_index.size)
            )
            whole = pair.at(rows, columns)
            least[pair.first] = least[pair.first] + np.diff(whole, axis=0).min(axis=1)
            least[pair.second] = least[pair.second] + np.diff(whole, axis=1).min(axis=0)
        return [
            (j, place)
            for j, rises in enumerate(least)
            for place in np.flatnonzero(rises < 0).tolist()
        ]
