"""Explanations of a sum of steps: what each criterion adds, and the cheapest ways out.

One criterion, and then two, are put to every level that the limits allow, and the sum is asked
each time: so the cheapest flips are exact, and where there is none, that is proved. A change of
more criteria is not looked for; whether one could help is seen where all of them are at their best.
What a criterion adds is measured from a row that reaches no level: its own steps, and half of what
it adds together with each other criterion. That is its Shapley value, so all of it adds up to the
log odds.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sugeno._scales.surfaces import Index, Ints
from sugeno.explain._limits import Limits, Prices, given_value
from sugeno.explain._words import conclusion, movement
from sugeno.explain.explanation import Change, Contribution, Counterfactual, SumExplanation
from sugeno.explain.explanations import RowExplanations
from sugeno.model.form import IMPOSSIBLE
from sugeno.model.naming import as_shown
from sugeno.model.score_model import ScoreModel, Sum

__all__ = ["SumExplanations"]

Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]


class SumExplanations(RowExplanations[SumExplanation]):
    """The explanations of the rows of a table, a sequence of `SumExplanation`.

    Examples
    --------
    >>> from sugeno import SugenoEnsembleClassifier
    >>> clf = SugenoEnsembleClassifier(n_bags=2).fit([[1], [2], [3], [4]] * 9, [0, 0, 1, 1] * 9)
    >>> clf.explain([[2], [4]])
    Class 0. Class 1 if x0 rises from 2 to 3.
    Class 1. Class 0 if x0 falls from 4 to 2.
    """

    _model: ScoreModel

    def __init__(
        self, model: ScoreModel, X: Floats, limits: Sequence[Limits], n_counterfactuals: int
    ) -> None:
        super().__init__(model, X, limits, n_counterfactuals)
        self._codes = model.boundaries[0].codes(X)
        self._totals = [one.tables.sums(self._codes) for one in model.boundaries]
        self._place = self._passed(self._totals)

    def _passed(self, totals: Sequence[Ints]) -> NDArray[np.intp]:
        """How many boundaries are passed."""
        pairs = zip(self._model.boundaries, totals)
        found: NDArray[np.intp] = np.sum(
            [one.accepts(t) for one, t in pairs], axis=0, dtype=np.intp
        )
        return found

    @property
    def _last(self) -> int:
        return len(self._model.boundaries) - 1

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the columns; one without a direction is read by two criteria."""
        return tuple(self._own)

    @cached_property
    def _own(self) -> dict[str, list[int]]:
        """The criteria that read each column, by its name."""
        found: dict[str, list[int]] = {}
        for j, criterion in enumerate(self._model.criteria):
            found.setdefault(criterion.name, []).append(j)
        return found

    @property
    def contributions(self) -> Floats:
        """Log odds that each column adds to each row, shape (n, number of columns).

        Its steps and half of those with each other criterion, beside a row that reaches no level.
        Of more than two classes at the boundary of the next class up, of the highest at its own.
        """
        each = np.array([self._added(one, self._codes) for one in self._model.boundaries])
        shown = np.minimum(self._place, self._last)
        found: Floats = each[shown, np.arange(len(self))]
        return found

    def _added(self, boundary: Sum, codes: Index) -> Floats:
        """What each column adds at one boundary."""
        tables = boundary.tables
        doubled = np.array([2 * table[c] for table, c in zip(tables.single, codes)])
        for pair in tables.pairs:
            values = pair.values(codes)
            doubled[pair.first] += values
            doubled[pair.second] += values
        summed = np.array([doubled[own].sum(axis=0) for own in self._own.values()])
        return boundary.log_odds(summed.T) / 2

    def _explanation(self, row: int) -> SumExplanation:
        if not self._last:
            return self._across(row, 0)
        place = int(self._place[row])
        above = self._across(row, place) if place <= self._last else None
        below = self._across(row, place - 1) if place else None
        shown = self._across(row, min(place, self._last))
        ways = shown.counterfactuals
        chances = self._model.class_probabilities(self._X[row : row + 1])[0]
        return replace(
            shown,
            label=self._labels[place],
            accepted=above is None,
            probability=float(chances[place]),
            counterfactuals=() if above is None else ways,
            text=self._text(place, ways, shown.impossible),
            higher=None if above is None else self._labels[place + 1],
            lower=None if below is None else self._labels[place - 1],
            above=above,
            below=below,
        )

    def _across(self, row: int, b: int) -> SumExplanation:
        """What is said about one boundary."""
        boundary = self._model.boundaries[b]
        search = _Search(self, row, b)
        alone = tuple(self._way(search, *found) for found in search.alone)
        ways = tuple(self._way(search, *found) for found in search.ways()[: self._count])
        label = self._model.at_boundary(b).classes[int(search.accepted)]
        return SumExplanation(
            row=row,
            label=getattr(label, "item", lambda: label)(),
            accepted=search.accepted,
            probability=float(boundary.chances(self._totals[b][row : row + 1])[0]),
            contributions=self._contributions_of(row, boundary),
            base=float(boundary.log_odds(np.array([boundary.tables.constant]))[0]),
            counterfactuals=ways,
            alone=alone,
            impossible=search.impossible,
            text=self._text(int(self._place[row]), ways, search.impossible),
        )

    def _way(self, search: _Search, key: float, found: _Found) -> Counterfactual:
        """A change, with the class that it leads to: it may be further than the next one."""
        codes = search.after(found)[:, None]
        totals = [one.tables.sums(codes) for one in self._model.boundaries]
        return search.way(key, found, self._labels[int(self._passed(totals)[0])])

    def _contributions_of(self, row: int, boundary: Sum) -> tuple[Contribution, ...]:
        added = self._added(boundary, self._codes[:, row : row + 1])[0].tolist()
        found = []
        for (name, own), adds in zip(self._own.items(), added):
            criterion, value = self._model.criteria[own[0]], float(self._X[row, own[0]])
            text = f"{name} {as_shown(criterion, value)}: {adds:+.3g}"
            found.append(Contribution(name, given_value(criterion, value), adds, text))
        return tuple(sorted(found, key=lambda one: -one.log_odds))

    def _text(self, place: int, ways: Sequence[Counterfactual], impossible: bool) -> str:
        limited = self._limits[0].bounded
        if ways or impossible:
            way = ways[0] if ways else None
            reached = self._labels.index(way.label) if way else None
            return conclusion(self._names, place, way, reached, limited=limited)
        aim = self._model.names[place + 1 if place <= self._last else place - 1]
        within = " within these limits" * limited
        return f"{self._names[place]}. No change of one or two criteria leads to {aim}{within}."

    def to_records(self) -> list[dict[str, Any]]:
        """Return one dictionary per row.

        Keys: ``label``, and ``probability`` of the positive class, of more than two classes of the
        label. ``alone`` has the columns that can change the class alone. ``counterfactual`` is the
        nearest change of one or two columns, with its ``cost`` (None and NaN where there is none).
        Of more than two classes it leads to a higher one, ``higher``. For each column
        ``adds <name>`` has the log odds that it adds.

        Examples
        --------
        >>> from sugeno import SugenoEnsembleClassifier
        >>> clf = SugenoEnsembleClassifier(n_bags=2).fit([[1], [2], [3]] * 9, [0, 1, 1] * 9)
        >>> record = clf.explain([[1]]).to_records()[0]
        >>> record["label"], record["alone"], record["counterfactual"]
        (0, 'x0', 'x0 rises from 1 to 2')
        """
        return super().to_records()

    def _columns(self) -> dict[str, list[Any]]:
        found = [*self]
        nearest = [one.counterfactuals[0] if one.counterfactuals else None for one in found]
        adds = zip(self.columns, self.contributions.T.tolist())
        higher = {"higher": [None if way is None else way.label for way in nearest]}
        return {
            "label": [one.label for one in found],
            "probability": [one.probability for one in found],
            "alone": [", ".join(way.changes[0].criterion for way in one.alone) for one in found],
            **(higher if self._last else {}),
            "counterfactual": [None if way is None else str(way) for way in nearest],
            "cost": [math.nan if way is None else way.cost for way in nearest],
            **{f"adds {name}": column for name, column in adds},
        }


