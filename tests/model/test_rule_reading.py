"""Rules as tables on any data, in words, and in the dual reading."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from small_rules import rule_sets
from sugeno import RuleSet, SugenoClassifier

NAMES = ["interview", "price", "references"]


def hiring(**options):
    return RuleSet([{0, 1}, {0, 2}], [6, 3, 7], criteria=NAMES, directions=[1, -1, 1], **options)


@given(rule_sets())
def test_the_dual_accepts_the_same_rows_in_the_other_form(case):
    rules, X = case
    dual = rules.dual()
    assert {rules.form, dual.form} == {"dnf", "cnf"}
    assert (dual.predict(X) == rules.predict(X)).all()
    assert dual.dual().predict(X).tolist() == rules.predict(X).tolist()
    # Both forms are minimal, so that going there and back changes nothing.
    assert dual.dual().dual() == dual


@given(rule_sets(), st.integers(0, 2**32 - 1))
def test_the_table_on_any_rows_counts_what_a_loop_counts(case, seed):
    rules, X = case
    rng = np.random.default_rng(seed)
    y, weight = rng.integers(0, 2, len(X)), rng.integers(0, 3, len(X)) + np.eye(len(X))[0]
    signs, columns = rules.directions, rules.literal_criteria
    held = (X[:, columns] - rules.levels) * signs[columns] >= 0
    wanted = 1 if rules.form == "dnf" else 0
    if rules.form == "dnf":
        covered = [held[:, list(members)].all(axis=1) for members in rules.sets]
    else:
        covered = [~held[:, list(members)].any(axis=1) for members in rules.sets]
    times = np.sum(covered, axis=0) if covered else np.zeros(len(X))
    for record, inside in zip(rules.counted_on(X, y, weight).to_records(), covered, strict=True):
        assert record["support"] == weight[inside].sum()
        assert record["unique"] == weight[inside & (times == 1)].sum()
        if record["support"]:
            assert record["precision"] == np.average(y[inside] == wanted, weights=weight[inside])


@pytest.mark.parametrize(("reading", "value"), [("pessimistic", 1), ("optimistic", -1)])
@given(case=rule_sets(), seed=st.integers(0, 2**32 - 1))
def test_a_missing_value_counts_as_it_is_read(reading, value, case, seed):
    rules, X = case
    rng = np.random.default_rng(seed)
    X, y = X.astype(float), rng.integers(0, 2, len(X))
    gaps = rng.random(X.shape) < 0.3
    worst = np.where(gaps, -1e9 * value * rules.directions, X)
    expected = rules.counted_on(worst, y).to_records()
    given = np.where(gaps, np.nan, X)
    np.testing.assert_equal(rules.counted_on(given, y, missing=reading).to_records(), expected)
    if reading == "pessimistic":
        certain = rules.counted_on(given, y, missing="interval").to_records()
        np.testing.assert_equal(certain, expected)
    if gaps.any():
        with pytest.raises(ValueError, match="NaN"):
            rules.counted_on(given, y)


def test_unique_coverage_of_the_training_rows():
    X = pd.DataFrame({"speed": [1, 1, 5, 5], "comfort": [1, 5, 1, 5]})
    clf = SugenoClassifier(directions=None, threshold=0.6).fit(X, [0, 1, 1, 1])
    assert clf.rules_.to_frame()["unique"].tolist() == [1.0, 1.0]
    assert clf.rules_.to_records() == clf.rules_.counted_on(X, [0, 1, 1, 1]).to_records()


def test_counting_needs_one_label_per_row():
    with pytest.raises(ValueError, match=r"one label per row, shape \(1,\). Got shape \(2,\)"):
        hiring().counted_on([[1, 2, 3]], [0, 1])


def test_in_words():
    assert hiring().to_text(words=True) == (
        "accept if\n  interview at least 6 and price at most 3, or\n"
        "  interview at least 6 and references at least 7"
    )
    assert hiring().to_frame("polars", words=True)["rule"].to_list() == [
        "interview at least 6 and price at most 3",
        "interview at least 6 and references at least 7",
    ]


def test_the_dual_reading_is_taken_where_it_is_shorter():
    rules = hiring()
    assert (
        str(rules)
        == "accept if interview >= 6 and price <= 3, or interview >= 6 and references >= 7"
    )
    shorter = "reject unless interview >= 6 and (price <= 3 or references >= 7)"
    assert rules.to_text("shorter") == rules.to_text("cnf") == shorter
    assert rules.to_text("dnf") == rules.to_text() == str(rules)
    assert rules.dual().to_text("dnf") == str(rules)
    named = hiring(label="good").to_text("cnf", words=True)
    assert named == (
        "not good unless interview at least 6 and (price at most 3 or references at least 7)"
    )
    assert RuleSet([{0}, {1}], [1, 2]).to_text("shorter") == "accept if x0 >= 1, or x1 >= 2"


@pytest.mark.parametrize(("sets", "text"), [([], "accept never"), ([[]], "accept always")])
def test_rules_without_literals_read_alike_in_both_forms(sets, text):
    rules = RuleSet(sets, [1])
    assert {rules.to_text(form) for form in ("dnf", "cnf", "shorter")} == {text}


def test_markdown():
    table = hiring().counted_on([[6, 3, 1], [7, 9, 9]], [1, 0]).to_markdown()
    assert table.splitlines() == [
        "| rule | size | support | precision | unique |",
        "|:---|---:|---:|---:|---:|",
        "| interview >= 6 and price <= 3 | 2 | 1 | 1 | 1 |",
        "| interview >= 6 and references >= 7 | 2 | 1 | 0 | 1 |",
    ]
    odd = RuleSet([{0}], [1], criteria=["a|b <i>"]).to_markdown()
    assert r"| a\|b &lt;i> >= 1 | 1 |" in odd
    assert "accept never" in RuleSet([], [1]).to_markdown()


def test_labels_of_ordered_categoricals_in_words():
    safety = pd.Categorical(["low", "high", "low", "high"], ["low", "med", "high"], ordered=True)
    clf = SugenoClassifier().fit(pd.DataFrame({"safety": safety}), [0, 1, 0, 1])
    assert clf.rules_.to_text(words=True) == "class 1 if safety at least med"
    frame = pl.DataFrame({"safety": pl.Series(["med"], dtype=pl.Enum(["low", "med", "high"]))})
    assert clf.rules_.counted_on(frame, [1]).to_records()[0]["support"] == 1
