"""A saved classifier of ordered classes is loaded to the last bit."""

import json
import re
from importlib.resources import files
from pathlib import Path

import jsonschema
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sugeno
from costly import costly
from format.test_files import assert_same_bits
from ordinal_models import graded_table, ordinal_rows, random_ordinal_model
from sugeno import ModelFileError, OrdinalRuleClassifier, RuleClassifier, SugenoOrdinalClassifier

SCHEMA = json.loads(files("sugeno").joinpath("_format/schema.json").read_text(encoding="utf-8"))
GOLDEN = Path(__file__).parent / "golden" / "protocol-2"


def assert_same_model(model, again, rows):
    assert str(again.rules) == str(model.rules)
    assert repr(again.rules.to_records()) == repr(model.rules.to_records())
    assert again.classes.dtype == model.classes.dtype
    assert again.classes.tolist() == model.classes.tolist()
    assert again.certificate == model.certificate
    assert again.missing == model.missing
    assert_same_bits(again.passed(rows), model.passed(rows))
    assert_same_bits(again.at_least(rows), model.at_least(rows))
    assert_same_bits(again.importances, model.importances)
    for one, other in zip(model.boundaries, again.boundaries, strict=True):
        assert one.labels.tolist() == other.labels.tolist()
        assert one.rules == other.rules
        assert (one.k, one.threshold, one.normalized) == (other.k, other.threshold, one.normalized)
        assert_same_bits(one.integral(rows), other.integral(rows))


@pytest.mark.parametrize("levels", ["shared", 1, 3, "all"])
@pytest.mark.parametrize(
    "labels", [[0, 1, 2, 3], ["poor", "fair", "good", "best"], [1.0, 2.0, 3.0, 9.0]], ids=str
)
def test_a_learned_classifier_comes_back_to_the_last_bit(levels, labels):
    X, y = graded_table()
    order = np.array(labels)
    clf = SugenoOrdinalClassifier(levels=levels, classes=order).fit(X, order[y])
    text = sugeno.dumps(clf)
    loaded = sugeno.loads(text)
    assert isinstance(loaded, OrdinalRuleClassifier)
    assert_same_model(clf.model_, loaded.model_, X)
    assert (loaded.predict(X) == clf.predict(X)).all()
    assert_same_bits(loaded.predict_proba(X), clf.predict_proba(X))
    assert_same_bits(loaded.decision_function(X), clf.decision_function(X))
    assert loaded.order_.tolist() == order.tolist()
    if levels == "shared":
        assert_same_bits(loaded.thresholds_, clf.thresholds_)
        assert_same_bits(loaded.integral(X), clf.integral(X))
        assert loaded.capacity_ == clf.capacity_
    assert sugeno.dumps(loaded) == text
    jsonschema.validate(json.loads(text), SCHEMA)


@pytest.mark.usefixtures("brief")
def test_distilled_rules_of_a_frame_come_back_with_names_and_labels():
    X, y = graded_table(n_classes=3)
    sizes = pd.CategoricalDtype(["XS", "S", "M", "L", "XL", "XXL"], ordered=True)
    frame = pd.DataFrame(X, columns=["größe", "<b>", "a b", "size"])
    frame["size"] = pd.Categorical.from_codes(X[:, 3].astype(int), dtype=sizes)
    clf = SugenoOrdinalClassifier().fit(frame, y)
    loaded = sugeno.loads(sugeno.dumps(clf))
    assert loaded.feature_names_in_.tolist() == list(frame)
    assert (loaded.predict(frame) == clf.predict(frame)).all()
    with pytest.raises(ValueError, match="feature names"):
        loaded.predict(frame[["size", "<b>", "a b", "größe"]])


def test_two_ordered_classes_are_two_classes():
    X, y = graded_table(n_classes=2)
    clf = SugenoOrdinalClassifier(levels=2).fit(X, y)
    loaded = sugeno.loads(sugeno.dumps(clf))
    assert isinstance(loaded, RuleClassifier)
    assert (loaded.predict(X) == clf.predict(X)).all()
    assert_same_bits(loaded.predict_proba(X), clf.predict_proba(X))


@pytest.mark.parametrize("missing", ["pessimistic", "optimistic", "interval"])
def test_missing_values_are_read_as_before(missing):
    X, y = graded_table()
    X[np.random.default_rng(0).random(X.shape) < 0.2] = np.nan
    X[:, 0] = np.nan_to_num(X[:, 0])
    clf = SugenoOrdinalClassifier(levels=2, missing=missing).fit(X, y)
    loaded = sugeno.loads(sugeno.dumps(clf))
    assert_same_model(clf.model_, loaded.model_, X)
    assert (loaded.predict_interval(X) == clf.predict_interval(X)).all()


@costly
@given(seed=st.integers(0, 2**32))
def test_any_nested_model_comes_back(seed):
    model = random_ordinal_model(seed)
    text = sugeno.dumps(OrdinalRuleClassifier.of(model))
    loaded = sugeno.loads(text)
    assert_same_model(model, loaded.model_, ordinal_rows(model, seed, 30))
    assert sugeno.dumps(loaded) == text
    jsonschema.validate(json.loads(text), SCHEMA)


def changed(name, change):
    whole = json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))
    change(whole)
    return json.dumps(whole)


def swap(whole):
    whole["boundaries"].reverse()


def no_rule(whole):
    whole["boundaries"][0]["rules"] = []


def same_threshold(whole):
    for boundary in whole["boundaries"]:
        boundary["threshold"] = 0.5


def two_literals(whole):
    boundary = whole["boundaries"][1]
    boundary["utility"] = None
    boundary["literals"] = boundary["literals"][:1]
    boundary["rules"] = []


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        ("grades", swap, "boundaries[1] must be rules that imply those of the boundary before"),
        ("grades", no_rule, "boundaries[1] must be rules that imply those of the boundary before"),
        ("grades", lambda whole: whole["boundaries"].pop(), "an array of 2 entries. Got 1"),
        ("grades", lambda whole: whole["boundaries"][0].update(form="cnf"), "must be 'dnf'"),
        ("grades", lambda whole: whole.update(protocol=1), "an object with the key 'literals'"),
        ("grades", lambda whole: whole["classes"]["labels"].append("poor"), "different labels"),
        ("grades", lambda whole: whole["boundaries"][1]["importances"].pop(), "entries. Got"),
        ("thresholds", same_threshold, "utility must be null where thresholds do not rise"),
        ("thresholds", two_literals, "utility must be null where there is not one literal per"),
    ],
)
def test_the_error_says_where_and_what(name, change, message):
    with pytest.raises(ModelFileError, match=re.escape(message)):
        sugeno.loads(changed(name, change))


def test_what_could_not_be_read_is_not_written():
    model = random_ordinal_model(1)
    object.__setattr__(model, "boundaries", model.boundaries[::-1])
    with pytest.raises(ModelFileError, match="imply those of the boundary before"):
        sugeno.dumps(OrdinalRuleClassifier.of(model))