#: The places of the literals that a change goes to, one per column.
_Found = tuple[int, ...]


class _Search:
    """The changes of one row at a boundary: all values of one column, all pairs of two."""

    def __init__(self, told: SumExplanations, row: int, b: int) -> None:
        self._model, self._limits = told._model.boundaries[b], told._limits[b]
        self._columns = [*told._own.values()]
        self._x = told._X[row : row + 1]
        self._codes: Index = told._codes[:, row]
        self._total = int(told._totals[b][row])
        self.accepted = bool(told._place[row] > b)
        tried = [self._tried(own) for own in self._columns]
        self._literals = [literals for literals, _ in tried]
        self._moved = [moved for _, moved in tried]
        tables = self._model.tables
        self._gains: list[Ints] = [tables.sums(moved) - self._total for moved in self._moved]

    @cached_property
    def _prices(self) -> Prices:
        """What it costs to change each literal that can change."""
        literals = self._model.literals
        places = np.concatenate([np.arange(size) for size in literals.chains.sizes])
        reached = self._codes[literals.columns] > places
        state = reached if self.accepted else ~reached
        return self._limits.prices_of(state[None], self._x, self.accepted)

    def _target(self, literal: int) -> tuple[int, float]:
        """The literal that is gone to, as it may be cheaper to go further, and the value there."""
        takes = self._prices.takes
        place = literal if takes is None else int(takes[0, literal])
        return place, float(self._limits.targets[int(self.accepted), place])

    def _tried(self, own: list[int]) -> tuple[list[int], Index]:
        """Literals that a column can be moved to, and the codes of the row after each move."""
        columns = self._model.literals.columns
        keys = self._prices.keys[0]
        found = [
            literal
            for literal in np.flatnonzero(np.isin(columns, own)).tolist()
            if 0 < keys[literal] < IMPOSSIBLE
        ]
        moved = np.repeat(self._codes[:, None], len(found), axis=1)
        for place, literal in enumerate(found):
            value = self._target(literal)[1]
            for j in own:
                moved[j, place] = self._model.code(j, value)
        return found, moved

    def _flips(self, totals: Ints) -> Bools:
        flipped: Bools = self._model.accepts(totals) != self.accepted
        return flipped

    def _keys(self, column: int) -> Floats:
        found: Floats = self._prices.keys[0][self._literals[column]]
        return found

    @cached_property
    def _single(self) -> dict[int, tuple[float, _Found]]:
        """The cheapest flip of each column that has one alone."""
        found: dict[int, tuple[float, _Found]] = {}
        for column, gains in enumerate(self._gains):
            keys = np.where(self._flips(self._total + gains), self._keys(column), np.inf)
            if keys.size and np.isfinite(keys.min()):
                place = int(keys.argmin())
                found[column] = (float(keys[place]), (self._literals[column][place],))
        return found

    @property
    def alone(self) -> list[tuple[float, _Found]]:
        """The cheapest flip of each column that has one, cheapest first."""
        return sorted(self._single.values())

    def ways(self) -> list[tuple[float, _Found]]:
        """The cheapest flips of one column, and of two where neither alone is as cheap."""
        return sorted([*self._single.values(), *self._double()])

    def _double(self) -> Iterator[tuple[float, _Found]]:
        for first, second in combinations(range(len(self._columns)), 2):
            keys = self._keys(first)[:, None] + self._keys(second)
            if not keys.size:
                continue
            keys = np.where(self._flips(self._total + self._together(first, second)), keys, np.inf)
            place = int(keys.argmin())
            key = float(keys.ravel()[place])
            single = min(self._single.get(one, (np.inf,))[0] for one in (first, second))
            if key < single:
                row, column = divmod(place, keys.shape[1])
                yield key, (self._literals[first][row], self._literals[second][column])

    def _together(self, first: int, second: int) -> Ints:
        """What the total changes by, for all moves of two columns."""
        one, other = self._moved[first], self._moved[second]
        found: Ints = self._gains[first][:, None] + self._gains[second]
        for pair in self._model.tables.pairs:
            if pair.first in self._columns[first] and pair.second in self._columns[second]:
                rows, columns = one[pair.first][:, None], other[pair.second]
            elif pair.first in self._columns[second] and pair.second in self._columns[first]:
                rows, columns = other[pair.first], one[pair.second][:, None]
            else:
                continue
            here, there = self._codes[pair.first], self._codes[pair.second]
            found = found + pair.at(rows, columns) + pair.at(here, there)
            found = found - pair.at(rows, there) - pair.at(here, columns)
        return found

    @cached_property
    def impossible(self) -> bool:
        """Whether even all criteria together, each at its end, leave the decision as it is."""
        ends = self._codes.copy()
        end = np.min if self.accepted else np.max
        for own, moved in zip(self._columns, self._moved):
            for j in own:
                ends[j] = end([ends[j], *moved[j]])
        return not bool(self._flips(self._model.tables.sums(ends[:, None]))[0])

    def after(self, found: _Found) -> Index:
        """The codes of the row after a change."""
        codes = self._codes.copy()
        for own, literals, moved in zip(self._columns, self._literals, self._moved):
            for literal in found:
                if literal in literals:
                    codes[own] = moved[own, literals.index(literal)]
        return codes

    def way(self, key: float, found: _Found, label: object) -> Counterfactual:
        """A change as people read it, and where it leads."""
        columns = self._model.literals.columns
        changes = []
        for literal in found:
            place, value = self._target(literal)
            j = int(columns[place])
            criterion, before = self._model.criteria[j], float(self._x[0, j])
            words = movement(self._model.literals, place, value, not self.accepted)
            text = words(before)
            given = given_value(criterion, before), given_value(criterion, value)
            changes.append(Change(criterion.name, *given, text))
        cost = float(self._prices.cost(np.array(key)))
        return Counterfactual(label, tuple(changes), cost)
