"""Rows as the criteria of a model read them: one reader for whatever container they come in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_array

from sugeno._scales.columns import comparable, frame_of, place_columns, select_columns
from sugeno._scales.criterion import Criterion
from sugeno._scales.kinds import Column

if TYPE_CHECKING:
    import narwhals as nw

Floats = NDArray[np.float64]


def numbers_of(X: Any, criteria: Sequence[Criterion], *, named: bool) -> NDArray[Any]:
    """Read rows as a plain array with a column for each criterion, in any units of numbers.

    Parameters
    ----------
    X : array-like or frame of shape (n, m)
        Numbers, and labels where a criterion has them; what is missing is not looked at.
    criteria : sequence of Criterion
        The criteria of a model.
    named : bool
        Whether they have names from the data, by which a frame is read. Other tables, and
        criteria without names, are read by position.

    Returns
    -------
    ndarray of shape (n, m)
        Numbers that can be compared with levels.

    Examples
    --------
    >>> import pandas as pd
    >>> from sugeno._scales.rows import numbers_of
    >>> from sugeno._scales.criterion import Criterion
    >>> X = pd.DataFrame({"price": [3, 4], "size": ["L", "S"]})
    >>> numbers_of(X, [Criterion("size", labels=("S", "L")), Criterion("price")], named=True)
    array([[1., 3.],
           [0., 4.]])
    """
    if any(one.column is not None for one in criteria):
        return cells_on_scales(X, criteria)
    names = [criterion.name for criterion in criteria]
    labels = tuple(criterion.labels for criterion in criteria)
    known = labels if any(labels) else None
    if named:
        placed = place_columns(select_columns(X, names), known, names)
    else:
        placed = place_columns(X, known)
    numbers = comparable(check_array(placed, input_name="X", ensure_all_finite=False))
    if numbers.shape[1] != len(criteria):
        raise ValueError(
            f"X must have {len(criteria)} columns, one per criterion ({', '.join(names)}). "
            f"Got {numbers.shape[1]} instead."
        )
    return numbers


def cells_on_scales(X: Any, criteria: Sequence[Criterion]) -> Floats:
    """Read the cells of a table by criteria that say which columns they read.

    Parameters
    ----------
    X : frame or array-like
        A frame is read by the names of its columns, anything else by their places.
    criteria : sequence of Criterion
        The criteria.

    Returns
    -------
    ndarray of shape (n, number of criteria)
        Values of the criteria; NaN where a number is missing that has no place.

    Examples
    --------
    >>> import pandas as pd
    >>> from sugeno._scales.criterion import Criterion
    >>> from sugeno._scales.rows import cells_on_scales
    >>> home = Criterion("home", labels=("rent", "own"), kind="two-valued", column=0,
    ...                  known=("own", "rent"), places=(1.0, 0.0), unseen=0.5)
    >>> cells_on_scales(pd.DataFrame({"home": ["own", "tent"]}), [home]).tolist()
    [[1.0], [0.5]]
    """
    frame = frame_of(X)
    rows = None if frame is not None else np.asarray(X, dtype=object)
    read = []
    for one in criteria:
        cells = _column_cells(frame, rows, one)
        kind: Any = one.kind
        numbers = Column(one.name, kind, one.known or one.labels).read(cells)
        if one.places is None and one.labels is not None and (numbers == -1).any():
            raise ValueError(
                f"Column {one.name!r} must hold the labels known from training, "
                f"{list(one.labels)}. Got others instead; train with a categorical that declares "
                "them, or leave those rows out."
            )
        read.append(one.read(numbers))
    return np.column_stack(read)


def _column_cells(frame: nw.DataFrame[Any] | None, rows: Any, criterion: Criterion) -> Any:
    """The cells that a criterion reads."""
    if frame is None:
        return rows[:, criterion.column].tolist()
    if criterion.name not in frame.columns:
        raise ValueError(
            f"X must have a column {criterion.name!r}, as in training. Got the columns "
            f"{frame.columns} instead."
        )
    return frame[criterion.name]


def oriented(X: Floats, directions: NDArray[np.int64]) -> Floats:
    """Turn every criterion so that higher is better; there is only one zero.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._scales.rows import oriented
    >>> oriented(np.array([[1.0, 0.0]]), np.array([1, -1]))
    array([[1., 0.]])
    """
    result: Floats = X * directions + 0.0
    return result
