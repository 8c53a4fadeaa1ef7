"""How often rules recur on resampled data."""

from dataclasses import replace

import numpy as np
import pandas as pd
import polars as pl
import pytest

from classifier_tables import grades, measurements
from sugeno import (
    OrdinalRuleClassifier,
    RuleClassifier,
    SugenoClassifier,
    SugenoDistiller,
    SugenoOrdinalClassifier,
    rule_stability,
)
from sugeno.model.model import Model
from sugeno.report import report_html


def test_rules_that_the_data_force_recur_always():
    X = pd.DataFrame({"speed": [1, 1, 5, 5] * 20, "comfort": [1, 5, 1, 5] * 20})
    y = [0, 0, 0, 1] * 20
    clf = SugenoClassifier(directions=None).fit(X, y)
    found = rule_stability(clf, X, y, n_resamples=10, random_state=0)
    assert found.same_rule.tolist() == found.same_criteria.tolist() == [1.0]
    assert found.n_rules.tolist() == [1] * 10


def test_the_shares_are_those_of_a_loop_over_repeated_rows():
    X, y = grades(n=60, noise=0.3)
    clf = SugenoClassifier(levels=2, k=2).fit(X, y)
    found = rule_stability(clf, X, y, n_resamples=6, random_state=3)
    rng = np.random.RandomState(3)
    seen = []
    for _ in range(6):
        rows = np.concatenate([rng.choice(np.flatnonzero(y == c), (y == c).sum()) for c in (0, 1)])
        again = SugenoClassifier(levels=2, k=2).fit(X[rows], y[rows]).rules_
        seen.append({_parted(again, members, X) for members in again.sets})
    wanted = [_parted(clf.rules_, members, X) for members in clf.rules_.sets]
    shares = [np.mean([one in repetition for repetition in seen]) for one in wanted]
    assert found.same_rule.tolist() == pytest.approx(shares)
    assert (found.same_criteria >= found.same_rule).all()
    assert 0 < found.same_rule.mean() < 1


def _parted(rules, members, X):
    """Literals as the rows that satisfy them."""
    columns, levels, signs = rules.literal_criteria, rules.levels, rules.directions
    return frozenset(
        (columns[j], ((X[:, columns[j]] - levels[j]) * signs[columns[j]] >= 0).tobytes())
        for j in members
    )


def test_the_seed_decides_and_weights_of_zero_leave_rows_out():
    X, y = measurements(n=60)
    clf = SugenoClassifier(k=2).fit(X, y)
    one, two = (rule_stability(clf, X, y, n_resamples=4, random_state=1) for _ in range(2))
    assert one.same_rule.tolist() == two.same_rule.tolist()
    wrong = np.concatenate([X, X[:5] + 100]), np.concatenate([y, 1 - y[:5]])
    weight = np.r_[np.ones(60), np.zeros(5)]
    found = rule_stability(clf, *wrong, sample_weight=weight, n_resamples=4, random_state=1)
    assert found.same_criteria.mean() > 0


def test_the_table_of_rules_with_everything_in_it():
    X, y = grades()
    X = pd.DataFrame(X, columns=list("abcd"))
    clf = SugenoClassifier(k=2).fit(X, y)
    names = ["rule", "size", "support", "precision", "unique"]
    assert list(clf.rules_table().columns) == names
    frame = clf.rules_table(X, y, n_resamples=3, random_state=0, backend="polars", words=True)
    assert isinstance(frame, pl.DataFrame)
    assert frame.columns == [*names, "stability", "criteria_stability"]
    assert frame["support"].to_list() == clf.rules_table()["support"].tolist()
    assert " at least " in frame["rule"][0]
    found = rule_stability(clf, X, y, n_resamples=3, random_state=0)
    assert frame["stability"].to_list() == found.same_rule.tolist()
    assert found.to_records()[0]["stability"] == found.same_rule[0]
    assert found.to_markdown(words=True).startswith(
        "| rule | size | support | precision | unique |"
    )
    assert clf.rules_table(X[:10], y[:10])["support"].max() <= 10


@pytest.mark.usefixtures("brief")
def test_clauses_are_compared_with_clauses():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 4, (200, 4)).astype(float)
    y = (
        ((X[:, 0] >= 2) | (X[:, 1] >= 2))
        & ((X[:, 2] >= 2) | (X[:, 3] >= 1))
        & (X[:, 0] + X[:, 3] >= 1)
    )
    clf = SugenoDistiller(n_rules=3, max_rules=4, directions=None, random_state=0).fit(X, y)
    found = rule_stability(clf, X, y, n_resamples=2, random_state=0)
    assert ((found.same_criteria >= 0) & (found.same_criteria <= 1)).all()
    assert (found.same_criteria >= found.same_rule).all()


def test_a_form_that_is_too_long_to_read_counts_as_no_rule(monkeypatch):
    X, y = grades(n=30)
    clf = SugenoClassifier(k=2).fit(X, y)

    def too_long(self):
        raise OverflowError

    clf.model_ = Model.of_two_classes(replace(clf.model_.boundaries[0], form=clf.rules_.dual()))
    monkeypatch.setattr(type(clf.rules_), "dual", too_long)
    found = rule_stability(clf, X, y, n_resamples=2, random_state=0)
    assert found.same_rule.tolist() == found.same_criteria.tolist() == [0.0] * len(clf.rules_)


