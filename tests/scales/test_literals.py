"""Rows to packed sets of satisfied literals."""

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from sugeno._scales.criterion import Criterion, criteria_of
from sugeno._scales.literals import Literals, satisfied
from sugeno._sets.masks import pack, unpack
from tables import fit_knots

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


@pytest.mark.no_cover
@pytest.mark.parametrize("m", [1, 7, 8, 9, 63, 64, 65, 130])
@pytest.mark.parametrize("order", ["C", "F"])
def test_any_number_of_literals_and_blocks_of_rows(m, order):
    rng = np.random.default_rng(m)
    X = np.asarray(rng.normal(size=(9_000, m)), order=order)
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
def test_values_that_are_not_finite_are_found_in_any_block(order):
    X = np.asarray(np.full((9_000, 3), 1e308), order=order)  # finite, though their sum is not
    assert (satisfied(X, [0, 0, 0], [1, 1, 1], check_finite=True) == 7).all()
    for value in (np.nan, np.inf):
        X[8_500, 1] = value
        with pytest.raises(ValueError, match=r"NaN|infinity"):
            satisfied(X, [0, 0, 0], [1, 1, 1], check_finite=True)
    whole = np.arange(6).reshape(2, 3)
    assert satisfied(whole, [0, 0, 0], [1, 1, 1], check_finite=True).tolist() == [[7], [7]]


def says(text, x):
    """What a person who reads a literal decides about a value."""
    _, sign, number = text.split()
    bound = float(number)
    return {">=": x >= bound, "<=": x <= bound, ">": x > bound, "<": x < bound}[sign]


@given(
    st.lists(st.one_of(values, st.integers(-3, 3).map(float)), min_size=1, max_size=8),
    st.floats(0.01, 0.99),
    st.sampled_from([1, -1]),
)
def test_who_reads_a_text_decides_on_observed_values_as_the_level_does(column, beta, direction):
    X = np.array(column)[:, None]
    knots = fit_knots(X, directions=np.array([direction]))
    found = Literals.at_utility(criteria_of(["x"], knots.directions), knots, beta)
    decided = unpack(found.satisfied(X), 1)[:, 0].tolist()
    assert [says(found.texts[0], x) for x in column] == decided


@pytest.mark.parametrize(
    ("direction", "level", "worse", "better", "text"),
    [
        (1, 5.5, 5.0, 6.0, "x >= 6"),
        (-1, 5.5, 6.0, 5.0, "x <= 5"),
        (1, math.nextafter(7.5, math.inf), 7.5, math.inf, "x > 7.5"),
        (-1, math.nextafter(7.5, 0), 7.5, -math.inf, "x < 7.5"),
        (1, 7.5, -math.inf, 7.5, "x >= 7.5"),
        (1, 1 / 3, 0.2, 0.9, "x >= 0.3"),
        (1, 1 / 3, math.nan, math.nan, "x >= 0.3333333333333333"),
    ],
)
def test_a_text_shows_the_shortest_number_that_separates_the_neighbours(
    direction, level, worse, better, text
):
    (criterion,) = criteria_of(["x"], np.array([direction]))
    one = [np.array([number]) for number in (level, worse, better)]
    assert Literals((criterion,), np.array([0]), *one).texts == (text,)


@pytest.mark.parametrize(
    ("direction", "level", "text"),
    [(1, 0.5, "x >= fair"), (-1, 1.5, "x <= fair"), (1, 2, "x >= good")],
)
def test_ordered_labels_are_read_as_labels(direction, level, text):
    criterion = Criterion("x", direction, ("poor", "fair", "good"))
    assert Literals.of_levels((criterion,), [0], [level]).texts == (text,)


def test_chosen_literals_keep_what_is_known_about_them():
    criteria = (Criterion("a"), Criterion("b", -1))
    every = Literals.of_levels(criteria, [0, 0, 1], [1, 2, 3])
    some = every.chosen(np.array([1, 2]))
    assert some.texts == ("a >= 2", "b <= 3")
    assert some.chains.sizes == (1, 1)
    assert (every.is_plain, some.is_plain) == (False, True)


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("columns", [None, np.array([0, 0])])
def test_levels_between_two_single_precision_numbers_keep_their_place(order, columns):
    value = np.float32(0.1)
    levels = [float(value), np.nextafter(float(value), 1.0)]
    X = np.array([[value, value]], dtype=np.float32, order=order)
    masks = satisfied(X, levels, [1, 1], columns)
    assert masks.tolist() == [[1]]


@given(
    st.sampled_from([1, -1]),
    st.lists(st.integers(0, 60), min_size=1, max_size=8, unique=True),
    st.lists(st.tuples(st.integers(1, 600), st.sampled_from("wla")), max_size=6),
)
def test_numbers_of_a_criterion_are_shown_in_the_order_of_their_levels(sign, seen, levels):
    """Also where a person wrote levels between the same observed values as learned ones."""
    seen = sorted(float(10 * value) for value in seen)
    kinds = {tenth + (0.5 if kind == "a" else 0.0): kind for tenth, kind in levels}
    order = sorted(kinds, key=lambda level: sign * level)
    worse, better = [], []
    for level in order:
        written = kinds[level] == "w"
        misses = [sign * value for value in seen if sign * value < sign * level]
        reaches = [sign * value for value in seen if sign * value >= sign * level]
        worse.append(np.nan if written else sign * max(misses, default=-np.inf))
        better.append(np.nan if written else sign * min(reaches, default=np.inf))
    criteria = (Criterion("x", sign),)
    columns = np.zeros(len(order), dtype=np.intp)
    literals = Literals(criteria, columns, np.array(order), np.array(worse), np.array(better))
    numbers = [float(text) + sign * (kind in "<>") * 1e-9 for _, kind, text in literals.parts]
    assert all(sign * a < sign * b for a, b in pairwise(numbers)), literals.parts
    assert len(set(literals.texts)) == len(order)
    for level, number in zip(order, numbers):
        if kinds[level] == "w":
            assert number == level
        assert [sign * v >= sign * number for v in seen] == [sign * v >= sign * level for v in seen]
