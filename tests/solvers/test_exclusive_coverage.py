"""What candidates cover of what each chosen rule covers alone, along a walk of any steps."""

from unittest import mock

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sugeno.solvers.exclusive_coverage import ExclusiveCoverage


def by_definition(covers, gains, chosen):
    """Go through all pairs of a line and a candidate, and all patterns."""
    times = [sum(bool(covers[rule, d]) for rule in chosen) for d in range(gains.size)]
    lines = [[d for d in range(gains.size) if times[d] == 1 and covers[rule, d]] for rule in chosen]
    lines.append([d for d in range(gains.size) if times[d] == 0])
    return [[sum(gains[d] for d in line if cover[d]) for cover in covers] for line in lines]


@given(st.data())
@pytest.mark.parametrize("few", [0, 30, 1 << 20])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_shares_are_those_of_the_definition(dtype, few, data):
    with mock.patch("sugeno.solvers.exclusive_coverage._FEW_PRODUCTS", few):
        check_a_walk(dtype, data)


def check_a_walk(dtype, data):
    """Draw rules and sets of them, and compare with the definition after each step."""
    n_rules, n_patterns = data.draw(st.integers(1, 6)), data.draw(st.integers(1, 12))
    seed = data.draw(st.integers(0, 2**32 - 1))
    random = np.random.default_rng(seed)
    covers = random.random((n_rules, n_patterns)) < data.draw(st.sampled_from([0.1, 0.4, 0.8]))
    gains = random.integers(-9, 10, n_patterns).astype(dtype)
    # Room for rules that come later, as a growing pool has it.
    by_pattern = np.zeros((n_patterns, n_rules + 2), dtype=dtype)
    by_pattern[:, :n_rules] = covers.T
    ownership = ExclusiveCoverage(gains)
    walk = data.draw(
        st.lists(st.tuples(st.integers(1, n_rules), st.lists(st.integers(0, 5), max_size=5)))
    )
    known = 1
    for grown, numbers in walk:
        known = max(known, grown)
        chosen = tuple(number % known for number in numbers)  # a rule may stand there twice
        shares = ownership.shares(covers[:known], by_pattern, chosen)
        assert shares.dtype == dtype
        assert shares.tolist() == by_definition(covers[:known], gains, chosen)


def test_few_changes_are_brought_up_to_date_and_many_counted_again(monkeypatch):
    monkeypatch.setattr("sugeno.solvers.exclusive_coverage._FEW_PRODUCTS", 0)
    random = np.random.default_rng(0)
    covers = random.random((8, 400)) < 0.05
    gains = random.integers(-9, 10, 400).astype(np.float64)
    by_pattern = covers.T.astype(np.float64)
    ownership = ExclusiveCoverage(gains)
    for chosen in [(0,), (0, 1), (1, 0), (2, 0), (2, 0, 2), (3, 4, 5, 6, 7), (), (7,)]:
        shares = ownership.shares(covers, by_pattern, chosen)
        assert shares.tolist() == by_definition(covers, gains, chosen)
