"""Utilities: the paper's transformation, its exact levels, and what a user may pass."""

import math
import tracemalloc
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.exceptions import NotFittedError

from sugeno import QuantileUtility, infer_directions
from sugeno._counts.weights import row_weights
from sugeno._scales.directions import given_directions
from sugeno._scales.knots import Knots, knot_utilities_at, knots_of, levels, utilities
from tables import fit_knots, table_of

FINITE = st.floats(allow_nan=False, allow_infinity=False)
COLUMNS = st.lists(
    st.one_of(FINITE, st.integers(-3, 3).map(float), st.floats(0, 1e-300)), min_size=1, max_size=8
)
LARGEST = np.finfo(np.float64).max
SMALLEST = np.nextafter(0.0, 1.0)


def fit_column(column, direction=1, sample_weight=None, saturate=False):
    X = np.asarray(column, dtype=float)[:, None]
    utility = QuantileUtility(directions=[direction], saturate=saturate)
    return utility.fit(X, sample_weight=sample_weight)


def of(utility, x):
    """Utility of one value of a single criterion."""
    return utility.transform([[x]])[0, 0]


def exact_utility(column, x):
    """The definition of section 4.1 divided by n, in rational numbers."""
    column = [Fraction(value) for value in column]
    x = Fraction(x)
    points = sorted(
        (v, Fraction(sum(o < v for o in column) + sum(o <= v for o in column), 2 * len(column)))
        for v in set(column)
    )
    if x < points[0][0]:
        return Fraction(0)
    for (v, a), (w, b) in zip(points, [*points[1:], (math.inf, 1)], strict=True):
        if x == v:
            return a
        if v < x < w:
            return Fraction(1) if w == math.inf else a + (b - a) * (x - v) / (w - v)
    raise AssertionError


# The transformation


def test_observed_values_get_their_mid_rank_divided_by_n():
    utility = fit_column([4, 5, 5, 9])
    assert utility.transform([[4], [5], [9]]).ravel().tolist() == [1 / 8, 4 / 8, 7 / 8]


def test_utility_is_zero_below_and_one_above_the_observed_range():
    utility = fit_column([4, 5, 5, 9])
    assert of(utility, np.nextafter(4, 0)) == 0
    assert of(utility, np.nextafter(9, 10)) == 1


def test_ties_contribute_one_point():
    utility = fit_column([5, 5, 5])
    assert utility.values_[0].tolist() == [5.0]
    assert [of(utility, x) for x in (4.9, 5, 5.1)] == [0, 0.5, 1]


def test_a_decreasing_criterion_is_the_increasing_one_mirrored():
    x = np.array([4.0, 5.0, 5.0, 9.0, 7.0])
    probe = np.linspace(3, 10, 29)[:, None]
    mirrored = fit_column(-x).transform(-probe)
    np.testing.assert_array_equal(fit_column(x, direction=-1).transform(probe), mirrored)


@given(COLUMNS, FINITE)
def test_utility_is_the_definition_in_exact_arithmetic(column, x):
    for value in (*column, x):
        expected = exact_utility(column, value)
        assert abs(Fraction(of(fit_column(column), value)) - expected) < Fraction(1, 2**50)


@given(COLUMNS)
def test_utility_is_the_rounded_quotient_at_observed_values(column):
    utility = fit_column(column)
    for value in column:
        assert of(utility, value) == float(exact_utility(column, value))


@given(COLUMNS, st.lists(FINITE, min_size=2, max_size=6))
def test_utility_never_decreases_not_even_in_the_last_bit(column, probes):
    neighbours = [math.nextafter(x, 0.0) for x in (*probes, *column)]
    probes = np.sort([*probes, *column, *neighbours])
    assert (np.diff(fit_column(column).transform(probes[:, None]).ravel()) >= 0).all()


