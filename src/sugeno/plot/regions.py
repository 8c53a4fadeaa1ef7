"""Decision regions of two criteria: exact, since rules are axis-parallel.

The plane of two criteria is cut into rectangles between the levels; the other criteria are fixed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import TYPE_CHECKING, Any, Self, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sugeno._scales.rows import numbers_of
from sugeno.model.model import Model
from sugeno.model.naming import as_shown, criterion_place
from sugeno.model.per_class import ModelPerClass
from sugeno.plot._canvas import DARK, INK, MIDDLE, axes_of, ruled_model_of, short

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["ClassRegionsDisplay", "DecisionRegionsDisplay"]

_Model: TypeAlias = Model | ModelPerClass


@dataclass(frozen=True)
class _Plane:
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
        model: _Model,
        X: Any,
        criteria: Sequence[int | str],
        others: Mapping[str, float | str],
    ) -> _Plane:
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


def _readable(model: _Model) -> _Model:
    """Refuse classes that read the columns of a table each in its own way."""
    if isinstance(model, ModelPerClass) and model.reads_apart:
        raise TypeError(
            "Each class reads the columns of a table of any kind in its own way, so that there is "
            f"no plane of all {model.classes.size} classes. Draw one of them: "
            f"per_class_[{model.classes.tolist()[0]!r}]."
        )
    return model


def _name_axes(
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


def _two_places(model: _Model, criteria: Sequence[int | str]) -> tuple[int, int]:
    """Places of the two criteria of a plane."""
    places = [criterion_place(model.criteria, criterion, "criteria") for criterion in criteria]
    if len(set(places)) != 2 or len(places) != 2:
        raise ValueError(f"criteria must name two different criteria. Got {criteria!r} instead.")
    return places[0], places[1]


def _fixed_values(
    model: _Model, two: tuple[int, int], others: Mapping[str, float | str]
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


def _numbers_of(model: _Model, X: Any) -> Floats:
    """Rows as numbers, labels by their places."""
    named = bool(model.boundaries[0].form.named)
    return numbers_of(X, model.criteria, named=named).astype(np.float64)


def _edges_of(model: _Model, j: int, observed: Floats | None) -> Floats:
    """Levels of a criterion between the ends of what is shown."""
    criterion = model.criteria[j]
    each = [
        (level, one.literals.directions[j])
        for one in model.boundaries
        for level in one.literals.levels[one.literals.columns == j].tolist()
        if np.isfinite(level)
    ]
    levels = np.unique([level for level, _ in each])
    if criterion.labels is not None:
        # A label stands in the middle of its own stretch.
        reached = [np.ceil(level) - 0.5 if up > 0 else np.floor(level) + 0.5 for level, up in each]
        return np.unique([-0.5, *reached, len(criterion.labels) - 0.5])
    low, high = _range(model, j, levels, observed)
    inside = levels[(levels > low) & (levels < high)]
    return np.unique(np.concatenate([[low], inside, [high]]))


def _range(model: _Model, j: int, levels: Floats, observed: Floats | None) -> tuple[float, float]:
    """Ends of what is shown: around the rows, the values seen in training, and the levels."""
    values = [levels] if observed is None else [levels, observed[np.isfinite(observed)]]
    if isinstance(model, Model) and model.utility is not None:
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


def _held(model: _Model, fixed: dict[int, float]) -> str:
    told = ((model.criteria[j], value) for j, value in fixed.items())
    return ", ".join(f"{one.name} = {as_shown(one, value)}" for one, value in told)


Floats = NDArray[np.float64]

#: Classes in a legend; of more the first and the last are named, and some between.
_MOST_NAMED = 12


class DecisionRegionsDisplay:
    """Which class a classifier gives where, in the plane of two criteria.

    The higher the class, the darker; classes without an order are shaded as they are sorted. Rules
    compare each criterion with levels, so the plane falls into rectangles between the levels of all
    boundaries. Each of them is asked once: the picture is exact and has no raster.

    Parameters
    ----------
    x_edges, y_edges : ndarray
        Borders of the rectangles, ascending.
    places : ndarray of int of shape (len(y_edges) - 1, len(x_edges) - 1)
        Place of the class of each rectangle, the lowest first.
    classes : tuple of str
        The classes, the lowest first.
    names : tuple of two str
        The criteria.
    labels : tuple of two tuples of str or None
        Their ordered labels, if they have any.
    title : str
        The values of the other criteria.
    points : ndarray of shape (n, 2) or None
        Rows to be shown; one that lacks a value has no place in the plane.
    point_places : ndarray of int of shape (n,) or None
        The places of their classes.

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
    >>> display.classes, display.places
    (('no', 'yes'), array([[0, 1],
           [0, 0]]))
    """

    def __init__(
        self,
        x_edges: Floats,
        y_edges: Floats,
        places: NDArray[np.intp],
        classes: tuple[str, ...],
        *,
        names: tuple[str, str],
        labels: tuple[tuple[str, ...] | None, tuple[str, ...] | None] = (None, None),
        title: str = "",
        points: Floats | None = None,
        point_places: NDArray[np.intp] | None = None,
    ) -> None:
        self.x_edges = x_edges
        self.y_edges = y_edges
        self.places = places
        self.classes = classes
        self.names = names
        self.labels = labels
        self.title = title
        self.points = points
        self.point_places = point_places

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
            Rows to be shown, and their labels. They also say how far the plane reaches. A row
            with a missing value in the plane has no place there, and is not shown.
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
        model = _readable(ruled_model_of(estimator))
        plane = _Plane.of(model, X, criteria, others or {})
        display = cls(
            plane.x_edges,
            plane.y_edges,
            plane.per_rectangle(model.passed(plane.rows)),
            tuple(map(str, model.classes.tolist())),
            names=plane.names,
            labels=plane.labels,
            title=plane.title,
            points=plane.points,
            point_places=None if y is None else model.places(y),
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
        axes = self.ax_ = axes_of(ax, 5.4, 4.2)
        self.figure_ = axes.figure
        shown = self._shades(MIDDLE)
        self.surface_ = axes.pcolormesh(self.x_edges, self.y_edges, self.places, **shown)
        self._draw_points(axes)
        self._draw_legend(axes, shown["cmap"])
        _name_axes(axes, self.names, self.labels, self.title)
        return self

    def _shades(self, darkest: str) -> dict[str, Any]:
        """One shade per class, from white on."""
        from matplotlib.colors import LinearSegmentedColormap

        n = len(self.classes)
        shades = LinearSegmentedColormap.from_list("classes", ["white", darkest], n)
        return {"cmap": shades, "vmin": -0.5, "vmax": n - 0.5}

    def _draw_points(self, ax: Axes) -> None:
        """Rows, the darker the higher their class: darker than the regions, with an edge."""
        if self.points is None:
            return
        shown: dict[str, Any] = {"color": INK}
        if self.point_places is not None:
            shown = {"c": self.point_places, **self._shades(DARK)}
        x, y = self.points.T
        ax.scatter(x, y, s=22, edgecolors=INK, linewidths=0.8, **shown)

    def _draw_legend(self, ax: Axes, shades: Any) -> None:
        """A box per class, the highest on top as in the plane."""
        from matplotlib.patches import Patch

        n = len(self.classes)
        chosen = np.unique(np.linspace(0, n - 1, min(n, _MOST_NAMED)).round().astype(int))
        boxes = [
            Patch(facecolor=shades(int(i)), edgecolor=INK, label=short(self.classes[i], 20))
            for i in chosen[::-1].tolist()
        ]
        ax.legend(
            handles=boxes, fontsize=8, loc="upper left", bbox_to_anchor=(1.0, 1.0), frameon=False
        )


#: The name that it had for ordered classes.
ClassRegionsDisplay = DecisionRegionsDisplay
