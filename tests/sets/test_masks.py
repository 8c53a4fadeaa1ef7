"""The algebra of packed sets."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from sugeno._sets.masks import (
    canonical_order,
    contains_any,
    inclusion_pairs,
    is_subset,
    meets_all,
    minimal,
    pack,
    set_sizes,
    unpack,
)

bit_tables = st.integers(1, 150).flatmap(
    lambda m: arrays(np.bool_, st.tuples(st.integers(1, 12), st.just(m)))
)


@given(bit_tables)
def test_packing_loses_nothing(bits):
    masks = pack(bits)
    np.testing.assert_array_equal(unpack(masks, bits.shape[1]), bits)
    np.testing.assert_array_equal(set_sizes(masks), bits.sum(axis=1))


@given(bit_tables)
def test_inclusion_of_packed_sets_is_inclusion(bits):
    masks = pack(bits)
    expected = (bits[:, None, :] <= bits[None, :, :]).all(axis=2)
    np.testing.assert_array_equal(is_subset(masks, masks), expected)
    i, j = inclusion_pairs(masks, masks)
    assert set(zip(i.tolist(), j.tolist(), strict=True)) == set(
        zip(*np.nonzero(expected), strict=True)
    )
    np.testing.assert_array_equal(contains_any(masks, masks[:3]), expected[:3].any(axis=0))


@given(bit_tables)
def test_a_set_meets_all_if_it_shares_a_literal_with_each(bits):
    expected = (bits[:, None, :] & bits[None, :4, :]).any(axis=2).all(axis=1)
    np.testing.assert_array_equal(meets_all(pack(bits), pack(bits[:4])), expected)
    assert meets_all(pack(bits), pack(bits[:0])).all()


@given(bit_tables)
def test_minimal_sets_are_an_antichain_that_everything_contains(bits):
    masks = pack(bits)
    found = minimal(masks)
    inside = is_subset(found, found)
    assert inside.sum() == len(found)
    assert contains_any(masks, found).all()
    assert is_subset(found, masks).any(axis=1).all()
    np.testing.assert_array_equal(canonical_order(found), np.arange(len(found)))


def test_splitting_finds_the_same_pairs_as_comparing_all():
    rng = np.random.default_rng(0)
    lower, upper = pack(rng.random((400, 12)) < 0.4), pack(rng.random((500, 12)) < 0.6)
    i, j = inclusion_pairs(lower, upper)
    found = np.zeros((400, 500), dtype=bool)
    found[i, j] = True
    np.testing.assert_array_equal(found, is_subset(lower, upper))
    assert len(set(zip(i.tolist(), j.tolist(), strict=True))) == i.size
