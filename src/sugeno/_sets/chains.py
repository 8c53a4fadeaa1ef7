"""Products of chains: several levels per criterion, and tables over all patterns of them.

A criterion with q literals is a chain: to reach its i-th level is to reach all levels before it.
So a row is a place on each of m chains, and there are (q_1 + 1) ⋯ (q_m + 1) patterns, not
2**(q_1 + … + q_m). In the paper's model every chain has one literal, and the patterns are the
2**m sets of criteria.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import comb, prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sugeno._sets.masks import Masks, canonical_order, pack, unpack
from sugeno._sets.transversals import MAX_TRANSVERSALS

#: Number of steps along each chain.
Places = tuple[int, ...]

#: Up to this many cells a table over all patterns is cheap.
TABLE_CELLS = 1 << 20


@dataclass(frozen=True)
class Chains:
    """How many literals each criterion has; those of a criterion are neighbouring bits.

    Attributes
    ----------
    sizes : tuple of int
        Number of literals of each criterion, the weakest (easiest to reach) first.

    Examples
    --------
    >>> from sugeno._sets.chains import Chains
    >>> chains = Chains((2, 1))
    >>> chains.n_literals, chains.n_cells
    (3, 6)
    """

    sizes: tuple[int, ...]

    @classmethod
    def single(cls, m: int) -> Chains:
        """One literal for each of m criteria: the paper's model."""
        return cls((1,) * m)

    @property
    def n_criteria(self) -> int:
        """Number of criteria."""
        return len(self.sizes)

    @cached_property
    def n_literals(self) -> int:
        """Number of literals."""
        return sum(self.sizes)

    @cached_property
    def n_cells(self) -> int:
        """Number of patterns that a row can have."""
        return prod(size + 1 for size in self.sizes)

    @property
    def is_small(self) -> bool:
        """Whether a table over all patterns is cheap."""
        return self.n_cells <= TABLE_CELLS

    @cached_property
    def is_single(self) -> bool:
        """Whether no criterion has more than one literal."""
        return max(self.sizes, default=0) <= 1

    @cached_property
    def criteria(self) -> NDArray[np.intp]:
        """Criterion of each literal."""
        return np.repeat(np.arange(len(self.sizes)), self.sizes)

    @cached_property
    def _ends(self) -> NDArray[np.intp]:
        """Number of literals up to and including each criterion."""
        return np.cumsum(self.sizes, dtype=np.intp)

    @cached_property
    def full(self) -> Masks:
        """The set of all literals, packed: one row."""
        return pack(np.ones((1, self.n_literals), dtype=np.bool_))

    def closed(self, masks: Masks) -> Masks:
        """Add to each set the literals that it implies.

        Examples
        --------
        >>> import numpy as np
        >>> from sugeno._sets.chains import Chains
        >>> Chains((2, 1)).closed(np.array([[2]], np.uint64)).tolist()
        [[3]]
        """
        if self.is_single:
            return masks
        bits = unpack(masks, self.n_literals)
        for start, end in self._spans():
            block = bits[:, start:end]
            block[:] = np.logical_or.accumulate(block[:, ::-1], axis=1)[:, ::-1]
        return pack(bits)

    def strongest(self, masks: Masks) -> Masks:
        """Drop from each set the literals that others in it imply: what a person reads.

        Examples
        --------
        >>> import numpy as np
        >>> from sugeno._sets.chains import Chains
        >>> Chains((2, 1)).strongest(np.array([[3]], np.uint64)).tolist()
        [[2]]
        """
        if self.is_single:
            return masks
        bits = unpack(self.closed(masks), self.n_literals)
        for start, end in self._spans():
            bits[:, start : end - 1] &= ~bits[:, start + 1 : end].copy()
        return pack(bits)

    def raised(self, masks: Masks) -> Masks:
        """Add to each clause the literals that imply one of it: the clause says the same."""
        if self.is_single:
            return masks
        bits = unpack(masks, self.n_literals)
        for start, end in self._spans():
            block = bits[:, start:end]
            block[:] = np.logical_or.accumulate(block, axis=1)
        return pack(bits)

    def weakest(self, masks: Masks) -> Masks:
        """Drop from each clause the literals that imply others of it: what a person reads.

        Examples
        --------
        >>> import numpy as np
        >>> from sugeno._sets.chains import Chains
        >>> Chains((2, 1)).weakest(np.array([[3]], np.uint64)).tolist()
        [[1]]
        """
        if self.is_single:
            return masks
        bits = unpack(self.raised(masks), self.n_literals)
        for start, end in self._spans():
            bits[:, start + 1 : end] &= ~bits[:, start : end - 1].copy()
        return pack(bits)

    def count_criteria(self, masks: Masks) -> NDArray[np.intp]:
        """Return the number of criteria that each closed set speaks about."""
        weakest = np.zeros(self.n_literals, dtype=np.bool_)
        weakest[[start for start, _ in self._spans()]] = True
        sizes: NDArray[np.intp] = np.bitwise_count(masks & pack(weakest[None])).sum(
            axis=1, dtype=np.intp
        )
        return sizes

    def cells_of(self, masks: Masks) -> NDArray[np.intp]:
        """Return the place of each closed set in a table over all patterns."""
        if self.is_single and masks.shape[1] == 1 and 0 not in self.sizes:
            cells: NDArray[np.intp] = masks[:, 0].astype(np.intp)
            return cells
        bits = unpack(masks, self.n_literals)
        result = np.zeros(len(masks), dtype=np.intp)
        stride = 1
        for size, (start, end) in zip(self.sizes, self._all_spans()):
            result += stride * bits[:, start:end].sum(axis=1, dtype=np.intp)
            stride *= size + 1
        return result

    def masks_of(self, cells: NDArray[np.intp]) -> Masks:
        """Return the closed sets at the given places of a table over all patterns."""
        if self.is_single and self.n_literals <= 64 and 0 not in self.sizes:
            return cells.astype(np.uint64)[:, None]
        bits = np.zeros((len(cells), self.n_literals), dtype=np.bool_)
        left = cells
        for size, (start, end) in zip(self.sizes, self._all_spans()):
            left, reached = np.divmod(left, size + 1)
            bits[:, start:end] = np.arange(size) < reached[:, None]
        return pack(bits)

    def along(self, table: NDArray[Any]) -> list[NDArray[Any]]:
        """Views of a flat table with the place on one chain as the middle axis, chain by chain."""
        views = []
        stride = 1
        for size in self.sizes:
            views.append(table.reshape(-1, size + 1, stride))
            stride *= size + 1
        return views

    def table_of(self, masks: Masks) -> NDArray[np.bool_]:
        """Boolean table over all patterns that is true at the given closed sets."""
        table = np.zeros(self.n_cells, dtype=np.bool_)
        table[self.cells_of(masks)] = True
        return table

    def _all_spans(self) -> list[tuple[int, int]]:
        ends = self._ends.tolist()
        return list(zip([0, *ends[:-1]], ends))

    def _spans(self) -> list[tuple[int, int]]:
        """First and last bit (exclusive) of each criterion that has literals."""
        return [(start, end) for start, end in self._all_spans() if end > start]


