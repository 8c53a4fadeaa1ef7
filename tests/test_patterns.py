import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from sugeno import patterns as module
from sugeno.lattice import minimal_sets, spread_down, spread_up
from sugeno.measure import row_weights
from sugeno.patterns import (
    Patterns,
    canonical_order,
    contains_any,
    inclusion_pairs,
    is_subset,
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


def grouped(rows, y, weights):
    counts = {}
    for row, label, weight in zip(rows.tolist(), y.tolist(), weights.tolist(), strict=True):
        counts.setdefault(tuple(row), [0, 0])[label] += weight
    return counts


@pytest.mark.parametrize("m", [3, 15, 30, 100])
@pytest.mark.parametrize("weighted", ["none", "small", "huge"])
def test_patterns_count_the_weight_of_each_class(m, weighted):
    rng = np.random.default_rng(m)
    bits = rng.random((300, m)) < 0.5
    bits[::3] = bits[0]
    y = rng.random(300) < 0.4
    integers = rng.integers(1, 5, 300) * (2**50 if weighted == "huge" else 1)
    weights = row_weights(None if weighted == "none" else integers, 300)
    found = Patterns.from_rows(pack(bits), y, weights, m)
    each = np.ones(300, int) if weighted == "none" else integers
    expected = grouped(pack(bits), y, each)
    assert len(found.masks) == len(expected)
    for mask, positive, negative in zip(
        found.masks.tolist(), found.positive, found.negative, strict=True
    ):
        scale = found.unit
        assert [negative * scale, positive * scale] == expected[tuple(mask)]
    np.testing.assert_array_equal(canonical_order(found.masks), np.arange(len(found.masks)))


def test_counting_in_a_table_and_by_sorting_agree(monkeypatch):
    rng = np.random.default_rng(1)
    rows, y = pack(rng.random((500, 9)) < 0.5), rng.random(500) < 0.5
    table = Patterns.from_rows(rows, y, row_weights(None, 500), 9)
    monkeypatch.setattr(module, "TABLE_LITERALS", 0)
    by_sorting = Patterns.from_rows(rows, y, row_weights(None, 500), 9)
    for name in ("masks", "positive", "negative"):
        np.testing.assert_array_equal(getattr(table, name), getattr(by_sorting, name))


def test_transforms_run_along_inclusion():
    rng = np.random.default_rng(2)
    table = rng.integers(0, 9, 32)
    below = [[b for b in range(32) if b & ~a == 0] for a in range(32)]
    above = [[b for b in range(32) if a & ~b == 0] for a in range(32)]
    for combine, reduce in ((np.add, sum), (np.maximum, max)):
        up = spread_up(table.copy(), combine)
        down = spread_down(table.copy(), combine)
        assert up.tolist() == [reduce(table[b] for b in below[a]) for a in range(32)]
        assert down.tolist() == [reduce(table[b] for b in above[a]) for a in range(32)]


def test_minimal_sets_of_a_table_are_those_of_the_list():
    rng = np.random.default_rng(3)
    member = spread_up(rng.random(64) < 0.08, np.logical_or)
    sets = np.flatnonzero(member).astype(np.uint64)[:, None]
    np.testing.assert_array_equal(minimal_sets(member), minimal(sets))
