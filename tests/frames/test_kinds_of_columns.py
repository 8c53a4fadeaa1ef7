"""Decimals, numbers as labels and truth values: every way to predict gives the same answers."""

from decimal import Decimal

import duckdb
import narwhals as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from sugeno import (
    RuleClassifier,
    RuleSet,
    SugenoClassifier,
    SugenoOrdinalClassifier,
)
from sugeno.export import to_expression, to_python, to_sql

CENTS = [Decimal(i).scaleb(-2) for i in range(1, 101)]


def arrow(values, digits=10, scale=2):
    return pa.table({"price": pa.array(values, pa.decimal128(digits, scale))})


def polars(values):
    return pl.from_arrow(arrow(values))


def pandas(values):
    return pd.DataFrame({"price": values})


def pandas_of_arrow(values):
    return pd.DataFrame({"price": pd.Series(values, dtype=pd.ArrowDtype(pa.decimal128(10, 2)))})


frames = pytest.mark.parametrize("frame", [arrow, polars, pandas, pandas_of_arrow])


def predicted(frame):
    """The column of predictions, whatever library it is in."""
    taken = nw.from_native(frame).lazy().collect()
    return taken["prediction"].to_list()


def with_column(frame, name, values):
    taken = nw.from_native(frame)
    column = nw.new_series(name, values, backend=taken.implementation)
    return taken.with_columns(column).to_native()


@frames
@pytest.mark.parametrize("sign", [1, -1])
def test_a_decimal_reaches_the_level_that_its_float_reaches(frame, sign):
    for level in (0.07, 0.29, 0.35, 0.4, 0.57):
        rules = RuleSet([{0}], [level], criteria=["price"], directions=[sign])
        expected = [sign * float(value) >= sign * level for value in CENTS]
        clf = RuleClassifier.from_rules(rules, classes=[0, 1])
        assert rules.predict(frame(CENTS)).tolist() == expected
        assert clf.predict(frame(CENTS)).tolist() == [int(one) for one in expected]
        assert predicted(clf.predict_frame(frame(CENTS))) == [int(one) for one in expected]
        module = {}
        exec(to_python(clf), module)
        assert [module["accepted"]({"price": value}) for value in CENTS] == expected


@frames
def test_decimals_in_ordered_classes_are_placed_as_their_floats(frame):
    floats = pd.DataFrame({"price": [float(value) for value in CENTS]})
    classes = [int(value >= Decimal("0.35")) + int(value >= Decimal("0.57")) for value in CENTS]
    clf = SugenoOrdinalClassifier(levels="all", directions=[1], classes="sorted")
    clf.fit(floats[34:58:2], classes[34:58:2])
    expected = clf.predict(floats).tolist()
    assert clf.predict(frame(CENTS)).tolist() == expected
    assert predicted(clf.predict_frame(frame(CENTS))) == expected


@frames
def test_decimals_teach_what_their_floats_teach(frame):
    rng = np.random.default_rng(0)
    for levels in ("shared", "all", 3):
        values = [Decimal(int(i)).scaleb(-2) for i in rng.integers(1, 1000, 60)]
        y = [int(value >= Decimal("4.35")) for value in values[:-4]] + [0, 1, 0, 1]
        floats = pd.DataFrame({"price": [float(value) for value in values]})
        of_floats = SugenoClassifier(levels=levels, directions=[1]).fit(floats, y)
        of_rows = SugenoClassifier(levels=levels, directions=[1]).fit(frame(values), y)
        table = with_column(frame(values), "y", y)
        of_frame = SugenoClassifier(levels=levels, directions=[1]).fit_frame(table, "y")
        for one in (of_rows, of_frame):
            assert one.rules_ == of_floats.rules_
            assert one.predict(frame(values)).tolist() == of_floats.predict(floats).tolist()
            assert predicted(one.predict_frame(frame(values))) == of_floats.predict(floats).tolist()


def test_decimals_of_many_digits_are_rounded_once():
    texts = ["24814121633841256106", "30479723520280991629", "416944407065138856540"]
    values = [Decimal(text) for text in texts]
    table = arrow(values, 38, 0)
    for value in values:
        for sign in (1, -1):
            rules = RuleSet([{0}], [float(value)], criteria=["price"], directions=[sign])
            clf = RuleClassifier.from_rules(rules, classes=[0, 1])
            expected = [int(sign * float(one) >= sign * float(value)) for one in values]
            for frame in (table, pl.from_arrow(table), duckdb.from_arrow(table)):
                assert predicted(clf.predict_frame(frame)) == expected


