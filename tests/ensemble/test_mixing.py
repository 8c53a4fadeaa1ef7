"""How much each kind of bags counts."""

import numpy as np
import pytest
from scipy.optimize import minimize

from sugeno._ensemble.ensemble import mixed, mixture


def kinds(n=300, seed=0, factor=1.0):
    """Scores of one kind that knows, one that knows less, and the labels as weights."""
    rng = np.random.default_rng(seed)
    truth = rng.normal(0, 2, n)
    positive = rng.random(n) < 1 / (1 + np.exp(-truth))
    weight = np.array([~positive, positive]).astype(float)
    noisy = truth + rng.normal(0, 4, n)
    return [np.array([s, s]) * factor for s in (truth, noisy)], weight


def penalised_loss(shares, scores, weight):
    margins = np.array([[-1.0], [1.0]]) * sum(a * s for a, s in zip(shares, scores))
    return (weight * np.logaddexp(0, -margins)).sum() + 4 * ((np.asarray(shares) - 0.5) ** 2).sum()


@pytest.mark.parametrize("seed", range(3))
def test_shares_minimise_the_loss(seed):
    scores, weight = kinds(seed=seed, factor=0.9)
    best = minimize(
        penalised_loss, [0.5, 0.5], (scores, weight), bounds=[(1 / 64, 1)] * 2, method="Powell"
    )
    assert mixture(scores, weight) == pytest.approx(best.x, abs=1e-3)


def test_the_kind_that_knows_more_counts_more():
    good, less = mixture(*kinds())
    assert good > 2 * less


def test_few_rows_leave_equal_shares():
    scores, weight = kinds()
    assert mixture(scores, weight * 1e-6) == pytest.approx([0.5, 0.5], abs=1e-3)
    unknown = [np.full((2, 5), np.nan)] * 2
    assert mixture(unknown, np.ones((2, 5))).tolist() == [0.5, 0.5]


def test_overconfident_scores_are_held_back():
    scores, weight = kinds(factor=5.0)
    assert mixture(scores, weight).sum() < 0.4


def test_every_kind_keeps_a_share():
    scores, weight = kinds(2000, factor=3.0)
    turned = [scores[0], -scores[1]]
    assert mixture(turned, weight)[1] == 1 / 64


def test_what_one_kind_does_not_know_the_other_says():
    scores = [np.array([[1.0, np.nan, np.nan]]), np.array([[3.0, 3.0, np.nan]])]
    found = mixed(scores, np.array([0.5, 0.25]))
    assert found[0, :2].tolist() == [0.5 + 0.75, 3.0 * 0.75]
    assert np.isnan(found[0, 2])
