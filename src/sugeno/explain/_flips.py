"""Several changes that flip a verdict, cheapest first."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sugeno._sets.chains import Chains
from sugeno._sets.masks import Masks, unpack
from sugeno.model.form import Side

__all__ = ["several"]


def several(
    side: Side, chains: Chains, state: Masks, prices: NDArray[np.float64], count: int
) -> list[tuple[float, Masks]]:
    """Return the prices and literals of up to so many changes of one state, cheapest first.

    Each concerns a set of criteria of its own, and none does what a cheaper one does and more.
    """
    chosen: list[tuple[float, Masks]] = []
    criteria_seen: set[frozenset[int]] = set()
    earlier: list[Masks] = []
    for key, turn, change in side.changes(state, prices):
        if len(chosen) == count:
            break
        if any(not (cheaper & ~change).any() for cheaper in earlier):
            continue
        earlier.append(change)
        turned = np.flatnonzero(unpack(turn[None], chains.n_literals)[0])
        criteria = frozenset(chains.criteria[turned].tolist())
        if criteria not in criteria_seen:
            criteria_seen.add(criteria)
            chosen.append((key, turn))
    return chosen
