"""Ordered classes decide alike in ONNX, PMML, DMN and Python, with gaps and odd names."""

import json
from xml.etree import ElementTree

import lxml.etree
import narwhals as nw
import numpy as np
import onnx
import onnxruntime
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from costly import costly
from export.ordinal_frames import (
    SEEDS,
    classifier,
    labels_of,
    on_duckdb,
    probabilities_of,
    rows_with_gaps,
    table_of,
)
from export.test_dmn import decide, decided_by_spiff, inputs
from export.test_dmn import schema as dmn_schema
from export.test_pmml import assert_follows_the_schema
from ordinal_models import graded_table, ordinal_rows
from sugeno import OrdinalRuleClassifier, SugenoOrdinalClassifier
from sugeno.export import to_dmn, to_expression, to_onnx, to_pmml, to_python, to_sql


@costly
@given(seed=st.integers(0, 2**32))
def test_python_source_answers_alike(seed):
    clf = classifier(seed)
    X, missing = rows_with_gaps(clf.model_, seed, 40)
    module = {}
    exec(to_python(clf), module)
    rows = table_of(clf.model_, X, missing).to_pylist()
    assert [module["label"](row) for row in rows] == labels_of(clf.model_, X)
    found = [module["probabilities"](row) for row in rows]
    assert [list(one) for one in found[:1]] == [clf.order_.tolist()]
    assert [list(one.values()) for one in found] == probabilities_of(clf.model_, X).tolist()


def assert_onnx_answers(clf, X):
    proto = to_onnx(clf)
    onnx.checker.check_model(proto, full_check=True)
    session = onnxruntime.InferenceSession(
        proto.SerializeToString(), providers=["CPUExecutionProvider"]
    )
    labels, chances = session.run(None, {"X": X})
    assert labels.tolist() == labels_of(clf.model_, X)
    order = np.argsort(clf.order_)
    assert np.array_equal(chances, probabilities_of(clf.model_, X)[:, order])


@pytest.mark.parametrize("seed", SEEDS)
def test_onnx_answers_alike_on_many_rows(seed):
    clf = classifier(seed)
    assert_onnx_answers(clf, rows_with_gaps(clf.model_, seed, 25_000)[0])


@costly
@given(seed=st.integers(0, 2**32))
def test_onnx_answers_alike_on_any_model(seed):
    clf = classifier(seed)
    assert_onnx_answers(clf, rows_with_gaps(clf.model_, seed, 40)[0])


@pytest.mark.no_cover
@pytest.mark.parametrize("levels", ["shared", 2, "all"])
@pytest.mark.parametrize("n_classes", [3, 5])
def test_learned_classifiers_and_pipelines_answer_alike(levels, n_classes):
    X, y = graded_table(n_classes=n_classes)
    scaled = make_pipeline(StandardScaler(), SugenoOrdinalClassifier(levels=levels)).fit(X, 9 - y)
    proto = to_onnx(scaled)
    session = onnxruntime.InferenceSession(proto.SerializeToString())
    labels, chances = session.run(None, {"X": X})
    assert (labels == scaled.predict(X)).all()
    assert (chances == scaled.predict_proba(X)).all()
    clf = SugenoOrdinalClassifier(levels=levels, directions=[1, 1, -1, 1]).fit(X, y)
    frame = pd.DataFrame(X, columns=[f"x{j}" for j in range(4)])
    asked = [to_sql(clf), *(to_sql(clf, output="probability", label=c) for c in range(n_classes))]
    found, *chances = on_duckdb(frame, asked)
    assert found == clf.predict(X).tolist()
    assert (clf.predict_proba(X) == np.array(chances).T).all()


