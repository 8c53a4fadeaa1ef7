"""The Sugeno integral, in the three forms of the paper.

All forms only compare, never calculate: each result is one of the utilities or one of the values
of the capacity, and the forms agree to the last bit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sugeno._sets.masks import set_sizes, unpack
from sugeno.capacity._capacity import Capacity
from sugeno.capacity._focal import as_reals

Floats = NDArray[np.float64]
#: Turns a block of rows into their integrals.
Evaluate = Callable[[Floats], Floats]
#: Turns sorting permutations (rows, m) into the values of the nested sets (m, rows).
Nested = Callable[[NDArray[np.intp]], Floats]
#: Takes the smallest entry of each focal set: columns (m, rows) to (F, rows).
Smallest = Callable[[NDArray[Any]], NDArray[Any]]

#: Numbers per block: small enough to stay in the processor's cache, large enough to keep the
#: cost of a call negligible.
_BLOCK = 1 << 16


def sugeno_integral(
    U: ArrayLike,
    capacity: Capacity,
    form: Literal["sorted", "dnf", "median"] = "sorted",
) -> float | Floats:
    r"""Aggregate utilities with the Sugeno integral.

    The integral is the largest t such that the criteria that reach t are together worth t. So S(u)
    ≥ t if and only if μ({j : u_j ≥ t}) ≥ t. The rows are worked off in blocks, so the memory does
    not grow with the table.

    Parameters
    ----------
    U : array-like of shape (m,) or (n, m)
        Utilities in [0, 1], one column per criterion.
    capacity : Capacity
        The capacity μ on the m criteria.
    form : {"sorted", "dnf", "median"}, default="sorted"
        The formula to evaluate; the result is the same.

        - "sorted": equation (1), max over j of min(u_σ(j), μ({σ(j), …, σ(m)})) with u_σ(1) ≤ …
          ≤ u_σ(m). One sort per row, and m values of the capacity: the fastest.
        - "dnf": equation (2), max over sets A of min(μ(A), min of u over A); the focal sets are
          enough.
        - "median": the median of the utilities and the values of the m - 1 smaller nested sets;
          without normalization at most μ([m]).

    Returns
    -------
    float or ndarray of shape (n,)
        The integral of the vector, or of each row.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno import Capacity
    >>> from sugeno import sugeno_integral
    >>> mu = Capacity({(0,): 0.3, (1, 2): 0.6, (0, 1, 2): 1}, m=3)
    >>> sugeno_integral([0.2, 0.9, 0.7], mu)
    0.6
    >>> sugeno_integral(np.array([[0.2, 0.9, 0.7], [0.8, 0.1, 0.2]]), mu, form="median")
    array([0.6, 0.3])
    """
    if not isinstance(capacity, Capacity):
        raise TypeError(f"capacity must be a Capacity. Got {capacity!r} instead; build one first.")
    utilities = _check_utilities(U, capacity)
    rows = np.atleast_2d(utilities)
    evaluate, width = _evaluation(form, capacity, len(rows))
    result = np.empty(len(rows))
    for part in _blocks(len(rows), width):
        # A copy in float64; adding zero turns -0.0 into 0.0, so that all forms return the latter.
        result[part] = evaluate(rows[part].astype(np.float64) + 0.0)
    return float(result[0]) if utilities.ndim == 1 else result


def _blocks(n: int, width: int) -> Iterator[slice]:
    """Cut n rows that need ``width`` numbers each into blocks."""
    step = max(1, _BLOCK // width)
    return (slice(start, start + step) for start in range(0, n, step))


def _evaluation(form: str, capacity: Capacity, n: int) -> tuple[Evaluate, int]:
    """Choose how to evaluate a block, and say how many numbers it holds per row."""
    width = max(capacity.m, len(capacity.focal_masks))
    if form == "dnf":
        return _dnf_form(capacity), width
    if form not in ("sorted", "median"):
        raise ValueError(
            f"The 'form' parameter of sugeno_integral must be one of 'sorted', 'dnf', 'median'. "
            f"Got {form!r} instead."
        )
    # Preparing the focal sets costs about as much as one more row.
    table = capacity.table_for((n + 1) * capacity.m)
    nested = _nested_by_focal_sets(capacity) if table is None else _nested_by_table(table)
    evaluate = _sorted_form(nested) if form == "sorted" else _median_form(nested, capacity.top)
    return evaluate, width if table is None else capacity.m


def _sorted_form(nested: Nested) -> Evaluate:
    """Equation (1)."""

    def evaluate(block: Floats) -> Floats:
        order = np.argsort(block, axis=1)
        # Same as take_along_axis, in half the time.
        starts = np.arange(0, block.size, block.shape[1])[:, None]
        ascending = block.ravel().take(order + starts)
        worth = nested(order)
        np.minimum(worth, ascending.T, out=worth)
        result: Floats = worth.max(axis=0)
        return result

    return evaluate


def _median_form(nested: Nested, top: float) -> Evaluate:
    """Median of the utilities and of all but the first of the nested values."""

    def evaluate(block: Floats) -> Floats:
        m = block.shape[1]
        worth = nested(np.argsort(block, axis=1))[1:].T
        middle = np.partition(np.hstack([block, worth]), m - 1, axis=1)[:, m - 1]
        # The formula takes μ([m]) = 1 for granted: its first nested value is left out.
        result: Floats = np.minimum(middle, top)
        return result

    return evaluate


def _dnf_form(capacity: Capacity) -> Evaluate:
    """Equation (2), over the focal sets."""
    smallest = _smallest_of_focal_sets(capacity)
    values = capacity.focal_values[:, None]

    def evaluate(block: Floats) -> Floats:
        terms = smallest(np.ascontiguousarray(block.T))
        np.minimum(terms, values, out=terms)
        result: Floats = terms.max(axis=0, initial=0.0)
        return result

    return evaluate


def _nested_by_table(table: Floats) -> Nested:
    """Look the nested sets up in the table of all values."""

    def nested(order: NDArray[np.intp]) -> Floats:
        sets = np.left_shift(1, order.T, order="C")
        # Row by row: np.bitwise_or.accumulate does the same several times slower.
        for j in range(len(sets) - 1, 0, -1):
            sets[j - 1] |= sets[j]
        return table.take(sets)

    return nested


def _nested_by_focal_sets(capacity: Capacity) -> Nested:
    """Place each focal set at the last nested set that contains it.

    A focal set lies in {σ(j), …, σ(m)} as long as j is at most the smallest rank of its members.
    """
    smallest = _smallest_of_focal_sets(capacity)
    ascending = np.argsort(capacity.focal_values, kind="stable")
    values = capacity.focal_values[ascending, None]

    def nested(order: NDArray[np.intp]) -> Floats:
        n, m = order.shape
        ranks = np.empty((n, m), dtype=np.intp)
        np.put_along_axis(ranks, order, np.arange(m)[None, :], axis=1)
        last = smallest(np.ascontiguousarray(ranks.T))[ascending]
        worth = np.zeros((m, n))
        # Where several focal sets end at the same place, the last assignment, the largest, stays.
        worth[last, np.arange(n)] = values
        np.maximum.accumulate(worth[::-1], axis=0, out=worth[::-1])
        return worth

    return nested


def _smallest_of_focal_sets(capacity: Capacity) -> Smallest:
    """Prepare the minimum over the members of each focal set, size by size."""
    members = unpack(capacity.focal_masks, capacity.m)
    sizes = set_sizes(capacity.focal_masks)
    groups = [
        (np.flatnonzero(sizes == size), np.nonzero(members[sizes == size])[1].reshape(-1, size).T)
        for size in np.unique(sizes)
    ]

    def smallest(columns: NDArray[Any]) -> NDArray[Any]:
        result = np.empty((sizes.size, columns.shape[1]), dtype=columns.dtype)
        for sets, (first, *others) in groups:
            part = columns[first]
            for member in others:
                np.minimum(part, columns[member], out=part)
            result[sets] = part
        return result

    return smallest


def _check_utilities(U: ArrayLike, capacity: Capacity) -> NDArray[Any]:
    """Check type, shape, names and range of the utilities; change nothing."""
    _check_column_names(U, capacity)
    utilities = as_reals(U, "U")
    if utilities.ndim not in (1, 2) or utilities.shape[-1] != capacity.m:
        raise ValueError(
            f"U must be a vector of {capacity.m} utilities or a matrix with {capacity.m} columns, "
            f"one per criterion of the capacity. Got the shape {utilities.shape} instead."
        )
    if len(utilities) == 0:
        raise ValueError("U must have at least one row. Got an empty table instead.")
    # NaN makes the comparison false as well.
    if not (utilities.min() >= 0 and utilities.max() <= 1):
        outside = ~((utilities >= 0) & (utilities <= 1))
        at = np.unravel_index(int(outside.argmax()), outside.shape)
        place = f"criterion {_label(capacity, int(at[-1]))}" + (
            f" of row {at[0]}" if utilities.ndim == 2 else ""
        )
        raise ValueError(
            f"U must hold utilities in [0, 1]. Got {utilities[at]} at {place} instead; turn raw "
            "values into utilities with QuantileUtility, and fill in what is missing."
        )
    return utilities


def _check_column_names(U: object, capacity: Capacity) -> None:
    """Refuse a data frame whose columns are not the criteria in their order."""
    columns = getattr(U, "columns", None)
    if columns is None or capacity.criteria is None:
        return
    names = [str(name) for name in columns]
    if names != list(capacity.criteria):
        raise ValueError(
            f"The columns of U must be the criteria {list(capacity.criteria)} in this order. "
            f"Got {names} instead; select them with U[list(capacity.criteria)]."
        )


def _label(capacity: Capacity, j: int) -> str:
    return str(j) if capacity.criteria is None else repr(capacity.criteria[j])
