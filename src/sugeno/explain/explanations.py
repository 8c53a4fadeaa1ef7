"""Explanations of many rows, of any number of ordered classes.

Each boundary between classes decides like a classifier of two classes. So two questions about two
classes explain the class of a row: about the boundary that it has just passed, and about the next
one, which it has not. Two classes have one boundary, and one question.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Generic, Self, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from sugeno.explain._boundary import Beside, beside
from sugeno.explain._limits import Limits
from sugeno.explain._words import conclusion
from sugeno.explain.explanation import Counterfactual, Explanation, RowExplanation
from sugeno.model.model import Model
from sugeno.model.text import Backend, data_frame, html_table, opening, records_of

__all__ = ["Explanations", "RowExplanations"]

Floats = NDArray[np.float64]

#: A representation shows so many rows.
SHOWN = 10


E_co = TypeVar("E_co", bound=RowExplanation, covariant=True)


class RowExplanations(Sequence[E_co], Generic[E_co]):
    """The explanations of the rows of a table, made when they are asked for, whatever decides.

    Examples
    --------
    >>> from sugeno import SugenoClassifier
    >>> told = SugenoClassifier().fit([[1], [2], [3], [4]], [0, 0, 1, 1]).explain([[2], [4]])
    >>> len(told), told[1].label
    (2, 1)
    """

    _model: Any
    _place: NDArray[np.intp]

    def __init__(
        self, model: Any, X: Floats, limits: Sequence[Limits], n_counterfactuals: int
    ) -> None:
        self._model = model
        self._X = X
        self._limits = limits
        self._count = n_counterfactuals
        self._labels = model.classes.tolist()
        self._names = [opening(name, model.words) for name in model.names]

    @property
    def labels(self) -> NDArray[Any]:
        """The class of each row."""
        found: NDArray[Any] = self._model.classes.take(self._place)
        return found

    @property
    def accepted(self) -> NDArray[np.bool_]:
        """Which rows are in the highest class; of two classes, in the positive one."""
        found: NDArray[np.bool_] = self._place == self._model.classes.size - 1
        return found

    @abstractmethod
    def _explanation(self, row: int) -> E_co:
        """What is said about one row."""

    @abstractmethod
    def _columns(self) -> dict[str, list[Any]]:
        """The columns of `to_records`."""

    def _head(self) -> Self:
        """Explanations of the first rows alone, so that no more is computed than shown."""
        return type(self)(self._model, self._X[:SHOWN], self._limits, self._count)

    @property
    def values(self) -> Floats:
        """The rows that are explained, as numbers."""
        return self._X

    def __len__(self) -> int:
        return len(self._X)

    @overload
    def __getitem__(self, index: int) -> E_co: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[E_co]: ...
    def __getitem__(self, index: int | slice) -> E_co | Sequence[E_co]:
        if isinstance(index, slice):
            return [self._explanation(row) for row in range(len(self))[index]]
        return self._explanation(range(len(self))[index])

    def sentences(self) -> list[str]:
        """Return the class of each row and its nearest counterfactual in a sentence.

        Examples
        --------
        >>> from sugeno import SugenoClassifier
        >>> clf = SugenoClassifier().fit([[1], [2], [3], [4]], [0, 0, 1, 1])
        >>> clf.explain([[2]], immutable=["x0"]).sentences()
        ['Class 0. No counterfactual exists within these limits.']
        """
        return [one.text for one in self]

    def to_records(self) -> list[dict[str, Any]]:
        """Return one dictionary per row."""
        return records_of(self._columns())

    def to_frame(self, backend: Backend = "pandas") -> Any:
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
        >>> from sugeno import SugenoClassifier
        >>> clf = SugenoClassifier().fit([[1], [2], [3], [4]], [0, 0, 1, 1])
        >>> clf.explain([[2]]).to_frame("polars")["counterfactual"].to_list()
        ['x0 rises from 2 to 3']
        """
        return data_frame(self._columns(), backend)

    def __repr__(self) -> str:
        hidden = len(self) - SHOWN
        lines = self._head().sentences()
        return "\n".join([*lines, f"… and {hidden} more rows"] if hidden > 0 else lines)

    def _repr_html_(self) -> str:
        hidden = max(0, len(self) - SHOWN)
        records = self._head().to_records()
        return html_table(records, f"… {hidden} more rows" if hidden else "")


