"""Ordered classes: the factors that were decisive for not being in a higher class."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal, overload

import numpy as np
from numpy.typing import NDArray

from sugeno.explain.letters import COLUMNS, Letter, Letters, reasons
from sugeno.model.model import Model

__all__ = ["OrdinalLetters", "ordinal_reasons"]


def ordinal_reasons(
    model: Model,
    X: NDArray[np.float64],
    max_reasons: int = 4,
    *,
    codes: Mapping[Any, str] | None = None,
    texts: Mapping[Any, str] | None = None,
) -> OrdinalLetters:
    """Give the reasons for not being in the next class; see `SugenoOrdinalClassifier.reasons`.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno import SugenoOrdinalClassifier
    >>> from sugeno.explain import ordinal_reasons
    >>> clf = SugenoOrdinalClassifier(levels=1).fit([[1], [2], [3]], [1, 2, 3])
    >>> print(ordinal_reasons(clf.model_, np.array([[2.0]]))[0])
    Class 2, not 3. The decisive factor:
    - x0 is 2, below 3
    """
    options = {"max_reasons": max_reasons, "codes": codes, "texts": texts}
    return OrdinalLetters(model, np.asarray(X, dtype=np.float64), options)


class OrdinalLetters(Sequence[Letter]):
    """The reasons of all rows of a table, a sequence of `Letter`.

    Rows of the highest class are not refused anything.

    Examples
    --------
    >>> from sugeno import SugenoOrdinalClassifier
    >>> clf = SugenoOrdinalClassifier(levels=1).fit([[1], [2], [3]], [1, 2, 3])
    >>> print(clf.reasons([[3]])[0])
    Class 3, the highest. There is no refusal to explain.
    """

    def __init__(self, model: Model, X: NDArray[np.float64], options: dict[str, Any]) -> None:
        self._labels = model.classes.tolist()
        self._place = model.passed(X)
        self._within = np.empty(len(X), dtype=np.intp)
        self._parts: list[Letters] = []
        for place, boundary in enumerate(model.boundaries):
            rows = np.flatnonzero(self._place == place)
            self._within[rows] = np.arange(rows.size)
            self._parts.append(reasons(boundary, X[rows], heads=self._heads(place), **options))

    def _heads(self, place: int) -> tuple[str, str]:
        """A class, and the next one that was missed."""
        return f"{_named(self._labels[place])}, not {self._labels[place + 1]}", ""

    def __len__(self) -> int:
        return len(self._place)

    @overload
    def __getitem__(self, index: int) -> Letter: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Letter]: ...
    def __getitem__(self, index: int | slice) -> Letter | Sequence[Letter]:
        if isinstance(index, slice):
            return [self._letter(row) for row in range(len(self))[index]]
        return self._letter(range(len(self))[index])

    def _letter(self, row: int) -> Letter:
        place = int(self._place[row])
        if place == len(self._parts):
            top = _named(self._labels[-1])
            return Letter(row, False, (), 0, f"{top}, the highest. There is no refusal to explain.")
        return replace(self._parts[place][int(self._within[row])], row=row)

    def to_records(self) -> list[dict[str, Any]]:
        """Return one dictionary per reason given, as `Letters.to_records` does."""
        return [record for letter in self for record in letter.to_records()]

    def to_frame(self, backend: Literal["pandas", "polars", "pyarrow"] = "pandas") -> Any:
        """Return the records as a data frame of the library asked for."""
        import narwhals

        records = self.to_records()
        columns = {name: [record[name] for record in records] for name in COLUMNS}
        return narwhals.from_dict(columns, backend=backend).to_native()

    def __repr__(self) -> str:
        shown = "\n\n".join(letter.text for letter in self[:10])
        return shown if len(self) <= 10 else f"{shown}\n\n… and {len(self) - 10} more rows"


def _named(label: object) -> str:
    return label if isinstance(label, str) else f"Class {label}"
