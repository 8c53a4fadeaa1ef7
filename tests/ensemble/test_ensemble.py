"""What a user relies on: monotone, the same for any order, weight and number of jobs."""

from dataclasses import fields

import numpy as np
import pytest

from sugeno._ensemble import EnsembleParams, fit
from sugeno._ensemble import boosting_run as run_module
from sugeno._ensemble import ensemble as ensemble_module
from sugeno._ensemble.ensemble import mixture
from sugeno._ensemble.members import collect
from sugeno._ensemble.sample import levels, merge

QUICK = EnsembleParams(bags=5, max_rounds=40)


def table(n=120, m=4, seed=0, levels=None):
    rng = np.random.default_rng(seed)
    X = rng.random((n, m)) if levels is None else rng.integers(0, levels, (n, m)).astype(float)
    y = X.mean(axis=1) + 0.3 * X.std() * rng.standard_normal(n) > X.mean()
    return X, y


def assert_same(first, second):
    """All arrays of two ensembles are equal to the last bit."""
    for f in fields(first.members):
        a, b = getattr(first.members, f.name), getattr(second.members, f.name)
        assert np.array_equal(a, b), f.name
    assert first.rounds == second.rounds
    assert first.oob_log_loss == second.oob_log_loss


@pytest.mark.parametrize("levels", [None, 2, 5])
@pytest.mark.parametrize("m", [1, 2, 3, 5])
def test_scores_are_exactly_monotone(m, levels):
    for seed in range(2):
        X, y = table(60, m, seed, levels)
        model = fit(X, y, params=QUICK)
        rng = np.random.default_rng(seed)
        low = np.repeat(X, 10, axis=0) + rng.normal(0, 0.1, (600, m))
        high = low + rng.exponential(0.5, low.shape) * (rng.random(low.shape) < 0.5)
        assert (model.scores(high) >= model.scores(low)).all()
        assert (model.probability(high) >= model.probability(low)).all()
        assert (model.scores(high) > model.scores(low)).any()


@pytest.mark.parametrize("levels", [None, 3])
def test_the_order_of_the_rows_does_not_matter(levels):
    X, y = table(levels=levels)
    w = np.random.default_rng(3).random(len(y))
    order = np.random.default_rng(1).permutation(len(y))
    for weight in (None, w):
        there = fit(X, y, weight, QUICK)
        shuffled = fit(X[order], y[order], None if weight is None else w[order], QUICK)
        assert_same(there, shuffled)
        assert (there.oob_probability[order] == shuffled.oob_probability).all()
        assert there.oob_error == pytest.approx(shuffled.oob_error)


def test_a_weight_is_a_number_of_rows():
    X, y = table(levels=4)
    w = np.random.default_rng(0).integers(0, 4, len(y))
    weighted = fit(X, y, w.astype(float), QUICK)
    repeated = fit(np.repeat(X, w, axis=0), np.repeat(y, w), params=QUICK)
    assert_same(weighted, repeated)
    assert (np.repeat(weighted.oob_probability, w) == repeated.oob_probability).all()


def test_the_number_of_jobs_does_not_matter(monkeypatch):
    monkeypatch.setattr(run_module, "_FEW_ROWS", 0)
    X, y = table()
    params = EnsembleParams(bags=3, max_rounds=20)
    assert_same(
        fit(X, y, params=params), fit(X, y, params=EnsembleParams(bags=3, max_rounds=20, n_jobs=2))
    )


def test_another_seed_is_another_ensemble():
    X, y = table()
    first, second = (
        fit(X, y, params=QUICK),
        fit(X, y, params=EnsembleParams(bags=5, max_rounds=40, seed=1)),
    )
    assert not np.array_equal(first.members.gain, second.members.gain)


@pytest.mark.parametrize("levels", [None, 3])
def test_tables_add_up_to_the_members(levels):
    X, y = table(m=3, levels=levels)
    model = fit(X, y, params=QUICK)
    members = model.members
    first = X[:, members.first_criterion] >= members.first_level
    second = X[:, members.second_criterion] >= members.second_level
    holds = np.where(members.conjunction, first & second, first | second)
    grades = np.where(holds, members.high, members.low).sum(axis=1)
    assert (members.surfaces.totals(X) == grades + members.base.sum()).all()
    assert (members.high >= members.low).all()


def test_scores_are_those_of_both_kinds_of_bags_by_their_shares():
    X, y = table(m=3)
    params = EnsembleParams(bags=5, max_rounds=40)
    merged = merge(X, y)
    cuts = levels(merged)
    runs = ensemble_module._runs(merged, cuts, params)
    for run in runs:
        run.grow()
    shares = mixture([run.scores[run.best] for run in runs], merged.weight)
    kinds = [collect(run.boosters, cuts).until(run.rounds).scores(X) for run in runs]
    expected = sum(share * scores for share, scores in zip(shares, kinds))
    assert fit(X, y, params=params).scores(X) == pytest.approx(expected, abs=1e-4)


