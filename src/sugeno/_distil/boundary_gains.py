"""What a class boundary is taught, in whole numbers: codes of rows, and units of gain.

The code of a row says how many candidate levels of each criterion it reaches; that of a rule, how
many it asks, 0 where it asks nothing. A row satisfies a rule that asks no more than it reaches.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

__all__ = ["BoundaryGains", "LevelGrid", "gains_by_boundary"]

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
Bools = NDArray[np.bool_]

#: All gains of a boundary together, in units: sums over many boundaries are exact in float64.
_UNITS = 2**26
#: Parts of a unit in which single rows are counted, before equal rows are added up.
_PARTS = 2**26


@dataclass(frozen=True, eq=False)
class LevelGrid:
    """Candidate levels of each criterion, rising."""

    levels: list[Floats]

    @classmethod
    def of(cls, literals: Sequence[tuple[Ints, Floats]], n_criteria: int) -> LevelGrid:
        """All levels of several lists of literals (criteria and levels)."""
        criteria, levels = (np.concatenate(part) for part in zip(*literals))
        return cls([np.unique(levels[criteria == j]) for j in range(n_criteria)])

    def codes(self, rows: Floats) -> Ints:
        """How many levels each row reaches, or each rule asks: −∞ reaches none."""
        columns = [np.searchsorted(found, x, "right") for found, x in zip(self.levels, rows.T)]
        return np.stack(columns, axis=1).astype(np.intp)

    def asked(self, rules: Ints) -> Floats:
        """The level that each rule asks of each criterion, −∞ for none."""
        found = [np.append(-np.inf, levels)[codes] for levels, codes in zip(self.levels, rules.T)]
        return np.stack(found, axis=1).reshape(rules.shape)


@dataclass(frozen=True, eq=False)
class BoundaryGains:
    """Distinct rows, and what each gains by passing a boundary.

    Attributes
    ----------
    codes : ndarray of shape (n, m)
        The rows.
    gains : ndarray of shape (n,)
        Whole numbers, so that sums do not depend on the order of the rows.
    sizes : tuple of int
        Number of levels of each criterion.
    units : float
        Units per 1.0 of gain.
    """

    codes: Ints
    gains: Floats
    sizes: tuple[int, ...]
    units: float

    @cached_property
    def reached(self) -> list[Bools]:
        """Per criterion which rows reach at least 0, 1, … levels: shape (levels + 1, n)."""
        return [
            column >= np.arange(size + 1)[:, None]
            for column, size in zip(self.codes.T, self.sizes, strict=True)
        ]

    def covers(self, rules: Ints) -> Bools:
        """Which rows satisfy each rule: shape (rules, n)."""
        found = np.ones((len(rules), len(self.gains)), dtype=np.bool_)
        for j in np.flatnonzero(rules.any(axis=0)).tolist():
            found &= self.reached[j][rules[:, j]]
        return found

    def gain(self, rules: Ints) -> float:
        """Total gain of the rows that satisfy some rule."""
        return float(self.gains @ self.covers(rules).any(axis=0))

    def open_gains(self, rules: Ints) -> Floats:
        """Gains of the rows that satisfy none of the rules, 0 for the others."""
        return np.where(self.covers(rules).any(axis=0), 0.0, self.gains)


def gains_by_boundary(
    scale: LevelGrid, taught: Sequence[Floats], gains: Sequence[Floats]
) -> list[BoundaryGains]:
    """What each boundary is taught, by its rows and their gains; equal rows are merged.

    Parameters
    ----------
    scale : LevelGrid
        Candidate levels.
    taught : sequence of ndarray of shape (n_rows, m)
        Rows of each boundary, turned so that higher is better.
    gains : sequence of ndarray of shape (n_rows,)
        What each row gains by passing.

    Returns
    -------
    list of BoundaryGains
        One per boundary, in the same units of gain.
    """
    # fsum rounds once: the units do not depend on the order of rows.
    total = max(math.fsum(np.abs(gain).tolist()) for gain in gains)
    units = 2.0 ** math.floor(math.log2(_UNITS / total)) if total > 0 else 1.0
    sizes = tuple(map(len, scale.levels))
    found: list[BoundaryGains] = []
    for b, (rows, gain) in enumerate(zip(taught, gains, strict=True)):
        if b == 0 or rows is not taught[b - 1]:
            codes, order, starts = _merged(scale.codes(rows))
        parts = np.add.reduceat(np.rint(gain * (units * _PARTS))[order], starts)
        found.append(BoundaryGains(codes, np.rint(parts / _PARTS), sizes, units))
    return found


def _merged(codes: Ints) -> tuple[Ints, Ints, Ints]:
    """Distinct rows, the order that brings equal ones together, and where each begins in it."""
    order = np.lexsort(codes.T)
    lined = codes[order]
    is_new = np.ones(len(lined), dtype=np.bool_)
    is_new[1:] = (lined[1:] != lined[:-1]).any(axis=1)
    starts = np.flatnonzero(is_new)
    return lined[starts], order, starts
