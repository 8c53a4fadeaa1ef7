"""MORE: labels made monotone, cones, and rules that a person can read."""

import itertools

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.utils.estimator_checks import parametrize_with_checks

from sugeno.paper.baselines import MonotoneRuleEnsemble
from sugeno.paper.baselines.more import Cone, Cuts, boost_cones, grow_cone, monotone_labels
from sugeno.solvers.order import dominance_pairs

SEEDS = st.integers(0, 2**32 - 1)


@parametrize_with_checks([MonotoneRuleEnsemble(), MonotoneRuleEnsemble(subsample=1.0)])
def test_scikit_learn_accepts_the_rule_ensemble(estimator, check):
    check(estimator)


def distinct_table(seed, n=8, m=2, levels=4):
    rng = np.random.default_rng(seed)
    return np.unique(rng.integers(0, levels, size=(n, m)), axis=0), rng


def noisy_data(seed, n=60, m=3, levels=5):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, levels, size=(n, m)).astype(float)
    y = X @ rng.uniform(0, 1, m) + rng.normal(0, 1, n) > rng.uniform(1, levels)
    y[:2] = [False, True]
    return X, y.astype(int)


def is_monotone(rows, labels):
    i, j = dominance_pairs(rows, rows)
    return bool((labels[i] <= labels[j]).all())


@given(SEEDS)
def test_labels_are_monotone_and_no_monotone_labels_cost_less(seed):
    rows, rng = distinct_table(seed)
    positive, negative = rng.integers(0, 4, size=(2, len(rows)))
    found = monotone_labels(rows, positive, negative)
    costs = {
        labels: int(np.where(labels, negative, positive).sum())
        for labels in itertools.product([False, True], repeat=len(rows))
        if is_monotone(rows, np.array(labels))
    }
    best = [np.array(labels) for labels, cost in costs.items() if cost == min(costs.values())]
    assert any((found == labels).all() for labels in best)
    # Optimal labels form a lattice; the smallest is the one that is taken.
    np.testing.assert_array_equal(found, np.all(best, axis=0))


def test_large_tables_are_compared_in_blocks(monkeypatch):
    rng = np.random.default_rng(0)
    lower, upper = rng.integers(0, 3, size=(2, 20, 2))
    whole = dominance_pairs(lower, upper)
    monkeypatch.setattr("sugeno.solvers.order._BLOCK", 7)
    np.testing.assert_array_equal(dominance_pairs(lower, upper), whole)


@given(SEEDS, st.sampled_from([1, -1]))
def test_a_cone_scores_what_it_covers_and_beats_every_single_cut(seed, sign):
    places, rng = distinct_table(seed, n=20, m=3)
    gain = rng.normal(size=len(places))
    cuts = Cuts(places.max(axis=0) + 1)
    score, cone = grow_cone(places + cuts.offsets, gain, sign, cuts)
    assert score == pytest.approx(gain[cone.covers(places)].sum())
    for column, size in enumerate(cuts.sizes):
        for place in range(size):
            single = Cone(sign, ((column, place),))
            assert gain[single.covers(places)].sum() <= score + 1e-9


def exponential_loss(places, accepted, weight, samples):
    intercept, rules = boost_cones(
        places, accepted, weight, iter(samples), learning_rate=1.0, coverage_penalty=0.1
    )
    score = intercept + sum(value * cone.covers(places) for cone, value in rules.items())
    return weight @ np.exp(-np.where(accepted, 1, -1) * score)


@given(SEEDS)
def test_no_stage_raises_the_loss_of_all_rows_whatever_the_sample(seed):
    places, rng = distinct_table(seed, n=30, m=3)
    accepted = monotone_labels(places, *rng.integers(0, 3, size=(2, len(places))))
    weight = rng.dirichlet(np.ones(len(places)))
    samples = [rng.permutation(len(places))[:8] for _ in range(12)]
    losses = [exponential_loss(places, accepted, weight, samples[:stages]) for stages in range(13)]
    assert (np.diff(losses) <= 1e-12).all()


def test_monotone_labels_are_learned_without_error():
    X = np.array(list(itertools.product(range(4), repeat=3)), dtype=float)
    y = np.median(X, axis=1) >= 2
    model = MonotoneRuleEnsemble(random_state=0).fit(X, y)
    assert model.relabelled_ == 0
    assert model.score(X, y) == 1


