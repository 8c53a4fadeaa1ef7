"""Rows on scales: a table in memory and engines count the same values and patterns."""

import duckdb
import narwhals as nw
import numpy as np
import polars as pl
import pytest

from sugeno._counts.frame.columns import FrameColumns, class_code
from sugeno._counts.frame.queries import EngineRows
from sugeno._counts.frame.source import Frame
from sugeno._counts.table import Table
from sugeno._counts.weights import row_weights
from sugeno._scales.criterion import Criterion, Gap
from sugeno._scales.literals import Literals

CONNECTION = duckdb.connect()  # as long as the relations on it
CRITERIA = (
    Criterion(
        "age", 1, column=1, within=(-np.inf, 5.0), gaps=(Gap(2.5), Gap(3.5, "no record", 7.0))
    ),
    Criterion(
        "age", -1, column=1, within=(5.0, np.inf), gaps=(Gap(6.0), Gap(1.0, "no record", 7.0))
    ),
    Criterion("home", column=0, known=tuple("abcd"), places=(1.0, 2.0, 0.0, 1.0), unseen=1.0),
    Criterion("plain", -1, column=2),
)


def rows(n=300):
    rng = np.random.default_rng(0)
    X = np.column_stack(
        [rng.integers(0, 4, n), rng.integers(0, 9, n), rng.integers(0, 5, n)]
    ).astype(float)
    X[rng.random(n) < 0.2, 1] = np.nan
    X[rng.random(n) < 0.1, 0] = np.nan
    return X, rng.integers(0, 2, n)


def sources(engine):
    X, y = rows()
    table = Table.of(X, y, row_weights(None, len(y)), "pessimistic")
    frame = pl.DataFrame({**{f"c{j}": X[:, j] for j in range(3)}, "y": y})
    native = frame.lazy()
    if engine == "duckdb":
        native = CONNECTION.from_arrow(frame.to_arrow())
    lazy = nw.from_native(native)
    names = ["c0", "c1", "c2"]
    code = class_code(nw.col("y"), [0, 1])
    on_engine = EngineRows.of(lazy, FrameColumns.of(lazy, names), code, np.bincount(y))
    return table, Frame(on_engine, missing="pessimistic")


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_engines_read_columns_as_memory_does(engine):
    table, frame = (source.on_scales(CRITERIA) for source in sources(engine))
    assert frame.n_criteria == table.n_criteria == 4
    for j in range(4):
        one, other = (source.value_counts(j, by_class=True) for source in (table, frame))
        np.testing.assert_array_equal(one.values, other.values)
        np.testing.assert_array_equal(one.weights, other.weights)
    literals = Literals.of_levels(CRITERIA, [0, 0, 1, 2, 2, 3], [2.0, 4.0, 6.0, 1.0, 2.0, 3.0])
    one, other = (source.patterns(literals) for source in (table, frame))
    np.testing.assert_array_equal(one.masks, other.masks)
    np.testing.assert_array_equal(one.positive, other.positive)
    one, other = (source.rows().joined() for source in (table, frame))
    np.testing.assert_array_equal(one.X, other.X)


def test_the_values_that_a_criterion_reads_are_those_that_are_counted():
    table, frame = sources("polars")
    X = table.on_scales(CRITERIA).X
    for j, criterion in enumerate(CRITERIA):
        np.testing.assert_array_equal(X[:, j], criterion.read(table.X[:, criterion.column]))
        found = frame.on_scales(CRITERIA).value_counts(j)
        values, times = np.unique(X[~np.isnan(X[:, j]), j], return_counts=True)
        np.testing.assert_array_equal(found.values, values)
        np.testing.assert_array_equal(found.total, times)
