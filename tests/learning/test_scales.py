"""Scales of a table of any kind: what is found, what is said, and that every row order finds it."""

import narwhals as nw
import numpy as np
import pandas as pd
import pytest

from sugeno._counts.table import Table
from sugeno._counts.weights import row_weights
from sugeno._learning.scales import find_scales
from sugeno._learning.training import prepare
from sugeno._scales.categories import group_categories
from sugeno._scales.criterion import on_scales
from sugeno._scales.kinds import read_kinds


def frame(n=600, seed=0):
    """A bank's applicants: everything that a table can hold."""
    rng = np.random.default_rng(seed)
    income = rng.lognormal(3, 0.5, n).round(1)
    age = rng.integers(18, 80, n).astype(float)
    home = rng.choice(["rent", "own", "parents"], n)
    score = np.log(income) + 2 * ((age - 49) / 31) ** 2 + 1.5 * (home == "own") + rng.normal(size=n)
    y = (score > np.median(score)).astype(np.intp)
    income[(rng.random(n) < 0.4) & (y == 0)] = np.nan  # who earns little does not say
    table = pd.DataFrame(
        {
            "nr": np.arange(n),
            "income": income,
            "age": age,
            "home": np.where(rng.random(n) < 0.1, None, home),
            "city": [f"city {i}" for i in rng.integers(0, 300, n)],
            "phone": rng.choice(["yes", "no"], n),
            "land": "at",
        }
    )
    return table, y


def rows_of(table, y, columns, weights=None):
    cells = nw.from_native(table).iter_columns()
    zero = np.zeros(len(table))
    X = np.column_stack([zero if c.left_out else c.read(s) for c, s in zip(columns, cells)])
    return Table.of(X, y, row_weights(weights, len(y)), "pessimistic")


def found_in(table, y, wishes=None, special=None, **said):
    columns = read_kinds(nw.from_native(table), wishes, special)
    return find_scales(rows_of(table, y, columns), columns, **said)


def test_everything_that_was_assumed_is_said():
    table, y = frame()
    assumed = found_in(table, y).assumed
    assert [one.column for one in assumed] == [*table.columns]
    assert assumed["nr"].left_out == "consecutive whole numbers, each once"
    assert assumed["land"].left_out == "every cell is at"
    assert assumed["city"].left_out == "no two categories have 10 rows"
    assert assumed["income"].direction == "up"
    assert "as good as" in assumed["income"].missing
    assert assumed["age"].direction == "free"
    assert assumed["age"].evidence.endswith("it turns")
    assert assumed["home"].direction.startswith("own above")
    assert assumed["home"].missing.endswith("a label of its own")
    assert len(repr(assumed).splitlines()) == len(table.columns) + 1
    assert assumed[0].column == "nr"


def test_criteria_read_the_table():
    table, y = frame()
    columns = read_kinds(nw.from_native(table))
    rows = rows_of(table, y, columns)
    criteria = find_scales(rows, columns).criteria
    assert [c.name for c in criteria] == ["income", "age", "age", "home", "phone"]
    assert [c.column for c in criteria] == [1, 2, 2, 3, 5]
    assert [c.direction for c in criteria[1:3]] == [1, -1]
    X = on_scales(rows.X, criteria)
    assert np.isfinite(X).all()
    home = criteria[3]
    for value, place in zip(table["home"], X[:, 3]):
        assert home.labels[int(place)] == ("missing" if pd.isna(value) else value)
    known = ~np.isnan(rows.X[:, 1])
    np.testing.assert_array_equal(X[known, 0], rows.X[known, 1])
    assert set(X[~known, 0]) == {criteria[0].missing}


def test_neither_the_order_of_the_rows_nor_that_of_other_columns_matters():
    table, y = frame()
    columns = read_kinds(nw.from_native(table))
    one = find_scales(rows_of(table, y, columns), columns)
    mixed = np.random.default_rng(1).permutation(len(y))
    other = find_scales(rows_of(table.iloc[mixed], y[mixed], columns), columns)
    assert one.criteria == other.criteria
    assert [*one.assumed] == [*other.assumed]
    turned = columns[::-1]
    last = find_scales(rows_of(table[[c.name for c in turned]], y, turned), turned)
    assert {(c.name, c.direction, c.labels, c.missing) for c in one.criteria} == {
        (c.name, c.direction, c.labels, c.missing) for c in last.criteria
    }


def test_a_weight_of_two_is_a_row_that_stands_there_twice():
    table, y = frame(300)
    columns = read_kinds(nw.from_native(table))
    weights = np.random.default_rng(2).integers(1, 4, len(y))
    again = np.repeat(np.arange(len(y)), weights)
    one = find_scales(rows_of(table, y, columns, weights), columns)
    other = find_scales(rows_of(table.iloc[again], y[again], columns), columns)
    assert one.criteria == other.criteria


def test_columns_that_contradict_each_other_are_free():
    rng = np.random.default_rng(0)
    size = rng.normal(size=1000)
    quality = -size + 0.6 * rng.normal(size=1000)
    y = (3 * size + quality + 0.5 * rng.normal(size=1000) > 0).astype(np.intp)
    assumed = found_in(pd.DataFrame({"size": size, "quality": quality}), y).assumed
    assert assumed["size"].direction == "up"
    assert assumed["quality"].direction == "free"
    assert assumed["quality"].evidence.endswith("the opposite beside all others")


