"""Sets that meet every set of a family: all the minimal ones, the smallest, and the cheapest.

The minimal ones are written down where they are few. Else the smallest and the cheapest are
searched, exactly: one question at a time by branching over the members of a set that is not met
yet, which may take long where nothing is small, or for many rows at a time. Then the rows go
through their sets one after the other. Whatever has been chosen so far for a row, and does not meet
the next set, is continued by each member of that set: a frontier of partial choices, in arrays.
Those that cost more than a greedy one are dropped, and equal ones from time to time. So every
minimal choice that is cheap enough is found, and the cheapest of them is exact.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from heapq import heappop, heappush

import numpy as np
from numpy.typing import NDArray

from sugeno._sets.masks import Masks, canonical_order, contains_any, minimal, unpack

#: Larger collections are not built: a person cannot read them, and time grows with their square.
MAX_TRANSVERSALS = 20_000


def minimal_transversals(family: Masks) -> Masks:
    """List the minimal sets that meet every set of the family.

    Takes the sets one after the other (Berge): a transversal of the first ones that misses the
    next set is extended by each of its members, unless the result contains a transversal that
    did not miss it. The collection can grow exponentially with the family, so there is a limit.
    A step costs at most one comparison per pair of transversals.

    Parameters
    ----------
    family : ndarray of uint64 of shape (R, words)
        Packed sets, none of them empty.

    Returns
    -------
    ndarray of uint64 of shape (T, words)
        The minimal transversals, an antichain in canonical order. An empty family is met by the
        empty set.

    Raises
    ------
    OverflowError
        If a step needs more than 20,000 candidates.

    Examples
    --------
    The sets {0, 1} and {0, 2} are both met by {0} and by {1, 2}.

    >>> import numpy as np
    >>> from sugeno._sets.transversals import minimal_transversals
    >>> minimal_transversals(np.array([[3], [5]], dtype=np.uint64))
    array([[1],
           [6]], dtype=uint64)
    """
    words = family.shape[1]
    found = np.zeros((1, words), dtype=np.uint64)
    for chosen in minimal(family):
        meets = (found & chosen).any(axis=1)
        members = _singletons(chosen)
        if int((~meets).sum()) * len(members) > MAX_TRANSVERSALS:
            raise OverflowError(
                f"The minimal transversals of {len(family)} sets need more than {MAX_TRANSVERSALS} "
                "candidates. Use a family with fewer or smaller sets."
            )
        # Two extended sets are never nested, because the sets they extend are not and hold no
        # member of the chosen one; so only those that meet it already can lie below.
        extended = (found[~meets, None, :] | members[None, :, :]).reshape(-1, words)
        fresh = extended[~contains_any(extended, found[meets])]
        found = np.concatenate([found[meets], fresh])
    return found[canonical_order(found)]


def _singletons(chosen: Masks) -> Masks:
    """Return each member of a set as a set of its own."""
    word, bit = np.divmod(np.flatnonzero(unpack(chosen[None, :], 64 * chosen.size)), 64)
    members = np.zeros((word.size, chosen.size), dtype=np.uint64)
    members[np.arange(word.size), word] = np.uint64(1) << bit.astype(np.uint64)
    return members


def smallest_cover(family: Sequence[int]) -> tuple[int, ...]:
    """Return the first, in lexicographic order, of the smallest sets that meet a whole family.

    Parameters
    ----------
    family : sequence of int
        Sets as bits of whole numbers, none of them empty.

    Returns
    -------
    tuple of int
        Members, ascending.

    Examples
    --------
    >>> from sugeno._sets.transversals import smallest_cover
    >>> smallest_cover([0b011, 0b110, 0b100])
    (0, 2)
    """
    needed = [one for one in family if not any(one != b and one & b == b for b in family)]
    size = 0
    while True:
        found = _cover(sorted(set(needed)), size, 0)
        if found is not None:
            return found
        size += 1


def _cover(family: list[int], size: int, start: int) -> tuple[int, ...] | None:
    """First cover of at most so many members from a start on; None if there is none."""
    if not family:
        return ()
    if size == 0:
        return None
    # Beyond the last member of some set that set can no longer be met.
    for member in range(start, min(one.bit_length() for one in family)):
        left = [one for one in family if not one >> member & 1]
        if len(left) < len(family):
            rest = _cover(left, size - 1, member + 1)
            if rest is not None:
                return (member, *rest)
    return None


def cheapest_choices(
    family: Sequence[Mapping[int, int]], price: Sequence[float], order: int
) -> Iterator[tuple[float, dict[int, int]]]:
    """Choose a place on some chains so that every set of the family is met, cheapest first.

    Parameters
    ----------
    family : sequence of mappings
        Each from chains to the literal of the chain that meets the set; literals beyond it on
        the same chain, in the sense of ``order``, meet it as well.
    price : sequence of float
        Price of each literal; for those beyond it on the same chain not less.
    order : int
        +1 if higher literals lie beyond lower ones, -1 for the reverse.

    Yields
    ------
    float, dict
        Price, and from chains to the literal chosen. Among them is every minimal choice.

    Examples
    --------
    >>> from sugeno._sets.transversals import cheapest_choices
    >>> next(cheapest_choices([{0: 0, 1: 2}, {0: 1}], [1.0, 2.0, 5.0], 1))
    (2.0, {0: 1})
    """
    heap: list[tuple[float, tuple[tuple[int, int], ...]]] = [(0.0, ())]
    seen: set[tuple[tuple[int, int], ...]] = {()}
    while heap:
        total, items = heappop(heap)
        chosen = dict(items)
        open_set = next((one for one in family if not _is_met(one, chosen, order)), None)
        if open_set is None:
            yield total, chosen
            continue
        for chain, literal in open_set.items():
            further = tuple(sorted({**chosen, chain: literal}.items()))
            if further not in seen:
                seen.add(further)
                heappush(heap, (sum(price[one] for _, one in further), further))


def _is_met(one: Mapping[int, int], chosen: Mapping[int, int], order: int) -> bool:
    return any(
        chain in chosen and order * chosen[chain] >= order * literal
        for chain, literal in one.items()
    )


Words = NDArray[np.uint64]
Floats = NDArray[np.float64]

#: An odd number that scatters the numbers of rows over all bits: 2**64 over the golden ratio.
_MIXING = np.uint64(0x9E3779B97F4A7C15)
#: Rows that are taken together, and partial choices that are held for them.
_ROWS, _MOST_CHOICES = 4096, 1 << 20
#: Equal choices are looked for when there are so many times more than at the last look.
_GROWN = 1.5


@dataclass(frozen=True, eq=False)
class Task:
    """What has to be met by each row.

    Attributes
    ----------
    sets : ndarray of uint64 of shape (n, R)
        The sets of each row as bits of words; 0 where there is none.
    adds : ndarray of uint64 of shape (E,)
        What a choice of each element adds: itself, and elements that go with it.
    prices : ndarray of float64 of shape (n, E)
        Price of each element; where elements go with each other, of the furthest one only.
    guide : ndarray of float64 of shape (n, E)
        The greedy choice takes the least of these.
    groups : ndarray of uint64 of shape (E,)
        The elements of which only the furthest is paid for.
    """

    sets: Words
    adds: Words
    prices: Floats
    guide: Floats
    groups: Words

    @cached_property
    def furthest(self) -> NDArray[np.intp]:
        """By an element and the number of elements chosen of its group, the furthest of these."""
        result = np.zeros((self.adds.size, 65), dtype=np.intp)
        element, other = np.nonzero(self.groups[:, None] == self.groups)
        result[element, np.bitwise_count(self.adds[other])] = other
        return result

    def take(self, rows: slice) -> Task:
        """Some of the rows."""
        return Task(self.sets[rows], self.adds, self.prices[rows], self.guide[rows], self.groups)


@dataclass(frozen=True, eq=False)
class Choice:
    """The cheapest choice of each row: NaN and nothing where there were too many to look at."""

    keys: Floats
    chosen: Words


def cheapest(task: Task) -> Choice:
    """Choose, for each row, the cheapest elements that meet all of its sets.

    Of equally cheap choices the one with earlier elements is taken.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._sets.transversals import Task, cheapest
    >>> one = np.array([1, 2, 4], np.uint64)
    >>> sets = np.array([[0b011, 0b110, 0b100]], np.uint64)
    >>> cheapest(Task(sets, one, np.ones((1, 3)), np.ones((1, 3)), one)).chosen
    array([5], dtype=uint64)
    """
    n = len(task.sets)
    keys, chosen = np.full(n, np.nan), np.zeros(n, dtype=np.uint64)
    pending = [slice(start, min(start + _ROWS, n)) for start in range(0, n, _ROWS)]
    while pending:
        rows = pending.pop()
        found = _together(task.take(rows))
        if found is not None:
            keys[rows], chosen[rows] = found.keys, found.chosen
        elif rows.stop - rows.start > 1:
            middle = (rows.start + rows.stop) // 2
            pending += [slice(rows.start, middle), slice(middle, rows.stop)]
    return Choice(keys, chosen)


def _together(task: Task) -> Choice | None:
    """The same for a few rows; None if there would be too many partial choices."""
    task = _small_sets_first(task)
    bound = _greedy(task)
    row = np.arange(len(task.sets))
    chosen = np.zeros(row.size, dtype=np.uint64)
    keys = np.zeros(row.size)
    different = row.size
    for step in range(task.sets.shape[1]):
        wanted = task.sets[row, step]
        open_ = (wanted != 0) & ((chosen & wanted) == 0)
        if not open_.any():
            continue
        members = zip(*_members(wanted, np.flatnonzero(open_)))
        place, element = (np.concatenate(parts) for parts in members)
        at = row[place]
        more, paid = _added(task, at, chosen[place], keys[place], element)
        cheap = paid <= bound[at]
        kept = np.flatnonzero(~open_)
        row = np.concatenate([row[kept], at[cheap]])
        chosen = np.concatenate([chosen[kept], more[cheap]])
        keys = np.concatenate([keys[kept], paid[cheap]])
        if row.size > min(_GROWN * different, _MOST_CHOICES):
            kept = _distinct(row, chosen)
            row, chosen, keys = row[kept], chosen[kept], keys[kept]
            different = row.size
        if row.size > _MOST_CHOICES:
            return None
    return _best(task, row, chosen, keys)


def _best(task: Task, row: NDArray[np.intp], chosen: Words, keys: Floats) -> Choice:
    """The cheapest choice of each row; of several the one with earlier elements."""
    least = np.full(len(task.sets), np.inf)
    np.minimum.at(least, row, keys)
    cheap = np.flatnonzero(keys == least[row])
    row, chosen = row[cheap], chosen[cheap]
    order = np.lexsort((~_reversed(_furthest(task, chosen)), row))
    first = order[np.append(True, np.diff(row[order]) != 0)[: order.size]]
    return Choice(least[row[first]], chosen[first])


def _members(
    sets: Words, places: NDArray[np.intp]
) -> Iterator[tuple[NDArray[np.intp], NDArray[np.intp]]]:
    """Places and elements of the sets at some places: first the first of each, then the second."""
    left = sets[places]
    while places.size:
        rest = left & (left - np.uint64(1))
        yield places, _index(left ^ rest)
        more = np.flatnonzero(rest)
        left, places = rest[more], places[more]


def _small_sets_first(task: Task) -> Task:
    """Sets with few members leave few ways to go on."""
    sizes = np.bitwise_count(task.sets).astype(np.intp)
    order = np.argsort(np.where(sizes == 0, 65, sizes), axis=1, kind="stable")
    sets = np.take_along_axis(task.sets, order, axis=1)
    return Task(sets, task.adds, task.prices, task.guide, task.groups)


def _greedy(task: Task) -> Floats:
    """Price of a choice that takes, for each set that is not met, what the guide says."""
    row = np.arange(len(task.sets))
    chosen, keys = np.zeros(row.size, dtype=np.uint64), np.zeros(row.size)
    for wanted in task.sets.T:
        open_ = np.flatnonzero((wanted != 0) & ((chosen & wanted) == 0))
        if open_.size:
            element = _least(wanted, open_, task.guide)
            chosen[open_], keys[open_] = _added(task, open_, chosen[open_], keys[open_], element)
    return keys


def _least(sets: Words, places: NDArray[np.intp], guide: Floats) -> NDArray[np.intp]:
    """The element of the set at each place that has the least guide; the first of several."""
    least, chosen = np.full(len(sets), np.inf), np.zeros(len(sets), dtype=np.intp)
    for at, element in _members(sets, places):
        value = guide[at, element]
        better = value < least[at]
        least[at[better]], chosen[at[better]] = value[better], element[better]
    return chosen[places]


def _added(
    task: Task, row: NDArray[np.intp], chosen: Words, keys: Floats, element: NDArray[np.intp]
) -> tuple[Words, Floats]:
    """Add an element to each choice; what it goes beyond is no longer paid for."""
    before = chosen & task.groups[element]
    after = chosen | task.adds[element]
    paid = np.zeros(row.size)
    there = np.flatnonzero(before)
    if there.size:
        last = task.furthest[element[there], np.bitwise_count(before[there])]
        paid[there] = task.prices[row[there], last]
    return after, keys + task.prices[row, element] - paid


def _furthest(task: Task, chosen: Words) -> Words:
    """Keep of each group the element that all others go with."""
    result = np.zeros_like(chosen)
    for element, adds in enumerate(task.adds):
        # It is the furthest of its group if it adds all that is chosen of the group.
        bit = np.uint64(1) << np.uint64(element)
        result |= np.where(
            ((chosen & task.groups[element]) == adds) & (adds != 0), bit, np.uint64(0)
        )
    return result


def _index(single: Words) -> NDArray[np.intp]:
    """Place of the only bit of each word."""
    place: NDArray[np.intp] = np.bitwise_count(single - np.uint64(1)).astype(np.intp)
    return place


def _reversed(words: Words) -> Words:
    """Bits in reverse order, so that earlier elements weigh more."""
    bits = np.unpackbits(
        words.astype("<u8").view(np.uint8).reshape(-1, 8), axis=1, bitorder="little"
    )
    return (
        np.packbits(bits[:, ::-1], axis=1, bitorder="little")
        .view("<u8")
        .reshape(-1)
        .astype(np.uint64)
    )


def _distinct(row: NDArray[np.intp], chosen: Words) -> NDArray[np.intp]:
    """Places of different choices; should two words fall together, one may be there twice."""
    mixed = row.astype(np.uint64) * _MIXING ^ chosen
    order = np.argsort(mixed)
    new = np.ones(order.size, dtype=np.bool_)
    new[1:] = mixed[order[1:]] != mixed[order[:-1]]
    again = np.flatnonzero(~new)
    same = row[order[again]] == row[order[again - 1]]
    new[again[~same]] = True
    return order[new]
