"""Smallest and cheapest sets that meet every set of a family: exact, one question at a time.

For models whose other form is too long to be written down. Both searches branch over the members
of a set that is not met yet; they end, but may take long where nothing is small.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from heapq import heappop, heappush

__all__ = ["cheapest_choices", "smallest_cover"]


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
    >>> from sugeno._sets.covers import smallest_cover
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
    >>> from sugeno._sets.covers import cheapest_choices
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
