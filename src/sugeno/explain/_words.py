"""Explanations in words."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from sugeno._scales.criterion import Criterion
from sugeno._scales.literals import Literals
from sugeno.model.naming import as_shown
from sugeno.model.text import heading

__all__ = ["absence", "class_names", "conclusion", "movement"]


def class_names(classes: Sequence[Any]) -> list[str]:
    """Name the classes as sentences about a row begin.

    Of two classes: accepted or refused, unless the labels do not mean yes and no. Of more: text as
    it is, numbers with a word before them.

    Examples
    --------
    >>> from sugeno.explain._words import class_names
    >>> class_names(["no", "yes"]), class_names(["bad", "good"])
    (['Refused', 'Accepted'], ["Class 'bad'", "Class 'good'"])
    >>> class_names(["bad", "fair", "good"]), class_names([1, 2, 3])
    (['bad', 'fair', 'good'], ['Class 1', 'Class 2', 'Class 3'])
    """
    if len(classes) > 2:
        return [one if isinstance(one, str) else f"Class {one}" for one in classes]
    head = heading(classes[1])
    if head == "accept":
        return ["Refused", "Accepted"]
    if head.startswith("at least "):  # one boundary of several
        return [str(one)[0].upper() + str(one)[1:] for one in classes]
    return [f"Class {one!r}" for one in classes]


def absence(criterion: Criterion) -> str:
    """Say what is known of a missing value, however it is read.

    Examples
    --------
    >>> from sugeno._scales.criterion import Criterion
    >>> from sugeno.explain._words import absence
    >>> absence(Criterion("price"))
    'price is missing'
    """
    return f"{criterion.name} is missing"


def movement(
    literals: Literals, literal: int, after: float, gained: bool
) -> Callable[[float], str]:
    """Return the words for a criterion that moves from some value to gain or give up a literal.

    Examples
    --------
    >>> from sugeno._scales.criterion import Criterion
    >>> from sugeno._scales.literals import Literals
    >>> from sugeno.explain._words import movement
    >>> literals = Literals.of_levels([Criterion("interview")], [0], [6])
    >>> movement(literals, 0, 6.0, True)(5.0)
    'interview rises from 5 to 6'
    """
    criterion = literals.criteria[int(literals.columns[literal])]
    up = gained == (criterion.direction > 0)
    opening = f"{criterion.name} {'rises' if up else 'falls'} from "
    end = _end(literals, literal, after, gained, up)
    level = float(literals.levels[literal])

    def words(before: float) -> str:
        if math.isnan(before):
            return f"{criterion.name} is {end} instead of missing"
        return f"{opening}{as_shown(criterion, before, level)} to {end}"

    return words


def _end(literals: Literals, literal: int, after: float, gained: bool, up: bool) -> str:
    """Write where a criterion goes; beyond a level if no observed value is known there."""
    criterion = literals.criteria[int(literals.columns[literal])]
    _, sign, number = literals.parts[literal]
    level = float(literals.levels[literal])
    just_beyond = math.nextafter(level, math.inf if up else -math.inf)
    unknown = after == level and sign in "<>" if gained else after == just_beyond
    if criterion.labels is None and unknown:
        return f"{'above' if up else 'below'} {number}"
    return as_shown(criterion, after, level)


def conclusion(
    names: Sequence[str], place: int, way: object, reached: int | None = None, *, limited: bool
) -> str:
    """Say which class a row has, and what would change it.

    Examples
    --------
    >>> from sugeno.explain._words import class_names, conclusion
    >>> conclusion(class_names([0, 1]), 0, "interview rises from 5 to 6", limited=False)
    'Refused. Accepted if interview rises from 5 to 6.'
    >>> conclusion(class_names([0, 1]), 0, None, limited=True)
    'Refused. No counterfactual exists within these limits.'
    >>> conclusion(class_names([1, 2, 3]), 2, None, limited=False)
    'Class 3. No way to class 2 exists.'
    """
    if way is not None:
        after = 1 - place if reached is None else reached
        return f"{names[place]}. {names[after]} if {way}."
    within = " within these limits" * limited
    if len(names) == 2:
        return f"{names[place]}. No counterfactual exists{within}."
    aim = names[place + 1 if place + 1 < len(names) else place - 1]
    aim = f"class{aim[5:]}" if aim.startswith("Class ") else aim
    return f"{names[place]}. No way to {aim} exists{within}."
