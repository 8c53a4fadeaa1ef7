"""Kinds of columns: what a table is found to hold before anyone looks at the classes."""

from datetime import UTC, date, datetime, timedelta
from decimal import Decimal

import narwhals as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from sugeno._scales.kinds import column_of, read_kinds


def kind(cells, wish=None, name="x"):
    return column_of(name, cells, wish).kind


def series(frame):
    """The columns of a frame of any library, by name."""
    frame = nw.from_native(frame)
    return dict(zip(frame.columns, frame.iter_columns()))


MIXED = {
    "age": [31.0, None, 45.0],
    "home": ["rent", "own", None],
    "insured": [True, None, False],
    "since": [date(1970, 1, 2), None, date(1971, 1, 1)],
    "city": ["a", "b", "c"],
    "land": ["at", "at", "at"],
}
KINDS = {
    "age": "number",
    "home": "two-valued",
    "insured": "truth",
    "since": "date",
    "city": "unordered",
    "land": "constant",
}


@pytest.mark.parametrize("library", [pd.DataFrame, pl.DataFrame, pa.table, dict])
def test_the_same_kinds_and_numbers_whatever_the_library(library):
    columns = library(MIXED)
    cells = columns if library is dict else series(columns)
    found = {name: column_of(name, column) for name, column in cells.items()}
    assert {name: column.kind for name, column in found.items()} == KINDS
    nan = np.nan
    expected = {
        "age": [31, nan, 45],
        "home": [1, 0, nan],
        "insured": [1, nan, 0],
        "since": [1, nan, 365],
        "city": [0, 1, 2],
    }
    for name, numbers in expected.items():
        np.testing.assert_array_equal(found[name].read(cells[name]), numbers)
    assert [column.missing for column in found.values()] == [1, 1, 1, 1, 0, 0]


def test_categories_with_an_order_keep_it_and_others_have_none():
    cells = ["b", "a", "c", None]
    frame = pd.DataFrame(
        {
            "grade": pd.Categorical(cells, ["c", "b", "a"], ordered=True),
            "town": pd.Categorical(cells, ["c", "b", "a"]),
        }
    )
    grade, town = read_kinds(nw.from_native(frame))
    assert (grade.kind, grade.labels) == ("ordered", ("c", "b", "a"))
    assert (town.kind, town.labels) == ("unordered", ("a", "b", "c"))
    np.testing.assert_array_equal(grade.read(series(frame)["grade"]), [1, 2, 0, np.nan])
    assert read_kinds(nw.from_native(frame), {"town": ["a", "b", "c"]})[1].kind == "ordered"


def test_nullable_types_of_pandas_are_read():
    frame = pd.DataFrame(
        {
            "n": pd.array([1, None, 3], dtype="Int64"),
            "t": pd.array([True, None, False], dtype="boolean"),
            "s": pd.array(["a", None, "b"], dtype="string"),
            "o": np.array([True, None, False], dtype=object),
        }
    )
    columns = read_kinds(nw.from_native(frame))
    assert [column.kind for column in columns] == ["number", "truth", "two-valued", "truth"]
    for column, cells in zip(columns, series(frame).values()):
        assert np.isnan(column.read(cells)).tolist() == [False, True, False]
    assert column_of("n", [1, pd.NA, 3]).read([pd.NA, 5]).tolist()[1] == 5


# Ids and constants


def test_ids_are_left_out_with_the_reason():
    n = 40
    rng = np.random.default_rng(0)
    assert "rise" in column_of("x", list(range(0, 3 * n, 3))).left_out
    assert "fall" in column_of("x", list(range(3 * n, 0, -3))).left_out
    assert "consecutive" in column_of("x", rng.permutation(n).tolist()).left_out
    assert "a text of its own" in column_of("x", [f"name {i}" for i in range(n)]).left_out
    scattered = (7 * rng.permutation(n)).tolist()
    assert column_of("amount", scattered).left_out == ""
    for name in ("id", "rownames", "Unnamed: 0", "customer_id", "patientID", "case no", "index"):
        assert "name" in column_of(name, scattered).left_out, name
    for name in ("paid", "grid", "avoid", "age", "residence", "mass_index"):
        assert column_of(name, scattered).left_out == "", name


