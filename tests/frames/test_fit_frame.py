"""The same model to the last bit from every engine, and clear words where there is none."""

import math
import subprocess
import sys
import time
from datetime import time as time_of_day
from decimal import Decimal
from itertools import product

import duckdb
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
    LAZY,
    QUICK,
    duckdb_relation,
    ibis_table,
    in_memory,
    in_turn,
    lazy_polars_frame,
    loans,
    nameless,
    pandas_frame,
    shuffled,
)
from sugeno import (
    SugenoClassifier,
    SugenoClassifierCV,
    SugenoEnsembleClassifier,
    SugenoOrdinalClassifier,
)
from sugeno._counts.frame.columns import IntegerWeight
from sugeno._counts.weights import row_weights

LOANS = loans()

#: What of a fit is done by counts alone, and what fetches the distinct rows.
BY_COUNTS = [
    {},
    {"k": 2},
    {"threshold": 0.4},
    {"margin": 0.05},
    {"levels": 3},
    {"levels": "all"},
    {"levels": "single"},
    {"class_weight": "balanced"},
    {"class_weight": {"yes": 2.5}, "positive": "no"},
    {"directions": {"age": -1}, "normalized": False},
]
BY_ROWS = [
    {"threshold": "joint"},
    {"threshold": "mean-median"},
    {"threshold": "alternating", "class_weight": "balanced"},
    {"solver": "lp", "k": 2, "subsets": "top"},
]


def model_file(clf):
    return nameless(clf)


def from_frame(frame, weight=None, features=CRITERIA, **parameters):
    return SugenoClassifier(**parameters).fit_frame(
        frame, target="paid", weight=weight, features=features
    )


def from_memory(table, weight=None, **parameters):
    X, y = in_memory(table)
    weights = None if weight is None else table[weight].to_numpy()
    return SugenoClassifier(**parameters).fit(X, y, sample_weight=weights)


@pytest.mark.no_cover
@pytest.mark.parametrize("weight", [None, "importance"])
@pytest.mark.parametrize("engine", ALL)
def test_every_engine_gives_the_model_of_fit_byte_for_byte(engine, weight):
    clf = from_frame(engine(LOANS), weight)
    reference = from_memory(LOANS, weight)
    assert model_file(clf) == model_file(reference)
    assert clf.classes_.tolist() == ["no", "yes"]
    assert clf.feature_names_in_.tolist() == CRITERIA
    X, _ = in_memory(LOANS)
    np.testing.assert_array_equal(clf.predict_proba(X), reference.predict_proba(X))


@pytest.mark.no_cover
@pytest.mark.parametrize(
    ("parameters", "engine"),
    [
        (parameters, engine)
        for place, parameters in enumerate(BY_COUNTS + BY_ROWS)
        for engine in in_turn(place, LAZY, 1)
    ],
    ids=lambda given: getattr(given, "__name__", str(given)),
)
def test_whatever_the_parameters(parameters, engine):
    clf = from_frame(engine(LOANS), "importance", **parameters)
    assert model_file(clf) == model_file(from_memory(LOANS, "importance", **parameters))


@pytest.mark.parametrize("parameters", BY_COUNTS + BY_ROWS, ids=str)
def test_counts_alone_do_and_no_row_crosses_over_unless_rows_are_asked_for(parameters):
    said = []
    clf = SugenoClassifier(**parameters)
    clf.fit_frame(lazy_polars_frame(LOANS), "paid", features=CRITERIA, explain=said.append)
    assert any("distinct rows" in one for one in said) == (parameters in BY_ROWS)


@pytest.mark.no_cover
@pytest.mark.parametrize(
    ("seed", "engine"),
    [(seed, engine) for seed in range(6) for engine in in_turn(seed, LAZY, 1)],
)
def test_neither_the_order_of_the_rows_nor_the_table_matters(seed, engine):
    table = loans(n=30 + 40 * seed, seed=seed)
    reference = model_file(from_memory(table, "importance"))
    assert model_file(from_frame(engine(shuffled(table, seed)), "importance")) == reference


@pytest.mark.parametrize("partitions", [1, 7, 64])
def test_the_number_of_files_and_threads_does_not_matter(partitions, tmp_path):
    for i in range(partitions):
        part = LOANS.take(np.arange(i, LOANS.num_rows, partitions))
        pq.write_table(part, tmp_path / f"part{i}.parquet")
    clf = from_frame(tmp_path / "*.parquet", "importance")
    assert model_file(clf) == model_file(from_memory(LOANS, "importance"))


