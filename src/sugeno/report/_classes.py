"""Classes without an order: a page about all of them, and one about each against the rest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.validation import column_or_1d

from sugeno.model.judged import Judged
from sugeno.model.model import Model, places_among
from sugeno.model.per_class import ModelPerClass
from sugeno.model.score_model import ScoreModel
from sugeno.report._assumed import left_out
from sugeno.report._head import overview
from sugeno.report._how_good import confusion_table, said
from sugeno.report._markup import Html, element, join
from sugeno.report._rows import DecidedRows, read_rows, values_of


def against_the_rest(
    model: ModelPerClass, y: Any, label: object
) -> tuple[Model | ScoreModel, NDArray[Any]]:
    """Return the model of one class, and which labels are that class."""
    place = model.place_of(label)
    chosen, found = model.models[place], places_among(model.classes, column_or_1d(np.asarray(y)))
    return chosen, chosen.classes.take(found == place)


def all_classes(
    model: ModelPerClass,
    X: Any,
    y: Any,
    sample_weight: ArrayLike | None,
    new_rows: bool,
    names: Sequence[str],
    links: Mapping[object, str],
    *,
    on_command_line: bool,
) -> tuple[DecidedRows, dict[str, Html]]:
    """Return the rows, and the parts of the page about all classes: errors, table, rules."""
    first, _ = against_the_rest(model, y, model.classes.tolist()[0])
    places = places_among(model.classes, column_or_1d(np.asarray(y)))
    rows = read_rows(first, X, first.classes.take(places == 0), sample_weight)
    n_columns = len({criterion.name for criterion in model.criteria})
    remembered = None if new_rows or model.held_out is None else model.held_out.judged
    if remembered is None:
        chances = model.class_probabilities(values_of(model.criteria, X, named=first.has_names))
        decided, where = chances.argmax(axis=1), "new rows" if new_rows else "these rows"
        judged = Judged.of(places, decided, chances[:, 1:], rows.weight).at(where)
    else:
        judged = remembered
    return rows, {
        "head": overview(rows, judged, names, n_columns),
        "good": join(
            element("p", said(judged), class_="intro"),
            confusion_table(judged, names, listed=False),
        ),
        "assumed": left_out(model, on_command_line=on_command_line),
        "rules": join(
            *(_rules(model, label, links.get(label)) for label in model.classes.tolist())
        ),
    }


def _rules(model: ModelPerClass, label: object, link: str | None) -> Html:
    """The rules of one class in words, and where there is more about it."""
    sums = model.models[model.place_of(label)] if model.adds_up else None
    text = element("pre", model.rules[label].to_text(words=True) if sums is None else str(sums))
    if link is None:
        return text
    more = element("a", f"The page about {label}: what if, rows, how good", href=link)
    return join(text, element("p", more))
