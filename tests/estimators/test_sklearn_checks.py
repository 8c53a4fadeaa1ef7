"""scikit-learn's own checks, without a single expected failure."""

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from sugeno import (
    SugenoClassifier,
    SugenoClassifierCV,
    SugenoDistiller,
    SugenoEnsembleClassifier,
)


@pytest.mark.no_cover
@pytest.mark.usefixtures("brief")
@parametrize_with_checks(
    [
        SugenoClassifier(),
        SugenoClassifier(k=1),
        SugenoClassifier(k=2),
        SugenoClassifier(solver="lp"),
        SugenoClassifier(solver="lp", k=2),
        SugenoClassifier(k=2, subsets="all"),
        SugenoClassifier(levels=2),
        SugenoClassifier(levels="single"),
        SugenoClassifier(missing="interval", abstain=True),
        SugenoClassifier(levels="all"),
        SugenoClassifierCV(cv=2, max_rules=5),
        SugenoClassifierCV(levels="shared", cv=3),
        SugenoClassifierCV(levels="shared", ks=[1]),
        SugenoClassifierCV(levels="shared", ks=[2], cv=2),
        SugenoClassifierCV(levels="shared", solver="lp", cv=2),
        SugenoClassifierCV(levels="shared", solver="lp", ks=[1, 2], cv=2),
        SugenoClassifierCV(levels="shared", subsets="all", cv=2),
        SugenoClassifierCV(levels=["shared", 2], ks=[1, 2], cv=2, refit="simplest"),
        SugenoEnsembleClassifier(n_bags=3, max_rounds=30),
        SugenoEnsembleClassifier(n_bags=3, max_rounds=30, order="sorted"),
        SugenoDistiller(n_rules=5, max_rules=5),
        SugenoClassifierCV(levels="shared", cv=2, ks=[2], missing="interval"),
        SugenoEnsembleClassifier(n_bags=3, max_rounds=30, missing="optimistic"),
        SugenoDistiller(n_rules=5, max_rules=5, missing="pessimistic"),
    ]
)
def test_estimator_keeps_the_contract_of_scikit_learn(estimator, check):
    check(estimator)
