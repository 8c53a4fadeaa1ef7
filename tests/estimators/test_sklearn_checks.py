"""scikit-learn's own checks, without a single expected failure."""

from sklearn.utils.estimator_checks import parametrize_with_checks

from sugeno import SugenoClassifier, SugenoClassifierCV


@parametrize_with_checks(
    [
        SugenoClassifier(),
        SugenoClassifier(k=1),
        SugenoClassifier(k=2),
        SugenoClassifier(solver="lp"),
        SugenoClassifier(solver="lp", k=2),
        SugenoClassifier(k=2, subsets="all"),
        SugenoClassifierCV(),
        SugenoClassifierCV(ks=[1]),
        SugenoClassifierCV(ks=[2]),
        SugenoClassifierCV(solver="lp"),
        SugenoClassifierCV(solver="lp", ks=[1, 2]),
        SugenoClassifierCV(subsets="all"),
    ]
)
def test_estimator_keeps_the_contract_of_scikit_learn(estimator, check):
    check(estimator)
