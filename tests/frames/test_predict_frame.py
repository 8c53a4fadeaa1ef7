"""Engines decide as `predict` does, on rows chosen to make them differ."""

from decimal import Decimal

import narwhals as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from frames.engines import (
    ALL,
    CRITERIA,
    QUICK,
    duckdb_relation,
    ibis_table,
    in_memory,
    loans,
    nulls_for_nan,
    polars_frame,
)
from random_models import without_literals
from small_rules import classifier_of
from sugeno import RuleClassifier, SugenoClassifier, SugenoOrdinalClassifier
from sugeno.export.frames import answers_of_patterns, number_of_patterns

LOANS = loans()
ALL_OUTPUTS = ["prediction", "probability", "rule"]


@pytest.fixture(scope="module")
def fitted():
    X, y = in_memory(LOANS)
    return SugenoClassifier(levels=3, missing="pessimistic").fit(X.astype(float), y)


def adversarial(clf, n):
    """Rows at the levels and next to them, missing, infinitesimal and enormous values."""
    rng = np.random.default_rng(1)
    literals = clf.model_.boundaries[0].literals
    strange = [np.nan, 0.0, -0.0, 5e-324, -5e-324, 1e308, -1e308, 2.0**53 + 2]
    columns = {}
    for j, name in enumerate(CRITERIA):
        at = literals.levels[literals.columns == j]
        near = [at, np.nextafter(at, np.inf), np.nextafter(at, -np.inf), at.astype(np.float32)]
        columns[name] = rng.choice(np.concatenate([*near, strange]), n)
    return columns


def column(frame, name):
    collected = nw.from_native(frame).lazy().collect()
    return collected[name].to_list()


def first_rules(clf, X):
    """The first rule whose literals a row satisfies, or None; in another way than engines do."""
    literals = clf.model_.boundaries[0].literals
    values, signs = X.to_numpy()[:, literals.columns], literals.directions[literals.columns]
    satisfied = signs * values >= signs * literals.levels  # NaN compares with nothing
    held = np.array([satisfied[:, members].all(axis=1) for members in clf.rules_.sets])
    texts = [*clf.rules_]
    return [texts[row.argmax()] if row.any() else None for row in held.T]


@pytest.mark.parametrize("engine", ALL)
def test_every_engine_decides_as_predict_does(engine, fitted):
    n = 100_000
    columns = adversarial(fitted, n)
    columns["row"] = np.arange(n)
    decided = fitted.predict_frame(engine(nulls_for_nan(columns)), outputs=ALL_OUTPUTS)
    answer = nw.from_native(decided).lazy().collect().sort("row")
    X = pd.DataFrame(columns)[CRITERIA]
    assert answer["prediction"].to_list() == fitted.predict(X).tolist()
    probability = fitted.predict_proba(X)[:, 1]
    if engine is ibis_table:  # writes numbers as decimals, and loses a bit
        np.testing.assert_allclose(answer["probability"].to_list(), probability, rtol=1e-15)
    else:
        assert answer["probability"].to_list() == probability.tolist()
    rules = [rule if isinstance(rule, str) else None for rule in answer["rule"].to_list()]
    assert rules == first_rules(fitted, X)
    assert next(iter(fitted.rules_)) in rules


@pytest.mark.parametrize("most", [1 << 14, 0])
def test_a_table_of_answers_says_what_rules_say_one_by_one(fitted, most, monkeypatch):
    monkeypatch.setattr("sugeno.export.frames.MOST_PATTERNS", most)
    frame = nulls_for_nan(adversarial(fitted, 3_000) | {"row": np.arange(3_000)})
    decided = fitted.predict_frame(duckdb_relation(frame), outputs=ALL_OUTPUTS)
    assert ("list_extract" in decided.sql_query()) == (most > 0)
    other = fitted.predict_frame(polars_frame(frame), outputs=ALL_OUTPUTS).sort("row")
    for name in ALL_OUTPUTS:
        assert column(decided.order("row"), name) == other[name].to_list(), name


def test_the_table_has_an_answer_for_every_pattern(fitted):
    answers = answers_of_patterns(fitted.model_, ALL_OUTPUTS)
    counts = np.bincount(fitted.model_.boundaries[0].literals.columns)
    assert [len(answers[name]) for name in ALL_OUTPUTS] == [np.prod(counts + 1)] * 3
    assert number_of_patterns(fitted.model_) == np.prod(counts + 1)


def test_quotes_in_the_names_of_criteria_reach_the_engine_as_they_are():
    clf = SugenoClassifier().fit(pd.DataFrame({"it's": [1, 2, 3, 4]}), [0, 0, 1, 1])
    frame = duckdb_relation(pa.table({"it's": [2, 3]}))
    assert column(clf.predict_frame(frame, outputs=["rule"]), "rule") == [None, "it's >= 3"]


def typed(kind):
    """Tenths as far as the type has them."""
    if kind == pa.bool_():
        return pa.array(np.arange(100) % 2 == 1)
    if pa.types.is_decimal(kind):
        return pa.array([Decimal(i) / 10 for i in range(100)], kind)
    return pa.array((np.arange(100) / 10).astype(kind.to_pandas_dtype()))


KINDS = [pa.float32(), pa.int16(), pa.decimal128(9, 2), pa.bool_()]


@pytest.mark.parametrize("engine", QUICK)
@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_columns_of_other_types_are_compared_as_doubles(engine, kind):
    values = typed(kind)
    X = pd.DataFrame({"x": [float(value) for value in values.to_pylist()]})
    for direction in (1, -1):
        y = direction * X["x"] > direction * X["x"].mean()
        # Levels of tenths, which floats of 32 bits miss.
        clf = SugenoClassifier(directions=[direction]).fit(pd.DataFrame({"x": X["x"].round(1)}), y)
        decided = clf.predict_frame(engine(pa.table({"x": values})))
        assert column(decided, "prediction") == clf.predict(X).tolist()


