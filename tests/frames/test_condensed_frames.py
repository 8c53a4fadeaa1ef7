"""Ordinal tables in two passes: the model of `fit` byte for byte, on every engine."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from frames.engines import (
    ALL,
    CRITERIA,
    QUICK,
    duckdb_relation,
    lazy_polars_frame,
    nameless,
    ordinal_loans,
    shuffled,
    with_gaps,
)
from sugeno import SugenoClassifier, SugenoOrdinalClassifier
from sugeno._counts.frame.summary import FrameSummary, frame_of

TWO_PASSES = ["-- labels", "-- distinct rows, packed"]


ORDINAL = ordinal_loans()
GAPS = with_gaps(ORDINAL)


def from_memory(table, weight=None, estimator=SugenoClassifier, target="paid", **parameters):
    X, y = table.to_pandas()[CRITERIA], np.array(table[target].to_pylist())
    weights = None if weight is None else table[weight].to_numpy()
    return nameless(estimator(**parameters).fit(X, y, sample_weight=weights))


def from_frame(frame, weight=None, estimator=SugenoClassifier, target="paid", **parameters):
    """The model file, and the titles of the passes."""
    told, clf = [], estimator(**parameters)
    clf.fit_frame(frame, target, weight=weight, features=CRITERIA, explain=told.append)
    assert clf.n_passes_ == len(told)
    return nameless(clf), [text.splitlines()[0] for text in told]


@pytest.mark.parametrize("weight", [None, "importance"])
@pytest.mark.parametrize("engine", ALL)
def test_two_passes_give_the_model_of_fit_byte_for_byte(engine, weight):
    model, passes = from_frame(engine(shuffled(ORDINAL, 1)), weight)
    assert model == from_memory(ORDINAL, weight)
    assert [title.replace("labels and weights", "labels") for title in passes] == TWO_PASSES


PARAMETERS = [
    {"threshold": 0.4, "k": 2},
    {"margin": 0.05},
    {"levels": "all", "class_weight": {"yes": 2.5}, "positive": "no"},
    {"levels": "single", "class_weight": "balanced"},
    {"threshold": "joint", "directions": {"age": -1}},
    {"threshold": "mean-median", "normalized": False},
    {"solver": "lp", "k": 2, "subsets": "top"},
]


@pytest.mark.parametrize("parameters", PARAMETERS, ids=str)
def test_whatever_the_parameters(parameters):
    model, passes = from_frame(duckdb_relation(ORDINAL), "importance", **parameters)
    assert model == from_memory(ORDINAL, "importance", **parameters)
    assert len(passes) == 2


@pytest.mark.parametrize("levels", [2, "shared"])
def test_ordered_classes(levels):
    grade = np.digitize(ORDINAL["income"].to_numpy() - ORDINAL["debt"].to_numpy(), [1, 3])
    table = ORDINAL.set_column(4, "grade", pa.array(grade))
    given = {"estimator": SugenoOrdinalClassifier, "target": "grade", "levels": levels}
    model, passes = from_frame(lazy_polars_frame(table), **given)
    assert model == from_memory(table, **given)
    assert passes == TWO_PASSES


@pytest.mark.parametrize("missing", ["pessimistic", "optimistic", "interval"])
@pytest.mark.parametrize("engine", QUICK)
def test_missing_values_are_values_of_their_own(engine, missing):
    model, passes = from_frame(engine(GAPS), "importance", missing=missing)
    assert model == from_memory(GAPS, "importance", missing=missing)
    assert len(passes) == 2


@pytest.mark.parametrize("backend", ["numpy_nullable", "pyarrow"])
def test_nullable_columns_of_pandas(backend):
    frame = GAPS.to_pandas().convert_dtypes(dtype_backend=backend)
    model, passes = from_frame(frame, missing="pessimistic")
    assert model == from_memory(GAPS, missing="pessimistic")
    assert passes == TWO_PASSES


@pytest.mark.parametrize("engine", ALL)
def test_a_class_without_any_value_of_a_criterion(engine):
    x, z = [1, 2, None, None, 2, 1], [1, 2, 3, 4, 2, 3]
    table = pa.table({"x": pa.array(x, pa.int64()), "z": z, "y": [0, 0, 1, 1, 0, 0]})
    clf = SugenoClassifier(missing="optimistic", levels="all").fit_frame(engine(table), "y")
    X = pd.DataFrame({"x": pd.array(x, "float64"), "z": z})
    reference = SugenoClassifier(missing="optimistic", levels="all").fit(X, table["y"].to_numpy())
    assert nameless(clf) == nameless(reference)
    assert clf.n_passes_ == 2


def test_missing_values_without_a_meaning_are_refused_by_column():
    with pytest.raises(ValueError, match=r"'debt' must hold .* Got 75 that are null"):
        from_frame(lazy_polars_frame(GAPS))


def test_rows_without_any_value_or_label_are_refused():
    frame = pl.LazyFrame({"x": [1, None, None], "z": [2, 3, None], "paid": [0, 1, 1]})
    with pytest.raises(ValueError, match="Got 1 rows without any instead"):
        SugenoClassifier(missing="pessimistic").fit_frame(frame, "paid")
    table = ORDINAL.set_column(4, "paid", pa.array([None, *ORDINAL["paid"].to_pylist()[1:]]))
    with pytest.raises(ValueError, match="1 without a class"):
        from_frame(lazy_polars_frame(table))


def test_rows_of_no_weight_reach_nowhere():
    strange = ORDINAL.slice(0, 3).set_column(1, "debt", pa.array([np.inf, 1e9, 0.5]))
    strange = strange.set_column(5, "importance", pa.array([0.0, 0.0, 0.0]))
    frame = lazy_polars_frame(pa.concat_tables([strange, ORDINAL]))
    model, passes = from_frame(frame, "importance")
    assert model == from_memory(ORDINAL, "importance")
    assert len(passes) == 2


BEYOND = {
    "a fraction": [0.5],
    "a great extent": [2.0**16],
    "a greater one": [2.0**20],
    "the least and the greatest double": [-1e308, 1e308],
    "beyond 53 bits": [2.0**60, 2.0**60 + 2.0**10],
}


@pytest.mark.parametrize("values", BEYOND.values(), ids=[*BEYOND])
@pytest.mark.parametrize("engine", [lazy_polars_frame, duckdb_relation])
def test_what_cannot_be_packed_is_counted_column_by_column(engine, values):
    debt = ORDINAL["debt"].to_numpy().copy()
    debt[: len(values)] = values
    table = ORDINAL.set_column(1, "debt", pa.array(debt))
    model, passes = from_frame(engine(table))
    assert model == from_memory(table)
    assert passes[1:3] == ["-- values of 'income', 'owner', 'age'", "-- values of 'debt'"]


def test_large_numbers_close_together_are_packed():
    debt = ORDINAL["debt"].to_numpy() * 256 + 2.0**60
    table = ORDINAL.set_column(1, "debt", pa.array(debt))
    model, passes = from_frame(duckdb_relation(table))
    assert model == from_memory(table)
    assert passes == TWO_PASSES


def test_more_values_than_allowed_are_rounded_as_before():
    rng = np.random.default_rng(0)
    x = rng.permutation(300)
    frame = pl.LazyFrame({"x": x, "paid": (x + rng.normal(size=300) * 30 > 150).astype(int)})
    with pytest.warns(UserWarning, match=r"'x' has more than max_values=100"):
        SugenoClassifier().fit_frame(frame, "paid", max_values=100)


def test_columns_that_do_not_fit_into_one_number_are_counted_in_blocks():
    columns = {f"c{j}": np.ones(60, dtype=int) for j in range(58)} | {"x": np.arange(60) % 7}
    y = (columns["x"] > 3).astype(int)
    told = []
    clf = SugenoClassifier(k=1, threshold=0.5)
    clf.fit_frame(pl.LazyFrame({**columns, "y": y}), "y", explain=told.append)
    reference = SugenoClassifier(k=1, threshold=0.5).fit(pd.DataFrame(columns), y)
    assert nameless(clf) == nameless(reference)
    assert sum("-- values of" in text for text in told) == 2


@pytest.mark.parametrize("class_weight", [{"yes": 1 / 3}, {"yes": 1e9 + 1, "no": 1 / 7}], ids=str)
def test_costs_of_equal_rows_are_rounded_as_in_memory(class_weight):
    # The costs of all rows together have more than 60 bits.
    table = pa.concat_tables([ORDINAL] * 7)
    model, _ = from_frame(lazy_polars_frame(table), class_weight=class_weight)
    assert model == from_memory(table, class_weight=class_weight)


def test_costs_that_would_have_to_be_rounded_row_by_row_are_refused():
    thirds = pa.array(ORDINAL["importance"].to_numpy() / 3)
    table = ORDINAL.set_column(5, "importance", thirds)
    with pytest.raises(ValueError, match=r"less than 2\*\*60 units"):
        from_frame(lazy_polars_frame(table), "importance", class_weight="balanced")


def source_of(table, weight):
    known = FrameSummary.of(frame_of(lazy_polars_frame(table)), "paid", weight, CRITERIA)
    return known.source(np.array(["no", "yes"]), missing="pessimistic")


@pytest.mark.parametrize("size", [2, 40, 10_000])
@pytest.mark.parametrize("weight", [None, "importance"])
@pytest.mark.parametrize("table", [ORDINAL, GAPS], ids=["full", "gaps"])
def test_the_sample_is_that_of_the_engine(table, weight, size, monkeypatch):
    in_memory = source_of(table, weight)
    monkeypatch.setattr("sugeno._counts.frame.distinct._MOST_ROWS", 0)
    on_engine = source_of(table, weight)
    assert in_memory.in_memory
    assert not on_engine.in_memory
    one, other = (source.sample(size).joined() for source in (in_memory, on_engine))
    np.testing.assert_array_equal(one.X, other.X)
    np.testing.assert_array_equal(one.codes, other.codes)
    np.testing.assert_array_equal(one.weights.values, other.weights.values)
    assert one.unit == other.unit
