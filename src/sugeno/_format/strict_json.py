"""JSON as its standard has it, within limits: nothing is allocated before the text is measured.

Python's reader takes more than the standard (NaN, Infinity), keeps the last of two equal keys, and
follows nested brackets until its stack is full. Here all of that is refused.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from typing import Any, NoReturn

from sugeno._exceptions import ModelFileError
from sugeno._format.protocol import MAX_DEPTH, MAX_ENTRIES

__all__ = ["parse"]

#: A string, closed or not, or a bracket. It cannot go back, so the time is linear.
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)|[\[{]|[\]}]', re.DOTALL)
#: Digits of the largest whole number that a model can hold.
_MOST_DIGITS = 20


def parse(text: str) -> Any:
    """Parse a JSON text into plain Python data.

    Raises
    ------
    ModelFileError
        If the text is not JSON, or beyond the limits.

    Examples
    --------
    >>> from sugeno._format.strict_json import parse
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
