"""Classes without an order: one classifier per class, and what is said where they disagree."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

from sugeno import (
    SugenoClassifier,
    SugenoClassifierCV,
    SugenoEnsembleClassifier,
    SugenoNominalClassifier,
)


def test_each_class_has_rules_and_directions_of_its_own():
    X, y = load_iris(return_X_y=True, as_frame=True)
    words = load_iris().target_names[y]
    clf = SugenoNominalClassifier(SugenoClassifier(levels=3, k=2, max_rules=3)).fit(X, words)
    assert list(clf.rules_) == ["setosa", "versicolor", "virginica"]
    assert str(clf.rules_["setosa"]).startswith("setosa if")
    assert clf.directions_.shape == (3, 4)
    assert (clf.directions_[0] != clf.directions_[2]).any()
    assert (clf.predict(X) == words).mean() > 0.9
    for label, column in zip(clf.classes_, range(3)):
        alone = SugenoClassifier(levels=3, k=2, max_rules=3).fit(X, words == label)
        np.testing.assert_array_equal(clf.predict_set(X)[:, column], alone.predict(X))
        assert list(alone.rules_) == list(clf.rules_[label])


@pytest.mark.no_cover
@pytest.mark.usefixtures("brief")
@pytest.mark.parametrize(
    "inside",
    [
        LogisticRegression(),
        GaussianNB(),
        SugenoEnsembleClassifier(n_bags=3),
        SugenoClassifierCV(cv=2),
    ],
    ids=lambda inside: type(inside).__name__,
)
def test_any_classifier_of_two_classes_can_be_inside(inside):
    X, y = load_iris(return_X_y=True)
    clf = SugenoNominalClassifier(inside).fit(X, y)
    alone = [clone(inside).fit(X, y == label).predict_proba(X)[:, 1] for label in range(3)]
    shares = np.column_stack(alone) / np.sum(alone, axis=0)[:, None]
    np.testing.assert_allclose(clf.predict_proba(X), shares)
    np.testing.assert_array_equal(clf.predict(X), shares.argmax(axis=1))
    assert clf.predict_set(X).shape == (150, 3)
    assert hasattr(clf, "rules_") == hasattr(clf.estimators_[0], "rules_")
    assert hasattr(clf, "directions_") == hasattr(clf.estimators_[0], "directions_")


def test_weights_are_refused_where_the_classifier_inside_takes_none():
    with pytest.raises(ValueError, match="KNeighborsClassifier does not take sample weights"):
        SugenoNominalClassifier(KNeighborsClassifier()).fit([[1], [2]], [0, 1], [1, 2])


def test_no_rule_and_several_rules_are_said():
    X = np.array([[1.0, 1.0], [1.0, 9.0], [9.0, 1.0]] * 4)
    y = np.array(["c", "a", "b"] * 4)
    inside = SugenoClassifier(levels=1, directions=None, normalized=False)
    clf = SugenoNominalClassifier(inside).fit(X, y)
    asked = [[1, 9], [9, 1], [9, 9], [1, 1]]
    np.testing.assert_array_equal(clf.predict_set(asked)[:, :2].sum(axis=1), [1, 1, 2, 0])
    shares = clf.predict_proba(asked)
    np.testing.assert_allclose(shares.sum(axis=1), 1)
    np.testing.assert_array_equal(clf.classes_[shares.argmax(axis=1)], clf.predict(asked))


def test_weights_of_zero_leave_rows_out_and_one_class_is_refused():
    X, y = [[1], [2], [3], [4]], ["a", "b", "c", "c"]
    clf = SugenoNominalClassifier().fit(X, y, [0, 1, 1, 1])
    assert clf.classes_.tolist() == ["b", "c"]
    assert clf.decision_function(X).shape == (4,)
    with pytest.raises(ValueError, match="Got 1 class instead: 'c'"):
        SugenoNominalClassifier().fit(X, y, [0, 0, 1, 1])


def test_missing_values_are_read_as_the_classifier_inside_reads_them():
    X = pd.DataFrame({"a": [1, 2, None, 4, 5, 6], "b": [1, None, 3, 4, 5, 6]})
    y = [0, 0, 1, 1, 2, 2]
    with pytest.raises(ValueError, match=r"'a' \(1\), 'b' \(1\)"):
        SugenoNominalClassifier().fit(X, y)
    clf = SugenoNominalClassifier(SugenoClassifier(missing="interval")).fit(X, y)
    assert clf.predict(X).shape == (6,)
    alone = SugenoClassifier(missing="interval").fit(X, y)
    np.testing.assert_array_equal(clf.predict_set(X), alone.predict_set(X))
    assert clf.__sklearn_tags__().input_tags.allow_nan


def test_a_classifier_without_sets_is_asked_for_its_decision():
    class Plain(ClassifierMixin, BaseEstimator):
        def fit(self, X, y):
            self.inside_ = SugenoClassifier().fit(X, y)
            self.rules_, self.directions_ = self.inside_.rules_, self.inside_.directions_
            return self

        def predict(self, X):
            return self.inside_.predict(X)

        def predict_proba(self, X):
            return self.inside_.predict_proba(X)

    X, y = load_iris(return_X_y=True)
    plain = SugenoNominalClassifier(Plain()).fit(X, y)
    np.testing.assert_array_equal(
        plain.predict_set(X), SugenoNominalClassifier().fit(X, y).predict_set(X)
    )
