"""Who covers what alone: the gains that decide about exchanges, brought up to date and not redone.

A pattern is open, or one chosen rule covers it alone, or several do. For each rule of the pool and
each of these owners the gain of the patterns that the rule covers is kept. From one set of rules
to the next few patterns change their owner, and only these are counted again. Gains are whole
numbers whose sums the type of `gains` holds, so that nothing depends on how a sum came about.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["ExclusiveCoverage", "products"]

Floats = NDArray[np.floating[Any]]
Ints = NDArray[np.int32]
Chosen = tuple[int, ...]

#: Owners of patterns beside the rules, which are numbered from 2.
_SHARED, _OPEN, _FIRST = 0, 1, 2
#: So few products of a rule, a pattern and a chosen rule are faster added up than remembered.
_FEW_PRODUCTS = 1 << 20
#: So many truth values become numbers at a time.
_BLOCK_CELLS = 1 << 20
#: If a larger part of the patterns changes its owner, counting all of them is faster.
_FEW = 1 / 3


class ExclusiveCoverage:
    """Gains of patterns by the rules that cover them, and by their owners.

    Parameters
    ----------
    gains : ndarray of float, shape (n_patterns,)
        Whole numbers.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno.solvers.exclusive_coverage import ExclusiveCoverage
    >>> covers = np.array([[True, True, False, False], [False, True, True, False]])
    >>> ExclusiveCoverage(np.array([1.0, 2.0, 4.0, 8.0])).shares(covers, covers.T + 0.0, (0, 1))
    array([[1., 0.],
           [0., 4.],
           [0., 0.]])
    """

    def __init__(self, gains: Floats) -> None:
        self._gains = gains
        self._chosen: Chosen = ()
        self._times = np.zeros(gains.size, dtype=np.int32)
        self._sum = np.zeros(gains.size, dtype=np.int32)
        self._owners = np.full(gains.size, _OPEN, dtype=np.int32)
        self._table = np.empty((1, 0), dtype=gains.dtype)

    def shares(self, covers: NDArray[np.bool_], by_pattern: NDArray[Any], chosen: Chosen) -> Floats:
        """Return the gain that each rule has of each owner's patterns.

        Parameters
        ----------
        covers : ndarray of bool, shape (n_rules, n_patterns)
            Rules may have been added at its end since the last call.
        by_pattern : ndarray of float or bool, shape (n_patterns, at least n_rules)
            The same by pattern, as 0 and 1; truth values save memory, see `products`.
        chosen : tuple of int
            Rules; one that stands there twice owns nothing.

        Returns
        -------
        ndarray of float, shape (len(chosen) + 1, n_rules)
            A line for each chosen rule, and one for the open patterns.
        """
        n_rules, n_chosen = len(covers), len(chosen)
        if covers.size * n_chosen <= _FEW_PRODUCTS:
            return products(_counted(self._gains, covers[list(chosen)]), by_pattern[:, :n_rules])
        owners, lines = self._owned(covers, chosen), _lines(n_rules, chosen)
        changed = np.flatnonzero(owners != self._owners)
        known = self._table.shape[1] if changed.size <= _FEW * owners.size else 0
        table = np.empty((n_chosen + 1, n_rules), dtype=self._gains.dtype)
        if known:
            gains = self._gains[changed]
            moves = _in_lines(gains, lines[owners[changed]], n_chosen)
            moves -= _in_lines(gains, lines[self._owners[changed]], n_chosen)
            table[:, :known] = self._carried(lines, n_chosen)
            table[:, :known] += products(moves, by_pattern.take(changed, axis=0))[:, :known]
        if known < n_rules:
            all_gains = _in_lines(self._gains, lines[owners], n_chosen)
            table[:, known:] = products(all_gains, by_pattern[:, known:n_rules])
        self._chosen, self._owners, self._table = chosen, owners, table
        return table

    def _owned(self, covers: NDArray[np.bool_], chosen: Chosen) -> Ints:
        """Owner of each pattern: where one rule covers it, the sum of those that do is its own."""
        before, now = Counter(self._chosen), Counter(chosen)
        for sign, rules in ((-1, before - now), (1, now - before)):
            for rule in rules.elements():
                self._times += covers[rule] * np.int32(sign)
                self._sum += covers[rule] * np.int32(sign * rule)
        beside = np.where(self._times == 0, np.int32(_OPEN), np.int32(_SHARED))
        return np.where(self._times == 1, self._sum + np.int32(_FIRST), beside)

    def _carried(self, lines: NDArray[np.intp], n_chosen: int) -> Floats:
        """The last table with its lines where they are now; a new rule had no patterns."""
        carried = np.zeros((n_chosen + 2, self._table.shape[1]), dtype=self._table.dtype)
        places = lines[[*(_FIRST + rule for rule in self._chosen), _OPEN]]
        staying = places <= n_chosen
        carried[places[staying]] = self._table[staying]
        return carried[:-1]


def products(lines: Floats, by_pattern: NDArray[Any]) -> Floats:
    """Return ``lines @ by_pattern``; truth values become numbers a block of patterns at a time.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno.solvers.exclusive_coverage import products
    >>> products(np.array([1.0, 2.0, 4.0]), np.array([[True], [False], [True]]))
    array([5.])
    """
    if by_pattern.dtype != np.bool_:
        result: Floats = lines @ by_pattern
        return result
    n_patterns, n_rules = by_pattern.shape
    total = np.zeros((*lines.shape[:-1], n_rules), dtype=lines.dtype)
    step = max(1, _BLOCK_CELLS // max(1, n_rules))
    for start in range(0, n_patterns, step):
        rows = slice(start, start + step)
        total += lines[..., rows] @ by_pattern[rows].astype(lines.dtype)
    return total


def _counted(gains: Floats, covering: NDArray[np.bool_]) -> Floats:
    """Gains of the patterns that each of these rules covers alone, and of the open ones."""
    times = covering.sum(axis=0)
    alone = np.where(times == 1, gains, np.zeros_like(gains))
    return np.vstack([covering * alone, np.where(times == 0, gains, np.zeros_like(gains))])


def _lines(n_rules: int, chosen: Chosen) -> NDArray[np.intp]:
    """Line of each owner; one beyond the last for those without."""
    lines = np.full(n_rules + _FIRST, len(chosen) + 1)
    lines[_OPEN] = len(chosen)
    lines[np.array(chosen, dtype=np.intp) + _FIRST] = np.arange(len(chosen))
    return lines


def _in_lines(gains: Floats, lines: NDArray[np.intp], n_chosen: int) -> Floats:
    """Gains of patterns, each in its line; those that are shared are in none."""
    table = np.zeros((n_chosen + 2, gains.size), dtype=gains.dtype)
    table[lines, np.arange(gains.size)] = gains
    return table[:-1]
