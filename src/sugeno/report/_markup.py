"""HTML that is escaped by construction, and JSON that can stand inside it."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from html import escape
from typing import Any

#: What could end a script element or a line of JavaScript, written as JSON allows it.
_ESCAPES = {ord(c): f"\\u{ord(c):04x}" for c in "<>&\u2028\u2029"}


class Html(str):
    """Text that is markup already; any other text is escaped where it meets markup."""


def element(name: str, *children: str, **attributes: object) -> Html:
    """Write an element; attributes that are None are left out, ``class_`` is ``class``.

    Examples
    --------
    >>> from sugeno.report._markup import element
    >>> element("td", "a < b", class_="number", data_row=3)
    '<td class="number" data-row="3">a &lt; b</td>'
    """
    shown = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(str(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    return Html(f"<{name}{shown}>{join(*children)}</{name}>")


def join(*parts: str) -> Html:
    """Put parts next to each other, escaping what is not markup yet."""
    return Html("".join(part if isinstance(part, Html) else escape(part) for part in parts))


def section(name: str, title: str, *children: str) -> Html:
    """A part of the page with a heading, and a name to link to."""
    return element("section", element("h2", title), *children, id=name)


def heads(titles: Iterable[str]) -> Html:
    """The row with the titles of the columns of a table."""
    return element("tr", *(element("th", title, scope="col") for title in titles))


def table(head: str, lines: Iterable[str], **attributes: object) -> Html:
    """A table: one row as its head, and the others."""
    return element("table", element("thead", head), element("tbody", *lines), **attributes)


def region(label: str, inside: str) -> Html:
    """What may be wider than a screen: it scrolls on its own, by keyboard too, and has a name."""
    return element("div", inside, class_="wide", tabindex=0, role="region", aria_label=label)


def row_button(shown: int, place: int) -> Html:
    """A number that shows a typical row of a rule, or of a line of a card."""
    return element(
        "button",
        str(shown),
        type="button",
        class_="number",
        data_rule=place,
        title="Show a typical row in the panel",
    )


def breakable(name: str) -> Html:
    """A name that may go on in the next line after an underscore."""
    return Html(escape(name).replace("_", "_<wbr>"))


def embedded_json(data: Any) -> Html:
    r"""Write plain data as JSON for a script element; doubles read back as they were.

    Examples
    --------
    >>> from sugeno.report._markup import embedded_json
    >>> embedded_json(["</script>", 0.1, float("-inf"), float("nan")])
    '["\\u003c/script\\u003e",0.1,"-Infinity",null]'
    """
    text = json.dumps(_plain(data), ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    # A lone surrogate has no bytes in UTF-8; JSON can spell it.
    text = text.encode("utf-8", "backslashreplace").decode("utf-8")
    return Html(text.translate(_ESCAPES))


def _plain(data: Any) -> Any:
    """Whole numbers short, infinite ones as the words that JavaScript reads, NaN as null."""
    if isinstance(data, dict):
        return {key: _plain(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [_plain(value) for value in data]
    if not isinstance(data, float):
        return data
    if math.isnan(data):
        return None
    if math.isinf(data):
        return "Infinity" if data > 0 else "-Infinity"
    return int(data) if data.is_integer() and abs(data) < 1e15 else data
