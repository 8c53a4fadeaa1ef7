"""The same answers on every library that narwhals knows here, with nulls, NaN and -0.0."""

import dataclasses

import duckdb
import narwhals as nw
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from classifier_tables import grades, off_the_grid
from export.export_frames import SEEDS, arrow_table, classifier, expected, rows_with_gaps
from random_models import random_model
from small_rules import classifier_of
from sugeno import RuleSet, SugenoClassifier
from sugeno.export import to_expression

OUTPUTS = ("accepted", "label", "probability")


CONNECTION = duckdb.connect()  # as long as the relations on it


def in_duckdb(table):
    return CONNECTION.from_arrow(table)


LIBRARIES = {
    "pyarrow": lambda table: table,
    "pandas": lambda table: table.to_pandas(),
    "pandas with nulls": lambda table: table.to_pandas(types_mapper=pd.ArrowDtype),
    "polars": pl.from_arrow,
    "polars lazy": lambda table: pl.from_arrow(table).lazy(),
    "duckdb": in_duckdb,
}


def answers(clf, frame, output):
    native = nw.from_native(frame)
    found = native.with_columns(to_expression(clf, output=output))
    if isinstance(found, nw.LazyFrame):
        assert isinstance(native, nw.LazyFrame)  # what is lazy stays so
        found = found.collect()
    return found[output].to_list()


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("seed", SEEDS)
def test_rows_with_gaps_are_answered_alike(seed, library):
    clf = classifier(seed)
    X, missing = rows_with_gaps(clf.model_.boundaries[0], seed, 3000)
    frame = LIBRARIES[library](arrow_table(clf.model_.boundaries[0], X, missing))
    for output in OUTPUTS:
        assert answers(clf, frame, output) == expected(clf.model_.boundaries[0], X, output)


@given(
    seed=st.integers(0, 2**32),
    library=st.sampled_from(sorted(LIBRARIES)),
    output=st.sampled_from(OUTPUTS),
)
def test_any_model_is_answered_alike(seed, library, output):
    clf = classifier(seed)
    X, missing = rows_with_gaps(clf.model_.boundaries[0], seed, 40)
    frame = LIBRARIES[library](arrow_table(clf.model_.boundaries[0], X, missing))
    assert answers(clf, frame, output) == expected(clf.model_.boundaries[0], X, output)


@pytest.mark.parametrize("kind", [nw.Int8, nw.Int64, nw.Float32, nw.Boolean])
@pytest.mark.parametrize("backend", ["pandas", "polars", "pyarrow"])
def test_numbers_of_any_type_are_taken(kind, backend):
    X, y = grades(levels=2 if kind == nw.Boolean else 5)
    names = [f"x{j}" for j in range(4)]
    frame = nw.from_dict(dict(zip(names, X.T.tolist())), backend=backend)
    frame = frame.with_columns(nw.col(names).cast(kind))
    clf = SugenoClassifier(levels=3).fit(X, y)
    assert answers(clf, frame.to_native(), "label") == clf.predict(X).tolist()


def test_ordered_categoricals_are_read_by_their_labels():
    X, y = grades(m=2)
    sizes = ["tiny", "small", "medium", "large", "huge"]
    kind = pl.Enum(sizes)
    frame = pl.DataFrame({"a": X[:, 0]}).with_columns(
        pl.Series("size", [sizes[int(i)] for i in X[:, 1]], dtype=kind)
    )
    clf = SugenoClassifier(levels=2).fit(frame, y)
    for other in (frame, frame.to_pandas(), frame.to_arrow()):
        assert answers(clf, other, "label") == clf.predict(frame).tolist()


def test_learned_probabilities_are_those_of_predict_proba():
    X, y = grades(n=300)
    clf = SugenoClassifier(levels=3, directions=[1, -1, 1, 1]).fit(X, y)
    rows = off_the_grid(X, n=2000)
    frame = pl.DataFrame(rows, schema=[f"x{j}" for j in range(4)])
    assert answers(clf, frame, "probability") == clf.predict_proba(rows)[:, 1].tolist()


@pytest.mark.parametrize("sets", [[], [[]]])
def test_constant_rules_answer_for_each_row(sets):
    model = dataclasses.replace(classifier(1).model_.boundaries[0], form=RuleSet(sets, [3.0]))
    model = dataclasses.replace(model, probability=random_model(0, m=1, most_levels=1).probability)
    frame = nw.from_native(pl.DataFrame({"x0": [1.0, None, 5.0]}))
    for output in OUTPUTS:
        found = frame.select(to_expression(classifier_of(model), output=output))
        assert found.shape == (3, 1)
        assert found[output].null_count() == 0
