"""The ensemble as an estimator: what it shows, and that it is what it says."""

import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import NotFittedError
from sklearn.metrics import log_loss

from sugeno import SugenoEnsembleClassifier

FEW = {"n_bags": 3, "max_rounds": 40}


def table(seed=0, n=150):
    rng = np.random.default_rng(seed)
    X = np.column_stack([rng.integers(0, 6, (n, 2)), rng.normal(size=n), np.ones(n)])
    y = X[:, 0] - X[:, 1] + rng.normal(0, 1, n) > 0
    return X, np.where(y, "yes", "no")


@pytest.fixture(scope="module")
def fitted():
    X, y = table()
    return SugenoEnsembleClassifier(**FEW).fit(X, y), X, y


def test_probabilities_scores_and_labels_agree(fitted):
    clf, X, y = fitted
    both = clf.predict_proba(X)
    np.testing.assert_allclose(both.sum(axis=1), 1, rtol=1e-15)
    assert ((both[:, 1] > 0.5) == (clf.predict(X) == "yes")).all()
    assert ((clf.decision_function(X) > 0) == (clf.predict(X) == "yes")).all()
    np.testing.assert_allclose(np.log(both[:, 1] / both[:, 0]), clf.decision_function(X), atol=1e-9)
    assert clf.score(X, y) > 0.8


def test_what_is_out_of_bag_is_scored(fitted):
    clf, X, y = fitted
    told = clf.oob_decision_function_
    assert told.shape == (len(y), 2)
    assert clf.oob_score_ == pytest.approx(np.mean((told[:, 1] > 0.5) == (y == "yes")))
    # Each row is judged by the bags without it; log loss counts rows outside of some bag.
    assert clf.oob_log_loss_ == pytest.approx(log_loss(y, told), rel=0.1)
    assert clf.oob_score_ <= clf.score(X, y)


def test_rounds_and_members_are_counted(fitted):
    clf, _, _ = fitted
    assert 1 <= clf.n_rounds_ <= 40
    assert 1 <= clf.n_members_ <= 3 * clf.n_rounds_


def test_what_matters_is_important(fitted):
    clf, X, _ = fitted
    assert clf.directions_.tolist()[:2] == [1, -1]
    assert clf.feature_importances_.sum() == pytest.approx(1)
    assert clf.feature_importances_[3] == 0
    assert set(np.argsort(clf.feature_importances_)[-2:]) == {0, 1}
    assert clf.can_flip(X).shape == X.shape
    np.testing.assert_allclose(clf.pivotality_, clf.can_flip(X).mean(axis=0))


def test_a_criterion_can_flip_a_row_if_one_of_its_values_does(fitted):
    clf, X, _ = fitted
    rows = X[:25]
    told = clf.predict(rows)
    for j in range(4):
        flipped = np.zeros(len(rows), dtype=bool)
        for value in [-1e9, *np.unique(X[:, j]), 1e9]:
            moved = rows.copy()
            moved[:, j] = value
            flipped |= clf.predict(moved) != told
        assert clf.can_flip(rows)[:, j].tolist() == flipped.tolist()


def test_a_copy_by_pickle_is_the_same(fitted):
    clf, X, _ = fitted
    again = pickle.loads(pickle.dumps(clf))
    np.testing.assert_array_equal(again.predict_proba(X), clf.predict_proba(X))


def test_names_and_ordered_categories_are_known():
    X, y = table()
    sizes = pd.Categorical.from_codes(X[:, 0].astype(int), list("SMLXYZ"), ordered=True)
    frame = pd.DataFrame({"size": sizes, "price": X[:, 1]})
    clf = SugenoEnsembleClassifier(**FEW).fit(frame, y)
    plain = SugenoEnsembleClassifier(**FEW).fit(X[:, :2], y)
    np.testing.assert_array_equal(clf.predict_proba(frame), plain.predict_proba(X[:, :2]))
    assert clf.feature_names_in_.tolist() == ["size", "price"]


def test_a_class_that_is_dear_is_predicted_more_often():
    X, y = table(1)
    accepted = [
        np.mean(
            SugenoEnsembleClassifier(**FEW, class_weight={"yes": w}).fit(X, y).predict(X) == "yes"
        )
        for w in (0.1, 1, 10)
    ]
    assert accepted == sorted(accepted)
    assert accepted[0] < accepted[-1]


def test_another_seed_is_another_ensemble():
    X, y = table()
    first, second = (
        SugenoEnsembleClassifier(**FEW, random_state=seed).fit(X, y).predict_proba(X)
        for seed in (0, 1)
    )
    assert (first != second).any()


def test_a_table_of_constants_has_the_share_of_the_classes():
    clf = SugenoEnsembleClassifier(**FEW, directions=None).fit(np.ones((20, 2)), [0] * 5 + [1] * 15)
    assert 0.6 < clf.predict_proba(np.ones((1, 2)))[0, 1] < 0.9
    assert clf.feature_importances_.tolist() == [0, 0]
    assert clf.n_members_ == 0


@pytest.mark.parametrize("method", ["predict", "predict_proba", "decision_function", "can_flip"])
def test_an_unfitted_ensemble_says_so(method):
    with pytest.raises(NotFittedError):
        getattr(SugenoEnsembleClassifier(), method)([[1, 2]])


@pytest.mark.parametrize("given", [{"n_bags": 1}, {"max_rounds": 0}, {"random_state": -1}], ids=str)
def test_wrong_parameters_are_refused(given):
    X, y = table()
    with pytest.raises(ValueError, match=f"The '{next(iter(given))}' parameter"):
        SugenoEnsembleClassifier(**given).fit(X, y)
