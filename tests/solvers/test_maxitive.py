import numpy as np
import pytest

from oracles import antichains, fewest_errors, patterns_of, random_patterns
from sugeno._counts.patterns import Patterns
from sugeno._counts.weights import row_weights
from sugeno._sets import chains
from sugeno._sets.chains import Chains
from sugeno._sets.masks import contains_any, minimal, pack, set_sizes
from sugeno.solvers.closure import solve_closure
from sugeno.solvers.maxitive import _solver, solve_maxitive
from sugeno.solvers.maxitive.search import Search


def noisy_table(n, m, seed, noise=0.2):
    rng = np.random.default_rng(seed)
    X = (rng.normal(size=(n, m)) + 0.7 * rng.normal(size=(n, 1))) > 0
    y = (X.sum(axis=1) > m / 2) ^ (rng.random(n) < noise)
    return Patterns.from_rows(pack(X), y, row_weights(None, n), Chains.single(m))


def cheapest(patterns, k, normalized, most, rule_cost, literal_cost):
    codes = patterns.masks[:, 0].astype(int)
    prices = []
    for member, sets in antichains(patterns.n_literals, k):
        if (normalized and not sets) or len(sets) > most:
            continue
        price = rule_cost * len(sets) + literal_cost * sum(a.bit_count() for a in sets)
        prices.append(patterns.errors(member[codes]) + price)
    return min(prices)


@pytest.mark.parametrize("normalized", [True, False])
@pytest.mark.parametrize(("m", "k"), [(m, k) for m in (1, 2, 3, 4) for k in range(1, m + 1)])
def test_solution_is_the_best_of_all_families_of_small_sets(m, k, normalized):
    rng = np.random.default_rng(100 * m + k)
    for _ in range(12):
        patterns = random_patterns(rng, m)
        found = solve_maxitive(patterns, k, normalized=normalized)
        assert found.objective == fewest_errors(patterns, k, normalized=normalized)
        assert found.gap == 0
        assert set_sizes(found.boundary_sets).max(initial=0) <= k
        np.testing.assert_array_equal(minimal(found.boundary_sets), found.boundary_sets)


@pytest.mark.parametrize("limit", [0, 1e-6, 0.02])
def test_bound_and_objective_enclose_the_optimum_at_any_time_limit(limit):
    rng = np.random.default_rng(7)
    for _ in range(25):
        patterns = random_patterns(rng, 4)
        k = int(rng.integers(1, 5))
        best = fewest_errors(patterns, k)
        found = solve_maxitive(patterns, k, time_limit=limit)
        assert found.bound <= best <= found.objective


@pytest.mark.parametrize("normalized", [True, False])
def test_limit_and_prices_of_rules_are_part_of_the_optimum(normalized):
    rng = np.random.default_rng(8)
    for trial in range(60):
        m = 1 + trial % 4
        patterns = random_patterns(rng, m, most=10)
        k, most = int(rng.integers(1, m + 1)), int(rng.integers(1, 4))
        rule_cost, literal_cost = [(0.0, 0.0), (0.5, 0.0), (0.3, 0.25)][trial % 3]
        found = solve_maxitive(
            patterns,
            k,
            normalized=normalized,
            max_rules=most,
            rule_cost=rule_cost,
            literal_cost=literal_cost,
        )
        expected = cheapest(patterns, k, normalized, most, rule_cost, literal_cost)
        assert found.objective == pytest.approx(expected, abs=1e-9)
        assert found.bound <= expected + 1e-9
        assert len(found.boundary_sets) <= most


@pytest.mark.parametrize("k", [2, 3])
def test_program_closes_the_gap_that_the_search_leaves(k):
    patterns = noisy_table(250, 8, seed=k)
    quick = solve_maxitive(patterns, k, time_limit=0)
    proved = solve_maxitive(patterns, k, time_limit=60)
    assert proved.gap == 0
    assert quick.bound <= proved.bound
    assert proved.objective <= quick.objective
    assert solve_closure(patterns).objective <= proved.objective


