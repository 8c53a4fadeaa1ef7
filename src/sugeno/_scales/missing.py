"""Missing values: counted and refused by name, unless someone has said what they mean."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["READINGS", "filled", "has_missing", "refuse_hopeless", "refuse_missing"]

#: What a missing value may mean; "error" means nothing.
READINGS = ("error", "pessimistic", "optimistic", "interval")

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


def refuse_missing(X: NDArray[Any], names: Sequence[Any] | None, remedy: str = "") -> None:
    """Refuse missing values, with the columns that have them and how many.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._scales.missing import refuse_missing
    >>> refuse_missing(np.array([[1.0, 2.0]]), None)
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


def refuse_hopeless(X: NDArray[Any], names: Sequence[Any] | None) -> None:
    """Refuse to learn from a column, or a row, in which every value is missing.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._scales.missing import refuse_hopeless
    >>> refuse_hopeless(np.array([[1.0, np.nan], [np.nan, 2.0]]), None)
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
