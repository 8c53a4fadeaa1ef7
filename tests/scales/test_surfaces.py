"""Sums of tables: exact, and known to rise or not."""

from itertools import product

import numpy as np
import pytest

from random_sums import random_sum
from sugeno._scales.surfaces import Pair, Surfaces


def every_row(sizes):
    return np.array([*product(*(range(size + 1) for size in sizes))], dtype=np.intp).T


def sums(seed, m=4):
    return random_sum(seed, m=m, labelled=False).boundaries[0].tables


@pytest.mark.parametrize("seed", range(8))
def test_a_sum_adds_what_levels_add_alone_and_together(seed):
    tables = sums(seed)
    codes = every_row([levels.size for levels in tables.levels])
    expected = np.full(codes.shape[1], tables.constant)
    for j, table in enumerate(tables.single):
        for place, add in enumerate(np.diff(table).tolist()):
            expected += add * (codes[j] > place)
    for pair in tables.pairs:
        for row, column, add in zip(*(part.tolist() for part in pair.joint)):
            expected += add * ((codes[pair.first] > row) & (codes[pair.second] > column))
    assert (tables.sums(codes) == expected).all()


@pytest.mark.parametrize("seed", range(8))
def test_where_a_sum_falls_is_found_by_looking_at_its_tables(seed):
    rng = np.random.default_rng(seed)
    tables = sums(seed, m=3)
    single = [table.copy() for table in tables.single]
    for table in single:  # break some of it
        table[1:] -= rng.integers(0, 1 << 28, max(table.size - 1, 0)).cumsum()
    broken = Surfaces(tables.constant, tables.levels, single, tables.pairs)
    for one in (tables, broken):
        sizes = [levels.size for levels in one.levels]
        codes = every_row(sizes)
        totals = one.sums(codes)
        found = set()
        for j, size in enumerate(sizes):
            for place in range(size):
                here = codes[j] == place
                higher = codes[:, here].copy()
                higher[j] += 1
                if (one.sums(higher) < totals[here]).any():
                    found.add((j, place))
        assert set(one.falls()) == found
    assert not tables.falls()


def test_a_pair_is_what_its_joint_entries_say():
    pair = Pair.of(0, 2, (3, 2), ([0, 2], [1, 0], [5, -2]))
    assert [part.tolist() for part in pair.joint] == [[0, 2], [1, 0], [5, -2]]
    assert pair.cells.tolist() == [[0, 0, 0], [0, 0, 5], [0, -2, 3]]
