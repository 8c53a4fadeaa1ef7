"""What a column is worth: how much the errors rise where it says nothing."""

import numpy as np
import pandas as pd
import pytest
from sklearn.inspection import permutation_importance

from estimators.test_any_columns import houses
from sugeno import (
    SugenoClassifier,
    SugenoDistiller,
    SugenoEnsembleClassifier,
    SugenoOrdinalClassifier,
)
from sugeno.report import report_html


def table(n=40, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 5, (n, 3)).astype(float)
    return X, (X[:, 0] + X[:, 1] + rng.normal(0, 1, n) > 4.5).astype(int)


def by_hand(clf, X, y, prices, weight):
    """Each row with the values of each other one, pair by pair."""
    share = weight / weight.sum()

    def mean(rows):
        return share @ prices[y, np.searchsorted(clf.classes_, clf.predict(rows))]

    found = []
    for j in range(X.shape[1]):
        after = 0.0
        for donor in range(len(X)):
            moved = X.copy()
            moved[:, j] = X[donor, j]
            after += share[donor] * mean(moved)
        found.append(after - mean(X))
    return found


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("costs", [None, {"missed": 3, "false alarm": 1}])
@pytest.mark.parametrize("kind", [SugenoClassifier(levels=2), SugenoDistiller(form="points")])
def test_it_is_the_mean_over_all_pairs_of_rows(kind, costs, weighted):
    X, y = table()
    clf = kind.set_params(costs=costs).fit(X, y)
    weight = np.arange(len(y)) % 3 + 1.0 if weighted else np.ones(len(y))
    prices = np.array([[0, 1], [3 if costs else 1, 0]])
    found = clf.error_without(X, y, weight if weighted else None)
    np.testing.assert_allclose(found, by_hand(clf, X, y, prices, weight), atol=1e-12)
    assert found.max() > 0.05


def test_ordered_classes_and_missing_values_as_well():
    X, y = table()
    X[::5, 0] = np.nan
    y = y + (X[:, 1] > 3)
    clf = SugenoOrdinalClassifier(levels=2, missing="pessimistic").fit(X, y)
    expected = by_hand(clf, X, y, 1 - np.eye(3), np.ones(len(y)))
    np.testing.assert_allclose(clf.error_without(X, y), expected, atol=1e-12)


@pytest.mark.parametrize(
    "kind",
    [SugenoClassifier(levels=2), SugenoEnsembleClassifier(n_bags=2, max_rounds=5)],
    ids=lambda kind: type(kind).__name__,
)
def test_classes_without_an_order_as_well(kind):
    X, y = table()
    y = np.where(X[:, 2] > 3, 2, y)
    clf = kind.fit(X, np.array(["b", "c", "a"])[y])
    places = np.array([1, 2, 0])[y]
    expected = by_hand(clf, X, places, 1 - np.eye(3), np.ones(len(y)))
    found = clf.error_without(X, np.array(["b", "c", "a"])[y])
    np.testing.assert_allclose(found, expected, atol=1e-12)
    assert found.max() > 0.05


def test_classes_that_read_a_table_each_in_its_own_way():
    X, y = houses(90)
    clf = SugenoClassifier(levels=2, k=2).fit(X, y)
    found, errors = clf.error_without(X, y), (clf.predict(X) != y).mean()
    for j, name in enumerate(X.columns):
        after = [clf.predict(X.assign(**{name: [value] * len(X)})) for value in X[name]]
        expected = np.mean([(decided != y).mean() for decided in after]) - errors
        assert found[j] == pytest.approx(expected, abs=1e-12)
    assert found[3] == 0 < found[0]


def test_permutations_agree_in_the_mean():
    X, y = table(200)
    clf = SugenoClassifier(levels=2).fit(X, y)
    permuted = permutation_importance(clf, X, y, n_repeats=60, random_state=0)
    noise = permuted.importances_std / np.sqrt(60)
    difference = clf.error_without(X, y) - permuted.importances_mean
    assert (abs(difference) <= 4 * noise + 0.003).all()


def test_both_sides_of_a_column_move_together():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"age": rng.integers(20, 70, 300), "x": rng.normal(size=300)})
    y = (abs(frame["age"] - 45) > 12).to_numpy()
    clf = SugenoClassifier(levels=2, columns={"age": "free", "x": "up"}).fit(frame, y)
    worth = clf.error_without(frame, y)
    assert worth.shape == (2,)
    rate = y.mean()
    assert worth[0] == pytest.approx(2 * rate * (1 - rate), abs=0.05)
    assert worth[1] == pytest.approx(0, abs=0.02)


def test_what_few_rows_satisfy_decides_often_and_is_worth_little():
    rng = np.random.default_rng(0)
    n = 2000
    X = np.column_stack([rng.random(n) < 0.02, rng.random(n) < 0.3, rng.random(n) < 0.3])
    y = X[:, 0] | (X[:, 1] & X[:, 2])
    clf = SugenoClassifier(levels="all", directions=[1, 1, 1]).fit(X.astype(float), y)
    assert clf.feature_importances_.argmax() == 0
    worth = clf.error_without(X.astype(float), y)
    assert worth.argmin() == 0
    assert worth[0] < worth[1] / 2
    text = report_html(clf, X.astype(float), y)
    assert f"{100 * worth[0]:+.1f}\u00a0points" in text
    assert "errors without it" in text


def test_with_costs_the_page_counts_them():
    X, y = table(200)
    clf = SugenoClassifier(levels=2, costs={"missed": 3}).fit(X, y)
    page = report_html(clf, X, y)
    assert f"{clf.error_without(X, y)[0]:+.3f}" in page
    assert "each error by its cost" in page
    cost = np.where(y > clf.predict(X), 3, y < clf.predict(X)).mean()
    assert f">{cost:.3g}<" in page
    assert "missed 3, false alarm 1" in page
