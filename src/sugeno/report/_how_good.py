"""How good it is: decisions beside the truth, what probabilities tell apart, a cut-off to move."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sugeno._counts.loss import ERRORS
from sugeno.model.card import Card
from sugeno.model.form import Form
from sugeno.model.judged import Grades, Judged, wilson
from sugeno.model.model import Model
from sugeno.model.score_model import ScoreModel
from sugeno.report._markup import Html, element, join, region
from sugeno.report._words import amount, percent

Floats = NDArray[np.float64]

#: Steps of the shades of the table of classes.
_HEAT = 4
#: Side of a drawing, and its margins at the left and above.
_SIDE, _LEFT, _TOP = 250, 46, 26


def how_good(judged: Judged, names: Sequence[str]) -> Html:
    """Write the section."""
    boundaries = [
        _boundary(grades, b, names) for b, grades in enumerate(judged.grades) if grades.has_both
    ]
    listed = judged.where != "held-out rows"  # else what the page decides is not what was counted
    table = confusion_table(judged, names, listed=listed)
    return join(element("p", said(judged), class_="intro"), table, *boundaries)


def grades_payload(judged: Judged, model: Model | ScoreModel) -> list[dict[str, Any]]:
    """What the page needs to count errors for any cut-off, and to begin where decisions are."""
    costs = dict.fromkeys(ERRORS, 1.0) if model.costs is None else model.costs.errors
    forms = [getattr(boundary, "form", None) for boundary in model.boundaries]
    return [
        {
            "chances": grades.chances.tolist(),
            "below": grades.below.tolist(),
            "above": grades.above.tolist(),
            "cut": cut,
            "costs": [*costs.values()],
            "points": _chances_of_points(form),
        }
        for grades, cut, form in zip(judged.grades, model.cuts.tolist(), forms)
    ]


def _chances_of_points(form: Form | None) -> list[float] | None:
    """Of a card the probability of 0, 1, … points."""
    return [*form.chances] if isinstance(form, Card) and form.chances is not None else None


def said(judged: Judged) -> str:
    """Which rows are counted."""
    return {
        "held-out rows": "Counted on held-out rows: each was decided about by a model that had not "
        "seen it.",
        "new rows": "Counted on the rows of this page, which the model had not seen.",
        "these rows": "Counted on the rows of this page. If the model was learned from them, "
        "expect more errors on other rows.",
    }[judged.where]


# ---- decided, and in truth --------------------------------------------------------------------


def confusion_table(judged: Judged, names: Sequence[str], *, listed: bool) -> Html:
    """The table of true and decided classes; its numbers may list their rows."""
    counts = judged.confusion
    head = [element("th", name, scope="col", class_="count") for name in names]
    corner = element("th", "in truth ↓ decided →", scope="col")
    right = element("th", "recall", scope="col", class_="count first")
    lines = (_line(judged, place, names, listed) for place in range(len(names)))
    decided = counts.sum(axis=0)
    shares = [
        element("td", _share(counts[place, place], decided[place]), class_="count")
        for place in range(len(names))
    ]
    foot = element("tr", element("th", "precision", scope="row"), *shares, element("td"))
    table = element(
        "table",
        element("thead", element("tr", corner, *head, right)),
        element("tbody", *lines),
        element("tfoot", foot),
        class_="plain confusion",
    )
    return region("Classes", table)


def _line(judged: Judged, place: int, names: Sequence[str], listed: bool) -> Html:
    counts = judged.confusion[place]
    total = float(counts.sum())
    cells = []
    for decided, weight in enumerate(counts.tolist()):
        heat = math.ceil(_HEAT * weight / total) if weight else 0
        kind = f"count heat{heat}" + (" same" if decided == place else "")
        shown = "·" if not weight else amount(weight)
        if weight and listed:
            shown = _button(weight, place, decided, names)
        cells.append(element("td", shown, class_=kind))
    return element(
        "tr",
        element("th", names[place], scope="row"),
        *cells,
        element("td", _share(float(counts[place]), total), class_="count first"),
    )


def _button(weight: float, place: int, decided: int, names: Sequence[str]) -> Html:
    """A number that lists its rows."""
    return element(
        "button",
        amount(weight),
        type="button",
        data_cell=f"{place} {decided}",
        title="List these rows",
        aria_label=f"{amount(weight)}: in truth {names[place]}, decided {names[decided]}",
    )


def _share(part: float, whole: float) -> str:
    return percent(part / whole) if whole else "–"


# ---- a boundary: what its probabilities tell apart ----------------------------------------------


def _boundary(grades: Grades, b: int, names: Sequence[str]) -> Html:
    """ROC curve, calibration and a cut-off; of several boundaries each to be opened."""
    name = names[1] if len(names) == 2 else f"at least {names[b + 1]}"
    low, high = grades.auc_interval
    auc = f"AUC {grades.auc:.3f}, 95 % interval {low:.3f} to {high:.3f}"
    drawings = element(
        "div",
        _figure(_roc(grades, auc), f"Of each share of false alarms the recall of {name}. {auc}."),
        _figure(
            _calibration(grades),
            _calibrated(grades, name),
        ),
        class_="drawings",
    )
    cut = element("div", class_="cutoff", data_boundary=b)
    inside = join(drawings, cut)
    if len(names) == 2:
        return inside
    return element("details", element("summary", f"{name}: {auc}"), inside, class_="grades")


def _calibrated(grades: Grades, name: str) -> str:
    """What the drawing of probabilities shows, and whether they are right in the mean."""
    said, rate, error = grades.mean
    far = "" if abs(said - rate) <= 2 * error else ", which is more than chance makes"
    return (
        f"Of ten groups of rows the share of {name}, against the probability that was said, with "
        f"intervals of 95 %. In the mean {percent(said)} was said, and {percent(rate)} are "
        f"{name}{far}."
    )


def _figure(drawing: Html, caption: str) -> Html:
    return element("figure", drawing, element("figcaption", caption))


def _drawing(label: str, across: str, up: str, *parts: Html) -> Html:
    """A square of shares with its axes; the parts lie between 0 and 1, upwards."""
    marks = []
    for share in (0.0, 0.5, 1.0):
        text = f"{100 * share:.0f}\u202f%"
        x, y = _LEFT + share * _SIDE, _TOP + (1 - share) * _SIDE
        marks.append(
            element("path", class_="rule", d=f"M{_LEFT} {y:.0f}h{_SIDE}M{x:.0f} {_TOP}v{_SIDE}")
        )
        marks.append(element("text", text, x=f"{x:.0f}", y=_TOP + _SIDE + 17, text_anchor="middle"))
        marks.append(
            element("text", text, x=_LEFT - 6, y=f"{y:.0f}", dy=".32em", text_anchor="end")
        )
    across_at = {"x": _LEFT + _SIDE / 2, "y": _TOP + _SIDE + 36, "text_anchor": "middle"}
    marks.append(element("text", across, class_="b", **across_at))
    marks.append(element("text", up, x=_LEFT, y=_TOP - 8, class_="b"))
    inside = f"translate({_LEFT} {_TOP + _SIDE}) scale({_SIDE} -{_SIDE})"
    return element(
        "svg",
        *marks,
        element("g", element("path", class_="even", d="M0 0L1 1"), *parts, transform=inside),
        class_="square",
        viewBox=f"0 0 {_LEFT + _SIDE + 24} {_TOP + _SIDE + 44}",
        role="img",
        aria_label=label,
    )


def _roc(grades: Grades, label: str) -> Html:
    points = "L".join(f"{a:.4g} {f:.4g}" for a, f in zip(*grades.roc))
    return _drawing(
        label,
        "false alarms",
        "recall",
        element("path", class_="curve", d=f"M{points}"),
        element("circle", class_="cut", r=0.025, cx=-9, cy=-9),
    )


def _calibration(grades: Grades) -> Html:
    parts = []
    for chance, total, above in grades.calibration:
        low, high = wilson(above, total)
        told = f"said {percent(chance)}, happened {percent(above / total)} of {amount(total)}"
        parts.append(element("path", class_="spread", d=f"M{chance:.4g} {low:.4g}V{high:.4g}"))
        parts.append(
            element(
                "circle",
                element("title", told),
                cx=f"{chance:.4g}",
                cy=f"{above / total:.4g}",
                r=0.017,
            )
        )
    return _drawing("Calibration", "probability that was said", "share that happened", *parts)
