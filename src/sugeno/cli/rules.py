"""``sugeno rules``: the rules of a model, numbered."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from sugeno.cli.errors import Command
from sugeno.cli.models import forms_of, judged_rows, load_model
from sugeno.cli.options import decimal_option, target_options

if TYPE_CHECKING:
    from sugeno.model.form import Form

__all__ = ["rules"]

_HEADS = {
    "rule": "rule",
    "size": "criteria",
    "support": "support",
    "precision": "precision",
}


@click.command(cls=Command, short_help="Show the rules of a model.")
@click.argument("model")
@click.option(
    "--format",
    "kind",
    type=click.Choice(["table", "text", "words", "csv", "json", "markdown"]),
    default="table",
    show_default=True,
    help="How to show the rules.",
)
@click.option("--data", metavar="FILE", help="Count support and precision on these rows.")
@target_options("Column with the classes of --data.  [default: found by the labels]")
@decimal_option
def rules(model: str, kind: str, **rows: Any) -> None:
    """Show the rules of MODEL with their numbers, support, precision and unique coverage.

    Support is the number (or weight) of training rows that satisfy a rule. Precision is the share
    of them that have its class. Unique counts the rows that satisfy no other rule.
    """
    clf: Any = load_model(model)
    X, y = judged_rows(clf, **rows)
    forms = forms_of(clf) if y is None else forms_of(clf, clf.model_.counted_rules(X, y))
    click.echo(_shown(forms, kind))


def _shown(forms: Sequence[Form], kind: str) -> str:
    from sugeno.model.class_rules import OrdinalRules

    shown = forms[0] if len(forms) == 1 else OrdinalRules(forms)
    cards = OrdinalRules(forms).cards
    if kind == "table" and cards:
        thresholds = str(shown).splitlines()[: len(cards)]
        return "\n".join([*thresholds, *_lines(_numbered(shown.to_records()))])
    if kind == "table":
        return "\n\n".join(_as_table(form, _numbered(form.to_records())) for form in forms)
    if kind in ("text", "words"):
        return shown.to_text(words=kind == "words")
    if kind == "markdown" and (cards or len(forms) == 1):
        return shown.to_markdown()
    if kind == "markdown":
        return "\n\n".join(_titled(form) for form in forms)
    records = _numbered(shown.to_records())
    return _as_csv(records) if kind == "csv" else json.dumps(records, indent=1, ensure_ascii=False)


def _numbered(records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Count the rules from 1 on, of each boundary by itself."""
    count: Counter[Any] = Counter()
    found = []
    for record in records:
        count[record.get("boundary")] += 1
        found.append({"number": count[record.get("boundary")], **record})
    return found


def _as_csv(records: list[dict[str, Any]]) -> str:
    text = io.StringIO()
    # Rules of one class, and a card of another, have different columns.
    names = dict.fromkeys(name for record in records for name in record)
    writer = csv.DictWriter(text, [*names] or ["number"], lineterminator="\n")
    writer.writeheader()
    writer.writerows(records)
    return text.getvalue().rstrip("\n")


def _as_table(form: Form, records: list[dict[str, Any]]) -> str:
    if not records:
        return str(form)
    return "\n".join([_heading(form), *_lines(records)])


def _titled(form: Form) -> str:
    """A table in Markdown below what it speaks for; a card, and what never holds, say so."""
    from sugeno import Card

    alone = isinstance(form, Card) or not len(form)
    return form.to_markdown() if alone else f"{_heading(form)}\n\n{form.to_markdown()}"


def _heading(form: Form) -> str:
    """What the parts of a form have to do for a row to be accepted."""
    from sugeno import Card

    if isinstance(form, Card):
        return str(form).partition("\n")[0]
    one = form.formula.outer == "or"
    return f"{form.head} if {'one of these rules holds' if one else 'all of these clauses hold'}"


def _lines(records: list[dict[str, Any]]) -> list[str]:
    """Records below each other, in columns."""
    if not records:
        return []
    heads = ["", *(_HEADS.get(name, name) for name in records[0] if name != "number")]
    rows = [[_cell(value) for value in record.values()] for record in records]
    widths = [max(map(len, column)) for column in zip(heads, *rows)]
    return [
        "  ".join(
            cell.ljust(width) if place == 1 else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths))
        ).rstrip()
        for row in [heads, *rows]
    ]


def _cell(value: Any) -> str:
    from sugeno._scales.number import plain

    return plain(value, 4) if isinstance(value, float) else str(value)
