"""Decision regions of two criteria: exact, since rules are axis-parallel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from textwrap import wrap
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sugeno._scales.columns import place_columns
from sugeno.model.text import heading
from sugeno.plot._canvas import DARK, INK, LIGHT, axes_of, model_of, short

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from sugeno.model.model import Model

__all__ = ["DecisionRegionsDisplay"]

Floats = NDArray[np.float64]


class DecisionRegionsDisplay:
    """Where a classifier accepts, in the plane of two criteria.

    Rules compare each criterion with levels, so the plane falls into rectangles between the
    levels. Each of them is asked once: the picture is exact and has no raster.

    Parameters
    ----------
    x_edges, y_edges : ndarray
        Borders of the rectangles, ascending.
    accepted : ndarray of bool of shape (len(y_edges) - 1, len(x_edges) - 1)
        Verdict on each rectangle.
    names : tuple of two str
        The criteria.
    labels : tuple of two tuples of str or None
        Their ordered labels, if they have any.
    title : str
        What the shaded region is.
    points : ndarray of shape (n, 2) or None
        Rows to be shown.
    positive : ndarray of bool of shape (n,) or None
        Which of them have the class that the rules speak for.

    Attributes
    ----------
    surface_ : matplotlib QuadMesh
        The rectangles.
    ax_, figure_ : matplotlib Axes and Figure
        Where it was drawn.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> from sugeno import SugenoClassifier
    >>> from sugeno.plot import DecisionRegionsDisplay
    >>> X, y = [[1, 9], [2, 8], [3, 3], [4, 5]], ["no", "no", "yes", "yes"]
    >>> display = DecisionRegionsDisplay.from_estimator(SugenoClassifier().fit(X, y), X, y)
    >>> display.accepted
    array([[False,  True],
           [False, False]])
    """

    def __init__(
        self,
        x_edges: Floats,
        y_edges: Floats,
        accepted: NDArray[np.bool_],
        *,
        names: tuple[str, str],
        labels: tuple[tuple[str, ...] | None, tuple[str, ...] | None] = (None, None),
        title: str = "",
        points: Floats | None = None,
        positive: NDArray[np.bool_] | None = None,
    ) -> None:
        self.x_edges = x_edges
        self.y_edges = y_edges
        self.accepted = accepted
        self.names = names
        self.labels = labels
        self.title = title
        self.points = points
        self.positive = positive

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: ArrayLike | None = None,
        y: ArrayLike | None = None,
        *,
        criteria: Sequence[int | str] = (0, 1),
        others: Mapping[str, float | str] | None = None,
        ax: Axes | None = None,
    ) -> Self:
        """Draw the decision regions of a fitted classifier.

        Parameters
        ----------
        estimator : fitted classifier
            Any with a ``model_``.
        X, y : array-like, optional
            Rows to be shown, and their labels. They also say how far the plane reaches.
        criteria : sequence of two int or str, default=(0, 1)
            The criteria of the plane, by index or name.
        others : dict of str to float or str, optional
            Values (or labels) of the other criteria, which stay fixed. Needed if there are any.
        ax : matplotlib Axes, optional
            Where to draw; by default a new figure.

        Returns
        -------
        DecisionRegionsDisplay
            The display.
        """
        model = model_of(estimator)
        across, up = _two(model, criteria)
        fixed = _fixed(model, (across, up), others or {})
        points = None if X is None else _numbers(model, X)[:, [across, up]]
        x_edges = _edges(model, across, None if points is None else points[:, 0])
        y_edges = _edges(model, up, None if points is None else points[:, 1])
        kinds = model.literals.criteria
        display = cls(
            x_edges,
            y_edges,
            _verdicts(model, fixed, (across, up), x_edges, y_edges),
            names=(kinds[across].name, kinds[up].name),
            labels=(kinds[across].labels, kinds[up].labels),
            title=_title(model, fixed, (across, up)),
            points=points,
            positive=None if y is None else np.asarray(y) == model.classes[1],
        )
        return display.plot(ax)

    def plot(self, ax: Axes | None = None) -> Self:
        """Draw the regions.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw.

        Returns
        -------
        DecisionRegionsDisplay
            The display, with ``surface_``, ``ax_`` and ``figure_``.
        """
        axes = self.ax_ = axes_of(ax, 5.0, 4.2)
        self.figure_ = axes.figure
        from matplotlib.colors import ListedColormap

        self.surface_ = axes.pcolormesh(
            self.x_edges,
            self.y_edges,
            self.accepted.astype(float),
            cmap=ListedColormap(["white", LIGHT]),
            vmin=0,
            vmax=1,
        )
        self._draw_points(axes)
        for axis, labels in zip((axes.xaxis, axes.yaxis), self.labels):
            if labels is not None:
                axis.set_ticks(range(len(labels)), [short(label, 14) for label in labels])
        axes.set_xlabel(short(self.names[0], 50), color=INK)
        axes.set_ylabel(short(self.names[1], 40), color=INK)
        axes.set_title(self.title, fontsize=9, color=INK)
        axes.spines[["top", "right"]].set_visible(False)
        return self

    def _draw_points(self, ax: Axes) -> None:
        if self.points is None:
            return
        positive = self.positive
        if positive is None:
            ax.scatter(self.points[:, 0], self.points[:, 1], s=14, color=INK)
            return
        for rows, colour, marker, name in (
            (self.points[positive], DARK, "o", "positive"),
            (self.points[~positive], INK, "x", "negative"),
        ):
            ax.scatter(
                rows[:, 0], rows[:, 1], s=16, linewidth=0.9, color=colour, marker=marker, label=name
            )
        ax.legend(fontsize=8, loc="upper left", bbox_to_anchor=(1.0, 1.0), frameon=False)


def _two(model: Model, criteria: Sequence[int | str]) -> tuple[int, int]:
    names = list(model.rules.criteria)
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


def _fixed(
    model: Model, two: tuple[int, int], others: Mapping[str, float | str]
) -> dict[int, float]:
    """Value of each other criterion, labels by their places."""
    fixed = {}
    for j, criterion in enumerate(model.literals.criteria):
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


def _numbers(model: Model, X: Any) -> Floats:
    """Rows as numbers, labels by their places."""
    labels = tuple(criterion.labels for criterion in model.literals.criteria)
    known = labels if any(labels) else None
    return np.asarray(place_columns(X, known, list(model.rules.criteria)), dtype=np.float64)


def _edges(model: Model, j: int, observed: Floats | None) -> Floats:
    """Levels of a criterion between the ends of what is shown."""
    literals = model.literals
    criterion = literals.criteria[j]
    levels = literals.levels[literals.columns == j]
    levels = levels[np.isfinite(levels)]
    if criterion.labels is not None:
        # A label stands in the middle of its own stretch.
        reached = np.ceil(levels) - 0.5 if criterion.direction > 0 else np.floor(levels) + 0.5
        return np.unique(np.concatenate([[-0.5], reached, [len(criterion.labels) - 0.5]]))
    low, high = _range(model, j, levels, observed)
    inside = levels[(levels > low) & (levels < high)]
    return np.unique(np.concatenate([[low], inside, [high]]))


def _range(model: Model, j: int, levels: Floats, observed: Floats | None) -> tuple[float, float]:
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


def _verdicts(
    model: Model, fixed: dict[int, float], two: tuple[int, int], x_edges: Floats, y_edges: Floats
) -> NDArray[np.bool_]:
    """Ask the model about the middle of each rectangle."""
    x, y = ((edges[1:] / 2 + edges[:-1] / 2) for edges in (x_edges, y_edges))
    rows = np.zeros((y.size * x.size, len(model.literals.criteria)))
    for j, value in fixed.items():
        rows[:, j] = value
    rows[:, two[0]], rows[:, two[1]] = np.tile(x, y.size), np.repeat(y, x.size)
    return model.accepted(rows).reshape(y.size, x.size)


def _title(model: Model, fixed: dict[int, float], two: tuple[int, int]) -> str:
    names = model.rules.criteria
    held = ", ".join(f"{names[j]} = {_shown(model, j, x)}" for j, x in fixed.items())
    lines = [
        f"shaded: {heading(model.rules.label)}",
        *wrap(held, 55, max_lines=3, placeholder=" …"),
    ]
    return "\n".join(short(line, 60) for line in lines)


def _shown(model: Model, j: int, value: float) -> str:
    labels = model.literals.criteria[j].labels
    return f"{value:g}" if labels is None else labels[int(value)]
