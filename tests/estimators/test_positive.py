"""Which class is the positive one: the user, an ordered target, or else sorted order says it."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone
from sklearn.metrics import (
    brier_score_loss,
    f1_score,
    get_scorer,
    make_scorer,
    roc_auc_score,
)
from sklearn.model_selection import cross_val_score

from sugeno import (
    SugenoClassifier,
    SugenoClassifierCV,
    SugenoDistiller,
    SugenoEnsembleClassifier,
    infer_directions,
)

rng = np.random.default_rng(0)
X = rng.integers(0, 6, (120, 3)).astype(float)
GOOD = X.sum(axis=1) + rng.normal(0, 2, 120) >= 7
#: "high" < "low" and "accept" < "reject" in the alphabet.
LEVEL = np.where(GOOD, "high", "low")
FEW = {"n_bags": 3, "max_rounds": 20}
ESTIMATORS = {
    "plain": SugenoClassifier(),
    "levels": SugenoClassifier(levels=2),
    "cv": SugenoClassifierCV(levels="shared", cv=3),
    "ensemble": SugenoEnsembleClassifier(**FEW),
    "distilled": SugenoDistiller(SugenoEnsembleClassifier(**FEW), max_rules=3),
}

every = pytest.mark.parametrize("name", ESTIMATORS)


def make(name, **options):
    """A new estimator, also with the parameter of its teacher."""
    clf = clone(ESTIMATORS[name])
    return clf.set_params(**options)


def reads_well(clf, label):
    """Whether the rules, where there are any, speak for a label."""
    return not hasattr(clf, "rules_") or str(clf.rules_).startswith(f"{label} if")


def ordered_targets():
    order = ["low", "middle", "high"]
    yield pd.Series(pd.Categorical(LEVEL, order, ordered=True))
    yield pd.Categorical(LEVEL, order, ordered=True)
    yield pl.Series(LEVEL, dtype=pl.Enum(order))


@every
def test_sorted_order_decides_without_an_order_and_the_rules_name_the_class(name):
    clf = make(name).fit(X, LEVEL)
    assert clf.classes_.tolist() == ["high", "low"]
    assert clf.positive_ == "low"
    assert reads_well(clf, "low")
    assert clf.directions_.tolist() == [-1, -1, -1]


@every
def test_the_user_says_which_class_is_positive_and_the_labels_stay_sorted(name):
    clf = make(name, positive="high").fit(X, LEVEL)
    assert clf.classes_.tolist() == ["high", "low"]
    assert clf.positive_ == "high"
    assert reads_well(clf, "high")
    assert clf.directions_.tolist() == [1, 1, 1]
    predicted = clf.predict(X)
    assert ((clf.predict_proba(X)[:, 0] > 0.5) == (predicted == "high")).all()
    assert ((clf.decision_function(X) < 0) == (predicted == "high")).all()
    if hasattr(clf, "rules_"):
        assert ((predicted == "high") == clf.rules_.predict(X)).all()
    assert clf.score(X, LEVEL) > 0.7


@every
@pytest.mark.parametrize("positive", [None, "high", "low"])
def test_scorers_of_scikit_learn_are_right_whichever_class_is_positive(name, positive):
    """They presume that the second label in sorted order has the higher scores."""
    clf = make(name, positive=positive).fit(X, LEVEL)
    assert get_scorer("roc_auc")(clf, X, LEVEL) > 0.75
    assert get_scorer("neg_log_loss")(clf, X, LEVEL) > -0.6
    chance = roc_auc_score(LEVEL == "low", clf.predict_proba(X)[:, 1])
    # One ranking, whether by decisions or by probabilities.
    assert get_scorer("roc_auc")(clf, X, LEVEL) == pytest.approx(chance, abs=1e-12)


@pytest.mark.parametrize("name", ["plain", "ensemble"])
def test_scores_of_other_people_s_folds_are_right(name):
    """The AUC of cross-validation by scikit-learn is well above chance with positive=."""
    scores = cross_val_score(make(name, positive="high"), X, LEVEL, cv=3, scoring="roc_auc")
    assert (scores > 0.6).all()


@every
@pytest.mark.parametrize("y", list(ordered_targets()), ids=["series", "categorical", "polars"])
def test_the_last_category_of_an_ordered_target_is_positive(name, y):
    clf = make(name).fit(X, y)
    assert clf.classes_.tolist() == ["high", "low"]
    assert clf.positive_ == "high"
    assert reads_well(clf, "high")
    assert clf.score(X, LEVEL) > 0.7


def test_the_user_overrules_the_order_of_the_target():
    y = next(ordered_targets())
    assert SugenoClassifier(positive="low").fit(X, y).positive_ == "low"


def test_an_unordered_categorical_decides_nothing():
    y = pd.Categorical(LEVEL, ["low", "high"])
    assert SugenoClassifier().fit(X, y).positive_ == "low"


@every
@pytest.mark.parametrize("label", ["medium", 1, True])
def test_an_unknown_positive_class_is_refused_with_the_labels(name, label):
    with pytest.raises(ValueError, match=r"\['high', 'low'\]. Got .* instead"):
        make(name, positive=label).fit(X, LEVEL)


@pytest.mark.parametrize("labels", [(0, 1), (1, 0), ("no", "yes"), ("yes", "no"), (False, True)])
def test_the_names_of_the_classes_change_nothing_but_the_names(labels):
    y = np.array(labels)[GOOD.astype(int)]
    clf = SugenoClassifier(positive=labels[1], class_weight={labels[1]: 3}).fit(X, y)
    plain = SugenoClassifier(class_weight={True: 3}).fit(X, GOOD)
    assert clf.objective_ == plain.objective_
    turned = clf.classes_[0] == labels[1]
    shares = clf.predict_proba(X)[:, ::-1] if turned else clf.predict_proba(X)
    np.testing.assert_array_equal(shares, plain.predict_proba(X))
    scores = -clf.decision_function(X) if turned else clf.decision_function(X)
    np.testing.assert_array_equal(scores, plain.decision_function(X))
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
    turned = SugenoClassifierCV(levels="shared", positive="high", **options).fit(X, LEVEL)
    plain = SugenoClassifierCV(levels="shared", **options).fit(X, GOOD)
    for name in ("mean_test_score", "split0_test_score"):
        np.testing.assert_allclose(turned.cv_results_[name], plain.cv_results_[name], rtol=1e-12)
    assert turned.score(X, LEVEL) == pytest.approx(plain.score(X, GOOD))
    if scoring == "roc_auc":
        assert turned.best_score_ > 0.7


def test_scorers_with_a_label_of_their_own_get_the_labels():
    scorer = make_scorer(f1_score, pos_label="high")
    clf = SugenoClassifierCV(levels="shared", positive="high", cv=3, scoring=scorer)
    clf.fit(X, LEVEL)
    assert clf.score(X, LEVEL) == f1_score(LEVEL, clf.predict(X), pos_label="high")


def test_probabilities_are_in_the_order_of_the_sorted_labels():
    clf = SugenoClassifier(positive="high").fit(X, LEVEL)
    share = clf.predict_proba(X)[:, clf.classes_.tolist().index("high")]
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
        (("no", "yes"), "class yes if"),
        ((0, 1), "class 1 if"),
        (("reject", "accept"), "accept if"),
        (("accept", "reject"), "reject if"),
        (("bad", "good"), "good if"),
        ((1, 0), "class 0 if"),
    ],
)
def test_accept_is_said_only_of_a_class_that_is_called_so(labels, head):
    y = np.array(labels)[GOOD.astype(int)]
    clf = SugenoClassifier(positive=labels[1]).fit(X, y)
    assert str(clf.rules_).startswith(head)


def test_truth_values_are_labels_like_any_other():
    found = SugenoClassifier().fit(X, GOOD)
    numbers = SugenoClassifier().fit(X, GOOD.astype(int))
    assert found.classes_.tolist() == [False, True]
    assert found.predict(X).dtype == bool
    np.testing.assert_array_equal(found.predict(X), numbers.predict(X))
    with pytest.raises(ValueError, match="class"):
        SugenoClassifier().fit(X, np.ones(len(X), dtype=bool))


@pytest.mark.parametrize("negative", ["not low", "non-low", "NOT_low", "no low"])
def test_a_label_that_negates_the_other_is_the_negative_one(negative):
    X, y = np.arange(8)[:, None], np.repeat(["low", negative], 4)
    assert SugenoClassifier().fit(X, y).positive_ == "low"
    assert SugenoClassifier(positive=negative).fit(X, y).positive_ == negative


@pytest.mark.parametrize(("yes", "no"), [("ja", "nein"), ("Ja", "Nein"), ("J", "N"), ("yes", "no")])
def test_of_two_answers_yes_is_the_positive_one(yes, no):
    X, y = np.arange(8)[:, None], np.repeat([no, yes], 4)
    assert SugenoClassifier().fit(X, y).positive_ == yes
