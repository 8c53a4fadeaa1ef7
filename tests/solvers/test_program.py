"""Program (7) against brute force over all capacities that matter."""

from itertools import combinations

import numpy as np
import pytest
from scipy.optimize import OptimizeResult

from oracles import patterns_of, up_sets
from sugeno._counts.patterns import Patterns
from sugeno._counts.weights import RowWeights, row_weights
from sugeno._sets.chains import Chains
from sugeno._sets.masks import contains_any, minimal, pack, set_sizes, unpack
from sugeno.solvers import program as lp
from sugeno.solvers.program import SubsetWeights, solve_lp, top_subsets

FAMILIES = {m: up_sets(m) for m in (1, 2, 3, 4)}


def random_patterns(rng, m, n_rows=30, unit=1.0):
    rows = pack(rng.random((n_rows, m)) < rng.uniform(0.3, 0.8))
    weights = RowWeights(rng.integers(1, 6, n_rows), n_rows, unit)
    return Patterns.from_rows(rows, rng.random(n_rows) < 0.5, weights, Chains.single(m))


def errors_of(families, patterns):
    labels = families[:, patterns.masks[:, 0].astype(int)]
    return labels @ patterns.negative + ~labels @ patterns.positive


def closed_form(patterns, beta, rho, normalized):
    """2ρ·C* + (β+ρ)·W⁺(P=∅) + (1−β+ρ)·W⁻(N=[m]), C* by brute force."""
    empty, full = patterns.is_empty_set, patterns.is_full_set & normalized
    free = ~(empty | full)
    inner = patterns_of(
        patterns.masks[free], patterns.positive[free], patterns.negative[free], patterns.n_literals
    )
    families = FAMILIES[patterns.n_literals]
    return (
        2 * rho * errors_of(families[~families[:, 0]], inner).min()
        + (beta + rho) * patterns.positive[empty].sum()
        + (1 - beta + rho) * patterns.negative[full].sum()
    )


