"""What is stable where the fit was repeated on resampled rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from sugeno.report._markup import Html, breakable, element, heads, join, region, table
from sugeno.report._words import percent, plural


class Recurrence(Protocol):
    """What `rule_stability` measured."""

    @property
    def n_rules(self) -> Sequence[int]:
        """Number of rules of each repetition."""

    @property
    def recurring(self) -> float:
        """Share of the conditions that recur."""

    @property
    def conditions(self) -> Sequence[Mapping[str, Any]]:
        """Of each condition how often it recurs."""

    @property
    def criteria(self) -> Sequence[Mapping[str, Any]]:
        """Of each criterion how often it is asked for, and between which levels."""


def stability_section(found: Recurrence | None) -> Html:
    """Say which criteria, directions and levels recur; nothing where that was not measured."""
    if found is None:
        return Html("")
    said = (
        f"The fit was repeated {plural(len(found.n_rules), 'time')} on rows that were drawn with "
        f"replacement. In the mean {percent(found.recurring)} of the conditions above came back "
        "exactly. Read the criteria and the ranges of their levels as what is known, and a single "
        "level as one choice among several."
    )
    names = ("criterion", "better is", "asked for in", "levels, four fifths of them", "above")
    lines = [
        element(
            "tr",
            element("th", breakable(one["criterion"]), scope="row"),
            element("td", _BETTER[one["direction"]], data_label="better is"),
            element("td", percent(one["stability"]), class_="count", data_label="asked for in"),
            element("td", one["levels"], data_label="levels"),
            element("td", "yes" if one["here"] else "no", data_label="above"),
        )
        for one in found.criteria
    ]
    shares = [
        element("li", one["condition"], ": ", percent(one["stability"])) for one in found.conditions
    ]
    single = element(
        "details", element("summary", "How often each condition came back"), element("ul", *shares)
    )
    parts = [
        element("h2", "What is stable?"),
        element("p", said, class_="intro"),
        region("Stability", table(heads(names), lines, class_="plain stacked")),
        single,
    ]
    return element("section", join(*parts), id="stability")


_BETTER = {"more is better": "more", "less is better": "less", "categories": "by category"}
