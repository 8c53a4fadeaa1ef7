"""Classes without an order decide alike on every engine, with gaps, ties and odd names."""

import json
import re
from types import SimpleNamespace
from xml.etree import ElementTree

import lxml.etree
import narwhals as nw
import numpy as np
import onnx
import onnxruntime
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from SpiffWorkflow.bpmn.script_engine import PythonScriptEngine
from SpiffWorkflow.dmn.engine.DMNEngine import DMNEngine
from SpiffWorkflow.dmn.parser.DMNParser import DMNParser

from costly import costly
from export.export_frames import arrow_table
from export.ordinal_frames import on_duckdb
from export.postgres_server import on_postgres
from export.test_dmn import SPACE, inputs, literal, meets
from export.test_dmn import schema as dmn_schema
from export.test_pmml import assert_follows_the_schema
from random_models import pessimistic, random_model, random_probability, rows_for
from sugeno import RuleClassifier, SugenoClassifier
from sugeno.export import to_dmn, to_expression, to_onnx, to_pmml, to_python, to_sql
from sugeno.model.model import Model
from sugeno.model.per_class import ModelPerClass

SEEDS = (1, 2, 5)
KINDS = np.array(["fish", 'it\'s "a" bird', "none of them", "other"])


def classifier(seed, *, labelled=True, equal=False):
    """A model of each class against the rest, of the same columns; equal ones tie everywhere."""
    rng = np.random.default_rng(seed)
    first = random_model(seed, labelled=labelled, classes=np.array([False, True]))
    models = [Model.of_two_classes(first)]
    for _ in range(int(rng.integers(1, 4))):
        chances = random_probability(rng, first.literals.levels.size)
        fields = vars(first) | {} if equal else vars(first) | {"probability": chances}
        kept = {name: fields[name] for name in type(first).__dataclass_fields__}
        models.append(Model.of_two_classes(type(first)(**kept)))
    return RuleClassifier.of(ModelPerClass(KINDS[: len(models)], tuple(models)))


def rows_with_gaps(clf, seed, n, *, infinite=True):
    """Numbers with NaN, infinite ones and NULL, and which are NULL."""
    first = clf.model_.models[0].boundaries[0]
    rng = np.random.default_rng([seed, 1])
    X = rows_for(first, seed, n)
    special = rng.random(X.shape) < 0.1
    special[:, [criterion.labels is not None for criterion in first.criteria]] = False
    X[special] = rng.choice([np.nan, *[np.inf, -np.inf] * infinite, -0.0], int(special.sum()))
    missing = rng.random(X.shape) < 0.05
    X[missing] = np.nan
    return X, missing


def table_of(clf, X, missing):
    return arrow_table(clf.model_.models[0].boundaries[0], X, missing)


def chances_of(clf, X):
    """The probability of each class against the rest, if NaN reaches no level."""
    return np.column_stack([pessimistic(one.boundaries[0], X)[1] for one in clf.model_.models])


def labels_of(clf, X):
    return clf.classes_.take(chances_of(clf, X).argmax(axis=1)).tolist()


def probabilities_of(clf, X):
    """Shares of a sum from left to right, as nobody but a loop takes it for sure."""
    found = []
    for row in chances_of(clf, X).tolist():
        total = 0.0
        for chance in row:
            total += chance
        found.append([chance / total if total else 1 / len(row) for chance in row])
    return np.array(found)


def asked_of(clf, **options):
    labels = clf.classes_.tolist()
    chances = (to_sql(clf, output="probability", label=one, **options) for one in labels)
    return [to_sql(clf, **options), *chances]


def assert_answers(clf, X, found):
    labels, *chances = found
    assert list(labels) == labels_of(clf, X)
    assert np.array_equal(np.array(chances, dtype=float).T, probabilities_of(clf, X))


@pytest.mark.parametrize("seed", SEEDS)
def test_duckdb_agrees_on_rows_with_gaps(seed):
    clf = classifier(seed)
    X, missing = rows_with_gaps(clf, seed, 10_000)
    assert_answers(clf, X, on_duckdb(table_of(clf, X, missing), asked_of(clf)))


@pytest.mark.parametrize("seed", SEEDS)
def test_postgres_agrees_on_rows_with_gaps(seed, psql, tmp_path):
    clf = classifier(seed)
    X, missing = rows_with_gaps(clf, seed, 3_000)
    asked = asked_of(clf, dialect="postgres")
    assert_answers(clf, X, on_postgres(psql, table_of(clf, X, missing), asked, tmp_path))


# Few models, since DuckDB takes seconds to plan what unordered classes compare.
@pytest.mark.parametrize(("seed", "equal"), [*((seed, False) for seed in SEEDS), (SEEDS[0], True)])
def test_sql_expressions_and_python_agree(seed, equal):
    clf = classifier(seed, equal=equal)
    X, missing = rows_with_gaps(clf, seed, 30)
    table = table_of(clf, X, missing)
    assert_answers(clf, X, on_duckdb(table, asked_of(clf)))
    frame = nw.from_native(pl.from_arrow(table).lazy())
    labels = clf.classes_.tolist()
    columns = [
        to_expression(clf, output="probability", label=one).alias(f"p{i}")
        for i, one in enumerate(labels)
    ]
    answers = frame.select(to_expression(clf), *columns).collect()
    names = ["label", *(f"p{i}" for i in range(len(labels)))]
    assert_answers(clf, X, [answers[name].to_list() for name in names])
    module = {}
    exec(to_python(clf), module)
    rows = table.to_pylist()
    found = [module["probabilities"](row) for row in rows]
    assert [list(one) for one in found[:1]] == [labels]
    columns = zip(*(one.values() for one in found))
    assert_answers(clf, X, [[module["label"](row) for row in rows], *columns])


