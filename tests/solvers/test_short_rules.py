"""Few short rules that agree with every observed label, and the default that takes them."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer

from sugeno import SugenoClassifier
from sugeno._sets.chains import Chains
from sugeno._sets.masks import contains_any, is_subset, minimal, pack, unpack
from sugeno.solvers import extension as module
from sugeno.solvers.budget import Budget
from sugeno.solvers.extension import MOST_READABLE, extend, short_rules


def labelled(rng, chains, n):
    """Observed closed patterns with a monotone label: by the number of their literals."""
    bits = unpack(chains.closed(pack(rng.random((n, chains.n_literals)) < 0.4)), chains.n_literals)
    masks = np.unique(pack(bits), axis=0)
    size = unpack(masks, chains.n_literals) @ rng.integers(1, 4, chains.n_literals)
    accepted = size > np.median(size)
    return masks[accepted], masks[~accepted]


CHAINS = [Chains.single(7), Chains((2, 3, 1, 2)), Chains.single(70), Chains((1,) * 3 + (4,) * 3)]


@pytest.mark.parametrize("chains", CHAINS, ids=str)
def test_rules_hold_for_all_accepted_and_for_no_rejected_pattern(chains):
    rng = np.random.default_rng(0)
    for _ in range(10):
        accepted, rejected = labelled(rng, chains, 60)
        for normalized in (True, False):
            rules = extend(accepted, rejected, chains, extension="short", normalized=normalized)
            assert contains_any(accepted, rules).all()
            assert not contains_any(rejected, rules).any()
            np.testing.assert_array_equal(chains.closed(rules), rules)
            np.testing.assert_array_equal(minimal(rules), rules)
            assert len(rules) <= len(minimal(accepted)) + 1


@pytest.mark.parametrize("chains", CHAINS, ids=str)
def test_no_rule_can_spare_a_literal_and_none_is_idle(chains):
    rng = np.random.default_rng(1)
    accepted, rejected = labelled(rng, chains, 60)
    rules = short_rules(accepted, rejected, chains)
    strongest = unpack(chains.strongest(rules), chains.n_literals)
    for rule, top in zip(unpack(rules, chains.n_literals), strongest):
        for literal in np.flatnonzero(top):
            weaker = rule.copy()
            weaker[literal] = False
            assert is_subset(pack(weaker[None]), rejected).any() or not weaker.any()
    for i in range(len(rules)):
        assert not contains_any(accepted, np.delete(rules, i, axis=0)).all()


def test_too_many_pairs_leave_the_accepted_patterns_as_they_are(monkeypatch):
    accepted, rejected = labelled(np.random.default_rng(2), Chains.single(8), 60)
    monkeypatch.setattr(module, "_MOST_PAIRS", 10)
    found = short_rules(accepted, rejected, Chains.single(8))
    np.testing.assert_array_equal(found, minimal(accepted))


def test_without_time_the_labels_still_agree():
    accepted, rejected = labelled(np.random.default_rng(3), Chains.single(8), 60)
    budget = Budget(0.0, 0.0, clock=lambda: 1.0)
    rules = short_rules(accepted, rejected, Chains.single(8), budget)
    assert contains_any(accepted, rules).all()
    assert not contains_any(rejected, rules).any()


@pytest.mark.parametrize("m", [15, 20, 25])
def test_the_default_on_many_criteria_can_be_read(m):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(100, m))
    y = (X.sum(axis=1) + rng.normal(size=100) > 0).astype(int)
    clf = SugenoClassifier().fit(X, y)
    assert len(clf.rules_) <= 30  # "nearest": 1,008 at m = 15, 20,851 at m = 20
    assert (clf.predict(X) != y).sum() == clf.objective_


def test_the_default_on_breast_cancer_is_short_and_better_than_it_was():
    X, y = load_breast_cancer(return_X_y=True)
    train = np.random.default_rng(0).permutation(len(y)) < 380
    clf = SugenoClassifier().fit(X[train], y[train])
    assert len(clf.rules_) <= 30
    assert clf.score(X[~train], y[~train]) > 0.9


def test_auto_is_nearest_while_that_is_short():
    rng = np.random.default_rng(4)
    kinds = set()
    for m in (3, 5, 9, 12):
        chains = Chains.single(m)
        accepted, rejected = labelled(rng, chains, 40)
        nearest = extend(accepted, rejected, chains, extension="nearest")
        auto = extend(accepted, rejected, chains, extension="auto")
        short = len(nearest) <= MOST_READABLE
        kinds.add(short)
        expected = nearest if short else extend(accepted, rejected, chains, extension="short")
        np.testing.assert_array_equal(auto, expected)
    assert kinds == {True, False}
