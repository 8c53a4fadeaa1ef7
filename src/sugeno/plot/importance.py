"""Which criteria matter, and which of them need or replace each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from sugeno._sets.masks import unpack
from sugeno.capacity import Capacity
from sugeno.model.model import Model
from sugeno.model.per_class import ModelPerClass
from sugeno.plot._canvas import DARK, INK, LIGHT, panels, ruled_model_of, short

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from sugeno.model.boundary import Boundary

__all__ = ["ImportanceDisplay"]

Floats = NDArray[np.float64]


class ImportanceDisplay:
    """Importance of each criterion, and the interaction of each pair.

    Importance is the share of the training weight on which the decision hangs on the criterion
    (``feature_importances_``). Interaction is Shapley's, of the rules alone: how much more two
    criteria do together than one by one. A criterion counts as wholly reached or not at all. Of
    more than two ordered classes both are means over the boundaries. Filled discs are pairs that
    need each other, open circles pairs that replace each other.

    Parameters
    ----------
    criteria : sequence of str
        Names of the criteria, the most important first.
    importances : ndarray of shape (m,)
        Their importance; the sum is 1.
    interactions : ndarray of shape (m, m)
        The interaction of each pair, in [-1, 1]; symmetric.

    Attributes
    ----------
    axes_ : list of two matplotlib Axes
        Bars and matrix.
    ax_, figure_ : matplotlib Axes and Figure
        The bars, and the figure.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> from sugeno import SugenoClassifier
    >>> from sugeno.plot import ImportanceDisplay
    >>> X, y = [[1, 9], [2, 8], [3, 3], [4, 5]], ["no", "no", "yes", "yes"]
    >>> display = ImportanceDisplay.from_estimator(SugenoClassifier().fit(X, y))
    >>> display.criteria, display.interactions[0, 1]
    (('x0', 'x1'), np.float64(1.0))
    """

    def __init__(
        self, criteria: tuple[str, ...], importances: Floats, interactions: Floats
    ) -> None:
        self.criteria = criteria
        self.importances = importances
        self.interactions = interactions

    @classmethod
    def from_estimator(cls, estimator: Any, *, ax: Axes | None = None) -> Self:
        """Draw importance and interaction of the criteria of a fitted classifier.

        Parameters
        ----------
        estimator : fitted classifier
            Any with a ``model_``.
        ax : matplotlib Axes, optional
            Axes in a grid, whose place is divided into two panels; by default a new figure.

        Returns
        -------
        ImportanceDisplay
            The display.
        """
        model = ruled_model_of(estimator)
        names, found, pairs = _by_column(model)
        order = np.argsort(-found, kind="stable")
        shown = tuple(names[j] for j in order)
        return cls(shown, found[order], pairs[np.ix_(order, order)]).plot(ax)

    def plot(self, ax: Axes | None = None) -> Self:
        """Draw both panels.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Axes in a grid, whose place is divided into two panels.

        Returns
        -------
        ImportanceDisplay
            The display, with ``axes_``, ``ax_`` and ``figure_``.
        """
        m = len(self.criteria)
        side = 1.5 + 0.36 * max(m, 3)
        self.axes_ = panels(ax, 1, 2, (3.4 + 2.6 + 0.36 * max(m, 3), side))
        self.ax_, self.figure_ = self.axes_[0], self.axes_[0].figure
        self._draw_bars(self.axes_[0])
        self._draw_matrix(self.axes_[1])
        return self

    def _draw_bars(self, ax: Axes) -> None:
        m = len(self.criteria)
        ax.barh(np.arange(m), self.importances, height=0.65, color=DARK)
        ax.set_yticks(np.arange(m), [short(name, 30) for name in self.criteria], fontsize=9)
        for place, value in enumerate(self.importances):
            ax.text(value + 0.01, place, f"{value:.2f}", va="center", fontsize=8, color=INK)
        ax.set(ylim=(m - 0.5, -0.5), xlim=(0, 1.25 * max(self.importances.max(), 0.1)))
        ax.set_xlabel("importance", fontsize=9)
        ax.tick_params(length=0)
        ax.set_xticks([])
        ax.spines[["top", "right", "bottom"]].set_visible(False)

    def _draw_matrix(self, ax: Axes) -> None:
        m = len(self.criteria)
        # Rows stand beside the bars of the same criteria, so only the columns need names.
        for row in range(m):
            for column in range(row):
                value = float(self.interactions[row, column])
                if abs(value) > 5e-4:
                    ax.scatter(
                        [column],
                        [row],
                        s=30 + 220 * abs(value),
                        facecolor=DARK if value > 0 else "white",
                        edgecolor=DARK,
                        linewidth=1.2,
                    )
        for line in range(m):
            ax.axhline(line, color=LIGHT, linewidth=0.4, zorder=0)
        shown = max(m - 1, 1)
        ax.set(xlim=(-0.6, shown - 0.4), ylim=(m - 0.5, -0.5), yticks=[])
        names = [short(name, 22) for name in self.criteria[:-1]]
        ax.set_xticks(range(m - 1), names, rotation=50, fontsize=8)
        for label in ax.get_xticklabels():
            label.set(ha="right", rotation_mode="anchor")
        ax.tick_params(length=0)
        ax.spines[:].set_visible(False)
        ax.set_title("interaction\n● need, ○ replace each other", fontsize=9, color=INK)


def _by_column(model: Model | ModelPerClass) -> tuple[list[str], Floats, Floats]:
    """Names, importance and interaction of columns, which several criteria may read."""
    each = len(model.boundaries)
    spans = model.spans if isinstance(model, ModelPerClass) else (slice(None),) * each
    columns = [*model.by_column.values()]
    of_column = np.zeros((len(columns), len(model.criteria)))
    for place, own in enumerate(columns):
        of_column[place, own] = 1
    pairs = np.zeros((len(columns), len(columns)))
    for boundary, span in zip(model.boundaries, spans):
        read = of_column[:, span]
        pairs += read @ _interactions(boundary) @ read.T / each
    np.fill_diagonal(pairs, 0)  # two sides of one column
    names = [model.criteria[own[0]].name for own in columns]
    return names, of_column @ model.importances, pairs


def _interactions(model: Boundary) -> Floats:
    """Shapley interactions of the criteria, each of them wholly reached or not at all."""
    columns = model.literals.columns
    members = model.literals.chains.strongest(model.form.boundary_sets)
    m = len(model.literals.criteria)
    held = unpack(members, columns.size)
    sets = {tuple(sorted(set(columns[row].tolist()))) for row in held}
    if not sets or () in sets:  # nothing, or everything, is accepted: no criterion decides
        return np.zeros((m, m))
    boundary = Capacity.from_rules(sorted(sets), m=m)
    return boundary.interaction(1.0, random_state=0).values
