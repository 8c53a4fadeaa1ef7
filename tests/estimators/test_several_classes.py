"""More than two labels: one model per class, as good as asking for each class by itself."""

import pickle
import warnings
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.utils.class_weight import compute_class_weight

import sugeno
from sugeno import (
    ConformalClassifier,
    RuleClassifier,
    SugenoClassifier,
    SugenoClassifierCV,
    SugenoDistiller,
    SugenoEnsembleClassifier,
    SugenoNominalClassifier,
    WeakDirectionWarning,
)
from sugeno.plot import CapacityDisplay, ErrorCurveDisplay, UtilityDisplay

X, TARGET = load_iris(return_X_y=True, as_frame=True)
Y = load_iris().target_names[TARGET]
ESTIMATORS = [
    SugenoClassifier(),
    SugenoClassifier(levels=3, k=2, max_rules=3),
    SugenoClassifierCV(levels=["shared", 2], ks=[1, 2], cv=2),
    SugenoDistiller(LogisticRegression(), n_rules=3, max_rules=3),
    SugenoEnsembleClassifier(n_bags=2, max_rounds=10),
]
NAMES = ["shared", "levels", "cv", "distiller", "ensemble"]
each = pytest.mark.parametrize("estimator", ESTIMATORS, ids=NAMES)


@pytest.fixture(scope="module")
def three():
    return SugenoClassifier().fit(X, Y)


@each
def test_each_class_is_learned_as_if_it_were_asked_for_alone(estimator):
    clf = clone(estimator).fit(X, Y)
    assert clf.classes_.tolist() == list(clf.per_class_) == ["setosa", "versicolor", "virginica"]
    chances = []
    for row, label in enumerate(clf.classes_):
        alone = clone(estimator).fit(X, label == Y)
        chances.append(alone.predict_proba(X)[:, 1])
        np.testing.assert_array_equal(chances[-1], clf.per_class_[label].predict_proba(X)[:, 1])
        np.testing.assert_array_equal(alone.directions_, clf.directions_[row])
        np.testing.assert_array_equal(alone.predict(X), clf.predict_set(X)[:, row])
    shares = np.transpose(chances) / np.sum(chances, axis=0)[:, None]
    np.testing.assert_allclose(clf.predict_proba(X), shares)
    np.testing.assert_array_equal(clf.decision_function(X), clf.predict_proba(X))
    np.testing.assert_array_equal(clf.predict(X), clf.classes_[clf.predict_proba(X).argmax(1)])
    assert clf.score(X, Y) > 0.9


@pytest.mark.parametrize("estimator", ESTIMATORS[:4], ids=NAMES[:4])
def test_the_general_estimator_around_it_says_the_same(estimator):
    clf = clone(estimator).fit(X, Y)
    around = SugenoNominalClassifier(estimator).fit(X, Y)
    np.testing.assert_array_equal(clf.predict_proba(X), around.predict_proba(X))
    np.testing.assert_array_equal(clf.predict_set(X), around.predict_set(X))
    np.testing.assert_array_equal(clf.predict(X), around.predict(X))
    np.testing.assert_array_equal(clf.directions_, around.directions_)
    assert {k: str(r) for k, r in clf.rules_.items()} == {
        k: str(r) for k, r in around.rules_.items()
    }
    assert str(clf.rules_["setosa"]).startswith("setosa if")


@each
def test_two_labels_after_three_and_three_after_two_leave_nothing_behind(estimator):
    two = Y != "setosa"
    often = clone(estimator).fit(X, Y).fit(X[two], Y[two])
    once = clone(estimator).fit(X[two], Y[two])
    assert vars(often).keys() == vars(once).keys()
    np.testing.assert_array_equal(often.predict_proba(X), once.predict_proba(X))
    back, first = often.fit(X, Y), clone(estimator).fit(X, Y)
    assert {n for n in vars(back) if n[-1] == "_"} == {n for n in vars(first) if n[-1] == "_"}
    np.testing.assert_array_equal(back.predict_proba(X), first.predict_proba(X))


def test_no_rule_and_several_rules_and_ties_are_said():
    rows = np.array([[1.0, 1.0], [1.0, 9.0], [9.0, 1.0]] * 4)
    labels = np.array(["c", "a", "b"] * 4)
    clf = SugenoClassifier(levels=1, directions=None, normalized=False).fit(rows, labels)
    asked = [[1, 9], [9, 1], [9, 9], [1, 1]]
    np.testing.assert_array_equal(clf.predict_set(asked)[:, :2].sum(axis=1), [1, 1, 2, 0])
    even = SugenoClassifier(normalized=False).fit([[1], [1], [1]], ["b", "a", "c"])
    assert even.predict([[1]]) == ["a"]
    np.testing.assert_array_equal(even.predict_set([[1]]), [[False, False, False]])
    np.testing.assert_allclose(even.predict_proba([[1]]), 1 / 3)


