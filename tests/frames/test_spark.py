"""The same model from Spark, at any partitioning. One session, since it takes long to start."""

import os
import sys
import warnings

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from sklearn.base import clone

from frames.engines import (
    CRITERIA,
    in_memory,
    lazy_polars_frame,
    loans,
    nameless,
    nulls_for_nan,
    ordinal_loans,
    with_gaps,
)
from frames.test_mixed_frames import assert_same, rows_of
from sugeno import SugenoClassifier, SugenoEnsembleClassifier

pytestmark = [
    pytest.mark.xdist_group("spark"),  # one session
    # Spark's own code, and sockets that its gateway closes when Python ends.
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::FutureWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::UserWarning:pyspark"),
]


@pytest.fixture(scope="module")
def spark():
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    os.environ["PYSPARK_PYTHON"] = sys.executable
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pyspark.sql import SparkSession

        settings = {
            "spark.ui.enabled": "false",
            "spark.ui.showConsoleProgress": "false",
            "spark.sql.shuffle.partitions": "2",
            "spark.driver.memory": "512m",
            # Queries of a few rows, each asked once: compiling them takes longer than they do.
            "spark.sql.codegen.wholeStage": "false",
            "spark.sql.codegen.factoryMode": "NO_CODEGEN",
            "spark.sql.adaptive.enabled": "false",
            "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
        }
        session = SparkSession.builder.master("local[1, 2]").config(map=settings).getOrCreate()
    yield session
    session.stop()


@pytest.mark.parametrize("partitions", [1, 5])
def test_the_model_of_fit_byte_for_byte(spark, partitions):
    table = loans(120)
    X, y = in_memory(table)
    frame = spark.createDataFrame(table.to_pandas()).repartition(partitions)
    reference = SugenoClassifier(class_weight="balanced").fit(
        X, y, sample_weight=table["importance"]
    )
    clf = SugenoClassifier(class_weight="balanced").fit_frame(
        frame, "paid", weight="importance", features=CRITERIA
    )
    assert nameless(clf) == nameless(reference)


def test_not_a_number_and_null_are_missing(spark):
    rows = [(1.0, 0), (2.0, 1), (float("nan"), 1), (None, 0)]
    frame = spark.createDataFrame(rows, "x double, y int")
    with pytest.raises(ValueError, match=r"'x' must hold finite numbers\. Got 2 that are null"):
        SugenoClassifier().fit_frame(frame, "y")


@pytest.mark.parametrize(
    ("value", "titles"),
    [
        (2.0, ["-- labels", "-- distinct rows, packed"]),
        (2.5, ["-- labels", "-- values of 'x'", "-- patterns of 1 literals"]),
    ],
)
def test_the_plan_of_each_pass_can_be_read(spark, value, titles):
    passes = []
    frame = spark.createDataFrame([(1.0, 0), (value, 1)], "x double, y int")
    clf = SugenoClassifier(threshold=0.5).fit_frame(frame, "y", explain=passes.append)
    assert [text.splitlines()[0] for text in passes] == titles
    assert all("HashAggregate" in text for text in passes)
    assert clf.n_passes_ == len(titles)
    assert clf.predict(pd.DataFrame({"x": [1.0, value]})).tolist() == [0, 1]


@pytest.mark.parametrize("weight", [None, "importance"])
@pytest.mark.parametrize("make", [loans, ordinal_loans])
def test_the_sample_is_that_of_other_engines(spark, make, weight):
    # Of one table the engine computes the hashes, of the other they are computed in memory.
    table = with_gaps(make(200))
    rows = [tuple(row.values()) for row in table.to_pylist()]
    kinds = "income long, debt double, owner boolean, age int, paid string, importance double"
    frame = spark.createDataFrame(rows, kinds).repartition(3)
    clf = SugenoEnsembleClassifier(n_bags=2, max_rounds=20, missing="pessimistic")
    asked = {"target": "paid", "weight": weight, "features": CRITERIA, "sample": 50}
    expected, found = (
        clone(clf).fit_frame(one, **asked) for one in (lazy_polars_frame(table), frame)
    )
    assert nameless(found) == nameless(expected)
    assert 50 <= found.n_sampled_ == expected.n_sampled_ < 100