@pytest.mark.parametrize("engine", [*QUICK, ibis_table])
def test_levels_arrive_to_the_last_bit(engine):
    rng = np.random.default_rng(0)
    x = np.concatenate([start + np.arange(40) * np.spacing(start) for start in rng.random(5)])
    y = (x + rng.normal(scale=0.1, size=200) > 0.5).astype(int)
    clf = SugenoClassifier(levels="all").fit(pd.DataFrame({"x": x}), y)
    frame = engine(pa.table({"x": x, "y": y}))
    assert model_file(SugenoClassifier(levels="all").fit_frame(frame, "y")) == model_file(clf)


def test_files_of_commas_are_read_as_well(tmp_path):
    paid = pa.array([int(label == "yes") for label in LOANS["paid"].to_pylist()])
    table = LOANS.set_column(4, "paid", paid)
    table.to_pandas().to_csv(tmp_path / "loans.csv", index=False)
    clf = from_frame(str(tmp_path / "loans.csv"))
    assert model_file(clf) == model_file(from_memory(table))


@pytest.mark.no_cover
@pytest.mark.parametrize("engine", [lazy_polars_frame, duckdb_relation])
@pytest.mark.parametrize("power", [0, -3, 40, -40, 57])
def test_weights_become_the_same_integers(engine, power):
    # 57: whole numbers of too many digits. Thirds: none that a power of two makes whole.
    for part in (1.0, 3.0):
        weights = LOANS["importance"].to_numpy() / part * 2.0**power
        table = LOANS.set_column(5, "importance", pa.array(weights))
        clf = from_frame(engine(table), "importance")
        assert model_file(clf) == model_file(from_memory(table, "importance"))


KINDS = [pa.int8(), pa.uint16(), pa.int64(), pa.float32(), pa.decimal128(21, 2)]


@pytest.mark.no_cover
@pytest.mark.parametrize("engine", QUICK)
@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_every_kind_of_number(engine, kind):
    table = LOANS.set_column(0, "income", LOANS["income"].cast(pa.int64()).cast(kind))
    assert model_file(from_frame(engine(table))) == model_file(from_memory(LOANS))


def test_objects_that_are_not_looked_at_are_refused():
    income = pl.Series("income", [Decimal(1)] * LOANS.num_rows, dtype=pl.Object)
    with pytest.raises(ValueError, match="type Object instead; cast it to numbers"):
        from_frame(pl.from_arrow(LOANS).with_columns(income).lazy())


@pytest.mark.parametrize("engine", [pandas_frame, lazy_polars_frame, duckdb_relation])
def test_numbers_beyond_53_bits_are_rounded_as_numpy_rounds_them(engine):
    income = LOANS["income"].to_numpy() + 2**60 + np.arange(LOANS.num_rows) % 3
    table = LOANS.set_column(0, "income", pa.array(income))
    assert model_file(from_frame(engine(table))) == model_file(from_memory(table))


