"""Where a missing number stands: on the curve of the known ones."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sugeno._scales.missing import given_place, place_of_missing
from sugeno._scales.value_counts import ValueCounts

INCOME = ValueCounts(
    np.array([10.0, 20.0, 30.0, 40.0]), np.array([[90, 10], [70, 30], [30, 70], [10, 90]])
)


def falling(counts):
    return ValueCounts(-counts.values[::-1], counts.weights[::-1])


@pytest.mark.parametrize(
    ("missing", "place"),
    [
        ([100, 0], np.nextafter(10.0, -np.inf)),
        ([0, 100], np.nextafter(40.0, np.inf)),
        ([50, 50], np.nextafter(30.0, -np.inf)),
        ([80, 20], np.nextafter(20.0, -np.inf)),
        ([20, 80], np.nextafter(40.0, -np.inf)),
    ],
)
def test_missing_stands_where_the_curve_has_its_rate(missing, place):
    assert place_of_missing(INCOME, np.array(missing), 1) == place
    assert place_of_missing(falling(INCOME), np.array(missing), -1) == -place


def test_on_a_block_it_is_the_middle_of_its_values():
    flat = ValueCounts(np.arange(5.0), np.array([[80, 20], [50, 50], [50, 50], [50, 50], [20, 80]]))
    assert place_of_missing(flat, np.array([50, 50]), 1) == np.nextafter(2.0, 0)


def test_few_missing_rows_are_drawn_to_the_mean():
    assert place_of_missing(INCOME, np.array([1, 0]), 1) == np.nextafter(30.0, 0)
    assert place_of_missing(INCOME, np.array([1, 0]), 1, unit=1000.0) < 10


@given(
    st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=6),
    st.tuples(st.integers(0, 30), st.integers(0, 30)),
)
def test_more_positive_rows_never_make_missing_worse(rows, missing):
    counts = ValueCounts(np.arange(len(rows)) * 1.0, np.array(rows) + 1)
    lost, won = missing
    # As many rows: with others, the mean of all would move as well.
    places = [place_of_missing(counts, np.array([lost + won - k, k]), 1) for k in (won, lost + won)]
    assert places[0] <= places[1]


def test_ordered_classes_have_scores():
    three = ValueCounts(np.array([1.0, 2.0]), np.array([[40, 10, 0], [0, 10, 40]]))
    assert place_of_missing(three, np.array([0, 40, 0]), 1) == np.nextafter(2.0, 0)
    assert place_of_missing(three, np.array([90, 0, 0]), 1) < 1


def test_a_place_can_be_given():
    assert given_place(INCOME, 1, "best") > 40 > given_place(INCOME, -1, "worst") - 1e-9
    assert given_place(INCOME, 1, "worst") < 10
    assert given_place(INCOME, -1, "best") < 10
    assert given_place(INCOME, -1, 12.5) == np.nextafter(12.5, 0)
    with pytest.raises(ValueError, match="must be 'worst', 'best' or the number"):
        given_place(INCOME, 1, "median")


def test_the_place_is_beside_a_round_number():
    counts = ValueCounts(np.array([1.0, 23006.61, 23011.2]), np.array([[9, 1], [5, 5], [1, 9]]))
    place = place_of_missing(counts, np.array([70, 130]), 1)
    assert place == math.nextafter(23010, 0)
    assert place_of_missing(counts, np.array([130, 70]), -1) > 23006.61
