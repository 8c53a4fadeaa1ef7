"""The number of rounds and the slope that the out-of-bag scores choose."""

import numpy as np
import pytest
from scipy.optimize import minimize_scalar

from sugeno._ensemble.boosting_run import BoostingRun, EnsembleParams, log_loss, slope
from sugeno._ensemble.sample import encode, levels, merge


def scores_of(seed, confidence):
    rng = np.random.default_rng(seed)
    truth = rng.normal(0, 2, 400)
    positive = rng.random(400) < 1 / (1 + np.exp(-truth))
    weight = np.array([~positive, positive]) * rng.integers(1, 3, 400)
    return np.array([truth, truth]) * confidence, weight.astype(float)


@pytest.mark.parametrize("seed", range(3))
def test_the_slope_minimises_the_loss(seed):
    scores, weight = scores_of(seed, 3.0)
    best = minimize_scalar(
        lambda a: log_loss(a * scores, weight), bounds=(0.01, 1), method="bounded"
    )
    assert slope(scores, weight) == pytest.approx(best.x, abs=1e-4)
    assert slope(scores, weight) < 0.5


def test_the_slope_never_exceeds_one():
    assert slope(*scores_of(0, 0.2)) == 1.0


def test_scores_against_the_labels_keep_their_order():
    assert 0 < slope(*scores_of(0, -1.0)) < 0.02


def test_unknown_scores_do_not_count():
    scores, weight = scores_of(0, 3.0)
    hidden = scores.copy()
    hidden[:, :100] = np.nan
    assert slope(hidden, weight) == slope(scores[:, 100:], weight[:, 100:])
    assert log_loss(hidden, weight) == pytest.approx(log_loss(scores[:, 100:], weight[:, 100:]))


def test_the_loss_is_the_mean_negative_log_likelihood():
    scores = np.log(np.array([[1.0, 4.0], [1.0, 4.0]]))  # odds 1 and 4
    weight = np.array([[1.0, 0.0], [0.0, 3.0]])
    expected = -(np.log(1 / 2) + 3 * np.log(4 / 5)) / 4
    assert log_loss(scores, weight) == pytest.approx(expected)


def grown_run(stop=lambda: False, **params):
    X = np.random.default_rng(0).random((150, 3))
    y = X.sum(axis=1) + np.random.default_rng(1).normal(0, 0.4, 150) > 1.5
    table = merge(X, y)
    grown = BoostingRun(
        table, encode(table.rows, levels(table)), EnsembleParams(bags=4, **params), stop=stop
    )
    grown.grow()
    return grown


def test_the_first_report_near_the_minimum_is_kept():
    grown = grown_run(max_rounds=80)
    losses = np.array(grown.losses)
    assert losses[grown.best] <= losses.min() + 0.25 / 150
    assert (losses[: grown.best] > losses.min() + 0.25 / 150).all()


def test_growth_stops_when_the_minimum_lies_behind():
    grown = grown_run(max_rounds=10_000)
    assert grown.rounds < 10 * len(grown.losses) < 10_000


def test_slack_saves_rounds():
    assert grown_run(max_rounds=80, slack=3.0).rounds < grown_run(max_rounds=80, slack=0.0).rounds


def test_an_odd_number_of_rounds_is_rounded_up_to_a_report():
    assert len(grown_run(max_rounds=12).losses) == 3


def test_growth_ends_when_it_is_told_to_but_not_before_a_few_reports():
    answers = iter([False] * 3 + [False, True])  # before each bag but the first, then reports
    assert len(grown_run(lambda: next(answers), max_rounds=500).losses) == 6
    hasty = grown_run(lambda: True, max_rounds=500)
    assert len(hasty.losses) == 5
    assert len(hasty.outside) == 1
