"""Ordered classes by one card of points, with a threshold for each class but the lowest."""

from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression

import sugeno
from sugeno import (
    Card,
    SugenoClassifier,
    SugenoClassifierCV,
    SugenoDistiller,
    SugenoEnsembleClassifier,
    SugenoOrdinalClassifier,
)

GRADES = ["bad", "fair", "good", "great"]


def judged(seed=0, n=160, noise=0.5, gaps=0.0):
    """A sum of criteria, one of them a category, cut into four grades."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(
        {
            "service": rng.integers(1, 6, n),
            "price": rng.integers(1, 6, n) * 10,
            "quality": rng.integers(0, 5, n).astype(float),
            "colour": rng.choice(["red", "green"], n),
        }
    )
    worth = X["service"] - X["price"] / 12 + X["quality"] + (X["colour"] == "red")
    worth += rng.normal(0, noise, n)
    X.loc[rng.random(n) < gaps, "quality"] = np.nan
    return X, np.array(GRADES)[np.searchsorted(np.quantile(worth, [0.25, 0.6, 0.85]), worth)]


@pytest.fixture(scope="module")
def fitted():
    X, y = judged(gaps=0.1)
    return X, y, SugenoOrdinalClassifier(form="points", classes=GRADES).fit(X, y)


def test_all_boundaries_count_the_same_points_with_rising_thresholds(fitted):
    X, _, clf = fitted
    cards = clf.rules_
    assert all(isinstance(card, Card) and card.shares_points(cards[0]) for card in cards)
    needed = [card.needed for card in cards]
    assert needed == sorted(needed)
    assert all(higher.beyond(lower) is None for lower, higher in pairwise(cards))
    share = clf.integral(X)  # the score, as a share of all points
    assert clf.thresholds_ == pytest.approx(np.array(needed) / cards[0].total)
    passed = (share[:, None] >= clf.thresholds_).sum(axis=1)
    assert clf.predict(X).tolist() == np.array(GRADES)[passed].tolist()


def test_probabilities_rise_with_the_score_and_the_prediction_leads(fitted):
    X, _, clf = fitted
    cards = clf.rules_
    chances = np.array([card.chances for card in cards])
    assert (np.diff(chances, axis=1) >= 0).all()
    assert (np.diff(chances, axis=0) <= 1e-12).all()
    told = clf.predict_proba(X)
    assert clf.classes_[told.argmax(axis=1)].tolist() == clf.predict(X).tolist()


def test_one_card_is_shown_with_its_thresholds(fitted):
    _, _, clf = fitted
    cards = clf.rules_
    heads = [f"at least {grade} from {c.needed} of" for grade, c in zip(GRADES[1:], cards)]
    texts = [str(cards), cards.to_text(words=True), cards.to_markdown(), cards._repr_html_()]
    for text in texts:
        assert all(text.count(head) == 1 for head in heads)
    assert str(cards).count("\n  service") == 1
    records = cards.to_records()
    assert len(records) == len(cards[0]) == cards.n_rules == cards.n_conditions
    assert [*records[0]][-1] == "precision of at least great"
    assert cards.to_frame().shape == (len(records), len(records[0]))
    assert "literals with points" in str(clf.verify_monotone())


def test_a_file_and_a_frame_keep_the_card(fitted):
    X, _, clf = fitted
    again = sugeno.loads(sugeno.dumps(clf))
    assert again.predict(X).tolist() == clf.predict(X).tolist()
    assert str(again.rules_) == str(clf.rules_)
    assert clf.predict_frame(X)["prediction"].tolist() == clf.predict(X).tolist()


def test_points_win_where_a_sum_decides_and_rules_where_they_do():
    X, y = judged(1, n=120)
    new, truth = judged(2)
    options = {"classes": GRADES, "random_state": 0}
    found = {
        form: SugenoOrdinalClassifier(form=form, **options).fit(X, y)
        for form in ("rules", "points", "auto")
    }
    assert found["points"].score(new, truth) > found["rules"].score(new, truth)
    assert str(found["auto"].rules_) == str(found["points"].rules_)
    rng = np.random.default_rng(0)
    X = rng.integers(0, 3, (200, 4)).astype(float)
    y = np.maximum(np.minimum(X[:, 0], X[:, 1]), np.minimum(X[:, 2], X[:, 3]))
    clf = SugenoOrdinalClassifier(form="auto", directions=[1] * 4).fit(X, y)
    assert not clf.rules_.cards


def test_a_matrix_of_costs_moves_the_thresholds():
    X, y = judged(1, n=100)
    options = {"form": "points", "classes": GRADES}
    gap = np.subtract.outer(np.arange(4), np.arange(4))
    prices = np.where(gap > 0, 8.0, 1.0) * np.abs(gap)  # too low a grade is worse
    plain = SugenoOrdinalClassifier(**options).fit(X, y)
    dear = SugenoOrdinalClassifier(**options, loss=prices).fit(X, y)
    rank = {grade: place for place, grade in enumerate(GRADES)}
    low, high = (np.mean([rank[g] for g in clf.predict(X)]) for clf in (plain, dear))
    assert high > low


def test_rows_whose_ends_differ_teach_one_card():
    X, y = judged(3, gaps=0.2)
    numbers = X.drop(columns="colour")
    options = {"form": "points", "classes": GRADES, "directions": [1, -1, 1]}
    clf = SugenoOrdinalClassifier(**options, missing="interval").fit(numbers, y)
    assert clf.rules_.cards
    assert clf.score(numbers, y) > 0.5
    sets = clf.predict_set(numbers)
    said = clf.classes_.searchsorted(clf.predict(numbers))
    assert sets[np.arange(len(sets)), said].all()
    assert (sets.sum(axis=1) > 1).any()


def test_the_choice_by_folds_learns_a_card_once():
    X, y = judged(1, n=90)
    clf = SugenoClassifierCV(form="points", order=GRADES, levels="distilled", cv=2).fit(X, y)
    assert clf.rules_.cards
    assert len(clf.cv_results_["params"]) == 1
    assert clf.cv_results_["mean_n_rules"][0] < 30


def test_the_form_is_for_what_is_distilled():
    with pytest.raises(ValueError, match="is for levels='distilled'"):
        SugenoClassifier(form="points").fit([[1], [2]], [0, 1])


def test_a_card_that_is_distilled_without_a_teacher_is_that_of_the_classifier():
    X, y = judged(n=120)
    own = SugenoDistiller(form="points", order=GRADES).fit(X, y)
    other = SugenoOrdinalClassifier(form="points", classes=GRADES).fit(X, y)
    assert own.rules_ == other.rules_
    np.testing.assert_array_equal(own.predict_proba(X), other.predict_proba(X))
    assert own.objective_ == other.objective_
    assert own.n_literals_ == own.rules_.n_conditions
    assert (own.path_[own.n_literals_]["literals"], own.teacher_) == (own.n_literals_, None)
    declared = pd.Series(pd.Categorical(y, GRADES, ordered=True))
    again = SugenoDistiller(form="points").fit(X, declared)
    assert again.rules_ == own.rules_
    frame = SugenoDistiller(form="points", order=GRADES).fit_frame(X.assign(grade=y), "grade")
    assert frame.rules_ == own.rules_


@pytest.mark.usefixtures("brief")
@pytest.mark.parametrize("n_literals", [1, 4, 7])
@pytest.mark.parametrize("teacher", [None, LogisticRegression(max_iter=2000)])
def test_a_card_of_ordered_classes_has_as_many_conditions_as_are_asked_for(teacher, n_literals):
    X, y = judged(n=120, noise=0.1)
    X = X.drop(columns="colour")
    clf = SugenoDistiller(teacher, form="points", n_literals=n_literals, order=GRADES).fit(X, y)
    assert clf.n_literals_ == clf.rules_.n_conditions == n_literals
    assert len(clf.rules_) == 3
    assert clf.verify_monotone()
    losses = [step["disagreement"] for step in clf.path_]
    assert losses[-1] < losses[0]


@pytest.mark.parametrize("fitted_before", [False, True])
def test_a_teacher_of_ordered_classes_is_asked_about_each_boundary(fitted_before):
    X, y = judged(n=200, noise=0.1)
    X = X.drop(columns="colour")
    teacher = LogisticRegression(max_iter=2000)
    teacher = teacher.fit(X, y) if fitted_before else teacher
    clf = SugenoDistiller(teacher, form="points", order=GRADES).fit(X, y)
    assert (
        clf.predict(X) == clf.teacher_.predict(X if fitted_before else X.to_numpy())
    ).mean() > 0.75
    assert clf.model_.learned.teacher == "LogisticRegression"
    whole = SugenoEnsembleClassifier(order=GRADES, n_bags=4).fit(X, y)
    card = SugenoDistiller(whole, form="points", order=GRADES).fit(X, y)
    assert (card.predict(X) == whole.predict(X)).mean() > 0.75
    less = LogisticRegression(max_iter=2000).fit(X[y != "good"], y[y != "good"])
    with pytest.raises(ValueError, match="must know the class 'good'"):
        SugenoDistiller(less, form="points", order=GRADES).fit(X, y)


def test_what_a_card_of_ordered_classes_cannot_be_asked_for_is_said():
    X, y = judged(n=60)
    for options, message in (
        ({"form": "points", "improve": True}, "improve=True and abstain=True are for two classes"),
        ({"form": "points", "abstain": True}, "improve=True and abstain=True are for two classes"),
        ({"form": "rules"}, r"is for form='points'.*SugenoClassifier distils rules"),
    ):
        with pytest.raises(ValueError, match=message):
            SugenoDistiller(order=GRADES, **options).fit(X, y)
