"""All boundaries at once: against all nested families, and against two classes."""

from functools import cache
from itertools import pairwise, product

import numpy as np
import pytest

from oracles import random_patterns, up_sets
from sugeno._counts.loss import Loss
from sugeno._counts.patterns import Patterns
from sugeno._counts.weights import row_weights
from sugeno._sets import chains as chains_module
from sugeno._sets.chains import Chains
from sugeno.solvers import nested
from sugeno.solvers.closure import solve_closure
from sugeno.solvers.nested import Boundaries, solve_nested


def random_loss(rng, n_classes):
    """A loss matrix that grows away from the diagonal, by steps that differ."""
    steps = rng.integers(0, 5, size=(n_classes, n_classes))
    matrix = np.zeros((n_classes, n_classes), dtype=int)
    for c in range(n_classes):
        matrix[c, c + 1 :] = 1 + np.cumsum(steps[c, c + 1 :])
        matrix[c, :c] = 1 + np.cumsum(steps[c, :c][::-1])[::-1]
    return matrix


@cache
def nested_families(m, n_boundaries, normalized):
    """All nested tuples of up-sets: not ∅, and [m] where capacities are normalized."""
    allowed = [u for u in up_sets(m) if not u[0] and (u[-1] or not normalized)]
    return [
        np.array(families)
        for families in product(allowed, repeat=n_boundaries)
        if all((later <= earlier).all() for earlier, later in pairwise(families))
    ]


def random_rows(rng, m, n_classes, n=8):
    """Intervals of sets that shrink from boundary to boundary, with classes and weights."""
    lower = np.zeros((n_classes - 1, n), dtype=int)
    upper = np.zeros_like(lower)
    least, most = np.full((2, n), (1 << m) - 1)
    for b in range(n_classes - 1):
        most &= rng.integers(0, 1 << m, n) | rng.integers(0, 1 << m, n)
        least &= most & (rng.integers(0, 1 << m, n) | rng.integers(0, 1 << m, n))
        lower[b], upper[b] = least, most
    return lower, upper, rng.integers(0, n_classes, n), rng.integers(1, 5, n)


def cost_of(families, lower, upper, y, weights, loss):
    """Loss below and loss above the true class, each at the end of the row that is worse."""
    total = 0
    for i, c in enumerate(y.tolist()):
        least = sum(u[a] for u, a in zip(families, lower[:, i]))
        most = sum(u[a] for u, a in zip(families, upper[:, i]))
        total += weights[i] * (loss[c, min(c, least)] + loss[c, max(c, most)] - loss[c, c])
    return total


def boundaries_of(lower, upper, y, weights, loss, m):
    n_classes = len(loss)
    patterns = [
        Patterns.from_intervals(
            low[:, None].astype(np.uint64),
            high[:, None].astype(np.uint64),
            y,
            row_weights(weights, len(y)),
            Chains.single(m),
            n_classes,
        )
        for low, high in zip(lower, upper)
    ]
    return Boundaries.of(patterns, Loss.of(loss, n_classes))


def labels_as_families(boundaries, labels, n_boundaries, m):
    """The smallest up-sets that hold the sets with a label."""
    sets = boundaries.masks[:, 0].astype(int)
    return np.array(
        [
            [any(label > b and a & s == s for s, label in zip(sets, labels)) for a in range(1 << m)]
            for b in range(n_boundaries)
        ]
    )


@pytest.mark.parametrize("case", range(300))
def test_no_nested_families_cost_less(case):
    rng = np.random.default_rng(case)
    m, n_classes = int(rng.integers(1, 4)), int(rng.integers(2, 5 if case % 3 else 4))
    m = min(m, 2) if n_classes == 4 else m
    normalized = bool(rng.integers(2))
    loss = random_loss(rng, n_classes)
    lower, upper, y, weights = random_rows(rng, m, n_classes)
    if case % 2:
        upper = lower  # no missing values
    if case % 5 == 0:
        lower[1:], upper[1:] = lower[0], upper[0]  # the same sets at all boundaries
    boundaries = boundaries_of(lower, upper, y, weights, loss, m)
    given = lower, upper, y, weights, loss
    best = min(cost_of(f, *given) for f in nested_families(m, n_classes - 1, normalized))
    for which in ("minimal", "maximal"):
        found = solve_nested(boundaries, normalized=normalized, which=which)
        assert found.objective == found.bound == best
        families = labels_as_families(boundaries, found.labels, n_classes - 1, m)
        if normalized:
            families[:, -1] = True
        assert cost_of(families, *given) == best


