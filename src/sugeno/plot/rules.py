"""The rules as a grid: one row per rule, one column per criterion, coverage beside."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from sugeno._scales.number import plain
from sugeno.model.per_class import ModelPerClass
from sugeno.plot._canvas import DARK, INK, LIGHT, PALE, axes_of, ruled_model_of, short, sign_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from sugeno.model.rules import RuleSet

__all__ = ["RulesDisplay"]

#: A column of the grid: that of the table, which side of it, and the name.
_Column: TypeAlias = tuple[int, int, str]
#: Characters that fit into a column of the grid, and into its slanted title.
_CELL, _TITLE = 12, 26
#: Columns beside the grid, and the length of the longest bar among them.
_BESIDE, _LONGEST = 2.4, 1.2


class RulesDisplay:
    """Grid of rules and criteria with the levels in its cells, and the coverage of each rule.

    A row is a rule: all its cells must hold. (Of a model of clauses: one of them must.) The bar
    beside it is the weight of the training rows that satisfy the rule. Its dark part are those
    which have the class that the rules speak for. Of more than two classes the rules stand below
    the class that they are about.

    Parameters
    ----------
    criteria : sequence of str
        Names of the criteria that occur in a rule.
    cells : list of lists of str
        Per rule and criterion what is asked of it, such as ``≥ 6``; "" for nothing.
    support, precision : ndarray of shape (n_rules,) or None
        Weight of the rows that satisfy each rule, and the share of them that is right.
    title : str
        What the rules decide.
    hidden : int, default=0
        Number of further rules, which are not shown.
    headings : dict of int to str, optional
        Rows of the grid that are no rules, and what they say.

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes and Figure
        The grid.
    bars_, right_bars_ : matplotlib BarContainer
        The bars beside it, and their dark parts, where the rows of the rules were counted.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> from sugeno import SugenoClassifier
    >>> from sugeno.plot import RulesDisplay
    >>> X, y = [[1, 9], [2, 8], [3, 3], [4, 5]], ["no", "no", "yes", "yes"]
    >>> display = RulesDisplay.from_estimator(SugenoClassifier().fit(X, y))
    >>> display.criteria, display.cells, display.support
    (('x0', 'x1'), [['≥ 3', '≤ 6']], array([2.]))
    """

    def __init__(
        self,
        criteria: tuple[str, ...],
        cells: list[list[str]],
        support: NDArray[np.float64] | None,
        precision: NDArray[np.float64] | None,
        title: str,
        hidden: int = 0,
        headings: Mapping[int, str] | None = None,
    ) -> None:
        self.criteria = criteria
        self.cells = cells
        self.support = support
        self.precision = precision
        self.title = title
        self.hidden = hidden
        self.headings = dict(headings or {})

    @classmethod
    def from_estimator(cls, estimator: Any, *, max_rules: int = 30, ax: Axes | None = None) -> Self:
        """Draw the rules of a fitted classifier.

        Parameters
        ----------
        estimator : fitted classifier
            Any with a ``model_``.
        max_rules : int, default=30
            So many rules are shown, those of largest support; a line tells of the others.
        ax : matplotlib Axes, optional
            Where to draw; by default a new figure whose size suits the grid.

        Returns
        -------
        RulesDisplay
            The display.
        """
        model = ruled_model_of(estimator)
        lists = [one.rules for one in model.boundaries]
        if isinstance(model, ModelPerClass):
            lists = [
                rules.relabelled(form.label) for rules, form in zip(lists, model.rules.values())
            ]
        return cls._of_boundaries(lists, max_rules).plot(ax)

    @classmethod
    def _of_boundaries(cls, boundaries: Sequence[RuleSet], max_rules: int) -> Self:
        """The rules of all boundaries in one grid; of several each below what it is about."""
        chosen = [_shown(rules, max_rules) for rules in boundaries]
        used = sorted(
            {key for rules, some in zip(boundaries, chosen) for key in _used(rules, some)}
        )
        counted = all(rules.support is not None for rules in boundaries)
        cells: list[list[str]] = []
        counts: list[tuple[float, float]] = []
        headings = {}
        for rules, some in zip(boundaries, chosen):
            if len(boundaries) > 1:
                headings[len(cells)] = _title(rules)
                cells.append([""] * len(used))
                counts.append((np.nan, np.nan))
            cells += _cells(rules, some, used)
            if rules.support is not None:
                counts += zip(rules.support.weight[some], rules.support.precision[some])
        weight, share = np.array(counts).reshape(-1, 2).T if counted else (None, None)
        names = tuple(name for *_, name in used)
        hidden = sum(map(len, boundaries)) - sum(some.size for some in chosen)
        title = "" if headings else _title(boundaries[0])
        return cls(names, cells, weight, share, title, hidden, headings)

    def plot(self, ax: Axes | None = None) -> Self:
        """Draw the grid.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw.

        Returns
        -------
        RulesDisplay
            The display, with ``ax_`` and ``figure_``.
        """
        n, m = len(self.cells), len(self.criteria)
        beside = 0.0 if self.support is None or not n else _BESIDE
        self.ax_ = axes_of(ax, 0.8 + 0.95 * max(m + beside, 3), 1.9 + 0.34 * max(n, 1))
        self.figure_ = self.ax_.figure
        self._draw_grid(self.ax_)
        self.ax_.set(xlim=(0, max(m, 1) + beside), ylim=(max(n, 1), 0))
        if beside and self.support is not None:
            self._draw_bars(self.ax_, self.support)
        return self

    def _draw_grid(self, ax: Axes) -> None:
        n, m = len(self.cells), len(self.criteria)
        for row, texts in enumerate(self.cells):
            for column, text in enumerate(texts):
                if text:
                    place = (column + 0.04, row + 0.1)
                    ax.add_patch(_box(place, 0.92, 0.8))
                    ax.text(column + 0.5, row + 0.5, short(text, _CELL), **_CENTRE)
        if not self.headings and not any(any(texts) for texts in self.cells):
            ax.text(0.5, 0.5, "no criterion decides", transform=ax.transAxes, **_CENTRE)
        for row, text in self.headings.items():
            ax.text(0.04, row + 0.6, short(text, 60), va="center", fontsize=9, color=INK)
        titles = [short(name, _TITLE) for name in self.criteria]
        slanted = any(len(title) > 10 for title in titles)
        ax.xaxis.tick_top()
        ax.set_xticks(np.arange(m) + (0.35 if slanted else 0.5), titles)
        if slanted:
            ax.tick_params("x", labelrotation=40)
            for label in ax.get_xticklabels():
                label.set(ha="left", rotation_mode="anchor")
        ax.set_yticks(np.arange(n) + 0.5, self._numbers())
        ax.tick_params(length=0, colors=INK)
        ax.spines[:].set_visible(False)
        more = f"\nand {self.hidden} more rules" if self.hidden else ""
        ax.set_xlabel(f"{self.title}{more}".strip(), color=INK, loc="left")

    def _numbers(self) -> list[str]:
        """Numbers of the rules, of each list from 1 on."""
        found, number = [], 0
        for row in range(len(self.cells)):
            number = 0 if row in self.headings else number + 1
            found.append("" if row in self.headings else str(number))
        return found

    def _draw_bars(self, ax: Axes, support: NDArray[np.float64]) -> None:
        """Draw bars in the units of the grid, so that they stand beside their rules everywhere."""
        start = len(self.criteria) + 0.2
        widest = max(float(np.nan_to_num(support).max()), 1e-300)
        share = np.ones(support.size) if self.precision is None else self.precision
        right = np.nan_to_num(support) * np.nan_to_num(share)
        places = np.arange(support.size) + 0.5
        scale = _LONGEST / widest
        lengths = np.nan_to_num(support) * scale
        self.bars_ = ax.barh(places, lengths, height=0.62, left=start, color=LIGHT)
        self.right_bars_ = ax.barh(places, right * scale, height=0.62, left=start, color=DARK)
        for place, weight, part in zip(places, support, share):
            if np.isnan(weight):  # a heading
                continue
            percent = "" if np.isnan(part) else f", {part:.0%}"
            end = start + weight * scale + 0.06
            ax.text(end, place, f"{plain(weight)}{percent}", va="center", fontsize=8, color=INK)
        title = "rows; dark: right"
        ax.text(start, -0.15, title, fontsize=8, color=INK, va="bottom")


_CENTRE: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": 9, "color": INK}


def _box(place: tuple[float, float], width: float, height: float) -> Any:
    from matplotlib.patches import Rectangle

    return Rectangle(place, width, height, facecolor=PALE, edgecolor=LIGHT, linewidth=0.8)


def _shown(rules: RuleSet, most: int) -> NDArray[np.intp]:
    """Places of the rules of largest support, in their order."""
    every, support = np.arange(len(rules)), rules.support
    if len(rules) <= most:
        return every
    weight = every * -1.0 if support is None else support.weight
    return np.sort(np.argsort(-weight, kind="stable")[:most])


def _columns(rules: RuleSet) -> list[_Column]:
    """The column of the grid of each criterion; a criterion of any model has the same one."""
    found: list[_Column] = []
    for j, criterion in enumerate(rules.literal_set.criteria):
        place = j if criterion.column is None else criterion.column
        side = sum(place == other for other, *_ in found)  # of a column without a direction
        found.append((place, side, rules.criteria[j]))
    return found


def _used(rules: RuleSet, shown: NDArray[np.intp]) -> set[_Column]:
    """Columns of the grid that occur in the rules."""
    columns, keys = rules.literal_criteria, _columns(rules)
    return {keys[int(columns[j])] for i in shown.tolist() for j in rules.sets[i]}


def _cells(rules: RuleSet, shown: NDArray[np.intp], used: list[_Column]) -> list[list[str]]:
    """What each rule asks of each criterion."""
    parts, columns, keys = rules.literal_set.parts, rules.literal_criteria, _columns(rules)
    cells = []
    for members in (rules.sets[i] for i in shown.tolist()):
        asked = {keys[int(columns[j])]: f"{sign_of(parts[j][1])} {parts[j][2]}" for j in members}
        cells.append([asked.get(key, "") for key in used])
    return cells


def _title(rules: RuleSet) -> str:
    head = rules.head
    if not len(rules):
        return f"{head} {'never' if rules.form == 'dnf' else 'always'}"
    if rules.form == "dnf":
        return f"{head} if all of one row holds"
    return f"{head} if one of each row holds"
