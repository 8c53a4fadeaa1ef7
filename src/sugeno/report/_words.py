"""How numbers, classes and literals read on the page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from numpy.typing import NDArray

from sugeno._scales.criterion import Criterion
from sugeno._scales.literals import Literals
from sugeno._scales.number import shortest
from sugeno.model.text import heading

__all__ = [
    "amount",
    "class_names_of",
    "names_of",
    "percent",
    "plural",
    "relations",
    "shown_value",
]


def class_names_of(classes: NDArray[Any], given: Sequence[str] | None) -> tuple[str, ...]:
    """Name ordered classes, the lowest first, by their labels or as someone says.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno.report._words import class_names_of
    >>> class_names_of(np.array([1, 2, 3]), None)
    ('1', '2', '3')
    """
    names = tuple(str(name) for name in (classes.tolist() if given is None else given))
    if len(names) != classes.size:
        raise ValueError(
            f"class_names must hold a name for each of the {classes.size} classes, the lowest "
            f"first. Got {list(names)} instead."
        )
    return names


def names_of(classes: NDArray[Any], given: Sequence[str] | None) -> tuple[str, str]:
    """Name the negative and the positive class; labels that mean yes become "accepted".

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno.report._words import names_of
    >>> names_of(np.array([0, 1]), None), names_of(np.array(["bad", "good"]), None)
    (('refused', 'accepted'), ('bad', 'good'))
    """
    if given is not None:
        names = tuple(str(name) for name in given)
        if len(names) != 2:
            raise ValueError(
                "class_names must hold two names, of the negative and of the positive class. "
                f"Got {list(given)} instead."
            )
        return names[0], names[1]
    if heading(classes[1]) == "accept":
        return "refused", "accepted"
    return str(classes[0]), str(classes[1])


def relations(literals: Literals) -> list[str]:
    """What each literal says after the name of its criterion: ``≥ 6``, ``≤ medium``."""
    signs = {">=": "≥", "<=": "≤"}
    return [f"{signs.get(sign, sign)} {number}" for _, sign, number in literals.parts]


def shown_value(criterion: Criterion, value: float) -> str:
    """Write a value of a criterion: its label, or a number of at most six digits."""
    if criterion.labels is not None and value.is_integer():
        return criterion.labels[int(value)]
    return shortest(float(f"{value:.6g}"))


def percent(share: float) -> str:
    """Write a share as people say it: one decimal, none where it says nothing."""
    return f"{100 * share:.1f}".removesuffix(".0") + "\u00a0%"


def amount(weight: float) -> str:
    """Write a number of rows, or a sum of their weights."""
    if float(weight).is_integer():
        return f"{int(weight):,}".replace(",", "\u202f")
    return f"{weight:.4g}"


def plural(number: int, noun: str, nouns: str | None = None) -> str:
    """Write a number with its noun.

    Examples
    --------
    >>> from sugeno.report._words import plural
    >>> plural(1, "rule"), plural(3, "criterion", "criteria")
    ('1 rule', '3 criteria')
    """
    return f"{amount(number)} {noun if number == 1 else nouns or noun + 's'}"
