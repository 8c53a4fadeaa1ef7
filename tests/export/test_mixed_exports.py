"""Tables of any kind are decided alike by every engine: unseen labels, gaps, free columns."""

import json
from datetime import datetime, timedelta

import duckdb
import lxml.etree
import narwhals as nw
import numpy as np
import onnx
import onnxruntime
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.pipeline import make_pipeline

from costly import costly
from estimators.test_any_columns import applicants
from export.ordinal_frames import on_duckdb
from export.postgres_server import on_postgres
from export.test_dmn import inputs
from export.test_dmn import schema as dmn_schema
from export.test_pmml import assert_follows_the_schema
from export.test_unordered_exports import by_hand, by_spiff, decided
from mixed_models import mixed_classifier, mixed_classifier_per_class, mixed_rows
from sugeno import SugenoClassifier
from sugeno.export import (
    register_onnx,
    to_dmn,
    to_expression,
    to_onnx,
    to_pmml,
    to_python,
    to_sql,
)

KINDS = ("number", "free", "turning", "unordered", "two-valued", "truth", "ordered", "date")
SEEDS = range(10)
TRACED_ONCE = [0, *(pytest.param(seed, marks=pytest.mark.no_cover) for seed in SEEDS[1:])]
OUTPUTS = ["prediction", "probability"]


SHAPES = ("rules", "points", "per class")
shaped = pytest.mark.parametrize("shape", SHAPES)


def classifier(seed, shape, kinds):
    """One of two classes, by rules or by points, or one of three that have no order."""
    if shape == "per class":
        return mixed_classifier_per_class(seed, points=seed % 3 == 0, kinds=kinds)
    return mixed_classifier(seed, points=shape == "points", kinds=kinds)


def answers(clf, table):
    """The labels, and the probability of the positive class, of more classes of each."""
    chances = clf.predict_proba(table)
    return clf.predict(table).tolist(), *chances[:, chances.shape[1] == 2 :].T.tolist()


def asked(clf, **options):
    """The same, as SQL."""
    several = clf.classes_[clf.classes_.size == 2 :].tolist()
    chances = [to_sql(clf, output="probability", label=one, **options) for one in several]
    return [to_sql(clf, output="label", **options), *chances]


def chance_names(clf):
    """The columns of probabilities that a frame gets."""
    labels = clf.classes_.tolist()
    return ["probability"] if len(labels) == 2 else [f"probability_{one}" for one in labels]


def by_onnx(clf, table):
    """Answers of ONNX Runtime, from an input per column."""
    proto = to_onnx(clf)
    onnx.checker.check_model(proto, full_check=True)
    session = onnxruntime.InferenceSession(
        proto.SerializeToString(), providers=["CPUExecutionProvider"]
    )
    criteria = {one.name: one for one in clf.model_.criteria}
    given = {name: _tensor(criteria[name], table[name].to_pylist()) for name in table.column_names}
    labels, chances = session.run(None, given)
    return labels.tolist(), *chances[:, chances.shape[1] == 2 :].T.tolist()


def _tensor(criterion, cells):
    if criterion.labels is not None:
        texts = [str(one).lower() if isinstance(one, bool) else one for one in cells]
        return np.array([one or "" for one in texts], dtype=object)[:, None]
    return np.array([np.nan if one is None else _in_days(one) for one in cells])[:, None]


def _in_days(cell):
    """A date in days since 1970; any other cell as it is."""
    is_date = isinstance(cell, datetime)
    return (cell - datetime(1970, 1, 1)) / timedelta(days=1) if is_date else cell


def empty_is_missing(clf, table):
    """The rows as ONNX and PMML read them; the labels of a model may include the empty one."""
    criteria = {one.name: one for one in clf.model_.criteria}
    for place, name in enumerate(table.column_names):
        if pa.types.is_string(table[name].type) and "" not in (criteria[name].known or ()):
            cells = [one or None for one in table[name].to_pylist()]
            table = table.set_column(place, name, pa.array(cells, pa.string()))
    return table


def without_gaps_beside_an_empty_label(clf, table):
    """Rows without missing cells where the empty text is a label, which ONNX cannot tell apart."""
    for one in clf.model_.criteria:
        if "" in (one.known or ()):
            table = table.filter(table[one.name].is_valid())
    return table