@given(st.floats(0, 1), st.floats(0, 1), st.integers(2, 400), st.data())
def test_neighbouring_numbers_keep_their_order(left, right, n, data):
    left, right = sorted((left, right))
    column = [left] + [right] * (n - 1)
    x = data.draw(st.floats(left, right))
    chain = [x]
    for _ in range(30):
        chain.append(np.nextafter(chain[-1], 2.0))
    heights = fit_column(column).transform(np.array(chain)[:, None]).ravel()
    assert (np.diff(heights) >= 0).all()


@pytest.mark.parametrize(
    ("left", "right", "middle"),
    [
        (-LARGEST, LARGEST, 0.0),
        (-1e308, 1.5e308, 0.25e308),
        (0.0, 2 * SMALLEST, SMALLEST),
        (1.0, np.nextafter(np.nextafter(1.0, 2), 2), np.nextafter(1.0, 2)),
    ],
)
def test_huge_and_tiny_spans_are_interpolated(left, right, middle):
    assert of(fit_column([left, right]), middle) == 0.5


def test_utility_does_not_decrease_where_weights_are_too_small_to_tell_values_apart():
    utility = fit_column([1, 2, 3], sample_weight=[2**59, 1, 1])
    heights = utility.transform([[2], [2.5], [3]]).ravel()
    assert (np.diff(heights) >= 0).all()


def test_saturation_gives_the_best_value_utility_one():
    plain, saturated = fit_column([1, 2, 3]), fit_column([1, 2, 3], saturate=True)
    assert of(plain, 3) == 5 / 6
    assert of(saturated, 3) == 1
    assert of(saturated, 2) == of(plain, 2)
    assert of(saturated, 2.5) == 0.75
    assert of(fit_column([1, 2, 3], direction=-1, saturate=True), 1) == 1


def test_with_saturation_every_threshold_is_reached_by_the_best_row():
    X = np.array([[1.0, 3.0], [2.0, 2.0], [3.0, 1.0]])
    utility = QuantileUtility(directions=[1, -1], saturate=True).fit(X)
    assert utility.level(1.0).tolist() == [3.0, 1.0]


def test_ranks_take_the_smallest_integers_that_fit():
    X = [[1.0], [2.0]]
    half = 2**29  # ranks are doubled, and the largest is almost twice the total
    small = QuantileUtility().fit(X, sample_weight=[half, half - 1])
    large = QuantileUtility().fit(X, sample_weight=[half, half])
    assert small.ranks_[0].dtype == np.int32
    assert large.ranks_[0].dtype == np.int64
    assert of(small, 2) == (half + 2 * half - 1) / (2 * (2 * half - 1))
    assert of(large, 2) == 0.75


def test_fractional_weights_are_shares():
    utility = fit_column([1, 2, 3], sample_weight=[0.2, 0.2, 0.6])
    np.testing.assert_allclose([of(utility, x) for x in (1, 2, 3)], [0.1, 0.3, 0.7], rtol=1e-15)


def test_fitting_needs_little_memory_beyond_the_table():
    X = np.random.default_rng(0).normal(size=(50_000, 15))
    tracemalloc.start()
    QuantileUtility().fit(X)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1.7 * X.nbytes


# Levels


def oriented_level_is_exact(utility, beta, direction, probes):
    level = utility.level(beta)[0]
    for x in (level, math.nextafter(level, math.inf), math.nextafter(level, -math.inf), *probes):
        if math.isfinite(x):
            assert (of(utility, x) >= beta) == (direction * x >= direction * level)


@given(
    COLUMNS,
    st.one_of(st.floats(0, 1), st.sampled_from([0.0, 0.5, 1.0, SMALLEST, 1 / 3])),
    st.sampled_from([1, -1]),
    st.booleans(),
    st.lists(FINITE, max_size=5),
)
def test_level_is_exact_to_the_last_bit(column, beta, direction, saturate, probes):
    utility = fit_column(column, direction, saturate=saturate)
    oriented_level_is_exact(utility, beta, direction, [*probes, *column])


