"""Reasons for refusals, as letters give them: the decisive factors, and no others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, overload

import numpy as np
from numpy.typing import NDArray

from sugeno.explain._boundary import beside
from sugeno.explain._limits import Limits
from sugeno.model.model import Model
from sugeno.model.naming import as_shown, criterion_place
from sugeno.model.text import opening

__all__ = ["GivenReason", "Letter", "RefusalReasons", "reasons"]

#: What a table of reasons has.
_COLUMNS = ("row", "rank", "needed", "criterion", "code", "text")
#: Where a value is that does not satisfy a literal, by the sign of the literal.
_MISSES = {">=": "below", "<=": "above", ">": "not above", "<": "not below"}
_MISSES |= {"is": "not", "is not": "one of"}


@dataclass(frozen=True)
class GivenReason:
    """One decisive factor, as it is told to the person concerned.

    Attributes
    ----------
    criterion : str
        Its name.
    code : str
        The code of the criterion.
    text : str
        What to say about it.

    Examples
    --------
    >>> from sugeno.explain import GivenReason
    >>> print(GivenReason("interview", "R1", "interview is 5, below 6"))
    R1: interview is 5, below 6
    """

    criterion: str
    code: str
    text: str

    def __str__(self) -> str:
        return self.text if self.code == self.criterion else f"{self.code}: {self.text}"


@dataclass(frozen=True)
class Letter:
    """The reasons for the refusal of one row.

    Attributes
    ----------
    row : int
        Place of the row in the table.
    refused : bool
        Whether it is refused; if not, there are no reasons.
    reasons : tuple of GivenReason
        The decisive factors, at most as many as were asked for; the one that keeps most rules
        from holding first.
    needed : int
        How many factors it takes to explain the refusal whatever the rest.
    text : str
        All of it in words; it says so if factors are left out.

    Examples
    --------
    >>> from sugeno import SugenoClassifier
    >>> clf = SugenoClassifier().fit([[1], [2], [3], [4]], [0, 0, 1, 1])
    >>> print(clf.reasons([[2]])[0])
    Class 0. The decisive factor:
    - x0 is 2, below 3
    """

    row: int
    refused: bool
    reasons: tuple[GivenReason, ...]
    needed: int
    text: str

    @property
    def complete(self) -> bool:
        """Whether all decisive factors are shown."""
        return len(self.reasons) == self.needed

    def to_records(self) -> list[dict[str, Any]]:
        """Return one dictionary per reason given; see `RefusalReasons.to_records`."""
        return [
            {
                "row": self.row,
                "rank": rank,
                "needed": self.needed,
                "criterion": reason.criterion,
                "code": reason.code,
                "text": reason.text,
            }
            for rank, reason in enumerate(self.reasons, start=1)
        ]

    def __str__(self) -> str:
        return self.text


def reasons(
    model: Model,
    X: NDArray[np.float64],
    max_reasons: int = 4,
    *,
    codes: Mapping[Any, str] | None = None,
    texts: Mapping[Any, str] | None = None,
) -> RefusalReasons:
    """Give the reasons of refusals; see `SugenoClassifier.reasons`.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno import SugenoClassifier
    >>> from sugeno.explain import reasons
    >>> model = SugenoClassifier().fit([[1], [2], [3], [4]], [0, 0, 1, 1]).model_
    >>> reasons(model, np.array([[2.0]]), codes={"x0": "A7"})[0].reasons[0].code
    'A7'
    """
    if max_reasons < 1:
        raise ValueError(f"max_reasons must be at least 1. Got {max_reasons} instead.")
    criteria = model.criteria
    said = {criterion_place(criteria, key, "texts"): text for key, text in (texts or {}).items()}
    coded = {criterion_place(criteria, key, "codes"): code for key, code in (codes or {}).items()}
    names = [str(coded.get(j, criterion.name)) for j, criterion in enumerate(criteria)]
    return RefusalReasons(model, np.asarray(X, dtype=np.float64), max_reasons, names, said)


class RefusalReasons(Sequence[Letter]):
    """The reasons of all rows of a table, a sequence of `Letter`.

    Of more than two classes: for not being in the next one. Rows of the highest class are not
    refused anything.

    Examples
    --------
    >>> from sugeno import SugenoClassifier, SugenoOrdinalClassifier
    >>> clf = SugenoClassifier().fit([[1], [2], [3], [4]], [0, 0, 1, 1])
    >>> letters = clf.reasons([[2], [4]], codes={"x0": "A7"})
    >>> print(*letters.to_records()[0].items())
    ('row', 0) ('rank', 1) ('needed', 1) ('criterion', 'x0') ('code', 'A7')
    ('text', 'x0 is 2, below 3')
    >>> clf = SugenoOrdinalClassifier(levels=1).fit([[1], [2], [3]], [1, 2, 3])
    >>> clf.reasons([[2], [3]])
    Class 2, not 3. The decisive factor:
    - x0 is 2, below 3
    <BLANKLINE>
    Class 3, the highest. Nothing is missed.
    """

    def __init__(
        self,
        model: Model,
        X: NDArray[np.float64],
        max_reasons: int,
        codes: Sequence[str],
        texts: Mapping[int, str],
    ) -> None:
        self._model = model
        self._X = X
        self._most = max_reasons
        self._codes = codes
        self._texts = texts
        self._heads = _heads(model)
        self._place = model.passed(X)
        limits = [Limits.of(boundary.literals) for boundary in model.boundaries]
        self._beside = beside(model, X, self._place, limits)
        self._decisive = np.full(X.shape, -1, dtype=np.intp)
        self._missed = np.zeros(X.shape, dtype=np.intp)
        for boundary, one in zip(model.boundaries, self._beside):
            below = ~one.found.accepted
            rows = one.rows[below]
            self._decisive[rows] = one.found.decisive[below]
            self._missed[rows] = boundary.form.held_back(boundary.satisfied(X[rows]))

    def __len__(self) -> int:
        return len(self._X)

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
        head = self._heads[place]
        if place == len(self._model.boundaries):
            return Letter(row, False, (), 0, f"{head}. Nothing is missed.")
        factors = np.flatnonzero(self._decisive[row] >= 0)
        factors = factors[np.argsort(-self._missed[row, factors], kind="stable")].tolist()
        given = tuple(self._reason(row, j) for j in factors[: self._most])
        text = _letter_text(head, given, len(factors))
        return Letter(row, True, given, len(factors), text)

    def _reason(self, row: int, j: int) -> GivenReason:
        literals = self._model.boundaries[int(self._place[row])].literals
        criterion = literals.criteria[j]
        literal = int(self._decisive[row, j])
        sign, level = literals.parts[literal][1], literals.numbers[literal]
        value = as_shown(criterion, float(self._X[row, j]), float(literals.levels[literal]))
        text = self._texts.get(j)
        if text is None:
            said = f"{criterion.name} is {value}"
            absent = criterion.gap_at(float(self._X[row, j])) is not None
            said += "" if absent or value in ("missing", level) else f", {_MISSES[sign]} {level}"
        else:
            said = text.replace("{value}", value).replace("{level}", level)
            said = said.replace("{criterion}", criterion.name)
        return GivenReason(criterion.name, self._codes[j], said)

    def to_records(self) -> list[dict[str, Any]]:
        """Return one dictionary per reason given.

        Keys: ``row``, ``rank`` (1 for the first reason of a row), ``needed``, ``criterion``,
        ``code`` and ``text``. ``needed`` is how many factors the refusal takes: more than there are
        ranks if not all are given. Accepted rows have none.
        """
        below = np.flatnonzero(self._place < len(self._model.boundaries))
        refused = map(self._letter, below.tolist())
        return [record for letter in refused for record in letter.to_records()]

    def to_frame(self, backend: Literal["pandas", "polars", "pyarrow"] = "pandas") -> Any:
        """Return the records as a data frame of the library asked for."""
        import narwhals

        records = self.to_records()
        columns = {name: [record[name] for record in records] for name in _COLUMNS}
        return narwhals.from_dict(columns, backend=backend).to_native()

    def __repr__(self) -> str:
        shown = "\n\n".join(letter.text for letter in self[:10])
        return shown if len(self) <= 10 else f"{shown}\n\n… and {len(self) - 10} more rows"


def _heads(model: Model) -> list[str]:
    """Begin the letter to each class; of more than two it says which class was missed."""
    names = [opening(name, model.words) for name in model.names]
    if len(names) == 2:
        return names
    return [
        *(f"{name}, not {higher}" for name, higher in zip(names, model.classes.tolist()[1:])),
        f"{names[-1]}, the highest",
    ]


def _letter_text(head: str, given: Sequence[GivenReason], needed: int) -> str:
    """Write a refusal; what is left out is said."""
    if needed == 0:
        return f"{head}, whatever the values."
    opening = "The decisive factor:" if needed == 1 else f"The {needed} decisive factors:"
    if needed > len(given):
        opening = f"{len(given)} of the {needed} decisive factors:"
    lines = [f"{head}. {opening}", *(f"- {reason}" for reason in given)]
    if needed > len(given):
        lines.append(
            f"It takes all {needed} to explain this decision; {needed - len(given)} more than can "
            "be listed here."
        )
    return "\n".join(lines)
