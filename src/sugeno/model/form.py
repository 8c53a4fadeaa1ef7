"""A form: what decides at a boundary, as people read it.

A form accepts or refuses sets of literals. Whoever reads a model (explanations, edits, pages,
plots, exports) knows no more about it than `Form` says, so that a new form is written once, in a
class of its own, and every reader takes it. `RuleSet` is the first one.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sugeno._counts.patterns import Patterns
from sugeno._counts.weights import row_weights
from sugeno._scales.literals import Literals
from sugeno._scales.missing import as_read
from sugeno._scales.rows import numbers_of
from sugeno._sets.masks import Masks
from sugeno.model.monotone import MonotoneProof
from sugeno.model.probability import Probability
from sugeno.model.support import Support
from sugeno.model.text import Backend, Spoken, data_frame, heading, otherwise, records_of

__all__ = ["IMPOSSIBLE", "Form", "Formula", "Side"]

Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]

#: Prices from here on belong to changes that are forbidden.
IMPOSSIBLE = 2.0**52


@dataclass(frozen=True)
class Formula:
    """A form for engines: rows are accepted where the parts that hold have enough points.

    An "or" of rules needs one point, an "and" of clauses as many as there are clauses; a card has
    a part for each literal.

    Attributes
    ----------
    parts : tuple of tuples of int
        Places of literals.
    joint : {"and", "or"}
        Whether all literals of a part have to be satisfied for it to hold, or one.
    points : tuple of int
        What each part adds where it holds; at least 1.
    needed : int
        From how many points on a row is accepted.

    Examples
    --------
    >>> from sugeno import RuleSet
    >>> RuleSet([{0, 1}, {2}], [6, 4, 7]).formula
    Formula(parts=((2,), (0, 1)), joint='and', points=(1, 1), needed=1)
    >>> RuleSet([{0, 1}, {2}], [6, 4, 7], form="cnf").formula
    Formula(parts=((2,), (0, 1)), joint='or', points=(1, 1), needed=2)
    """

    parts: tuple[tuple[int, ...], ...]
    joint: Literal["and", "or"]
    points: tuple[int, ...]
    needed: int

    @property
    def outer(self) -> Literal["and", "or"] | None:
        """How the parts are joined where "and" or "or" can say it; else points are counted."""
        if self.needed == 1:
            return "or"
        return "and" if self.needed == sum(self.points) else None

    @property
    def counts_points(self) -> bool:
        """Whether it is neither an "or" of rules nor an "and" of clauses.

        Examples
        --------
        >>> from sugeno import Card, RuleSet
        >>> RuleSet([{0}, {1}], [6, 4]).formula.counts_points
        False
        >>> Card([2, 1], [6, 4], needed=3).formula.counts_points
        True
        """
        usual = "or" if self.joint == "and" else "and"
        return len(self.parts) > 1 and self.outer != usual


class Side(Protocol):
    """Why sets of literals get one of both verdicts, and what would flip it.

    The *state* of a row holds the literals that speak for its verdict: those that it satisfies if
    it is accepted, those that it misses if it is refused.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno import RuleSet
    >>> refused, accepted = RuleSet([{0, 1}, {0, 2}], [6, 4, 7]).sides
    >>> state = refused.state(np.zeros((1, 1), np.uint64))  # nothing is reached: all is missed
    >>> refused.reasons(state)  # enough for a refusal: literal 0 is missed
    array([[1]], dtype=uint64)
    """

    @property
    def accepted(self) -> bool:
        """The verdict."""

    def state(self, masks: Masks) -> Masks:
        """Return the literals that speak for the verdict."""

    def reasons(self, states: Masks) -> Masks:
        """Return a part of each state that suffices for the verdict, whatever the rest.

        One literal for each of as few criteria as possible; of several such parts, the first in
        the order of the columns.
        """

    def cheapest(self, states: Masks, prices: Floats) -> tuple[Floats, Masks]:
        """Find the cheapest change of each state that flips the verdict.

        Parameters
        ----------
        states : ndarray of uint64 of shape (n, words)
            The literals that speak for the verdict.
        prices : ndarray of float64 of shape (n, L)
            Price of changing each literal, and all that change with it; of one criterion the
            furthest literal alone is paid for. `IMPOSSIBLE` where it is forbidden.

        Returns
        -------
        prices : ndarray of float64 of shape (n,)
            The price of the change; from `IMPOSSIBLE` on where there is none.
        changes : ndarray of uint64 of shape (n, words)
            The literals to change, the furthest of each criterion; none where there is no way.
        """

    def changes(self, state: Masks, prices: Floats) -> Iterator[tuple[float, Masks, Masks]]:
        """Yield the possible changes of one state that flip the verdict, cheapest first.

        Yields
        ------
        price, furthest literal of each criterion, all literals that change
            Among them every minimal change.
        """


class Form(ABC):
    """What decides at a boundary: literals, and how they are joined.

    Examples
    --------
    >>> from sugeno import Card, RuleSet
    >>> from sugeno.model.form import Form
    >>> forms: list[Form] = [Card([2], [5], needed=2), RuleSet([{0}], [5])]
    >>> [form.predict([[4], [6]]).tolist() for form in forms]
    [[False, True], [False, True]]
    """

    _literals: Literals
    _label: object
    _named: bool
    _support: Support | None

    @property
    def criteria(self) -> tuple[str, ...]:
        """Names of the criteria."""
        return tuple(criterion.name for criterion in self._literals.criteria)

    @property
    def directions(self) -> NDArray[np.int64]:
        """+1 where more is better, -1 where less is; one per criterion."""
        return self._literals.directions

    @property
    def levels(self) -> NDArray[np.float64]:
        """Level of each literal, in original units: the numbers that predict."""
        return self._literals.levels.copy()

    @property
    def literal_criteria(self) -> NDArray[np.intp]:
        """Index of the criterion of each literal."""
        return self._literals.columns.copy()

    @property
    def literal_set(self) -> Literals:
        """The literals that the form may use."""
        return self._literals

    @property
    def label(self) -> object:
        """The label that accepted rows get, if it is known."""
        return self._label.label if isinstance(self._label, Spoken) else self._label

    @property
    def spoken(self) -> object:
        """The label, with the words for it where there are any."""
        return self._label

    @property
    def head(self) -> str:
        """What rows that are accepted are called."""
        return heading(self._label)

    @property
    def others(self) -> str:
        """What all other rows are called."""
        return otherwise(self._label)

    @property
    def named(self) -> bool:
        """Whether the criteria have names from the data, not only x0, x1, …."""
        return self._named

    @property
    def literals(self) -> tuple[str, ...]:
        """Text of each literal."""
        return self._literals.texts

    @property
    def n_literals(self) -> int:
        """Number of literals that the form may use."""
        return self._literals.levels.size

    @property
    def support(self) -> Support | None:
        """What each part stands on, if rows were counted."""
        return self._support

    def __eq__(self, other: object) -> bool:
        return self._identity() == other._identity() if isinstance(other, Form) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._identity())

    def predict(self, X: Any) -> NDArray[np.bool_]:
        """Tell which rows are accepted, from values in original units.

        Parameters
        ----------
        X : array-like, or frame of pandas, Polars or PyArrow, of shape (n, m)
            Finite numbers, and labels where a criterion has them. From a frame the criteria are
            taken by name.

        Returns
        -------
        ndarray of bool of shape (n,)
            The decisions.

        Examples
        --------
        >>> from sugeno import RuleSet
        >>> RuleSet([{0}], [3], criteria=["price"], directions=[-1]).predict([[3], [3.5]])
        array([ True, False])
        """
        return self.decide(self._values(X))

    def _values(self, X: Any) -> NDArray[Any]:
        """Read rows as a plain array with a column for each criterion."""
        return numbers_of(X, self._literals.criteria, named=self._named)

    def _patterns(
        self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None, missing: str
    ) -> Patterns:
        """Count rows by what they satisfy, and by whether they have the label."""
        values = self._values(X)
        values = as_read(values, self._literals.directions, missing)
        right = np.asarray(y) == (True if self.label is None else self.label)
        if right.shape != (len(values),):
            raise ValueError(
                f"y must have one label per row, shape ({len(values)},). "
                f"Got shape {right.shape} instead."
            )
        weights = row_weights(sample_weight, len(values))
        satisfied = self._literals.satisfied(values, check_finite=missing == "error")
        return Patterns.from_rows(satisfied, right, weights, self._literals.chains)

    def satisfied(self, values: NDArray[Any]) -> Masks:
        """Return the packed set of literals that each row of a plain array satisfies.

        Examples
        --------
        >>> import numpy as np
        >>> from sugeno import RuleSet
        >>> RuleSet([{0}], [3, 5]).satisfied(np.array([[4.0, 6.0]]))
        array([[3]], dtype=uint64)
        """
        return self._literals.satisfied(values, check_finite=True)

    def counted_on(
        self,
        X: Any,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        *,
        missing: str = "error",
    ) -> Self:
        """Return the same with what each part stands on, counted on other rows.

        Parameters
        ----------
        X : array-like, or frame of pandas, Polars or PyArrow, of shape (n, m)
            Rows in original units, as for `predict`.
        y : array-like of shape (n,)
            Their labels. Rows with the label of the form are right; where it has no label, rows
            whose label is true.
        sample_weight : array-like of shape (n,), optional
            Weights of the rows.
        missing : {"error", "pessimistic", "optimistic", "interval"}, default="error"
            How missing values are read: refused ("error"), as if they reached no level
            ("pessimistic") or as if they reached all ("optimistic"). "interval" counts only what is
            certain, as "pessimistic" does.

        Returns
        -------
        RuleSet or Card
            An equal one; its tables show the new numbers.

        Examples
        --------
        >>> from sugeno import Card, RuleSet
        >>> RuleSet([{0}], [3]).counted_on([[2], [3], [4]], [0, 0, 1]).to_records()
        [{'rule': 'x0 >= 3', 'size': 1, 'support': 2.0, 'precision': 0.5, 'unique': 2.0}]
        >>> Card([1], [3], needed=1).counted_on([[2], [3], [4]], [0, 0, 1]).to_records()
        [{'condition': 'x0 >= 3', 'points': 1, 'support': 2.0, 'precision': 0.5}]
        """
        return self.with_support(self._patterns(X, y, sample_weight, missing))

    def to_records(self, *, words: bool = False) -> list[dict[str, Any]]:
        """Return one dictionary per rule, or per line of a card.

        Of a rule: ``rule`` (text) and ``size`` (number of criteria). Of a card: ``condition``
        (text) and ``points`` (of the criterion from this level on, with those of its weaker
        levels).

        When rows were counted (training rows, or those of `counted_on`) there is more. ``support``
        is the weight of the rows that satisfy the rule, ``precision`` the share of that weight
        which has the label (NaN without support). ``unique`` is the weight of the rows that satisfy
        no other rule. Of a clause: the rows that it rejects, the share of them that do not have the
        label, and those that it alone rejects.

        Parameters
        ----------
        words : bool, default=False
            Whether to write "at least 6" for ``>= 6``.

        Examples
        --------
        >>> from sugeno import Card, RuleSet
        >>> RuleSet([{0}], [3]).to_records()
        [{'rule': 'x0 >= 3', 'size': 1}]
        >>> Card([2, 1], [5, 7], needed=2, criteria=["x"], literal_criteria=[0, 0]).to_records()
        [{'condition': 'x >= 5', 'points': 2}, {'condition': 'x >= 7', 'points': 3}]
        """
        return records_of(self._columns(words=words))

    def to_frame(self, backend: Backend = "pandas", *, words: bool = False) -> Any:
        """Return the records as a data frame.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow"}, default="pandas"
            Which library's frame; it must be installed.
        words : bool, default=False
            Whether to write "at least 6" for ``>= 6``.

        Returns
        -------
        pandas.DataFrame, polars.DataFrame or pyarrow.Table
            One row per rule, or per line of a card, with the columns of `to_records`.

        Examples
        --------
        >>> from sugeno import RuleSet
        >>> RuleSet([{0, 1}], [3, 5]).to_frame()
                            rule  size
        0  x0 >= 3 and x1 >= 5     2
        """
        return data_frame(self._columns(words=words), backend)

    # ---- what differs from form to form --------------------------------------------------------

    @abstractmethod
    def _identity(self) -> tuple[object, ...]:
        """Everything that decides what the form accepts and how it reads."""

    @abstractmethod
    def _columns(self, *, words: bool) -> dict[str, list[Any]]:
        """What `to_records` returns, by key."""

    @property
    @abstractmethod
    def used(self) -> tuple[int, ...]:
        """Places of the literals that occur, ascending."""

    @property
    @abstractmethod
    def size(self) -> int:
        """How many literals a person reads, each as often as it is written."""

    @property
    @abstractmethod
    def formula(self) -> Formula:
        """The same for engines."""

    @property
    @abstractmethod
    def boundary_sets(self) -> Masks:
        """The minimal accepted sets, packed, with all literals that they imply.

        Raises
        ------
        OverflowError
            If there are too many.
        """

    @property
    @abstractmethod
    def sides(self) -> tuple[Side, Side]:
        """Reasons and flips of what is refused, and of what is accepted."""

    @abstractmethod
    def accepts(self, masks: Masks) -> Bools:
        """Tell which packed sets of literals are accepted."""

    @abstractmethod
    def decide(self, values: NDArray[Any], *, check_finite: bool = True) -> Bools:
        """Tell which rows of a plain array are accepted."""

    @abstractmethod
    def fired(self, masks: Masks) -> Bools:
        """Tell which parts decided, shape (n, parts): rules that hold, clauses that are missed."""

    @abstractmethod
    def account(self, fired: Sequence[int]) -> list[str]:
        """Say of the parts that decided about a row what they are, one per line."""

    @abstractmethod
    def speaking_for(self, masks: Masks, accepted: bool) -> NDArray[np.intp]:
        """Return how much each criterion of sets speaks for a verdict, shape (n, m).

        For a refusal by the rules that miss it, or its points; for acceptance by those that it has.
        """

    @abstractmethod
    def beyond(self, lower: Form) -> str | None:
        """Return a part, in words, that accepts what a lower form refuses; None if none does."""

    @abstractmethod
    def with_support(self, patterns: Patterns) -> Self:
        """Return the same with what each part stands on, by patterns of its own literals."""

    @abstractmethod
    def relabelled(self, label: object) -> Self:
        """Return the same, speaking for a class."""

    @abstractmethod
    def verify_monotone(self, probability: Probability | None = None) -> MonotoneProof:
        """Prove that nothing is lost when a criterion gets better."""

    @abstractmethod
    def __len__(self) -> int:
        """Number of parts."""

    @abstractmethod
    def __iter__(self) -> Iterator[str]:
        """Iterate over the parts as texts."""

    @abstractmethod
    def __str__(self) -> str: ...

    @abstractmethod
    def _repr_html_(self) -> str: ...

    @abstractmethod
    def to_text(
        self, form: Literal["dnf", "cnf", "shorter"] | None = None, *, words: bool = False
    ) -> str:
        """Return all in a sentence: as it is, as rules, as clauses, or what is shorter of these."""

    @abstractmethod
    def to_markdown(self, *, words: bool = False) -> str:
        """Return the records as a table in Markdown."""
