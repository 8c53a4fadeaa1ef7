import numpy as np
import pytest

from sugeno._sets import chains as module
from sugeno._sets.chains import Chains
from sugeno._sets.masks import contains_any, minimal, pack
from sugeno.solvers.extension import extend


def labelled_sets(seed):
    """A few observed sets with labels that some monotone function gives them."""
    rng = np.random.default_rng(seed)
    m = int(rng.integers(1, 7))
    full = (1 << m) - 1
    codes = rng.permutation(1 << m)[: int(rng.integers(1, 12))]
    generators = [int(g) for g in rng.integers(1, 1 << m, 3)]
    labels = np.array([any(g & ~int(c) == 0 for g in generators) or c == full for c in codes])
    labels &= codes != 0
    return m, codes.astype(np.uint64)[:, None], labels


@pytest.mark.parametrize("seed", range(60))
def test_extensions_mean_what_they_say(seed):
    m, observed, labels = labelled_sets(seed)
    accepted, rejected = observed[labels], observed[~labels]
    everything = np.arange(1 << m, dtype=np.uint64)[:, None]
    above = [int(a) for a in accepted[:, 0]] + [(1 << m) - 1]
    below = [int(r) for r in rejected[:, 0]] + [0]
    expected = {"lower": [], "upper": [], "nearest": []}
    for c in range(1 << m):
        lift = min((a & ~c).bit_count() for a in above)
        drop = min((c & ~r).bit_count() for r in below)
        expected["lower"].append(lift == 0)
        expected["upper"].append(drop > 0)
        expected["nearest"].append(lift < drop)
    for name, family in expected.items():
        sets = extend(accepted, rejected, Chains.single(m), extension=name)
        np.testing.assert_array_equal(contains_any(everything, sets), family)
        np.testing.assert_array_equal(minimal(sets), sets)


@pytest.mark.parametrize("seed", range(60))
def test_dualisation_equals_the_table(seed, monkeypatch):
    m, observed, labels = labelled_sets(seed)
    table = extend(observed[labels], observed[~labels], Chains.single(m), extension="upper")
    monkeypatch.setattr(module, "TABLE_CELLS", 0)
    dual = extend(observed[labels], observed[~labels], Chains.single(m), extension="upper")
    np.testing.assert_array_equal(table, dual)


def test_rejecting_everything_leaves_no_boundary_set():
    full = np.array([[7]], dtype=np.uint64)
    none = np.zeros((0, 1), dtype=np.uint64)
    for name in ("lower", "upper", "nearest"):
        assert len(extend(none, full, Chains.single(3), extension=name, normalized=False)) == 0
        assert extend(none, none, Chains.single(3), extension="lower").tolist() == [[7]]


def test_nearest_refuses_what_no_table_can_hold():
    none = np.zeros((0, 1), dtype=np.uint64)
    message = r"at most 1,048,576 .* Got 30 criteria with 30 literals instead; use extension="
    with pytest.raises(ValueError, match=message):
        extend(none, none, Chains.single(30), extension="nearest")


def test_upper_refuses_families_that_nobody_can_hold():
    # One literal of each of 20 pairs may be missing, so 2**20 minimal sets are left.
    bits = np.ones((20, 40), dtype=bool)
    for i in range(20):
        bits[i, 2 * i : 2 * i + 2] = False
    with pytest.raises(ValueError, match="too many boundary sets with 40 literals"):
        extend(np.zeros((0, 1), np.uint64), pack(bits), Chains.single(40), extension="upper")
