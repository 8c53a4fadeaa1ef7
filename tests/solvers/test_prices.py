"""With a price on rules, what is proved optimal has no gap."""

from itertools import product

import numpy as np
import pytest

from oracles import antichains, random_patterns
from sugeno import SugenoClassifier
from sugeno._counts.patterns import Patterns
from sugeno._counts.weights import row_weights
from sugeno._sets.chains import Chains
from sugeno._sets.masks import pack
from sugeno.solvers.maxitive import solve_maxitive

PRICES = [(0.3, 0.0), (0.25, 0.1), (0.0, 0.7), (1 / 3, 1 / 7), (2.0**0.5, 0.0)]


def cheapest(patterns, k, rule_cost, literal_cost):
    codes = patterns.masks[:, 0].astype(int)
    return min(
        patterns.errors(member[codes])
        + rule_cost * len(sets)
        + literal_cost * sum(a.bit_count() for a in sets)
        for member, sets in antichains(patterns.n_literals, k)
        if sets
    )


@pytest.mark.parametrize(("prices", "k"), list(product(PRICES[:4], [2, 3])))
def test_the_gap_is_zero_where_the_optimum_is_proved(prices, k):
    rng = np.random.default_rng(5)
    for _ in range(12):
        patterns = random_patterns(rng, 4, most=12)
        found = solve_maxitive(patterns, k, rule_cost=prices[0], literal_cost=prices[1])
        assert found.objective == pytest.approx(cheapest(patterns, k, *prices), abs=1e-9)
        assert found.gap == 0


@pytest.mark.parametrize("prices", PRICES)
def test_bound_and_objective_agree_to_what_the_program_resolves(prices):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 6))
    y = (X.sum(axis=1) + rng.normal(size=200) > 0).astype(int)
    clf = SugenoClassifier(k=2, rule_cost=prices[0], literal_cost=prices[1]).fit(X, y)
    rational = prices != PRICES[-1]
    assert clf.gap_ == 0 if rational else clf.gap_ <= 1e-6 * len(y)


def test_the_bound_stays_honest_with_prices_and_wild_weights():
    rng = np.random.default_rng(11)
    bits, y = rng.random((60, 4)) < 0.5, rng.random(60) < 0.5
    weights = row_weights(10.0 ** rng.uniform(-3, 3, 60), 60)
    patterns = Patterns.from_rows(pack(bits), y, weights, Chains.single(4))
    found = solve_maxitive(patterns, 2, rule_cost=0.3)
    best = cheapest(patterns, 2, 0.3 / patterns.unit, 0.0)
    assert found.bound <= best * (1 + 1e-9)
    assert best <= found.objective * (1 + 1e-9)