def test_decisions_are_those_of_predict(spark, tmp_path):
    X, y = in_memory(loans(200))
    clf = SugenoClassifier(levels=2, missing="pessimistic").fit(X.astype(float), y)
    literals, rng = clf.model_.boundaries[0].literals, np.random.default_rng(0)
    strange = [np.nan, 0.0, -0.0, 5e-324, -5e-324, 1e308, -1e308, 2.0**53 + 2]
    n = 100_000
    columns = {"row": np.arange(n)}
    for j, name in enumerate(CRITERIA):
        at = literals.levels[literals.columns == j]
        near = [at, np.nextafter(at, np.inf), np.nextafter(at, -np.inf), strange]
        columns[name] = rng.choice(np.concatenate(near), n)
    rows = pd.DataFrame(columns)
    pq.write_table(nulls_for_nan(columns), tmp_path / "rows.parquet")
    outputs = ["prediction", "probability", "rule"]
    frame = spark.read.parquet(str(tmp_path / "rows.parquet"))
    answer = clf.predict_frame(frame, outputs=outputs).orderBy("row").toArrow().to_pydict()
    assert answer["prediction"] == clf.predict(rows[CRITERIA]).tolist()
    probability = clf.predict_proba(rows[CRITERIA])[:, 1]
    assert answer["probability"] == probability.tolist()
    assert [rule is not None for rule in answer["rule"]] == (probability > 0.5).tolist()


def visits(n=150):
    """Text, gaps, codes, dates, a truth value, and a number of the row."""
    rng = np.random.default_rng(0)
    home, months = rng.choice(["own", "rent", None], n), rng.integers(0, 40, n).astype(float)
    months[: n // 5] = -9
    day = np.datetime64("2020-01-01") + rng.integers(0, 900, n)
    member = rng.random(n) < 0.5
    merit = sum([home == "own", months > 20, member, day > np.datetime64("2021-01-01")], 0)
    columns = {
        "home": home,
        "months": pa.array(months, mask=rng.random(n) < 0.1),
        "day": pa.array(day.astype("M8[us]")),
        "member": member,
        "row": rng.permutation(n),
        "paid": np.where(merit + rng.random(n) > 2, "yes", "no"),
    }
    return pa.table(columns)


def test_columns_of_any_kind_are_learned_and_decided_alike(spark):
    table = visits()
    rows = [tuple(row.values()) for row in table.to_pylist()]
    kinds = "home string, months double, day timestamp_ntz, member boolean, row int, paid string"
    frame = spark.createDataFrame(rows, kinds).repartition(3)
    X, y = rows_of(table)
    special = {"months": {-9: "no record"}}
    expected = SugenoClassifier(levels=2, special=special).fit(X, y)
    clf = SugenoClassifier(levels=2, special=special).fit_frame(frame, "paid")
    assert_same(clf, expected, X)
    assert clf.columns_["row"].left_out == "consecutive whole numbers, each once"
    added = clf.predict_frame(frame, outputs=["prediction", "probability"]).orderBy("row")
    answers, order = added.toArrow(), np.argsort(X["row"])
    assert answers["prediction"].to_pylist() == expected.predict(X)[order].tolist()
    probability = expected.predict_proba(X)[order, 1]
    assert answers["probability"].to_pylist() == probability.tolist()


def failing(marker, always):
    def passed_on(parts):
        if always or not os.path.exists(marker):
            open(marker, "w").close()
            raise OSError("the disk of this executor is full")
        yield from parts

    return passed_on


def test_a_task_that_fails_once_changes_nothing(spark, tmp_path):
    table = loans(60)
    frame = spark.createDataFrame(table.to_pandas()).repartition(2)
    marker = str(tmp_path / "failed")
    shaky = frame.mapInPandas(failing(marker, always=False), frame.schema)
    clf = SugenoClassifier(threshold=0.5).fit_frame(shaky, "paid", features=["income"])
    assert os.path.exists(marker)
    X, y = in_memory(table)
    reference = SugenoClassifier(threshold=0.5).fit(X[["income"]], y)
    assert nameless(clf) == nameless(reference)


def test_a_task_that_keeps_failing_is_an_error_that_says_why(spark, tmp_path):
    frame = spark.createDataFrame(loans(60).to_pandas())
    broken = frame.mapInPandas(failing(str(tmp_path / "failed"), always=True), frame.schema)
    with pytest.raises(Exception, match="the disk of this executor is full"):
        SugenoClassifier().fit_frame(broken, "paid", features=CRITERIA)
