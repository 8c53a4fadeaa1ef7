"""Codes in columns of numbers that are no values: each is a kind of missing cell."""

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone

import sugeno
from sugeno import (
    SugenoClassifier,
    SugenoClassifierCV,
    SugenoDistiller,
    SugenoEnsembleClassifier,
    SugenoOrdinalClassifier,
)

RNG = np.random.default_rng(3)
N = 500
MONTHS = RNG.integers(0, 60, N).astype(float)
CHANCE = 1 / (1 + np.exp(-(MONTHS - 24) / 6))
MONTHS[RNG.random(N) < 0.1] = -9
MONTHS[(MONTHS >= 0) & (RNG.random(N) < 0.1)] = -8
MONTHS[RNG.random(N) < 0.05] = np.nan
CHANCE = np.select([MONTHS == -9, MONTHS == -8], [0.95, 0.05], CHANCE)
X = pd.DataFrame(
    {"months": MONTHS, "income": RNG.normal(50, 15, N).round(), "job": RNG.choice([*"abc"], N)}
)
Y = np.where(RNG.random(N) < CHANCE, "good", "bad")
CODES = {"months": {-9: "no record", -8: "no usable record"}}
LEVELS = SugenoClassifier(levels=2, positive="good", directions={"income": 1}, special=CODES)


def fitted(special, X=X, clf=LEVELS):
    return clone(clf).set_params(special=special).fit(X, Y)


@pytest.mark.parametrize(
    "clf",
    [
        SugenoClassifier(),
        SugenoClassifierCV(cv=2),
        SugenoDistiller(),
        SugenoEnsembleClassifier(n_bags=3),
        SugenoOrdinalClassifier(levels=1, classes=["bad", "good"]),
    ],
    ids=lambda clf: type(clf).__name__,
)
def test_every_classifier_takes_codes_and_decides_by_their_rows(clf):
    found = fitted(CODES, clf=clf)
    said = found.columns_["months"].missing
    assert f"{(MONTHS == -9).sum()} no record" in said
    assert f"{(MONTHS == -8).sum()} no usable record" in said
    assert (found.predict(X[MONTHS == -9]) == "good").mean() > 0.9
    assert (found.predict(X[MONTHS == -8]) == "bad").mean() > 0.9


def test_rules_name_the_codes_that_satisfy_them():
    rules = str(fitted(CODES).rules_)
    assert "or no record" in rules
    assert "no usable record" not in rules


def test_a_code_alone_is_what_an_empty_cell_is():
    full = X.assign(months=np.where(np.isnan(MONTHS), 30, MONTHS))
    coded = fitted({"months": {-9: "missing"}}, full)
    empty = fitted(None, full.assign(months=full.months.where(full.months != -9)))
    assert str(coded.rules_) == str(empty.rules_)
    without = full.assign(months=full.months.where(full.months != -9))
    assert (coded.predict_proba(full) == empty.predict_proba(without)).all()


def test_order_and_numbers_of_codes_do_not_matter():
    turned = fitted({"months": {-8: "no usable record", -9: "no record"}})
    assert (turned.predict_proba(X) == fitted(CODES).predict_proba(X)).all()
    other = X.assign(months=X.months.replace({-9: 17.5, -8: 1e6}))
    moved = fitted({"months": {17.5: "no record", 1e6: "no usable record"}}, other)
    assert (moved.predict_proba(other) == fitted(CODES).predict_proba(X)).all()
    assert str(moved.rules_) == str(fitted(CODES).rules_)


@pytest.mark.parametrize("place", ["worst", "best", 40])
def test_a_place_can_be_given_and_empty_cells_have_a_name(place):
    clf = fitted({"months": {-9: ("no record", place), None: "never asked"}})
    row = {"income": [50.0], "job": ["a"]}
    chances = clf.predict_proba(pd.DataFrame({"months": np.arange(-0.5, 70), **_repeated(row, 71)}))
    own = clf.predict_proba(pd.DataFrame({"months": [-9.0], **row}))[0, 1]
    expected = {"worst": chances[0, 1], "best": chances[-1, 1]}
    at_40 = clf.predict_proba(pd.DataFrame({"months": [40.0], **row}))[0, 1]
    assert own == expected.get(place, at_40)
    assert "never asked" in clf.columns_["months"].missing
    assert "missing" not in str(clf.rules_)


def _repeated(row, times):
    return {name: cells * times for name, cells in row.items()}


