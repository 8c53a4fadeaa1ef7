"""What is given to build a capacity: the checks, and the reduction to its focal sets."""

from __future__ import annotations

import reprlib
from typing import Any, NoReturn

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sugeno._sets.masks import Masks, canonical_order, is_subset, set_sizes
from sugeno.capacity._focal import TABLE_CRITERIA, Values, largest_below, largest_of_subsets
from sugeno.capacity._ground import GroundSet

__all__ = [
    "as_reals",
    "as_values",
    "check_dense_size",
    "check_level",
    "focal_entries",
    "focal_entries_of_table",
]


def check_level(value: float, name: str) -> float:
    """Check that a level such as β lies in [0, 1].

    Examples
    --------
    >>> from sugeno.capacity._entries import check_level
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
    >>> from sugeno.capacity._entries import as_reals
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
    >>> from sugeno.capacity._entries import as_values
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
    >>> from sugeno.capacity._entries import focal_entries
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
    >>> from sugeno.capacity._entries import focal_entries_of_table
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
    >>> from sugeno.capacity._entries import check_dense_size
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
