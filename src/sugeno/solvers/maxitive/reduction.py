"""Candidates that no better family needs: a smaller program has the same optimum.

Most candidates of a real table are ruled out by simple arguments before any program is built: they
accept so many negative rows that no family with them can beat the one already known, or another
candidate covers at least the same positive and at most the same negative patterns.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["undominated", "worth_trying"]

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

#: Dominance compares all pairs of candidates on all patterns: so many steps take seconds.
_MOST_STEPS = 4_000_000_000


def worth_trying(covers: Bools, value: Floats, enough: float) -> NDArray[np.intp]:
    """Candidates with which a family can be worth at least ``enough``.

    A family accepts all that its candidates cover, so it is worth at most the positive values
    less the negative ones that a single candidate covers.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno.solvers.maxitive.reduction import worth_trying
    >>> covers = np.array([[True, False, False], [True, True, True]])
    >>> worth_trying(covers, np.array([4.0, -2.0, -1.0]), 2.0)
    array([0])
    """
    most = value[value > 0].sum()
    lost = covers @ np.maximum(-value, 0.0)
    return np.flatnonzero(most - lost >= enough - 1e-9 * (1.0 + most))


def undominated(covers: Bools, value: Floats, cost: Floats) -> NDArray[np.intp]:
    """Candidates that no other can replace in every family.

    One that covers the same positive patterns and more, the same negative ones and fewer, and
    costs no more can; of candidates that can replace each other the first stays. With very many
    candidates all stay.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno.solvers.maxitive.reduction import undominated
    >>> covers = np.array([[True, False, True], [True, True, False]])
    >>> undominated(covers, np.array([2.0, 1.0, -1.0]), np.zeros(2))
    array([1])
    """
    if len(covers) ** 2 * value.size > _MOST_STEPS:
        return np.arange(len(covers))
    wanted = covers[:, value > 0].astype(np.float32)
    unwanted = covers[:, value < 0].astype(np.float32)
    # Row i, column j: j covers every wanted pattern of i, and i every unwanted pattern of j.
    replaces = (wanted @ wanted.T) == wanted.sum(axis=1)[:, None]
    replaces &= (unwanted @ unwanted.T) == unwanted.sum(axis=1)[None, :]
    replaces &= cost[None, :] <= cost[:, None]
    number = np.arange(len(covers))
    replaces &= ~replaces.T | (number[None, :] < number[:, None])
    return np.flatnonzero(~replaces.any(axis=1))
