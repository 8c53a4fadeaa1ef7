"""Ordered classes decide alike in SQL and in frames, at and beside every level, with gaps."""

import duckdb
import narwhals as nw
import numpy as np
import polars as pl
import pytest
import sqlglot
from hypothesis import given
from hypothesis import strategies as st

from costly import costly
from export.ordinal_frames import (
    SEEDS,
    classifier,
    labels_of,
    on_duckdb,
    probabilities_of,
    rows_with_gaps,
    table_of,
)
from export.postgres_server import on_postgres
from sugeno.export import to_expression, to_sql


@pytest.mark.parametrize("seed", SEEDS)
def test_duckdb_agrees_on_rows_with_gaps(seed):
    clf = classifier(seed)
    model = clf.model_
    X, missing = rows_with_gaps(model, seed, 25_000)
    labels = model.classes.tolist()
    asked = [to_sql(clf), *(to_sql(clf, output="probability", label=one) for one in labels)]
    found, *chances = on_duckdb(table_of(model, X, missing), asked)
    assert found == labels_of(model, X)
    assert np.array_equal(np.array(chances).T, probabilities_of(model, X))


@pytest.mark.parametrize("seed", SEEDS)
def test_postgres_agrees_on_rows_with_gaps(seed, psql, tmp_path):
    clf = classifier(seed)
    model = clf.model_
    X, missing = rows_with_gaps(model, seed, 10_000)
    asked = [
        to_sql(clf, dialect="postgres"),
        *(
            to_sql(clf, dialect="postgres", output="probability", label=one)
            for one in model.classes.tolist()
        ),
    ]
    found, *chances = on_postgres(psql, table_of(model, X, missing), asked, tmp_path)
    assert list(found) == labels_of(model, X)
    assert np.array_equal(np.array(chances, dtype=float).T, probabilities_of(model, X))


@costly
@given(seed=st.integers(0, 2**32))
def test_duckdb_agrees_on_any_model(seed):
    clf = classifier(seed)
    X, missing = rows_with_gaps(clf.model_, seed, 40)
    label = clf.order_.tolist()[seed % clf.order_.size]
    asked = [to_sql(clf), to_sql(clf, output="probability", label=label)]
    found, chances = on_duckdb(table_of(clf.model_, X, missing), asked)
    assert found == labels_of(clf.model_, X)
    assert chances == probabilities_of(clf.model_, X)[:, seed % clf.order_.size].tolist()


@pytest.mark.parametrize("dialect", ["duckdb", "postgres", "spark", "bigquery", "snowflake"])
def test_every_dialect_reads_its_own_expression(dialect):
    clf = classifier(2)
    for options in ({}, {"output": "probability", "label": "fair"}):
        sql = to_sql(clf, dialect=dialect, **options)
        assert sqlglot.parse_one(sql, dialect=dialect).sql(dialect=dialect)


@costly
@given(seed=st.integers(0, 2**32), backend=st.sampled_from(["polars", "lazy", "pandas", "duckdb"]))
def test_an_expression_says_the_same_in_every_library(seed, backend):
    clf = classifier(seed)
    model = clf.model_
    X, missing = rows_with_gaps(model, seed, 30)
    table = table_of(model, X, missing)
    convert = {
        "polars": pl.from_arrow,
        "lazy": lambda one: pl.from_arrow(one).lazy(),
        "pandas": lambda one: one.to_pandas(),
        "duckdb": duckdb.from_arrow,
    }
    frame = nw.from_native(convert[backend](table))
    place = seed % model.classes.size
    chance = to_expression(clf, output="probability", label=model.classes.tolist()[place])
    answers = frame.select(to_expression(clf), chance)
    if isinstance(answers, nw.LazyFrame):
        answers = answers.collect()
    assert answers["label"].to_list() == labels_of(model, X)
    assert answers["probability"].to_list() == probabilities_of(model, X)[:, place].tolist()
