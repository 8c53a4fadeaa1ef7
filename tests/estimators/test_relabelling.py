"""Labels made monotone: against all monotone labels, the report, and classifiers on top."""

from itertools import product

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from sugeno import RelabelledClassifier, SugenoClassifier, monotone_labels
from sugeno.datasets import load
from sugeno.paper.baselines.more import monotone_labels as two_class_labels


def random_table(case, missing=False):
    rng = np.random.default_rng(case)
    n_classes = int(rng.integers(2, 5))
    n, m = (5 if n_classes == 4 else 6), int(rng.integers(1, 4))
    X = rng.integers(0, 3, size=(n, m)).astype(float)
    y = np.concatenate([np.arange(n_classes), rng.integers(0, n_classes, n - n_classes)])
    if missing:
        X[rng.random(X.shape) < 0.3] = np.nan
        X[np.isnan(X).all(axis=1), 0] = 1
        X[0, np.isnan(X).all(axis=0)] = 1
    loss = rng.integers(1, 9, size=(n_classes, n_classes))
    np.fill_diagonal(loss, 0)
    return X, y, loss, rng.integers(0, 4, n) / 2 + 0.5


def dominates(better, worse, missing):
    """Whether a row dominates another, whatever is missing, or as missing values are read."""
    filled = {"pessimistic": (-np.inf, -np.inf), "optimistic": (np.inf, np.inf)}
    least, most = filled.get(missing, (-np.inf, np.inf))
    return (np.nan_to_num(better, nan=least) >= np.nan_to_num(worse, nan=most)).all()


def least_cost(X, y, loss, weights, missing="interval"):
    n, pairs = len(X), []
    for i, j in product(range(len(X)), repeat=2):
        if i != j and dominates(X[j], X[i], missing):
            pairs.append((i, j))
    costs = weights[:, None] * loss[y]
    return min(
        sum(costs[i, label] for i, label in enumerate(labels))
        for labels in product(range(len(loss)), repeat=n)
        if all(labels[i] <= labels[j] for i, j in pairs)
    ), pairs


@pytest.mark.parametrize("case", range(300))
def test_no_monotone_labels_cost_less(case):
    missing = ["interval", "pessimistic", "optimistic"][case % 3]
    X, y, loss, weights = random_table(case, missing=case % 2 == 0)
    found = monotone_labels(
        X, y, loss=loss, sample_weight=weights, directions=None, missing=missing
    )
    best, pairs = least_cost(X, y, loss, weights, missing)
    assert found.cost == best
    assert (weights * loss[y, found.labels]).sum() == best
    assert all(found.labels[i] <= found.labels[j] for i, j in pairs)
    assert {tuple(pair) for pair in found.violations.tolist()} == {
        (i, j) for i, j in pairs if y[i] > y[j]
    }
    np.testing.assert_array_equal(found.changed, np.flatnonzero(found.labels != y))


def test_large_costs_are_written_out():
    found = monotone_labels([[1.0], [2.0]], [1, 0], directions=None, sample_weight=[1309000, 5e6])
    assert "1 of 2 rows changed, cost 1309000;" in str(found)


def test_a_monotone_table_keeps_its_labels():
    X, y = [[1, 1], [1, 2], [2, 2]], [0, 1, 2]
    found = monotone_labels(X, y, directions=None)
    assert found.cost == 0
    assert found.changed.size == found.violations.size == 0
    assert str(found) == "0 of 3 rows changed, cost 0; 0 pairs of rows violated monotonicity"


def test_directions_are_found_and_text_needs_an_order():
    X, y = np.array([[5.0], [4.0], [3.0], [2.0], [1.0]]), ["bad", "bad", "fair", "good", "good"]
    with pytest.raises(ValueError, match=r"alphabetical order .* classes="):
        monotone_labels(X, y)
    assert monotone_labels(X, y, classes="sorted").cost == 0
    order = pd.Categorical(y, ["bad", "fair", "good", "best"], ordered=True)
    assert monotone_labels(X, order).classes.tolist() == ["bad", "fair", "good"]
    assert monotone_labels(X, y, classes=["fair", "bad", "good"]).cost == 1
    assert monotone_labels(X, y, classes=["bad", "fair", "good"], directions=None).cost == 3


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"classes": [0, 1]}, "must name each label"),
        ({"classes": [0, 1, 1, 2]}, "must name each label"),
        ({"classes": [0, 1, 2, 3]}, r"no row of \[3\]"),
        ({"loss": [[0, 1], [1, 0]]}, r"shape \(3, 3\). Got shape \(2, 2\)"),
        ({"loss": "squared"}, "Got 'squared'"),
        ({"loss": [[0, 1, 1], [1, 0, -1], [1, 1, 0]]}, "not negative"),
        ({"loss": [[0, 1, 1], [0, 1, 1], [1, 1, 0]]}, "class number 1"),
        ({"missing": "guess"}, "Got 'guess'"),
    ],
)
def test_what_cannot_be_meant_is_refused(options, message):
    with pytest.raises(ValueError, match=message):
        monotone_labels([[1], [2], [3]], [0, 1, 2], **options)


