"""Words for people: rules as sentences, and the name of what they decide."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

__all__ = ["heading", "html_table", "sentence"]

#: Longer texts are broken into one rule per line.
_LINE = 88

#: Labels of a class that rows are accepted into; for any other the class is named.
_YES = {"1", "true", "yes", "y", "accept", "accepted", "approve", "approved"}


def heading(label: object) -> str:
    """Begin the sentence that says when a row gets a label.

    Examples
    --------
    >>> from sugeno.model.text import heading
    >>> heading(True), heading("good")
    ('accept', "class 'good'")
    """
    shown = getattr(label, "item", lambda: label)()  # numpy's scalars as Python shows them
    if shown is None or str(shown).casefold() in _YES:
        return "accept"
    return f"class {shown!r}"


def sentence(rules: Sequence[str], head: str = "accept") -> str:
    """Join rules into one sentence, over several lines if it is long.

    Examples
    --------
    >>> from sugeno.model.text import sentence
    >>> sentence(["price <= 3", "speed >= 5 and comfort >= 2"])
    'accept if price <= 3, or speed >= 5 and comfort >= 2'
    """
    if not rules:
        return f"{head} never"
    if list(rules) == ["always"]:
        return f"{head} always"
    line = f"{head} if " + ", or ".join(rules)
    if len(line) <= _LINE:
        return line
    return f"{head} if\n  " + ", or\n  ".join(rules)


def html_table(records: Sequence[dict[str, Any]], caption: str = "") -> str:
    """Write records as an HTML table; everything in them is escaped."""
    names = list(records[0]) if records else []
    head = "".join(f"<th>{escape(name)}</th>" for name in names)
    rows = "".join(
        "<tr>" + "".join(f"<td>{_cell(record[name])}</td>" for name in names) + "</tr>"
        for record in records
    )
    above = f"<caption>{escape(caption)}</caption>" if caption else ""
    return f"<table>{above}<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


def _cell(value: object) -> str:
    return f"{value:.6g}" if isinstance(value, float) else escape(str(value))
