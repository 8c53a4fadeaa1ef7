"""The rows that the page is about, as the model sees them."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.validation import check_array, column_or_1d

from sugeno._scales.columns import numbers_of
from sugeno._sets.masks import unpack
from sugeno.model.boundary import Boundary
from sugeno.model.model import Model
from sugeno.report._markup import embedded_json

__all__ = ["Rows", "places_of", "read_ordered_rows", "read_rows", "rows_payload"]

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

#: Characters that all that grows with the table may take on the page, and the rows in any case; of
#: more rows a part is shown.
_MOST_CHARACTERS, _FEWEST_CHARACTERS = 850_000, 100_000
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
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
    model : Boundary
        What decides.
    codes : ndarray of intp of shape (n,), optional
        Of more than two ordered classes: the place of each row's class.
    boundaries : tuple of Boundary
        Of more than two ordered classes: the models of all boundaries, of which `model` is one.
    """

    values: Floats
    positive: Bools
    weight: Floats
    model: Boundary
    codes: NDArray[np.intp] | None = None
    boundaries: tuple[Boundary, ...] = ()

    @cached_property
    def places(self) -> NDArray[np.intp]:
        """The place of each row's class, the lowest first."""
        return self.positive.astype(np.intp) if self.codes is None else self.codes

    @property
    def models(self) -> tuple[Boundary, ...]:
        """A model per boundary between classes."""
        return self.boundaries or (self.model,)

    @property
    def importances(self) -> Floats:
        """How pivotal each criterion is, in the mean over the boundaries."""
        found: Floats = np.mean([model.importances for model in self.models], axis=0)
        return found

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
        truth = self.positive if self.codes is None else self.codes.astype(np.int64)
        for array in (self.values + 0.0, truth, self.weight):
            digest.update(np.ascontiguousarray(array).tobytes())
        return digest.hexdigest()[:16]


def read_rows(model: Boundary, X: Any, y: Any, sample_weight: ArrayLike | None) -> Rows:
    """Read a table by the columns that the model knows, and compare its labels."""
    numbers = _numbers(model, X)
    positive = _positive(model, y, len(numbers))
    return _checked(Rows(numbers, positive, _weights(sample_weight, len(numbers)), model))


def read_ordered_rows(model: Model, X: Any, y: Any, sample_weight: ArrayLike | None) -> list[Rows]:
    """Read a table as each boundary sees it, the lowest first."""
    numbers = _numbers(model.boundaries[0], X)
    codes = places_of(model, _labels(y, len(numbers)))
    weight = _weights(sample_weight, len(numbers))
    return [
        _checked(Rows(numbers, codes > b, weight, boundary, codes, model.boundaries))
        for b, boundary in enumerate(model.boundaries)
    ]


def places_of(model: Model, truth: NDArray[Any]) -> NDArray[np.intp]:
    """Return the place of each label among the ordered classes; refuse strange ones."""
    strange = np.flatnonzero(~np.isin(truth, model.classes))
    if strange.size:
        raise ValueError(
            f"y must hold the labels known from training, {model.classes.tolist()}. Got "
            f"{truth[strange[0]]!r} in row {strange[0]} instead."
        )
    places: NDArray[np.intp] = np.argmax(truth[:, None] == model.classes, axis=1)
    return places


def _numbers(model: Boundary, X: Any) -> Floats:
    """The values of the model's criteria, labels by their places."""
    numbers = numbers_of(X, model.literals.criteria, named=model.rules.named)
    found: Floats = check_array(
        numbers, dtype=np.float64, input_name="X", ensure_all_finite="allow-nan"
    )
    return found


def _weights(sample_weight: ArrayLike | None, n: int) -> Floats:
    given = np.ones(n) if sample_weight is None else np.asarray(sample_weight, np.float64)
    weight = np.broadcast_to(given, n).copy()
    if not (np.isfinite(weight).all() and (weight >= 0).all() and weight.any()):
        raise ValueError(
            "sample_weight must hold finite numbers that are not negative, and one above 0."
        )
    return weight


def _checked(rows: Rows) -> Rows:
    if np.isnan(rows.values).any():
        _ = rows.accepted  # refuses missing values that mean nothing to the model
    return rows


def _labels(y: Any, n: int) -> NDArray[Any]:
    """One label per row."""
    truth: NDArray[Any] = column_or_1d(np.asarray(y))
    if truth.size != n:
        raise ValueError(
            f"y must have one label per row of X, {n} of them. Got {truth.size} instead."
        )
    return truth


def _positive(model: Boundary, y: Any, n: int) -> Bools:
    """Tell which labels are those of the positive class; refuse strange ones."""
    truth = _labels(y, n)
    negative, positive = truth == model.labels[0], truth == model.labels[1]
    strange = np.flatnonzero(~(negative | positive))
    if strange.size:
        raise ValueError(
            f"y must hold the labels known from training, {model.labels.tolist()}. Got "
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
        "truth": _written(rows.places[::step].tolist(), len(rows.models) + 1),
    }


def _written(places: list[int], n_classes: int) -> str | list[int]:
    """Places of classes as digits of base 36, where these are enough."""
    return "".join(_DIGITS[place] for place in places) if n_classes <= len(_DIGITS) else places