@pytest.mark.parametrize("which", ["minimal", "maximal"])
@pytest.mark.parametrize("normalized", [True, False])
def test_two_classes_are_one_boundary_bit_for_bit(which, normalized):
    rng = np.random.default_rng(7)
    for _ in range(60):
        patterns = random_patterns(rng, 4, largest=3)
        boundaries = Boundaries.of([patterns], Loss.of("zero_one", 2))
        found = solve_nested(boundaries, normalized=normalized, which=which)
        expected = solve_closure(patterns, normalized=normalized, which=which)
        np.testing.assert_array_equal(boundaries.masks, patterns.masks)
        np.testing.assert_array_equal(found.labels, expected.labels)
        assert (found.objective, found.bound) == (expected.objective, expected.bound)


@pytest.mark.parametrize("which", ["minimal", "maximal"])
def test_convex_losses_on_the_same_sets_need_no_joint_cut(which, monkeypatch):
    rng = np.random.default_rng(3)
    for _ in range(40):
        weights = rng.integers(0, 4, size=(12, 4))
        masks = np.sort(rng.choice(16, 12, replace=False)).astype(np.uint64)[:, None]
        patterns = Patterns(masks, weights, weights, Chains.single(4))
        boundaries = Boundaries.of([patterns] * 3, Loss.of("absolute", 4))
        alone = solve_nested(boundaries, which=which)
        apart = [
            solve_closure(boundaries.at(b), which=which).accepted.astype(int) for b in range(3)
        ]
        np.testing.assert_array_equal(alone.labels, sum(apart))
        # The joint cut, which any loss can be solved by, says the same.
        with monkeypatch.context() as patch:
            patch.setattr(np, "diff", lambda a, axis: np.ones_like(a))
            joint = solve_nested(boundaries, which=which)
        np.testing.assert_array_equal(joint.labels, alone.labels)


def test_cover_grid_and_pair_networks_give_the_same_labels(monkeypatch):
    rng = np.random.default_rng(5)
    masks = rng.choice(1 << 8, size=150, replace=False).astype(np.uint64)[:, None]
    weights = rng.integers(0, 4, size=(150, 4))
    patterns = Patterns(masks, weights, weights, Chains.single(8))
    boundaries = Boundaries.of([patterns] * 3, Loss.of("zero_one", 4))
    for which in ("minimal", "maximal"):
        expected = solve_nested(boundaries, which=which).labels
        with monkeypatch.context() as patch:
            patch.setattr(nested, "_FEW_SETS", 0)
            grid = solve_nested(boundaries, which=which).labels
            patch.setattr(chains_module, "TABLE_CELLS", 0)
            pairs = solve_nested(boundaries, which=which).labels
        np.testing.assert_array_equal(grid, expected)
        np.testing.assert_array_equal(pairs, expected)


def test_cuts_of_their_own_at_each_threshold_fit_no_capacity():
    # Three rows of the lowest class reach {0}, then nothing; two of the highest reach {0, 1},
    # then {0}. Each threshold alone is without error, at the price of μ({0}) < β₁ and ≥ β₂.
    y, weights = np.array([0, 2]), np.array([3, 2])
    reached = np.array([[1, 3], [0, 1]])
    loss = Loss.of("absolute", 3).matrix
    boundaries = boundaries_of(reached, reached, y, weights, loss, 2)
    apart = [solve_closure(boundaries.at(b)) for b in range(2)]
    first, second = (dict(zip(boundaries.masks[:, 0].tolist(), s.accepted)) for s in apart)
    assert second[1]
    assert not first[1]
    assert sum(boundaries.at(b).errors(s.accepted) for b, s in enumerate(apart)) == 0
    joint = solve_nested(boundaries)
    assert joint.objective == 2
    families = nested_families(2, 2, True)
    assert min(cost_of(f, reached, reached, y, weights, loss) for f in families) == 2