def test_boundaries_that_all_or_none_pass_are_exported():
    X, y = [[1.0], [2.0], [3.0], [4.0]], [0, 1, 2, 2]
    clf = SugenoOrdinalClassifier(levels=1, normalized=False).fit(X, y)
    whole = clf.model_.boundaries[0].rules.from_masks
    first, second = clf.model_.boundaries
    always = whole(np.zeros((1, 1), np.uint64), first.literals, named=False, label="at least 1")
    never = whole(np.zeros((0, 1), np.uint64), second.literals, named=False, label="at least 2")
    object.__setattr__(first, "form", always)
    object.__setattr__(second, "form", never)
    rows = np.array([[0.0], [np.nan], [9.0]])
    assert_onnx_answers(OrdinalRuleClassifier.of(clf.model_), rows)
    frame = pd.DataFrame({"x0": rows[:, 0]})
    assert on_duckdb(frame, [to_sql(clf)]) == [[1, 1, 1]]
    answers = nw.from_native(frame).select(to_expression(clf))
    assert answers["label"].to_list() == [1, 1, 1]
    root = ElementTree.fromstring(to_dmn(clf))
    assert decide(root, {"x0": None}) == 1
    assert_follows_the_schema(to_pmml(clf))


@costly
@given(seed=st.integers(0, 2**32))
def test_a_decision_table_follows_the_schema_and_decides_alike(seed):
    clf = classifier(seed)
    text = to_dmn(clf)
    dmn_schema().assertValid(lxml.etree.fromstring(text.encode()))
    root = ElementTree.fromstring(text)
    X, missing = rows_with_gaps(clf.model_, seed, 40)
    missing |= np.isnan(X)
    table = table_of(clf.model_, X, missing).rename_columns(inputs(root))
    assert [decide(root, row) for row in table.to_pylist()] == labels_of(clf.model_, X)


@pytest.mark.parametrize("levels", ["shared", 2])
def test_another_engine_decides_by_the_table_alike(levels):
    X, y = graded_table()
    clf = SugenoOrdinalClassifier(levels=levels).fit(X, y)
    rows = np.concatenate([X, ordinal_rows(clf.model_, 1, 150)])
    found = decided_by_spiff(to_dmn(clf), rows)
    assert found == clf.predict(rows).tolist()
    assert set(found) == set(y.tolist())


@costly
@given(seed=st.integers(0, 2**32))
def test_any_pmml_follows_the_schema(seed):
    clf = classifier(seed)
    text = to_pmml(clf)
    assert_follows_the_schema(text)
    space = {"p": "http://www.dmg.org/PMML-4_4"}
    scores = [
        r.get("score") for r in ElementTree.fromstring(text).iterfind(".//p:SimpleRule", space)
    ]
    order = clf.order_.tolist()
    assert len(scores) == clf.rules_.n_rules
    assert [order.index(one) for one in scores] == sorted(map(order.index, scores), reverse=True)


@pytest.mark.filterwarnings("ignore")  # of pypmml and what it imports
@pytest.mark.parametrize("seed", SEEDS)
def test_another_engine_decides_alike(seed, engine):
    clf = classifier(seed)
    X, missing = rows_with_gaps(clf.model_, seed, 400, infinite=False)
    rows = table_of(clf.model_, X, missing | np.isnan(X)).to_pylist()
    found = json.loads(engine(to_pmml(clf)).predict(json.dumps(rows)))
    assert [row["predicted_class"] for row in found] == labels_of(clf.model_, X)


def test_what_cannot_be_said_is_refused_with_the_remedy():
    clf = classifier(2)
    with pytest.raises(ValueError, match="output must be one of label, probability"):
        to_sql(clf, output="accepted")
    with pytest.raises(ValueError, match="The probability of which class"):
        to_expression(clf, output="probability")
    with pytest.raises(ValueError, match="leave it out"):
        to_sql(clf, label="fair")
    optimistic = classifier(2, missing="optimistic")
    with pytest.raises(ValueError, match="train it with missing='pessimistic'"):
        to_python(optimistic)
    with pytest.raises(ValueError, match="Class labels in ONNX"):
        to_onnx(classifier(2, classes=np.array([0.5, 1.5, 2.5])))