@pytest.mark.parametrize("k", [2, 3])
def test_program_finds_the_optimum_without_any_help_from_the_search(k, monkeypatch):
    rng = np.random.default_rng(20 + k)
    monkeypatch.setattr(Search, "run", lambda *args: np.array([0]))
    for _ in range(15):
        patterns = random_patterns(rng, 4, largest=9)
        found = solve_maxitive(patterns, k)
        assert found.objective == found.bound == fewest_errors(patterns, k)


def test_program_that_runs_out_of_time_still_gives_a_bound(monkeypatch):
    patterns = noisy_table(400, 9, seed=6, noise=0.3)
    monkeypatch.setattr(Search, "run", lambda *args: np.array([0]))
    best = solve_maxitive(patterns, 2, time_limit=60).objective
    monkeypatch.undo()
    for limit in (0.01, 0.1, 0.4):
        found = solve_maxitive(patterns, 2, time_limit=limit)
        assert found.bound <= best <= found.objective


def test_k_equal_to_m_is_the_unrestricted_optimum():
    patterns = noisy_table(150, 5, seed=4)
    assert solve_maxitive(patterns, 5).objective == solve_closure(patterns).objective


def test_transform_and_program_agree_on_single_literals(monkeypatch):
    for seed in range(5):
        patterns = noisy_table(200, 7, seed=seed)
        exact = solve_maxitive(patterns, 1)
        monkeypatch.setattr(chains, "TABLE_CELLS", 0)
        program = solve_maxitive(patterns, 1)
        monkeypatch.undo()
        assert program.gap == exact.gap == 0
        assert program.objective == exact.objective


def test_accepted_patterns_are_those_that_contain_a_boundary_set():
    patterns = noisy_table(300, 8, seed=1)
    found = solve_maxitive(patterns, 2, time_limit=0)
    np.testing.assert_array_equal(found.accepted, contains_any(patterns.masks, found.boundary_sets))
    assert found.objective == patterns.errors(found.accepted)


def test_too_many_candidates_are_explored_and_the_bound_stays_valid(monkeypatch):
    patterns = noisy_table(200, 8, seed=2)
    best = solve_maxitive(patterns, 3, time_limit=60)
    monkeypatch.setattr(_solver, "MOST_CELLS", 1000)
    found = solve_maxitive(patterns, 3)
    assert found.bound <= best.objective <= found.objective
    assert found.objective <= 1.2 * best.objective


def test_a_planted_rule_is_found_among_forty_criteria():
    rng = np.random.default_rng(9)
    X = rng.random((3000, 40)) < 0.6
    y = (X[:, 3] & X[:, 17] & X[:, 30]) | (X[:, 5] & X[:, 20])
    patterns = Patterns.from_rows(pack(X), y, row_weights(None, 3000), Chains.single(40))
    found = solve_maxitive(patterns, 3, time_limit=0)
    assert found.objective == 0


def test_solvers_are_told_how_much_time_is_left(limits_told):
    patterns = noisy_table(600, 10, seed=3, noise=0.3)
    found = solve_maxitive(patterns, 3, time_limit=0.8)
    assert found.bound <= found.objective
    assert limits_told
    assert limits_told == sorted(limits_told, reverse=True)
    assert 0 < limits_told[-1] <= limits_told[0] < 0.8


def test_no_positive_row_leaves_the_least_harmful_rule_or_none():
    masks = np.array([[1], [2], [4]], dtype=np.uint64)
    patterns = patterns_of(masks, np.zeros(3, int), np.array([3, 2, 4]), 3)
    assert solve_maxitive(patterns, 2).objective == 0
    assert solve_maxitive(patterns, 1).objective == 2
    assert len(solve_maxitive(patterns, 2, normalized=False).boundary_sets) == 0


def test_weights_over_eighteen_orders_of_magnitude_keep_the_bound_honest():
    rng = np.random.default_rng(11)
    X = rng.random((60, 5)) < 0.5
    y = rng.random(60) < 0.5
    weights = row_weights(10.0 ** rng.uniform(-9, 9, 60), 60)
    patterns = Patterns.from_rows(pack(X), y, weights, Chains.single(5))
    found = solve_maxitive(patterns, 2)
    assert found.bound <= fewest_errors(patterns, 2) <= found.objective
