"""What readers and writers of model files agree upon.

The rule for the protocol number: it goes up by one with every change after which a reader of the
number before would refuse a file, or take it for another model. That is a new key, a key that
goes, another type, a wider range, another meaning. Texts of errors, the layout of the lines and
narrower writers leave it alone. The latest protocol is written; every number ever published keeps
its golden files in the tests, and is read for ever, by way of `sugeno._format.old_protocols`.
"""

from __future__ import annotations

from typing import Final

#: The first key of every model file has this value.
FORMAT: Final = "sugeno-model"
#: The protocol that is written, see the rule above.
PROTOCOL: Final = 6

#: Bytes that are read unless the caller allows more.
MAX_BYTES: Final = 1 << 26
#: Entries of all arrays and objects together.
MAX_ENTRIES: Final = 1 << 23
#: Arrays and objects inside each other; a model has nine.
MAX_DEPTH: Final = 16
#: Classes.
MAX_CLASSES: Final = 1 << 10
#: Literals, rules of a boundary, and their product over all boundaries: what tables of rules by
#: literals take.
MAX_LITERALS: Final = 1 << 16
MAX_RULES: Final = 1 << 16
MAX_CELLS: Final = 1 << 24
