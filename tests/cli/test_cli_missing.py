"""Missing cells, and orders that a file brings with it."""

import io

import numpy as np
import pandas as pd
import polars as pl
import pytest

import sugeno
from cli.running import fine, run
from sugeno import SugenoClassifier
from sugeno.cli import reading

SIZES = ["small", "medium", "large"]
DIRECTIONS = ("--direction", "price=-", "--direction", "speed=+")
ORDER = ("--order", "size=small,medium,large", *DIRECTIONS)


def cars(n=120):
    rng = np.random.default_rng(3)
    size, price = rng.choice(SIZES, n).astype(object), rng.integers(1, 10, n).astype(float)
    sold = (size == "large") & (price <= 6) | (price <= 2)
    size[rng.random(n) < 0.1] = None
    price[rng.random(n) < 0.1] = np.nan
    speed = rng.integers(1, 5, n)
    return pd.DataFrame(
        {"size": size, "price": price, "speed": speed, "sold": np.where(sold, "yes", "no")}
    )


def criteria(frame):
    return frame[["size", "price", "speed"]]


@pytest.fixture
def data(tmp_path):
    file = tmp_path / "cars.csv"
    cars().to_csv(file, index=False)
    return file


@pytest.mark.parametrize("reading", ["pessimistic", "optimistic", "interval"])
def test_missing_cells_mean_what_the_option_says(data, tmp_path, reading):
    model, out = tmp_path / "model.json", tmp_path / "decided.csv"
    options = ("--k", "all", "--levels", 2, "--missing", reading)
    fine("fit", data, "-t", "sold", *ORDER, *options, "-o", model)
    table = cars()
    numbers = np.column_stack(
        [table["size"].map(SIZES.index, na_action="ignore"), table["price"], table["speed"]]
    ).astype(float)
    learned = SugenoClassifier(
        levels=2, missing=reading, directions=[1, -1, 1], positive="yes"
    ).fit(numbers, table["sold"])
    loaded = sugeno.load(model)
    assert loaded.model_.missing == reading
    assert loaded.rules_.sets == learned.rules_.sets
    fine("predict", model, data, "-o", out)
    assert pd.read_csv(out)["prediction"].to_list() == learned.predict(numbers).tolist()
    sentences = fine("explain", model, data).output.splitlines()
    found = loaded.explain(criteria(table)).sentences()
    assert sentences == [f"{i}: {text}" for i, text in enumerate(found, 1)]
    counted = learned.rules_table(numbers, table["sold"])
    shown = fine("rules", model, "--data", data, "--format", "csv").output
    assert pd.read_csv(io.StringIO(shown))["support"].to_list() == counted["support"].to_list()


def test_by_default_the_place_of_missing_cells_is_found_and_said(data):
    shown = fine("fit", data, "-t", "sold", *ORDER).output
    assert "missing" in shown.splitlines()[2]
    assert "as good as" in shown or "than all others" in shown


def test_a_model_that_knows_no_missing_values_refuses_them(data, tmp_path):
    model = tmp_path / "model.json"
    fine("fit", data, "-t", "sold", *ORDER, "--k", "all", "--drop-missing", "-o", model)
    result = run("predict", model, data)
    assert result.exit_code == 2
    assert "Got nothing" in result.stderr


def test_folds_are_judged_with_missing_cells(data):
    shown = fine(
        "evaluate", data, "-t", "sold", *ORDER, "--k", 2, "--missing", "pessimistic", "--cv", 3
    )
    assert shown.output.startswith("error ")


def _by_pandas(frame, file):
    frame.assign(size=pd.Categorical(frame["size"], SIZES, ordered=True)).to_parquet(file)


def _by_polars(frame, file):
    table = pl.from_pandas(frame)
    table.with_columns(pl.col("size").cast(pl.Enum(SIZES))).write_parquet(file)


@pytest.mark.parametrize("write", [_by_pandas, _by_polars])
def test_an_order_in_a_parquet_file_needs_no_option(data, tmp_path, write):
    file, named, known = (tmp_path / name for name in ("cars.parquet", "named.json", "known.json"))
    write(cars(), file)
    options = (
        "-t",
        "sold",
        "--direction",
        "price=-",
        "--direction",
        "speed=+",
        "--k",
        "all",
        "--missing",
        "interval",
    )
    fine("fit", data, *options, "--order", "size=small,medium,large", "-o", named)
    fine("fit", file, *options, "-o", known)
    assert known.read_bytes() == named.read_bytes()
    turned = tmp_path / "turned.json"
    fine("fit", file, *options, "--order", "size=large,medium,small", "-o", turned)
    assert turned.read_bytes() != named.read_bytes()


def test_polars_alone_reads_the_order_too(tmp_path):
    file = tmp_path / "cars.parquet"
    _by_polars(cars(), file)
    content = file.read_bytes()
    assert reading._parquet_by_polars(content) == reading._parquet(content)


def test_labels_without_an_order_get_the_one_that_the_rows_show(tmp_path):
    file = tmp_path / "cars.parquet"
    cars().dropna().assign(size=lambda frame: frame["size"].astype("category")).to_parquet(file)
    result = run("fit", file, "-t", "sold", "--k", "1")
    assert result.exit_code == 0, result.output
    assert "size is " in result.stdout or " above " in result.stdout