def test_python_rounds_whole_numbers_beyond_the_doubles_as_predict_does():
    rules = RuleSet([{0}], [2.0**53 + 4], criteria=["price"])
    clf = RuleClassifier.from_rules(rules, classes=[0, 1])
    whole = [2**53 + i for i in range(8)]
    module = {}
    exec(to_python(clf), module)
    answers = [module["label"]({"price": value}) for value in whole]
    assert answers == clf.predict(pd.DataFrame({"price": whole})).tolist()


def test_infinite_decimals_are_refused_where_values_may_be_missing():
    clf = SugenoClassifier(missing="pessimistic", directions=[1])
    clf.fit([[1], [2], [3], [4]], [0, 0, 1, 1])
    with pytest.raises(ValueError, match="infinity"):
        clf.predict([[Decimal("Infinity")]])


NUMBERS = [[1.0, 2.0, 3.0, 4.5], [1, 2, 3, 4], [False, True], [1e-7, 1.0, 3e7], ["1", "2", "3"]]


def ordered_pandas(values, categories):
    return pd.DataFrame({"grade": pd.Categorical(values, categories, ordered=True)})


def ordered_arrow(values, categories):
    codes = pa.array([categories.index(value) for value in values], pa.int8())
    column = pa.DictionaryArray.from_arrays(codes, pa.array(categories), ordered=True)
    return pa.table({"grade": column})


def plain_polars(values, categories):
    return pl.DataFrame({"grade": values})


def plain_arrow(values, categories):
    return pa.table({"grade": values})


def plain_duckdb(values, categories):
    return duckdb.from_arrow(plain_arrow(values, categories))


@pytest.mark.parametrize("categories", NUMBERS, ids=str)
@pytest.mark.parametrize(
    "frame", [ordered_pandas, ordered_arrow, plain_polars, plain_arrow, plain_duckdb]
)
def test_labels_that_are_numbers_are_known_however_they_are_written(frame, categories):
    values = categories * 6
    y = [int(categories.index(value) >= len(categories) // 2) for value in values]
    X = ordered_pandas(values, categories)
    for clf in (
        SugenoClassifier(levels="all", directions=[1]).fit(X, y),
        SugenoOrdinalClassifier(levels="all", directions=[1], classes="sorted").fit(X, y),
    ):
        assert clf.predict(X).tolist() == y
        assert predicted(clf.predict_frame(frame(values, categories))) == y
        label = to_expression(clf, output="label").alias("prediction")
        assert predicted(nw.from_native(frame(values, categories)).select(label).to_native()) == y
        module = {}
        exec(to_python(clf), module)
        assert [module["label"]({"grade": value}) for value in values] == y


@pytest.mark.parametrize("frame", [ordered_pandas, ordered_arrow, plain_polars, plain_duckdb])
def test_a_level_that_no_label_reaches_is_reached_by_no_row(frame):
    values, y = ["a", "b", "a", "b"], [0, 1, 0, 0]
    clf = SugenoClassifier(threshold=0.99, directions=[1])
    clf.fit(ordered_pandas(values, ["a", "b"]), y)
    assert clf.predict(ordered_pandas(values, ["a", "b"])).tolist() == [0, 0, 0, 0]
    assert predicted(clf.predict_frame(frame(values, ["a", "b"]))) == [0, 0, 0, 0]
    accepted = to_expression(clf).alias("prediction")
    answers = nw.from_native(frame(values, ["a", "b"])).select(accepted)
    assert predicted(answers.to_native()) == [False] * 4


def test_sql_takes_columns_of_truth_values():
    X = pd.DataFrame({"owner": [False, True] * 5, "share": np.linspace(0, 1, 10)})
    y = [0, 1] * 5
    clf = SugenoClassifier(levels="all", k=1, directions=[1, -1]).fit(X, y)
    rows = duckdb.from_df(X)
    answers = rows.select(f"{to_sql(clf, output='label')} AS prediction")
    assert predicted(answers) == clf.predict(X).tolist() == y


@pytest.mark.parametrize("frame", [pa.Table.from_pandas, pl.from_pandas, lambda table: table])
@pytest.mark.parametrize("direction", [1, -1])
def test_a_label_that_no_row_has_reaches_no_level(frame, direction):
    sizes = ["small", "middle", "large"]
    X = pd.DataFrame({"size": pd.Categorical(sizes * 2, sizes, ordered=True)})
    wanted = "large" if direction > 0 else "small"
    clf = SugenoClassifier(directions=[direction]).fit(X, X["size"] == wanted)
    others = X[X["size"] != wanted]
    assert predicted(clf.predict_frame(frame(others))) == [False] * len(others)
    told = nw.from_native(frame(others)).select(accepted=to_expression(clf))
    assert told["accepted"].to_list() == [False] * len(others)
