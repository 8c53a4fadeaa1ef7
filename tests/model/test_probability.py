"""Probabilities of patterns that occur and of those that do not."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracles import up_sets
from sugeno._sets.masks import is_subset, pack
from sugeno.model.probability import PatternProbabilities


@st.composite
def monotone_probabilities(draw, m=3):
    """Some sets of m literals with probabilities that grow along inclusion, and a labelling."""
    codes = draw(st.lists(st.integers(0, 2**m - 1), unique=True, min_size=1))
    masks = np.array(sorted(codes), dtype=np.uint64)[:, None]
    raw = np.array(draw(st.lists(st.floats(0, 1), min_size=len(codes), max_size=len(codes))))
    contains = is_subset(masks, masks)
    values = np.where(contains, raw[:, None], 0).max(axis=0)
    return masks, values


@given(monotone_probabilities(), st.sampled_from(up_sets(3).tolist()))
def test_probabilities_are_monotone_and_on_the_side_of_the_label(known, family):
    every = np.arange(8, dtype=np.uint64)[:, None]
    accepted = np.array(family)
    found = PatternProbabilities(*known).of(every, accepted)
    assert np.array_equal(found > 0.5, accepted)
    lower, upper = np.nonzero(is_subset(every, every))
    assert (found[lower] <= found[upper]).all()
    assert ((found >= 0) & (found <= 1)).all()


@given(monotone_probabilities())
def test_observed_patterns_keep_their_probability(known):
    masks, values = known
    assert np.array_equal(PatternProbabilities(masks, values).of(masks, values > 0.5), values)


@pytest.mark.parametrize("m", [5, 70])
def test_equal_rows_get_equal_probabilities(m):
    rng = np.random.default_rng(m)
    bits = np.sort(rng.random((6, m)) < 0.5, axis=0)
    masks = pack(bits)
    values = np.linspace(0.1, 0.9, 6)
    rows = rng.integers(0, 6, 40)
    found = PatternProbabilities(masks, values).of(masks[rows], values[rows] > 0.5)
    _, first = np.unique(bits, axis=0, return_index=True)
    assert len(np.unique(found)) <= first.size
    for i in range(6):
        assert len(np.unique(found[(bits[rows] == bits[i]).all(axis=1)])) <= 1