@shaped
@pytest.mark.parametrize("seed", TRACED_ONCE)
def test_ten_thousand_rows_are_decided_alike(seed, shape):
    clf = classifier(seed, shape, KINDS)
    table = mixed_rows(clf, seed, 10_000)
    labels, *chances = answers(clf, table)
    assert on_duckdb(table, asked(clf)) == [labels, *chances]
    frame = pl.from_arrow(table)
    added = clf.predict_frame(frame.lazy(), outputs=OUTPUTS).collect()
    assert added["prediction"].to_list() == labels
    assert [added[name].to_list() for name in chance_names(clf)] == chances
    module = {}
    exec(to_python(clf), module)
    rows = table.slice(0, 1_000).to_pylist()
    assert [module["label"](row) for row in rows] == labels[:1_000]
    if shape == "per class":
        found = zip(*(module["probabilities"](row).values() for row in rows))
    else:
        found = [[module["probability"](row) for row in rows]]
    assert [[*one] for one in found] == [one[:1_000] for one in chances]
    table = without_gaps_beside_an_empty_label(clf, table)
    assert by_onnx(clf, table) == answers(clf, empty_is_missing(clf, table))


@pytest.mark.no_cover
@costly
@given(seed=st.integers(0, 2**32), shape=st.sampled_from(SHAPES))
def test_frames_agree_on_any_model(seed, shape):
    clf = classifier(seed, shape, KINDS)
    table = mixed_rows(clf, seed, 40)
    labels, *chances = answers(clf, table)
    frame = pl.from_arrow(table)
    for label, chance in zip(clf.classes_[::-1].tolist(), chances[::-1]):
        column = to_expression(clf, output="probability", label=label)
        assert nw.from_native(frame).select(p=column)["p"].to_list() == chance
    column = to_expression(clf, output="label")
    assert nw.from_native(frame).select(label=column)["label"].to_list() == labels
    names = ["prediction", *chance_names(clf)]
    for native in (table, frame.to_pandas()):
        added = nw.from_native(clf.predict_frame(native, outputs=OUTPUTS))
        assert [added[name].to_list() for name in names] == [labels, *chances]
    with duckdb.connect() as connection:
        connection.register("t", table)
        added = clf.predict_frame(connection.table("t"), outputs=OUTPUTS).fetchall()
    assert [[*one] for one in zip(*added)][-len(names) :] == [labels, *chances]


@pytest.mark.no_cover
@pytest.mark.parametrize("shape", ["rules", "per class"])
@pytest.mark.parametrize("seed", SEEDS)
def test_postgres_agrees(seed, shape, psql, tmp_path):
    clf = classifier(seed, shape, ("number", "free", "turning", "unordered", "two-valued"))
    table = mixed_rows(clf, seed, 2_000)
    # An empty cell of the file that it reads is NULL.
    table = empty_is_missing(clf, without_gaps_beside_an_empty_label(clf, table))
    full = [all(one != "" for one in row.values()) for row in table.to_pylist()]
    table = table.filter(pa.array(full))
    labels, *chances = on_postgres(psql, table, asked(clf, dialect="postgres"), tmp_path)
    found = [[*labels], *([*map(float, one)] for one in chances)]
    assert found == [*answers(clf, table)]


@costly
@given(seed=st.integers(0, 2**32), shape=st.sampled_from(SHAPES))
def test_documents_follow_their_schemas_and_decide_alike(seed, shape):
    clf = classifier(seed, shape, KINDS)
    assert_follows_the_schema(to_pmml(clf))
    text = to_dmn(clf)
    root = lxml.etree.fromstring(text.encode())
    dmn_schema().assertValid(root)
    table = mixed_rows(clf, seed, 20)
    rows = plain_rows(table.rename_columns(inputs(root)))
    assert [decided(text, row, by_hand) for row in rows] == clf.predict(table).tolist()


@pytest.mark.no_cover
@pytest.mark.filterwarnings("ignore")  # of pypmml and what it imports
@shaped
@pytest.mark.parametrize("seed", SEEDS)
def test_another_engine_decides_by_pmml_alike(seed, shape, engine):
    clf = classifier(seed, shape, KINDS)
    table = mixed_rows(clf, seed, 1_000)
    text = to_pmml(clf)
    found = json.loads(engine(text).predict(json.dumps(plain_rows(table))))
    label = "class" if "<Scorecard" in text else "predicted_class"
    assert [row[label] for row in found] == clf.predict(table).tolist()


def plain_rows(table):
    """Rows as PMML and DMN read them: days for dates, and nothing for NaN, which JSON lacks."""
    return [
        {name: None if cell != cell else _in_days(cell) for name, cell in row.items()}
        for row in table.to_pylist()
    ]


