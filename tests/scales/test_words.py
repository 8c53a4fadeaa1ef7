"""Sentences about categories, missing values and dates are true of exactly what they say."""

import math
import re

import numpy as np
import pytest

from sugeno._scales.criterion import Criterion, Gap
from sugeno._scales.literals import Literals

HOMES = ("boat", "own", "rent", "tent")


def category(places, unseen, missing=None):
    gaps = () if missing is None else (Gap(missing),)
    return Criterion("home", kind="unordered", known=HOMES, places=places, unseen=unseen, gaps=gaps)


def literal(criterion, level, worse=math.nan, better=math.nan):
    around = (np.array([one]) for one in (level, worse, better))
    return Literals((criterion,), np.array([0]), *around)


def is_true(sentence, cell):
    """Read a sentence about a category as a person does."""
    sign, labels = re.fullmatch(r"home (is not|is) (.*)", sentence).groups()
    listed = [] if labels == "anything" else re.split(", | or ", labels)
    return (cell in listed) == (sign == "is")


@pytest.mark.parametrize("unseen", [-0.5, 0.5, 1.0, 1.5, 3.5])
@pytest.mark.parametrize("missing", [None, 0.0, 1.0, 3.0])
@pytest.mark.parametrize("level", [0.5, 1.0, 1.5, 2.0, 3.0])
def test_a_sentence_about_a_category_is_true_of_what_satisfies_it(unseen, missing, level):
    places = (1.0, 3.0, 0.0, 2.0)
    if unseen == 1.0:  # rare ones are read as those that nobody has seen
        places = (1.0, 3.0, 0.0, 1.0)
    criterion = category(places, unseen, missing)
    one = literal(criterion, level)
    cells = {label: float(code) for code, label in enumerate(HOMES)} | {"yurt": -1.0}
    if missing is not None:
        cells["missing"] = math.nan
    for cell, number in cells.items():
        reached = bool(one.satisfied(criterion.read([number])[:, None])[0, 0])
        assert is_true(one.texts[0], cell) == reached, (one.texts[0], cell)
        assert [is_true(text, cell) for text in one.of_values[0]] == [reached, not reached]
        assert is_true(one.words[0], cell) == reached


def test_the_best_labels_come_first_and_rare_ones_are_not_listed():
    few = category((0.0, 3.0, 1.0, 2.0), 0.5)
    assert literal(few, 1.0).texts == ("home is own, tent or rent",)
    assert literal(few, 1.0).of_values[0][1] == "home is not own, tent or rent"
    assert literal(few, 0.5).texts == ("home is not boat",)
    assert literal(category((1.0, 1.0, 0.0, 1.0), 1.0), 1.0).texts == ("home is not rent",)


def test_missing_numbers_are_on_one_side_of_a_level():
    income = Criterion("income", 1, gaps=(Gap(25.0),))
    low = literal(income, 20.0, 10.0, 20.0)
    assert low.texts == ("income >= 20 or missing",)
    assert low.of_values == (("income >= 20", "income < 20"),)  # where there is an income
    assert low.words == ("income at least 20 or missing",)
    high = literal(income, 30.0, 25.0, 30.0)
    assert high.texts == ("income >= 30",)
    assert high.of_values == (("income >= 30", "income < 30"),)


def test_missing_beyond_all_values():
    best = literal(
        Criterion("x", gaps=(Gap(math.nextafter(40, 50)),)),
        math.nextafter(40, 50),
        40.0,
        math.nextafter(40, 50),
    )
    assert best.texts == ("x > 40 or missing",)
    worst = literal(
        Criterion("x", gaps=(Gap(math.nextafter(10, 0)),)), 10.0, math.nextafter(10, 0), 10.0
    )
    assert (worst.texts, worst.of_values) == (("x >= 10",), (("x >= 10", "x < 10"),))


def test_dates_are_written_as_dates():
    since = Criterion("since", -1, kind="date")
    assert literal(since, 18262.0, 18264.0, 18262.0).texts == ("since <= 2020-01-01",)
    # A level between two dates is written as it decides.
    assert literal(since, 18262.5, 18263.0, 18262.0).texts == ("since <= 2020-01-01 12:00:00",)
    assert literal(since, 18262.25, 18263.0, 18262.25).texts == ("since <= 2020-01-01 06:00:00",)
    assert literal(since, 0.0).texts == ("since <= 1970-01-01",)


def both_sides(low, high, missing=(None, None)):
    places = [() if place is None else (Gap(place),) for place in missing]
    age = tuple(Criterion("age", s, column=0, gaps=gaps) for s, gaps in zip((1, -1), places))
    return Literals.of_levels((*age, Criterion("debt", -1, column=1)), [0, 1, 2], [low, high, 9])


def test_both_sides_of_a_column_are_one_condition():
    assert both_sides(20, 60).conditions([0, 1, 2]) == ["20 <= age <= 60", "debt <= 9"]
    assert both_sides(20, 60).conditions([1, 2]) == ["age <= 60", "debt <= 9"]
    words = both_sides(20, 60).conditions([0, 1], words=True)
    assert words == ["age at least 20 and at most 60"]
    # Where both are the same there is one value.
    assert both_sides(20, 20, (20.0, 20.0)).conditions([0, 1]) == ["age is 20 or missing"]
    assert both_sides(20, 20).conditions([0, 1], words=True) == ["age is 20"]


def test_missing_has_to_satisfy_both_sides_and_is_bracketed_among_others():
    inside = both_sides(20, 60, (30.0, 30.0))
    assert inside.conditions([0, 1, 2]) == ["(20 <= age <= 60 or missing)", "debt <= 9"]
    assert inside.conditions([0, 1]) == ["20 <= age <= 60 or missing"]
    one_side = both_sides(20, 60, (30.0, 70.0))
    assert one_side.conditions([0, 1, 2]) == ["20 <= age <= 60", "debt <= 9"]
    assert one_side.conditions([0, 2]) == ["(age >= 20 or missing)", "debt <= 9"]


def test_labels_that_look_like_a_part_of_the_sentence_are_quoted():
    homes = ("car or van", "hut, old", "own")
    home = Criterion("home", kind="unordered", known=homes, places=(2.0, 1.0, 0.0), unseen=-0.5)
    assert literal(home, 1.0).texts == ("home is 'car or van' or 'hut, old'",)
