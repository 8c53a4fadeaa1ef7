"""A threshold learned together with the capacity is never worse than another threshold."""

import numpy as np
import pytest

from sugeno import SugenoClassifier


def errors(X, y, weights, **parameters):
    clf = SugenoClassifier(directions=None, **parameters).fit(X, y, sample_weight=weights)
    wrong = clf.predict(X) != y
    return clf.objective_, float(weights[wrong].sum())


def test_a_level_above_all_utilities_is_tried():
    X, y = np.array([[1.0], [1.0], [1.0]]), np.array([1, 0, 0])
    clf = SugenoClassifier(threshold="joint").fit(X, y)
    assert clf.objective_ == (clf.predict(X) != y).sum() == 1


def random_table(rng):
    n, m = int(rng.integers(3, 25)), int(rng.integers(1, 4))
    X = rng.integers(0, int(rng.integers(1, 5)) + 1, (n, m)).astype(float)
    y = rng.integers(0, 2, n)
    y[:2] = [0, 1]
    weights = rng.integers(1, 6, n).astype(float) if rng.random() < 0.5 else np.ones(n)
    return X, y, weights


@pytest.mark.no_cover
@pytest.mark.parametrize("seed", range(6))
def test_joint_makes_no_more_errors_than_any_other_threshold(seed):
    rng = np.random.default_rng(seed)
    for _ in range(50):
        X, y, weights = random_table(rng)
        k = None if rng.random() < 0.5 else int(rng.integers(1, X.shape[1] + 1))
        normalized = bool(rng.random() < 0.8)
        options = {"k": k, "normalized": normalized}
        joint, wrong = errors(X, y, weights, threshold="joint", **options)
        assert joint == pytest.approx(wrong)
        thresholds = ["median", *rng.uniform(0.001, 0.999, 3).tolist()]
        for threshold in thresholds:
            other, _ = errors(X, y, weights, threshold=threshold, **options)
            assert joint <= other + 1e-9


def test_with_a_margin_too():
    rng = np.random.default_rng(7)
    for _ in range(40):
        X, y, weights = random_table(rng)
        try:
            median, _ = errors(X, y, weights, threshold="median", margin=0.04)
            joint, _ = errors(X, y, weights, threshold="joint", margin=0.04)
        except ValueError as error:
            assert "margin" in str(error)  # noqa: PT017
            continue
        assert joint <= median + 1e-9


def test_with_more_levels_than_are_tried_the_median_is_one_of_them():
    rng = np.random.default_rng(8)
    for _ in range(10):
        X = rng.normal(size=(300, 2))
        y = (X.sum(axis=1) + rng.normal(size=300) > 0).astype(int)
        joint = SugenoClassifier(threshold="joint").fit(X, y)
        assert joint.objective_ <= SugenoClassifier().fit(X, y).objective_