@given(COLUMNS, st.sampled_from([1, -1]), st.data())
def test_level_is_exact_for_attained_utilities(column, direction, data):
    utility = fit_column(column, direction)
    x = data.draw(st.one_of(st.sampled_from(column), st.floats(min(column), max(column))))
    for beta in (of(utility, x), np.nextafter(of(utility, x), 1)):
        oriented_level_is_exact(utility, beta, direction, [x, *column])


@pytest.mark.parametrize("n", [300, 10_000])
def test_levels_are_exact_on_tables_of_usual_size(n):
    rng = np.random.default_rng(n)
    X = np.column_stack([rng.normal(size=n), rng.integers(0, 6, n), rng.exponential(size=n) * 1e9])
    directions = np.array([1, -1, -1])
    utility = QuantileUtility(directions=directions).fit(X)
    for beta in rng.random(20):
        level = utility.level(beta)
        worse = np.nextafter(level, -np.inf * directions)
        assert (utility.transform([level]) >= beta).all()
        assert (utility.transform([worse]) < beta).all()
        np.testing.assert_array_equal(
            utility.transform(X) >= beta, X * directions >= level * directions
        )


@pytest.mark.parametrize("right", [LARGEST, 1.5e308, 1.0])
def test_levels_are_exact_across_zero_and_over_the_widest_spans(right):
    utility = fit_column([-right, right])
    for beta in (0.26, 0.5, np.nextafter(0.5, 1), np.nextafter(0.5, 0), 0.7):
        oriented_level_is_exact(utility, beta, 1, [0.0, SMALLEST, -SMALLEST])


@pytest.mark.parametrize("steps", range(1, 9))
def test_levels_are_exact_between_values_that_are_a_few_numbers_apart(steps):
    rng = np.random.default_rng(steps)
    for left in rng.random(20):
        right = left + steps * np.spacing(left)
        utility = fit_column([-1, left, right, 2], sample_weight=[10**9, 1, 1, 10**9])
        low, high = utility.transform([[left], [right]]).ravel()
        for beta in rng.uniform(low, high, 10):
            oriented_level_is_exact(utility, beta, 1, [left, right])


def test_a_level_is_exact_where_its_closed_form_is_too_high():
    left, right = 0.0015154974376330903, 0.0015154974376330912
    utility = fit_column([-1, left, right, 1], sample_weight=[10**10 - 3, 6, 6, 10**10 - 9])
    assert utility.transform([[left], [right]]).ravel().tolist() == [0.5, 0.5000000003]
    oriented_level_is_exact(utility, 0.5000000002218145, 1, [left, right])


@given(COLUMNS, st.sampled_from([1, -1]))
def test_the_level_at_the_utility_of_an_observed_value_is_that_value(column, direction):
    utility = fit_column(column, direction)
    for value in column:
        assert utility.level(of(utility, value))[0] == value


def test_level_beyond_the_best_value_is_the_next_number():
    assert fit_column([1, 2]).level(0.8)[0] == np.nextafter(2, 3)
    assert fit_column([1, 2], direction=-1).level(0.8)[0] == np.nextafter(1, 0)


def test_level_of_zero_is_reached_by_every_value():
    utility = QuantileUtility(directions=[1, -1]).fit([[1, 1], [2, 2]])
    assert utility.level(0).tolist() == [-np.inf, np.inf]


def test_level_is_in_original_units_for_a_decreasing_criterion():
    assert fit_column([10, 20, 30], direction=-1).level(0.5)[0] == 20
    zero = fit_column([-1, 0, 1], direction=-1).level(0.5)[0]
    assert zero == 0
    assert not np.signbit(zero)


@given(st.lists(st.floats(1e-3, 1.0), min_size=2, max_size=6), st.floats(0, 1))
def test_level_is_exact_with_fractional_weights(weights, beta):
    utility = fit_column(np.arange(len(weights)), sample_weight=weights)
    oriented_level_is_exact(utility, beta, 1, np.arange(len(weights)))