def test_ordered_categoricals_are_read_by_their_order():
    grades = ["poor", "fair", "good"]
    names = [grades[i // 2] for i in LOANS["income"].to_pylist()]
    frame = LOANS.to_pandas().assign(income=pd.Categorical(names, grades, ordered=True))
    reference = SugenoClassifier().fit(frame[CRITERIA], np.array(frame["paid"].tolist()))
    polars = pl.from_arrow(LOANS).with_columns(pl.Series("income", names, pl.Enum(grades)))
    connection = duckdb.connect()
    plain = frame.assign(income=names)
    connection.execute("CREATE TYPE grade AS ENUM ('poor', 'fair', 'good')")
    connection.register("plain", plain)
    relation = connection.sql("SELECT * REPLACE (income::grade AS income) FROM plain")
    dictionary = pa.DictionaryArray.from_arrays(
        [grades.index(name) for name in names], grades, ordered=True
    )
    arrow = LOANS.set_column(0, "income", dictionary)
    for native in (frame, polars, polars.lazy(), relation, arrow):
        clf = from_frame(native)
        assert model_file(clf) == model_file(reference)
        assert clf.feature_labels_in_[0] == tuple(grades)
        assert clf.predict(frame[CRITERIA]).tolist() == reference.predict(frame[CRITERIA]).tolist()


def test_a_declared_order_of_the_target_says_which_class_is_positive():
    labels = pl.Enum(["yes", "no"])
    frame = pl.from_arrow(LOANS).with_columns(pl.col("paid").cast(labels)).lazy()
    clf = from_frame(frame)
    assert clf.positive_ == "no"
    assert model_file(clf) == model_file(from_memory(LOANS, positive="no"))


@pytest.mark.parametrize("engine", QUICK)
@pytest.mark.parametrize("labels", [(False, True), (0, 1), (-1.0, 1.0)], ids=str)
def test_labels_of_any_type(engine, labels):
    paid = [labels[label == "yes"] for label in LOANS["paid"].to_pylist()]
    table = LOANS.set_column(4, "paid", pa.array(paid))
    assert model_file(from_frame(engine(table))) == model_file(from_memory(table))


@pytest.mark.parametrize(
    ("engine", "bad"),
    [
        (engine, bad)
        for place, engine in enumerate(ALL)
        for bad in in_turn(place, [None, float("inf"), float("nan"), -float("inf")])
    ],
)
def test_missing_and_infinite_values_are_counted_and_refused_by_column(engine, bad):
    debt = [bad, bad, *LOANS["debt"].to_pylist()[2:]]
    table = LOANS.set_column(1, "debt", pa.array(debt, pa.float64()))
    said = "0 that are null or NaN and 2" if bad in (math.inf, -math.inf) else "2 that are null"
    with pytest.raises(ValueError, match=f"'debt' must hold finite numbers. Got {said}"):
        from_frame(engine(table))


@pytest.mark.no_cover
@pytest.mark.parametrize(
    ("engine", "bad", "missing"),
    [
        (engine, bad, missing)
        for place, (engine, bad) in enumerate(product(QUICK, [None, float("nan")]))
        for missing in in_turn(place, ["pessimistic", "optimistic", "interval"], 1)
    ],
)
def test_missing_values_mean_the_same_everywhere(engine, bad, missing):
    debt = [bad if i % 4 == 0 else d for i, d in enumerate(LOANS["debt"].to_pylist())]
    age = [None if i % 5 < 2 else a for i, a in enumerate(LOANS["age"].to_pylist())]
    table = LOANS.set_column(1, "debt", pa.array(debt, pa.float64()))
    table = table.set_column(3, "age", pa.array(age, pa.int8()))
    clf = from_frame(engine(table), "importance", missing=missing)
    assert model_file(clf) == model_file(from_memory(table, "importance", missing=missing))


def test_rows_and_columns_without_any_value_are_refused():
    frame = pl.LazyFrame({"x": [1, None, None], "z": [2, 3, None], "paid": [0, 1, 1]})
    clf = SugenoClassifier(missing="pessimistic")
    with pytest.raises(ValueError, match="Got 1 rows without any instead"):
        clf.fit_frame(frame, "paid")
    with pytest.raises(ValueError, match="Got none in 'e' instead; drop it"):
        clf.fit_frame(frame.head(2).with_columns(e=pl.lit(None, pl.Float64)), "paid")


@pytest.mark.parametrize("engine", ALL)
def test_rows_without_a_label_are_refused(engine):
    table = LOANS.set_column(4, "paid", pa.array([None, *LOANS["paid"].to_pylist()[1:]]))
    with pytest.raises(ValueError, match="1 without a class"):
        from_frame(engine(table))


@pytest.mark.parametrize("engine", ALL)
@pytest.mark.parametrize("weight", [None, "importance"])
def test_a_frame_without_rows_is_refused(engine, weight):
    with pytest.raises(ValueError, match="must have rows with a label"):
        from_frame(engine(LOANS.slice(0, 0)), weight)


@pytest.mark.parametrize("engine", QUICK)
@pytest.mark.parametrize("bad", [None, float("nan"), float("inf"), -1.0], ids=str)
def test_impossible_weights_are_refused(engine, bad):
    weights = pa.array([bad, *LOANS["importance"].to_pylist()[1:]], pa.float64())
    with pytest.raises(ValueError, match="Got 1 that are negative, null, NaN or infinite"):
        from_frame(engine(LOANS.set_column(5, "importance", weights)), "importance")


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([time_of_day(12, 30)], "dates or times instead; turn it into a number"),
        ([[1.0]], "values of type List"),
    ],
)
def test_what_has_no_order_is_refused_by_name(values, message):
    frame = pa.table({"x": values, "paid": ["no"]})
    for native in (frame, pl.from_arrow(frame).lazy()):
        with pytest.raises(ValueError, match=f"Column 'x' must hold .*{message}"):
            SugenoClassifier().fit_frame(native, target="paid")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"target": "income"}, r"Got \['income'\] instead"),
        ({"target": "y", "weight": "w"}, r"Got \['w'\] instead"),
        ({"target": "y", "features": ["x", "z"]}, r"Got \['z'\] instead"),
        ({"target": "y", "features": ["x", "y"]}, "each once, and neither target nor weight"),
        ({"target": "y", "features": []}, "at least one column"),
    ],
)
def test_columns_are_asked_for_by_names_that_the_frame_has(arguments, message):
    frame = pl.LazyFrame({"x": [1, 2], "y": [0, 1]})
    with pytest.raises(ValueError, match=message):
        SugenoClassifier().fit_frame(frame, **arguments)


