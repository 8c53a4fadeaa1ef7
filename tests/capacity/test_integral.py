"""The Sugeno integral as a user meets it: shapes, types, large tables, bad input."""

import tracemalloc
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pytest

from small_capacities import random_capacity, scattered
from sugeno import Capacity, sugeno_integral

FORMS = ["sorted", "dnf", "median"]
NAMES = ["price", "comfort", "speed"]


@pytest.fixture
def cars():
    return Capacity({"price": 0.3, ("comfort", "speed"): 0.6, tuple(NAMES): 1}, criteria=NAMES)


@pytest.mark.parametrize("form", FORMS)
def test_a_worked_example(form, cars):
    # Sorted 0.2, 0.7, 0.9: the nested sets are worth 1, 0.6 and 0.
    assert sugeno_integral([0.2, 0.9, 0.7], cars, form=form) == 0.6


@pytest.mark.parametrize("form", FORMS)
def test_a_vector_gives_a_float_and_a_matrix_a_vector(form, cars):
    single = sugeno_integral([0.2, 0.9, 0.7], cars, form=form)
    many = sugeno_integral([[0.2, 0.9, 0.7]], cars, form=form)
    assert type(single) is float
    assert isinstance(many, np.ndarray)
    assert many.shape == (1,)
    assert many[0] == single


@pytest.mark.parametrize("form", FORMS)
def test_blocks_of_rows_do_not_show(form, monkeypatch):
    rng = np.random.default_rng(0)
    capacity = random_capacity(rng, 4, levels=7)
    rows = np.round(rng.random((300, 4)) * 7) / 7
    whole = sugeno_integral(rows, capacity, form=form)
    monkeypatch.setattr("sugeno.capacity._integral._BLOCK", 40)
    assert sugeno_integral(rows, capacity, form=form).tolist() == whole.tolist()
    assert [sugeno_integral(row, capacity, form=form) for row in rows] == whole.tolist()


@pytest.mark.parametrize("form", FORMS)
def test_a_capacity_without_a_table_gives_the_same(form):
    rng = np.random.default_rng(1)
    for _ in range(10):
        small = random_capacity(rng, 5, levels=9, normalized=False)
        places = sorted(rng.choice(80, 5, replace=False).tolist())
        rows = np.round(rng.random((50, 80)) * 9) / 9
        expected = sugeno_integral(rows[:, places], small)
        found = sugeno_integral(rows, scattered(small, places, 80), form=form)
        assert found.tolist() == expected.tolist()


def test_all_forms_agree_on_many_criteria_and_rows():
    rng = np.random.default_rng(2)
    sets = [tuple(rng.choice(60, 4, replace=False).tolist()) for _ in range(20)]
    capacity = Capacity({a: (j + 1) / 20 for j, a in enumerate(sets)}, m=60)
    rows = rng.random((20_000, 60))
    first, second, third = (sugeno_integral(rows, capacity, form=form) for form in FORMS)
    assert first.tobytes() == second.tobytes() == third.tobytes()
    # The definition by level sets, which no form uses.
    assert (capacity.values(rows >= first[:, None]) >= first).all()
    above = np.nextafter(first, 2)
    assert (capacity.values(rows >= above[:, None]) < above).all()


@pytest.mark.parametrize("form", FORMS)
def test_negative_zero_does_not_come_back(form):
    capacity = Capacity.counting(2)
    assert np.copysign(1, sugeno_integral([-0.0, 0.0], capacity, form=form)) == 1
    assert np.copysign(1, sugeno_integral([0.0, -0.0], capacity, form=form)) == 1


@pytest.mark.parametrize("form", FORMS)
def test_the_zero_capacity_integrates_to_zero(form):
    for m in (1, 3, 70):
        zero = Capacity({}, m=m, normalized=False)
        assert sugeno_integral(np.ones((2, m)), zero, form=form).tolist() == [0, 0]


@pytest.mark.parametrize(
    "convert",
    [
        lambda u: u.tolist(),
        lambda u: u.astype(np.float32),
        lambda u: np.asfortranarray(u),
        lambda u: u[::-1][::-1],
        lambda u: pd.DataFrame(u, columns=NAMES),
        lambda u: pl.DataFrame(u, schema=NAMES),
        lambda u: [[Fraction(x) for x in row] for row in u],
    ],
)
def test_kinds_of_tables_give_the_same(convert, cars):
    rows = np.random.default_rng(3).integers(0, 9, (10, 3)) / 8
    before = rows.copy()
    assert sugeno_integral(convert(rows), cars).tolist() == sugeno_integral(rows, cars).tolist()
    assert (rows == before).all()


