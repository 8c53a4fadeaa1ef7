"""The places where the paper's text is loose: each resolution, with its counter-example.

The numbers are those of the list that the resolutions follow. Number 15 is about misprints in
captions and leaves nothing to test.
"""

import numpy as np
import pytest
from scipy.optimize import linprog

from oracles import fewest_errors
from sugeno import Capacity, QuantileUtility, SugenoClassifier, sugeno_integral
from sugeno._counts.patterns import Patterns
from sugeno._counts.weights import row_weights
from sugeno._learning.threshold import lower_median, median_threshold
from sugeno._sets.chains import Chains, count_subsets
from sugeno._sets.masks import pack
from sugeno.solvers.program import solve_lp, top_subsets
from tables import rank_directions


def patterns_of(utilities, y, beta, rho=0.0, weights=None):
    """Patterns of rows of utilities: positives at β + ρ, negatives at β − ρ."""
    positive = np.asarray(y, dtype=bool)
    bits = np.asarray(utilities) >= np.where(positive, beta + rho, beta - rho)[:, None]
    given = row_weights(weights, positive.size)
    return Patterns.from_rows(pack(bits), positive, given, Chains.single(bits.shape[1]))


def capacity_of(solution, m, normalized=True):
    return Capacity.from_masks(
        solution.focal_sets, solution.focal_values, m=m, normalized=normalized
    )


def noisy(seed, n=60, m=4):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 4, size=(n, m)).astype(float)
    y = (X.sum(axis=1) > 1.5 * m) ^ (rng.random(n) < 0.2)
    return X, y


def test_1_utilities_are_shares_of_the_rows():
    X = np.random.default_rng(0).normal(size=(20, 2))
    U = QuantileUtility().fit_transform(X)
    assert U.min(axis=0).tolist() == [1 / 40, 1 / 40]
    assert U.max(axis=0).tolist() == [1 - 1 / 40, 1 - 1 / 40]


def test_2_utilities_are_compared_and_not_raw_values():
    X, y = noisy(0)
    plain, scaled = SugenoClassifier().fit(X, y), SugenoClassifier().fit(X * [1, 10, 100, 0.1], y)
    assert plain.rules_.sets == scaled.rules_.sets
    assert plain.threshold_ == scaled.threshold_


@pytest.mark.parametrize(("u", "needed"), [((0.2, 0.9), (1,)), ((0.1, 0.8, 0.9), (1, 2))])
def test_3_a_positive_row_needs_the_set_that_reaches_the_level(u, needed):
    # The printed index would constrain a larger set, whose value is 1 anyway, and leave S = .2.
    m = len(u)
    mu = capacity_of(solve_lp(patterns_of([u], [True], 0.5, 0.1), beta=0.5, rho=0.1), m)
    assert mu(needed) >= 0.6
    assert sugeno_integral(u, mu) >= 0.6
    # The vacuous constraint is met by a capacity that rejects the row.
    assert sugeno_integral(u, Capacity.from_rules([range(m)], m=m)) < 0.5


def test_4_a_negative_row_bounds_the_set_that_reaches_the_level():
    u = (0.2, 0.9, 0.7)
    solution = solve_lp(patterns_of([u], [False], 0.5, 0.1), beta=0.5, rho=0.1)
    assert capacity_of(solution, 3)([1, 2]) <= 0.4
    assert sugeno_integral(u, capacity_of(solution, 3)) <= 0.4


def test_5_rows_that_no_capacity_can_get_right_are_counted():
    U, y = [[0.1, 0.2], [0.9, 0.8], [0.2, 0.9]], [True, False, True]
    solution = solve_lp(patterns_of(U, y, 0.5, 0.1), beta=0.5, rho=0.1)
    assert solution.objective == 2
    assert solution.program_value == pytest.approx(0.6 + 0.6)
    free = solve_lp(patterns_of(U, y, 0.5, 0.1), beta=0.5, rho=0.1, normalized=False)
    assert free.objective == 2  # ∅ is still rejected; [m] contains the accepted {2}
    alone = solve_lp(patterns_of(U[:2], y[:2], 0.5), normalized=False)
    assert alone.objective == 1


