"""Missing values: what they mean, and where they mean nothing, a refusal with their columns.

A *policy* says what a missing value is: an error; worse than every level ("pessimistic"); better
than every level ("optimistic"); or either ("interval"), so that a row has a lower and an upper
end, and the lower one decides.

A missing number can also have a place on its scale, found from the training rows as a direction is.
Rows without the value have a rate of the positive class, rows with it a rate that rises with the
value. Missing stands where the rising curve has that rate: it is one more level of the criterion,
so that the model stays monotone. It stands a hair beside an observed value, on its worse side, and
never on it: so a cell without a value is never mistaken for one with it.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.isotonic import isotonic_regression

from sugeno._scales.categories import SMOOTHING, class_scores
from sugeno._scales.number import separating_number
from sugeno._scales.value_counts import ValueCounts

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

#: What a missing value may mean; "error" means nothing.
MISSING_POLICIES = ("error", "pessimistic", "optimistic", "interval")

#: So many columns or rows are named in a message.
_NAMED = 5


def has_missing(X: NDArray[Any]) -> bool:
    """Whether any entry is NaN; one pass, without a copy, where none is.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._scales.missing import has_missing
    >>> has_missing(np.array([[1.0, np.nan]])), has_missing(np.array([[1, 2]]))
    (True, False)
    """
    if X.dtype.kind != "f":
        return False
    with np.errstate(over="ignore", invalid="ignore"):
        return bool(np.isnan(X.sum()) and np.isnan(X).any())


def filled(X: NDArray[Any], directions: NDArray[np.int64], *, best: bool) -> NDArray[Any]:
    """Replace missing values by the best, or by the worst, that there could be: an infinite one.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._scales.missing import filled
    >>> filled(np.array([[np.nan, np.nan]]), np.array([1, -1]), best=True)
    array([[ inf, -inf]])
    """
    if not has_missing(X):
        return X
    return np.where(np.isnan(X), (directions if best else -directions) * np.inf, X)


def reaches_all_levels(policy: str) -> tuple[bool, bool]:
    """Tell whether a missing value reaches every level, at the lower and at the upper end of a row.

    Otherwise it reaches none.

    Examples
    --------
    >>> from sugeno._scales.missing import reaches_all_levels
    >>> reaches_all_levels("interval")
    (False, True)
    """
    return policy == "optimistic", policy in ("optimistic", "interval")


def as_read(X: NDArray[Any], directions: NDArray[np.int64], policy: str) -> NDArray[Any]:
    """Return the rows that decide: missing values are infinite, as the policy says.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._scales.missing import as_read
    >>> as_read(np.array([[np.nan, 2.0]]), np.array([1, 1]), "pessimistic")
    array([[-inf,   2.]])
    """
    return X if policy == "error" else filled(X, directions, best=reaches_all_levels(policy)[0])


def ends(
    X: NDArray[Any], directions: NDArray[np.int64], policy: str
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the lower and the upper end of each row; one array where no value is open.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._scales.missing import ends
    >>> ends(np.array([[np.nan, 2.0]]), np.array([1, 1]), "interval")
    (array([[-inf,   2.]]), array([[inf,  2.]]))
    """
    lower = as_read(X, directions, policy)
    if lower is X or policy != "interval":
        return lower, lower
    return lower, filled(X, directions, best=True)


def check_none_missing(X: NDArray[Any], names: Sequence[Any] | None, remedy: str = "") -> None:
    """Refuse missing values, with the columns that have them and how many.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._scales.missing import check_none_missing
    >>> check_none_missing(np.array([[1.0, 2.0]]), None)
    """
    if not has_missing(X):
        return
    missing = np.isnan(X)
    counts = missing.sum(axis=0)
    columns = [f"{_name(names, j)!r} ({counts[j]})" for j in np.flatnonzero(counts).tolist()]
    raise ValueError(
        f"Input X contains NaN: {int(counts.sum())} missing values, in "
        f"{int(missing.any(axis=1).sum())} of {len(X)} rows, in the columns {_listed(columns)}. "
        + (remedy or "Fill them in, or leave out the rows.")
    )


def check_not_all_missing(X: NDArray[Any], names: Sequence[Any] | None) -> None:
    """Refuse to learn from a column, or a row, in which every value is missing.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._scales.missing import check_not_all_missing
    >>> check_not_all_missing(np.array([[1.0, np.nan], [np.nan, 2.0]]), None)
    """
    missing = np.isnan(X)
    columns = [repr(_name(names, j)) for j in np.flatnonzero(missing.all(axis=0)).tolist()]
    if columns:
        raise ValueError(
            "A column must have a value in at least one row of positive weight, in every fold too. "
            f"Got none in {_listed(columns)} instead; drop it."
        )
    rows = [str(i) for i in np.flatnonzero(missing.all(axis=1))]
    if rows:
        raise ValueError(
            f"A row to learn from must have at least one value. Got none in row {_listed(rows)} "
            "instead; leave it out."
        )


