"""scikit-learn's own checks of every public estimator, without a single expected failure."""

import inspect

import pytest
from sklearn.base import BaseEstimator
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

import sugeno
from sugeno import (
    ConformalClassifier,
    OrdinalRuleClassifier,
    QuantileUtility,
    RelabelledClassifier,
    RuleClassifier,
    SugenoClassifier,
    SugenoClassifierCV,
    SugenoDistiller,
    SugenoEnsembleClassifier,
    SugenoNominalClassifier,
    SugenoOrdinalClassifier,
    SugenoOrdinalClassifierCV,
)
from tables import POLICIES

TREE = DecisionTreeClassifier(random_state=0)
SETTINGS = [
    QuantileUtility(),
    QuantileUtility(saturate=True),
    SugenoClassifier(),
    SugenoClassifier(k=1),
    SugenoClassifier(k=2),
    SugenoClassifier(threshold="joint"),
    SugenoClassifier(threshold="joint", k=1),
    SugenoClassifier(threshold="alternating"),
    SugenoClassifier(threshold="mean-median"),
    SugenoClassifier(solver="lp"),
    SugenoClassifier(solver="lp", k=2),
    SugenoClassifier(k=2, subsets="all"),
    SugenoClassifier(levels=2),
    SugenoClassifier(levels="single"),
    SugenoClassifier(levels="all"),
    *(SugenoClassifier(missing=missing) for missing in POLICIES),
    SugenoClassifier(missing="interval", levels=2),
    SugenoClassifier(missing="interval", abstain=True),
    SugenoClassifierCV(cv=2, max_rules=5),
    SugenoClassifierCV(levels="shared", ks=[1]),
    SugenoClassifierCV(levels="shared", ks=[2], cv=2, missing="interval"),
    SugenoClassifierCV(levels="shared", solver="lp", ks=[1, 2], cv=3),
    SugenoClassifierCV(levels="shared", subsets="all", cv=2, threshold="joint"),
    SugenoClassifierCV(levels=["shared", 2], ks=[1, 2], cv=2, refit="simplest"),
    SugenoEnsembleClassifier(n_bags=3, max_rounds=30),
    SugenoEnsembleClassifier(n_bags=3, max_rounds=30, order="sorted"),
    SugenoEnsembleClassifier(n_bags=3, max_rounds=30, missing="optimistic"),
    SugenoDistiller(n_rules=5, max_rules=5),
    SugenoDistiller(n_rules=2, max_rules=2, missing="pessimistic"),
    SugenoOrdinalClassifier(classes="sorted"),
    SugenoOrdinalClassifier(classes="sorted", loss="zero_one", max_rules=2, k=1),
    SugenoOrdinalClassifier(classes="sorted", levels="shared"),
    SugenoOrdinalClassifier(classes="sorted", levels="shared", k=1),
    SugenoOrdinalClassifier(classes="sorted", levels="all", loss="zero_one"),
    SugenoOrdinalClassifier(classes="sorted", levels="all", missing="interval"),
    SugenoOrdinalClassifier(classes="sorted", levels=3),
    SugenoOrdinalClassifier(classes="sorted", missing="optimistic"),
    SugenoOrdinalClassifier(classes="sorted", levels="shared", missing="pessimistic"),
    SugenoOrdinalClassifierCV(cv=2, max_rules=(1, 2), classes="sorted"),
    SugenoOrdinalClassifierCV(levels=["shared", 1], cv=2, classes="sorted"),
    SugenoOrdinalClassifierCV(levels=[2], cv=2, classes="sorted", missing="pessimistic"),
    SugenoNominalClassifier(),
    SugenoNominalClassifier(SugenoClassifier(levels="all")),
    SugenoNominalClassifier(SugenoDistiller(n_rules=2, max_rules=2)),
    SugenoNominalClassifier(SugenoClassifier(missing="interval")),
    ConformalClassifier(LogisticRegression()),
    ConformalClassifier(SugenoClassifier(), by_class=True),
    ConformalClassifier(SugenoOrdinalClassifier(levels=2, classes="sorted"), alpha=0.3),
    RelabelledClassifier(LogisticRegression(), classes="sorted"),
    RelabelledClassifier(TREE, classes="sorted"),
    RelabelledClassifier(TREE, classes="sorted", missing="interval"),
    RelabelledClassifier(RidgeClassifier(), classes="sorted", loss="absolute"),
]


@pytest.mark.no_cover
@pytest.mark.usefixtures("brief")
@parametrize_with_checks(SETTINGS)
def test_estimator_keeps_the_contract_of_scikit_learn(estimator, check):
    check(estimator)


def test_every_public_estimator_that_learns_is_checked():
    public = {getattr(sugeno, name) for name in sugeno.__all__}
    estimators = {one for one in public if inspect.isclass(one) and issubclass(one, BaseEstimator)}
    checked = {type(setting) for setting in SETTINGS}
    assert estimators - checked == {RuleClassifier, OrdinalRuleClassifier}  # finished models
