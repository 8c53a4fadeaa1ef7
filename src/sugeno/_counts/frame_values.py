"""Values of a criterion on an engine: each that occurs, or of very many a grid of exact steps."""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping
from functools import reduce
from operator import and_
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from sugeno._counts.frame_columns import is_missing
from sugeno._counts.sample import TooManyGroups
from sugeno._scales.literals import Literals
from sugeno._scales.value_counts import ValueCounts

if TYPE_CHECKING:
    import narwhals as nw

    from sugeno._counts.frame import Frame

__all__ = [
    "check_rows",
    "check_values",
    "count_frame_values",
    "counts_by_value",
    "reaching_by_values",
    "rounded_down",
]

Ints = NDArray[np.int64]

#: Powers of two with larger exponents are too near to the end of the doubles.
_FINEST = 1000


def count_frame_values(frame: Frame, criterion: int) -> ValueCounts:
    """Count the values of a criterion by class: one pass, and a few more for very many values.

    Where more than ``max_values`` occur, the frame rounds the values down to multiples of a power
    of two from then on. Its step depends on the values alone, and a warning tells it.
    """
    try:
        return _counted(frame, criterion, None)
    except TooManyGroups:
        exponent = _coarse_exponent(frame, criterion)
    counts = _counted(frame, criterion, exponent)
    while 2 * counts.values.size <= frame.max_values and exponent < _FINEST:
        # Halving a step at most doubles the number of multiples.
        halvings = int(math.log2(frame.max_values / counts.values.size))
        exponent = min(exponent + halvings, _FINEST)
        counts = _counted(frame, criterion, exponent)
    name = frame.names[criterion]
    warnings.warn(
        f"Column {name!r} has more than max_values={frame.max_values} distinct values. It is "
        f"learned from as rounded down to multiples of 2**{-exponent}, of which "
        f"{counts.values.size} occur; raise max_values for smaller steps.",
        stacklevel=2,
    )
    frame.round_down(criterion, exponent)
    return counts


def _counted(frame: Frame, criterion: int, exponent: int | None) -> ValueCounts:
    import narwhals as nw

    name, number = frame.names[criterion], nw.col(f"x{criterion}")
    absent, infinite = is_missing(number), (number.abs() == math.inf).fill_null(False)
    sums = {"missing": absent, "infinite": infinite, "hopeless": _nothing_is_known(frame)}
    # A finite stand-in: engines differ in how they group nulls and NaN, and in infinite integers.
    present = nw.when(absent | infinite).then(nw.lit(0.0)).otherwise(number)
    title = f"values of {name!r}"
    if exponent is not None:
        present = rounded_down(present, exponent)
        title += f" in multiples of 2**{-exponent}"
    groups = frame.group(
        title,
        {"value": present, "absent": absent.cast(nw.Int64)},
        {title: flag.cast(nw.Int64) for title, flag in sums.items()},
        most=(frame.max_values + 1) * (frame.totals.size + 1),
        remedy=f"Column {name!r} must have at most {frame.max_values} distinct values.",
    )
    _check_presence(frame, name, groups)
    there = groups["absent"] == 0
    groups = {title: column[there] for title, column in groups.items()}
    counts = counts_by_value(groups["value"], groups, frame.totals.size)
    if counts.values.size > frame.max_values:
        raise TooManyGroups(f"Column {name!r} has more than {frame.max_values} distinct values.")
    return counts


def rounded_down(number: nw.Expr, exponent: int) -> nw.Expr:
    """Multiples of a power of two: products and `floor` are exact on every engine."""
    return (number * 2.0**exponent).floor() * 2.0**-exponent


def _coarse_exponent(frame: Frame, criterion: int) -> int:
    """Of a power of two that parts the range into few enough steps, whatever lies in it."""
    least, greatest = frame.range_of(criterion)
    # One multiple more than steps, and one for a range that begins inside a step.
    steps = max(1, frame.max_values - 2)
    _, exponent = math.frexp((greatest / 2 - least / 2) / steps * 2)
    return min(-exponent, _FINEST)


