"""A parameter means the same in every estimator that has it; what is not used is refused."""

import inspect

import numpy as np
import pytest
from sklearn.base import clone

import sugeno
from sugeno import (
    ConformalClassifier,
    SugenoClassifier,
    SugenoClassifierCV,
    SugenoDistiller,
    SugenoEnsembleClassifier,
    SugenoOrdinalClassifier,
    SugenoOrdinalClassifierCV,
)

rng = np.random.default_rng(3)
X = rng.integers(0, 5, size=(40, 3)).astype(float)
SCORE = X.sum(axis=1) + rng.normal(0, 2, 40)
TWO, THREE = np.digitize(SCORE, [6.0]), np.digitize(SCORE, [4.0, 8.0])

SETTINGS = {
    "paper": (SugenoClassifier(), TWO),
    "linear program": (SugenoClassifier(solver="lp"), TWO),
    "all levels": (SugenoClassifier(levels="all"), TWO),
    "distilled": (SugenoClassifier(levels="distilled"), TWO),
    "points": (SugenoClassifier(levels="distilled", form="points"), TWO),
    "without an order": (SugenoClassifier(levels=2), np.array(["b", "c", "a"])[THREE]),
    "chosen": (SugenoClassifierCV(cv=2), TWO),
    "chosen, of the paper": (SugenoClassifierCV(cv=2, levels="shared"), TWO),
    "chosen, points": (SugenoClassifierCV(cv=2, levels="distilled", form="points"), TWO),
    "distiller": (SugenoDistiller(), TWO),
    "distiller, points": (SugenoDistiller(form="points"), TWO),
    "ensemble": (SugenoEnsembleClassifier(n_bags=3), TWO),
    "in an order": (SugenoOrdinalClassifier(), THREE),
    "in an order, exact": (SugenoOrdinalClassifier(levels=2), THREE),
    "in an order, points": (SugenoOrdinalClassifier(form="points"), THREE),
    "in an order, chosen": (SugenoOrdinalClassifierCV(cv=2), THREE),
    "sets of labels": (ConformalClassifier(SugenoClassifier(directions=None)), TWO),
}
SHARED = {
    *("time_limit", "rule_cost", "max_rules", "levels", "random_state", "class_weight"),
    *("abstain", "scoring", "confidence"),
}
every_setting = pytest.mark.parametrize("name", SETTINGS)
pytestmark = pytest.mark.usefixtures("brief")


def fitted(name, **parameters):
    """A fitted classifier, or None where it says that it does not use one of the parameters."""
    estimator, y = SETTINGS[name]
    known = estimator.get_params()
    if not parameters.keys() <= known.keys():
        with pytest.raises(ValueError, match="Invalid parameter"):
            clone(estimator).set_params(**parameters)
        return None
    same = {"directions": None} if "directions" in known else {}
    clf = clone(estimator).set_params(**same, **parameters)
    try:
        return clf.fit(X, y)
    except ValueError as error:
        if not any(name in str(error) for name in parameters):
            raise
        return None


def rules_of(clf):
    """Rules of each boundary, or of each class."""
    found = clf.rules_
    if hasattr(found, "n_rules") and hasattr(found, "cards"):
        return list(found)
    return list(found.values()) if isinstance(found, dict) else [found]


def test_every_public_class_with_one_of_these_parameters_is_asked():
    public = [getattr(sugeno, name) for name in sugeno.__all__]
    asked = {type(estimator) for estimator, _ in SETTINGS.values()}
    assert asked == {
        one
        for one in public
        if inspect.isclass(one) and hasattr(one, "fit")
        if SHARED & inspect.signature(one).parameters.keys()
    }


@every_setting
@pytest.mark.parametrize("levels", ["shared", "single", "all", "distilled", 2])
def test_a_kind_of_levels_is_the_kind_of_the_model_or_is_refused(name, levels):
    plain = {"form": "rules"} if "form" in SETTINGS[name][0].get_params() else {}
    clf = fitted(name, levels=levels, **plain)
    if clf is not None:
        models = getattr(clf.model_, "models", [clf.model_])
        assert {model.learned.kind for model in models} == {levels}


@pytest.mark.parametrize("name", ["distilled", "points", "chosen, points", "in an order, points"])
@pytest.mark.parametrize(
    "unread",
    [
        *({"threshold": "mean-median"}, {"margin": 0.1}, {"margins": [0.1]}, {"solver": "lp"}),
        *({"subsets": "all"}, {"normalized": False}, {"extension": "short"}),
        *({"rule_cost": 1.0}, {"literal_cost": 1.0}),
    ],
    ids=str,
)
def test_what_exact_kinds_alone_read_is_refused_where_an_ensemble_is_distilled(name, unread):
    assert fitted(name, **unread) is None


@every_setting
def test_no_more_rules_than_are_asked_for_or_the_limit_is_refused(name):
    clf = fitted(name, max_rules=1)
    assert clf is None or all(len(rules) <= 1 for rules in rules_of(clf))


@every_setting
def test_rules_that_cost_more_than_all_rows_are_not_there_or_the_cost_is_refused(name):
    clf = fitted(name, rule_cost=1e6)
    if clf is not None and name != "chosen":  # which may choose what has no such cost
        assert all(len(rules) <= 1 for rules in rules_of(clf))


@every_setting
def test_weights_of_classes_count_as_rows_that_stand_there_so_often(name):
    estimator, y = SETTINGS[name]
    heavy = max(y.tolist())
    if fitted(name, class_weight={heavy: 3}) is None:
        return
    often = np.repeat(np.arange(40), np.where(y == heavy, 3, 1))
    weighed = clone(estimator).set_params(directions=None, class_weight={heavy: 3}).fit(X, y)
    repeated = clone(estimator).set_params(directions=None).fit(X[often], y[often])
    if hasattr(estimator, "cv"):  # whose folds are drawn otherwise
        assert set(weighed.predict(X)) <= set(y)
    else:
        np.testing.assert_allclose(weighed.predict_proba(X), repeated.predict_proba(X))


@every_setting
@pytest.mark.parametrize("limit", [-1, "long", np.nan])
def test_a_limit_of_time_is_a_number_of_seconds(name, limit):
    estimator, y = SETTINGS[name]
    with pytest.raises(ValueError, match="time_limit"):
        clone(estimator).set_params(time_limit=limit).fit(X, y)


@every_setting
def test_a_scorer_is_asked_or_refused(name):
    asked = []

    def scorer(clf, X, y):
        asked.append(len(y))
        return clf.score(X, y)

    assert fitted(name, scoring=scorer) is None or asked


@every_setting
def test_the_more_confidence_is_asked_for_the_more_labels_are_left_open(name):
    clf = fitted(name)
    if isinstance(clf, ConformalClassifier):  # confidence is its alpha, and sets are calibrated
        with pytest.raises(TypeError, match="confidence"):
            clf.predict_set(X, confidence=0.9)
        return
    for unheard in (0.4, 1.5, np.nan):
        with pytest.raises(ValueError, match="confidence must be"):
            clf.predict_set(X, confidence=unheard)
    plain, open_ = clf.predict_set(X), clf.predict_set(X, confidence=0.99)
    assert (plain <= open_).all()


@every_setting
def test_whoever_may_abstain_leaves_no_fewer_labels_open(name):
    clf = fitted(name, abstain=True)
    if clf is not None:
        assert (fitted(name).predict_set(X) <= clf.predict_set(X)).all()
