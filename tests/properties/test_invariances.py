"""What must not matter: row order, weight or repetition, the names of the classes, units."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone

from oracles import patterns_of
from sugeno import SugenoClassifier
from sugeno._sets.chains import Chains
from sugeno._sets.masks import canonical_order, pack, unpack
from sugeno.solvers.closure import optimal_labels, solve_closure
from sugeno.solvers.maxitive import solve_maxitive

MODELS = [
    {},
    {"k": 1},
    {"k": 2, "time_limit": 0},
    {"threshold": "joint"},
    {"threshold": "alternating"},
    {"margin": 0.03, "threshold": 0.5},
    {"solver": "lp", "k": 2, "random_state": 0},
    {"class_weight": "balanced"},
    {"k": 2, "subsets": "all"},
    {"k": 2, "subsets": "all", "threshold": "joint"},
]


def table(seed, n=40, m=4):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 7, (n, m)).astype(float)
    y = X.sum(axis=1) + rng.normal(scale=4, size=n) > 3 * m
    y[:2] = True, False
    return X, y


def seen(clf, X):
    """Everything about a fitted model that a user can see."""
    return (
        clf.threshold_,
        clf.objective_,
        clf.bound_,
        clf.rules_.masks.tolist(),
        clf.rules_.levels.tolist(),
        clf.capacity_,
        clf.decision_function(X).tolist(),
        clf.predict_proba(X).tolist(),
    )


@given(parameters=st.sampled_from(MODELS), seed=st.integers(0, 10**6))
def test_the_order_of_the_rows_does_not_matter(parameters, seed):
    X, y = table(seed)
    order = np.random.default_rng(seed).permutation(len(y))
    plain = SugenoClassifier(**parameters).fit(X, y)
    shuffled = SugenoClassifier(**parameters).fit(X[order], y[order])
    assert seen(plain, X) == seen(shuffled, X)


@given(parameters=st.sampled_from(MODELS), seed=st.integers(0, 10**6))
def test_a_weight_is_a_number_of_repetitions(parameters, seed):
    X, y = table(seed)
    weights = np.random.default_rng(seed).integers(0, 4, len(y))
    weights[:2] = 1
    weighted = SugenoClassifier(**parameters).fit(X, y, sample_weight=weights)
    rows = np.repeat(np.arange(len(y)), weights)
    repeated = SugenoClassifier(**parameters).fit(X[rows], y[rows])
    assert seen(weighted, X) == seen(repeated, X)


def random_patterns(seed, m=5):
    rng = np.random.default_rng(seed)
    masks = rng.choice(1 << m, size=20, replace=False).astype(np.uint64)[:, None]
    masks = masks[canonical_order(masks)]
    return patterns_of(masks, rng.integers(0, 9, 20), rng.integers(0, 9, 20), m)


@given(seed=st.integers(0, 10**6))
def test_swapping_classes_and_complementing_patterns_mirrors_the_optimum(seed):
    patterns = random_patterns(seed)
    mirrored = patterns.masks ^ np.uint64((1 << patterns.n_literals) - 1)
    order = canonical_order(mirrored)
    mirror = patterns_of(
        mirrored[order], patterns.negative[order], patterns.positive[order], patterns.n_literals
    )
    for which, other in (("minimal", "maximal"), ("maximal", "minimal")):
        here, there = solve_closure(patterns, which=which), solve_closure(mirror, which=other)
        assert here.objective == there.objective
        np.testing.assert_array_equal(here.accepted[order], ~there.accepted)


TRANSFORMS = [np.exp, lambda x: x**3 - 1e6, lambda x: np.log1p(x) / 7, lambda x: 1e-9 * x]


@given(parameters=st.sampled_from(MODELS), seed=st.integers(0, 10**6))
def test_only_the_order_of_values_matters(parameters, seed):
    X, y = table(seed)
    plain = SugenoClassifier(**parameters).fit(X, y)
    Z = np.column_stack([f(X[:, j]) for j, f in enumerate(TRANSFORMS)])
    other = SugenoClassifier(**parameters).fit(Z, y)
    assert plain.threshold_ == other.threshold_
    assert plain.objective_ == other.objective_
    np.testing.assert_array_equal(plain.rules_.masks, other.rules_.masks)
    np.testing.assert_array_equal(plain.predict(X), other.predict(Z))
    np.testing.assert_array_equal(plain.predict_proba(X), other.predict_proba(Z))


@pytest.mark.parametrize("always", [True, False])
@given(seed=st.integers(0, 10**6))
def test_a_literal_that_is_the_same_everywhere_changes_no_label(seed, always):
    patterns = random_patterns(seed)
    bits = unpack(patterns.masks, patterns.n_literals)
    wider = pack(np.column_stack([bits, np.full(len(bits), always)]))
    for which in ("minimal", "maximal"):
        np.testing.assert_array_equal(
            optimal_labels(patterns.masks, patterns.net, Chains.single(5), which),
            optimal_labels(wider, patterns.net, Chains.single(6), which),
        )


@given(seed=st.integers(0, 10**6), k=st.integers(1, 3))
def test_a_criterion_that_nobody_satisfies_changes_no_objective_without_normalization(seed, k):
    patterns = random_patterns(seed)
    wider = patterns_of(patterns.masks, patterns.positive, patterns.negative, 6)
    here = solve_maxitive(patterns, k, normalized=False)
    there = solve_maxitive(wider, k, normalized=False)
    assert here.objective == there.objective
    assert here.gap == there.gap == 0


def test_a_constant_feature_changes_no_prediction_of_the_classifier():
    X, y = table(3)
    X = np.column_stack([X, X.max(axis=1), -X.min(axis=1)])
    clf = SugenoClassifier(threshold=0.4, normalized=False, directions=None)
    constant = np.column_stack([X, np.full(len(X), 7.0)])
    plain, wider = clone(clf).fit(X, y), clone(clf).fit(constant, y)
    assert plain.objective_ == wider.objective_
    np.testing.assert_array_equal(plain.predict(X), wider.predict(constant))
