"""Where the values of a criterion lie: the axis of its slider and its histogram by class."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sugeno._scales.criterion import Criterion
from sugeno._scales.literals import Literals
from sugeno.model.boundary import Boundary
from sugeno.model.model import Model
from sugeno.model.score_model import ScoreModel, Sum
from sugeno.report._markup import Html, element
from sugeno.report._rows import DecidedRows
from sugeno.report._words import relations

Floats = NDArray[np.float64]

#: Up to so many values each has a bar of its own.
_FEW = 24
#: Bars of a criterion with more values, and stops of its slider.
_BARS, _STOPS = 28, 120
#: Shares of rows at either end that may lie beyond the axis, if it would be too long otherwise.
_TAIL, _TOO_LONG = 0.005, 3.0
#: Size of a histogram in units of its own.
_WIDTH, _HEIGHT = 100, 30


@dataclass(frozen=True, eq=False)
class Axis:
    """The axis of one criterion.

    Attributes
    ----------
    stops : ndarray of shape (s,)
        Values that the slider stops at, ascending: observed ones.
    even : bool
        Whether the stops stand at equal distances, each with its bar; else the axis is linear.
    low, high : float
        Ends of a linear axis.
    bars : ndarray of shape (C, b)
        Weight of the rows of each class in each bar, the lowest class first.
    """

    stops: Floats
    even: bool
    low: float
    high: float
    bars: Floats

    def place(self, level: float, direction: int) -> float:
        """Where a level parts the axis, between 0 and 1."""
        if self.even:
            worse = self.stops < level if direction > 0 else self.stops <= level
            return float(worse.mean())
        return float(np.clip((level - self.low) / (self.high - self.low), 0.0, 1.0))

    def payload(self, criterion: Criterion, *, free: bool) -> dict[str, Any]:
        """What the page knows of a criterion and its axis."""
        return {
            "name": criterion.name,
            "direction": criterion.direction,
            "free": free,
            "column": criterion.column,
            "within": criterion.within,
            "labels": criterion.labels,
            "gaps": [
                {"label": gap.label, "code": gap.code, "place": gap.place}
                for gap in criterion.gaps
                if criterion.places is None
            ],
            "stops": self.stops.tolist(),
            "even": self.even,
            "low": self.low,
            "high": self.high,
        }


def both_ways(model: Model | ScoreModel, j: int) -> list[int]:
    """The criteria that change with a criterion: itself, and the other side of a free column."""
    criterion = model.criteria[j]
    if criterion.column is None or criterion.within is not None:
        return [j]
    return model.by_column[criterion.column]


def axes_of(rows: DecidedRows) -> list[Axis]:
    """Build the axis of every criterion; the literals in use must lie on it."""
    axes = []
    for j, criterion in enumerate(rows.model.criteria):
        own = both_ways(rows.model, j)
        around = [_neighbours(boundary, i) for boundary in rows.model.boundaries for i in own]
        axes.append(_axis(criterion, rows.values[:, j], rows, np.concatenate(around)))
    return axes


def _neighbours(boundary: Boundary | Sum, j: int) -> Floats:
    """Values on either side of the levels in use; the levels where nobody knows them."""
    literals = boundary.literals
    used = np.arange(literals.levels.size)
    if isinstance(boundary, Boundary):
        used = np.array(boundary.form.used, dtype=np.intp)
    mine = used[literals.columns[used] == j]
    worse, better = literals.worse[mine], literals.better[mine]
    levels = np.where(np.isnan(better), literals.levels[mine], np.nan)
    around = np.concatenate((worse, better, levels))
    finite: Floats = around[np.isfinite(around)]
    return finite


def _axis(criterion: Criterion, column: Floats, rows: DecidedRows, around: Floats) -> Axis:
    places = [gap.place for gap in criterion.gaps if criterion.places is None]
    present = ~np.isnan(column) & ~np.isin(column, places)
    around = around[~np.isin(around, places)]
    values = column[present] + 0.0
    if criterion.labels is not None:
        around = np.append(around, np.arange(len(criterion.labels)))
    stops = np.unique(np.append(values, around))
    if stops.size == 0:
        stops = np.zeros(1)
    n_classes = rows.model.classes.size
    sides = [rows.weight[present] * (rows.places[present] == c) for c in range(n_classes)]
    if criterion.labels is not None or stops.size <= _FEW:
        place = np.searchsorted(stops, values)
        bars = [np.bincount(place, weights=side, minlength=stops.size) for side in sides]
        return Axis(stops, True, float(stops[0]), float(stops[-1]), np.array(bars))
    low, high = _ends(values, around)
    edges = np.linspace(low, high, _BARS + 1)
    place = np.clip(np.searchsorted(edges, values, side="right") - 1, 0, _BARS - 1)
    bars = [np.bincount(place, weights=side, minlength=_BARS) for side in sides]
    return Axis(_thinned(stops, around, low, high), False, low, high, np.array(bars))


def _ends(values: Floats, around: Floats) -> tuple[float, float]:
    """Ends of a linear axis, without a few far outliers."""
    low, high = float(values.min()), float(values.max())
    inner = np.quantile(values, [_TAIL, 1 - _TAIL])
    if high - low > _TOO_LONG * (inner[1] - inner[0]) > 0:
        low, high = float(inner[0]), float(inner[1])
    return float(min(low, *around, low)), float(max(high, *around, high))


def _thinned(stops: Floats, around: Floats, low: float, high: float) -> Floats:
    """Observed values nearest to evenly spaced ones, and those next to the levels in use."""
    wanted = np.linspace(low, high, _STOPS)
    right = np.clip(np.searchsorted(stops, wanted), 1, stops.size - 1)
    nearer = np.where(wanted - stops[right - 1] <= stops[right] - wanted, right - 1, right)
    return np.unique(np.concatenate((stops[nearer], around)))


def literals_payload(literals: Literals, axes: Sequence[Axis]) -> list[list[Any]]:
    """Criterion, level, text and place on the axis of each literal."""
    return [
        [j, level, text, round(axes[j].place(level, literals.criteria[j].direction), 4)]
        for j, level, text in zip(
            literals.columns.tolist(), literals.levels.tolist(), relations(literals)
        )
    ]


def symbols(axes: list[Axis]) -> Html:
    """Draw each histogram once; cells and sliders refer to it."""
    drawn = (element("g", *_bars(axis), id=f"h{j}") for j, axis in enumerate(axes))
    return element(
        "svg", element("defs", *drawn), class_="off", width=0, height=0, aria_hidden="true"
    )


def _bars(axis: Axis) -> list[Html]:
    """Each class as one shape, the lowest on top."""
    tallest = float(axis.bars.sum(axis=0).max()) or 1.0
    floor, shapes = np.full(axis.bars.shape[1], float(_HEIGHT)), []
    for place in range(len(axis.bars) - 1, -1, -1):
        top = floor - axis.bars[place] * (_HEIGHT / tallest)
        shapes.append(element("path", class_=shade(place, len(axis.bars)), d=_shape(floor, top)))
        floor = top
    return shapes


def shade(place: int, n_classes: int) -> str:
    """How a class is coloured: one of two colours, or one of eleven steps between them.

    Examples
    --------
    >>> from sugeno.report._axes import shade
    >>> shade(1, 2), shade(0, 3), shade(1, 3)
    ('positive', 's0', 's5')
    """
    if n_classes == 2:
        return ("negative", "positive")[place]
    return f"s{round(10 * place / (n_classes - 1))}"


def legend(names: Sequence[str]) -> Html:
    """The colours of the classes, the highest first as in the histograms."""
    marks = (swatch(names, place) for place in range(len(names) - 1, -1, -1))
    return element("p", *marks, class_="legend")


def swatch(names: Sequence[str], place: int) -> Html:
    """The name of a class beside its colour."""
    n = len(names)
    kind = f"swatch {'order ' if n > 2 else ''}{shade(place, n)}"
    return element("span", names[place], class_=kind)


def _shape(bottom: Floats, top: Floats) -> str:
    width = _WIDTH / bottom.size
    gap = min(1.0, 0.12 * width)
    return "".join(
        f"M{_short(i * width + gap)} {_short(low)}V{_short(high)}H{_short((i + 1) * width - gap)}"
        f"V{_short(low)}Z"
        for i, (low, high) in enumerate(zip(bottom.tolist(), top.tolist()))
        if high < low
    )


def _short(number: float) -> str:
    return f"{number:.2f}".rstrip("0").rstrip(".")


def bar(*parts: Html) -> Html:
    """A bar of 100 units, of rectangles that are 6 units high."""
    return element(
        "svg",
        *parts,
        class_="bar",
        viewBox="0 0 100 6",
        preserveAspectRatio="none",
        aria_hidden="true",
    )


def small_histogram(j: int, place: float, direction: int) -> Html:
    """The histogram of a criterion with a level; what does not reach it is veiled."""
    at = _short(place * _WIDTH)
    left, width = ("0", at) if direction > 0 else (at, _short((1 - place) * _WIDTH))
    return element(
        "svg",
        element("use", href=f"#h{j}"),
        element("rect", class_="veil", x=left, y=0, width=width, height=_HEIGHT),
        element("path", class_="level", d=f"M{at} -1V{_HEIGHT + 1}"),
        class_="small",
        viewBox=f"0 -1 {_WIDTH} {_HEIGHT + 2}",
        preserveAspectRatio="none",
        aria_hidden="true",
    )