def test_the_rounds_kept_have_the_least_out_of_bag_loss():
    X, y = table(seed=5)
    kept = fit(X, y, params=QUICK)
    shorter = fit(X, y, params=EnsembleParams(bags=5, max_rounds=kept.rounds))
    assert_same(kept, shorter)
    assert kept.members.round.max() < kept.rounds


def test_out_of_bag_probabilities_are_honest_on_noise():
    rng = np.random.default_rng(0)
    X, y = rng.random((300, 5)), rng.random(300) < 0.5
    model = fit(X, y)
    assert 0.4 < model.oob_error < 0.62
    assert model.oob_log_loss > 0.67


def can_flip(model, X):
    """Which criteria can flip the decision on each row alone, as finished sums say it."""
    members = model.members
    return members.surfaces.flips(X, lambda totals: members.to_scores(totals) > 0)


def test_pivotality_equals_search_over_all_values():
    X, y = table(80, 3, levels=4)
    model = fit(X, y, params=QUICK)
    decided = model.scores(X) > 0
    for j, share in enumerate(can_flip(model, X).mean(axis=0)):
        flipped = np.zeros(len(X), dtype=bool)
        for value in [-np.inf, *np.unique(X[:, j]), np.inf]:
            moved = X.copy()
            moved[:, j] = value
            flipped |= (model.scores(moved) > 0) != decided
        assert share == pytest.approx(flipped.mean())


def test_a_criterion_without_influence_gains_nothing():
    X, y = table(300, 2, seed=2)
    X = np.column_stack([X, np.ones(300)])
    model = fit(X, y, params=QUICK)
    assert model.members.gains()[2] == 0
    assert can_flip(model, X).mean(axis=0)[2] == 0


def test_it_learns_a_rule_that_it_can_express():
    X = np.random.default_rng(0).random((600, 4))
    y = (X[:, 0] > 0.5) & (X[:, 2] > 0.3)
    test = np.random.default_rng(1).random((2000, 4))
    wrong = (fit(X, y).scores(test) > 0) != ((test[:, 0] > 0.5) & (test[:, 2] > 0.3))
    assert wrong.mean() < 0.02


DEGENERATE = {
    "constant columns": (np.ones((20, 3)), np.arange(20) % 2 == 0, None),
    "one row": (np.array([[1.0, 2.0]]), np.array([True]), None),
    "one distinct row": (np.ones((9, 2)), np.arange(9) < 3, None),
    "two rows": (np.array([[1.0], [2.0]]), np.array([False, True]), None),
    "one class": (np.arange(20.0)[:, None], np.ones(20, dtype=bool), None),
    "separable": (np.arange(200.0)[:, None], np.arange(200) >= 100, None),
    "reversed": (np.arange(200.0)[:, None], np.arange(200) < 100, None),
    "huge values": (np.linspace(-1, 1, 50)[:, None] * 1e308, np.arange(50) > 20, None),
    "neighbouring floats": (
        np.array([1.0, np.nextafter(1.0, 2)] * 20)[:, None],
        np.arange(40) % 2 == 1,
        None,
    ),
    "huge weights": (np.arange(40.0)[:, None], np.arange(40) > 15, np.full(40, 1e307)),
    "tiny weights": (np.arange(40.0)[:, None], np.arange(40) > 15, np.full(40, 1e-300)),
    "mixed weights": (np.arange(40.0)[:, None], np.arange(40) > 15, 10.0 ** np.arange(-20, 20)),
    "no weight": (np.arange(4.0)[:, None], np.arange(4) > 1, np.zeros(4)),
}


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("name", DEGENERATE)
def test_degenerate_tables_give_a_finite_monotone_model(name):
    X, y, w = DEGENERATE[name]
    model = fit(X, y, w, QUICK)
    order = np.argsort(X[:, 0], kind="stable")
    scores = model.scores(X)
    assert np.isfinite(scores).all()
    assert (np.diff(scores[order]) >= 0).all()
    assert ((model.oob_probability >= 0) & (model.oob_probability <= 1)).all()
    assert np.isfinite(model.oob_log_loss)
    assert np.isfinite(can_flip(model, X).mean(axis=0)).all()


def test_huge_weights_are_numbers_of_rows_too():
    X, y = table(60, 2)
    w = np.random.default_rng(0).integers(1, 4, 60)
    weighted = fit(X, y, w * 1e300, QUICK)
    repeated = fit(np.repeat(X, w, axis=0), np.repeat(y, w), np.full(w.sum(), 1e300), QUICK)
    assert_same(weighted, repeated)


def test_large_tables_are_thinned(monkeypatch):
    monkeypatch.setattr(run_module, "BAG_ROWS", 50)
    monkeypatch.setattr(run_module, "WATCHED_ROWS", 40)
    X, y = table(400, 3)
    model = fit(X, y, params=QUICK)
    order = np.random.default_rng(1).permutation(400)
    assert_same(model, fit(X[order], y[order], params=QUICK))
    assert np.isfinite(model.oob_probability).all()
    assert model.oob_error < 0.3


def test_an_empty_table_of_new_rows_has_no_scores():
    X, y = table(30, 2)
    assert fit(X, y, params=QUICK).scores(np.zeros((0, 2))).shape == (0,)
