"""Utilities of the criteria, with the levels at which rules read them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from sugeno.plot._canvas import DARK, INK, LIGHT, model_of, panels, short, sign_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from sugeno._scales.knots import Knots
    from sugeno.model.model import Model

__all__ = ["UtilityCurve", "UtilityDisplay"]

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class UtilityCurve:
    """The utility of one criterion, to be drawn.

    Attributes
    ----------
    name : str
        The criterion.
    values, heights : ndarray
        Values in original units, ascending, and their utilities.
    levels : ndarray
        The levels at which rules read it.
    texts : tuple of str
        The levels as the rules write them.
    labels : tuple of str or None
        The labels whose places the values are.
    steps : bool
        Whether the utility jumps at the levels, as binary utilities do, or is linear in between.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> from sugeno import SugenoClassifier
    >>> from sugeno.plot import UtilityDisplay
    >>> clf = SugenoClassifier().fit([[1], [2], [3], [4]], [0, 0, 1, 1])
    >>> UtilityDisplay.from_estimator(clf).curves[0].texts
    ('≥ 3',)
    """

    name: str
    values: Floats
    heights: Floats
    levels: Floats
    texts: tuple[str, ...]
    labels: tuple[str, ...] | None
    steps: bool


class UtilityDisplay:
    """Utility of each criterion against its values, with the levels of the rules.

    Where the model has utilities (``levels="shared"``) they are the empirical distribution
    functions, and every level is where the utility is a threshold β. Where criteria have levels
    of their own, each level is a binary utility, and the staircase shows the share of them that a
    value reaches.

    Parameters
    ----------
    curves : list of UtilityCurve
        One per criterion.
    thresholds : sequence of float
        The threshold β of each boundary between classes, where all criteria share them.

    Attributes
    ----------
    axes_ : list of matplotlib Axes
        One panel per criterion.
    ax_, figure_ : matplotlib Axes and Figure
        The first panel, and the figure.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> from sugeno import SugenoClassifier
    >>> from sugeno.plot import UtilityDisplay
    >>> clf = SugenoClassifier().fit([[1], [2], [3], [4]], [0, 0, 1, 1])
    >>> display = UtilityDisplay.from_estimator(clf)
    >>> display.curves[0].heights, display.thresholds
    (array([0.125, 0.375, 0.625, 0.875]), (0.5,))
    """

    def __init__(self, curves: list[UtilityCurve], thresholds: Sequence[float] = ()) -> None:
        self.curves = curves
        self.thresholds = tuple(thresholds)

    @classmethod
    def from_estimator(cls, estimator: Any, *, ax: Axes | None = None) -> Self:
        """Draw the utilities of a fitted classifier.

        Parameters
        ----------
        estimator : fitted classifier
            Any with a ``model_``.
        ax : matplotlib Axes, optional
            Axes in a grid, whose place is divided into panels; by default a new figure.

        Returns
        -------
        UtilityDisplay
            The display.
        """
        model = model_of(estimator)
        knots, criteria = model.utility, range(len(model.criteria))
        if knots is None:
            return cls([_staircase(model, j) for j in criteria]).plot(ax)
        curves = [_distribution(model, knots, j) for j in criteria]
        return cls(curves, model.thresholds.tolist()).plot(ax)

    def plot(self, ax: Axes | None = None) -> Self:
        """Draw the panels.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Axes in a grid, whose place is divided into panels.

        Returns
        -------
        UtilityDisplay
            The display, with ``axes_``, ``ax_`` and ``figure_``.
        """
        n = len(self.curves)
        columns = min(n, 4)
        rows = -(-n // columns)
        grid = panels(ax, rows, columns, (2.5 * columns + 0.3, 2.2 * rows + 0.2))
        self.axes_, spare = grid[:n], grid[n:]
        for place, (curve, axes) in enumerate(zip(self.curves, self.axes_)):
            self._panel(axes, curve, first=place % columns == 0)
        for axes in spare:
            axes.set_axis_off()
        self.ax_, self.figure_ = self.axes_[0], self.axes_[0].figure
        return self

    def _panel(self, ax: Axes, curve: UtilityCurve, first: bool) -> None:
        drawn = "steps-post" if curve.steps else "default"
        ax.plot(curve.values, curve.heights, color=DARK, linewidth=1.5, drawstyle=drawn)
        for threshold in self.thresholds:
            ax.axhline(threshold, color=INK, linewidth=0.8, linestyle=":")
        for level in curve.levels:
            ax.axvline(level, color=INK, linewidth=0.9, linestyle="--")
        ax.set_ylim(-0.03, 1.06)
        asked = short(", ".join(curve.texts), 26) or "in no rule"
        ax.set_title(f"{short(curve.name, 26)}\n{asked}", fontsize=9, color=INK)
        if not curve.values.size:
            ax.set_xticks([])
        elif curve.labels is not None:
            _label_ticks(ax, curve.labels)
        else:
            whole = bool((curve.levels == np.round(curve.levels)).all())
            ax.locator_params(axis="x", nbins=4, integer=whole and np.ptp(curve.values) >= 2)
        ax.tick_params(labelsize=8, color=LIGHT)
        ax.spines[["top", "right"]].set_visible(False)
        if first:
            ax.set_ylabel("utility" if not curve.steps else "levels reached", fontsize=8)


def _label_ticks(ax: Axes, labels: tuple[str, ...]) -> None:
    """Labels at their places, as many as fit."""
    step = -(-len(labels) // 6)
    places = list(range(0, len(labels), step))
    most = max(12, 24 // len(places))
    ax.set_xticks(places, [short(labels[i], most) for i in places])
    if max(map(len, labels)) * len(places) > 20:
        ax.tick_params("x", labelrotation=35)
        for label in ax.get_xticklabels():
            label.set(ha="right", rotation_mode="anchor")


def _read_at(model: Model, j: int) -> tuple[Floats, tuple[str, ...]]:
    """Levels of a criterion that rules use, in original units and as text; each once."""
    found: dict[float, str] = {}
    for boundary in model.boundaries:
        literals = boundary.literals
        for i in boundary.form.used:
            if literals.columns[i] == j:
                _, sign, number = literals.parts[i]
                found.setdefault(float(literals.levels[i]), f"{sign_of(sign)} {number}")
    return np.array(list(found)), tuple(found.values())


def _distribution(model: Model, knots: Knots, j: int) -> UtilityCurve:
    """Empirical distribution function of a criterion, in original units."""
    criterion = model.criteria[j]
    values, heights = knots.values[j], knots.knot_utilities(j)
    if criterion.direction < 0:
        values, heights = -values[::-1], heights[::-1]
    levels, texts = _read_at(model, j)
    finite = np.isfinite(levels)
    return UtilityCurve(
        criterion.name, values, heights, levels[finite], texts, criterion.labels, False
    )


def _staircase(model: Model, j: int) -> UtilityCurve:
    """Share of the levels of a criterion that a value reaches."""
    criterion = model.criteria[j]
    levels, texts = _read_at(model, j)
    bounds = np.sort(levels[np.isfinite(levels)])
    if not bounds.size:
        nothing = np.empty(0)
        return UtilityCurve(criterion.name, nothing, nothing, bounds, texts, criterion.labels, True)
    margin = max(float(np.ptp(bounds)), abs(float(bounds[-1])) * 0.2) * 0.6 or 1.0
    values = np.concatenate([[bounds[0] - margin], bounds, [bounds[-1] + margin]])
    reached = np.arange(bounds.size + 1) / bounds.size
    heights = reached if criterion.direction > 0 else reached[::-1]
    return UtilityCurve(
        criterion.name,
        values,
        np.append(heights, heights[-1]),
        bounds,
        texts,
        criterion.labels,
        True,
    )