@pytest.mark.parametrize("beta", [-0.1, 1.1, np.nan, "0.5", None, np.array([0.5])])
def test_a_level_outside_the_unit_interval_is_an_error(beta):
    with pytest.raises(ValueError, match=r"beta must be a number in \[0, 1\]. Got"):
        fit_column([1, 2]).level(beta)


# Directions and names


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_directions_by_name(frame):
    X = frame({"quality": [1.0, 2.0, 4.0], "price": [10, 30, 20]})
    utility = QuantileUtility(directions={"price": -1}).fit(X)
    assert utility.directions_.tolist() == [1, -1]
    assert utility.get_feature_names_out().tolist() == ["quality", "price"]
    expected = QuantileUtility(directions=[1, -1]).fit(np.asarray(X)).transform(np.asarray(X))
    np.testing.assert_array_equal(utility.transform(X), expected)


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_output_is_a_frame_on_request(library):
    X = pd.DataFrame({"quality": [1.0, 2.0, 4.0], "price": [10, 30, 20]})
    U = QuantileUtility().set_output(transform=library).fit_transform(X)
    assert type(U).__module__.startswith(library)
    assert list(U.columns) == ["quality", "price"]
    assert U["quality"].to_list() == [1 / 6, 0.5, 5 / 6]


def test_directions_found_in_the_data_can_be_passed_on_by_name():
    X = pd.DataFrame({"quality": range(20), "price": range(20, 0, -1)})
    found = infer_directions(X, np.arange(20) > 9)
    for directions in (found, found.to_dict(), found.directions):
        assert QuantileUtility(directions=directions).fit(X).directions_.tolist() == [1, -1]


def test_an_unknown_name_is_an_error_that_lists_the_known_ones():
    X = pd.DataFrame({"quality": [1.0, 2.0], "price": [10, 30]})
    with pytest.raises(ValueError, match=r"\['quality', 'price'\]. Got \['prize'\] instead"):
        QuantileUtility(directions={"prize": -1}).fit(X)


def test_directions_by_name_need_names():
    with pytest.raises(ValueError, match="need a table with column names"):
        QuantileUtility(directions={"price": -1}).fit([[1.0], [2.0]])


@pytest.mark.parametrize(
    ("directions", "message"),
    [
        ([1], r"shape \(2,\). Got shape \(1,\)"),
        ([[1, 1]], r"shape \(2,\). Got shape \(1, 2\)"),
        ([1, 0], r"direction of feature 1 must be \+1 .* Got 0 instead"),
        ([2, 1], "direction of feature 0 must be .* Got 2 instead"),
        ([1, np.nan], "Got nan instead"),
        ([1, "up"], "direction of feature 1 must be .* Got 'up' instead"),
        ([True, False], "Got True instead"),
        ([0.5, 1], "Got 0.5 instead"),
    ],
)
def test_directions_other_than_plus_and_minus_one_are_errors(directions, message):
    with pytest.raises(ValueError, match=message):
        QuantileUtility(directions=directions).fit([[1.0, 2.0]])


def test_a_wrong_direction_is_reported_by_name():
    with pytest.raises(ValueError, match=r"direction of 'price' must be .* Got 'down' instead"):
        given_directions({"price": "down"}, 1, ["price"])


@pytest.mark.parametrize("directions", ["auto", 1])
def test_directions_of_another_kind_are_errors(directions):
    with pytest.raises(ValueError, match="'directions' parameter of QuantileUtility must be"):
        QuantileUtility(directions=directions).fit([[1.0, 2.0]])


@pytest.mark.parametrize("directions", [[1, -1], np.array([1.0, -1.0]), (1, -1)])
def test_directions_become_integers(directions):
    found = given_directions(directions, 2)
    assert found.dtype == np.int64
    assert found.tolist() == [1, -1]


def test_no_directions_are_all_increasing():
    assert given_directions(None, 3).tolist() == [1, 1, 1]


# Bad tables