@given(SEEDS)
def test_a_better_row_never_scores_lower_not_even_in_the_last_bit(seed):
    rng = np.random.default_rng(seed)
    directions = rng.choice([-1, 1], size=3)
    model = MonotoneRuleEnsemble(n_rules=30, directions=directions, random_state=seed)
    model.fit(*noisy_data(seed))
    worse = rng.uniform(-1, 6, size=(200, 3)).round(1)
    better = worse + directions * rng.exponential(0.5, size=worse.shape) * rng.integers(0, 2, 3)
    assert (model.decision_function(worse) <= model.decision_function(better)).all()


def score_by_reading(model, frame):
    """Apply the printed rules as a person would."""
    score = np.full(len(frame), model.intercept_)
    for line in str(model.rules_).splitlines():
        weight, conditions = line.split(" if ")
        score += float(weight) * frame.eval(conditions).to_numpy()
    return score


def test_the_printed_rules_are_the_model():
    X, y = noisy_data(3)
    frame = pd.DataFrame(X * [1, -1, 0.1], columns=["quality", "price", "taste"])
    model = MonotoneRuleEnsemble(n_rules=40, random_state=0).fit(frame, y)
    np.testing.assert_array_equal(model.directions_, [1, -1, 1])
    atol = 0.005 * len(model.rules_)  # weights are printed with two digits
    np.testing.assert_allclose(
        score_by_reading(model, frame), model.decision_function(frame), atol=atol
    )


def test_positive_rules_ask_for_good_values_and_negative_ones_for_bad_values():
    X, y = noisy_data(5)
    model = MonotoneRuleEnsemble(directions=[1, -1, 1], random_state=0).fit(X * [1, -1, 1], y)
    assert {np.sign(rule.weight) for rule in model.rules_} == {-1, 1}
    for rule in model.rules_:
        for condition in rule.conditions:
            wants_more = bool(rule.weight * model.directions_[condition.criterion] > 0)
            assert condition.at_least == wants_more
            assert str(condition).startswith(f"x{condition.criterion} {'<>'[wants_more]}= ")


def test_rules_are_listed_once():
    model = MonotoneRuleEnsemble(n_rules=200, random_state=0).fit(*noisy_data(1))
    conditions = [rule.conditions for rule in model.rules_]
    assert len(set(conditions)) == len(conditions) < 200


def test_the_share_of_changed_labels_is_reported():
    X = [[1], [2], [3], [4]]
    assert MonotoneRuleEnsemble(directions=None).fit(X, [0, 1, 0, 1]).relabelled_ == 0.25
    assert MonotoneRuleEnsemble(directions=None).fit(X, [0, 0, 1, 1]).relabelled_ == 0


def test_labels_that_all_become_equal_need_no_rule():
    model = MonotoneRuleEnsemble(directions=None)
    model.fit([[1], [2]], [1, 0], sample_weight=[3, 1])
    assert len(model.rules_) == 0
    np.testing.assert_array_equal(model.predict([[0], [3]]), [1, 1])


@given(SEEDS)
def test_a_weight_is_a_number_of_rows_and_their_order_is_nothing(seed):
    X, y = noisy_data(seed)
    rng = np.random.default_rng(seed)
    weight = rng.integers(0, 3, size=len(y))
    weight[:2] = 1
    rows = rng.permutation(np.repeat(np.arange(len(y)), weight))
    make = MonotoneRuleEnsemble(n_rules=20, random_state=seed)
    weighted = make.fit(X, y, sample_weight=weight).rules_
    assert weighted == make.fit(X[rows], y[rows]).rules_


def test_the_unit_of_the_weights_does_not_matter():
    X, y = noisy_data(2)
    make = MonotoneRuleEnsemble(n_rules=20, random_state=0)
    plain, scaled = make.fit(X, y).rules_, make.fit(X, y, sample_weight=np.full(60, 0.25)).rules_
    assert plain == scaled


def test_without_subsampling_nothing_is_random():
    X, y = noisy_data(2)
    first, second = (
        MonotoneRuleEnsemble(subsample=1.0, random_state=seed).fit(X, y).rules_ for seed in (0, 1)
    )
    assert first == second


def test_many_steep_rules_do_not_overflow():
    X, y = noisy_data(4)
    model = MonotoneRuleEnsemble(n_rules=400, learning_rate=1e3, random_state=0).fit(X, y)
    assert np.isfinite(model.decision_function(X)).all()
