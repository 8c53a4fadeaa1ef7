"""Focal sets: the qualitative Möbius transform of a capacity.

A set is *focal* if its value exceeds the value of every proper subset. The focal sets and their
values determine the capacity, μ(A) = max {value of F : F focal, F ⊆ A}, and are all that is
stored. Here are the computations on packed sets with values. Each works on pairs of sets or, for
many sets of few criteria, on a table over all sets, whichever is cheaper. What is given to build a
capacity is checked here, and reduced to its focal sets.
"""

from __future__ import annotations

import reprlib
from typing import Any, NoReturn

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sugeno._sets.chains import Chains, minimal_sets, spread_up
from sugeno._sets.masks import (
    Masks,
    canonical_order,
    is_subset,
    minimal,
    pack,
    set_sizes,
    unpack,
)
from sugeno._sets.transversals import minimal_transversals
from sugeno.capacity._ground import GroundSet

#: The values of sets: numbers in [0, 1].
Values = NDArray[np.float64]

#: Up to this many criteria a table over all 2**m sets is cheap.
TABLE_CRITERIA = 20
#: Blocks of this many comparisons are done in one go.
_BLOCK = 1 << 20


def table_is_cheaper(n_pairs: int, m: int) -> bool:
    """Tell whether a table over all sets costs less than ``n_pairs`` comparisons of sets.

    Examples
    --------
    >>> from sugeno.capacity._focal import table_is_cheaper
    >>> table_is_cheaper(10**6, 10), table_is_cheaper(10**6, 60)
    (True, False)
    """
    return m <= TABLE_CRITERIA and n_pairs >= m << m


def table_of(masks: Masks, values: Values, m: int) -> Values:
    """Return the capacity of all 2**m sets; the index of a set is its packed word.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno.capacity._focal import table_of
    >>> table_of(np.array([[1]], np.uint64), np.array([0.5]), 2)
    array([0. , 0.5, 0. , 0.5])
    """
    table = np.zeros(1 << m)
    table[masks[:, 0]] = values
    return spread_up(table, Chains.single(m), np.maximum)


def largest_of_subsets(table: Values) -> Values:
    """Return, for each set of a monotone table, the largest value of a proper subset.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno.capacity._focal import largest_of_subsets
    >>> largest_of_subsets(np.array([0.0, 0.5, 0.2, 1.0]))
    array([0. , 0. , 0. , 0.5])
    """
    below = np.zeros_like(table)
    for bit in range(table.size.bit_length() - 1):
        smaller = table.reshape(-1, 2, 1 << bit)[:, 0]
        larger = below.reshape(-1, 2, 1 << bit)[:, 1]
        np.maximum(larger, smaller, out=larger)
    return below