def test_clauses_name_the_one_that_fails():
    X, y = in_memory(LOANS)
    learned = SugenoClassifier(levels=2).fit(X, y)
    clf = RuleClassifier.from_rules(learned.rules_.dual(), X, y)
    decided = clf.predict_frame(X, outputs=["prediction", "rule"])
    failed = decided["rule"].notna()
    assert (failed == (clf.predict(X) != clf.classes_[1])).all()
    assert set(decided["rule"][failed]) <= set(clf.rules_)


def test_labels_are_found_by_their_names():
    grades = ["poor", "fair", "good"]
    frame = pl.DataFrame(
        {"grade": pl.Series(grades * 3, dtype=pl.Enum(grades)), "y": [0, 0, 1] * 3}
    )
    clf = SugenoClassifier().fit_frame(frame, "y")
    for native in (frame, frame.lazy(), frame.to_arrow(), frame.to_pandas()):
        assert column(clf.predict_frame(native), "prediction") == [0, 0, 1] * 3


def test_files_are_decided_on_and_written_without_being_read(fitted, tmp_path):
    pq.write_table(LOANS, tmp_path / "loans.parquet")
    relation = fitted.predict_frame(tmp_path / "*.parquet")
    relation.write_parquet(str(tmp_path / "decided.parquet"))
    X, _ = in_memory(LOANS)
    decided = pq.read_table(tmp_path / "decided.parquet")
    assert decided["prediction"].to_pylist() == fitted.predict(X.astype(float)).tolist()


def test_truth_values_in_files_of_commas(tmp_path):
    frame = pd.DataFrame({"x": [True, False] * 5, "y": [1, 0] * 5})
    frame.to_csv(tmp_path / "rows.csv", index=False)
    clf = SugenoClassifier().fit_frame(tmp_path / "rows.csv", "y")
    assert column(clf.predict_frame(tmp_path / "rows.csv"), "prediction") == [1, 0] * 5


def test_what_is_lazy_stays_lazy(fitted):
    lazy = pl.LazyFrame({name: [1.0] for name in CRITERIA}).map_batches(_refuse)
    assert isinstance(fitted.predict_frame(lazy), pl.LazyFrame)


def _refuse(frame):
    raise RuntimeError("collected")


def test_columns_that_are_there_are_not_replaced(fitted):
    frame = pl.DataFrame({**{name: [1.0] for name in CRITERIA}, "rule": ["mine"]})
    with pytest.raises(ValueError, match=r"must not have columns \['rule'\] already"):
        fitted.predict_frame(frame, outputs=ALL_OUTPUTS)
    assert fitted.predict_frame(frame)["rule"].to_list() == ["mine"]
    with pytest.raises(ValueError, match=r"Got \['score'\] instead"):
        fitted.predict_frame(frame, outputs=["score"])


def three_classes(kind):
    """Loans in three classes, and a classifier of them that takes them in order or without one."""
    X, _ = in_memory(LOANS)
    X = X.astype(float)
    score = X.rank().sum(axis=1, skipna=True)
    y = np.array(["a", "b", "c"])[np.searchsorted(np.quantile(score, [0.3, 0.6]), score)]
    order = {"classes": ["a", "b", "c"]} if kind is SugenoOrdinalClassifier else {}
    return kind(levels=2, missing="pessimistic", **order).fit(X, y)


@pytest.mark.filterwarnings("ignore::sugeno.WeakDirectionWarning")
@pytest.mark.parametrize("engine", QUICK)
@pytest.mark.parametrize("kind", [SugenoOrdinalClassifier, SugenoClassifier])
def test_more_than_two_classes_have_a_probability_each_and_a_rule(engine, kind):
    clf = three_classes(kind)
    levels = SugenoClassifier(levels=3, missing="pessimistic").fit(
        in_memory(LOANS)[0].astype(float), in_memory(LOANS)[1]
    )
    columns = adversarial(levels, 3_000) | {"row": np.arange(3_000)}
    decided = clf.predict_frame(engine(nulls_for_nan(columns)), outputs=ALL_OUTPUTS)
    answer = nw.from_native(decided).lazy().collect().sort("row")
    X = pd.DataFrame(columns)[CRITERIA]
    assert answer["prediction"].to_list() == clf.predict(X).tolist()
    found = np.column_stack([answer[f"probability_{label}"].to_list() for label in "abc"])
    np.testing.assert_array_equal(found, clf.predict_proba(X))
    rules = [one if isinstance(one, str) else None for one in answer["rule"].to_list()]
    texts = dict(zip("bc", clf.rules_)) if kind is SugenoOrdinalClassifier else clf.rules_
    for label, rule in {*zip(answer["prediction"].to_list(), rules)}:
        assert rule is None or rule in [*texts[label]]
    assert any(rules)


@pytest.mark.parametrize("engine", QUICK)
@pytest.mark.parametrize("accepted", [False, True])
def test_models_without_literals_decide_on_every_engine(engine, accepted):
    clf = classifier_of(without_literals(accepted))
    decided = clf.predict_frame(engine(pa.table({"x": [1.0, None]})), outputs=ALL_OUTPUTS)
    assert column(decided, "prediction") == [int(accepted)] * 2
    assert column(decided, "probability") == [0.75 if accepted else 0.25] * 2
    rules = [one if isinstance(one, str) else None for one in column(decided, "rule")]
    assert rules == (["always"] * 2 if accepted else [None] * 2)
