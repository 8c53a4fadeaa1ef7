"""Rows to packed sets of satisfied literals."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from sugeno import literals
from sugeno._scales.literals import satisfied
from sugeno._sets.masks import pack

values = st.floats(allow_nan=False, allow_infinity=False, width=64)


def reached(X, levels, directions):
    return np.array([[d * x >= d * t for x, t, d in zip(r, levels, directions)] for r in X], bool)


@st.composite
def tables(draw):
    m = draw(st.integers(1, 9))
    X = draw(hnp.arrays(np.float64, (draw(st.integers(0, 6)), m), elements=values))
    # Levels that also occur in the table: equality is the case that matters.
    pool = np.append(X.ravel(), [draw(values), np.inf, -np.inf])
    levels = np.array([pool[draw(st.integers(0, pool.size - 1))] for _ in range(m)])
    directions = np.array(draw(st.lists(st.sampled_from([-1, 1]), min_size=m, max_size=m)))
    return X, levels, directions


@given(tables())
def test_a_literal_compares_the_value_with_the_level_in_its_direction(table):
    X, levels, directions = table
    expected = pack(reached(X, levels, directions).reshape(X.shape))
    assert np.array_equal(satisfied(X, levels, directions), expected)
    assert np.array_equal(satisfied(np.asfortranarray(X), levels, directions), expected)


@pytest.mark.parametrize("m", [1, 7, 8, 9, 63, 64, 65, 130])
@pytest.mark.parametrize("order", ["C", "F"])
def test_any_number_of_literals_and_blocks_of_rows(m, order, monkeypatch):
    monkeypatch.setattr(literals, "_BLOCK_ROWS", 16)
    rng = np.random.default_rng(m)
    X = np.asarray(rng.normal(size=(50, m)), order=order)
    levels, directions = rng.normal(size=m), rng.choice([-1, 1], m)
    expected = pack(reached(X, levels, directions).reshape(X.shape))
    assert np.array_equal(satisfied(X, levels, directions), expected)


def test_several_literals_may_speak_about_one_criterion():
    X = np.array([[1.0, 5.0], [3.0, 2.0]])
    masks = satisfied(X, [1, 2, 3, 4], [1, 1, 1, -1], np.array([0, 0, 0, 1]))
    assert masks.ravel().tolist() == [0b0001, 0b1111]


@pytest.mark.parametrize("dtype", [np.float32, np.int64, np.uint8, np.bool_])
def test_other_numbers_are_compared_as_they_are(dtype):
    X = np.array([[0, 1], [1, 0]]).astype(dtype)
    assert satisfied(X, [0.5, 0.5], [1, -1]).ravel().tolist() == [0, 3]


@pytest.mark.parametrize("order", ["C", "F"])
def test_values_that_are_not_finite_are_found_in_any_block(order, monkeypatch):
    monkeypatch.setattr(literals, "_BLOCK_ROWS", 16)
    X = np.asarray(np.full((50, 3), 1e308), order=order)  # finite, though their sum is not
    assert (satisfied(X, [0, 0, 0], [1, 1, 1], check_finite=True) == 7).all()
    for value in (np.nan, np.inf):
        X[40, 1] = value
        with pytest.raises(ValueError, match=r"NaN|infinity"):
            satisfied(X, [0, 0, 0], [1, 1, 1], check_finite=True)
    whole = np.arange(6).reshape(2, 3)
    assert satisfied(whole, [0, 0, 0], [1, 1, 1], check_finite=True).tolist() == [[7], [7]]
