"""What a person says about columns overrules what is found."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.base import clone

from sugeno import (
    SugenoClassifier,
    SugenoClassifierCV,
    SugenoDistiller,
    SugenoEnsembleClassifier,
    SugenoOrdinalClassifier,
)

RNG = np.random.default_rng(0)
N = 300
AGE = RNG.integers(18, 80, N)
X = pd.DataFrame(
    {
        "id": np.arange(N),
        "age": AGE,
        "grade": RNG.choice(["A", "B", "C"], N),
        "zone": RNG.integers(1, 6, N),
    }
)
Y = (abs(AGE - 50) < 15) ^ (RNG.random(N) < 0.05)


def columns_of(columns, clf=None):
    return clone(clf or SugenoClassifier()).set_params(columns=columns).fit(X, Y).columns_


@pytest.mark.parametrize(
    "clf",
    [
        SugenoClassifier(),
        SugenoClassifierCV(cv=2),
        SugenoDistiller(),
        SugenoEnsembleClassifier(n_bags=3),
        SugenoOrdinalClassifier(levels=1),
    ],
    ids=lambda clf: type(clf).__name__,
)
def test_every_classifier_takes_what_is_said(clf):
    given = {"id": "keep", "zone": "unordered", "grade": ["C", "B", "A"], "age": "free"}
    found = columns_of(given, clf)
    assert not found["id"].left_out
    assert found["zone"].kind == "unordered"
    assert found["grade"].kind == "ordered"
    assert (found["age"].direction, found["age"].evidence) == ("free", "given")


@pytest.mark.parametrize("way", [1, "up", -1, "down"])
def test_directions(way):
    expected = "up" if way in (1, "up") else "down"
    assert columns_of({"age": way})["age"].direction == expected


def test_a_peak_is_found_or_given():
    assert columns_of({"age": ("peak", 47)})["age"].direction == "peak at 47"
    found = columns_of({"age": "peak"})["age"].direction
    assert 40 <= float(found.removeprefix("peak at ")) <= 60
    clf = SugenoClassifier(levels=1, columns={"age": ("peak", 50)}).fit(X, Y)
    assert (clf.predict(X) == Y).mean() > 0.9


def test_columns_are_left_out_and_ids_found():
    found = columns_of({"zone": "drop", "age": "auto"})
    assert found["zone"].left_out == "you said so"
    assert found["id"].left_out


def test_numbers_alone_are_looked_at_where_columns_are_given():
    numbers = X[["id", "age"]].assign(age=X["age"].where(X["age"] < 70))
    clf = SugenoClassifier(columns={}).fit(numbers, Y)
    assert clf.columns_["id"].left_out
    assert clf.columns_["age"].missing
    assert clf.predict(numbers).shape == (N,)


@pytest.mark.parametrize("frame", [pl.from_pandas, pa.Table.from_pandas], ids=["polars", "arrow"])
def test_frames_of_other_libraries(frame):
    given = {"zone": "unordered", "age": "free"}
    one = SugenoClassifierCV(cv=2, columns=given).fit(X, Y)
    other = SugenoClassifierCV(cv=2, columns=given).fit(frame(X), Y)
    assert str(one.rules_) == str(other.rules_)
    np.testing.assert_array_equal(one.predict(X), other.predict(frame(X)))


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"agee": "free"}, r"must name columns of the table.*Got \['agee'\]"),
        ({"age": "sideways"}, "What is said of column 'age' must be one of"),
        ({"age": ("peak", "x")}, "What is said of column 'age' must be one of"),
        ({"age": 2}, "What is said of column 'age' must be one of"),
        ({"grade": "up"}, "has labels, whose direction is an order of them"),
        ({"grade": ["A", "B"]}, "must name each of its labels once"),
    ],
)
def test_what_cannot_be_meant_is_refused(columns, message):
    with pytest.raises(ValueError, match=message):
        columns_of(columns)


def test_a_direction_is_given_once():
    with pytest.raises(ValueError, match="must be given once"):
        SugenoClassifier(columns={"age": "up"}, directions={"age": 1}).fit(X, Y)


def test_columns_need_a_frame_in_memory():
    with pytest.raises(ValueError, match="need a frame of pandas, Polars or PyArrow"):
        SugenoClassifier(columns={}).fit(X[["age"]].to_numpy(), Y)


def test_columns_that_number_the_rows_of_plain_numbers_are_left_out_and_said():
    plain = X[["id", "age", "zone"]]
    clf = SugenoClassifier().fit(plain, Y)
    assert clf.columns_["id"].left_out == "consecutive whole numbers, each once"
    assert "id" not in str(clf.rules_)
    framed = SugenoClassifier().fit_frame(plain.assign(y=Y), "y")
    assert repr(framed.columns_) == repr(clf.columns_)
    assert framed.predict_proba(plain).tobytes() == clf.predict_proba(plain).tobytes()
    kept = SugenoClassifier(columns={"id": "keep"}).fit(plain, Y)
    assert not kept.columns_["id"].left_out


@pytest.mark.parametrize("missing", ["interval", "optimistic"])
def test_ids_stay_where_missing_numbers_are_read_otherwise(missing):
    clf = SugenoClassifier(missing=missing).fit(X[["id", "age"]], Y)
    assert not hasattr(clf, "columns_")


def test_frames_of_numbers_without_ids_are_read_as_arrays_are():
    plain = X[["age", "zone"]]
    clf = SugenoClassifier(directions=[1, -1]).fit(plain, Y)
    same = SugenoClassifier(directions=[1, -1]).fit(plain.to_numpy(), Y)
    assert clf.predict_proba(plain).tobytes() == same.predict_proba(plain.to_numpy()).tobytes()
    assert not hasattr(clf, "columns_")
    alone = SugenoClassifier(directions=None).fit(
        X[["id"]], Y
    )  # there is nothing else to learn from
    assert not hasattr(alone, "columns_")
    gap = X[["id", "age"]].astype(float)
    gap.loc[0, "age"] = np.nan
    with pytest.raises(ValueError, match="missing"):
        SugenoClassifier().fit(gap, Y)


def test_held_out_rows_are_counted_by_true_and_decided_class():
    clf = SugenoClassifierCV(cv=3).fit(X, Y)
    counts = clf.held_out_confusion_
    assert counts.sum(axis=1).tolist() == [(~Y).sum(), Y.sum()]
    assert clf.held_out_error_ == pytest.approx(1 - np.trace(counts) / N)


@pytest.mark.parametrize("labels", [2, 3])
def test_an_ensemble_tells_what_each_column_gains_and_not_what_each_side_of_it_does(labels):
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"age": rng.integers(18, 80, 200), "pay": rng.integers(1, 9, 200)})
    y = np.where(X.pay >= 6, labels - 1, (abs(X.age - 50) < 15).astype(int))
    clf = SugenoEnsembleClassifier(n_bags=3, columns={"age": "free"}).fit(X, y)
    gains = clf.feature_importances_
    assert gains.shape == (2,)
    assert gains.sum() == pytest.approx(1)
    assert (gains > 0.1).all()
