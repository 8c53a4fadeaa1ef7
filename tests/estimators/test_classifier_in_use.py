"""The estimator in the hands of its users: weights, frames, pipelines, wrong input."""

import json
import pickle
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone
from sklearn.datasets import make_blobs
from sklearn.metrics import accuracy_score
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from classifier_tables import EVERY_SOLVER, grades, measurements
from sugeno import (
    Capacity,
    QuantileUtility,
    RuleSet,
    SugenoClassifier,
    datasets,
)

# ------------------------------------------------------------------ weights and invariances


@pytest.mark.parametrize("options", [*EVERY_SOLVER, {"margin": 0.1}, {"class_weight": "balanced"}])
def test_a_weight_is_a_number_of_rows(options):
    X, y = grades(3, n=60)
    times = np.random.default_rng(0).integers(0, 4, y.size)
    times[:2] = 1
    order = np.random.default_rng(1).permutation(times.sum())
    clf = SugenoClassifier(**options, random_state=0)
    weighted = clone(clf).fit(X, y, sample_weight=times)
    repeated = clone(clf).fit(np.repeat(X, times, 0)[order], np.repeat(y, times)[order])
    assert weighted.rules_ == repeated.rules_
    assert weighted.threshold_ == repeated.threshold_
    assert weighted.capacity_ == repeated.capacity_
    assert weighted.objective_ == pytest.approx(repeated.objective_)
    assert weighted.rules_.to_records() == repeated.rules_.to_records()


def test_integer_class_weights_equal_sample_weights_in_threshold_and_errors():
    X, y = grades(n=60)
    by_class = SugenoClassifier(class_weight={0: 2, 1: 5}).fit(X, y)
    balanced = SugenoClassifier(class_weight="balanced").fit(X, y)
    share = {0: y.size / (2 * np.sum(y == 0)), 1: y.size / (2 * np.sum(y == 1))}
    explicit = SugenoClassifier(class_weight=share).fit(X, y)
    assert balanced.rules_ == explicit.rules_
    assert balanced.objective_ == pytest.approx(explicit.objective_)
    wrong = by_class.predict(X) != y
    assert by_class.objective_ == 2 * np.sum(wrong[y == 0]) + 5 * np.sum(wrong[y == 1])


def test_class_weights_beside_fractional_sample_weights():
    X, y = grades(n=60)
    weights = np.random.default_rng(0).random(y.size) + 0.1
    for class_weight in ("balanced", {0: 0.1, 1: 7.3}):
        clf = SugenoClassifier(class_weight=class_weight).fit(X, y, sample_weight=weights)
        assert 0 <= clf.gap_ <= 1e-9
        assert clf.objective_ > 0


def test_strictly_increasing_transforms_change_nothing():
    X, y = measurements()
    plain, warped = SugenoClassifier().fit(X, y), SugenoClassifier().fit(np.sinh(X), y)
    assert plain.threshold_ == warped.threshold_
    assert plain.rules_.sets == warped.rules_.sets
    assert np.array_equal(plain.predict(X), warped.predict(np.sinh(X)))


# ------------------------------------------------------------------ what scikit-learn users do


def test_fitted_attributes_are_there():
    X, y = grades()
    frame = pd.DataFrame(X, columns=list("abcd"))
    clf = SugenoClassifier().fit(frame, np.where(y == 1, "yes", "no"))
    assert clf.classes_.tolist() == ["no", "yes"]
    assert clf.n_features_in_ == 4
    assert clf.feature_names_in_.tolist() == list("abcd")
    assert isinstance(clf.utility_, QuantileUtility)
    assert isinstance(clf.capacity_, Capacity)
    assert isinstance(clf.rules_, RuleSet)
    assert clf.capacity_.criteria == clf.rules_.criteria == tuple("abcd")
    assert np.array_equal(clf.utility_.transform(frame), QuantileUtility().fit_transform(frame))


@pytest.mark.parametrize(
    "labels",
    [np.array(["bad", "good"]), np.array([False, True]), np.array([-1, 1]), np.array([2.0, 7.0])],
)
def test_labels_of_any_kind_come_back(labels):
    X, y = grades()
    clf = SugenoClassifier().fit(X, labels[y])
    assert clf.predict(X).dtype == labels.dtype
    assert np.array_equal(clf.predict(X), labels[SugenoClassifier().fit(X, y).predict(X)])
    assert clf.score(X, labels[y]) == SugenoClassifier().fit(X, y).score(X, y)


