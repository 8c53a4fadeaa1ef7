"""Importance and interaction against their definitions, and the sampled against the exact."""

from itertools import permutations
from math import factorial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from small_capacities import by_definition, capacities, scattered, subsets
from sugeno import Capacity


def boolean(capacity, beta):
    """The level-β Boolean function."""
    return {a: v >= beta for a, v in by_definition(capacity).items()}


def weight(index, size, others):
    """Weight of a set of ``size`` of the ``others`` criteria that are not looked at."""
    if index == "banzhaf":
        return 2.0**-others
    return factorial(size) * factorial(others - size) / factorial(others + 1)


def importance_by_definition(f, m, index):
    values = np.zeros(m)
    for i in range(m):
        for a in subsets([j for j in range(m) if j != i]):
            values[i] += weight(index, len(a), m - 1) * (f[frozenset(a) | {i}] - f[frozenset(a)])
    return values


def interaction_by_definition(f, m, index):
    values = np.zeros((m, m))
    for i in range(m):
        for j in range(m):
            for a in map(frozenset, subsets(sorted({*range(m)} - {i, j}))):
                if i != j:
                    change = int(f[a | {i, j}]) - f[a | {i}] - f[a | {j}] + f[a]
                    values[i, j] += weight(index, len(a), m - 2) * change
    return values


@pytest.mark.parametrize("index", ["shapley", "banzhaf"])
@given(capacities(max_m=5), st.sampled_from([0.125, 0.5, 1.0]) | st.floats(0, 1))
def test_importance_and_interaction_follow_their_definitions(index, capacity, beta):
    f = boolean(capacity, beta)
    importance = capacity.importance(beta, index=index)
    interaction = capacity.interaction(beta, index=index)
    expected = importance_by_definition(f, capacity.m, index)
    np.testing.assert_allclose(importance.values, expected, rtol=0, atol=1e-14)
    expected = interaction_by_definition(f, capacity.m, index)
    np.testing.assert_allclose(interaction.values, expected, rtol=0, atol=1e-14)
    assert importance.exact
    assert not importance.standard_error.any()
    assert not interaction.standard_error.any()


@given(capacities(max_m=4), st.sampled_from([0.25, 0.5, 0.75]))
def test_shapley_importance_is_the_share_of_orders_in_which_a_criterion_decides(capacity, beta):
    f, m = boolean(capacity, beta), capacity.m
    shares = np.zeros(m)
    for order in permutations(range(m)):
        reached = [f[frozenset(order[: p + 1])] for p in range(m)]
        shares[order[reached.index(True)]] += 1 / factorial(m)
    np.testing.assert_allclose(capacity.importance(beta).values, shares, rtol=0, atol=1e-14)
    assert capacity.importance(beta).values.sum() == pytest.approx(1)


def test_criteria_in_no_boundary_set_do_not_count_and_keep_the_rest_exact():
    small = Capacity.from_rules([(0, 1), (0, 2), (1, 2, 3)], m=4)
    places = [3, 17, 40, 59]
    large = scattered(small, places, 60)
    for index in ("shapley", "banzhaf"):
        found = large.importance(0.5, index=index)
        assert found.exact
        assert (found.values[places] == small.importance(0.5, index=index).values).all()
        assert found.values.sum() == found.values[places].sum()
        pairs = large.interaction(0.5, index=index)
        assert (
            pairs.values[np.ix_(places, places)] == small.interaction(0.5, index=index).values
        ).all()
        assert np.count_nonzero(pairs.values) == np.count_nonzero(
            pairs.values[np.ix_(places, places)]
        )