def test_whole_numbers_and_truth_values_are_binary_utilities(cars):
    rows = np.array([[1, 0, 0], [0, 1, 1], [1, 1, 1], [0, 0, 1]])
    assert sugeno_integral(rows, cars).tolist() == [0.3, 0.6, 1.0, 0.0]
    assert sugeno_integral(rows.astype(bool), cars).tolist() == [0.3, 0.6, 1.0, 0.0]


@pytest.mark.parametrize("form", FORMS)
def test_memory_does_not_grow_with_the_table(form):
    rng = np.random.default_rng(4)
    capacity = random_capacity(rng, 10)
    rows = rng.random((100_000 if form == "sorted" else 20_000, 10))
    # The blocks have a fixed size: about ten arrays of 2**16 numbers.
    sugeno_integral(rows[:1], capacity, form=form)
    tracemalloc.start()
    sugeno_integral(rows, capacity, form=form)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 4 * rows.nbytes
    assert peak < 12 * 8 * 2**16


BAD = {
    "NaN": (
        lambda c: sugeno_integral([[0.1, 0.2, 0.3], [0.1, np.nan, 0.3]], c),
        "nan .*'comfort'.*row 1",
    ),
    "infinity": (
        lambda c: sugeno_integral([0.1, 0.2, np.inf], c),
        "inf at criterion 'speed' instead",
    ),
    "too large": (
        lambda c: sugeno_integral([[1.0, 0.2, 1.0000001]], c),
        "1.0000001 .*'speed' of row 0",
    ),
    "negative": (lambda c: sugeno_integral([[-1, 0, 1]], c), "-1 at criterion 'price'"),
    "wrong width": (lambda c: sugeno_integral([[0.1, 0.2]], c), r"3 columns.* shape \(1, 2\)"),
    "wrong length": (lambda c: sugeno_integral([0.1, 0.2], c), r"vector of 3 .* shape \(2,\)"),
    "a number": (lambda c: sugeno_integral(0.5, c), r"shape \(\)"),
    "three dimensions": (lambda c: sugeno_integral(np.zeros((2, 2, 3)), c), r"shape \(2, 2, 3\)"),
    "empty table": (lambda c: sugeno_integral(np.zeros((0, 3)), c), "at least one row"),
    "unknown form": (
        lambda c: sugeno_integral([0, 0, 0], c, form="cnf"),
        "'sorted', 'dnf', 'median'",
    ),
    "columns in another order": (
        lambda c: sugeno_integral(pd.DataFrame([[0, 0, 0]], columns=NAMES[::-1]), c),
        "in this order",
    ),
}


@pytest.mark.parametrize(("call", "message"), BAD.values(), ids=BAD.keys())
def test_bad_utilities_give_one_clear_error(call, message, cars):
    with pytest.raises(ValueError, match=message):
        call(cars)


WRONG_TYPE = {
    "text": (lambda c: sugeno_integral([["high", "low", "low"]], c), "numbers"),
    "numbers as text": (lambda c: sugeno_integral([["0.1", "0.2", "0.3"]], c), "numbers"),
    "numbers among text": (
        lambda c: sugeno_integral(np.array([[0.1, "0.2", 0.3]], dtype=object), c),
        "numbers",
    ),
    "mixed": (lambda c: sugeno_integral([[0.1, "low", None]], c), "numbers"),
    "complex": (lambda c: sugeno_integral([[0.1, 0.2, 0.3 + 0j]], c), "numbers"),
    "ragged": (lambda c: sugeno_integral([[0.1, 0.2, 0.3], [0.1]], c), "numbers"),
    "no capacity": (lambda c: sugeno_integral([0.1, 0.2], {(0, 1): 1}), "must be a Capacity"),
}


@pytest.mark.parametrize(("call", "message"), WRONG_TYPE.values(), ids=WRONG_TYPE.keys())
def test_wrong_types_give_one_clear_error(call, message, cars):
    with pytest.raises(TypeError, match=message):
        call(cars)


def test_a_missing_value_in_a_data_frame_is_named(cars):
    frame = pd.DataFrame({"price": [0.5, None], "comfort": [0.1, 0.2], "speed": [0.3, 0.4]})
    with pytest.raises(ValueError, match="nan at criterion 'price' of row 1"):
        sugeno_integral(frame, cars)


def test_columns_without_matching_names_are_fine_if_the_capacity_has_none():
    frame = pd.DataFrame([[0.5, 0.5]], columns=["x", "y"])
    assert sugeno_integral(frame, Capacity.counting(2)).tolist() == [0.5]


def test_an_unnamed_criterion_is_reported_by_its_index():
    with pytest.raises(ValueError, match=r"2\.0 at criterion 1 of row 0"):
        sugeno_integral([[0.5, 2.0]], Capacity.counting(2))
