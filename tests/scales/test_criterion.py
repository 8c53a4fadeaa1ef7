"""Criteria read columns: labels by places, missing values, columns that turn or are read twice."""

import numpy as np
import pytest

from sugeno._scales.criterion import Criterion, Gap, on_scales

nan = np.nan
HOME = Criterion(
    "home",
    labels=("rent", "other", "own"),
    kind="unordered",
    known=("boat", "own", "rent", "tent"),
    places=(1.0, 2.0, 0.0, 1.0),
    unseen=1.0,
)


def test_labels_are_read_as_places():
    np.testing.assert_array_equal(HOME.read([0, 1, 2, 3, -1]), [1, 2, 0, 1, 1])


def test_a_missing_label_that_training_did_not_see_is_like_any_other_unseen_one():
    assert HOME.read([nan]).tolist() == [1]
    seen = Criterion("x", known=("a",), places=(1.0,), unseen=0.5, gaps=(Gap(0.0),))
    assert seen.read([nan, 0]).tolist() == [0, 1]


def test_a_missing_number_has_its_place_or_stays_missing():
    np.testing.assert_array_equal(Criterion("x").read([1, nan]), [1, nan])
    assert Criterion("x", gaps=(Gap(2.5),)).read([1, nan]).tolist() == [1, 2.5]


def test_a_peak_is_the_worse_of_two_criteria():
    pressure = [
        Criterion("p", 1, within=(-np.inf, 120.0)),
        Criterion("p", -1, within=(120.0, np.inf)),
    ]
    X = np.array([[90.0], [120.0], [150.0]])
    X = on_scales(X, [Criterion(c.name, c.direction, column=0, within=c.within) for c in pressure])
    assert X.tolist() == [[90, 120], [120, 120], [120, 150]]


def test_plain_criteria_do_not_copy_the_table():
    X = np.arange(6.0).reshape(3, 2)
    assert on_scales(X, [Criterion("a"), Criterion("b", -1)]) is X
    assert on_scales(X, [Criterion("b", column=1)]).tolist() == [[1], [3], [5]]


@pytest.mark.parametrize(
    ("direction", "reached"), [(1, [False, True, True]), (-1, [True, True, False])]
)
def test_reaching_follows_the_direction(direction, reached):
    criterion = Criterion("x", direction)
    assert [criterion.reaches(value, 2.0) for value in (1.0, 2.0, 3.0)] == reached
    assert not criterion.reaches(None, 2.0)