def test_tables_of_dates_are_read_by_another_engine():
    rng = np.random.default_rng(0)
    days = np.datetime64("2019-01-01") + rng.integers(0, 900, 200)
    X = pd.DataFrame({"since": days.astype("M8[us]"), "home": rng.choice(["own", "rent"], 200)})
    clf = SugenoClassifier(levels=2).fit(X, (days > np.datetime64("2020-02-03")).astype(int))
    text = to_dmn(clf)
    assert 'label="since, in days since 1970"' in text
    assert "since &gt;= 2020-02-" in text  # the sentence beside the table
    rows = plain_rows(pa.Table.from_pandas(X[["since"]]))
    found = [decided(text, row, by_spiff) for row in rows]
    assert found == clf.predict(X).tolist()
    assert {*found} == {0, 1}


def test_learned_classifiers_are_exported():
    X, y = applicants()
    clf = SugenoClassifier(levels=2).fit(X, y)
    frame = pl.from_pandas(X)
    labels, chances = answers(clf, X)
    for column in ("since", None):
        if column:  # dates without a time of day
            frame = frame.with_columns(pl.col(column).cast(pl.Date))
        assert on_duckdb(frame.to_arrow(), asked(clf)) == [labels, chances]
        added = clf.predict_frame(frame, outputs=OUTPUTS)
        assert added["prediction"].to_list() == labels
    module = {}
    exec(to_python(clf), module)
    assert [module["label"](row) for row in frame.to_dicts()] == labels
    assert [module["probability"](row) for row in X.to_dict("records")] == chances


def test_durations_are_read_in_days():
    rng = np.random.default_rng(0)
    waited = pd.to_timedelta(rng.integers(0, 10**6, 300), "s")
    X = pd.DataFrame({"waited": waited, "home": rng.choice(["own", "rent"], 300)})
    clf = SugenoClassifier().fit(X, (waited > "6 days") & (X["home"] == "own"))
    added = clf.predict_frame(pl.from_pandas(X))
    assert added["prediction"].to_list() == clf.predict(X).tolist()


@pytest.mark.parametrize("kind", ["pandas", "polars", "lazy", "pyarrow"])
def test_dates_with_a_time_zone_are_read_as_their_clock_shows_them(kind):
    hours = pd.date_range("2026-01-01", periods=300, freq="h", tz="Asia/Tokyo")
    X = pd.DataFrame({"at": hours[np.random.default_rng(0).permutation(300)], "n": range(300)})
    clf = SugenoClassifier().fit(X, X["at"] >= hours[150])
    frames = {"pandas": X, "pyarrow": pa.Table.from_pandas(X), "polars": pl.from_pandas(X)}
    frames["lazy"] = frames["polars"].lazy()
    added = nw.from_native(clf.predict_frame(frames[kind])).lazy().collect()
    assert added["prediction"].to_list() == clf.predict(X).tolist()


def test_categories_may_be_numbers_and_enumerations_in_a_frame():
    rng = np.random.default_rng(0)
    codes = rng.integers(1, 5, 200)
    X = pd.DataFrame({"code": codes.astype(str), "x": rng.random(200)})
    clf = SugenoClassifier(directions={"x": 1}).fit(X, np.isin(codes, [2, 3]))
    labels = clf.predict(X).tolist()
    assert {*labels} == {False, True}
    for kind in (pl.Int64, pl.Float64, pl.String, pl.Categorical):
        cells = pl.Series("code", codes).cast(pl.Int64)
        cells = cells.cast(pl.String).cast(kind) if kind == pl.Categorical else cells.cast(kind)
        frame = pl.DataFrame({"code": cells, "x": X["x"].to_numpy()})
        assert clf.predict_frame(frame)["prediction"].to_list() == labels


def test_sql_says_what_is_missing_and_what_was_never_seen():
    X, y = applicants()
    written = to_sql(SugenoClassifier(levels=2).fit(X, y))
    assert "\"home\" IN ('own')" in written
    assert '"income" IS NULL' in written


def test_what_a_language_cannot_hold_is_refused_with_the_remedy():
    X, y = applicants()
    clf = SugenoClassifier(levels=2).fit(X, y)
    with pytest.raises(ValueError, match=r"sugeno\.export\.to_onnx converts it"):
        register_onnx(clf)
    with pytest.raises(ValueError, match="must be converted alone"):
        to_onnx(make_pipeline(clf))
    with pytest.raises(ValueError, match="must be converted alone"):
        to_onnx(clf, initial_types=[])
