"""Ridge logistic regression: the same as scikit-learn's, with standard errors."""

import numpy as np
import pytest
from scipy.optimize import minimize
from sklearn.linear_model import LogisticRegression

from sugeno._scales.regression import ridge_logistic


def rows(seed, n=300, m=4):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, m))
    X[:, 1] += X[:, 0]
    y = X @ np.linspace(-1, 1, m) + rng.logistic(size=n) > rng.normal()
    return X, y.astype(float), rng.integers(1, 4, n).astype(float)


@pytest.mark.parametrize("seed", range(4))
def test_it_is_what_scikit_learn_computes(seed):
    X, y, w = rows(seed)
    theirs = LogisticRegression(C=0.5, tol=1e-10, max_iter=10_000).fit(X, y, sample_weight=w)
    ours = ridge_logistic(X, y, w, penalty=2.0)
    np.testing.assert_allclose(ours.coefficients, theirs.coef_[0], atol=1e-5)
    np.testing.assert_allclose(ours.intercept, theirs.intercept_[0], atol=1e-5)


def test_a_target_between_the_classes_is_a_share_of_both():
    X, y, w = rows(0)
    target = np.where(y > 0, 0.8, 0.3)
    twice = np.concatenate([X, X])
    both = np.concatenate([np.ones(len(X)), np.zeros(len(X))])
    shares = np.concatenate([w * target, w * (1 - target)])
    soft, hard = ridge_logistic(X, target, w), ridge_logistic(twice, both, shares)
    np.testing.assert_allclose(soft.coefficients, hard.coefficients, atol=2e-6)
    np.testing.assert_allclose(soft.errors, hard.errors, rtol=1e-6)


def test_a_weight_of_two_is_a_row_that_stands_there_twice():
    X, y, w = rows(1)
    again = np.repeat(np.arange(len(X)), w.astype(int))
    one, other = ridge_logistic(X, y, w), ridge_logistic(X[again], y[again], np.ones(again.size))
    np.testing.assert_allclose(one.z, other.z, atol=1e-4)


def test_separable_classes_repeated_and_constant_columns_have_a_minimum():
    x = np.repeat([-1.0, 1.0], 200)
    X = np.column_stack([x, x, np.zeros(400)])
    fit = ridge_logistic(X, (x > 0).astype(float), np.ones(400))
    assert fit.coefficients[0] == fit.coefficients[1] > 0
    assert fit.coefficients[2] == 0
    assert np.isfinite(fit.errors).all()


def test_rare_classes_with_heavy_weights_do_not_lead_astray():
    rng = np.random.default_rng(3)
    X = 40 * rng.normal(size=(300, 2))
    y = (np.arange(300) < 2).astype(float)
    w = np.where(y > 0, 1e6, 1.0)

    def loss(b):
        score = b[0] + X @ b[1:]
        return w @ (np.logaddexp(0, score) - y * score) + b[1:] @ b[1:] / 2

    fit = ridge_logistic(X, y, w)
    found = minimize(loss, np.zeros(3), method="BFGS", options={"maxiter": 5000, "gtol": 1e-3}).fun
    assert loss(np.array([fit.intercept, *fit.coefficients])) <= found * (1 + 1e-6) + 1e-6


def test_z_is_standard_normal_where_a_column_says_nothing():
    rng = np.random.default_rng(0)
    z = [
        ridge_logistic(rng.normal(size=(200, 1)), rng.integers(0, 2, 200) * 1.0, np.ones(200)).z[0]
        for _ in range(300)
    ]
    assert abs(np.mean(z)) < 0.2
    assert 0.85 < np.std(z) < 1.15
