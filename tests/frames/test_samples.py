"""What needs rows has a sample of them: the same one, and the same model, on every engine."""

import numpy as np
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sugeno
from frames.engines import ALL, CRITERIA, in_memory, lazy_polars_frame, loans, shuffled
from sugeno import SugenoClassifier, SugenoClassifierCV, SugenoEnsembleClassifier
from sugeno._counts.frame_opening import OpenFrame, frame_of
from sugeno._counts.table import Table
from sugeno._counts.weights import row_weights
from sugeno.estimators._frames_sampled import dealt

LOANS = loans(500)


def sample_of(frame, size, weight=None):
    known = OpenFrame.of(frame_of(frame), "paid", weight, CRITERIA)
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
    known = OpenFrame.of(frame_of(frame), "paid")
    table = known.source(np.array(["no", "yes"])).sample(1000)
    assert table.total == 1000  # no value of z occurs twice
    # Five standard deviations of a mean of 1000.
    assert abs(table.X[:, 0].mean() - x.mean()) < 5 * x.std() / 1000**0.5
    assert abs(table.X[:, 1].mean() - z.mean()) < 5 * z.std() / 1000**0.5


@given(st.data())
def test_copies_are_dealt_one_by_one(data):
    n = data.draw(st.integers(2, 12))
    codes = np.array(data.draw(st.permutations([0, 1] * 6)))[:n]
    weights = np.array(data.draw(st.lists(st.integers(1, 9), min_size=n, max_size=n)))
    n_folds = data.draw(st.integers(2, 5))
    table = Table.of(np.arange(n, dtype=float)[:, None], codes, row_weights(weights, n))
    if any(0 < weights[codes == code].sum() < 2 for code in (0, 1)) or codes.min() == codes.max():
        return
    parts = dealt(table, n_folds, by_copies=True)
    # By hand: the copies of a class in a row, to one fold after the other.
    folds = min(n_folds, *(int(weights[codes == code].sum()) for code in (0, 1)))
    wanted = np.zeros((folds, n), dtype=int)
    for code in (0, 1):
        copies = np.repeat(np.flatnonzero(codes == code), weights[codes == code])
        np.add.at(wanted, (np.arange(copies.size) % folds, copies), 1)
    found = np.zeros_like(wanted)
    np.add.at(found, (parts.fold, parts.X[:, 0].astype(int)), parts.weights.values)
    assert found.tolist() == wanted.tolist()


@pytest.mark.parametrize("engine", ALL)
def test_the_chosen_model_is_learned_from_all_rows(engine):
    clf = SugenoClassifierCV(levels=("shared", 2), ks=[1, 2]).fit_frame(
        engine(LOANS), "paid", features=CRITERIA, sample=100
    )
    best = SugenoClassifier(levels=clf.levels_, k=clf.k_).fit(*in_memory(LOANS))
    assert sugeno.dumps(clf) == sugeno.dumps(best)
    assert 100 <= clf.n_sampled_ <= 110


def test_distilled_rules_are_counted_on_all_rows():
    fits = [
        SugenoClassifierCV(levels="distilled", cv=2, max_rules=3).fit_frame(
            engine(table), "paid", features=CRITERIA, sample=80
        )
        for engine, table in ((lazy_polars_frame, LOANS), (ALL[4], shuffled(LOANS, 2)))
    ]
    one, other = fits
    assert sugeno.dumps(one) == sugeno.dumps(other)
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
    with pytest.raises(ValueError, match="Got none of class 1 among 3 rows instead; raise sample"):
        SugenoEnsembleClassifier().fit_frame(rare, "paid", sample=3)
    with pytest.raises(ValueError, match="at least 2 rows of each class"):
        SugenoClassifierCV().fit_frame(rare, "paid", sample=1000)
