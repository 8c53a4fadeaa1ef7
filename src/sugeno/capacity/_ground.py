"""The ground set [m]: the criteria, by index or by name, and sets of them."""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from sugeno._sets.masks import Masks, pack, unpack

#: A criterion is named by its index or, where criteria have names, by its name.
Criterion = int | str
#: A set of criteria; a single criterion stands for the set that holds only it.
CriterionSet = Criterion | Iterable[Criterion]

#: Messages list at most this many criteria.
_SHOWN = 10


@dataclass(frozen=True)
class GroundSet:
    """The criteria 0, …, m - 1 and, if they have any, their names.

    Attributes
    ----------
    m : int
        Number of criteria, at least 1.
    names : tuple of str or None
        Name of each criterion.

    Examples
    --------
    >>> from sugeno.capacity._ground import GroundSet
    >>> ground = GroundSet.of(criteria=["price", "comfort"])
    >>> ground.m, ground.index("comfort")
    (2, 1)
    >>> ground.pack([["price"], [0, "comfort"]])
    array([[1],
           [3]], dtype=uint64)
    """

    m: int
    names: tuple[str, ...] | None = None

    @classmethod
    def of(cls, m: int | None = None, criteria: Sequence[str] | None = None) -> GroundSet:
        """Check the number and the names of the criteria.

        Examples
        --------
        >>> from sugeno.capacity._ground import GroundSet
        >>> GroundSet.of(3)
        GroundSet(m=3, names=None)
        """
        if criteria is None:
            return cls(_check_m(m))
        names = _check_names(criteria)
        if m is not None and m != len(names):
            raise ValueError(
                f"m must equal the number of criteria, {len(names)}. Got {m!r} instead; "
                "leave one of the two out."
            )
        return cls(len(names), names)

    @property
    def words(self) -> int:
        """Number of 64-bit words of a packed set."""
        return -(-self.m // 64)

    def index(self, criterion: Criterion) -> int:
        """Return the index of a criterion that is given by index or by name."""
        if isinstance(criterion, str):
            return self._index_of_name(criterion)
        if isinstance(criterion, bool | np.bool_):
            raise TypeError(
                f"A criterion must be an index or a name. Got {criterion!r} instead; "
                "give a set by its members, or use Capacity.values for Boolean rows."
            )
        try:
            index = operator.index(criterion)
        except TypeError:
            raise TypeError(
                f"A criterion must be an index or a name. Got {criterion!r} instead."
            ) from None
        if not 0 <= index < self.m:
            raise ValueError(
                f"A criterion must be an index from 0 to {self.m - 1}. Got {index} instead; "
                "the first criterion is 0."
            )
        return index

    def _index_of_name(self, name: str) -> int:
        if self.names is None:
            raise ValueError(
                f"The criteria have no names. Got {name!r} instead of an index from 0 to "
                f"{self.m - 1}; give the names with criteria=[...]."
            )
        if name not in self._positions:
            raise ValueError(
                f"A criterion must be one of {_listing(self.names)}. Got {name!r} instead; "
                "correct the name or add it to criteria."
            )
        return self._positions[name]

    @cached_property
    def _positions(self) -> dict[str, int]:
        return {name: j for j, name in enumerate(self.names or ())}

    def pack(self, sets: Iterable[CriterionSet]) -> Masks:
        """Pack sets of criteria into words, one row per set."""
        indices = [[self.index(member) for member in _members_of(chosen)] for chosen in sets]
        bits = np.zeros((len(indices), self.m), dtype=np.bool_)
        for row, members in enumerate(indices):
            bits[row, members] = True
        return pack(bits)

    def members(self, masks: Masks) -> list[tuple[Criterion, ...]]:
        """List the members of packed sets, by name where criteria have names.

        Examples
        --------
        >>> import numpy as np
        >>> from sugeno.capacity._ground import GroundSet
        >>> GroundSet.of(criteria=["a", "b", "c"]).members(np.array([[5]], dtype=np.uint64))
        [('a', 'c')]
        """
        labels: Sequence[Criterion] = range(self.m) if self.names is None else self.names
        listed = []
        for start in range(0, len(masks), 4096):
            bits = unpack(masks[start : start + 4096], self.m)
            columns = np.nonzero(bits)[1]
            ends = np.cumsum(bits.sum(axis=1))[:-1]
            listed += [tuple(labels[j] for j in part.tolist()) for part in np.split(columns, ends)]
        return listed

    def describe(self, mask: Masks) -> str:
        """Write one packed set for a person: ``{a, c}``.

        Examples
        --------
        >>> import numpy as np
        >>> from sugeno.capacity._ground import GroundSet
        >>> GroundSet.of(3).describe(np.array([5], dtype=np.uint64))
        '{0, 2}'
        """
        (members,) = self.members(mask.reshape(1, -1))
        return "{" + ", ".join(str(member) for member in members) + "}"


def _check_m(m: int | None) -> int:
    if m is None:
        raise ValueError(
            "The number of criteria is not known. Give m=..., or their names with criteria=[...]."
        )
    if isinstance(m, bool) or not isinstance(m, int | np.integer):
        raise TypeError(f"m must be an integer, at least 1. Got {m!r} instead.")
    if m < 1:
        raise ValueError(
            f"m must be at least 1. Got {m} instead; a capacity needs at least one criterion."
        )
    return int(m)


def _check_names(criteria: Sequence[Any]) -> tuple[str, ...]:
    if isinstance(criteria, str):
        raise TypeError(
            f"criteria must be a sequence of names. Got the text {criteria!r} instead; "
            f"write criteria=[{criteria!r}] for a single criterion."
        )
    names = tuple(criteria)
    strangers = [name for name in names if not isinstance(name, str)]
    if strangers:
        raise TypeError(
            f"criteria must be names (text). Got {strangers[0]!r} instead; "
            "leave criteria out and give m=... to use indices."
        )
    if not names:
        raise ValueError(
            "criteria must hold at least one name. Got an empty sequence instead; "
            "a capacity needs at least one criterion."
        )
    repeated = [name for name, count in Counter(names).items() if count > 1]
    if repeated:
        raise ValueError(
            f"criteria must be distinct. Got {repeated[0]!r} more than once instead; rename one."
        )
    return tuple(str(name) for name in names)


def _members_of(chosen: CriterionSet) -> Iterable[Criterion]:
    """Read a single criterion as the set that holds only it."""
    if isinstance(chosen, str | int | np.integer):
        return (chosen,)
    if not isinstance(chosen, Iterable):
        raise TypeError(
            f"A set of criteria must be an iterable of indices or names. Got {chosen!r} instead."
        )
    return chosen


def _listing(names: tuple[str, ...]) -> str:
    shown = ", ".join(repr(name) for name in names[:_SHOWN])
    return shown if len(names) <= _SHOWN else f"{shown}, … ({len(names)} in all)"