@pytest.mark.parametrize(
    "cells",
    [
        list(range(19)),  # so few rows show nothing
        [*range(36), 7, 7, 8, 9],  # a tenth of the numbers twice
        [*range(39), None],
        [i + 0.5 for i in range(40)],
        [f"name {i % 30}" for i in range(40)],
    ],
)
def test_what_is_no_id(cells):
    assert column_of("id", cells).kind != "id"


def test_an_id_can_be_kept_and_any_column_dropped():
    cells = list(range(40))
    assert kind(cells) == "id"
    assert kind(cells, "keep") == "number"
    assert column_of("x", [3, 1, 2], "drop").left_out == "you said so"


def test_constants_are_left_out_unless_missing_cells_tell_something():
    assert column_of("x", [5, 5]).left_out == "every cell is 5"
    assert column_of("x", [None, float("nan")]).left_out == "every cell is missing"
    assert kind([5, None]) == "number"
    assert kind(["smoker", None]) == "unordered"


# What the user says


def test_numbers_can_be_labels():
    zips = column_of("zip", [1010, 1020, 1010.0, None], "unordered")
    assert (zips.kind, zips.labels) == ("unordered", ("1010", "1020"))
    np.testing.assert_array_equal(zips.read([1020.0, 1010, 4020, None]), [1, 0, -1, np.nan])


def test_an_order_must_name_every_label_once():
    with pytest.raises(ValueError, match=r"'x' must name each.*Got \['a'\], and \['b'\] besides"):
        column_of("x", ["a", "b"], ["a"])
    with pytest.raises(ValueError, match="must name each"):
        column_of("x", ["a"], ["a", "a"])
    assert column_of("x", ["a", "b"], ["b", "unseen", "a"]).labels == ("b", "unseen", "a")


def test_words_about_directions_say_nothing_about_kinds():
    assert kind([1.5, 2.5], "free") == kind([1.5, 2.5], -1) == "number"


# Other cells


def test_dates_are_days_and_durations_too():
    moment = datetime(1970, 1, 2, 12)
    cells = [moment, moment.replace(tzinfo=UTC), date(1970, 1, 3), timedelta(hours=36), None]
    numbers = column_of("x", [date(2020, 1, 1), date(2021, 1, 1)]).read(cells)
    np.testing.assert_array_equal(numbers, [1.5, 1.5, 2, 1.5, np.nan])
    stamps = [np.datetime64("1970-01-03"), np.timedelta64(2, "D")]
    np.testing.assert_array_equal(column_of("x", stamps).read(stamps), [2, 2])


def test_a_column_of_durations_is_a_number_of_days():
    waited = column_of("waited", [timedelta(hours=36), timedelta(days=3), None])
    assert waited.kind == "number"
    np.testing.assert_array_equal(waited.read([timedelta(hours=12), 2.5, None][:1]), [0.5])
    assert column_of("x", [timedelta(days=1)] * 3).left_out == "every cell is 1 day, 0:00:00"


def test_numbers_of_several_types_are_numbers_and_beside_texts_they_are_labels():
    assert kind([1, 2.5, Decimal("3.5"), np.float32(2)]) == "number"
    mixed = column_of("x", [1, "a", 2.0, 1.0])
    assert (mixed.kind, mixed.labels) == ("unordered", ("1", "2", "a"))
    np.testing.assert_array_equal(mixed.read(["1", 2, "a"]), [0, 1, 2])


def test_other_things_are_refused_by_name():
    with pytest.raises(ValueError, match=r"'x' must hold numbers.*Got cells such as \[1\]"):
        column_of("x", [[1], [2]])


def test_a_column_of_numbers_takes_no_texts_later():
    age = column_of("age", [1.5, 2.5])
    with pytest.raises(ValueError, match=r"'age' must hold numbers.*text such as 'old'"):
        age.read(["old"])
    np.testing.assert_array_equal(age.read([True, False]), [1, 0])
    with pytest.raises(ValueError, match="must hold dates"):
        column_of("since", [date(2020, 1, 1), date(2021, 1, 1)]).read([1.0])


def test_an_id_may_hardly_repeat():
    cells = [*range(100, 139), 138]
    assert (
        column_of("patient_id", cells).left_out == "whole numbers that hardly repeat, and its name"
    )
    assert column_of("rooms", cells).kind == "number"
