"""What a sum of steps adds: the effect of each criterion, and the pairs that matter most."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sugeno._scales.criterion import Criterion
from sugeno._scales.surfaces import Index, Pair
from sugeno.model.model import MISSED, PASSED
from sugeno.model.score_model import ScoreModel, Sum
from sugeno.report._axes import Axis, bar, literals_payload
from sugeno.report._markup import Html, breakable, element, heads, join, region, section, table
from sugeno.report._rows import DecidedRows
from sugeno.report._words import percent, plural, shown_value

Floats = NDArray[np.float64]

#: Effects that are shown at once; the others unfold.
_FIRST = 12
#: Pairs that are shown, and values of either criterion in a table.
_PAIRS, _CELLS = 4, 5
#: Rows over which the effect of a criterion is averaged, at most.
_AVERAGED = 2000
#: Shares of the pairs below which they are not shown: of the strongest one.
_WEAK = 0.1
_WIDTH, _HEIGHT = 100, 30


def lead_of_sum(model: ScoreModel, names: Sequence[str]) -> Html:
    """Say in two sentences what the classifier decides."""
    what = (
        f"{plural(len(model.importance_order), 'criterion', 'criteria')} and "
        f"{plural(len(_pairs_of(model)), 'pair')} of them add to the odds of "
    )
    if len(names) > 2:
        return join(
            what,
            "each class or a higher one. A row gets the highest class for which that probability "
            f"exceeds {percent(model.boundaries[0].cut)}, and ",
            element("strong", names[0]),
            " if there is none.",
        )
    other, name = (element("strong", one) for one in names)
    return join(
        what,
        element("span", name, class_="swatch positive"),
        f". Where its probability exceeds {percent(model.boundaries[0].cut)}, a row is ",
        name,
        "; otherwise ",
        element("span", other, ".", class_="swatch negative"),
    )


def shown_sum(rows: DecidedRows, axes: Sequence[Axis]) -> Html:
    """Write the sections about criteria and pairs."""
    return join(
        section("effects", "What each criterion adds", _effects(rows, axes)),
        section("pairs", "Two criteria together", _pairs(rows)),
    )


def _pairs_of(model: ScoreModel) -> list[Pair]:
    """Pairs of criteria; at all boundaries they add the same."""
    return model.boundaries[0].tables.pairs


def _effects(rows: DecidedRows, axes: Sequence[Axis]) -> Html:
    """Draw what each criterion adds at each of its levels, the most important criterion first."""
    model: ScoreModel = rows.model
    codes, weight = _averaged(rows)
    used = model.importance_order
    curves = {
        j: np.array([_curve(one, j, codes, weight) for one in model.boundaries]) for j in used
    }
    top = max((float(each.max()) for each in curves.values()), default=1.0) or 1.0
    shown = [_effect(model, j, curves[j], axes[j], top) for j in used]
    intro = (
        "What each criterion adds to the log odds at its levels, from its worst value on, in the "
        "mean over the rows. One unit multiplies the odds by 2.7. Behind it the rows by class."
    )
    if len(model.boundaries) > 1:
        intro += (
            " There is a line for the odds of each class or a higher one; lists and figures are "
            "about their mean."
        )
    first, more = shown[:_FIRST], shown[_FIRST:]
    parts = [element("p", intro, class_="intro"), element("ul", *first, class_="effects")]
    if more:
        summary = element("summary", f"{len(more)} more criteria")
        parts.append(element("details", summary, element("ul", *more, class_="effects")))
    return join(*parts)


def _averaged(rows: DecidedRows) -> tuple[Index, Floats]:
    """Codes of some of the rows, and their weights."""
    step = -(-len(rows.values) // _AVERAGED)
    codes: Index = rows.model.boundaries[0].codes(rows.values[::step])
    weight = rows.weight[::step]
    return codes, weight if weight.any() else np.ones(weight.size)


def _curve(model: Sum, j: int, codes: Index, weight: Floats) -> Floats:
    """What a criterion adds by the number of levels that it reaches: mean over the rows."""
    tables = model.tables
    levels = np.arange(tables.single[j].size)
    found = tables.single[j].astype(np.float64)
    for pair in tables.pairs:
        if pair.first == j:
            found += np.average(pair.at(levels[:, None], codes[pair.second]), 1, weight)
        elif pair.second == j:
            found += np.average(pair.at(codes[pair.first], levels[:, None]), 1, weight)
    curve: Floats = model.slope * (found / model.units)
    return curve


def _name(model: ScoreModel, j: int) -> str:
    """The name of a criterion; one of two that read a column says which way it counts."""
    criterion = model.criteria[j]
    twins = sum(one.name == criterion.name for one in model.criteria)
    return criterion.name if twins == 1 else f"{criterion.name} ({criterion.sign})"


def _effect(model: ScoreModel, j: int, curves: Floats, axis: Axis, top: float) -> Html:
    """One criterion: a list of its labels, or a line of steps for each boundary."""
    criterion, curve = model.criteria[j], curves.mean(axis=0)
    share = f"{percent(float(model.importances[j]))} of the gain; adds up to {curve[-1]:.2f}"
    head = (element("h3", breakable(_name(model, j))), element("p", share, class_="note"))
    drawn = (
        _listed(model, j, curve, top) if criterion.labels else _steps(model, j, curves, axis, top)
    )
    return element("li", *head, *drawn)


def _listed(model: ScoreModel, j: int, curve: Floats, top: float) -> list[Html]:
    """Labels with what they add, the most first."""
    criterion = model.criteria[j]
    each = [
        (float(curve[_code(model, j, float(place))]), label)
        for place, label in enumerate(criterion.labels or ())
    ]
    lines = (
        element(
            "tr",
            element("th", label, scope="row"),
            element("td", _bar(100 * value / top), class_="meter"),
            element("td", f"+{value:.2f}", class_="count"),
        )
        for value, label in sorted(each, key=lambda one: -one[0])
    )
    return [element("table", element("tbody", *lines), class_="plain")]


def _bar(width: float) -> Html:
    return bar(
        element("rect", class_="ground", width=100, height=6),
        element("rect", class_="right", width=f"{width:.1f}", height=6),
    )


def _code(model: ScoreModel, j: int, value: float) -> int:
    """How many levels of a criterion a value of it reaches."""
    turned = model.criteria[j].direction * value + 0.0
    return int(np.searchsorted(model.boundaries[0].tables.levels[j], turned, side="right"))


def _steps(model: ScoreModel, j: int, curves: Floats, axis: Axis, top: float) -> list[Html]:
    """A line for each boundary that goes up at each level, over the histogram of the rows."""
    criterion, curve = model.criteria[j], curves.mean(axis=0)
    rising = criterion.direction > 0
    levels = model.literals.levels[model.literals.columns == j].tolist()
    places = [_WIDTH * axis.place(level, criterion.direction) for level in levels]
    paths = []
    for one in curves.tolist():
        heights = [f"{_HEIGHT - _HEIGHT * value / top:.2f}" for value in one]
        steps = "".join(f"H{at:.2f}V{height}" for at, height in zip(places, heights[1:]))
        drawn = f"M{0 if rising else _WIDTH} {heights[0]}{steps}H{_WIDTH if rising else 0}"
        paths.append(element("path", class_="curve", d=drawn))
    low, high = (shown_value(criterion, end) for end in (axis.low, axis.high))
    text = f"from {low} to {high}: adds {curve[0]:.2f} to {curve[-1]:.2f}"
    picture = element(
        "svg",
        element("use", href=f"#h{j}"),
        element("path", class_="ground", d=f"M0 {_HEIGHT}H{_WIDTH}"),
        *paths,
        class_="effect",
        viewBox=f"0 -1 {_WIDTH} {_HEIGHT + 2}",
        preserveAspectRatio="none",
        role="img",
        aria_label=text,
    )
    ends = element("p", element("span", low), element("span", high), class_="ends")
    return [picture, ends]


# ---- pairs ------------------------------------------------------------------------------------


def _pairs(rows: DecidedRows) -> Html:
    """Small tables of the pairs whose criteria matter most together."""
    model: ScoreModel = rows.model
    codes, weight = _averaged(rows)
    strengths = [(_strength(model, pair, codes, weight), pair) for pair in _pairs_of(model)]
    strengths.sort(key=lambda one: -one[0])
    strongest = strengths[0][0] if strengths else 0.0
    kept = [pair for strength, pair in strengths[:_PAIRS] if strength > _WEAK * strongest]
    if not kept:
        return element("p", "No two criteria add anything together.", class_="note")
    intro = (
        "Two criteria can add more, or less, together than each of them alone. Of the strongest "
        f"of {len(_pairs_of(model))} pairs: the log odds that both add, at observed values."
    )
    if len(model.boundaries) > 1:
        intro += " What each adds alone is taken in the mean over the classes."
    tables = (_table(rows, pair) for pair in kept)
    return join(element("p", intro, class_="intro"), element("div", *tables, class_="together"))


def _strength(model: ScoreModel, pair: Pair, codes: Index, weight: Floats) -> float:
    """How far the table of a pair is from a sum of two tables, in log odds: root mean square."""
    shares = []
    for j, index in ((pair.first, pair.first_index), (pair.second, pair.second_index)):
        counts = np.bincount(codes[j], weight, minlength=index.size)
        shares.append(counts / counts.sum())
    one, other = np.ix_(np.arange(pair.first_index.size), np.arange(pair.second_index.size))
    table = model.boundaries[0].log_odds(pair.at(one, other))
    rest = table - (table @ shares[1])[:, None] - shares[0] @ table
    rest = rest + shares[0] @ table @ shares[1]
    return float(np.sqrt(shares[0] @ rest**2 @ shares[1]))


def _table(rows: DecidedRows, pair: Pair) -> Html:
    """What two criteria add together, at a few values of each."""
    model: ScoreModel = rows.model
    both = [_few(rows, j) for j in (pair.first, pair.second)]
    codes = [
        np.array([_code(model, j, value) for value in values], dtype=np.intp)
        for j, values in zip((pair.first, pair.second), both)
    ]
    together = pair.at(codes[0][:, None], codes[1])
    each = [
        one.log_odds(
            one.tables.single[pair.first][codes[0]][:, None]
            + one.tables.single[pair.second][codes[1]]
            + together
        )
        for one in model.boundaries
    ]
    found = np.mean(each, axis=0)
    top = float(found.max()) or 1.0
    first, second = (model.criteria[j] for j in (pair.first, pair.second))
    corner = f"{_name(model, pair.first)} ↓ {_name(model, pair.second)} →"
    head = heads([corner, *(shown_value(second, value) for value in both[1])])
    lines = (
        element(
            "tr",
            element("th", shown_value(first, value), scope="row"),
            *(element("td", f"{cell:.2f}", class_=_shade(cell / top)) for cell in line),
        )
        for value, line in zip(both[0], found.tolist())
    )
    label = f"{_name(model, pair.first)} and {_name(model, pair.second)}"
    return region(label, table(head, lines, class_="plain"))


def _shade(share: float) -> str:
    """A cell is the darker, the more both criteria add."""
    step = int(np.ceil(3 * share - 0.25))
    return f"count same heat{step}" if step > 0 else "count"


def _few(rows: DecidedRows, j: int) -> list[float]:
    """A few values of a criterion that occur, from the worst to the best."""
    criterion: Criterion = rows.model.criteria[j]
    column = rows.values[:, j]
    values = np.unique(column[~np.isnan(column)])
    if criterion.labels is not None:
        values = np.arange(len(criterion.labels), dtype=np.float64)
    if values.size > _CELLS:
        ends = np.quantile(column[~np.isnan(column)], np.linspace(0, 1, _CELLS), method="nearest")
        values = np.unique(ends) if criterion.labels is None else values
    ordered: list[float] = values[:: criterion.direction].tolist()
    return ordered


# ---- what the page computes with --------------------------------------------------------------


def sum_payload(model: ScoreModel, axes: Sequence[Axis]) -> dict[str, Any]:
    """What the page needs to add up by itself."""
    first = model.boundaries[0]
    return {
        "literals": literals_payload(model.literals, axes),
        "sum": {
            "slope": first.slope,
            "units": first.units,
            "boundaries": [
                {
                    "constant": one.tables.constant,
                    "needed": one.needed,
                    "single": [table.tolist() for table in one.tables.single],
                }
                for one in model.boundaries
            ],
            "moved": [PASSED, MISSED],
            "pairs": [
                [pair.first, pair.second, *(part.tolist() for part in pair.joint)]
                for pair in _pairs_of(model)
            ],
        },
        "typical": [],
    }
