"""The changes that flip a verdict, cheapest first."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from sugeno._sets.masks import Masks, is_subset, pack, unpack
from sugeno.explain._covers import cheapest_choices
from sugeno.explain._frontier import Task, cheapest
from sugeno.explain._limits import IMPOSSIBLE, Prices
from sugeno.explain._sides import Side

__all__ = ["nearest", "several"]

Floats = NDArray[np.float64]

#: Keys that are held at a time.
_BLOCK = 1 << 23


def nearest(side: Side, states: Masks, prices: Prices) -> tuple[Floats, Masks]:
    """Find the cheapest change of each state that flips the verdict.

    Every set of the other family is tried, so a key from `IMPOSSIBLE` on proves that the limits
    leave no way. Costs one product of the prices with the family.

    Parameters
    ----------
    side : Side
        The verdict, that of all states.
    states : ndarray of uint64 of shape (n, words)
        The literals that speak for it.
    prices : Prices
        What it costs to change each of them.

    Returns
    -------
    keys : ndarray of float64 of shape (n,)
        The key of the change, see `Prices`.
    turns : ndarray of uint64 of shape (n, words)
        The literals to change, one per criterion; no literals where there is no way.
    """
    keys, found = np.full(len(states), IMPOSSIBLE), np.zeros_like(states)
    if side.other is None:
        return _searched_nearest(side, states, prices)
    if len(side.other) == 0:
        return keys, found
    step = max(1, _BLOCK // len(side.other))
    for start in range(0, len(states), step):
        rows = slice(start, start + step)
        totals = prices.keys[rows] @ side.way_table
        best = totals.argmin(axis=1)
        keys[rows] = totals[np.arange(best.size), best]
        found[rows] = side.ways[best] & states[rows]
    found[keys >= IMPOSSIBLE] = 0
    return keys, found


def _searched_nearest(side: Side, states: Masks, prices: Prices) -> tuple[Floats, Masks]:
    """The same where the other family is not written down: break every reason that holds."""
    if side.own is None:
        raise ValueError("One of the two families must be there.")
    keys, found = np.full(len(states), IMPOSSIBLE), np.zeros_like(states)
    left = np.arange(len(states))
    if states.shape[1] == 1:
        chains = side.chains
        allowed = pack(prices.keys < IMPOSSIBLE)[:, 0]
        holds = is_subset(side.own, states).T
        sets = np.where(holds, side.edges(side.own)[:, 0] & allowed[:, None], np.uint64(0))
        possible = np.flatnonzero(((sets != 0) == holds).all(axis=1))
        ones = pack(np.eye(chains.n_literals, dtype=np.bool_))
        adds = (chains.raised(ones) if side.accepted else chains.closed(ones))[:, 0]
        owner = chains.criteria
        groups = pack(owner[:, None] == owner)[:, 0]
        paid = prices.keys[possible]
        choice = cheapest(Task(sets[possible], adds, paid, paid, groups))
        done = ~np.isnan(choice.keys)
        keys[possible[done]] = choice.keys[done]
        found[possible[done]] = side.turns(choice.chosen[done, None])
        left = possible[~done]
    for i in left.tolist():
        for key, turn, _ in _searched(side, states[i], prices.keys[i]):
            keys[i], found[i] = key, turn
            break
    return keys, found


def several(side: Side, state: Masks, prices: Prices, count: int) -> list[tuple[float, Masks]]:
    """Return the keys and literals of up to so many changes of one state, cheapest first.

    Each concerns a set of criteria of its own, and none does what a cheaper one does and more.
    """
    chosen: list[tuple[float, Masks]] = []
    criteria_seen: set[frozenset[int]] = set()
    earlier: list[Masks] = []
    for key, turn, change in _candidates(side, state, prices):
        if len(chosen) == count:
            break
        if any(not (cheaper & ~change).any() for cheaper in earlier):
            continue
        earlier.append(change)
        criteria = frozenset(side.chains.criteria[_literals(turn, side)].tolist())
        if criteria not in criteria_seen:
            criteria_seen.add(criteria)
            chosen.append((key, turn))
    return chosen


def _candidates(side: Side, state: Masks, prices: Prices) -> Iterator[tuple[float, Masks, Masks]]:
    """Key, literals that say it all, and all literals, of the possible changes in order."""
    if side.other is None:
        yield from _searched(side, state, prices.keys[0])
        return
    keys = prices.keys[0] @ side.way_table
    turns = side.ways & state
    for place in np.argsort(keys, kind="stable").tolist():
        if keys[place] >= IMPOSSIBLE:
            return
        yield float(keys[place]), turns[place], side.other[place] & state


def _literals(turn: Masks, side: Side) -> list[int]:
    literals: list[int] = np.flatnonzero(unpack(turn[None], side.chains.n_literals)[0]).tolist()
    return literals


def _searched(side: Side, state: Masks, price: Floats) -> Iterator[tuple[float, Masks, Masks]]:
    """The same without the other family: break every reason that holds."""
    if side.own is None:
        raise ValueError("One of the two families must be there.")
    chains = side.chains
    holding = side.own[is_subset(side.own, state[None])[:, 0]]
    if not holding.any(axis=1).all():  # the verdict needs no reason, and nothing flips it
        return
    owner = chains.criteria.tolist()
    family = [
        {owner[literal]: literal for literal in np.flatnonzero(one).tolist()}
        for one in unpack(side.edges(holding), chains.n_literals)
    ]
    order = -1 if side.accepted else 1
    for key, choice in cheapest_choices(family, price.tolist(), order):
        if key >= IMPOSSIBLE:
            return
        turn = np.zeros((1, chains.n_literals), dtype=np.bool_)
        turn[0, list(choice.values())] = True
        packed = pack(turn)
        wide = chains.raised(packed) if side.accepted else chains.closed(packed)
        yield key, packed[0], wide[0] & state
