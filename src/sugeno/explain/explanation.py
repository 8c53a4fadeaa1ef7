"""What is known about one row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

__all__ = [
    "LIKELIEST",
    "Change",
    "Contribution",
    "Counterfactual",
    "Explanation",
    "Factor",
    "Margin",
    "RowExplanation",
    "SumExplanation",
]

#: Why a row has a class of several without an order whose rules do not hold.
LIKELIEST = "the rules of no class hold, and this one is the likeliest"


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
class Contribution:
    """What one column adds to the log odds of an ensemble, beside a row that reaches no level.

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


@dataclass(frozen=True, kw_only=True)
class RowExplanation:
    """What is said about a row, whatever decides.

    Two classes have one boundary, and all is about it. Of more classes a row lies between two
    boundaries, and each of them has an explanation of its own, as of two classes.

    Attributes
    ----------
    row : int
        Place of the row in the table.
    label : object
        Its class.
    accepted : bool
        Whether that is the highest class; of two classes, the positive one.
    counterfactuals : tuple of Counterfactual
        The ways to the other class, of more than two to a higher one; nearest first, each about a
        set of criteria of its own.
    text : str
        The class and the nearest way to another one in a sentence.
    higher, lower : object
        Of more than two classes: the next class up and down; None where there is none.
    above : RowExplanation or None
        Of more than two classes, about the boundary of the next class up: why it is not passed,
        and what would pass it. None for the highest class.
    below : RowExplanation or None
        Of more than two classes, about the boundary of the class itself: why it is passed, and
        what would lose it. None for the lowest class.

    Examples
    --------
    >>> from sugeno import SugenoClassifier
    >>> print(SugenoClassifier().fit([[1], [2], [3], [4]], [0, 0, 1, 1]).explain([[2]])[0])
    Class 0. Class 1 if x0 rises from 2 to 3.
    """

    row: int
    label: Any
    accepted: bool
    counterfactuals: tuple[Counterfactual, ...]
    text: str
    higher: Any = None
    lower: Any = None
    above: Any = None
    below: Any = None

    @property
    def falls(self) -> tuple[Counterfactual, ...]:
        """The nearest ways to a lower class."""
        if self.below is not None:
            found: tuple[Counterfactual, ...] = self.below.counterfactuals
            return found
        return self.counterfactuals if self.accepted else ()

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, kw_only=True)
class Explanation(RowExplanation):
    """Why rules or points give a row its class, and what would give it another one.

    Beside what `RowExplanation` has. Ways that the limits leave are all found: where there is no
    counterfactual, all have been tried.

    Attributes
    ----------
    rules : tuple of int
        Places of the rules that put the row at least into its class; of a conjunctive form, of
        the clauses that are not met.
    reason : tuple of Factor
        A smallest set of criteria whose present values decide, whatever the others are. Of more
        than two classes: that the row is at least in its class.
    margins : tuple of Margin
        How far each criterion alone is from changing the class. Of more than two classes it is the
        next higher class, and for the highest class the next lower one.
    likeliest : bool
        Whether the rules of no class hold, so that the likeliest of them is taken. Then there is
        no reason. Only classes without an order can be so.

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

    rules: tuple[int, ...]
    reason: tuple[Factor, ...]
    margins: tuple[Margin, ...]
    likeliest: bool = False

    @property
    def barrier(self) -> tuple[Factor, ...]:
        """A smallest set of criteria that keep the row from a higher class, whatever the rest."""
        if self.accepted:
            return ()
        found: tuple[Factor, ...] = self.reason if self.above is None else self.above.reason
        return found

    @property
    def because(self) -> str:
        """The reason in words."""
        if self.above is not None and self.below is None:
            return "the lowest class has no rules"
        if self.likeliest:
            return LIKELIEST
        return " and ".join(map(str, self.reason)) or "whatever the values"


@dataclass(frozen=True, kw_only=True)
class SumExplanation(RowExplanation):
    """Why a sum of steps gives a row its class, and what would give it another one.

    Beside what `RowExplanation` has. Counterfactuals change one or two columns; two only where
    neither alone is as cheap. Of more than two classes contributions, base and ``alone`` are about
    the boundary of the next class up, for the highest class about its own.

    Attributes
    ----------
    probability : float
        Of the positive class; of more than two classes, of the class of the row.
    contributions : tuple of Contribution
        What each column adds, the most first. With ``base`` they add up to the log odds.
    base : float
        Log odds of a row that reaches no level.
    alone : tuple of Counterfactual
        For each column that can change the class alone its cheapest way, nearest first.
    impossible : bool
        Whether it is proved that no change within the limits does, however many columns it
        changes.

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

    probability: float
    contributions: tuple[Contribution, ...]
    base: float
    alone: tuple[Counterfactual, ...]
    impossible: bool
