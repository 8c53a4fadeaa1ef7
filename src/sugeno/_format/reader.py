"""From a text to a model: everything is checked before anything is built."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from sugeno._exceptions import ModelFileError
from sugeno._format.classes import read_classes
from sugeno._format.fields import Field
from sugeno._format.literals import read_criteria, read_literals
from sugeno._format.protocol import (
    FORMAT,
    MAX_BYTES,
    MAX_CELLS,
    MAX_LITERALS,
    MAX_RULES,
    PROTOCOL,
)
from sugeno._format.strict_json import parse
from sugeno._scales.knots import Knots
from sugeno._scales.literals import Literals
from sugeno._scales.missing import READINGS
from sugeno._sets.masks import Masks, minimal, pack
from sugeno.model.model import Certificate, Model
from sugeno.model.probability import JUST_ABOVE_HALF, Probability, Steps
from sugeno.model.rule_family import Form
from sugeno.model.rules import RuleSet
from sugeno.model.support import Support

__all__ = ["read_model"]

#: Weights stay below this, so that twice a total fits into int64.
_MOST_WEIGHT = 1 << 62

_KEYS = (
    "format",
    "protocol",
    "classes",
    "named",
    "criteria",
    "literals",
    "boundaries",
    "threshold",
    "k",
    "normalized",
    "missing",
    "utility",
)


def read_model(content: bytes, *, max_bytes: int = MAX_BYTES) -> Model:
    """Read a model from the bytes of a model file.

    Parameters
    ----------
    content : bytes
        UTF-8, as `sugeno._format.writer.write_model` has it.
    max_bytes : int
        Longer contents are refused.

    Returns
    -------
    Model
        The model that was written, to the last bit.

    Raises
    ------
    ModelFileError
        If the content is anything else; the message says where and what was expected.

    Examples
    --------
    >>> from sugeno import SugenoClassifier
    >>> from sugeno._format import read_model, write_model
    >>> model = SugenoClassifier().fit([[1], [2], [3], [4]], [0, 0, 1, 1]).model_
    >>> str(read_model(write_model(model).encode()).rules)
    'accept if x0 >= 3'
    """
    if len(content) > max_bytes:
        raise ModelFileError(
            f"The model file must have at most {max_bytes} bytes. Got more; if you trust it, "
            "allow more with max_bytes."
        )
    return _model(Field(parse(_decoded(content)), ""))


def _decoded(content: bytes) -> str:
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ModelFileError(
            f"The model file must be text in UTF-8. Got a strange byte at {error.start}."
        ) from None


def _model(whole: Field) -> Model:
    _check_protocol(whole)
    fields = whole.record(*_KEYS)
    criteria, importances = read_criteria(fields["criteria"])
    literals, gains = read_literals(fields["literals"], criteria)
    classes = read_classes(fields["classes"])
    (boundary,) = fields["boundaries"].array(1, 1)
    rules, sides, certificate = _boundary(boundary, literals, classes[1], fields["named"].boolean())
    return Model(
        classes=classes,
        rules=rules,
        probability=Probability(gains, *sides),
        certificate=certificate,
        threshold=_threshold(fields["threshold"]),
        k=fields["k"].integer(1, MAX_LITERALS),
        normalized=fields["normalized"].boolean(),
        utility=_utility(fields["utility"], literals),
        importances=importances,
        missing=fields["missing"].choice(*READINGS),
    )


def _check_protocol(whole: Field) -> None:
    """Look at format and protocol first: a later protocol may have other keys."""
    if not isinstance(whole.value, dict) or whole.value.get("format") != FORMAT:
        raise ModelFileError(
            f'The model file must be a JSON object with "format": "{FORMAT}". Got something else; '
            "sugeno.save writes such files."
        )
    number = whole.value.get("protocol")
    if type(number) is int and number > PROTOCOL:
        raise ModelFileError(
            f"The model file must have a protocol up to {PROTOCOL}. Got {number}, of a later "
            "version of sugeno; install that."
        )
    Field(number, "protocol").integer(1, PROTOCOL)


def _boundary(
    field: Field, literals: Literals, label: object, named: bool
) -> tuple[RuleSet, tuple[Steps, Steps], Certificate]:
    record = field.record("form", "counted", "rules", "rejected", "accepted", "objective", "bound")
    form: Form = "dnf" if record["form"].choice("dnf", "cnf") == "dnf" else "cnf"
    records, masks = _rules(record["rules"], literals, form)
    support = _support(records) if record["counted"].boolean() else None
    if support is None:
        for key in ("support", "precision", "unique"):
            _check_null(records, key, "null where the rows were not counted")
    rules = RuleSet.from_masks(
        masks, literals, named=named, label=label, support=support, form=form
    )
    sides = _steps(record["rejected"], 0.0, 0.5), _steps(record["accepted"], JUST_ABOVE_HALF, 1.0)
    return rules, sides, Certificate(record["objective"].extended(), record["bound"].extended())


def _rules(field: Field, literals: Literals, form: Form) -> tuple[list[dict[str, Field]], Masks]:
    n_literals = literals.levels.size
    entries = field.array(0, min(MAX_RULES, MAX_CELLS // max(1, n_literals)))
    records = [entry.record("literals", "support", "precision", "unique") for entry in entries]
    members = [_members(record["literals"], n_literals) for record in records]
    bits = np.zeros((len(members), n_literals), dtype=np.bool_)
    for row, rule in zip(bits, members):
        row[rule] = True
    return records, _irredundant(field, pack(bits), literals, form)


def _members(field: Field, n_literals: int) -> list[int]:
    members = [member.integer(0, n_literals - 1) for member in field.array(0, n_literals)]
    if any(later <= earlier for earlier, later in pairwise(members)):
        field.refuse("an array of ascending numbers", "others")
    return members


def _irredundant(field: Field, masks: Masks, literals: Literals, form: Form) -> Masks:
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


def _support(records: Sequence[dict[str, Field]]) -> Support:
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


def _check_null(records: Sequence[dict[str, Field]], key: str, expected: str) -> None:
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


def _utility(field: Field, literals: Literals) -> Knots | None:
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
