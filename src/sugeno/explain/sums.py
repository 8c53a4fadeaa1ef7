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
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any, Literal, overload

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from sugeno._scales.surfaces import Index, Ints
from sugeno.explain._limits import Cost, Limits, Prices, given_value
from sugeno.explain._words import conclusion, movement
from sugeno.explain.explanation import Change, Counterfactual
from sugeno.model.form import IMPOSSIBLE
from sugeno.model.naming import as_shown
from sugeno.model.score_model import ScoreModel
from sugeno.model.text import html_table, opening

__all__ = ["Contribution", "SumExplanation", "SumExplanations", "explain_sum"]

Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]

#: A representation shows so many rows.
_SHOWN = 10


@dataclass(frozen=True)
class Contribution:
    """What one column adds to the log odds, beside a row that reaches no level.

    Attributes
    ----------
    criterion : str
        Name of the column.
    value : float or str
        Its value in the row; None if it is missing.
    log_odds : float
        What it adds: its own steps, and half of what it adds with each other criterion.
    text : str
        The same in words.

    Examples
    --------
    >>> from sugeno.explain import Contribution
    >>> print(Contribution("income", 900.0, 1.25, "income 900: +1.25"))
    income 900: +1.25
    """

    criterion: str
    value: Any
    log_odds: float
    text: str

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class SumExplanation:
    """Why a sum of steps decides so on a row, and what would change it.

    Attributes
    ----------
    row : int
        Place of the row in the table.
    label : object
        Its class.
    accepted : bool
        Whether that is the positive class.
    probability : float
        Of the positive class.
    contributions : tuple of Contribution
        What each column adds, the most first. With ``base`` they add up to the log odds.
    base : float
        Log odds of a row that reaches no level.
    counterfactuals : tuple of Counterfactual
        The cheapest changes of one or two columns that flip the decision, nearest first, each
        about columns of its own. Of two columns only where neither alone is as cheap.
    alone : tuple of Counterfactual
        For each column that can flip the decision alone its cheapest way, nearest first.
    impossible : bool
        Whether it is proved that no change within the limits flips the decision, however many
        columns it changes.
    text : str
        The class and the nearest way to the other one in a sentence.

    Examples
    --------
    >>> from sugeno import SugenoEnsembleClassifier
    >>> clf = SugenoEnsembleClassifier(n_bags=2).fit([[1], [2], [3], [4]] * 9, [0, 0, 1, 1] * 9)
    >>> one = clf.explain([[2]])[0]
    >>> print(one)
    Class 0. Class 1 if x0 rises from 2 to 3.
    >>> [way.cost for way in one.alone], one.impossible
    ([1.0], False)
    """

    row: int
    label: Any
    accepted: bool
    probability: float
    contributions: tuple[Contribution, ...]
    base: float
    counterfactuals: tuple[Counterfactual, ...]
    alone: tuple[Counterfactual, ...]
    impossible: bool
    text: str

    def __str__(self) -> str:
        return self.text


def explain_sum(
    model: ScoreModel,
    X: Floats,
    *,
    immutable: Iterable[Any] = (),
    permitted_range: Mapping[Any, tuple[Any, Any]] | None = None,
    cost: Cost = None,
    n_counterfactuals: int = 3,
) -> SumExplanations:
    """Explain the decisions of a sum of steps; limits as for `explain`.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno import SugenoEnsembleClassifier
    >>> from sugeno.explain import explain_sum
    >>> clf = SugenoEnsembleClassifier(n_bags=2).fit([[1], [2], [3], [4]] * 9, [0, 0, 1, 1] * 9)
    >>> explain_sum(clf.model_, np.array([[2.0]]), immutable=["x0"])
    Class 0. No counterfactual exists within these limits.
    """
    if n_counterfactuals < 1:
        raise ValueError(f"n_counterfactuals must be at least 1. Got {n_counterfactuals} instead.")
    limits = Limits.of(model.literals, immutable, permitted_range, cost)
    return SumExplanations(model, np.asarray(X, dtype=np.float64), limits, n_counterfactuals)


