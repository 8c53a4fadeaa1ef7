"""What each rule, clause or level with points covers among the rows of the page."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sugeno.report._rows import Rows

__all__ = ["RuleFacts", "facts_of"]

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


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


def facts_of(rows: Rows, b: int, step: int) -> list[RuleFacts]:
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
