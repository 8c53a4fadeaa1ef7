"""Columns of frames: ordered labels are criteria, what has no order is refused by name."""

import datetime as dt
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pytest

from sugeno import (
    QuantileUtility,
    RuleSet,
    SugenoClassifier,
    SugenoClassifierCV,
    infer_directions,
)

SIZES = ["S", "M", "L", "XL"]
Y = [0, 0, 0, 1, 1, 1, 0, 1]
VALUES = ["S", "S", "M", "L", "XL", "L", "M", "XL"]
PRICE = [9.0, 8.0, 7.0, 3.0, 2.0, 1.0, 9.0, 2.0]


def pandas_frame(values=VALUES, price=PRICE):
    sizes = pd.Categorical(values, SIZES, ordered=True)
    return pd.DataFrame({"size": sizes, "price": price}, index=np.arange(len(price))[::-1] + 5)


def polars_frame(values=VALUES, price=PRICE):
    return pl.DataFrame({"size": pl.Series(values, dtype=pl.Enum(SIZES)), "price": price})


def arrow_table(values=VALUES, price=PRICE):
    pa = pytest.importorskip("pyarrow")
    codes = pa.array([None if v is None else SIZES.index(v) for v in values], pa.int8())
    sizes = pa.DictionaryArray.from_arrays(codes, pa.array(SIZES), ordered=True)
    return pa.table({"size": sizes, "price": price})


frames = pytest.mark.parametrize("frame", [pandas_frame, polars_frame, arrow_table])


@frames
@pytest.mark.parametrize(
    "classifier", [SugenoClassifier(), SugenoClassifierCV(levels="shared", cv=2)]
)
def test_an_ordered_categorical_is_a_criterion_with_its_labels_in_the_rules(frame, classifier):
    clf = classifier.fit(frame(), Y)
    assert "size >= L" in str(clf.rules_)
    assert clf.feature_labels_in_ == (tuple(SIZES), None)
    assert clf.predict(frame()).tolist() == Y
    assert clf.rules_.predict(frame()).tolist() == [bool(label) for label in Y]
    assert clf.predict_proba(frame()).shape == (8, 2)
    assert ((clf.integral(frame()) >= clf.threshold_) == Y).all()


@frames
def test_any_container_of_the_labels_gives_the_same_predictions(frame):
    clf = SugenoClassifier().fit(frame(), Y)
    rows = {"size": ["L", "M"], "price": [1.0, 1.0]}
    other = pd.Categorical(rows["size"], ["M", "L"], ordered=True)  # fewer categories
    for X in (
        pd.DataFrame(rows),
        pl.DataFrame(rows),
        pl.DataFrame(rows, schema_overrides={"size": pl.Categorical}),
        pd.DataFrame({"size": other, "price": rows["price"]}),
        arrow_table(*rows.values()),
    ):
        assert clf.predict(X).tolist() == [1, 0]
        assert clf.rules_.predict(X).tolist() == [True, False]
    array = np.array([["L", 1.0], ["M", 1.0]], dtype=object)
    with pytest.warns(UserWarning, match="valid feature names"):
        assert clf.predict(array).tolist() == [1, 0]


@frames
def test_an_unknown_label_is_named_with_its_column(frame):
    clf = SugenoClassifier().fit(frame(), Y)
    rows = pd.DataFrame({"size": ["XXL"], "price": [1.0]})
    for predict in (clf.predict, clf.rules_.predict, clf.utility_.transform):
        with pytest.raises(ValueError, match=r"Column 'size' .*'XL'\]. Got 'XXL' instead"):
            predict(rows)


@frames
def test_a_missing_label_is_a_missing_value(frame):
    with pytest.raises(ValueError, match="contains NaN"):
        SugenoClassifier().fit(frame([None, *VALUES[1:]]), Y)
    clf = SugenoClassifier().fit(frame(), Y)
    with pytest.raises(ValueError, match="contains NaN"):
        clf.predict(frame([None, *VALUES[1:]]))


