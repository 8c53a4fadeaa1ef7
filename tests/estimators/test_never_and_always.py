"""Classifiers that accept nobody, or everybody: all that reads a classifier reads them too."""

import duckdb
import narwhals as nw
import numpy as np
import onnxruntime
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import sugeno
from sugeno import RuleClassifier, RuleSet, SugenoClassifier, SugenoDistiller
from sugeno.export import to_onnx

X = pd.DataFrame({"speed": [1.0, 2, 3, 4] * 3, "price": [4.0, 1, 2, 4, 4, 3, 2, 1, 1, 2, 3, 4]})
LABELS = np.array([0, 0, 0, 1, 0, 1, 1, 0, 1, 1, 0, 1])
SAME = X.assign(speed=2.0, price=0.0)


def edited(verdict, levels, *rows):
    edit = SugenoClassifier(levels=levels, directions=None).fit(X, LABELS).edit(*rows)
    if verdict == "always":
        return edit.add("always").classifier
    while len(edit.rules):
        edit = edit.remove(0)
    return edit.classifier


def distilled(majority, **parameters):
    labels = np.where(np.arange(12) < 9, majority, 1 - majority)
    return SugenoDistiller(random_state=0, **parameters).fit(SAME, labels)


MODELS = {
    "edited, never": lambda: edited("never", "shared", X, LABELS),
    "edited, always": lambda: edited("always", "shared", X, LABELS),
    "edited levels, never": lambda: edited("never", 2),
    "edited levels, always": lambda: edited("always", 2),
    "edited levels by rows, always": lambda: edited("always", 2, X, LABELS),
    "written, never": lambda: RuleClassifier.from_rules(
        RuleSet([], [1.0, 1.0], criteria=["speed", "price"])
    ),
    "written, always": lambda: RuleClassifier.from_rules(
        RuleSet([set()], [1.0, 1.0], criteria=["speed", "price"]), X, LABELS
    ),
    "distilled, never": lambda: distilled(0),
    "distilled, always": lambda: distilled(1),
    "learned, never": lambda: SugenoClassifier(
        levels=2, abstain=True, normalized=False, directions=None
    ).fit(SAME, np.arange(12) < 3),
}


@pytest.fixture(scope="module", params=MODELS)
def clf(request):
    found = MODELS[request.param]()
    assert str(found.rules_).endswith(request.param.split(", ")[1])
    return found


@pytest.mark.usefixtures("brief")
def test_the_integral_reaches_the_threshold_exactly_where_rows_are_accepted(clf):
    rows = pd.concat([X, X + 100, X - 100])
    accepted = clf.predict(rows) == clf.positive_
    np.testing.assert_array_equal(clf.integral(rows) >= clf.threshold_, accepted)
    assert accepted.all() or not accepted.any()
    assert clf.capacity_.boundary_sets(clf.threshold_) == (((),) if accepted.all() else ())


@pytest.mark.usefixtures("brief")
def test_other_engines_answer_alike(clf):
    session = onnxruntime.InferenceSession(
        to_onnx(clf).SerializeToString(), providers=["CPUExecutionProvider"]
    )
    labels, chances = session.run(None, {session.get_inputs()[0].name: X.to_numpy()})
    np.testing.assert_array_equal(labels, clf.predict(X))
    np.testing.assert_array_equal(chances, clf.predict_proba(X))
    table = pa.Table.from_pandas(X)
    frames = [X, table, pl.from_arrow(table), pl.from_arrow(table).lazy()]
    with duckdb.connect() as connection:
        for frame in (*frames, connection.from_arrow(table)):
            found = nw.from_native(clf.predict_frame(frame)).lazy().collect()
            assert found["prediction"].to_list() == clf.predict(X).tolist()


@pytest.mark.usefixtures("brief")
def test_a_file_brings_it_back(clf):
    loaded = sugeno.loads(sugeno.dumps(clf))
    np.testing.assert_array_equal(loaded.predict_proba(X), clf.predict_proba(X))
    np.testing.assert_array_equal(loaded.predict_set(X), clf.predict_set(X))
    np.testing.assert_array_equal(loaded.integral(X), clf.integral(X))
    assert loaded.threshold_ == clf.threshold_
    assert sugeno.dumps(loaded) == sugeno.dumps(clf)


def test_old_files_of_rules_that_accept_everything_get_the_threshold_that_does():
    text = sugeno.dumps(edited("always", 2))
    loaded = sugeno.loads(text.replace('"threshold": 0.0', '"threshold": 0.5'))
    assert loaded.threshold_ == 0
    with pytest.raises(sugeno.ModelFileError, match="between 0 and 1"):
        sugeno.loads(sugeno.dumps(edited("never", 2)).replace('"threshold": 0.5', '"threshold": 0'))
