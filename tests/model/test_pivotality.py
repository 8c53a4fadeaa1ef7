"""Importance: how much of the training weight hangs on a criterion."""

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.exceptions import NotFittedError
from sklearn.feature_selection import RFE, SelectFromModel

from sugeno import RuleSet, SugenoClassifier, SugenoClassifierCV
from sugeno._counts.patterns import Patterns
from sugeno._sets.chains import Chains
from sugeno._sets.masks import contains_any, minimal, unpack
from sugeno.model import pivotality as module
from sugeno.model.pivotality import pivotality

sets = st.lists(st.integers(0, 31), min_size=1, max_size=6)


def packed(numbers):
    return np.array(numbers, dtype=np.uint64)[:, None]


def rule_set(masks, sizes):
    """Rules over literals at levels 0, 1, … of each criterion."""
    sets = [np.flatnonzero(row) for row in unpack(masks, sum(sizes))]
    names = [f"c{j}" for j in range(len(sizes))]
    columns = np.repeat(np.arange(len(sizes)), sizes)
    levels = np.concatenate([np.arange(size) for size in sizes])
    return RuleSet(sets, levels, criteria=names, literal_criteria=columns)


def by_definition(rules, masks, weights, spans):
    shares = []
    for literals in spans:
        chain = sum(1 << i for i in literals)
        up = contains_any(packed([s | chain for s in masks]), rules)
        down = contains_any(packed([s & ~chain for s in masks]), rules)
        shares.append(float(np.array(weights)[up & ~down].sum()))
    total = sum(shares)
    return [share / total if total else 1 / len(spans) for share in shares]


@given(rules=sets, seed=st.integers(0, 1000))
def test_it_is_the_weight_of_the_rows_whose_decision_flips(rules, seed):
    rng = np.random.default_rng(seed)
    masks = np.unique(rng.integers(0, 32, 12))
    weights = rng.integers(1, 9, masks.size)
    boundary = minimal(packed(rules))
    patterns = Patterns.of_two_classes(
        packed(masks), weights, np.zeros_like(weights), Chains.single(5)
    )
    found = pivotality(rule_set(boundary, (1,) * 5), patterns)
    wanted = by_definition(boundary, masks.tolist(), weights, [[j] for j in range(5)])
    assert found == pytest.approx(wanted)


@given(rules=sets)
def test_with_several_levels_a_criterion_goes_from_none_to_all_of_them(rules):
    chains = Chains((2, 1, 2))
    boundary = minimal(chains.closed(packed(rules)))
    cells = np.unique(chains.closed(packed(np.arange(32))), axis=0)
    one = np.ones(len(cells), dtype=np.int64)
    patterns = Patterns.of_two_classes(cells, one, one, chains)
    found = pivotality(rule_set(boundary, chains.sizes), patterns)
    wanted = by_definition(boundary, cells[:, 0].tolist(), one, [[0, 1], [2], [3, 4]])
    assert found == pytest.approx(wanted)


def test_many_criteria_are_looked_at_pattern_by_pattern(monkeypatch):
    rng = np.random.default_rng(0)
    masks = np.unique(rng.integers(0, 2**25, 200))
    weights = rng.integers(1, 9, masks.size)
    rules = minimal(packed([3, 5 << 20, 1 << 24]))
    patterns = Patterns.of_two_classes(packed(masks), weights, 0 * weights, Chains.single(25))
    wanted = by_definition(rules, masks.tolist(), weights, [[j] for j in range(25)])
    given = rule_set(rules, (1,) * 25)
    assert pivotality(given, patterns) == pytest.approx(wanted)
    monkeypatch.setattr(module, "_MOST_COMPARISONS", 15 * 50)
    some = pivotality(given, patterns)
    assert some.sum() == pytest.approx(1)
    assert np.abs(some - wanted).max() < 0.2


def test_a_conjunctive_form_counts_like_the_disjunctive_one():
    clauses = RuleSet([{0, 1}, {2}], [1, 1, 1], form="cnf")
    rules = RuleSet([{0, 2}, {1, 2}], [1, 1, 1])
    masks = packed(np.arange(8))
    weights = np.arange(1, 9)
    patterns = Patterns.of_two_classes(masks, weights, 0 * weights, Chains.single(3))
    np.testing.assert_array_equal(pivotality(clauses, patterns), pivotality(rules, patterns))


@pytest.mark.parametrize(
    "estimator", [SugenoClassifier(), SugenoClassifierCV(levels="shared", cv=3)]
)
def test_importances_belong_to_a_fitted_classifier(estimator):
    rng = np.random.default_rng(0)
    X = rng.integers(0, 5, (200, 4))
    y = (X[:, 0] >= 2) & (X[:, 2] >= 2)
    with pytest.raises(NotFittedError):
        _ = type(estimator)().feature_importances_
    clf = estimator.set_params(directions=None, threshold="joint").fit(X, y)
    assert clf.feature_importances_.sum() == pytest.approx(1)
    assert set(np.argsort(clf.feature_importances_)[-2:]) == {0, 2}
    again = pickle.loads(pickle.dumps(clf))
    np.testing.assert_array_equal(again.feature_importances_, clf.feature_importances_)


def test_equal_parts_where_nothing_matters():
    clf = SugenoClassifier(directions=[1, 1]).fit([[1, 1], [1, 1], [1, 1]], [0, 1, 1])
    assert clf.feature_importances_.tolist() == [0.5, 0.5]


def test_features_are_selected_by_importance():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 5, (200, 4))
    y = (X[:, 0] >= 2) & (X[:, 2] >= 2)
    clf = SugenoClassifier(directions=None, threshold="joint")
    assert RFE(clf, n_features_to_select=2).fit(X, y).support_.tolist() == [1, 0, 1, 0]
    chosen = SelectFromModel(clf, threshold="mean").fit(X, y).get_support()
    assert chosen.tolist() == [True, False, True, False]
