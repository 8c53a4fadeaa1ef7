"""Probabilities of distilled rules: finer than the decisions, and as high as the classes are."""

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from sugeno import SugenoDistiller, SugenoEnsembleClassifier
from sugeno.datasets import load


@pytest.fixture(scope="module", params=["ESL", "HAB", "MMG"])
def fitted(request):
    X, y = load(request.param, return_X_y=True)
    return SugenoDistiller(random_state=0).fit(X, y), X, y


def test_the_mean_is_the_share_of_the_positive_class(fitted):
    clf, X, y = fitted
    share = (np.asarray(y) == clf.classes_[1]).mean()
    assert clf.predict_proba(X)[:, 1].mean() == pytest.approx(share, abs=1e-9)


def test_they_agree_with_the_rules_and_never_fall(fitted):
    clf, X, _ = fitted
    above = clf.predict_proba(X)[:, 1] > 0.5
    assert np.array_equal(above, clf.predict(X) == clf.classes_[1])
    assert clf.verify_monotone()


def test_rows_of_one_decision_are_told_apart_as_the_teacher_does(fitted):
    """Better than the share of each side, which is all that decisions alone could say."""
    clf, X, y = fitted
    positive = np.asarray(y) == clf.classes_[1]
    accepted = clf.predict(X) == clf.classes_[1]
    shares = np.where(accepted, positive[accepted].mean(), positive[~accepted].mean())
    found = clf.predict_proba(X)[:, 1]
    assert roc_auc_score(positive, found) > roc_auc_score(positive, shares) + 0.02
    teacher = SugenoEnsembleClassifier(random_state=0).fit(X, y).predict_proba(X)[:, 1]
    assert np.corrcoef(found, teacher)[0, 1] > np.corrcoef(shares, teacher)[0, 1] + 0.01