def test_tables_of_any_kind_give_the_same_model():
    X, y = grades(n=40)
    expected = SugenoClassifier().fit(X, y)
    frame = pd.DataFrame(X, columns=list("abcd"))
    tables = [X.tolist(), X.astype(int), X.astype(np.float32), np.asfortranarray(X)]
    for table in [*tables, frame, pl.DataFrame(frame.to_dict("list"))]:
        clf = SugenoClassifier().fit(table, y)
        assert clf.rules_.sets == expected.rules_.sets
        assert np.array_equal(clf.predict(table), expected.predict(X))
        assert np.array_equal(clf.rules_.predict(table), expected.predict(X) == 1)
        assert np.array_equal(clf.decision_function(table), expected.decision_function(X))


def test_names_of_a_frame_appear_in_the_rules():
    X = pd.DataFrame({"interview": [2, 4, 6, 7, 8, 9], "price": [9, 8, 8, 7, 3, 5]})
    clf = SugenoClassifier().fit(X, [0, 0, 0, 1, 1, 1])
    assert str(clf.rules_) == "class 1 if interview >= 7 and price <= 7"
    with pytest.raises(ValueError, match="feature names"):
        clf.predict(X.rename(columns={"price": "cost"}))


def test_pipeline_clone_pickle_and_grid_search():
    X, y = measurements()
    pipeline = make_pipeline(StandardScaler(), SugenoClassifier(k=2))
    assert cross_val_score(pipeline, X, y, cv=3).mean() > 0.6
    search = GridSearchCV(SugenoClassifier(), {"k": [1, 2], "margin": [0.0, 0.05]}, cv=3)
    search.fit(X, y, sample_weight=np.ones(y.size))
    assert set(search.best_params_) == {"k", "margin"}
    clf = SugenoClassifier().fit(X, y)
    copy = pickle.loads(pickle.dumps(clf))
    assert copy.rules_ == clf.rules_
    assert np.array_equal(copy.predict_proba(X), clf.predict_proba(X))
    assert np.array_equal(copy.decision_function(X), clf.decision_function(X))
    assert clone(clf).get_params() == clf.get_params()


def test_sample_weights_count_in_the_score():
    X, y = grades()
    clf = SugenoClassifier().fit(X, y)
    weights = np.random.default_rng(0).random(y.size)
    expected = accuracy_score(y, clf.predict(X), sample_weight=weights)
    assert clf.score(X, y, sample_weight=weights) == expected


def test_probabilities_are_the_frequencies_where_they_are_monotone():
    # Three of four, and one more row of either class: the rule of succession.
    X = np.array([[0.0]] * 4 + [[1.0]] * 4)
    y = np.array([0, 0, 0, 1, 1, 1, 1, 0])
    probabilities = SugenoClassifier().fit(X, y).predict_proba([[0.0], [1.0]])
    np.testing.assert_allclose(probabilities, [[4 / 6, 2 / 6], [2 / 6, 4 / 6]])


def test_thirty_features_need_no_table_of_all_sets():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 30))
    y = (X[:, :3].sum(axis=1) > 0).astype(int)
    clf = SugenoClassifier().fit(X, y)
    assert clf.score(X, y) >= 0.9
    assert np.array_equal(clf.decision_function(X) > 0, clf.predict(X) == 1)
    many = SugenoClassifier(k=1, solver="lp").fit(np.hstack([X, X, X]), y)
    assert many.n_features_in_ == 90


# ------------------------------------------------------------------ the paper's figures


