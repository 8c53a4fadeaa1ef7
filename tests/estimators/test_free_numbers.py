"""Named columns of plain numbers: one that turns, or is confounded, has no direction."""

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone
from sklearn.ensemble import HistGradientBoostingClassifier

from sugeno import (
    SugenoClassifier,
    SugenoClassifierCV,
    SugenoDistiller,
    SugenoEnsembleClassifier,
)

CLASSIFIERS = [
    SugenoClassifier(levels=2),
    SugenoClassifierCV(cv=2),
    SugenoDistiller(),
    SugenoEnsembleClassifier(n_bags=3),
]
each = pytest.mark.parametrize("clf", CLASSIFIERS, ids=lambda clf: type(clf).__name__)


def people(seed, n):
    """Young and old ones are ill more often, and rich ones."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame({"age": rng.integers(18, 80, n), "income": rng.normal(40, 12, n).round(1)})
    odds = 9 * ((X["age"] - 47) / 31) ** 2 - 4 + 0.06 * (X["income"] - 40)
    return X, np.where(rng.random(n) < 1 / (1 + np.exp(-odds)), "yes", "no")


X, Y = people(0, 600)


@each
@pytest.mark.usefixtures("brief")
def test_what_turns_is_found_with_nothing_said(clf):
    found = clone(clf).fit(X, Y)
    assert [one.direction for one in found.columns_] == ["free", "up"]
    said = clone(clf).set_params(columns={}).fit(X, Y)
    np.testing.assert_array_equal(found.predict_proba(X), said.predict_proba(X))


@each
@pytest.mark.usefixtures("brief")
def test_tables_of_engines_give_the_same_model(clf):
    found, table = clone(clf).fit(X, Y).predict_proba(X), X.assign(ill=Y)
    relation = duckdb.connect().from_df(table)
    for frame in (table, pl.from_pandas(table).lazy(), relation):
        again = clone(clf).fit_frame(frame, "ill")
        assert again.columns_["age"].direction == "free"
        np.testing.assert_array_equal(again.predict_proba(X), found)


def test_an_age_that_turns_costs_at_most_a_point_against_boosting():
    train, test = people(0, 1000), people(1, 4000)
    boosting = HistGradientBoostingClassifier(random_state=0).fit(*train)
    for clf in (SugenoClassifierCV(), SugenoEnsembleClassifier()):
        assert clf.fit(*train).score(*test) >= boosting.score(*test) - 0.01


def stones():
    """Larger stones are worse stones: alone, a better cut goes with lower prices."""
    rng = np.random.default_rng(0)
    size = rng.normal(size=600).round(2)
    cut = (rng.normal(size=600) - 2 * size).round(1)
    return pd.DataFrame({"size": size, "cut": cut}), 4 * size + cut + 0.3 * rng.normal(size=600) > 0


def test_a_column_that_others_contradict_is_free():
    assert SugenoClassifier(levels=2).fit(*stones()).columns_["cut"].direction == "free"


@each
@pytest.mark.usefixtures("brief")
def test_the_model_of_the_paper_sees_each_column_beside_all_others(clf):
    table, dear = stones()
    clf = clone(clf).set_params(directions="model")
    for rows in (table, table.to_numpy()):
        assert clone(clf).fit(rows, dear).directions_.tolist() == [1, 1]
    mixed = table.assign(shop=np.where(dear, "a", "b"))
    mixed.loc[::9, "size"] = np.nan
    found = clone(clf).fit(mixed, dear)
    assert found.columns_["cut"].direction == "up"
    assert found.columns_["cut"].evidence.endswith("of votes for up")
    frame = pl.from_pandas(mixed.assign(dear=dear)).lazy()
    again = clone(clf).fit_frame(frame, "dear")
    np.testing.assert_array_equal(again.predict_proba(mixed), found.predict_proba(mixed))


def test_votes_leave_alone_what_is_said_and_what_has_no_numbers():
    table, dear = stones()
    said = SugenoClassifier(levels=2, directions="model", columns={"cut": "free"}).fit(table, dear)
    assert [one.direction for one in said.columns_] == ["up", "free"]
    shop = pd.DataFrame({"shop": np.where(dear, "a", "b"), "town": ["x", "y", "z"] * 200})
    alone = SugenoClassifier(levels=2, directions="model").fit(shop, dear)
    assert alone.score(shop, dear) == 1


def test_votes_are_taken_of_ordered_and_of_unordered_classes():
    table, dear = stones()
    thirds = dear.astype(int) + (table["size"] > 1)
    ordered = SugenoClassifier(levels=2, directions="model", order=[0, 1, 2]).fit(table, thirds)
    assert ordered.directions_.tolist() == [1, 1]
    names = np.array(["poor", "fair", "dear"])[thirds]
    each_class = SugenoClassifier(levels=2, directions="model").fit(table, names)
    assert each_class.per_class_["poor"].directions_.tolist() == [-1, -1]


def test_classes_without_an_order_have_kinds_of_columns_together():
    several = np.where(X["income"] > 50, "rich", Y)
    clf = SugenoClassifier(levels=2).fit(X, several)
    frame = SugenoClassifier(levels=2).fit_frame(pl.from_pandas(X.assign(y=several)).lazy(), "y")
    for label, one in clf.per_class_.items():
        assert {line.column for line in one.columns_} == {"age", "income"}
        assert one.columns_["age"].direction == frame.per_class_[label].columns_["age"].direction
    assert clf.per_class_["yes"].columns_["age"].direction == "free"
    np.testing.assert_array_equal(clf.predict(X), frame.predict(X))


@pytest.mark.parametrize("given", [None, {"age": 1, "income": 1}, [1, 1]])
def test_with_directions_said_there_is_nothing_to_find(given):
    clf = SugenoClassifier(levels=2, directions=given).fit(X, Y)
    assert not hasattr(clf, "columns_")


def test_a_direction_that_is_said_stays_beside_one_that_is_found():
    clf = SugenoClassifier(levels=2, directions={"income": -1}).fit(X, Y)
    assert [one.direction for one in clf.columns_] == ["free", "down"]
    assert clf.directions_.tolist() == [0, -1]


@each
@pytest.mark.usefixtures("brief")
def test_the_proof_names_the_columns_that_have_to_stay(clf):
    found = clone(clf).fit(X, Y)
    assert found.verify_monotone()
    told = str(found.verify_monotone())
    assert told.endswith("Columns without a direction have to stay as they are: age.")
    richer = X.assign(income=X["income"] + 7.5)
    assert (found.predict_proba(richer)[:, 1] >= found.predict_proba(X)[:, 1]).all()
    several = clone(clf).fit(X, np.where(X["income"] > 50, "rich", Y))
    assert "have to stay as they are: age" in str(several.verify_monotone())
    plain = clone(clf).set_params(directions=None).fit(X, Y)
    assert "have to stay" not in str(plain.verify_monotone())


def test_arrays_have_one_direction_for_each_column():
    clf = SugenoClassifier(levels=2).fit(X.to_numpy(), Y)
    assert clf.directions_.tolist() == [1, 1]


def test_where_each_column_has_a_direction_frames_and_arrays_learn_alike():
    risen = X.assign(age=X["age"] + 40 * (Y == "yes"))
    frame = SugenoClassifier(levels=2).fit(risen, Y)
    array = SugenoClassifier(levels=2).fit(risen.to_numpy(), Y)
    np.testing.assert_array_equal(frame.predict_proba(risen), array.predict_proba(risen.to_numpy()))
    assert not hasattr(frame, "columns_")
