"""Small capacities for tests: drawn at random, listed completely, and evaluated by definition."""

from itertools import chain, combinations

import numpy as np
from hypothesis import strategies as st

from sugeno import Capacity
from sugeno._sets.chains import Chains, spread_up


def subsets(members):
    """All subsets of a collection, as tuples, smaller ones first."""
    members = tuple(members)
    return list(chain.from_iterable(combinations(members, r) for r in range(len(members) + 1)))


def by_definition(capacity):
    """The values of all sets, as a dictionary of frozensets."""
    return {frozenset(a): capacity(a) for a in subsets(range(capacity.m))}


def monotone(table, *, normalized=True):
    """Make a table over all sets monotone, with 0 at the empty set."""
    table = np.array(table, dtype=float)
    table[0] = 0.0
    if normalized:
        table[-1] = 1.0
    return spread_up(table, Chains.single(table.size.bit_length() - 1), np.maximum)


def random_capacity(rng, m, *, levels=None, normalized=True):
    """Draw a capacity; with ``levels``, its values are multiples of 1 / levels, with many ties."""
    table = rng.random(1 << m) ** 2
    if levels is not None:
        table = np.round(table * levels) / levels
    return Capacity.from_dense(monotone(table, normalized=normalized), normalized=normalized)


def grids(m, n):
    """Utilities on a coarse grid, so that ties among them and with the capacity are common."""
    entry = st.integers(0, 8).map(lambda x: x / 8) | st.floats(0, 1)
    row = st.lists(entry, min_size=m, max_size=m)
    return st.lists(row, min_size=n, max_size=n).map(np.array)


def capacities_on(m, normalized=True):
    """Capacities on m criteria; many values are eighths, so that ties are common."""
    entry = st.integers(0, 8).map(lambda x: x / 8) | st.floats(0, 1)
    return st.lists(entry, min_size=1 << m, max_size=1 << m).map(
        lambda table: Capacity.from_dense(
            monotone(table, normalized=normalized), normalized=normalized
        )
    )


def capacities(max_m=5, normalized=True):
    return st.integers(1, max_m).flatmap(lambda m: capacities_on(m, normalized))


@st.composite
def problems(draw, max_m=5, rows=4, normalized=True):
    """A capacity with some rows of utilities."""
    capacity = draw(capacities(max_m, normalized))
    return capacity, draw(grids(capacity.m, rows))


def boolean_capacities(m):
    """All 0/1 capacities on m criteria with μ(∅) = 0, the zero capacity included."""

    def monotone_functions(n):
        if n == 0:
            return [(False,), (True,)]
        smaller = monotone_functions(n - 1)
        return [f + g for f in smaller for g in smaller if all(x <= y for x, y in zip(f, g))]

    tables = [np.array(f, dtype=float) for f in monotone_functions(m) if not f[0]]
    return [Capacity.from_dense(table, normalized=False) for table in tables]


def scattered(capacity, places, m):
    """The same capacity on m criteria, of which only those at ``places`` matter."""
    moved = {tuple(places[j] for j in a): v for a, v in capacity.focal_sets.items()}
    return Capacity(moved, m=m, normalized=capacity.normalized)
