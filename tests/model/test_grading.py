import numpy as np
import pytest

from sugeno import SugenoClassifier, sugeno_integral
from sugeno._sets.masks import contains_any


def measurements(seed, n=120, m=5):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 6, (n, m)).astype(float)
    return X, X.sum(axis=1) + rng.normal(scale=4, size=n) > 2.5 * m


@pytest.mark.parametrize("normalized", [True, False])
@pytest.mark.parametrize("k", [None, 1, 2, 3])
@pytest.mark.parametrize("seed", range(4))
def test_capacity_reaches_the_threshold_exactly_on_the_learned_family(seed, k, normalized):
    X, y = measurements(seed)
    clf = SugenoClassifier(k=k, directions=None, normalized=normalized, time_limit=0).fit(X, y)
    for capacity in (clf.capacity_, clf._model.graded):
        np.testing.assert_array_equal(capacity.boundary_masks(clf.threshold_), clf.rules_.masks)
        every = np.arange(1, 32, dtype=np.uint64)[:, None]
        reached = capacity.table[1:] >= clf.threshold_
        np.testing.assert_array_equal(reached, contains_any(every, clf.rules_.masks))
        assert k is None or capacity.is_k_maxitive(k)
        assert capacity.normalized or not normalized


@pytest.mark.parametrize("k", [None, 2])
def test_sugeno_values_of_training_rows_rank_them_as_their_probabilities_do(k):
    X, y = measurements(7, n=300)
    # No row has a utility of exactly this threshold.
    clf = SugenoClassifier(k=k, directions=None, threshold=0.4717, time_limit=0).fit(X, y)
    probability = clf.predict_proba(X)[:, 1]
    score = clf.decision_function(X)
    values = sugeno_integral(clf.utility_.transform(X), clf.capacity_)
    np.testing.assert_array_equal(score, values - np.nextafter(clf.threshold_, -np.inf))
    inner = (score > score.min()) & (score < score.max())
    order = np.argsort(score[inner], kind="stable")
    if k is None:
        assert (np.diff(probability[inner][order]) >= 0).all()
    np.testing.assert_array_equal(score > 0, probability > 0.5)


def test_grades_say_more_than_the_verdict():
    X, y = measurements(11, n=400)
    clf = SugenoClassifier(directions=None).fit(X[:200], y[:200])
    score, verdict = clf.decision_function(X[200:]), clf.predict(X[200:])
    positive = y[200:]

    def auc(s):
        above = (s[positive][:, None] > s[~positive][None, :]).mean()
        return above + (s[positive][:, None] == s[~positive][None, :]).mean() / 2

    assert auc(score) > auc(verdict.astype(float))
