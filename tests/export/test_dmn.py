"""The document follows the schema, and another engine and a small reader decide alike."""

import operator
import re
from functools import cache
from importlib.resources import as_file, files
from types import SimpleNamespace
from xml.etree import ElementTree

import lxml.etree
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from SpiffWorkflow.bpmn.script_engine import PythonScriptEngine
from SpiffWorkflow.dmn.engine.DMNEngine import DMNEngine
from SpiffWorkflow.dmn.parser.DMNParser import DMNParser

from classifier_tables import grades
from export.export_frames import SEEDS, arrow_table, classifier, expected, rows_with_gaps
from random_models import rows_for
from sugeno import SugenoClassifier
from sugeno.export import to_dmn

SPACE = {"d": "https://www.omg.org/spec/DMN/20191111/MODEL/"}
STRING = re.compile(r'"((?:[^"\\]|\\.)*)"')
COMPARE = {">=": operator.ge, "<=": operator.le, ">": operator.gt, "<": operator.lt}
PART = re.compile(r'"(?:[^"\\]|\\.)*"|[^,"]*[^,"\s][^,"]*')


@cache
def schema():
    """The schema of DMN 1.3, which comes with SpiffWorkflow."""
    with as_file(files("SpiffWorkflow").joinpath("dmn/parser/schema")) as folder:
        return lxml.etree.XMLSchema(lxml.etree.parse(folder / "DMN13.xsd"))


def literal(text):
    """A value of the expression language: text, truth value or number."""
    string = STRING.fullmatch(text)
    if string:
        return re.sub(r"\\(.)", r"\1", string[1])
    if text in ("true", "false"):
        return text == "true"
    assert re.fullmatch(r"-?[0-9]+(\.[0-9]+)?", text), text  # no exponent
    return float(text)


def meets(value, test):
    """Whether a value meets a unary test: one of a list, or none of it; a dash is met by all."""
    if test == "-":
        return True
    others = re.fullmatch(r"not\((.*)\)", test, re.DOTALL)
    parts = PART.findall(others[1] if others else test)
    return any(meets_one(value, part.strip()) for part in parts) != bool(others)


def meets_one(value, test):
    """Whether a value meets one of a list of tests; null equals itself only."""
    comparison = re.fullmatch(r"(>=|<=|>|<) (\S+)", test)
    interval = re.fullmatch(r"([\[\]])(\S+)\.\.(\S+)([\[\]])", test)
    if value is None or test == "null":
        return value is None and test == "null"
    if comparison:
        return COMPARE[comparison[1]](value, literal(comparison[2]))
    if interval:
        above = COMPARE[">=" if interval[1] == "[" else ">"](value, literal(interval[2]))
        return above and COMPARE["<=" if interval[4] == "]" else "<"](value, literal(interval[3]))
    return value == literal(test)


def decide(root, row):
    """First hit in the table."""
    names = [node.text for node in root.iterfind(".//d:inputExpression/d:text", SPACE)]
    for rule in root.iterfind(".//d:rule", SPACE):
        tests = [node.text for node in rule.iterfind("d:inputEntry/d:text", SPACE)]
        if all(meets(row[name], test) for name, test in zip(names, tests, strict=True)):
            return literal(rule.find("d:outputEntry/d:text", SPACE).text)
    raise AssertionError("no row of the table was hit")


def inputs(root):
    return [node.get("name") for node in root.iterfind("d:inputData", SPACE)]


@given(seed=st.integers(0, 2**32))
def test_any_document_follows_the_schema_and_decides_alike(seed):
    clf = classifier(seed)
    text = to_dmn(clf)
    schema().assertValid(lxml.etree.fromstring(text.encode()))
    root = ElementTree.fromstring(text)
    X, missing = rows_with_gaps(clf.model_.boundaries[0], seed, 40)
    missing |= np.isnan(X)
    table = arrow_table(clf.model_.boundaries[0], X, missing).rename_columns(inputs(root))
    found = [decide(root, row) for row in table.to_pylist()]
    assert found == expected(clf.model_.boundaries[0], X, "label")


def decided_by_spiff(text, X):
    """What SpiffWorkflow says about rows of numbers."""
    node = lxml.etree.fromstring(text.encode())
    parser = DMNParser(None, node, {"dmn": SPACE["d"]})
    parser.parse()
    engine = DMNEngine(parser.decision.decisionTables[0])
    workflow = SimpleNamespace(script_engine=PythonScriptEngine())
    names = inputs(node)
    found = []
    for row in X.tolist():
        task = SimpleNamespace(data=dict(zip(names, row)), workflow=workflow)
        found.append(engine.result(task)["class"])
    return found


@pytest.mark.parametrize("seed", SEEDS)
def test_another_engine_decides_alike(seed):
    clf = classifier(seed, labelled=False)  # its tests are Python, which has no lists of labels
    X = rows_for(clf.model_.boundaries[0], seed, 150)
    assert decided_by_spiff(to_dmn(clf), X) == expected(clf.model_.boundaries[0], X, "label")


def test_the_last_row_is_explicit_and_the_first_hit_decides():
    X, y = grades()
    clf = SugenoClassifier(levels=2).fit(X, y)
    root = ElementTree.fromstring(to_dmn(clf))
    assert root.find(".//d:decisionTable", SPACE).get("hitPolicy") == "FIRST"
    *rules, last = root.iterfind(".//d:rule", SPACE)
    assert len(rules) == len(clf.rules_)
    assert {node.text for node in last.iterfind("d:inputEntry/d:text", SPACE)} == {"-"}
    assert last.find("d:outputEntry/d:text", SPACE).text == "0"


def test_inputs_have_plain_names_and_their_own_as_labels():
    root = ElementTree.fromstring(to_dmn(classifier(2)))
    labels = [node.get("label") for node in root.iterfind("d:inputData", SPACE)]
    assert labels == list(classifier(2).rules_.criteria)
    assert all(re.fullmatch(r"[A-Za-z_]\w*", name) for name in inputs(root))
    plain = [label for label in labels if re.fullmatch(r"[a-z]+", label)]
    assert plain
    assert set(plain) <= set(inputs(root))


@pytest.mark.parametrize(
    ("classes", "kind"),
    [
        (np.array([False, True]), "boolean"),
        (np.array([-1, 1]), "number"),
        (np.array([0.5, 1e-7]), "number"),
        (np.array(['a\\"b', "c"]), "string"),
    ],
)
def test_class_labels_have_their_type(classes, kind):
    clf = classifier(2, classes=classes)
    root = ElementTree.fromstring(to_dmn(clf))
    assert root.find(".//d:output", SPACE).get("typeRef") == kind
    nothing = dict.fromkeys(inputs(root))
    X = np.full((1, len(nothing)), np.nan)
    assert [decide(root, nothing)] == expected(clf.model_.boundaries[0], X, "label")
