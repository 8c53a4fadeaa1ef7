"""The rules: what each asks of which criterion, and what it stands on.

A grid over the histograms of the criteria where it fits on the page; of more criteria a line per
rule. A card of points has a line per condition, and a scale of the scores.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from sugeno.model.boundary import Boundary
from sugeno.model.card import Card
from sugeno.model.form import Form
from sugeno.model.model import Model
from sugeno.model.score_model import ScoreModel
from sugeno.report._axes import Axis, bar, both_ways, legend, small_histogram
from sugeno.report._card import draw_card
from sugeno.report._markup import Html, breakable, element, join, region, row_button
from sugeno.report._rows import DecidedRows, RuleFacts
from sugeno.report._words import amount, plural, relations, rightly

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

#: Rules that are shown in all, and of each boundary in any case; the sentences have all.
_SHOWN, _SHOWN_EACH = 60, 5
#: Criteria that a grid has columns for, and characters that fit beside each other in them.
_MOST_COLUMNS, _MOST_CHARACTERS = 8, 80
#: The narrowest column of a grid, in characters.
_NARROWEST = 8


def criteria_by_use(model: Model | ScoreModel) -> tuple[list[int], list[int]]:
    """Criteria that a rule speaks about, or that add anything, the most important first.

    And the others.
    """
    if isinstance(model, ScoreModel):
        used = model.importance_order
        return used, [j for j in range(len(model.criteria)) if j not in used]
    spoken = {
        int(boundary.literals.columns[i])
        for boundary in model.boundaries
        for i in boundary.form.used
    }
    order = np.argsort(-model.importances, kind="stable").tolist()
    return [j for j in order if j in spoken], [j for j in order if j not in spoken]


def columns_by_use(model: Model | ScoreModel) -> tuple[list[int], list[int]]:
    """The same, where of two criteria that read a column both ways the first one stands for it."""
    used, idle = criteria_by_use(model)
    seen: set[int] = set()
    for j in used + idle:
        if not seen & {*both_ways(model, j)}:
            seen.add(j)
    return [j for j in used if j in seen], [j for j in idle if j in seen]


def form_noun(model: Model | ScoreModel) -> str:
    """What people call the form: "rules", "card" where points are counted, or "ensemble"."""
    if isinstance(model, ScoreModel):
        return "ensemble"
    return "card" if model.boundaries[0].form.formula.counts_points else "rules"


def _accepts(form: Form) -> bool:
    """Whether its parts accept (rules), or refuse where they fail (clauses)."""
    return form.formula.joint == "and"


def sentence(model: Model, names: Sequence[str]) -> Html:
    """Say in one sentence what the classifier decides."""
    lowest = element("strong", names[0])
    if len(names) > 2:
        if model.rules.cards:
            return _sentence_of_card(model, names)
        second, third = (element("strong", name) for name in names[1:3])
        return join(
            "A row gets the highest class whose rules it satisfies, and ",
            lowest,
            " if it satisfies none. The rules are nested: whoever is at least ",
            third,
            " is at least ",
            second,
            ".",
        )
    form, highest = model.boundaries[0].form, element("strong", names[1])
    verdict = _verdict(form)
    if verdict is not None:
        return join("Every row is ", highest if verdict else lowest, ".")
    return join(
        element("span", highest, class_="swatch positive"),
        f" {_where(form)}; otherwise ",
        element("span", lowest, ".", class_="swatch negative"),
    )


def _sentence_of_card(model: Model, names: Sequence[str]) -> Html:
    """Say which class has how many points."""
    cards = model.rules.cards
    asked = [
        part
        for name, card in zip(names[1:], cards)
        for part in (", ", element("strong", name), f" from {card.needed}")
    ]
    return join(
        "Points are added up, and a row gets the highest class for which it has enough: ",
        *asked[1:],
        f" of {plural(cards[0].total, 'point')}; with fewer it is ",
        element("strong", names[0]),
        ".",
    )


def _verdict(form: Form) -> bool | None:
    """What every row gets; None where it depends on the row."""
    formula = form.formula
    holds_always = formula.joint == "and"  # a part that asks for nothing
    pairs = list(zip(formula.parts, formula.points))
    least = sum(points for part, points in pairs if not part and holds_always)
    most = sum(points for part, points in pairs if part or holds_always)
    return True if least >= formula.needed else False if most < formula.needed else None


def _where(form: Form) -> str:
    """Say in a few words when a form accepts."""
    formula = form.formula
    if formula.counts_points:
        enough = f"from {formula.needed} of {sum(formula.points)} points on"
        if isinstance(form, Card) and form.alone is not None:
            return f"if {form.literal_set.texts[form.alone]}: {enough}"
        return enough
    what = "rule" if _accepts(form) else "condition"
    if len(form) == 1:
        return f"if this {what} holds"
    joint, verb = ("any", "holds") if _accepts(form) else ("all", "hold")
    return f"if {joint} of these {len(form)} {what}s {verb}"


def rules(
    rows: DecidedRows, axes: list[Axis], facts: list[list[RuleFacts]], names: Sequence[str]
) -> Html:
    """Lay out the rules of all boundaries, each below what it leads to."""
    model = rows.model
    used, _ = criteria_by_use(model)
    if not used:
        return element("p", "No criterion is asked for.", class_="note")
    if form_noun(model) == "card":
        intro = element("p", _explained(model), class_="intro")
        return join(intro, *_cards(model, facts, names))
    limit = max(_SHOWN_EACH, _SHOWN // len(model.boundaries))
    lists = _lists(model, facts, names, limit)
    drawn = _drawn(model, used, axes, lists, names)
    more = sum(
        len(boundary.form) - len(one.lines)
        for boundary, one in zip(model.boundaries, lists)
        if _verdict(boundary.form) is None
    )
    note = element("p", f"{plural(more, 'more rule')} in the words below.", class_="note")
    return join(
        element("p", _explained(model), class_="intro"),
        legend(names),
        drawn,
        note if more else Html(""),
        *_told_beside(model),
    )


def _told_beside(model: Model) -> Iterator[Html]:
    """Name the conditions of no rule that probabilities rest on."""
    texts = dict.fromkeys(
        boundary.literals.texts[i]
        for boundary in model.boundaries
        for i in np.flatnonzero(boundary.probability.gains).tolist()
        if i not in boundary.form.used
    )
    if texts:
        said = "Probabilities also rest on conditions that decide nothing: "
        yield element("p", said, breakable(", ".join(texts)), ".", class_="note")


def _cards(model: Model, facts: list[list[RuleFacts]], names: Sequence[str]) -> Iterator[Html]:
    """The one card of all boundaries, or one for each."""
    boundaries = model.decisive  # with the probabilities that predict_proba has
    if model.rules.cards:
        yield draw_card(boundaries, facts, names)
        return
    firsts = accumulate((len(boundary.form) for boundary in boundaries), initial=0)
    for boundary, mine, first, name in zip(boundaries, facts, firsts, names[1:]):
        yield draw_card([boundary], [mine], (f"below {name}", f"at least {name}"), first)


def _drawn(
    model: Model, used: list[int], axes: list[Axis], lists: list[_List], names: Sequence[str]
) -> Html:
    """The table that suits the form, and the width of the page."""
    refused = None if _accepts(model.boundaries[0].form) else names[0]
    if _fits(model, used):
        return _grid(model, used, axes, lists, refused)
    return _lines(axes, lists, refused)


@dataclass(frozen=True)
class _Line:
    """One rule to be shown: its number, of its boundary and of all, its literals and counts."""

    number: int
    place: int
    boundary: Boundary
    members: tuple[int, ...]
    fact: RuleFacts
    largest: float


@dataclass(frozen=True)
class _List:
    """What rules of a boundary lead to, in words, and the rules that are shown."""

    heading: Html
    lines: list[_Line]


def _lists(
    model: Model, facts: list[list[RuleFacts]], names: Sequence[str], limit: int
) -> list[_List]:
    firsts = accumulate((len(boundary.form) for boundary in model.boundaries), initial=0)
    lists = []
    for boundary, mine, first, name in zip(model.boundaries, facts, firsts, names[1:]):
        largest = max((fact.covered for fact in mine), default=1.0) or 1.0
        parts = boundary.form.formula.parts if _verdict(boundary.form) is None else ()
        lines = [
            _Line(r + 1, first + r, boundary, members, mine[r], largest)
            for r, members in enumerate(parts[:limit])
        ]
        lists.append(_List(_heading(boundary.form, name, len(names) > 2), lines))
    return lists


def _heading(form: Form, name: str, ordered: bool) -> Html:
    """Say what the rules of a boundary lead to."""
    subject = join("At least " if ordered else "", element("strong", name))
    verdict = _verdict(form)
    if verdict is not None:
        return join(subject, ": every row" if verdict else ": no row")
    if form.formula.counts_points:
        return join(subject, f" {_where(form)}")
    if len(form) == 1:
        return join(subject, " if")
    if _accepts(form):
        return join(subject, " if any of these holds")
    return join(subject, " if all of these hold, each by any one of its conditions")


def _explained(model: Model) -> str:
    """How to read the rules."""
    if form_noun(model) == "card":
        return (
            "A criterion has the points of the last level that it reaches, and the points of all "
            "criteria are added up. A button shows a typical row in the panel below."
        )
    of_what = "rule, which holds if all that it asks is there"
    if not _accepts(model.boundaries[0].form):
        of_what = "condition, which is met by any one of what it names"
    return (
        f"One line per {of_what}. The histograms show all classes; what does not reach the level "
        "is faded. The number of a line shows a typical row in the panel below."
    )


# ---- a grid ----------------------------------------------------------------------------------


def _fits(model: Model, used: list[int]) -> bool:
    """Whether a column per criterion fits on a page, on a screen and on paper."""
    if len(used) > _MOST_COLUMNS:
        return False
    widths = dict.fromkeys(used, _NARROWEST)
    for boundary in model.boundaries:
        texts = relations(boundary.literals)
        for i in boundary.form.used:
            j = int(boundary.literals.columns[i])
            widths[j] = max(widths[j], len(texts[i]))
    for j in used:
        longest = max(map(len, re.split(r"[\s_-]", model.criteria[j].name)))
        widths[j] = max(widths[j], longest)
    return sum(widths.values()) + 2 * len(used) <= _MOST_CHARACTERS


def _grid(
    model: Model, used: list[int], axes: list[Axis], lists: list[_List], refused: str | None
) -> Html:
    """One line per rule, one column per criterion in use."""
    bodies = []
    for one in lists:
        words = element("th", one.heading, colspan=len(used) + 4)
        lines = (_row(line, used, axes) for line in one.lines)
        bodies.append(element("tbody", element("tr", words, class_="boundary"), *lines))
    kind = "grid" if refused is None else "grid clauses"
    table = element("table", element("thead", _head(model, used, refused)), *bodies, class_=kind)
    return region("The rules", table)


def _head(model: Model, used: list[int], refused: str | None) -> Html:
    criteria = [element("th", breakable(model.criteria[j].name), scope="col") for j in used]
    ends = [
        element("th", f"rows{_made(refused)}", scope="col", class_="first"),
        element("th", "rightly", scope="col"),
        element("th", "only by it", scope="col"),
    ]
    what = "rule" if refused is None else "needs one of"
    return element("tr", element("th", what, scope="col"), *criteria, *ends)


def _made(refused: str | None) -> str:
    """What clauses do to the rows that they cover."""
    return "" if refused is None else f" it makes {refused}"


def _row(line: _Line, used: list[int], axes: list[Axis]) -> Html:
    literals = line.boundary.literals
    members = {int(literals.columns[i]): i for i in line.members}
    cells = [_cell(line.boundary, j, members.get(j), axes[j]) for j in used]
    covered = element("div", _bar(line), element("span", amount(line.fact.covered)))
    ends = [
        element("td", covered, class_="count first", data_label="rows"),
        element("td", _rightly(line.fact), class_="count", data_label="rightly"),
        element("td", amount(line.fact.alone), class_="count", data_label="only by it"),
    ]
    number = element("th", row_button(line.number, line.place), scope="row")
    return element("tr", number, *cells, *ends)


def _rightly(fact: RuleFacts) -> str:
    return rightly(fact.right / fact.covered, fact.covered) if fact.covered else "–"


def _cell(boundary: Boundary, j: int, literal: int | None, axis: Axis) -> Html:
    """What a rule asks of a criterion, over the histogram of its values."""
    if literal is None:
        return element("td", element("span", "any value", class_="spoken"), class_="empty")
    return element(
        "td",
        element("span", relations(boundary.literals)[literal], class_="asks"),
        _picture(boundary, literal, axis),
        data_label=boundary.criteria[j].name,
    )


def _picture(boundary: Boundary, literal: int, axis: Axis) -> Html:
    """The histogram of a criterion with the level of a literal."""
    j = int(boundary.literals.columns[literal])
    direction = boundary.criteria[j].direction
    place = axis.place(float(boundary.literals.levels[literal]), direction)
    return small_histogram(j, place, direction)


def _bar(line: _Line) -> Html:
    """Rows of the rule as a bar, the rightly decided ones first."""
    fact, largest = line.fact, line.largest
    right, covered = 100 * fact.right / largest, 100 * fact.covered / largest
    return bar(
        element("rect", class_="right", width=f"{right:.2f}", height=6),
        element("rect", class_="wrong", x=f"{right:.2f}", width=f"{covered - right:.2f}", height=6),
    )


# ---- lines -----------------------------------------------------------------------------------


def _lines(axes: list[Axis], lists: list[_List], refused: str | None) -> Html:
    """One line per rule, what it asks one after the other; histograms on demand."""
    parts = []
    for one in lists:
        parts.append(element("p", one.heading, class_="leads"))
        parts.append(
            element("ol", *(_line(line, axes, refused) for line in one.lines), class_="lines")
        )
    return element("div", *parts, class_="listed" if refused is None else "listed clauses")


def _line(line: _Line, axes: list[Axis], refused: str | None) -> Html:
    boundary, fact = line.boundary, line.fact
    texts, criteria = relations(boundary.literals), boundary.criteria
    columns = boundary.literals.columns
    asked = [
        element(
            "span", breakable(criteria[columns[i]].name), " ", element("b", texts[i]), class_="ask"
        )
        for i in line.members
    ]
    joint = element("span", f" {boundary.form.formula.joint} ", class_="joint")
    words = [part for one in asked for part in (joint, one)][1:]
    counts = (
        f"{plural(fact.covered, 'row')}{_made(refused)}, {_rightly(fact)} rightly, "
        f"{amount(fact.alone)} only by it"
    )
    pictures = (
        element(
            "figure",
            element("figcaption", breakable(criteria[columns[i]].name), f" {texts[i]}"),
            _picture(boundary, i, axes[columns[i]]),
        )
        for i in line.members
    )
    shown = element("div", *pictures, class_="pictures")
    return element(
        "li",
        row_button(line.number, line.place),
        element(
            "div",
            element("p", *words, class_="asked"),
            element("p", _bar(line), element("span", counts), class_="counts"),
            element("details", element("summary", "Values"), shown),
        ),
    )
