"""What is known about one row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

__all__ = ["Change", "Counterfactual", "Explanation", "Factor", "Margin"]


@dataclass(frozen=True)
class Change:
    """One criterion that changes.

    Attributes
    ----------
    criterion : str
        Its name.
    before, after : float or str
        Its value, and what it becomes: numbers in original units, or labels.
    text : str
        The same in words.

    Examples
    --------
    >>> from sugeno.explain import Change
    >>> print(Change("interview", 5.0, 6.0, "interview rises from 5 to 6"))
    interview rises from 5 to 6
    """

    criterion: str
    before: Any
    after: Any
    text: str

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Counterfactual:
    """Changes that, together, give a row the other label.

    Attributes
    ----------
    label : object
        The label that the row gets.
    changes : tuple of Change
        What changes; all other criteria stay as they are.
    cost : float
        What the changes cost: the number of levels crossed, unless prices were given.

    Examples
    --------
    >>> from sugeno import SugenoClassifier
    >>> clf = SugenoClassifier().fit([[1], [2], [3], [4]], [0, 0, 1, 1])
    >>> str(clf.explain([[1]])[0].counterfactuals[0])
    'x0 rises from 1 to 3'
    """

    label: Any
    changes: tuple[Change, ...]
    cost: float

    def __str__(self) -> str:
        return " and ".join(map(str, self.changes))


@dataclass(frozen=True)
class Factor:
    """One criterion of a reason.

    Attributes
    ----------
    criterion : str
        Its name.
    value : float or str
        Its value in the row.
    text : str
        What about it is decisive, such as ``interview < 6``.

    Examples
    --------
    >>> from sugeno.explain import Factor
    >>> print(Factor("interview", 5.0, "interview < 6"))
    interview < 6
    """

    criterion: str
    value: Any
    text: str

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Margin:
    """How far one criterion alone is from flipping the verdict.

    Attributes
    ----------
    criterion : str
        Its name.
    value : float or str
        Its value in the row.
    limit : float, str or None
        The value that decides: an accepted row stays accepted up to it, a refused one is accepted
        from it on. None if the criterion alone cannot flip the verdict.
    room : float
        Distance from the value to the limit, in original units or, for labels, in steps;
        infinite if there is no limit.

    Examples
    --------
    >>> from sugeno import SugenoClassifier
    >>> clf = SugenoClassifier().fit([[1], [2], [3], [4]], [0, 0, 1, 1])
    >>> clf.explain([[5]])[0].margins[0]
    Margin(criterion='x0', value=5.0, limit=2.5, room=2.5)
    """

    criterion: str
    value: Any
    limit: Any
    room: float


@dataclass(frozen=True)
class Explanation:
    """Why a row has its label, and what would give it the other one.

    Attributes
    ----------
    row : int
        Place of the row in the table.
    label : object
        Its label.
    accepted : bool
        Whether that is the positive class.
    rules : tuple of int
        Places in ``rules_`` of the rules that hold; of a conjunctive form, of the clauses that
        are not met.
    reason : tuple of Factor
        A smallest set of criteria whose present values decide, whatever the others are.
    counterfactuals : tuple of Counterfactual
        Nearest first, each about a set of criteria of its own. Empty if the limits leave none:
        all ways have been tried.
    margins : tuple of Margin
        One per criterion.
    text : str
        The verdict and the nearest counterfactual in a sentence.

    Examples
    --------
    >>> from sugeno import SugenoClassifier
    >>> clf = SugenoClassifier().fit([[1], [2], [3], [4]], [0, 0, 1, 1])
    >>> print(clf.explain([[2]])[0])
    Refused. Accepted if x0 rises from 2 to 3.
    """

    row: int
    label: Any
    accepted: bool
    rules: tuple[int, ...]
    reason: tuple[Factor, ...]
    counterfactuals: tuple[Counterfactual, ...]
    margins: tuple[Margin, ...]
    text: str

    @property
    def because(self) -> str:
        """The reason in words."""
        return " and ".join(map(str, self.reason)) or "whatever the values"

    def __str__(self) -> str:
        return self.text
