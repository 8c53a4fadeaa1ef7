"""Boundaries from a model file: rules or a card, probabilities, utilities, what is settled."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sugeno._format.fields import Field, Record
from sugeno._format.literals import MOST_GAIN, read_literals, read_sets
from sugeno._format.protocol import MAX_LITERALS, MAX_RULES
from sugeno._scales.criterion import Criterion
from sugeno._scales.knots import Knots
from sugeno._scales.literals import Literals
from sugeno._sets.masks import Masks, minimal
from sugeno.model.boundary import Boundary, Certificate, SettledPatterns
from sugeno.model.card import Card
from sugeno.model.class_rules import boundary_labels
from sugeno.model.form import Form
from sugeno.model.grading import binary_threshold
from sugeno.model.probability import Probability, Steps, just_above
from sugeno.model.rules import Joint, RuleSet
from sugeno.model.support import Support

#: Points of a literal.
_MOST_POINTS = 1 << 20
#: Weights stay below this, so that twice a total fits into int64.
_MOST_WEIGHT = 1 << 62


@dataclass(frozen=True)
class BoundaryReader:
    """Reads boundaries; what all boundaries of a model share is known."""

    criteria: tuple[Criterion, ...]
    classes: NDArray[Any]
    named: bool
    missing: str
    cells: int
    cut: float = 0.5

    def read(self, field: Field, place: int) -> Boundary:
        """The boundary at a place."""
        record = field.record(
            *("literals", "form", "rejected", "accepted", "objective", "bound", "importances"),
            *("threshold", "k", "normalized", "utility", "extent"),
        )
        literals, gains = read_literals(record["literals"], self.criteria)
        labels = boundary_labels(self.classes, place)
        form = self._form(record["form"], literals, labels[1])
        m = len(self.criteria)
        importances = [share.number(0.0, 1.0) for share in record["importances"].array(m, m)]
        return Boundary(
            labels=labels,
            form=form,
            probability=Probability(
                gains,
                _steps(record["rejected"], 0.0, self.cut),
                _steps(record["accepted"], just_above(self.cut), 1.0),
                self.cut,
            ),
            certificate=read_certificate(record),
            threshold=_threshold(record["threshold"], form),
            k=record["k"].integer(1, MAX_LITERALS),
            normalized=record["normalized"].boolean(),
            utility=read_utility(record["utility"], literals),
            importances=np.array(importances),
            missing=self.missing,
            extent=record["extent"].optional(lambda extent: _extent(extent, form, self.cells)),
        )

    def _form(self, field: Field, literals: Literals, label: object) -> RuleSet | Card:
        """What decides, by its kind; clauses for a single boundary only."""
        kinds = ("dnf", "cnf", "points") if self.classes.size == 2 else ("dnf", "points")
        kind = field.one("kind").choice(*kinds)
        if kind == "points":
            return self._card(field, literals, label)
        return self._rules(field, literals, label, "dnf" if kind == "dnf" else "cnf")

    def _rules(self, field: Field, literals: Literals, label: object, kind: Joint) -> RuleSet:
        """Rules joined by "or", or clauses joined by "and"."""
        record = field.record("kind", "counted", "rules")
        most = min(MAX_RULES, self.cells // max(1, literals.levels.size))
        rules = [
            entry.record("literals", "support", "precision", "unique")
            for entry in record["rules"].array(0, most)
        ]
        masks = read_sets([rule["literals"] for rule in rules], literals)
        return RuleSet.from_masks(
            _irredundant(record["rules"], masks, literals, kind),
            literals,
            named=self.named,
            label=label,
            support=_support(rules, counted=record["counted"].boolean()),
            form=kind,
        )

    def _card(self, field: Field, literals: Literals, label: object) -> Card:
        """Points for every literal, and how many are needed."""
        record = field.record("kind", "counted", "needed", "points", "chances")
        n_literals = literals.levels.size
        lines = [
            entry.record("points", "support", "precision", "unique")
            for entry in record["points"].array(n_literals, n_literals)
        ]
        points = [line["points"].integer(1, _MOST_POINTS) for line in lines]
        return Card.of(
            literals,
            points,
            record["needed"].integer(0, MOST_GAIN),
            named=self.named,
            label=label,
            support=_support(lines, counted=record["counted"].boolean()),
            chances=record["chances"].optional(lambda field: _chances(field, sum(points))),
        )


def _chances(field: Field, total: int) -> list[float]:
    """The probability of 0, 1, … points, which never falls."""
    chances = field.numbers()
    if len(chances) != total + 1:
        field.refuse(f"an array of {total + 1} numbers, of 0 to {total} points", f"{len(chances)}")
    if any(b < a for a, b in pairwise(chances)) or chances[0] < 0 or chances[-1] > 1:
        field.refuse("from 0 to 1 and never falling", "other numbers")
    return chances


def read_certificate(record: Record) -> Certificate:
    """What is proved, or claimed, about the rules."""
    return Certificate(record["objective"].extended(), record["bound"].extended())


def _irredundant(field: Field, masks: Masks, literals: Literals, kind: Joint) -> Masks:
    """The rules as a rule set keeps them; none may imply another, nor a literal another."""
    chains = literals.chains
    if kind == "dnf":
        kept = full = chains.closed(masks)
        shown = chains.strongest(full)
    else:
        kept = shown = chains.weakest(masks)
        full = chains.raised(masks)
    if (shown != masks).any() or len(minimal(full)) < len(full):
        field.refuse("rules without what others imply", "a redundant literal or rule")
    return kept


def _support(rules: Sequence[Record], *, counted: bool) -> Support | None:
    """What each rule stands on, if rows were counted."""
    if not counted:
        for key in ("support", "precision", "unique"):
            _check_null(rules, key, "null where the rows were not counted")
        return None
    weight = [rule["support"].number(0.0) for rule in rules]
    precision = [
        math.nan if rule["precision"].value is None else rule["precision"].number(0.0, 1.0)
        for rule in rules
    ]
    known = all(rule["unique"].value is not None for rule in rules)
    unique = np.array([rule["unique"].number(0.0) for rule in rules]) if known else None
    if not known:
        _check_null(rules, "unique", "null or a number for all rules")
    return Support(np.array(weight), np.array(precision), unique)


def _check_null(rules: Sequence[Record], key: str, expected: str) -> None:
    for rule in rules:
        if rule[key].value is not None:
            rule[key].refuse(expected)


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


def _threshold(field: Field, form: Form) -> float:
    """The threshold: 0 of rules that accept everything, for which old files have 1/2.

    That of a card is the share of its points that are needed.
    """
    if isinstance(form, Card):
        return field.number(0.0)
    beta = field.number(0.0, 1.0)
    if binary_threshold(form) == 0:
        return 0.0
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


def _extent(field: Field, rules: Form, cells: int) -> SettledPatterns:
    """What the data leave open: the rules must accept the one side and reject the other."""
    record = field.record("accepted", "rejected")
    literals = rules.literal_set
    sides = {}
    for key, side in record.items():
        masks = read_sets(side.array(0, cells // max(1, literals.levels.size)), literals)
        closed = literals.chains.closed(masks)
        ordered = closed if key == "accepted" else ~closed
        if (literals.chains.strongest(closed) != masks).any() or len(minimal(ordered)) < len(masks):
            side.refuse("sets without what others imply", "a redundant literal or set")
        if (rules.accepts(closed) != (key == "accepted")).any():
            side.refuse(f"sets that are {key} by the rules", "others")
        sides[key] = closed
    return SettledPatterns(**sides)
