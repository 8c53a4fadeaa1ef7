"""Minimal transversals against brute force."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from small_capacities import subsets
from sugeno._sets.transversals import minimal_transversals
from sugeno.capacity._ground import GroundSet


@given(st.lists(st.sets(st.integers(0, 4), min_size=1), max_size=6))
def test_transversals_are_the_minimal_sets_that_meet_all(family):
    # Criteria 60 to 64, so that sets cross the border of a word.
    ground = GroundSet.of(65)
    found = minimal_transversals(ground.pack([{60 + j for j in a} for a in family]))
    meeting = [set(a) for a in subsets(range(5)) if all(set(a) & b for b in family)]
    expected = {frozenset(a) for a in meeting if not any(b < a for b in meeting)}
    assert {frozenset(j - 60 for j in a) for a in ground.members(found)} == expected
    assert len(found) == len(expected)


def test_too_many_transversals_give_a_clear_error():
    # Twenty disjoint pairs have 2**20 minimal transversals.
    pairs = GroundSet.of(40).pack([(2 * j, 2 * j + 1) for j in range(20)])
    with pytest.raises(OverflowError, match="more than 20000 candidates"):
        minimal_transversals(pairs)


def test_the_transversals_of_the_transversals_are_the_minimal_sets():
    rng = np.random.default_rng(0)
    ground = GroundSet.of(30)
    sets = ground.pack([rng.choice(30, 3, replace=False).tolist() for _ in range(6)])
    twice = minimal_transversals(minimal_transversals(sets))
    assert set(ground.members(twice)) == set(ground.members(sets))
