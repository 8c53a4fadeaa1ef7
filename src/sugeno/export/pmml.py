"""PMML 4.4: a RuleSetModel, for the engines that banks and insurers run."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from copy import deepcopy
from functools import partial, reduce
from typing import Any, Literal, TypeAlias
from xml.etree.ElementTree import Element, SubElement

from sugeno.export._formula import (
    Condition,
    Decisions,
    boundaries_of,
    columns_of,
    conditions,
    exported_rules,
    text_of,
    titled,
)
from sugeno.export.xml_document import document, shortest_name
from sugeno.model.boundary import Boundary
from sugeno.model.model import Model
from sugeno.model.per_class import ModelPerClass

__all__ = ["to_pmml"]

#: What fields of some kinds of columns are; others are texts without an order.
_FIELDS = {
    "number": ("continuous", "double"),
    "date": ("continuous", "double"),
    "ordered": ("ordinal", "string"),
}
#: Attributes of a card: reasons are told by what a criterion lacks for all of its points.
_SCORECARD = {
    "functionName": "regression",
    "algorithmName": "Sugeno integral",
    "initialScore": "0",
    "useReasonCodes": "true",
    "reasonCodeAlgorithm": "pointsBelow",
}
_NUMBER = {"optype": "continuous", "dataType": "double"}
_TEXT = {"optype": "categorical", "dataType": "string"}
#: So many reasons are told.
_MOST_REASONS = 4
#: A predicate, the label of rows that meet it, and counts of rows.
Rule: TypeAlias = "tuple[Element, Any, dict[str, str]]"


def to_pmml(classifier: Any) -> str:
    """Write a classifier as PMML 4.4: rules that fire first-hit, and a default score.

    Each rule has the number of training rows that it covers, how many of them are right, and its
    confidence, the share of those. A missing value makes what hangs on it unknown, and a rule that
    is not known to hold does not fire. Clauses joined by "and" are one rule, without counts. The
    rules of the highest class come first. Those of the classes below say "at least", so that they
    have a count of rows, and none of right ones. Of classes without an order derived fields have
    the probability of each, and the rules pick the likeliest. A card of points is a ``Scorecard``
    with the outputs ``points``, ``class``, and ``reason_1``, … for the criteria that lack most
    points. Dates are numbers of days since 1970: engines do not compare dates alike.

    Parameters
    ----------
    classifier : estimator
        Any fitted classifier with a ``model_``.

    Returns
    -------
    str
        A PMML document. The field that is predicted is called ``class``, with underscores after it
        if a criterion is called so.

    Examples
    --------
    >>> from sugeno import SugenoClassifier
    >>> from sugeno.export import to_pmml
    >>> clf = SugenoClassifier(levels="single").fit([[1], [2], [3], [4]], [0, 0, 1, 1])
    >>> print(to_pmml(clf))
    <?xml version="1.0" encoding="UTF-8"?>
    ...
          <SimpleRule id="1" score="1" recordCount="2" nbCorrect="2" confidence="1">
            <SimplePredicate field="x0" operator="greaterOrEqual" value="3" />
          </SimpleRule>
    ...
    """
    model = exported_rules(classifier)
    criteria = tuple(criterion.name for criterion in columns_of(model))
    target = shortest_name("class", criteria)
    root = Element("PMML", xmlns="http://www.dmg.org/PMML-4_4", version="4.4")
    header = SubElement(root, "Header", description=text_of(model))
    SubElement(header, "Application", name="sugeno")
    card = _card_of(model)
    _add_fields(SubElement(root, "DataDictionary"), model, None if card else target)
    if card is not None:
        _add_scorecard(root, card, target)
        return document(root)
    rule_set_model = SubElement(
        root, "RuleSetModel", functionName="classification", algorithmName="Sugeno integral"
    )
    schema = SubElement(rule_set_model, "MiningSchema")
    for name in criteria:
        SubElement(schema, "MiningField", name=name)
    SubElement(schema, "MiningField", name=target, usageType="target")
    derived = _Derived([*criteria, target])
    if isinstance(model, Model):
        rules, otherwise = [*_rules_in_order(model, derived)], model.classes.tolist()[0]
    else:
        rules, otherwise = [*_likeliest(model, derived)], model.classes.tolist()[-1]
    if len(derived.fields):
        rule_set_model.append(derived.fields)
    _add_rules(rule_set_model, rules, _label(otherwise))
    return document(root)


def _card_of(model: Model | ModelPerClass) -> Model | None:
    """The model, if all boundaries count the same points of single conditions."""
    if not isinstance(model, Model):
        return None
    formulas = [boundary.form.formula for boundary in model.boundaries]
    first, asked = formulas[0], conditions(model.boundaries[0])
    same = all(
        (one.parts, one.points) == (first.parts, first.points) and conditions(boundary) == asked
        for one, boundary in zip(formulas, model.boundaries)
    )
    counted = any(one.outer is None for one in formulas)
    return model if same and counted and all(len(part) == 1 for part in first.parts) else None


def _add_scorecard(root: Element, model: Model, target: str) -> None:
    """A card of points: what each criterion adds, and the class by the sum.

    Reason codes are the criteria that lack most points, by how many they lack.
    """
    names = tuple(criterion.name for criterion in columns_of(model))
    card = SubElement(root, "Scorecard", _SCORECARD)
    schema = SubElement(card, "MiningSchema")
    for name in names:
        SubElement(schema, "MiningField", name=name)
    groups = _characteristics(model.boundaries[0])
    card.append(_outputs(model, (*names, target), target, len(groups)))
    characteristics = SubElement(card, "Characteristics")
    for number, steps in enumerate(groups):
        most = str(steps[0][1])
        reason = {"reasonCode": steps[0][0].column, "baselineScore": most}
        one = SubElement(characteristics, "Characteristic", {"name": f"points_{number}"} | reason)
        for condition, points in steps:
            SubElement(one, "Attribute", partialScore=str(points)).append(_predicate(condition))
        SubElement(SubElement(one, "Attribute", partialScore="0"), "True")


def _characteristics(boundary: Boundary) -> list[list[tuple[Condition, int]]]:
    """The conditions on each criterion, the hardest first, with the points of all up to it."""
    asked, formula = conditions(boundary), boundary.form.formula
    points = {literal: worth for (literal,), worth in zip(formula.parts, formula.points)}
    found: dict[int, list[tuple[Condition, int]]] = {}
    for literal, column in enumerate(boundary.literals.columns.tolist()):
        steps = found.setdefault(column, [])
        before = steps[0][1] if steps else 0
        steps.insert(0, (asked[literal], before + points.get(literal, 0)))
    return [*found.values()]


def _outputs(model: Model, taken: tuple[str, ...], target: str, n_reasons: int) -> Element:
    """The points, the class that they are enough for, and the reason codes."""
    outputs = Element("Output")
    points = shortest_name("points", taken)
    SubElement(outputs, "OutputField", _NUMBER, name=points, feature="predictedValue")
    classes, kind = model.classes.tolist(), _type_of(model.classes.tolist()[1])
    derived, score = _Derived(taken), Element("FieldRef", field=points)
    branches = [
        (
            derived.reaches(score, derived.number(boundary.form.formula.needed)),
            _constant(_label(label), kind),
        )
        for boundary, label in zip(model.boundaries, classes[1:])
    ]
    decided = {"name": target, "optype": "categorical", "dataType": kind}
    answer = SubElement(outputs, "OutputField", decided, feature="transformedValue")
    answer.append(derived.case(branches[::-1], _constant(_label(classes[0]), kind)))
    for rank in range(1, min(n_reasons, _MOST_REASONS) + 1):
        reason = {"name": shortest_name(f"reason_{rank}", taken), "rank": str(rank)}
        SubElement(outputs, "OutputField", _TEXT | reason, feature="reasonCode")
    return outputs


def _add_fields(dictionary: Element, model: Model | ModelPerClass, target: str | None) -> None:
    """Describe the criteria and, where it is a field, the class."""
    for criterion in columns_of(model):
        optype, kind = _FIELDS.get(criterion.kind, ("categorical", "string"))
        named = {"name": criterion.name}
        if criterion.kind == "date":
            named["displayName"] = titled(criterion)
        field = SubElement(dictionary, "DataField", named, optype=optype, dataType=kind)
        if criterion.known is None:  # else there may be labels that nobody has seen
            for label in criterion.labels or ():
                SubElement(field, "Value", value=label)
    if target is None:
        return
    kind = _type_of(model.classes.tolist()[1])
    field = SubElement(dictionary, "DataField", name=target, optype="categorical", dataType=kind)
    for label in model.classes.tolist():
        SubElement(field, "Value", value=_label(label))


def _type_of(label: object) -> str:
    names = {bool: "boolean", int: "integer", float: "double"}
    return names.get(type(label), "string")


def _label(label: object) -> str:
    return str(label).lower() if isinstance(label, bool) else str(label)


def _add_rules(parent: Element, rules: Iterable[Rule], otherwise: str) -> None:
    """The first rule that fires has the class."""
    rule_set = SubElement(parent, "RuleSet", defaultScore=otherwise)
    SubElement(rule_set, "RuleSelectionMethod", criterion="firstHit")
    for number, (predicate, label, counts) in enumerate(rules, start=1):
        identity = {"id": str(number), "score": _label(label)}
        SubElement(rule_set, "SimpleRule", identity | counts).append(predicate)


def _rules_in_order(model: Model, derived: _Derived) -> Iterator[Rule]:
    """From the highest class down: parts of which one is enough, or all of a boundary in one."""
    last = len(model.boundaries) - 1
    for place, boundary in reversed([*enumerate(model.boundaries)]):
        label, formula = model.classes.tolist()[place + 1], boundary.form.formula
        parts = _parts(boundary)
        if formula.joint == "and" and formula.outer == "or":
            counts = _counts(boundary, right=place == last)
            yield from ((part, label, one) for part, one in zip(parts, counts))
        elif formula.outer is not None:
            yield _joined(formula.outer, parts), label, {}
        else:
            met = {one: derived.condition(one) for one in conditions(boundary)}
            points = derived.add("points", Decisions(derived).points(boundary, met))
            yield _compared(points, "greaterOrEqual", str(formula.needed)), label, {}


def _parts(boundary: Boundary) -> list[Element]:
    """The parts of a form; elements belong to one parent, so that each part has its own."""
    asked, formula = conditions(boundary), boundary.form.formula
    return [_joined(formula.joint, [_predicate(asked[j]) for j in part]) for part in formula.parts]


def _counts(boundary: Boundary, *, right: bool) -> list[dict[str, str]]:
    """Training rows behind each part, where they were counted; and, if asked, how many are right.

    Below the highest class a rule says "at least", so that nobody has counted the class itself.
    """
    found = []
    for record in boundary.form.to_records():
        counts = {"recordCount": _number(record["support"])} if "support" in record else {}
        if right and counts and not math.isnan(record["precision"]):
            counts["nbCorrect"] = _number(round(record["support"] * record["precision"], 9))
            counts["confidence"] = _number(record["precision"])
        found.append(counts)
    return found


def _likeliest(model: ModelPerClass, derived: _Derived) -> Iterator[Rule]:
    """Probabilities as derived fields; the first class that none after it exceeds has the row."""
    decisions = Decisions(derived)
    chances = []
    for boundary in boundaries_of(model):
        met = {one: derived.condition(one) for one in conditions(boundary)}
        passed = derived.kept("passed", decisions.passed(boundary, met), "boolean")
        score = derived.kept("score", decisions.score(boundary, met))
        chances.append(derived.kept("chance", decisions.chance(boundary, passed, score)))
    places = [derived.number(place) for place in range(len(chances))]
    name = derived.add("likeliest", decisions.chosen(model, [], chances, places))
    for place, label in enumerate(model.classes.tolist()[:-1]):
        yield _compared(name, "equal", str(place)), label, {}


def _predicate(condition: Condition) -> Element:
    met = _met(condition)
    if not condition.missing:
        return met
    gap = Element("SimplePredicate", field=condition.column, operator="isMissing")
    return gap if met.tag == "False" else _joined("or", [met, gap])


def _met(condition: Condition) -> Element:
    """What a value that is there has to meet."""
    there = Element("SimplePredicate", field=condition.column, operator="isNotMissing")
    if condition.labels is not None:  # an array of them would be shorter, but engines differ
        how, operator = ("and", "notEqual") if condition.others else ("or", "equal")
        parts = [_compared(condition.column, operator, _label(x)) for x in condition.labels]
        return there if condition.others and not parts else _joined(how, parts)
    if condition.everything is not None:
        return _beside_codes(condition, there if condition.everything else Element("False"))
    operator = "greaterOrEqual" if condition.sign == ">=" else "lessOrEqual"
    met = _compared(condition.column, operator, _number(condition.level))
    return _beside_codes(condition, met)


def _beside_codes(condition: Condition, met: Element) -> Element:
    """Numbers that stand for no value are on either side of a level, whatever they are."""
    column = condition.column
    others = [_compared(column, "notEqual", _number(code)) for code in condition.other_codes]
    also = [_compared(column, "equal", _number(code)) for code in condition.codes]
    return _joined("or", [_joined("and", [met, *others]), *also])


def _compared(column: str, operator: str, value: str) -> Element:
    return Element("SimplePredicate", field=column, operator=operator, value=value)


def _joined(operator: str, parts: Sequence[Element]) -> Element:
    """Join predicates; none of them are true by "and", false by "or"."""
    if not parts:
        return Element("True" if operator == "and" else "False")
    if len(parts) == 1:
        return parts[0]
    joined = Element("CompoundPredicate", booleanOperator=operator)
    joined.extend(parts)
    return joined


class _Derived:
    """Derived fields, and functions of PMML as a `Language` to compute them."""

    def __init__(self, taken: Sequence[str]) -> None:
        self.taken = tuple(taken)
        self.fields = Element("LocalTransformations")

    def add(self, wanted: str, value: Element, kind: str = "double") -> str:
        """Add a field, and return its name."""
        name = shortest_name(f"{wanted}_{len(self.fields)}", self.taken)
        optype = "categorical" if kind == "boolean" else "continuous"
        field = SubElement(self.fields, "DerivedField", name=name, optype=optype, dataType=kind)
        field.append(value)
        return name

    def kept(self, wanted: str, value: Element, kind: str = "double") -> Element:
        """Add a field, and return what refers to it."""
        return Element("FieldRef", field=self.add(wanted, value, kind))

    def condition(self, condition: Condition) -> Element:
        """Whether a value, or its being missing, meets a condition."""
        column = Element("FieldRef", field=condition.column)
        if condition.labels is not None:
            how: Literal["and", "or"] = "and" if condition.others else "or"
            function = "notEqual" if condition.others else "equal"
            values = [_constant(_label(x), "string") for x in condition.labels]
            met = self.joined(how, [_applied(function, column, value) for value in values])
        elif condition.everything is not None:
            met = self._beside_codes(
                condition, self.joined("and" if condition.everything else "or", [])
            )
        else:
            function = "greaterOrEqual" if condition.sign == ">=" else "lessOrEqual"
            met = _applied(function, column, self.number(condition.level))
            met = self._beside_codes(condition, met)
        gap = self.joined("and" if condition.missing else "or", [])
        return _applied("if", _applied("isNotMissing", column), met, gap)

    def _beside_codes(self, condition: Condition, met: Element) -> Element:
        """Numbers that stand for no value are on either side of a level, whatever they are."""
        column = Element("FieldRef", field=condition.column)
        others = [_applied("notEqual", column, self.number(c)) for c in condition.other_codes]
        also = [_applied("equal", column, self.number(c)) for c in condition.codes]
        return self.joined("or", [self.joined("and", [met, *others]), *also])

    def joined(self, how: Literal["and", "or"], parts: Sequence[Element]) -> Element:
        """Join truth values."""
        if not parts:
            return _constant("true" if how == "and" else "false", "boolean")
        return _applied(how, *parts) if len(parts) > 1 else parts[0]

    def case(self, branches: Sequence[tuple[Element, Element]], otherwise: Element) -> Element:
        """Value of the first branch whose condition is true."""
        result = otherwise
        for condition, value in reversed(branches):
            result = _applied("if", condition, value, result)
        return result

    def number(self, number: float) -> Element:
        """A number."""
        return _constant(_number(float(number)), "double")

    def chance(self, probability: float) -> Element:
        """A probability."""
        return self.number(probability)

    def total(self, parts: Sequence[Element]) -> Element:
        """Sum of numbers."""
        return reduce(partial(_applied, "+"), parts)

    def reaches(self, one: Element, other: Element) -> Element:
        """Whether a number is at least another one."""
        return _applied("greaterOrEqual", one, other)


def _applied(function: str, *parts: Element) -> Element:
    """A function of some parts, which may stand elsewhere too."""
    element = Element("Apply", function=function)
    element.extend(map(deepcopy, parts))
    return element


def _constant(value: str, kind: str) -> Element:
    element = Element("Constant", dataType=kind)
    element.text = value
    return element


def _number(number: float) -> str:
    """Shortest decimal that reads back as the same double."""
    return repr(number).removesuffix(".0")
