"""Values of a criterion on an engine: each that occurs, or of very many a grid of exact steps."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import reduce
from operator import and_
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sugeno._counts.frame.columns import is_missing
from sugeno._counts.frame.queries import EngineRows, Groups
from sugeno._counts.sample import TooManyGroups
from sugeno._exceptions import warn_user
from sugeno._scales.literals import Literals
from sugeno._scales.value_counts import ValueCounts

if TYPE_CHECKING:
    import narwhals as nw

Ints = NDArray[np.int64]

#: Powers of two with larger exponents are too near to the end of the doubles.
_FINEST = 1000


def count_engine_values(
    rows: EngineRows, criterion: int, missing: str, max_values: int
) -> tuple[ValueCounts, int | None]:
    """Count the values of a criterion by class: one query, and a few more for very many values.

    Where more than ``max_values`` occur, they are rounded down to multiples of a power of two,
    whose exponent is returned. It depends on the values alone, and a warning tells it.
    """
    try:
        return _counted(rows, criterion, missing, max_values), None
    except TooManyGroups:
        exponent = _coarse_exponent(rows, criterion, max_values)
    counts = _counted(rows, criterion, missing, max_values, exponent)
    while 2 * counts.values.size <= max_values and exponent < _FINEST:
        # Halving a step at most doubles the number of multiples.
        halvings = int(math.log2(max_values / counts.values.size))
        exponent = min(exponent + halvings, _FINEST)
        counts = _counted(rows, criterion, missing, max_values, exponent)
    warn_user(
        f"Column {rows.names[criterion]!r} has more than max_values={max_values} distinct values. "
        f"It is learned from as rounded down to multiples of 2**{-exponent}, of which "
        f"{counts.values.size} occur; raise max_values for smaller steps.",
    )
    return counts, exponent


def _counted(
    rows: EngineRows, criterion: int, missing: str, most: int, exponent: int | None = None
) -> ValueCounts:
    import narwhals as nw

    name, number = rows.names[criterion], nw.col(f"x{criterion}")
    absent, infinite = is_missing(number), (number.abs() == math.inf).fill_null(False)
    nothing = nw.lit(False) if missing == "error" else _nothing_is_known(rows)
    sums = {"missing": absent, "infinite": infinite, "nothing": nothing}
    # A finite stand-in: engines differ in how they group nulls and NaN, and in infinite integers.
    present = nw.when(absent | infinite).then(nw.lit(0.0)).otherwise(number)
    title = f"values of {name!r}"
    if exponent is not None:
        present = rounded_down(present, exponent)
        title += f" in multiples of 2**{-exponent}"
    groups = rows.group(
        title,
        {"value": present, "absent": absent.cast(nw.Int64)},
        {title: flag.cast(nw.Int64) for title, flag in sums.items()},
        most=(most + 1) * (rows.n_classes + 1),
        remedy=f"Column {name!r} must have at most {most} distinct values.",
    )
    _check_presence(name, groups, missing)
    there = groups["absent"] == 0
    groups = {title: column[there] for title, column in groups.items()}
    counts = counts_by_value(groups["value"], groups, rows.n_classes)
    if counts.values.size > most:
        raise TooManyGroups(f"Column {name!r} has more than {most} distinct values.")
    return counts


def rounded_down(number: nw.Expr, exponent: int) -> nw.Expr:
    """Multiples of a power of two: products and `floor` are exact on every engine."""
    return (number * 2.0**exponent).floor() * 2.0**-exponent


def _coarse_exponent(rows: EngineRows, criterion: int, most: int) -> int:
    """Of a power of two that parts the range into few enough steps, whatever lies in it."""
    least, greatest = rows.range_of(criterion)
    # One multiple more than steps, and one for a range that begins inside a step.
    steps = max(1, most - 2)
    _, exponent = math.frexp((greatest / 2 - least / 2) / steps * 2)
    return min(-exponent, _FINEST)


def counts_by_value(values: NDArray[np.float64], groups: Groups, n_classes: int) -> ValueCounts:
    """Weight of each value by class; -0.0 is 0.0."""
    found, place = np.unique(values + 0.0, return_inverse=True)
    weights = np.zeros((found.size, n_classes), dtype=np.int64)
    np.add.at(weights, (place, groups["code"]), groups["weight"])
    return ValueCounts(found, weights)


def _nothing_is_known(rows: EngineRows) -> nw.Expr:
    """Whether all values of a row are missing."""
    import narwhals as nw

    return reduce(and_, [is_missing(nw.col(f"x{j}")) for j in range(rows.n_criteria)])


def _check_presence(name: str, groups: Groups, policy: str) -> None:
    """Refuse infinite values, and missing ones unless someone has said what they mean."""
    missing, infinite, nothing = (
        int(groups[title].sum()) for title in ("missing", "infinite", "nothing")
    )
    if infinite or (missing and policy == "error"):
        raise ValueError(
            f"Column {name!r} must hold finite numbers. Got {missing} that are null or NaN and "
            f"{infinite} that are infinite instead. Fill them in, leave out their rows, or say "
            "by missing= what a missing value means."
        )
    if (groups["absent"] == 1).all():
        raise ValueError(
            "A column must have a value in at least one row. "
            f"Got none in {name!r} instead; drop it."
        )
    if nothing:
        raise ValueError(
            "A row to learn from must have at least one value. "
            f"Got {nothing} rows without any instead; leave them out."
        )


def reaching_by_values(
    counts: ValueCounts, totals: Ints, direction: int, level: float, *, best: bool
) -> Ints:
    """Return the weight of each class that reaches a level of a criterion, by its values alone.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._counts.frame.values import reaching_by_values
    >>> from sugeno._scales.value_counts import ValueCounts
    >>> counts = ValueCounts(np.array([1.0, 2.0]), np.array([[3, 0], [0, 4]]))
    >>> reaching_by_values(counts, np.array([5, 4]), 1, 2.0, best=True)
    array([2, 4])
    """
    reached = direction * counts.values >= direction * level
    known: Ints = counts.weights[reached].sum(axis=0)
    return known + (totals - counts.weights.sum(axis=0)) if best else known


def check_values(
    rows: EngineRows,
    counted: Mapping[int, ValueCounts],
    literals: Literals,
    satisfied: NDArray[np.bool_],
    groups: Groups,
    *,
    best: bool,
) -> None:
    """Notice values that changed since they were counted, where their classes did not.

    At each level as many rows of each class must reach it as by the counts of the values.
    """
    directions = literals.directions.tolist()
    pairs = zip(literals.columns.tolist(), literals.levels.tolist(), satisfied.T)
    for j, level, reached in pairs:
        if j not in counted:
            continue
        found = np.zeros(rows.n_classes, dtype=np.int64)
        np.add.at(found, groups["code"][reached], groups["weight"][reached])
        wanted = reaching_by_values(counted[j], rows.totals, directions[j], level, best=best)
        if (found != wanted).any():
            raise ValueError(
                "The frame must give the same rows each time that it is asked. Got the weights "
                f"{(wanted * rows.unit).tolist()} by class that reach {rows.names[j]} "
                f"{'>=' if directions[j] > 0 else '<='} {level:g} first, and then "
                f"{(found * rows.unit).tolist()}; take a snapshot of it."
            )


def check_rows(rows: EngineRows, counted: Mapping[int, ValueCounts], groups: Groups) -> None:
    """Notice distinct rows whose values are not those that were counted."""
    X = rows.values_of(groups)
    for j, counts in counted.items():
        there = ~np.isnan(X[:, j])
        known = {name: groups[name][there] for name in ("code", "weight")}
        found = counts_by_value(X[there, j], known, rows.n_classes)
        same = np.array_equal(found.values, counts.values)
        if not same or not np.array_equal(found.weights, counts.weights):
            raise ValueError(
                "The frame must give the same rows each time that it is asked. Got other values "
                f"of {rows.names[j]!r} than were counted; take a snapshot of it."
            )