class SumExplanations(Sequence[SumExplanation]):
    """The explanations of the rows of a table, made when they are asked for.

    Examples
    --------
    >>> from sugeno import SugenoEnsembleClassifier
    >>> clf = SugenoEnsembleClassifier(n_bags=2).fit([[1], [2], [3], [4]] * 9, [0, 0, 1, 1] * 9)
    >>> clf.explain([[2], [4]])
    Class 0. Class 1 if x0 rises from 2 to 3.
    Class 1. Class 0 if x0 falls from 4 to 2.
    """

    def __init__(
        self, model: ScoreModel, X: Floats, limits: Limits, n_counterfactuals: int
    ) -> None:
        self._model = model
        self._X = X
        self._limits = limits
        self._count = n_counterfactuals
        self._names = [opening(name, model.words) for name in model.names]
        self._codes = model.codes(X)
        self._totals = model.tables.sums(self._codes)

    @property
    def accepted(self) -> Bools:
        """Which rows are in the positive class."""
        return self._model.accepts(self._totals)

    @property
    def labels(self) -> NDArray[Any]:
        """The class of each row."""
        return self._model.classes.take(self.accepted)

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the columns; one without a direction is read by two criteria."""
        return tuple(self._columns)

    @cached_property
    def _columns(self) -> dict[str, list[int]]:
        """The criteria that read each column, by its name."""
        found: dict[str, list[int]] = {}
        for j, criterion in enumerate(self._model.criteria):
            found.setdefault(criterion.name, []).append(j)
        return found

    @property
    def contributions(self) -> Floats:
        """Log odds that each column adds to each row, shape (n, number of columns).

        Its steps and half of those with each other criterion, beside a row that reaches no level.
        """
        tables = self._model.tables
        doubled = np.array([2 * table[c] for table, c in zip(tables.single, self._codes)])
        for pair in tables.pairs:
            values = pair.values(self._codes)
            doubled[pair.first] += values
            doubled[pair.second] += values
        summed = np.array([doubled[own].sum(axis=0) for own in self._columns.values()])
        return self._model.log_odds(summed.T) / 2

    def __len__(self) -> int:
        return len(self._X)

    @overload
    def __getitem__(self, index: int) -> SumExplanation: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[SumExplanation]: ...
    def __getitem__(self, index: int | slice) -> SumExplanation | Sequence[SumExplanation]:
        if isinstance(index, slice):
            return [self._explanation(row) for row in range(len(self))[index]]
        return self._explanation(range(len(self))[index])

    def _explanation(self, row: int) -> SumExplanation:
        search = _Search(self, row)
        alone = tuple(search.way(key, found) for key, found in search.alone)
        ways = tuple(search.way(key, found) for key, found in search.ways()[: self._count])
        return SumExplanation(
            row=row,
            label=self.labels[row : row + 1].tolist()[0],
            accepted=search.accepted,
            probability=float(expit(self._model.log_odds(self._totals[row : row + 1]))[0]),
            contributions=self._contributions_of(row),
            base=float(self._model.log_odds(np.array([self._model.tables.constant]))[0]),
            counterfactuals=ways,
            alone=alone,
            impossible=search.impossible,
            text=self._text(search, ways),
        )

    def _contributions_of(self, row: int) -> tuple[Contribution, ...]:
        one = type(self)(self._model, self._X[row : row + 1], self._limits, self._count)
        pairs = zip(self._columns.items(), one.contributions[0].tolist())
        found = []
        for (name, own), adds in pairs:
            criterion, value = self._model.criteria[own[0]], float(self._X[row, own[0]])
            text = f"{name} {as_shown(criterion, value)}: {adds:+.3g}"
            found.append(Contribution(name, given_value(criterion, value), adds, text))
        return tuple(sorted(found, key=lambda one: -one.log_odds))

    def _text(self, search: _Search, ways: Sequence[Counterfactual]) -> str:
        place = int(search.accepted)
        if ways or search.impossible:
            way = ways[0] if ways else None
            return conclusion(self._names, place, way, limited=self._limits.bounded)
        within = " within these limits" * self._limits.bounded
        return (
            f"{self._names[place]}. No change of one or two criteria leads to "
            f"{self._model.names[1 - place]}{within}."
        )

    def sentences(self) -> list[str]:
        """Return the class of each row and its nearest counterfactual in a sentence."""
        return [one.text for one in self]

    def to_records(self) -> list[dict[str, Any]]:
        """Return one dictionary per row.

        Keys: ``label``; ``probability`` of the positive class; ``alone``, the columns that can
        flip the decision alone; ``counterfactual``, the nearest change of one or two columns, and
        its ``cost`` (None and NaN where there is none); for each column ``adds <name>``, the log
        odds that it adds.

        Examples
        --------
        >>> from sugeno import SugenoEnsembleClassifier
        >>> clf = SugenoEnsembleClassifier(n_bags=2).fit([[1], [2], [3]] * 9, [0, 1, 1] * 9)
        >>> record = clf.explain([[1]]).to_records()[0]
        >>> record["label"], record["alone"], record["counterfactual"]
        (0, 'x0', 'x0 rises from 1 to 2')
        """
        columns = self._table()
        return [dict(zip(columns, row)) for row in zip(*columns.values())]

    def _table(self) -> dict[str, list[Any]]:
        found = [*self]
        nearest = [one.counterfactuals[0] if one.counterfactuals else None for one in found]
        adds = zip(self.columns, self.contributions.T.tolist())
        return {
            "label": [one.label for one in found],
            "probability": [one.probability for one in found],
            "alone": [", ".join(way.changes[0].criterion for way in one.alone) for one in found],
            "counterfactual": [None if way is None else str(way) for way in nearest],
            "cost": [math.nan if way is None else way.cost for way in nearest],
            **{f"adds {name}": column for name, column in adds},
        }

    def to_frame(self, backend: Literal["pandas", "polars", "pyarrow"] = "pandas") -> Any:
        """Return the columns of `to_records` as a data frame.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow"}, default="pandas"
            Which library's frame; it must be installed.

        Returns
        -------
        pandas.DataFrame, polars.DataFrame or pyarrow.Table
            One row per row of the table.

        Examples
        --------
        >>> from sugeno import SugenoEnsembleClassifier
        >>> clf = SugenoEnsembleClassifier(n_bags=2).fit([[1], [2], [3]] * 9, [0, 1, 1] * 9)
        >>> clf.explain([[1]]).to_frame("polars")["alone"].to_list()
        ['x0']
        """
        import narwhals

        return narwhals.from_dict(self._table(), backend=backend).to_native()

    def __repr__(self) -> str:
        hidden = len(self) - _SHOWN
        lines = [one.text for one in self[:_SHOWN]]
        return "\n".join([*lines, f"… and {hidden} more rows"] if hidden > 0 else lines)

    def _repr_html_(self) -> str:
        hidden = max(0, len(self) - _SHOWN)
        head = type(self)(self._model, self._X[:_SHOWN], self._limits, self._count)
        return html_table(head.to_records(), f"… {hidden} more rows" if hidden else "")


#: The places of the literals that a change goes to, one per column.
_Found = tuple[int, ...]


class _Search:
    """The changes of one row: all values of one column, all pairs of values of two."""

    def __init__(self, told: SumExplanations, row: int) -> None:
        self._model, self._limits = told._model, told._limits
        self._columns = [*told._columns.values()]
        self._x = told._X[row : row + 1]
        self._codes: Index = told._codes[:, row]
        self._total = int(told._totals[row])
        self.accepted = bool(told.accepted[row])
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
                moved[j, place] = self._code(j, value)
        return found, moved

    def _code(self, j: int, value: float) -> int:
        """How many levels of a criterion a value of its column reaches."""
        criterion = self._model.criteria[j]
        read = value if criterion.within is None else float(np.clip(value, *criterion.within))
        level = criterion.direction * read + 0.0
        return int(np.searchsorted(self._model.tables.levels[j], level, side="right"))

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

    def way(self, key: float, found: _Found) -> Counterfactual:
        """A change as people read it."""
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
        label = self._model.classes[1 - int(self.accepted)]
        cost = float(self._prices.cost(np.array(key)))
        return Counterfactual(getattr(label, "item", lambda: label)(), tuple(changes), cost)
