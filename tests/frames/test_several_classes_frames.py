"""More than two classes without an order from frames: the models of `fit`, byte for byte."""

from itertools import product

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import sugeno
from frames.engines import (
    ALL,
    CRITERIA,
    duckdb_relation,
    in_turn,
    lazy_polars_frame,
    loans,
    nameless,
    ordinal_loans,
    shuffled,
)
from sugeno import SugenoClassifier, SugenoClassifierCV

pytestmark = pytest.mark.filterwarnings("ignore::sugeno.WeakDirectionWarning")


def kinds_of(table):
    """Three classes without an order in place of the label."""
    income, debt = table["income"].to_numpy(), table["debt"].to_numpy()
    kind = np.where(income > 3, "saver", np.where(debt > 0, "debtor", "other"))
    kind[::9] = "other"
    return table.set_column(4, "kind", pa.array(kind))


#: Of one table rows are fetched, of the other counts.
TABLES = {"whole": kinds_of(ordinal_loans()), "fractions": kinds_of(loans())}


def from_memory(table, weight=None, **parameters):
    X, y = table.to_pandas()[CRITERIA], np.array(table["kind"].to_pylist())
    weights = None if weight is None else table[weight].to_numpy()
    return SugenoClassifier(**parameters).fit(X, y, sample_weight=weights)


def from_frame(frame, weight=None, **parameters):
    return SugenoClassifier(**parameters).fit_frame(frame, "kind", weight=weight, features=CRITERIA)


def files_of(clf):
    return {label: nameless(one) for label, one in clf.per_class_.items()}


def assert_same(clf, reference, table):
    assert files_of(clf) == files_of(reference)
    assert [str(r) for r in clf.rules_.values()] == [str(r) for r in reference.rules_.values()]
    X = table.to_pandas()[CRITERIA]
    assert clf.predict(X).tolist() == reference.predict(X).tolist()
    assert clf.classes_.tolist() == reference.classes_.tolist() == ["debtor", "other", "saver"]
    assert clf.directions_.tolist() == reference.directions_.tolist()
    assert clf.feature_names_in_.tolist() == CRITERIA


@pytest.mark.parametrize(
    ("engine", "table"),
    [
        (engine, table)
        for place, engine in enumerate(ALL)
        for table in in_turn(place + (engine is duckdb_relation), [*TABLES], 1)
    ],
)
def test_every_engine_gives_the_models_of_fit(engine, table):
    rows = TABLES[table]
    clf = from_frame(engine(shuffled(rows, 1)), threshold=0.5)
    assert_same(clf, from_memory(rows, threshold=0.5), rows)


PARAMETERS = [
    {},
    {"levels": 2, "k": 2},
    {"class_weight": "balanced"},
    {"class_weight": {"saver": 2.5, "debtor": 0.3}, "threshold": "joint"},
]


@pytest.mark.no_cover
@pytest.mark.parametrize(
    ("table", "parameters", "weight"),
    [
        (table, parameters, weight)
        for place, (parameters, table) in enumerate(product(PARAMETERS, TABLES))
        for weight in in_turn(place + place // 2, [None, "importance"], 1)
    ],
)
def test_whatever_the_parameters(table, parameters, weight):
    rows = TABLES[table]
    clf = from_frame(duckdb_relation(rows), weight, **parameters)
    assert_same(clf, from_memory(rows, weight, **parameters), rows)


def test_rows_are_fetched_once_for_all_classes():
    assert from_frame(lazy_polars_frame(TABLES["whole"])).n_passes_ == 2
    # Class weights change the weights of rows, which are counted once more.
    weighed = from_frame(lazy_polars_frame(TABLES["whole"]), class_weight="balanced")
    assert weighed.n_passes_ == 3


def test_weak_directions_name_the_class():
    frame = lazy_polars_frame(TABLES["whole"])
    with pytest.warns(sugeno.WeakDirectionWarning, match=r"\(Class 'other' against the rest"):
        from_frame(frame, missing="pessimistic")  # a policy leaves each column one direction


def test_what_does_not_go_with_several_classes_is_said():
    frame = pl.DataFrame({"x": [1, 2, 3] * 3, "kind": ["a", "b", "c"] * 3})
    with pytest.raises(ValueError, match="'positive' parameter names the one of two classes"):
        SugenoClassifier(positive="a").fit_frame(frame, "kind")
    with pytest.raises(ValueError, match="weigh classes of y"):
        SugenoClassifier(class_weight={"z": 2}).fit_frame(frame, "kind")
    ordered = frame.with_columns(pl.col("kind").cast(pl.Enum(["a", "c", "b"])))
    clf = SugenoClassifier(directions=None).fit_frame(ordered, "kind")
    assert clf.order_.tolist() == ["a", "c", "b"]
    chosen = SugenoClassifierCV(levels="shared", cv=2, directions=None).fit_frame(frame, "kind")
    assert [*chosen.per_class_] == ["a", "b", "c"]
    some = pl.DataFrame({"x": np.arange(60) % 2, "kind": np.arange(60) % 30})
    assert len(SugenoClassifier(directions=[1]).fit_frame(some, "kind").per_class_) == 30
    many = pl.DataFrame({"x": np.arange(2000), "kind": np.arange(2000)})
    with pytest.raises(ValueError, match="fewer than 1000 labels"):
        SugenoClassifier().fit_frame(many, "kind")


def test_a_fit_after_a_fit_forgets_the_classes():
    clf = from_frame(lazy_polars_frame(TABLES["whole"]))
    clf.fit_frame(pl.DataFrame({"x": [1, 2], "y": [0, 1]}), "y")
    assert clf.predict(pd.DataFrame({"x": [2, 1]})).tolist() == [1, 0]
    assert not hasattr(clf, "per_class_")