def spread_up(table: NDArray[Any], chains: Chains, combine: np.ufunc) -> NDArray[Any]:
    """Combine, in place, the entry of each pattern with those of all patterns inside it.

    Costs one pass over the table per criterion.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._sets.chains import Chains, spread_up
    >>> spread_up(np.array([0, 1, 0, 0]), Chains.single(2), np.maximum)
    array([0, 1, 0, 1])
    """
    for view in chains.along(table):
        for place in range(1, view.shape[1]):
            combine(view[:, place], view[:, place - 1], out=view[:, place])
    return table


def spread_down(table: NDArray[Any], chains: Chains, combine: np.ufunc) -> NDArray[Any]:
    """Combine, in place, the entry of each pattern with those of all patterns around it.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._sets.chains import Chains, spread_down
    >>> spread_down(np.array([0, 1, 0, 0]), Chains.single(2), np.maximum)
    array([1, 1, 0, 0])
    """
    for view in chains.along(table):
        for place in range(view.shape[1] - 2, -1, -1):
            combine(view[:, place], view[:, place + 1], out=view[:, place])
    return table


def minimal_sets(member: NDArray[np.bool_], chains: Chains) -> Masks:
    """Return the minimal members of an up-set that is given as a Boolean table.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._sets.chains import Chains, minimal_sets
    >>> minimal_sets(np.array([False, True, False, True]), Chains.single(2))
    array([[1]], dtype=uint64)
    """
    is_minimal = member.copy()
    for view, kept in zip(chains.along(member), chains.along(is_minimal)):
        kept[:, 1:] &= ~view[:, :-1]
    found = chains.masks_of(np.flatnonzero(is_minimal))
    return found[canonical_order(found)]