def test_arrays_are_sent_to_fit():
    with pytest.raises(TypeError, match="Got ndarray instead; for arrays use fit"):
        SugenoClassifier().fit_frame(np.eye(2), target="y")


def test_a_pattern_without_files_says_so(tmp_path):
    with pytest.raises(FileNotFoundError, match="No file matches"):
        from_frame(tmp_path / "*.parquet")


def test_too_many_weights_patterns_or_rows_say_what_to_do(monkeypatch):
    frame = lazy_polars_frame(LOANS)
    with pytest.raises(ValueError, match="weights must have at most max_values=3"):
        SugenoClassifier().fit_frame(frame, "paid", weight="importance", max_values=3)
    monkeypatch.setattr("sugeno._counts.frame.source.MOST_ROWS", 9)
    with pytest.raises(ValueError, match="at most 9 patterns"):
        from_frame(frame, levels=3)
    monkeypatch.setattr("sugeno._counts.frame.queries.MOST_ROWS", 99)
    with pytest.raises(ValueError, match="at most 99 distinct rows"):
        from_frame(frame, threshold="joint")


def test_more_literals_than_one_integer_holds(monkeypatch):
    # On a busy machine even two seconds can be over before both searches are.
    monkeypatch.setattr("sugeno.solvers.budget.SEARCH_TIME", 60.0)
    rng = np.random.default_rng(0)
    columns = {f"c{j:02}": rng.integers(0, 3, 200) for j in range(70)}
    y = (sum(columns.values()) + rng.normal(size=200) * 4 > 70).astype(int)
    reference = SugenoClassifier(k=1, time_limit=0).fit(pd.DataFrame(columns), y)
    frame = pl.LazyFrame({**columns, "y": y})
    clf = SugenoClassifier(k=1, time_limit=0).fit_frame(frame, target="y")
    assert model_file(clf) == model_file(reference)


def test_the_passes_are_few_and_can_be_read(capsys):
    clf = SugenoClassifier(directions=[1, -1, 1, 1])
    clf.fit_frame(duckdb_relation(LOANS), "paid", features=CRITERIA, explain=True)
    said = capsys.readouterr().out
    assert said.count("-- values of 'income', 'owner', 'age'") == 1
    assert said.count("-- values of") == 2
    assert said.count("-- patterns of 4 literals") == 1
    assert said.count("-- medians") <= 3
    assert said.upper().count("GROUP BY") == said.count("--")


def test_a_fit_after_a_fit_forgets_the_labels():
    frame = pl.DataFrame({"x": ["b", "a"], "y": [0, 1]})
    clf = SugenoClassifier()
    clf.fit_frame(frame.with_columns(pl.col("x").cast(pl.Enum(["b", "a"]))), "y")
    assert clf.feature_labels_in_ == (("b", "a"),)
    clf.fit_frame(pl.DataFrame({"x": [1, 2], "y": [0, 1]}), "y")
    assert not hasattr(clf, "feature_labels_in_")