@pytest.mark.no_cover
@pytest.mark.parametrize("way", [1, -1, "free", "peak"])
def test_nobody_is_told_to_have_a_code_and_changes_flip_the_decision(way):
    clf = fitted(CODES, clf=LEVELS.set_params(directions={}, columns={"months": way}))
    before, moved = [], []
    for row, found in enumerate(clf.explain(X)):
        for flip in found.counterfactuals:
            after = {change.criterion: change.after for change in flip.changes}
            assert after.get("months", 0) not in (-9, -8, None)
            moved.append({**X.iloc[row], **after})
            before.append(row)
    assert (clf.predict(pd.DataFrame(moved)) != clf.predict(X)[before]).all()


def test_sentences_name_the_code():
    clf = fitted(CODES)
    poor = X.income < 70
    none, unusable = (np.flatnonzero((code == MONTHS) & poor)[:1] for code in (-9, -8))
    assert "instead of no record" in str(clf.explain(X.iloc[none], immutable=["income"])[0])
    found = clf.explain(X.iloc[none], immutable=["income"])[0]
    assert found.counterfactuals[0].changes[0].before == -9
    letter = str(clf.reasons(X.iloc[unusable])[0])
    assert "- months is no usable record" in letter.splitlines()


@pytest.mark.parametrize(
    "frame",
    [lambda t: t, lambda t: pl.from_pandas(t).lazy(), lambda t: duckdb.from_df(t)],
    ids=["pandas", "lazy Polars", "DuckDB"],
)
def test_fit_frame_is_fit(frame):
    whole, numbered = X.assign(y=(Y == "good").astype(int)), clone(LEVELS).set_params(positive=1)
    found = clone(numbered).fit_frame(frame(whole), "y")
    assert sugeno.dumps(found) == sugeno.dumps(numbered.fit(X, whole.y))


def test_files_keep_codes():
    clf = fitted(CODES)
    again = sugeno.loads(sugeno.dumps(clf))
    assert str(again.rules_) == str(clf.rules_)
    assert (again.predict_proba(X) == clf.predict_proba(X)).all()
    assert str(again.explain(X[:20])) == str(clf.explain(X[:20]))


def test_classes_without_an_order_have_places_of_their_own():
    three = np.where(MONTHS == -8, "neither", Y)
    clf = SugenoClassifier(levels=3, special=CODES).fit(X, three)
    assert (clf.predict(X[MONTHS == -8]) == "neither").mean() > 0.9
    decided = clf.predict(X)
    for row, found in enumerate(clf.explain(X[:100])):
        for flip in found.counterfactuals:
            after = {change.criterion: change.after for change in flip.changes}
            assert after.get("months", 0) not in (-9, -8, None)
            assert clf.predict(X.iloc[[row]].assign(**after))[0] != decided[row]


def test_a_column_of_codes_alone_is_left_out():
    coded = X.assign(months=np.where(np.arange(N) % 2, -9.0, np.nan))
    for clf in (
        fitted(CODES, coded),
        clone(LEVELS).fit_frame(pl.from_pandas(coded.assign(y=Y)).lazy(), "y"),
    ):
        assert clf.columns_["months"].left_out == "every cell is missing, or a code that says why"


def test_one_value_beside_codes_is_enough():
    coded = X.assign(months=np.where(MONTHS == -9, -9.0, 7.0))
    lazy = clone(LEVELS).fit_frame(pl.from_pandas(coded.assign(y=Y)).lazy(), "y")
    assert (fitted(CODES, coded).predict_proba(coded) == lazy.predict_proba(coded)).all()
    assert not lazy.columns_["months"].left_out


@pytest.mark.parametrize(
    ("special", "message"),
    [
        ({"month": {-9: "a"}}, "special must name columns of the table"),
        ({"months": -9}, "must be a dict from codes to labels"),
        ({"months": {-9: " "}}, "must go from codes to labels"),
        ({"months": {"-9": "a"}}, "must go from codes to labels"),
        ({"months": {-9: ("a", "middle")}}, "must go from codes to labels"),
        ({"months": {-9: "a", -8: "a"}}, "must give each code a label of its own"),
        ({"job": {-9: "a"}}, "Codes are for columns of numbers"),
        ({"job": {None: ("a", "worst")}}, "Places of empty cells are for columns of numbers"),
    ],
)
def test_what_is_refused(special, message):
    with pytest.raises(ValueError, match=message):
        fitted(special)


def test_arrays_have_no_names_to_say_it_of():
    with pytest.raises(ValueError, match="need a frame of pandas, Polars or PyArrow"):
        SugenoClassifier(special={"x0": {-9: "a"}}).fit(X[["months"]].to_numpy(), Y)
