"""Ensembles are decided alike by every engine; probabilities by all but the last bits of exp."""

import narwhals as nw
import numpy as np
import onnxruntime
import pandas as pd
import polars as pl
import pytest

from export.ordinal_frames import on_duckdb
from export.postgres_server import on_postgres
from export.test_mixed_exports import (
    KINDS,
    OUTPUTS,
    answers,
    asked,
    by_onnx,
    empty_is_missing,
    without_gaps_beside_an_empty_label,
)
from mixed_models import mixed_rows
from random_models import rows_for
from random_sums import mixed_sum, ordered_sum, random_sum, sums_per_class
from sugeno import RuleClassifier, SugenoEnsembleClassifier
from sugeno.export import to_dmn, to_expression, to_onnx, to_pmml, to_python, to_sql

SEEDS = range(6)
#: Of exp and of the quotient after it: a few units in the last place.
close = {"rtol": 4e-15, "atol": 0}


def assert_alike(found, clf, table):
    """The same labels, and the same probabilities but for the last bits."""
    labels, chances = answers(clf, table)
    assert [*found[0]] == labels
    np.testing.assert_allclose([*map(float, found[1])], chances, **close)


@pytest.mark.parametrize("seed", SEEDS)
def test_rows_of_any_kind_are_decided_alike(seed):
    clf = RuleClassifier.of(mixed_sum(seed, kinds=KINDS))
    table = mixed_rows(clf, seed, 2_000)
    assert_alike(on_duckdb(table, asked(clf)), clf, table)
    frame = pl.from_arrow(table)
    for native in (table, frame.lazy(), frame.to_pandas()):
        added = nw.from_native(clf.predict_frame(native, outputs=OUTPUTS)).lazy().collect()
        assert_alike([added[name].to_list() for name in OUTPUTS], clf, table)
    module = {}
    exec(to_python(clf), module)
    rows = table.slice(0, 500).to_pylist()
    told = ([module["label"](row) for row in rows], [module["probability"](row) for row in rows])
    assert told == answers(clf, table.slice(0, 500))
    table = without_gaps_beside_an_empty_label(clf, table)
    found = by_onnx(clf, table)
    assert_alike(found, clf, empty_is_missing(clf, table))


def test_an_expression_adds_up_too():
    clf = RuleClassifier.of(mixed_sum(1, kinds=KINDS))
    table = mixed_rows(clf, 1, 200)
    frame = nw.from_native(pl.from_arrow(table))
    told = frame.select(*(to_expression(clf, output=one) for one in ("label", "probability")))
    assert_alike([told["label"].to_list(), told["probability"].to_list()], clf, table)
    accepted = frame.select(to_expression(clf))["accepted"].to_list()
    assert accepted == (clf.predict(table) == clf.positive_).tolist()


@pytest.mark.parametrize("seed", SEEDS)
def test_postgres_adds_up_alike(seed, psql, tmp_path):
    clf = RuleClassifier.of(mixed_sum(seed, kinds=("number", "free", "unordered", "two-valued")))
    table = mixed_rows(clf, seed, 1_000)
    table = empty_is_missing(clf, without_gaps_beside_an_empty_label(clf, table))
    full = [all(one != "" for one in row.values()) for row in table.to_pylist()]
    table = table.filter(full)
    found = on_postgres(psql, table, asked(clf, dialect="postgres"), tmp_path)
    assert_alike(found, clf, table)


def test_classes_without_an_order_are_decided_alike():
    model = sums_per_class(4, m=3, labelled=False)
    names = [one.name for one in model.criteria]
    clf = RuleClassifier.of(model)
    frame = pd.DataFrame(rows_for(model.models[0], 4, 500), columns=names)
    rows = frame if model.models[0].has_names else frame.to_numpy()
    labels, chances = clf.predict(rows).tolist(), clf.predict_proba(rows)
    assert len({*labels}) > 1
    added = clf.predict_frame(pl.from_pandas(frame), outputs=OUTPUTS)
    assert added["prediction"].to_list() == labels
    for place, label in enumerate(clf.classes_):
        np.testing.assert_allclose(added[f"probability_{label}"], chances[:, place], **close)
    module = {}
    exec(to_python(clf), module)
    rows = frame.to_dict("records")
    assert [module["label"](row) for row in rows] == labels
    told = [[*module["probabilities"](row).values()] for row in rows]
    np.testing.assert_array_equal(told, chances)
    found = on_duckdb(pl.from_pandas(frame).to_arrow(), [to_sql(clf)])
    assert found[0] == labels


@pytest.mark.parametrize("seed", SEEDS)
def test_ordered_classes_are_decided_alike(seed):
    model = ordered_sum(seed, labelled=False)
    names = [one.name for one in model.criteria]
    clf = RuleClassifier.of(model)
    numbers = rows_for(model.boundaries[seed % 3], seed, 400)
    frame = pd.DataFrame(numbers, columns=names)
    rows = frame if model.has_names else numbers
    labels, chances = clf.predict(rows).tolist(), clf.predict_proba(rows)
    assert len({*labels}) > 1
    near = {"rtol": 1e-13, "atol": 1e-15}
    added = clf.predict_frame(pl.from_pandas(frame), outputs=OUTPUTS)
    assert added["prediction"].to_list() == labels
    for place, label in enumerate(clf.classes_):
        np.testing.assert_allclose(added[f"probability_{label}"], chances[:, place], **near)
    module = {}
    exec(to_python(clf), module)
    told = [module["probabilities"](row) for row in frame.to_dict("records")]
    assert [module["label"](row) for row in frame.to_dict("records")] == labels
    told = [[one[label] for label in clf.classes_] for one in told]
    np.testing.assert_allclose(told, chances, **near)
    found = on_duckdb(pl.from_pandas(frame).to_arrow(), asked(clf))
    assert found[0] == labels
    np.testing.assert_allclose(np.array(found[1:], dtype=float).T, chances, **near)
    session = onnxruntime.InferenceSession(to_onnx(clf).SerializeToString())
    labelled, likely = session.run(None, {"X": numbers})
    assert labelled.tolist() == labels
    np.testing.assert_allclose(likely, chances, **near)


def test_many_terms_are_added_a_few_at_a_time():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 4))
    clf = SugenoEnsembleClassifier(n_bags=2, max_rounds=60, directions=[1, 1, 1, 1])
    clf.fit(X, X[:, 0] * X[:, 1] + X[:, 2] > 0)
    assert sum(pair.joint[2].size for pair in clf.model_.boundaries[0].tables.pairs) > 100
    table = pl.DataFrame(X, schema=["x0", "x1", "x2", "x3"])
    assert_alike(on_duckdb(table.to_arrow(), asked(clf)), clf, X)
    added = clf.predict_frame(table, outputs=OUTPUTS)
    assert_alike([added[name].to_list() for name in OUTPUTS], clf, X)


def test_what_needs_rules_is_refused_with_the_remedy():
    clf = RuleClassifier.of(random_sum(0, labelled=False))
    for write in (to_pmml, to_dmn):
        with pytest.raises(TypeError, match="distill it into rules with SugenoDistiller"):
            write(clf)
    with pytest.raises(TypeError, match="must have rules or a card"):
        clf.predict_frame(pl.DataFrame({"x": [1]}), outputs=["rule"])
    optimistic = RuleClassifier.of(random_sum(0, missing="optimistic"))
    for write in (to_sql, to_python, to_onnx, to_pmml):
        with pytest.raises(ValueError, match="read a missing value as the worst"):
            write(optimistic)
