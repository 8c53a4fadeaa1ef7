"""The capacity: how much each set of criteria is worth.

A capacity μ gives every set of criteria a value in [0, 1], the empty set 0, and a larger set no
smaller value (section 2 of the paper). It is stored by its *focal sets*, the sets whose value
exceeds that of every proper subset (the qualitative Möbius transform), so that sixty criteria
with twenty focal sets cost twenty entries and never 2**60.
"""

from __future__ import annotations

import html
import reprlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import Any, Literal, NoReturn, Self

import numpy as np
from numpy.typing import ArrayLike

from sugeno._sets.masks import Masks, is_subset, pack, set_sizes
from sugeno.capacity._focal import (
    TABLE_CRITERIA,
    Values,
    as_values,
    boundary_of,
    check_dense_size,
    check_level,
    conjugate_of,
    focal_entries,
    focal_entries_of_table,
    is_additive,
    sufficient_size,
    table_is_cheaper,
    table_of,
    values_of,
)
from sugeno.capacity._ground import Criterion, CriterionSet, GroundSet
from sugeno.capacity._importance import PowerIndex, importance_of, interaction_of

#: A repr lists up to this many focal sets, a notebook table up to that many.
_REPR_SETS = 6
_TABLE_ROWS = 30


class Capacity:
    """A capacity on m criteria, stored by its focal sets.

    The object cannot be changed. It is a function of sets: call it with the indices or the names
    of some criteria. Whatever does not need all 2**m values works for thousands of criteria.

    Parameters
    ----------
    focal : mapping of sets to float
        Sets of criteria, each an iterable of indices or names (or a single index or name), with
        values in [0, 1]. A set that is not given has the largest value of its given subsets, or
        0. A given set may be redundant, with the same value as a subset, but not worth less than
        one.
    m : int, optional
        Number of criteria. May be left out if there are names.
    criteria : sequence of str, optional
        Names of the criteria.
    normalized : bool, default=True
        Insist on μ([m]) = 1. With False, any value in [0, 1] is allowed.

    Examples
    --------
    >>> from sugeno import Capacity
    >>> mu = Capacity({"price": 0.4, ("price", "comfort"): 0.7, ("price", "comfort", "speed"): 1},
    ...               criteria=["price", "comfort", "speed"])
    >>> mu(["comfort", "price"]), mu(["comfort", "speed"])
    (0.7, 0.0)
    >>> mu.boundary_sets(0.5)
    (('price', 'comfort'),)
    >>> mu.maxitivity
    3
    >>> mu.m = 4
    Traceback (most recent call last):
        ...
    AttributeError: A Capacity cannot be changed. Got an assignment to 'm'; build a new one.
    """

    _ground: GroundSet
    _masks: Masks
    _values: Values

    def __init__(
        self,
        focal: Mapping[Any, float],
        *,
        m: int | None = None,
        criteria: Sequence[str] | None = None,
        normalized: bool = True,
    ) -> None:
        if not isinstance(focal, Mapping):
            raise TypeError(
                "focal must be a mapping of sets to values, such as {(0, 1): 0.7}. "
                f"Got {reprlib.repr(focal)} instead; for 2**m values use Capacity.from_dense."
            )
        ground = GroundSet.of(m, criteria)
        values = as_values([*focal.values()])
        self._set(ground, *focal_entries(ground, ground.pack(focal), values, normalized))

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

    @classmethod
    def from_masks(
        cls,
        masks: Masks,
        values: ArrayLike,
        *,
        m: int,
        criteria: Sequence[str] | None = None,
        normalized: bool = True,
    ) -> Capacity:
        """Build a capacity from packed sets, as solvers have them.

        Parameters
        ----------
        masks : ndarray of uint64 of shape (F, words)
            Packed sets: criterion j is bit ``j % 64`` of word ``j // 64``.
        values : array-like of shape (F,)
            Their values. Redundant sets are dropped.
        m, criteria, normalized
            As for :class:`Capacity`.

        Returns
        -------
        Capacity
            The capacity.

        Examples
        --------
        >>> import numpy as np
        >>> from sugeno import Capacity
        >>> Capacity.from_masks(np.array([[3], [7]], np.uint64), [0.5, 1.0], m=3)
        Capacity({(0, 1): 0.5, (0, 1, 2): 1.0}, m=3)
        """
        ground = GroundSet.of(m, criteria)
        packed = np.asarray(masks, dtype=np.uint64)
        given = as_values(values)
        if packed.shape != (given.size, ground.words) or given.ndim != 1:
            raise ValueError(
                f"masks must have the shape (number of values, {ground.words}) for {m} criteria. "
                f"Got {packed.shape} and values of the shape {given.shape} instead."
            )
        spare = 64 * ground.words - ground.m
        if spare and (packed[:, -1] >> np.uint64(64 - spare)).any():
            raise ValueError(
                f"masks must only use the bits of the {m} criteria. Got a set with a criterion "
                f"beyond {m - 1} instead; give the right m."
            )
        return cls._of(ground, *focal_entries(ground, packed, given, normalized))

    @classmethod
    def from_dense(
        cls,
        values: ArrayLike,
        *,
        criteria: Sequence[str] | None = None,
        normalized: bool = True,
    ) -> Capacity:
        """Build a capacity from the values of all 2**m sets.

        Parameters
        ----------
        values : array-like of shape (2**m,)
            Bit j of the index of a set tells whether criterion j is in it.
        criteria, normalized
            As for :class:`Capacity`.

        Returns
        -------
        Capacity
            The capacity.

        Examples
        --------
        >>> from sugeno import Capacity
        >>> Capacity.from_dense([0, 0.3, 0.3, 1])
        Capacity({(0,): 0.3, (1,): 0.3, (0, 1): 1.0}, m=2)
        """
        table = as_values(values)
        m = table.size.bit_length() - 1
        if table.ndim != 1 or table.size != 1 << max(m, 0) or m < 1:
            raise ValueError(
                "values must be a vector of 2**m numbers for m criteria, m at least 1. "
                f"Got the shape {table.shape} instead; give one value for every set."
            )
        check_dense_size(m, "Capacity.from_dense")
        ground = GroundSet.of(m, criteria)
        return cls._of(ground, *focal_entries_of_table(ground, table, normalized))

    @classmethod
    def from_function(
        cls,
        function: Callable[[tuple[Any, ...]], float],
        *,
        m: int | None = None,
        criteria: Sequence[str] | None = None,
        normalized: bool = True,
    ) -> Capacity:
        """Build a capacity from a function of sets.

        Parameters
        ----------
        function : callable
            Called once for each of the 2**m sets, with a tuple in the order of the criteria. It
            holds names if the criteria have names, otherwise indices.
        m, criteria, normalized
            As for :class:`Capacity`.

        Returns
        -------
        Capacity
            The capacity.

        Examples
        --------
        >>> from sugeno import Capacity
        >>> weights = {"a": 0.5, "b": 0.25, "c": 0.25}
        >>> mu = Capacity.from_function(lambda A: sum(weights[j] for j in A), criteria=[*weights])
        >>> mu(["a", "c"])
        0.75
        """
        ground = GroundSet.of(m, criteria)
        check_dense_size(ground.m, "Capacity.from_function")
        every = np.arange(1 << ground.m, dtype=np.uint64)[:, None]
        table = as_values([function(members) for members in ground.members(every)])
        return cls._of(ground, *focal_entries_of_table(ground, table, normalized))

    @classmethod
    def counting(cls, m: int, *, criteria: Sequence[str] | None = None) -> Capacity:
        """Build μ(A) = ``|A| / m``, the capacity of the k-of-m classifiers.

        Every set is focal, so this is for at most 20 criteria.

        Examples
        --------
        >>> from sugeno import Capacity
        >>> Capacity.counting(3).boundary_sets(2 / 3)
        ((0, 1), (0, 2), (1, 2))
        """
        ground = GroundSet.of(m, criteria)
        check_dense_size(ground.m, "Capacity.counting")
        sizes = np.bitwise_count(np.arange(1 << ground.m, dtype=np.uint64))
        return cls._of(ground, *focal_entries_of_table(ground, sizes / ground.m, True))

    @classmethod
    def from_rules(
        cls,
        sets: Iterable[CriterionSet],
        *,
        m: int | None = None,
        criteria: Sequence[str] | None = None,
        normalized: bool = True,
    ) -> Capacity:
        """Build the capacity of a set of rules: μ(A) = 1 iff A contains one of the sets.

        Parameters
        ----------
        sets : iterable of sets of criteria
            The rules; one that contains another is redundant.
        m, criteria, normalized
            As for :class:`Capacity`.

        Returns
        -------
        Capacity
            The capacity.

        Examples
        --------
        >>> from sugeno import Capacity
        >>> mu = Capacity.from_rules([("a", "b"), ("c",)], criteria=["a", "b", "c"])
        >>> mu(["a"]), mu(["a", "c"])
        (0.0, 1.0)
        """
        ground = GroundSet.of(m, criteria)
        masks = ground.pack(sets)
        return cls._of(ground, *focal_entries(ground, masks, np.ones(len(masks)), normalized))

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

    @cached_property
    def table(self) -> Values:
        """The values of all 2**m sets; read-only, made once, for at most 20 criteria."""
        check_dense_size(self.m, "The table of a capacity")
        table = table_of(self._masks, self._values, self.m)
        table.setflags(write=False)
        return table

    def table_for(self, n_sets: int) -> Values | None:
        """Return the table if it is there or worth making for this many sets, else None.

        Examples
        --------
        >>> from sugeno import Capacity
        >>> Capacity.from_rules([(0, 1)], m=60).table_for(10**6) is None
        True
        """
        there = "table" in self.__dict__
        return self.table if there or table_is_cheaper(n_sets * len(self._masks), self.m) else None

    def __call__(self, members: CriterionSet) -> float:
        """Return the value of one set, given by the indices or names of its members."""
        inside = is_subset(self._masks, self._ground.pack([members]))[:, 0]
        return float(self._values[inside].max(initial=0.0))

    def values(self, sets: ArrayLike) -> Values:
        """Return the values of many sets at once.

        Parameters
        ----------
        sets : array-like of bool of shape (n, m)
            One set per row, one column per criterion.

        Returns
        -------
        ndarray of shape (n,)
            The value of each set.

        Examples
        --------
        >>> from sugeno import Capacity
        >>> Capacity.counting(2).values([[False, False], [True, False], [True, True]])
        array([0. , 0.5, 1. ])
        """
        bits = np.asarray(sets)
        if bits.ndim != 2 or bits.shape[1] != self.m:
            raise ValueError(
                f"sets must be a matrix with one row per set and {self.m} columns. "
                f"Got the shape {bits.shape} instead; call the capacity for a single set."
            )
        if bits.dtype != np.bool_ and not ((bits == 0) | (bits == 1)).all():
            raise ValueError(
                "sets must be Boolean: True where the criterion is in the set. "
                f"Got values of type {bits.dtype} other than 0 and 1 instead."
            )
        masks = pack(bits.astype(np.bool_, copy=False))
        table = self.table_for(len(masks))
        if table is not None:
            return table[masks[:, 0]]
        return values_of(self._masks, self._values, masks)

    def to_dense(self) -> Values:
        """Return the values of all 2**m sets; bit j of the index is criterion j.

        Examples
        --------
        >>> from sugeno import Capacity
        >>> Capacity({0: 0.5, (0, 1): 1}, m=2).to_dense()
        array([0. , 0.5, 0. , 1. ])
        """
        check_dense_size(self.m, "Capacity.to_dense")
        return self.table.copy()

    def conjugate(self) -> Capacity:
        """Return the conjugate capacity: A is worth what μ([m]) loses without A.

        Without a table, for more than 20 criteria, its focal sets are found as minimal transversals
        of those of μ. They can be too many, which is an error.

        Examples
        --------
        >>> from sugeno import Capacity
        >>> Capacity.from_rules([(0, 1), (2,)], m=3).conjugate()
        Capacity({(0, 2): 1.0, (1, 2): 1.0}, m=3)
        """
        if self.m <= TABLE_CRITERIA:
            table = self.top - self.table[::-1]
            return self._of(self._ground, *focal_entries_of_table(self._ground, table, False))
        masks, values = conjugate_of(self._masks, self._values)
        return self._of(self._ground, *focal_entries(self._ground, masks, values, False))

    def boundary_sets(self, beta: float) -> tuple[tuple[Criterion, ...], ...]:
        """Return the minimal sets whose value reaches β: the rules of the classifier S_μ ≥ β.

        Parameters
        ----------
        beta : float in [0, 1]
            The threshold. At 0 the empty set is the only boundary set.

        Returns
        -------
        tuple of tuples
            An antichain, smaller sets first; members by name where criteria have names.

        Examples
        --------
        >>> from sugeno import Capacity
        >>> mu = Capacity({("a",): 0.3, ("b", "c"): 0.8, ("a", "b"): 1}, criteria=["a", "b", "c"])
        >>> mu.boundary_sets(0.5)
        (('a', 'b'), ('b', 'c'))
        """
        return tuple(self._ground.members(self.boundary_masks(beta)))

    def boundary_masks(self, beta: float) -> Masks:
        """Return the boundary sets of β packed, as solvers and rules use them.

        Examples
        --------
        >>> from sugeno import Capacity
        >>> Capacity.counting(2).boundary_masks(0.5)
        array([[1],
               [2]], dtype=uint64)
        """
        level = check_level(beta, "beta")
        return boundary_of(self._masks, self._values, self.m, level)

    def maxitive_approximation(self, epsilon: float) -> tuple[int, Capacity]:
        """Return k* and the k*-maxitive capacity μ* of Theorem 2.

        μ* agrees with μ on the sets of at most k* criteria. Here k* = min G_{μ,ε} is the smallest
        number for which 0 ≤ μ - μ* ≤ ε everywhere. The Sugeno integral does not move more than the
        capacity, so 0 ≤ S_μ - S_μ* ≤ ε for all utilities. The focal sets of μ* are those of μ with
        at most k* criteria; μ* need not be normalized.

        Parameters
        ----------
        epsilon : float in [0, 1)
            The error that is allowed.

        Returns
        -------
        k_star : int
            The smallest k that is good enough.
        capacity : Capacity
            The k*-maxitive capacity.

        Examples
        --------
        >>> from sugeno import Capacity
        >>> mu = Capacity({(0,): 0.5, (0, 1): 0.875, (0, 1, 2): 1}, m=3)
        >>> mu.maxitive_approximation(0.25)
        (2, Capacity({(0,): 0.5, (0, 1): 0.875}, m=3, normalized=False))
        """
        if check_level(epsilon, "epsilon") == 1:
            raise ValueError("epsilon must lie in [0, 1). Got 1 instead; use a smaller error.")
        k_star = sufficient_size(self._masks, self._values, self.m, epsilon)
        kept = set_sizes(self._masks) <= k_star
        return k_star, self._of(self._ground, self._masks[kept], self._values[kept])

    def importance(
        self,
        beta: float,
        *,
        index: Literal["shapley", "banzhaf"] = "shapley",
        n_samples: int = 10_000,
        random_state: Any = None,
    ) -> PowerIndex:
        """Return how much each criterion decides whether the level β is reached.

        The share of the cases in which a criterion tips the balance. The cases are all orders of
        the criteria (Shapley-Shubik; the shares add up to 1) or all sets (Banzhaf). Exact if at
        most 20 criteria occur in the boundary sets, otherwise sampled with a standard error.

        Parameters
        ----------
        beta : float in [0, 1]
            The threshold.
        index : {"shapley", "banzhaf"}, default="shapley"
            Which cases are counted.
        n_samples : int, default=10000
            Number of sets drawn where an exact count is too long.
        random_state : int, RandomState instance or None, default=None
            Seed of the draws.

        Returns
        -------
        PowerIndex
            Values and standard errors, one per criterion.

        Examples
        --------
        >>> from sugeno import Capacity
        >>> Capacity.from_rules([(0, 1), (0, 2)], m=3).importance(0.5).values
        array([0.66666667, 0.16666667, 0.16666667])
        """
        boundary = self.boundary_masks(beta)
        return importance_of(boundary, self._ground, beta, index, n_samples, random_state)

    def interaction(
        self,
        beta: float,
        *,
        index: Literal["shapley", "banzhaf"] = "shapley",
        n_samples: int = 10_000,
        random_state: Any = None,
    ) -> PowerIndex:
        """Return, for each pair of criteria, whether they need or replace each other at level β.

        The mean second difference of the level-β Boolean function. It is positive if two criteria
        must come together, negative if one makes up for the other, and zero if they do not
        interact. Parameters as for :meth:`importance`.

        Returns
        -------
        PowerIndex
            Values and standard errors, m x m, symmetric, zero on the diagonal.

        Examples
        --------
        >>> from sugeno import Capacity
        >>> Capacity.from_rules([(0, 1)], m=2).interaction(0.5).values
        array([[0., 1.],
               [1., 0.]])
        """
        boundary = self.boundary_masks(beta)
        return interaction_of(boundary, self._ground, beta, index, n_samples, random_state)

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
        if not isinstance(other, Capacity):
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
