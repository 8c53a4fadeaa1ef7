"""Choquistic regression: the optimum, the capacity behind it, monotonicity, and the measure."""

import itertools
import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.estimator_checks import parametrize_with_checks

from sugeno._ensemble import logit
from sugeno.paper.baselines import ChoquisticRegression
from sugeno.paper.baselines.choquistic import choquet_terms, fit_logit

SEEDS = st.integers(0, 2**32 - 1)


@parametrize_with_checks([ChoquisticRegression(), ChoquisticRegression(additivity=1)])
def test_scikit_learn_accepts_choquistic_regression(estimator, check):
    check(estimator)


def ordinal_data(seed, n=40, m=3, levels=5):
    """Rows on a small ordinal scale and noisy labels; both classes occur."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, levels, size=(n, m)).astype(float)
    y = X @ rng.uniform(0, 1, m) + rng.normal(0, 1, n) > rng.uniform(0, levels)
    y[:2] = [False, True]
    return X, y.astype(int)


def subsets(m):
    return [frozenset(c) for size in range(m + 1) for c in itertools.combinations(range(m), size)]


def capacity_of(model):
    """The capacity on all subsets, from its Möbius transform."""
    return {
        A: sum(value for B, value in model.mobius_.items() if A.issuperset(B))
        for A in subsets(model.n_features_in_)
    }


def choquet_integral(u, capacity):
    """The definition: sort the criteria, weigh the steps with the capacity of what lies above."""
    order = sorted(range(len(u)), key=lambda j: u[j])
    steps = np.diff([0.0, *(u[j] for j in order)])
    return sum(step * capacity[frozenset(order[i:])] for i, step in enumerate(steps))


def objective(terms, p, q, alpha, weights, offset):
    z = terms @ weights - offset
    loss = p @ np.logaddexp(0, -z) + q @ np.logaddexp(0, z)
    return loss + alpha / 2 * weights @ weights


@pytest.mark.parametrize("negatives", [1, 3, 40])  # many negatives: the bound b = sum(w) holds
@pytest.mark.parametrize("seed", range(4))
def test_no_second_solver_finds_a_better_optimum(seed, negatives):
    rng = np.random.default_rng(seed)
    U = rng.uniform(0, 0.6, size=(30, 3))
    p = np.where(U.min(axis=1) + rng.normal(0, 0.2, 30) > 0.2, 1.0, 0.0)
    q = negatives * rng.uniform(0, 1, 30)
    p, q = p / (p + q).sum(), q / (p + q).sum()
    terms, alpha = choquet_terms(U, 2), 1e-2
    fit = fit_logit(terms, p, q, alpha=alpha)
    other = minimize(
        lambda x: objective(terms, p, q, alpha, x[:-1], x[-1]),
        np.full(terms.shape[1] + 1, 0.1),
        method="SLSQP",
        bounds=[(0, None)] * (terms.shape[1] + 1),
        constraints={"type": "ineq", "fun": lambda x: x[:-1].sum() - x[-1]},
        options={"ftol": 1e-12, "maxiter": 1000},
    )
    assert fit.weights.min() >= 0
    assert 0 <= fit.offset <= fit.weights.sum()
    assert objective(terms, p, q, alpha, fit.weights, fit.offset) <= other.fun + 1e-7
    assert fit.residual <= 1e-6


def test_a_solver_that_stops_early_is_started_again(monkeypatch):
    limits = iter([3, 5])

    def stops_early(*args, options, **kwargs):
        options = options | {"maxiter": next(limits, options["maxiter"])}
        return minimize(*args, options=options, **kwargs)

    monkeypatch.setattr(logit, "minimize", stops_early)
    U = np.random.default_rng(0).uniform(size=(30, 3))
    p = np.where(U.sum(axis=1) > 1.5, 1 / 30, 0)
    fit = fit_logit(choquet_terms(U, 2), p, 1 / 30 - p, alpha=1e-3)
    assert fit.residual <= 1e-6
    assert fit.n_iter > 8


def test_an_offset_beyond_the_weights_is_held_at_their_sum():
    U = np.array([[0.2], [0.4], [0.6]])
    p, q = np.array([0.0, 0.0, 0.01]), np.array([0.33, 0.33, 0.33])
    fit = fit_logit(U, p, q, alpha=1e-3)
    assert fit.offset == fit.weights.sum() > 0


@given(SEEDS, st.integers(1, 4))
def test_the_capacity_is_normalised_and_monotone(seed, m):
    model = ChoquisticRegression().fit(*ordinal_data(seed, m=m))
    capacity = capacity_of(model)
    assert capacity[frozenset(range(m))] == pytest.approx(1)
    for A in capacity:
        for j in range(m):
            assert capacity[A] <= capacity[A | {j}] + 1e-12
    assert 0 <= model.threshold_ <= 1
    assert model.gamma_ >= 0


@given(SEEDS)
def test_the_log_odds_are_a_choquet_integral(seed):
    X, y = ordinal_data(seed)
    model = ChoquisticRegression().fit(X, y)
    capacity = capacity_of(model)
    integrals = [choquet_integral(u, capacity) for u in model.utility_.transform(X)]
    expected = model.gamma_ * (np.array(integrals) - model.threshold_)
    np.testing.assert_allclose(model.decision_function(X), expected, atol=1e-9 * model.gamma_)


@given(SEEDS)
def test_shapley_values_are_mean_marginal_contributions(seed):
    model = ChoquisticRegression().fit(*ordinal_data(seed))
    capacity = capacity_of(model)
    shares = np.zeros(3)
    for order in itertools.permutations(range(3)):
        for place, j in enumerate(order):
            before = frozenset(order[:place])
            shares[j] += (capacity[before | {j}] - capacity[before]) / math.factorial(3)
    np.testing.assert_allclose(model.shapley_, shares, atol=1e-12)
    assert model.shapley_.sum() == pytest.approx(1)


@given(SEEDS, st.sampled_from([1, 2]))
def test_a_better_row_never_has_lower_log_odds_not_even_in_the_last_bit(seed, additivity):
    rng = np.random.default_rng(seed)
    directions = rng.choice([-1, 1], size=3)
    X, y = ordinal_data(seed)
    model = ChoquisticRegression(additivity=additivity, directions=directions).fit(X, y)
    worse = rng.uniform(-1, 6, size=(200, 3))
    better = worse + directions * rng.exponential(0.2, size=worse.shape) * rng.integers(0, 2, 3)
    assert (model.decision_function(worse) <= model.decision_function(better)).all()


def grid():
    return np.array(list(itertools.product(range(4), repeat=2)), dtype=float)


def test_criteria_that_are_both_needed_interact_positively_and_substitutes_negatively():
    X = grid()
    both = ChoquisticRegression().fit(X, X.min(axis=1) >= 2)
    either = ChoquisticRegression().fit(X, X.max(axis=1) >= 2)
    assert both.interaction_[0, 1] > 0.5
    assert either.interaction_[0, 1] < -0.5
    assert (both.score(X, X.min(axis=1) >= 2), either.score(X, X.max(axis=1) >= 2)) == (1, 1)


def test_an_additive_capacity_has_no_interaction():
    model = ChoquisticRegression(additivity=1).fit(*ordinal_data(0))
    assert not model.interaction_.any()
    assert all(len(criteria) == 1 for criteria in model.mobius_)


def test_data_that_can_be_separated_have_an_optimum():
    X = grid()
    model = ChoquisticRegression(tol=1e-8).fit(X, X.sum(axis=1) >= 3)
    assert np.isfinite(model.gamma_)
    assert model.score(X, X.sum(axis=1) >= 3) == 1


def test_a_smaller_penalty_gives_a_steeper_model():
    X = grid()
    gammas = [
        ChoquisticRegression(alpha=alpha).fit(X, X.sum(axis=1) >= 3).gamma_
        for alpha in (1e-1, 1e-3, 1e-5)
    ]
    assert gammas == sorted(gammas)
    assert gammas[0] < gammas[-1]


def test_without_any_evidence_both_classes_are_equally_likely():
    model = ChoquisticRegression().fit([[1, 2], [1, 2]], [0, 1])
    assert (model.gamma_, model.threshold_, model.terms_) == (0, 0.5, [])
    np.testing.assert_array_equal(model.shapley_, [0.5, 0.5])
    np.testing.assert_array_equal(model.predict_proba([[0, 0], [9, 9]]), 0.5)


@given(SEEDS)
def test_a_weight_is_a_number_of_rows_and_their_order_is_nothing(seed):
    X, y = ordinal_data(seed)
    rng = np.random.default_rng(seed)
    weight = rng.integers(0, 3, size=len(y))
    weight[:2] = 1
    rows = rng.permutation(np.repeat(np.arange(len(y)), weight))
    weighted = ChoquisticRegression().fit(X, y, sample_weight=weight)
    repeated = ChoquisticRegression().fit(X[rows], y[rows])
    assert weighted.terms_ == repeated.terms_
    assert weighted.threshold_ == repeated.threshold_


def test_directions_are_found_or_given_by_name():
    X, y = ordinal_data(1)
    frame = pd.DataFrame(X * [1, -1, 1], columns=["a", "b", "c"])
    found = ChoquisticRegression().fit(frame, y)
    given_by_name = ChoquisticRegression(directions={"b": -1}).fit(frame, y)
    np.testing.assert_array_equal(found.directions_, [1, -1, 1])
    assert found.terms_ == given_by_name.terms_
    assert found.terms_ == ChoquisticRegression(directions=None).fit(X, y).terms_


def test_a_solver_that_was_stopped_says_so():
    with pytest.warns(ConvergenceWarning, match="Increase max_iter"):
        ChoquisticRegression(max_iter=1).fit(*ordinal_data(0))


@pytest.mark.parametrize(
    ("y", "message"),
    [([0, 1, 2], "Only binary classification"), ([1, 1, 1], "Got 1 class instead: 1")],
)
def test_two_classes_are_needed(y, message):
    with pytest.raises(ValueError, match=message):
        ChoquisticRegression().fit([[1], [2], [3]], y)


def test_a_class_of_weight_zero_is_absent():
    with pytest.raises(ValueError, match="two classes with positive weight"):
        ChoquisticRegression().fit([[1], [2]], [0, 1], sample_weight=[1, 0])


@pytest.mark.parametrize("option", [{"alpha": 0}, {"additivity": 3}, {"directions": "up"}])
def test_parameters_out_of_range_are_named(option):
    with pytest.raises(ValueError, match=f"The '{next(iter(option))}' parameter"):
        ChoquisticRegression(**option).fit([[1], [2]], [0, 1])
