"""Solvers where criteria have several levels: against all monotone labellings of small grids."""

from fractions import Fraction

import numpy as np
import pytest

from oracles import families_of, random_chain_patterns, up_sets_of
from sugeno._sets import chains as module
from sugeno._sets.chains import Chains, spread_up
from sugeno._sets.masks import contains_any, minimal
from sugeno.solvers import closure
from sugeno.solvers.closure import solve_closure
from sugeno.solvers.extension import extend
from sugeno.solvers.maxitive import solve_maxitive

GRIDS = [(2,), (4,), (2, 1), (2, 2), (1, 3), (4, 2), (1, 1, 2), (2, 2, 1)]
grids = pytest.mark.parametrize("sizes", GRIDS, ids=str)
both_kinds = pytest.mark.parametrize("normalized", [True, False])


def test_all_up_sets_of_a_grid_are_listed():
    # Lattice paths: an up-set of a grid is a staircase.
    assert len(up_sets_of((2, 2))) == 20
    assert len(up_sets_of((4, 2))) == 56
    # Dedekind's number of monotone functions of three variables.
    assert len(up_sets_of((1, 1, 1))) == 20


def labels_of(patterns, normalized):
    """Labels of the patterns under every classifier that there is."""
    chains = patterns.chains
    every = up_sets_of(chains.sizes)
    every = every[~every[:, 0]]
    if normalized:
        every = every[every[:, -1]]
    return np.unique(every[:, chains.cells_of(patterns.masks)], axis=0)


@both_kinds
@grids
def test_closure_is_the_best_of_all_monotone_labellings(sizes, normalized):
    rng = np.random.default_rng(sum(sizes))
    for _ in range(25):
        patterns = random_chain_patterns(rng, sizes, largest=4)
        labels = labels_of(patterns, normalized)
        errors = np.array([patterns.errors(row) for row in labels])
        best = labels[errors == errors.min()]
        for which, expected in (("minimal", best.all(axis=0)), ("maximal", best.any(axis=0))):
            found = solve_closure(patterns, normalized=normalized, which=which)
            assert found.objective == found.bound == errors.min()
            np.testing.assert_array_equal(found.accepted, expected)


def test_grid_bipartite_and_cover_networks_give_the_same_closures_on_chains(monkeypatch):
    rng = np.random.default_rng(0)
    for _ in range(10):
        patterns = random_chain_patterns(rng, (9, 7, 3))
        found = []
        for settings in (
            {},
            {"_FEW_PAIRS": 0},
            {"_FEW_PAIRS": 0, "small": 0},
            {"_FEW_PAIRS": 0, "small": 0, "_MANY_ARCS": -1},
        ):
            with monkeypatch.context() as patch:
                for name, value in settings.items():
                    where = (module, "TABLE_CELLS") if name == "small" else (closure, name)
                    patch.setattr(*where, value)
                found.append(solve_closure(patterns).accepted)
        for other in found[1:]:
            np.testing.assert_array_equal(other, found[0])


def cheapest(patterns, k, normalized, most=10**9, rule_cost=0.0, literal_cost=0.0):
    """Best objective over all families of sets of at most k criteria, by trying them all."""
    cells = patterns.chains.cells_of(patterns.masks)
    prices = []
    for member, sets in families_of(patterns.chains.sizes, k):
        if (normalized and not len(sets)) or len(sets) > most:
            continue
        criteria = int(patterns.chains.count_criteria(sets).sum())
        price = rule_cost * len(sets) + literal_cost * criteria
        prices.append(patterns.errors(member[cells]) + price)
    return min(prices)


@both_kinds
@pytest.mark.parametrize("k", [1, 2])
@grids
def test_maxitive_is_the_best_of_all_families_of_small_sets(sizes, k, normalized):
    rng = np.random.default_rng(10 * sum(sizes) + k)
    for _ in range(8):
        patterns = random_chain_patterns(rng, sizes)
        found = solve_maxitive(patterns, k, normalized=normalized)
        assert found.objective == cheapest(patterns, k, normalized)
        assert found.gap == 0
        assert patterns.chains.count_criteria(found.boundary_sets).max(initial=0) <= k
        np.testing.assert_array_equal(
            patterns.chains.closed(found.boundary_sets), found.boundary_sets
        )
        np.testing.assert_array_equal(minimal(found.boundary_sets), found.boundary_sets)
        np.testing.assert_array_equal(
            found.accepted, contains_any(patterns.masks, found.boundary_sets)
        )


