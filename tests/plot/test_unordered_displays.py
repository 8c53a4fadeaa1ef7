"""Pictures of classes without an order say what the model says."""

import numpy as np
import pandas as pd
import pytest

from estimators.test_any_columns import houses
from sugeno import SugenoClassifier, SugenoDistiller
from sugeno.plot import DecisionRegionsDisplay, ImportanceDisplay, RulesDisplay


def corners(seed=0, n=150):
    """Rows of three classes in the corners of a plane, and one column that says nothing."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(rng.integers(0, 9, (n, 3)).astype(float), columns=["width", "height", "noise"])
    y = np.where(X["width"] > 5, "wide", np.where(X["height"] > 4, "tall", "low"))
    return X, y


@pytest.fixture(scope="module")
def clf():
    return SugenoClassifier(levels=2, max_rules=2, directions=None).fit(*corners())


@pytest.mark.parametrize("kind", ["rules", "points", "columns of any kind"])
def test_the_grid_has_the_rules_of_each_class_below_it(clf, kind):
    if kind == "points":
        clf = SugenoDistiller(form="points", n_literals=3, directions=None).fit(*corners())
    if kind == "columns of any kind":
        clf = SugenoClassifier(levels=2, max_rules=2).fit(*houses())
    display = RulesDisplay.from_estimator(clf)
    heads = [display.headings[row] for row in sorted(display.headings)]
    ends = [
        " if all of one row holds" if len(one.rules) else " never" for one in clf.model_.boundaries
    ]
    assert heads == [f"{label}{end}" for label, end in zip(clf.classes_, ends)]
    cells = iter(display.cells)
    for one in clf.model_.boundaries:
        assert not any(next(cells))
        for rule in one.rules:
            asked = [
                f"{name} {cell.replace('≥', '>=').replace('≤', '<=')}"
                for name, cell in zip(display.criteria, next(cells))
                if cell
            ]
            assert sorted(asked) == sorted(part.strip("()") for part in rule.split(" and "))
    assert next(cells, None) is None


def test_importance_is_a_mean_over_the_classes(clf):
    display = ImportanceDisplay.from_estimator(clf)
    found = dict(zip(display.criteria, display.importances))
    assert [found[name] for name in clf.feature_names_in_] == clf.feature_importances_.tolist()
    each = [ImportanceDisplay.from_estimator(one) for one in clf.per_class_.values()]
    for a, b in np.ndindex(3, 3):
        pair = [display.criteria[a], display.criteria[b]]
        pairs = [one.interactions[tuple(map(one.criteria.index, pair))] for one in each]
        assert display.interactions[a, b] == pytest.approx(np.mean(pairs))


def test_columns_that_each_class_reads_in_its_own_way_stand_once():
    X, y = houses()
    clf = SugenoClassifier(levels=2, max_rules=2).fit(X, y)
    display = ImportanceDisplay.from_estimator(clf)
    assert sorted(display.criteria) == ["age", "home", "seen"]
    found = dict(zip(display.criteria, display.importances))
    expected = dict(zip(X.columns, clf.feature_importances_))
    assert all(found[name] == pytest.approx(expected[name]) for name in found)
    with pytest.raises(TypeError, match=r"no plane of all 3 classes.*per_class_\['blue'\]"):
        DecisionRegionsDisplay.from_estimator(clf)


def test_regions_are_what_the_classifier_decides_in_them(clf):
    X, y = corners()
    display = DecisionRegionsDisplay.from_estimator(clf, X, y, others={"noise": 4})
    assert display.classes == ("low", "tall", "wide")
    assert display.point_places.tolist() == np.searchsorted(clf.classes_, y).tolist()
    rng = np.random.default_rng(0)
    for row, column in np.ndindex(display.places.shape):
        x = rng.uniform(*display.x_edges[column : column + 2])
        height = rng.uniform(*display.y_edges[row : row + 2])
        inside = pd.DataFrame({"width": [x], "height": [height], "noise": [4.0]})
        assert clf.classes_[display.places[row, column]] == clf.predict(inside)[0]
    assert len(np.unique(display.places)) == 3
