import numpy as np
import pytest

from oracles import contains_any
from sugeno import SugenoClassifier, sugeno_integral


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
    capacity = clf.capacity_
    np.testing.assert_array_equal(capacity.boundary_masks(clf.threshold_), clf.rules_.masks)
    every = np.arange(1, 32, dtype=np.uint64)[:, None]
    reached = capacity.table[1:] >= clf.threshold_
    np.testing.assert_array_equal(reached, contains_any(every, clf.rules_.masks))
    assert k is None or capacity.is_k_maxitive(k)
    assert capacity.normalized or not normalized


@pytest.mark.parametrize("k", [None, 2])
def test_scores_of_rows_rank_them_as_their_probabilities_do(k):
    X, y = measurements(7, n=300)
    clf = SugenoClassifier(k=k, directions=None, threshold=0.4717, time_limit=0).fit(X, y)
    probability, score = clf.predict_proba(X)[:, 1], clf.decision_function(X)
    order = np.argsort(score, kind="stable")
    assert (np.diff(probability[order]) >= 0).all()
    np.testing.assert_array_equal(score > 0, probability > 0.5)
    values = sugeno_integral(clf.utility_.transform(X), clf.capacity_)
    np.testing.assert_array_equal(clf.integral(X), values)
    np.testing.assert_array_equal(values >= clf.threshold_, probability > 0.5)


@pytest.mark.parametrize("normalized", [True, False])
@pytest.mark.parametrize("seed", range(4))
def test_sets_of_criteria_are_graded_as_their_probabilities_say(seed, normalized):
    X, y = measurements(seed)
    clf = SugenoClassifier(directions=None, normalized=normalized).fit(X, y)
    sets = np.arange(1, 32, dtype=np.uint64)[:, None]
    accepted = contains_any(sets, clf.rules_.masks)
    probability = clf.model_.boundaries[0].probability.of(sets, accepted)
    grades = clf.capacity_.table[1:]
    # Equal probabilities have equal grades, larger ones have larger grades.
    order = np.argsort(probability, kind="stable")
    assert (np.diff(grades[order]) >= 0).all()
    assert len(np.unique(grades)) == len(np.unique(probability))
    beta = clf.threshold_
    expected = np.where(accepted, beta + (1 - beta) * (2 * probability - 1), 2 * beta * probability)
    inner = grades < 1
    np.testing.assert_allclose(grades[inner], expected[inner], rtol=1e-12)
    # The grades use the whole scale, not a narrow window around the threshold.
    assert grades.max() - grades.min() > 0.5


def test_grades_say_more_than_the_verdict():
    X, y = measurements(11, n=400)
    clf = SugenoClassifier(directions=None).fit(X[:200], y[:200])
    score, verdict = clf.decision_function(X[200:]), clf.predict(X[200:])
    positive = y[200:]

    def auc(s):
        above = (s[positive][:, None] > s[~positive][None, :]).mean()
        return above + (s[positive][:, None] == s[~positive][None, :]).mean() / 2

    assert auc(score) > auc(verdict.astype(float))
