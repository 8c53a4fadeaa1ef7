"""Pictures of ordered classes say what the model says."""

import numpy as np
import pandas as pd
import pytest

from ordinal_models import graded_table, ordinal_rows, random_ordinal_model
from sugeno import OrdinalRuleClassifier, RuleClassifier, SugenoOrdinalClassifier
from sugeno.plot import (
    CapacityDisplay,
    DecisionRegionsDisplay,
    ErrorCurveDisplay,
    ImportanceDisplay,
    RulesDisplay,
    UtilityDisplay,
)


def fitted(m=2, n_classes=4, **options):
    X, y = graded_table(m=m, n_classes=n_classes)
    return SugenoOrdinalClassifier(**{"levels": 2, "directions": None, **options}).fit(X, y), X, y


def test_the_grid_has_the_rules_of_all_boundaries_below_their_class():
    clf, _, _ = fitted(m=3)
    display = RulesDisplay.from_estimator(clf)
    rows = iter(zip(display.cells, display.support, display.precision))
    for row, boundary in zip(sorted(display.headings), clf.rules_, strict=True):
        cells, weight, _ = next(rows)
        assert not any(cells)
        assert np.isnan(weight)
        assert display.headings[row] == f"{boundary.label} if all of one row holds"
        for record in boundary.to_records():
            cells, weight, share = next(rows)
            asked = [f"{n} {c}".replace("≥", ">=") for n, c in zip(display.criteria, cells) if c]
            assert " and ".join(asked) == record["rule"]
            assert weight == record["support"]
            assert share == record["precision"]
    assert next(rows, None) is None
    numbers = [label.get_text() for label in display.ax_.get_yticklabels()]
    expected = [["", *map(str, range(1, len(one) + 1))] for one in clf.rules_]
    assert numbers == [text for part in expected for text in part]


def test_long_lists_are_cut_and_said_so():
    clf, _, _ = fitted(m=4, levels="all", n_classes=3)
    display = RulesDisplay.from_estimator(clf, max_rules=2)
    hidden = sum(max(0, len(boundary) - 2) for boundary in clf.rules_)
    assert display.hidden == hidden > 0
    assert display.ax_.get_xlabel() == f"and {hidden} more rules"


@pytest.mark.parametrize("seed", range(8))
def test_regions_are_what_the_model_decides_in_them(seed):
    model = random_ordinal_model(seed, m=2)
    clf = OrdinalRuleClassifier.of(model)
    display = DecisionRegionsDisplay.from_estimator(clf)
    rng = np.random.default_rng(seed)
    for row, column in np.ndindex(display.places.shape):
        x = rng.uniform(*display.x_edges[column : column + 2])
        y = rng.uniform(*display.y_edges[row : row + 2])
        inside = np.array([[x, y]])
        for j, criterion in enumerate(model.criteria):
            if criterion.labels is not None:  # a label fills its stretch
                inside[0, j] = np.clip(np.rint(inside[0, j]), 0, len(criterion.labels) - 1)
        assert display.places[row, column] == model.passed(inside)[0]
    assert display.classes == tuple(model.classes.tolist())
    shades = display.surface_.cmap(np.arange(len(display.classes)))[:, :3].sum(axis=1)
    assert (np.diff(shades) < 0).all()  # darker and darker, in grey too


def test_rows_have_the_shade_of_their_class_and_other_criteria_are_fixed():
    clf, X, y = fitted(m=3, n_classes=3)
    display = DecisionRegionsDisplay.from_estimator(clf, X, y, criteria=(2, 0), others={"x1": 4})
    assert display.points.tolist() == X[:, [2, 0]].tolist()
    assert display.point_places.tolist() == y.tolist()
    assert "x1 = 4" in display.title
    assert display.names == ("x2", "x0")
    legend = [text.get_text() for text in display.ax_.get_legend().get_texts()]
    assert legend == ["2", "1", "0"]
    with pytest.raises(ValueError, match="The value of 'x2' must be given"):
        DecisionRegionsDisplay.from_estimator(clf)
    again = display.plot(display.ax_)
    assert again.ax_ is display.ax_


def test_rows_with_missing_values_have_no_place_in_the_plane():
    X, y = [[1, 9], [2, 8], [3, 3], [np.nan, 2]], [0, 1, 2, 2]
    clf = SugenoOrdinalClassifier(levels=1, missing="optimistic", directions=[1, -1]).fit(X, y)
    display = DecisionRegionsDisplay.from_estimator(clf, X, y)
    assert np.isfinite(display.x_edges).all()
    assert display.places.max() == 2


def test_rows_of_a_frame_with_labels_are_placed():
    model = random_ordinal_model(4, m=2)
    X = ordinal_rows(model, 4, 20)
    frame = pd.DataFrame(
        {
            c.name: X[:, j] if c.labels is None else np.array(c.labels)[X[:, j].astype(int)]
            for j, c in enumerate(model.criteria)
        }
    )
    display = DecisionRegionsDisplay.from_estimator(OrdinalRuleClassifier.of(model), frame)
    assert display.points.tolist() == X.tolist()


def test_importance_is_a_mean_over_the_boundaries():
    clf, _, _ = fitted(m=3)
    display = ImportanceDisplay.from_estimator(clf)
    each = [
        ImportanceDisplay.from_estimator(RuleClassifier.of(clf.model_.at_boundary(b)))
        for b in range(3)
    ]
    for name, share in zip(display.criteria, display.importances):
        shares = [one.importances[one.criteria.index(name)] for one in each]
        assert share == pytest.approx(np.mean(shares))
    for a, b in np.ndindex(3, 3):
        pair = [display.criteria[a], display.criteria[b]]
        found = [one.interactions[tuple(map(one.criteria.index, pair))] for one in each]
        assert display.interactions[a, b] == pytest.approx(np.mean(found))


def test_one_integral_has_one_capacity_and_a_threshold_for_each_boundary():
    clf, _, _ = fitted(m=3, levels="shared")
    display = CapacityDisplay.from_estimator(clf)
    assert display.thresholds.tolist() == clf.model_.thresholds.tolist()
    nodes = [text for text in display.ax_.texts if text.get_bbox_patch() is not None]
    values = list(display.values_.values())
    nodes.sort(key=lambda node: float(node.get_text().split()[-1]))
    shades = [sum(node.get_bbox_patch().get_facecolor()[:3]) for node in nodes]
    assert shades == sorted(shades, reverse=True)  # the more thresholds, the darker
    assert len(set(shades)) == len({(v >= clf.model_.thresholds).sum() for v in values}) > 2
    curves = UtilityDisplay.from_estimator(clf)
    assert curves.thresholds == tuple(clf.model_.thresholds)
    used = {
        (rules.literal_criteria[i], rules.levels[i])
        for rules in clf.rules_
        for members in rules.sets
        for i in members
    }
    for j, curve in enumerate(curves.curves):
        assert sorted(curve.levels) == sorted(level for c, level in used if c == j)


def test_what_needs_two_classes_says_what_to_do_instead():
    clf, _, _ = fitted()
    with pytest.raises(TypeError, match="or learn with levels='shared'"):
        CapacityDisplay.from_estimator(clf)
    with pytest.raises(TypeError, match="An error curve is about two classes"):
        ErrorCurveDisplay.from_estimator(clf)
    assert CapacityDisplay.from_estimator(RuleClassifier.of(clf.model_.at_boundary(0)))
