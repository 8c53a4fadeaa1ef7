"""Class labels with the type of numpy that they had."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sugeno._exceptions import ModelFileError
from sugeno._format.fields import Field

__all__ = ["read_classes", "write_classes"]

_INTEGERS = tuple(f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64))
_FLOATS = ("float16", "float32", "float64")
#: Text of numpy has a length; a longer label than this is no label.
_MOST_LETTERS = 1 << 16
#: The types of JSON values that labels of a numpy type are written as.
_KINDS: dict[str, tuple[type, ...]] = {
    "bool": (bool,),
    "object": (str, bool, int, float),
    **dict.fromkeys(_INTEGERS, (int,)),
    **dict.fromkeys(_FLOATS, (float,)),
}


def write_classes(classes: NDArray[Any]) -> dict[str, Any]:
    """Return labels and their type as plain data.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._format.classes import write_classes
    >>> write_classes(np.array(["no", "yes"]))
    {'type': 'str3', 'labels': ['no', 'yes']}
    """
    kind = classes.dtype
    name = f"str{kind.itemsize // 4}" if kind.kind == "U" else kind.name
    plain = [getattr(label, "item", lambda label=label: label)() for label in classes.tolist()]
    if not (kind.kind == "U" or name in _KINDS) or any(
        type(label) not in (str, bool, int, float) for label in plain
    ):
        raise ModelFileError(
            "Class labels of a model file must be strings, whole numbers, numbers or truth "
            f"values. Got {classes.tolist()} of type {kind} instead; train with such labels."
        )
    return {"type": name, "labels": plain}


def read_classes(field: Field, most: int = 2) -> NDArray[Any]:
    """Build the labels, two or more different ones of one type."""
    record = field.record("type", "labels")
    name, entries = record["type"].text(), record["labels"].array(2, most)
    length = _length(record["type"], name)
    kinds = (str,) if length is not None else _KINDS[name]
    for entry in entries:
        if type(entry.value) not in kinds or type(entry.value) is not type(entries[0].value):
            entry.refuse(f"a label of type {name}")
        if isinstance(entry.value, str):
            entry.text()
    values = [entry.value for entry in entries]
    return _array(record["labels"], values, name if length is None else f"U{length}")


def _length(field: Field, name: str) -> int | None:
    """Letters that a text of numpy can hold; None for labels of other types."""
    if name in _KINDS:
        return None
    found = re.fullmatch(r"str([1-9][0-9]{0,4})", name)
    if found is None or int(found[1]) > _MOST_LETTERS:
        field.refuse("a type of labels such as 'int64', 'bool', 'object' or 'str6'")
    return int(found[1])


def _array(field: Field, values: list[Any], dtype: str) -> NDArray[Any]:
    try:
        with np.errstate(over="ignore"):  # what does not fit is not equal, which is seen below
            classes = np.array(values, dtype=dtype)
    except OverflowError:
        field.refuse(f"labels that fit into {dtype}", repr(values))
    if classes.tolist() != values or len(set(values)) < len(values):
        field.refuse(f"different labels that fit into {dtype}", repr(values))
    return classes
