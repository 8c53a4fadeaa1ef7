"""Criteria as people name them: by name or by place, with a hint where the name is wrong."""

from __future__ import annotations

import math
from collections.abc import Sequence
from difflib import get_close_matches
from numbers import Integral, Real
from typing import Any

from sugeno._scales.criterion import Criterion
from sugeno._scales.dates import date_text, days_of
from sugeno._scales.number import readable

__all__ = ["as_shown", "as_value", "criterion_place", "hint"]


def criterion_place(criteria: Sequence[Criterion], key: object, what: str = "criterion") -> int:
    """Return the place of a criterion that is given by name or by place.

    Examples
    --------
    >>> from sugeno._scales.criterion import Criterion
    >>> from sugeno.model.naming import criterion_place
    >>> criterion_place([Criterion("speed"), Criterion("price")], "price")
    1
    """
    names = [criterion.name for criterion in criteria]
    if isinstance(key, str) and key in names:
        return names.index(key)
    if isinstance(key, Integral) and 0 <= int(key) < len(names):
        return int(key)
    raise ValueError(
        f"{what} must be the name of a criterion ({', '.join(names)}) or its place, 0 to "
        f"{len(names) - 1}. Got {key!r} instead{hint(key, names)}."
    )


def hint(word: object, known: Sequence[str]) -> str:
    """Suggest what a misspelt word may have meant.

    Examples
    --------
    >>> from sugeno.model.naming import hint
    >>> hint("Prise", ["speed", "price"])
    "; did you mean 'price'?"
    """
    folded = {name.casefold(): name for name in known}
    near = get_close_matches(str(word).casefold(), list(folded), n=1, cutoff=0.6)
    return f"; did you mean {folded[near[0]]!r}?" if near else ""


def as_value(criterion: Criterion, given: Any, what: str) -> float:
    """Read a value of a criterion: a number, or the place of a label.

    Examples
    --------
    >>> from sugeno._scales.criterion import Criterion
    >>> from sugeno.model.naming import as_value
    >>> as_value(Criterion("size", 1, ("S", "M", "L")), "M", "level")
    1.0
    """
    if criterion.labels is not None:
        if str(given) in criterion.labels:
            return float(criterion.labels.index(str(given)))
        raise ValueError(
            f"{what} of {criterion.name!r} must be one of its labels, {list(criterion.labels)}. "
            f"Got {given!r} instead{hint(given, criterion.labels)}."
        )
    dated = criterion.kind == "date" and not isinstance(given, Real)
    try:
        value = float(days_of(given) if dated else given)
    except (TypeError, ValueError, AttributeError):
        value = math.nan
    if math.isnan(value):
        expected = "a date, such as 2026-01-31" if dated else "a number"
        raise ValueError(f"{what} of {criterion.name!r} must be {expected}. Got {given!r} instead.")
    return value


def as_shown(criterion: Criterion, value: float, beside: float = math.nan) -> str:
    """Write a value of a criterion: a number, a label, or in which way it is missing.

    A number with many digits is rounded; it stays on the same side of the level beside it.

    Examples
    --------
    >>> from sugeno._scales.criterion import Criterion
    >>> from sugeno.model.naming import as_shown
    >>> as_shown(Criterion("speed"), 3.0), as_shown(Criterion("size", 1, ("S", "M")), 1.0)
    ('3', 'M')
    """
    gap = criterion.gap_at(value)
    if gap is not None or math.isnan(value):
        return "missing" if gap is None else gap.label
    if criterion.kind == "date":
        return date_text(value)
    if criterion.labels is None:
        return readable(value, beside)
    return criterion.labels[int(value)] if value.is_integer() and value >= 0 else "another label"