READERS = {
    "positive_": lambda clf: clf.positive_,
    "capacity_": lambda clf: clf.capacity_,
    "predict_interval": lambda clf: clf.predict_interval(X),
    "utilities": UtilityDisplay.from_estimator,
    "capacity": CapacityDisplay.from_estimator,
    "errors": ErrorCurveDisplay.from_estimator,
    "stability": lambda clf: sugeno.rule_stability(clf, X, Y, n_resamples=2),
}


@pytest.mark.parametrize("reader", READERS)
def test_what_needs_two_classes_says_where_they_are(three, reader):
    with pytest.raises(AttributeError, match=r"3 classes .* such as per_class_\['setosa'\]"):
        READERS[reader](three)


def test_the_model_of_unordered_classes_decides_as_the_classifier_does():
    rows = X.to_numpy()
    three = SugenoClassifier().fit(rows, Y)
    assert three.model_.rules == three.rules_
    np.testing.assert_array_equal(three.model_.decide(rows), three.predict(rows))
    np.testing.assert_array_equal(three.model_.class_probabilities(rows), three.predict_proba(rows))
    np.testing.assert_array_equal(three.model_.open_labels(rows), three.predict_set(rows))
    each = [one.feature_importances_ for one in three.per_class_.values()]
    np.testing.assert_allclose(three.feature_importances_, np.mean(each, axis=0))


@pytest.mark.parametrize("counted", [{}, {"X": X, "y": Y}, {"X": X, "y": Y, "n_resamples": 2}])
def test_the_table_of_rules_has_those_of_all_classes(three, counted):
    table = three.rules_table(**counted, random_state=0, words=True)
    assert table["class"].unique().tolist() == three.classes_.tolist()
    for label, own in table.groupby("class"):
        given = {**counted, "y": label == Y} if counted else {}
        alone = three.per_class_[label].rules_table(**given, random_state=0, words=True)
        pd.testing.assert_frame_equal(own.drop(columns="class").reset_index(drop=True), alone)
    assert table.equals(
        pd.DataFrame(
            three.rules_table(**counted, random_state=0, words=True, backend="polars").to_dict(
                as_series=False
            )
        )
    )
    with pytest.raises(ValueError, match=r"y must hold the labels .*Got \['rose'\] instead"):
        three.rules_table(X, np.where(Y == "setosa", "rose", Y))


@each
def test_each_class_is_proved_monotone_against_the_rest(estimator):
    clf = clone(estimator).fit(X, Y)
    proof = clf.verify_monotone()
    assert proof
    assert "of each class against the rest" in str(proof)
    rows = np.random.default_rng(0).uniform(X.min(), X.max(), (300, 4))
    for place, (label, one) in enumerate(clf.per_class_.items()):
        signs = clf.directions_[place]
        better = rows + signs * np.random.default_rng(1).exponential(1, rows.shape)
        before, after = (
            one.predict_proba(pd.DataFrame(each, columns=X.columns))[:, 1]
            for each in (rows, better)
        )
        assert (after >= before).all(), label


def test_what_is_not_monotone_is_said_of_its_class(three):
    model = three.model_
    first = model.models[0]
    chance = replace(first.boundaries[0].probability, cut=1 - 1e-9)
    broken = replace(first, boundaries=(replace(first.boundaries[0], probability=chance),))
    proof = RuleClassifier.of(model.with_model(0, broken)).verify_monotone()
    assert not proof
    assert proof.faults[0].startswith("setosa: ")


def test_the_readers_of_one_class_work(three):
    of_one = three.per_class_["setosa"]
    assert of_one.explain(X[:1])[0].accepted
    assert sugeno.loads(sugeno.dumps(of_one)).predict(X[:1]) == [True]


def test_an_ensemble_of_several_classes_says_where_two_are():
    clf = SugenoEnsembleClassifier(n_bags=2, max_rounds=2).fit(X, Y)
    with pytest.raises(AttributeError, match=r"such as per_class_\['setosa'\]"):
        clf.can_flip(X)


@each
def test_a_positive_class_is_one_of_two(estimator):
    clf = clone(estimator).set_params(positive="setosa")
    with pytest.raises(ValueError, match=r"Got 'setosa' with 3 classes instead; leave it out"):
        clf.fit(X, Y)


