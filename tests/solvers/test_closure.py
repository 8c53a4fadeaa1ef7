import numpy as np
import pytest

from oracles import fewest_errors, optimal_families, patterns_of, random_patterns
from sugeno._counts.patterns import Patterns
from sugeno._counts.weights import row_weights
from sugeno._sets import chains
from sugeno._sets.chains import Chains
from sugeno._sets.masks import canonical_order, is_subset, pack
from sugeno.solvers import closure
from sugeno.solvers.closure import optimal_labels, solve_closure


@pytest.mark.parametrize("normalized", [True, False])
@pytest.mark.parametrize("m", [1, 2, 3, 4])
def test_closure_makes_the_fewest_errors_of_all_capacities(m, normalized):
    rng = np.random.default_rng(m)
    for _ in range(40):
        patterns = random_patterns(rng, m)
        found = solve_closure(patterns, normalized=normalized)
        assert found.objective == found.bound
        assert found.objective == patterns.errors(found.accepted)
        assert found.objective == fewest_errors(patterns, normalized=normalized)


@pytest.mark.parametrize("normalized", [True, False])
@pytest.mark.parametrize("m", [1, 2, 3, 4])
def test_minimal_and_maximal_closure_bracket_every_other_optimum(m, normalized):
    rng = np.random.default_rng(10 + m)
    for _ in range(40):
        patterns = random_patterns(rng, m, largest=3)
        best = optimal_families(patterns, normalized=normalized)
        smallest = solve_closure(patterns, normalized=normalized, which="minimal").accepted
        largest = solve_closure(patterns, normalized=normalized, which="maximal").accepted
        np.testing.assert_array_equal(smallest, best.all(axis=0))
        np.testing.assert_array_equal(largest, best.any(axis=0))


@pytest.mark.parametrize("seed", range(8))
def test_conflicts_that_are_added_when_they_are_broken_give_the_same_closures(seed, monkeypatch):
    rng = np.random.default_rng(seed)
    masks = rng.choice(1 << 10, size=700, replace=False).astype(np.uint64)[:, None]
    masks = masks[canonical_order(masks)]
    net = rng.integers(-3, 4, len(masks)) + (rng.random(len(masks)) < 0.05) * 20
    expected = both_labels(masks, net, Chains.single(10))
    monkeypatch.setattr(closure, "_BITSET_NODES", 0)
    monkeypatch.setattr(closure, "_MANY_ARCS", 0)
    monkeypatch.setattr(closure, "_network", None)  # all conflicts are never listed
    np.testing.assert_array_equal(both_labels(masks, net, Chains.single(30)), expected)


def both_labels(*args):
    return [optimal_labels(*args, which) for which in ("minimal", "maximal")]


def test_bipartite_cube_and_cover_networks_give_the_same_closures(monkeypatch):
    built = []
    for name in ("grid_arcs", "_bipartite", "_covers"):
        original = getattr(closure, name)
        monkeypatch.setattr(
            closure, name, lambda *args, f=original, n=name: built.append(n) or f(*args)
        )
    for seed in range(5):
        rng = np.random.default_rng(seed)
        masks = rng.choice(1 << 10, size=1000, replace=False).astype(np.uint64)[:, None]
        masks = masks[canonical_order(masks)]
        net = rng.integers(-3, 4, len(masks))
        built.clear()
        with monkeypatch.context() as patch:
            expected = both_labels(masks, net, Chains.single(10))
            patch.setattr(closure, "_FEW_PAIRS", 0)
            cube = both_labels(masks, net, Chains.single(10))
            patch.setattr(chains, "TABLE_CELLS", 0)
            bipartite = both_labels(masks, net, Chains.single(10))
            patch.setattr(closure, "_MANY_ARCS", -1)
            cover = both_labels(masks, net, Chains.single(10))
        assert built == 2 * ["_bipartite"] + 2 * ["grid_arcs"] + 2 * ["_bipartite"] + 2 * [
            "_covers"
        ]
        for other in (cube, bipartite, cover):
            np.testing.assert_array_equal(other, expected)


def test_a_sparse_table_with_many_pairs_still_gets_the_smaller_network(monkeypatch):
    monkeypatch.setattr(closure, "_FEW_PAIRS", 0)
    masks = np.array([[1], [2], [4], [8], [31]], dtype=np.uint64)
    net = np.array([2, 2, -1, -1, -3])
    np.testing.assert_array_equal(
        optimal_labels(masks, net, Chains.single(5)), [True, True, False, False, True]
    )


def test_cover_relation_is_the_transitive_reduction():
    rng = np.random.default_rng(0)
    masks = rng.choice(1 << 6, size=40, replace=False).astype(np.uint64)[:, None]
    masks = masks[canonical_order(masks)]
    strict = is_subset(masks, masks) & ~np.eye(len(masks), dtype=bool)
    expected = strict & ~((strict.astype(int) @ strict.astype(int)) > 0)
    cover = np.zeros_like(strict)
    cover[closure._covers(masks)] = True
    np.testing.assert_array_equal(cover, expected)


def test_dense_table_and_thermometer_literals_agree_with_the_plain_network(monkeypatch):
    # 60 levels on each of two criteria: literals "x >= t", many more than fit into one word.
    rng = np.random.default_rng(3)
    X = rng.integers(0, 60, (900, 2))
    y = (X.sum(axis=1) > 60) ^ (rng.random(900) < 0.25)
    literals = (X[:, :, None] > np.arange(59)).reshape(900, -1)
    patterns = Patterns.from_rows(
        pack(literals), y, row_weights(None, 900), Chains.single(literals.shape[1])
    )
    plain = solve_closure(patterns)
    monkeypatch.setattr(closure, "_FEW_PAIRS", 0)
    monkeypatch.setattr(closure, "_MANY_ARCS", -1)
    assert solve_closure(patterns).objective == plain.objective
    # Inclusion of thermometer patterns is the componentwise order of the values.
    labels = plain.accepted
    inside = is_subset(patterns.masks, patterns.masks)
    assert not (inside & labels[:, None] & ~labels[None, :]).any()


@pytest.mark.parametrize("scale", [1, 1000, 2**40])
def test_weights_of_any_scale_give_the_same_family(scale):
    rng = np.random.default_rng(5)
    patterns = random_patterns(rng, 6, largest=20)
    scaled = patterns_of(patterns.masks, patterns.positive * scale, patterns.negative * scale, 6)
    plain, large = solve_closure(patterns), solve_closure(scaled)
    np.testing.assert_array_equal(plain.accepted, large.accepted)
    assert large.objective == plain.objective * scale


def one_pattern(mask, positive, negative, m=3):
    masks = np.array([[mask]], dtype=np.uint64)
    return patterns_of(masks, np.array([positive]), np.array([negative]), m)


@pytest.mark.parametrize(
    ("mask", "positive", "negative", "errors"),
    [(5, 3, 2, 2), (5, 2, 3, 2), (0, 3, 2, 3), (7, 2, 3, 3)],
)
def test_one_pattern_follows_its_majority_unless_it_is_forced(mask, positive, negative, errors):
    assert solve_closure(one_pattern(mask, positive, negative)).objective == errors


def test_without_normalization_the_full_pattern_may_be_rejected():
    found = solve_closure(one_pattern(7, 2, 3), normalized=False)
    assert found.objective == 2
    assert not found.accepted[0]


def test_two_thousand_literals_work():
    rng = np.random.default_rng(7)
    X = rng.random((200, 2000)) < 0.5
    y = X[:, 0]
    patterns = Patterns.from_rows(pack(X), y, row_weights(None, 200), Chains.single(2000))
    assert solve_closure(patterns).objective == 0
