"""Python source that needs nothing but Python."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from sugeno._scales.columns import label_number
from sugeno.export._formula import (
    Condition,
    conditions,
    deciders_of,
    exported_model,
    text_of,
)
from sugeno.model.boundary import Boundary
from sugeno.model.fitted import AnyModel
from sugeno.model.model import shares_above
from sugeno.model.per_class import ModelPerClass
from sugeno.model.probability import Steps
from sugeno.model.score_model import Sum

__all__ = ["to_python"]

_TEMPLATE = '''\
"""{title}

Written by sugeno; needs Python only. A row is a mapping from the names of the columns to values.
A value that is missing (no such key, None, NaN) reaches no level, unless "or missing" says so.
"""

from datetime import datetime, timedelta
from math import exp

inf = float("inf")

{answers}

{decides}

def conditions(row):
    """Tell which conditions of each boundary a row meets."""
    return (
{conditions}    )


def at_least(value, level):
    return value is not None and float(value) >= level


def at_most(value, level):
    return value is not None and float(value) <= level


def missing(value):
    return value is None or value != value


def none_of(value, labels):
    return not missing(value) and value not in labels


def days(value):
    """Return a date, or a date with a time of day, in days since 1970."""
    if missing(value):
        return None
    start = datetime(1970, 1, 1)
    moment = value.replace(tzinfo=None) if isinstance(value, datetime) else start + (
        value - start.date()
    )
    return (moment - start) / timedelta(days=1)


LABELS = {labels}
#: {meaning}
{name} = (
{deciders})
'''

_BY_RULES = '''def passes(met, boundary):
    """Tell whether the parts that hold have enough points; of a part all or any conditions."""
    held = [boundary["part_holds_by"](met[j] for j in part) for part in boundary["parts"]]
    return sum(points for points, one in zip(boundary["points"], held) if one) >= boundary["needed"]


def chance(met, boundary):
    """Return the probability of what lies above a boundary."""
    score = sum(gain for gain, one in zip(boundary["gains"], met) if one)
    steps = boundary["above"] if passes(met, boundary) else boundary["below"]
    return max((value for start, value in steps if score >= start), default=steps[0][1])
'''

_BY_SUM = '''def total(met, one):
    """Return the sum of what conditions that are met add, alone and two together."""
    alone = sum(add for add, reached in zip(one["adds"], met) if reached)
    return one["constant"] + alone + sum(add for i, j, add in one["joint"] if met[i] and met[j])


def passes(met, one):
    """Tell whether the sum is large enough."""
    return total(met, one) >= one["needed"]


def chance(met, one):
    """Return the probability of a sum; between two boundaries it keeps off 1/2."""
    found = 1 / (1 + exp(-one["slope"] * (total(met, one) / one["units"])))
    if one["moved"][passes(met, one)]:
        if passes(met, one):
            return max(found, 0.67 + (found - 0.5) / 3)
        return min(found, 0.33 - (0.5 - found) / 3)
    return found
'''

#: What stands above the boundaries, or the sums.
_MEANING_OF_RULES = """: the conditions of its parts; how many points each part has, and
#: how many are needed; what each condition that is met adds to the score; from this score on that
#: probability, where the boundary is not passed and where it is."""
_MEANING_OF_SUM = """: what each condition adds that is met; what two conditions add
#: together, by their places; the sum from which on a row lies above; whether probabilities keep off
#: 1/2 below and above; and 1 / (1 + exp(-x)) is one, where x is slope * (sum / units)."""

_ORDERED = '''
def label(row):
    """Return the label of a row: the class above the boundaries that it passes."""
    return LABELS[sum(passes(met, one) for met, one in zip(conditions(row), DECIDERS))]


def probabilities(row):
    """Return the probability of each class, the lowest first, as a dict."""
    found = [chance(met, one) for met, one in zip(conditions(row), DECIDERS)]
    chances = [1.0]
    for place, share in enumerate(SHARES):
        low, high = min(found[: place + 1]), max(found[place:])
        chances.append(low + (high - low) * share)
    return {name: p - q for name, p, q in zip(LABELS, chances, chances[1:] + [0.0])}
'''

_TWO_CLASSES = '''
def accepted(row):
    """Tell whether a row is accepted: whether it has the second label."""
    return label(row) == LABELS[1]


def probability(row):
    """Return the probability of the second label."""
    return probabilities(row)[LABELS[1]]

'''

_PER_CLASS = '''
def label(row):
    """Return the label of a row: the likeliest class, of equally likely ones the first."""
    chances = chances_of(row)
    return LABELS[chances.index(max(chances))]


def probabilities(row):
    """Return the probability of each class as a dict: each found on its own, to the sum 1."""
    chances = chances_of(row)
    total = 0.0
    for one in chances:
        total += one
    return {name: one / total if total else 1 / len(LABELS) for name, one in zip(LABELS, chances)}


def chances_of(row):
    """Return the probability of each class against the rest."""
    return [chance(met, one) for met, one in zip(conditions(row), DECIDERS)]
'''


