"""Products of chains: places and sets, transforms, minimal sets, small sets; by brute force."""

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sugeno._sets.chains import (
    Chains,
    count_small_sets,
    count_subsets,
    minimal_sets,
    small_sets,
    spread_down,
    spread_up,
)
from sugeno._sets.masks import (
    canonical_order,
    is_subset,
    meets_all,
    minimal,
    pack,
    set_sizes,
    unpack,
)

#: Up to 5 x 3 x 2 places, in any order, with criteria that have no literal among them.
SHAPES = st.lists(st.integers(0, 4), min_size=1, max_size=4).filter(
    lambda sizes: np.prod(np.array(sizes) + 1) <= 60
)


def places(chains):
    """All places: the number of levels reached on each chain, the first chain fastest."""
    reached = product(*(range(size + 1) for size in reversed(chains.sizes)))
    return np.array([place[::-1] for place in reached])


def bits_of(chains, place):
    """Literals that a place satisfies."""
    return [i < reached for size, reached in zip(chains.sizes, place) for i in range(size)]


def every_set(chains):
    return pack(np.array([bits_of(chains, place) for place in places(chains)], dtype=bool))


@given(SHAPES)
def test_cells_and_sets_are_each_other_s_inverse(sizes):
    chains = Chains(tuple(sizes))
    cells = np.arange(chains.n_cells)
    masks = chains.masks_of(cells)
    np.testing.assert_array_equal(masks, every_set(chains))
    np.testing.assert_array_equal(chains.cells_of(masks), cells)
    np.testing.assert_array_equal(chains.closed(masks), masks)


def test_cells_of_more_literals_than_fit_into_one_word():
    chains = Chains((70, 3))
    cells = np.arange(chains.n_cells)
    masks = chains.masks_of(cells)
    assert masks.shape == (284, 2)
    np.testing.assert_array_equal(chains.cells_of(masks), cells)


@given(SHAPES, st.integers(0, 2**32 - 1))
def test_closing_adds_what_is_implied_and_the_strongest_literals_say_the_same(sizes, seed):
    chains = Chains(tuple(sizes))
    bits = np.random.default_rng(seed).random((20, chains.n_literals)) < 0.4
    closed = unpack(chains.closed(pack(bits)), chains.n_literals)
    strongest = unpack(chains.strongest(pack(bits)), chains.n_literals)
    for row, all_of_them, kept in zip(bits, closed, strongest, strict=True):
        for j in range(chains.n_literals):
            same = chains.criteria == chains.criteria[j]
            assert all_of_them[j] == row[j:][same[j:]].any()
            assert kept[j] == (all_of_them[j] and not row[j + 1 :][same[j + 1 :]].any())
    np.testing.assert_array_equal(chains.closed(pack(strongest)), pack(closed))
    np.testing.assert_array_equal(chains.strongest(pack(closed)), pack(strongest))
    np.testing.assert_array_equal(chains.count_criteria(pack(closed)), strongest.sum(axis=1))


@given(SHAPES, st.integers(0, 2**32 - 1))
def test_raising_and_the_weakest_literals_of_a_clause_say_the_same(sizes, seed):
    chains = Chains(tuple(sizes))
    bits = np.random.default_rng(seed).random((20, chains.n_literals)) < 0.4
    raised = unpack(chains.raised(pack(bits)), chains.n_literals)
    weakest = unpack(chains.weakest(pack(bits)), chains.n_literals)
    for row, all_of_them, kept in zip(bits, raised, weakest, strict=True):
        for j in range(chains.n_literals):
            weaker = row[:j][chains.criteria[:j] == chains.criteria[j]]
            assert all_of_them[j] == (row[j] or weaker.any())
            assert kept[j] == (row[j] and not weaker.any())
    np.testing.assert_array_equal(chains.raised(pack(weakest)), pack(raised))
    # A place meets a clause whether it is raised or not.
    every = every_set(chains)
    for form in (raised, weakest):
        np.testing.assert_array_equal(
            meets_all(every, pack(bits)[:3]), meets_all(every, pack(form)[:3])
        )


