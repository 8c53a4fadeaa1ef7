"""Nested rules: who passes a boundary passes those before it, and polishing only ever gains."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from costly import costly
from sugeno._distil.boundary_gains import LevelGrid, gains_by_boundary
from sugeno._distil.nesting import Nest, are_nested

SEEDS = st.integers(0, 2**32 - 1)
LEVELS = 5


def drawn(seed, *, boundaries=4, m=3, n=80, max_rules=3, k=2, price=0.0):
    """Random rows, gains and rules of each boundary, and the search among them."""
    rng = np.random.default_rng(seed)
    literals = np.repeat(np.arange(m), LEVELS), np.tile(np.arange(LEVELS) + 0.5, m)
    scale = LevelGrid.of([literals], m)
    rows = rng.integers(0, LEVELS + 1, size=(n, m)).astype(float)
    rising = rows.sum(axis=1) - rng.integers(0, m * LEVELS, size=(boundaries, 1))
    gains = [*(rising + 4 * rng.normal(size=rising.shape))]
    nest = Nest(gains_by_boundary(scale, [rows] * boundaries, gains), max_rules, k, price)
    return nest, [_rules(rng, m, max_rules, k) for _ in range(boundaries)], (scale, rows, gains)


def _rules(rng, m, max_rules, k):
    rules = rng.integers(1, LEVELS + 1, size=(int(rng.integers(1, max_rules + 1)), m))
    for rule in rules:
        rule[rng.permutation(m)[k:]] = 0
    return rules


def passed(families):
    """Which cells of the grid pass each boundary."""
    cells = np.array(list(product(range(LEVELS + 1), repeat=families[0].shape[1])))
    return np.array([(cells[:, None] >= rules).all(axis=2).any(axis=1) for rules in families])


def assert_in_order(nest, families):
    through = passed(families)
    assert (through[1:] <= through[:-1]).all()
    assert are_nested(families)
    for rules in families:
        assert len(rules) <= nest.max_rules
        assert (np.count_nonzero(rules, axis=1) <= nest.k).all()


@costly
@given(SEEDS, st.integers(0, 3))
def test_rules_are_nested_from_whichever_boundary_one_begins(seed, first):
    nest, found, _ = drawn(seed)
    settled = nest.settled(found, first)
    assert_in_order(nest, settled)
    np.testing.assert_array_equal(settled[first], found[first])


@costly
@given(SEEDS, st.sampled_from([0.0, 1.0e5, 2.0e6]))
def test_polishing_gains_and_keeps_the_rules_nested(seed, price):
    nest, found, _ = drawn(seed, price=price)
    settled = nest.settled(found, seed % 4)
    polished = nest.polished(settled, found)
    assert_in_order(nest, polished)
    assert nest.worth(polished) >= nest.worth(settled)
    best = nest.best(found, range(4))
    assert_in_order(nest, best)
    assert nest.worth(best) >= max(nest.worth(nest.settled(found, first)) for first in range(4))


@costly
@given(SEEDS)
def test_no_other_level_of_any_rule_would_be_better(seed):
    nest, found, _ = drawn(seed, boundaries=3, price=1e5)
    polished = nest.best(found, range(3))
    worth = nest.worth(polished)
    for b, rules in enumerate(polished):
        for place, j, level in product(range(len(rules)), range(3), range(LEVELS + 1)):
            other = [family.copy() for family in polished]
            other[b][place, j] = level
            if np.count_nonzero(other[b][place]) <= nest.k and are_nested(other):
                assert nest.worth(other) <= worth
        for place in range(len(rules)):
            without = [*polished]
            without[b] = np.delete(rules, place, axis=0)
            assert not are_nested(without) or nest.worth(without) <= worth


@costly
@given(SEEDS)
def test_one_criterion_has_the_best_of_all_levels(seed):
    nest, found, (_, rows, gains) = drawn(seed, boundaries=1, m=1, max_rules=1, k=1)
    best = [gains[0][rows[:, 0] >= level].sum() for level in np.arange(LEVELS + 1) - 0.5]
    units = nest.gains[0].units
    assert nest.worth(nest.best(found, [0])) / units == pytest.approx(max(0, *best), abs=1e-4)


@costly
@given(SEEDS)
def test_lessons_know_neither_the_order_of_rows_nor_how_weight_is_spread(seed):
    _, _, (scale, rows, gains) = drawn(seed, boundaries=2)
    order = np.random.default_rng(seed).permutation(len(rows))
    twice = [np.repeat(gain / 2, 2)[np.argsort(np.repeat(order, 2))] for gain in gains]
    again = np.repeat(rows, 2, axis=0)[np.argsort(np.repeat(order, 2))]
    plain, spread = (
        gains_by_boundary(scale, [rows] * 2, gains),
        gains_by_boundary(scale, [again] * 2, twice),
    )
    for one, other in zip(plain, spread):
        np.testing.assert_array_equal(one.codes, other.codes)
        np.testing.assert_array_equal(one.gains, other.gains)
        rules = np.array([[1, 0, 2], [0, 3, 0]])
        assert one.gain(rules) == other.gain(rules)


def test_levels_of_rules_are_what_they_ask():
    scale = LevelGrid.of(
        [(np.array([0, 2]), np.array([1.5, 0.0])), (np.array([0]), np.array([0.5]))], 3
    )
    rules = np.array([[2, 0, 1], [1, 0, 0]])
    asked = scale.asked(rules)
    np.testing.assert_array_equal(asked, [[1.5, -np.inf, 0.0], [0.5, -np.inf, -np.inf]])
    np.testing.assert_array_equal(scale.codes(asked), rules)
    assert scale.asked(rules[:0]).shape == (0, 3)


def test_where_nothing_passes_nothing_passes_after():
    nest, found, _ = drawn(0, boundaries=2)
    nest.gains[0].gains[:] = -np.abs(nest.gains[0].gains) - 1
    nest.gains[1].gains[:] = -nest.gains[0].gains - 2
    never = [rules[:0] for rules in found]
    assert [len(rules) for rules in nest.polished(never, found)] == [0, 0]
