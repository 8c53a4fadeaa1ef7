"""Cards of points decide alike on every engine, of two classes and of ordered ones."""

import json
from dataclasses import replace
from xml.etree import ElementTree

import lxml.etree
import narwhals as nw
import numpy as np
import onnxruntime
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from costly import costly
from export.ordinal_frames import (
    labels_of,
    on_duckdb,
    probabilities_of,
    rows_with_gaps,
    table_of,
)
from export.test_dmn import inputs
from export.test_dmn import schema as dmn_schema
from export.test_pmml import assert_follows_the_schema
from export.test_unordered_exports import by_hand, by_spiff, decided
from ordinal_models import GRADES
from random_models import card_of_ordered_classes, random_card
from small_rules import classifier_of
from sugeno import Card, RuleClassifier, SugenoDistiller
from sugeno.export import to_dmn, to_expression, to_onnx, to_pmml, to_python, to_sql


def classifier(seed, several):
    if several:
        return RuleClassifier.of(card_of_ordered_classes(seed, GRADES[:3]))
    return classifier_of(random_card(seed))


@costly
@given(seed=st.integers(0, 2**32), several=st.booleans())
def test_engines_agree_on_any_card(seed, several):
    clf = classifier(seed, several)
    model = clf.model_
    X, missing = rows_with_gaps(model, seed, 30)
    table = table_of(model, X, missing)
    labels, chances = labels_of(model, X), probabilities_of(model, X)
    top = model.classes.tolist()[-1]
    asked = [to_sql(clf, output="label"), to_sql(clf, output="probability", label=top)]
    assert on_duckdb(table, asked) == [labels, chances[:, -1].tolist()]
    frame = nw.from_native(pl.from_arrow(table))
    assert frame.select(to_expression(clf, output="label"))["label"].to_list() == labels
    added = clf.predict_frame(pl.from_arrow(table), outputs=["prediction", "rule"])
    assert added["prediction"].to_list() == labels
    module = {}
    exec(to_python(clf), module)
    assert [module["label"](row) for row in table.to_pylist()] == labels
    session = onnxruntime.InferenceSession(to_onnx(clf).SerializeToString())
    found, shares = session.run(None, {"X": X})
    assert found.tolist() == labels
    assert np.array_equal(shares, chances[:, np.argsort(model.classes)])


@costly
@given(seed=st.integers(0, 2**32), several=st.booleans())
def test_documents_follow_their_schemas_and_decide_alike(seed, several):
    clf = classifier(seed, several)
    assert_follows_the_schema(to_pmml(clf))
    text = to_dmn(clf)
    dmn_schema().assertValid(lxml.etree.fromstring(text.encode()))
    X, missing = rows_with_gaps(clf.model_, seed, 20)
    table = table_of(clf.model_, X, missing | np.isnan(X))
    table = table.rename_columns(inputs(ElementTree.fromstring(text)))
    found = [decided(text, row, by_hand) for row in table.to_pylist()]
    assert found == labels_of(clf.model_, X)


def test_another_engine_decides_by_the_tables_alike():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 6, (80, 3)).astype(float)
    y = (X.sum(axis=1) + rng.normal(0, 1, 80) > 7).astype(int)
    clf = SugenoDistiller(form="points", n_literals=5, directions=[1, 1, 1]).fit(X, y)
    names = [f"x{j}" for j in range(3)]
    found = [decided(to_dmn(clf), dict(zip(names, row)), by_spiff) for row in X[:30].tolist()]
    assert found == clf.predict(X[:30]).tolist()
    assert set(found) == {0, 1}


@pytest.mark.filterwarnings("ignore")  # of pypmml and what it imports
@pytest.mark.parametrize("several", [False, True])
@pytest.mark.parametrize("seed", [1, 2, 5])
def test_another_engine_decides_by_pmml_alike(seed, several, engine):
    clf = classifier(seed, several)
    X, missing = rows_with_gaps(clf.model_, seed, 200, infinite=False)
    rows = table_of(clf.model_, X, missing | np.isnan(X)).to_pylist()
    found = json.loads(engine(to_pmml(clf)).predict(json.dumps(rows)))
    label = "class" if "<Scorecard" in to_pmml(clf) else "predicted_class"
    assert [row[label] for row in found] == labels_of(clf.model_, X)


@pytest.mark.filterwarnings("ignore")  # of pypmml and what it imports
def test_pmml_tells_points_and_the_criteria_that_lack_most(engine):
    card = Card(
        [3, 1, 2, 1],
        [5, 61, 68, 4],
        needed=3,
        criteria=["bi_rads", "age", "shape"],
        literal_criteria=[0, 1, 1, 2],
        label="malignant",
    )
    labels = np.array(["benign", "malignant"])
    boundary = replace(random_card(0), labels=labels, form=card, importances=np.ones(3) / 3)
    clf = classifier_of(boundary)
    text = to_pmml(clf)
    assert "<Scorecard" in text
    assert_follows_the_schema(text)
    rows = [
        {"bi_rads": 4, "age": 70, "shape": 4},
        {"bi_rads": 4, "age": 62, "shape": None},
        {"bi_rads": None, "age": None, "shape": 4},
    ]
    found = json.loads(engine(text).predict(json.dumps(rows)))
    assert [row["points"] for row in found] == [4, 1, 1]
    assert [row["class"] for row in found] == ["malignant", "benign", "benign"]
    assert [row["reason_1"] for row in found] == ["bi_rads"] * 3
    assert found[1]["reason_2"] == "age"


def test_a_long_card_has_no_capacity_and_is_exported():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(200, 6))
    clf = SugenoDistiller(form="points", n_literals=24, directions=[1] * 6).fit(
        X, X.sum(axis=1) > 0
    )
    assert len(clf.model_.boundaries[0].form) > 20
    assert "capacity_" not in dir(clf)
    session = onnxruntime.InferenceSession(to_onnx(clf).SerializeToString())
    assert (session.run(None, {"X": X})[0] == clf.predict(X)).all()
