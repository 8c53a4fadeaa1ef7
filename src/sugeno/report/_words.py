"""How numbers, classes and literals read on the page."""

from __future__ import annotations

from collections.abc import Sequence

from sugeno._scales.criterion import Criterion
from sugeno._scales.literals import Literals
from sugeno._scales.number import shortest
from sugeno.model.fitted import AnyModel
from sugeno.model.judged import wilson

#: Of fewer rows a share is not known well enough to be said as one number.
_FEW_ROWS = 20


def names_of(model: AnyModel, given: Sequence[str] | None) -> tuple[str, ...]:
    """Name the classes, the lowest first; of more than two the labels are enough.

    Examples
    --------
    >>> from sugeno import SugenoClassifier
    >>> from sugeno.report._words import names_of
    >>> model = SugenoClassifier().fit([[1], [2], [3], [4]], [0, 0, 1, 1]).model_
    >>> names_of(model, None), names_of(model, ["no", "yes"])
    (('class 0', 'class 1'), ('no', 'yes'))
    """
    classes = model.classes
    if given is None:
        given = model.names if classes.size == 2 else classes.tolist()
    names = tuple(map(str, given))
    if len(names) != classes.size:
        raise ValueError(
            f"class_names must hold a name for each of the {classes.size} classes, the lowest "
            f"first. Got {list(names)} instead."
        )
    return names


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


def rightly(share: float, rows: float) -> str:
    """Write the share of a rule's rows that it puts right; of few rows what it may be.

    Examples
    --------
    >>> from sugeno.report._words import rightly
    >>> rightly(0.93, 200) == "93\u00a0%", rightly(1, 2) == "34 to 100\u00a0%"
    (True, True)
    """
    if rows >= _FEW_ROWS:
        return percent(share)
    low, high = wilson(share * rows, rows)
    return f"{100 * low:.0f} to {100 * high:.0f}\u00a0%"


def amount(weight: float) -> str:
    """Write a number of rows, or a sum of their weights.

    Examples
    --------
    >>> from sugeno.report._words import amount
    >>> amount(13091.0) == "13\u202f091", amount(2.5), amount(13091.26) == "13\u202f091.3"
    (True, '2.5', True)
    """
    digits = f"{weight:,.1f}" if abs(weight) >= 1000 else f"{weight:.4g}"
    return digits.removesuffix(".0").replace(",", "\u202f")


def plural(number: float, noun: str, nouns: str | None = None) -> str:
    """Write a number with its noun.

    Examples
    --------
    >>> from sugeno.report._words import plural
    >>> plural(1, "rule"), plural(3, "criterion", "criteria")
    ('1 rule', '3 criteria')
    """
    return f"{amount(number)} {noun if number == 1 else nouns or noun + 's'}"
