"""Texts, categories and gaps on every engine: the same model, to the last bit, as from rows."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.base import clone

from frames.engines import (
    ALL,
    LAZY,
    QUICK,
    duckdb_relation,
    in_turn,
    lazy_polars_frame,
    pandas_frame,
    polars_frame,
)
from sugeno import (
    RuleClassifier,
    RuleSet,
    SugenoClassifier,
    SugenoClassifierCV,
    SugenoDistiller,
    SugenoEnsembleClassifier,
    SugenoOrdinalClassifier,
)

LEARNERS = [
    SugenoClassifier(),
    SugenoClassifier(levels=2, class_weight="balanced"),
    SugenoDistiller(),
    SugenoDistiller(form="points"),
    SugenoEnsembleClassifier(n_bags=3),
    SugenoOrdinalClassifier(levels=1, classes=["no", "yes"]),
]


def people(n=400, seed=0):
    """A table with text, gaps, truth values, ids and constants, and a label."""
    rng = np.random.default_rng(seed)
    income, home = rng.lognormal(3, 0.5, n).round(1), rng.choice(["rent", "own", "parents"], n)
    age, job = rng.integers(18, 80, n), rng.choice(["yes", "no"], n)
    score = np.log(income) + (home == "own") + (job == "yes") - ((age - 48) / 25) ** 2
    paid = score + 0.5 * rng.normal(size=n) > np.median(score)
    columns = {
        "income": np.where(rng.random(n) < 0.1, np.nan, income),
        "home": np.where(rng.random(n) < 0.1, None, home),
        "age": age,
        "job": job,
        "member": rng.random(n) < 0.5,
        "city": rng.choice([f"c{i}" for i in range(30)], n),
        "land": ["at"] * n,
        "name": [f"n{i}" for i in range(n)],
        "number": rng.permutation(n),
        "row_id": rng.permutation(10 * n)[:n],
        "paid": np.where(paid, "yes", "no"),
    }
    return pa.Table.from_pandas(pd.DataFrame(columns), preserve_index=False)


def rows_of(table):
    frame = table.to_pandas()
    return frame.drop(columns="paid"), frame["paid"]  # its name is that of the target


def assert_same(learned, expected, X):
    assert str(learned.columns_) == str(expected.columns_)
    assert [*learned.columns_] == [*expected.columns_]
    assert learned.predict_proba(X).tobytes() == expected.predict_proba(X).tobytes()
    if hasattr(expected, "rules_"):
        assert str(learned.rules_) == str(expected.rules_)
        assert learned.model_.criteria == expected.model_.criteria
        assert learned.objective_ == expected.objective_


@pytest.mark.usefixtures("brief")
@pytest.mark.parametrize(
    "place", range(len(LEARNERS)), ids=[type(one).__name__ for one in LEARNERS]
)
def test_a_frame_gives_the_same_model_as_its_rows(place):
    table, learner = people(), LEARNERS[place]
    X, y = rows_of(table)
    expected = clone(learner).fit(X, y)
    assert {one.kind for one in expected.columns_} >= {"id", "constant", "truth", "two-valued"}
    for engine in in_turn(place, QUICK):
        assert_same(clone(learner).fit_frame(engine(table), "paid"), expected, X)


@pytest.mark.no_cover
def test_every_engine_reads_texts_and_gaps():
    table = people(200)
    X, y = rows_of(table)
    expected = SugenoClassifier(levels=1).fit(X, y)
    for engine in ALL:
        assert_same(SugenoClassifier(levels=1).fit_frame(engine(table), "paid"), expected, X)


@pytest.mark.parametrize("engine", [lazy_polars_frame, duckdb_relation])
def test_weights_count_on_every_engine(engine):
    table = people()
    weights = np.random.default_rng(1).integers(1, 5, len(table)) / 2
    X, y = rows_of(table)
    expected = SugenoClassifier(levels=2).fit(X, y, sample_weight=weights)
    weighed = engine(table.append_column("w", pa.array(weights)))
    assert_same(SugenoClassifier(levels=2).fit_frame(weighed, "paid", weight="w"), expected, X)


@pytest.mark.no_cover
@pytest.mark.usefixtures("brief")
def test_folds_are_dealt_alike_in_memory_and_on_an_engine():
    table = people()
    engines = in_turn(0, [pandas_frame, duckdb_relation, *QUICK[1:4]])
    found = [SugenoClassifierCV(cv=2).fit_frame(one(table), "paid") for one in engines]
    X, _ = rows_of(table)
    for other in found[1:]:
        assert_same(other, found[0], X)


def test_columns_can_be_chosen_and_new_rows_decided_on_the_engine():
    table = people()
    clf = SugenoClassifier(levels=2).fit_frame(
        duckdb_relation(table), "paid", features=["income", "home", "age"]
    )
    X, _ = rows_of(table)
    assert [*clf.feature_names_in_] == ["income", "home", "age"]
    added = clf.predict_frame(duckdb_relation(table)).fetchall()
    assert [row[-1] for row in added] == clf.predict(X[["income", "home", "age"]]).tolist()


@pytest.mark.parametrize("engine", [polars_frame, lazy_polars_frame])
def test_enumerations_and_categories_of_polars(engine):
    table = people()
    grades = np.random.default_rng(2).choice(["C", "B", "A", "never"], len(table))
    kinds = {"home": pl.Categorical, "grade": pl.Enum(["C", "B", "A", "never", "unused"])}
    frame = polars_frame(table.append_column("grade", pa.array(grades))).cast(kinds)
    X, y = frame.drop("paid"), frame["paid"]
    expected = SugenoClassifier(levels=2).fit(X, y)
    assert expected.columns_["grade"].kind == "ordered"
    given = frame.lazy() if engine is lazy_polars_frame else frame
    assert_same(SugenoClassifier(levels=2).fit_frame(given, "paid"), expected, X)


@pytest.mark.no_cover
@pytest.mark.parametrize("engine", [lazy_polars_frame, duckdb_relation])
def test_a_thousand_labels_are_one_column(engine):
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 1500, 6000)
    noisy = (codes % 3 == 0) ^ (rng.random(6000) < 0.05)
    table = pa.table({"code": [f"k{i}" for i in codes], "paid": np.where(noisy, "yes", "no")})
    X, y = rows_of(table)
    expected = SugenoClassifier(levels=1).fit(X, y)
    assert_same(SugenoClassifier(levels=1).fit_frame(engine(table), "paid"), expected, X)


def test_ids_and_constants_of_engines_without_an_order_of_rows():
    n = 6000
    rng = np.random.default_rng(0)
    x = rng.random(n)
    columns = {
        "x": x,
        "home": rng.choice(["own", "rent"], n),
        "many names": [f"n{i}" for i in range(n)],
        "empty": pa.nulls(n, pa.float64()),
        "no text": pa.nulls(n, pa.string()),
        "halves_id": np.arange(n) / 2,
        "twice_id": np.arange(n) // 2 * 2,
        "always": [True] * n,
        "paid": (x > 0.5).astype(int),
    }
    found = [
        SugenoClassifier().fit_frame(one(pa.table(columns)), "paid").columns_
        for one in (lazy_polars_frame, duckdb_relation)
    ]
    assert str(found[0]) == str(found[1])
    assert found[0]["many names"].left_out == "a text of its own in nearly every row"
    assert found[0]["empty"].left_out == found[0]["no text"].left_out == "every cell is missing"
    assert found[0]["always"].left_out == "every cell is true"
    assert found[0]["halves_id"].kind == found[0]["twice_id"].kind == "number"


NUMBERED = {
    "row": np.arange(300),
    "shuffled": np.random.default_rng(0).permutation(300) - 40,
    "visit_id": np.random.default_rng(0).permutation(9000)[:300],
    "index": np.repeat(np.arange(150), 2),  # none: each is there twice
    "income": np.random.default_rng(0).permutation(9000)[:300],  # none: large numbers all differ
}


@pytest.mark.parametrize(
    ("name", "weight", "engines"),
    [
        ("visit_id", None, ALL),
        *((name, "w", in_turn(place, QUICK)) for place, name in enumerate(NUMBERED)),
    ],
    ids=["every engine", *NUMBERED],
)
def test_what_numbers_the_rows_of_plain_numbers_is_left_out_on_every_engine(name, weight, engines):
    rng = np.random.default_rng(1)
    x, z, w = rng.integers(0, 9, 300), rng.normal(size=300).round(2), rng.integers(0, 3, 300)
    columns = {name: NUMBERED[name], "x": x, "z": z, "paid": (x + z > 5).astype(int)}
    X, y = rows_of(pa.table(columns))
    expected = SugenoClassifier().fit(X, y, sample_weight=None if weight is None else w)
    found = {one.kind for one in getattr(expected, "columns_", ())}
    assert ("id" in found) == (name not in ("index", "income"))
    table = pa.table(columns | {"w": w})
    for engine in engines:
        features = [name, "x", "z"]
        clf = SugenoClassifier().fit_frame(engine(table), "paid", weight=weight, features=features)
        assert str(clf.rules_) == str(expected.rules_)
        assert clf.predict_proba(X).tobytes() == expected.predict_proba(X).tobytes()
        assert str(vars(clf).get("columns_")) == str(vars(expected).get("columns_"))


def test_only_an_order_of_rows_shows_an_id_with_gaps_and_without_a_name():
    rng = np.random.default_rng(1)
    x = rng.integers(0, 9, 300)
    table = pa.table({"when": np.arange(300) * 3, "x": x, "paid": (x > 5).astype(int)})
    left_out = SugenoClassifier().fit_frame(polars_frame(table), "paid").columns_["when"].left_out
    assert left_out == "distinct whole numbers that rise from row to row"
    assert not hasattr(SugenoClassifier().fit_frame(lazy_polars_frame(table), "paid"), "columns_")


def test_a_table_of_nothing_but_ids_is_learned_from_on_every_engine():
    n = 40
    place = np.arange(n)
    table = pa.table({"row_id": place, "index": place + 7, "paid": place // 20})
    for engine in QUICK:
        clf = SugenoClassifier().fit_frame(engine(table), "paid")
        assert clf.predict(rows_of(table)[0]).tolist() == table["paid"].to_pylist()


def test_too_many_labels_and_times_are_refused_with_the_remedy():
    n = 11_000
    labels = [f"k{i % 5500}" for i in range(n)]
    table = pa.table({"code": labels, "x": np.arange(n) % 7, "paid": np.arange(n) % 2})
    with pytest.raises(ValueError, match=r"at most 5000 labels.* Got 5500 instead; join rare ones"):
        SugenoClassifier().fit_frame(duckdb_relation(table), "paid")
    times = pl.LazyFrame({"home": ["own", "rent"], "since": ["10:30:00"] * 2, "paid": [0, 1]})
    times = times.with_columns(pl.col("since").str.to_time())
    with pytest.raises(ValueError, match=r"Column 'since' must hold .* Got dates or times instead"):
        SugenoClassifier().fit_frame(times, "paid")


WISHES = [
    {"age": "free", "home": ["parents", "rent", "own"], "number": "keep", "city": "drop"},
    {"age": "unordered", "income": -1, "row_id": "up", "job": "unordered", "member": "keep"},
    {"age": ("peak", 48), "name": "drop", "home": "unordered"},
    {"zone": ["3", "1", "2", "4"], "land": "keep", "member": ["true", "false"]},
]


@pytest.mark.parametrize("place", range(len(WISHES)))
def test_what_is_said_of_columns_is_taken_on_every_engine(place):
    table, wishes = people(), WISHES[place]
    zone = pa.array(np.arange(table.num_rows) % 4 + 1)
    table = table.append_column("zone", zone)
    X, y = rows_of(table)
    expected = SugenoClassifier(columns=wishes).fit(X, y)
    for engine in in_turn(place, LAZY, 1):
        learned = SugenoClassifier(columns=wishes).fit_frame(engine(table), "paid")
        assert_same(learned, expected, X)


@pytest.mark.parametrize(
    ("wishes", "message"),
    [
        ({"house": "free"}, "must name columns of the table"),
        ({"home": "up"}, "has labels, whose direction is an order of them"),
        ({"home": ["rent", "own"]}, "must name each of its labels once"),
    ],
)
def test_what_cannot_be_meant_is_refused_on_every_engine(wishes, message):
    with pytest.raises(ValueError, match=message):
        SugenoClassifier(columns=wishes).fit_frame(duckdb_relation(people()), "paid")


@pytest.mark.parametrize("engine", ALL)
def test_dates_are_learned_from_on_every_engine(engine):
    rng = np.random.default_rng(0)
    n = 300
    day = np.datetime64("2019-01-01") + rng.integers(0, 900, n).astype("m8[D]")
    moment = np.datetime64("2019-01-01") + rng.integers(0, 10**15, n).astype("m8[us]") // 13
    paid = (day > np.datetime64("2020-01-01")) | (rng.random(n) < 0.1)
    table = pa.table(
        {
            "day": pa.array(day.astype("M8[us]")),
            "moment": pa.array(moment.astype("M8[us]"), mask=rng.random(n) < 0.1),
            "once": pa.array(np.repeat(np.datetime64("2020-05-05"), n).astype("M8[us]")),
            "paid": np.where(paid, "yes", "no"),
        }
    )
    X, y = rows_of(table)
    expected = SugenoClassifier(levels=2).fit(X, y)
    learned = SugenoClassifier(levels=2).fit_frame(engine(table), "paid")
    assert_same(learned, expected, X)
    assert learned.columns_["once"].left_out == "every cell is 2020-05-05"
    assert "day >= 20" in str(learned.rules_)


def test_durations_are_learned_from_on_an_engine():
    waited = np.random.default_rng(0).integers(0, 10**12, 200)
    table = pl.DataFrame({"waited": waited, "paid": waited > 4 * 10**11})
    table = table.with_columns(pl.col("waited").cast(pl.Duration("us")))
    X, y = table.drop("paid"), table["paid"]
    expected = SugenoClassifier(levels=2).fit(X, y)
    assert_same(SugenoClassifier(levels=2).fit_frame(table.lazy(), "paid"), expected, X)


@pytest.mark.parametrize("kind", [pl.Datetime("us"), pl.Duration("us")], ids=str)
def test_polars_counts_days_to_the_last_bit(kind):
    """It multiplies by the reciprocal of a constant, where others divide by it."""
    moments = np.random.default_rng(0).integers(10**14, 10**15, 500)
    days = np.sort(moments) / 86_400_000_000
    frame = pl.LazyFrame({"at": pl.Series(moments).cast(kind), "y": moments % 2})
    counted = SugenoClassifier().fit_frame(frame, "y")
    np.testing.assert_array_equal(counted.utility_.values_[0], days)
    if kind == pl.Duration("us"):
        for level in days[:50].tolist():
            rules = RuleSet([{0}], [level], criteria=["at"])
            clf = RuleClassifier.from_rules(rules, classes=[0, 1])
            added = clf.predict_frame(frame).collect()
            assert added["prediction"].sum() == (days >= level).sum()


def test_dates_without_a_time_of_day_are_days_since_1970():
    days = np.arange("1899-12-30", "2104-03-02", 73, dtype="M8[D]")
    table = pa.table(
        {"day": pa.array(days), "x": np.arange(days.size) % 7, "y": days.astype(int) > 0}
    )
    found = [
        SugenoClassifier().fit_frame(engine(table), "y").rules_
        for engine in (lazy_polars_frame, duckdb_relation)
    ]
    X = pl.from_arrow(table)
    assert {*map(str, found)} == {str(SugenoClassifier().fit(X.drop("y"), X["y"]).rules_)}
