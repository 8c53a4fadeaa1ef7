"""Rules and points as a person gives them: checked and packed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sugeno._scales.criterion import criteria_of
from sugeno._scales.directions import given_directions
from sugeno._scales.literals import Literals
from sugeno._sets.masks import Masks, pack

__all__ = ["given_literals", "given_needed", "given_points", "given_sets"]


def given_literals(
    levels: ArrayLike,
    names: Sequence[str] | None,
    directions: ArrayLike | None,
    literal_criteria: ArrayLike | None,
) -> Literals:
    """Check what describes the literals, and put it together.

    Examples
    --------
    >>> from sugeno.model.given_rules import given_literals
    >>> given_literals([3, 5], ["speed"], None, [0, 0]).texts
    ('speed >= 3', 'speed >= 5')
    """
    bounds = np.array(levels, dtype=np.float64)
    if bounds.ndim != 1 or np.isnan(bounds).any():
        raise ValueError(
            f"levels must be a list of numbers, one per literal, none of them NaN. Got {levels!r} "
            "instead."
        )
    m = bounds.size if names is None else len(names)
    repeated = [name for name, times in Counter(names or ()).items() if times > 1]
    if repeated:
        raise ValueError(f"criteria must have names of their own. Got {repeated} more than once.")
    columns = np.arange(bounds.size)
    if literal_criteria is not None:
        columns = _columns(literal_criteria, bounds.size, m)
    elif m != bounds.size:
        raise ValueError(
            f"levels must hold one level for each of the {m} criteria. Got {bounds.size} "
            "instead; name the criterion of each literal in literal_criteria."
        )
    signs = given_directions(directions, m, names)
    if not signs.all():
        raise ValueError(f"directions must be +1 or -1. Got {directions!r} instead.")
    same = columns[1:] == columns[:-1]
    harder = np.diff(bounds) * signs[columns[1:]] > 0
    if (same & ~harder).any():
        raise ValueError(
            "levels of one criterion must get harder to reach. "
            f"Got {bounds.tolist()} for the criteria {columns.tolist()} instead; sort them."
        )
    return Literals.of_levels(criteria_of(names, signs), columns, bounds)


def _columns(literal_criteria: ArrayLike, n_literals: int, m: int) -> NDArray[np.intp]:
    columns = np.array(literal_criteria)
    valid = columns.shape == (n_literals,) and columns.dtype.kind in "iu"
    inside = valid and bool(((columns >= 0) & (columns < m)).all())
    if not inside or (np.diff(columns) < 0).any():
        raise ValueError(
            f"literal_criteria must hold the index of a criterion, 0 to {m - 1}, for each of the "
            f"{n_literals} literals, in ascending order. Got {literal_criteria!r} instead."
        )
    return columns.astype(np.intp)


def given_sets(sets: Iterable[Iterable[int]], n_literals: int) -> Masks:
    """Pack sets of literal indices.

    Examples
    --------
    >>> from sugeno.model.given_rules import given_sets
    >>> given_sets([{0, 2}], 3)
    array([[5]], dtype=uint64)
    """
    members = [list(rule) for rule in sets]
    bits = np.zeros((len(members), n_literals), dtype=np.bool_)
    for row, rule in zip(bits, members):
        outside = [j for j in rule if not 0 <= j < n_literals]
        if outside:
            raise ValueError(
                f"A rule must consist of literals 0 to {n_literals - 1}. Got {outside} instead."
            )
        row[rule] = True
    return pack(bits)


def given_points(points: ArrayLike, n_literals: int) -> NDArray[np.intp]:
    """Check the points of literals.

    Examples
    --------
    >>> from sugeno.model.given_rules import given_points
    >>> given_points([2, 1], 2)
    array([2, 1])
    """
    given = np.asarray(points)
    whole = given.shape == (n_literals,) and (given.dtype.kind in "iu" or not given.size)
    if not whole or (given < 1).any():
        raise ValueError(
            f"points must hold a whole number of at least 1 for each of the {n_literals} literals. "
            f"Got {given.tolist()} instead."
        )
    return given.astype(np.intp)


def given_needed(needed: int) -> int:
    """Check how many points are needed.

    Examples
    --------
    >>> from sugeno.model.given_rules import given_needed
    >>> given_needed(3)
    3
    """
    if int(needed) != needed or needed < 0:
        raise ValueError(
            f"needed must be a whole number of points, 0 or more. Got {needed!r} instead."
        )
    return int(needed)
