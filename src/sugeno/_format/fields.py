"""A text as fields: a value, where it stands, and what it must be.

The text is JSON as its standard has it, within limits: nothing is allocated before the text is
measured. Python's reader takes more than the standard (NaN, Infinity), keeps the last of two equal
keys, and follows nested brackets until its stack is full. Here all of that is refused.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn, TypeVar

from sugeno._exceptions import ModelFileError
from sugeno._format.protocol import MAX_DEPTH, MAX_ENTRIES

T = TypeVar("T")

#: A string, closed or not, or a bracket. It cannot go back, so the time is linear.
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)|[\[{]|[\]}]', re.DOTALL)
#: Digits of the largest whole number that a model can hold.
_MOST_DIGITS = 20
#: How numbers are written that JSON has no token for.
_SPECIAL = {"inf": math.inf, "-inf": -math.inf, None: math.nan}
#: Longest excerpt of a value in an error.
_SHOWN = 40


@dataclass(frozen=True)
class Field:
    """A value of a parsed JSON text; every question about it is answered or refused by name.

    Attributes
    ----------
    value : object
        What was parsed. Fields inside keep their own paths: they have been moved from there.
    path : str
        Where it stands, such as ``literals[3].level``.

    Examples
    --------
    >>> from sugeno._format.fields import Field
    >>> Field({"k": 3}, "").record("k")["k"].integer(1, 5)
    3
    >>> Field(True, "k").integer(1, 5)
    Traceback (most recent call last):
    sugeno._exceptions.ModelFileError: In the model file, k must be a whole number from 1 to 5. \