def test_an_order_is_used_and_never_lost_in_silence():
    y = pd.Series(pd.Categorical(Y, ["virginica", "setosa", "versicolor"], ordered=True))
    declared = SugenoClassifier(directions=None).fit(X, y)
    given = SugenoClassifier(directions=None, order=["virginica", "setosa", "versicolor"])
    assert declared.order_.tolist() == ["virginica", "setosa", "versicolor"]
    assert given.fit(X, Y).rules_ == declared.rules_
    ensemble = SugenoEnsembleClassifier(n_bags=2, max_rounds=2).fit(X, y)
    assert ensemble.order_.tolist() == ["virginica", "setosa", "versicolor"]
    with pytest.warns(
        UserWarning, match=r"virginica < setosa < versicolor.*does not use"
    ) as caught:
        SugenoDistiller(n_rules=1, max_rules=1).fit(X, y)
    assert caught[0].filename == __file__


@pytest.mark.parametrize(
    "estimator", [SugenoClassifier(), SugenoNominalClassifier()], ids=["plain", "around"]
)
def test_weak_directions_are_those_of_a_class(estimator):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        estimator.fit(X.to_numpy(), Y)
    (weak,) = (w for w in caught if w.category is WeakDirectionWarning)
    assert "(Class 'versicolor' against the rest.)" in str(weak.message)
    assert weak.filename == __file__


def test_other_warnings_of_a_fit_come_through():
    class Warns(SugenoClassifier):
        def fit(self, X, y):
            warnings.warn("something else", RuntimeWarning, stacklevel=2)
            return super().fit(X, y)

    with pytest.warns(RuntimeWarning, match="something else"):
        SugenoNominalClassifier(Warns()).fit(X, Y)


# ------------------------------------------------------------------ weights


def test_class_weights_multiply_sample_weights():
    prices, weights = {"setosa": 2.0, "virginica": 0.5}, np.arange(len(Y)) % 3 + 1.0
    factor = np.array([prices.get(label, 1.0) for label in Y])
    priced = SugenoClassifier(class_weight=prices).fit(X, Y, weights)
    plain = SugenoClassifier().fit(X, Y, weights * factor)
    np.testing.assert_array_equal(priced.predict_proba(X), plain.predict_proba(X))


def test_balanced_is_what_scikit_learn_calls_balanced():
    some = np.r_[0:50, 50:60, 100:130]
    classes = np.unique(Y)
    weights = dict(
        zip(classes.tolist(), compute_class_weight("balanced", classes=classes, y=Y[some]))
    )
    by_name = SugenoClassifier(class_weight="balanced").fit(X.iloc[some], Y[some])
    by_hand = SugenoClassifier(class_weight=weights).fit(X.iloc[some], Y[some])
    np.testing.assert_allclose(by_name.predict_proba(X), by_hand.predict_proba(X))


def test_weights_of_strange_classes_are_refused():
    with pytest.raises(ValueError, match=r"must weigh classes of y.* Got \['rose'\]"):
        SugenoClassifier(class_weight={"rose": 2}).fit(X, Y)


def test_rows_without_weight_are_not_there():
    weights = np.where(Y == "setosa", 0, 1)
    two = SugenoClassifier().fit(X, Y, weights)
    assert two.classes_.tolist() == ["versicolor", "virginica"]
    assert not hasattr(two, "per_class_")
    four = np.r_[["rose"], Y[1:]]
    clf = SugenoClassifier().fit(X, four, np.r_[0, np.ones(149)])
    np.testing.assert_array_equal(
        clf.predict_proba(X), SugenoClassifier().fit(X[1:], Y[1:]).predict_proba(X)
    )


# ------------------------------------------------------------------ in use


def test_numbers_missing_values_copies_and_what_stands_around_it():
    holes = X.mask(np.random.default_rng(0).random(X.shape) < 0.1)
    clf = SugenoClassifier(missing="interval", levels=3).fit(holes, TARGET)
    assert list(clf.per_class_) == [0, 1, 2]
    copy = pickle.loads(pickle.dumps(clf))
    np.testing.assert_array_equal(copy.predict(holes), clf.predict(holes))
    # What may hold is open: filling in takes classes away from the set and adds none.
    assert (clf.predict_set(holes) >= clf.predict_set(X)).all()
    sets = ConformalClassifier(SugenoClassifier(levels=3)).fit(X, Y).predict_set(X)
    assert sets.shape == (150, 3)


def test_a_classifier_that_is_not_fitted_has_none_of_it():
    assert not hasattr(SugenoClassifier(), "positive_")
    assert not hasattr(SugenoClassifier(), "capacity_")
