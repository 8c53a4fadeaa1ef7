"""A plane of two criteria: rectangles between the levels, the other criteria fixed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from sugeno._scales.rows import numbers_of
from sugeno.model.model import Model
from sugeno.plot._canvas import INK, short

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["Plane", "name_axes"]

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Plane:
    """Two criteria of a model, in rectangles between their levels, and what stays fixed.

    Attributes
    ----------
    x_edges, y_edges : ndarray
        Ends of the rectangles.
    rows : ndarray
        A row in the middle of each rectangle, from the lowest ones on.
    points : ndarray of shape (n, 2) or None
        The rows that are shown.
    names, labels : pair
        Of both criteria.
    fixed : str
        The values of the other criteria.
    """

    x_edges: Floats
    y_edges: Floats
    rows: Floats
    points: Floats | None
    names: tuple[str, str]
    labels: tuple[tuple[str, ...] | None, tuple[str, ...] | None]
    fixed: str

    @classmethod
    def of(
        cls,
        model: Model,
        X: Any,
        criteria: Sequence[int | str],
        others: Mapping[str, float | str],
    ) -> Plane:
        """Cut a model along two criteria; rows say how far the plane reaches."""
        two = _two_places(model, criteria)
        fixed = _fixed_values(model, two, others)
        points = None if X is None else _numbers_of(model, X)[:, list(two)]
        x_edges, y_edges = (
            _edges_of(model, j, None if points is None else points[:, i]) for i, j in enumerate(two)
        )
        rows = _middle_rows(len(model.criteria), fixed, two, x_edges, y_edges)
        across, up = (model.criteria[j] for j in two)
        names, labels = (across.name, up.name), (across.labels, up.labels)
        return cls(x_edges, y_edges, rows, points, names, labels, _held(model, fixed))

    def per_rectangle(self, answers: NDArray[Any]) -> NDArray[Any]:
        """Put answers on `rows` where their rectangles are."""
        return answers.reshape(self.y_edges.size - 1, self.x_edges.size - 1)

    @property
    def title(self) -> str:
        """The values that stay fixed, in lines."""
        lines = wrap(self.fixed, 55, max_lines=3, placeholder=" …")
        return "\n".join(short(line, 60) for line in lines)


def name_axes(
    axes: Axes,
    names: tuple[str, str],
    labels: tuple[tuple[str, ...] | None, tuple[str, ...] | None],
    title: str,
) -> None:
    """Write the names of both criteria, labels where they have some, and the title."""
    for axis, texts in zip((axes.xaxis, axes.yaxis), labels):
        if texts is not None:
            axis.set_ticks(range(len(texts)), [short(text, 14) for text in texts])
    axes.set_xlabel(short(names[0], 50), color=INK)
    axes.set_ylabel(short(names[1], 40), color=INK)
    axes.set_title(title, fontsize=9, color=INK)
    axes.spines[["top", "right"]].set_visible(False)


def _two_places(model: Model, criteria: Sequence[int | str]) -> tuple[int, int]:
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


def _fixed_values(
    model: Model, two: tuple[int, int], others: Mapping[str, float | str]
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
        given = numbers_of([[others[criterion.name]]], [criterion], named=True)
        fixed[j] = float(given[0, 0])
    return fixed


def _numbers_of(model: Model, X: Any) -> Floats:
    """Rows as numbers, labels by their places."""
    named = model.boundaries[0].form.named
    return numbers_of(X, model.criteria, named=named).astype(np.float64)


def _edges_of(model: Model, j: int, observed: Floats | None) -> Floats:
    """Levels of a criterion between the ends of what is shown."""
    criterion = model.criteria[j]
    levels = np.concatenate(
        [one.literals.levels[one.literals.columns == j] for one in model.boundaries]
    )
    levels = np.unique(levels[np.isfinite(levels)])
    if criterion.labels is not None:
        # A label stands in the middle of its own stretch.
        reached = np.ceil(levels) - 0.5 if criterion.direction > 0 else np.floor(levels) + 0.5
        return np.unique(np.concatenate([[-0.5], reached, [len(criterion.labels) - 0.5]]))
    low, high = _range(model, j, levels, observed)
    inside = levels[(levels > low) & (levels < high)]
    return np.unique(np.concatenate([[low], inside, [high]]))


def _range(model: Model, j: int, levels: Floats, observed: Floats | None) -> tuple[float, float]:
    """Ends of what is shown: around the rows, the values seen in training, and the levels."""
    values = [levels] if observed is None else [levels, observed[np.isfinite(observed)]]
    if model.utility is not None:
        values.append(model.utility.values[j] * model.utility.directions[j])
    known = np.concatenate(values)
    if not known.size:
        return 0.0, 1.0
    low, high = float(known.min()), float(known.max())
    margin = 0.08 * (high - low) or max(1.0, abs(high))
    return low - margin, high + margin


def _middle_rows(
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


def _held(model: Model, fixed: dict[int, float]) -> str:
    names = [criterion.name for criterion in model.criteria]
    return ", ".join(f"{names[j]} = {_shown(model, j, x)}" for j, x in fixed.items())


def _shown(model: Model, j: int, value: float) -> str:
    labels = model.criteria[j].labels
    return f"{value:g}" if labels is None else labels[int(value)]
