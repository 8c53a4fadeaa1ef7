"""What was assumed about the columns, and how each line can be overruled."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterable, Sequence
from typing import Any

from sugeno._scales.assumed import AssumedColumn
from sugeno._scales.criterion import Criterion
from sugeno.model.model import Model
from sugeno.model.per_class import ModelPerClass
from sugeno.model.score_model import ScoreModel
from sugeno.report._markup import Html, breakable, element, heads, join, region, table

#: Directions as they are said beside the name of a class.
_WAYS = {"up": "more", "down": "less", "free": "either way"}
#: Of more labels the first and the last are enough to show how an order is written.
_MOST_LABELS = 6
#: What stands in place of the labels between.
_MORE = "…"


def assumed(model: Model | ScoreModel, names: Sequence[str], *, on_command_line: bool) -> Html:
    """Write the section; nothing where the columns were taken as they are.

    Parameters
    ----------
    model : Model or ScoreModel
        What was learned.
    names : sequence of str
        How the classes are called, the lowest first.
    on_command_line : bool
        Whether options are written as the command line takes them.
    """
    if model.assumed is None:
        return Html("")
    intro = join(
        "Found in the training rows, unless it says “given”. If you know better, say so with ",
        element("code", "--column" if on_command_line else "columns="),
        " and learn again; “drop” leaves a column out.",
    )
    return element(
        "section",
        element("h2", "What was assumed"),
        element("p", intro, class_="intro"),
        _absences(model.assumed, on_command_line),
        _table(model, names, on_command_line),
        element("p", _explained(model, names), class_="note"),
        id="assumed",
    )


def left_out(model: ModelPerClass, *, on_command_line: bool) -> Html:
    """Say which columns no class is told by; each class has a page about the others."""
    if model.assumed is None:
        return Html("")
    for_all = [column for column in model.assumed if not column.of_class]
    return element(
        "section",
        element("h2", "What was assumed"),
        _absences(for_all, on_command_line),
        element(
            "p",
            "Each class has directions and orders of labels of its own. The page about a class "
            "says what was assumed for it.",
            class_="note",
        ),
        id="assumed",
    )


def _absences(columns: Iterable[AssumedColumn], on_command_line: bool) -> Html:
    """A list of the columns that are left out; nothing where there are none."""
    lines = [_absent(column, on_command_line) for column in columns if column.left_out]
    return element("ul", *lines, class_="findings") if lines else Html("")


def _absent(column: AssumedColumn, on_command_line: bool) -> Html:
    """A column that is left out, why, and what brings it back."""
    said = overruling(column, None)
    back = join(" Say otherwise: ", _option(column.column, said, on_command_line), ".")
    return element(
        "li",
        element("strong", breakable(column.column)),
        f" is left out: {column.left_out}.",
        back if said else Html(""),
    )


def _table(model: Model | ScoreModel, names: Sequence[str], on_command_line: bool) -> Html:
    """One line for each column that is used."""
    lines = assumed_lines(model, names)
    titles = [title for title in lines[0] if any(line[title] for line in lines)] if lines else []
    criteria = {criterion.name: criterion for criterion in model.criteria}
    columns = {column.column: column for column in model.assumed or ()}
    shown = []
    for line in lines:
        name = line["column"]
        said = overruling(columns[name], criteria[name])
        cells = [element("td", line[title], data_label=title) for title in titles[1:]]
        option = _option(name, said, on_command_line)
        cells.append(element("td", option, data_label="say otherwise"))
        shown.append(element("tr", element("th", breakable(name), scope="row"), *cells))
    head = heads([*titles, "say otherwise"])
    return region("Columns", table(head, shown, class_="plain stacked"))


def assumed_lines(model: Model | ScoreModel, names: Sequence[str]) -> list[dict[str, str]]:
    """What was assumed about each column that is used, in words about the higher class."""
    spoken = f"speaks for {names[1]}" if len(names) == 2 else "speaks for a higher class"
    return [
        {
            "column": column.column,
            "kind": column.kind,
            spoken: _WAYS.get(column.direction, column.direction),
            "evidence": column.evidence,
            "missing cells": column.missing,
        }
        for column in model.assumed or ()
        if not column.left_out
    ]


def _explained(model: Model | ScoreModel, names: Sequence[str]) -> str:
    """What the evidence means, as far as it occurs."""
    found = " ".join(column.evidence for column in model.assumed or ())
    higher = names[1] if len(names) == 2 else "a higher class"
    parts = []
    if "AUC" in found:
        parts.append(
            f"AUC: of pairs of rows of different classes, the share in which the row of {higher} "
            "has the larger value; 0.5 says nothing."
        )
    if any(criterion.places is not None for criterion in model.criteria):
        parts.append(f"A list of labels is an order; what speaks least for {higher} comes first.")
    if "beside all others" in found:
        parts.append(
            "Beside all others: what a regression on all columns together says of this one."
        )
    return " ".join(parts)


def overruling(column: AssumedColumn, criterion: Criterion | None) -> list[Any]:
    """What can be said of a column instead of what was assumed, the likeliest first.

    Examples
    --------
    >>> from sugeno._scales.assumed import AssumedColumn
    >>> from sugeno._scales.criterion import Criterion
    >>> from sugeno.report._assumed import overruling
    >>> overruling(AssumedColumn("age", "number", "up"), Criterion("age"))
    ['down', 'free']
    >>> overruling(AssumedColumn("row", "id", left_out="its name"), None)
    ['keep']
    """
    if column.left_out:
        if column.left_out == "you said so":
            return ["auto"]
        return ["keep"] if column.kind == "id" else []
    if criterion is not None and criterion.places is not None:
        return [_labels(criterion)]
    if column.kind == "ordered":
        return ["down" if column.direction == "up" else "up", "unordered"]
    return {"up": ["down", "free"], "down": ["up", "free"], "free": ["up", "down"]}.get(
        column.direction, ["free", "up", "down"]
    )


def _labels(criterion: Criterion) -> list[str]:
    """The labels of a category, the worst first; of two in the order that was not found."""
    known = zip(criterion.places or (), criterion.known or ())
    labels = [label for _, label in sorted(known, key=lambda pair: pair[0])]
    if len(labels) == 2:
        return labels[::-1]
    return labels if len(labels) <= _MOST_LABELS else [labels[0], _MORE, labels[-1]]


def _option(name: str, said: Sequence[Any], on_command_line: bool) -> Html:
    """The option that says so, and what could stand in its place."""
    if on_command_line:
        words = [word if isinstance(word, str) else ",".join(word) for word in said]
        if any("," in label for word in said if not isinstance(word, str) for label in word):
            words = ["drop"]  # a label with a comma cannot be listed there
        shown = [f"--column {shlex.quote(f'{name}={word}')}" for word in words[:1]]
        more = words[1:]
    else:
        written = [
            json.dumps(word, ensure_ascii=False).replace(f'"{_MORE}"', _MORE) for word in said
        ]
        shown = [
            f"columns={{{json.dumps(name, ensure_ascii=False)}: {one}}}" for one in written[:1]
        ]
        more = written[1:]
    parts = [element("code", one) for one in shown]
    for word in more:
        parts += [join(", "), element("code", word)]
    return join(*parts)
