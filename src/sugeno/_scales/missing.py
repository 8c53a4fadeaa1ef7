"""Missing values: what they mean, and where they mean nothing, a refusal with their columns.

A *policy* says what a missing value is: an error; worse than every level ("pessimistic"); better
than every level ("optimistic"); or either ("interval"), so that a row has a lower and an upper
end, and the lower one decides.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "MISSING_POLICIES",
    "as_read",
    "check_none_missing",
    "check_not_all_missing",
    "ends",
    "filled",
    "has_missing",
    "reaches_all_levels",
]

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
