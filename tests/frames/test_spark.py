"""The same model from Spark, at any partitioning. One session, since it takes long to start."""

import os
import warnings

import pytest

import sugeno
from frames.engines import CRITERIA, in_memory, loans
from sugeno import SugenoClassifier

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
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pyspark.sql import SparkSession

        settings = {
            "spark.ui.enabled": "false",
            "spark.ui.showConsoleProgress": "false",
            "spark.sql.shuffle.partitions": "2",
            "spark.driver.memory": "512m",
        }
        session = SparkSession.builder.master("local[1]").config(map=settings).getOrCreate()
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
    assert sugeno.dumps(clf) == sugeno.dumps(reference)


def test_not_a_number_and_null_are_missing(spark):
    rows = [(1.0, 0), (2.0, 1), (float("nan"), 1), (None, 0)]
    frame = spark.createDataFrame(rows, "x double, y int")
    with pytest.raises(ValueError, match=r"'x' must hold finite numbers\. Got 2 that are null"):
        SugenoClassifier().fit_frame(frame, "y")
