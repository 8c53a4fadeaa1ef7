"""Orders of categories: rates by hand, what joins, where unseen and missing ones stand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2_contingency

from sugeno._scales.categories import class_scores, group_categories

NONE = np.array([0, 0])


def counts_of(codes, y, n_labels):
    """Counts by label and class, and those of missing cells."""
    gaps = np.isnan(codes)
    counts = np.zeros((n_labels, 2), dtype=np.int64)
    np.add.at(counts, (codes[~gaps].astype(int), y[~gaps]), 1)
    return counts, np.bincount(y[gaps], minlength=2)


@given(st.lists(st.tuples(st.integers(0, 60), st.integers(0, 60)), min_size=1, max_size=8))
def test_places_are_the_ranks_of_the_smoothed_rates(rows):
    counts = np.array(rows) + 20  # none is rare
    order = group_categories(counts, NONE).ordered()
    p = counts[:, 1].sum() / counts.sum()
    rates = (counts[:, 1] + 10 * p) / (counts.sum(axis=1) + 10)
    for i in range(len(rows)):
        for j in range(i):
            if rates[i] != rates[j]:
                assert (order.places[i] > order.places[j]) == (rates[i] > rates[j])
    assert sorted(order.places) == list(range(len(rows)))
    below = sum(rate < p for rate in rates)
    assert order.unseen == below - 0.5
    assert order.missing is None


def test_rare_categories_share_a_place_with_those_that_nobody_has_seen():
    counts = np.array([[30, 5], [3, 6], [2, 4], [5, 40]])
    order = group_categories(counts, NONE).ordered()
    assert order.places == (0.0, 1.0, 1.0, 2.0)
    assert order.unseen == 1.0


def test_a_single_rare_category_stays_alone():
    groups = group_categories(np.array([[100, 100], [1, 3]]), NONE)
    assert groups.rare is None
    assert groups.ordered().places == (0.0, 1.0)


def test_rows_count_by_their_weight():
    counts = np.array([[5, 2], [2, 5], [40, 40]])
    assert group_categories(counts, NONE).rare == 1
    assert group_categories(counts, NONE, unit=2.0).rare is None
    assert group_categories(counts, NONE, few_rows=5).rare is None


def test_missing_is_a_category_of_its_own():
    order = group_categories(np.array([[30, 10], [10, 30]]), np.array([20, 1])).ordered()
    assert order.missing == 0.0
    assert order.places == (1.0, 2.0)


def test_all_cells_rare_or_missing():
    groups = group_categories(np.array([[1, 2], [3, 1]]), np.array([9, 5]))
    assert groups.ordered().places == (1.0, 1.0)
    assert group_categories(np.zeros((0, 2), int), np.array([3, 4])).ordered().missing == 0.0


def test_coefficients_decide_where_they_contradict_the_rates():
    groups = group_categories(np.array([[40, 10], [25, 25], [10, 40]]), NONE)
    agreeing, opposite = np.array([-2.0, 1.0, 0.5]), np.array([2.0, 1.0, -3.0])
    assert groups.ordered(agreeing).places == (0.0, 1.0, 2.0)
    assert groups.ordered(agreeing).by == "rate"
    turned = groups.ordered(opposite)
    assert (turned.places, turned.by, turned.unseen) == ((2.0, 1.0, 0.0), "coefficient", 0.5)


def test_the_order_is_that_of_the_rows_in_any_order():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 500)
    codes = rng.integers(0, 30, 500).astype(float)
    codes[rng.random(500) < 0.1] = np.nan
    shuffled = rng.permutation(500)
    one = group_categories(*counts_of(codes, y, 30)).ordered()
    other = group_categories(*counts_of(codes[shuffled], y[shuffled], 30)).ordered()
    assert one == other


def test_scores_of_ordered_classes_follow_their_shares():
    assert class_scores(np.array([5, 5, 10])).tolist() == [0.0, pytest.approx(0.4), 1.0]
    counts = np.array([[30, 10, 5], [10, 20, 20], [5, 10, 40]])
    order = group_categories(counts, np.zeros(3, int)).ordered()
    assert order.places == (0.0, 1.0, 2.0)


def test_many_small_groups_must_differ_more_than_by_chance():
    rng = np.random.default_rng(0)
    said = 0
    for _ in range(200):
        codes, y = rng.integers(0, 60, 900) * 1.0, rng.integers(0, 2, 900)
        said += not group_categories(*counts_of(codes, y, 60)).say_nothing
    assert said <= 7  # of 200, at 1 %
    codes = rng.integers(0, 60, 900) * 1.0
    y = (rng.random(900) < codes / 60).astype(int)
    assert not group_categories(*counts_of(codes, y, 60)).say_nothing


@pytest.mark.parametrize("seed", range(3))
def test_chance_is_that_of_the_chi_squared_test(seed):
    rng = np.random.default_rng(seed)
    counts = rng.integers(5, 15, (40, 2))
    expected = chi2_contingency(counts, correction=False).pvalue
    assert group_categories(counts, NONE, few_rows=0).say_nothing == (expected > 0.01)


def test_few_large_groups_need_no_test_and_one_says_nothing():
    assert not group_categories(np.array([[30, 30], [31, 30]]), NONE).say_nothing
    assert not group_categories(np.array([[6, 5], [5, 6]]), NONE).say_nothing
    assert group_categories(np.array([[30, 30]]), NONE).say_nothing
    assert group_categories(np.array([[30, 0], [20, 0]]), NONE).say_nothing
