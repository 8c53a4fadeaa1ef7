"""The rows that the page is about, as the model sees them."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.validation import check_array, column_or_1d

from sugeno._scales.columns import place_columns, select_columns
from sugeno._sets.masks import unpack
from sugeno.model.model import Model
from sugeno.report._markup import embedded_json

__all__ = ["Rows", "read_rows", "rows_payload"]

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

#: Characters that all that grows with the table may take on the page, and the rows in any case; of
#: more rows a part is shown.
_MOST_CHARACTERS, _FEWEST_CHARACTERS = 850_000, 100_000
#: Cells that are written to see how long they are.
_TRIED = 200_000


@dataclass(frozen=True, eq=False)
class Rows:
    """Rows with their true class and what the model says about them.

    Attributes
    ----------
    values : ndarray of shape (n, m)
        Values in original units, labels by their places.
    positive : ndarray of bool of shape (n,)
        Whether a row belongs to the positive class.
    weight : ndarray of shape (n,)
        How much each row counts.
    model : Model
        What decides.
    """

    values: Floats
    positive: Bools
    weight: Floats
    model: Model

    @cached_property
    def accepted(self) -> Bools:
        """Which rows the rules accept."""
        return self.model.accepted(self.values)

    @cached_property
    def reached(self) -> Bools:
        """Which literals each row satisfies, shape (n, L)."""
        literals = self.model.literals
        return unpack(literals.satisfied(self.model.read(self.values)), literals.levels.size)

    @cached_property
    def fingerprint(self) -> str:
        """Digest of values, classes and weights."""
        digest = hashlib.sha256()
        for array in (self.values + 0.0, self.positive, self.weight):
            digest.update(np.ascontiguousarray(array).tobytes())
        return digest.hexdigest()[:16]


def read_rows(model: Model, X: Any, y: Any, sample_weight: ArrayLike | None) -> Rows:
    """Read a table by the columns that the model knows, and compare its labels."""
    criteria = model.literals.criteria
    labels = tuple(criterion.labels for criterion in criteria)
    known = labels if any(labels) else None
    names = [criterion.name for criterion in criteria] if model.rules.named else None
    if names is not None:
        X = select_columns(X, names)
    numbers = check_array(
        place_columns(X, known, names),
        dtype=np.float64,
        input_name="X",
        ensure_all_finite="allow-nan",
    )
    if numbers.shape[1] != len(criteria):
        raise ValueError(
            f"X must have {len(criteria)} columns, one per criterion. "
            f"Got {numbers.shape[1]} instead."
        )
    n = len(numbers)
    positive = _positive(model, y, n)
    given = np.ones(n) if sample_weight is None else np.asarray(sample_weight, np.float64)
    weight = np.broadcast_to(given, n).copy()
    if not (np.isfinite(weight).all() and (weight >= 0).all() and weight.any()):
        raise ValueError(
            "sample_weight must hold finite numbers that are not negative, and one above 0."
        )
    rows = Rows(numbers, positive, weight, model)
    if np.isnan(numbers).any():
        _ = rows.accepted  # refuses missing values that mean nothing to the model
    return rows


def _positive(model: Model, y: Any, n: int) -> Bools:
    """Tell which labels are those of the positive class; refuse strange ones."""
    truth = column_or_1d(np.asarray(y))
    if truth.size != n:
        raise ValueError(
            f"y must have one label per row of X, {n} of them. Got {truth.size} instead."
        )
    negative, positive = truth == model.classes[0], truth == model.classes[1]
    strange = np.flatnonzero(~(negative | positive))
    if strange.size:
        raise ValueError(
            f"y must hold the labels known from training, {model.classes.tolist()}. Got "
            f"{truth[strange[0]]!r} in row {strange[0]} instead."
        )
    return np.asarray(positive)


def rows_payload(rows: Rows, taken: int) -> dict[str, Any]:
    """Return the rows that the page can show: all, or every so many-th where they are too many.

    The page finds decisions and probabilities by itself. So many characters are ``taken`` already.
    """
    tried = -(-rows.values.size // _TRIED)
    size = tried * len(embedded_json(rows.values[::tried].T.tolist()))
    step = -(-size // max(_MOST_CHARACTERS - taken, _FEWEST_CHARACTERS))
    shown = rows.values[::step]
    return {
        "step": step,
        "total": len(rows.values),
        "values": shown.T.tolist(),
        "truth": "".join("1" if truth else "0" for truth in rows.positive[::step]),
    }
