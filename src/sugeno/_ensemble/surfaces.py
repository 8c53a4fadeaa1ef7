"""A sum of rules of at most two criteria, as one table per criterion or pair of them.

"x_j ≥ t or x_k ≥ s" counts as its two literals minus their conjunction, so the
whole ensemble is a constant, a step function of each criterion, and a step
function of each pair that occurs. All entries are integers, so this rewriting is
exact: the sum is the same as that over the members, and exactly as monotone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sugeno._ensemble.sample import Bools, Floats, Ints

Index = NDArray[np.intp]

_BLOCK = 8192  # rows evaluated at once: their codes stay in the cache


@dataclass(frozen=True)
class Pair:
    """Merged of two criteria; ``*_index`` maps the code of a criterion to its rows, columns."""

    first: int
    second: int
    first_index: Index  # already multiplied by the number of columns
    second_index: Index
    table: Ints

    def values(self, codes: Index) -> Ints:
        """Entries of the table for the rows with these codes."""
        row, column = self.first_index[codes[self.first]], self.second_index[codes[self.second]]
        found: Ints = self.table[row + column]
        return found

    def add_moves(self, codes: Index, ends: Index, moves: Ints) -> None:
        """Add what the entries change by if either criterion alone goes to its end."""
        first, second = self.first_index, self.second_index
        row, column = first[codes[self.first]], second[codes[self.second]]
        here = self.table[row + column]
        moves[self.first] += self.table[first[ends[self.first]] + column] - here
        moves[self.second] += self.table[row + second[ends[self.second]]] - here


@dataclass(frozen=True)
class Surfaces:
    """A constant, a table per criterion, and a table per pair of criteria."""

    constant: int
    levels: list[Floats]
    single: list[Ints]
    pairs: list[Pair]

    def codes(self, X: Floats) -> Index:
        """How many of the used levels each value reaches, of shape (m, n)."""
        found = [np.searchsorted(t, X[:, j], side="right") for j, t in enumerate(self.levels)]
        return np.array(found, dtype=np.intp).reshape(len(self.levels), len(X))

    def totals(self, X: Floats) -> Ints:
        """Exact sums of all rules. Cost: O(n · number of tables), whatever the number of rules."""
        parts = [self._sum(self.codes(X[i : i + _BLOCK])) for i in range(0, len(X), _BLOCK)]
        return np.concatenate([np.zeros(0, dtype=np.int64), *parts])

    def flips(self, X: Floats, passes: Callable[[Ints], Bools]) -> Bools:
        """Tell whether each criterion alone, at its best or worst, turns the verdict on the sum.

        Of shape (n, m). Only the tables of a criterion change with it: all criteria together cost
        as much as a few sums.
        """
        found = [
            self._flips(self.codes(X[i : i + _BLOCK]), passes) for i in range(0, len(X), _BLOCK)
        ]
        return np.concatenate([np.zeros((0, len(self.levels)), dtype=np.bool_), *found])

    def _flips(self, codes: Index, passes: Callable[[Ints], Bools]) -> Bools:
        total = self._sum(codes)
        accepted = passes(total)
        best = np.array([len(levels) for levels in self.levels], dtype=np.intp)
        ends = np.where(accepted, 0, best[:, None])
        moves = np.empty(codes.shape, dtype=np.int64)
        for j, table in enumerate(self.single):
            moves[j] = table[ends[j]] - table[codes[j]]
        for pair in self.pairs:
            pair.add_moves(codes, ends, moves)
        flipped: Bools = (passes(total + moves) != accepted).T
        return flipped

    def _sum(self, codes: Index) -> Ints:
        total = np.full(codes.shape[1], self.constant, dtype=np.int64)
        for row, table in zip(codes, self.single):
            total += table[row]
        for pair in self.pairs:
            total += pair.values(codes)
        return total


def tabulate(
    n_criteria: int, criterion: Ints, level: Floats, conjunction: Bools, rise: Ints, constant: int
) -> Surfaces:
    """Tables of the rules with literals ``criterion``, ``level`` of shape (rules, 2).

    A rule adds ``rise`` where it holds. Cost: O(rules log rules + size of the tables).
    """
    same = criterion[:, 0] == criterion[:, 1]
    # On one criterion, "and" is the higher of the two levels, "or" the lower one.
    nested = np.where(conjunction, level.max(axis=1), level.min(axis=1))[same]
    loose = ~same & ~conjunction
    alone = np.concatenate([criterion[same, 0], criterion[loose, 0], criterion[loose, 1]])
    at = np.concatenate([nested, level[loose, 0], level[loose, 1]])
    by = np.concatenate([rise[same], rise[loose], rise[loose]])
    signed = np.where(conjunction, rise, -rise)[~same]
    named = np.concatenate([criterion[~same].ravel(), alone])
    values = np.concatenate([level[~same].ravel(), at])
    levels = [np.unique(values[mine]) for mine in _groups(named, n_criteria)]
    single = [
        _steps(levels[j], at[mine], by[mine]) for j, mine in enumerate(_groups(alone, n_criteria))
    ]
    pairs = _pairs(levels, criterion[~same], level[~same], signed)
    return Surfaces(constant, levels, single, pairs)


def _groups(criterion: Ints, n_criteria: int) -> list[Index]:
    """Places of each criterion; all of them together cost one sort."""
    order = np.argsort(criterion, kind="stable")
    ends = np.searchsorted(criterion[order], np.arange(1, n_criteria))
    return np.split(order, ends)


def _steps(levels: Floats, at: Floats, by: Ints) -> Ints:
    table = np.zeros(len(levels) + 1, dtype=np.int64)
    np.add.at(table, np.searchsorted(levels, at) + 1, by)
    return np.cumsum(table)


def _pairs(levels: list[Floats], criterion: Ints, level: Floats, rise: Ints) -> list[Pair]:
    """One table per pair of criteria; the rules are conjunctions of two criteria."""
    turned = criterion[:, 0] > criterion[:, 1]
    criterion = np.where(turned[:, None], criterion[:, ::-1], criterion)
    level = np.where(turned[:, None], level[:, ::-1], level)
    pairs = []
    for j, k in np.unique(criterion, axis=0).tolist():
        here = (criterion == (j, k)).all(axis=1)
        pairs.append(_pair(levels, (j, k), level[here], rise[here]))
    return pairs


def _pair(levels: list[Floats], names: tuple[int, int], level: Floats, rise: Ints) -> Pair:
    rows, columns = np.unique(level[:, 0]), np.unique(level[:, 1])
    table = np.zeros((len(rows) + 1, len(columns) + 1), dtype=np.int64)
    where = np.searchsorted(rows, level[:, 0]) + 1, np.searchsorted(columns, level[:, 1]) + 1
    np.add.at(table, where, rise)
    table = table.cumsum(axis=0).cumsum(axis=1)
    first = _index(levels[names[0]], rows) * table.shape[1]
    return Pair(*names, first, _index(levels[names[1]], columns), table.ravel())


def _index(levels: Floats, used: Floats) -> Index:
    """Number of ``used`` levels reached by each code over ``levels``."""
    reached = np.searchsorted(used, levels, side="right")
    return np.concatenate([[0], reached]).astype(np.intp)
