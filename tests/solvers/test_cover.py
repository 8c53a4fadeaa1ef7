"""Few sets that accept the same patterns: greedy, deterministic, and none of them idle."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sugeno._sets.masks import contains_any, is_subset, minimal
from sugeno.solvers import cover
from sugeno.solvers.cover import few_sets


def greedy(sets, masks, weights):
    """The same, one after the other, in exact integers."""
    covers = [set(np.flatnonzero(row).tolist()) for row in is_subset(sets, masks)]
    left, chosen = set().union(*covers), []
    while any(weights[column] for column in left):
        worth = [sum(weights[column] for column in left & members) for members in covers]
        chosen.append(worth.index(max(worth)))
        left -= covers[chosen[-1]]
    for row in chosen[::-1]:
        others = set().union(*(covers[other] for other in chosen if other != row))
        if covers[row] <= others:
            chosen.remove(row)
    return minimal(sets[chosen])


@pytest.mark.parametrize("cells", [cover._FEW_CELLS, 0])
@given(st.integers(0, 2**32 - 1), st.sampled_from([1, 3, 1000]))
def test_small_and_large_tables_are_covered_greedily(cells, seed, heaviest):
    random = np.random.default_rng(seed)
    sets = minimal(random.integers(1, 256, (int(random.integers(1, 20)), 1), dtype=np.uint64))
    masks = random.integers(0, 256, (int(random.integers(1, 30)), 1), dtype=np.uint64)
    weights = random.integers(heaviest != 3, heaviest + 1, len(masks))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cover, "_FEW_CELLS", cells)
        few = few_sets(sets, masks, weights)
    np.testing.assert_array_equal(few, greedy(sets, masks, weights.tolist()))
    heavy = masks[weights > 0]
    np.testing.assert_array_equal(contains_any(heavy, few), contains_any(heavy, sets))


def test_a_set_is_idle_if_earlier_and_later_ones_cover_it_together():
    rows = [{0, 1, 2, 3, 4, 5}, {0, 6, 7, 8}, {6, 7, 9}, {8, 10}]
    covers = np.array([[column in row for column in range(11)] for row in rows])
    assert cover._few_of_table(covers, np.ones(11, dtype=np.int64)) == [0, 2, 3]
