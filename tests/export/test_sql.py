"""The same answers from DuckDB and from a real PostgreSQL as from predict, at every level."""

import dataclasses
import sys

import duckdb
import numpy as np
import pandas as pd
import pytest
import sqlglot
from hypothesis import given
from hypothesis import strategies as st
from sqlglot import exp

from classifier_tables import grades, measurements, off_the_grid
from export.export_frames import SEEDS, arrow_table, classifier, expected, rows_with_gaps
from export.postgres_server import on_postgres
from random_models import LABELS, random_model
from small_rules import classifier_of
from sugeno import RuleSet, SugenoClassifier
from sugeno.export import to_sql

DIALECTS = ("duckdb", "postgres", "spark", "bigquery", "snowflake")
OUTPUTS = ("accepted", "label", "probability")


def run_on_duckdb(clf, table, output):
    sql = to_sql(clf, output=output)
    with duckdb.connect() as connection:
        connection.register("t", table)
        # "Insertion order" keeps the rows as they are.
        return [row[0] for row in connection.execute(f"SELECT ({sql}) FROM t").fetchall()]


@pytest.mark.parametrize("seed", SEEDS)
def test_duckdb_agrees_on_rows_with_gaps(seed):
    clf = classifier(seed)
    X, missing = rows_with_gaps(clf.model_.boundaries[0], seed, 100_000 // len(SEEDS) + 1)
    table = arrow_table(clf.model_.boundaries[0], X, missing)
    for output in OUTPUTS:
        assert run_on_duckdb(clf, table, output) == expected(clf.model_.boundaries[0], X, output)


@pytest.mark.parametrize("levels", ["shared", 3])
@pytest.mark.parametrize("table", [grades, measurements])
def test_duckdb_agrees_with_predict_and_predict_proba(levels, table):
    X, y = table(n=300)
    clf = SugenoClassifier(levels=levels, directions=[1, -1, 1, 1]).fit(X, y)
    rows = off_the_grid(X, n=2000)
    frame = pd.DataFrame(rows, columns=[f"x{j}" for j in range(4)])
    assert run_on_duckdb(clf, frame, "label") == clf.predict(rows).tolist()
    assert run_on_duckdb(clf, frame, "probability") == clf.predict_proba(rows)[:, 1].tolist()


@given(seed=st.integers(0, 2**32), output=st.sampled_from(OUTPUTS))
def test_duckdb_agrees_on_any_model(seed, output):
    clf = classifier(seed)
    X, missing = rows_with_gaps(clf.model_.boundaries[0], seed, 40)
    table = arrow_table(clf.model_.boundaries[0], X, missing)
    assert run_on_duckdb(clf, table, output) == expected(clf.model_.boundaries[0], X, output)


@pytest.mark.parametrize("kind", ["TINYINT", "BIGINT", "FLOAT", "DECIMAL(9, 3)", "HUGEINT"])
def test_duckdb_takes_numbers_of_any_type(kind):
    X, y = grades()
    clf = SugenoClassifier(levels=3).fit(X, y)
    casts = ", ".join(f"x{j}::{kind} AS x{j}" for j in range(4))
    with duckdb.connect() as connection:
        connection.register("numbers", pd.DataFrame(X, columns=[f"x{j}" for j in range(4)]))
        query = f"SELECT ({to_sql(clf, output='label')}) FROM (SELECT {casts} FROM numbers)"
        assert [row[0] for row in connection.execute(query).fetchall()] == clf.predict(X).tolist()


@pytest.mark.parametrize("seed", SEEDS)
def test_postgres_agrees_on_rows_with_gaps(seed, psql, tmp_path):
    clf = classifier(seed)
    X, missing = rows_with_gaps(clf.model_.boundaries[0], seed, 100_000 // len(SEEDS) + 1)
    table = arrow_table(clf.model_.boundaries[0], X, missing)
    asked = [to_sql(clf, dialect="postgres", output=output) for output in OUTPUTS]
    accepted, labels, probabilities = on_postgres(psql, table, asked, tmp_path)
    assert [answer == "t" for answer in accepted] == expected(
        clf.model_.boundaries[0], X, "accepted"
    )
    assert list(labels) == expected(clf.model_.boundaries[0], X, "label")
    assert [float(p) for p in probabilities] == expected(clf.model_.boundaries[0], X, "probability")


@given(
    seed=st.integers(0, 2**32), dialect=st.sampled_from(DIALECTS), output=st.sampled_from(OUTPUTS)
)
def test_every_dialect_reads_back_its_own_numbers_names_and_labels(seed, dialect, output):
    model = random_model(seed)
    sql = to_sql(classifier_of(model), dialect=dialect, output=output)
    tree = sqlglot.parse_one(sql, dialect=dialect)
    names = {".".join(p.name for p in column.parts) for column in tree.find_all(exp.Column)}
    assert names <= set(model.rules.criteria)
    literals = list(tree.find_all(exp.Literal))
    assert {node.this for node in literals if node.is_string} <= {"no", "yes", "NaN", *LABELS}
    if output == "accepted":
        numbers = {float(node.this) for node in literals if not node.is_string}
        assert numbers <= {abs(level) for level in model.literals.levels.tolist()}


def test_numbers_where_nan_is_above_everything_are_guarded_in_each_dialect():
    clf = SugenoClassifier(levels="single").fit([[1], [2], [3], [4]], [0, 0, 1, 1])
    assert [to_sql(clf, dialect=dialect) for dialect in DIALECTS] == [
        'COALESCE(("x0" >= 3 AND NOT ISNAN("x0")), FALSE)',
        """COALESCE(("x0" >= 3 AND "x0" <> CAST('NaN' AS DOUBLE PRECISION)), FALSE)""",
        "COALESCE((`x0` >= 3 AND NOT ISNAN(`x0`)), FALSE)",
        "COALESCE((`x0` >= 3 AND NOT IS_NAN(`x0`)), FALSE)",
        """COALESCE(("x0" >= 3 AND "x0" <> CAST('NaN' AS DOUBLE)), FALSE)""",
    ]


@pytest.mark.parametrize(
    "classes",
    [
        np.array([False, True]),
        np.array([-3, 5]),
        np.array([-0.25, 1e300]),
        np.array(["it's", 'a "b" \\ c']),
    ],
    ids=str,
)
def test_labels_of_all_types_come_out_as_they_are(classes):
    clf = classifier(4, classes=classes)
    X, missing = rows_with_gaps(clf.model_.boundaries[0], 0, 200)
    found = run_on_duckdb(clf, arrow_table(clf.model_.boundaries[0], X, missing), "label")
    assert found == expected(clf.model_.boundaries[0], X, "label")
    assert {type(label) for label in found} == {type(classes.tolist()[0])}


@pytest.mark.parametrize("form", ["dnf", "cnf"])
def test_many_rules_do_not_exhaust_a_stack(form):
    rng = np.random.default_rng(0)
    sets = [rng.choice(24, 6, replace=False).tolist() for _ in range(200)]
    rules = RuleSet(sets, np.zeros(24), form=form)
    assert len(rules) > 190
    model = dataclasses.replace(random_model(0, m=1), form=rules)
    X = rng.normal(size=(50, 24)) + (-0.3 if form == "dnf" else 0.5)
    frame = pd.DataFrame(X, columns=rules.criteria)
    answers = rules.predict(X).tolist()
    assert set(answers) == {True, False}
    assert run_on_duckdb(classifier_of(model), frame, "accepted") == answers


def test_unknown_dialects_and_outputs_are_refused():
    clf = classifier(1)
    with pytest.raises(ValueError, match="dialect must be one of duckdb, postgres"):
        to_sql(clf, dialect="basic")
    with pytest.raises(ValueError, match="output must be one of accepted, label, probability"):
        to_sql(clf, output="score")


def test_without_the_extra_the_error_names_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "sqlglot", None)
    with pytest.raises(ImportError, match=r"pip install 'sugeno\[sql\]'"):
        to_sql(classifier(1))
