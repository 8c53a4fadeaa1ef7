"""Focal sets with values, as an object that cannot be changed: what a capacity stores."""

from __future__ import annotations

import html
from collections.abc import Mapping
from functools import cached_property
from types import MappingProxyType
from typing import Any, NoReturn, Self

import numpy as np

from sugeno._sets.masks import Masks, set_sizes
from sugeno.capacity._focal import Values, is_additive
from sugeno.capacity._ground import Criterion, GroundSet

__all__ = ["FocalSets"]

#: A repr lists up to this many focal sets, a notebook table up to that many.
_REPR_SETS = 6
_TABLE_ROWS = 30


class FocalSets:
    """Sets of criteria with values: stored packed, compared, hashed, shown, never changed.

    Examples
    --------
    >>> from sugeno import Capacity
    >>> mu = Capacity({(0, 1): 1.0}, m=2)
    >>> mu == Capacity({(1, 0): 1.0}, m=2)
    True
    >>> mu.m = 3
    Traceback (most recent call last):
        ...
    AttributeError: A Capacity cannot be changed. Got an assignment to 'm'; build a new one.
    """

    _ground: GroundSet
    _masks: Masks
    _values: Values

    def _set(self, ground: GroundSet, masks: Masks, values: Values) -> None:
        masks.setflags(write=False)
        values.setflags(write=False)
        # Not by assignment, which is forbidden from outside.
        self.__dict__.update(_ground=ground, _masks=masks, _values=values)

    @classmethod
    def _of(cls, ground: GroundSet, masks: Masks, values: Values) -> Self:
        """Wrap focal sets that are known to be focal and in canonical order."""
        capacity = cls.__new__(cls)
        capacity._set(ground, masks, values)
        return capacity

    @property
    def m(self) -> int:
        """Number of criteria."""
        return self._ground.m

    @property
    def criteria(self) -> tuple[str, ...] | None:
        """Names of the criteria."""
        return self._ground.names

    @property
    def focal_masks(self) -> Masks:
        """The focal sets, packed; read-only."""
        return self._masks

    @property
    def focal_values(self) -> Values:
        """The values of the focal sets; read-only."""
        return self._values

    @cached_property
    def focal_sets(self) -> Mapping[tuple[Criterion, ...], float]:
        """The focal sets with their values, smaller sets first."""
        members = self._ground.members(self._masks)
        return MappingProxyType(dict(zip(members, self._values.tolist(), strict=True)))

    @property
    def top(self) -> float:
        """The value of the full set, μ([m])."""
        return float(self._values.max(initial=0.0))

    @property
    def normalized(self) -> bool:
        """Whether μ([m]) = 1."""
        return self.top == 1

    @property
    def maxitivity(self) -> int:
        """The smallest k ≥ 1 such that no focal set has more than k criteria."""
        return int(set_sizes(self._masks).max(initial=1))

    def is_k_maxitive(self, k: int) -> bool:
        """Tell whether every set of more than k criteria has the value of a proper subset.

        Examples
        --------
        >>> from sugeno import Capacity
        >>> mu = Capacity.from_rules([(0, 1), (2,)], m=3)
        >>> mu.is_k_maxitive(1), mu.is_k_maxitive(2)
        (False, True)
        """
        if isinstance(k, bool) or not isinstance(k, int | np.integer):
            raise TypeError(f"k must be an integer, at least 1. Got {k!r} instead.")
        if k < 1:
            raise ValueError(f"k must be at least 1. Got {k} instead.")
        return self.maxitivity <= k

    @property
    def is_maxitive(self) -> bool:
        """Whether μ(A ∪ B) = max(μ(A), μ(B)) for all sets: all focal sets are singletons."""
        return self.is_k_maxitive(1)

    @property
    def is_additive(self) -> bool:
        """Whether μ(A ∪ B) = μ(A) + μ(B) for disjoint sets, up to the rounding of a sum."""
        return is_additive(self._masks, self._values, self.m)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(
            f"A {type(self).__name__} cannot be changed. Got an assignment to {name!r}; "
            "build a new one."
        )

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(
            f"A {type(self).__name__} cannot be changed. Got a deletion of {name!r}; "
            "build a new one."
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, FocalSets):
            return NotImplemented
        return (
            self._ground == other._ground
            and np.array_equal(self._masks, other._masks)
            and np.array_equal(self._values, other._values)
        )

    def __hash__(self) -> int:
        return hash((self._ground, self._masks.tobytes(), self._values.tobytes()))

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self)._of, (self._ground, self._masks, self._values)

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: dict[int, object]) -> Self:
        return self

    def __repr__(self) -> str:
        if len(self._masks) > _REPR_SETS:
            return (
                f"<{type(self).__name__}: {self.m} criteria, {len(self._masks)} focal sets, "
                f"{self.maxitivity}-maxitive>"
            )
        size = f"m={self.m}" if self.criteria is None else f"criteria={list(self.criteria)!r}"
        flag = "" if self.normalized else ", normalized=False"
        return f"{type(self).__name__}({dict(self.focal_sets)!r}, {size}{flag})"

    def _repr_html_(self) -> str:
        best = np.argsort(-self._values, kind="stable")[:_TABLE_ROWS]
        rows = "".join(
            f"<tr><td>{html.escape(self._ground.describe(self._masks[at]))}</td>"
            f"<td>{self._values[at]:.4g}</td></tr>"
            for at in best
        )
        more = len(self._masks) - len(best)
        note = f"<tfoot><tr><td colspan=2>and {more} more</td></tr></tfoot>" if more else ""
        return (
            f"<table><caption>{type(self).__name__} on {self.m} criteria, "
            f"{self.maxitivity}-maxitive</caption>"
            f"<thead><tr><th>focal set</th><th>value</th></tr></thead><tbody>{rows}</tbody>{note}"
            "</table>"
        )
