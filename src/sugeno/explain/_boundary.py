"""Explanations at one boundary: many rows at a time, computed by pattern.

Among them margins: how far each criterion alone can move before the verdict flips.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sugeno._scales.literals import Literals
from sugeno._sets.chains import Chains
from sugeno._sets.masks import Masks, distinct_masks, pack, unpack
from sugeno.explain._limits import Limits, Prices, given_value
from sugeno.explain._words import absence, conclusion, movement
from sugeno.explain.explanation import Change, Counterfactual, Explanation, Factor, Margin
from sugeno.model.boundary import Boundary
from sugeno.model.form import IMPOSSIBLE, Form, Side
from sugeno.model.model import Model
from sugeno.model.text import opening

Floats = NDArray[np.float64]

#: Changes of one case that are put to the test where a column is read by two criteria.
_MOST_TRIED = 500


@dataclass(frozen=True, eq=False)
class _Cases:
    """The distinct cases of one verdict, and what is known about them."""

    side: Side
    places: NDArray[np.intp]
    states: Masks
    prices: Prices

    @cached_property
    def reasons(self) -> Masks:
        return self.side.reasons(self.states)

    @cached_property
    def nearest(self) -> tuple[Floats, Masks]:
        return self.side.cheapest(self.states, self.prices.keys)


class RowsAtBoundary:
    """The rows of a table beside one boundary, as of two classes: below it and above.

    Rows that satisfy the same literals are explained once, and objects are made when they are
    asked for.
    """

    def __init__(self, boundary: Boundary, X: Floats, limits: Limits, names: Sequence[str]) -> None:
        self._boundary = boundary
        self._X = X
        self._limits = limits
        self._names = names
        self._classes = boundary.labels.tolist()
        masks = boundary.satisfied(X)
        if limits.by_pattern:
            self._masks, self._case = distinct_masks(masks)
        else:
            self._masks, self._case = masks, np.arange(len(masks))
        self._verdicts = boundary.form.accepts(self._masks)

    def __len__(self) -> int:
        return len(self._X)

    @property
    def accepted(self) -> NDArray[np.bool_]:
        """Which rows are accepted."""
        return self._verdicts[self._case]

    @property
    def decisive(self) -> NDArray[np.intp]:
        """The literals of the reason of each row by criterion, shape (n, m); -1 for none."""
        columns = self._boundary.literals.columns
        found = np.full((len(self._masks), self._X.shape[1]), -1, dtype=np.intp)
        for cases in self._sides:
            row, literal = np.nonzero(unpack(cases.reasons, columns.size))
            found[cases.places[row], columns[literal]] = literal
        return found[self._case]

    @cached_property
    def _sides(self) -> tuple[_Cases, _Cases]:
        """Refused and accepted cases."""
        first, second = (self._cases(side) for side in self._boundary.form.sides)
        return first, second

    def _cases(self, side: Side) -> _Cases:
        places = np.flatnonzero(self._verdicts == side.accepted)
        states = side.state(self._masks[places])
        bits = unpack(states, self._boundary.literals.levels.size)
        rows = np.empty((0, self._X.shape[1])) if self._limits.by_pattern else self._X[places]
        return _Cases(side, places, states, self._limits.prices_of(bits, rows, side.accepted))

    @cached_property
    def _within(self) -> NDArray[np.intp]:
        """Place of each case among those of its verdict."""
        place = np.empty(len(self._masks), dtype=np.intp)
        for cases in self._sides:
            place[cases.places] = np.arange(cases.places.size)
        return place

    @cached_property
    def _partners(self) -> list[list[int]]:
        """Of each literal all criteria that read its column: two where it has no direction."""
        criteria = self._boundary.literals.criteria
        return [
            [other for other, one in enumerate(criteria) if one.name == criteria[j].name]
            for j in self._boundary.literals.columns.tolist()
        ]

    @property
    def sure(self) -> bool:
        """Whether the search finds every way: true unless a column is read by two criteria."""
        return all(len(one) == 1 for one in self._partners)

    def _flips(self, cases: _Cases, place: int, turn: Masks) -> bool:
        """Whether a change flips the verdict, once all criteria have read the changed cells.

        A value that gives up one side of a column without a direction may gain the other one.
        """
        literals, accepted = self._boundary.literals, cases.side.accepted
        bits = unpack(self._masks[cases.places[place]][None], literals.levels.size)
        turned = self._members(turn)
        if cases.prices.takes is not None:
            turned = cases.prices.takes[place, turned].tolist()
        columns = literals.columns.tolist()
        if len({literals.criteria[columns[one]].name for one in turned}) < len(turned):
            return False  # one cell cannot have two values
        for one in turned:
            target = float(self._limits.targets[int(accepted), one])
            for j in self._partners[one]:
                own = j == columns[one]
                value = target if own else float(literals.criteria[j].read([target])[0])
                here = np.flatnonzero(literals.columns == j)
                levels = literals.levels[here].tolist()
                bits[0, here] = [literals.criteria[j].reaches(value, level) for level in levels]
        return bool(self._boundary.form.accepts(pack(bits))[0]) != accepted

    @cached_property
    def _nearest(self) -> list[tuple[Floats, Masks]]:
        """Of refused and accepted cases the cheapest change: its key, and the literals."""
        found = []
        for cases in self._sides:
            keys, turns = cases.nearest[0].copy(), cases.nearest[1].copy()
            for place in [] if self.sure else np.flatnonzero(keys < IMPOSSIBLE).tolist():
                if not self._flips(cases, place, turns[place]):
                    ways = self._changes(cases, place)
                    nothing = (IMPOSSIBLE, turns[place] * 0)
                    keys[place], turns[place] = next((way[:2] for way in ways), nothing)
            found.append((keys, turns))
        return found

    def _changes(self, cases: _Cases, place: int) -> Iterator[tuple[float, Masks, Masks]]:
        """The changes of a case that flip its verdict, cheapest first."""
        ways = cases.side.changes(cases.states[place], cases.prices.keys[place])
        if self.sure:
            return ways
        return (way for way in islice(ways, _MOST_TRIED) if self._flips(cases, place, way[1]))

    def explanation(self, row: int, n_counterfactuals: int) -> Explanation:
        """Explain one row."""
        case = self._case[row]
        cases = self._sides[int(self._verdicts[case])]
        place, side = self._within[case], cases.side
        chains = self._boundary.literals.chains
        found = _several(self._changes(cases, int(place)), chains, n_counterfactuals)
        fired = np.flatnonzero(self._boundary.form.fired(self._masks[case : case + 1])[0])
        ways = tuple(self._counterfactual(row, key, turn, cases, place) for key, turn in found)
        return Explanation(
            row=row,
            label=self._classes[side.accepted],
            accepted=side.accepted,
            rules=tuple(fired.tolist()),
            reason=self._factors(row, cases.reasons[place], side.accepted),
            counterfactuals=ways,
            margins=self._margins(row),
            text=conclusion(
                self._names,
                int(side.accepted),
                ways[0] if ways else None,
                limited=self._limits.bounded,
                sure=self.sure or not side.accepted,
            ),
        )

    def _counterfactual(
        self, row: int, key: float, turn: Masks, cases: _Cases, place: int
    ) -> Counterfactual:
        accepted = cases.side.accepted
        prices = cases.prices.row(place)
        literals = self._members(turn)
        if prices.takes is not None:
            literals = prices.takes[0, literals].tolist()
        changes = tuple(self._change(row, literal, accepted) for literal in literals)
        price = float(prices.cost(np.array(key)))
        return Counterfactual(self._classes[not accepted], changes, float(f"{price:.9g}"))

    def _change(self, row: int, literal: int, accepted: bool) -> Change:
        literals = self._boundary.literals
        j = int(literals.columns[literal])
        before, after = float(self._X[row, j]), float(self._limits.targets[int(accepted), literal])
        criterion = literals.criteria[j]
        return Change(
            criterion.name,
            given_value(criterion, before),
            given_value(criterion, after),
            movement(literals, literal, after, not accepted)(before),
        )

    def _members(self, mask: Masks) -> list[int]:
        members: list[int] = np.flatnonzero(
            unpack(mask[None], self._boundary.literals.levels.size)[0]
        ).tolist()
        return members

    def _factors(self, row: int, reason: Masks, accepted: bool) -> tuple[Factor, ...]:
        literals = self._boundary.literals
        factors = []
        for literal in self._members(reason):
            j = int(literals.columns[literal])
            criterion = literals.criteria[j]
            value = given_value(criterion, float(self._X[row, j]))
            said = absence(criterion, float(self._X[row, j]))
            said = said or literals.of_values[literal][not accepted]
            factors.append(Factor(criterion.name, value, said))
        return tuple(factors)

    def _margins(self, row: int) -> tuple[Margin, ...]:
        literals = self._boundary.literals
        case = self._case[row]
        turning = turning_literals(self._boundary.form, self._masks[case : case + 1])
        room = rooms(literals, self._X[row : row + 1], turning)[0]
        margins = []
        for j, criterion in enumerate(literals.criteria):
            value = float(self._X[row, j])
            literal = int(turning[0, j])
            limit: Any = None
            if literal >= 0:
                level = float(literals.levels[literal])
                limit = literals.parts[literal][2] if criterion.labels else level
            shown = given_value(criterion, value)
            margins.append(Margin(criterion.name, shown, limit, float(room[j])))
        return tuple(margins)

    @property
    def margins(self) -> Floats:
        """How far each criterion of each row alone is from flipping the verdict, shape (n, m).

        How much worse it may get where the row is accepted, how much better it must get where it
        is refused, in original units (labels: steps); infinite where it cannot flip the verdict.
        """
        turning = turning_literals(self._boundary.form, self._masks)
        return rooms(self._boundary.literals, self._X, turning[self._case])

    @property
    def fired(self) -> NDArray[np.bool_]:
        """Which rules hold (or clauses are not met) for which row, shape (n, rules)."""
        return self._boundary.form.fired(self._masks)[self._case]

    @property
    def costs(self) -> Floats:
        """Cost of the nearest counterfactual of each row; NaN where none exists."""
        costs = np.full(len(self._masks), np.nan)
        for cases, (keys, _) in zip(self._sides, self._nearest):
            costs[cases.places] = cases.prices.cost(keys)
        return costs[self._case]

    def nearest(self) -> Floats:
        """Return each row as its nearest counterfactual; NaN where none exists."""
        moved, columns = self._X.copy(), self._boundary.literals.columns
        criteria = self._boundary.literals.criteria
        for literal, accepted, rows in self._moves():
            target = float(self._limits.targets[int(accepted), literal])
            for j in self._partners[literal]:
                own = j == columns[literal]
                moved[rows, j] = target if own else criteria[j].read([target])[0]
        moved[np.isnan(self.costs)] = np.nan
        return moved

    def _moves(self) -> Iterator[tuple[int, bool, NDArray[np.intp]]]:
        """Literal by literal: whether it is given up, and the rows that change it to be nearest."""
        n_literals = self._boundary.literals.levels.size
        for cases, (_, turns) in zip(self._sides, self._nearest):
            turning = unpack(turns, n_literals)
            if cases.prices.takes is not None:
                taken = np.zeros_like(turning)
                row, asked = np.nonzero(turning)
                taken[row, cases.prices.takes[row, asked]] = True
                turning = taken
            whole = np.zeros((n_literals, len(self._masks)), dtype=np.bool_)
            whole[:, cases.places] = turning.T
            for literal in np.flatnonzero(turning.any(axis=0)).tolist():
                yield literal, cases.side.accepted, np.flatnonzero(whole[literal][self._case])

    def ways(self) -> list[str]:
        """Return the nearest counterfactual of each row in words; empty where none exists."""
        moved, said = [np.zeros(0, dtype=np.intp)], [np.zeros(0, dtype=object)]
        columns = self._boundary.literals.columns
        for literal, accepted, rows in self._moves():
            target = float(self._limits.targets[int(accepted), literal])
            words = movement(self._boundary.literals, literal, target, not accepted)
            # By its bits a zero keeps its sign, and what is missing is one value.
            bits = self._X[rows, columns[literal]].view(np.int64)
            distinct, place = np.unique(bits, return_inverse=True)
            texts = [words(value) for value in distinct.view(np.float64).tolist()]
            moved.append(rows)
            said.append(np.array(texts, dtype=object)[place])
        row = np.concatenate(moved)
        parts = np.concatenate(said)[np.argsort(row, kind="stable")]
        return _joined(" and ", parts.tolist(), np.bincount(row, minlength=len(self)))

    def reasons(self) -> list[str]:
        """Return the reason of each row in words."""
        literals = self._boundary.literals
        texts = np.empty(len(self._masks), dtype=object)
        for cases in self._sides:
            distinct, place = distinct_masks(cases.reasons)
            bits = unpack(distinct, literals.levels.size)
            refused = not cases.side.accepted
            named = [literals.of_values[j][refused] for j in np.nonzero(bits)[1].tolist()]
            said = _joined(" and ", named, np.count_nonzero(bits, axis=1))
            texts[cases.places] = np.array(said, dtype=object)[place]
        said = [text or "whatever the values" for text in texts[self._case].tolist()]
        gaps = self._gaps()
        if gaps.any():
            self._name_gaps(said, gaps)
        return said

    def _gaps(self) -> NDArray[np.bool_]:
        """Which cells hold no value."""
        gaps = np.isnan(self._X)
        for j, criterion in enumerate(self._boundary.literals.criteria):
            if criterion.places is None and criterion.gaps:
                gaps[:, j] |= np.isin(self._X[:, j], [gap.place for gap in criterion.gaps])
        return gaps

    def _name_gaps(self, said: list[str], gaps: NDArray[np.bool_]) -> None:
        """Say of decisive values in which way they are missing, not where they lie."""
        literals, decisive = self._boundary.literals, self.decisive
        accepted = self.accepted
        for row in np.flatnonzero((gaps & (decisive >= 0)).any(axis=1)).tolist():
            refused = not accepted[row]
            said[row] = " and ".join(
                absence(literals.criteria[j], float(self._X[row, j]))
                or literals.of_values[literal][refused]
                for literal, j in sorted(
                    (int(literal), j) for j, literal in enumerate(decisive[row]) if literal >= 0
                )
            )

    def rule_numbers(self) -> list[str]:
        """Return the places of the rules that hold (or clauses that are not met) of each row."""
        distinct, place = distinct_masks(pack(self._boundary.form.fired(self._masks)))
        bits = unpack(distinct, 64 * distinct.shape[1])
        numbers = list(map(str, np.nonzero(bits)[1].tolist()))
        fired = np.array(_joined(", ", numbers, np.count_nonzero(bits, axis=1)), dtype=object)
        found: list[str] = fired[place[self._case]].tolist()
        return found


@dataclass(frozen=True, eq=False)
class Beside:
    """The rows on both sides of a boundary, those of the class below it and of the class above.

    Attributes
    ----------
    rows : ndarray of intp
        Their places in the table.
    found : RowsAtBoundary
        What the boundary says about them.
    """

    rows: NDArray[np.intp]
    found: RowsAtBoundary

    def at(self, row: int) -> int:
        """Return the place of a row of the table among these."""
        return int(np.searchsorted(self.rows, row))


def beside(
    model: Model, X: Floats, place: NDArray[np.intp], limits: Sequence[Limits]
) -> tuple[Beside, ...]:
    """Put the rows to the boundaries next to their classes."""
    found = []
    for b, (boundary, limit) in enumerate(zip(model.boundaries, limits)):
        rows = np.flatnonzero((place == b) | (place == b + 1))
        values = X if rows.size == len(X) else X[rows]
        names = model.names if len(model.boundaries) == 1 else boundary.labels.tolist()
        said = [opening(name, model.words) for name in names]
        found.append(Beside(rows, RowsAtBoundary(boundary, values, limit, said)))
    return tuple(found)


def _several(
    changes: Iterator[tuple[float, Masks, Masks]], chains: Chains, count: int
) -> list[tuple[float, Masks]]:
    """Return the prices and literals of up to so many changes of one state, cheapest first.

    Each concerns a set of criteria of its own, and none does what a cheaper one does and more.
    """
    chosen: list[tuple[float, Masks]] = []
    criteria_seen: set[frozenset[int]] = set()
    earlier: list[Masks] = []
    for key, turn, change in changes:
        if len(chosen) == count:
            break
        if any(not (cheaper & ~change).any() for cheaper in earlier):
            continue
        earlier.append(change)
        turned = np.flatnonzero(unpack(turn[None], chains.n_literals)[0])
        criteria = frozenset(chains.criteria[turned].tolist())
        if criteria not in criteria_seen:
            criteria_seen.add(criteria)
            chosen.append((key, turn))
    return chosen


def _joined(link: str, texts: list[str], counts: NDArray[np.intp]) -> list[str]:
    """Join the first so many texts, the next so many, and so on."""
    ends = np.cumsum(counts).tolist()
    return [link.join(texts[start:end]) for start, end in zip([0, *ends], ends)]


def turning_literals(form: Form, masks: Masks) -> NDArray[np.intp]:
    """Return, per pattern and criterion, the first literal whose change alone flips the verdict.

    Of an accepted pattern the strongest literal without which it would be refused, of a refused
    one the weakest with which it would be accepted; -1 where the criterion alone cannot flip it.
    Costs one verdict on all patterns per literal.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno import RuleSet
    >>> from sugeno.explain._boundary import turning_literals
    >>> turning_literals(RuleSet([{0, 1}], [3, 5]), np.array([[3], [2], [0]], np.uint64))
    array([[ 0,  1],
           [ 0, -1],
           [-1, -1]])
    """
    chains = form.literal_set.chains
    accepted = form.accepts(masks)
    found = np.full((len(masks), chains.n_criteria), -1, dtype=np.intp)
    owner = chains.criteria
    for literal in range(chains.n_literals):
        j = owner[literal]
        # Accepted: later literals, the stronger ones, overwrite. Refused: the first one stays.
        beyond = pack(((owner == j) & (np.arange(owner.size) >= literal))[None])
        upto = pack(((owner == j) & (np.arange(owner.size) <= literal))[None])
        flips = accepted & ~form.accepts(masks & ~beyond)
        flips |= ~accepted & (found[:, j] < 0) & form.accepts(masks | upto)
        found[flips, j] = literal
    return found


def rooms(literals: Literals, X: Floats, turning: NDArray[np.intp]) -> Floats:
    """Distance of each value from the level that decides, in original units.

    How much worse a criterion of an accepted row may get without a refusal, how much better one
    of a refused row must get; infinite where it alone decides nothing, and where it is missing. For
    ordered labels: steps.
    """
    levels = np.append(literals.levels, np.nan)
    for literal, j in enumerate(literals.columns.tolist()):
        criterion = literals.criteria[j]
        if criterion.labels is not None:
            levels[literal] = criterion.direction * np.ceil(criterion.direction * levels[literal])
    with np.errstate(over="ignore"):  # beyond the largest number there is infinity
        distance = np.abs(X - levels[turning])
    return np.where((turning < 0) | np.isnan(X), np.inf, distance)