@pytest.mark.parametrize("task", ["LEV", "HAB"])
@pytest.mark.parametrize("solver", ["exact", "lp"])
def test_error_is_that_of_the_fully_maxitive_column(task, solver):
    tables = Path(datasets.__file__).parents[1] / "paper" / "experiments" / "paper.json"
    paper = json.loads(tables.read_text(encoding="utf-8"))["table7"]["50"][task]
    data = datasets.load(task)
    X, y = np.asarray(data.data, dtype=float), np.asarray(data.target)
    clf = SugenoClassifier(directions=data.directions, solver=solver)
    errors = []
    for seed in range(20):
        order = np.random.default_rng(seed).permutation(y.size)
        train, test = np.split(order, [y.size // 2])
        errors.append(1 - clf.fit(X[train], y[train]).score(X[test], y[test]))
    assert np.mean(errors) == pytest.approx(paper["full"][0], abs=0.02)


# ------------------------------------------------------------------ bad input


def test_one_class_is_refused():
    with pytest.raises(ValueError, match=r"two classes.* Got 1 class instead: 'a'"):
        SugenoClassifier().fit([[1], [2]], ["a", "a"])
    with pytest.raises(ValueError, match="two classes"):
        SugenoClassifier().fit([[1], [2]], ["a", "b"], sample_weight=[1, 0])


def test_a_class_without_weight_is_not_there():
    clf = SugenoClassifier().fit([[1], [2], [3]], ["a", "b", "c"], sample_weight=[1, 0, 1])
    assert clf.classes_.tolist() == ["a", "c"]


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_missing_and_infinite_values_are_refused(value):
    X, y = grades()
    clf = SugenoClassifier().fit(X, y)
    X[3, 1] = value
    word = "NaN" if np.isnan(value) else "infinity"
    for method in (clf.predict, clf.decision_function, clf.predict_proba, clf.rules_.predict):
        with pytest.raises(ValueError, match=word):
            method(X)
    with pytest.raises(ValueError, match=word):
        SugenoClassifier().fit(X, y)


def test_too_many_criteria_for_the_program():
    X, y = measurements(m=17)
    with pytest.raises(ValueError, match=r"109,293 variables.* Use solver='exact'"):
        SugenoClassifier(solver="lp", k=10).fit(X, y)
    SugenoClassifier(solver="lp", k=2, random_state=0).fit(X, y)
    # Without a limit on k the program over the patterns that occur has the same optimum.
    program = SugenoClassifier(solver="lp", directions=None).fit(X, y)
    assert program.objective_ == SugenoClassifier(directions=None).fit(X, y).objective_


@pytest.mark.parametrize("k", [0, -1, 1.5, 5, "2"])
def test_k_outside_its_range_is_refused(k):
    X, y = grades()
    with pytest.raises(ValueError, match=rf"The 'k' parameter .* Got .*{k}.* instead"):
        SugenoClassifier(k=k).fit(X, y)


@pytest.mark.parametrize("options", [{"threshold": 0.2, "margin": 0.2}, {"margin": 0.49}])
def test_a_margin_beyond_the_threshold_is_refused(options):
    X, y = grades()
    with pytest.raises(ValueError, match=r"less than min\(β, 1 − β\), which is .* instead"):
        SugenoClassifier(**options).fit(X, y)


def test_constant_features_never_matter():
    X, y = grades()
    wide = np.insert(X, 2, 7.0, axis=1)
    plain, padded = SugenoClassifier(threshold=0.4).fit(X, y), SugenoClassifier(threshold=0.4)
    padded.fit(wide, y)
    assert np.array_equal(plain.predict(X), padded.predict(wide))
    assert SugenoClassifier().fit(np.ones((4, 2)), [0, 1, 0, 1]).objective_ == 2


def test_weights_that_are_all_zero_or_negative_are_refused():
    X, y = grades()
    with pytest.raises(ValueError, match="zero everywhere"):
        SugenoClassifier().fit(X, y, sample_weight=np.zeros(y.size))
    with pytest.raises(ValueError, match="negative"):
        SugenoClassifier().fit(X, y, sample_weight=-np.ones(y.size))


@pytest.mark.parametrize(
    ("class_weight", "message"),
    [
        ({2: 1.0}, r"classes of y, which are \[0, 1\]. Got \[2\]"),
        ({0: -1.0}, "positive finite weights"),
        ({0: np.inf}, "positive finite weights"),
        ("even", "class_weight"),
    ],
)
def test_wrong_class_weights_are_refused(class_weight, message):
    X, y = grades()
    with pytest.raises(ValueError, match=message):
        SugenoClassifier(class_weight=class_weight).fit(X, y)


@pytest.mark.parametrize(
    "options",
    [
        {"margin": -0.1},
        {"margin": 0.5},
        {"threshold": 0.0},
        {"threshold": 1.0},
        {"threshold": "mean"},
        {"solver": "simplex"},
        {"extension": "middle"},
        {"subsets": "some"},
        {"time_limit": -1},
        {"max_rules": 0},
        {"rule_cost": -1},
        {"directions": "up"},
    ],
)
def test_parameters_outside_their_range_are_named(options):
    X, y = grades()
    (name,) = options
    with pytest.raises(ValueError, match=f"The '{name}' parameter of SugenoClassifier must be"):
        SugenoClassifier(**options).fit(X, y)


def test_blobs_need_directions_that_are_found():
    X, y = make_blobs(n_samples=300, centers=2, random_state=0)
    assert SugenoClassifier().fit(X, y).score(X, y) > 0.83
    assert SugenoClassifier(directions=None).fit(X, y).score(X, y) < 0.83
