"""The rules, probabilities and utilities of a boundary between two classes, from a parsed file."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from sugeno._format.fields import Field
from sugeno._format.protocol import MAX_CELLS, MAX_LITERALS, MAX_RULES
from sugeno._scales.knots import Knots
from sugeno._scales.literals import Literals
from sugeno._sets.masks import Masks, minimal, pack
from sugeno.model.boundary import Certificate
from sugeno.model.probability import JUST_ABOVE_HALF, Steps
from sugeno.model.rule_family import Joint
from sugeno.model.rules import RuleSet
from sugeno.model.support import Support

__all__ = [
    "BOUNDARY_KEYS",
    "INTEGRAL_KEYS",
    "read_boundary",
    "read_certificate",
    "read_integral",
    "read_sets",
    "read_utility",
]

Record = dict[str, Field]

#: Weights stay below this, so that twice a total fits into int64.
_MOST_WEIGHT = 1 << 62

BOUNDARY_KEYS = ("form", "counted", "rules", "rejected", "accepted", "objective", "bound")
INTEGRAL_KEYS = ("threshold", "k", "normalized")


def read_boundary(
    record: Record,
    literals: Literals,
    label: object,
    named: bool,
    *,
    forms: tuple[Joint, ...] = ("dnf", "cnf"),
    cells: int = MAX_CELLS,
) -> tuple[RuleSet, tuple[Steps, Steps]]:
    """The rules of a boundary, at most so many cells of a table; probabilities by score."""
    form: Joint = "dnf" if record["form"].choice(*forms) == "dnf" else "cnf"
    records, masks = _rules(record["rules"], literals, form, cells)
    support = _support(records) if record["counted"].boolean() else None
    if support is None:
        for key in ("support", "precision", "unique"):
            _check_null(records, key, "null where the rows were not counted")
    rules = RuleSet.from_masks(
        masks, literals, named=named, label=label, support=support, form=form
    )
    sides = _steps(record["rejected"], 0.0, 0.5), _steps(record["accepted"], JUST_ABOVE_HALF, 1.0)
    return rules, sides


def read_certificate(record: Record) -> Certificate:
    """What is proved, or claimed, about the rules."""
    return Certificate(record["objective"].extended(), record["bound"].extended())


def read_integral(record: Record) -> tuple[float, int, bool]:
    """The threshold, the limit k, and whether the capacity is normalized."""
    return (
        _threshold(record["threshold"]),
        record["k"].integer(1, MAX_LITERALS),
        record["normalized"].boolean(),
    )


def _rules(field: Field, literals: Literals, form: Joint, cells: int) -> tuple[list[Record], Masks]:
    n_literals = literals.levels.size
    entries = field.array(0, min(MAX_RULES, cells // max(1, n_literals)))
    records = [entry.record("literals", "support", "precision", "unique") for entry in entries]
    masks = read_sets([record["literals"] for record in records], literals)
    return records, _irredundant(field, masks, literals, form)


def read_sets(fields: Sequence[Field], literals: Literals) -> Masks:
    """Sets of literals by their places, ascending."""
    n_literals = literals.levels.size
    members = [_members(field, n_literals) for field in fields]
    bits = np.zeros((len(members), n_literals), dtype=np.bool_)
    for row, rule in zip(bits, members):
        row[rule] = True
    return pack(bits)


def _members(field: Field, n_literals: int) -> list[int]:
    members = [member.integer(0, n_literals - 1) for member in field.array(0, n_literals)]
    if any(later <= earlier for earlier, later in pairwise(members)):
        field.refuse("an array of ascending numbers", "others")
    return members


def _irredundant(field: Field, masks: Masks, literals: Literals, form: Joint) -> Masks:
    """The rules as a rule set keeps them; none may imply another, nor a literal another."""
    chains = literals.chains
    if form == "dnf":
        kept = full = chains.closed(masks)
        shown = chains.strongest(full)
    else:
        kept = shown = chains.weakest(masks)
        full = chains.raised(masks)
    if (shown != masks).any() or len(minimal(full)) < len(full):
        field.refuse("rules without what others imply", "a redundant literal or rule")
    return kept


def _support(records: Sequence[Record]) -> Support:
    weight = [record["support"].number(0.0) for record in records]
    precision = [
        math.nan if record["precision"].value is None else record["precision"].number(0.0, 1.0)
        for record in records
    ]
    known = all(record["unique"].value is not None for record in records)
    unique = np.array([record["unique"].number(0.0) for record in records]) if known else None
    if not known:
        _check_null(records, "unique", "null or a number for all rules")
    return Support(np.array(weight), np.array(precision), unique)


def _check_null(records: Sequence[Record], key: str, expected: str) -> None:
    for record in records:
        if record[key].value is not None:
            record[key].refuse(expected)


def _steps(field: Field, low: float, high: float) -> Steps:
    record = field.record("starts", "values")
    starts, values = record["starts"].numbers(), record["values"].numbers()
    if len(starts) != len(values):
        field.refuse("as many starts as values", f"{len(starts)} and {len(values)}")
    if any(b <= a for a, b in pairwise(starts)):
        record["starts"].refuse("ascending", "other numbers")
    if any(b < a for a, b in pairwise(values)) or values[0] < low or values[-1] > high:
        record["values"].refuse(f"from {low} to {high} and never falling", "other numbers")
    return Steps(np.array(starts), np.array(values))


def _threshold(field: Field) -> float:
    beta = field.number(0.0, 1.0)
    if beta in (0.0, 1.0):
        field.refuse("a number between 0 and 1")
    return beta


def read_utility(field: Field, literals: Literals) -> Knots | None:
    """The utilities; null where each literal is a binary utility of its own."""
    if field.value is None:
        return None
    record = field.record("total", "saturate", "knots")
    if not literals.is_plain:
        field.refuse("null where there is not one literal per criterion", "utilities")
    total = record["total"].integer(1, _MOST_WEIGHT - 1)
    m = len(literals.criteria)
    pairs = [_knots(entry, total) for entry in record["knots"].array(m, m)]
    dtype = np.int32 if 2 * total <= np.iinfo(np.int32).max else np.int64
    return Knots(
        [np.array(values) for values, _ in pairs],
        [np.array(ranks, dtype) for _, ranks in pairs],
        total,
        literals.directions,
        record["saturate"].boolean(),
    )


def _knots(field: Field, total: int) -> tuple[list[float], list[int]]:
    record = field.record("values", "ranks")
    values, ranks = record["values"].numbers(), record["ranks"].integers(1, 2 * total - 1)
    if len(values) != len(ranks):
        field.refuse("as many values as ranks", f"{len(values)} and {len(ranks)}")
    for name, column in (("values", values), ("ranks", ranks)):
        if any(b <= a for a, b in pairwise(column)):
            record[name].refuse("ascending", "other numbers")
    return values, ranks
