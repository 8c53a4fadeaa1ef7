"""One budget of time for a whole fit, whatever it does."""

import time

import numpy as np
import pytest

from sugeno import SugenoClassifier, SugenoClassifierCV
from sugeno._counts.patterns import Patterns
from sugeno._counts.weights import row_weights
from sugeno._learning.joint import joint_threshold
from sugeno._sets.chains import Chains
from sugeno._sets.masks import pack
from sugeno.solvers import budget as budgets
from sugeno.solvers.budget import DEFAULT_TIME_LIMIT, Budget
from sugeno.solvers.closure import solve_closure
from sugeno.solvers.maxitive import solve_maxitive


class Clock:
    """A clock that moves when it is told to."""

    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


def sums(n, m, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, m))
    return X, (X.sum(axis=1) + rng.normal(size=n) > 0).astype(int)


def test_a_budget_runs_down_and_is_over():
    clock = Clock()
    budget = Budget.of(10, clock)
    assert (budget.left(), budget.is_over(), budget.search_is_over()) == (10, False, False)
    clock.now = 6
    assert (budget.left(), budget.is_over(), budget.search_is_over()) == (4, False, True)
    clock.now = 12
    assert (budget.left(), budget.is_over()) == (0, True)


def test_a_budget_that_runs_already_goes_on():
    budget = Budget.of(10, Clock())
    assert Budget.of(budget) is budget


def test_no_time_for_a_proof_is_some_time_for_a_search():
    clock = Clock()
    budget = Budget.of(0, clock)
    assert budget.is_over()
    assert not budget.search_is_over()
    clock.now = budgets.SEARCH_TIME
    assert budget.search_is_over()


def test_a_part_is_a_share_of_what_is_left():
    clock = Clock()
    budget = Budget.of(10, clock)
    clock.now = 6
    part = budget.part(0.25)
    assert (part.left(), part.search_is_over()) == (1, False)
    assert Budget.of(None).part(0.25).left() is None
    assert budget.for_a_glance().is_over()


def test_nodes_are_limited_unless_more_than_the_default_time_is_given():
    assert Budget.of(None).nodes == Budget.of(DEFAULT_TIME_LIMIT).nodes == budgets.MOST_NODES
    assert Budget.of(2 * DEFAULT_TIME_LIMIT).nodes is None


@pytest.mark.parametrize("limit", [4.0, 20.0])
def test_all_levels_of_a_joint_threshold_share_one_budget(limit):
    clock = Clock()
    rng = np.random.default_rng(0)
    U, y = rng.random((80, 3)), rng.random(80) < 0.5

    def slow(patterns):
        clock.now += 1.0
        return solve_maxitive(patterns, 2, time_limit=0)

    found = joint_threshold(
        U,
        y,
        row_weights(None, 80),
        near=0.5,
        quick=slow,
        thorough=slow,
        budget=Budget.of(limit, clock),
    )
    assert clock.now <= limit + 1
    assert found.solution.bound <= found.solution.objective


def test_without_any_time_the_joint_threshold_is_at_least_that_of_the_median():
    clock = Clock()
    budget = Budget.of(0, clock)
    clock.now = 100.0
    rng = np.random.default_rng(1)
    U, y = rng.random((60, 3)), rng.random(60) < 0.5
    looked_at = []

    def solve(patterns):
        looked_at.append(patterns)
        return solve_closure(patterns)

    weights = row_weights(None, 60)
    found = joint_threshold(U, y, weights, near=0.3, quick=solve, thorough=solve, budget=budget)
    assert len(looked_at) == 1
    assert found.threshold == 0.3


def test_a_joint_threshold_keeps_the_time_limit_of_the_fit():
    X, y = sums(400, 10)
    start = time.perf_counter()
    clf = SugenoClassifier(k=3, threshold="joint", time_limit=1).fit(X, y)
    assert time.perf_counter() - start < 20  # the limit held for each of 200 levels: 77 s
    assert clf.bound_ <= clf.objective_


@pytest.mark.parametrize("limit", [119, 120, 121, None])
def test_the_linear_program_takes_any_limit_of_time(limit):
    X, y = sums(60, 3)
    clf = SugenoClassifier(k=2, solver="lp", time_limit=limit).fit(X, y)
    assert clf.rules_ == SugenoClassifier(k=2, solver="lp").fit(X, y).rules_


def test_the_default_limits_time_and_hands_down_what_is_left(limits_told):
    assert SugenoClassifier().time_limit == DEFAULT_TIME_LIMIT
    assert SugenoClassifierCV().time_limit == 4 * DEFAULT_TIME_LIMIT  # with all its folds
    SugenoClassifier(k=2).fit(*sums(200, 7))
    assert limits_told
    assert max(limits_told) <= DEFAULT_TIME_LIMIT


def test_few_rules_of_any_length_are_found_in_time():
    X, y = sums(1000, 10)
    start = time.perf_counter()
    clf = SugenoClassifier(max_rules=5, time_limit=2).fit(X, y)
    assert time.perf_counter() - start < 30
    assert 1 <= len(clf.rules_) <= 5
    X, y = sums(1000, 25)
    clf = SugenoClassifier(max_rules=5, time_limit=0).fit(X, y)
    assert 1 <= len(clf.rules_) <= 5
    assert clf.bound_ <= clf.objective_ <= 0.5 * len(y)


def test_a_search_that_is_cut_short_still_has_a_family():
    clock = Clock()
    budget = Budget.of(0, clock)
    clock.now = 100.0
    X, y = sums(300, 8)
    patterns = Patterns.from_rows(pack(X > 0), y, row_weights(None, 300), Chains.single(8))
    found = solve_maxitive(patterns, 3, time_limit=budget)
    assert len(found.boundary_sets)
    assert found.bound <= found.objective