def test_numbers_declared_in_another_order_are_read_in_that_order():
    ranks = pd.Categorical([3, 3, 2, 2, 1, 1], [3, 2, 1], ordered=True)
    X = pd.DataFrame({"rank": ranks})
    clf = SugenoClassifier().fit(X, [0, 0, 0, 0, 1, 1])
    assert clf.directions_.tolist() == [1]
    assert str(clf.rules_) == "class 1 if rank >= 1"
    assert clf.predict(pd.DataFrame({"rank": [1, 3]})).tolist() == [1, 0]  # plain numbers
    with pytest.warns(UserWarning, match="valid feature names"):
        assert clf.predict(np.array([[1.0], [3.0]])).tolist() == [1, 0]
    with pytest.raises(ValueError, match=r"Column 'rank' .* Got 7 instead"):
        clf.predict(pd.DataFrame({"rank": [7]}))


def test_a_decreasing_ordered_column_says_so_with_labels():
    X = polars_frame(VALUES[::-1]).select("size")
    clf = SugenoClassifier(directions={"size": -1}).fit(X, [1, 0, 1, 0, 0, 1, 1, 1])
    assert str(clf.rules_) in {"class 1 if size <= M", "class 1 if size <= L"}


def test_a_level_beyond_every_observed_label_still_prints_a_label():
    X = pandas_frame()[["size"]]
    clf = SugenoClassifier(threshold=0.99, directions=[1], normalized=True).fit(X, Y)
    assert clf.rules_.literals == ("size > XL",)


def test_columns_without_names_count_by_position():
    X = pandas_frame().set_axis([0, 1], axis=1)
    clf = SugenoClassifier().fit(X, Y)
    assert "x0 >= L" in str(clf.rules_)
    assert clf.predict(X).tolist() == Y
    assert clf.rules_.predict(X).tolist() == [bool(label) for label in Y]


def test_a_second_fit_forgets_the_labels():
    clf = SugenoClassifier().fit(pandas_frame(), Y)
    clf.fit(pandas_frame()[["price"]], Y)
    assert not hasattr(clf, "feature_labels_in_")


def test_utilities_and_directions_read_ordered_columns():
    utility = QuantileUtility().fit(pandas_frame())
    wanted = QuantileUtility().fit([[SIZES.index(v), p] for v, p in zip(VALUES, PRICE)])
    U = utility.transform(polars_frame())
    with pytest.warns(UserWarning, match="valid feature names"):
        np.testing.assert_array_equal(U, utility.transform(list(zip(VALUES, PRICE))))
    np.testing.assert_array_equal(
        U, wanted.transform([[SIZES.index(v), p] for v, p in zip(VALUES, PRICE)])
    )
    assert infer_directions(polars_frame(), Y).to_dict() == {"size": 1, "price": -1}


