"""Frames as they come: text, gaps, dates and ids in every classifier."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone
from sklearn.metrics import accuracy_score
from sklearn.model_selection import StratifiedKFold, cross_val_score

from sugeno import (
    SugenoClassifier,
    SugenoClassifierCV,
    SugenoDistiller,
    SugenoEnsembleClassifier,
    SugenoOrdinalClassifier,
)

CLASSIFIERS = [
    SugenoClassifier(levels=2),
    SugenoClassifierCV(cv=3),
    SugenoDistiller(),
    SugenoEnsembleClassifier(n_bags=4),
]


def applicants(n=400, seed=0):
    """A table with everything that real ones have, and its classes."""
    rng = np.random.default_rng(seed)
    income = rng.lognormal(3, 0.5, n).round(1)
    home = rng.choice(["rent", "own", "parents"], n)
    since = np.datetime64("2015-01-01") + rng.integers(0, 3000, n).astype("m8[D]")
    good = 2 * np.log(income) + 3 * (home == "own") + rng.normal(size=n) > 7
    income[rng.random(n) < 0.1] = np.nan
    home = np.where(rng.random(n) < 0.05, None, home)
    table = {"id": np.arange(n), "income": income, "home": home, "since": since, "land": ["at"] * n}
    return pd.DataFrame(table), good


def houses(n=300, seed=0):
    """The same of three classes without an order, each with an order of homes of its own."""
    rng = np.random.default_rng(seed)
    home = rng.choice(["rent", "own", "parents"], n)
    age = rng.integers(18, 80, n).astype(float)
    seen = np.datetime64("2015-01-01") + rng.integers(0, 3000, n).astype("m8[D]")
    y = np.where(home == "own", "red", np.where(age > 50, "green", "blue"))
    y = np.where(rng.random(n) < 0.1, rng.permutation(y), y)
    age[rng.random(n) < 0.1] = np.nan
    home = np.where(rng.random(n) < 0.1, None, home)
    return pd.DataFrame({"home": home, "age": age, "seen": seen, "id": np.arange(n)}), y


@pytest.mark.parametrize("clf", CLASSIFIERS, ids=lambda clf: type(clf).__name__)
def test_every_classifier_takes_text_gaps_dates_and_ids(clf):
    X, y = applicants()
    clf = clone(clf).fit(X[:300], y[:300])
    assert accuracy_score(y[300:], clf.predict(X[300:])) > 0.75
    assert clf.predict_proba(X[300:]).shape == (100, 2)
    assert clf.n_features_in_ == 5
    assert [*clf.feature_names_in_] == [*X.columns]
    assert clf.columns_["id"].left_out
    assert clf.columns_["land"].left_out == "every cell is at"
    assert clf.columns_["home"].kind == "unordered"
    assert clf.columns_["since"].kind == "date"


@pytest.mark.parametrize("clf", CLASSIFIERS, ids=lambda clf: type(clf).__name__)
def test_labels_that_training_did_not_see_and_other_gaps_are_predicted(clf):
    X, y = applicants()
    X["income"] = X["income"].fillna(20)  # no gap in training
    clf = clone(clf).fit(X, y)
    strange = X[:4].copy()
    strange.loc[0, "home"] = "tent"
    strange.loc[1, "income"] = np.nan
    strange.loc[2, "since"] = pd.NaT
    strange.loc[3, ["id", "land"]] = [-5, "xx"]  # columns that are left out say nothing
    assert clf.predict(strange).shape == (4,)
    assert clf.predict(strange)[3] == clf.predict(X[:4])[3]
    # What was never missing and is now is read as the worst.
    worst = X[1:2].assign(income=-1.0)
    np.testing.assert_array_equal(clf.predict(strange)[1], clf.predict(worst)[0])


def test_frames_of_other_libraries_and_columns_in_another_order_mean_the_same():
    X, y = applicants()
    clf = SugenoDistiller().fit(X, y)
    other = SugenoDistiller().fit(pl.from_pandas(X), y)
    assert str(clf.rules_) == str(other.rules_)
    np.testing.assert_array_equal(clf.predict(X), other.predict(pl.from_pandas(X)))
    np.testing.assert_array_equal(clf.predict(X), clf.predict(X[X.columns[::-1]]))
    np.testing.assert_array_equal(clf.predict(X), clf.predict(X.astype(object).to_numpy()))


def test_the_order_of_the_rows_does_not_matter():
    X, y = applicants()
    mixed = np.random.default_rng(1).permutation(len(y))
    X = X.drop(columns="id")  # which would not be one in another order
    one = SugenoClassifierCV(cv=3).fit(X, y)
    other = SugenoClassifierCV(cv=3).fit(X.iloc[mixed], y[mixed])
    assert str(one.rules_) == str(other.rules_)
    assert [*one.columns_] == [*other.columns_]


def test_rules_are_sentences():
    X, y = applicants()
    text = str(SugenoClassifier(levels=2).fit(X, y).rules_)
    assert "home is own" in text
    assert "home >=" not in text


def test_each_fold_finds_its_own_order():
    """A category by lot tells nothing on held-out rows, however well it fits the others."""
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"lot": rng.choice([f"c{i}" for i in range(12)], 400), "x": rng.random(400)})
    y = rng.integers(0, 2, 400)
    clf = SugenoClassifierCV(cv=5).fit(X, y)
    assert clf.best_score_ < 0.58
    own = SugenoClassifierCV(cv=StratifiedKFold(5), scoring="roc_auc").fit(X, y)
    assert own.best_score_ < 0.58


def test_importances_are_those_of_the_columns():
    X, y = applicants()
    clf = SugenoClassifier(levels=2).fit(X, y)
    assert clf.feature_importances_.shape == (5,)
    assert clf.feature_importances_.sum() == pytest.approx(1)
    assert clf.feature_importances_[[0, 4]].tolist() == [0, 0]


def test_directions_that_are_given_are_taken():
    X, y = applicants()
    clf = SugenoClassifier(directions={"income": -1}).fit(X, y)
    assert clf.columns_["income"].direction == "down"
    assert clf.columns_["income"].evidence == "given"


def test_ordered_classes():
    X, y = applicants()
    three = y.astype(int) + (X["home"] == "own").to_numpy()
    clf = SugenoOrdinalClassifier(levels=1).fit(X, three)
    assert (clf.predict(X) == three).mean() > 0.7


@pytest.mark.parametrize("clf", CLASSIFIERS, ids=lambda clf: type(clf).__name__)
def test_each_class_without_an_order_finds_its_own_orders_and_directions(clf):
    X, y = houses()
    clf = clone(clf).fit(X, y)
    chances = []
    for label in clf.classes_:
        alone = clone(clf).fit(X, y == label)
        chances.append(alone.predict_proba(X)[:, 1])
        np.testing.assert_array_equal(clf.per_class_[label].predict_proba(X)[:, 1], chances[-1])
        np.testing.assert_array_equal(clf.per_class_[label].directions_, alone.directions_)
        told = [one for one in clf.columns_ if one.of_class == label]
        assert {one.column: one.direction for one in told} == {
            one.column: one.direction for one in alone.columns_ if one.column != "id"
        }
    shares = np.transpose(chances) / np.sum(chances, axis=0)[:, None]
    np.testing.assert_allclose(clf.predict_proba(X), shares)
    assert (clf.predict(X) == clf.classes_[shares.argmax(axis=1)]).mean() > 0.99  # but for ties
    assert (clf.predict(X) == y).mean() > 0.75
    assert clf.columns_["id"].left_out
    with pytest.raises(KeyError, match=r"'home' has 3 lines.*per_class_\[label\]\.columns_"):
        clf.columns_["home"]
    strange = pd.DataFrame({"home": ["tent", None], "age": [None, 20.0], "seen": X["seen"][:2]})
    assert {*clf.predict(strange)} <= {*clf.classes_}
    assert np.allclose(clf.predict_proba(strange).sum(axis=1), 1)


def test_importances_of_classes_without_an_order_are_those_of_the_columns():
    X, y = houses()
    clf = SugenoClassifier(levels=2).fit(X, y)
    each = [one.feature_importances_ for one in clf.per_class_.values()]
    np.testing.assert_allclose(clf.feature_importances_, np.mean(each, axis=0))


def test_scikit_learn_can_cross_validate():
    X, y = applicants()
    assert cross_val_score(SugenoDistiller(), X, y, cv=3).mean() > 0.8


def test_a_second_fit_forgets_the_kinds():
    X, y = applicants()
    clf = SugenoClassifier().fit(X, y)
    clf.fit(X[["id"]], y)
    assert not hasattr(clf, "columns_")
    assert clf.predict(X[["id"]]).shape == y.shape


def test_a_column_that_is_not_there_and_a_strange_cell_are_refused_by_name():
    X, y = applicants()
    clf = SugenoClassifier(levels=2).fit(X, y)
    with pytest.raises(ValueError, match="X must have a column 'home', as in training"):
        clf.predict(X.drop(columns="home"))
    with pytest.raises(ValueError, match=r"Column 'income' must hold numbers.*text such as 'much'"):
        clf.predict(X.assign(income="much"))


def test_ordered_labels_beside_text_are_refused_where_training_did_not_know_them():
    X, y = applicants()
    grade = pd.Categorical(np.where(y, "good", "bad"), ["bad", "good"], ordered=True)
    clf = SugenoClassifier(levels=2).fit(X.assign(grade=grade), y)
    assert clf.columns_["grade"].kind == "ordered"
    assert clf.predict(X.assign(grade="good"))[0]
    with pytest.raises(ValueError, match="Column 'grade' must hold the labels known"):
        clf.predict(X.assign(grade="best"))


def test_the_place_of_missing_cells_is_said_in_words():
    rng = np.random.default_rng(0)
    x = rng.integers(1, 4, 300)
    y = x + rng.normal(0, 2, 300) > 2
    for gap, said in ((~y, "worse than all others"), (y, "better than all others")):
        cells = np.where(gap & (rng.random(300) < 0.5), np.nan, x)
        clf = SugenoClassifier().fit(pd.DataFrame({"x": cells, "w": ["a", "b"] * 150}), y)
        assert clf.columns_["x"].missing.endswith(said)


def test_long_cells_of_what_was_assumed_are_shortened_in_print():
    rng = np.random.default_rng(0)
    long = np.array(["the first of two very long labels" * 2, "the second of two long labels" * 2])
    y = rng.integers(0, 2, 100)
    clf = SugenoClassifier().fit(pd.DataFrame({"x": rng.random(100), "w": long[y]}), y)
    assert clf.columns_["w"].direction == f"{long[1]} above {long[0]}"
    assert "the second of two long… above the first of two very l…" in repr(clf.columns_)
    assert long[1] not in repr(clf.columns_)


@pytest.mark.parametrize("clf", CLASSIFIERS, ids=lambda clf: type(clf).__name__)
def test_where_no_column_tells_the_classes_apart_one_class_is_said(clf):
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"room": [f"{n % 30}" for n in range(60)]}).astype({"room": "category"})
    y = np.array(["no", "yes", "yes"])[rng.integers(0, 3, 60)]
    clf = clone(clf).fit(X, y)
    assert len({*clf.predict(X)}) == 1
    assert clf.columns_["room"].evidence == "no column tells the classes apart"
    assert len({*clf.predict(pd.DataFrame({"room": ["z", None]}))}) == 1


def test_a_table_of_ids_is_refused_with_the_remedy():
    X = pd.DataFrame({"name": [f"p{i}" for i in range(40)], "land": "at"})
    with pytest.raises(ValueError, match=r"columns=\{'name': 'keep'\} for one that is left out"):
        SugenoClassifier().fit(X, [0, 1] * 20)


def test_measurements_as_classes_are_refused_with_a_remedy():
    X = pd.DataFrame({"home": ["own", "rent"] * 20})
    with pytest.raises(ValueError, match=r"Unknown label type: continuous.*fit to y >= a value"):
        SugenoClassifier().fit(X, np.random.default_rng(0).random(40))


def test_long_lists_of_labels_are_shortened_in_rules_and_written_out_once():
    rng = np.random.default_rng(0)
    state = rng.integers(0, 30, 3000)
    names = np.array([f"S{place:02d}" for place in range(30)])
    y = np.where(state + rng.normal(0, 3, 3000) > 14, "yes", "no")
    clf = SugenoClassifier(levels=1).fit(pd.DataFrame({"state": names[state]}), y)
    rule, *legend = str(clf.rules_).splitlines()
    decided = set(names[clf.predict(pd.DataFrame({"state": names})) == "yes"])
    assert f"state is one of {len(decided)} labels (" in rule
    opening, labels = legend[0].split(": ")
    assert opening == f"state, {len(decided)} labels"
    assert set(labels.split(", ")) == decided
    assert len(legend) == 1


def test_a_few_empty_cells_say_nothing_and_satisfy_nothing():
    rng = np.random.default_rng(0)
    income = rng.normal(50, 15, 500)
    y = np.where(income + rng.normal(0, 5, 500) > 50, "yes", "no")
    X = pd.DataFrame({"income": income})
    X.loc[:1, "income"] = np.nan
    few = SugenoClassifier(columns={}).fit(X, y)
    assert "missing" not in str(few.rules_)
    assert few.columns_["income"].missing == "2, too few to tell, so worse than all others"
    X.loc[:49, "income"] = np.nan
    assert "too few" not in SugenoClassifier(columns={}).fit(X, y).columns_["income"].missing


def test_shares_of_categories_are_those_of_their_rows():
    home = np.repeat(["own", "rent"], 50)
    y = np.r_[np.repeat([1, 0], [40, 10]), np.repeat([1, 0], [5, 45])]
    clf = SugenoClassifier().fit(pd.DataFrame({"home": home}), pd.Series(y, name="paid"))
    assert clf.columns_["home"].evidence == "80% paid = 1 if own, 10% if rent"
