"""Folds depend on what rows hold, never on where they stand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.model_selection import KFold

from sugeno import SugenoClassifierCV
from sugeno._counts.weights import row_weights
from sugeno._learning.folds import limit_folds, stratified_folds


def table(seed=0, n=60):
    """Many equal rows of different weights."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 3, (n, 2)).astype(float)
    y = (X.sum(axis=1) + rng.integers(0, 2, n) >= 3).astype(np.intp)
    return X, y, rng.integers(0, 40, n) / 8


def contents(X, y, weights, rows):
    return sorted(zip(X[rows].tolist(), y[rows].tolist(), weights[rows].tolist()))


@pytest.mark.parametrize("seed", range(5))
def test_folds_hold_the_same_rows_in_any_order_of_the_table(seed):
    X, y, weights = table(seed)
    order = np.random.default_rng(seed).permutation(len(y))
    folds = stratified_folds(X, y, row_weights(weights, len(y)), 4)
    mixed = stratified_folds(X[order], y[order], row_weights(weights[order], len(y)), 4)
    for (_, test), (_, moved) in zip(folds, mixed):
        assert contents(X, y, weights, test) == contents(X[order], y[order], weights[order], moved)


@pytest.mark.parametrize("seed", range(3))
def test_scores_are_the_same_in_any_order_of_the_table(seed):
    X, y, weights = table(seed)
    order = np.random.default_rng(seed).permutation(len(y))
    clf = SugenoClassifierCV(levels="shared", cv=4, directions=[1, 1])
    scores = clf.fit(X, y, weights).cv_results_
    moved = clf.fit(X[order], y[order], weights[order]).cv_results_
    for i in range(4):
        name = f"split{i}_test_score"
        np.testing.assert_array_equal(scores[name], moved[name])


def test_folds_have_weight_in_both_classes():
    X, y, weights = table()
    weights[: len(y) // 2] = 0
    for parts in stratified_folds(X, y, row_weights(weights, len(y)), 10):
        for rows in parts:
            assert (weights[rows] > 0).all()
            assert set(y[rows]) == {0, 1}


def test_a_fold_without_weight_to_score_says_so():
    X, y, weights = table()
    weights[:20] = 0
    weights[20:] += 1
    with pytest.raises(ValueError, match=r"Fold 0 of 'cv' must score rows .* add up to 0"):
        SugenoClassifierCV(cv=KFold(3), directions=[1, 1]).fit(X, y, weights)


def test_a_fold_without_a_class_to_learn_from_says_so():
    X, y, weights = table()
    cv = [(np.flatnonzero(y == 0), np.flatnonzero(y == 1))]
    with pytest.raises(ValueError, match=r"Fold 0 of 'cv' .* to learn from. Got none of class 1"):
        SugenoClassifierCV(cv=cv, directions=[1, 1]).fit(X, y, weights)


@given(st.integers(0, 2**32 - 1), st.integers(1, 400), st.integers(2, 5))
def test_of_many_rows_one_fold_learns_from_each_class_its_share(seed, n, n_classes):
    rng = np.random.default_rng(seed)
    codes = np.sort(rng.integers(0, n_classes, n) ** 2)
    rows = rng.permutation(n)
    folds = [(np.sort(rows[: n - n // 3]), rows[n - n // 3 :]), (rows[:1], rows[1:])]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sugeno._learning.folds._MANY_ROWS", 50)
        found = limit_folds(folds, codes)
    if n <= 50:
        assert found is folds
        return
    ((train, test),) = found
    np.testing.assert_array_equal(test, folds[0][1])
    assert np.isin(train, folds[0][0]).all()
    assert np.unique(train).size == train.size
    share = min(1, 50 / len(folds[0][0]))
    for code in np.unique(codes[folds[0][0]]):
        members = (codes[folds[0][0]] == code).sum()
        assert 0 <= (codes[train] == code).sum() - share * members < 1 + 1e-9
