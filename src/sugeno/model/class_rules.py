"""The rules of all class boundaries together."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from sugeno.model.card import Card, card_text, html_card, literal_columns, markdown_card
from sugeno.model.form import Form
from sugeno.model.text import Backend, data_frame, html_table, markdown_table, records_of

__all__ = ["OrdinalRules", "boundary_labels", "stacked"]


def boundary_labels(classes: NDArray[Any], place: int) -> NDArray[Any]:
    """Names of what lies on either side of a boundary: of two classes their labels.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno.model.class_rules import boundary_labels
    >>> boundary_labels(np.array(["bad", "good"]), 0).tolist()
    ['bad', 'good']
    >>> boundary_labels(np.array(["bad", "fair", "good"]), 1).tolist()
    ['below good', 'at least good']
    """
    if classes.size == 2:
        return classes
    shown = classes.tolist()[place + 1]
    return np.array([f"below {shown}", f"at least {shown}"])


def stacked(title: str, tables: Mapping[Any, Any], backend: Backend) -> Any:
    """Put data frames below each other, with a first column that says which is which.

    Columns that a table lacks, as one of rules lacks those of a card, are empty there.

    Examples
    --------
    >>> from sugeno import Card, RuleSet
    >>> from sugeno.model.class_rules import stacked
    >>> tables = {"a": RuleSet([{0}], [3]).to_frame(), "b": Card([2], [5], needed=2).to_frame()}
    >>> stacked("class", tables, "polars").rows()
    [('a', 'x0 >= 3', 1, None, None), ('b', None, None, 'x0 >= 5', 2)]
    """
    import narwhals

    parts = {
        key: narwhals.from_native(table).to_dict(as_series=False) for key, table in tables.items()
    }
    columns: dict[str, list[Any]] = {title: []}
    for part in parts.values():
        columns.update({name: [] for name in part})
    for key, part in parts.items():
        n_rows = len(next(iter(part.values()), []))
        for name, column in columns.items():
            column += [key] * n_rows if name == title else part.get(name, [None] * n_rows)
    return data_frame(columns, backend)


class OrdinalRules(tuple[Form, ...]):
    """The rules of all class boundaries, the lowest first.

    Whoever passes a boundary passes those before it. Boundaries that count the same points are
    shown as one card with several thresholds.

    Examples
    --------
    >>> from sugeno import RuleSet
    >>> from sugeno.model.class_rules import OrdinalRules
    >>> low, high = RuleSet([{0}], [3, 5], label="at least 1"), RuleSet([{0, 1}], [3, 5])
    >>> print(OrdinalRules([low, high]))
    at least 1 if x0 >= 3
    accept if x0 >= 3 and x1 >= 5

    >>> from sugeno import Card
    >>> card = Card([2, 1], [3, 5], needed=1, label="at least fair")
    >>> print(OrdinalRules([card, card.with_needed(3, "good")]))
    at least fair from 1 of 3 points
    good from 3 of 3 points
      x0  >= 3: 2
      x1  >= 5: 1
    """

    __slots__ = ()

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        return self.to_text()

    def _repr_html_(self) -> str:
        return html_card(*self.cards) if self.cards else html_table(self.to_records())

    @property
    def cards(self) -> tuple[Card, ...]:
        """The card of each boundary, if all of them count the same points; else none."""
        cards = tuple(form for form in self if isinstance(form, Card))
        one = 0 < len(cards) == len(self) and all(map(cards[0].shares_points, cards[1:]))
        return cards if one else ()

    @property
    def shown(self) -> tuple[Form, ...]:
        """What a person reads: the form of each boundary, or the one card of all."""
        return self.cards[:1] or tuple(self)

    @property
    def n_rules(self) -> int:
        """Number of rules of all boundaries together, or of lines of their card."""
        return sum(map(len, self.shown))

    @property
    def n_conditions(self) -> int:
        """Number of conditions that a person reads, each as often as it is written."""
        return sum(form.size for form in self.shown)

    def to_text(
        self, form: Literal["dnf", "cnf", "shorter"] | None = None, *, words: bool = False
    ) -> str:
        """Return a sentence per boundary, as `RuleSet.to_text` writes them, or one card."""
        if self.cards and form is None:
            return card_text(*self.cards, words=words)
        return "\n".join(rules.to_text(form, words=words) for rules in self)

    def to_records(self, *, words: bool = False) -> list[dict[str, Any]]:
        """Return one dictionary per rule, as `RuleSet.to_records` has them, with its boundary.

        Of one card one per literal, as `Card.to_records` has them, with the precision at each
        boundary.
        """
        if self.cards:
            return records_of(literal_columns(*self.cards, words=words))
        return [
            {"boundary": str(rules.label), **record}
            for rules in self
            for record in rules.to_records(words=words)
        ]

    def to_frame(self, backend: Backend = "pandas", *, words: bool = False) -> Any:
        """Return the records as a data frame of the library asked for."""
        records = self.to_records(words=words)
        # Rules of one boundary, and a card of another, have different columns.
        names = dict.fromkeys(name for one in records for name in one)
        columns = {name: [one.get(name) for one in records] for name in names}
        return data_frame(columns or {"boundary": [], "rule": [], "size": []}, backend)

    def to_markdown(self, *, words: bool = False) -> str:
        """Return the table of rules, or the card, in Markdown."""
        if self.cards:
            return markdown_card(*self.cards, words=words)
        return markdown_table(self.to_records(words=words) or [{"rule": str(self)}])
