"""Which class is the positive one: the user, an ordered target, or else sorted order says it."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.metrics import brier_score_loss, f1_score, make_scorer, roc_auc_score
from sklearn.model_selection import cross_val_score

from sugeno import SugenoClassifier, SugenoClassifierCV, infer_directions

rng = np.random.default_rng(0)
X = rng.integers(0, 6, (120, 3)).astype(float)
GOOD = X.sum(axis=1) + rng.normal(0, 2, 120) >= 7
#: "high" < "low" and "accept" < "reject" in the alphabet.
LEVEL = np.where(GOOD, "high", "low")
ESTIMATORS = [SugenoClassifier(), SugenoClassifierCV(cv=3)]

both = pytest.mark.parametrize("estimator", ESTIMATORS, ids=["plain", "cv"])


def ordered_targets():
    order = ["low", "middle", "high"]
    yield pd.Series(pd.Categorical(LEVEL, order, ordered=True))
    yield pd.Categorical(LEVEL, order, ordered=True)
    yield pl.Series(LEVEL, dtype=pl.Enum(order))


@both
def test_sorted_order_decides_without_an_order_and_the_rules_name_the_class(estimator):
    clf = estimator.fit(X, LEVEL)
    assert clf.classes_.tolist() == ["high", "low"]
    assert str(clf.rules_).startswith("class 'low' if")
    assert clf.directions_.tolist() == [-1, -1, -1]


@both
def test_the_user_says_which_class_is_positive(estimator):
    clf = type(estimator)(**{**estimator.get_params(), "positive": "high"}).fit(X, LEVEL)
    assert clf.classes_.tolist() == ["low", "high"]
    assert str(clf.rules_).startswith("class 'high' if")
    assert clf.directions_.tolist() == [1, 1, 1]
    predicted = clf.predict(X)
    assert ((predicted == "high") == clf.rules_.predict(X)).all()
    assert ((clf.predict_proba(X)[:, 1] > 0.5) == (predicted == "high")).all()
    assert ((clf.decision_function(X) > 0) == (predicted == "high")).all()
    assert clf.score(X, LEVEL) > 0.7


@both
@pytest.mark.parametrize("y", list(ordered_targets()), ids=["series", "categorical", "polars"])
def test_the_last_category_of_an_ordered_target_is_positive(estimator, y):
    clf = estimator.fit(X, y)
    assert clf.classes_.tolist() == ["low", "high"]
    assert str(clf.rules_).startswith("class 'high' if")
    assert clf.score(X, LEVEL) > 0.7


def test_the_user_overrules_the_order_of_the_target():
    y = next(ordered_targets())
    assert SugenoClassifier(positive="low").fit(X, y).classes_.tolist() == ["high", "low"]


def test_an_unordered_categorical_decides_nothing():
    y = pd.Categorical(LEVEL, ["low", "high"])
    assert SugenoClassifier().fit(X, y).classes_.tolist() == ["high", "low"]


@both
@pytest.mark.parametrize("label", ["medium", 1, True])
def test_an_unknown_positive_class_is_refused_with_the_labels(estimator, label):
    clf = type(estimator)(**{**estimator.get_params(), "positive": label})
    with pytest.raises(ValueError, match=r"\['high', 'low'\]. Got .* instead"):
        clf.fit(X, LEVEL)


@pytest.mark.parametrize("labels", [(0, 1), (1, 0), ("no", "yes"), ("yes", "no"), (False, True)])
def test_the_names_of_the_classes_change_nothing_but_the_names(labels):
    y = np.array(labels)[GOOD.astype(int)]
    clf = SugenoClassifier(positive=labels[1], class_weight={labels[1]: 3}).fit(X, y)
    plain = SugenoClassifier(class_weight={True: 3}).fit(X, GOOD)
    assert clf.objective_ == plain.objective_
    np.testing.assert_array_equal(clf.predict_proba(X), plain.predict_proba(X))
    np.testing.assert_array_equal(clf.predict(X) == labels[1], plain.predict(X))


def test_class_weights_go_by_label():
    accepted = [
        SugenoClassifier(positive="high", class_weight={"high": price}, directions=None)
        .fit(X, LEVEL)
        .rules_.predict(X)
        .sum()
        for price in (0.1, 1, 10)
    ]
    assert accepted == sorted(accepted)
    assert accepted[0] < accepted[-1]


@pytest.mark.parametrize("scoring", [None, "accuracy", "roc_auc", "neg_log_loss"])
def test_scores_of_the_folds_do_not_depend_on_the_names_of_the_classes(scoring):
    options = {"cv": 4, "scoring": scoring, "directions": [1, 1, 1], "class_weight": "balanced"}
    turned = SugenoClassifierCV(positive="high", **options).fit(X, LEVEL)
    plain = SugenoClassifierCV(**options).fit(X, GOOD)
    for name in ("mean_test_score", "split0_test_score"):
        np.testing.assert_allclose(turned.cv_results_[name], plain.cv_results_[name], rtol=1e-12)
    assert turned.score(X, LEVEL) == pytest.approx(plain.score(X, GOOD))
    if scoring == "roc_auc":
        assert turned.best_score_ > 0.7


def test_scorers_with_a_label_of_their_own_get_the_labels():
    scorer = make_scorer(f1_score, pos_label="high")
    clf = SugenoClassifierCV(positive="high", cv=3, scoring=scorer).fit(X, LEVEL)
    assert clf.score(X, LEVEL) == f1_score(LEVEL, clf.predict(X), pos_label="high")


def test_probabilities_of_the_positive_class_are_in_the_second_column():
    clf = SugenoClassifier(positive="high").fit(X, LEVEL)
    share = clf.predict_proba(X)[:, 1]
    assert roc_auc_score(LEVEL == "high", share) > 0.7
    assert brier_score_loss(LEVEL == "high", share) < 0.25


def test_directions_speak_for_the_positive_class():
    assert infer_directions(X, LEVEL).directions.tolist() == [-1, -1, -1]
    assert infer_directions(X, LEVEL, positive="high").directions.tolist() == [1, 1, 1]
    for y in ordered_targets():
        assert infer_directions(X, y).directions.tolist() == [1, 1, 1]
    with pytest.raises(ValueError, match=r"\['high', 'low'\]. Got 'hi' instead"):
        infer_directions(X, LEVEL, positive="hi")


def test_the_parameter_goes_through_scikit_learn():
    scores = cross_val_score(SugenoClassifier(positive="high"), X, LEVEL, cv=3)
    assert scores.mean() > 0.6


@pytest.mark.parametrize(
    ("labels", "head"),
    [
        (("no", "yes"), "accept if"),
        ((0, 1), "accept if"),
        (("reject", "accept"), "accept if"),
        (("accept", "reject"), "class 'reject' if"),
        (("bad", "good"), "class 'good' if"),
        ((1, 0), "class 0 if"),
    ],
)
def test_accept_is_said_only_of_a_class_that_means_yes(labels, head):
    y = np.array(labels)[GOOD.astype(int)]
    clf = SugenoClassifier(positive=labels[1]).fit(X, y)
    assert str(clf.rules_).startswith(head)
