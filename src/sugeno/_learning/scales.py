"""Scales of a table of any kind: what its columns mean, found from the training rows.

Each column of the table becomes a criterion, or two where it has no direction. What is found (a
direction, an order of categories, the place of missing values) depends on counts by class, and on
a sample of rows for what columns say beside each other; so that every fold finds its own.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sugeno._counts.source import Source
from sugeno._scales.assumed import Assumed, AssumedColumn
from sugeno._scales.categories import (
    FEW_ROWS,
    CategoryOrder,
    Groups,
    class_scores,
    group_categories,
)
from sugeno._scales.criterion import OTHER, Criterion, Gap
from sugeno._scales.dates import date_text
from sugeno._scales.evidence import RankEvidence, rank_evidence
from sugeno._scales.kinds import Column, SaidGap
from sugeno._scales.missing import given_place, own_place, place_of_missing
from sugeno._scales.number import readable, shortest
from sugeno._scales.regression import Regression, beside_others
from sugeno._scales.shape import is_u_shaped, turning_point
from sugeno._scales.value_counts import ValueCounts

__all__ = ["Scales", "find_scales"]

Ints = NDArray[np.int64]

#: What missing numbers are at the ends of the scale.
_BEST, _WORST = "better than all others", "worse than all others"
#: What missing cells of a category are that have no label of their own.
_LIKE_UNSEEN = "too few to tell, so like a label that nobody has seen"
#: Said of a column that may hold the answer; people take an AUC of 0 for "says nothing".
_ALONE = ", it alone tells the classes apart"
#: With this probability chance alone makes evidence that is called weak, as that of numbers is.
_WEAK_CHANCE = 0.1
#: Kinds of columns whose labels have no order of their own.
_CATEGORIES = ("unordered", "two-valued", "truth")
#: So many rows show what columns say beside each other.
_ENOUGH_ROWS = 20_000
#: Of fewer than five rows without a value nobody knows what they are as good as,
_FEW_GAPS = 5
#: nor of fewer than ten, where they are fewer than one in fifty.
_FEW_CELLS = 1 / 50
#: What may be said of the direction of a column.
_WAYS = ("auto", "free", "peak", "valley")


@dataclass(frozen=True)
class Scales:
    """What the columns of a table mean.

    Attributes
    ----------
    criteria : tuple of Criterion
        The criteria, which say which columns they read.
    assumed : Assumed
        What was assumed about each column of the table.
    """

    criteria: tuple[Criterion, ...]
    assumed: Assumed


@dataclass(frozen=True)
class _Facts:
    """What is known about one column that is used; values, missing cells and codes by class."""

    column: Column
    place: int
    counts: ValueCounts
    missing: Ints
    unit: float
    groups: Groups | None
    coded: tuple[Ints, ...] = ()
    rows: int = 0

    @property
    def scale(self) -> ValueCounts | Groups:
        return self.counts if self.groups is None else self.groups

    @property
    def gaps(self) -> list[tuple[SaidGap, Ints]]:
        """Kinds of cells without a value, with their weight by class; the empty ones first."""
        codes = [one for one in self.column.special if one.code is not None]
        return [(_empty(self.column), self.missing), *zip(codes, self.coded)]


def _empty(column: Column) -> SaidGap:
    """What is said of empty cells."""
    said = (one for one in column.special if one.code is None)
    return next(said, SaidGap(None, "missing"))


def find_scales(
    source: Source,
    columns: Sequence[Column],
    directions: Mapping[str, Any] | None = None,
    positive: str = "",
) -> Scales:
    """Find the criteria of a table.

    For a column of numbers the evidence of the column alone is compared with that of a regression
    on all columns. Where both agree, the column has their direction. Where they disagree, or where
    the column turns (`sugeno._scales.shape`), it is free: read twice, upwards and downwards. An
    unordered category has the order of its smoothed rates, or that of its coefficients in the
    regression if these contradict the rates (`sugeno._scales.categories`).

    Parameters
    ----------
    source : Source
        Rows with a column for each of ``columns``; missing values have a meaning other than error.
    columns : sequence of Column
        What the table holds.
    directions : mapping of str to object, optional
        +1, -1, "free", "peak", "valley" or "auto" by name of column.
    positive : str, default=""
        What rows of the higher one of two classes are called.

    Returns
    -------
    Scales
        Criteria, and what was assumed.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._counts.table import Table
    >>> from sugeno._counts.weights import row_weights
    >>> from sugeno._learning.scales import find_scales
    >>> from sugeno._scales.kinds import column_of
    >>> homes, y = ["rent", "own", "own"] * 20, np.array([0, 1, 1] * 20)
    >>> home = column_of("home", homes)
    >>> rows = Table.of(home.read(homes)[:, None], y, row_weights(None, 60), "pessimistic")
    >>> find_scales(rows, [home], positive="paid").assumed
    column  kind        direction        evidence
    home    two-valued  own above rent  100% paid if own, 0% if rent
    """
    facts = [_facts(source, j, column) for j, column in enumerate(columns) if not column.left_out]
    useful = [one for one in facts if one.groups is None or not one.groups.say_nothing]
    beside = _beside(source, useful)
    criteria: list[Criterion] = []
    found = {
        column.name: AssumedColumn(column.name, column.kind, left_out=column.left_out)
        for column in columns
    }
    for one in facts:
        found[one.column.name] = _useless(one)
    for one, part in zip(useful, beside):
        name = one.column.name
        if one.groups is not None:
            more, told = _category(one, one.groups, part, positive)
        else:
            way = _way(one.column, directions or {})
            more, told = _number(one, part, way)
        criteria += more
        found[name] = told
    if not criteria:
        one = _any_of(facts, columns)
        criteria, found[one.column.name] = _indifferent(one)
    return Scales(tuple(criteria), Assumed([*found.values()]))


def _way(column: Column, directions: Mapping[str, Any]) -> Any:
    """The direction that is given for a column, in one place or the other."""
    if column.way is not None and column.name in directions:
        raise ValueError(
            f"The direction of {column.name!r} must be given once. Got {column.way!r} in columns= "
            f"and {directions[column.name]!r} in directions=; leave one out."
        )
    return directions.get(column.name, "auto") if column.way is None else column.way


def _facts(source: Source, place: int, column: Column) -> _Facts:
    """Count the values of a column by class."""
    counts = source.value_counts(place, by_class=True)
    absent = source.totals - counts.weights.sum(axis=0)
    if column.kind not in _CATEGORIES or column.labels is None:
        counts, coded = _without_codes(counts, column.codes)
        return _Facts(column, place, counts, absent, source.unit, None, coded, source.total)
    by_label = np.zeros((len(column.labels), source.totals.size), dtype=np.int64)
    by_label[counts.values.astype(np.intp)] = counts.weights
    few = not column.special and _few(absent, source.total, source.unit)
    known = np.zeros_like(absent) if few else absent  # else they would be labels of their own
    groups = group_categories(by_label, known, unit=source.unit)
    return _Facts(column, place, counts, absent, source.unit, groups, (), source.total)


def _without_codes(
    counts: ValueCounts, codes: Sequence[float]
) -> tuple[ValueCounts, tuple[Ints, ...]]:
    """Counts of the values of a column, and those of the codes among them."""
    if not codes:
        return counts, ()
    values = ~np.isin(counts.values, codes)
    coded = tuple(counts.weights[counts.values == code].sum(axis=0) for code in codes)
    return ValueCounts(counts.values[values], counts.weights[values]), coded


def _beside(source: Source, facts: Sequence[_Facts]) -> list[Regression | None]:
    """What each column says beside the others, by a sample of the rows."""
    if len(facts) < 2:
        return [None] * len(facts)
    rows = source.sample(_ENOUGH_ROWS)
    scores = class_scores(source.totals)
    weights = rows.weights.values
    counted = (
        np.ones(len(rows.codes)) if weights is None else weights.astype(np.float64) * rows.unit
    )
    X = rows.X[:, [one.place for one in facts]]
    for j, one in enumerate(facts):
        X[np.isin(X[:, j], one.column.codes), j] = np.nan
    return [*beside_others(X, [one.scale for one in facts], scores[rows.codes], counted)]


def _useless(one: _Facts) -> AssumedColumn:
    """A category of which too few rows have any one label."""
    reason = "its many small categories differ no more than by chance"
    if one.groups is not None and one.groups.sizes.size < 2:
        reason = f"no two categories have {FEW_ROWS} rows"
    return AssumedColumn(one.column.name, one.column.kind, missing=_gaps(one), left_out=reason)


def _any_of(facts: Sequence[_Facts], columns: Sequence[Column]) -> _Facts:
    """A column that could be learned from; refuse a table without any."""
    if facts:
        return facts[0]
    why = "; ".join(f"{one.name!r}: {one.left_out}" for one in columns)
    kept = next((one.name for one in columns if one.kind == "id"), columns[0].name)
    raise ValueError(
        f"A table must have a column to learn from. Got none instead ({why}); add columns, or say "
        f"columns={{{kept!r}: 'keep'}} for one that is left out in error."
    )


def _indifferent(one: _Facts) -> tuple[list[Criterion], AssumedColumn]:
    """A category all of whose labels are alike, where no column tells the classes apart."""
    name, kind, labels = one.column.name, one.column.kind, one.column.labels or ()
    criterion = Criterion(
        name,
        labels=("any",),
        kind=kind,
        column=one.place,
        known=labels,
        places=(0.0,) * len(labels),
        unseen=0.0,
        gaps=(Gap(0.0, _empty(one.column).label),) if one.missing.any() else (),
    )
    evidence = "no column tells the classes apart"
    return [criterion], AssumedColumn(name, kind, "none", evidence, _gaps(one, "like any other"))


def _gaps(one: _Facts, *meanings: str) -> str:
    """How many cells are missing, of each kind, and what that means."""
    meaning = dict(zip((said for said, _ in one.gaps), meanings))
    found = []
    for said, weights in one.gaps:
        rows = shortest(round(float(weights.sum()) * one.unit, 3))
        named = "" if said == SaidGap(None, "missing") else f"{said.label} "
        if weights.any():
            found.append(f"{rows} {named}".strip() + f", {meaning.get(said, '')}")
    return "; ".join(found).removesuffix(", ")


def _category(
    one: _Facts, groups: Groups, part: Regression | None, positive: str
) -> tuple[list[Criterion], AssumedColumn]:
    """The criterion of an unordered category."""
    several = part is not None and groups.sizes.size > 2
    order = groups.ordered(part.coefficients if several and part is not None else None)
    labels = _shown(one.column, groups, order)
    criterion = Criterion(
        one.column.name,
        labels=labels,
        kind=one.column.kind,
        column=one.place,
        known=one.column.labels,
        places=order.places,
        unseen=order.unseen,
        gaps=() if order.missing is None else (Gap(order.missing, _empty(one.column).label),),
    )
    best_first = (
        " above ".join(labels[::-1])
        if len(labels) < 5
        else (f"{labels[-1]} above … above {labels[0]}")
    )
    told = AssumedColumn(
        one.column.name,
        one.column.kind,
        best_first,
        _shares(groups, order, labels, positive),
        _gaps(one, "a label of its own" if order.missing is not None else _LIKE_UNSEEN),
    )
    return [criterion], told


def _shares(groups: Groups, order: CategoryOrder, labels: tuple[str, ...], positive: str) -> str:
    """How often the rows of the first and of the last label are of the higher class."""
    places = np.full(groups.sizes.size, order.missing if order.missing is not None else 0.0)
    places[groups.of_label] = order.places
    best, worst = (abs(round(groups.means[j], 9)) for j in (places.argmax(), places.argmin()))
    if positive:
        said = f"{best:.0%} {positive} if {labels[-1]}, {worst:.0%} if {labels[0]}"
    else:
        said = f"mean class {best:.2f} if {labels[-1]}, {worst:.2f} if {labels[0]}, from 0 to 1"
    said += ", weak" * (groups.chance > _WEAK_CHANCE)
    return said if order.by == "rate" else f"{said}; the opposite beside all others"


def _shown(column: Column, groups: Groups, order: CategoryOrder) -> tuple[str, ...]:
    """The label of each place; one word for labels that are joined."""
    known = column.labels or ()
    at: dict[float, str] = dict(zip(order.places, known))
    if groups.rare is not None:
        at[order.unseen] = OTHER if OTHER not in known else f"{OTHER} (rare)"
    if order.missing is not None:
        empty = _empty(column).label
        at[order.missing] = empty if empty not in known else f"{empty} (no cell)"
    return tuple(at[place] for place in sorted(at))


def _number(
    one: _Facts, part: Regression | None, way: Any
) -> tuple[list[Criterion], AssumedColumn]:
    """The criterion of a column of numbers, dates or ordered labels, or two of them."""
    (alone,) = rank_evidence([one.counts], one.unit)
    way, turn = way if isinstance(way, tuple) else (way, None)
    signs, evidence = _signs(one, alone, part, way)
    if turn is None and way in ("peak", "valley"):
        turn = turning_point(one.counts, peak=way == "peak")
    criteria = [_directed(one, sign, way, turn) for sign in signs]
    direction = "free" if len(signs) == 2 else "up" if signs[0] > 0 else "down"
    if turn is not None:
        direction = f"{way} at {shortest(turn)}"
    missing = _gaps(one, *_meanings(one, criteria))
    return criteria, AssumedColumn(one.column.name, one.column.kind, direction, evidence, missing)


def _meanings(one: _Facts, criteria: Sequence[Criterion]) -> list[str]:
    """What each kind of cell without a value is as good as, on either side of a free column."""
    places: dict[float | None, list[str]] = {}
    for criterion in criteria:
        for gap in criterion.gaps:
            told = _as_good_as(criterion, gap.place, one.counts)
            places.setdefault(gap.code, []).append(told)
    return [
        "too few to tell, so " * (said.place is None and _too_few(one, weights))
        + _on_both_sides(places.get(said.code, []))
        for said, weights in one.gaps
    ]


def _on_both_sides(told: Sequence[str]) -> str:
    """What a missing value is as good as, where a column is read upwards and downwards."""
    if len(told) < 2:
        return "".join(told)
    up, down = told
    both = {_WORST: "in no range", _BEST: "in every range"}
    return both[up] if up == down and up in both else f"{up} for >= and {down} for <="


def _as_good_as(criterion: Criterion, place: float, counts: ValueCounts) -> str:
    """What a missing value is as good as."""
    sign = criterion.direction
    low, high = counts.values[[0, -1]].tolist()
    if not low <= place <= high:
        return _BEST if sign * place > sign * low else _WORST
    if criterion.labels is not None:
        return f"as good as {criterion.labels[round(place)]}"
    known = sign * counts.values
    worse = sign * float(known[known <= sign * place].max())
    just_better = math.nextafter(worse, sign * math.inf) == place  # as somebody said
    beside = worse if just_better else sign * float(known[known >= sign * place].min())
    shown = date_text(beside) if criterion.kind == "date" else readable(beside)
    return f"{'' if just_better else 'nearly '}as good as {shown}"


def _signs(
    one: _Facts, alone: RankEvidence, part: Regression | None, way: Any
) -> tuple[tuple[int, ...], str]:
    """Directions in which a column is read, and what speaks for them."""
    if way in (1, -1):
        return (int(way),), "given"
    if way not in _WAYS:
        raise ValueError(
            f"The direction of {one.column.name!r} must be +1, -1 or one of {list(_WAYS)}. "
            f"Got {way!r} instead."
        )
    if way != "auto":
        return (1, -1), "given"
    evidence = f"AUC {alone.auc:.3f}" + (", weak" if alone.weak else "")
    if alone.auc in (0, 1) and not alone.weak:
        evidence += _ALONE
    beside = alone.direction if part is None else (1 if part.coefficients[0] >= 0 else -1)
    if beside != alone.direction:
        return (1, -1), f"{evidence}, the opposite beside all others"
    if is_u_shaped(one.counts, one.unit):
        return (1, -1), f"{evidence}, it turns"
    return (alone.direction,), evidence


def _directed(one: _Facts, sign: int, way: Any, turn: float | None) -> Criterion:
    """A column read in one direction; one that turns only on one side of the turn."""
    within, counts = None, one.counts
    if turn is not None:
        below = (sign > 0) == (way == "peak")
        within = (-np.inf, turn) if below else (turn, np.inf)
        counts = _clipped(counts, within)
    gaps: list[Gap] = []
    for said, weights in one.gaps:
        if said.place is not None:
            place = given_place(counts, sign, said.place)
        elif _too_few(one, weights) and (weights.any() or said.code is not None):
            place = given_place(counts, sign, "worst")
        elif weights.any():
            place = place_of_missing(counts, weights, sign, unit=one.unit)
        else:
            continue
        place = own_place(place, [gap.place for gap in gaps], sign, counts.values)
        gaps.append(Gap(place, said.label, said.code, *_beside_place(counts, sign, place)))
    return Criterion(
        one.column.name,
        sign,
        one.column.labels,
        one.column.kind,
        column=one.place,
        gaps=tuple(gaps),
        within=within,
    )


def _too_few(one: _Facts, weights: Ints) -> bool:
    """Whether a kind of missing cell is too rare to say anything: it then satisfies nothing."""
    return _few(weights, one.rows, one.unit)


def _few(weights: Ints, total: int, unit: float) -> bool:
    rows = float(weights.sum()) * unit
    return rows < _FEW_GAPS or (rows < FEW_ROWS and rows < _FEW_CELLS * total * unit)


def _beside_place(counts: ValueCounts, sign: int, place: float) -> tuple[float, float]:
    """The observed values next to a place, the worse one first; infinite where there is none."""
    values = sign * counts.values
    worse, better = values[values < sign * place], values[values > sign * place]
    nearest = worse.max(initial=-math.inf), better.min(initial=math.inf)
    return sign * float(nearest[0]), sign * float(nearest[1])


def _clipped(counts: ValueCounts, within: tuple[float, float]) -> ValueCounts:
    """Counts of values that are not let beyond two ends."""
    values, place = np.unique(np.clip(counts.values, *within), return_inverse=True)
    weights = np.zeros((values.size, counts.weights.shape[1]), dtype=np.int64)
    np.add.at(weights, place, counts.weights)
    return ValueCounts(values, weights)
