"""The capacity: all sets of few criteria as a Hasse diagram, or the focal sets as bars."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike

from sugeno.plot._canvas import DARK, INK, LIGHT, axes_of, model_of, short

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from sugeno.capacity import Capacity

__all__ = ["CapacityDisplay"]

#: Up to so many criteria all sets are drawn.
_FEW = 6


class CapacityDisplay:
    """How sufficient sets of criteria are, and which of them reach the thresholds.

    Up to six criteria: all sets, from the empty one below to that of all criteria above. Lines join
    each to the sets that have one criterion more. Otherwise: the focal sets of largest value as
    bars. The more thresholds β a set reaches, the darker; two classes have one threshold.

    Parameters
    ----------
    capacity : Capacity
        The capacity.
    thresholds : float or array-like of float
        The threshold β of each boundary between classes, ascending.
    max_sets : int, default=20
        Number of bars.

    Attributes
    ----------
    kind_ : {"hasse", "bars"}
        What was drawn.
    values_ : dict of tuple to float
        The sets that are shown, with their values.
    ax_, figure_ : matplotlib Axes and Figure
        Where it was drawn.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> from sugeno import Capacity
    >>> from sugeno.plot import CapacityDisplay
    >>> mu = Capacity({("a",): 0.3, ("a", "b"): 1}, criteria=["a", "b"])
    >>> CapacityDisplay(mu, 0.5).plot().values_
    {(): 0.0, ('a',): 0.3, ('b',): 0.0, ('a', 'b'): 1.0}
    """

    def __init__(self, capacity: Capacity, thresholds: ArrayLike, max_sets: int = 20) -> None:
        self.capacity = capacity
        self.thresholds = np.atleast_1d(np.asarray(thresholds, dtype=np.float64))
        self.max_sets = max_sets

    @classmethod
    def from_estimator(cls, estimator: Any, *, max_sets: int = 20, ax: Axes | None = None) -> Self:
        """Draw the capacity of a fitted classifier.

        Parameters
        ----------
        estimator : fitted classifier
            Any with a ``model_``. Where criteria have several levels, the capacity is one on the
            literals; ordered classes have one for all boundaries if they share the levels.
        max_sets : int, default=20
            Number of bars, if there are more than six criteria.
        ax : matplotlib Axes, optional
            Where to draw; by default a new figure.

        Returns
        -------
        CapacityDisplay
            The display.
        """
        model = model_of(estimator)
        if len(model.boundaries) == 1:
            return cls(model.boundaries[0].capacity, model.thresholds, max_sets).plot(ax)
        if model.utility is None:
            raise TypeError(
                "Each boundary between these classes has levels of its own, so that there is no "
                "single capacity. Draw that of one boundary, "
                "RuleClassifier.of(clf.model_.at_boundary(0)), or learn with levels='shared'."
            )
        return cls(model.capacity, model.thresholds, max_sets).plot(ax)

    def plot(self, ax: Axes | None = None) -> Self:
        """Draw the sets.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw.

        Returns
        -------
        CapacityDisplay
            The display, with ``ax_`` and ``figure_``.
        """
        self.kind_ = "hasse" if self.capacity.m <= _FEW else "bars"
        if self.kind_ == "hasse":
            self._draw_hasse(ax)
        else:
            self._draw_bars(ax)
        self.figure_ = self.ax_.figure
        return self

    def _names(self) -> list[str]:
        return list(self.capacity.criteria or [f"x{j}" for j in range(self.capacity.m)])

    def _draw_hasse(self, given: Axes | None) -> None:
        m, names = self.capacity.m, self._names()
        places = _layers(m)
        widest = max(abs(x) for x, _ in places.values()) * 2 + 1
        ax = self.ax_ = axes_of(given, max(4.5, 0.72 * widest + 0.6), 1.2 + 0.95 * (m + 1))
        values = self.capacity.to_dense()
        letters = "abcdef"
        order = sorted(places, key=lambda mask: (mask.bit_count(), places[mask][0]))
        self.values_ = {
            tuple(names[j] for j in range(m) if mask >> j & 1): float(values[mask])
            for mask in order
        }
        for mask, (x, y) in places.items():
            for j in range(m):
                if not mask >> j & 1:
                    above = places[mask | 1 << j]
                    ax.plot([x, above[0]], [y, above[1]], color=LIGHT, linewidth=0.8, zorder=1)
            inside = "".join(letters[j] for j in range(m) if mask >> j & 1) or "∅"
            self._node(ax, x, y, inside, float(values[mask]))
        ax.set(xlim=(-widest / 2 - 0.1, widest / 2 + 0.1), ylim=(-0.5, m + 0.5))
        ax.set_axis_off()
        key = "\n".join(f"{letters[j]}  {short(name, 48)}" for j, name in enumerate(names))
        ax.annotate(
            f"dark: reaches {self._listed()}\n{key}",
            (0.0, 0.0),
            xycoords="axes fraction",
            ha="left",
            va="top",
            fontsize=8.5,
            color=INK,
        )

    def _listed(self) -> str:
        return ", ".join(f"{threshold:.3g}" for threshold in self.thresholds)

    def _shade(self, value: float, lightest: str) -> Any:
        """The lightest colour for a set that reaches no threshold, the darkest for one with all."""
        from matplotlib.colors import LinearSegmentedColormap

        shades = LinearSegmentedColormap.from_list("reached", [lightest, DARK])
        return shades(float((value >= self.thresholds).mean()))

    def _node(self, ax: Axes, x: float, y: float, inside: str, value: float) -> None:
        share = float((value >= self.thresholds).mean())
        ax.text(
            x,
            y,
            f"{inside}\n{value:.2f}",
            ha="center",
            va="center",
            fontsize=8,
            color="white" if share > 0.5 else INK,
            zorder=2,
            bbox={
                "boxstyle": "round,pad=0.3",
                "facecolor": self._shade(value, "white"),
                "edgecolor": DARK if share else LIGHT,
            },
        )

    def _draw_bars(self, given: Axes | None) -> None:
        sets = sorted(self.capacity.focal_sets.items(), key=lambda pair: -pair[1])[: self.max_sets]
        self.values_ = {tuple(map(str, members)): value for members, value in sets}
        ax = self.ax_ = axes_of(given, 7.5, 1.0 + 0.3 * max(len(sets), 2))
        values = np.array([value for _, value in sets])
        colours = [self._shade(value, LIGHT) for value in values]
        ax.barh(np.arange(len(sets)), values, height=0.7, color=colours)
        labels = [short(" and ".join(map(str, members)), 60) for members, _ in sets]
        ax.set_yticks(np.arange(len(sets)), labels, fontsize=8)
        for threshold in self.thresholds:
            ax.axvline(threshold, color=INK, linewidth=1, linestyle="--")
        ax.set(ylim=(max(len(sets), 1) - 0.4, -0.6), xlim=(0, 1.02))
        hidden = len(self.capacity.focal_sets) - len(sets)
        more = f"; {hidden} more focal sets" if hidden else ""
        ax.set_xlabel(f"value of the set (dashed: threshold {self._listed()}{more})", loc="right")
        ax.tick_params("y", length=0)
        ax.spines[["top", "right"]].set_visible(False)


def _layers(m: int) -> dict[int, tuple[float, float]]:
    """Place of each set: as high as it has members, side by side in the order of its members."""
    places: dict[int, tuple[float, float]] = {}
    for size in range(m + 1):
        layer = [mask for mask in range(1 << m) if mask.bit_count() == size]
        layer.sort(key=lambda mask: [j for j in range(m) if mask >> j & 1])
        for place, mask in enumerate(layer):
            places[mask] = (place - (len(layer) - 1) / 2, float(size))
    return places
