"""``sugeno edit``: rules changed by hand, as a new model, with what that changes."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import click

from sugeno.cli.errors import Command, Refusal, listed
from sugeno.cli.learning import note
from sugeno.cli.models import judged_rows, load_model, names_of, save_model
from sugeno.cli.options import decimal_option, out_option, target_options

if TYPE_CHECKING:
    from sugeno import RuleSet
    from sugeno._scales.literals import Literals
    from sugeno.edit import CardEdit, Edit

__all__ = ["edit"]

_SETTING = re.compile(r"\s*(?:(\d+)\s*:)?\s*(.+?)\s*(>=|<=|≥|≤)\s*(.+?)\s*")


@click.command(cls=Command, short_help="Change rules by hand.")
@click.argument("model")
@click.option(
    "--drop", type=click.IntRange(1), multiple=True, help="Number of a rule to leave out."
)
@click.option(
    "--add", multiple=True, metavar="RULE", help='Rule to add, such as "age >= 60 and price <= 3".'
)
@click.option(
    "--set",
    "settings",
    multiple=True,
    metavar="LEVEL",
    help='Move a level: "age>=62" in all rules, "3: age>=62" in rule 3.',
)
@click.option(
    "--points",
    multiple=True,
    metavar="POINTS",
    help='Of a card: points from a level on, such as "age>=62: 2".',
)
@click.option(
    "--needed",
    multiple=True,
    metavar="POINTS",
    help='Of a card: points that are needed, such as 5; of ordered classes "good: 5".',
)
@click.option("--forbid", multiple=True, metavar="A,B,…", help="Criteria that must play no part.")
@click.option(
    "--assume",
    type=click.Choice(["worst", "best"]),
    default="worst",
    show_default=True,
    help="Value that every row is taken to have of a forbidden criterion.",
)
@click.option("--data", metavar="FILE", help="Rows on which to count what changes.")
@target_options("Column with the classes of --data.  [default: found by the labels]")
@decimal_option
@click.option(
    "--boundary",
    metavar="LABEL",
    help='Whose rules change: of ordered classes "at least LABEL", of others the class.',
)
@out_option("Where to keep the new model.")
def edit(
    model: str,
    drop: tuple[int, ...],
    add: tuple[str, ...],
    settings: tuple[str, ...],
    points: tuple[str, ...],
    needed: tuple[str, ...],
    forbid: tuple[str, ...],
    assume: Any,
    boundary: str | None,
    out: str | None,
    **rows: Any,
) -> None:
    """Change the rules of MODEL, or its card, and say what that changes.

    Numbers of rules are those that `sugeno rules` shows.

    \b
      sugeno edit model.json --drop 3 --set "age>=62" -o new.json
      sugeno edit model.json --forbid age --data data.csv
      sugeno edit card.json --points "age>=62: 2" --needed 5 -o new.json
    """  # noqa: D301 (the mark keeps click from joining the lines)
    clf: Any = load_model(model)
    if hasattr(clf, "order_") and clf.model_.rules.cards:
        _refuse_given("a card", {"--add": add, "--boundary": boundary})
        card: CardEdit = clf.edit(*judged_rows(clf, **rows))
        work: Edit | CardEdit = _edited_card(card, drop, settings, points, needed)
    else:
        _refuse_given("rules", {"--points": points, "--needed": needed})
        known, chosen = _edited(clf, boundary)
        begun: Edit = clf.edit(*judged_rows(clf, **rows), boundary=chosen)
        work = _edited_rules(begun, len(known), drop, settings, add)
    for name in listed(forbid, names_of(clf), "The model has no criterion"):
        work = work.forbid(name, assume=assume)
    if not work.steps:
        raise Refusal(
            "Nothing to change; say --drop, --set or --forbid, of rules --add, of a card "
            "--points or --needed."
        )
    click.echo(_summary(work, rows["data"]), err=out == "-")
    if out is None:
        note("Nothing was kept; -o new.json keeps the new model.")
        return
    save_model(work.classifier, out)
    note(f"Wrote {out}.")


def _refuse_given(form: str, options: dict[str, Any]) -> None:
    """Refuse options that are for the other form."""
    for name, value in options.items():
        if value:
            raise Refusal(f"{name} has no meaning for {form}; leave it out.")


def _edited_rules(
    work: Edit, n_rules: int, drop: Iterable[int], settings: Iterable[str], add: Iterable[str]
) -> Edit:
    for number in sorted(set(drop)):
        work = work.remove(_place(work, n_rules, number, "--drop"))
    for setting in settings:
        work = _set(work, n_rules, setting)
    for rule in add:
        work = work.add(rule)
    return work


def _edited_card(
    work: CardEdit,
    drop: Iterable[int],
    settings: Iterable[str],
    points: Iterable[str],
    needed: Iterable[str],
) -> CardEdit:
    literals = work.cards[0].literal_set  # numbers are those before all edits
    for number in sorted(set(drop)):
        work = work.remove(literals.texts[_line(literals, number, "--drop")])
    for setting in settings:
        work = _move(work, literals, setting)
    for given in points:
        condition, _, more = given.rpartition(":")
        work = work.set_points(condition.strip(), _whole(more, given, "--points"))
    by_text = {str(label): label for label in work.original.classes.tolist()[1:]}
    for given in needed:
        name, _, more = given.rpartition(":")
        several = len(by_text) > 1
        if several and name.strip() not in by_text:
            raise Refusal(
                f'--needed must name a class, as "{next(iter(by_text))}: 5". Got {given!r}.'
            )
        boundary = by_text[name.strip()] if several else None
        work = work.set_needed(_whole(more, given, "--needed"), boundary=boundary)
    return work


def _move(work: CardEdit, literals: Literals, setting: str) -> CardEdit:
    """Move the level of a line, or the only one of a criterion."""
    match = _SETTING.fullmatch(setting)
    if match is None:
        raise Refusal(f'--set must have the form "age>=62" or "3: age>=62". Got {setting!r}.')
    number, name, _, level = match.groups()
    [criterion] = listed([name], work.cards[0].criteria, "The model has no criterion")
    lines = [i for i, part in enumerate(literals.parts) if part[0] == criterion]
    if number is not None:
        lines = [_line(literals, int(number), "--set")]
    if len(lines) != 1 or literals.parts[lines[0]][0] != criterion:
        raise Refusal(
            f"Say which level of {criterion!r} moves, by the number of its line: "
            f'--set "1: {setting.strip()}". Got {setting!r}.'
        )
    line = lines[0]
    return work.move_level(
        int(literals.columns[line]), float(literals.levels[line]), to=_typed(level)
    )


def _line(literals: Literals, number: int, option: str) -> int:
    if number > len(literals.parts):
        raise Refusal(
            f"{option} must be a line from 1 to {len(literals.parts)}. Got {number} instead."
        )
    return number - 1


def _whole(text: str, given: str, option: str) -> int:
    if not text.strip().isdecimal():
        raise Refusal(f"{option} must end with a whole number of points. Got {given!r}.")
    return int(text)


def _edited(clf: Any, boundary: str | None) -> tuple[RuleSet, Any]:
    """The rules that change and, of ordered classes, the class that they are about."""
    if not hasattr(clf, "order_"):
        labels = {str(label): label for label in clf.classes_.tolist()}
        if boundary not in labels:
            raise Refusal(
                f"Say whose rules change: --boundary {', '.join(labels)}. Got {boundary!r}."
            )
        return clf.rules_[labels[boundary]], labels[boundary]
    if clf.model_.classes.size == 2:
        if boundary is not None:
            raise Refusal("--boundary is for ordered classes; leave it out.")
        return clf.rules_, None
    known = {str(label): label for label in clf.order_.tolist()[1:]}
    if boundary not in known:
        raise Refusal(
            "Say whose rules change, those of the boundary below a class: --boundary "
            f"{', '.join(known)}. Got {boundary!r}."
        )
    return clf.rules_[list(known).index(boundary)], known[boundary]


def _place(work: Edit, n_rules: int, number: int, option: str) -> int:
    """Where the rule is now that had a number before all edits."""
    if number > n_rules:
        raise Refusal(f"{option} must be a rule from 1 to {n_rules}. Got {number} instead.")
    if number - 1 not in work.origins:
        raise Refusal(f"{option} must be a rule that is still there. Got {number} instead.")
    return work.origins.index(number - 1)


def _set(work: Edit, n_rules: int, setting: str) -> Edit:
    """Move a level, in one rule or in all."""
    match = _SETTING.fullmatch(setting)
    if match is None:
        raise Refusal(f'--set must have the form "age>=62" or "3: age>=62". Got {setting!r}.')
    number, name, sign, level = match.groups()
    sign = {"≥": ">=", "≤": "<="}.get(sign, sign)
    [criterion] = listed([name], work.rules.criteria, "The model has no criterion")
    right = work.rules.literal_set.criteria[work.rules.criteria.index(criterion)].sign
    if sign != right:
        raise Refusal(
            f"{criterion!r} is compared by {right} in this model. Got {setting!r} instead."
        )
    if number is not None:
        place = _place(work, n_rules, int(number), "--set")
        return _set_in_rule(work, place, f"{criterion} {right} {level}", criterion)
    return work.move_level(criterion, _only_level(work, criterion, setting), to=_typed(level))


def _only_level(work: Edit, criterion: str, setting: str) -> str:
    """The level of a criterion that all rules share."""
    rules = work.rules
    used = {i for members in rules.sets for i in members}
    shown = [p[2] for i, p in enumerate(rules.literal_set.parts) if i in used and p[0] == criterion]
    if len(shown) != 1:
        levels = ", ".join(shown) or "none"
        raise Refusal(
            f"Rules must ask one level of {criterion!r}. Got {levels} instead; say in which rule, "
            f'--set "1: {setting.strip()}".'
        )
    return shown[0]


def _set_in_rule(work: Edit, place: int, literal: str, criterion: str) -> Edit:
    """Put another level of a criterion into one rule, or ask one of it that was not asked."""
    rules = work.rules
    parts = [rules.literal_set.parts[i] for i in rules.sets[place]]
    kept = [" ".join(part) for part in parts if part[0] != criterion]
    joint = " and " if rules.form == "dnf" else " or "
    return work.replace(place, by=joint.join([*kept, literal]))


def _typed(text: str) -> float | str:
    """A number where it is one, else a label."""
    try:
        return float(text)
    except ValueError:
        return text


def _summary(work: Edit | CardEdit, data: str | None) -> str:
    text = str(work.report)
    if data is None:
        text = (
            text.rpartition("\n")[0]
            + "\nTo count the rows that change: --data FILE --target COLUMN."
        )
    return text
