"""Python source that needs nothing but Python."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from sugeno._scales.columns import label_number
from sugeno.export._formula import Condition, conditions, exported_model
from sugeno.model.boundary import Boundary
from sugeno.model.model import Model
from sugeno.model.probability import Steps

__all__ = ["to_python"]

_TEMPLATE = '''\
"""{title}

Written by sugeno; needs Python only. A row is a mapping from the names of the columns to values.
A value that is missing (no such key, None, NaN) reaches no level.
"""

inf = float("inf")


def accepted(row):
    """Tell whether a row is accepted."""
    met = conditions(row)
    return {verdict}


def label(row):
    """Return the label of a row."""
    return {positive!r} if accepted(row) else {negative!r}


def probability(row):
    """Return the probability of the label of accepted rows."""
    score = sum(gain for gain, met in zip(GAINS, conditions(row)) if met)
    steps = ACCEPTED if accepted(row) else REJECTED
    return max((value for start, value in steps if score >= start), default=steps[0][1])


def conditions(row):
    """Tell which conditions a row meets."""
    return (
{conditions}    )


def at_least(value, level):
    return value is not None and float(value) >= level


def at_most(value, level):
    return value is not None and float(value) <= level


#: Which conditions belong together: {rule_text}.
RULES = {rules}
#: What each condition that is met adds to the score.
GAINS = {gains}
#: From this score on that probability, for rejected and for accepted rows.
REJECTED = {rejected}
ACCEPTED = {accepted}
'''


_ORDINAL_TEMPLATE = '''\
"""{title}

Written by sugeno; needs Python only. A row is a mapping from the names of the columns to values.
A value that is missing (no such key, None, NaN) reaches no level.
"""

inf = float("inf")


def label(row):
    """Return the class of a row: the highest whose rules hold."""
    passed = [holds(met, boundary[0]) for met, boundary in zip(conditions(row), BOUNDARIES)]
    return LABELS[sum(passed)]


def probabilities(row):
    """Return the probability of each class, the lowest first, as a dict."""
    chances = [1.0]
    for met, (rules, gains, rejected, accepted) in zip(conditions(row), BOUNDARIES):
        score = sum(gain for gain, one in zip(gains, met) if one)
        steps = accepted if holds(met, rules) else rejected
        chance = max((value for start, value in steps if score >= start), default=steps[0][1])
        chances.append(min(chances[-1], chance))
    return {{name: p - q for name, p, q in zip(LABELS, chances, chances[1:] + [0.0])}}


def holds(met, rules):
    """Tell whether all conditions of some rule are met."""
    return any(all(met[j] for j in rule) for rule in rules)


def conditions(row):
    """Tell which conditions of each class boundary a row meets."""
    return (
{conditions}    )


def at_least(value, level):
    return value is not None and float(value) >= level


def at_most(value, level):
    return value is not None and float(value) <= level


#: The classes, the lowest first.
LABELS = {labels}
#: Of the boundary below each class but the first: which conditions are a rule; what each condition
#: that is met adds to the score; from this score on that probability, below and above it.
BOUNDARIES = (
{boundaries})
'''


def to_python(classifier: Any) -> str:
    """Write a classifier as a Python module without any dependency.

    The module has the functions ``accepted(row)``, ``label(row)`` and ``probability(row)``, of
    ordered classes ``label(row)`` and ``probabilities(row)``; a row is a dict. Its answers are
    those of `predict` and `predict_proba`, to the last bit.

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
    if len(model.boundaries) > 1:
        return _ordered(model)
    (boundary,) = model.boundaries
    negative, positive = model.classes.tolist()
    lines = [f"        {_condition(condition)},\n" for condition in conditions(boundary)]
    return _TEMPLATE.format(
        title=_title(model),
        verdict=_verdict(boundary),
        positive=positive,
        negative=negative,
        conditions="".join(lines),
        rule_text="all of a rule" if boundary.rules.form == "dnf" else "one of each rule",
        rules=_tuple(boundary.rules.sets),
        gains=_tuple(map(int, boundary.probability.gains.tolist())),
        rejected=_steps(boundary.probability.rejected),
        accepted=_steps(boundary.probability.accepted),
    )


def _ordered(model: Model) -> str:
    lines = [
        f"        ({''.join(f'{_condition(one)}, ' for one in conditions(boundary))}),\n"
        for boundary in model.decisive
    ]
    boundaries = [
        f"    ({_tuple(one.rules.sets)}, {_tuple(map(int, one.probability.gains.tolist()))}, "
        f"{_steps(one.probability.rejected)}, {_steps(one.probability.accepted)}),\n"
        for one in model.decisive
    ]
    return _ORDINAL_TEMPLATE.format(
        title=_title(model),
        conditions="".join(lines),
        labels=_tuple(model.classes.tolist()),
        boundaries="".join(boundaries),
    )


def _title(model: Model) -> str:
    """The rules in a sentence, as text that cannot end the docstring."""
    text = str(model.rules)
    return text.encode("unicode_escape").decode().replace('"', "'").replace("\\n", "\n")


def _verdict(model: Boundary) -> str:
    inner, outer = ("all", "any") if model.rules.form == "dnf" else ("any", "all")
    return f"{outer}({inner}(met[j] for j in rule) for rule in RULES)"


def _condition(condition: Condition) -> str:
    value = f"row.get({condition.column!r})"
    if condition.labels is not None:
        return f"{value} in {_tuple(_values(condition.labels))}"
    name = "at_least" if condition.sign == ">=" else "at_most"
    return f"{name}({value}, {condition.level!r})"


def _values(labels: Sequence[str]) -> list[Any]:
    """Labels as text, and as the number or the truth value that they are the text of."""
    values = {"True": True, "False": False}
    also = [values.get(label, label_number(label)) for label in labels]
    return [*labels, *(value for value in also if value is not None)]


def _steps(steps: Steps) -> str:
    return _tuple(zip(steps.starts.tolist(), steps.values.tolist()))


def _tuple(entries: Iterable[Any]) -> str:
    return repr(tuple(entries))