@pytest.mark.parametrize(
    ("X", "message"),
    [
        ([[1.0], [np.nan]], "contains NaN"),
        ([[1.0], [np.inf]], "contains infinity"),
        ([["good"], ["bad"]], "could not convert string to float"),
        ([1.0, 2.0], "Expected 2D array, got 1D array"),
        (np.empty((0, 2)), r"0 sample\(s\)"),
        (np.empty((2, 0)), r"0 feature\(s\)"),
    ],
)
def test_bad_tables_give_one_clear_error(X, message):
    with pytest.raises(ValueError, match=message):
        QuantileUtility().fit(X)


def test_another_number_of_features_is_an_error():
    with pytest.raises(ValueError, match="X has 1 features, but QuantileUtility is expecting 2"):
        QuantileUtility().fit([[1.0, 2.0]]).transform([[1.0]])


def test_weights_of_another_length_are_an_error():
    with pytest.raises(ValueError, match="one weight per row"):
        QuantileUtility().fit([[1.0], [2.0]], sample_weight=[1.0])


def test_saturate_must_be_a_truth_value():
    with pytest.raises(ValueError, match="'saturate' parameter of QuantileUtility must be"):
        QuantileUtility(saturate="yes").fit([[1.0]])


def test_nothing_can_be_asked_before_fitting():
    with pytest.raises(NotFittedError):
        QuantileUtility().level(0.5)
    with pytest.raises(NotFittedError):
        QuantileUtility().transform([[1.0]])


def test_numbers_whose_sum_overflows_both_ways_are_accepted():
    X = np.resize([LARGEST, LARGEST, 1.0, -LARGEST, -LARGEST], (40, 2))
    assert np.isfinite(QuantileUtility().fit_transform(X)).all()


# Counted elsewhere


def test_knots_counted_elsewhere_make_the_same_transformer():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 5, (40, 2)).astype(float)
    fitted = QuantileUtility(directions=[1, -1], saturate=True).fit(X)
    knots = Knots(fitted.values_, fitted.ranks_, fitted.total_, fitted.directions_, saturate=True)
    made = QuantileUtility.from_knots(knots, np.array(["a", "b"], dtype=object))
    probe = pd.DataFrame(rng.normal(2, 3, (50, 2)), columns=["a", "b"])
    np.testing.assert_array_equal(made.transform(probe), fitted.transform(probe.to_numpy()))
    np.testing.assert_array_equal(made.level(0.4), fitted.level(0.4))
    assert made.get_feature_names_out().tolist() == ["a", "b"]
    np.testing.assert_array_equal(made.fit(X).level(0.4), fitted.level(0.4))


def test_the_functions_and_the_transformer_agree():
    X = np.random.default_rng(1).normal(size=(30, 3))
    directions = np.array([1, -1, 1])
    knots = fit_knots(X, directions=directions)
    utility = QuantileUtility(directions=directions).fit(X)
    np.testing.assert_array_equal(utilities(X, knots), utility.transform(X))
    np.testing.assert_array_equal(levels(knots, 0.7), utility.level(0.7))


@given(st.integers(1, 12), st.integers(1, 4), st.booleans(), st.integers(0, 2**32 - 1))
def test_known_places_give_the_utilities_to_the_last_bit(n, m, saturate, seed):
    random = np.random.default_rng(seed)
    X = random.choice([-0.0, 0.0, 0.1, 1 / 3, -7.5, 1e300], (n, m))
    table = table_of(X, weights=row_weights(random.integers(1, 9, n), n))
    counts = map(table.value_counts, range(m))
    knots = knots_of(counts, table.total, random.choice([-1, 1], m), saturate)
    np.testing.assert_array_equal(knot_utilities_at(table.places, knots), utilities(X, knots))


def test_fitting_leaves_the_table_alone():
    X = np.random.default_rng(1).normal(size=(30, 3))
    before = X.copy()
    QuantileUtility(directions=[1, -1, -1]).fit(X).transform(X)
    np.testing.assert_array_equal(X, before)
