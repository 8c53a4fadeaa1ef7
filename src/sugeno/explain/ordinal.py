"""Ordered classes: why a row has its class, why no higher one, and what would raise it.

Each class boundary is a monotone rule set, so that two questions about two classes answer it: the
boundary that a row has just passed, and the one that it does not pass.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self, overload

import numpy as np
from numpy.typing import NDArray

from sugeno.explain._shown import ShownRows
from sugeno.explain.explanation import Counterfactual, Explanation, Factor
from sugeno.explain.explanations import Explanations, explain
from sugeno.model.model import Model

__all__ = ["OrdinalExplanation", "OrdinalExplanations", "explain_ordinal"]

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class OrdinalExplanation:
    """Why a row has its class, why no higher one, and what would change it.

    Attributes
    ----------
    row : int
        Place of the row in the table.
    label : object
        Its class.
    higher, lower : object
        The next class up and down; None where there is none.
    above : Explanation or None
        About the boundary of the next class up, as one of two classes: why it is not passed, and
        what would pass it. None for the highest class.
    below : Explanation or None
        About the boundary of the class itself: why it is passed, and what would lose it. None for
        the lowest class.
    text : str
        The class and the nearest way to a higher one (for the highest class, to a lower one).

    Examples
    --------
    >>> from sugeno import SugenoOrdinalClassifier
    >>> X, y = [[1], [2], [3], [4], [5], [6]], [1, 1, 2, 2, 3, 3]
    >>> one = SugenoOrdinalClassifier(levels=1).fit(X, y).explain([[3]])[0]
    >>> print(one)
    Class 2. Class 3 if x0 rises from 3 to 5.
    >>> one.because, one.barrier[0].text
    ('x0 >= 3', 'x0 < 5')
    """

    row: int
    label: Any
    higher: Any
    lower: Any
    above: Explanation | None
    below: Explanation | None
    text: str

    @property
    def rules(self) -> tuple[int, ...]:
        """Places, among the rules of the class, of those that put the row at least there."""
        return () if self.below is None else self.below.rules

    @property
    def reason(self) -> tuple[Factor, ...]:
        """A smallest set of criteria that put the row at least into its class."""
        return () if self.below is None else self.below.reason

    @property
    def barrier(self) -> tuple[Factor, ...]:
        """A smallest set of criteria that keep the row from a higher class, whatever the rest."""
        return () if self.above is None else self.above.reason

    @property
    def counterfactuals(self) -> tuple[Counterfactual, ...]:
        """The nearest ways to a higher class; the label is the class that they lead to."""
        return () if self.above is None else self.above.counterfactuals

    @property
    def falls(self) -> tuple[Counterfactual, ...]:
        """The nearest ways to a lower class."""
        return () if self.below is None else self.below.counterfactuals

    @property
    def because(self) -> str:
        """The reason in words."""
        if self.below is None:
            return "the lowest class has no rules"
        return self.below.because

    def __str__(self) -> str:
        return self.text


def explain_ordinal(model: Model, X: Floats, **options: Any) -> OrdinalExplanations:
    """Explain the classes that a model gives; see `SugenoOrdinalClassifier.explain`.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno import SugenoOrdinalClassifier
    >>> from sugeno.explain import explain_ordinal
    >>> clf = SugenoOrdinalClassifier(levels=1).fit([[1], [2], [3]], [1, 2, 3])
    >>> print(explain_ordinal(clf.model_, np.array([[3.0]]))[0])
    Class 3. Class 2 if x0 falls from 3 to 2.
    """
    fixed = options.get("immutable", ())
    options["immutable"] = [fixed] if isinstance(fixed, str) else list(fixed)
    return OrdinalExplanations(model, np.asarray(X, dtype=np.float64), options)


@dataclass(frozen=True, eq=False)
class _Group:
    """The rows of one class, beside both of its boundaries."""

    place: int
    rows: NDArray[np.intp]
    above: Explanations | None
    below: Explanations | None

    @property
    def sides(self) -> list[Explanations]:
        """What is said about the boundaries that there are."""
        return [side for side in (self.below, self.above) if side is not None]

    @property
    def way(self) -> Explanations | None:
        """Where the sentence looks: up, from the highest class down."""
        return self.below if self.above is None else self.above


class OrdinalExplanations(ShownRows[OrdinalExplanation]):
    """The explanations of the rows of a table, a sequence of `OrdinalExplanation`.

    Examples
    --------
    >>> from sugeno import SugenoOrdinalClassifier
    >>> X, y = [[1], [2], [3], [4], [5], [6]], ["bad", "bad", "ok", "ok", "good", "good"]
    >>> clf = SugenoOrdinalClassifier(levels=1, classes=["bad", "ok", "good"]).fit(X, y)
    >>> clf.explain([[2], [4], [9]])
    bad. ok if x0 rises from 2 to 3.
    ok. good if x0 rises from 4 to 5.
    good. ok if x0 falls from 9 to 4.
    """

    def __init__(self, model: Model, X: Floats, options: dict[str, Any]) -> None:
        self._model = model
        self._X = X
        self._options = options
        self._labels = model.classes.tolist()
        self._place = model.passed(X)
        self._groups = [self._group(place) for place in range(len(self._labels))]
        self._limited = any(side.limited for g in self._groups for side in g.sides)

    def _group(self, place: int) -> _Group:
        rows = np.flatnonzero(self._place == place)
        boundaries, X = self._model.boundaries, self._X[rows]
        above = explain(boundaries[place], X, **self._options) if place < len(boundaries) else None
        below = explain(boundaries[place - 1], X, **self._options) if place else None
        return _Group(place, rows, above, below)

    @cached_property
    def _within(self) -> NDArray[np.intp]:
        """Place of each row among those of its class."""
        found = np.empty(len(self._X), dtype=np.intp)
        for group in self._groups:
            found[group.rows] = np.arange(group.rows.size)
        return found

    @property
    def labels(self) -> NDArray[Any]:
        """The class of each row."""
        return self._model.classes.take(self._place)

    @property
    def values(self) -> Floats:
        """The rows that are explained, as numbers."""
        return self._X

    @property
    def costs(self) -> Floats:
        """Cost of the nearest way to a higher class; NaN where none exists."""
        found = np.full(len(self), np.nan)
        for group in self._groups:
            if group.above is not None:
                found[group.rows] = group.above.costs
        return found

    @property
    def margins(self) -> tuple[Floats, Floats]:
        """How far each criterion alone is from losing the class, and from a higher one; (n, m).

        In original units (labels: steps); infinite where it cannot alone.
        """
        sides = (np.full(self._X.shape, np.inf), np.full(self._X.shape, np.inf))
        for group in self._groups:
            for found, one in zip(sides, (group.below, group.above)):
                if one is not None:
                    found[group.rows] = one.margins
        return sides

    def nearest(self) -> Floats:
        """Return each row as its nearest row of a higher class; NaN where none exists.

        Examples
        --------
        >>> from sugeno import SugenoOrdinalClassifier
        >>> clf = SugenoOrdinalClassifier(levels=1).fit([[1], [2], [3]], [1, 2, 3])
        >>> clf.explain([[1], [3]]).nearest()
        array([[ 2.],
               [nan]])
        """
        moved = np.full(self._X.shape, np.nan)
        for group in self._groups:
            if group.above is not None:
                moved[group.rows] = group.above.nearest()
        return moved

    def __len__(self) -> int:
        return len(self._X)

    @overload
    def __getitem__(self, index: int) -> OrdinalExplanation: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[OrdinalExplanation]: ...
    def __getitem__(self, index: int | slice) -> OrdinalExplanation | Sequence[OrdinalExplanation]:
        if isinstance(index, slice):
            return [self._explanation(row) for row in range(len(self))[index]]
        return self._explanation(range(len(self))[index])

    def _explanation(self, row: int) -> OrdinalExplanation:
        place = int(self._place[row])
        group = self._groups[place]
        above, below = (self._side(row, one) for one in (group.above, group.below))
        way = below if above is None else above
        ways = () if way is None else way.counterfactuals
        return OrdinalExplanation(
            row=row,
            label=self._labels[place],
            higher=None if above is None else self._labels[place + 1],
            lower=None if below is None else self._labels[place - 1],
            above=above,
            below=below,
            text=self._sentence(
                place, str(ways[0]) if ways else None, ways[0].label if ways else None
            ),
        )

    def _side(self, row: int, explanations: Explanations | None) -> Explanation | None:
        """What is said about one boundary, with the classes that changes lead to."""
        if explanations is None:
            return None
        one = explanations[int(self._within[row])]
        ways = tuple(
            replace(way, label=self._labels[self._reached(row, way)]) for way in one.counterfactuals
        )
        return replace(one, row=row, counterfactuals=ways)

    def _reached(self, row: int, way: Counterfactual) -> int:
        """Place of the class after a change; it may be further than the next one."""
        criteria = self._model.criteria
        places = {criterion.name: j for j, criterion in enumerate(criteria)}
        changed = self._X[row].copy()
        for change in way.changes:
            j = places[change.criterion]
            labels = criteria[j].labels
            changed[j] = change.after if labels is None else labels.index(change.after)
        return int(self._model.passed(changed[None])[0])

    def _sentence(self, place: int, way: str | None, reached: Any) -> str:
        head = _named(self._labels[place])
        if way is not None:
            return f"{head}. {_named(reached)} if {way}."
        top = place == len(self._labels) - 1
        aim = _named(self._labels[place - 1 if top else place + 1], "class")
        within = " within these limits" * self._limited
        return f"{head}. No way to {aim} exists{within}."

    def sentences(self) -> list[str]:
        """Return the class of each row and its nearest way to a higher one in a sentence.

        Examples
        --------
        >>> from sugeno import SugenoOrdinalClassifier
        >>> clf = SugenoOrdinalClassifier(levels=1).fit([[1], [2], [3]], [1, 2, 3])
        >>> clf.explain([[1]], immutable=["x0"]).sentences()
        ['Class 1. No way to class 2 exists within these limits.']
        """
        texts = np.empty(len(self), dtype=object)
        for group in self._groups:
            for row, way, reached in self._ways(group, group.way):
                texts[row] = self._sentence(group.place, way, reached)
        return list(texts.tolist())

    def _ways(
        self, group: _Group, side: Explanations | None
    ) -> Iterator[tuple[int, str | None, Any]]:
        """Row, the nearest change in words and the class that it leads to; None without one."""
        if side is None or not group.rows.size:
            return
        moved = side.nearest()
        found = ~np.isnan(side.costs)
        reached = np.full(len(moved), -1)
        reached[found] = self._model.passed(moved[found])
        for row, words, place in zip(group.rows.tolist(), side.ways(), reached.tolist()):
            yield row, words or None, None if place < 0 else self._labels[place]

    def to_records(self) -> list[dict[str, Any]]:
        """Return one dictionary per row.

        Keys: ``label``; ``rules``, the places of the rules of that class that hold; ``reason``,
        a smallest one for being at least there; ``barrier``, a smallest one for not being higher;
        ``counterfactual``, the nearest way to a higher class, the class that it leads to
        (``higher``) and its ``cost``. None (NaN) where there is nothing to say.

        Examples
        --------
        >>> from sugeno import SugenoOrdinalClassifier
        >>> clf = SugenoOrdinalClassifier(levels=1).fit([[1], [2], [3]], [1, 2, 3])
        >>> for name, value in clf.explain([[2]]).to_records()[0].items():
        ...     print(f"{name}: {value}")
        label: 2
        rules: 0
        reason: x0 >= 2
        barrier: x0 < 3
        higher: 3
        counterfactual: x0 rises from 2 to 3
        cost: 1.0
        """
        return super().to_records()

    def _columns(self) -> dict[str, list[Any]]:
        names = ("rules", "reason", "barrier", "higher", "counterfactual")
        found = {name: np.full(len(self), None, dtype=object) for name in names}
        for group in self._groups:
            if not group.rows.size:
                continue
            if group.below is not None:
                found["rules"][group.rows] = group.below.rule_numbers()
                found["reason"][group.rows] = group.below.reasons()
            if group.above is not None:
                found["barrier"][group.rows] = group.above.reasons()
            for row, way, reached in self._ways(group, group.above):
                found["counterfactual"][row], found["higher"][row] = way, reached
        columns = {name: column.tolist() for name, column in found.items()}
        return {"label": self.labels.tolist(), **columns, "cost": self.costs.tolist()}

    def _head(self, n: int) -> Self:
        return type(self)(self._model, self._X[:n], self._options)


def _named(label: object, noun: str = "Class") -> str:
    """A class in a sentence: text as it is, numbers with a word before them."""
    return label if isinstance(label, str) else f"{noun} {label}"