@pytest.mark.parametrize(
    "clf",
    [
        SugenoClassifier(),
        SugenoClassifierCV(levels="shared", cv=2),
        SugenoOrdinalClassifier(levels="shared"),
        SugenoEnsembleClassifier(n_bags=2),
    ],
)
def test_a_fit_after_a_fit_forgets_the_passes(clf):
    X, y = np.arange(12.0)[:, None], np.arange(12) // 6
    clf.fit_frame(pl.DataFrame({"x": X[:, 0], "y": y}), "y")
    assert clf.n_passes_ > 0
    clf.fit(X, y)
    assert not hasattr(clf, "n_passes_")
    assert not hasattr(clf, "n_sampled_")


def test_a_fit_after_a_fit_forgets_the_passes_of_several_classes():
    clf = SugenoClassifier()
    clf.fit_frame(pl.DataFrame({"x": [1, 2, 3], "y": ["a", "b", "c"]}), "y")
    clf.fit([[1], [2], [3]], ["a", "b", "c"])
    assert not hasattr(clf, "n_passes_")


def test_a_fit_after_a_fit_to_several_classes_forgets_them():
    clf = SugenoClassifier().fit([[1], [2], [3]], ["a", "b", "c"])
    clf.fit_frame(pl.DataFrame({"x": [1, 2], "y": [0, 1]}), "y")
    assert clf.predict(pd.DataFrame({"x": [2, 1]})).tolist() == [1, 0]


def test_class_weights_that_would_have_to_be_rounded_row_by_row_are_refused():
    thirds = pa.array(LOANS["importance"].to_numpy() / 3)
    table = LOANS.set_column(5, "importance", thirds)
    with pytest.raises(ValueError, match=r"less than 2\*\*60 units"):
        from_frame(lazy_polars_frame(table), "importance", class_weight="balanced")


def test_without_duckdb_the_error_names_the_extra(tmp_path):
    code = (
        "import sys; sys.modules['duckdb'] = None\n"
        "from sugeno import SugenoClassifier\n"
        "try:\n    SugenoClassifier().fit_frame('x.parquet', 'y')\n"
        "except ImportError as error:\n    print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "pip install 'sugeno[sql]'" in done.stdout


def test_the_time_of_the_engine_is_not_that_of_the_search(monkeypatch):
    # Otherwise a slow engine would give a worse model.
    budgets = []
    monkeypatch.setattr(
        SugenoClassifier, "_fit", lambda self, data, budget: budgets.append(budget) or self
    )
    slow = lazy_polars_frame(LOANS).map_batches(lambda frame: time.sleep(0.1) or frame)
    start = time.monotonic()
    passes = from_frame(slow).n_passes_
    used = 30 - budgets[0].left()
    assert used <= time.monotonic() - start - 0.1 * passes


def test_decimals_are_the_doubles_next_to_them():
    values = [Decimal(i) / 10 for i in range(40)]
    y = [int(i >= 17) for i in range(40)]
    clf = SugenoClassifier().fit_frame(pa.table({"x": values, "y": y}), "y")
    assert clf.predict(pd.DataFrame({"x": [1.6, 1.7]})).tolist() == [0, 1]


@pytest.mark.parametrize("engine", ALL)
def test_halves_are_rounded_to_even_and_no_row_is_lost(engine):
    # The total has 62 bits, two more than there are: units of 4, and halves among the multiples.
    weights = np.array([2.0**61, 1.0, 2.0, 6.0, 10.0, 14.0, 11.0, 4.0, 3.5])
    expected = row_weights(weights, weights.size)
    integer = IntegerWeight.of(nw.col("w"), weights, np.ones(weights.size, np.int64))
    frame = nw.from_native(engine(pa.table({"w": weights}))).lazy()
    found = frame.select(nw.col("w"), units=integer.units).collect().sort("w")["units"].to_list()
    assert found == expected.values[np.argsort(weights)].tolist()
    assert integer.unit == expected.unit == 4.0
    assert expected.values.tolist()[1:6] == [1, 1, 2, 2, 4]


@pytest.mark.parametrize("engine", ALL)
def test_negative_zero_is_zero(engine):
    x = np.where(np.arange(40) % 4 == 0, -0.0, np.arange(40) % 4)
    table = pa.table({"x": x, "y": (np.arange(40) % 4 >= 1).astype(int)})
    clf = SugenoClassifier().fit_frame(engine(table), "y")
    reference = SugenoClassifier().fit(pd.DataFrame({"x": x}), table["y"].to_numpy())
    assert model_file(clf) == model_file(reference)
    assert "-0.0" not in model_file(clf)
