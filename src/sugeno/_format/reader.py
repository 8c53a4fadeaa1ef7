"""From a text to a model: everything is checked before anything is built."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sugeno._exceptions import ModelFileError
from sugeno._format.boundaries import (
    BOUNDARY_KEYS,
    INTEGRAL_KEYS,
    read_boundary,
    read_certificate,
    read_integral,
    read_utility,
)
from sugeno._format.classes import read_classes
from sugeno._format.extent import read_extent
from sugeno._format.fields import Field
from sugeno._format.literals import read_criteria, read_literals
from sugeno._format.protocol import (
    FORMAT,
    MAX_BYTES,
    MAX_CELLS,
    MAX_CLASSES,
    OPEN,
    ORDINAL,
    PROTOCOL,
)
from sugeno._format.strict_json import parse
from sugeno._scales.criterion import Criterion
from sugeno._scales.missing import READINGS
from sugeno.model.boundary import Boundary
from sugeno.model.class_rules import boundary_labels
from sugeno.model.model import Model
from sugeno.model.probability import Probability

__all__ = ["read_model"]

_HEAD_KEYS = ("format", "protocol", "classes", "named", "criteria")


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
    protocol = _protocol(whole)
    if protocol == ORDINAL:
        return _ordered_classes(whole)
    return _two_classes(whole, ("extent",) if protocol == OPEN else ())


def _two_classes(whole: Field, more: tuple[str, ...]) -> Model:
    fields = whole.record(
        *_HEAD_KEYS, "literals", "boundaries", *INTEGRAL_KEYS, "missing", "utility", *more
    )
    criteria, records = read_criteria(fields["criteria"], "importance")
    importances = [record["importance"].number(0.0, 1.0) for record in records]
    literals, gains = read_literals(fields["literals"], criteria)
    classes = read_classes(fields["classes"])
    (entry,) = fields["boundaries"].array(1, 1)
    record = entry.record(*BOUNDARY_KEYS)
    rules, sides = read_boundary(record, literals, classes[1], fields["named"].boolean())
    threshold, k, normalized = read_integral(fields)
    boundary = Boundary(
        labels=classes,
        form=rules,
        probability=Probability(gains, *sides),
        certificate=read_certificate(record),
        threshold=threshold,
        k=k,
        normalized=normalized,
        utility=read_utility(fields["utility"], literals),
        importances=np.array(importances),
        missing=fields["missing"].choice(*READINGS),
        extent=read_extent(fields["extent"], rules) if more else None,
    )
    return Model.of_two_classes(boundary)


def _ordered_classes(whole: Field) -> Model:
    fields = whole.record(*_HEAD_KEYS, "boundaries", "objective", "bound", "missing", "utility")
    criteria, _ = read_criteria(fields["criteria"])
    classes = read_classes(fields["classes"], MAX_CLASSES)
    named, missing = fields["named"].boolean(), fields["missing"].choice(*READINGS)
    entries = fields["boundaries"].array(classes.size - 1, classes.size - 1)
    cells = MAX_CELLS // len(entries)
    boundaries = [
        _boundary(entry, criteria, boundary_labels(classes, place), named, missing, cells)
        for place, entry in enumerate(entries)
    ]
    _check_nested(entries, boundaries)
    utility = read_utility(fields["utility"], boundaries[0].literals)
    if utility is not None:
        _check_one_integral(fields["utility"], boundaries)
    return Model(classes, tuple(boundaries), read_certificate(fields), utility)


def _boundary(
    field: Field,
    criteria: tuple[Criterion, ...],
    classes: NDArray[Any],
    named: bool,
    missing: str,
    cells: int,
) -> Boundary:
    """The model of what lies below a boundary of ordered classes, and what above."""
    record = field.record("literals", "importances", *BOUNDARY_KEYS, *INTEGRAL_KEYS, "utility")
    literals, gains = read_literals(record["literals"], criteria)
    rules, sides = read_boundary(record, literals, classes[1], named, forms=("dnf",), cells=cells)
    importances = record["importances"].array(len(criteria), len(criteria))
    threshold, k, normalized = read_integral(record)
    return Boundary(
        labels=classes,
        form=rules,
        probability=Probability(gains, *sides),
        certificate=read_certificate(record),
        threshold=threshold,
        k=k,
        normalized=normalized,
        utility=read_utility(record["utility"], literals),
        importances=np.array([share.number(0.0, 1.0) for share in importances]),
        missing=missing,
    )


def _check_nested(fields: list[Field], boundaries: list[Boundary]) -> None:
    """Whoever passes a boundary must pass the one before."""
    for field, lower, higher in zip(fields[1:], boundaries, boundaries[1:]):
        if higher.form.beyond(lower.form) is not None:
            field.refuse("rules that imply those of the boundary before", "others")


def _check_one_integral(field: Field, boundaries: list[Boundary]) -> None:
    """One integral has a level per criterion at each of its thresholds, which rise."""
    if not all(boundary.literals.is_plain for boundary in boundaries):
        field.refuse("null where there is not one literal per criterion", "utilities")
    if (np.diff([boundary.threshold for boundary in boundaries]) <= 0).any():
        field.refuse("null where thresholds do not rise", "utilities")


def _protocol(whole: Field) -> int:
    """Look at format and protocol first: protocols have different keys."""
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
    return Field(number, "protocol").integer(1, PROTOCOL)