@pytest.mark.parametrize("index", ["shapley", "banzhaf"])
@pytest.mark.parametrize("kind", ["importance", "interaction"])
def test_sampled_values_lie_within_their_stated_error(kind, index, monkeypatch):
    rng = np.random.default_rng(5)
    rules = [tuple(rng.choice(12, size, replace=False).tolist()) for size in (2, 3, 3, 4, 5)]
    capacity = Capacity.from_rules(rules, m=12)
    exact = getattr(capacity, kind)(0.5, index=index)
    monkeypatch.setattr("sugeno.capacity._importance.TABLE_CRITERIA", 3)
    monkeypatch.setattr("sugeno.capacity._importance._BLOCK", 5000)
    sampled = getattr(capacity, kind)(0.5, index=index, n_samples=4000, random_state=0)
    assert sampled.n_samples == 4000
    assert not sampled.exact
    off = np.abs(sampled.values - exact.values)
    assert (off <= 4.5 * sampled.standard_error).all()
    # The error is neither hidden nor exaggerated: half a percent to two percent here.
    used = sampled.standard_error[sampled.standard_error > 0]
    assert used.max() < 0.02
    scores = off[exact.values != 0] / sampled.standard_error[exact.values != 0]
    assert 0.4 < np.sqrt(np.mean(scores**2)) < 1.6
    if kind == "interaction":
        assert (sampled.values == sampled.values.T).all()
        assert not np.diag(sampled.values).any()
        assert not np.diag(sampled.standard_error).any()


def test_many_criteria_are_sampled_reproducibly():
    capacity = Capacity.from_rules([range(35), range(35, 70)], m=80)
    first = capacity.importance(0.5, n_samples=2000, random_state=7)
    again = capacity.importance(0.5, n_samples=2000, random_state=7)
    other = capacity.importance(0.5, n_samples=2000, random_state=8)
    assert (first.values == again.values).all()
    assert (first.values != other.values).any()
    # By symmetry every used criterion has one seventieth.
    assert (np.abs(first.values[:70] - 1 / 70) <= 4.5 * first.standard_error[:70]).all()
    assert not first.values[70:].any()
    assert not first.standard_error[70:].any()


def test_an_event_that_was_never_drawn_still_has_an_error():
    # One of 25 criteria is enough: under Banzhaf nothing decides in 2**24 sets but one.
    capacity = Capacity.from_rules([[j] for j in range(25)], m=25)
    found = capacity.importance(0.5, index="banzhaf", n_samples=100, random_state=0)
    assert not found.values.any()
    assert (found.standard_error > 0).all()


@pytest.mark.parametrize("beta", [0.0, 0.9])
def test_nothing_decides_where_the_level_is_always_or_never_reached(beta):
    capacity = Capacity({0: 0.5}, m=3, normalized=False)
    assert not capacity.importance(beta).values.any()
    assert not capacity.interaction(beta).values.any()


def test_twenty_criteria_are_counted_exactly():
    # Ten pairs, one of which must be complete: by symmetry one twentieth each.
    capacity = Capacity.from_rules([(2 * j, 2 * j + 1) for j in range(10)], m=20)
    assert (capacity.importance(1).values == 1 / 20).all()
    values = capacity.interaction(1, index="banzhaf").values
    # Partners need each other as long as no other pair is complete; strangers replace each other.
    assert values[0, 1] == 0.75**9
    assert values[0, 2] == -(0.5**2) * 0.75**8


def test_an_index_is_a_table_that_a_person_can_read(monkeypatch):
    capacity = Capacity.from_rules([("price", "speed"), ("x",)], criteria=["price", "speed", "x"])
    assert repr(capacity.importance(0.5)).splitlines() == [
        "Shapley importance at level 0.5 (exact)",
        "price  0.1667",
        "speed  0.1667",
        "x      0.6667",
    ]
    assert repr(capacity.interaction(0.5, index="banzhaf")).splitlines() == [
        "Banzhaf interaction at level 0.5 (exact)",
        "price, speed  0.5",
        "price, x      -0.5",
        "speed, x      -0.5",
    ]
    monkeypatch.setattr("sugeno.capacity._importance.TABLE_CRITERIA", 1)
    lines = repr(capacity.importance(0.5, n_samples=100, random_state=0)).splitlines()
    assert lines[0] == "Shapley importance at level 0.5 (100 samples, ± standard error)"
    assert " ± " in lines[1]
    assert repr(Capacity.from_rules([(0,)], m=1).importance(1)).endswith("0  1")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"index": "gini"}, "'shapley' or 'banzhaf'. Got 'gini'"),
        ({"n_samples": 0}, "at least 1. Got 0"),
    ],
)
def test_bad_options_give_one_clear_error(options, message):
    with pytest.raises(ValueError, match=message):
        Capacity.counting(2).importance(0.5, **options)
    with pytest.raises(ValueError, match=message):
        Capacity.counting(2).interaction(0.5, **options)
