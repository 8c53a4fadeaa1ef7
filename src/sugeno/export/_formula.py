"""A model as a formula about columns: what every export says in its own language."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import Any, Literal, get_args

from sugeno._scales.criterion import Criterion
from sugeno.model.boundary import Boundary
from sugeno.model.fitted import model_of
from sugeno.model.model import Model

__all__ = [
    "Condition",
    "Output",
    "chosen_output",
    "conditions",
    "exported_model",
    "scores",
]

#: What an exported classifier says about a row.
Output = Literal["accepted", "label", "probability"]


@dataclass(frozen=True)
class Condition:
    """A literal as a condition on a column; a missing value does not meet it.

    Attributes
    ----------
    column : str
        Name of the column.
    sign : {">=", "<="}
        How the column compares with the level.
    level : float
        The level, in original units.
    labels : tuple of str or None
        For a column of ordered labels: those that reach the level.
    """

    column: str
    sign: str
    level: float
    labels: tuple[str, ...] | None


def exported_model(classifier: Any) -> Model:
    """Return the model of a classifier, unless it reads missing values as exports do not.

    Examples
    --------
    >>> from sugeno import SugenoClassifier
    >>> from sugeno.export._formula import exported_model
    >>> clf = SugenoClassifier(missing="optimistic").fit([[1], [2], [3], [4]], [0, 0, 1, 1])
    >>> exported_model(clf)
    Traceback (most recent call last):
    ValueError: Exports read a missing value as the worst. Got a classifier with \
missing='optimistic' instead; train it with missing='pessimistic'.
    """
    model = model_of(classifier)
    if model.missing == "optimistic":
        raise ValueError(
            "Exports read a missing value as the worst. Got a classifier with "
            "missing='optimistic' instead; train it with missing='pessimistic'."
        )
    return model


def chosen_output(model: Model, output: Output | None, label: Any) -> Output:
    """Return what an export is to say; by default "accepted", or the label of ordered classes.

    Examples
    --------
    >>> from sugeno import SugenoOrdinalClassifier
    >>> from sugeno.export._formula import chosen_output
    >>> clf = SugenoOrdinalClassifier(levels=1).fit([[1], [2], [3]], [1, 2, 3])
    >>> chosen_output(clf.model_, None, None)
    'label'
    >>> chosen_output(clf.model_, "probability", None)
    Traceback (most recent call last):
    ValueError: The probability of which class? label must be one of [1, 2, 3]. Got None instead.
    """
    ordinal = len(model.boundaries) > 1
    chosen = ("label" if ordinal else "accepted") if output is None else output
    known = [name for name in get_args(Output) if not (ordinal and name == "accepted")]
    if chosen not in known:
        raise ValueError(f"output must be one of {', '.join(known)}. Got {chosen!r}.")
    if ordinal and chosen == "probability":
        if label not in model.classes.tolist():
            raise ValueError(
                "The probability of which class? label must be one of "
                f"{model.classes.tolist()}. Got {label!r} instead."
            )
    elif label is not None:
        raise ValueError(
            "label is for the probability of one of the ordered classes; leave it out. "
            f"Got {label!r}."
        )
    return chosen


def conditions(model: Boundary) -> list[Condition]:
    """The literals of a model as conditions, in their order.

    Examples
    --------
    >>> from sugeno import SugenoClassifier
    >>> from sugeno.export._formula import conditions
    >>> clf = SugenoClassifier(levels="single").fit([[1], [2], [3], [4]], [0, 0, 1, 1])
    >>> conditions(clf.model_)
    [Condition(column='x0', sign='>=', level=3.0, labels=None)]
    """
    literals = model.literals
    return [
        Condition(c.name, c.sign, level, _reaching(c, level))
        for c, level in zip(
            (literals.criteria[j] for j in literals.columns.tolist()), literals.levels.tolist()
        )
    ]


def _reaching(criterion: Criterion, level: float) -> tuple[str, ...] | None:
    if criterion.labels is None:
        return None
    sign = criterion.direction
    return tuple(
        label for place, label in enumerate(criterion.labels) if sign * place >= sign * level
    )


def scores(model: Boundary) -> list[list[tuple[Condition, int]]]:
    """What each criterion adds to the score, the hardest condition first.

    Of the conditions on a criterion the first that is met tells the sum of all gains up to it:
    whoever meets it meets the easier ones too. Criteria that add nothing are left out.
    """
    gains = [int(gain) for gain in model.probability.gains.tolist()]
    pairs = zip(model.literals.columns.tolist(), conditions(model), gains)
    found = []
    for _, group in groupby(pairs, key=lambda pair: pair[0]):
        total, steps = 0, []
        for _, condition, gain in group:
            total += gain
            if gain:
                steps.append((condition, total))
        if steps:
            found.append(steps[::-1])
    return found
