"""Models of tables of any kind come back from their files as they were."""

import json
from dataclasses import replace
from importlib.resources import files

import jsonschema
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sugeno
from costly import costly
from estimators.test_any_columns import applicants
from mixed_models import mixed_classifier, mixed_classifier_per_class, mixed_rows
from sugeno import (
    ModelFileError,
    RuleClassifier,
    SugenoClassifier,
    SugenoClassifierCV,
    SugenoDistiller,
    SugenoOrdinalClassifier,
)

SCHEMA = json.loads(files("sugeno").joinpath("_format/schema.json").read_text(encoding="utf-8"))
KINDS = ("number", "free", "turning", "unordered", "two-valued", "truth", "ordered", "date")


@costly
@given(
    seed=st.integers(0, 2**32),
    points=st.booleans(),
    of=st.sampled_from([mixed_classifier, mixed_classifier_per_class]),
)
def test_any_model_of_a_mixed_table_comes_back(seed, points, of):
    clf = of(seed, points=points, kinds=KINDS)
    text = sugeno.dumps(clf)
    again, rows = sugeno.loads(text), mixed_rows(clf, seed, 40)
    assert again.model_.criteria == clf.model_.criteria
    assert str(again.rules_) == str(clf.rules_)
    assert again.predict(rows).tolist() == clf.predict(rows).tolist()
    assert repr(again.columns_) == repr(clf.columns_)
    assert again.predict_proba(rows).tobytes() == clf.predict_proba(rows).tobytes()
    assert sugeno.dumps(again) == text
    jsonschema.validate(json.loads(text), SCHEMA)


@pytest.mark.parametrize(
    "learner",
    [
        SugenoClassifier(levels=2),
        SugenoClassifierCV(cv=3),
        SugenoDistiller(form="points"),
        SugenoOrdinalClassifier(levels=1),
    ],
    ids=lambda clf: type(clf).__name__,
)
def test_a_loaded_classifier_knows_what_was_assumed(learner):
    X, y = applicants()
    clf = learner.fit(X, y)
    again = sugeno.loads(sugeno.dumps(clf))
    assert [*again.columns_] == [*clf.columns_]
    assert str(again.columns_) == str(clf.columns_)
    assert again.n_features_in_ == 5
    assert [*again.feature_names_in_] == [*X.columns]
    assert str(again.rules_) == str(clf.rules_)
    for rows in (X, X.astype(object).to_numpy()):
        assert again.predict_proba(rows).tobytes() == clf.predict_proba(X).tobytes()
    np.testing.assert_array_equal(again.feature_importances_, clf.feature_importances_)


def test_an_edited_model_keeps_what_was_assumed():
    X, y = applicants()
    clf = SugenoClassifier(levels=1).fit(X, y)
    edited = clf.model_.with_boundary(0, clf.model_.boundaries[0])
    assert edited.assumed is clf.columns_
    assert clf.model_.at_boundary(0).assumed is clf.columns_
    assert sugeno.loads(sugeno.dumps(RuleClassifier.of(edited))).columns_["id"].left_out


def test_a_model_that_lost_what_was_assumed_is_not_written():
    X, y = applicants()
    lost = replace(SugenoClassifier().fit(X, y).model_, assumed=None)
    with pytest.raises(ModelFileError, match="must be"):
        sugeno.dumps(RuleClassifier.of(lost))
