"""What needs rows has a sample of them: the same one, and the same model, on every engine."""

import json

import numpy as np
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone

from frames.engines import (
    ALL,
    CRITERIA,
    in_memory,
    lazy_polars_frame,
    loans,
    nameless,
    shuffled,
)
from sugeno import SugenoClassifier, SugenoClassifierCV, SugenoEnsembleClassifier
from sugeno._counts.frame.summary import FrameSummary, frame_of
from sugeno._counts.table import Table
from sugeno._counts.weights import row_weights
from sugeno._learning.folds import rows_for_folds

LOANS = loans(500)


def sample_of(frame, size, weight=None):
    known = FrameSummary.of(frame_of(frame), "paid", weight, CRITERIA)
    return known.source(np.array(["no", "yes"]), missing="pessimistic").sample(size)


def content(table):
    return (
        np.nan_to_num(table.X, nan=-9).tolist(),
        table.codes.tolist(),
        table.weights.values.tolist(),
    )


def with_gaps(table):
    debt = [None if i % 7 == 0 else d for i, d in enumerate(table["debt"].to_pylist())]
    return table.set_column(1, "debt", pa.array(debt, pa.float64()))


GAPS = with_gaps(LOANS)


@pytest.mark.no_cover
@pytest.mark.parametrize("weight", [None, "importance"])
@pytest.mark.parametrize("engine", ALL)
def test_every_engine_takes_the_same_rows_in_any_order(engine, weight):
    reference = sample_of(lazy_polars_frame(GAPS), 60, weight)
    assert content(sample_of(engine(shuffled(GAPS, 3)), 60, weight)) == content(reference)
    assert np.unique(np.nan_to_num(reference.X, nan=-9), axis=0).shape[0] == 60


def test_a_smaller_sample_is_the_beginning_of_a_larger_one():
    small, large = (sample_of(lazy_polars_frame(LOANS), size) for size in (30, 200))
    n = len(small.codes)
    assert content(small) == tuple(part[:n] for part in content(large))


def test_a_sample_of_all_rows_is_the_table():
    table = sample_of(lazy_polars_frame(LOANS), 10_000)
    X, y = in_memory(LOANS)
    assert table.total == len(y)
    mine = np.repeat(np.column_stack([table.X, table.codes]), table.weights.values, axis=0)
    rows = np.column_stack([X.to_numpy(float), y == "yes"])
    np.testing.assert_array_equal(*(np.array(sorted(part.tolist())) for part in (mine, rows)))


def test_equal_rows_are_taken_together():
    twice = pa.concat_tables([LOANS, LOANS])
    once, both = (sample_of(lazy_polars_frame(table), 50) for table in (LOANS, twice))
    assert (once.X == both.X).all()
    assert (both.weights.values == 2 * once.weights.values).all()


@given(st.integers(0, 10**6))
def test_a_sample_resembles_its_table(seed):
    rng = np.random.default_rng(seed)
    x, z = rng.integers(0, 5, 4000), rng.normal(size=4000)
    frame = pl.LazyFrame({"x": x, "z": z, "paid": np.where(x + z > 2, "yes", "no")})
    known = FrameSummary.of(frame_of(frame), "paid")
    table = known.source(np.array(["no", "yes"])).sample(1000)
    assert table.total == 1000  # no value of z occurs twice
    # Five standard deviations of a mean of 1000.
    assert abs(table.X[:, 0].mean() - x.mean()) < 5 * x.std() / 1000**0.5
    assert abs(table.X[:, 1].mean() - z.mean()) < 5 * z.std() / 1000**0.5


def many_rows(kind, n=120_000):
    """More rows than are looked at, with few different values or with many."""
    rng = np.random.default_rng(0)
    x, z = rng.integers(0, 6, n), rng.integers(0, 6 if kind == "few values" else 60_000, n)
    paid = np.where(x + z / z.max() * 6 + rng.normal(size=n) > 6, "yes", "no")
    return pl.DataFrame({"x": x, "z": z, "paid": paid, "importance": rng.integers(1, 4, n) / 2})


