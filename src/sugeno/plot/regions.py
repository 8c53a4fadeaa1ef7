"""Decision regions of two criteria: exact, since rules are axis-parallel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sugeno.model.text import heading
from sugeno.plot._canvas import DARK, INK, LIGHT, any_model_of, axes_of, model_of
from sugeno.plot._plane import Plane, name_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

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
        plane = Plane.of(any_model_of(estimator), X, criteria, others or {})
        display = cls(
            plane.x_edges,
            plane.y_edges,
            plane.per_rectangle(model.accepted(plane.rows)),
            names=plane.names,
            labels=plane.labels,
            title=plane.title(f"shaded: {heading(model.rules.label)}"),
            points=plane.points,
            positive=None if y is None else np.asarray(y) == model.labels[1],
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
        name_axes(axes, self.names, self.labels, self.title)
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
