"""Explanations of many rows: computed by pattern, turned into objects when they are asked for."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self, overload

import numpy as np
from numpy.typing import NDArray

from sugeno._scales.missing import has_missing
from sugeno._sets.masks import Masks, distinct_masks, pack, unpack
from sugeno.explain._flips import several
from sugeno.explain._limits import Cost, Limits, Prices, given_value
from sugeno.explain._margins import rooms, turning_literals
from sugeno.explain._shown import ShownRows
from sugeno.explain._words import absence, conclusion, movement
from sugeno.explain.explanation import Change, Counterfactual, Explanation, Factor, Margin
from sugeno.model.boundary import Boundary
from sugeno.model.form import Side

__all__ = ["Explanations", "explain"]

Floats = NDArray[np.float64]


def explain(
    model: Boundary,
    X: Floats,
    *,
    immutable: Iterable[Any] = (),
    permitted_range: Mapping[Any, tuple[Any, Any]] | None = None,
    cost: Cost = None,
    n_counterfactuals: int = 3,
) -> Explanations:
    """Explain the decisions of a model; see `SugenoClassifier.explain`.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno import SugenoClassifier
    >>> from sugeno.explain import explain
    >>> model = SugenoClassifier().fit([[1], [2], [3], [4]], [0, 0, 1, 1]).model_.boundaries[0]
    >>> print(explain(model, np.array([[2.0]]))[0])
    Refused. Accepted if x0 rises from 2 to 3.
    """
    if n_counterfactuals < 1:
        raise ValueError(f"n_counterfactuals must be at least 1. Got {n_counterfactuals} instead.")
    limits = Limits.of(model.literals, immutable, permitted_range, cost)
    return Explanations(model, np.asarray(X, dtype=np.float64), limits, n_counterfactuals)


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


class Explanations(ShownRows[Explanation]):
    """The explanations of the rows of a table, a sequence of `Explanation`.

    Rows that satisfy the same literals are explained once, and objects are made when they are
    asked for; `to_frame` makes none.

    Examples
    --------
    >>> from sugeno import SugenoClassifier
    >>> clf = SugenoClassifier().fit([[1], [2], [3], [4]], [0, 0, 1, 1])
    >>> clf.explain([[2], [4]])
    Refused. Accepted if x0 rises from 2 to 3.
    Accepted. Refused if x0 falls from 4 to 2.
    """

    def __init__(self, model: Boundary, X: Floats, limits: Limits, n_counterfactuals: int) -> None:
        self._model = model
        self._X = X
        self._limits = limits
        self._count = n_counterfactuals
        self._classes = model.labels.tolist()
        masks = model.satisfied(X)
        if limits.by_pattern:
            self._masks, self._case = distinct_masks(masks)
        else:
            self._masks, self._case = masks, np.arange(len(masks))
        self._verdicts = model.rules.accepts(self._masks)

    @property
    def accepted(self) -> NDArray[np.bool_]:
        """Which rows are accepted."""
        return self._verdicts[self._case]

    @property
    def limited(self) -> bool:
        """Whether the caller has limited what may change."""
        return self._limits.bounded

    @property
    def values(self) -> Floats:
        """The rows that are explained, as numbers."""
        return self._X

    @property
    def decisive(self) -> NDArray[np.intp]:
        """The literals of the reason of each row by criterion, shape (n, m); -1 for none."""
        columns = self._model.literals.columns
        found = np.full((len(self._masks), self._X.shape[1]), -1, dtype=np.intp)
        for cases in self._sides:
            row, literal = np.nonzero(unpack(cases.reasons, columns.size))
            found[cases.places[row], columns[literal]] = literal
        return found[self._case]

    @cached_property
    def _sides(self) -> tuple[_Cases, _Cases]:
        """Refused and accepted cases."""
        first, second = (self._cases(side) for side in self._model.form.sides)
        return first, second

    def _cases(self, side: Side) -> _Cases:
        places = np.flatnonzero(self._verdicts == side.accepted)
        states = side.state(self._masks[places])
        bits = unpack(states, self._model.literals.levels.size)
        rows = np.empty((0, self._X.shape[1])) if self._limits.by_pattern else self._X[places]
        return _Cases(side, places, states, self._limits.prices_of(bits, rows, side.accepted))

    @cached_property
    def _within(self) -> NDArray[np.intp]:
        """Place of each case among those of its verdict."""
        place = np.empty(len(self._masks), dtype=np.intp)
        for cases in self._sides:
            place[cases.places] = np.arange(cases.places.size)
        return place

    def __len__(self) -> int:
        return len(self._X)

    @overload
    def __getitem__(self, index: int) -> Explanation: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Explanation]: ...
    def __getitem__(self, index: int | slice) -> Explanation | Sequence[Explanation]:
        if isinstance(index, slice):
            return [self._explanation(row) for row in range(len(self))[index]]
        return self._explanation(range(len(self))[index])

    def _explanation(self, row: int) -> Explanation:
        case = self._case[row]
        cases = self._sides[int(self._verdicts[case])]
        place, side = self._within[case], cases.side
        chains, keys = self._model.literals.chains, cases.prices.keys[place]
        found = several(side, chains, cases.states[place], keys, self._count)
        fired = np.flatnonzero(self._model.form.fired(self._masks[case : case + 1])[0])
        ways = tuple(self._counterfactual(row, key, turn, cases, place) for key, turn in found)
        return Explanation(
            row=row,
            label=self._classes[side.accepted],
            accepted=side.accepted,
            rules=tuple(fired.tolist()),
            reason=self._factors(row, cases.reasons[place], side.accepted),
            counterfactuals=ways,
            margins=self._margins(row),
            text=self._sentence(side.accepted, str(ways[0]) if ways else None),
        )

    def _sentence(self, accepted: bool, way: str | None) -> str:
        return conclusion(self._classes, accepted, way, self._limits.bounded)

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
        literals = self._model.literals
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
            unpack(mask[None], self._model.literals.levels.size)[0]
        ).tolist()
        return members

    def _factors(self, row: int, reason: Masks, accepted: bool) -> tuple[Factor, ...]:
        literals = self._model.literals
        texts = literals.texts if accepted else literals.negations
        factors = []
        for literal in self._members(reason):
            j = int(literals.columns[literal])
            criterion = literals.criteria[j]
            value = given_value(criterion, float(self._X[row, j]))
            gap = math.isnan(self._X[row, j])
            said = absence(criterion) if gap else texts[literal]
            factors.append(Factor(criterion.name, value, said))
        return tuple(factors)

    def _margins(self, row: int) -> tuple[Margin, ...]:
        literals = self._model.literals
        case = self._case[row]
        turning = turning_literals(self._model.form, self._masks[case : case + 1])
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
        turning = turning_literals(self._model.form, self._masks)
        return rooms(self._model.literals, self._X, turning[self._case])

    @property
    def fired(self) -> NDArray[np.bool_]:
        """Which rules hold (or clauses are not met) for which row, shape (n, rules)."""
        return self._model.form.fired(self._masks)[self._case]

    @property
    def costs(self) -> Floats:
        """Cost of the nearest counterfactual of each row; NaN where none exists."""
        costs = np.full(len(self._masks), np.nan)
        for cases in self._sides:
            costs[cases.places] = cases.prices.cost(cases.nearest[0])
        return costs[self._case]

    def nearest(self) -> Floats:
        """Return each row as its nearest counterfactual; NaN where none exists.

        Returns
        -------
        ndarray of shape (n, m)
            Rows that get the other label, in original units (labels: their places).

        Examples
        --------
        >>> from sugeno import SugenoClassifier
        >>> clf = SugenoClassifier().fit([[1], [2], [3], [4]], [0, 0, 1, 1])
        >>> clf.explain([[1], [4]]).nearest()
        array([[3.],
               [2.]])
        """
        moved, columns = self._X.copy(), self._model.literals.columns
        for literal, accepted, rows in self._moves():
            moved[rows, columns[literal]] = self._limits.targets[int(accepted), literal]
        moved[np.isnan(self.costs)] = np.nan
        return moved

    def _moves(self) -> Iterator[tuple[int, bool, NDArray[np.intp]]]:
        """Literal by literal: whether it is given up, and the rows that change it to be nearest."""
        n_literals = self._model.literals.levels.size
        for cases in self._sides:
            turning = unpack(cases.nearest[1], n_literals)
            if cases.prices.takes is not None:
                taken = np.zeros_like(turning)
                row, asked = np.nonzero(turning)
                taken[row, cases.prices.takes[row, asked]] = True
                turning = taken
            whole = np.zeros((n_literals, len(self._masks)), dtype=np.bool_)
            whole[:, cases.places] = turning.T
            for literal in np.flatnonzero(turning.any(axis=0)).tolist():
                yield literal, cases.side.accepted, np.flatnonzero(whole[literal][self._case])

    def sentences(self) -> list[str]:
        """Return the verdict on each row and its nearest counterfactual in a sentence.

        Examples
        --------
        >>> from sugeno import SugenoClassifier
        >>> clf = SugenoClassifier().fit([[1], [2], [3], [4]], [0, 0, 1, 1])
        >>> clf.explain([[2]], immutable=["x0"]).sentences()
        ['Refused. No counterfactual exists within these limits.']
        """
        return [
            self._sentence(accepted, way or None)
            for accepted, way in zip(self.accepted.tolist(), self.ways())
        ]

    def ways(self) -> list[str]:
        """Return the nearest counterfactual of each row in words; empty where none exists."""
        moved, said = [np.zeros(0, dtype=np.intp)], [np.zeros(0, dtype=object)]
        columns = self._model.literals.columns
        for literal, accepted, rows in self._moves():
            target = float(self._limits.targets[int(accepted), literal])
            words = movement(self._model.literals, literal, target, not accepted)
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
        literals = self._model.literals
        texts = np.empty(len(self._masks), dtype=object)
        for cases in self._sides:
            words = literals.texts if cases.side.accepted else literals.negations
            distinct, place = distinct_masks(cases.reasons)
            bits = unpack(distinct, literals.levels.size)
            named = [words[literal] for literal in np.nonzero(bits)[1].tolist()]
            said = _joined(" and ", named, np.count_nonzero(bits, axis=1))
            texts[cases.places] = np.array(said, dtype=object)[place]
        said = [text or "whatever the values" for text in texts[self._case].tolist()]
        if has_missing(self._X):
            self._name_gaps(said)
        return said

    def _name_gaps(self, said: list[str]) -> None:
        """Say of decisive values that they are missing, not where they lie."""
        literals, decisive, gaps = self._model.literals, self.decisive, np.isnan(self._X)
        accepted = self.accepted
        for row in np.flatnonzero((gaps & (decisive >= 0)).any(axis=1)).tolist():
            words = literals.texts if accepted[row] else literals.negations
            said[row] = " and ".join(
                absence(literals.criteria[j]) if gaps[row, j] else words[literal]
                for literal, j in sorted(
                    (int(literal), j) for j, literal in enumerate(decisive[row]) if literal >= 0
                )
            )

    def rule_numbers(self) -> list[str]:
        """Return the places of the rules that hold (or clauses that are not met) of each row."""
        distinct, place = distinct_masks(pack(self._model.form.fired(self._masks)))
        bits = unpack(distinct, 64 * distinct.shape[1])
        numbers = list(map(str, np.nonzero(bits)[1].tolist()))
        fired = np.array(_joined(", ", numbers, np.count_nonzero(bits, axis=1)), dtype=object)
        found: list[str] = fired[place[self._case]].tolist()
        return found

    def _columns(self) -> dict[str, list[Any]]:
        return {
            "label": self._model.labels[self.accepted.astype(np.intp)].tolist(),
            "rules": self.rule_numbers(),
            "reason": self.reasons(),
            "counterfactual": [way or None for way in self.ways()],
            "cost": self.costs.tolist(),
        }

    def to_records(self) -> list[dict[str, Any]]:
        """Return one dictionary per row.

        Keys: ``label``; ``rules``, the places of the rules that hold (or clauses that are not
        met); ``reason``, a smallest sufficient one; ``counterfactual``, the nearest, and its
        ``cost`` (None and NaN where none exists within the limits).

        Examples
        --------
        >>> from sugeno import SugenoClassifier
        >>> clf = SugenoClassifier().fit([[1], [2], [3], [4]], [0, 0, 1, 1])
        >>> for name, value in clf.explain([[2]]).to_records()[0].items():
        ...     print(f"{name}: {value}")
        label: 0
        rules:
        reason: x0 < 3
        counterfactual: x0 rises from 2 to 3
        cost: 1.0
        """
        return super().to_records()

    def _head(self, n: int) -> Self:
        return type(self)(self._model, self._X[:n], self._limits, self._count)


def _joined(link: str, texts: list[str], counts: NDArray[np.intp]) -> list[str]:
    """Join the first so many texts, the next so many, and so on."""
    ends = np.cumsum(counts).tolist()
    return [link.join(texts[start:end]) for start, end in zip([0, *ends], ends)]
