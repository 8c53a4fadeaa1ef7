"""Missing values in the ensemble, the distilled rules and the choice among kinds of models."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import KFold

from costly import costly
from sugeno import (
    SugenoClassifier,
    SugenoClassifierCV,
    SugenoDistiller,
    SugenoEnsembleClassifier,
)
from tables import POLICIES
from tables import rows_with_holes as table


def classifiers(**options):
    return [
        SugenoEnsembleClassifier(n_bags=2, max_rounds=20, **options),
        SugenoDistiller(
            SugenoEnsembleClassifier(n_bags=2, max_rounds=20, **options), max_rules=3, **options
        ),
        SugenoClassifierCV(levels=["shared", 2], ks=[2], cv=2, **options),
    ]


@pytest.mark.no_cover
@costly
@given(st.integers(0, 2**32 - 1), st.sampled_from(POLICIES))
def test_filling_in_and_improving_move_the_answer_one_way(seed, missing):
    rng = np.random.default_rng(seed)
    X, y = table(seed)
    turned = rng.choice([-1, 1], 3)
    for clf in classifiers(missing=missing, directions=turned):
        clf.fit(X * turned, y)
        chance = clf.predict_proba(X * turned)[:, 1]
        low, high = clf.predict_interval(X * turned).T
        np.testing.assert_array_equal(clf.predict_set(X * turned), np.c_[low == 0, high == 1])
        np.testing.assert_array_equal(
            clf.predict(X * turned), high if missing == "optimistic" else low
        )
        better = (X + rng.integers(0, 3, X.shape)) * turned
        assert (chance <= clf.predict_proba(better)[:, 1]).all()
        assert (clf.predict_interval(X * turned) <= clf.predict_interval(better)).all()
        for _ in range(5):
            whole = np.where(np.isnan(X), rng.integers(-1, 8, X.shape), X) * turned
            filled, answer = clf.predict_proba(whole)[:, 1], clf.predict(whole)
            assert (filled <= chance if missing == "optimistic" else filled >= chance).all()
            assert ((low <= answer) & (answer <= high)).all()
        for fill, end in ((-99.0, low), (99.0, high)):  # both ends are reached
            whole = np.where(np.isnan(X), fill, X) * turned
            np.testing.assert_array_equal(clf.predict(whole), end)


@pytest.mark.parametrize("missing", POLICIES)
def test_a_complete_table_is_learned_as_ever(missing):
    X, y = table(1, share=0)
    for plain, other in zip(classifiers(), classifiers(missing=missing)):
        plain.fit(X, y), other.fit(X, y)
        np.testing.assert_array_equal(plain.predict_proba(X), other.predict_proba(X))


def test_the_report_on_the_training_rows_reads_them_as_prediction_does():
    X, y = table(4)
    for missing in ("pessimistic", "optimistic"):
        clf = SugenoDistiller(max_rules=4, missing=missing, directions=None).fit(X, y)
        chosen = len(clf.rules_)
        assert clf.path_[chosen]["error"] == pytest.approx((clf.predict(X) != y).mean())
        told = clf.teacher_.predict(X) == clf.predict(X)
        assert clf.path_[chosen]["fidelity"] == clf.fidelity_ == pytest.approx(told.mean())


def test_rows_whose_values_are_missing_because_they_are_bad_are_told_apart():
    rng = np.random.default_rng(0)
    X = rng.uniform(size=(300, 2))
    y = (X[:, 0] > 0.5).astype(int)
    holes = X.copy()
    holes[X[:, 0] < 0.4, 0] = np.nan
    for clf in classifiers(missing="pessimistic", directions=None):
        assert clf.fit(holes, y).score(holes, y) > 0.9


def test_a_teacher_has_to_take_missing_values_as_they_are():
    X, y = table(5, n=120)
    clf = SugenoDistiller(HistGradientBoostingClassifier(max_iter=5), missing="pessimistic")
    assert clf.fit(X, y).score(X, y) > 0.6
    with pytest.raises(ValueError, match="LogisticRegression does not accept missing values"):
        SugenoDistiller(LogisticRegression(), missing="pessimistic").fit(X, y)


# ------------------------------------------------------------------ refusals and use


@pytest.mark.parametrize("clf", classifiers(), ids=["ensemble", "distiller", "cv"])
def test_they_are_refused_by_name_with_the_choices(clf):
    X = pd.DataFrame({"a": [1, None, 3, 4] * 3, "b": [1, 2, 3, 4] * 3})
    with pytest.raises(ValueError, match=r"'a' \(3\)\. Say what they mean: missing='pess"):
        clf.fit(X, [0, 0, 1, 1] * 3)
    clf.fit(X.fillna(2), [0, 0, 1, 1] * 3)
    with pytest.raises(ValueError, match=r"'a' \(3\)"):
        clf.predict(X)


def test_a_column_without_a_value_in_a_fold_is_named():
    X, y = table(2, share=0)
    X[1:, 1] = np.nan
    clf = SugenoClassifierCV(levels="shared", missing="pessimistic", cv=KFold(3))
    with pytest.raises(ValueError, match=r"in every fold too\. Got none in 'x1' instead; drop it"):
        clf.fit(X, y)
    weights = np.r_[0, np.ones(len(y) - 1)]
    with pytest.raises(ValueError, match=r"of positive weight.* Got none in 'x1'"):
        SugenoClassifier(missing="interval").fit(X, y, weights)


def test_the_joint_threshold_needs_known_values_here_too():
    clf = SugenoClassifierCV(levels="shared", missing="interval", threshold="joint")
    with pytest.raises(ValueError, match="threshold='joint' tries every level"):
        clf.fit(*table(0))


@pytest.mark.parametrize("missing", POLICIES)
def test_several_classes_have_missing_values_too(missing):
    X, y = table(7, n=90, n_classes=3)
    for clf in classifiers(missing=missing):
        clf.fit(X, y)
        assert clf.predict_set(X).shape == (90, 3)
        # What may hold is open: filling in takes classes away from the set and adds none.
        assert (clf.predict_set(np.nan_to_num(X, nan=3.0)) <= clf.predict_set(X)).all()
        assert clf.__sklearn_tags__().input_tags.allow_nan
