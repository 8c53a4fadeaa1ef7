"""Ordered classes from frames: the model of `fit` byte for byte, on every engine."""

import narwhals as nw
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
    loans,
    nameless,
    shuffled,
)
from sugeno import SugenoOrdinalClassifier


def graded(n=250, seed=0):
    """Loans with a grade of four classes in place of the label."""
    table = loans(n, seed)
    income, debt = table["income"].to_numpy(), table["debt"].to_numpy()
    noise = np.random.default_rng(seed).normal(size=n)
    grade = np.digitize(income - debt + noise, [1, 2.5, 4])
    return table.set_column(4, "grade", pa.array(grade))


GRADED = graded()


def from_memory(table, weight=None, **parameters):
    X, y = table.to_pandas()[CRITERIA], table["grade"].to_numpy()
    weights = None if weight is None else table[weight].to_numpy()
    return SugenoOrdinalClassifier(**parameters).fit(X, y, sample_weight=weights)


def from_frame(frame, weight=None, **parameters):
    return SugenoOrdinalClassifier(**parameters).fit_frame(
        frame, "grade", weight=weight, features=CRITERIA
    )


#: The paper's model takes some passes for each threshold, and Dask its time for a pass.
CASES = [(engine, 2) for engine in ALL] + [(engine, "shared") for engine in QUICK]


@pytest.mark.no_cover
@pytest.mark.parametrize(("engine", "levels"), CASES)
def test_every_engine_gives_the_model_of_fit(engine, levels):
    clf = from_frame(engine(shuffled(GRADED, 1)), levels=levels)
    assert nameless(clf) == nameless(from_memory(GRADED, levels=levels))
    assert clf.order_.tolist() == [0, 1, 2, 3]


PARAMETERS = [
    {"levels": 1, "loss": "absolute"},
    {"levels": "all", "k": 2, "max_rules": 3},
    {"levels": "shared", "loss": "zero_one", "normalized": False},
    {"levels": 2, "directions": {"age": -1}, "rule_cost": 1.0},
]


@pytest.mark.no_cover
@pytest.mark.parametrize("engine", [lazy_polars_frame, duckdb_relation])
@pytest.mark.parametrize("parameters", PARAMETERS, ids=str)
def test_whatever_the_parameters(engine, parameters):
    clf = from_frame(engine(GRADED), "importance", **parameters)
    assert nameless(clf) == nameless(from_memory(GRADED, "importance", **parameters))


@pytest.mark.parametrize("levels", ["shared", 2])
@pytest.mark.parametrize("missing", ["pessimistic", "optimistic", "interval"])
def test_missing_values(missing, levels):
    debt = [None if i % 4 == 0 else d for i, d in enumerate(GRADED["debt"].to_pylist())]
    table = GRADED.set_column(1, "debt", pa.array(debt, pa.float64()))
    clf = from_frame(duckdb_relation(table), levels=levels, missing=missing)
    reference = from_memory(table, levels=levels, missing=missing)
    assert nameless(clf) == nameless(reference)


@pytest.mark.parametrize("levels", ["shared", 2])
def test_no_row_crosses_over(levels):
    said = []
    clf = SugenoOrdinalClassifier(levels=levels, k=2, directions=[1, -1, 1, 1])
    clf.fit_frame(lazy_polars_frame(GRADED), "grade", features=CRITERIA, explain=said.append)
    assert not any("rows" in one for one in said)


def test_distilled_rules_are_found_on_a_sample_and_counted_on_all_rows():
    one, other = (
        SugenoOrdinalClassifier(max_rules=2).fit_frame(
            engine(table), "grade", features=CRITERIA, sample=120
        )
        for engine, table in ((lazy_polars_frame, GRADED), (duckdb_relation, shuffled(GRADED, 5)))
    )
    assert nameless(one) == nameless(other)
    assert 120 <= one.n_sampled_ < 140
    X, y = GRADED.to_pandas()[CRITERIA], GRADED["grade"].to_numpy()
    wrong = np.abs(one.predict(X) - y)
    assert one.objective_ == (wrong + (wrong > 0)).sum()


def test_the_order_of_the_classes_is_declared_or_given():
    names = np.array(["poor", "fair", "good", "best"])
    table = pl.from_arrow(GRADED).with_columns(grade=names[GRADED["grade"].to_numpy()])
    with pytest.raises(ValueError, match="are text, and their alphabetical order"):
        from_frame(table, levels=1)
    given = from_frame(table.lazy(), levels=1, classes=[*names])
    declared = from_frame(table.with_columns(pl.col("grade").cast(pl.Enum(names))), levels=1)
    assert nameless(given) == nameless(declared)
    assert declared.order_.tolist() == [*names]


def test_many_classes_are_no_measurements():
    frame = pl.DataFrame({"x": np.arange(90), "grade": np.arange(90) // 3})
    clf = SugenoOrdinalClassifier(levels=1, directions=[1]).fit_frame(frame, "grade")
    assert clf.order_.size == 30


def test_weights_that_would_have_to_be_rounded_are_refused():
    table = GRADED.set_column(5, "importance", pa.array(np.full(GRADED.num_rows, 1 / 3)))
    with pytest.raises(ValueError, match=r"times the losses, must add up to less than 2\*\*60"):
        from_frame(lazy_polars_frame(table), "importance", levels=1)


def test_a_table_that_changes_is_noticed_at_a_boundary():
    frame = pd.DataFrame({"x": np.arange(9) % 3 / 2, "grade": np.arange(9) % 3})

    def change(text):
        if text.startswith("-- patterns"):
            frame["x"] = 1 - frame["x"]

    with pytest.raises(ValueError, match="that reach x >="):
        SugenoOrdinalClassifier(levels=1).fit_frame(
            pl.LazyFrame(frame).map_batches(lambda _: pl.DataFrame(frame)), "grade", explain=change
        )


@pytest.fixture(scope="module")
def fitted():
    X, y = GRADED.to_pandas()[CRITERIA].astype(float), GRADED["grade"].to_numpy()
    names = np.array(["poor", "fair", "good", "best"])
    return SugenoOrdinalClassifier(levels=2, classes=[*names], missing="pessimistic").fit(
        X, names[y]
    )


@pytest.mark.parametrize("engine", ALL)
def test_every_engine_decides_as_predict_does(engine, fitted):
    rng, columns = np.random.default_rng(0), {}
    for j, name in enumerate(CRITERIA):
        levels = [boundary.literals for boundary in fitted.model_.boundaries]
        at = np.concatenate([one.levels[one.columns == j] for one in levels])
        near = [at, np.nextafter(at, np.inf), np.nextafter(at, -np.inf), [np.nan, -0.0]]
        columns[name] = rng.choice(np.concatenate(near), 1000)
    gaps = {
        name: pa.array(c, mask=np.isnan(c) & (rng.random(1000) < 0.5))
        for name, c in columns.items()
    }
    frame = engine(pa.table({**gaps, "row": np.arange(1000)}))
    decided = nw.from_native(fitted.predict_frame(frame)).lazy().collect().sort("row")
    expected = fitted.predict(pd.DataFrame(columns)).tolist()
    assert decided["prediction"].to_list() == expected
    assert len({*expected}) == 4
    assert decided.columns == [*CRITERIA, "row", "prediction"]


def test_a_column_of_that_name_is_not_replaced(fitted):
    frame = pl.DataFrame({**{name: [1.0] for name in CRITERIA}, "prediction": ["mine"]})
    with pytest.raises(ValueError, match=r"must not have columns \['prediction'\] already"):
        fitted.predict_frame(frame)