@pytest.mark.parametrize("sizes", [(4, 2, 1), (1, 2, 4), (2, 4), (3,), (0, 2, 0), (1, 1, 1, 1)])
@pytest.mark.parametrize("combine", [np.add, np.maximum, np.logical_or])
def test_transforms_run_along_the_order_of_the_places(sizes, combine):
    chains = Chains(sizes)
    rng = np.random.default_rng(sum(sizes))
    table = rng.integers(0, 9, chains.n_cells)
    if combine is np.logical_or:
        table = table < 2
    every = places(chains)
    below = (every[:, None, :] <= every[None, :, :]).all(axis=2)
    np.testing.assert_array_equal(is_subset(every_set(chains), every_set(chains)), below)
    up = spread_up(table.copy(), chains, combine)
    down = spread_down(table.copy(), chains, combine)
    np.testing.assert_array_equal(up, [combine.reduce(table[row]) for row in below.T])
    np.testing.assert_array_equal(down, [combine.reduce(table[row]) for row in below])


def test_transforms_run_along_inclusion():
    rng = np.random.default_rng(2)
    table = rng.integers(0, 9, 32)
    below = [[b for b in range(32) if b & ~a == 0] for a in range(32)]
    above = [[b for b in range(32) if a & ~b == 0] for a in range(32)]
    for combine, reduce in ((np.add, sum), (np.maximum, max)):
        up = spread_up(table.copy(), Chains.single(5), combine)
        down = spread_down(table.copy(), Chains.single(5), combine)
        assert up.tolist() == [reduce(table[b] for b in below[a]) for a in range(32)]
        assert down.tolist() == [reduce(table[b] for b in above[a]) for a in range(32)]


def test_minimal_sets_of_a_table_are_those_of_the_list():
    rng = np.random.default_rng(3)
    member = spread_up(rng.random(64) < 0.08, Chains.single(6), np.logical_or)
    sets = np.flatnonzero(member).astype(np.uint64)[:, None]
    np.testing.assert_array_equal(minimal_sets(member, Chains.single(6)), minimal(sets))


@given(SHAPES, st.integers(0, 2**32 - 1))
def test_minimal_members_of_a_table_of_chains_are_those_of_the_list(sizes, seed):
    chains = Chains(tuple(sizes))
    chosen = np.random.default_rng(seed).random(chains.n_cells) < 0.15
    member = spread_up(chosen.copy(), chains, np.logical_or)
    expected = minimal(chains.masks_of(np.flatnonzero(chosen)))
    np.testing.assert_array_equal(minimal_sets(member, chains), expected)
    np.testing.assert_array_equal(
        spread_up(chains.table_of(expected), chains, np.logical_or), member
    )


def test_a_table_is_small_up_to_about_a_million_cells():
    assert Chains.single(20).is_small
    assert not Chains.single(21).is_small
    assert Chains((1023, 1023)).is_small
    assert not Chains((1023, 1024)).is_small


def test_one_literal_per_criterion_is_the_power_set():
    chains = Chains.single(4)
    assert (chains.n_criteria, chains.n_literals, chains.n_cells) == (4, 4, 16)
    assert chains.is_single
    assert chains.full.tolist() == [[15]]
    assert chains.masks_of(np.arange(16)).ravel().tolist() == list(range(16))


@given(SHAPES, st.integers(1, 4))
def test_small_sets_ask_for_one_level_of_at_most_k_criteria(sizes, k):
    chains = Chains(tuple(sizes))
    # Level 0 of a criterion is no literal; level i is its i-th.
    wanted = [
        levels
        for levels in product(*(range(size + 1) for size in sizes))
        if 0 < np.count_nonzero(levels) <= k
    ]
    bits = np.array([bits_of(chains, levels) for levels in wanted], dtype=bool)
    expected = pack(bits.reshape(len(wanted), chains.n_literals))
    found = small_sets(chains, k)
    np.testing.assert_array_equal(found, expected[canonical_order(expected)])
    assert len(found) == count_small_sets(chains, k)
    assert (chains.count_criteria(found) <= k).all()


@pytest.mark.parametrize(("n", "k"), [(1, 1), (4, 2), (5, 5), (6, 3)])
def test_subsets_are_small_sets_of_single_literals(n, k):
    listed = sum(len(list(combinations(range(n), size))) for size in range(1, k + 1))
    assert count_subsets(n, k) == listed == count_small_sets(Chains.single(n), k)
    found = small_sets(Chains.single(n), k)
    assert len(found) == listed
    assert (set_sizes(found) <= k).all()
