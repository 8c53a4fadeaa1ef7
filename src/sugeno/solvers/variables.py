"""The variables of program (7): one per set of criteria, and which of them contain which.

This is all of the program that depends on the number of criteria and on k only.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from sugeno._sets.masks import Masks, inclusion_pairs, unpack

__all__ = ["ObservedVariables", "Variables", "observed_variables", "variables_of"]

Bits = NDArray[np.bool_]
Indices = NDArray[np.intp]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Variables:
    """One variable per set of 1 to k of m criteria, in canonical order.

    Attributes
    ----------
    m, k : int
        Number of criteria, and of those in the largest set.
    bits : ndarray of bool of shape (V, m)
        The sets.
    smaller, larger : ndarray of intp
        For each set of two or more criteria and each member: the set without it, the set itself.
    offsets : ndarray of intp
        Number of variables for sets of fewer than s criteria.
    binomials : ndarray of intp
        ``binomials[j, s]`` is C(j, s).

    Examples
    --------
    >>> from sugeno.solvers.variables import variables_of
    >>> variables_of(3, 2).bits.astype(int).tolist()
    [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0], [1, 0, 1], [0, 1, 1]]
    """

    m: int
    k: int
    bits: Bits
    smaller: Indices
    larger: Indices
    offsets: Indices
    binomials: Indices

    def number(self, sets: Bits) -> Indices:
        """Return the variable of each set: its rank in the combinatorial number system."""
        position = np.cumsum(sets, axis=1)
        terms = np.where(sets, self.binomials[np.arange(self.m), position], 0)
        result: Indices = self.offsets[position[:, -1]] + terms.sum(axis=1)
        return result

    def k_subsets(self, sets: Bits) -> Bits:
        """Tell which sets contain which sets of exactly k criteria: shape (sets, C(m, k))."""
        largest = self.bits[self.offsets[self.k] :]
        contained: Bits = (~sets).astype(np.float32) @ largest.T.astype(np.float32) == 0
        return contained

    def monotone(self, c: Floats) -> Floats:
        """Raise, in place, each value to the largest one of a subset."""
        starts = np.searchsorted(self.larger, self.offsets)
        for size in range(2, self.k + 1):
            rows = slice(starts[size], starts[size + 1])
            np.maximum.at(c, self.larger[rows], c[self.smaller[rows]])
        return c


@lru_cache(maxsize=64)
def variables_of(m: int, k: int) -> Variables:
    """Return the variables for sets of at most k of m criteria; they are kept for the next call.

    Examples
    --------
    >>> from sugeno.solvers.variables import variables_of
    >>> len(variables_of(4, 4).bits)
    15
    """
    binomials = np.array([[comb(j, s) for s in range(k + 1)] for j in range(m)], dtype=np.intp)
    sizes = [comb(m, s) for s in range(1, k + 1)]
    offsets = np.concatenate([[0, 0], np.cumsum(sizes)]).astype(np.intp)
    bits = np.zeros((sum(sizes), m), dtype=np.bool_)
    none = np.empty(0, dtype=np.intp)
    unordered = Variables(m, k, bits, none, none, offsets, binomials)
    for s in range(1, k + 1):
        members = np.zeros((sizes[s - 1], m), dtype=np.bool_)
        np.put_along_axis(members, np.array(list(combinations(range(m), s))), True, axis=1)
        bits[unordered.number(members)] = members
    larger, dropped = np.nonzero(bits & (bits.sum(axis=1) > 1)[:, None])
    without = bits[larger]
    without[np.arange(dropped.size), dropped] = False
    return Variables(m, k, bits, unordered.number(without), larger, offsets, binomials)


@dataclass(frozen=True)
class ObservedVariables(Variables):
    """One variable per set that occurs, for more criteria than 2^m allows.

    A set that does not occur costs nothing, and a monotone function on those that do extends to
    all sets; so the optimum is the same (docs/theory.md, 2).

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno.solvers.variables import observed_variables
    >>> observed_variables(np.array([[1], [7]], np.uint64), 3).larger
    array([1])
    """

    def number(self, sets: Bits) -> Indices:
        """Return the variable of each set; it must occur."""
        places = {row.tobytes(): i for i, row in enumerate(self.bits)}
        return np.array([places[row.tobytes()] for row in sets], dtype=np.intp)

    def monotone(self, c: Floats) -> Floats:
        """Raise, in place, each value to the largest one of a subset: all pairs are listed."""
        np.maximum.at(c, self.larger, c[self.smaller].copy())
        return c


def observed_variables(masks: Masks, m: int) -> ObservedVariables:
    """Return one variable for each of the given sets.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno.solvers.variables import observed_variables
    >>> observed_variables(np.array([[1], [7]], np.uint64), 3).bits.sum(axis=1)
    array([1, 3])
    """
    smaller, larger = inclusion_pairs(masks, masks)
    proper = smaller != larger
    none = np.zeros(m + 2, dtype=np.intp)
    return ObservedVariables(m, m, unpack(masks, m), smaller[proper], larger[proper], none, none)