def minimal_ways(steps: Sequence[Sequence[int]], needed: int) -> Iterator[Places]:
    """Yield the places on all chains that have enough points, and not enough with any step less.

    Parameters
    ----------
    steps : sequence of sequences of int
        What each step along each chain adds, at least 1.
    needed : int
        So many points are enough.

    Yields
    ------
    tuple of int
        Number of steps along each chain.

    Raises
    ------
    OverflowError
        If there are more than 20,000.

    Examples
    --------
    >>> from sugeno._sets.chains import minimal_ways
    >>> [*minimal_ways([[2, 1], [1], [1]], 3)]
    [(1, 0, 1), (1, 1, 0), (2, 0, 0)]
    """
    rest = [sum(map(sum, steps[j:])) for j in range(len(steps) + 1)]
    # Nothing can be given up of nothing.
    ways = _further(steps, needed, rest, (), 0, rest[0] + needed + 1)
    for number, places in enumerate(ways, start=1):
        if number > MAX_TRANSVERSALS:
            raise OverflowError(
                f"There are more than {MAX_TRANSVERSALS} minimal ways to {needed} points; read "
                "the points themselves, or use fewer literals."
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


def count_subsets(n: int, k: int) -> int:
    """Number of non-empty sets of at most k out of n elements.

    Examples
    --------
    >>> from sugeno._sets.chains import count_subsets
    >>> count_subsets(4, 2)
    10
    """
    return sum(comb(n, size) for size in range(1, k + 1))


def count_small_sets(chains: Chains, k: int) -> int:
    """Number of non-empty sets of at most k criteria with one level of each.

    It is the sum of the first k elementary symmetric polynomials of the numbers of levels.

    Examples
    --------
    >>> from sugeno._sets.chains import Chains
    >>> from sugeno._sets.chains import count_small_sets
    >>> count_small_sets(Chains((2, 1)), 2)
    5
    """
    by_size = [1] + [0] * k
    for levels in chains.sizes:
        for size in range(k, 0, -1):
            by_size[size] += levels * by_size[size - 1]
    return sum(by_size[1:])


def small_sets(chains: Chains, k: int) -> Masks:
    """All such sets, closed (with the literals that they imply), in canonical order.

    Examples
    --------
    >>> from sugeno._sets.chains import Chains
    >>> from sugeno._sets.chains import small_sets
    >>> small_sets(Chains((1, 1, 1)), 2).ravel().tolist()
    [1, 2, 4, 3, 5, 6]
    >>> small_sets(Chains((2, 1)), 2).ravel().tolist()
    [1, 4, 3, 5, 7]
    """
    owner = np.repeat(np.arange(len(chains.sizes)), chains.sizes)
    parts = []
    for size in range(1, k + 1):
        chosen = np.array(list(combinations(range(chains.n_literals), size)), dtype=np.intp)
        chosen = chosen.reshape(-1, size)
        criteria = owner[chosen]
        # Two levels of one criterion: the weaker one is implied, the set has fewer criteria.
        chosen = chosen[(criteria[:, 1:] != criteria[:, :-1]).all(axis=1)]
        bits = np.zeros((len(chosen), chains.n_literals), dtype=np.bool_)
        bits[np.arange(len(chosen))[:, None], chosen] = True
        parts.append(bits)
    sets = chains.closed(pack(np.concatenate(parts)))
    return sets[canonical_order(sets)]
