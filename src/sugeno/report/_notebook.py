"""What a notebook shows of a fitted classifier: rules, honest errors, and what was assumed.

Colours are those of the notebook, light or dark. Everything that comes from data is escaped.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from sugeno._scales.number import plain
from sugeno.model.judged import shortfall
from sugeno.model.model import Model
from sugeno.model.per_class import ModelPerClass
from sugeno.model.score_model import ScoreModel
from sugeno.report._assumed import assumed_lines
from sugeno.report._markup import Html, breakable, element, join
from sugeno.report._rules import sentence
from sugeno.report._sums import lead_of_sum
from sugeno.report._words import amount, names_of, percent, plural, rightly

_CELL = "text-align: left; vertical-align: top; padding: 0.15em 1em 0.15em 0"
_APART = "margin: 0.5em 0"
#: More rules are counted.
_MOST_RULES = 20
_UNKNOWN = "Errors on held-out rows are not known; SugenoClassifierCV measures them."


def notebook_html(model: Model | ScoreModel | ModelPerClass) -> Html:
    """Write what a notebook shows.

    Parameters
    ----------
    model : Model, ScoreModel or ModelPerClass
        What was learned.

    Examples
    --------
    >>> from sugeno import SugenoClassifier
    >>> from sugeno.report._notebook import notebook_html
    >>> model = SugenoClassifier().fit([[1], [2], [3], [4]], [0, 0, 1, 1]).model_
    >>> "x0 &gt;= 3" in notebook_html(model)
    True
    """
    models = model.models if isinstance(model, ModelPerClass) else (model,)
    return element("div", *map(_one, models), class_="sugeno-fitted", style="margin-bottom: 0.75em")


def _one(model: Model | ScoreModel) -> Html:
    """What decides, errors and assumptions of one model."""
    names = names_of(model, None)
    return join(
        element("p", lead_of_sum(model, names), style=_APART)
        if isinstance(model, ScoreModel)
        else _forms(model, names),
        element("p", _errors(model, names), style=_APART),
        _assumed(model, names),
    )


def _forms(model: Model, names: Sequence[str]) -> Html:
    """The rules, or the card, below the sentence that reads them."""
    form: Any = model.rules if len(names) > 2 else model.rules[0]
    formula = model.rules[0].formula
    is_card, accepts = formula.counts_points, formula.joint == "and"
    return join(
        element("p", sentence(model, names), style=_APART),
        Html(form._repr_html_()) if is_card else _rules(form, None if accepts else names[0]),
    )


def _rules(form: Any, refused: str | None) -> Html:
    """A line per rule, with what it stands on; of a clause the rows that it refuses."""
    records = form.to_records()
    rows = "rows" if refused is None else f"rows it makes {refused}"
    shown = [
        {
            "class": one.get("boundary", ""),
            "rule": one["rule"],
            rows: amount(one["support"]) if "support" in one else "",
            "rightly": _share(one.get("precision"), one.get("support")),
            "only by it": amount(one["unique"]) if "unique" in one else "",
        }
        for one in records[:_MOST_RULES]
    ]
    more = len(records) - len(shown)
    note = element("p", f"… and {plural(more, 'more rule')}, in rules_", style=_APART)
    return join(_table(shown), note if more else Html(""))


def _share(share: float | None, rows: float | None) -> str:
    return "" if share is None or np.isnan(share) else rightly(share, rows or 0.0)


def _table(records: Sequence[dict[str, str]]) -> Html:
    """A table; columns without any cell are left out."""
    titles = [title for title in (records or [{}])[0] if any(one[title] for one in records)]
    head = element("tr", *(element("th", title, style=_CELL) for title in titles))
    rows = (
        element("tr", *(element("td", one[title], style=_CELL) for title in titles))
        for one in records
    )
    return element("table", element("thead", head), element("tbody", *rows))


def _errors(model: Model | ScoreModel, names: Sequence[str]) -> str:
    """Errors on held-out rows beside those of always saying the largest class."""
    remembered = model.held_out
    judged = None if remembered is None else remembered.judged
    if remembered is None or (judged is None and len(names) > 2):
        return _UNKNOWN
    if judged is None:
        return f"Errors on held-out rows: {percent(remembered.error)} ({remembered.measured})."
    largest, always = judged.largest
    said = [
        f"Errors on held-out rows: {percent(judged.error)} ({remembered.measured}).",
        f"Always saying {names[largest]}: {percent(always)}.",
    ]
    if model.costs is not None:
        said.append(f"Cost of a held-out row: {plain(judged.cost(model.costs), 3)}.")
    if len(names) == 2 and judged.grades[0].has_both:
        low, high = judged.grades[0].auc_interval
        said.append(f"AUC {judged.grades[0].auc:.2f} ({low:.2f} to {high:.2f}).")
    return " ".join([*said, shortfall(judged, names, model.costs)]).rstrip()


def _assumed(model: Model | ScoreModel, names: Sequence[str]) -> Html:
    """What was left out, and what was assumed of the rest, to be opened."""
    lines = assumed_lines(model, names)
    if model.assumed is None or not lines:
        return Html("")
    left_out = [
        element("li", element("b", breakable(one.column)), f" is left out: {one.left_out}")
        for one in model.assumed
        if one.left_out
    ]
    summary = f"What was assumed about {plural(len(lines), 'column')}"
    return join(
        element("ul", *left_out, style=_APART) if left_out else Html(""),
        element(
            "details",
            element("summary", summary),
            _table(lines),
            element("p", "Say otherwise with columns=, and learn again."),
        ),
    )
