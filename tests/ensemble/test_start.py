"""Where bags start: a regression that is monotone, optimal, and a sum of literals."""

import numpy as np
import pytest
from scipy.special import expit

from sugeno._ensemble import EnsembleParams, fit
from sugeno._ensemble.boosting import Boosters, BoostingParams, Sample
from sugeno._ensemble.members import collect
from sugeno._ensemble.start import RESOLUTION, RIDGE, Start, fit_start

LEVELS = [6, 4, 9]


def bag(n=200, seed=0, against=False):
    rng = np.random.default_rng(seed)
    codes = np.array([rng.integers(0, levels + 1, n) for levels in LEVELS], dtype=np.uint8)
    lean = codes[0] / 6 + codes[1] / 4 - 1 + rng.normal(0, 0.3, n)
    y = (lean > 0) ^ against
    return codes, np.array([~y, y]) * rng.integers(1, 4, n).astype(float)


@pytest.mark.parametrize("seed", range(3))
def test_no_level_takes_anything_away(seed):
    for against in (False, True):
        start = fit_start(*bag(seed=seed, against=against), LEVELS)
        assert [len(rise) for rise in start.rises] == LEVELS
        assert all((rise >= 0).all() for rise in start.rises)


def test_a_table_that_is_turned_round_has_a_flat_line():
    codes, weight = bag(against=True)
    start = fit_start(codes[:2], weight, LEVELS[:2])
    negative, positive = weight.sum(axis=1) + 0.5
    assert not any(rise.any() for rise in start.rises)
    assert start.base * RESOLUTION == pytest.approx(np.log(positive / negative), abs=1e-3)
    assert (start.gains == 0).all()


def test_the_line_is_optimal():
    """At the minimum, the gradient of the penalised loss vanishes for every weight above 0."""
    codes, weight = bag()
    start = fit_start(codes, weight, LEVELS)
    residual = weight[1] - weight.sum(axis=0) * expit(start.scores(codes) * RESOLUTION)
    assert abs(residual.sum()) < 1e-3 * weight.sum()
    for row, rise, levels in zip(codes, start.rises, LEVELS):
        count = np.bincount(row, weight.sum(axis=0), levels + 1)
        utility = ((np.cumsum(count) - count / 2) / weight.sum() - 0.5) * np.sqrt(12)
        slope = rise.sum() * RESOLUTION / (utility[-1] - utility[0])
        gradient = utility[row] @ residual - RIDGE * slope
        assert abs(gradient) < 1e-3 * weight.sum() if slope > 0 else gradient < 1e-3


def test_gains_are_the_decrease_of_the_loss():
    codes, weight = bag()
    start = fit_start(codes, weight, LEVELS)
    line, (negative, positive) = start.scores(codes) * RESOLUTION, weight.sum(axis=1)
    odds = np.full(len(line), np.log((positive + 0.5) / (negative + 0.5)))
    before, after = (
        weight[0] @ np.logaddexp(0, z) + weight[1] @ np.logaddexp(0, -z) for z in (odds, line)
    )
    assert start.gains.sum() == pytest.approx(2 * (before - after), rel=1e-3)
    assert start.gains[2] < start.gains[:2].min()  # the criterion that says nothing


def test_a_bag_of_one_class_starts_at_its_odds():
    codes, weight = bag()
    weight[1] += weight[0]
    weight[0] = 0
    start = fit_start(codes, weight, LEVELS)
    assert start.base * RESOLUTION == pytest.approx(np.log(2 * weight.sum() + 1), abs=0.1)
    assert not any(rise.any() for rise in start.rises)


def test_a_constant_criterion_has_no_part_in_it():
    codes, weight = bag()
    codes[1] = 2
    start = fit_start(codes, weight, LEVELS)
    assert not start.rises[1].any()
    assert start.gains[1] == 0


def test_members_say_what_the_line_says():
    codes, weight = bag()
    starts = [fit_start(codes, w, LEVELS) for w in (weight, weight[:, ::-1] * 1.0)]
    samples = [Sample(codes, weight, np.random.default_rng(i), s) for i, s in enumerate(starts)]
    grown = Boosters(samples, codes.shape[1], codes, BoostingParams())
    expected = np.array([start.scores(codes) for start in starts])
    assert (grown.followed == expected).all()
    grown.grow(3)
    cuts = [np.arange(1.0, levels + 1) for levels in LEVELS]
    members = collect([grown], cuts)
    assert (members.surfaces.totals(codes.T * 1.0) == grown.followed.sum(axis=0)).all()
    alone = members.until(0)
    assert (alone.surfaces.totals(codes.T * 1.0) == expected.sum(axis=0)).all()
    assert (alone.bag == -1).all()


def test_scores_of_a_regression_are_the_rises_of_the_levels_that_are_reached():
    start = Start(5, [np.array([1, 0, 2]), np.array([10])], np.zeros(2))
    codes = np.array([[0, 1, 2, 3], [0, 1, 0, 1]], dtype=np.uint8)
    assert start.scores(codes).tolist() == [5, 16, 6, 18]


def test_lines_help_where_few_rows_are_additive():
    rng = np.random.default_rng(0)
    X, test = rng.random((60, 4)), rng.random((4000, 4))
    y, truth = X.sum(axis=1) > 2, test.sum(axis=1) > 2
    mixed, plain = fit(X, y), fit(X, y, params=EnsembleParams(logistic=0.0))
    with_starts, without = (((model.scores(test) > 0) != truth).mean() for model in (mixed, plain))
    assert with_starts < without - 0.01
    assert (mixed.members.round == -1).any()
    assert not (plain.members.round == -1).any()


def test_a_share_of_the_bags_starts_with_a_regression():
    X = np.random.default_rng(0).random((60, 2))
    y = X.sum(axis=1) > 1
    for bags, logistic, expected in ((5, 0.5, 2), (4, 1.0, 4), (1, 0.5, 0)):
        model = fit(X, y, params=EnsembleParams(bags=bags, logistic=logistic, max_rounds=5))
        odds = np.log((y.sum() + 0.5) / ((~y).sum() + 0.5))
        assert len(model.members.base) == bags
        started = np.abs(model.members.base * RESOLUTION - odds) > 1  # far below, at no level
        assert started.sum() == expected
