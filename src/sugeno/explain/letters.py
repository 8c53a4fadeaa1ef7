"""Reasons of decisions, as letters give them: the decisive factors, and no others.

A letter explains the decision that was made, whichever it is. Of more than two classes in an order
it says what keeps the row from the next one, or what keeps it from falling back.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias, overload

import numpy as np
from numpy.typing import NDArray

from sugeno.explain._boundary import beside
from sugeno.explain._limits import Limits
from sugeno.model.model import Model
from sugeno.model.naming import as_shown, criterion_place
from sugeno.model.per_class import ModelPerClass
from sugeno.model.text import Backend, data_frame, opening

__all__ = ["GivenReason", "Letter", "Letters", "reasons"]

#: From criteria to what to say about them where they fall short, or to that and to what to say
#: where they suffice.
Texts: TypeAlias = Mapping[Any, str | tuple[str, str]]
#: What a table of reasons has.
_COLUMNS = ("row", "decision", "rank", "needed", "criterion", "code", "text")
#: Where a value is that does not satisfy a literal, by the sign of the literal, and that does.
_MISSES = {">=": "below", "<=": "above", ">": "not above", "<": "not below"}
_MISSES |= {"is": "not", "is not": "one of"}
_HOLDS = {">=": "at least", "<=": "at most", ">": "above", "<": "below"}
_HOLDS |= {"is": "one of", "is not": "not"}


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
    """The reasons for the decision on one row.

    Attributes
    ----------
    row : int
        Place of the row in the table.
    decision : object
        The label of its class.
    reasons : tuple of GivenReason
        The decisive factors, at most as many as were asked for; the one that most rules hang on
        first.
    needed : int
        How many factors it takes to explain the decision whatever the rest.
    text : str
        All of it in words; it says so if factors are left out.

    Examples
    --------
    >>> from sugeno import SugenoClassifier
    >>> clf = SugenoClassifier().fit([[1], [2], [3], [4]], [0, 0, 1, 1])
    >>> print(clf.reasons([[2]])[0])
    Class 0. The decisive factor:
    - x0 is 2, below 3
    >>> print(clf.reasons([[4]])[0])
    Class 1. The decisive factor:
    - x0 is 4, at least 3
    """

    row: int
    decision: Any
    reasons: tuple[GivenReason, ...]
    needed: int
    text: str

    @property
    def complete(self) -> bool:
        """Whether all decisive factors are shown."""
        return len(self.reasons) == self.needed

    def to_records(self) -> list[dict[str, Any]]:
        """Return one dictionary per reason given; see `Letters.to_records`."""
        return [
            {
                "row": self.row,
                "decision": self.decision,
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


class Letters(Sequence[Letter]):
    """The reasons of all rows of a table, a sequence of `Letter`.

    Examples
    --------
    >>> from sugeno import SugenoClassifier, SugenoOrdinalClassifier
    >>> clf = SugenoClassifier().fit([[1], [2], [3], [4]], [0, 0, 1, 1])
    >>> letters = clf.reasons([[2], [4]], codes={"x0": "A7"})
    >>> print(*letters.to_records()[0].items())
    ('row', 0) ('decision', 0) ('rank', 1) ('needed', 1) ('criterion', 'x0') ('code', 'A7')
    ('text', 'x0 is 2, below 3')
    >>> clf = SugenoOrdinalClassifier(levels=1).fit([[1], [2], [3]], [1, 2, 3])
    >>> clf.reasons([[2], [3]])
    Class 2, not 3. The decisive factor:
    - x0 is 2, below 3
    <BLANKLINE>
    Class 3, not 2. The decisive factor:
    - x0 is 3, at least 3
    """

    @abstractmethod
    def _letter(self, row: int) -> Letter:
        """The letter of one row."""

    @overload
    def __getitem__(self, index: int) -> Letter: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Letter]: ...
    def __getitem__(self, index: int | slice) -> Letter | Sequence[Letter]:
        if isinstance(index, slice):
            return [self._letter(row) for row in range(len(self))[index]]
        return self._letter(range(len(self))[index])

    def to_records(self) -> list[dict[str, Any]]:
        """Return one dictionary per reason given.

        Keys: ``row``, ``decision`` (the label), ``rank`` (1 for the first reason of a row),
        ``needed``, ``criterion``, ``code`` and ``text``. ``needed`` is how many factors the
        decision takes: more than there are ranks if not all are given.
        """
        return [record for letter in self for record in letter.to_records()]

    def to_frame(self, backend: Backend = "pandas") -> Any:
        """Return the records as a data frame of the library asked for."""
        records = self.to_records()
        return data_frame({name: [one[name] for one in records] for name in _COLUMNS}, backend)

    def __repr__(self) -> str:
        shown = "\n\n".join(letter.text for letter in self[:10])
        return shown if len(self) <= 10 else f"{shown}\n\n… and {len(self) - 10} more rows"


class _LettersOfModel(Letters):
    """The letters of a model of two or more ordered classes."""

    def __init__(
        self,
        model: Model,
        X: NDArray[np.float64],
        max_reasons: int,
        said: tuple[Mapping[int, str], Mapping[int, tuple[str, ...]]],
        against: str,
    ) -> None:
        self._model = model
        self._X = X
        self._most = max_reasons
        self._codes, self._texts = said
        self._place = model.passed(X)
        self._labels = model.classes.tolist()
        down = int(against == "lower")
        self._boundary = np.clip(self._place - down, 0, len(model.boundaries) - 1)
        limits = [Limits.of(boundary.literals) for boundary in model.boundaries]
        self._decisive = np.full(X.shape, -1, dtype=np.intp)
        self._spoken = np.zeros(X.shape, dtype=np.intp)
        for b, one in enumerate(beside(model, X, self._place, limits)):
            own = self._boundary[one.rows] == b
            rows, form = one.rows[own], model.boundaries[b].form
            self._decisive[rows] = one.found.decisive[own]
            masks = model.boundaries[b].satisfied(X[rows])
            spoken = [form.speaking_for(masks, verdict) for verdict in (False, True)]
            self._spoken[rows] = np.where((self._place[rows] > b)[:, None], *spoken[::-1])

    def __len__(self) -> int:
        return len(self._X)

    @property
    def places(self) -> NDArray[np.intp]:
        """The place of the class of each row."""
        return self._place

    def _letter(self, row: int) -> Letter:
        factors = np.flatnonzero(self._decisive[row] >= 0)
        factors = factors[np.argsort(-self._spoken[row, factors], kind="stable")].tolist()
        sides: dict[str, list[int]] = {}  # both sides of a column are one factor
        for j in factors:
            sides.setdefault(self._model.criteria[j].name, []).append(j)
        given = tuple(self._reason(row, sorted(own)) for own in [*sides.values()][: self._most])
        text = _letter_text(self._head(row), given, len(sides))
        return Letter(row, self._labels[self._place[row]], given, len(sides), text)

    def _head(self, row: int) -> str:
        """Begin the letter; of more than two classes it says which one was missed."""
        place, b = int(self._place[row]), int(self._boundary[row])
        head = opening(self._model.names[place], self._model.words)
        if len(self._labels) == 2:
            return head
        return f"{head}, not {self._labels[b + 1 if place == b else b]}"

    def _reason(self, row: int, own: Sequence[int]) -> GivenReason:
        """What is decisive about a column, which one or two criteria read."""
        b, j = int(self._boundary[row]), own[0]
        holds = bool(self._place[row] > b)
        literals = self._model.boundaries[b].literals
        criterion, literal = literals.criteria[j], int(self._decisive[row, j])
        value = as_shown(criterion, float(self._X[row, j]), float(literals.levels[literal]))
        texts = self._texts.get(j, ())
        if len(texts) > holds:
            said = texts[holds].replace("{value}", value)
            said = said.replace("{level}", literals.numbers[literal])
            said = said.replace("{criterion}", criterion.name)
        else:
            said = f"{criterion.name} is {value}{self._relations(row, own, value)}"
        return GivenReason(criterion.name, self._codes.get(j, criterion.name), said)

    def _relations(self, row: int, own: Sequence[int], value: str) -> str:
        """How a value lies to the levels that decide; nothing where the value says it."""
        b = int(self._boundary[row])
        literals, words = self._model.boundaries[b].literals, []
        for j in own:
            literal = int(self._decisive[row, j])
            sign, level = literals.parts[literal][1], literals.numbers[literal]
            absent = literals.criteria[j].gap_at(float(self._X[row, j])) is not None
            told = value == "missing" or (sign in ("is", "is not") and value == level)
            if not (absent or told):
                relation = (_HOLDS if self._place[row] > b else _MISSES)[sign]
                words.append(f"{relation} {level}")
        return f", {' and '.join(words)}" if words else ""


class _LettersPerClass(Letters):
    """The letters of classes without an order: why the rules of the likeliest one hold."""

    def __init__(self, model: ModelPerClass, X: NDArray[np.float64], each: list[Letters]) -> None:
        self._model = model
        self._place = model.passed(X)
        self._each = each
        self._holds = model.open_labels(X)

    def __len__(self) -> int:
        return self._place.size

    def _letter(self, row: int) -> Letter:
        place = int(self._place[row])
        own, label = self._each[place][row], self._model.classes.tolist()[place]
        head, held = opening(self._model.names[place]), self._holds[row]
        if not held[place]:
            text = f"{head}, the likeliest. The rules of no class hold."
            return Letter(row, label, (), 0, text)
        others = [self._model.names[i] for i in np.flatnonzero(held).tolist() if i != place]
        if others:
            head += f", likelier than {' and '.join(others)}, whose rules hold too"
        return replace(own, decision=label, text=_letter_text(head, own.reasons, own.needed))


def reasons(
    model: Model | ModelPerClass,
    X: NDArray[np.float64],
    max_reasons: int = 4,
    *,
    codes: Mapping[Any, str] | None = None,
    texts: Texts | None = None,
    against: str = "higher",
) -> Letters:
    """Give the reasons of decisions; see `SugenoClassifier.reasons`.

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
    if against not in ("higher", "lower"):
        raise ValueError(f"against must be 'higher' or 'lower'. Got {against!r} instead.")
    rows = np.asarray(X, dtype=np.float64)
    if isinstance(model, ModelPerClass):
        parts = zip(model.models, model.per_model(rows))
        own = [
            reasons(
                one,
                values,
                max_reasons,
                codes=model.about_class(one, codes or {}, "codes"),
                texts=model.about_class(one, texts or {}, "texts"),
            )
            for one, values in parts
        ]
        return _LettersPerClass(model, rows, own)
    coded = _by_place(model, codes or {}, "codes")
    given = _by_place(model, texts or {}, "texts")
    said = {j: (one,) if isinstance(one, str) else tuple(one) for j, one in given.items()}
    return _LettersOfModel(model, rows, max_reasons, (coded, said), against)


def _by_place(model: Model, given: Mapping[Any, Any], what: str) -> dict[int, Any]:
    """What is said about criteria, by their places; both sides of a column have one name."""
    names = [criterion.name for criterion in model.criteria]
    found = {}
    for key, said in given.items():
        name = names[criterion_place(model.criteria, key, what)]
        found.update({j: said for j, other in enumerate(names) if other == name})
    return found


def _letter_text(head: str, given: Sequence[GivenReason], needed: int) -> str:
    """Write a letter; what is left out is said."""
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
