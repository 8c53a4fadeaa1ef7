"""Rows in the order of their contents: that of a sort by all keys."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sugeno._counts.row_order import row_order


@given(st.integers(0, 60), st.integers(1, 8), st.integers(1, 40), st.integers(0, 2**32 - 1))
def test_rows_are_sorted_as_by_all_keys(n, n_keys, n_values, seed):
    random = np.random.default_rng(seed)
    keys = []
    for _ in range(n_keys):
        whole = random.integers(0, n_values, n)
        special = random.choice([np.nan, -0.0, np.inf, 1.0], n)
        keys.append(whole if random.random() < 0.3 else np.where(whole % 5 == 0, special, whole))
    np.testing.assert_array_equal(row_order(keys), np.lexsort(keys))


@pytest.mark.parametrize("values", [1, 2, 3, 1000])
def test_many_keys_with_few_or_many_values(values):
    keys = np.random.default_rng(values).integers(0, values, (12, 500)).astype(float)
    np.testing.assert_array_equal(row_order(keys), np.lexsort(keys))
