"""Tables over all 2**m sets, and the transforms that run along set inclusion.

The index of a set is its packed word: bit j stands for literal j. Everything here costs
m · 2**m steps and is meant for up to about 20 literals.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sugeno.patterns import Masks

__all__ = ["minimal_sets", "spread_down", "spread_up"]


def spread_up(table: NDArray[Any], combine: np.ufunc) -> NDArray[Any]:
    """Combine, in place, the entry of each set with those of all its subsets.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno.lattice import spread_up
    >>> spread_up(np.array([0, 1, 0, 0]), np.maximum)
    array([0, 1, 0, 1])
    """
    for bit in range(_literals(table)):
        pairs = table.reshape(-1, 2, 1 << bit)
        combine(pairs[:, 1], pairs[:, 0], out=pairs[:, 1])
    return table


def spread_down(table: NDArray[Any], combine: np.ufunc) -> NDArray[Any]:
    """Combine, in place, the entry of each set with those of all its supersets.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno.lattice import spread_down
    >>> spread_down(np.array([0, 1, 0, 0]), np.maximum)
    array([1, 1, 0, 0])
    """
    for bit in range(_literals(table)):
        pairs = table.reshape(-1, 2, 1 << bit)
        combine(pairs[:, 0], pairs[:, 1], out=pairs[:, 0])
    return table


def minimal_sets(member: NDArray[np.bool_]) -> Masks:
    """Return the minimal members of an up-set that is given as a Boolean table.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno.lattice import minimal_sets
    >>> minimal_sets(np.array([False, True, False, True]))
    array([[1]], dtype=uint64)
    """
    is_minimal = member.copy()
    for bit in range(_literals(member)):
        smaller = member.reshape(-1, 2, 1 << bit)[:, 0]
        is_minimal.reshape(-1, 2, 1 << bit)[:, 1] &= ~smaller
    found = np.flatnonzero(is_minimal).astype(np.uint64)
    return found[np.argsort(np.bitwise_count(found), kind="stable"), None]


def _literals(table: NDArray[Any]) -> int:
    return table.size.bit_length() - 1