def test_rules_of_ordered_classes_are_looked_for_at_their_own_boundary():
    X = pd.DataFrame({"speed": [1, 2, 3, 4] * 20})
    y = [0, 1, 2, 2] * 20
    clf = SugenoOrdinalClassifier(levels=1, directions=None).fit(X, y)
    found = rule_stability(clf, X, y, n_resamples=5, random_state=0)
    assert str(found.rules) == str(clf.rules_)
    assert found.same_rule.tolist() == [1.0, 1.0]
    assert found.n_rules.tolist() == [2] * 5
    assert str(found).splitlines()[1] == "100% 100%  at least 1: speed >= 2"
    assert [one["boundary"] for one in found.to_records()] == ["at least 1", "at least 2"]
    assert found.to_frame()["stability"].tolist() == [1.0, 1.0]
    noisy = np.random.default_rng(0).permutation(y)
    clf.fit(X, noisy)
    found = rule_stability(clf, X, noisy, n_resamples=5, random_state=0)
    assert (found.same_criteria >= found.same_rule).all()
    assert found.same_rule.mean() < 1


def test_wrong_questions():
    X, y = grades(n=30)
    clf = SugenoClassifier().fit(X, y)
    with pytest.raises(ValueError, match="n_resamples must be at least 1"):
        rule_stability(clf, X, y, n_resamples=0)
    with pytest.raises(TypeError, match=r"a classifier that learns. Got RuleClassifier"):
        rule_stability(RuleClassifier.of(clf.model_), X, y)
    three = SugenoOrdinalClassifier(levels=1).fit([[1], [2], [3]], [1, 2, 3])
    with pytest.raises(TypeError, match=r"Got RuleClassifier"):
        rule_stability(OrdinalRuleClassifier.of(three.model_), X, y)
    with pytest.raises(ValueError, match="X and y must be given together"):
        clf.rules_table(n_resamples=3)
    with pytest.raises(ValueError, match="X and y must be given together"):
        clf.rules_table(X)


def sums(n=80, seed=0):
    """A category and two numbers whose sum decides."""
    rng = np.random.default_rng(seed)
    home = rng.choice(["own", "rent", "free"], n)
    X = pd.DataFrame({"age": rng.integers(1, 5, n), "price": rng.integers(1, 5, n), "home": home})
    X["noise"] = rng.integers(0, 3, n)
    return X, X["age"] - X["price"] + 2 * (home == "own") + rng.normal(0, 0.3, n)


@pytest.mark.usefixtures("brief")
@pytest.mark.parametrize("ordered", [False, True])
def test_conditions_of_a_card_and_criteria_with_the_range_of_their_levels(ordered):
    X, worth = sums()
    y = np.digitize(worth, [0, 2]) if ordered else (worth > 1).astype(int)
    learner = SugenoOrdinalClassifier if ordered else SugenoDistiller
    clf = learner(form="points").fit(X, y)
    found = rule_stability(clf, X, y, n_resamples=4, random_state=0)
    card = clf.rules_[0] if ordered else clf.rules_
    assert found.same_rule.size == len(card)
    shown = {one["condition"]: one["stability"] for one in found.conditions}
    assert {*shown} == {*card.literals}
    assert found.recurring == pytest.approx(found.same_rule.mean())
    assert dict(zip(card.literals, found.same_rule.tolist(), strict=True)) == shown
    about = {one["criterion"]: one for one in found.criteria}
    assert about["age"]["direction"] == "more is better"
    assert about["price"]["direction"] == "less is better"
    assert about["price"]["levels"].startswith("<= ")
    for name, kind in (("age", ">= "), ("price", "<= ")):
        assert about[name]["stability"] == 1
        assert kind in about[name]["levels"]
    assert about["home"]["here"]
    assert about["home"]["levels"]
    for one in found.criteria:
        mine = [
            f for f, text in zip(found.same_criteria, card.literals) if one["criterion"] in text
        ]
        assert all(share == one["stability"] for share in mine)
    assert len(found.to_frame()) == len(card)
    assert repr(found).count("\n") == len(card)


@pytest.mark.usefixtures("brief")
def test_what_is_read_is_compared_across_forms():
    X, worth = sums()
    y = (worth > 1).astype(int)
    clf = SugenoDistiller(form="points").fit(X, y)
    rules = SugenoDistiller(form="rules").fit(X, y)
    clf.set_params(form="rules")  # what is fitted again are rules now
    found = rule_stability(clf, X, y, n_resamples=2, random_state=0)
    assert 0 <= found.recurring <= 1
    rules.set_params(form="points")
    found = rule_stability(rules, X, y, n_resamples=2, random_state=0)
    assert ((found.same_rule >= 0) & (found.same_rule <= found.same_criteria)).all()


def test_the_page_says_what_is_stable():
    X = pd.DataFrame({"speed": [1, 1, 5, 5] * 20, "comfort": [1, 5, 1, 5] * 20})
    y = [0, 0, 0, 1] * 20
    clf = SugenoClassifier(directions=None).fit(X, y)
    found = rule_stability(clf, X, y, n_resamples=3, random_state=0)
    page = report_html(clf, X, y, stability=found)
    section = page[page.index('id="stability"') :]
    assert "repeated 3 times" in section
    assert "100\u00a0% of the conditions" in section
    for text in ("speed", "comfort", "&gt;= 3"):
        assert text in section
    assert 'id="stability"' not in report_html(clf, X, y)
