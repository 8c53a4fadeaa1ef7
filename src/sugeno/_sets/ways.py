"""Minimal ways to enough points: places on chains whose steps add up to a sum that is needed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sugeno._sets.transversals import MAX_TRANSVERSALS

__all__ = ["minimal_ways"]

Places = tuple[int, ...]


def minimal_ways(
    steps: Sequence[Sequence[int]], needed: int, *, limit: int = MAX_TRANSVERSALS
) -> Iterator[Places]:
    """Yield the places on all chains that have enough points, and not enough with any step less.

    Parameters
    ----------
    steps : sequence of sequences of int
        What each step along each chain adds, at least 1.
    needed : int
        So many points are enough.
    limit : int, default=20000
        Largest number of ways.

    Yields
    ------
    tuple of int
        Number of steps along each chain.

    Raises
    ------
    OverflowError
        If there are more.

    Examples
    --------
    >>> from sugeno._sets.ways import minimal_ways
    >>> [*minimal_ways([[2, 1], [1], [1]], 3)]
    [(1, 0, 1), (1, 1, 0), (2, 0, 0)]
    """
    rest = [sum(map(sum, steps[j:])) for j in range(len(steps) + 1)]
    # Nothing can be given up of nothing.
    ways = _further(steps, needed, rest, (), 0, rest[0] + needed + 1)
    for number, places in enumerate(ways, start=1):
        if number > limit:
            raise OverflowError(
                f"There are more than {limit} minimal ways to {needed} points; read the points "
                "themselves, or use fewer literals."
            )
        yield places


def _further(
    steps: Sequence[Sequence[int]],
    needed: int,
    rest: Sequence[int],
    places: Places,
    have: int,
    least: int,
) -> Iterator[Places]:
    """Go on from places on the first chains, of whose steps the cheapest one has `least` points."""
    j = len(places)
    if have >= needed:
        if have - least < needed:
            yield places + (0,) * (len(steps) - j)
    elif have + rest[j] >= needed:
        yield from _further(steps, needed, rest, (*places, 0), have, least)
        for place, points in enumerate(steps[j], start=1):
            have += points
            yield from _further(steps, needed, rest, (*places, place), have, min(least, points))