KINDS = ["few values", "many values"]
WEIGHTS = [None, "importance"]


def fitted_twice(clf, frame, weight):
    """From rows in memory, and from the same rows on an engine."""
    X, y = frame[["x", "z"]].to_pandas(), np.array(frame["paid"].to_list())
    given = None if weight is None else frame[weight].to_numpy()
    rows = clone(clf).fit(X, y, sample_weight=given)
    return rows, clone(clf).fit_frame(frame.lazy(), "paid", weight=weight, features=["x", "z"]), X


@pytest.mark.parametrize("weight", WEIGHTS)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("n", [400, 120_000])
def test_a_kind_is_chosen_alike_from_rows_and_from_a_frame_of_any_size(n, kind, weight):
    clf = SugenoClassifierCV(levels=("shared", 2), ks=[1, 2], directions=[1, 1])
    rows, frame, _ = fitted_twice(clf, many_rows(kind, n), weight)
    assert nameless(rows) == nameless(frame)
    for name in ("mean_test_score", "std_test_score", "mean_n_rules"):
        np.testing.assert_array_equal(rows.cv_results_[name], frame.cv_results_[name])


@pytest.mark.parametrize("weight", WEIGHTS)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("n", [400, 120_000])
def test_an_ensemble_is_the_same_from_rows_and_from_a_frame_of_any_size(n, kind, weight):
    clf = SugenoEnsembleClassifier(n_bags=2, max_rounds=10, directions=[1, 1])
    rows, frame, X = fitted_twice(clf, many_rows(kind, n), weight)
    np.testing.assert_array_equal(rows.predict_proba(X), frame.predict_proba(X))
    np.testing.assert_array_equal(rows.pivotality_, frame.pivotality_)
    assert rows.oob_log_loss_ == frame.oob_log_loss_
    assert rows.oob_decision_function_.shape == (n, 2)


@pytest.mark.parametrize(("kind", "n"), [("few values", 120_000), ("many values", 400)])
def test_distilled_rules_are_the_same_from_rows_and_from_a_frame_of_any_size(kind, n):
    clf = SugenoClassifierCV(levels="distilled", max_rules=2, cv=2, directions=[1, 1])
    rows, frame, _ = fitted_twice(clf, many_rows(kind, n), None)
    assert nameless(rows) == nameless(frame)
    assert rows.best_score_ == frame.best_score_


def test_rows_outside_the_sample_have_the_probability_of_the_whole_ensemble():
    frame = many_rows("many values")
    X, y = frame[["x", "z"]].to_pandas(), frame["paid"].to_numpy()
    clf = SugenoEnsembleClassifier(n_bags=2, max_rounds=10, directions=[1, 1]).fit(X, y)
    same = (clf.oob_decision_function_ == clf.predict_proba(X)).all(axis=1)
    assert 0.05 < same.mean() < 1


def test_a_rare_class_is_in_the_sample():
    rare = pl.LazyFrame({"x": np.arange(5000), "paid": [0] * 4985 + [1] * 15})
    sample = FrameSummary.of(frame_of(rare), "paid").source(np.array([0, 1])).sample(50)
    assert (sample.codes == 1).sum() == 10
    clf = SugenoEnsembleClassifier(n_bags=2, max_rounds=10).fit_frame(rare, "paid", sample=50)
    low, high = clf.predict_proba(pl.DataFrame({"x": [1, 4999]}))[:, 1]
    assert high > 10 * low


@given(st.data())
def test_a_fold_learns_from_the_other_copies_of_a_row(data):
    n = data.draw(st.integers(2, 8))
    copies = np.array(data.draw(st.lists(st.integers(1, 9), min_size=n, max_size=n)))
    X, codes = np.arange(n, dtype=float)[:, None], np.arange(n) % 2
    counted = Table.of(X, codes, row_weights(None, n)).take(np.repeat(np.arange(n), copies))
    weight = data.draw(st.sampled_from([1, 2, 0.5]))
    joined = Table.of(counted.X, counted.codes, row_weights(weight, copies.sum())).joined()
    rows = rows_for_folds(joined, 1000)
    assert np.bincount(rows.X[:, 0].astype(int)).tolist() == copies.tolist()
    few = rows_for_folds(joined, 6)
    assert len(few.codes) <= max(6, *(min(10, copies[codes == code].sum()) * 2 for code in (0, 1)))
    assert set(few.codes) == set(codes)


