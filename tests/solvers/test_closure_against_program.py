"""The minimum cut and the paper's linear program are two solutions of one problem."""

import numpy as np
import pytest

from sugeno._counts.patterns import Patterns
from sugeno._counts.weights import row_weights
from sugeno._sets.chains import Chains
from sugeno._sets.masks import pack
from sugeno.solvers.base import forced_errors
from sugeno.solvers.closure import solve_closure
from sugeno.solvers.program import solve_lp


def margin_patterns(seed):
    """A random weighted table of utilities with threshold and margin, as patterns."""
    rng = np.random.default_rng(seed)
    n, m = int(rng.integers(5, 40)), int(rng.integers(1, 7))
    U = rng.random((n, m)) if seed % 2 else rng.integers(1, 8, (n, m)) / 8
    y = U.mean(axis=1) + rng.normal(scale=0.25, size=n) > 0.5
    beta = rng.uniform(0.2, 0.8)
    rho = rng.uniform(0.05, 0.95) * min(beta, 1 - beta)
    weights = row_weights(rng.integers(1, 9, n) / 4, n)
    reach = np.where(y, beta + rho, beta - rho)[:, None]
    return Patterns.from_rows(pack(reach <= U), y, weights, Chains.single(m)), beta, rho


@pytest.mark.parametrize("block", range(10))
def test_cut_and_program_have_the_same_objective_on_300_weighted_tables_with_margins(block):
    for seed in range(30 * block, 30 * block + 30):
        patterns, beta, rho = margin_patterns(seed)
        cut = solve_closure(patterns)
        program = solve_lp(patterns, beta=beta, rho=rho)
        assert program.objective == cut.objective
        free = (cut.objective - forced_errors(patterns, normalized=True)) * patterns.unit
        forced = (beta + rho) * patterns.positive[patterns.is_empty_set].sum()
        forced += (1 - beta + rho) * patterns.negative[patterns.is_full_set].sum()
        value = 2 * rho * free + forced * patterns.unit
        assert program.program_value * patterns.unit == pytest.approx(value, abs=1e-9)