@pytest.mark.parametrize("normalized", [True, False])
@pytest.mark.parametrize("m", [1, 2, 3, 4])
def test_program_value_equals_its_closed_form(m, normalized):
    rng = np.random.default_rng(m)
    for _ in range(25):
        patterns = random_patterns(rng, m)
        beta = rng.uniform(0.1, 0.9)
        rho = rng.uniform(0.02, 0.98) * min(beta, 1 - beta)
        solution = solve_lp(patterns, beta=beta, rho=rho, normalized=normalized)
        expected = closed_form(patterns, beta, rho, normalized)
        assert solution.program_value == pytest.approx(expected, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("normalized", [True, False])
@pytest.mark.parametrize("m", [1, 2, 3, 4])
def test_unrestricted_program_makes_the_fewest_errors_and_proves_it(m, normalized):
    rng = np.random.default_rng(10 + m)
    families = FAMILIES[m][~FAMILIES[m][:, 0]]
    if normalized:
        families = families[families[:, -1]]
    for _ in range(25):
        patterns = random_patterns(rng, m)
        solution = solve_lp(patterns, beta=rng.uniform(0.1, 0.9), normalized=normalized)
        assert solution.objective == errors_of(families, patterns).min()
        assert solution.bound == solution.objective
        assert solution.gap == 0


def subset_program(patterns, chosen, k, beta, rho):
    """Value of the k-maxitive program: the best up-set of the sets of at most k criteria."""
    m = patterns.n_literals
    families = FAMILIES[m][~FAMILIES[m][:, 0]]
    codes = np.arange(1 << m)
    sizes = np.bitwise_count(codes)
    costs = []
    for family in families:
        small = codes[family & (sizes <= k)]
        missed = ~np.isin(chosen.masks[:, 0], small)
        hit = [any(a & code == a for a in small) for code in patterns.masks[:, 0].astype(int)]
        costs.append(chosen.weights[missed].sum() + patterns.negative[hit].sum())
    empty = patterns.positive[patterns.is_empty_set].sum()
    return 2 * rho * min(costs) + (beta + rho) * empty


def top_choice(patterns, k):
    """For a brute-force comparison: tie each positive pattern to its k first criteria."""
    bits = unpack(patterns.masks, patterns.n_literals)
    bits &= np.cumsum(bits, axis=1) <= k
    keep = bits.any(axis=1) & (patterns.positive > 0)
    return SubsetWeights(pack(bits[keep]), patterns.positive[keep].astype(float))


@pytest.mark.parametrize(("m", "k"), [(2, 1), (3, 1), (3, 2), (4, 1), (4, 2), (4, 3)])
def test_k_maxitive_program_equals_brute_force_over_its_up_sets(m, k):
    rng = np.random.default_rng(100 * m + k)
    for _ in range(15):
        patterns = random_patterns(rng, m)
        chosen = top_choice(patterns, k)
        beta = rng.uniform(0.1, 0.9)
        rho = rng.uniform(0.02, 0.98) * min(beta, 1 - beta)
        solution = solve_lp(
            patterns, k, beta=beta, rho=rho, subsets=chosen, normalized=bool(rng.random() < 0.5)
        )
        expected = subset_program(patterns, chosen, k, beta, rho)
        assert solution.program_value == pytest.approx(expected, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize(("m", "k"), [(3, 1), (4, 2), (6, 3), (5, 5), (5, None)])
def test_capacity_is_k_maxitive_and_its_family_is_the_solution(m, k):
    rng = np.random.default_rng(7)
    for _ in range(10):
        patterns = random_patterns(rng, m)
        beta = rng.uniform(0.1, 0.9)
        solution = solve_lp(patterns, k, beta=beta, random_state=0)
        assert set_sizes(solution.focal_sets).max() <= (k or m)
        reaching = solution.focal_sets[solution.focal_values >= beta]
        assert np.array_equal(contains_any(patterns.masks, reaching), solution.accepted)
        assert np.array_equal(
            contains_any(patterns.masks, solution.boundary_sets), solution.accepted
        )
        assert np.array_equal(solution.boundary_sets, minimal(reaching))
        assert solution.objective == patterns.errors(solution.accepted)
        assert solution.bound <= solution.objective
        assert solution.focal_values.max() == 1.0  # μ([m]) = 1 by sets of at most k criteria


def test_an_empty_family_takes_in_the_cheapest_set_when_normalized():
    masks = np.array([[1], [2], [4], [3]], dtype=np.uint64)
    patterns = patterns_of(masks, np.array([0, 0, 0, 0]), np.array([5, 3, 4, 9]), n_literals=3)
    assert len(solve_lp(patterns, 1, normalized=False).boundary_sets) == 0
    assert solve_lp(patterns, 1).boundary_sets.tolist() == [[4]]
    assert solve_lp(patterns, 2).boundary_sets.tolist() == [[5]]


def test_a_random_subset_is_drawn_for_each_unit_of_weight():
    everything = patterns_of(np.array([[7]], np.uint64), np.array([3000]), np.array([0]), 4)
    others = patterns_of(np.array([[7]], np.uint64), np.array([1]), np.array([0]), 4)
    many = solve_lp(everything, 2, random_state=0, normalized=False).boundary_sets
    one = solve_lp(others, 2, random_state=0, normalized=False).boundary_sets
    assert many.tolist() == [[3], [5], [6]]
    assert len(one) == 1


def test_a_draw_is_the_same_for_weights_and_repeated_rows_and_differs_between_seeds():
    rng = np.random.default_rng(3)
    bits, y = rng.random((40, 5)) < 0.7, rng.random(40) < 0.5
    times = rng.integers(1, 4, 40)
    order = rng.permutation(times.sum())
    weighted = Patterns.from_rows(pack(bits), y, row_weights(times, 40), Chains.single(5))
    rows = pack(np.repeat(bits, times, axis=0)[order])
    repeated = Patterns.from_rows(
        rows, np.repeat(y, times)[order], row_weights(None, order.size), Chains.single(5)
    )
    values = []
    for seed in range(6):
        one = solve_lp(weighted, 2, random_state=seed)
        two = solve_lp(repeated, 2, random_state=seed)
        assert one.program_value == two.program_value
        assert np.array_equal(one.boundary_sets, two.boundary_sets)
        values.append(one.program_value)
    assert len(set(values)) > 1


def test_top_subsets_are_the_largest_utilities_that_reach_the_level():
    rng = np.random.default_rng(5)
    U, weights = rng.random((50, 5)), rng.integers(1, 4, 50)
    found = top_subsets(U, weights, 2, 0.4)
    expected = {}
    for row, weight in zip(U, weights):
        best = sorted(range(5), key=lambda j: -row[j])[:2]
        code = sum(1 << j for j in best if row[j] >= 0.4)
        expected[code] = expected.get(code, 0) + weight
    assert dict(zip(found.masks[:, 0].tolist(), found.weights.tolist())) == expected


def test_zero_program_margin_is_refused_because_it_decides_nothing():
    patterns = random_patterns(np.random.default_rng(0), 3)
    with pytest.raises(ValueError, match=r"rho must lie strictly between 0 and .* Got 0 instead"):
        solve_lp(patterns, rho=0.0)
    with pytest.raises(ValueError, match=r"Got 0\.5 instead"):
        solve_lp(patterns, beta=0.5, rho=0.5)


def test_a_solver_that_fails_says_so(monkeypatch):
    failed = OptimizeResult(status=4, message="numerical difficulties")
    monkeypatch.setattr(lp, "_linprog", lambda *args, **kwargs: failed)
    with pytest.raises(RuntimeError, match="program \\(7\\): numerical difficulties"):
        solve_lp(random_patterns(np.random.default_rng(0), 3))


def test_unknown_choice_of_subsets_is_refused():
    patterns = random_patterns(np.random.default_rng(0), 3)
    with pytest.raises(ValueError, match="subsets must be 'random' or SubsetWeights"):
        solve_lp(patterns, 2, subsets="bottom")


def test_too_many_variables_are_counted_before_the_refusal():
    patterns = patterns_of(np.array([[1]], np.uint64), np.array([1]), np.array([1]), 17)
    with pytest.raises(ValueError, match=r"k=10 and 17 features .* 109,293 .*solver='exact'"):
        solve_lp(patterns, 10)
    assert solve_lp(patterns, 2).accepted.shape == (1,)


def test_program_over_the_observed_sets_has_the_same_optimum(monkeypatch):
    rng = np.random.default_rng(0)
    for _ in range(30):
        patterns = random_patterns(rng, 5)
        printed = solve_lp(patterns, beta=0.4, rho=0.1)
        with monkeypatch.context() as patch:
            patch.setattr(lp, "MAX_VARIABLES", 30)
            observed = solve_lp(patterns, beta=0.4, rho=0.1)
        assert observed.program_value == pytest.approx(printed.program_value, abs=1e-9)
        assert observed.objective == printed.objective == observed.bound


def test_too_many_observed_sets_are_refused_too():
    masks = np.arange((1 << 16) + 1, dtype=np.uint64)[:, None]
    once = np.ones(len(masks), np.int64)
    with pytest.raises(ValueError, match=r"one for each pattern that occurs"):
        solve_lp(patterns_of(masks, once, once, 17))


def test_many_criteria_work_when_the_sets_are_small():
    rng = np.random.default_rng(1)
    bits = rng.random((60, 100)) < 0.1
    y = bits[:, 3] | bits[:, 77]
    patterns = Patterns.from_rows(pack(bits), y, row_weights(None, 60), Chains.single(100))
    solution = solve_lp(patterns, 1, random_state=0)
    assert solution.objective == patterns.errors(solution.accepted)
    assert solution.boundary_sets.shape[1] == 2


def test_patterns_that_decide_nothing_still_give_a_capacity():
    empty_only = patterns_of(np.array([[0]], np.uint64), np.array([2]), np.array([3]), 3)
    for k in (None, 2):
        solution = solve_lp(empty_only, k, beta=0.5, rho=0.25)
        assert solution.program_value == 1.5
        assert solution.objective == 2
        assert solution.focal_values.max() == 1.0


@pytest.mark.parametrize("unit", [1.0, 2.0**-50])
def test_large_integer_weights_keep_an_optimal_family(unit):
    rng = np.random.default_rng(2)
    small = random_patterns(rng, 4)
    scale = 1 << 50
    large = patterns_of(small.masks, small.positive * scale, small.negative * scale, 4, unit)
    assert solve_lp(large).objective == solve_lp(small).objective * scale
    assert solve_lp(large).gap <= 1e-5 * large.total


def test_variables_are_numbered_in_canonical_order():
    for m, k in [(4, 2), (5, 5), (6, 3)]:
        expected = [
            sum(1 << j for j in subset)
            for size in range(1, k + 1)
            for subset in combinations(range(m), size)
        ]
        expected.sort(key=lambda code: (code.bit_count(), code))
        assert pack(lp.variables_of(m, k).bits)[:, 0].tolist() == expected