def test_6_without_a_lower_bound_on_the_slacks_program_ten_is_unbounded():
    scores, y = np.array([0.2, 0.6, 0.4]), np.array([True, True, False])
    sign = np.where(y, 1.0, -1.0)
    program = {"A_ub": np.column_stack([sign, -np.eye(3)]), "b_ub": sign * scores}
    cost = np.array([0.0, 1.0, 1.0, 1.0])
    assert linprog(cost, **program, bounds=[(None, None)] * 4).status == 3
    solved = linprog(cost, **program, bounds=[(0, 1)] + [(0, None)] * 3)
    assert solved.status == 0
    assert 0.2 <= solved.x[0] <= 0.4
    assert 0.2 <= median_threshold(scores[:, None], y) <= 0.4


def test_7_margin_zero_is_a_limit_and_not_the_degenerate_program():
    X, y = noisy(1)
    clf = SugenoClassifier(solver="lp").fit(X, y)
    U = clf.utility_.transform(X)
    patterns = patterns_of(U, y, clf.threshold_)
    # With ρ = 0, c_A = β has no slack but the forced ones, and accepts every inner set.
    forced = patterns.negative[patterns.is_full_set].sum()
    forced += patterns.positive[patterns.is_empty_set].sum()
    accepts_all = ~patterns.is_empty_set
    assert patterns.errors(accepts_all) > clf.objective_ >= forced
    assert clf.objective_ == fewest_errors(patterns, 4, normalized=True)
    for rho in (0.01, 0.1):
        smaller = min(clf.threshold_, 1 - clf.threshold_) * rho
        assert solve_lp(patterns, beta=clf.threshold_, rho=smaller).objective == clf.objective_


def test_8_nested_sets_of_a_maxitive_capacity_need_not_be_equal():
    mu = Capacity({(0,): 1.0}, m=3)
    assert mu.is_k_maxitive(1)
    assert (mu([0, 1, 2]), mu([1, 2])) == (1.0, 0.0)
    assert sugeno_integral([0.1, 0.5, 0.9], mu) == 0.1


def test_9_neither_choice_of_a_subset_is_the_best_rule():
    U = [[0.9, 0.8, 0.2], [0.9, 0.2, 0.8], [0.6, 0.9, 0.2], [0.9, 0.2, 0.1], [0.9, 0.1, 0.2]]
    y = [True, True, True, False, False]
    patterns = patterns_of(U, y, 0.5)
    top = top_subsets(np.array(U)[:3], None, 1, 0.5)
    assert solve_lp(patterns, 1, subsets=top).objective > 0
    drawn = [solve_lp(patterns, 1, random_state=seed).objective for seed in range(8)]
    assert max(drawn) > min(drawn) == 0
    X, wanted = np.array(U), np.array(y)
    assert SugenoClassifier(k=1, threshold=0.5, directions=None).fit(X, wanted).gap_ == 0


def test_10_a_negative_row_bounds_all_its_k_subsets():
    u = (0.2, 0.8, 0.9)
    # Bounding only the best criterion would leave c_{2} free, and S = .8.
    assert sugeno_integral(u, Capacity({(1,): 0.9, (0,): 1.0}, m=3)) == 0.8
    U, y = [u, (0.1, 0.9, 0.2)], [False, True]
    solution = solve_lp(patterns_of(U, y, 0.5, weights=[2, 1]), 1, normalized=False)
    assert not solution.accepted.any()


@pytest.mark.parametrize("k", [1, 2, 3])
@pytest.mark.parametrize("solver", ["lp", "exact"])
def test_11_the_full_set_is_worth_one_by_sets_of_at_most_k_criteria(k, solver):
    X, y = noisy(2)
    mu = SugenoClassifier(k=k, solver=solver, random_state=0).fit(X, y).capacity_
    assert mu(range(4)) == 1.0
    assert mu.is_k_maxitive(k)
    everything_bad = SugenoClassifier(k=k, solver=solver, threshold=0.4, directions=None)
    X, y = np.array([[1.0] * 4, [2.0] * 4, [3.0] * 4]), [True, False, False]
    assert everything_bad.fit(X, y).capacity_(range(4)) == 1.0