Got True instead.
    """

    value: Any
    path: str

    def refuse(self, expected: str, got: str | None = None) -> NoReturn:
        """Raise the error that says what was expected here."""
        if got is None:
            kinds: dict[type, str] = {dict: "an object", list: "an array"}
            got = kinds.get(type(self.value)) or repr(self.value)
        shown = got if len(got) <= _SHOWN else f"{got[:_SHOWN]}…"
        where = self.path or "the whole"
        raise ModelFileError(f"In the model file, {where} must be {expected}. Got {shown} instead.")

    def record(self, *keys: str, optional: Sequence[str] = ()) -> dict[str, Field]:
        """Fields of an object that has these keys and no others; optional ones are null."""
        if not isinstance(self.value, dict):
            self.refuse("an object")
        found = {key: self.one(key) for key in keys}
        for key in optional:
            found[key] = self.one(key) if key in self.value else Field(None, f"{self.path}.{key}")
        strange = [key for key in self.value if key not in found]
        if strange:
            self.refuse(f"an object with the keys {', '.join(keys)}", f"also {strange[0]!r}")
        return found

    def one(self, key: str) -> Field:
        """A field of an object that tells which other keys there are."""
        if not isinstance(self.value, dict):
            self.refuse("an object")
        if key not in self.value:
            self.refuse(f"an object with the key {key!r}", "one without it")
        return _field(self.value[key], f"{self.path}.{key}" if self.path else key)

    def array(self, least: int = 0, most: int | None = None) -> list[Field]:
        """Fields of the entries of an array."""
        entries = self._entries(least, most)
        return [_field(entry, f"{self.path}[{i}]") for i, entry in enumerate(entries)]

    def _entries(self, least: int, most: int | None) -> list[Any]:
        if not isinstance(self.value, list):
            self.refuse("an array")
        size = len(self.value)
        if size < least or (most is not None and size > most):
            wanted = f"{least}" if least == most else f"{least} to {most}" if most else f"{least}…"
            self.refuse(f"an array of {wanted} entries", f"{size} entries")
        return self.value

    def integer(self, least: int, most: int) -> int:
        """A whole number; 1.0 is not one, nor is true."""
        if type(self.value) is not int or not least <= self.value <= most:
            self.refuse(f"a whole number from {least} to {most}")
        return self.value

    def number(self, least: float = -math.inf, most: float = math.inf) -> float:
        """A finite number within bounds."""
        if type(self.value) not in (int, float) or not least <= self.value <= most:
            bounded = math.isfinite(least) or math.isfinite(most)
            self.refuse(f"a number from {least} to {most}" if bounded else "a number")
        return float(self.value)

    def extended(self, *, unknown: bool = True) -> float:
        """A number, infinite ("inf", "-inf") or, where that is allowed, unknown (null)."""
        if type(self.value) in (int, float):
            return float(self.value)
        strange = isinstance(self.value, dict | list | bool) or self.value not in _SPECIAL
        if strange or (self.value is None and not unknown):
            self.refuse('a number, "inf" or "-inf"' + ", or null" * unknown)
        return _SPECIAL[self.value]

    def numbers(self) -> list[float]:
        """An array of finite numbers, at least one."""
        entries = self._entries(1, None)
        self._check_all(entries, (int, float), "numbers")
        return [float(entry) for entry in entries]

    def integers(self, least: int, most: int) -> list[int]:
        """An array of whole numbers, at least one."""
        entries = self._entries(1, None)
        self._check_all(entries, (int,), "whole numbers")
        if min(entries) < least or max(entries) > most:
            self.refuse(f"an array of whole numbers from {least} to {most}", "others")
        return entries

    def _check_all(self, entries: Iterable[Any], kinds: tuple[type, ...], what: str) -> None:
        strange = next((entry for entry in entries if type(entry) not in kinds), self)
        if strange is not self:
            Field(strange, self.path).refuse(f"an array of {what}")

    def optional(self, read: Callable[[Field], T]) -> T | None:
        """What a function reads here; None for null."""
        return None if self.value is None else read(self)

    def null(self) -> None:
        """Null: there is room for more, of which nobody has made use yet."""
        if self.value is not None:
            self.refuse("null")

    def boolean(self) -> bool:
        """True or false."""
        if not isinstance(self.value, bool):
            self.refuse("true or false")
        return self.value

    def text(self) -> str:
        """A string that can be written as Unicode."""
        if not isinstance(self.value, str):
            self.refuse("a string")
        if any("\ud800" <= letter <= "\udfff" for letter in self.value):
            self.refuse("a string of whole characters", ascii(self.value))
        return self.value

    def texts(self) -> tuple[str, ...]:
        """An array of different strings, at least one."""
        found = tuple(field.text() for field in self.array(1))
        if len(set(found)) < len(found):
            self.refuse("an array of different strings", "one of them twice")
        return found

    def choice(self, *options: str) -> str:
        """One of some strings."""
        if not isinstance(self.value, str) or self.value not in options:
            self.refuse(" or ".join(repr(option) for option in options))
        return self.value


def _field(value: Any, path: str) -> Field:
    return value if isinstance(value, Field) else Field(value, path)


#: The values of an object by their keys.
Record = dict[str, Field]


def parse(text: str) -> Any:
    """Parse a JSON text into plain Python data.

    Raises
    ------
    ModelFileError
        If the text is not JSON, or beyond the limits.

    Examples
    --------
    >>> from sugeno._format.fields import parse
    >>> parse('{"k": [1, 0.5, null]}')
    {'k': [1, 0.5, None]}
    >>> parse('{"k": 1, "k": 2}')
    Traceback (most recent call last):
    sugeno._exceptions.ModelFileError: The model file must not have a key twice. Got 'k' again.
    """
    _measure(text)
    try:
        return json.loads(
            text,
            object_pairs_hook=_object,
            parse_constant=_constant,
            parse_float=_float,
            parse_int=_integer,
        )
    except json.JSONDecodeError as error:
        raise ModelFileError(
            f"The model file must be JSON. Got: {error.msg} in line {error.lineno}, column "
            f"{error.colno}; it may be cut off or edited, save the model again."
        ) from None


def _measure(text: str) -> None:
    """Refuse texts with too many entries or too deep nesting, before they are parsed."""
    entries = text.count(",") + text.count(":")
    if entries > MAX_ENTRIES:
        raise ModelFileError(
            f"The model file must have at most {MAX_ENTRIES} entries. Got about {entries} instead."
        )
    depth = 0
    for token in _TOKEN.finditer(text):
        bracket = token[0]
        if bracket in "[{":
            depth += 1
            if depth > MAX_DEPTH:
                raise ModelFileError(
                    f"The model file must not be nested deeper than {MAX_DEPTH} levels. "
                    f"Got more at character {token.start()}."
                )
        elif bracket in "]}":
            depth -= 1


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        again = Counter(key for key, _ in pairs).most_common(1)[0][0]
        raise ModelFileError(f"The model file must not have a key twice. Got {again[:40]!r} again.")
    return found


def _constant(token: str) -> NoReturn:
    raise ModelFileError(
        f"The model file must not have {token}, which is not JSON; null stands for a number that "
        'nobody knows, "inf" and "-inf" for infinite ones.'
    )


def _float(digits: str) -> float:
    number = float(digits)
    if math.isinf(number):
        raise ModelFileError(
            f"The model file must have numbers that a double can hold. Got {digits[:40]} instead."
        )
    return number


def _integer(digits: str) -> int:
    if len(digits.lstrip("-")) > _MOST_DIGITS:
        raise ModelFileError(
            f"The model file must have whole numbers of at most {_MOST_DIGITS} digits. "
            f"Got {digits[:40]}… instead."
        )
    return int(digits)
