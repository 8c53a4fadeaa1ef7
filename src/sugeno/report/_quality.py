"""Can these data carry a monotone model? Directions, contradictions, idle criteria."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sugeno._counts.value_counting import count_values_by_class
from sugeno._counts.weights import row_weights
from sugeno._scales.criterion import Criterion
from sugeno._scales.evidence import RankEvidence, rank_evidence
from sugeno.model.model import Model
from sugeno.model.withheld import error_without
from sugeno.report._axes import both_ways
from sugeno.report._markup import Html, breakable, element, join, region, table
from sugeno.report._rows import DecidedRows
from sugeno.report._rules import columns_by_use, criteria_by_use
from sugeno.report._words import amount, percent, plural, shown_value

Floats = NDArray[np.float64]

#: Pairs of rows that are compared; of more rows every so many-th is taken.
_MOST_PAIRS = 1 << 25
#: Pairs in one go.
_BLOCK = 1 << 20
_EXAMPLES = 3
#: Rows of an ensemble whose criteria get the values of others, at most.
_WITHHELD = 200
#: Columns that are left out on narrow screens.
_LESS = ("agrees", "values")


@dataclass(frozen=True)
class Contradictions:
    """Pairs of rows, the first at least as good in every criterion, whose classes are reversed.

    Attributes
    ----------
    pairs, rows : int
        How many there are, and how many rows are in one.
    looked : int
        How many rows were looked at.
    examples : tuple of pairs of int
        The pairs in which the first row is better in the most criteria, each row once.
    """

    pairs: int
    rows: int
    looked: int
    examples: tuple[tuple[int, int], ...]


def contradictions(rows: DecidedRows, places: NDArray[np.intp]) -> Contradictions:
    """Compare every row with every row of a higher class, in blocks."""
    counted = np.flatnonzero(rows.weight > 0)
    numbers = counted[:: _stride(rows.places[counted])]
    directions = [criterion.direction for criterion in rows.model.criteria]
    oriented = (rows.values * directions)[numbers]
    places = places[numbers]
    upper, lower = np.flatnonzero(places < places.max()), np.flatnonzero(places > 0)
    below = np.ascontiguousarray(oriented[lower].T)
    pairs, touched = 0, np.zeros(numbers.size, dtype=np.bool_)
    best: list[tuple[int, int, int]] = []
    size = max(1, _BLOCK // max(1, lower.size))
    for start in range(0, upper.size, size):
        chunk = upper[start : start + size]
        above = np.ascontiguousarray(oriented[chunk].T)
        reversed_ = places[chunk][:, None] < places[lower]
        for better, worse in zip(above, below):
            reversed_ &= better[:, None] >= worse[None, :]
        pairs += int(reversed_.sum())
        touched[chunk] |= reversed_.any(axis=1)
        touched[lower] |= reversed_.any(axis=0)
        best += _clearest(reversed_, oriented, chunk, lower)
    examples = _distinct(best)
    return Contradictions(
        pairs,
        int(touched.sum()),
        numbers.size,
        tuple((int(numbers[i]), int(numbers[j])) for i, j in examples),
    )


def _stride(places: NDArray[np.intp]) -> int:
    alike = np.bincount(places).astype(np.float64)
    pairs = (alike.sum() ** 2 - (alike**2).sum()) / 2
    return max(1, int(np.ceil(np.sqrt(pairs / _MOST_PAIRS))))


def _clearest(
    reversed_: NDArray[np.bool_],
    oriented: Floats,
    chunk: NDArray[np.intp],
    lower: NDArray[np.intp],
) -> list[tuple[int, int, int]]:
    """Of each row of a block its pair with the most criteria that are strictly better."""
    found = []
    for i in np.flatnonzero(reversed_.any(axis=1)).tolist():
        rivals = lower[reversed_[i]]
        strict = (oriented[chunk[i]] > oriented[rivals]).sum(axis=1)
        j = int(np.argmax(strict))
        found.append((-int(strict[j]), int(chunk[i]), int(rivals[j])))
    return sorted(found)[: 4 * _EXAMPLES]


def _distinct(best: list[tuple[int, int, int]]) -> list[tuple[int, int]]:
    """The clearest pairs, no row twice."""
    seen: set[int] = set()
    chosen: list[tuple[int, int]] = []
    for _, i, j in sorted(best):
        if len(chosen) < _EXAMPLES and not seen & {i, j}:
            chosen.append((i, j))
            seen |= {i, j}
    return chosen


def quality(rows: DecidedRows, names: Sequence[str]) -> Html:
    """Write the section: a table of the criteria, then the contradictions."""
    evidence = [_evidence(rows, j) for j in range(rows.values.shape[1])]
    return join(_summary(rows, evidence), _criteria(rows, evidence, names), _pairs(rows, names))


def _evidence(rows: DecidedRows, j: int) -> RankEvidence | None:
    """What the values of a criterion say about its direction; None where only one class is."""
    present = ~np.isnan(rows.values[:, j]) & (rows.weight > 0)
    criterion = rows.model.criteria[j]
    if criterion.places is None:  # of numbers the cells that have one, as learning looked at them
        present &= ~np.isin(rows.values[:, j], [gap.place for gap in criterion.gaps])
    codes = rows.places[present]
    if np.unique(codes).size < 2:
        return None
    weights = row_weights(rows.weight[present], codes.size)
    counts = count_values_by_class(rows.values[present, j], codes, weights, rows.model.classes.size)
    return rank_evidence([counts], weights.unit)[0]


def _summary(rows: DecidedRows, evidence: list[RankEvidence | None]) -> Html:
    """One sentence per thing to know, the worst first."""
    criteria = rows.model.criteria
    against, weak = [], []
    read = Counter(one.name for one in criteria)
    for criterion, found in zip(criteria, evidence):
        if read[criterion.name] > 1:  # without a direction, which two criteria read
            continue
        if found is not None and found.weak:
            weak.append(criterion.name)
        elif found is not None and found.direction != criterion.direction:
            against.append(criterion.name)
    constant = [c.name for c, column in zip(criteria, rows.values.T) if _values(column) < 2]
    used, others = ([criteria[j].name for j in part] for part in criteria_by_use(rows.model))
    constant, idle = (
        list(dict.fromkeys(some)) for some in (constant, [n for n in others if n not in used])
    )
    lines = [
        (f"{_list(against)}: these rows speak against the direction.", against),
        (f"{_list(weak)}: the evidence for the direction is weak; check it.", weak),
        (f"{_list(constant)}: the same value in all rows.", constant),
        (f"{_list(idle)}: not used.", idle),
    ]
    shown = [element("li", text) for text, names in lines if names]
    if not against and not weak:
        shown.insert(0, element("li", "Every criterion points clearly one way, as decided."))
    return element("ul", *shown, class_="findings")


def _list(names: list[str]) -> str:
    """Name some, count the others."""
    shown = ", ".join(names[:8])
    return shown if len(names) <= 8 else f"{shown} and {len(names) - 8} more"


def _values(column: Floats) -> int:
    return int(np.unique(column[~np.isnan(column)]).size)


def _criteria(rows: DecidedRows, evidence: list[RankEvidence | None], names: Sequence[str]) -> Html:
    used, idle = columns_by_use(rows.model)
    head = [
        "criterion",
        f"speaks for {names[1] if len(names) == 2 else 'a higher class'}",
        "agrees",
        "evidence",
        "decides",
        "errors without it",
        "values",
    ]
    missing = np.isnan(rows.values).any()
    head += ["missing"] * bool(missing)
    # A sum has many levels, and each of them is a way to be decided: some of the rows will do.
    step = -(-len(rows.values) // _WITHHELD) if rows.model.adds_up else 1
    some = "" if step == 1 else f" (counted on one in {step})"
    by_cost = "" if rows.model.costs is None else ", each error by its cost,"
    part = slice(None, None, step)
    rises = error_without(rows.model, rows.values[part], rows.places[part], rows.weight[part])
    lines = [
        _criterion(rows, j, evidence[j], float(rises[j]) if j in used else None, bool(missing))
        for j in used + idle
    ]
    shown = table(element("tr", *(_title(text) for text in head)), lines, class_="plain")
    explained = (
        "“Agrees” is the share of pairs of rows of different classes in which the values differ as "
        f"the direction says: 50 % says nothing. {_decides(rows)} “Errors without "
        f"it” is how much more of these rows{some} would be decided "
        f"wrongly{by_cost} if the criterion had the values of other rows."
    )
    return join(region("Criteria", shown), element("p", explained, class_="note"))


def _decides(rows: DecidedRows) -> str:
    """What the share of a criterion means."""
    if rows.model.adds_up:
        return "“Decides” is its share of what the ensemble gained."
    return (
        "“Decides” is how often a decision hangs on the criterion, of all criteria together "
        "100 %: a rule for few rows decides about many by not holding."
    )


def _better(criterion: Criterion) -> str:
    """What speaks for the class: more or less of it, or which label the most."""
    if criterion.labels is None:
        return "more" if criterion.direction > 0 else "less"
    return f"{criterion.labels[-1 if criterion.direction > 0 else 0]} most"


def _title(text: str) -> Html:
    """The head of a column; what says least is left out on narrow screens."""
    return element("th", text, scope="col", class_="less" if text in _LESS else None)


def _criterion(
    rows: DecidedRows, j: int, found: RankEvidence | None, rise: float | None, missing: bool
) -> Html:
    criterion, column = rows.model.criteria[j], rows.values[:, j]
    own = both_ways(rows.model, j)
    verdict, agrees = "one class only", "–"
    if len(own) > 1:
        verdict = "–"
    elif found is not None:
        agrees = percent(found.auc if criterion.direction > 0 else 1 - found.auc)
        same = found.direction == criterion.direction
        verdict = "weak" if found.weak else "clear" if same else "against it"
    share, more = "–", "–"
    if rise is not None:
        share, more = percent(float(rows.model.importances[own].sum())), _rise(rise, rows.model)
    cells = [
        element("th", breakable(criterion.name), scope="row"),
        element("td", _better(criterion) if len(own) == 1 else "either way"),
        element("td", agrees, class_="count less"),
        element("td", verdict, class_="bad" if verdict in ("weak", "against it") else None),
        element("td", share, class_="count"),
        element("td", more, class_="count"),
        element("td", amount(_values(column)), class_="count less"),
    ]
    if missing:
        cells.append(element("td", amount(int(np.isnan(column).sum())), class_="count"))
    return element("tr", *cells)


def _rise(rise: float, model: Model) -> str:
    """Points of errors, or of costs."""
    points = 0.0 if abs(rise) < 0.0005 else rise
    return f"{points:+.3f}" if model.costs is not None else f"{100 * points:+.1f}\u00a0points"


def _pairs(rows: DecidedRows, names: Sequence[str]) -> Html:
    """Say how many pairs contradict monotonicity, and show the clearest."""
    found = contradictions(rows, rows.places)
    part = "" if found.looked == len(rows.values) else f" (of {amount(found.looked)} looked at)"
    lower = f"{names[0]} where the other is {names[1]}" if len(names) == 2 else "of a lower class"
    if not found.pairs:
        text = f"No pair of rows{part} contradicts monotonicity: none is at least as good in every "
        return element("p", f"{text}criterion, and yet {lower}.")
    by_chance = contradictions(rows, _drawn_places(rows))
    text = (
        f"{plural(found.rows, 'row')}{part}, {percent(found.rows / found.looked)}, are in "
        f"{plural(found.pairs, 'pair')} that contradict monotonicity: one is at least as good in "
        f"every criterion, and yet {lower}. No monotone model can decide both rightly. Chance "
        f"alone makes such pairs: were each label drawn with the probability that the model says, "
        f"{percent(by_chance.rows / found.looked)} of the rows would be in one. The clearest:"
    )
    examples = (_example(rows, pair, names) for pair in found.examples)
    return join(element("p", text), element("div", *examples, class_="pairs"))


def _drawn_places(rows: DecidedRows) -> NDArray[np.intp]:
    """Classes drawn with the probabilities of the model, always the same ones."""
    numbers = np.random.default_rng(0).random(len(rows.values))
    drawn: NDArray[np.intp] = (rows.model.at_least(rows.values) > numbers[:, None]).sum(axis=1)
    return drawn


def _example(rows: DecidedRows, pair: tuple[int, int], names: Sequence[str]) -> Html:
    used, idle = columns_by_use(rows.model)
    criteria = rows.model.criteria
    head = [element("th", f"row {i + 1}", scope="col") for i in pair]
    lines = [
        element(
            "tr",
            element("th", breakable(criteria[j].name), scope="row"),
            *(element("td", shown_value(criteria[j], float(rows.values[i, j]))) for i in pair),
        )
        for j in (used + idle)[:12]
    ]
    truth = [element("td", element("b", names[rows.places[i]])) for i in pair]
    lines.append(element("tr", element("th", "class", scope="row"), *truth))
    return table(element("tr", element("td"), *head), lines, class_="pair")
