"""Patterns count the weight of each class on each set of literals, exactly."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from sugeno._counts import patterns as module
from sugeno._counts.patterns import Patterns
from sugeno._counts.table import Table
from sugeno._counts.weights import row_weights
from sugeno._sets.chains import Chains
from sugeno._sets.masks import canonical_order, is_subset, pack


def grouped(rows, y, weights):
    counts = {}
    for row, label, weight in zip(rows.tolist(), y.tolist(), weights.tolist(), strict=True):
        counts.setdefault(tuple(row), [0, 0])[label] += weight
    return counts


@pytest.mark.parametrize("m", [3, 15, 30, 100])
@pytest.mark.parametrize("weighted", ["none", "small", "huge"])
def test_patterns_count_the_weight_of_each_class(m, weighted):
    rng = np.random.default_rng(m)
    bits = rng.random((300, m)) < 0.5
    bits[::3] = bits[0]
    y = rng.random(300) < 0.4
    integers = rng.integers(1, 5, 300) * (2**50 if weighted == "huge" else 1)
    weights = row_weights(None if weighted == "none" else integers, 300)
    found = Patterns.from_rows(pack(bits), y, weights, Chains.single(m))
    each = np.ones(300, int) if weighted == "none" else integers
    expected = grouped(pack(bits), y, each)
    assert len(found.masks) == len(expected)
    for mask, positive, negative in zip(
        found.masks.tolist(), found.positive, found.negative, strict=True
    ):
        scale = found.unit
        assert [negative * scale, positive * scale] == expected[tuple(mask)]
    np.testing.assert_array_equal(canonical_order(found.masks), np.arange(len(found.masks)))


def test_counting_in_a_table_and_by_sorting_agree(monkeypatch):
    rng = np.random.default_rng(1)
    rows, y = pack(rng.random((500, 9)) < 0.5), rng.random(500) < 0.5
    table = Patterns.from_rows(rows, y, row_weights(None, 500), Chains.single(9))
    monkeypatch.setattr(module, "_TABLE_BITS", 0)
    by_sorting = Patterns.from_rows(rows, y, row_weights(None, 500), Chains.single(9))
    for name in ("masks", "positive", "negative"):
        np.testing.assert_array_equal(getattr(table, name), getattr(by_sorting, name))


@st.composite
def labelled_rows(draw, n_classes=2):
    """Rows of a few literals with classes and integer weights."""
    sizes = tuple(draw(st.lists(st.integers(1, 3), min_size=1, max_size=3)))
    n = draw(st.integers(1, 30))
    places = [draw(arrays(np.int64, n, elements=st.integers(0, size))) for size in sizes]
    bits = [np.arange(size) < place[:, None] for size, place in zip(sizes, places, strict=True)]
    codes = draw(arrays(np.int64, n, elements=st.integers(0, n_classes - 1)))
    weights = draw(arrays(np.int64, n, elements=st.integers(1, 5)))
    return pack(np.hstack(bits)), codes, row_weights(weights, n), Chains(sizes)


@given(labelled_rows())
def test_intervals_with_equal_ends_are_plain_rows(case):
    rows, codes, weights, chains = case
    plain = Patterns.from_rows(rows, codes, weights, chains)
    found = Patterns.from_intervals(rows, rows, codes, weights, chains)
    for name in ("masks", "positive", "negative"):
        np.testing.assert_array_equal(getattr(found, name), getattr(plain, name))
    assert (found.total, found.unit, found.chains) == (plain.total, plain.unit, plain.chains)


@given(labelled_rows(), st.integers(0, 2**32 - 1))
def test_an_uncertain_row_counts_with_the_end_that_is_worse_for_its_class(case, seed):
    rows, codes, weights, chains = case
    # A second row under and over each row: their common part and their union.
    other = np.random.default_rng(seed).permutation(rows)
    lower, upper = rows & other, rows | other
    found = Patterns.from_intervals(lower, upper, codes, weights, chains)
    ends = np.where(codes[:, None] == 1, lower, upper)
    expected = Patterns.from_rows(ends, codes, weights, chains)
    for name in ("masks", "positive", "negative"):
        np.testing.assert_array_equal(getattr(found, name), getattr(expected, name))


@given(labelled_rows(n_classes=4))
def test_a_boundary_merges_the_classes_on_either_side(case):
    rows, codes, weights, chains = case
    patterns = Patterns.from_rows(rows, codes, weights, chains, n_classes=4)
    for boundary in range(3):
        merged = patterns.at(boundary)
        expected = Patterns.from_rows(rows, codes > boundary, weights, chains)
        for name in ("masks", "positive", "negative"):
            np.testing.assert_array_equal(getattr(merged, name), getattr(expected, name))
    assert is_subset(patterns.masks, chains.full).all()


def test_with_an_interval_learning_sees_the_case_against_each_row():
    X, y = np.array([[np.nan, 1.0], [2.0, np.nan]]), np.array([1, 0])
    rows = Table.of(X, y, row_weights(None, 2), "interval")
    inf, up = np.inf, np.array([1, -1])
    np.testing.assert_array_equal(rows.settled(up), [[-inf, 1], [2, -inf]])
    rows = Table.of(X, y, row_weights(None, 2), "optimistic")
    np.testing.assert_array_equal(rows.settled(up), [[inf, 1], [2, -inf]])
