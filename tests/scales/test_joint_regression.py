"""What columns say beside each other: confounded signs, categories, missing cells."""

import numpy as np

from sugeno._counts.value_counting import count_values_by_class
from sugeno._counts.weights import row_weights
from sugeno._scales.categories import group_categories
from sugeno._scales.evidence import rank_evidence
from sugeno._scales.regression import beside_others


def counted(x, y):
    there = ~np.isnan(x)
    return count_values_by_class(x[there], y[there], row_weights(None, int(there.sum())), 2)


def table(n=2000, seed=0):
    """Large stones are worse: alone, quality speaks against the price."""
    rng = np.random.default_rng(seed)
    size = rng.normal(size=n)
    quality = np.digitize(-size + 0.6 * rng.normal(size=n), [-1, 0, 1]).astype(float)
    y = (3 * size + quality + 0.5 * rng.normal(size=n) > 1).astype(np.intp)
    return size, quality, y


def test_a_borrowed_direction_is_noticed():
    size, quality, y = table()
    counts = [counted(size, y), counted(quality, y)]
    assert [one.direction for one in rank_evidence(counts)] == [1, -1]
    X = np.column_stack([size, quality])
    parts = beside_others(X, counts, y.astype(float), np.ones(len(y)))
    assert [np.sign(part.coefficients[0]) for part in parts] == [1, 1]
    assert min(part.z[0] for part in parts) > 3


def test_categories_get_the_order_that_they_have_beside_other_columns():
    size, quality, y = table()
    by_class = np.column_stack(
        [np.bincount(quality[y == c].astype(int), minlength=4) for c in (0, 1)]
    )
    groups = group_categories(by_class, np.zeros(2, dtype=np.int64))
    assert groups.ordered().places == (3.0, 2.0, 1.0, 0.0)
    X = np.column_stack([size, quality])
    _, part = beside_others(X, [counted(size, y), groups], y.astype(float), np.ones(len(y)))
    found = groups.ordered(part.coefficients)
    assert (found.places, found.by) == ((0.0, 1.0, 2.0, 3.0), "coefficient")


def test_missing_cells_are_in_the_middle_or_a_group_of_their_own():
    rng = np.random.default_rng(1)
    y = rng.integers(0, 2, 600)
    x = np.where(rng.random(600) < 0.3, np.nan, y + rng.normal(size=600))
    label = np.where(rng.random(600) < 0.4, np.nan, rng.integers(0, 2, 600) * 1.0)
    gaps = np.isnan(label)
    by_class = np.column_stack(
        [np.bincount(label[(y == c) & ~gaps].astype(int), minlength=2) for c in (0, 1)]
    )
    groups = group_categories(by_class, np.bincount(y[gaps], minlength=2))
    X = np.column_stack([x, label])
    number, category = beside_others(X, [counted(x, y), groups], y * 1.0, np.ones(600))
    assert number.coefficients[0] > 0
    assert category.coefficients.size == 3
    without = beside_others(X[:, :1], [counted(x, y)], y * 1.0, np.ones(600))[0]
    assert abs(without.coefficients[0] - number.coefficients[0]) < 0.5
