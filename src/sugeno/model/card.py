"""A card of points: literals that add up, and a threshold; the paper's k-of-m with weights.

With the literals as binary utilities, the additive capacity μ(A) = Σ_{j∈A} w_j is worth the points
of what a row satisfies, and the Sugeno integral of binary utilities is that worth (Proposition 1
with every threshold in (0, 1]): the score is the integral, and "from θ points" is a Sugeno
classifier. The levels of a criterion add up, so that the score never falls when a criterion gets
better.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from html import escape
from itertools import accumulate, groupby
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sugeno._counts.patterns import Patterns
from sugeno._scales.literals import Literals
from sugeno._scales.verdicts import scores
from sugeno._sets.chains import minimal_ways
from sugeno._sets.masks import Masks, canonical_order, pack, unpack
from sugeno.capacity import Capacity
from sugeno.model.card_side import CardSide
from sugeno.model.form import Form, Formula, Side
from sugeno.model.given_rules import given_literals, given_needed, given_points
from sugeno.model.monotone import MonotoneProof, proof_of
from sugeno.model.probability import Probability
from sugeno.model.rules import RuleSet
from sugeno.model.support import Support
from sugeno.model.text import counted, html_table, markdown_table, records_of

__all__ = ["Card", "card_text", "html_card", "literal_columns", "markdown_card"]

Ints = NDArray[np.intp]

#: Literals of a capacity that is written down, at most.
_MOST_DENSE = 20
#: Longer lines are broken.
_LINE = 88


class Card(Form):
    """Points for literals ``criterion reaches level``, and how many of them are needed.

    A row has the points of all literals that it satisfies, and is accepted from so many points on.
    A card says what only a long list of rules could say: its boundary sets are all minimal ways to
    get enough points. Cards are immutable.

    Parameters
    ----------
    points : sequence of int
        What each literal adds, at least 1. With equal points the card is the k-of-m classifier.
    levels : array-like of shape (L,)
        Level of each literal in original units.
    needed : int
        From how many points on a row is accepted; 0 accepts all rows, more than all points none.
    criteria : sequence of str, optional
        Names of the m criteria. Default: as many as there are literals, called x0, x1, ….
    directions : array-like of shape (m,), optional
        -1 for criteria of which less is better; default all +1.
    literal_criteria : array-like of shape (L,), optional
        Criterion of each literal, ascending; by default literal j speaks about criterion j. The
        levels of a criterion must get harder to reach.
    label : object, optional
        The label that accepted rows get. The text names it, unless it means yes.

    Examples
    --------
    >>> from sugeno import Card
    >>> card = Card(
    ...     [3, 1, 1, 1],
    ...     [5, 61, 68, 4],
    ...     needed=3,
    ...     criteria=["bi_rads", "age", "shape"],
    ...     literal_criteria=[0, 1, 1, 2],
    ...     label="malignant",
    ... )
    >>> print(card)
    malignant from 3 of 6 points
      bi_rads  >= 5: 3
      age      >= 61: 1   >= 68: 2
      shape    >= 4: 1
    >>> rows = [[5, 30, 1], [4, 70, 4], [4, 70, 3]]
    >>> card.score(rows), card.predict(rows)
    (array([3, 3, 2]), array([ True,  True, False]))
    """

    def __init__(
        self,
        points: Sequence[int],
        levels: ArrayLike,
        *,
        needed: int,
        criteria: Sequence[str] | None = None,
        directions: ArrayLike | None = None,
        literal_criteria: ArrayLike | None = None,
        label: object = None,
    ) -> None:
        literals = given_literals(levels, criteria, directions, literal_criteria)
        self._assign(literals, given_points(points, literals.levels.size), given_needed(needed))
        self._named, self._label = criteria is not None, label

    @classmethod
    def of(
        cls,
        literals: Literals,
        points: Sequence[int] | Ints,
        needed: int,
        *,
        named: bool = False,
        label: object = None,
        support: Support | None = None,
        chances: Sequence[float] | None = None,
    ) -> Self:
        """Build from literals; ``chances`` are the probabilities of 0, 1, … points, to be shown."""
        self = cls.__new__(cls)
        self._assign(literals, np.asarray(points, dtype=np.intp), needed)
        self._named, self._label = named, label
        self._support, self._chances = support, None if chances is None else tuple(chances)
        return self

    def _assign(self, literals: Literals, points: Ints, needed: int) -> None:
        self._literals, self._points, self._needed = literals, points, needed
        self._support = None
        self._chances: tuple[float, ...] | None = None

    @property
    def points(self) -> tuple[int, ...]:
        """What each literal adds."""
        return tuple(self._points.tolist())

    @property
    def needed(self) -> int:
        """From how many points on a row is accepted."""
        return self._needed

    @property
    def total(self) -> int:
        """All points together."""
        return int(self._points.sum())

    @property
    def chances(self) -> tuple[float, ...] | None:
        """Probability of the label with 0, 1, … points, where it is known."""
        return self._chances

    @property
    def size(self) -> int:
        """How many literals a person reads."""
        return self._points.size

    @property
    def used(self) -> tuple[int, ...]:
        """Places of the literals that have points: all of them."""
        return tuple(range(self._points.size))

    @property
    def formula(self) -> Formula:
        """The card for engines: a part for each literal."""
        return Formula(tuple((j,) for j in self.used), "and", self.points, self._needed)

    @cached_property
    def boundary_sets(self) -> Masks:
        """The minimal sets of literals with enough points, packed, with all that they imply.

        Raises
        ------
        OverflowError
            If there are more than 20,000.
        """
        places = [*minimal_ways(self._steps, self._needed)]
        bits = np.zeros((len(places), self._points.size), dtype=np.bool_)
        for row, reached in zip(bits, places):
            row[[j for span, place in zip(self._spans, reached) for j in span[:place]]] = True
        packed = pack(bits)
        return packed[canonical_order(packed)]

    @property
    def _spans(self) -> list[range]:
        """The literals of each criterion."""
        sizes = self._literals.chains.sizes
        ends = np.cumsum(sizes, dtype=np.intp).tolist()
        return [range(end - size, end) for size, end in zip(sizes, ends)]

    @property
    def _steps(self) -> list[list[int]]:
        """What the literals of each criterion add."""
        return [self._points[list(span)].tolist() for span in self._spans]

    @property
    def alone(self) -> int | None:
        """The place of the one literal that decides, whatever the others are; None without one.

        Examples
        --------
        >>> from sugeno import Card
        >>> Card([2, 1], [5, 6], needed=2).alone, Card([2, 1], [5, 6], needed=1).alone
        (0, None)
        """
        for span, steps in zip(self._spans, self._steps):
            before, others = 0, self.total - sum(steps)
            for literal, step in zip(span, steps):
                if before + others < self._needed <= before + step:
                    return literal
                before += step
        return None

    @cached_property
    def sides(self) -> tuple[Side, Side]:
        """Reasons and flips of what is refused, and of what is accepted."""
        return CardSide.both(self._literals.chains, self._points, self._needed)

    @cached_property
    def additive_capacity(self) -> Capacity:
        """The additive capacity of the literals: μ(A) is the share of all points that A has.

        A row is accepted if and only if its worth is at least ``needed / total``. Every set is
        focal, so this is for at most 20 literals.

        Examples
        --------
        >>> from sugeno import Card
        >>> Card([2, 1, 1], [5, 6, 7], needed=2).additive_capacity.boundary_sets(0.5)
        (('x0 >= 5',), ('x1 >= 6', 'x2 >= 7'))
        """
        if self._points.size > _MOST_DENSE:
            raise OverflowError(
                f"Every set of an additive capacity is focal: at most {_MOST_DENSE} "
                f"literals. Got {self._points.size} instead; read the points themselves."
            )
        every = np.arange(1 << self._points.size, dtype=np.uint64)[:, None]
        return Capacity.from_dense(
            self.points_of(every) / max(self.total, 1), criteria=self._literals.texts
        )

    def score(self, X: Any) -> Ints:
        """Return the points of each row, from values in original units.

        Parameters
        ----------
        X : array-like, or frame of pandas, Polars or PyArrow, of shape (n, m)
            As for `predict`.

        Returns
        -------
        ndarray of int of shape (n,)

        Examples
        --------
        >>> from sugeno import Card
        >>> Card([2, 1], [5, 5], needed=2).score([[5, 4], [5, 5]])
        array([2, 3])
        """
        return scores(self._values(X), self._literals, self.points, check_finite=True)

    def points_of(self, masks: Masks) -> Ints:
        """Return the points of packed sets of literals.

        Examples
        --------
        >>> import numpy as np
        >>> from sugeno import Card
        >>> Card([2, 1], [5, 5], needed=2).points_of(np.array([[1], [3]], np.uint64))
        array([2, 3])
        """
        result: Ints = unpack(masks, self._points.size) @ self._points
        return result

    def accepts(self, masks: Masks) -> NDArray[np.bool_]:
        """Tell which packed sets of literals have enough points."""
        return self.points_of(masks) >= self._needed

    def decide(self, values: NDArray[Any], *, check_finite: bool = True) -> NDArray[np.bool_]:
        """Tell which rows of a plain array are accepted."""
        found = scores(values, self._literals, self.points, check_finite=check_finite)
        return found >= self._needed

    def fired(self, masks: Masks) -> NDArray[np.bool_]:
        """Tell which literals add their points, shape (n, L)."""
        return unpack(masks, self._points.size)

    def account(self, fired: Sequence[int]) -> list[str]:
        """Add up the points of the literals that a row satisfies.

        Examples
        --------
        >>> from sugeno import Card
        >>> card = Card([2, 1, 1], [5, 7, 5], needed=3, literal_criteria=[0, 0, 1])
        >>> card.account([0, 1]), card.account([])
        (['3 points of 3 needed: x0 >= 7: 3'], ['0 points of 3 needed'])
        """
        added: dict[int, tuple[str, int]] = {}
        for literal in fired:  # the levels of a criterion get harder to reach
            column = int(self._literals.columns[literal])
            before = added[column][1] if column in added else 0
            added[column] = self.literals[literal], before + int(self._points[literal])
        total = sum(points for _, points in added.values())
        parts = ", ".join(f"{text}: {points}" for text, points in added.values())
        decides = 0 < self._needed <= self.total
        enough = f" of {self._needed} needed" if decides else ", which decide nothing"
        return [f"{counted(total, 'point')}{enough}" + (f": {parts}" if parts else "")]

    def speaking_for(self, masks: Masks, accepted: bool) -> Ints:
        """Return the points that each set has on each criterion, or that it misses: (n, m)."""
        chains = self._literals.chains
        member = chains.criteria[:, None] == np.arange(chains.n_criteria)
        state = unpack(masks, self._points.size) == accepted
        result: Ints = (state * self._points) @ member.astype(np.intp)
        return result

    def beyond(self, lower: Form) -> str | None:
        """Return what gets enough points and is refused by a lower form; None if nothing is.

        Examples
        --------
        >>> from sugeno import Card
        >>> card = Card([2, 1], [5, 5], needed=2)
        >>> card.beyond(card.with_needed(3)), card.beyond(card.with_needed(1))
        ('x0 >= 5', None)
        """
        if isinstance(lower, Card) and self.shares_points(lower) and self._needed >= lower.needed:
            return None
        return self.to_rules().beyond(lower)

    def shares_points(self, other: Card) -> bool:
        """Tell whether both cards count the same points.

        Examples
        --------
        >>> from sugeno import Card
        >>> card = Card([2, 1], [5, 5], needed=2)
        >>> card.shares_points(card.with_needed(3))
        True
        """
        ours, theirs = self._literals, other.literal_set
        return (
            ours.criteria == theirs.criteria
            and np.array_equal(ours.columns, theirs.columns)
            and np.array_equal(ours.levels, theirs.levels)
            and self.points == other.points
        )

    def with_needed(self, needed: int, label: object = None) -> Self:
        """Return the same points with another threshold, and another label if one is given.

        Examples
        --------
        >>> from sugeno import Card
        >>> print(Card([2, 1], [5, 5], needed=2).with_needed(3))
        accept from 3 of 3 points
          x0  >= 5: 2
          x1  >= 5: 1
        """
        return self._like(needed=needed, label=self._label if label is None else label)

    def relabelled(self, label: object) -> Self:
        """Return the same card, speaking for a class."""
        return self._like(label=label)

    def with_support(self, patterns: Patterns) -> Self:
        """Return the same card with support and precision of each literal by patterns."""
        alone = self._literals.chains.closed(pack(np.eye(self._points.size, dtype=np.bool_)))
        found = Support.counted(alone, patterns)
        support = None if found is None else Support(found.weight, found.precision)
        return self._like(support=support)

    def _like(self, **changed: Any) -> Self:
        known: dict[str, Any] = {
            "needed": self._needed,
            "named": self._named,
            "label": self._label,
            "support": self._support,
            "chances": self._chances,
        }
        return self.of(self._literals, self._points, **{**known, **changed})

    def to_rules(self) -> RuleSet:
        """Return the rules that decide alike: one for each minimal way to enough points.

        Raises
        ------
        OverflowError
            If there are more than 20,000.

        Examples
        --------
        >>> from sugeno import Card
        >>> print(Card([2, 1, 1], [5, 6, 7], needed=2).to_rules())
        accept if x0 >= 5, or x1 >= 6 and x2 >= 7
        """
        return RuleSet.from_masks(
            self.boundary_sets, self._literals, named=self._named, label=self._label
        )

    def verify_monotone(self, probability: Probability | None = None) -> MonotoneProof:
        """Prove that no row loses its acceptance when a criterion gets better.

        Examples
        --------
        >>> from sugeno import Card
        >>> print(Card([2, 1], [5, 5], needed=2).verify_monotone())
        Monotone, proved for all inputs: 2 literals, each of which stays true when its criterion
        gets better and adds points, so that the score never falls.
        """
        statement = (
            f"{counted(self._points.size, 'literal')}, each of which stays true when its criterion "
            "gets better and adds points, so that the score never falls"
        )
        return proof_of(statement, self._literals, self._faults(), probability)

    def _faults(self) -> Iterator[str]:
        if self._points.shape != self._literals.levels.shape or (self._points < 1).any():
            yield "a literal does not add points"

    def __len__(self) -> int:
        return self._points.size

    def __iter__(self) -> Iterator[str]:
        """Iterate over the literals as texts such as ``age >= 61 (+1)``."""
        return (f"{text} (+{points})" for text, points in zip(self.literals, self.points))

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        return self.to_text()

    def _repr_html_(self) -> str:
        return html_card(self)

    def _identity(self) -> tuple[object, ...]:
        return (
            self._literals.criteria,
            tuple(self._literals.levels.tolist()),
            self.literals,
            self.points,
            self._needed,
            self.head,
        )

    def to_text(
        self, form: Literal["dnf", "cnf", "shorter"] | None = None, *, words: bool = False
    ) -> str:
        """Return the card, a line for each criterion; or what it decides as rules or clauses.

        Parameters
        ----------
        form : {"dnf", "cnf", "shorter"}, optional
            As for `RuleSet.to_text`. By default the card.
        words : bool, default=False
            Whether to write "at least 6" for ``>= 6``.

        Examples
        --------
        >>> from sugeno import Card
        >>> print(Card([2, 1], [5, 5], needed=2).to_text(words=True))
        accept if x0 at least 5: from 2 of 3 points
          x0  at least 5: 2
          x1  at least 5: 1
        """
        return (
            "\n".join([card_text(self, words=words), *self._literals.legend(self.used)])
            if form is None
            else self.to_rules().to_text(form, words=words)
        )

    def _columns(self, *, words: bool) -> dict[str, list[Any]]:
        return literal_columns(self, words=words)

    def to_markdown(self, *, words: bool = False) -> str:
        """Return the card as a table in Markdown.

        Examples
        --------
        >>> from sugeno import Card
        >>> print(Card([2, 1], [5, 5], needed=2).to_markdown())
        accept if x0 >= 5: from 2 of 3 points
        <BLANKLINE>
        | condition | points |
        |:---|---:|
        | x0 >= 5 | 2 |
        | x1 >= 5 | 1 |
        """
        return markdown_card(self, words=words)


# ---- a card as text and as a table: a line for each criterion, as people know it ---------------


def card_text(*cards: Card, words: bool = False) -> str:
    """Write a card: the thresholds, a line for each criterion, and the probability of each score.

    Several cards are the boundaries between ordered classes: they count the same points.

    Examples
    --------
    >>> from sugeno import Card
    >>> from sugeno.model.card import card_text
    >>> card = Card([1, 1], [5, 6], needed=1, label="good")
    >>> print(card_text(card, card.with_needed(2, "very good")))
    good from 1 of 2 points
    very good from 2 of 2 points
      x0  >= 5: 1
      x1  >= 6: 1
    """
    lines = [_threshold(card, words) for card in cards] + _criterion_lines(cards[0], words)
    for card in cards:
        if card.chances is not None:
            of = f" of {card.head}" if len(cards) > 1 else ""
            runs = [f"{scores}: {chance}" for scores, (chance,) in _runs([card.chances])]
            lines.append(_broken(f"probability{of}  ", runs))
    return "\n".join(lines)


def _threshold(card: Card, words: bool = False) -> str:
    """Say what it takes to be accepted; a condition that alone decides is said."""
    head = card.head
    if card.needed == 0:
        return f"{head} always, whatever the points (of {card.total})"
    if card.needed > card.total:
        every = "its only point" if card.total == 1 else f"all {card.total} points"
        return f"{head} never, even with {every}"
    if card.alone is not None:
        literals = card.literal_set
        head += f" if {(literals.words if words else literals.texts)[card.alone]}:"
    return f"{head} from {card.needed} of {card.total} points"


def _criterion_lines(card: Card, words: bool) -> list[str]:
    """A line for each criterion: from which level on it has how many points."""
    lines: dict[str, list[str]] = {}
    for (name, relation), points in zip(_relations(card, words), _cumulated(card)):
        lines.setdefault(name, []).append(f"{relation}: {points}")
    width = max(map(len, lines), default=0)
    return [_broken(f"  {name:<{width}}  ", parts) for name, parts in lines.items()]


def _relations(card: Card, words: bool) -> list[tuple[str, str]]:
    """Name of the criterion, and what is asked of it, for each literal."""
    literals = card.literal_set
    texts = literals.words if words else literals.texts
    names = [literals.criteria[j].name for j in literals.columns.tolist()]
    return [(name, text[len(name) + 1 :]) for name, text in zip(names, texts)]


def _cumulated(card: Card) -> list[int]:
    """Points of a criterion from each of its levels on."""
    result: list[int] = []
    for size, start in zip(
        card.literal_set.chains.sizes, accumulate(card.literal_set.chains.sizes, initial=0)
    ):
        result += accumulate(card.points[start : start + size])
    return result


def _broken(opening: str, parts: Sequence[str]) -> str:
    """Put parts beside each other, over several lines where they are long."""
    lines = [opening]
    for part in parts:
        if len(lines[-1]) + len(part) > _LINE and lines[-1] != opening:
            lines.append(" " * len(opening))
        lines[-1] += f"{part}   "
    return "\n".join(map(str.rstrip, lines))


def _runs(chances: Sequence[Sequence[float]]) -> list[tuple[str, tuple[str, ...]]]:
    """Scores with their probabilities; neighbours with which all of these read alike are one."""
    lines = enumerate(zip(*(map(_percent, each) for each in chances)))
    found = []
    for shown, run in groupby(lines, key=lambda line: line[1]):
        scores = [str(score) for score, _ in run]
        found.append(("–".join(dict.fromkeys((scores[0], scores[-1]))), shown))
    return found


def _percent(p: float) -> str:
    """A probability that people can compare: never 0 or 100 where it is not."""
    if 0 < p < 0.005:
        return "< 1 %"
    return "> 99 %" if 0.995 <= p < 1 else f"{100 * p:.0f} %"


def literal_columns(*cards: Card, words: bool = False) -> dict[str, list[Any]]:
    """Return the text of each literal, the points from it on, and what it stands on.

    Examples
    --------
    >>> from sugeno import Card
    >>> from sugeno.model.card import literal_columns
    >>> literal_columns(Card([2], [5], needed=2), words=True)
    {'condition': ['x0 at least 5'], 'points': [2]}
    """
    card = cards[0]
    texts = card.literal_set.words if words else card.literal_set.texts
    columns: dict[str, list[Any]] = {"condition": list(texts), "points": _cumulated(card)}
    if card.support is not None:
        columns["support"] = card.support.weight.tolist()
    for one in cards:
        if one.support is not None:
            of = f" of {one.head}" if len(cards) > 1 else ""
            columns[f"precision{of}"] = one.support.precision.tolist()
    return columns


def _chance_records(cards: Sequence[Card]) -> list[dict[str, Any]]:
    """One dictionary per score: the probability of each boundary where it is known."""
    known = {card.head: card.chances for card in cards if card.chances is not None}
    names = ["probability"] if len(cards) == 1 else [*known]
    return [
        {"score": scores, **dict(zip(names, shown))} for scores, shown in _runs([*known.values()])
    ]


def markdown_card(*cards: Card, words: bool = False) -> str:
    """Write a card as tables in Markdown, with the thresholds of one or several boundaries.

    Examples
    --------
    >>> from sugeno import Card
    >>> from sugeno.model.card import markdown_card
    >>> print(markdown_card(Card([2], [5], needed=2)).splitlines()[0])
    accept if x0 >= 5: from 2 of 2 points
    """
    records, chances = records_of(literal_columns(*cards, words=words)), _chance_records(cards)
    tables = [markdown_table(found) for found in (records, chances) if found]
    return "\n\n".join([*(_threshold(card, words) for card in cards), *tables])


def html_card(*cards: Card) -> str:
    """Write a card as tables in HTML; everything in it is escaped.

    Examples
    --------
    >>> from sugeno import Card
    >>> from sugeno.model.card import html_card
    >>> html_card(Card([2, 1], [5, 6], needed=3)).split("</caption>")[0]
    '<table><caption>accept from 3 of 3 points'
    """
    records, chances = records_of(literal_columns(*cards)), _chance_records(cards)
    head = "; ".join(map(_threshold, cards))
    tables = html_table(records, head) if records else escape(head)
    return tables + (html_table(chances) if chances else "")