def to_python(classifier: Any) -> str:
    """Write a classifier as a Python module without any dependency.

    The module has the functions ``label(row)`` and ``probabilities(row)``, of two classes also
    ``accepted(row)`` and ``probability(row)``; a row is a dict. Its answers are those of `predict`
    and `predict_proba`, to the last bit.

    Parameters
    ----------
    classifier : estimator
        Any fitted classifier with a ``model_``.

    Returns
    -------
    str
        Source code, for Python 3.6 and later.

    Examples
    --------
    >>> from sugeno import SugenoClassifier
    >>> from sugeno.export import to_python
    >>> clf = SugenoClassifier().fit([[1], [2], [3], [4]], [0, 0, 1, 1])
    >>> module = {}
    >>> exec(to_python(clf), module)
    >>> module["label"]({"x0": 3}), module["accepted"]({"x0": None})
    (1, False)
    """
    model = exported_model(classifier)
    deciders, sums, classes = deciders_of(model), model.adds_up, model.classes.tolist()
    name, shares = "SUMS" if sums else "BOUNDARIES", shares_above(len(deciders)).tolist()
    if isinstance(model, ModelPerClass):
        answers, meaning = _PER_CLASS, "Of each class against the rest"
    else:
        answers = (_TWO_CLASSES if len(classes) == 2 else "") + _ORDERED
        meaning = (
            "Of the second label"
            if sums and len(classes) == 2
            else "Of the boundary below each class but the first"
        )
    return _TEMPLATE.format(
        title=_title(model),
        answers=answers.replace("DECIDERS", name).replace("SHARES", _tuple(shares)),
        decides=(_BY_SUM if sums else _BY_RULES).rstrip(),
        conditions="".join(map(_conditions, deciders)),
        labels=_tuple(classes),
        meaning=meaning + (_MEANING_OF_SUM if sums else _MEANING_OF_RULES),
        name=name,
        deciders="".join(map(_decider, deciders)),
    )


def _title(model: AnyModel) -> str:
    """The rules in a sentence, as text that cannot end the docstring."""
    text = text_of(model)
    return text.encode("unicode_escape").decode().replace('"', "'").replace("\\n", "\n")


def _conditions(boundary: Boundary | Sum) -> str:
    lines = [f"            {_condition(condition)},\n" for condition in conditions(boundary)]
    return f"        (\n{''.join(lines)}        ),\n"


def _decider(decider: Boundary | Sum) -> str:
    """What decides, as the entries of a dictionary."""
    entries = _sum(decider) if isinstance(decider, Sum) else _boundary(decider)
    lines = [f"        {key!r}: {value},\n" for key, value in entries.items()]
    return f"    {{\n{''.join(lines)}    }},\n"


def _boundary(boundary: Boundary) -> dict[str, str]:
    formula, probability = boundary.form.formula, boundary.probability
    return {
        "part_holds_by": "all" if formula.joint == "and" else "any",
        "parts": repr(formula.parts),
        "points": repr(formula.points),
        "needed": repr(formula.needed),
        "gains": _tuple(map(int, probability.gains.tolist())),
        "below": _steps(probability.rejected),
        "above": _steps(probability.accepted),
    }


def _sum(model: Sum) -> dict[str, str]:
    tables = model.tables
    first = np.cumsum([0, *model.literals.chains.sizes])
    adds = np.concatenate([np.diff(table) for table in tables.single])
    joint = [
        (int(first[pair.first] + row), int(first[pair.second] + column), int(add))
        for pair in tables.pairs
        for row, column, add in zip(*pair.joint)
    ]
    return {
        "constant": repr(tables.constant),
        "adds": _tuple(adds.tolist()),
        "joint": repr(tuple(joint)),
        "needed": repr(model.needed),
        "moved": repr(model.moved),
        "slope": repr(model.slope),
        "units": repr(model.units),
    }


def _condition(condition: Condition) -> str:
    value = f"row.get({condition.column!r})"
    gap = f" or missing({value})" * condition.missing
    if condition.labels is not None:
        labels = _tuple(_values(condition.labels))
        among = f"none_of({value}, {labels})" if condition.others else f"{value} in {labels}"
        return among + gap
    name = "at_least" if condition.sign == ">=" else "at_most"
    number = f"days({value})" if condition.dated else value
    met = f"{name}({number}, {condition.level!r})"
    if condition.everything is False:  # not even infinity
        met = "False"
    if condition.other_codes:
        met = f"{met} and not {value} in {condition.other_codes!r}"
    also = f" or {value} in {condition.codes!r}" if condition.codes else ""
    return f"{met}{also}{gap}"


def _values(labels: Sequence[str | bool]) -> list[Any]:
    """Labels, and the number or the truth value that they are the text of."""
    values = {"True": True, "False": False}
    texts = [label for label in labels if isinstance(label, str)]
    also = [values.get(label, label_number(label)) for label in texts]
    return [*labels, *(value for value in also if value is not None)]


def _steps(steps: Steps) -> str:
    return _tuple(zip(steps.starts.tolist(), steps.values.tolist()))


def _tuple(entries: Iterable[Any]) -> str:
    return repr(tuple(entries))
