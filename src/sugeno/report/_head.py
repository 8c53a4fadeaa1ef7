"""The head of the page: figures that a person can use."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from sugeno._counts.loss import Loss
from sugeno._scales.number import plain
from sugeno.model.judged import Judged, shortfall, wilson
from sugeno.model.model import Model
from sugeno.model.score_model import ScoreModel
from sugeno.report._markup import Html, element, join
from sugeno.report._rows import DecidedRows
from sugeno.report._rules import criteria_by_use, form_noun
from sugeno.report._words import amount, percent, plural

#: A class with a smaller share of the rows is rare: its recall says more than the error.
_RARE = 0.2


@dataclass(frozen=True)
class _Figure:
    """One number: large, with a label, and with what has to be known about it."""

    value: str
    label: str
    detail: str = ""


def head(
    rows: DecidedRows,
    judged: Judged,
    names: Sequence[str],
    error: Any,
    others: Mapping[str, float] | None,
) -> Html:
    """Lay out errors beside those of the largest class, sizes, and errors of other classifiers."""
    first = _error(rows.model, judged, names) if error is None else _measured(error, judged)
    if len(names) > 2:
        more = [_distance(judged), *_loss(rows, judged)]
    else:
        more = _auc(judged) if rows.model.adds_up else _rare(judged, names)
    costly = [] if rows.model.costs is None else [_cost(judged, names, rows.model.costs)]
    figures = [*costly, first, _always(judged, names), *more, *_sizes(rows, names)]
    return join(
        _tiles(figures),
        _no_better(judged, names, rows.model.costs),
        _comparison(first.value, others, form_noun(rows.model)),
    )


def _auc(judged: Judged) -> list[_Figure]:
    """How well both classes are told apart."""
    grades = judged.grades[0]
    if not grades.has_both:
        return []
    low, high = grades.auc_interval
    detail = f"{low:.2f} to {high:.2f}, on {judged.where}; 0.5 is chance"
    return [_Figure(f"{grades.auc:.2f}", "AUC", detail)]


def overview(rows: DecidedRows, judged: Judged, names: Sequence[str], n_columns: int) -> Html:
    """Errors beside those of the largest class, of classes without an order."""
    share = judged.error
    low, high = wilson(judged.wrong, judged.total)
    read = plural(n_columns, "criterion", "criteria")
    figures = [
        _Figure(
            percent(share),
            f"errors on {judged.where}",
            f"95 % interval {percent(low)} to {percent(high)}",
        ),
        _always(judged, names),
        _Figure(amount(len(rows.values)), f"rows, {read}", f"in {len(names)} classes"),
    ]
    return join(_tiles(figures), _no_better(judged, names, None))


def _tiles(figures: Sequence[_Figure]) -> Html:
    tiles = (
        element(
            "div",
            element("dt", figure.label),
            element("dd", figure.value, class_="value"),
            element("dd", figure.detail),
        )
        for figure in figures
    )
    return element("dl", *tiles, class_="figures")


def _measured(given: Any, judged: Judged) -> _Figure:
    """A figure that the user measured: a share, or a share with its interval."""
    numbers = [float(number) for number in np.atleast_1d(given)]
    if len(numbers) not in (1, 3) or not all(0 <= number <= 1 for number in numbers):
        raise ValueError(
            "error must be a share of rows between 0 and 1, or such a share with the ends of its "
            f"interval, (share, low, high). Got {given!r} instead."
        )
    span = f"between {percent(numbers[1])} and {percent(numbers[2])}; " if numbers[1:] else ""
    here = f"{percent(judged.error)} on {judged.where}"
    return _Figure(percent(numbers[0]), "errors on new rows", f"{span}{here}")


def _error(model: Model | ScoreModel, judged: Judged, names: Sequence[str]) -> _Figure:
    """The error, on rows that the model has not seen wherever it is known there."""
    remembered = model.held_out
    share = judged.error
    if len(names) == 2 and not judged.unseen and remembered is not None:
        detail = f"{remembered.measured}; {percent(share)} on these rows"
        return _Figure(percent(remembered.error), "errors on held-out rows", detail)
    how = ""
    if remembered is not None and judged is remembered.judged:
        how = f"{remembered.measured}; "
    low, high = wilson(judged.wrong, judged.total)
    over, under = (
        amount(float(np.triu(c, 1).sum())) for c in (judged.confusion, judged.confusion.T)
    )
    kinds = (
        f"{over} wrongly {names[1]}, {under} wrongly {names[0]}"
        if len(names) == 2
        else f"{over} too high, {under} too low"
    )
    detail = f"{how}95 % interval {percent(low)} to {percent(high)}; {kinds}"
    return _Figure(percent(share), f"errors on {judged.where}", detail)


def _always(judged: Judged, names: Sequence[str]) -> _Figure:
    """What whoever knows the classes alone would err."""
    place, share = judged.largest
    return _Figure(percent(share), f"errors of always saying {names[place]}", "the largest class")


def _cost(judged: Judged, names: Sequence[str], costs: Loss) -> _Figure:
    """What decisions cost, beside what either class for all rows would."""
    always = ", ".join(
        f"always {name} {plain(cost, 3)}"
        for name, cost in zip(names, judged.costs_of_always(costs))
    )
    prices = ", ".join(f"{name} {plain(price)}" for name, price in costs.errors.items())
    return _Figure(plain(judged.cost(costs), 3), f"cost of a row ({prices})", always)


def _rare(judged: Judged, names: Sequence[str]) -> list[_Figure]:
    """How well a rare class is found, of which the error says little."""
    sizes = judged.confusion.sum(axis=1)
    rare = int(np.argmin(sizes))
    if not judged.grades[0].has_both or sizes[rare] >= _RARE * judged.total:
        return []
    found, decided = judged.confusion[rare, rare], judged.confusion[:, rare].sum()
    precision = f"precision {percent(found / decided)}; " if decided else ""
    low, high = judged.grades[0].auc_interval
    auc = f"AUC {judged.grades[0].auc:.2f} ({low:.2f} to {high:.2f}), on {judged.where}"
    return [_Figure(percent(found / sizes[rare]), f"of {names[rare]} found", precision + auc)]


def _distance(judged: Judged) -> _Figure:
    """Mean absolute error, in classes."""
    places = np.arange(len(judged.confusion))
    off = np.abs(places[:, None] - places)
    mean = float((judged.confusion * off).sum()) / judged.total
    far = float(judged.confusion[off > 1].sum()) / judged.total
    return _Figure(f"{mean:.2f}", "classes off, in the mean", f"{percent(far)} off by two or more")


def _loss(rows: DecidedRows, judged: Judged) -> list[_Figure]:
    """The loss on held-out rows that a model of ordered classes remembers."""
    remembered = rows.model.held_out
    if remembered is None or (judged.unseen and judged is not remembered.judged):
        return []
    return [_Figure(f"{remembered.error:.2f}", "loss of a held-out row", remembered.measured)]


def _sizes(rows: DecidedRows, names: Sequence[str]) -> list[_Figure]:
    n, model = len(rows.values), rows.model
    used, idle = criteria_by_use(model)
    m = _n_columns(model, used + idle)
    shares, of_what = f"in {len(names)} classes", ""
    if len(names) == 2:
        share = float(np.average(rows.places, weights=rows.weight))
        shares = f"{percent(share)} of them {names[1]}"
    else:
        number = len(model.boundaries)
        of_what = f"for {plural(number, 'boundary', 'boundaries')} between classes; "
    counted = _Figure(amount(n), f"rows, {plural(m, 'criterion', 'criteria')}", shares)
    if model.adds_up:
        levels = plural(model.literals.levels.size, "level")
        n_pairs = plural(len(model.boundaries[0].tables.pairs), "pair")
        added = f"{of_what}at {levels}, and {n_pairs} of criteria"
        return [counted, _Figure(amount(_n_columns(model, used)), "criteria add up", added)]
    forms = [boundary.form for boundary in model.boundaries]
    number, conditions = model.rules.n_rules, model.rules.n_conditions
    formula = forms[0].formula
    if formula.counts_points:
        needed = ", ".join(str(form.formula.needed) for form in forms)
        value, label = sum(formula.points), f"points, of which {needed} are enough"
    else:
        noun = "rule" if formula.joint == "and" else "clause"
        value, label = number, noun if number == 1 else f"{noun}s"
    about = plural(_n_columns(model, used), "criterion", "criteria")
    return [
        counted,
        _Figure(amount(value), label, f"{of_what}{plural(conditions, 'condition')} about {about}"),
    ]


def _n_columns(model: Model, places: Sequence[int]) -> int:
    """How many columns criteria are about: both sides of a column are one."""
    return len({model.criteria[j].name for j in places})


def _no_better(judged: Judged, names: Sequence[str], costs: Loss | None) -> Html:
    """A clear word where the rules do not beat one class for all rows."""
    text = shortfall(judged, names, costs)
    return element("p", text, class_="warning") if text else Html("")


def _comparison(ours: str, others: Mapping[str, float] | None, noun: str) -> Html:
    """A line that sets the errors of others beside ours."""
    if not others:
        return Html("")
    listed = ", ".join(f"{name} {percent(float(error))}" for name, error in others.items())
    return element("p", f"For comparison: {listed}; the {noun} here {ours}.", class_="compare")
