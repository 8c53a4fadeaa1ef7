"""The program for the best card of given literals beside all cards."""

from itertools import product

import numpy as np
import pytest

from distil.test_points import all_cuts, case, disagreement
from sugeno._distil.best_card import best_card
from sugeno._distil.points import point_path
from sugeno._distil.taught import merge_targets


@pytest.mark.parametrize("seed", range(6))
def test_no_card_of_the_literals_disagrees_less_than_the_bound(seed):
    X, weight, target = case(seed, n=40, m=2, values=3)
    criteria, levels = all_cuts(X)
    patterns = merge_targets(X, weight, target, criteria, levels)
    literals = np.arange(len(patterns.literals))
    found = best_card(patterns, literals, max_points=2)
    reached = X[:, criteria] >= levels
    every = [
        disagreement(reached @ np.array(points), weight, target[0])
        for points in product(range(3), repeat=len(levels))
    ]
    assert found.bound == pytest.approx(min(every), abs=1e-6)
    mine = disagreement(reached @ np.array(found.points), weight, target[0])
    assert mine == pytest.approx(min(every), abs=1e-6)


def test_a_search_without_time_still_has_a_bound():
    X, weight, target = case(0, n=80, m=4, values=5)
    patterns = merge_targets(X, weight, target, *all_cuts(X))
    literals = np.arange(len(patterns.literals))
    found = best_card(patterns, literals, max_points=3, time_limit=0.0)
    path = point_path(patterns, n_literals=3)
    assert 0 <= found.bound <= path[-1].disagreement[0] + 1e-9


def test_without_literals_there_is_the_better_of_two_answers():
    X, weight, target = case(1)
    patterns = merge_targets(X, weight, target, *all_cuts(X))
    found = best_card(patterns, np.empty(0, dtype=np.intp), max_points=3)
    nothing = np.zeros(len(X), dtype=int)
    assert found.bound == pytest.approx(disagreement(nothing, weight, target[0]), abs=1e-6)
