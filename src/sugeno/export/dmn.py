"""DMN 1.3: a decision table, for the tools that business analysts work with."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from decimal import Decimal
from typing import Any
from xml.etree.ElementTree import Element, SubElement

import numpy as np

from sugeno._sets.masks import unpack
from sugeno.export._formula import Condition, conditions, exported_model
from sugeno.export.xml_document import document, shortest_name
from sugeno.model.boundary import Boundary
from sugeno.model.model import Model

__all__ = ["to_dmn"]

_NAMESPACE = "https://www.omg.org/spec/DMN/20191111/MODEL/"
#: Names that need no escape in the expression language, and its words, which are no names.
_PLAIN_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_WORD = re.compile(
    "and|between|date|else|every|external|false|for|function|if|in|instance|item|list|not|null|"
    "number|of|or|range|return|satisfies|some|string|then|time|true"
)


def to_dmn(classifier: Any) -> str:
    """Write a classifier as a DMN 1.3 decision table with the hit policy FIRST.

    Each rule is a row, with ``-`` where it does not look at a criterion; the last row has nothing
    but dashes and gives the other label, of ordered classes the lowest one, whose rows come after
    those of the higher ones. So a row of data with missing values (null), which meet
    no condition, is decided too.

    Parameters
    ----------
    classifier : estimator
        Any fitted classifier with a ``model_``.

    Returns
    -------
    str
        A DMN document. An input is called as its criterion if that is a plain name, else
        ``column_0``, ``column_1``, … with the name as its label. The decision is called
        ``class``, with underscores after it if an input is called so.

    Raises
    ------
    OverflowError
        If the rules are clauses joined by "and" that need more rows than anyone reads.

    Examples
    --------
    >>> from sugeno import SugenoClassifier
    >>> from sugeno.export import to_dmn
    >>> clf = SugenoClassifier(levels="single").fit([[1], [2], [3], [4]], [0, 0, 1, 1])
    >>> print(to_dmn(clf))
    <?xml version="1.0" encoding="UTF-8"?>
    ...
        <decisionTable id="table" hitPolicy="FIRST">
    ...
              <text>&gt;= 3</text>
    ...
    """
    model = exported_model(classifier)
    names = _input_names([criterion.name for criterion in model.criteria])
    target = shortest_name("class", names)
    root = Element("definitions", xmlns=_NAMESPACE, id="definitions", name="sugeno")
    root.set("namespace", "https://pypi.org/project/sugeno")
    decision = SubElement(root, "decision", id="decision", name=target)
    _described(decision, str(model.rules))
    kind = _type_of(model.classes.tolist()[1])
    SubElement(decision, "variable", id="variable", name=target, typeRef=kind)
    for number in range(len(names)):
        needed = SubElement(decision, "informationRequirement", id=f"requirement_{number}")
        SubElement(needed, "requiredInput", href=f"#input_{number}")
    _add_table(decision, model, names, kind)
    _add_inputs(root, model, names)
    return document(root)


def _input_names(criteria: Sequence[str]) -> tuple[str, ...]:
    """Criteria by their own names where these are plain, else by their places."""
    plain = [
        name if _PLAIN_NAME.fullmatch(name) and not _WORD.fullmatch(name) else None
        for name in criteria
    ]
    taken = tuple(name for name in plain if name)
    return tuple(
        name or shortest_name(f"column_{number}", taken) for number, name in enumerate(plain)
    )


def _add_inputs(root: Element, model: Model, names: Sequence[str]) -> None:
    for number, (name, criterion) in enumerate(zip(names, model.criteria)):
        kind = "number" if criterion.labels is None else "string"
        data = SubElement(root, "inputData", id=f"input_{number}", name=name, label=criterion.name)
        SubElement(data, "variable", id=f"input_variable_{number}", name=name, typeRef=kind)


def _add_table(decision: Element, model: Model, names: Sequence[str], kind: str) -> None:
    table = SubElement(decision, "decisionTable", id="table", hitPolicy="FIRST")
    for number, (name, criterion) in enumerate(zip(names, model.criteria)):
        column = SubElement(table, "input", id=f"column_input_{number}", label=criterion.name)
        type_ref = "number" if criterion.labels is None else "string"
        asked = SubElement(column, "inputExpression", id=f"asked_{number}", typeRef=type_ref)
        SubElement(asked, "text").text = name
    SubElement(table, "output", id="output", name=decision.get("name", ""), typeRef=kind)
    lowest, *labels = (_value(label) for label in model.classes.tolist())
    hits = [
        (cells, label)
        for boundary, label in reversed(list(zip(model.boundaries, labels)))
        for cells in _rows(boundary)
    ]
    for number, (cells, label) in enumerate(hits, start=1):
        _add_row(table, f"rule_{number}", cells, label)
    _add_row(table, "rule_otherwise", ["-"] * len(names), lowest)


def _add_row(table: Element, identity: str, cells: Sequence[str], answer: str) -> None:
    row = SubElement(table, "rule", id=identity)
    for number, cell in enumerate(cells):
        entry = SubElement(row, "inputEntry", id=f"{identity}_{number}")
        SubElement(entry, "text").text = cell
    SubElement(SubElement(row, "outputEntry", id=f"{identity}_answer"), "text").text = answer


def _rows(model: Boundary) -> list[list[str]]:
    """Tests of each criterion, for each boundary set; those that nothing meets are left out."""
    literals = model.literals
    parts = conditions(model)
    members = unpack(literals.chains.strongest(model.rules.boundary_sets), len(parts))
    rows = []
    for chosen in members:
        cells = ["-"] * len(literals.criteria)
        tests = {j: _test(parts[j]) for j in np.flatnonzero(chosen).tolist()}
        for j, test in tests.items():
            cells[int(literals.columns[j])] = test
        if "" not in tests.values():
            rows.append(cells)
    return rows


def _test(condition: Condition) -> str:
    """A unary test; empty if nothing can meet it."""
    if condition.labels is not None:
        return ", ".join(_value(label) for label in condition.labels)
    if math.isinf(condition.level):
        everything = (condition.level < 0) == (condition.sign == ">=")
        return "not(null)" if everything else ""
    return f"{condition.sign} {_number(condition.level)}"


def _number(number: float) -> str:
    """Digits without an exponent, which the language of DMN 1.3 lacks; read back as they were."""
    return f"{Decimal(repr(number).removesuffix('.0')):f}"


def _value(label: object) -> str:
    """A literal of the expression language."""
    if isinstance(label, bool):
        return str(label).lower()
    if isinstance(label, int | float):
        return _number(label)
    return '"' + str(label).replace("\\", "\\\\").replace('"', '\\"') + '"'


def _type_of(label: object) -> str:
    if isinstance(label, bool):
        return "boolean"
    return "number" if isinstance(label, int | float) else "string"


def _described(element: Element, text: str) -> None:
    SubElement(element, "description").text = text