def _name(names: Sequence[Any] | None, j: int) -> str:
    return f"x{j}" if names is None else str(names[j])


def _listed(texts: Sequence[str]) -> str:
    more = len(texts) - _NAMED
    return ", ".join(texts[:_NAMED]) + (f" and {more} more" if more > 0 else "")


def place_of_missing(
    counts: ValueCounts, missing: Ints, direction: int, *, unit: float = 1.0
) -> float:
    """Find the value, in original units, that a missing one is as good as.

    The rate of the rows is an isotonic regression of the class on the value; that of the missing
    rows is (s + 10 r) / (n + 10), where s is the sum of the class scores of n rows and r the mean
    of all. Below the curve missing is worse than every observed value, above it better. On a block
    of the curve it stands just short of the middle one of its values, and between two blocks just
    short of the better one.

    Parameters
    ----------
    counts : ValueCounts
        Weight of each known value by class.
    missing : ndarray of int64 of shape (C,)
        Weight of the rows without a value by class.
    direction : int
        +1 where higher values are better, -1 where lower ones are.
    unit : float, default=1.0
        What one unit of weight is worth in rows.

    Returns
    -------
    float
        The next number on the worse side of an observed value, or beyond all of them.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._scales.missing import place_of_missing
    >>> from sugeno._scales.value_counts import ValueCounts
    >>> income = ValueCounts(np.array([1.0, 2.0, 4.0]), np.array([[90, 10], [50, 50], [10, 90]]))
    >>> place_of_missing(income, np.array([70, 30]), 1)
    1.9999999999999998
    >>> place_of_missing(income, np.array([100, 0]), 1)
    0.9999999999999999
    """
    if not counts.values.size:
        return 0.0  # nothing that it could be compared with
    totals = counts.weights.sum(axis=0) + missing
    scores = class_scores(totals)
    mean = float(totals @ scores / totals.sum())
    rate = (float(missing @ scores) * unit + SMOOTHING * mean) / (
        float(missing.sum()) * unit + SMOOTHING
    )
    values = counts.values if direction > 0 else -counts.values[::-1]
    weights = counts.weights if direction > 0 else counts.weights[::-1]
    return direction * _on_curve(values, weights, scores, rate) + 0.0


def given_place(counts: ValueCounts, direction: int, meaning: str | float) -> float:
    """Place of a missing value that the user has named: "worst", "best" or just beyond a value.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._scales.missing import given_place
    >>> from sugeno._scales.value_counts import ValueCounts
    >>> months = ValueCounts(np.array([3.0, 8.0]), np.array([[1], [1]]))
    >>> given_place(months, -1, "worst"), given_place(months, 1, 5)
    (8.000000000000002, 5.000000000000001)
    """
    if not isinstance(meaning, str):
        return math.nextafter(meaning, direction * math.inf)
    if not counts.values.size:
        return 0.0
    if meaning not in ("worst", "best"):
        raise ValueError(
            "A missing value must be 'worst', 'best' or the number that it is as good as. Got "
            f"{meaning!r} instead."
        )
    up = (direction > 0) == (meaning == "best")
    end = counts.values[-1 if up else 0]
    return math.nextafter(end, math.inf if up else -math.inf)


def _on_curve(values: Floats, weights: Ints, scores: Floats, rate: float) -> float:
    """Where a rising curve through oriented values has a rate."""
    total = weights.sum(axis=1)
    curve = isotonic_regression(weights @ scores / total, sample_weight=total.astype(np.float64))
    # Blocks have one rate, up to rounding.
    curve = np.round(curve, 12)
    first, last = (int(np.searchsorted(curve, round(rate, 12), side)) for side in ("left", "right"))
    if first == values.size:
        return math.nextafter(values[-1], math.inf)
    beside = (first + last - 1) // 2 if first < last else first
    better, worse = float(values[beside]), float(values[beside - 1]) if beside else -math.inf
    if beside:  # the number that people would choose between the two, as a level beside it
        better = float(separating_number(worse, better, worse / 2 + better / 2))
    return math.nextafter(better, -math.inf)


def own_place(place: float, taken: Collection[float], direction: int, values: Floats) -> float:
    """Return a place that nothing else has, next to the one that was found.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._scales.missing import own_place
    >>> own_place(3.0, (), 1, np.array([1.0, 2.0])), own_place(3.0, (3.0,), 1, np.array([4.0]))
    (3.0, 2.9999999999999996)
    """
    best = direction * place > (direction * values).max(initial=-math.inf)
    away = direction * math.inf if best else -direction * math.inf
    while place in taken or place in values:
        place = math.nextafter(place, away)
    return place
