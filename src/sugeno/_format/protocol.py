"""What readers and writers of model files agree upon.

The rule for the protocol number: it goes up by one with every change after which a reader of the
number before would refuse a file, or take it for another model. That is a new key, a key that
goes, another type, a wider range, another meaning. Texts of errors, the layout of the lines and
narrower writers leave it alone. Every number ever published keeps its golden file in the tests,
and its reader. A model is written in the lowest protocol that can hold it, so that earlier versions
read what they can: two classes in protocol 1, more ordered classes in protocol 2, two classes with
what the training data leave open in protocol 3.
"""

from __future__ import annotations

from typing import Final

__all__ = [
    "FORMAT",
    "MAX_BYTES",
    "MAX_CELLS",
    "MAX_CLASSES",
    "MAX_DEPTH",
    "MAX_ENTRIES",
    "MAX_LITERALS",
    "MAX_RULES",
    "OPEN",
    "ORDINAL",
    "PROTOCOL",
    "TWO_CLASSES",
]

#: The first key of every model file has this value.
FORMAT: Final = "sugeno-model"
#: The protocols that are written; see the rule above.
TWO_CLASSES: Final = 1
ORDINAL: Final = 2
OPEN: Final = 3
#: The latest one.
PROTOCOL: Final = 3

#: Bytes that are read unless the caller allows more.
MAX_BYTES: Final = 1 << 26
#: Entries of all arrays and objects together.
MAX_ENTRIES: Final = 1 << 23
#: Arrays and objects inside each other; a model has six.
MAX_DEPTH: Final = 16
#: Ordered classes.
MAX_CLASSES: Final = 1 << 10
#: Literals, rules of a boundary, and their product: what a table of rules by literals takes.
MAX_LITERALS: Final = 1 << 16
MAX_RULES: Final = 1 << 16
MAX_CELLS: Final = 1 << 24