def test_what_is_said_is_not_looked_for():
    table, y = frame()
    said = {"income": -1, "age": "peak"}
    found = found_in(table, y, directions=said, special={"income": {None: ("missing", "best")}})
    income, up, down = found.criteria[:3]
    assert (income.direction, income.missing < table["income"].min()) == (-1, True)
    assert (up.direction, down.direction) == (1, -1)
    assert up.within[1] == down.within[0]
    assert found.assumed["age"].direction == f"peak at {up.within[1]:g}"
    assert found.assumed["income"].evidence == "given"
    valley = found_in(table, y, directions={"age": "valley"}).criteria
    up, down = valley[1:3]
    assert up.within[0] == down.within[1]
    assert 35 < up.within[0] < 63
    with pytest.raises(ValueError, match=r"direction of 'age' must be \+1, -1 or one of"):
        found_in(table, y, directions={"age": "sideways"})


def test_a_missing_cell_of_a_column_that_turns_has_a_place_on_each_side():
    table, y = frame()
    table.loc[::7, "age"] = np.nan
    up, down = (
        c for c in found_in(table, y, directions={"age": "valley"}).criteria if c.name == "age"
    )
    assert up.missing >= up.within[0] - 1
    assert down.missing <= down.within[1] + 1


def test_one_column_alone_has_nothing_beside_it():
    y = np.repeat([0, 1], 30)
    (criterion,) = found_in(pd.DataFrame({"x": np.arange(60) * 1.5}), y).criteria
    assert criterion.direction == 1


def test_labels_called_other_or_missing_are_told_apart():
    y = np.tile([0, 1], 60)
    cells = [*["other"] * 36, *["missing"] * 40, *["a"] * 20, *[None] * 5]
    cells += [*["b", "c"] * 4, *["d"] * 11]
    (criterion,) = found_in(pd.DataFrame({"x": cells}), y).criteria
    assert {"other", "other (rare)", "missing", "missing (no cell)"} <= set(criterion.labels)


def test_many_categories_by_lot_are_left_out():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 900)
    table = pd.DataFrame({"lot": [f"c{i}" for i in rng.integers(0, 60, 900)]})
    by_chance = "its many small categories differ no more than by chance"
    assert found_in(table.assign(age=y + rng.random(900)), y).assumed["lot"].left_out == by_chance
    # Where there is nothing else, all of its labels are alike.
    assert found_in(table, y).assumed["lot"].evidence == "no column tells the classes apart"


def test_training_data_is_read_by_the_criteria_that_were_found():
    table, y = frame()
    columns = read_kinds(nw.from_native(table))
    rows = rows_of(table, y, columns)
    names = np.array(table.columns, dtype=object)
    labels = np.array([0, 1])
    training = prepare(rows, labels, columns=columns, feature_names=names)
    assert training.criteria == find_scales(rows, columns).criteria
    np.testing.assert_array_equal(training.table.X, on_scales(rows.X, training.criteria))
    assert training.knots.directions.tolist() == [c.direction for c in training.criteria]
    assert training.assumed["age"].direction == "free"
    said = prepare(
        rows,
        labels,
        columns=read_kinds(nw.from_native(table), {"age": "peak"}),
        feature_names=names,
        directions={"income": -1},
    )
    assert said.assumed["income"].direction == "down"
    assert said.assumed["age"].direction.startswith("peak at")


@pytest.mark.parametrize(("gaps", "said"), [(2, "too few to tell"), (6, "nearly as good as")])
def test_few_missing_numbers_satisfy_nothing(gaps, said):
    y = np.tile([0, 1], 20)
    values = np.arange(40.0)
    values[20 : 20 + gaps] = np.nan
    found = found_in(pd.DataFrame({"x": values, "z": y * 1.0}), y)
    assert found.assumed["x"].missing.startswith(f"{gaps}, {said}")
    (x,) = (one for one in found.criteria if one.name == "x")
    assert (x.missing < 0) == (gaps == 2)  # worse than all others


@pytest.mark.parametrize(("gaps", "said"), [(2, "nobody has seen"), (6, "a label of its own")])
def test_few_missing_labels_are_no_label(gaps, said):
    y = np.tile([0, 1], 20)
    home = np.array(["own", "rent"] * 20, dtype=object)
    home[:gaps] = None
    found = found_in(pd.DataFrame({"home": home}), y)
    assert found.assumed["home"].missing.endswith(said)
    (criterion,) = found.criteria
    assert ("missing" in criterion.labels) == (gaps == 6)
    assert criterion.read([np.nan])[0] == (
        criterion.unseen if gaps == 2 else criterion.gaps[0].place
    )


def test_the_order_of_labels_can_be_weak():
    y = np.tile([0, 1], 30)
    table = pd.DataFrame({"sure": np.where(y, "a", "b"), "chance": np.repeat(["a", "b", "c"], 20)})
    assumed = found_in(table, y).assumed
    assert "weak" in assumed["chance"].evidence
    assert "weak" not in assumed["sure"].evidence


def test_a_label_that_a_fold_lacks_divides_nothing_by_zero():
    y = np.tile([0, 1], 20)
    data = pd.DataFrame({"x": pd.Categorical(["a", "b"] * 20, categories=["a", "b"])})
    groups = group_categories(np.array([[20, 0], [0, 20], [0, 0]]), np.array([0, 0]))
    assert groups.means == pytest.approx([0.0, 1.0, 0.5])
    assert groups.chance < 1e-6
    assert found_in(data, y).criteria


def test_free_columns_say_on_which_side_a_missing_cell_is_good():
    rng = np.random.default_rng(0)
    age = rng.uniform(20, 80, 400).round()
    y = (np.abs(age - 50) < 15).astype(int)
    age[::9] = np.nan
    said = found_in(pd.DataFrame({"age": age}), y).assumed["age"]
    assert said.direction == "free"
    assert " for >= and " in said.missing
    assert said.missing.endswith(" for <=")
