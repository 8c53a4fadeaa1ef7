"""Words for people: rules as sentences, and the name of what they decide."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any, Literal

from sugeno._scales.number import plain

__all__ = [
    "Backend",
    "Spoken",
    "class_names",
    "counted",
    "data_frame",
    "heading",
    "html_table",
    "markdown_table",
    "opening",
    "otherwise",
    "records_of",
    "sentence",
    "unless",
]

#: Libraries whose data frames tables can be.
Backend = Literal["pandas", "polars", "pyarrow"]

#: Longer texts are broken into one rule per line.
_LINE = 88

#: Labels that say nothing without the name of what they answer; nor do numbers.
_BARE = re.compile(r"true|false|yes|no|ja|nein|oui|non|s[ií]|\w|[-+]?[\d.]+", re.IGNORECASE)

#: Targets whose names say nothing.
_NAMELESS = {"class", "label", "labels", "target", "y"}


@dataclass(frozen=True)
class Spoken:
    """A label with the words that sentences have for its class, and for all others.

    Attributes
    ----------
    label : object
        The label.
    name : str
        What rows of its class are called.
    other : str
        What all other rows are called.

    Examples
    --------
    >>> from sugeno import RuleSet
    >>> from sugeno.model.text import Spoken
    >>> print(RuleSet([{0}], [3], label=Spoken("yes", "deny = yes", "deny = no")))
    deny = yes if x0 >= 3
    """

    label: object
    name: str
    other: str


def class_names(
    classes: Sequence[Any], target: str | None = None, words: tuple[str, str] | None = None
) -> tuple[str, ...]:
    """Name classes as sentences do: by words that a person gave, by label, or by target and label.

    A label that is a word of its own needs nothing else; "yes", a truth value or a number is the
    answer to something, the target, which has to be named. Nothing is called "accepted" unless
    its label says so, since a yes may be bad news.

    Parameters
    ----------
    classes : sequence
        The labels, the lowest first; of two classes the negative one first.
    target : str, optional
        Name of what is predicted.
    words : tuple of two str, optional
        What rows of the positive one of two classes are called, and all others.

    Returns
    -------
    tuple of str
        A name for each class.

    Examples
    --------
    >>> from sugeno.model.text import class_names
    >>> class_names(["no", "yes"], "deny"), class_names(["benign", "malignant"], "finding")
    (('deny = no', 'deny = yes'), ('benign', 'malignant'))
    >>> class_names([0, 1]), class_names([0, 1], "paid", ("approved", "refused"))
    (('class 0', 'class 1'), ('refused', 'approved'))
    """
    if words is not None:
        return words[1], words[0]
    # numpy's scalars as Python shows them
    shown = [getattr(label, "item", lambda label=label: label)() for label in classes]
    bare = any(not isinstance(one, str) or _BARE.fullmatch(one) for one in shown)
    return tuple(_class_name(one, target) if bare else one for one in shown)


def _class_name(shown: Any, target: str | None) -> str:
    if target is None or target.casefold() in _NAMELESS:
        return f"class {shown}"
    return f"{target} = {shown}"


def opening(name: str, words: tuple[str, str] | None = None) -> str:
    """Begin a sentence with the name of a class; labels and targets stay as they are written.

    Examples
    --------
    >>> from sugeno.model.text import opening
    >>> opening("class 1"), opening("deny = yes"), opening("refused", ("approved", "refused"))
    ('Class 1', 'deny = yes', 'Refused')
    """
    ours = words is not None or name.startswith(("class ", "at least ", "below "))
    return name[:1].upper() + name[1:] if ours else name


def counted(number: int, noun: str) -> str:
    """Write a number with its noun.

    Examples
    --------
    >>> from sugeno.model.text import counted
    >>> counted(1, "rule"), counted(3, "point")
    ('1 rule', '3 points')
    """
    return f"{number} {noun}{'s' * (number != 1)}"


def heading(label: object) -> str:
    """Begin the sentence that says when a row gets a label; without any it is accepted.

    Examples
    --------
    >>> from sugeno.model.text import heading
    >>> heading(None), heading(True), heading("good"), heading("at least good")
    ('accept', 'class True', 'good', 'at least good')
    """
    if isinstance(label, Spoken):
        return label.name
    return "accept" if label is None else class_names((label,))[0]


def otherwise(label: object) -> str:
    """Begin the sentence that says when a row does not get a label.

    Examples
    --------
    >>> from sugeno.model.text import otherwise
    >>> otherwise(None), otherwise("good")
    ('reject', 'not good')
    """
    if isinstance(label, Spoken):
        return label.other
    return "reject" if label is None else f"not {heading(label)}"


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


def unless(clauses: Sequence[str], label: object = None) -> str:
    """Say what clauses demand of a row to get a label: the dual reading.

    Examples
    --------
    >>> from sugeno.model.text import unless
    >>> unless(["price <= 3", "speed >= 5 or comfort >= 2"])
    'reject unless price <= 3 and (speed >= 5 or comfort >= 2)'
    """
    if _constant(clauses, "cnf"):
        return sentence(clauses, heading(label), "cnf")
    return _joined(f"{otherwise(label)} unless", clauses, "cnf")


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


def records_of(columns: Mapping[str, Sequence[Any]]) -> list[dict[str, Any]]:
    """Return one dictionary per row of a table that is given by its columns.

    Examples
    --------
    >>> from sugeno.model.text import records_of
    >>> records_of({"rule": ["x >= 3", "y >= 2"], "size": [1, 1]})
    [{'rule': 'x >= 3', 'size': 1}, {'rule': 'y >= 2', 'size': 1}]
    """
    return [dict(zip(columns, row)) for row in zip(*columns.values())]


def data_frame(columns: Mapping[str, Sequence[Any]], backend: Backend) -> Any:
    """Return columns as a data frame of the library asked for.

    Examples
    --------
    >>> from sugeno.model.text import data_frame
    >>> data_frame({"rule": ["x >= 3"], "size": [1]}, "polars").rows()
    [('x >= 3', 1)]
    """
    import narwhals

    return narwhals.from_dict(columns, backend=backend).to_native()


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
