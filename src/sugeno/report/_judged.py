"""What the page says of decisions: which rows are counted, and from where they are known."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sugeno.model.judged import Judged
from sugeno.model.model import HeldOut
from sugeno.report._rows import Rows

__all__ = ["judge"]

Floats = NDArray[np.float64]


def judge(rows: Rows, held_out: ArrayLike | None, new_rows: bool) -> Judged:
    """Judge the model by what was said of rows while they were held out, else by these rows.

    A model that was chosen on held-out rows remembers their counts.

    Parameters
    ----------
    rows : Rows
        The rows of the page.
    held_out : array-like of shape (n,) or (n, L), optional
        Probabilities of classifiers that had not seen the row, as `predict_proba` has them: a
        column per label, the labels sorted; of two classes that of the higher one is enough.
    new_rows : bool
        Whether the model has not seen the rows.
    """
    model = rows.model
    remembered: HeldOut | None = model.held_out
    if held_out is not None:
        chances = _above(np.asarray(held_out, dtype=np.float64), len(rows.values), model.classes)
        decided = (chances > model.cuts).sum(axis=1)
        return Judged.of(rows.places, decided, chances, rows.weight, model.cuts)
    if not new_rows and remembered is not None and remembered.judged is not None:
        return remembered.judged
    chances = model.at_least(rows.values)
    judged = Judged.of(rows.places, rows.decided, chances, rows.weight, model.cuts)
    return judged.at("new rows" if new_rows else "these rows")


def _above(given: Floats, n: int, classes: NDArray[Any]) -> Floats:
    """Probabilities of lying above each boundary."""
    if classes.size == 2 and given.shape == (n,):
        return given[:, None]
    if given.shape != (n, classes.size):
        raise ValueError(
            f"held_out must hold a probability for each of the {n} rows and {classes.size} "
            f"classes. Got an array of shape {given.shape} instead."
        )
    ordered = given[:, np.argsort(np.argsort(classes))]
    return np.cumsum(ordered[:, ::-1], axis=1)[:, ::-1][:, 1:]
