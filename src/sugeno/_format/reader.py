"""From a text to a model: everything is checked before anything is built."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sugeno._exceptions import ModelFileError
from sugeno._format.boundaries import BoundaryReader, read_certificate, read_utility
from sugeno._format.columns import read_columns, read_criteria
from sugeno._format.fields import Field, parse
from sugeno._format.learned import read_costs, read_held_out, read_learned
from sugeno._format.old_protocols import in_latest_layout
from sugeno._format.protocol import (
    FORMAT,
    MAX_BYTES,
    MAX_CELLS,
    MAX_CLASSES,
    PROTOCOL,
)
from sugeno._format.sums import read_sum
from sugeno._scales.knots import Knots
from sugeno._scales.missing import MISSING_POLICIES
from sugeno.model.boundary import Boundary
from sugeno.model.card import Card
from sugeno.model.fitted import AnyModel
from sugeno.model.form import Form
from sugeno.model.model import Model
from sugeno.model.per_class import ModelPerClass
from sugeno.model.score_model import ScoreModel

_INTEGERS = tuple(f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64))
_FLOATS = ("float16", "float32", "float64")
#: The types of JSON values that labels of a numpy type are written as, beside text.
KINDS_OF_LABELS: dict[str, tuple[type, ...]] = {
    "bool": (bool,),
    "object": (str, bool, int, float),
    **dict.fromkeys(_INTEGERS, (int,)),
    **dict.fromkeys(_FLOATS, (float,)),
}
#: Text of numpy has a length; a longer label than this is no label.
_MOST_LETTERS = 1 << 16


def read_model(content: bytes, *, max_bytes: int = MAX_BYTES) -> AnyModel:
    """Read a model from the bytes of a model file.

    Parameters
    ----------
    content : bytes
        UTF-8, as `sugeno._format.writer.write_model` has it.
    max_bytes : int
        Longer contents are refused.

    Returns
    -------
    Model or ScoreModel, or ModelPerClass for classes without an order
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
    'class 1 if x0 >= 3'
    """
    if len(content) > max_bytes:
        raise ModelFileError(
            f"The model file must have at most {max_bytes} bytes. Got more; if you trust it, "
            "allow more with max_bytes."
        )
    whole = Field(parse(_decoded(content)), "")
    protocol = _protocol(whole)
    return _whole(whole if protocol == PROTOCOL else in_latest_layout(whole, protocol))


def _decoded(content: bytes) -> str:
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ModelFileError(
            f"The model file must be text in UTF-8. Got a strange byte at {error.start}."
        ) from None


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


def _whole(whole: Field) -> AnyModel:
    fields = whole.record(
        "format", "protocol", "target", "words", "classes", "models", optional=("held_out",)
    )
    target = fields["target"].optional(Field.text)
    words = fields["words"].optional(_words)
    classes, ordered = _classes(fields["classes"])
    if words is not None and (classes.size > 2 or not ordered):
        fields["words"].refuse("null where there are not two classes")
    if ordered:
        if fields["held_out"].value is not None:
            fields["held_out"].refuse("null where classes have an order")
        (entry,) = fields["models"].array(1, 1)
        return _either(entry, classes, MAX_CELLS).named(target, words)
    entries = fields["models"].array(classes.size, classes.size)
    cells = MAX_CELLS // len(entries)
    models = tuple(_either(entry, np.array([False, True]), cells) for entry in entries)
    for entry, model in zip(entries, models):
        _check_same_columns(entry, models[0], model)
    held_out = fields["held_out"].optional(lambda field: read_held_out(field, classes.size, 0))
    return ModelPerClass(classes, models, held_out=held_out).named(target)


def _either(field: Field, classes: NDArray[Any], cells: int) -> Model | ScoreModel:
    """A model of boundaries, or a sum of steps."""
    if isinstance(field.value, dict) and "steps" in field.value:
        return read_sum(field, classes, cells)
    return _model(field, classes, cells)


def _words(field: Field) -> tuple[str, str]:
    """What rows of the positive one of two classes are called, and all others."""
    positive, negative = (one.text() for one in field.array(2, 2))
    return positive, negative


def _classes(field: Field) -> tuple[NDArray[Any], bool]:
    """Two or more different labels of one type, and whether they have an order."""
    record = field.record("type", "labels", "ordered")
    ordered = record["ordered"].boolean()
    name, entries = record["type"].text(), record["labels"].array(2, MAX_CLASSES)
    length = _length(record["type"], name)
    kinds = (str,) if length is not None else KINDS_OF_LABELS[name]
    for entry in entries:
        if type(entry.value) not in kinds or type(entry.value) is not type(entries[0].value):
            entry.refuse(f"a label of type {name}")
        if isinstance(entry.value, str):
            entry.text()
    values = [entry.value for entry in entries]
    return _label_array(record["labels"], values, name if length is None else f"U{length}"), ordered


def _length(field: Field, name: str) -> int | None:
    """Letters that a text of numpy can hold; None for labels of other types."""
    if name in KINDS_OF_LABELS:
        return None
    found = re.fullmatch(r"str([1-9][0-9]{0,4})", name)
    if found is None or int(found[1]) > _MOST_LETTERS:
        field.refuse("a type of labels such as 'int64', 'bool', 'object' or 'str6'")
    return int(found[1])


def _label_array(field: Field, values: list[Any], dtype: str) -> NDArray[Any]:
    try:
        with np.errstate(over="ignore"):  # what does not fit is not equal, which is seen below
            classes = np.array(values, dtype=dtype)
    except OverflowError:
        field.refuse(f"labels that fit into {dtype}", repr(values))
    if classes.tolist() != values or len(set(values)) < len(values):
        field.refuse(f"different labels that fit into {dtype}", repr(values))
    return classes


def _check_same_columns(field: Field, first: Model | ScoreModel, model: Model | ScoreModel) -> None:
    """The models of all classes are of one kind, and read the same columns in the same way."""
    one, other = (
        (type(each), _columns_of(each), each.missing, each.has_names) for each in (first, model)
    )
    if one != other:
        field.refuse("a model of the same columns as the first, read alike", "another")


def _columns_of(model: Model | ScoreModel) -> list[tuple[str, Any]]:
    """What a model reads: the columns of a table of any kind, or its own criteria."""
    if model.assumed is not None:
        return [(column.column, column.kind) for column in model.assumed]
    return [(criterion.name, criterion.labels) for criterion in model.criteria]


def _model(field: Field, classes: NDArray[Any], cells: int) -> Model:
    fields = field.record(
        *("named", "criteria", "missing", "boundaries", "objective", "bound", "utility"),
        *("learned", "columns"),
        optional=("costs",),
    )
    costs = fields["costs"].optional(lambda field: read_costs(field, classes.size))
    entries = fields["boundaries"].array(classes.size - 1, classes.size - 1)
    assumed = fields["columns"].optional(read_columns)
    criteria = read_criteria(fields["criteria"], assumed)
    reader = BoundaryReader(
        criteria,
        classes,
        fields["named"].boolean(),
        fields["missing"].choice(*MISSING_POLICIES),
        cells // len(entries),
        0.5 if costs is None else costs.cut,
    )
    boundaries = tuple(reader.read(entry, place) for place, entry in enumerate(entries))
    _check_nested(entries, boundaries)
    return Model(
        classes,
        boundaries,
        read_certificate(fields),
        _one_integral(fields["utility"], boundaries),
        fields["learned"].optional(lambda field: read_learned(field, classes.size)),
        assumed,
        costs=costs,
    )


def _check_nested(fields: list[Field], boundaries: Sequence[Boundary]) -> None:
    """Whoever passes a boundary must pass the one before."""
    for field, lower, higher in zip(fields[1:], boundaries, boundaries[1:]):
        if not _implies(higher.form, lower.form):
            field.refuse("rules that imply those of the boundary before", "others")


def _implies(higher: Form, lower: Form) -> bool:
    """Whether a form passes only what another one passes; cards must count the same points."""
    if not isinstance(higher, Card):
        return higher.beyond(lower) is None
    if not isinstance(lower, Card) or higher.needed < lower.needed:
        return False
    return higher.with_needed(lower.needed, lower.label) == lower


def _one_integral(field: Field, boundaries: Sequence[Boundary]) -> Knots | None:
    """The utilities of the one integral, which has a level per criterion at each threshold."""
    if len(boundaries) == 1:
        field.null()
        return boundaries[0].utility
    utility = read_utility(field, boundaries[0].literals)
    if utility is not None and not all(boundary.literals.is_plain for boundary in boundaries):
        field.refuse("null where there is not one literal per criterion", "utilities")
    thresholds = [boundary.threshold for boundary in boundaries]
    if utility is not None and any(b <= a for a, b in pairwise(thresholds)):
        field.refuse("null where thresholds do not rise", "utilities")
    return utility
