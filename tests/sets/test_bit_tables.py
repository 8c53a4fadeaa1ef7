"""BitTables of bits do to all patterns what arrays of truth values do, cell by cell."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sugeno._sets.bit_tables import BitTables, up_set
from sugeno._sets.chains import Chains, minimal_sets, spread_down, spread_up

SHAPES = st.lists(st.integers(0, 4), min_size=1, max_size=6).filter(
    lambda sizes: np.prod(np.array(sizes) + 1) <= 300
)


def some_cells(sizes, seed):
    """Chains, and a table over their patterns with a few cells marked, at times none."""
    chains, random = Chains(tuple(sizes)), np.random.default_rng(seed)
    return chains, random.random(chains.n_cells) < random.choice([0.0, 0.05, 0.3])


def neighbours(cell, chains, step):
    """Cells one place up (or down) on one of the chains."""
    stride = 1
    for size in chains.sizes:
        if 0 <= cell // stride % (size + 1) + step <= size:
            yield cell + step * stride
        stride *= size + 1


@given(SHAPES, st.integers(0, 2**32 - 1))
def test_bits_spread_as_tables_do(sizes, seed):
    chains, table = some_cells(sizes, seed)
    masks, tables = chains.masks_of(np.flatnonzero(table)), BitTables.of(chains)
    bits = tables.bits(masks)
    np.testing.assert_array_equal(tables.table(bits), table)
    up, down = tables.spread_up(bits), tables.spread_down(bits)
    above = spread_up(table.copy(), chains, np.logical_or)
    np.testing.assert_array_equal(tables.table(up), above)
    np.testing.assert_array_equal(up_set(masks, chains), above)
    np.testing.assert_array_equal(
        tables.table(down), spread_down(table.copy(), chains, np.logical_or)
    )
    np.testing.assert_array_equal(tables.minimal_sets(up), minimal_sets(above, chains))


@given(SHAPES, st.integers(0, 2**32 - 1))
def test_one_step_leads_to_the_neighbours_and_no_further(sizes, seed):
    chains, table = some_cells(sizes, seed)
    tables, cells = BitTables.of(chains), np.flatnonzero(table).tolist()
    bits = sum(1 << cell for cell in cells)
    for move, step in ((tables.raised, 1), (tables.lowered, -1)):
        reached = set(cells).union(*(neighbours(cell, chains, step) for cell in cells))
        assert move(bits) == sum(1 << cell for cell in reached)


def test_the_full_board_has_a_bit_per_pattern():
    assert BitTables.of(Chains((2, 1))).full == 0b111111
