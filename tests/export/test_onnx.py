"""ONNX Runtime, and SQL that another tool makes of the ONNX, answer as the classifier does."""

import sys

import duckdb
import numpy as np
import onnx
import onnxruntime
import orbital
import orbital.types
import pandas as pd
import pytest
import skl2onnx
from hypothesis import given
from hypothesis import strategies as st
from skl2onnx.common.data_types import FloatTensorType
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, StandardScaler

from classifier_tables import grades, measurements, off_the_grid
from export.export_frames import SEEDS, classifier, expected, rows_with_gaps
from random_models import rows_for, without_literals
from small_rules import classifier_of
from sugeno import SugenoClassifier
from sugeno.export import register_onnx, to_onnx


def run(proto, X):
    """Labels and probabilities from ONNX Runtime."""
    content = proto.SerializeToString()
    session = onnxruntime.InferenceSession(content, providers=["CPUExecutionProvider"])
    labels, probabilities = session.run(None, {"X": X})
    return labels, probabilities


def assert_answers(clf, X):
    """Also where a value is missing, which predict refuses."""
    proto = to_onnx(clf)
    onnx.checker.check_model(proto, full_check=True)
    labels, probabilities = run(proto, X)
    assert labels.tolist() == [
        label if isinstance(label, str) else int(label)
        for label in expected(clf.model_.boundaries[0], X, "label")
    ]
    place = clf.classes_.tolist().index(clf.positive_)
    positive = np.array(expected(clf.model_.boundaries[0], X, "probability"))
    assert (probabilities[:, place] == positive).all()
    assert (probabilities[:, 1 - place] == 1 - positive).all()


@pytest.mark.parametrize("seed", SEEDS)
def test_rows_at_and_beside_the_levels_are_answered_alike(seed):
    clf = classifier(seed)
    X, _ = rows_with_gaps(clf.model_.boundaries[0], seed, 100_000 // len(SEEDS) + 1)
    assert_answers(clf, X)


@given(seed=st.integers(0, 2**32))
def test_any_model_is_answered_alike(seed):
    clf = classifier(seed)
    assert_answers(clf, rows_with_gaps(clf.model_.boundaries[0], seed, 40)[0])


@pytest.mark.parametrize("levels", ["shared", 3, "all"])
@pytest.mark.parametrize("table", [grades, measurements])
def test_learned_classifiers_are_answered_alike(levels, table):
    X, y = table(n=300)
    clf = SugenoClassifier(levels=levels, directions=[1, -1, 1, 1]).fit(X, y)
    rows = np.concatenate([X, off_the_grid(X), rows_for(clf.model_.boundaries[0], 0, 1000)])
    labels, probabilities = run(to_onnx(clf), rows)
    assert (labels == clf.predict(rows)).all()
    assert (probabilities == clf.predict_proba(rows)).all()


@pytest.mark.parametrize(
    "classes",
    [
        np.array([False, True]),
        np.array([True, False]),
        np.array([7, -3]),
        np.array([0, 1], dtype=np.uint8),
        np.array(["yes", "no"]),
        np.array(["no", "yes"], dtype=object),
    ],
    ids=lambda classes: f"{classes.tolist()} {classes.dtype}",
)
def test_labels_of_every_kind_and_order(classes):
    clf = classifier(4, classes=classes)
    assert_answers(clf, rows_for(clf.model_.boundaries[0], 0, 500))


def test_labels_that_onnx_has_no_type_for_are_refused():
    with pytest.raises(ValueError, match="whole numbers, truth values or text"):
        to_onnx(classifier(4, classes=np.array([0.5, 1.5])))


@pytest.mark.parametrize("scaler", [StandardScaler, MinMaxScaler])
def test_a_pipeline_is_answered_alike(scaler):
    X, y = measurements(n=300)
    pipeline = make_pipeline(scaler(), SugenoClassifier(k=2)).fit(X, y)
    rows = np.concatenate([X, off_the_grid(X, n=10_000)])
    labels, probabilities = run(to_onnx(pipeline), rows)
    assert (labels == pipeline.predict(rows)).all()
    assert (probabilities == pipeline.predict_proba(rows)).all()


def test_single_precision_is_answered_as_the_rounded_values_are():
    X, y = measurements(n=300)
    clf = SugenoClassifier(levels=3).fit(X, y)
    rows = off_the_grid(X).astype(np.float32)
    proto = to_onnx(clf, initial_types=[("X", FloatTensorType([None, 4]))])
    labels, probabilities = run(proto, rows)
    assert (labels == clf.predict(rows)).all()
    assert (probabilities == clf.predict_proba(rows).astype(np.float32)).all()


def test_who_calls_skl2onnx_gets_dictionaries_of_probabilities_unless_told_otherwise():
    X, y = grades()
    clf = SugenoClassifier().fit(X, y)
    register_onnx(clf)
    proto = skl2onnx.to_onnx(clf, X[:1])
    assert proto.graph.node[-1].op_type == "ZipMap"


@pytest.mark.parametrize("scaled", [False, True])
def test_orbital_makes_sql_of_it_that_answers_alike(scaled):
    X, y = measurements(n=300)
    names = [f"x{j}" for j in range(4)]
    steps = [StandardScaler()] if scaled else []
    pipeline = make_pipeline(*steps, SugenoClassifier(levels=3, max_rules=6, time_limit=1))
    pipeline.fit(pd.DataFrame(X, columns=names), y)
    register_onnx(pipeline)
    columns = {name: orbital.types.DoubleColumnType() for name in names}
    sql = orbital.export_sql("t", orbital.parse_pipeline(pipeline, features=columns), "duckdb")
    rows = pd.DataFrame(off_the_grid(X, n=2000), columns=names)
    with duckdb.connect() as connection:
        connection.register("t", rows)
        found = connection.execute(sql).df()
    assert (found["output_label"] == pipeline.predict(rows)).all()
    assert (found["output_probability.1"] == pipeline.predict_proba(rows)[:, 1]).all()


def test_what_has_no_rules_is_refused():
    with pytest.raises(TypeError, match="Got StandardScaler without one"):
        to_onnx(StandardScaler())


def test_without_the_extra_the_error_names_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "skl2onnx", None)
    with pytest.raises(ImportError, match=r"pip install 'sugeno\[onnx\]'"):
        to_onnx(classifier(1))


@pytest.mark.parametrize("accepted", [False, True])
def test_models_without_literals_are_converted(accepted):
    clf = classifier_of(without_literals(accepted))
    session = onnxruntime.InferenceSession(to_onnx(clf).SerializeToString())
    labels, chances = session.run(None, {"X": np.array([[1.0], [np.nan]])})
    assert labels.tolist() == [int(accepted)] * 2
    assert chances.tolist() == [[0.25, 0.75] if accepted else [0.75, 0.25]] * 2
