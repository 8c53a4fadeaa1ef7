"""Columns and criteria from a model file: what a cell of a table means."""

from __future__ import annotations

from dataclasses import fields as dataclass_fields

from sugeno._format.fields import Field, Record
from sugeno._format.protocol import MAX_LITERALS
from sugeno._scales.assumed import Assumed, AssumedColumn
from sugeno._scales.criterion import Criterion, Gap
from sugeno._scales.kinds import KINDS

#: What a column may hold: numbers, labels in their order, labels in an order that was found.
_KINDS = {
    **dict.fromkeys(("number", "date"), "numbers"),
    "ordered": "labels",
    **dict.fromkeys(("truth", "two-valued", "unordered"), "places"),
}
_KINDS_AS_THEY_ARE = ("number", "ordered")


def read_columns(field: Field) -> Assumed:
    """What was assumed about the columns of a table of any kind."""
    keys = [one.name for one in dataclass_fields(AssumedColumn) if one.name != "of_class"]
    found = []
    for entry in field.array(1, MAX_LITERALS):
        record = entry.record(*keys)
        record["kind"].choice(*KINDS)
        found.append(AssumedColumn(**{key: record[key].text() for key in keys}))
    if len({one.column for one in found}) < len(found):
        field.refuse("columns with names of their own", "a name twice")
    return Assumed(found)


def read_criteria(field: Field, assumed: Assumed | None) -> tuple[Criterion, ...]:
    """Criteria with names of their own, or the ways in which columns are read."""
    entries = field.array(1, MAX_LITERALS)
    criteria = tuple(_criterion(entry, assumed) for entry in entries)
    if assumed is None and len({one.name for one in criteria}) < len(criteria):
        field.refuse("criteria with names of their own", "a name twice")
    if len({(one.name, one.direction) for one in criteria}) < len(criteria):
        field.refuse("criteria that read a column once in each direction", "one twice")
    return criteria


def _criterion(field: Field, assumed: Assumed | None) -> Criterion:
    record = field.record(
        "name", "column", "kind", "direction", "labels", "places", "gaps", "within"
    )
    direction = record["direction"].integer(-1, 1)
    if direction == 0:
        record["direction"].refuse("1 or -1")
    kind = record["kind"].choice(*_KINDS if assumed is not None else _KINDS_AS_THEY_ARE)
    if _KINDS[kind] == "numbers":
        record["labels"].null()
    name = record["name"].text()
    labels = None if _KINDS[kind] == "numbers" else record["labels"].texts()
    if assumed is None:
        for key in ("column", "places", "within"):
            record[key].null()
        record["gaps"].array(0, 0)
        return Criterion(name, direction, labels, kind)
    column = _column(record, assumed, name)
    if _KINDS[kind] != "places":
        record["places"].null()
    known, places, unseen = (
        _places(record["places"]) if _KINDS[kind] == "places" else (None, None, None)
    )
    gaps = _gaps(record["gaps"], kind)
    within = record["within"].optional(_within)
    return Criterion(name, direction, labels, kind, column, known, places, unseen, gaps, within)


def _gaps(field: Field, kind: str) -> tuple[Gap, ...]:
    """The kinds of cells that hold no value, each once; codes stand among numbers."""
    found = []
    for entry in field.array():
        record = entry.record("code", "label", "place", "beside")
        code = record["code"].optional(Field.number)
        if code is not None and kind != "number":
            record["code"].refuse(f"null in a column of kind {kind}")
        if not record["label"].text().strip():
            record["label"].refuse("a name")
        place = record["place"].extended(unknown=False)
        beside = [value.extended() for value in record["beside"].array(2, 2)]
        found.append(Gap(place, record["label"].text(), code, *beside))
    if len({gap.code for gap in found}) < len(found):
        field.refuse("kinds of cells of different codes", "one twice")
    return tuple(found)


def _column(record: Record, assumed: Assumed, name: str) -> int:
    """The column that a criterion reads, which is there, has its name and its kind."""
    place = record["column"].integer(0, len(assumed) - 1)
    column = assumed[place]
    if column.left_out or (column.column, column.kind) != (name, record["kind"].value):
        record["column"].refuse("the place of a column of this name and kind", "another")
    return place


def _places(field: Field) -> tuple[tuple[str, ...], tuple[float, ...], float]:
    """The labels of a category, their places, and that of any other label."""
    record = field.record("known", "at", "unseen")
    known, at = record["known"].texts(), record["at"].numbers()
    if len(at) != len(known):
        record["at"].refuse(f"an array of {len(known)} numbers", f"{len(at)}")
    return known, tuple(at), record["unseen"].number()


def _within(field: Field) -> tuple[float, float]:
    """The two values between which a criterion that turns looks at differences."""
    low, high = (end.extended(unknown=False) for end in field.array(2, 2))
    if low > high:
        field.refuse("two ascending numbers", "falling ones")
    return low, high