@costly
@given(seed=st.integers(0, 2**32), equal=st.booleans())
def test_onnx_answers_alike_on_any_model(seed, equal):
    clf = classifier(seed, equal=equal)
    X, _ = rows_with_gaps(clf, seed, 40)
    proto = to_onnx(clf)
    onnx.checker.check_model(proto, full_check=True)
    session = onnxruntime.InferenceSession(
        proto.SerializeToString(), providers=["CPUExecutionProvider"]
    )
    labels, chances = session.run(None, {"X": X})
    assert_answers(clf, X, [labels.tolist(), *chances.T])


def by_spiff(decision, row):
    """What SpiffWorkflow makes of one table; it lists hits, which a sum adds up."""
    parser = DMNParser(None, decision, {"dmn": SPACE["d"]})
    parser.parse()
    table = DMNEngine(parser.decision.decisionTables[0])
    workflow = SimpleNamespace(script_engine=PythonScriptEngine())
    (found,) = table.result(SimpleNamespace(data=row, workflow=workflow)).values()
    return sum(found) if isinstance(found, list) else found


def by_hand(decision, row):
    """What a small reader makes of one table; null meets nothing but a dash."""
    asked = [node.text for node in decision.iterfind(".//d:inputExpression/d:text", SPACE)]
    values = [row[one] if one in row else _difference(one, row) for one in asked]
    hits = []
    for rule in decision.iterfind(".//d:rule", SPACE):
        tests = [node.text for node in rule.iterfind("d:inputEntry/d:text", SPACE)]
        if all(meets(value, test) for value, test in zip(values, tests, strict=True)):
            hits.append(literal(rule.find("d:outputEntry/d:text", SPACE).text))
    summed = decision.find("d:decisionTable", SPACE).get("aggregation") == "SUM"
    return sum(hits) if summed else hits[0]


def _difference(expression, row):
    one, other = expression.split(" - ")
    return row[one] - row[other]


def decided(text, row, decide):
    """Go through the decisions, each of which needs only those before it."""
    root = lxml.etree.fromstring(text.encode())
    known = dict(row)
    for decision in root.iterfind("d:decision", SPACE):
        alone = lxml.etree.Element(root.tag, nsmap=root.nsmap)
        alone.append(decision.__copy__())
        known[decision.get("name")] = decide(alone if decide is by_spiff else decision, known)
    return known[root.findall("d:decision", SPACE)[-1].get("name")]


@costly
@given(seed=st.integers(0, 2**32), equal=st.booleans())
def test_decision_tables_follow_the_schema_and_decide_alike(seed, equal):
    clf = classifier(seed, equal=equal)
    text = to_dmn(clf)
    dmn_schema().assertValid(lxml.etree.fromstring(text.encode()))
    X, missing = rows_with_gaps(clf, seed, 20)
    table = table_of(clf, X, missing | np.isnan(X))
    table = table.rename_columns(inputs(ElementTree.fromstring(text)))
    assert [decided(text, row, by_hand) for row in table.to_pylist()] == labels_of(clf, X)


def learned():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 6, (90, 3)).astype(float)
    noise = rng.normal(0, 1, (2, 90))
    sides = np.column_stack([5 - X.max(axis=1), X[:, 0] + noise[0], X[:, 1] + noise[1]])
    return X, np.array(["low", "tall", "wide"])[sides.argmax(axis=1)]


@pytest.mark.filterwarnings("ignore::sugeno.WeakDirectionWarning")
def test_another_engine_decides_by_the_tables_alike():
    X, y = learned()
    clf = SugenoClassifier(levels=2).fit(X, y)
    names = [f"x{j}" for j in range(3)]
    found = [decided(to_dmn(clf), dict(zip(names, row)), by_spiff) for row in X[:40].tolist()]
    assert found == clf.predict(X[:40]).tolist()
    assert set(found) == set(y)


@pytest.mark.filterwarnings("ignore::sugeno.WeakDirectionWarning")
def test_a_learned_classifier_answers_alike():
    X, y = learned()
    clf = SugenoClassifier(levels=2).fit(X, y)
    found, *chances = on_duckdb(pd.DataFrame(X, columns=["x0", "x1", "x2"]), asked_of(clf))
    assert found == clf.predict(X).tolist()
    assert np.array_equal(np.array(chances).T, clf.predict_proba(X))


@costly
@given(seed=st.integers(0, 2**32))
def test_any_pmml_follows_the_schema(seed):
    assert_follows_the_schema(to_pmml(classifier(seed)))


@pytest.mark.filterwarnings("ignore")  # of pypmml and what it imports
@pytest.mark.parametrize("seed", SEEDS)
def test_another_engine_decides_by_pmml_alike(seed, engine):
    clf = classifier(seed)
    X, missing = rows_with_gaps(clf, seed, 300, infinite=False)
    rows = table_of(clf, X, missing | np.isnan(X)).to_pylist()
    found = json.loads(engine(to_pmml(clf)).predict(json.dumps(rows)))
    assert [row["predicted_class"] for row in found] == labels_of(clf, X)


def test_what_cannot_be_said_is_refused_with_the_remedy():
    clf = classifier(2)
    with pytest.raises(ValueError, match="output must be one of label, probability"):
        to_sql(clf, output="accepted")
    with pytest.raises(ValueError, match=re.escape("label must be one of ['fish'")):
        to_expression(clf, output="probability")
