"""Correctness does not hang on `assert`, and faster ways give the same."""

import ast
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import sugeno
from oracles import random_patterns
from sugeno._sets.masks import contains_any, is_subset
from sugeno.solvers import all_subsets_cut, flow
from sugeno.solvers.flow import optimal_closures
from sugeno.solvers.maxitive.candidates import undominated, worth_trying


def test_no_module_of_the_package_asserts():
    for path in Path(sugeno.__file__).parent.rglob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        assert not any(isinstance(node, ast.Assert) for node in ast.walk(tree)), path


@pytest.mark.parametrize("value", [-1, 2**31])
def test_a_flow_that_overflowed_is_refused(value, monkeypatch):
    wrong = SimpleNamespace(flow_value=value, flow=SimpleNamespace(data=np.zeros(3, np.int32)))
    monkeypatch.setattr(flow, "maximum_flow", lambda *args: wrong)
    monkeypatch.setattr(flow, "_SMALL_GRAPH", -1)
    with pytest.raises(RuntimeError, match="maximum_flow sent"):
        optimal_closures(np.array([2, -2]), np.array([0]), np.array([1]))


@pytest.mark.parametrize("words", [1, 2])
def test_many_sets_are_compared_block_by_block_with_the_same_result(words):
    rng = np.random.default_rng(words)
    dense = rng.integers(0, 1 << 20, (3000, words), dtype=np.uint64)
    sparse = rng.integers(0, 1 << 20, (700, words), dtype=np.uint64)
    expected = is_subset(sparse, dense).any(axis=0)
    np.testing.assert_array_equal(contains_any(dense, sparse), expected)
    assert 0 < expected.sum() < len(dense)


@pytest.mark.parametrize("k", [1, 2, 3])
def test_shares_are_the_same_however_they_are_counted(k, monkeypatch):
    rng = np.random.default_rng(k)
    for _ in range(20):
        patterns = random_patterns(rng, 6, most=20)
        both = []
        for cheaper in (0, 10**6):
            monkeypatch.setattr(all_subsets_cut, "_CHEAPER", cheaper)
            both.append(all_subsets_cut.share_out(patterns, k))
        np.testing.assert_array_equal(both[0].masks, both[1].masks)
        np.testing.assert_array_equal(both[0].net, both[1].net)


def test_candidates_that_are_left_out_belong_to_no_better_family():
    rng = np.random.default_rng(3)
    for _ in range(60):
        covers = rng.random((6, 7)) < 0.4
        value = rng.integers(1, 5, 7) * rng.choice([-1.0, 1.0], 7)
        cost = rng.integers(0, 3, 6) / 2
        families = [np.flatnonzero([code >> i & 1 for i in range(6)]) for code in range(1, 1 << 6)]

        def worth(family, covers=covers, value=value, cost=cost):
            return value[covers[family].any(axis=0)].sum() - cost[family].sum()

        best = max(map(worth, families))
        kept = worth_trying(covers, value, best)
        kept = kept[undominated(covers[kept], value, cost[kept])]
        inside = [family for family in families if np.isin(family, kept).all()]
        assert max(map(worth, inside)) == best
