"""Explanations of any model, and of classes without an order: the likeliest class, and ways out.

The model of the predicted class says why it takes the row. What would make it another class is
looked for among a few changes: one that flips the rules of the predicted class, one that flips
those of another class, or both together. All models are asked about each of them, and only a change
that leads to another prediction is told. It is true, but not proved to be the nearest.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from sugeno._scales.criterion import Criterion
from sugeno._scales.number import shortest
from sugeno.explain._limits import Cost, Limits, given_value
from sugeno.explain._words import change, conclusion
from sugeno.explain.explanation import LIKELIEST, Change, Counterfactual, Explanation
from sugeno.explain.explanations import SHOWN, Explanations
from sugeno.explain.sums import SumExplanations
from sugeno.model.model import Model
from sugeno.model.naming import as_shown
from sugeno.model.per_class import ModelPerClass
from sugeno.model.score_model import ScoreModel
from sugeno.model.text import opening

__all__ = ["ExplanationsPerClass", "explain"]

Floats = NDArray[np.float64]
#: Cost, the row after the change, and the place of the class that it leads to.
_Way = tuple[float, Floats, int]


class ExplanationsPerClass(Explanations):
    """The explanations of the rows of a table, a sequence of `Explanation`.

    Examples
    --------
    >>> from sugeno import SugenoClassifier
    >>> X = [[1, 1], [2, 1], [1, 8], [2, 9], [8, 2], [9, 1]]
    >>> clf = SugenoClassifier().fit(X, ["low", "low", "tall", "tall", "wide", "wide"])
    >>> one = clf.explain([[9, 1]])[0]
    >>> one.because, one.counterfactuals[0].label
    ('x0 >= 2', 'low')
    """

    def __init__(self, model: ModelPerClass, X: Floats, options: dict[str, Any]) -> None:
        self._whole = model
        self._X = X
        self._options = options
        self._labels = model.classes.tolist()
        self._names = [*map(opening, model.names)]
        self._place: NDArray[np.intp] = model.passed(X)
        self._count = int(options.get("n_counterfactuals", 3))
        self._bounds = [_limits_of(model, one, options) for one in model.models]
        self._each: list[Any] = [
            explain(one, rows, **limits)
            for one, rows, limits in zip(model.models, model.per_model(X), self._bounds)
        ]

    @property
    def labels(self) -> NDArray[Any]:
        """The class of each row."""
        return self._whole.classes.take(self._place)

    @property
    def accepted(self) -> NDArray[np.bool_]:
        """Which rows the rules of the predicted class accept; the others are likeliest there."""
        each = np.array([one.accepted for one in self._each])
        found: NDArray[np.bool_] = each[self._place, np.arange(len(self))]
        return found

    @property
    def fired(self) -> NDArray[np.bool_]:
        """Which rules hold for which row, those of all classes one after the other."""
        return np.hstack([one.fired for one in self._each])

    @property
    def margins(self) -> Any:
        """How far each criterion alone is from changing what the rules of the class say.

        Of a table of any kind infinite for the criteria of all other classes.
        """
        found = np.full(self._X.shape, np.inf)
        for place, (one, span) in enumerate(zip(self._each, self._whole.spans)):
            rows = np.flatnonzero(self._place == place)
            found[rows, span] = one.margins[rows]
        return found

    @cached_property
    def _moves(self) -> list[tuple[Floats, Floats]]:
        """Of each class the cost of flipping what its rules say, and the rows after it."""
        return [
            (one.costs, self._moved(self._X, place, one.nearest()))
            for place, one in enumerate(self._each)
        ]

    def _moved(self, X: Floats, place: int, rows: Floats) -> Floats:
        """Rows after a change that the model of one class found, as all of them read it."""
        span, criteria = self._whole.spans[place], self._whole.criteria
        if not self._whole.reads_apart:
            return rows
        moved = X.copy()
        for j, after in enumerate(rows.T, start=span.start):
            changed = np.flatnonzero((after != X[:, j]) & ~np.isnan(after))
            cells = criteria[j].unread(after[changed])
            for other, criterion in enumerate(criteria):
                if changed.size and criterion.column == criteria[j].column:
                    moved[changed, other] = criterion.read(cells)
        return moved

    def _tried(self, row: int) -> Iterator[tuple[float, Floats]]:
        """Changes that may lead to another class."""
        own = int(self._place[row])
        accepted = [bool(one.accepted[row]) for one in self._each]
        for place, (costs, moved) in enumerate(self._moves):
            if math.isnan(costs[row]) or accepted[place] != (place == own):
                continue
            yield float(costs[row]), moved[row]
            if place != own and accepted[own]:
                rows = moved[row : row + 1]
                asked = self._whole.per_model(rows)[own]
                lost: Any = explain(self._whole.models[own], asked, **self._bounds[own])
                if lost.accepted[0] and not math.isnan(lost.costs[0]):
                    cost = float(costs[row] + lost.costs[0])
                    yield cost, self._moved(rows, own, lost.nearest())[0]

    def _ways_of(self, row: int) -> list[_Way]:
        """The changes that lead to another class, cheapest first; one for each row after it."""
        tried = sorted(self._tried(row), key=lambda way: way[0])
        if not tried:
            return []
        after = np.array([moved for _, moved in tried])
        places = self._whole.passed(after).tolist()
        different = {
            moved.tobytes(): (cost, moved, place)
            for (cost, moved), place in reversed([*zip(tried, places)])
            if place != self._place[row]
        }
        return sorted(different.values(), key=lambda way: way[0])

    @cached_property
    def _nearest(self) -> list[_Way | None]:
        """The cheapest of these of each row."""
        ways = (self._ways_of(row) for row in range(len(self)))
        return [found[0] if found else None for found in ways]

    @property
    def costs(self) -> Floats:
        """Cost of the change that is told; NaN where none was found."""
        return np.array([math.nan if way is None else way[0] for way in self._nearest])

    def nearest(self) -> Floats:
        """Return each row after the change that is told; NaN where none was found."""
        moved = np.full(self._X.shape, np.nan)
        for row, way in enumerate(self._nearest):
            if way is not None:
                moved[row] = way[1]
        return moved

    def _counterfactual(self, row: int, way: _Way) -> Counterfactual:
        cost, moved, place = way
        pairs = zip(self._whole.criteria, self._X[row].tolist(), moved.tolist())
        changes: dict[str, Change] = {}
        for criterion, before, after in pairs:
            if before != after and not (math.isnan(before) and math.isnan(after)):
                said = Change(
                    criterion.name,
                    given_value(criterion, before),
                    given_value(criterion, after),
                    _words(criterion, before, after),
                )
                changes.setdefault(criterion.name, said)
        return Counterfactual(self._labels[place], tuple(changes.values()), cost)

    def _explanation(self, row: int) -> Explanation:
        place = int(self._place[row])
        own = self._each[place][row]
        ways = self._ways_of(row)[: self._count]
        found = tuple(self._counterfactual(row, way) for way in ways)
        return Explanation(
            row=row,
            label=self._labels[place],
            accepted=own.accepted,
            # What speaks against the class, and no less against the others, is no reason for it.
            rules=own.rules if own.accepted else (),
            reason=own.reason if own.accepted else (),
            likeliest=not own.accepted,
            counterfactuals=found,
            margins=own.margins,
            text=self._text(row, found[0] if found else None),
        )

    def _text(self, row: int, way: Counterfactual | None) -> str:
        place = int(self._place[row])
        if way is None:
            return f"{self._names[place]}. No way to another class was found."
        reached = self._labels.index(way.label)
        return conclusion(self._names, place, way, reached, limited=False)

    def _told_ways(self) -> list[Counterfactual | None]:
        return [
            None if way is None else self._counterfactual(row, way)
            for row, way in enumerate(self._nearest)
        ]

    def sentences(self) -> list[str]:
        """Return the class of each row, and a change that leads to another one, in a sentence."""
        return [self._text(row, way) for row, way in enumerate(self._told_ways())]

    def _columns(self) -> dict[str, list[Any]]:
        tables = [one.to_records() for one in self._each]
        own = [tables[place][row] for row, place in enumerate(self._place.tolist())]
        fits = self.accepted.tolist()
        ways = self._told_ways()
        return {
            "label": self.labels.tolist(),
            "rules": [one["rules"] if fit else [] for one, fit in zip(own, fits)],
            "reason": [one["reason"] if fit else LIKELIEST for one, fit in zip(own, fits)],
            "other": [None if way is None else way.label for way in ways],
            "counterfactual": [None if way is None else str(way) for way in ways],
            "cost": self.costs.tolist(),
        }

    def to_records(self) -> list[dict[str, Any]]:
        """Return one dictionary per row.

        Keys: ``label``, and ``rules``, the places of the rules of that class that hold. ``reason``
        is a smallest one for what they say. ``counterfactual`` is a change that leads to another
        class, ``other`` that class, and ``cost`` what it costs.
        """
        return super().to_records()

    def _head(self) -> Self:
        return type(self)(self._whole, self._X[:SHOWN], self._options)


def explain(
    model: Model | ScoreModel | ModelPerClass,
    X: Floats,
    *,
    immutable: Iterable[Any] = (),
    permitted_range: Mapping[Any, tuple[Any, Any]] | None = None,
    cost: Cost = None,
    n_counterfactuals: int = 3,
) -> Explanations | SumExplanations:
    """Explain the decisions of a model, whatever it is; see `SugenoClassifier.explain`.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno import SugenoClassifier, SugenoEnsembleClassifier
    >>> from sugeno.explain import explain
    >>> model = SugenoClassifier().fit([[1], [2], [3], [4]], [0, 0, 1, 1]).model_
    >>> print(explain(model, np.array([[2.0]]))[0])
    Class 0. Class 1 if x0 rises from 2 to 3.
    >>> clf = SugenoEnsembleClassifier(n_bags=2).fit([[1], [2], [3], [4]] * 9, [0, 0, 1, 1] * 9)
    >>> explain(clf.model_, np.array([[2.0]]), immutable=["x0"])
    Class 0. No counterfactual exists within these limits.
    """
    if n_counterfactuals < 1:
        raise ValueError(f"n_counterfactuals must be at least 1. Got {n_counterfactuals} instead.")
    rows = np.asarray(X, dtype=np.float64)
    fixed = [immutable] if isinstance(immutable, str) else list(immutable)
    if isinstance(model, ModelPerClass):
        options = {
            "immutable": fixed,
            "permitted_range": permitted_range,
            "cost": cost,
            "n_counterfactuals": n_counterfactuals,
        }
        return ExplanationsPerClass(model, rows, options)
    limits = [Limits.of(one.literals, fixed, permitted_range, cost) for one in model.boundaries]
    kind: Any = SumExplanations if isinstance(model, ScoreModel) else Explanations
    found: Explanations | SumExplanations = kind(model, rows, limits, n_counterfactuals)
    return found


def _limits_of(whole: ModelPerClass, model: Model, options: dict[str, Any]) -> dict[str, Any]:
    """The options about one class: of a table of any kind it may leave columns out."""
    kept = dict(options)
    fixed = dict.fromkeys(options["immutable"])
    kept["immutable"] = [*whole.about_class(model, fixed, "Limits")]
    for option in ("permitted_range", "cost"):
        if isinstance(options[option], Mapping):
            kept[option] = whole.about_class(model, options[option], "Limits")
    return kept


def _words(criterion: Criterion, before: float, after: float) -> str:
    """Say how a criterion changes."""
    numeric = criterion.labels is None and criterion.kind != "date"
    known = not numeric or criterion.gap_at(after) is not None
    end = as_shown(criterion, after) if known else shortest(after)
    start = as_shown(criterion, before, after)
    return change(criterion, start, end, up=after > before)
