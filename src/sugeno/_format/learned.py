"""How a model was learned, from a model file: its kind, held-out rows, what errors cost."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sugeno._counts.loss import Loss
from sugeno._format.fields import Field
from sugeno._format.protocol import MAX_LITERALS
from sugeno.model.judged import Grades, Judged
from sugeno.model.model import HeldOut, Learned

Floats = NDArray[np.float64]

#: What a certificate may be about.
_BOUNDED = ("training error", "disagreement with the teacher")


def read_learned(field: Field, n_classes: int) -> Learned:
    """How the model was learned."""
    record = field.record("kind", "teacher", "bounded", "held_out")
    kind = record["kind"]
    return Learned(
        kind.text() if isinstance(kind.value, str) else kind.integer(1, MAX_LITERALS),
        record["teacher"].optional(Field.text),
        record["bounded"].optional(lambda bounded: bounded.choice(*_BOUNDED)),
        record["held_out"].optional(lambda field: read_held_out(field, n_classes, n_classes - 1)),
    )


def read_held_out(field: Field, n_classes: int, n_boundaries: int) -> HeldOut:
    record = field.record("error", "n_folds", "measured", optional=("counts",))
    return HeldOut(
        record["error"].number(0.0),
        record["n_folds"].integer(1, 1 << 32),
        record["measured"].text(),
        record["counts"].optional(lambda field: _judged(field, n_classes, n_boundaries)),
    )


def _judged(field: Field, n_classes: int, n_boundaries: int) -> Judged:
    """Held-out rows by true and decided class, and by probability."""
    record = field.record("confusion", "grades")
    lines = record["confusion"].array(n_classes, n_classes)
    confusion = np.array([_weights(line, n_classes) for line in lines])
    if not confusion.any():
        record["confusion"].refuse("weights of rows", "none")
    grades = record["grades"].array(n_boundaries, n_boundaries)
    return Judged(confusion, tuple(_grades(one) for one in grades))


def _grades(field: Field) -> Grades:
    """Rows by the probability of lying above a boundary."""
    record = field.record("chances", "below", "above")
    chances = np.array([one.number(0.0, 1.0) for one in record["chances"].array(1)])
    if (np.diff(chances) <= 0).any():
        record["chances"].refuse("probabilities that rise", "others")
    return Grades(chances, *(_weights(record[side], chances.size) for side in ("below", "above")))


def _weights(field: Field, size: int) -> Floats:
    """Weights of rows, none negative."""
    return np.array([one.number(0.0) for one in field.array(size, size)])


def read_costs(field: Field, n_classes: int) -> Loss:
    """What the errors of two classes cost: a row per true class, a column per decided one."""
    if n_classes > 2:
        field.refuse("null where there are more than two classes")
    prices = [[cost.number(0.0) for cost in line.array(2, 2)] for line in field.array(2, 2)]
    if any(
        min(line) < line[place] or line.count(min(line)) > 1 for place, line in enumerate(prices)
    ):
        field.refuse("costs that are least where the decision is right", repr(prices))
    return Loss.of(prices, 2)
