"""Classes without an order are judged together, on rows that none of their models had seen."""

import numpy as np
import polars as pl
import pytest

import sugeno
from sugeno import SugenoClassifier, SugenoClassifierCV

NAMES = np.array(["ash", "birch", "cedar"])


def trees(n=150, noise=0.6, seed=0):
    """Three kinds of trees, each the tallest in one of three measures."""
    rng = np.random.default_rng(seed)
    kind = rng.integers(0, 3, n)
    return np.eye(3)[kind] * 2 + rng.normal(0, noise, (n, 3)).round(1), NAMES[kind]


def brief(**params):
    return SugenoClassifierCV(levels="shared", ks=[1], cv=3, **params)


def test_rows_are_decided_by_models_that_have_not_seen_them():
    X, y = trees()
    folds = [
        (np.flatnonzero(np.arange(150) % 3 != k), np.flatnonzero(np.arange(150) % 3 == k))
        for k in range(3)
    ]
    clf = SugenoClassifierCV(levels="shared", ks=[2], cv=folds).fit(X, y)
    expected = np.zeros((3, 3))
    for train, test in folds:
        each = [
            SugenoClassifier(k=2).fit(X[train], y[train] == name).predict_proba(X[test])[:, 1]
            for name in NAMES
        ]
        decided = np.argmax(each, axis=0)  # to the sum 1 they would have the same order
        np.add.at(expected, (np.searchsorted(NAMES, y[test]), decided), 1)
    assert clf.held_out_confusion_.tolist() == expected.tolist()
    assert clf.held_out_error_ == clf.held_out_cost_ == (150 - np.trace(expected)) / 150
    with pytest.raises(AttributeError, match="two classes"):
        _ = clf.held_out_auc_


def test_labels_that_mean_nothing_are_wrong_two_times_in_three():
    errors = []
    for seed in range(8):
        X, y = trees(seed=seed)
        y = np.random.default_rng(seed).permutation(y)
        errors.append(brief().fit(X, y).held_out_error_)
    assert np.mean(errors) == pytest.approx(2 / 3, abs=0.06)


def test_frames_and_files_say_the_same():
    X, y = trees()
    clf = brief().fit(X, y)
    frame = pl.DataFrame({f"x{j}": X[:, j] for j in range(3)} | {"kind": y})
    counted = brief().fit_frame(frame, "kind")
    loaded = sugeno.loads(sugeno.dumps(clf))
    for other in (counted, loaded):
        assert other.held_out_confusion_.tolist() == clf.held_out_confusion_.tolist()
    assert sugeno.dumps(loaded) == sugeno.dumps(clf)


def test_rows_of_other_weights_are_not_the_same_rows_for_every_class():
    # Equal rows are joined where weights differ, and the rest of one class is not that of another.
    X, y = np.repeat(np.arange(6.0), 15)[:, None], np.tile(NAMES, 30)
    weights = np.tile([1.0, 2.0, 3.0, 2.5, 1.5], 18)
    clf = brief(directions=[1]).fit(X, y, sample_weight=weights)
    with pytest.raises(AttributeError, match="not known"):
        _ = clf.held_out_error_


def test_a_file_of_ordered_classes_says_it_in_its_model():
    text = sugeno.dumps(brief().fit([[1], [2], [3], [4]] * 3, [0, 0, 1, 1] * 3))
    with pytest.raises(sugeno.ModelFileError, match="held_out must be null"):
        sugeno.loads(text.rstrip()[:-1] + ', "held_out": {"error": 0.5}}')
