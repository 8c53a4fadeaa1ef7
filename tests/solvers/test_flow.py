import itertools

import numpy as np
import pytest

from sugeno.solvers import flow
from sugeno.solvers.flow import optimal_closures


def lost_by(weight, chosen):
    """Positive weight left out plus negative weight taken in."""
    lost = sum(int(w) for w in weight[~chosen] if w > 0)
    return lost - sum(int(w) for w in weight[chosen] if w < 0)


def closures_by_brute_force(weight, tail, head):
    best, found = None, []
    for bits in itertools.product([False, True], repeat=len(weight)):
        chosen = np.array(bits)
        if (chosen[tail] & ~chosen[head]).any():
            continue
        lost = lost_by(weight, chosen)
        if best is None or lost < best:
            best, found = lost, []
        if lost == best:
            found.append(chosen)
    return best, np.all(found, axis=0), np.any(found, axis=0)


@pytest.mark.parametrize("bits", [2, 7, 20, 33, 50, 57])
def test_cut_is_the_best_closure_for_weights_of_any_size(bits):
    # With arcs between any nodes; small graphs of another kind have a test below.
    rng = np.random.default_rng(bits)
    for _ in range(40):
        n = int(rng.integers(1, 9))
        weight = rng.integers(-(2**bits), 2**bits + 1, n)
        tail, head = np.nonzero(np.triu(rng.random((n, n)) < 0.4, 1))
        found = optimal_closures(weight, tail, head)
        cost, smallest, largest = closures_by_brute_force(weight, tail, head)
        assert lost_by(weight, found.minimal) == lost_by(weight, found.maximal) == cost
        np.testing.assert_array_equal(found.minimal, smallest)
        np.testing.assert_array_equal(found.maximal, largest)


def test_a_single_unit_decides_next_to_weights_of_2_to_the_57():
    huge = 2**57
    weight = np.array([huge, -huge + 1, huge, -huge - 1])
    found = optimal_closures(weight, np.array([0, 2]), np.array([1, 3]))
    np.testing.assert_array_equal(found.minimal, [True, True, False, False])
    assert lost_by(weight, found.minimal) == 2 * huge - 1


def test_weights_beyond_62_bits_are_refused():
    with pytest.raises(OverflowError, match=r"2\*\*62"):
        optimal_closures(np.array([2**61, 2**61]), np.empty(0, int), np.empty(0, int))


def test_an_arc_given_twice_counts_once():
    weight, twice = np.array([3, -1]), (np.array([0, 0]), np.array([1, 1]))
    np.testing.assert_array_equal(optimal_closures(weight, *twice).minimal, [True, True])


@pytest.mark.parametrize("bits", [1, 3, 40])
def test_a_small_graph_has_the_closures_that_the_library_finds(bits, monkeypatch):
    rng = np.random.default_rng(bits)
    for _ in range(100):
        wanted, unwanted = rng.integers(1, 9, 2)
        weight = rng.integers(1, 2**bits + 1, wanted + unwanted)
        weight[wanted:] *= -1
        tail, head = np.nonzero(rng.random((wanted, unwanted)) < rng.choice([0.1, 0.3, 0.8]))
        small = optimal_closures(weight, tail, wanted + head)
        with monkeypatch.context() as patch:
            patch.setattr(flow, "_SMALL_GRAPH", -1)
            large = optimal_closures(weight, tail, wanted + head)
        np.testing.assert_array_equal(small.minimal, large.minimal)
        np.testing.assert_array_equal(small.maximal, large.maximal)


def test_both_ways_to_search_the_residual_network_agree(monkeypatch):
    rng = np.random.default_rng(3)
    for _ in range(20):
        n = 30
        weight = rng.integers(-5, 6, n)
        arcs = np.nonzero(np.triu(rng.random((n, n)) < 0.15, 1))
        monkeypatch.setattr(flow, "_SMALL_GRAPH", -1)
        swept = optimal_closures(weight, *arcs)
        smallest, largest = swept.minimal, swept.maximal
        with monkeypatch.context() as patch:
            patch.setattr(flow, "_FEW_ARCS", -1)
            searched = optimal_closures(weight, *arcs)
            np.testing.assert_array_equal(smallest, searched.minimal)
            np.testing.assert_array_equal(largest, searched.maximal)
