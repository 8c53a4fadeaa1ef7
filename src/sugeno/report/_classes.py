"""Ordered classes, all at once: nested rules, decided beside true classes, how far off."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sugeno.model.boundary import Certificate
from sugeno.model.model import Model
from sugeno.report._axes import Axis, shade
from sugeno.report._errors import Figure, comparison, figures, given_error, wilson
from sugeno.report._markup import Html, breakable, element, join
from sugeno.report._rows import Rows
from sugeno.report._rules import RuleFacts, criteria_by_use, rule_line
from sugeno.report._words import amount, percent, plural

__all__ = ["confusion", "ordered_parts"]

Floats = NDArray[np.float64]

#: Rules that the grid shows in all, and of each boundary in any case.
_SHOWN, _SHOWN_EACH = 60, 5
#: Steps of the shades of the table of classes.
_HEAT = 4


def ordered_parts(
    every: list[Rows],
    names: tuple[str, ...],
    axes: list[Axis],
    facts: list[list[RuleFacts]],
    fitted: Model,
    model: Any,
    error: Any,
    new_rows: bool,
    baseline: Mapping[str, float] | None,
) -> dict[str, str]:
    """What a page says of ordered classes in its own words."""
    counts = confusion(every)
    found = _error(counts, error, new_rows)
    shown = [found, _distance(counts), *_left_out(model), *_sizes(every, names)]
    return {
        "title": f"From {names[0]} to {names[-1]}",
        "sentence": _sentence(names),
        "figures": figures([*shown, _proof(fitted.certificate)]),
        "comparison": comparison(found.value, baseline),
        "grid": _grid(every, names, axes, facts),
        "words": element("pre", "\n".join(rules.to_text(words=True) for rules in fitted.rules)),
        "classes": _section(counts, names),
        "classes_link": element("a", "Classes", href="#classes"),
        "course": "",
        "course_link": "",
    }


def confusion(every: list[Rows]) -> Floats:
    """Weight of the rows by true class (line) and decided class (column)."""
    rows, n_classes = every[0], len(every) + 1
    decided = np.sum([side.accepted for side in every], axis=0)
    cells = np.bincount(
        rows.places * n_classes + decided, weights=rows.weight, minlength=n_classes**2
    )
    return np.asarray(cells.reshape(n_classes, n_classes), dtype=np.float64)


def _off(counts: Floats) -> NDArray[np.int64]:
    """By how many classes each cell is too high."""
    places = np.arange(len(counts))
    return places - places[:, None]


def _error(counts: Floats, given: Any, new_rows: bool) -> Figure:
    total, off = float(counts.sum()), _off(counts)
    wrong = float(counts[off != 0].sum())
    if given is not None:
        return given_error(given, wrong / total)
    low, high = wilson(wrong, total)
    sides = (amount(float(counts[side].sum())) for side in (off > 0, off < 0))
    detail = f"95 % interval {percent(low)} to {percent(high)}; {next(sides)} too high, "
    where = "new rows" if new_rows else "these rows"
    return Figure(percent(wrong / total), f"errors on {where}", f"{detail}{next(sides)} too low")


def _distance(counts: Floats) -> Figure:
    """Mean absolute error, in classes."""
    off = np.abs(_off(counts))
    mean = float((counts * off).sum() / counts.sum())
    far = float(counts[off > 1].sum() / counts.sum())
    return Figure(f"{mean:.2f}", "classes off, in the mean", f"{percent(far)} off by two or more")


def _left_out(model: Any) -> list[Figure]:
    """The loss in the folds that chose the model."""
    if getattr(model, "cv_results_", None) is None or model.scoring is not None:
        return []
    kinds = plural(len(model.cv_results_["params"]), "kind")
    detail = f"mean of {plural(model.n_splits_, 'fold')}; they also chose among {kinds} of models"
    return [Figure(f"{-model.best_score_:.2f}", "loss of a row left out", detail)]


def _sizes(every: list[Rows], names: tuple[str, ...]) -> list[Figure]:
    n, m = every[0].values.shape
    sets = [side.model.rules.sets for side in every]
    longest = max((len(members) for rules in sets for members in rules), default=0)
    number, most = sum(map(len, sets)), max(map(len, sets))
    return [
        Figure(
            amount(n), f"rows, {plural(m, 'criterion', 'criteria')}", f"in {len(names)} classes"
        ),
        Figure(
            amount(number),
            "rule" if number == 1 else "rules",
            f"for {plural(len(sets), 'boundary', 'boundaries')} between classes, at most {most} "
            f"each, with at most {plural(longest, 'criterion', 'criteria')}",
        ),
    ]


def _proof(certificate: Certificate) -> Figure:
    """What is proved about the loss of all boundaries together."""
    objective, bound = certificate.objective, certificate.bound
    if not (math.isfinite(objective) and math.isfinite(bound)):
        return Figure("–", "nothing is proved", "these rules were given, or edited")
    if certificate.gap == 0:
        return Figure(
            "proved",
            "the best there is",
            f"no nested rules with these levels have less training loss ({objective:.4g})",
        )
    return Figure(
        f"≤ {certificate.gap:.3g}",
        "of training loss from the best, proved",
        f"loss {objective:.4g}; no nested rules with these levels have less than {bound:.4g}",
    )


def _sentence(names: tuple[str, ...]) -> Html:
    return join(
        "A row gets the highest class whose rules it satisfies, by any one of them, and ",
        element("strong", names[0]),
        " if it satisfies none. The rules are nested: whoever is at least ",
        element("strong", names[2]),
        " is at least ",
        element("strong", names[1]),
        ".",
    )


def _grid(
    every: list[Rows], names: tuple[str, ...], axes: list[Axis], facts: list[list[RuleFacts]]
) -> Html:
    """One table for all boundaries, a part for each."""
    used, _ = criteria_by_use(every[0])
    if not used:
        return element("p", "No criterion is asked for.", class_="note")
    limit = max(_SHOWN_EACH, _SHOWN // len(every))
    firsts = accumulate((len(side.model.rules) for side in every), initial=0)
    parts = [
        _boundary(side, names[b + 1], used, axes, facts[b], limit, first)
        for b, (side, first) in enumerate(zip(every, firsts))
    ]
    table = element("table", element("thead", _head(every[0], used)), *parts, class_="grid")
    intro = (
        "One line per rule, which holds if all that it asks is there; empty cells do not matter. "
        "The histograms show all classes; what does not reach the level is faded. The number of a "
        "line shows a typical row in the panel below."
    )
    more = sum(max(0, len(side.model.rules) - limit) for side in every)
    note = element("p", f"{plural(more, 'more rule')} in the words below.", class_="note")
    region = element("div", table, class_="wide", tabindex=0, role="region", aria_label="The rules")
    return join(
        element("p", intro, class_="intro"), _legend(names), region, note if more else Html("")
    )


def _legend(names: tuple[str, ...]) -> Html:
    marks = (
        element("span", name, class_=f"swatch order {shade(place, len(names))}")
        for place, name in enumerate(names)
    )
    return element("p", *marks, class_="legend")


def _head(rows: Rows, used: list[int]) -> Html:
    criteria = rows.model.literals.criteria
    cells = [element("th", breakable(criteria[j].name), scope="col") for j in used]
    ends = [
        element("th", "rows", scope="col", class_="first"),
        element("th", "rightly", scope="col"),
        element("th", "only by it", scope="col"),
    ]
    return element("tr", element("th", "rule", scope="col"), *cells, *ends)


def _boundary(
    rows: Rows,
    name: str,
    used: list[int],
    axes: list[Axis],
    facts: list[RuleFacts],
    limit: int,
    first: int,
) -> Html:
    """The rules of one boundary, under a line that says what they lead to."""
    largest = max((fact.covered for fact in facts), default=1.0) or 1.0
    lines = [
        rule_line(rows.model, r, used, axes, facts[r], largest, first)
        for r in range(min(len(facts), limit))
    ]
    always = any(not members for members in rows.model.rules.sets)
    meaning = " if any of these holds" if len(facts) > 1 else " if"
    meaning = ": every row" if always else meaning if facts else ": no row"
    words = element("th", "At least ", element("strong", name), meaning, colspan=len(used) + 4)
    head = element("tr", words, class_="boundary")
    return element("tbody", head, *lines)


def _section(counts: Floats, names: tuple[str, ...]) -> Html:
    """The table of true and decided classes."""
    head = [element("th", name, scope="col", class_="count") for name in names]
    corner = element("th", "in truth ↓ decided →", scope="col")
    right = element("th", "rightly", scope="col", class_="count first")
    lines = (_line(counts[place], place, names) for place in range(len(names)))
    table = element(
        "table",
        element("thead", element("tr", corner, *head, right)),
        element("tbody", *lines),
        class_="plain confusion",
    )
    intro = (
        "A line per class in truth, a column per class decided: the diagonal is right, and what is "
        "beside it is off by one class. A number lists its rows below."
    )
    region = element("div", table, class_="wide", tabindex=0, role="region", aria_label="Classes")
    return element(
        "section",
        element("h2", "Decided, and in truth"),
        element("p", intro, class_="intro"),
        region,
        id="classes",
    )


def _line(counts: Floats, place: int, names: tuple[str, ...]) -> Html:
    total = float(counts.sum())
    cells = []
    for decided, weight in enumerate(counts.tolist()):
        heat = math.ceil(_HEAT * weight / total) if weight else 0
        kind = f"count heat{heat}" + (" same" if decided == place else "")
        said = f"{amount(weight)}: in truth {names[place]}, decided {names[decided]}"
        button = element(
            "button", amount(weight), type="button", data_cell=f"{place} {decided}", aria_label=said
        )
        cells.append(element("td", button if weight else "·", class_=kind))
    share = percent(float(counts[place]) / total) if total else "–"
    return element(
        "tr",
        element("th", names[place], scope="row"),
        *cells,
        element("td", share, class_="count first"),
    )
