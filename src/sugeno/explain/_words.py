"""Explanations in words."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from sugeno._scales.criterion import Criterion
from sugeno._scales.literals import Literals
from sugeno.model.naming import as_shown


def absence(criterion: Criterion, value: float) -> str:
    """Say in which way a value is missing, however it is read; nothing of one that is there.

    Examples
    --------
    >>> from sugeno._scales.criterion import Criterion
    >>> from sugeno.explain._words import absence
    >>> absence(Criterion("price"), float("nan"))
    'price is missing'
    """
    gap = criterion.gap_at(value)
    return "" if gap is None else f"{criterion.name} is {gap.label}"


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
    end = _end(literals, literal, after, gained, up)
    level = float(literals.levels[literal])

    def words(before: float) -> str:
        return change(criterion, as_shown(criterion, before, level), end, up=up)

    return words


def change(criterion: Criterion, before: str, after: str, *, up: bool) -> str:
    """Say how a criterion changes: numbers rise and fall, a category becomes another.

    Examples
    --------
    >>> from sugeno._scales.criterion import Criterion
    >>> from sugeno.explain._words import change
    >>> change(Criterion("age"), "31", "40", up=True)
    'age rises from 31 to 40'
    >>> change(Criterion("home", places=(0.0, 1.0)), "parents", "rent", up=True)
    'home were rent instead of parents'
    """
    gaps = {"missing", *(gap.label for gap in criterion.gaps)}
    if before in gaps or criterion.places is not None:
        verb = "were" if criterion.places is not None else "is"
        return f"{criterion.name} {verb} {after} instead of {before}"
    return f"{criterion.name} {'rises' if up else 'falls'} from {before} to {after}"


def _end(literals: Literals, literal: int, after: float, gained: bool, up: bool) -> str:
    """Write where a criterion goes; beyond a level if no observed value is known there."""
    criterion = literals.criteria[int(literals.columns[literal])]
    sign, number = literals.parts[literal][1], literals.numbers[literal]
    level = float(literals.levels[literal])
    way = math.inf if up else -math.inf
    if gained:
        unknown = sign in "<>" and after == criterion.first_value(level, way)
    else:
        unknown = after == criterion.first_value(math.nextafter(level, way), way)
    if criterion.labels is None and unknown:
        return f"{'above' if up else 'below'} {number}"
    return as_shown(criterion, after, level)


def conclusion(
    names: Sequence[str],
    place: int,
    way: object,
    reached: int | None = None,
    *,
    limited: bool,
    sure: bool = True,
) -> str:
    """Say which class a row has, and what would change it.

    Examples
    --------
    >>> from sugeno.explain._words import conclusion
    >>> names = ["deny = no", "deny = yes"]
    >>> conclusion(names, 0, "income rises from 5 to 6", limited=False)
    'deny = no. deny = yes if income rises from 5 to 6.'
    >>> conclusion(names, 0, None, limited=True)
    'deny = no. No counterfactual exists within these limits.'
    >>> conclusion(["Class 1", "Class 2", "Class 3"], 2, None, limited=False)
    'Class 3. No way to class 2 exists.'
    """
    if way is not None:
        after = 1 - place if reached is None else reached
        return f"{names[place]}. {names[after]} if {way}."
    within = f"{'exists' if sure else 'was found'}{' within these limits' * limited}"
    if len(names) == 2:
        return f"{names[place]}. No counterfactual {within}."
    aim = names[place + 1 if place + 1 < len(names) else place - 1]
    aim = f"class{aim[5:]}" if aim.startswith("Class ") else aim
    return f"{names[place]}. No way to {aim} {within}."
