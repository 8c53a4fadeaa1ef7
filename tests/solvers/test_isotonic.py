from fractions import Fraction

import numpy as np
import pytest
from scipy.optimize import LinearConstraint, minimize

from oracles import patterns_of, random_patterns
from sugeno._sets.chains import Chains
from sugeno._sets.masks import is_subset
from sugeno.solvers.closure import optimal_labels, solve_closure
from sugeno.solvers.isotonic import isotonic_probabilities


def weighted_patterns(rng, m, largest=6):
    patterns = random_patterns(rng, m, largest=largest)
    return patterns_of(patterns.masks, patterns.positive + 1, patterns.negative, m)


def by_quadratic_program(patterns):
    weight = (patterns.positive + patterns.negative).astype(float)
    share = patterns.positive / weight
    lower, upper = np.nonzero(is_subset(patterns.masks, patterns.masks))
    rows = np.zeros((lower.size, weight.size))
    rows[np.arange(lower.size), lower] -= 1
    rows[np.arange(lower.size), upper] += 1
    return minimize(
        lambda p: weight @ (p - share) ** 2,
        np.full(weight.size, 0.5),
        jac=lambda p: 2 * weight * (p - share),
        constraints=LinearConstraint(rows, 0, np.inf),
        method="SLSQP",
        options={"ftol": 1e-14, "maxiter": 500},
    ).x


def test_probabilities_solve_the_least_squares_problem():
    rng = np.random.default_rng(0)
    for _ in range(20):
        patterns = weighted_patterns(rng, 3)
        np.testing.assert_allclose(
            isotonic_probabilities(patterns), by_quadratic_program(patterns), atol=1e-5
        )


@pytest.mark.parametrize("cost", [Fraction(c, 10) for c in (1, 3, 5, 6, 9)])
def test_thresholding_at_any_cost_gives_an_optimal_cost_sensitive_classifier(cost):
    rng = np.random.default_rng(1)
    for _ in range(30):
        patterns = weighted_patterns(rng, 4)
        positive = patterns.positive * (cost.denominator - cost.numerator)
        negative = patterns.negative * cost.numerator
        net = positive - negative
        smallest = optimal_labels(patterns.masks, net, Chains.single(4))
        largest = optimal_labels(patterns.masks, net, Chains.single(4), "maximal")
        probability = isotonic_probabilities(patterns)
        accepted = probability > float(cost)
        assert net[accepted].sum() == net[smallest].sum() == net[largest].sum()


@pytest.mark.parametrize("which", ["minimal", "maximal"])
def test_agreeing_with_an_optimal_family_changes_nothing_but_ties(which):
    rng = np.random.default_rng(2)
    for _ in range(40):
        patterns = weighted_patterns(rng, 4)
        accepted = solve_closure(patterns, which=which)
        net = np.where(patterns.is_empty_set | patterns.is_full_set, 0, patterns.net)
        labels = optimal_labels(patterns.masks, net, Chains.single(4), which)
        inner = ~(patterns.is_empty_set | patterns.is_full_set)
        part = patterns_of(
            patterns.masks[inner], patterns.positive[inner], patterns.negative[inner], 4
        )
        if not inner.any():
            continue
        free = isotonic_probabilities(part)
        bound = isotonic_probabilities(part, labels[inner])
        np.testing.assert_allclose(bound, free, atol=1e-12)
        np.testing.assert_array_equal(bound > 0.5, labels[inner])
        assert accepted.objective == accepted.bound


def test_probabilities_never_fall_when_a_literal_is_added():
    rng = np.random.default_rng(3)
    for _ in range(20):
        patterns = weighted_patterns(rng, 5)
        accepted = solve_closure(patterns).accepted
        for probability in (
            isotonic_probabilities(patterns),
            isotonic_probabilities(patterns, accepted),
        ):
            inside = is_subset(patterns.masks, patterns.masks)
            assert (probability[:, None] <= probability[None, :])[inside].all()


def test_weights_beyond_31_bits_give_the_same_probabilities():
    rng = np.random.default_rng(4)
    patterns = weighted_patterns(rng, 5)
    scale = 2**40
    large = patterns_of(patterns.masks, patterns.positive * scale, patterns.negative * scale, 5)
    np.testing.assert_allclose(
        isotonic_probabilities(large), isotonic_probabilities(patterns), rtol=1e-12
    )
