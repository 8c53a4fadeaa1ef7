"""The tree with fitctree's defaults, and the baselines that scikit-learn has."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.tree import DecisionTreeClassifier, export_text
from sklearn.utils.estimator_checks import parametrize_with_checks

from sugeno.paper.baselines import GiniTree, logistic, monotone_boosting

SEEDS = st.integers(0, 2**32 - 1)


@parametrize_with_checks([GiniTree(), GiniTree(min_parent_size=2)])
def test_scikit_learn_accepts_the_tree(estimator, check):
    check(estimator)


def one_column(seed, n=60):
    """One feature and irregular weights, so that no two splits are equally good."""
    rng = np.random.default_rng(seed)
    x = rng.integers(0, 30, size=n).astype(float)
    y = (x + rng.normal(0, 10, n) > 15).astype(int)
    y[:2] = [0, 1]
    return x, y, rng.integers(1000, 2000, size=n)


def fitctree(x, y, w):
    """Grow and merge by the definition; a leaf is a class, a node (cut, lower, upper)."""
    sizes = np.bincount(y, w, minlength=2)
    majority, own_errors = int(sizes.argmax()), int(sizes.min())
    values = np.unique(x)
    if w.sum() < 10_000 or own_errors == 0 or values.size == 1:
        return majority, own_errors
    cuts = (values[1:] + values[:-1]) / 2
    cut = min(cuts, key=lambda c: gini(y[x <= c], w[x <= c]) + gini(y[x > c], w[x > c]))
    lower, lower_errors = fitctree(x[x <= cut], y[x <= cut], w[x <= cut])
    upper, upper_errors = fitctree(x[x > cut], y[x > cut], w[x > cut])
    both_leaves = isinstance(lower, int) and isinstance(upper, int)
    if both_leaves and lower_errors + upper_errors == own_errors:
        return majority, own_errors
    return (cut, lower, upper), lower_errors + upper_errors


def gini(y, w):
    return 2 * w[y == 0].sum() * w[y == 1].sum() / w.sum()


def follow(tree, value):
    while not isinstance(tree, int):
        tree = tree[1] if value <= tree[0] else tree[2]
    return tree


@given(SEEDS)
def test_the_tree_is_what_the_definition_of_fitctree_gives(seed):
    x, y, weight = one_column(seed)
    tree, _ = fitctree(x, y, weight)
    places = np.arange(-1, 31, 0.25)
    model = GiniTree(min_parent_size=10_000).fit(x[:, None], y, sample_weight=weight)
    predicted = model.predict(places[:, None])
    np.testing.assert_array_equal(predicted, [follow(tree, value) for value in places])


@given(SEEDS)
def test_merging_costs_no_training_error_and_leaves_no_equal_siblings(seed):
    x, y, _ = one_column(seed)
    X = x[:, None]
    merged = GiniTree(random_state=0).fit(X, y)
    grown = DecisionTreeClassifier(min_samples_split=10, random_state=0).fit(X, y)
    assert merged.score(X, y) == grown.score(X, y)
    nodes = merged.tree_.tree_
    label = nodes.value[:, 0].argmax(axis=1)
    for left, right in zip(nodes.children_left, nodes.children_right):
        if left >= 0 and nodes.children_left[left] < 0 and nodes.children_left[right] < 0:
            assert label[left] != label[right]


def test_the_least_parent_size_counts_weights():
    X, y = [[1.0], [2.0]], [0, 1]
    light = GiniTree().fit(X, y, sample_weight=[4, 5])
    heavy = GiniTree().fit(X, y, sample_weight=[5, 5])
    np.testing.assert_array_equal(light.predict(X), [1, 1])
    np.testing.assert_array_equal(heavy.predict(X), [0, 1])


def test_the_printed_tree_is_the_merged_one():
    X = np.arange(12.0)[:, None]
    noise = np.isin(X[:, 0], [3, 8])
    y = np.where(noise, X[:, 0] < 6, X[:, 0] >= 6).astype(int)
    text = export_text(GiniTree(random_state=0).fit(X, y).tree_)
    assert text.count("class:") < export_text(DecisionTreeClassifier().fit(X, y)).count("class:")


def test_probabilities_are_shares_at_the_leaf():
    X, y = np.zeros((8, 1)), [0, 0, 1, 1, 1, 1, 1, 1]
    np.testing.assert_array_equal(GiniTree().fit(X, y).predict_proba([[0.0]]), [[0.25, 0.75]])


def test_the_logistic_baseline_has_no_penalty():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 2)) * [1, 100]
    y = X @ [1, 0.01] + rng.logistic(size=200) > 0
    residual = y - logistic().fit(X, y).predict_proba(X)[:, 1]
    # At the maximum of the likelihood the residual is orthogonal to every feature.
    scores = [residual.mean(), *(residual @ X / 200 / X.std(axis=0))]
    np.testing.assert_allclose(scores, 0, atol=1e-4)


@pytest.mark.parametrize("directions", [[1, 1], [1, -1]])
def test_the_boosting_baseline_keeps_the_directions(directions):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 2))
    y = X[:, 0] + rng.normal(size=300) > 0
    model = monotone_boosting(directions, max_iter=20).fit(X, y)
    better = X + np.array(directions) * rng.exponential(size=X.shape)
    assert (model.predict_proba(X)[:, 1] <= model.predict_proba(better)[:, 1] + 1e-12).all()
