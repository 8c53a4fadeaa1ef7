"""Files of earlier protocols in the layout of the latest one; values are moved, never changed."""

from __future__ import annotations

from collections.abc import Iterable

from sugeno._format.fields import Field

Record = dict[str, Field]

_HEAD = ("format", "protocol", "classes", "named", "criteria")
_CERTIFICATE = ("objective", "bound")
_RULES = ("form", "counted", "rules")
_BOUNDARY = (*_RULES, "rejected", "accepted", *_CERTIFICATE)
_INTEGRAL = ("threshold", "k", "normalized")


def in_latest_layout(whole: Field, protocol: int) -> Field:
    """Move what a file of an earlier protocol says to where the latest protocol has it.

    Fields keep the paths at which they stand in the file, so that errors name these.

    Examples
    --------
    >>> from sugeno._format.fields import Field
    >>> from sugeno._format.old_protocols import in_latest_layout
    >>> keys = ("format", "protocol", "classes", "named", "criteria", "boundaries", "objective")
    >>> whole = dict.fromkeys((*keys, "bound", "missing", "utility"))
    >>> record = {"type": "int64", "labels": [0, 1, 2]}
    >>> whole |= {"classes": record, "criteria": [], "boundaries": []}
    >>> new = in_latest_layout(Field(whole, ""), 2)
    >>> new.value["classes"].value["ordered"].value
    True
    """
    if protocol >= 4:
        return _with_gaps(whole)  # other fields that came later may be absent
    if protocol == 2:
        return _ordered_classes(whole)
    return _two_classes(whole, ("extent",) if protocol == 3 else ())


def _two_classes(whole: Field, more: tuple[str, ...]) -> Field:
    """Protocols 1 and 3: literals, importances and the integral stood at the top."""
    fields = whole.record(*_HEAD, "literals", "boundaries", *_INTEGRAL, "missing", "utility", *more)
    entries = fields["criteria"].array(1)
    criteria = [entry.record("name", "direction", "labels", "importance") for entry in entries]
    (boundary,) = fields["boundaries"].array(1, 1)
    record = boundary.record(*_BOUNDARY)
    of_the_top = _chosen(fields, ("literals", *_INTEGRAL, "utility", *more))
    importances = Field([one["importance"] for one in criteria], "criteria")
    moved = _boundary(boundary, record | of_the_top | {"importances": importances})
    top = fields | _chosen(record, _CERTIFICATE) | {"utility": _null("utility")}
    return _latest(top, _criteria(entries, criteria), [moved])


def _ordered_classes(whole: Field) -> Field:
    """Protocol 2: boundaries have literals, importances and an integral of their own."""
    fields = whole.record(*_HEAD, "boundaries", *_CERTIFICATE, "missing", "utility")
    keys = ("literals", "importances", *_BOUNDARY, *_INTEGRAL, "utility")
    entries = fields["criteria"].array()
    criteria = [entry.record("name", "direction", "labels") for entry in entries]
    boundaries = [_boundary(one, one.record(*keys)) for one in fields["boundaries"].array()]
    return _latest(fields, _criteria(entries, criteria), boundaries)


def _latest(fields: Record, criteria: list[Field], boundaries: list[Field]) -> Field:
    classes = fields["classes"].record("type", "labels")
    model = {
        **_chosen(fields, ("named", "missing", *_CERTIFICATE, "utility")),
        "criteria": Field(criteria, "criteria"),
        "boundaries": Field(boundaries, "boundaries"),
        "learned": _null("learned"),
        "columns": _null("columns"),
    }
    return Field(
        {
            **_chosen(fields, ("format", "protocol")),
            "target": _null("target"),
            "words": _null("words"),
            "classes": Field(classes | {"ordered": Field(True, "classes")}, "classes"),
            "models": Field([Field(model, "")], ""),
        },
        "",
    )


def _criteria(entries: list[Field], records: list[Record]) -> list[Field]:
    return [
        Field(
            {
                **_chosen(record, ("name", "direction", "labels")),
                **dict.fromkeys(("column", "places", "within"), _null(entry.path)),
                "gaps": Field([], entry.path),
                "kind": Field("number" if record["labels"].value is None else "ordered", ""),
            },
            entry.path,
        )
        for entry, record in zip(entries, records)
    ]


def _with_gaps(whole: Field) -> Field:
    """Protocols 4 and 5: a criterion knew empty cells alone, and the value they are as good as."""
    models = [_model_with_gaps(model) for model in whole.one("models").array(1)]
    return Field({**whole.value, "models": Field(models, "models")}, whole.path)


def _model_with_gaps(model: Field) -> Field:
    """A model with criteria in the layout of the latest protocol."""
    entries = model.one("criteria").array(1)
    criteria = Field([*map(_criterion_with_gaps, entries)], f"{model.path}.criteria")
    return Field({**model.value, "criteria": criteria}, model.path)


def _criterion_with_gaps(entry: Field) -> Field:
    place = entry.one("missing")
    nobody_knows = _null(place.path)
    empty = {"code": nobody_knows, "label": Field("missing", place.path), "place": place}
    empty["beside"] = Field([nobody_knows, nobody_knows], place.path)
    gaps = [] if place.value is None else [Field(empty, place.path)]
    kept = {key: entry.one(key) for key in entry.value if key != "missing"}
    return Field({**kept, "gaps": Field(gaps, place.path)}, entry.path)


def _boundary(field: Field, record: Record) -> Field:
    """What decides in an object of its own; nothing is said of what is open unless it was."""
    form = Field({"kind": record["form"], **_chosen(record, ("counted", "rules"))}, field.path)
    kept = {key: value for key, value in record.items() if key not in _RULES}
    return Field({"extent": _null(field.path), **kept, "form": form}, field.path)


def _chosen(record: Record, keys: Iterable[str]) -> Record:
    return {key: record[key] for key in keys}


def _null(path: str) -> Field:
    return Field(None, path)
