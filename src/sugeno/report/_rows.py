"""The rows of the page, how the model decides about them, and what each rule covers among them."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.validation import check_array, column_or_1d

from sugeno._counts.weights import row_weights
from sugeno._scales.criterion import Criterion
from sugeno._scales.rows import numbers_of
from sugeno.model.judged import Judged
from sugeno.model.model import HeldOut, Model
from sugeno.model.score_model import ScoreModel
from sugeno.report._markup import embedded_json

Floats = NDArray[np.float64]
Places = NDArray[np.intp]
Bools = NDArray[np.bool_]

#: Characters that all that grows with the table may take on the page, and the rows in any case; of
#: more rows a part is shown.
_MOST_CHARACTERS, _FEWEST_CHARACTERS = 850_000, 100_000
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
#: Cells that are written to see how long they are.
_TRIED = 200_000


@dataclass(frozen=True, eq=False)
class DecidedRows:
    """Rows with their true class and what the model says about them.

    Attributes
    ----------
    values : ndarray of shape (n, m)
        Values in original units, labels by their places.
    places : ndarray of intp of shape (n,)
        The place of each row's true class, the lowest first.
    weight : ndarray of shape (n,)
        How much each row counts.
    model : Model or ScoreModel
        What decides.
    """

    values: Floats
    places: Places
    weight: Floats
    model: Any  # Model, or ScoreModel

    @cached_property
    def decided(self) -> Places:
        """The place of the class that each row gets."""
        places: Places = self.model.passed(self.values)
        return places

    @cached_property
    def fingerprint(self) -> str:
        """Digest of values, classes and weights."""
        digest = hashlib.sha256()
        for array in (self.values + 0.0, self.places.astype(np.int64), self.weight):
            digest.update(np.ascontiguousarray(array).tobytes())
        return digest.hexdigest()[:16]


def read_rows(
    model: Model | ScoreModel, X: Any, y: Any, sample_weight: ArrayLike | None
) -> DecidedRows:
    """Read a table by the columns that the model knows, and compare its labels."""
    numbers = values_of(model.criteria, X, named=model.has_names)
    labels = column_or_1d(np.asarray(y))
    if labels.size != len(numbers):
        raise ValueError(
            f"y must have one label per row of X, {len(numbers)} of them. "
            f"Got {labels.size} instead."
        )
    weight = _weights(sample_weight, len(numbers))
    rows = DecidedRows(numbers, model.places(labels), weight, model)
    if np.isnan(numbers).any():
        _ = rows.decided  # refuses missing values that mean nothing to the model
    return rows


def values_of(criteria: Sequence[Criterion], X: Any, *, named: bool) -> Floats:
    """The values of the criteria of a model, labels by their places."""
    numbers = numbers_of(X, criteria, named=named)
    found: Floats = check_array(
        numbers, dtype=np.float64, input_name="X", ensure_all_finite="allow-nan"
    )
    return found


def _weights(sample_weight: ArrayLike | None, n: int) -> Floats:
    row_weights(sample_weight, n)  # refuses what cannot be added up
    given = np.ones(n) if sample_weight is None else np.asarray(sample_weight, np.float64)
    return np.broadcast_to(given, n).copy()


def rows_payload(rows: DecidedRows, taken: int) -> dict[str, Any]:
    """Return the rows that the page can show: all, or every so many-th where they are too many.

    The page finds decisions and probabilities by itself. So many characters are ``taken`` already.
    """
    tried = -(-rows.values.size // _TRIED)
    size = tried * len(embedded_json(rows.values[::tried].T.tolist()))
    step = -(-size // max(_MOST_CHARACTERS - taken, _FEWEST_CHARACTERS))
    return {
        "step": step,
        "total": len(rows.values),
        "values": rows.values[::step].T.tolist(),
        "truth": _written(rows.places[::step].tolist(), rows.model.classes.size),
    }


def _written(places: list[int], n_classes: int) -> str | list[int]:
    """Places of classes as digits of base 36, where these are enough."""
    return "".join(_DIGITS[place] for place in places) if n_classes <= len(_DIGITS) else places


def judge(rows: DecidedRows, held_out: ArrayLike | None, new_rows: bool) -> Judged:
    """Judge the model by what was said of rows while they were held out, else by these rows.

    A model that was chosen on held-out rows remembers their counts.

    Parameters
    ----------
    rows : DecidedRows
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


@dataclass(frozen=True)
class RuleFacts:
    """What one rule, or one clause, stands on.

    Attributes
    ----------
    covered : float
        Weight of the rows that satisfy the rule; of a clause, of the rows that it refuses.
    right : float
        The part of it that is decided rightly.
    alone : float
        The part of it that no other rule covers.
    typical : int or None
        A row, rightly decided, that is like most rows that the rule covers.
    """

    covered: float
    right: float
    alone: float
    typical: int | None


def facts_of(rows: DecidedRows, b: int, step: int) -> list[RuleFacts]:
    """Count what each rule of a boundary covers; typical rows are among every ``step``-th."""
    boundary = rows.model.boundaries[b]
    found = boundary.form.fired(boundary.satisfied(rows.values)).T
    times = found.sum(axis=0)
    above = rows.places > b
    right = above if boundary.form.formula.joint == "and" else ~above
    ranks = _ranks(rows.values[::step])
    return [
        RuleFacts(
            float(rows.weight[covered].sum()),
            float(rows.weight[covered & right].sum()),
            float(rows.weight[covered & (times == 1)].sum()),
            _most_typical(ranks, (covered & right)[::step]),
        )
        for covered in found
    ]


def _ranks(values: Floats) -> Floats:
    """Place of each value in its column, so that scales do not matter."""
    ranks = np.empty(values.shape)
    for j, column in enumerate(values.T):
        _, ranks[:, j] = np.unique(column, return_inverse=True)
    scaled: Floats = ranks / np.maximum(ranks.max(axis=0), 1.0)
    return scaled


def _most_typical(ranks: Floats, chosen: Bools) -> int | None:
    """The row that is nearest to the medians of the chosen ones."""
    places = np.flatnonzero(chosen)
    if places.size == 0:
        return None
    away = np.abs(ranks[places] - np.median(ranks[places], axis=0)).sum(axis=1)
    return int(places[np.argmin(away)])
