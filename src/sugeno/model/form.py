"""A form: what decides at a boundary, as people read it.

A form accepts or refuses sets of literals. Whoever reads a model (explanations, edits, pages,
plots, exports) knows no more about it than `Form` says, so that a new form is written once, in a
class of its own, and every reader takes it. `RuleSet` is the first one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sugeno._counts.patterns import Patterns
from sugeno._scales.literals import Literals
from sugeno._sets.masks import Masks
from sugeno.model.monotone import MonotoneProof
from sugeno.model.probability import Probability

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


class Form(Protocol):
    """What decides at a boundary.

    Examples
    --------
    >>> from sugeno import RuleSet
    >>> from sugeno.model.form import Form
    >>> form: Form = RuleSet([{0, 1}, {2}], [6, 4, 7])
    >>> list(form)
    ['x2 >= 7', 'x0 >= 6 and x1 >= 4']
    """

    @property
    def label(self) -> object:
        """The label that accepted rows get, if it is known."""

    @property
    def named(self) -> bool:
        """Whether the criteria have names from the data, not only x0, x1, …."""

    @property
    def criteria(self) -> tuple[str, ...]:
        """Names of the criteria."""

    @property
    def literal_set(self) -> Literals:
        """The literals that the form may use."""

    @property
    def used(self) -> tuple[int, ...]:
        """Places of the literals that occur, ascending."""

    @property
    def size(self) -> int:
        """How many literals a person reads, each as often as it is written."""

    @property
    def formula(self) -> Formula:
        """The same for engines."""

    @property
    def boundary_sets(self) -> Masks:
        """The minimal accepted sets, packed, with all literals that they imply.

        Raises
        ------
        OverflowError
            If there are too many.
        """

    @property
    def sides(self) -> tuple[Side, Side]:
        """Reasons and flips of what is refused, and of what is accepted."""

    def accepts(self, masks: Masks) -> Bools:
        """Tell which packed sets of literals are accepted."""

    def decide(self, values: NDArray[Any], *, check_finite: bool = True) -> Bools:
        """Tell which rows of a plain array are accepted."""

    def fired(self, masks: Masks) -> Bools:
        """Tell which parts decided, shape (n, parts): rules that hold, clauses that are missed."""

    def account(self, fired: Sequence[int]) -> list[str]:
        """Say of the parts that decided about a row what they are, one per line."""

    def speaking_for(self, masks: Masks, accepted: bool) -> NDArray[np.intp]:
        """Return how much each criterion of sets speaks for a verdict, shape (n, m).

        For a refusal by the rules that miss it, or its points; for acceptance by those that it has.
        """

    def beyond(self, lower: Form) -> str | None:
        """Return a part, in words, that accepts what a lower form refuses; None if none does."""

    def counted_on(
        self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None, *, missing: str
    ) -> Self:
        """Return the same with what each part stands on, counted on other rows."""

    def with_support(self, patterns: Patterns) -> Self:
        """Return the same with what each part stands on, by patterns of its own literals."""

    @property
    def head(self) -> str:
        """What rows that are accepted are called."""

    @property
    def others(self) -> str:
        """What all other rows are called."""

    def relabelled(self, label: object) -> Self:
        """Return the same, speaking for a class."""

    def verify_monotone(self, probability: Probability | None = None) -> MonotoneProof:
        """Prove that nothing is lost when a criterion gets better."""

    def __len__(self) -> int:
        """Number of parts."""

    def __iter__(self) -> Iterator[str]:
        """Iterate over the parts as texts."""

    def __str__(self) -> str: ...

    def _repr_html_(self) -> str: ...

    def to_text(
        self, form: Literal["dnf", "cnf", "shorter"] | None = None, *, words: bool = False
    ) -> str:
        """Return all in a sentence: as it is, as rules, as clauses, or what is shorter of these."""

    def to_records(self, *, words: bool = False) -> list[dict[str, Any]]:
        """Return one dictionary per part: its text, and what it stands on."""

    def to_frame(
        self, backend: Literal["pandas", "polars", "pyarrow"] = "pandas", *, words: bool = False
    ) -> Any:
        """Return the records as a data frame."""

    def to_markdown(self, *, words: bool = False) -> str:
        """Return the records as a table in Markdown."""
