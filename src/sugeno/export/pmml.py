"""PMML 4.4: a RuleSetModel, for the engines that banks and insurers run."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any
from xml.etree.ElementTree import Element, SubElement

from sugeno.export._formula import Condition, conditions, exported_model
from sugeno.export.xml_document import document, shortest_name
from sugeno.model.boundary import Boundary
from sugeno.model.model import Model

__all__ = ["to_pmml"]


def to_pmml(classifier: Any) -> str:
    """Write a classifier as PMML 4.4: rules that fire first-hit, and a default score.

    Each rule has the number of training rows that it covers, how many of them are right, and its
    confidence, the share of those. A missing value makes what hangs on it unknown, and a rule that
    is not known to hold does not fire. Clauses joined by "and" are one rule, without counts. Of
    ordered classes the rules of the highest one come first; what they say is "at least", so that
    they have a count of rows, and none of right ones.

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
    model = exported_model(classifier)
    criteria = tuple(criterion.name for criterion in model.criteria)
    target = shortest_name("class", criteria)
    root = Element("PMML", xmlns="http://www.dmg.org/PMML-4_4", version="4.4")
    SubElement(
        SubElement(root, "Header", description=str(model.rules)), "Application", name="sugeno"
    )
    _add_fields(SubElement(root, "DataDictionary"), model, target)
    rule_set_model = SubElement(
        root, "RuleSetModel", functionName="classification", algorithmName="Sugeno integral"
    )
    schema = SubElement(rule_set_model, "MiningSchema")
    for name in criteria:
        SubElement(schema, "MiningField", name=name)
    SubElement(schema, "MiningField", name=target, usageType="target")
    if len(model.boundaries) > 1:
        _add_ordered_rules(rule_set_model, model)
    else:
        _add_rules(rule_set_model, model.boundaries[0])
    return document(root)


def _add_fields(dictionary: Element, model: Model, target: str) -> None:
    """Describe the criteria and the class."""
    for criterion in model.criteria:
        if criterion.labels is None:
            optype, kind = "continuous", "double"
        else:
            optype, kind = "ordinal", "string"
        field = SubElement(
            dictionary, "DataField", name=criterion.name, optype=optype, dataType=kind
        )
        for label in criterion.labels or ():
            SubElement(field, "Value", value=label)
    kind = _type_of(model.classes.tolist()[1])
    field = SubElement(dictionary, "DataField", name=target, optype="categorical", dataType=kind)
    for label in model.classes.tolist():
        SubElement(field, "Value", value=_label(label))


def _type_of(label: object) -> str:
    names = {bool: "boolean", int: "integer", float: "double"}
    return names.get(type(label), "string")


def _label(label: object) -> str:
    return str(label).lower() if isinstance(label, bool) else str(label)


def _add_rules(parent: Element, model: Boundary) -> None:
    negative, positive = (_label(label) for label in model.labels.tolist())
    rule_set = SubElement(parent, "RuleSet", defaultScore=negative)
    SubElement(rule_set, "RuleSelectionMethod", criterion="firstHit")
    rules = model.rules
    parts = [_predicate(condition) for condition in conditions(model)]
    if rules.form == "cnf":
        clauses = [_joined("or", [parts[j] for j in members]) for members in rules.sets]
        rule = SubElement(rule_set, "SimpleRule", id="1", score=positive)
        rule.append(_joined("and", clauses))
        return
    for number, (members, counts) in enumerate(zip(rules.sets, _counts(model)), start=1):
        rule = SubElement(rule_set, "SimpleRule", {"id": str(number), "score": positive} | counts)
        rule.append(_joined("and", [parts[j] for j in members]))


def _add_ordered_rules(parent: Element, model: Model) -> None:
    """From the highest class down: the first rule that fires has the class."""
    lowest, *labels = (_label(label) for label in model.classes.tolist())
    rule_set = SubElement(parent, "RuleSet", defaultScore=lowest)
    SubElement(rule_set, "RuleSelectionMethod", criterion="firstHit")
    number = 0
    for boundary, label in reversed(list(zip(model.boundaries, labels))):
        for members, counts in zip(boundary.rules.sets, _counts(boundary)):
            number += 1
            counted = {name: counts[name] for name in ("recordCount",) if name in counts}
            rule = SubElement(rule_set, "SimpleRule", {"id": str(number), "score": label} | counted)
            # Elements belong to one parent, so that each rule has its own.
            parts = [_predicate(condition) for condition in conditions(boundary)]
            rule.append(_joined("and", [parts[j] for j in members]))


def _counts(model: Boundary) -> list[dict[str, str]]:
    """Training rows behind each rule, where they were counted."""
    support = model.rules.support
    if support is None:
        return [{} for _ in range(len(model.rules))]
    return [
        {"recordCount": _number(weight)}
        if math.isnan(share)
        else {
            "recordCount": _number(weight),
            "nbCorrect": _number(round(weight * share, 9)),
            "confidence": _number(share),
        }
        for weight, share in zip(support.weight.tolist(), support.precision.tolist())
    ]


def _predicate(condition: Condition) -> Element:
    if condition.labels is not None:  # an array of them would be shorter, but engines differ
        return _joined("or", [_compared(condition.column, "equal", x) for x in condition.labels])
    if math.isinf(condition.level):
        everything = (condition.level < 0) == (condition.sign == ">=")
        if not everything:
            return Element("False")
        return Element("SimplePredicate", field=condition.column, operator="isNotMissing")
    operator = "greaterOrEqual" if condition.sign == ">=" else "lessOrEqual"
    return _compared(condition.column, operator, _number(condition.level))


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


def _number(number: float) -> str:
    """Shortest decimal that reads back as the same double."""
    return repr(number).removesuffix(".0")