def counts_by_value(
    values: NDArray[np.float64], groups: Mapping[str, NDArray[Any]], n_classes: int
) -> ValueCounts:
    """Weight of each value by class; -0.0 is 0.0."""
    found, place = np.unique(values + 0.0, return_inverse=True)
    weights = np.zeros((found.size, n_classes), dtype=np.int64)
    np.add.at(weights, (place, groups["code"]), groups["weight"])
    return ValueCounts(found, weights)


def _nothing_is_known(frame: Frame) -> nw.Expr:
    """Whether all values of a row are missing."""
    import narwhals as nw

    if frame.missing == "error":
        return nw.lit(False)
    return reduce(and_, [is_missing(nw.col(f"x{j}")) for j in range(frame.n_criteria)])


def _check_presence(frame: Frame, name: str, groups: Mapping[str, NDArray[Any]]) -> None:
    """Refuse infinite values, and missing ones unless someone has said what they mean."""
    absent = groups["absent"] == 1
    missing, infinite = int(groups["missing"].sum()), int(groups["infinite"].sum())
    hopeless = int(groups["hopeless"].sum())
    if infinite or (missing and frame.missing == "error"):
        raise ValueError(
            f"Column {name!r} must hold finite numbers. Got {missing} that are null or NaN and "
            f"{infinite} that are infinite instead; fill them in, leave out their rows, or say "
            "by missing= what a missing value means."
        )
    if absent.all():
        raise ValueError(
            "A column must have a value in at least one row. "
            f"Got none in {name!r} instead; drop it."
        )
    if hopeless:
        raise ValueError(
            "A row to learn from must have at least one value. "
            f"Got {hopeless} rows without any instead; leave them out."
        )


def reaching_by_values(
    counts: ValueCounts, totals: Ints, direction: int, level: float, *, best: bool
) -> Ints:
    """Return the weight of each class that reaches a level of a criterion, by its values alone.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._counts.frame_values import reaching_by_values
    >>> from sugeno._scales.value_counts import ValueCounts
    >>> counts = ValueCounts(np.array([1.0, 2.0]), np.array([[3, 0], [0, 4]]))
    >>> reaching_by_values(counts, np.array([5, 4]), 1, 2.0, best=True)
    array([2, 4])
    """
    reached = direction * counts.values >= direction * level
    known: Ints = counts.weights[reached].sum(axis=0)
    return known + (totals - counts.weights.sum(axis=0)) if best else known


def check_values(
    frame: Frame,
    literals: Literals,
    satisfied: NDArray[np.bool_],
    groups: Mapping[str, NDArray[Any]],
    *,
    best: bool,
) -> None:
    """Notice values that changed since they were counted, where their classes did not.

    At each level as many rows of each class must reach it as by the counts of the values.
    """
    directions = literals.directions.tolist()
    pairs = zip(literals.columns.tolist(), literals.levels.tolist(), satisfied.T)
    for j, level, reached in pairs:
        counts = frame.counted.get(j)
        if counts is None:
            continue
        found = np.zeros(frame.totals.size, dtype=np.int64)
        np.add.at(found, groups["code"][reached], groups["weight"][reached])
        wanted = reaching_by_values(counts, frame.totals, directions[j], level, best=best)
        if (found != wanted).any():
            raise ValueError(
                "The frame must give the same rows each time that it is asked. Got the weights "
                f"{(wanted * frame.unit).tolist()} by class that reach {frame.names[j]} "
                f"{'>=' if directions[j] > 0 else '<='} {level:g} first, and then "
                f"{(found * frame.unit).tolist()}; take a snapshot of it."
            )


def check_rows(frame: Frame, X: NDArray[np.float64], groups: Mapping[str, NDArray[Any]]) -> None:
    """Notice distinct rows whose values are not those that were counted."""
    for j, counts in frame.counted.items():
        there = ~np.isnan(X[:, j])
        known = {name: groups[name][there] for name in ("code", "weight")}
        found = counts_by_value(X[there, j], known, frame.totals.size)
        same = np.array_equal(found.values, counts.values)
        if not same or not np.array_equal(found.weights, counts.weights):
            raise ValueError(
                "The frame must give the same rows each time that it is asked. Got other values "
                f"of {frame.names[j]!r} than were counted; take a snapshot of it."
            )
