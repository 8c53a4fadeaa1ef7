"""A card of points on the page: criteria, the points of their levels, and what each score means."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from sugeno.model.boundary import Boundary
from sugeno.model.model import settled
from sugeno.report._axes import swatch
from sugeno.report._markup import Html, breakable, element, heads, join, region, row_button, table
from sugeno.report._rows import RuleFacts
from sugeno.report._words import amount, percent, plural, relations

Floats = NDArray[np.float64]


def draw_card(
    boundaries: Sequence[Boundary],
    facts: Sequence[Sequence[RuleFacts]],
    names: Sequence[str],
    first: int = 0,
) -> Html:
    """Draw one card: a line for each criterion, and the classes by score.

    Parameters
    ----------
    boundaries : sequence of Boundary
        They count the same points, and differ in what is needed.
    facts : sequence of sequences of RuleFacts
        Of each boundary and each literal.
    names : sequence of str
        Of the classes below and above these boundaries.
    first : int, default=0
        Place of the first literal among the parts of all boundaries.
    """
    points, literals = boundaries[0].form.formula.points, boundaries[0].literals
    texts = relations(literals)
    last = names[-1] if len(names) == 2 else None
    lines = []
    for j, group in groupby(range(len(points)), key=literals.columns.tolist().__getitem__):
        reached, boxes = 0, []
        for place in group:
            reached += points[place]
            boxes.append(_box(texts[place], reached, facts[0][place], first + place, last))
        name = element("th", breakable(literals.criteria[j].name), scope="row", class_="criterion")
        lines.append(element("tr", name, element("td", element("ol", *boxes, class_="levels"))))
    head = heads(["criterion", "points from each level on"])
    drawn = region("The card", table(head, lines, class_="grid card"))
    return join(drawn, _scale(boundaries, names))


def _box(text: str, reached: int, fact: RuleFacts, place: int, name: str | None) -> Html:
    """A level with the points that a criterion has from it on, and the rows that reach it."""
    share = percent(fact.right / fact.covered) if fact.covered else "–"
    of_class = "" if name is None else f", {share} {name}"
    button = row_button(reached, place)
    counted = element("span", plural(fact.covered, "row") + of_class, class_="count")
    return element("li", button, element("span", text, class_="asks"), counted)


def _scale(boundaries: Sequence[Boundary], names: Sequence[str]) -> Html:
    """The class of each score, with its probability where the score tells it."""
    points = boundaries[0].form.formula.points
    needed = [boundary.form.formula.needed for boundary in boundaries]
    scores = np.arange(sum(points) + 1)
    places = np.searchsorted(needed, scores, side="right")
    chances = _chances(boundaries, scores, places)
    groups = []
    for place, group in groupby(scores.tolist(), key=places.tolist().__getitem__):
        own = list(group)
        # Of two classes all probabilities are those of the second one.
        boxes = [
            element(
                "li",
                element("b", amount(score)),
                *([] if chances is None else [element("span", _share(float(chances[score])))]),
            )
            for score in own
        ]
        span = amount(own[0]) if len(own) == 1 else f"{amount(own[0])} to {amount(own[-1])}"
        unit = "point" if own == [1] else "points"
        heading = element("p", swatch(names, place), f" with {span} {unit}")
        groups.append(
            element(
                "div",
                heading,
                element("ol", *boxes, class_="scores", start=own[0]),
                class_="scored",
            )
        )
    never = [name for place, name in enumerate(names) if place not in places]
    left_out = element("p", f"No score gives {' or '.join(never)}.", class_="note")
    of_what = f"Probability of {names[-1]}" if len(names) == 2 else "Probability of the class"
    title = "Scores" if chances is None else f"{of_what} by points"
    return join(element("h3", title), *groups, left_out if never else Html(""))


def _share(chance: float) -> str:
    """A probability; never 0 or 100 % where it is not."""
    text = percent(chance)
    if text == percent(1.0) and chance < 1:
        return f"> {percent(0.999)}"
    return f"< {percent(0.001)}" if text == percent(0.0) and chance > 0 else text


def _chances(
    boundaries: Sequence[Boundary], scores: NDArray[np.intp], places: NDArray[np.intp]
) -> Floats | None:
    """The probability of the class of each score; of two classes that of the second one."""
    passed = []
    for boundary in boundaries:
        formula, probability = boundary.form.formula, boundary.probability
        if not np.array_equal(probability.gains, formula.points):
            return None
        asked = scores.astype(np.float64)
        passed.append(
            np.where(
                scores >= formula.needed, probability.accepted(asked), probability.rejected(asked)
            )
        )
    if len(passed) == 1:
        return passed[0]
    ends = np.ones(scores.size)
    falling = np.vstack([ends, settled(np.transpose(passed)).T, 0 * ends])
    found: Floats = -np.diff(falling, axis=0)[places, np.arange(scores.size)]
    return found