@pytest.mark.no_cover
@pytest.mark.parametrize("engine", ALL)
def test_the_chosen_model_is_learned_from_all_rows(engine):
    clf = SugenoClassifierCV(levels=("shared", 2), ks=[1, 2]).fit_frame(
        engine(LOANS), "paid", features=CRITERIA, sample=100
    )
    best = SugenoClassifier(levels=clf.levels_, k=clf.k_).fit(*in_memory(LOANS))
    files = [json.loads(nameless(one), object_hook=without_history) for one in (clf, best)]
    assert files[0] == files[1]
    assert 100 <= clf.n_sampled_ <= 110


def without_history(entry):
    """An object of a model file without the error on held-out rows, which only a choice knows."""
    return {key: value for key, value in entry.items() if key != "held_out"}


def test_distilled_rules_are_counted_on_all_rows():
    fits = [
        SugenoClassifierCV(levels="distilled", cv=2, max_rules=3).fit_frame(
            engine(table), "paid", features=CRITERIA, sample=80
        )
        for engine, table in ((lazy_polars_frame, LOANS), (ALL[4], shuffled(LOANS, 2)))
    ]
    one, other = fits
    assert nameless(one) == nameless(other)
    assert one.best_score_ == other.best_score_
    X, y = in_memory(LOANS)
    assert one.rules_.counted_on(X, y).to_records() == one.rules_.to_records()
    assert one.distillation_path_[-1]["rules"] <= 3


def test_an_ensemble_grows_on_the_sample():
    first, second = (
        SugenoEnsembleClassifier(n_bags=3, class_weight="balanced").fit_frame(
            engine(table), "paid", features=CRITERIA, sample=150
        )
        for engine, table in ((lazy_polars_frame, LOANS), (ALL[4], shuffled(LOANS, 2)))
    )
    X, y = in_memory(LOANS)
    np.testing.assert_array_equal(first.predict_proba(X), second.predict_proba(X))
    assert first.n_sampled_ == second.n_sampled_ < 200
    assert (first.predict(X) == y).mean() > 0.7


def test_what_a_sample_cannot_do_is_said():
    frame = lazy_polars_frame(LOANS)
    with pytest.raises(ValueError, match=r"at least 2\. Got 1 instead"):
        SugenoClassifierCV().fit_frame(frame, "paid", features=CRITERIA, sample=1)
    with pytest.raises(ValueError, match="'cv' parameter must be a number of folds"):
        SugenoClassifierCV(cv=[([0, 1], [2, 3])]).fit_frame(frame, "paid", features=CRITERIA)
    rare = pl.LazyFrame({"x": np.arange(1000), "paid": [0] * 999 + [1]})
    with pytest.raises(ValueError, match="at least 2 rows of each class"):
        SugenoClassifierCV().fit_frame(rare, "paid", sample=1000)


def test_a_class_that_is_too_rare_for_a_sample_is_named(monkeypatch):
    rare = pl.LazyFrame({"x": np.arange(5000), "paid": [0] * 4999 + [1]})
    for module in ("frame.queries", "sample"):
        monkeypatch.setattr(f"sugeno._counts.{module}.MOST_ROWS", 2000)
    with pytest.raises(ValueError, match=r"Got none of class 1 among 3 rows instead"):
        SugenoEnsembleClassifier().fit_frame(rare, "paid", sample=3)
    frame = rare.collect()
    table = Table.of(
        frame["x"].to_numpy()[:, None] + 0.0, frame["paid"].to_numpy(), row_weights(None, 5000)
    )
    assert set(table.sample(3).codes) == {0}
    with pytest.raises(ValueError, match="more than 2000"):
        table.sample(3000)
