"""Explanations in words."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from sugeno._scales.criterion import Criterion
from sugeno._scales.literals import Literals
from sugeno.model.naming import as_shown
from sugeno.model.text import heading

__all__ = ["absence", "conclusion", "movement", "verdict"]


def verdict(classes: Sequence[Any], accepted: bool) -> str:
    """Say what was decided: accepted or refused, or the class where labels do not mean yes.

    Examples
    --------
    >>> from sugeno.explain._words import verdict
    >>> verdict(["no", "yes"], False), verdict(["bad", "good"], False)
    ('Refused', "Class 'bad'")
    """
    if heading(classes[1]) == "accept":
        return "Accepted" if accepted else "Refused"
    return f"Class {classes[accepted]!r}"


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

    def words(before: float) -> str:
        if math.isnan(before):
            return f"{criterion.name} is {end} instead of missing"
        return f"{opening}{as_shown(criterion, before)} to {end}"

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
    return as_shown(criterion, after)


def conclusion(classes: Sequence[Any], accepted: bool, way: str | None, limited: bool) -> str:
    """Say what was decided, and what would change it.

    Examples
    --------
    >>> from sugeno.explain._words import conclusion
    >>> conclusion([0, 1], False, "interview rises from 5 to 6", False)
    'Refused. Accepted if interview rises from 5 to 6.'
    >>> conclusion([0, 1], False, None, True)
    'Refused. No counterfactual exists within these limits.'
    """
    first = verdict(classes, accepted)
    if way is None:
        return f"{first}. No counterfactual exists{' within these limits' * limited}."
    return f"{first}. {verdict(classes, not accepted)} if {way}."