@pytest.mark.parametrize("m", [2, 3, 4, 6])
def test_12_the_lower_median_is_a_sugeno_integral_and_the_mean_is_not(m):
    U = np.random.default_rng(m).random((30, m))
    half = m - (m - 1) // 2
    symmetric = Capacity.from_function(lambda a: float(len(a) >= half), m=m)
    assert np.array_equal(lower_median(U), sugeno_integral(U, symmetric))
    assert np.isin(lower_median(U), U).all()
    assert np.isin(np.median(U, axis=1), U).all() == (m % 2 == 1)


@pytest.mark.parametrize("seed", range(5))
def test_13_the_fewest_training_errors_are_found(seed):
    X, y = noisy(seed)
    clf = SugenoClassifier().fit(X, y)
    patterns = patterns_of(clf.utility_.transform(X), y, clf.threshold_)
    assert clf.objective_ == fewest_errors(patterns, 4, normalized=True)


def test_14_the_program_is_polynomial_in_the_criteria_and_exponential_in_k():
    assert [count_subsets(m, 2) for m in (10, 20, 40)] == [m * (m + 1) // 2 for m in (10, 20, 40)]
    assert count_subsets(16, 16) == 2**16 - 1


def test_16_a_criterion_can_be_dead_at_a_threshold():
    rng = np.random.default_rng(0)
    X = np.column_stack([np.repeat([0.0, 1.0], [30, 70]), rng.permutation(100)])
    y = X[:, 0] == 1
    assert sorted(set(QuantileUtility().fit_transform(X)[:, 0])) == [0.15, 0.65]
    for beta in (0.1, 0.7):
        clf = SugenoClassifier(threshold=beta, directions=None).fit(X, y)
        bits = clf.rules_.satisfied(X) & np.uint64(1)
        assert len(np.unique(bits)) == 1
    assert SugenoClassifier(threshold=0.5, directions=None).fit(X, y).objective_ == 0


def test_17_the_observed_maximum_may_miss_a_threshold_that_larger_values_reach():
    X = np.array([[0.0]] * 2 + [[1.0]] * 8)
    clf = SugenoClassifier(threshold=0.9, directions=None).fit(X, [0] * 5 + [1] * 5)
    larger = np.nextafter(1.0, 2)
    assert clf.utility_.transform([[1.0], [larger]]).ravel().tolist() == [0.6, 1.0]
    # A rule that asks for more than anybody has says nothing about the rows: there is none.
    assert str(clf.rules_) == "class 1 never"
    assert not clf.predict([[1.0], [larger]]).any()
    assert (clf.integral([[1.0], [larger]]) < clf.threshold_).all()
    assert QuantileUtility(saturate=True).fit(X).transform([[1.0]]) == 1.0


def test_18_patterns_that_do_not_occur_are_labelled_on_purpose():
    X = np.array([[1.0, 0, 0], [1, 1, 1], [1, 1, 1], [0, 0, 0]])
    y = [False, True, True, False]
    options = {"threshold": 0.4, "directions": None}
    for extension, expected in [("lower", False), ("upper", True), ("nearest", False)]:
        clf = SugenoClassifier(extension=extension, **options).fit(X, y)
        assert clf.predict([[0.0, 1, 0]])[0] == expected
        assert np.array_equal(clf.predict(X), y)


def test_19_a_direction_is_the_sign_of_the_rank_statistic_and_plus_on_a_tie():
    X = np.array([[1.0, 4, 7, 1], [2, 3, 7, 2], [3, 2, 7, 2], [4, 1, 7, 1]])
    directions, auc = rank_directions(X, [False, False, True, True])
    assert directions.tolist() == [1, -1, 1, 1]
    assert auc.tolist() == [1.0, 0.0, 0.5, 0.5]
