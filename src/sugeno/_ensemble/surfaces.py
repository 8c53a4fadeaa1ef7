"""Rules of at most two criteria as tables of one criterion and of pairs.

"x_j ≥ t or x_k ≥ s" counts as its two literals minus their conjunction, so the
whole ensemble is a constant, a step function of each criterion, and a step
function of each pair that occurs. All entries are integers, so this rewriting is
exact: the sum is the same as that over the members, and exactly as monotone.
"""

from __future__ import annotations

import numpy as np

from sugeno._ensemble.sample import Bools, Floats, Ints
from sugeno._scales.surfaces import Index, Pair, Surfaces


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
    first, second = levels[names[0]], levels[names[1]]
    places = np.searchsorted(first, level[:, 0]), np.searchsorted(second, level[:, 1])
    return Pair.of(*names, (first.size, second.size), (*places, rise))
