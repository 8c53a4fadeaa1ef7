from functools import partial

import numpy as np
import pytest

from sugeno._counts.patterns import Patterns
from sugeno._counts.weights import row_weights
from sugeno._learning.joint import MOST_LEVELS, candidate_levels, joint_threshold
from sugeno._sets.chains import Chains
from sugeno._sets.masks import pack
from sugeno.solvers.closure import solve_closure
from sugeno.solvers.maxitive import solve_maxitive


def table(seed, n=60, m=3, values=5):
    rng = np.random.default_rng(seed)
    U = rng.integers(1, values + 1, (n, m)) / (values + 1)
    y = (U.sum(axis=1) + rng.normal(scale=0.4, size=n)) > m / 2
    weights = row_weights(rng.integers(1, 4, n), n)
    return U, y, weights


def errors_at(U, y, weights, beta, margin, solve):
    reach = np.where(y, beta + margin, beta - margin)
    rows = pack(reach[:, None] <= U)
    return solve(Patterns.from_rows(rows, y, weights, Chains.single(U.shape[1]))).objective


@pytest.mark.parametrize("margin", [0.0, 0.05])
@pytest.mark.parametrize("k", [None, 1, 2])
@pytest.mark.parametrize("seed", range(6))
def test_joint_threshold_is_the_best_of_all_levels_and_the_nearest_of_the_best(seed, k, margin):
    U, y, weights = table(seed)
    solve = solve_closure if k is None else partial(solve_maxitive, k=k)
    tried = {
        b: errors_at(U, y, weights, b, margin, solve) for b in candidate_levels(U, margin).tolist()
    }
    fewest = min(tried.values())
    found = joint_threshold(U, y, weights, near=0.4, margin=margin, quick=solve, thorough=solve)
    assert found.solution.objective == fewest
    assert found.solution.gap == 0
    ties = [b for b, errors in tried.items() if errors == fewest]
    assert abs(found.threshold - 0.4) == min(abs(b - 0.4) for b in ties)


def test_bound_holds_for_all_levels_when_the_search_is_cut_short():
    U, y, weights = table(3, n=200, m=5)
    quick = partial(solve_maxitive, k=2, time_limit=0)
    best = min(
        errors_at(U, y, weights, b, 0.0, partial(solve_maxitive, k=2)) for b in candidate_levels(U)
    )
    found = joint_threshold(U, y, weights, near=0.5, quick=quick, thorough=quick)
    assert found.solution.bound <= best <= found.solution.objective


def test_many_levels_are_thinned_out_to_quantiles():
    rng = np.random.default_rng(0)
    levels = candidate_levels(rng.random((500, 4)))
    assert levels.size == MOST_LEVELS
    assert (np.diff(levels) > 0).all()


def test_no_level_inside_the_margins_is_an_error_that_names_the_remedy():
    U, y, weights = table(0, values=2)
    with pytest.raises(ValueError, match=r"margin=0\.49 .* Lower the margin"):
        joint_threshold(
            U, y, weights, near=0.5, margin=0.49, quick=solve_closure, thorough=solve_closure
        )