def largest_below(masks: Masks, values: Values, m: int) -> Values:
    """Return, for each set, the largest value given to a proper subset of it (0 if none).

    Parameters
    ----------
    masks : ndarray of uint64 of shape (F, words)
        Distinct sets in canonical order.
    values : ndarray of shape (F,)
        Their values.
    m : int
        Number of criteria.

    Returns
    -------
    ndarray of shape (F,)
        A set is focal if its value is larger than this.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno.capacity._focal import largest_below
    >>> largest_below(np.array([[1], [3]], np.uint64), np.array([0.5, 0.5]), 2)
    array([0. , 0.5])
    """
    if table_is_cheaper(len(masks) ** 2, m):
        return largest_of_subsets(table_of(masks, values, m))[masks[:, 0]]
    below = np.zeros(len(masks))
    step = max(1, _BLOCK // max(1, len(masks)))
    for start in range(0, len(masks), step):
        stop = start + step
        inside = is_subset(masks[:stop], masks[start:stop])
        # Distinct sets: the only set that is no proper subset of itself is the diagonal.
        np.fill_diagonal(inside[start:], False)
        below[start:stop] = np.where(inside, values[:stop, None], 0.0).max(axis=0)
    return below


def values_of(masks: Masks, values: Values, sets: Masks) -> Values:
    """Evaluate the capacity on packed sets by comparing each with the focal sets.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno.capacity._focal import values_of
    >>> focal = np.array([[1], [2]], np.uint64), np.array([0.5, 1.0])
    >>> values_of(*focal, np.array([[0], [1], [3]], np.uint64))
    array([0. , 0.5, 1. ])
    """
    result = np.zeros(len(sets))
    if not len(masks):
        return result
    descending = np.argsort(-values, kind="stable")
    masks, values = masks[descending], values[descending]
    step = max(1, _BLOCK // len(masks))
    for start in range(0, len(sets), step):
        inside = is_subset(masks, sets[start : start + step])
        first = inside.argmax(axis=0)
        hit = inside[first, np.arange(first.size)]
        result[start : start + step] = np.where(hit, values[first], 0.0)
    return result


def boundary_of(masks: Masks, values: Values, m: int, beta: float) -> Masks:
    """Return the minimal sets whose value reaches β.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno.capacity._focal import boundary_of
    >>> boundary_of(np.array([[1], [3]], np.uint64), np.array([0.5, 1.0]), 2, 0.4)
    array([[1]], dtype=uint64)
    """
    if beta <= 0:
        return np.zeros((1, masks.shape[1]), dtype=np.uint64)
    reaching = masks[values >= beta]
    if table_is_cheaper(len(reaching) ** 2, m):
        member = np.zeros(1 << m, dtype=np.bool_)
        member[reaching[:, 0]] = True
        return _minimal_of(member, m)
    return minimal(reaching)


def _minimal_of(member: NDArray[np.bool_], m: int) -> Masks:
    chains = Chains.single(m)
    return minimal_sets(spread_up(member, chains, np.logical_or), chains)


def sufficient_size(masks: Masks, values: Values, m: int, epsilon: float) -> int:
    """Return the smallest k such that sets of at most k criteria are enough up to ε.

    This is k* = min G_{μ,ε} of Theorem 2. The gap μ(B) - max {μ(A) : A ⊆ B, |A| ≤ k} is largest
    at a focal set B: a set has the value of one of its focal subsets, and the maximum can only
    shrink when going to that subset. So k* is the largest, over the focal sets B, of the size of
    the smallest focal A ⊆ B with μ(B) - μ(A) ≤ ε (A = ∅ if μ(B) ≤ ε), and at least 1.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno.capacity._focal import sufficient_size
    >>> focal = np.array([[1], [3]], np.uint64), np.array([0.75, 1.0])
    >>> sufficient_size(*focal, 2, 0.25), sufficient_size(*focal, 2, 0.1)
    (1, 2)
    """
    if table_is_cheaper(len(masks) ** 2, m):
        return _sufficient_size_by_table(masks, values, m, epsilon)
    sizes = set_sizes(masks)
    largest = 1
    step = max(1, _BLOCK // max(1, len(masks)))
    for start in range(0, len(masks), step):
        part = slice(start, start + step)
        close = is_subset(masks, masks[part]) & ~_exceeds(values[part], values[:, None], epsilon)
        # Canonical order: the first close subset is a smallest one.
        needed = sizes[close.argmax(axis=0)]
        largest = max(largest, int(needed[values[part] > epsilon].max(initial=1)))
    return largest


def _sufficient_size_by_table(masks: Masks, values: Values, m: int, epsilon: float) -> int:
    sizes = set_sizes(masks)
    for k in range(1, m):
        small = sizes <= k
        lower = table_of(masks[small], values[small], m)[masks[:, 0]]
        if not _exceeds(values, lower, epsilon).any():
            return k
    return m


def _exceeds(upper: Values, lower: Values, epsilon: float) -> NDArray[np.bool_]:
    """Tell where ``upper - lower > epsilon`` holds for the numbers themselves.

    The rounded difference decides unless it equals ε; then the sign of its rounding error does
    (the error is a floating-point number, because upper ≥ lower ≥ 0 wherever it matters).
    """
    gap = upper - lower
    error = (upper - gap) - lower
    result: NDArray[np.bool_] = (gap > epsilon) | ((gap == epsilon) & (error > 0))
    return result


def conjugate_of(masks: Masks, values: Values) -> tuple[Masks, Values]:
    """Return the focal sets of the conjugate A ↦ μ([m]) - μ(complement of A), without a table.

    The conjugate of A exceeds μ([m]) - t as soon as A meets every focal set whose value exceeds
    t; so its focal sets are minimal transversals of the focal sets above each value.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno.capacity._focal import conjugate_of
    >>> conjugate_of(np.array([[3]], np.uint64), np.array([1.0]))
    (array([[1],
           [2]], dtype=uint64), array([1., 1.]))
    """
    levels = np.append(0.0, np.unique(values))
    found = [
        (minimal_transversals(masks[values > level]), levels[-1] - level) for level in levels[:-1]
    ]
    sets = np.concatenate([masks[:0], *(part for part, _ in found)])
    reached = np.concatenate([values[:0], *(np.full(len(part), v) for part, v in found)])
    # The levels ascend and the values fall: the first occurrence of a set has its value.
    distinct, first = np.unique(sets, axis=0, return_index=True)
    return distinct, reached[first]


def used_criteria(masks: Masks, m: int) -> tuple[NDArray[np.intp], Masks]:
    """Return the criteria that occur in some set, and the sets packed over these alone.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno.capacity._focal import used_criteria
    >>> used_criteria(np.array([[0b1000], [0b1010]], np.uint64), 60)
    (array([1, 3]), array([[2],
           [3]], dtype=uint64))
    """
    bits = unpack(masks, m)
    used = np.flatnonzero(bits.any(axis=0))
    return used, pack(bits[:, used])


def is_additive(masks: Masks, values: Values, m: int) -> bool:
    """Tell whether every set has the sum of the values of its criteria, up to rounding.

    Every set of criteria of positive value is focal then. With more than 20 of them there would
    be more focal sets than anybody stores.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno.capacity._focal import is_additive
    >>> is_additive(np.array([[1], [2], [3]], np.uint64), np.array([0.25, 0.75, 1.0]), 2)
    True
    """
    used, reduced = used_criteria(masks, m)
    if used.size > TABLE_CRITERIA:
        return False
    table = table_of(reduced, values, used.size)
    sums = np.zeros_like(table)
    for bit in range(used.size):
        sums[1 << bit : 2 << bit] = sums[: 1 << bit] + table[1 << bit]
    return bool(np.abs(table - sums).max() <= m * np.finfo(np.float64).eps)


def check_level(value: float, name: str) -> float:
    """Check that a level such as β lies in [0, 1].

    Examples
    --------
    >>> from sugeno.capacity._focal import check_level
    >>> check_level(0.5, "beta")
    0.5
    """
    if isinstance(value, bool) or not isinstance(value, int | float | np.number):
        raise TypeError(f"{name} must be a number in [0, 1]. Got {value!r} instead.")
    if not 0 <= value <= 1:
        raise ValueError(
            f"{name} must lie in [0, 1]. Got {value!r} instead; utilities and capacities end at 1."
        )
    return float(value)


def as_reals(given: ArrayLike, what: str) -> NDArray[Any]:
    """Read an array of real numbers, without a copy where possible; text is an error.

    Examples
    --------
    >>> from sugeno.capacity._focal import as_reals
    >>> as_reals(["0.5"], "U")
    Traceback (most recent call last):
        ...
    TypeError: U must hold numbers in [0, 1]. Got ['0.5'] instead; convert it to numbers first.
    """
    try:
        array = np.asarray(given)
        if array.dtype.kind == "O" and not any(isinstance(x, str | bytes) for x in array.flat):
            # Fractions, decimals and the like have an exact meaning as numbers.
            array = array.astype(np.float64)
    except (TypeError, ValueError):
        array = np.asarray("")
    if array.dtype.kind not in "biuf":
        raise TypeError(
            f"{what} must hold numbers in [0, 1]. Got {reprlib.repr(given)} instead; convert it "
            "to numbers first."
        )
    return array


def as_values(values: ArrayLike) -> Values:
    """Read the values of a capacity as float64.

    Examples
    --------
    >>> from sugeno.capacity._focal import as_values
    >>> as_values([0, True, 0.5])
    array([0. , 1. , 0.5])
    """
    # Adding zero turns -0.0 into 0.0, so that equal values have equal bits.
    return np.asarray(as_reals(values, "The values of a capacity") + 0.0, dtype=np.float64)


def _check_range(ground: GroundSet, masks: Masks, values: Values) -> None:
    """Check that all values lie in [0, 1] and that the empty set has none."""
    outside = ~((values >= 0) & (values <= 1))
    if outside.any():
        at = int(outside.argmax())
        raise ValueError(
            f"The value of a set must lie in [0, 1]. Got μ({ground.describe(masks[at])}) = "
            f"{values[at]} instead; give finite values, scaled so that the full set has 1."
        )
    empty = (set_sizes(masks) == 0) & (values != 0)
    if empty.any():
        raise ValueError(
            f"The value of the empty set must be 0. Got μ({{}}) = {values[empty.argmax()]} "
            "instead; remove this entry."
        )


def _check_distinct(ground: GroundSet, masks: Masks, values: Values) -> NDArray[np.bool_]:
    """Mark the first of each run of equal sets; they must agree on their value."""
    repeats = np.append(False, (masks[1:] == masks[:-1]).all(axis=1))[: len(masks)]
    differs = repeats & np.append(False, values[1:] != values[:-1])[: len(masks)]
    if differs.any():
        at = int(differs.argmax())
        raise ValueError(
            f"A set must be given one value. Got both {values[at - 1]} and {values[at]} for "
            f"{ground.describe(masks[at])} instead; keep one of them."
        )
    return ~repeats


def _raise_not_monotone(
    ground: GroundSet, lower: Masks, low: float, upper: Masks, high: float
) -> NoReturn:
    smaller, larger = ground.describe(lower), ground.describe(upper)
    raise ValueError(
        f"A capacity must be monotone. Got μ({smaller}) = {low} and μ({larger}) = {high} "
        f"instead, although {smaller} is a subset of {larger}; lower the first value or raise "
        "the second."
    )


def _check_normalized(top: float, normalized: bool) -> None:
    if normalized and top != 1:
        raise ValueError(
            f"The full set of criteria must have the value 1. Got {top} instead; give it (or a "
            "subset) the value 1, or allow other values with normalized=False."
        )


def focal_entries(
    ground: GroundSet, masks: Masks, values: Values, normalized: bool
) -> tuple[Masks, Values]:
    """Check given sets and values, and keep the focal ones in canonical order.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno.capacity._focal import focal_entries
    >>> from sugeno.capacity._ground import GroundSet
    >>> given = np.array([[3], [1]], np.uint64), np.array([1.0, 1.0])
    >>> focal_entries(GroundSet.of(2), *given, True)
    (array([[1]], dtype=uint64), array([1.]))
    """
    _check_range(ground, masks, values)
    order = canonical_order(masks)
    masks, values = masks[order], values[order]
    first = _check_distinct(ground, masks, values)
    masks, values = masks[first], values[first]
    below = largest_below(masks, values, ground.m)
    if (below > values).any():
        at = int((below > values).argmax())
        inside = is_subset(masks[:at], masks[at : at + 1])[:, 0]
        worst = int(np.where(inside, values[:at], -1.0).argmax())
        _raise_not_monotone(ground, masks[worst], values[worst], masks[at], values[at])
    _check_normalized(float(values.max(initial=0.0)), normalized)
    kept = values > below
    return masks[kept], values[kept]


def focal_entries_of_table(
    ground: GroundSet, table: Values, normalized: bool
) -> tuple[Masks, Values]:
    """Check a table over all sets, and return its focal sets in canonical order.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno.capacity._focal import focal_entries_of_table
    >>> from sugeno.capacity._ground import GroundSet
    >>> focal_entries_of_table(GroundSet.of(2), np.array([0.0, 1.0, 0.0, 1.0]), True)
    (array([[1]], dtype=uint64), array([1.]))
    """
    every = np.arange(table.size, dtype=np.uint64)[:, None]
    _check_range(ground, every, table)
    for bit in range(ground.m):
        pairs = table.reshape(-1, 2, 1 << bit)
        falls = pairs[:, 0] > pairs[:, 1]
        if falls.any():
            high, low = np.unravel_index(falls.argmax(), falls.shape)
            smaller = (int(high) << (bit + 1)) | int(low)
            larger = smaller | (1 << bit)
            _raise_not_monotone(
                ground, every[smaller], table[smaller], every[larger], table[larger]
            )
    _check_normalized(float(table[-1]), normalized)
    found = every[table > largest_of_subsets(table)]
    found = found[canonical_order(found)]
    return found, table[found[:, 0]]


def check_dense_size(m: int, what: str) -> None:
    """Refuse a table over more sets than fit into memory.

    Examples
    --------
    >>> from sugeno.capacity._focal import check_dense_size
    >>> check_dense_size(60, "The table")
    Traceback (most recent call last):
        ...
    ValueError: The table needs the values of all 2**60 = 1152921504606846976 sets; ...
    """
    if m > TABLE_CRITERIA:
        count = f"2**{m} = {2**m}" if m <= 64 else f"2**{m}"
        raise ValueError(
            f"{what} needs the values of all {count} sets; it works for at most "
            f"{TABLE_CRITERIA} criteria. Got {m} criteria instead; use focal sets."
        )
