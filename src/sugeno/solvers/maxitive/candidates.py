"""Candidate rules of a k-maxitive capacity: sets of at most k literals, with what they cover.

Most candidates of a real table are ruled out by simple arguments before any program is built, and a
smaller program has the same optimum: they accept so many negative rows that no family with them can
beat the one already known, or another candidate covers at least the same positive and at most the
same negative patterns.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sugeno._sets.chains import Chains, small_sets
from sugeno._sets.masks import Masks, canonical_order, is_subset, pack, unpacked_blocks

__all__ = [
    "MOST_CELLS",
    "Candidates",
    "all_candidates",
    "explore_candidates",
    "undominated",
    "worth_trying",
]

#: Cells of the table "candidate covers pattern" that the local search passes through in a blink.
MOST_CELLS = 8_000_000


@dataclass(frozen=True)
class Candidates:
    """Sets that may become rules.

    Attributes
    ----------
    masks : ndarray of uint64 of shape (K, words)
        Packed sets; no two that are worth having cover the same patterns.
    covers : ndarray of bool of shape (K, D)
        Which patterns contain which set.
    complete : bool
        Whether every set of at most k literals is here, up to sets that cover the same patterns
        or nothing worth having. Only then does a bound over the candidates hold for all.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno.solvers.maxitive.candidates import Candidates
    >>> Candidates(np.array([[1], [6]], np.uint64), np.eye(2, dtype=bool), True).complete
    True
    """

    masks: Masks
    covers: NDArray[np.bool_]
    complete: bool


def all_candidates(masks: Masks, net: NDArray[np.int64], chains: Chains, k: int) -> Candidates:
    """List every set of at most k criteria that covers a pattern worth accepting.

    It has one level of each of its criteria. Of several sets that cover the same patterns the
    shortest stays: it reads best. Of the sets
    that cover nothing worth accepting the least harmful of each size stay, at the end: a
    normalized capacity needs at least one rule, be it a bad one.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._sets.chains import Chains
    >>> from sugeno.solvers.maxitive.candidates import all_candidates
    >>> masks, three = np.array([[3], [4]], np.uint64), Chains.single(3)
    >>> found = all_candidates(masks, np.array([2, -1]), three, k=2)
    >>> found.masks.ravel().tolist()
    [1, 5, 4]
    """
    sets = small_sets(chains, k)
    covers = is_subset(sets, masks)
    useful: NDArray[np.bool_] = np.asarray(covers[:, net > 0].any(axis=1))
    harmless = _least_harmful(chains.count_criteria(sets), covers, useful, net)
    chosen = _distinct(sets[useful], covers[useful], complete=True)
    return Candidates(
        np.concatenate([chosen.masks, sets[harmless]]),
        np.concatenate([chosen.covers, covers[harmless]]),
        complete=True,
    )


def _least_harmful(
    sizes: NDArray[np.intp],
    covers: NDArray[np.bool_],
    useful: NDArray[np.bool_],
    net: NDArray[np.int64],
) -> list[int]:
    """For each size, largest first, the useless set that covers the least negative weight."""
    found = []
    for size in range(int(sizes.max()), 0, -1):
        rows = np.flatnonzero((sizes == size) & ~useful)
        if rows.size:
            worth = covers[rows] @ net.astype(np.float64)
            found.append(int(rows[np.argmax(worth)]))
    return found


def _distinct(sets: Masks, covers: NDArray[np.bool_], *, complete: bool) -> Candidates:
    """Keep the first of all sets that cover the same patterns."""
    packed = np.packbits(covers, axis=1)
    _, first = np.unique(packed, axis=0, return_index=True)
    if first.size == len(sets):  # a copy would be as large as all that is here
        return Candidates(sets, covers, complete)
    first.sort()
    return Candidates(sets[first], covers[first], complete)


def explore_candidates(
    masks: Masks,
    net: NDArray[np.int64],
    chains: Chains,
    k: int,
    *,
    most: int,
    out_of_time: Callable[[], bool] = lambda: False,
) -> Candidates:
    """Collect promising sets where there are too many to list.

    Grows sets one literal at a time and keeps, at each size, the ``most`` sets of largest worth
    under several views of the data: all patterns, and what earlier finds leave uncovered. A beam
    search; nothing is proved about the sets that it does not meet.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._sets.chains import Chains
    >>> from sugeno.solvers.maxitive.candidates import explore_candidates
    >>> masks, three = np.array([[3], [4]], np.uint64), Chains.single(3)
    >>> explore_candidates(masks, np.array([2, -1]), three, k=2, most=10).complete
    False
    """
    value = net.astype(np.float64)
    pool = [np.zeros((0, masks.shape[1]), dtype=np.uint64)]
    for _ in range(8):
        found, best = _beam(masks, value, chains, k, width=max(8, most // (8 * k)))
        pool.append(found)
        if best is None or out_of_time():
            break
        value = np.where(is_subset(best, masks)[0], 0.0, value)
    sets = np.unique(chains.closed(np.concatenate(pool)), axis=0)
    sets = sets[canonical_order(sets)]
    return _distinct(sets, is_subset(sets, masks), complete=False)


def _with_one_more(
    beam: NDArray[np.bool_], masks: Masks, value: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Worth of each set with each further literal, and what it covers of what is wanted."""
    sets, wanted = pack(beam), np.maximum(value, 0.0)
    worth, reach = np.zeros(beam.shape), np.zeros(beam.shape)
    for rows, bits in unpacked_blocks(masks, beam.shape[1]):
        columns, covered = bits.astype(np.float64), is_subset(sets, masks[rows])
        worth += (covered * value[rows]) @ columns
        reach += (covered * wanted[rows]) @ columns
    return worth, reach


def _beam(
    masks: Masks, value: NDArray[np.float64], chains: Chains, k: int, *, width: int
) -> tuple[Masks, Masks | None]:
    """Best sets of each size up to k by worth, and the best of all (None if worth nothing)."""
    beam = np.zeros((1, chains.n_literals), dtype=np.bool_)
    criteria = chains.criteria
    found, best, best_worth = [], None, 0.0
    for _ in range(k):
        worth, reach = _with_one_more(beam, masks, value)
        # Precision comes with further literals, coverage of what is wanted does not come back.
        promise = worth + reach
        # A second level of a criterion adds nothing, or makes the first one idle.
        taken = np.zeros((len(beam), chains.n_criteria), dtype=np.bool_)
        row, literal = np.nonzero(beam)
        taken[row, criteria[literal]] = True
        worth[taken[:, criteria]] = promise[taken[:, criteria]] = -np.inf
        order = np.argsort(-promise, axis=None, kind="stable")[: 4 * width]
        parents, literals = np.unravel_index(order, promise.shape)
        grown = beam[parents].copy()
        grown[np.arange(order.size), literals] = True
        grown = grown[np.isfinite(promise.ravel()[order])]
        top = int(np.argmax(worth))
        if worth.flat[top] > best_worth:
            best_worth = float(worth.flat[top])
            parent, last = np.unravel_index(top, worth.shape)
            members = beam[parent].copy()
            members[last] = True
            best = pack(members[None])
        # The same set is reached in several ways; the most promising sets stay.
        first = np.sort(np.unique(pack(grown), axis=0, return_index=True)[1])
        grown = grown[first]
        beam = grown[:width]
        found.append(pack(grown))
        # No set that contains one of the beam is worth more than what that one reaches.
        if not len(beam) or reach.max() <= best_worth:
            break
    return np.concatenate(found), best


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
    >>> from sugeno.solvers.maxitive.candidates import worth_trying
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
    >>> from sugeno.solvers.maxitive.candidates import undominated
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