def test_weights_and_losses_of_many_digits_are_rounded_to_what_can_be_added_up():
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 4, size=(40, 2)), rng.integers(0, 3, 40)
    loss = np.array([[0, np.pi, 1e3], [1 / 3, 0, 7], [50, 1, 0]])
    weights = rng.uniform(1e-6, 2.0**50, 40)
    found = monotone_labels(X, y, loss=loss, sample_weight=weights, directions=None)
    expected = (weights * loss[y, found.labels]).sum()
    assert found.cost == pytest.approx(expected, rel=1e-6)


def test_missing_values_are_refused_by_name_until_their_meaning_is_said():
    X = pd.DataFrame({"age": [1, None, 3], "size": [None, 2, None]}, dtype=float)
    with pytest.raises(ValueError, match=r"'age' \(1\), 'size' \(2\).*missing='pessimistic'"):
        monotone_labels(X, [0, 1, 2], directions=None)
    for frame in (X, pl.from_pandas(X), X.convert_dtypes(), X.to_numpy(), X.to_numpy(object)):
        found = monotone_labels(frame, [2, 1, 0], directions=None, missing="interval")
        assert found.cost == 0, type(frame)
    with pytest.raises(ValueError, match="none in 'size'"):
        monotone_labels(X.assign(size=np.nan), [0, 1, 2], missing="interval")
    with pytest.raises(ValueError, match="none in row 1"):
        monotone_labels([[1, 2], [np.nan, np.nan]], [0, 1], missing="interval")


def test_many_changes_are_shown_in_part():
    found = monotone_labels(np.arange(50)[:, None], [1, 0] * 25, directions=None)
    assert str(found).endswith("more")
    assert found.to_records()[0] == {"row": 0, "given": 1, "label": 0}


@pytest.mark.parametrize("name", ["LEV", "ESL", "ERA", "HAB"])
def test_two_classes_are_relabelled_as_the_baseline_does_it(name):
    task = load(name)
    X, y = np.asarray(task.data, dtype=float), np.asarray(task.target)
    rows, place = np.unique(X, axis=0, return_inverse=True)
    counts = [np.bincount(place.ravel(), y == label, len(rows)).astype(int) for label in (1, 0)]
    expected = two_class_labels(rows, *counts)[place.ravel()]
    found = monotone_labels(X, y, directions=None)
    np.testing.assert_array_equal(found.labels, expected)
    assert found.cost == (expected != y).sum() == found.changed.size


@pytest.mark.parametrize("inside", [LogisticRegression(), DecisionTreeClassifier(max_depth=2)])
def test_a_classifier_learns_from_monotone_labels(inside):
    rng = np.random.default_rng(0)
    X = rng.integers(0, 5, size=(80, 2)).astype(float)
    y = np.clip(X.sum(axis=1) + rng.integers(-3, 4, 80), 0, 8).astype(int) // 3
    weights = rng.integers(1, 4, 80)
    clf = RelabelledClassifier(inside, directions=None).fit(X, y, weights)
    labels = monotone_labels(X, y, directions=None, sample_weight=weights).labels
    plain = inside.fit(X, labels, weights)
    np.testing.assert_array_equal(clf.predict(X), plain.predict(X))
    np.testing.assert_array_equal(clf.predict_proba(X), plain.predict_proba(X))
    np.testing.assert_array_equal(clf.relabelling_.labels, labels)
    assert hasattr(clf, "decision_function") == hasattr(inside, "decision_function")


@pytest.mark.parametrize(
    "inside",
    [SugenoClassifier(), LogisticRegression(), DecisionTreeClassifier()],
)
def test_labels_that_become_the_same_are_given_to_all_rows(inside):
    X, y = [[3.0], [2.0], [1.0], [0.0]], ["a", "a", "a", "b"]
    options = {"directions": None, "classes": "sorted"}
    clf = RelabelledClassifier(inside, **options).fit(X, y, [1.0, 2.0, 1.0, 1.0])
    assert clf.relabelling_.changed.tolist() == [3]
    assert clf.classes_.tolist() == ["a"]
    assert clf.predict([[0.0], [9.0]]).tolist() == ["a", "a"]
    assert clf.predict_proba([[0.0]]).tolist() == [[1.0]]


def test_a_classifier_without_weights_refuses_them():
    with pytest.raises(ValueError, match="KNeighborsClassifier does not take sample weights"):
        RelabelledClassifier(KNeighborsClassifier(1)).fit([[1], [2]], [0, 1], [1, 2])


def test_missing_values_reach_a_classifier_that_takes_them():
    X, y = [[1.0, 2.0], [np.nan, 3.0], [4.0, np.nan]] * 10, [0, 1, 2] * 10
    clf = RelabelledClassifier(HistGradientBoostingClassifier(), missing="interval")
    assert clf.fit(X, y).predict(X).shape == (30,)
    assert clf.__sklearn_tags__().input_tags.allow_nan
    assert not clf.set_params(missing="error").__sklearn_tags__().input_tags.allow_nan
