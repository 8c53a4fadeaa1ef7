"""How much more a model errs without a column: its values are those of another row.

A column that decides often need not matter much: a rule for few rows decides about all others too,
as long as they do not satisfy it. What counts is then how many decisions get worse where the
column says nothing. The value of each row is replaced by that of every other row in turn, which is
what permutations do in the mean, without their noise.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sugeno.model.fitted import AnyModel

__all__ = ["error_without"]

#: Rows that are decided at once.
_BLOCK = 1 << 13

Floats = NDArray[np.float64]
Places = NDArray[np.intp]


def error_without(model: AnyModel, rows: Floats, places: Places, weight: Floats) -> Floats:
    """Return by how much the mean error rises without each column; with costs, the mean cost.

    Parameters
    ----------
    model : Model, ScoreModel or ModelPerClass
        What decides.
    rows : ndarray of shape (n, m)
        Rows, a column for each criterion.
    places : ndarray of intp of shape (n,)
        The places of their classes.
    weight : ndarray of shape (n,)
        How much each row counts.

    Returns
    -------
    ndarray of shape (m,)
        Of both sides of a column the same. Below 0 where the rows would be decided better.

    Notes
    -----
    Decides about all rows once for each way in which a column can satisfy its literals.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno import SugenoClassifier
    >>> from sugeno.model.withheld import error_without
    >>> X, y = np.array([[1.0, 1], [2, 1], [3, 2], [4, 1]]), np.array([0, 0, 1, 1])
    >>> model = SugenoClassifier(levels="single", directions=[1, 1]).fit(X, y).model_
    >>> str(model.rules[0]), error_without(model, X, y, np.ones(4)).tolist()
    ('class 1 if x0 >= 3', [0.5, 0.0])
    """
    prices = 1.0 - np.eye(model.classes.size) if model.costs is None else model.costs.prices
    share = weight / weight.sum()
    before = float(share @ prices[places, model.passed(rows)])
    found = np.zeros(rows.shape[1])
    step = max(1, _BLOCK // len(rows))  # a sum looks at many tables, whatever the number of rows
    for columns in model.by_column.values():
        state = _states(model, rows, columns)
        donors, held = np.unique(state, return_index=True, return_inverse=True)[1:]
        if donors.size == 1:
            continue
        after = 0.0
        held_by = np.bincount(held, weights=share)
        for part in range(0, donors.size, step):
            given = rows[donors[part : part + step]][:, columns]
            moved = np.tile(rows, (len(given), 1))
            moved[:, columns] = np.repeat(given, len(rows), axis=0)
            passed = model.passed(moved).reshape(len(given), -1)
            after += float(held_by[part : part + step] @ (prices[places, passed] @ share))
        found[columns] = after - before
    return found


def _states(model: AnyModel, rows: Floats, columns: Sequence[int]) -> Places:
    """Number the ways in which rows satisfy the literals about some criteria."""
    known = [np.isnan(rows[:, columns[0]])]
    starts = [span.start for span in getattr(model, "spans", ())] or [0] * len(model.boundaries)
    for start, literals in zip(starts, (boundary.literals for boundary in model.boundaries)):
        for j in columns:
            for level in literals.levels[literals.columns == j - start].tolist():
                up = literals.directions[j - start] > 0
                known.append(rows[:, j] >= level if up else rows[:, j] <= level)
    _, state = np.unique(np.column_stack(known), axis=0, return_inverse=True)
    numbers: Places = state.ravel()
    return numbers
