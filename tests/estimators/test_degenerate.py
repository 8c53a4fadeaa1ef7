"""Tables at the edge: the classifier is right on them, or says what is wrong."""

import numpy as np
import pandas as pd
import pytest

from sugeno import SugenoClassifier, SugenoClassifierCV, SugenoOrdinalClassifier

MODELS = [
    {},
    {"k": 1},
    {"k": 2},
    {"k": 2, "subsets": "all"},
    {"solver": "lp"},
    {"threshold": "joint"},
]
every_model = pytest.mark.parametrize("parameters", MODELS, ids=str)
every_model_at_a_given_threshold = pytest.mark.parametrize(
    "parameters", [model for model in MODELS if "threshold" not in model], ids=str
)


@every_model
def test_classes_that_no_criterion_confuses_are_told_apart(parameters):
    X = np.array([[1.0, 1], [2, 1], [5, 6], [6, 6], [7, 8]])
    y = np.array([0, 0, 1, 1, 1])
    clf = SugenoClassifier(directions=None, **parameters).fit(X, y)
    assert clf.objective_ == clf.gap_ == 0
    np.testing.assert_array_equal(clf.predict(X), y)


@every_model
def test_rows_that_contradict_each_other_cost_the_smaller_class(parameters):
    X = np.tile([[1.0, 2], [3, 1]], (5, 1))
    y = np.array([0, 0, 0, 0, 0, 0, 1, 1, 1, 1])
    clf = SugenoClassifier(directions=None, normalized=False, **parameters).fit(X, y)
    assert clf.objective_ == 4
    assert clf.gap_ == 0


@every_model
def test_a_table_with_one_row_repeated_is_one_pattern(parameters):
    X, y = np.full((6, 3), 4.0), np.array([0, 0, 1, 1, 1, 1])
    clf = SugenoClassifier(directions=None, **parameters).fit(X, y)
    assert clf.objective_ in (2, 4)
    assert np.unique(clf.predict(X)).size == 1


@every_model_at_a_given_threshold
def test_all_rows_satisfying_every_criterion_are_accepted(parameters):
    X, y = np.full((6, 3), 4.0), np.array([0, 0, 1, 1, 1, 1])
    clf = SugenoClassifier(directions=None, threshold=0.3, **parameters).fit(X, y)
    assert clf.predict(X).all()
    assert clf.objective_ == 2


@every_model_at_a_given_threshold
def test_rows_that_satisfy_nothing_are_rejected(parameters):
    X, y = np.full((6, 3), 4.0), np.array([0, 0, 1, 1, 1, 1])
    clf = SugenoClassifier(directions=None, threshold=0.7, **parameters).fit(X, y)
    assert not clf.predict(X).any()
    assert clf.objective_ == 4


@pytest.mark.parametrize("parameters", [{}, {"k": 2}, {"k": 2, "subsets": "all"}], ids=str)
def test_weights_over_eighteen_orders_of_magnitude(parameters):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 4))
    y = (X.sum(axis=1) + rng.normal(size=80) > 0).astype(int)
    weights = 10.0 ** rng.uniform(-9, 9, 80)
    clf = SugenoClassifier(directions=None, **parameters).fit(X, y, sample_weight=weights)
    wrong = clf.predict(X) != y
    assert clf.objective_ == pytest.approx(weights[wrong].sum(), rel=1e-12)
    assert clf.bound_ <= clf.objective_


@pytest.mark.parametrize("parameters", [{}, {"k": 1}, {"extension": "lower"}], ids=str)
def test_two_thousand_criteria(parameters):
    rng = np.random.default_rng(1)
    X = rng.normal(size=(120, 2000))
    y = (X[:, 7] > 0).astype(int)
    clf = SugenoClassifier(directions=None, time_limit=0, **parameters).fit(X, y)
    assert (clf.predict(X) == y).mean() >= 0.9
    assert clf.predict_proba(X[:5]).shape == (5, 2)


def test_two_criteria_per_rule_among_two_thousand_are_searched_within_the_time_limit():
    rng = np.random.default_rng(2)
    X = rng.normal(size=(150, 2000))
    X -= np.median(X, axis=0)
    y = ((X[:, 3] > 0) & (X[:, 9] > 0)).astype(int)
    clf = SugenoClassifier(k=2, threshold=0.5, directions=None, time_limit=0).fit(X, y)
    assert clf.rules_.n_literals == 2000
    assert clf.bound_ == clf.objective_ == 0


@pytest.mark.parametrize("labels", [[1, 1, 1, 1, 0], [0, 0, 0, 0, 1]], ids=str)
@pytest.mark.parametrize("levels", ["shared", "single", "all", 1, 2])
@pytest.mark.parametrize(
    "parameters", [{}, {"k": 1}, {"max_rules": 1}, {"rule_cost": 0.5}, {"abstain": True}], ids=str
)
def test_constant_criteria_predict_what_most_rows_are(labels, levels, parameters):
    X = [[2.0, 0.0]] * 5
    clf = SugenoClassifier(levels=levels, directions=[1, -1], **parameters).fit(X, labels)
    assert clf.predict(X).tolist() == [labels[0]] * 5
    price = parameters.get("rule_cost", 0)
    assert clf.objective_ == 1 + len(clf.rules_) * price
    assert clf.gap_ <= price


@pytest.mark.parametrize("levels", ["shared", "all", 1])
@pytest.mark.parametrize("parameters", [{}, {"max_rules": 1}, {"rule_cost": 0.5}], ids=str)
def test_constant_criteria_predict_the_class_of_least_loss(levels, parameters):
    clf = SugenoOrdinalClassifier(levels=levels, directions=None, **parameters)
    clf.fit([[2.0]] * 7, [0, 0, 1, 1, 1, 1, 2])
    assert clf.predict([[2.0]]).tolist() == [1]
    assert clf.objective_ == 6 + clf.rules_.n_rules * parameters.get("rule_cost", 0)
    assert clf.gap_ == 0


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize(
    "parameters",
    [
        {"k": 1},
        {},
        {"threshold": "joint", "k": 1},
        {"solver": "lp", "k": 1},
        {"margin": 0.05},
        {"levels": "all"},
        {"levels": 2, "max_rules": 2},
        {"levels": "shared", "scoring": "roc_auc", "cv": 2},
        {"levels": "all", "scoring": "roc_auc", "cv": 2},
    ],
    ids=str,
)
def test_no_rule_asks_for_more_than_there_is(seed, parameters):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(20, 200))
    X = pd.DataFrame(
        {
            "student": pd.Categorical.from_codes(
                rng.integers(0, 2, n), ["No", "Yes"], ordered=True
            ),
            "flag": rng.integers(0, 2, n).astype(bool),
            "visits": rng.integers(0, 3, n),
        }
    )
    y = rng.random(n) < rng.uniform(0.05, 0.4)
    y[:2] = True, False
    directions = rng.choice([-1, 1], 3)
    kind = SugenoClassifierCV if "scoring" in parameters else SugenoClassifier
    clf = kind(directions=directions, **parameters).fit(X, y)
    for text in clf.rules_:
        assert not any(beyond in text for beyond in ("> Yes", "< No", "> 1", "> 2", "< 0", "-0"))
    np.testing.assert_array_equal(clf.integral(X) >= clf.threshold_, clf.predict(X))
    if not len(clf.rules_) and not {"margin", "scoring"} & parameters.keys():
        assert clf.objective_ == y.sum()
        assert str(clf.rules_).endswith("never")
