"""DMN 1.3: a decision table, for the tools that business analysts work with."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import combinations
from typing import Any, TypeAlias
from xml.etree.ElementTree import Element, SubElement

import numpy as np

from sugeno._scales.criterion import Criterion
from sugeno._sets.masks import unpack
from sugeno.export._formula import (
    Condition,
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

__all__ = ["to_dmn"]

#: The cells of a row of a table, and its answer.
Hit: TypeAlias = tuple[list[str], str]

_NAMESPACE = "https://www.omg.org/spec/DMN/20191111/MODEL/"
#: Names that need no escape in the expression language, and its words, which are no names.
_PLAIN_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_WORD = re.compile(
    "and|between|date|else|every|external|false|for|function|if|in|instance|item|list|not|null|"
    "number|of|or|range|return|satisfies|some|string|then|time|true"
)


def to_dmn(classifier: Any) -> str:
    """Write a classifier as a DMN 1.3 decision table with the hit policy FIRST.

    Each rule is a row, with ``-`` where it does not look at a criterion. The last row has nothing
    but dashes and gives the other label. Of ordered classes the rows of higher ones come first, and
    the last row has the lowest class. So a row of data with missing values (null), which meet no
    condition, is decided too. Of classes without an order each has tables of its own: whether its
    rules hold, its score and its probability. The last table has the likeliest class. Dates are
    numbers of days since 1970, since tools do not compare them with times alike.

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
        <decisionTable id="decision_table" hitPolicy="FIRST">
    ...
              <text>&gt;= 3</text>
    ...
    """
    model = exported_rules(classifier)
    names = _input_names([criterion.name for criterion in columns_of(model)])
    graph = _Graph.begun(columns_of(model), names, shortest_name("class", names))
    if isinstance(model, Model):
        hits = _ordered_table(graph, model)
    else:
        hits = _likeliest_table(graph, model)
    kind = _type_of(model.classes.tolist()[1])
    graph.add("decision", graph.target, *hits, kind=kind, text=text_of(model))
    graph.add_inputs()
    return document(graph.root)


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


@dataclass(frozen=True)
class _Column:
    """What a column of a table asks for, its title, its type, and what it needs."""

    expression: str
    title: str
    kind: str
    needed: tuple[str, ...]


@dataclass(frozen=True)
class _Graph:
    """A document of decisions that need inputs and each other."""

    root: Element
    criteria: tuple[Criterion, ...]
    names: tuple[str, ...]
    target: str

    @classmethod
    def begun(cls, criteria: tuple[Criterion, ...], names: tuple[str, ...], target: str) -> _Graph:
        """A document without decisions."""
        root = Element("definitions", xmlns=_NAMESPACE, id="definitions", name="sugeno")
        root.set("namespace", "https://pypi.org/project/sugeno")
        return cls(root, criteria, names, target)

    def columns(self, boundary: Boundary) -> list[_Column]:
        """A column for each criterion; two for an input that is read in both directions."""
        places = {criterion.name: number for number, criterion in enumerate(self.criteria)}
        return [
            _Column(
                self.names[places[criterion.name]],
                titled(criterion),
                _kind_of(criterion),
                (f"input_{places[criterion.name]}",),
            )
            for criterion in boundary.criteria
        ]

    def add_inputs(self) -> None:
        """Describe the criteria."""
        for number, (name, one) in enumerate(zip(self.names, self.criteria)):
            data = SubElement(
                self.root, "inputData", id=f"input_{number}", name=name, label=titled(one)
            )
            variable = f"input_variable_{number}"
            SubElement(data, "variable", id=variable, name=name, typeRef=_kind_of(one))

    def add(
        self,
        identity: str,
        name: str,
        columns: Sequence[_Column],
        hits: Sequence[Hit],
        *,
        kind: str,
        summed: bool = False,
        text: str = "",
    ) -> None:
        """Add a decision by a table, of which the first hit counts, or the sum of all hits."""
        decision = SubElement(self.root, "decision", id=identity, name=name)
        if text:
            SubElement(decision, "description").text = text
        SubElement(decision, "variable", id=f"{identity}_variable", name=name, typeRef=kind)
        for number, one in enumerate(dict.fromkeys(one for c in columns for one in c.needed)):
            asked = SubElement(decision, "informationRequirement", id=f"{identity}_needs_{number}")
            role = "requiredInput" if one.startswith("input_") else "requiredDecision"
            SubElement(asked, role, href=f"#{one}")
        policy = (
            {"hitPolicy": "COLLECT", "aggregation": "SUM"} if summed else {"hitPolicy": "FIRST"}
        )
        table = SubElement(decision, "decisionTable", {"id": f"{identity}_table"} | policy)
        _add_columns(table, identity, columns)
        SubElement(table, "output", id=f"{identity}_output", name=name, typeRef=kind)
        _add_rows(table, identity, hits)

    def score(self, identity: str, boundary: Boundary, gains: Sequence[int]) -> _Column:
        """Add a table whose hits are summed up: what each condition that is met adds."""
        asked, places = conditions(boundary), boundary.literals.columns.tolist()
        columns = self.columns(boundary)
        hits = [(["-"] * len(columns), "0")]
        for condition, place, gain in zip(asked, places, gains):
            if gain and _test(condition):
                cells = ["-"] * len(columns)
                cells[place] = _test(condition)
                hits.append((cells, str(gain)))
        return self._added(identity, hits, columns, summed=True)

    def passed(self, identity: str, boundary: Boundary) -> tuple[_Column, str]:
        """Add a table that tells whether a boundary is passed, and return the test for that."""
        formula = boundary.form.formula
        if formula.outer is None:  # a part of a card is one literal
            points = [0] * boundary.literals.levels.size
            for (literal,), worth in zip(formula.parts, formula.points):
                points[literal] = worth
            return self.score(identity, boundary, points), f">= {formula.needed}"
        columns = self.columns(boundary)
        hits = [(cells, "1") for cells in _rows(boundary)]
        hits.append((["-"] * len(columns), "0"))
        return self._added(identity, hits, columns), ">= 1"

    def chance(self, number: int, boundary: Boundary) -> _Column:
        """Add tables that tell the probability of what lies above a boundary."""
        probability = boundary.probability
        passed, test = self.passed(f"passed_{number}", boundary)
        gains = [int(gain) for gain in probability.gains.tolist()]
        score = self.score(f"score_{number}", boundary, gains)
        hits = []
        for cell, steps in ((test, probability.accepted), ("-", probability.rejected)):
            pairs = [*zip(steps.starts.tolist(), steps.values.tolist())]
            hits += [([cell, f">= {_number(s)}"], _number(v)) for s, v in pairs[:0:-1]]
            hits.append(([cell, "-"], _number(pairs[0][1])))
        return self._added(f"chance_{number}", hits, [passed, score])

    def _added(
        self,
        identity: str,
        hits: Sequence[Hit],
        columns: Sequence[_Column],
        *,
        summed: bool = False,
    ) -> _Column:
        """Add a decision about a number, which another one needs."""
        name = shortest_name(identity, (*self.names, self.target))
        self.add(identity, name, columns, hits, kind="number", summed=summed)
        return _Column(name, name, "number", (identity,))


def _add_columns(table: Element, identity: str, columns: Sequence[_Column]) -> None:
    for number, column in enumerate(columns):
        entry = SubElement(table, "input", id=f"{identity}_input_{number}", label=column.title)
        asked = {"id": f"{identity}_asked_{number}", "typeRef": column.kind}
        SubElement(SubElement(entry, "inputExpression", asked), "text").text = column.expression


def _add_rows(table: Element, identity: str, hits: Sequence[Hit]) -> None:
    for number, (cells, answer) in enumerate(hits, start=1):
        name = f"{identity}_rule_{number}"
        row = SubElement(table, "rule", id=name)
        for place, cell in enumerate(cells):
            entry = SubElement(row, "inputEntry", id=f"{name}_{place}")
            SubElement(entry, "text").text = cell
        SubElement(SubElement(row, "outputEntry", id=f"{name}_answer"), "text").text = answer


def _ordered_table(graph: _Graph, model: Model) -> tuple[list[_Column], list[Hit]]:
    """The rules of the highest class come first; the last row has the lowest one."""
    columns, found = graph.columns(model.boundaries[0]), []
    lowest, *labels = (_value(label) for label in model.classes.tolist())
    for number, (boundary, label) in reversed([*enumerate(zip(model.boundaries, labels))]):
        if boundary.form.formula.outer is None:
            column, test = graph.passed(f"points_{number}", boundary)
            found.append(({len(columns): test}, label))
            columns.append(column)
        else:
            found += [(dict(enumerate(cells)), label) for cells in _rows(boundary)]
    found.append(({}, lowest))
    places = range(len(columns))
    return columns, [([cells.get(i, "-") for i in places], label) for cells, label in found]


def _likeliest_table(graph: _Graph, model: ModelPerClass) -> tuple[list[_Column], list[Hit]]:
    """A class is chosen if none after it is likelier; the last row has the last class."""
    chances = [graph.chance(i, boundary) for i, boundary in enumerate(boundaries_of(model))]
    classes = model.classes.tolist()
    pairs = [*combinations(range(len(classes)), 2)]
    columns = [
        _Column(
            f"{chances[i].expression} - {chances[j].expression}",
            f"{classes[i]} against {classes[j]}",
            "number",
            chances[i].needed + chances[j].needed,
        )
        for i, j in pairs
    ]
    hits = [
        ([">= 0" if i == place else "-" for i, _ in pairs], _value(label))
        for place, label in enumerate(classes)
    ]
    return columns, hits


def _rows(model: Boundary) -> list[list[str]]:
    """Tests of each criterion, for each boundary set; those that nothing meets are left out."""
    literals = model.literals
    parts = conditions(model)
    members = unpack(literals.chains.strongest(model.form.boundary_sets), len(parts))
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
        return _among([*map(_value, condition.labels)], condition.others, condition.missing)
    if condition.codes or condition.other_codes:
        return _beside_codes(condition)
    if condition.everything is not None:
        return _among([], condition.everything, condition.missing)
    return f"{condition.sign} {_number(condition.level)}" + ", null" * condition.missing


def _beside_codes(condition: Condition) -> str:
    """Intervals between the numbers that stand for no value, and those of them that meet it."""
    holes, level = sorted(condition.other_codes), condition.level
    first = level if condition.sign == ">=" else -math.inf
    last = level if condition.sign == "<=" else math.inf
    lows = [first, *holes]
    tests = [
        _interval(low, high, closed=(low not in holes, high not in holes))
        for low, high in zip(lows, [*holes, last])
        if low < high
    ]
    codes = [_number(code) for code in condition.codes]
    return ", ".join([*tests, *codes, *["null"] * condition.missing])


def _interval(low: float, high: float, closed: tuple[bool, bool]) -> str:
    """The test for an interval, which is without an end where that is infinite."""
    if math.isinf(low):
        return f"{'<=' if closed[1] else '<'} {_number(high)}"
    if math.isinf(high):
        return f"{'>=' if closed[0] else '>'} {_number(low)}"
    return f"{'[' if closed[0] else ']'}{_number(low)}..{_number(high)}{']' if closed[1] else '['}"


def _among(values: list[str], others: bool, missing: bool) -> str:
    """Some values, or all others; null, which equals no other value, among them or not."""
    listed = ", ".join([*values, *["null"] * (missing != others)])
    if not others:
        return listed
    return f"not({listed})" if listed else "-"


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


def _kind_of(criterion: Criterion) -> str:
    kinds = {"number": "number", "date": "number", "truth": "boolean"}
    return kinds.get(criterion.kind, "string")