@both_kinds
@pytest.mark.parametrize("k", [1, 2])
def test_limit_and_prices_of_rules_are_part_of_the_optimum_on_chains(k, normalized):
    rng = np.random.default_rng(k)
    for trial in range(24):
        patterns = random_chain_patterns(rng, GRIDS[trial % len(GRIDS)])
        limits = {
            "max_rules": 1 + trial % 3,
            "rule_cost": [0.0, 0.5, 0.3][trial % 3],
            "literal_cost": [0.0, 0.0, 0.25][trial % 3],
        }
        found = solve_maxitive(patterns, k, normalized=normalized, **limits)
        expected = cheapest(patterns, k, normalized, *limits.values())
        assert found.objective == pytest.approx(expected, abs=1e-9)
        assert found.bound <= expected + 1e-9
        assert len(found.boundary_sets) <= limits["max_rules"]


def test_transform_and_program_agree_on_single_literals_of_chains(monkeypatch):
    rng = np.random.default_rng(5)
    for _ in range(8):
        patterns = random_chain_patterns(rng, (3, 2, 2))
        transform = solve_maxitive(patterns, 1)
        with monkeypatch.context() as patch:
            patch.setattr(module, "TABLE_CELLS", 0)
            program = solve_maxitive(patterns, 1)
        assert program.gap == transform.gap == 0
        assert program.objective == transform.objective


def labelled_cells(seed):
    """A few observed places of a grid with labels that some monotone function gives them."""
    rng = np.random.default_rng(seed)
    sizes = [(4,), (4, 2), (2, 4), (4, 2, 1), (1, 3, 2), (3, 0, 2)][seed % 6]
    chains = Chains(sizes)
    family = rng.random(chains.n_cells) < rng.uniform(0.02, 0.3)
    family[-1] = True
    family[0] = False
    family = spread_up(family, chains, np.logical_or)
    observed = rng.permutation(chains.n_cells)[: int(rng.integers(1, 12))]
    return chains, observed, family[observed]


def places(chains, cells):
    shape = [size + 1 for size in chains.sizes]
    return np.array(np.unravel_index(cells, shape, order="F")).T.tolist()


def steps(low, high, sizes):
    """Steps up from one place to another; all levels of a criterion count as one."""
    pairs = zip(low, high, sizes, strict=True)
    return sum((Fraction(max(0, b - a), size) for a, b, size in pairs if size), Fraction(0))


@pytest.mark.parametrize("seed", range(60))
def test_extensions_on_chains_mean_what_they_say(seed):
    chains, observed, labels = labelled_cells(seed)
    sizes, cells = chains.sizes, np.arange(chains.n_cells)
    above = places(chains, np.append(observed[labels], cells[-1]))
    below = places(chains, np.append(observed[~labels], 0))
    expected = {"lower": [], "nearest": [], "upper": []}
    for here in places(chains, cells):
        lift = min(steps(here, up, sizes) for up in above)
        drop = min(steps(down, here, sizes) for down in below)
        expected["lower"].append(lift == 0)
        expected["nearest"].append(lift < drop)
        expected["upper"].append(drop > 0)
    masks = chains.masks_of(observed)
    for name, family in expected.items():
        sets = extend(masks[labels], masks[~labels], chains, extension=name)
        accepted = contains_any(chains.masks_of(cells), sets)
        np.testing.assert_array_equal(accepted, family)
        np.testing.assert_array_equal(accepted[observed], labels)
        np.testing.assert_array_equal(spread_up(accepted.copy(), chains, np.logical_or), accepted)
        np.testing.assert_array_equal(chains.closed(sets), sets)
        np.testing.assert_array_equal(minimal(sets), sets)


@pytest.mark.parametrize("seed", range(60))
def test_dualisation_on_chains_equals_the_table(seed, monkeypatch):
    chains, observed, labels = labelled_cells(seed)
    masks = chains.masks_of(observed)
    table = extend(masks[labels], masks[~labels], chains, extension="upper")
    monkeypatch.setattr(module, "TABLE_CELLS", 0)
    dual = extend(masks[labels], masks[~labels], chains, extension="upper")
    np.testing.assert_array_equal(table, dual)
