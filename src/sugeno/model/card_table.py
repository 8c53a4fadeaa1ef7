"""A card of points as text and as a table: a line for each criterion, as people know it."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from itertools import accumulate, groupby
from typing import Any, Protocol

from sugeno._scales.literals import Literals
from sugeno.model.support import Support
from sugeno.model.text import html_table, markdown_table

__all__ = ["Pointed", "card_text", "html_card", "literal_records", "markdown_card"]

_LINE = 88


class Pointed(Protocol):
    """What a card tells about itself.

    Examples
    --------
    >>> from sugeno import Card
    >>> from sugeno.model.card_table import Pointed
    >>> card: Pointed = Card([2], [5], needed=2)
    >>> card.total
    2
    """

    @property
    def literal_set(self) -> Literals:
        """The literals."""

    @property
    def points(self) -> tuple[int, ...]:
        """What each of them adds."""

    @property
    def needed(self) -> int:
        """From how many points on a row is accepted."""

    @property
    def total(self) -> int:
        """All points together."""

    @property
    def alone(self) -> int | None:
        """The place of the one literal that decides, whatever the others are."""

    @property
    def head(self) -> str:
        """What rows that are accepted are called."""

    @property
    def chances(self) -> tuple[float, ...] | None:
        """Probability with 0, 1, … points."""

    @property
    def support(self) -> Support | None:
        """What each literal stands on."""


def card_text(*cards: Pointed, words: bool = False) -> str:
    """Write a card: the thresholds, a line for each criterion, and the probability of each score.

    Several cards are the boundaries between ordered classes: they count the same points.

    Examples
    --------
    >>> from sugeno import Card
    >>> from sugeno.model.card_table import card_text
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
            lines.append(_chance_lines(f"probability{of}  ", card.chances))
    return "\n".join(lines)


def _threshold(card: Pointed, words: bool = False) -> str:
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


def _criterion_lines(card: Pointed, words: bool) -> list[str]:
    """A line for each criterion: from which level on it has how many points."""
    lines: dict[str, list[str]] = {}
    for (name, relation), points in zip(_relations(card, words), _cumulated(card)):
        lines.setdefault(name, []).append(f"{relation}: {points}")
    width = max(map(len, lines), default=0)
    return [_broken(f"  {name:<{width}}  ", parts) for name, parts in lines.items()]


def _relations(card: Pointed, words: bool) -> list[tuple[str, str]]:
    """Name of the criterion, and what is asked of it, for each literal."""
    literals = card.literal_set
    texts = literals.words if words else literals.texts
    names = [literals.criteria[j].name for j in literals.columns.tolist()]
    return [(name, text[len(name) + 1 :]) for name, text in zip(names, texts)]


def _cumulated(card: Pointed) -> list[int]:
    """Points of a criterion from each of its levels on."""
    result: list[int] = []
    for size, start in zip(
        card.literal_set.chains.sizes, accumulate(card.literal_set.chains.sizes, initial=0)
    ):
        result += accumulate(card.points[start : start + size])
    return result


def _chance_lines(opening: str, chances: Sequence[float]) -> str:
    return _broken(opening, [f"{scores}: {chance}" for scores, (chance,) in _runs([chances])])


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


def literal_records(*cards: Pointed, words: bool = False) -> list[dict[str, Any]]:
    """One dictionary per literal: its text, the points from it on, and what it stands on.

    Examples
    --------
    >>> from sugeno import Card
    >>> from sugeno.model.card_table import literal_records
    >>> literal_records(Card([2], [5], needed=2), words=True)
    [{'condition': 'x0 at least 5', 'points': 2}]
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
    return [dict(zip(columns, row)) for row in zip(*columns.values())]


def _chance_records(cards: Sequence[Pointed]) -> list[dict[str, Any]]:
    """One dictionary per score: the probability of each boundary where it is known."""
    known = {card.head: card.chances for card in cards if card.chances is not None}
    names = ["probability"] if len(cards) == 1 else [*known]
    return [
        {"score": scores, **dict(zip(names, shown))} for scores, shown in _runs([*known.values()])
    ]


def markdown_card(*cards: Pointed, words: bool = False) -> str:
    """Write a card as tables in Markdown, with the thresholds of one or several boundaries.

    Examples
    --------
    >>> from sugeno import Card
    >>> from sugeno.model.card_table import markdown_card
    >>> print(markdown_card(Card([2], [5], needed=2)).splitlines()[0])
    accept if x0 >= 5: from 2 of 2 points
    """
    records, chances = literal_records(*cards, words=words), _chance_records(cards)
    tables = [markdown_table(found) for found in (records, chances) if found]
    return "\n\n".join([*(_threshold(card, words) for card in cards), *tables])


def html_card(*cards: Pointed) -> str:
    """Write a card as tables in HTML; everything in it is escaped.

    Examples
    --------
    >>> from sugeno import Card
    >>> from sugeno.model.card_table import html_card
    >>> html_card(Card([2, 1], [5, 6], needed=3)).split("</caption>")[0]
    '<table><caption>accept from 3 of 3 points'
    """
    records, chances = literal_records(*cards), _chance_records(cards)
    head = "; ".join(map(_threshold, cards))
    tables = html_table(records, head) if records else escape(head)
    return tables + (html_table(chances) if chances else "")
