"""Words for people: rules as sentences, and the name of what they decide."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from typing import Any

from sugeno._scales.number import plain

__all__ = ["heading", "html_table", "markdown_table", "sentence", "unless"]

#: Longer texts are broken into one rule per line.
_LINE = 88

#: Labels of a class that rows are accepted into; for any other the class is named.
_YES = {"1", "true", "yes", "y", "accept", "accepted", "approve", "approved"}


def heading(label: object) -> str:
    """Begin the sentence that says when a row gets a label.

    Examples
    --------
    >>> from sugeno.model.text import heading
    >>> heading(True), heading("good"), heading("at least good")
    ('accept', "class 'good'", 'at least good')
    """
    shown = getattr(label, "item", lambda: label)()  # numpy's scalars as Python shows them
    if shown is None or str(shown).casefold() in _YES:
        return "accept"
    if isinstance(shown, str) and shown.startswith("at least "):
        return shown
    return f"class {shown!r}"


def sentence(rules: Sequence[str], head: str = "accept", form: str = "dnf") -> str:
    """Join rules by "or", or clauses by "and", over several lines if the sentence is long.

    Examples
    --------
    >>> from sugeno.model.text import sentence
    >>> sentence(["price <= 3", "speed >= 5 and comfort >= 2"])
    'accept if price <= 3, or speed >= 5 and comfort >= 2'
    """
    constant = _constant(rules, form)
    return f"{head} {constant}" if constant else _joined(f"{head} if", rules, form)


def unless(clauses: Sequence[str], head: str = "accept") -> str:
    """Say what clauses demand as a refusal: the dual reading.

    Examples
    --------
    >>> from sugeno.model.text import unless
    >>> unless(["price <= 3", "speed >= 5 or comfort >= 2"])
    'reject unless price <= 3 and (speed >= 5 or comfort >= 2)'
    """
    if _constant(clauses, "cnf"):
        return sentence(clauses, head, "cnf")
    opening = "reject" if head == "accept" else f"not {head}"
    return _joined(f"{opening} unless", clauses, "cnf")


def _joined(opening: str, rules: Sequence[str], form: str) -> str:
    """Put rules behind an opening, on one line if they fit."""
    if form == "dnf":
        short, long = ", or ", ", or\n  "
    else:
        rules = [f"({rule})" if " or " in rule and len(rules) > 1 else rule for rule in rules]
        short, long = " and ", " and\n  "
    line = f"{opening} " + short.join(rules)
    if len(line) <= _LINE:
        return line
    return f"{opening}\n  " + long.join(rules)


def _constant(rules: Sequence[str], form: str) -> str | None:
    """What to say where no literal matters."""
    if not rules:
        return "never" if form == "dnf" else "always"
    return rules[0] if list(rules) in (["always"], ["never"]) else None


def html_table(records: Sequence[dict[str, Any]], caption: str = "") -> str:
    """Write records as an HTML table; everything in them is escaped.

    Examples
    --------
    >>> from sugeno.model.text import html_table
    >>> html_table([{"rule": "x >= 3"}])
    '<table><thead><tr><th>rule</th></tr></thead><tbody><tr><td>x &gt;= 3</td></tr></tbody></table>'
    """
    names = list(records[0]) if records else []
    head = "".join(f"<th>{escape(name)}</th>" for name in names)
    rows = "".join(
        "<tr>" + "".join(f"<td>{_cell(record[name])}</td>" for name in names) + "</tr>"
        for record in records
    )
    above = f"<caption>{escape(caption)}</caption>" if caption else ""
    return f"<table>{above}<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


def markdown_table(records: Sequence[dict[str, Any]]) -> str:
    r"""Write records as a Markdown table; bars in a text are escaped.

    Examples
    --------
    >>> from sugeno.model.text import markdown_table
    >>> print(markdown_table([{"rule": "x >= 3", "support": 4.0}]))
    | rule | support |
    |:---|---:|
    | x >= 3 | 4 |
    """
    names = list(records[0]) if records else []
    texts = [isinstance(record, str) for record in (records[0].values() if records else ())]
    lines = [names, *([_plain(record[name]) for name in names] for record in records)]
    head, *rows = ("| " + " | ".join(line) + " |" for line in lines)
    rule = "|" + "|".join(":---" if text else "---:" for text in texts) + "|"
    return "\n".join([head, rule, *rows])


def _plain(value: object) -> str:
    """Write a cell of a Markdown table: tags and bars show as they are."""
    if isinstance(value, float):
        return plain(value)
    return re.sub("<(?=[A-Za-z/!?])", "&lt;", str(value)).replace("|", "\\|").replace("\n", " ")


def _cell(value: object) -> str:
    return plain(value) if isinstance(value, float) else escape(str(value))
