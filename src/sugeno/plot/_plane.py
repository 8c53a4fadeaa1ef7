"""A plane of two criteria: rectangles between the levels, the other criteria fixed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from textwrap import wrap
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sugeno._scales.columns import place_columns
from sugeno.model.model import Model
from sugeno.model.ordinal import OrdinalModel
from sugeno.plot._canvas import short

__all__ = ["edges_of", "fixed_values", "middle_rows", "numbers_of", "title_of", "two_places"]

Floats = NDArray[np.float64]


def two_places(model: Model | OrdinalModel, criteria: Sequence[int | str]) -> tuple[int, int]:
    """Places of the two criteria of a plane."""
    names = [criterion.name for criterion in model.criteria]
    places = [_place(names, criterion) for criterion in criteria]
    if len(set(places)) != 2 or len(places) != 2:
        raise ValueError(f"criteria must name two different criteria. Got {criteria!r} instead.")
    return places[0], places[1]


def _place(names: list[str], criterion: int | str) -> int:
    if isinstance(criterion, str) and criterion in names:
        return names.index(criterion)
    if not isinstance(criterion, str) and 0 <= criterion < len(names):
        return int(criterion)
    raise ValueError(f"criteria must be among {names}. Got {criterion!r} instead.")


def fixed_values(
    model: Model | OrdinalModel, two: tuple[int, int], others: Mapping[str, float | str]
) -> dict[int, float]:
    """Value of each other criterion, labels by their places."""
    fixed = {}
    for j, criterion in enumerate(model.criteria):
        if j in two:
            continue
        if criterion.name not in others:
            raise ValueError(
                f"The value of {criterion.name!r} must be given, since a plane has two criteria: "
                f"others={{{criterion.name!r}: ...}}."
            )
        given = others[criterion.name]
        placed = place_columns([[given]], (criterion.labels,), [criterion.name])
        fixed[j] = float(np.asarray(placed, dtype=np.float64)[0, 0])
    return fixed


def numbers_of(model: Model | OrdinalModel, X: Any) -> Floats:
    """Rows as numbers, labels by their places."""
    labels = tuple(criterion.labels for criterion in model.criteria)
    known = labels if any(labels) else None
    return np.asarray(
        place_columns(X, known, [criterion.name for criterion in model.criteria]), dtype=np.float64
    )


def edges_of(model: Model | OrdinalModel, j: int, observed: Floats | None) -> Floats:
    """Levels of a criterion between the ends of what is shown."""
    criterion = model.criteria[j]
    every = model.boundaries if isinstance(model, OrdinalModel) else (model,)
    levels = np.concatenate([one.literals.levels[one.literals.columns == j] for one in every])
    levels = np.unique(levels[np.isfinite(levels)])
    if criterion.labels is not None:
        # A label stands in the middle of its own stretch.
        reached = np.ceil(levels) - 0.5 if criterion.direction > 0 else np.floor(levels) + 0.5
        return np.unique(np.concatenate([[-0.5], reached, [len(criterion.labels) - 0.5]]))
    low, high = _range(model, j, levels, observed)
    inside = levels[(levels > low) & (levels < high)]
    return np.unique(np.concatenate([[low], inside, [high]]))


def _range(
    model: Model | OrdinalModel, j: int, levels: Floats, observed: Floats | None
) -> tuple[float, float]:
    """Ends of what is shown: around the rows, the values seen in training, and the levels."""
    values = [levels] if observed is None else [levels, observed]
    if model.utility is not None:
        values.append(model.utility.values[j] * model.utility.directions[j])
    known = np.concatenate(values)
    if not known.size:
        return 0.0, 1.0
    low, high = float(known.min()), float(known.max())
    margin = 0.08 * (high - low) or max(1.0, abs(high))
    return low - margin, high + margin


def middle_rows(
    n_criteria: int,
    fixed: dict[int, float],
    two: tuple[int, int],
    x_edges: Floats,
    y_edges: Floats,
) -> Floats:
    """A row in the middle of each rectangle, from the first row of them on."""
    x, y = ((edges[1:] / 2 + edges[:-1] / 2) for edges in (x_edges, y_edges))
    rows = np.zeros((y.size * x.size, n_criteria))
    for j, value in fixed.items():
        rows[:, j] = value
    rows[:, two[0]], rows[:, two[1]] = np.tile(x, y.size), np.repeat(y, x.size)
    return rows


def title_of(model: Model | OrdinalModel, head: str, fixed: dict[int, float]) -> str:
    """What is shown, and the values that stay fixed."""
    names = [criterion.name for criterion in model.criteria]
    held = ", ".join(f"{names[j]} = {_shown(model, j, x)}" for j, x in fixed.items())
    lines = [head, *wrap(held, 55, max_lines=3, placeholder=" …")]
    return "\n".join(short(line, 60) for line in lines)


def _shown(model: Model | OrdinalModel, j: int, value: float) -> str:
    labels = model.criteria[j].labels
    return f"{value:g}" if labels is None else labels[int(value)]