REFUSED = {
    "town": (["a", "b"] * 4, "text instead; make it an ordered categorical, or drop it"),
    "kind": (pd.Categorical(["a", "b"] * 4), "without an order instead; make it an ordered"),
    "mixed": (np.array(["a", 1] * 4, dtype=object), "objects such as 'a' instead; make it"),
    "day": (pd.date_range("2024-01-01", periods=8), "dates or times instead; .* days since"),
    "wait": (pd.to_timedelta(np.arange(8), "D"), "dates or times instead; .* days since"),
    "date": (np.array([dt.date(2024, 1, 1)] * 8, object), "objects such as datetime.* days since"),
    "month": (pd.period_range("2024-01", periods=8, freq="M"), "values of type period"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_has_no_order_is_refused_by_name_with_a_remedy(name):
    values, message = REFUSED[name]
    X = pd.DataFrame({"price": PRICE, name: values})
    for call in (QuantileUtility().fit, infer_directions):
        with pytest.raises(
            ValueError, match=f"Column '{name}' must hold numbers.* Got .*{message}"
        ):
            call(X, Y)
    clf = SugenoClassifier().fit(X[["price"]].assign(**{name: PRICE}), Y)
    for predict in (clf.predict, clf.rules_.predict):
        with pytest.raises(ValueError, match=f"Column '{name}'"):
            predict(X)


@pytest.mark.parametrize(
    "column",
    [
        pl.Series(["a", "b"]),
        pl.Series(["a", "b"], dtype=pl.Categorical),
        pl.Series([dt.date(2024, 1, 1)] * 2),
        pl.Series([dt.timedelta(1)] * 2),
        pl.Series([dt.time(1)] * 2),
        pl.Series([[1], [2]]),
        pl.Series([None, None]),
    ],
)
def test_polars_columns_without_an_order_are_refused_by_name(column):
    with pytest.raises(ValueError, match="Column 'odd' must hold numbers or an ordered"):
        QuantileUtility().fit(pl.DataFrame({"odd": column}))


def test_numbers_of_every_kind_and_truth_values_are_fine():
    X = pd.DataFrame(
        {
            "truth": [True, False] * 4,
            "nullable": pd.array([True, False] * 4, dtype="boolean"),
            "whole": pd.array(np.arange(8), dtype="Int64"),
            "objects": np.array([*range(7), Decimal("7.5")], dtype=object),
            "sparse": pd.arrays.SparseArray([0.0, 1.0] * 4),
        }
    )
    assert SugenoClassifier(directions=None).fit(X.drop(columns="sparse"), Y).n_features_in_ == 4
    clf = SugenoClassifier(directions=None).fit(X.astype({"sparse": float}), Y)
    assert clf.predict(X.astype({"sparse": float})).shape == (8,)
    mixed = pl.DataFrame({"truth": [True, False] * 4, "price": PRICE})
    assert SugenoClassifier(directions=None).fit(mixed, Y).predict(mixed).shape == (8,)


def test_a_categorical_where_training_had_numbers_is_refused():
    clf = SugenoClassifier().fit(pandas_frame()[["price"]], Y)
    with pytest.raises(ValueError, match="Column 'price' must hold numbers as in training"):
        clf.predict(pd.DataFrame({"price": pd.Categorical([1, 2], [2, 1], ordered=True)}))


def test_labels_that_read_the_same_are_refused():
    X = pd.DataFrame({"rank": pd.Categorical([1, "1"], [1, "1"], ordered=True)})
    with pytest.raises(ValueError, match="Column 'rank' must hold labels that read differently"):
        SugenoClassifier().fit(X, [0, 1])


def test_arrays_of_dates_are_refused():
    days = np.arange("2024-01-01", "2024-01-09", dtype="datetime64[D]")[:, None]
    for learn in (SugenoClassifier().fit, QuantileUtility().fit, infer_directions):
        with pytest.raises(ValueError, match="numbers such as days since"):
            learn(days, Y)


def test_masked_entries_are_refused_and_masked_arrays_without_any_are_not():
    X = np.ma.array([[1.0], [2.0], [3.0], [4.0]])
    clf = SugenoClassifier().fit(X, [0, 0, 1, 1])
    assert clf.predict(X).tolist() == [0, 0, 1, 1]
    hidden = np.ma.array(X, mask=[[0], [1], [0], [0]])
    for call in (clf.predict, clf.rules_.predict, lambda X: clf.fit(X, [0, 0, 1, 1])):
        with pytest.raises(ValueError, match=r"X must not have masked entries. Got 1 of them"):
            call(hidden)
    with pytest.raises(ValueError, match="y must not have masked entries"):
        clf.fit(X, np.ma.array([0, 0, 1, 1], mask=[1, 0, 0, 0]))
    with pytest.raises(ValueError, match="sample_weight must not have masked entries"):
        clf.fit(X, [0, 0, 1, 1], np.ma.array([1, 1, 1, 1], mask=[1, 0, 0, 0]))


def test_rules_take_columns_of_any_frame_by_name():
    rules = RuleSet([{0}], [3], criteria=["price"], directions=[-1])
    pa = pytest.importorskip("pyarrow")
    data = {"size": [1, 2], "price": [3.0, 3.5]}
    for X in (pd.DataFrame(data), pl.DataFrame(data), pa.table(data)):
        assert rules.predict(X).tolist() == [True, False]
    with pytest.raises(ValueError, match=r"Got none for \['price'\] instead"):
        rules.predict(pa.table({"size": [1]}))