class Explanations(RowExplanations[Explanation]):
    """The explanations of the rows of a table, a sequence of `Explanation`.

    Rows that satisfy the same literals are explained once, and objects are made when they are
    asked for; `to_frame` makes none.

    Examples
    --------
    >>> from sugeno import SugenoClassifier, SugenoOrdinalClassifier
    >>> clf = SugenoClassifier().fit([[1], [2], [3], [4]], [0, 0, 1, 1])
    >>> clf.explain([[2], [4]])
    Class 0. Class 1 if x0 rises from 2 to 3.
    Class 1. Class 0 if x0 falls from 4 to 2.
    >>> X, y = [[1], [2], [3], [4], [5], [6]], ["bad", "bad", "ok", "ok", "good", "good"]
    >>> clf = SugenoOrdinalClassifier(levels=1, classes=["bad", "ok", "good"]).fit(X, y)
    >>> clf.explain([[2], [4], [9]])
    bad. ok if x0 rises from 2 to 3.
    ok. good if x0 rises from 4 to 5.
    good. ok if x0 falls from 9 to 4.
    """

    _model: Model

    def __init__(
        self, model: Model, X: Floats, limits: Sequence[Limits], n_counterfactuals: int
    ) -> None:
        super().__init__(model, X, limits, n_counterfactuals)
        self._place = model.passed(X)
        self._beside = beside(model, X, self._place, limits)

    @property
    def _two(self) -> bool:
        """Whether there are two classes, so that all is about one boundary."""
        return len(self._beside) == 1

    @property
    def fired(self) -> NDArray[np.bool_]:
        """Which rules hold (or clauses are not met) for which row, shape (n, rules).

        The rules of all boundaries one after the other; of a row those of its own class.
        """
        parts = []
        for one in self._beside:
            part = np.zeros((len(self), one.found.fired.shape[1]), dtype=np.bool_)
            part[one.rows] = one.found.fired
            parts.append(part)
        return np.hstack(parts)

    def _told(self, one: Beside) -> NDArray[np.bool_]:
        """Tell which rows are shown ways across a boundary: of more than two classes, upwards."""
        return np.ones(one.rows.size, np.bool_) if self._two else ~one.found.accepted

    @property
    def costs(self) -> Floats:
        """Cost of the nearest counterfactual; NaN where none exists.

        Of more than two classes: of the nearest way to a higher class.
        """
        found = np.full(len(self), np.nan)
        for one in self._beside:
            told = self._told(one)
            found[one.rows[told]] = one.found.costs[told]
        return found

    @property
    def margins(self) -> Any:
        """How far each criterion of each row alone is from changing the class, shape (n, m).

        How much worse it may get where the row is accepted, and how much better it must get where
        it is refused. In original units (labels: steps), and infinite where it cannot change the
        class. Of more than two classes a pair of arrays: how far each criterion alone is from
        losing the class, and from a higher one.
        """
        if self._two:
            return self._beside[0].found.margins
        down, up = np.full((2, *self._X.shape), np.inf)
        for one in self._beside:
            margins, accepted = one.found.margins, one.found.accepted
            down[one.rows[accepted]], up[one.rows[~accepted]] = (
                margins[accepted],
                margins[~accepted],
            )
        return down, up

    def nearest(self) -> Floats:
        """Return each row as its nearest counterfactual; NaN where none exists.

        Returns
        -------
        ndarray of shape (n, m)
            Rows that get the other label, of more than two classes a higher one, in original
            units (labels: their places).

        Examples
        --------
        >>> from sugeno import SugenoClassifier
        >>> clf = SugenoClassifier().fit([[1], [2], [3], [4]], [0, 0, 1, 1])
        >>> clf.explain([[1], [4]]).nearest()
        array([[3.],
               [2.]])
        """
        moved = np.full(self._X.shape, np.nan)
        for one in self._beside:
            told = self._told(one)
            moved[one.rows[told]] = one.found.nearest()[told]
        return moved

    def _explanation(self, row: int) -> Explanation:
        if self._two:
            return self._across(row, 0)
        place = int(self._place[row])
        above = self._across(row, place) if place < len(self._beside) else None
        below = self._across(row, place - 1) if place else None
        shown = above or below
        ways = shown.counterfactuals if shown else ()
        return Explanation(
            row=row,
            label=self._labels[place],
            accepted=above is None,
            rules=below.rules if below else (),
            reason=below.reason if below else (),
            counterfactuals=above.counterfactuals if above else (),
            margins=shown.margins if shown else (),
            text=self._sentence(
                place,
                ways[0] if ways else None,
                self._labels.index(ways[0].label) if ways else None,
            ),
            higher=self._labels[place + 1] if above else None,
            lower=self._labels[place - 1] if below else None,
            above=above,
            below=below,
        )

    def _across(self, row: int, b: int) -> Explanation:
        """What is said about one boundary, with the classes that changes lead to."""
        one = self._beside[b]
        found = replace(one.found.explanation(one.at(row), self._count), row=row)
        if self._two:
            return found
        ways = tuple(
            replace(way, label=self._labels[self._reached(row, way)])
            for way in found.counterfactuals
        )
        return replace(found, counterfactuals=ways)

    def _reached(self, row: int, way: Counterfactual) -> int:
        """Place of the class after a change; it may be further than the next one."""
        criteria = self._model.criteria
        after = {change.criterion: change.after for change in way.changes}
        changed = self._X[row].copy()
        for j, criterion in enumerate(criteria):
            if criterion.name in after:
                value, labels = after[criterion.name], criterion.labels
                changed[j] = labels.index(value) if labels else criterion.read([value])[0]
        return int(self._model.passed(changed[None])[0])

    def _sentence(self, place: int, way: object, reached: int | None) -> str:
        limited = self._limits[0].bounded
        sure = self._beside[0].found.sure or (self._two and place == 0)
        return conclusion(self._names, place, way, reached, limited=limited, sure=sure)

    def sentences(self) -> list[str]:
        """Return the class of each row and its nearest counterfactual in a sentence."""
        texts = np.empty(len(self), dtype=object)
        for b, one in enumerate(self._beside):
            last = b == len(self._beside) - 1  # the highest class has no other boundary
            for row, way, reached in self._ways(one, self._told(one) | last):
                texts[row] = self._sentence(int(self._place[row]), way, reached)
        found: list[str] = texts.tolist()
        return found

    def _ways(
        self, one: Beside, told: NDArray[np.bool_]
    ) -> Iterator[tuple[int, str | None, int | None]]:
        """Row, the nearest change in words, and the place of the class that it leads to."""
        words = [way or None for way in one.found.ways()]
        reached: list[int | None] = [None] * len(words)
        if not self._two:
            there = np.flatnonzero(~np.isnan(one.found.costs))
            after = self._model.passed(one.found.nearest()[there])
            for i, place in zip(there.tolist(), after.tolist()):
                reached[i] = place
        rows = one.rows.tolist()
        for i in np.flatnonzero(told).tolist():
            yield rows[i], words[i], reached[i]

    def to_records(self) -> list[dict[str, Any]]:
        """Return one dictionary per row.

        Keys: ``label``, and ``rules``, the places of the rules that hold (or clauses that are not
        met). ``reason`` is a smallest sufficient one. ``counterfactual`` is the nearest, with its
        ``cost`` (None and NaN where none exists within the limits). Of more than two classes the
        rules and the reason are those for being at least in the class. ``barrier`` is a smallest
        reason for not being higher, and ``higher`` the class that the counterfactual leads to.

        Examples
        --------
        >>> from sugeno import SugenoClassifier, SugenoOrdinalClassifier
        >>> clf = SugenoClassifier().fit([[1], [2], [3], [4]], [0, 0, 1, 1])
        >>> for name, value in clf.explain([[2]]).to_records()[0].items():
        ...     print(f"{name}: {value}")
        label: 0
        rules:
        reason: x0 < 3
        counterfactual: x0 rises from 2 to 3
        cost: 1.0
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
        if self._two:
            found = self._beside[0].found
            columns: dict[str, list[Any]] = {
                "rules": found.rule_numbers(),
                "reason": found.reasons(),
                "counterfactual": [way or None for way in found.ways()],
            }
        else:
            columns = self._columns_of_several()
        return {"label": self.labels.tolist(), **columns, "cost": self.costs.tolist()}

    def _columns_of_several(self) -> dict[str, list[Any]]:
        names = ("rules", "reason", "barrier", "higher", "counterfactual")
        found = {name: np.full(len(self), None, dtype=object) for name in names}
        for one in self._beside:
            accepted = one.found.accepted
            reasons = np.array(one.found.reasons(), dtype=object)
            numbers = np.array(one.found.rule_numbers(), dtype=object)
            found["rules"][one.rows[accepted]] = numbers[accepted]
            found["reason"][one.rows[accepted]] = reasons[accepted]
            found["barrier"][one.rows[~accepted]] = reasons[~accepted]
            for row, way, reached in self._ways(one, ~accepted):
                found["counterfactual"][row] = way
                found["higher"][row] = None if reached is None else self._labels[reached]
        return {name: column.tolist() for name, column in found.items()}
