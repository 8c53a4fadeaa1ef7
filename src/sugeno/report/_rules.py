"""The rules as a grid: what each asks of which criterion, and what it stands on."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sugeno.model.boundary import Boundary
from sugeno.model.rules import RuleSet
from sugeno.report._axes import Axis, small_histogram
from sugeno.report._markup import Html, breakable, element, join
from sugeno.report._rows import Rows
from sugeno.report._words import amount, percent, plural, relations

__all__ = [
    "RuleFacts",
    "criteria_by_use",
    "facts_of",
    "grid",
    "rule_line",
    "sentence",
    "used_literals",
]

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

_SIDES = ((1, "positive"), (0, "negative"))
#: Rules that the grid shows; the sentences beneath it have all.
_SHOWN = 60


@dataclass(frozen=True)
class RuleFacts:
    """What one rule, or one clause, stands on.

    Attributes
    ----------
    covered : float
        Weight of the rows that satisfy the rule; of a clause, of the rows that it refuses.
    right : float
        The part of it that is decided rightly.
    alone : float
        The part of it that no other rule covers.
    typical : int or None
        A row, rightly decided, that is like most rows that the rule covers.
    """

    covered: float
    right: float
    alone: float
    typical: int | None


def used_literals(rules: RuleSet) -> Bools:
    """Which literals occur in a rule."""
    used = np.zeros(rules.n_literals, dtype=np.bool_)
    used[[literal for members in rules.sets for literal in members]] = True
    return used


def criteria_by_use(rows: Rows) -> tuple[list[int], list[int]]:
    """Criteria that a rule speaks about, the most important first; and the others."""
    used = [model.literals.columns[used_literals(model.rules)] for model in rows.models]
    spoken = {j for columns in used for j in columns.tolist()}
    order = np.argsort(-rows.importances, kind="stable").tolist()
    return [j for j in order if j in spoken], [j for j in order if j not in spoken]


def matches(rows: Rows) -> Bools:
    """Which rows each rule accepts, or each clause refuses: shape (R, n)."""
    rules = rows.model.rules
    found = np.empty((len(rules), len(rows.values)), dtype=np.bool_)
    for r, members in enumerate(rules.sets):
        reached = rows.reached[:, list(members)]
        found[r] = reached.all(axis=1) if rules.form == "dnf" else ~reached.any(axis=1)
    return found


def facts_of(rows: Rows, step: int) -> list[RuleFacts]:
    """Count what each rule covers; typical rows are among every ``step``-th."""
    found = matches(rows)
    times = found.sum(axis=0)
    right = rows.positive if rows.model.rules.form == "dnf" else ~rows.positive
    ranks = _ranks(rows.values[::step])
    return [
        RuleFacts(
            float(rows.weight[covered].sum()),
            float(rows.weight[covered & right].sum()),
            float(rows.weight[covered & (times == 1)].sum()),
            _most_typical(ranks, (covered & right)[::step]),
        )
        for covered in found
    ]


def _ranks(values: Floats) -> Floats:
    """Place of each value in its column, so that scales do not matter."""
    ranks = np.empty(values.shape)
    for j, column in enumerate(values.T):
        _, ranks[:, j] = np.unique(column, return_inverse=True)
    scaled: Floats = ranks / np.maximum(ranks.max(axis=0), 1.0)
    return scaled


def _most_typical(ranks: Floats, chosen: Bools) -> int | None:
    """The row that is nearest to the medians of the chosen ones."""
    places = np.flatnonzero(chosen)
    if places.size == 0:
        return None
    away = np.abs(ranks[places] - np.median(ranks[places], axis=0)).sum(axis=1)
    return int(places[np.argmin(away)])


def sentence(rules: RuleSet, names: tuple[str, str]) -> Html:
    """Say in one sentence what the classifier decides."""
    negative, positive = (element("strong", name) for name in names)
    if rules.form == "dnf":
        always, never = any(not members for members in rules.sets), not len(rules)
        what, joint = "rule", "any"
    else:
        always, never = not len(rules), any(not members for members in rules.sets)
        what, joint = "condition", "all"
    if always or never:
        return join("Every row is ", positive if always else negative, ".")
    number = len(rules)
    these = f"this {what} holds" if number == 1 else f"{joint} of these {number} {what}s "
    if number > 1:
        these += "holds" if joint == "any" else "hold"
    return join(
        element("span", positive, class_="swatch positive"),
        f" if {these}; otherwise ",
        element("span", negative, ".", class_="swatch negative"),
    )


def grid(rows: Rows, axes: list[Axis], facts: list[RuleFacts], names: tuple[str, str]) -> Html:
    """Lay out one line per rule, one column per criterion in use."""
    model = rows.model
    used, _ = criteria_by_use(rows)
    if not used:
        return element("p", "No criterion is asked for.", class_="note")
    largest = max(fact.covered for fact in facts) or 1.0
    shown = range(min(len(facts), _SHOWN))
    lines = [rule_line(model, r, used, axes, facts[r], largest) for r in shown]
    more = len(facts) - len(lines)
    note = f"{plural(more, 'more rule')} in the words below." if more else ""
    table = element(
        "table",
        element("thead", _head(model, used, names)),
        element("tbody", *lines),
        class_="grid" if model.rules.form == "dnf" else "grid clauses",
    )
    intro = element("p", _explained(model.rules), class_="intro")
    legend = element(
        "p",
        *(element("span", names[i], class_=f"swatch {k}") for i, k in _SIDES),
        class_="legend",
    )
    region = element("div", table, class_="wide", tabindex=0, role="region", aria_label="The rules")
    return join(intro, legend, region, element("p", note, class_="note") if note else "")


def _explained(rules: RuleSet) -> str:
    """How to read the grid."""
    meaning = (
        "One line per rule, which holds if all that it asks is there; empty cells do not matter."
        if rules.form == "dnf"
        else "One line per condition: all of them have to be met, each by any one of its cells."
    )
    return (
        f"{meaning} The histograms show both classes; what does not reach the level is faded. "
        "The number of a line shows a typical row in the panel below."
    )


def _head(model: Boundary, used: list[int], names: tuple[str, str]) -> Html:
    accepts = model.rules.form == "dnf"
    what, name = ("rule", names[1]) if accepts else ("needs one of", names[0])
    criteria = [
        element("th", breakable(model.literals.criteria[j].name), scope="col") for j in used
    ]
    ends = [
        element("th", "rows" if accepts else f"rows it makes {name}", scope="col", class_="first"),
        element("th", f"{name}, rightly", scope="col"),
        element("th", "only by it", scope="col"),
    ]
    return element("tr", element("th", what, scope="col"), *criteria, *ends)


def rule_line(
    model: Boundary,
    r: int,
    used: list[int],
    axes: list[Axis],
    fact: RuleFacts,
    largest: float,
    before: int = 0,
) -> Html:
    """Write one rule; so many rules of other boundaries stand before those of this one."""
    members = {int(model.literals.columns[i]): i for i in model.rules.sets[r]}
    button = element(
        "button",
        str(r + 1),
        type="button",
        class_="number",
        data_rule=before + r,
        title="Show a typical row in the panel",
    )
    cells = [_cell(model, j, members.get(j), axes[j]) for j in used]
    share = percent(fact.right / fact.covered) if fact.covered else "–"
    covered = element("div", _bar(fact, largest), element("span", amount(fact.covered)))
    ends = [
        element("td", covered, class_="count first", data_label="rows"),
        element("td", share, class_="count", data_label="rightly"),
        element("td", amount(fact.alone), class_="count", data_label="only by it"),
    ]
    return element("tr", element("th", button, scope="row"), *cells, *ends)


def _cell(model: Boundary, j: int, literal: int | None, axis: Axis) -> Html:
    """What a rule asks of a criterion, over the histogram of its values."""
    if literal is None:
        return element("td", element("span", "any value", class_="spoken"), class_="empty")
    criterion = model.literals.criteria[j]
    place = axis.place(float(model.literals.levels[literal]), criterion.direction)
    return element(
        "td",
        element("span", relations(model.literals)[literal], class_="asks"),
        small_histogram(j, place, criterion.direction),
        data_label=criterion.name,
    )


def _bar(fact: RuleFacts, largest: float) -> Html:
    """Rows of the rule as a bar, the rightly decided ones first."""
    right, covered = 100 * fact.right / largest, 100 * fact.covered / largest
    return element(
        "svg",
        element("rect", class_="right", width=f"{right:.2f}", height=6),
        element("rect", class_="wrong", x=f"{right:.2f}", width=f"{covered - right:.2f}", height=6),
        class_="bar",
        viewBox="0 0 100 6",
        preserveAspectRatio="none",
        aria_hidden="true",
    )
