"""Decision regions of two criteria: exact, since rules are axis-parallel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sugeno.plot._canvas import DARK, INK, MIDDLE, axes_of, model_of, short
from sugeno.plot._plane import Plane, name_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["ClassRegionsDisplay", "DecisionRegionsDisplay"]

Floats = NDArray[np.float64]

#: Classes in a legend; of more the first and the last are named, and some between.
_MOST_NAMED = 12


class DecisionRegionsDisplay:
    """Which class a classifier gives where, in the plane of two criteria.

    The higher the class, the darker. Rules compare each criterion with levels, so the plane falls
    into rectangles between the levels of all boundaries. Each of them is asked once: the picture
    is exact and has no raster.

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
        model = model_of(estimator)
        plane = Plane.of(model, X, criteria, others or {})
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
        name_axes(axes, self.names, self.labels, self.title)
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
