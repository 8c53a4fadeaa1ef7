"""A saved ensemble is the ensemble: sums of steps in model files."""

import json
from importlib.resources import files

import jsonschema
import numpy as np
import pandas as pd
import pytest

import sugeno
from random_models import rows_for
from random_sums import ordered_sum, random_sum, sums_per_class
from sugeno import RuleClassifier, SugenoEnsembleClassifier

SCHEMA = json.loads(files("sugeno").joinpath("_format/schema.json").read_text(encoding="utf-8"))
FEW = {"n_bags": 3, "max_rounds": 25}
pytestmark = pytest.mark.filterwarnings("ignore::sugeno.WeakDirectionWarning")


def homes(n=160, seed=3):
    """A table of texts, truth values, dates and gaps."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(
        {
            "home": rng.choice(["own", "rent", "parents", "other"], n),
            "age": rng.integers(20, 70, n).astype(float),
            "since": pd.Timestamp("2020-01-01") + pd.to_timedelta(rng.integers(0, 900, n), "D"),
            "member": rng.random(n) < 0.5,
        }
    )
    y = (X["home"] == "own") & (abs(X["age"] - 45) < 15) | (X["member"] & (rng.random(n) < 0.5))
    X.loc[rng.random(n) < 0.2, "age"] = np.nan
    return X, np.where(y, "paid", "lost")


def same(clf, X):
    """Everything that a loaded ensemble answers is what the saved one does, to the last bit."""
    text = sugeno.dumps(clf)
    again = sugeno.loads(text)
    jsonschema.validate(json.loads(text), SCHEMA)
    assert isinstance(again, RuleClassifier)
    assert sugeno.dumps(again) == text
    assert again.predict(X).tolist() == clf.predict(X).tolist()
    for method in ("predict_proba", "decision_function", "predict_set"):
        np.testing.assert_array_equal(getattr(again, method)(X), getattr(clf, method)(X))
    np.testing.assert_array_equal(
        again.predict_set(X, confidence=0.9), clf.predict_set(X, confidence=0.9)
    )
    assert str(again.directions_) == str(clf.directions_)
    assert again.classes_.tolist() == clf.classes_.tolist()
    return again


def test_an_ensemble_of_numbers_comes_back():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 3))
    clf = SugenoEnsembleClassifier(**FEW, directions=[1, -1, 1]).fit(X, X[:, 0] > X[:, 1])
    again = same(clf, rng.normal(size=(400, 3)))
    np.testing.assert_array_equal(again.can_flip(X), clf.can_flip(X))
    np.testing.assert_array_equal(again.feature_importances_, clf.feature_importances_)
    assert again.positive_ == clf.positive_
    assert again.model_.learned.held_out.error == pytest.approx(1 - clf.oob_score_)
    assert again.n_features_in_ == 3


@pytest.mark.parametrize("missing", ["pessimistic", "optimistic", "interval"])
def test_missing_values_are_read_as_before(missing):
    rng = np.random.default_rng(1)
    X = rng.integers(0, 5, (150, 3)).astype(float)
    y = X.sum(axis=1) > 6
    X[rng.random(X.shape) < 0.1] = np.nan
    X[:, 0] = np.where(np.isnan(X).all(axis=1), 1, X[:, 0])
    clf = SugenoEnsembleClassifier(**FEW, missing=missing, directions=[1, 1, 1]).fit(X, y)
    again = same(clf, X)
    np.testing.assert_array_equal(again.predict_interval(X), clf.predict_interval(X))


def test_tables_of_any_kind_with_costs_come_back():
    X, y = homes()
    clf = SugenoEnsembleClassifier(**FEW, positive="paid", costs={"missed": 3}).fit(X, y)
    again = same(clf, X)
    assert str(again.columns_) == str(clf.columns_)
    strange = X.assign(home="tent", age=np.nan)
    np.testing.assert_array_equal(again.predict_proba(strange), clf.predict_proba(strange))
    assert again.feature_names_in_.tolist() == X.columns.tolist()


def test_classes_without_an_order_of_tables_of_any_kind_come_back():
    X, y = homes(240)
    clf = SugenoEnsembleClassifier(**FEW).fit(X, np.where(X["home"] == "other", "other", y))
    again = same(clf, X)
    assert str(again.columns_) == str(clf.columns_)
    strange = X.assign(home="tent", age=np.nan)
    np.testing.assert_array_equal(again.predict_proba(strange), clf.predict_proba(strange))


def test_ordered_labels_of_columns_come_back():
    X, y = homes()
    sizes = pd.Categorical(X["home"], ["other", "parents", "rent", "own"], ordered=True)
    frame = pd.DataFrame({"home": sizes, "member": X["member"].astype(int)})
    same(SugenoEnsembleClassifier(**FEW).fit(frame, y), frame)


def test_classes_without_an_order_come_back():
    rng = np.random.default_rng(2)
    X = rng.integers(0, 6, (180, 3))
    clf = SugenoEnsembleClassifier(**FEW).fit(X, np.array(["a", "b", "c"])[X.argmax(axis=1)])
    again = same(clf, X)
    assert list(again.per_class_) == ["a", "b", "c"]
    one = again.per_class_["b"]
    np.testing.assert_array_equal(one.predict(X), clf.per_class_["b"].predict(X))
    with pytest.raises(AttributeError, match=r"such as per_class_\['a'\]"):
        again.can_flip(X)


@pytest.mark.parametrize("seed", range(6))
def test_any_sum_comes_back(seed):
    model = random_sum(seed, labelled=False)
    same(RuleClassifier.of(model), framed(model, seed))


@pytest.mark.parametrize("seed", range(4))
def test_ordered_classes_come_back(seed):
    model = ordered_sum(seed, labelled=False)
    again = same(RuleClassifier.of(model), framed(model, seed))
    assert again.order_.tolist() == ["poor", "fair", "good", "top"]
    assert again.verify_monotone()


def test_sums_that_are_not_nested_are_refused():
    model = ordered_sum(0, labelled=False)
    written = json.loads(sugeno.dumps(RuleClassifier.of(model)))
    written["models"][0]["higher"][1]["constant"] += 1 << 40
    with pytest.raises(sugeno.ModelFileError, match="never exceed those of the boundary below"):
        sugeno.loads(json.dumps(written))
    del written["models"][0]["higher"][1]
    with pytest.raises(sugeno.ModelFileError, match="higher"):
        sugeno.loads(json.dumps(written))


def test_sums_of_several_classes_come_back():
    model = sums_per_class(1, m=3, labelled=False)
    same(RuleClassifier.of(model), framed(model.models[0], 1))


def framed(model, seed):
    """Rows by the names of the criteria, where they have names."""
    rows = rows_for(model, seed, 50)
    names = [one.name for one in model.criteria]
    return pd.DataFrame(rows, columns=names) if model.has_names else rows
