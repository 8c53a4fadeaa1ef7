"""``sugeno explain``: why a row has its label, and what would give it the other one."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from sugeno.cli.errors import Command, Refusal, listed
from sugeno.cli.models import criteria_of, load_model, names_of
from sugeno.cli.options import decimal_option, pairs
from sugeno.cli.reading import read_table

if TYPE_CHECKING:
    from sugeno.explain import (
        Counterfactual,
        Explanation,
        Factor,
        SumExplanation,
    )

__all__ = ["explain"]


@click.command(cls=Command, short_help="Say why, and what would change it.")
@click.argument("model")
@click.argument("data")
@click.option(
    "--row",
    "rows",
    type=click.IntRange(1),
    multiple=True,
    help="Number of a row, from 1 on; can be repeated.",
)
@click.option(
    "--immutable",
    multiple=True,
    metavar="A,B,…",
    help="Criteria that cannot change.",
)
@click.option(
    "--range",
    "ranges",
    multiple=True,
    metavar="COLUMN=LOW..HIGH",
    help="How far a criterion can change; either end may be left open.",
)
@click.option(
    "--ways",
    default=3,
    show_default=True,
    type=click.IntRange(1),
    help="Largest number of ways out per row.",
)
@click.option(
    "--letter", is_flag=True, help="Name the decisive factors of each decision, as a letter does."
)
@click.option(
    "--format",
    "kind",
    type=click.Choice(["text", "json"]),
    default="text",
    help="Sentences, or JSON for programs.",
)
@decimal_option
def explain(
    model: str,
    data: str,
    rows: tuple[int, ...],
    immutable: tuple[str, ...],
    ranges: tuple[str, ...],
    ways: int,
    letter: bool,
    kind: str,
    decimal: str | None,
) -> None:
    """Say why MODEL decides so on rows of DATA, and what would change it.

    The answers are exact; nothing is sampled. Without --row each row gets one sentence.

    \b
      sugeno explain model.json new.csv --row 17
      sugeno explain model.json new.csv --immutable age --range price=3..9
    """  # noqa: D301 (the mark keeps click from joining the lines)
    clf, table = load_model(model), read_table(data, decimal)
    names = names_of(clf)
    given = _ranges(ranges)
    listed(given, names, "The model has no criterion")
    limits: dict[str | int, tuple[Any, Any]] = {
        name: _ends(clf, name, text) for name, text in given.items()
    }
    fixed = listed(immutable, names, "The model has no criterion")
    n = len(table.lines)
    if rows and max(rows) > n:
        raise Refusal(f"--row must be at most {n}, the rows of {table.origin}. Got {max(rows)}.")
    chosen = [row - 1 for row in rows] or list(range(n))
    given_rows = criteria_of(clf, table.take(chosen))
    ordered = hasattr(clf, "order_")
    if letter and clf.model_.adds_up:
        raise Refusal("--letter gives reasons of rules, which an ensemble has not; leave it out.")
    if clf.model_.adds_up and not ordered:
        raise Refusal(
            "The model is an ensemble of classes without an order, for which nobody knows the "
            "smallest change. 'sugeno report' shows what it does; fit with --levels distilled for "
            "reasons."
        )
    if letter:
        letters = clf.reasons(given_rows)
        click.echo("\n".join(f"{i + 1}: {one}" for i, one in zip(chosen, letters)))
        return
    found = clf.explain(given_rows, immutable=fixed, permitted_range=limits, n_counterfactuals=ways)
    several = ordered and len(clf.order_) > 2
    numbered = [(place + 1, found[i]) for i, place in enumerate(chosen)]
    if kind == "json":
        record: Any = _ordinal_record if several else _record
        record = _sum_record if clf.model_.adds_up else record
        records = [record(number, one) for number, one in numbered]
        click.echo(json.dumps(records, indent=1, ensure_ascii=False))
    elif rows:
        in_full: Any = _ordinal_in_full if several else _in_full
        in_full = _sum_in_full if clf.model_.adds_up else in_full
        click.echo("\n\n".join(in_full(clf, number, one) for number, one in numbered))
    else:
        click.echo("\n".join(f"{number}: {one}" for number, one in numbered))


def _ranges(values: tuple[str, ...]) -> dict[str, str]:
    form = "price=3..9, price=3.. or price=..9"
    given = pairs(values, "--range", form)
    for name, text in given.items():
        if ".." not in text:
            raise Refusal(f"--range must have the form {form}. Got '{name}={text}' instead.")
    return given


def _ends(clf: Any, name: str, text: str) -> tuple[Any, Any]:
    """Both ends of a range: labels, numbers, or None."""
    labelled = any(c.name == name and c.labels for c in clf.model_.criteria)
    low, _, high = text.partition("..")
    return _end(name, low.strip(), labelled), _end(name, high.strip(), labelled)


def _end(name: str, text: str, labelled: bool) -> Any:
    if not text or labelled:
        return text or None
    try:
        return float(text)
    except ValueError:
        raise Refusal(f"--range {name} must have numbers as its ends. Got {text!r}.") from None


def _in_full(clf: Any, number: int, one: Explanation) -> str:
    lines = [f"Row {number}: {one}", f"  because {one.because}"]
    form = clf.rules_[one.label] if isinstance(clf.rules_, dict) else clf.rules_
    if not one.likeliest:
        lines += [f"  {line}" for line in form.account(one.rules)]
    return "\n".join([*lines, *_other_ways(one, len(clf.classes_) > 2)])


def _other_ways(one: Explanation | SumExplanation, several: bool) -> list[str]:
    """Further changes; of several classes each says which one it leads to."""
    return [
        f"  or {way.label}: {way}" if several else f"  or: {way}" for way in one.counterfactuals[1:]
    ]


def _ordinal_in_full(clf: Any, number: int, one: Explanation) -> str:
    """Why it is at least in its class, why no higher, and other ways up."""
    lines = [f"Row {number}: {one}"]
    place = clf.order_.tolist().index(one.label)
    if one.below is not None:
        lines.append(f"  at least {one.label} because {one.below.because}")
        lines += [f"  {line}" for line in clf.rules_[place - 1].account(one.rules)]
    if one.above is not None:
        lines.append(f"  below {one.higher} because {one.above.because}")
        lines += _other_ways(one, several=True)
    return "\n".join(lines)


def _sum_in_full(clf: Any, number: int, one: SumExplanation) -> str:
    """What each criterion adds to the log odds, and other ways out."""
    lines = [f"Row {number}: {one}", f"  probability {one.probability:.3f}"]
    lines += [f"  {part}" for part in one.contributions]
    lines += [f"  {one.base:+.3g} where no level is reached"]
    return "\n".join([*lines, *_other_ways(one, len(clf.classes_) > 2)])


def _sum_record(number: int, one: SumExplanation) -> dict[str, Any]:
    adds = [{"criterion": c.criterion, "log_odds": c.log_odds} for c in one.contributions]
    return {
        "row": number,
        "label": one.label,
        "accepted": one.accepted,
        "text": one.text,
        "probability": one.probability,
        "base": one.base,
        "adds": adds,
        "counterfactuals": [_labelled_way(way) for way in one.counterfactuals],
        "falls": [_labelled_way(way) for way in one.falls],
        "alone": [_way(way) for way in one.alone],
        "impossible": one.impossible,
    }


def _ordinal_record(number: int, one: Explanation) -> dict[str, Any]:
    return {
        "row": number,
        "label": one.label,
        "text": one.text,
        "reason": _texts(one.reason),
        "rules": [place + 1 for place in one.rules],
        "barrier": _texts(one.barrier),
        "counterfactuals": [_labelled_way(way) for way in one.counterfactuals],
        "falls": [_labelled_way(way) for way in one.falls],
    }


def _texts(factors: Sequence[Factor]) -> list[str]:
    return [factor.text for factor in factors]


def _way(way: Counterfactual) -> dict[str, Any]:
    return {
        "cost": way.cost,
        "changes": [
            {"criterion": c.criterion, "before": c.before, "after": c.after, "text": c.text}
            for c in way.changes
        ],
    }


def _labelled_way(way: Counterfactual) -> dict[str, Any]:
    """A way with the class that it leads to."""
    return {"label": way.label, **_way(way)}


def _record(number: int, one: Explanation) -> dict[str, Any]:
    return {
        "row": number,
        "label": getattr(one.label, "item", lambda: one.label)(),
        "accepted": bool(one.accepted),
        "text": one.text,
        "reason": _texts(one.reason),
        "rules": [place + 1 for place in one.rules],
        "counterfactuals": [_labelled_way(way) for way in one.counterfactuals],
    }
