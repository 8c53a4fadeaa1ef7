"""Pictures say what the model says: levels, coverage, utilities, values, regions."""

import sys
from itertools import combinations

import numpy as np
import pandas as pd
import pytest

from small_rules import classifier_of
from sugeno import (
    Capacity,
    RuleClassifier,
    RuleSet,
    SugenoClassifier,
    SugenoClassifierCV,
    SugenoDistiller,
    SugenoEnsembleClassifier,
)
from sugeno.plot import (
    CapacityDisplay,
    DecisionRegionsDisplay,
    ErrorCurveDisplay,
    ImportanceDisplay,
    RulesDisplay,
    UtilityDisplay,
)

DISPLAYS = [CapacityDisplay, ImportanceDisplay, RulesDisplay, UtilityDisplay]
NAMES = [
    *("interview", "price of the whole project, in €", "$size$", "age", "comfort", "noise"),
    *("number_of_positive_axillary_nodes_found", "safety", "distance to the railway", "x", "y"),
    "energy consumption",
]


def table(m, n=200, seed=0):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(rng.integers(1, 8, size=(n, m)), columns=NAMES[:m])
    good = (X.iloc[:, 0] >= 4) & (X.iloc[:, 1] <= 5) | (X.iloc[:, -1] >= 6)
    if m > 2:
        X[NAMES[2]] = pd.Categorical(
            np.array(["small", "quite large", "huge"])[X[NAMES[2]] % 3],
            ["small", "quite large", "huge"],
            ordered=True,
        )
    return X, np.where(good ^ (rng.random(n) < 0.05), "yes", "no")


def fitted(m, **parameters):
    X, y = table(m)
    return SugenoClassifier(**parameters).fit(X, y), X, y


MODELS = [
    pytest.param(2, {}, id="2"),
    pytest.param(3, {}, id="3"),
    pytest.param(3, {"levels": 3}, id="3-levels"),
    pytest.param(12, {"k": 2}, id="12"),
    pytest.param(12, {"levels": 2, "k": 2, "time_limit": 0}, id="12-levels"),
]


def texts(ax):
    return [text.get_text() for text in ax.texts]


def overlaps(figure, boxes):
    figure.canvas.draw()
    boxes = [box.get_window_extent() for box in boxes if box.get_text()]
    return [(a, b) for a, b in combinations(boxes, 2) if a.overlaps(b)]


# --------------------------------------------------------------------------------------- rules


@pytest.mark.parametrize(("m", "parameters"), MODELS)
def test_cells_hold_the_levels_of_the_rules(m, parameters):
    clf, _, _ = fitted(m, **parameters)
    display = RulesDisplay.from_estimator(clf)
    signs = str.maketrans({"≥": ">=", "≤": "<="})
    for rule, cells in zip(clf.rules_, display.cells, strict=True):
        asked = [f"{name} {cell}" for name, cell in zip(display.criteria, cells) if cell]
        assert " and ".join(asked).translate(signs) == rule
    drawn = [text.get_text() for text in display.ax_.texts if text.get_ha() == "center"]
    wanted = [cell for cells in display.cells for cell in cells if cell]
    assert drawn == [cell if len(cell) <= 12 else f"{cell[:11].rstrip()}…" for cell in wanted]


@pytest.mark.parametrize(("m", "parameters"), MODELS)
def test_bars_are_as_long_as_the_rules_cover_rows(m, parameters):
    clf, X, y = fitted(m, **parameters)
    display = RulesDisplay.from_estimator(clf)
    records = clf.rules_.counted_on(X, y).to_records()
    support = np.array([record["support"] for record in records])
    right = support * [record["precision"] for record in records]
    longest = max(bar.get_width() for bar in display.bars_)
    for bars, wanted in ((display.bars_, support), (display.right_bars_, right)):
        widths = np.array([bar.get_width() for bar in bars])
        np.testing.assert_allclose(widths * support.max() / longest, wanted)
    ends = [text.get_text() for text in display.ax_.texts if "%" in text.get_text()]
    assert ends == [f"{record['support']:g}, {record['precision']:.0%}" for record in records]


@pytest.mark.parametrize(("m", "parameters"), MODELS)
def test_no_labels_of_the_grid_overlap(m, parameters):
    display = RulesDisplay.from_estimator(fitted(m, **parameters)[0])
    inside = [*display.ax_.texts, *display.ax_.get_yticklabels(), display.ax_.xaxis.label]
    assert not overlaps(display.figure_, inside)


def test_only_the_rules_of_largest_support_are_shown_where_there_are_many():
    clf, _, _ = fitted(3, levels=3)
    support = clf.rules_.support.weight
    assert len(support) > 2
    display = RulesDisplay.from_estimator(clf, max_rules=2)
    assert sorted(display.support) == sorted(support)[-2:]
    assert f"and {len(support) - 2} more rules" in display.ax_.get_xlabel()


def test_clauses_and_rules_without_support_are_drawn():
    clf, _, _ = fitted(3)
    (model,) = clf.model_.boundaries
    from dataclasses import replace

    dual = classifier_of(replace(model, form=model.rules.dual()))
    display = RulesDisplay.from_estimator(dual)
    assert "one of each row" in display.ax_.get_xlabel()
    assert display.support is None
    assert display.cells


def test_a_model_that_accepts_nothing_says_so():
    X, y = [[3], [2], [1]], [0, 0, 1]
    clf = SugenoClassifier(normalized=False, directions=None).fit(X, y)
    assert len(clf.rules_) == 0
    display = RulesDisplay.from_estimator(clf)
    assert display.ax_.get_xlabel() == "class 1 never"
    assert texts(display.ax_) == ["no criterion decides"]
    assert not ImportanceDisplay.from_estimator(clf).interactions.any()


# ------------------------------------------------------------------------------------- utility


def test_curves_are_the_utilities_and_cross_the_threshold_at_the_levels():
    clf, X, _ = fitted(12, k=2, directions=None)
    display = UtilityDisplay.from_estimator(clf)
    utilities = clf.utility_.transform(X)
    for j, (curve, ax) in enumerate(zip(display.curves, display.axes_, strict=True)):
        line = ax.lines[0]
        column = X.iloc[:, j]
        values = column.cat.codes if column.dtype == "category" else column
        found = np.interp(values, line.get_xdata(), line.get_ydata())
        np.testing.assert_allclose(found, utilities[:, j])
        if curve.levels.size:
            at = np.interp(curve.levels[0], curve.values, curve.heights)
            assert at == pytest.approx(clf.threshold_)


def test_stairs_show_the_share_of_the_levels_that_a_value_reaches():
    clf, _, _ = fitted(3, levels=3)
    display = UtilityDisplay.from_estimator(clf)
    assert display.thresholds == ()
    used = {j for members in clf.rules_.sets for j in members}
    for j, curve in enumerate(display.curves):
        mine = [i for i in used if clf.rules_.literal_criteria[i] == j]
        assert sorted(curve.levels) == sorted(clf.rules_.levels[mine])
        middles = curve.values[:-1] / 2 + curve.values[1:] / 2
        sign = clf.rules_.directions[j]
        reached = (sign * middles[:, None] >= sign * curve.levels[None]).mean(axis=1)
        np.testing.assert_allclose(curve.heights[:-1], reached)


def test_a_criterion_in_no_rule_is_said_to_be():
    clf, _, _ = fitted(12, levels=2, k=2, time_limit=0)
    display = UtilityDisplay.from_estimator(clf)
    unused = [curve for curve in display.curves if not curve.texts]
    titles = [ax.get_title().splitlines()[1] for ax in display.axes_]
    assert titles.count("in no rule") == len(unused) > 0


# ------------------------------------------------------------------------------------ capacity


def is_dark(patch):
    return np.mean(patch.get_facecolor()[:3]) < 0.5


def test_the_diagram_has_every_set_with_its_value_dark_where_it_suffices():
    clf, _, _ = fitted(3)
    display = CapacityDisplay.from_estimator(clf)
    assert display.kind_ == "hasse"
    assert len(display.values_) == 8
    nodes = [text for text in display.ax_.texts if text.get_bbox_patch() is not None]
    for members, value in display.values_.items():
        assert value == clf.capacity_(members)
        letters = "".join("abc"[NAMES.index(name)] for name in members) or "∅"
        node = next(node for node in nodes if node.get_text() == f"{letters}\n{value:.2f}")
        assert is_dark(node.get_bbox_patch()) == (value >= clf.threshold_)
    assert len(display.ax_.lines) == 12  # edges of a cube


def test_a_diagram_of_six_criteria_has_no_overlapping_nodes():
    display = CapacityDisplay(Capacity.counting(6, criteria=NAMES[:6]), 0.5).plot()
    assert len(display.values_) == 64
    assert not overlaps(display.figure_, display.ax_.texts)


def test_bars_are_the_focal_sets_of_largest_value():
    clf, _, _ = fitted(12, k=2)
    display = CapacityDisplay.from_estimator(clf, max_sets=9)
    assert display.kind_ == "bars"
    focal = clf.capacity_.focal_sets
    widths = [bar.get_width() for bar in display.ax_.patches]
    assert widths == sorted(focal.values(), reverse=True)[:9]
    for (members, value), bar in zip(display.values_.items(), display.ax_.patches):
        assert focal[members] == value
        assert is_dark(bar) == (value >= clf.threshold_)
    assert f"{len(focal) - 9} more focal sets" in display.ax_.get_xlabel()


# ---------------------------------------------------------------------------------- importance


@pytest.mark.parametrize(("m", "parameters"), MODELS)
def test_bars_are_the_importances_in_order(m, parameters):
    clf, _, _ = fitted(m, **parameters)
    display = ImportanceDisplay.from_estimator(clf)
    widths = [bar.get_width() for bar in display.ax_.patches]
    assert widths == sorted(clf.feature_importances_, reverse=True)
    by_name = dict(zip(NAMES, clf.feature_importances_))
    assert widths == [by_name[name] for name in display.criteria]


def test_interactions_are_those_of_the_capacity_at_the_threshold():
    clf, _, _ = fitted(3)
    display = ImportanceDisplay.from_estimator(clf)
    wanted = clf.capacity_.interaction(clf.threshold_).values
    place = [NAMES.index(name) for name in display.criteria]
    np.testing.assert_allclose(display.interactions, wanted[np.ix_(place, place)])


def test_interactions_with_several_levels_are_those_of_wholly_reached_criteria():
    clf, _, _ = fitted(3, levels=3)
    display = ImportanceDisplay.from_estimator(clf)
    ends = [(0, 10), (0, 10), ("small", "huge")]
    worst, best = zip(*(pair[::sign] for pair, sign in zip(ends, clf.directions_)))

    def accepted(members):
        row = [best[j] if j in members else worst[j] for j in range(3)]
        return clf.predict(pd.DataFrame([row], columns=NAMES[:3]))[0] == "yes"

    sets = [s for size in range(4) for s in combinations(range(3), size)]
    mu = Capacity({s: float(accepted(s)) for s in sets if s}, m=3)
    place = [NAMES.index(name) for name in display.criteria]
    wanted = mu.interaction(1.0).values[np.ix_(place, place)]
    np.testing.assert_allclose(display.interactions, wanted)
    discs = [c for c in display.axes_[1].collections if len(c.get_offsets())]
    shown = {tuple(map(int, disc.get_offsets()[0])): disc for disc in discs}
    for row, column in combinations(range(3), 2):
        value = wanted[row, column]
        assert ((row, column) in shown) == (abs(value) > 5e-4)
        if abs(value) > 5e-4:
            filled = shown[row, column].get_facecolor()[0][:3].sum() < 2.9
            assert filled == (value > 0)


# -------------------------------------------------------------------------------- error curves


def test_errors_against_k_are_those_of_the_folds(brief):
    X, y = table(3)
    clf = SugenoClassifierCV(levels=["distilled", "shared"], margins=(0.0, 0.05), cv=3).fit(X, y)
    display = ErrorCurveDisplay.from_estimator(clf)
    results = clf.cv_results_
    assert [curve.label for curve in display.curves] == [
        *("distilled", "shared, margin 0", "shared, margin 0.05")
    ]
    for curve in display.curves[1:]:
        margin = float(curve.label.split()[-1])
        mine = (results["param_levels"] == "shared") & (results["param_margin"] == margin)
        np.testing.assert_array_equal(curve.x, results["param_k"][mine])
        np.testing.assert_allclose(curve.error, 1 - results["mean_test_score"][mine])
        np.testing.assert_allclose(curve.spread, results["std_test_score"][mine] / np.sqrt(3))
    assert display.chosen == clf.k_


def test_errors_against_the_number_of_rules_are_those_of_the_path(brief):
    X, y = table(3)
    clf = SugenoDistiller(max_rules=4).fit(X, y)
    display = ErrorCurveDisplay.from_estimator(clf, against="rules")
    path = clf.path_[1:]
    line = display.ax_.lines[0]
    assert line.get_xdata().tolist() == [step["rules"] for step in path]
    assert line.get_ydata().tolist() == [step["error"] for step in path]
    apart = [1 - step["fidelity"] for step in path]
    np.testing.assert_allclose(display.curves[1].error, apart)
    assert display.chosen == len(clf.rules_)


def test_errors_against_the_threshold_are_those_of_the_integral():
    clf, X, y = fitted(3)
    display = ErrorCurveDisplay.from_estimator(clf, X, y, against="threshold")
    scores = clf.integral(X)
    curve = display.curves[0]
    for t, error in zip(curve.x, curve.error):
        assert error == pytest.approx(((scores >= t) != (y == "yes")).mean())
    at = np.flatnonzero(curve.x >= clf.threshold_)[0]
    assert curve.error[at] == pytest.approx((clf.predict(X) != y).mean())


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"against": "k"}, "cv_results_"),
        ({"against": "rules"}, "needs a path"),
        ({"against": "threshold"}, "give X and y"),
        ({"against": "time"}, "against must be one of"),
    ],
)
def test_curves_that_cannot_be_drawn_say_what_is_needed(options, message):
    with pytest.raises(ValueError, match=message):
        ErrorCurveDisplay.from_estimator(fitted(2)[0], **options)


# ------------------------------------------------------------------------------------- regions


def colour_at(display, x, y):
    column = np.searchsorted(display.x_edges, x, side="right") - 1
    row = np.searchsorted(display.y_edges, y, side="right") - 1
    return np.asarray(display.surface_.get_array()).reshape(display.places.shape)[row, column]


@pytest.mark.parametrize("parameters", [{}, {"levels": 3}, {"levels": "all"}])
def test_regions_are_what_the_classifier_predicts_anywhere_in_the_plane(parameters):
    clf, X, y = fitted(2, **parameters)
    display = DecisionRegionsDisplay.from_estimator(clf, X, y)
    rng = np.random.default_rng(0)
    x = rng.uniform(*display.x_edges[[0, -1]], 500)
    up = rng.uniform(*display.y_edges[[0, -1]], 500)
    accepted = clf.predict(pd.DataFrame(np.column_stack([x, up]), columns=X.columns)) == "yes"
    np.testing.assert_array_equal(colour_at(display, x, up) == 1, accepted)
    assert sum(len(points.get_offsets()) for points in display.ax_.collections[1:]) == len(X)


@pytest.mark.parametrize("columns", [NAMES[1::-1], ["noise", *NAMES[1::-1]]])
def test_points_of_a_frame_are_taken_by_name(columns):
    clf, X, y = fitted(2)
    shuffled = X.assign(noise=0)[columns]
    display = DecisionRegionsDisplay.from_estimator(clf, shuffled, y)
    np.testing.assert_array_equal(display.points, X.to_numpy())


def test_rows_with_missing_values_have_no_place_in_the_plane():
    X, y = np.array([[1, 9], [2, 8], [3, 3], [4, np.nan], [np.nan, 2]]), [0, 0, 1, 1, 1]
    clf = SugenoClassifier(missing="pessimistic", directions=[1, -1]).fit(X, y)
    display = DecisionRegionsDisplay.from_estimator(clf, X, y)
    whole = DecisionRegionsDisplay.from_estimator(clf, X[:3], y[:3])
    np.testing.assert_array_equal(display.places, whole.places)
    shown = np.ma.concatenate([dots.get_offsets() for dots in display.ax_.collections[1:]])
    assert sorted(shown.compressed().tolist()) == [1, 2, 3, 3, 8, 9]


@pytest.mark.parametrize("sign", [1, -1])
def test_labels_stand_in_the_middle_of_their_region(sign):
    X, y = table(3)
    labels = ["small", "quite large", "huge"][::-sign]
    X[NAMES[2]] = X[NAMES[2]].cat.reorder_categories(labels, ordered=True)
    clf = SugenoClassifier(levels=3).fit(X, y)
    assert clf.directions_[2] == sign
    display = DecisionRegionsDisplay.from_estimator(
        clf, X, criteria=[NAMES[2], NAMES[0]], others={NAMES[1]: 2}
    )
    verdicts = set()
    for place, label in enumerate(labels):
        for value in range(1, 8):
            row = pd.DataFrame([[value, 2, label]], columns=NAMES[:3])
            verdict = clf.predict(row)[0] == "yes"
            assert (colour_at(display, place, value + 1e-6) == 1) == verdict
            verdicts.add((label, verdict))
    assert len(verdicts) > 3  # the label matters
    assert [t.get_text() for t in display.ax_.get_xticklabels()] == labels
    assert f"{NAMES[1]} = 2" in display.ax_.get_title()


def test_a_plane_without_rows_shows_what_was_seen_in_training():
    clf, X, _ = fitted(2)
    display = DecisionRegionsDisplay.from_estimator(clf)
    assert display.x_edges[0] < X.iloc[:, 0].min() < X.iloc[:, 0].max() < display.x_edges[-1]
    fixed = DecisionRegionsDisplay.from_estimator(fitted(3)[0], others={NAMES[2]: "huge"})
    assert f"{NAMES[2].replace('$', chr(92) + '$')} = huge" in fixed.ax_.get_title()


def test_a_criterion_of_which_nothing_is_known_is_drawn_from_0_to_1():
    rules = RuleSet([{0}], [3], criteria=["a", "b"], literal_criteria=[0])
    display = DecisionRegionsDisplay.from_estimator(RuleClassifier.from_rules(rules))
    assert display.y_edges.tolist() == [0.0, 1.0]
    assert display.places.tolist() == [[0, 1]]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"criteria": [0]}, "two different criteria"),
        ({"criteria": [0, 0]}, "two different criteria"),
        ({"criteria": [0, 7]}, "must be the name of a criterion"),
        ({"criteria": ["interview", "nothing"]}, "must be the name of a criterion"),
        ({}, "must be given"),
        ({"others": {NAMES[2]: "tiny"}}, "tiny"),
    ],
)
def test_planes_that_cannot_be_drawn_say_what_is_needed(options, message):
    with pytest.raises(ValueError, match=message):
        DecisionRegionsDisplay.from_estimator(fitted(3)[0], **options)


# ------------------------------------------------------------------------------- all of them


@pytest.mark.parametrize("display", DISPLAYS)
def test_displays_draw_on_given_axes(display):
    import matplotlib.pyplot as plt

    figure, (left, right) = plt.subplots(1, 2)
    made = display.from_estimator(fitted(3)[0], ax=right)
    assert made.figure_ is figure
    assert len(plt.get_fignums()) == 1
    assert made.plot(left) is made


@pytest.mark.parametrize("display", [UtilityDisplay, ImportanceDisplay])
def test_panels_need_axes_in_a_grid(display):
    import matplotlib.pyplot as plt

    ax = plt.figure().add_axes((0, 0, 1, 1))
    with pytest.raises(ValueError, match="leave ax out"):
        display.from_estimator(fitted(3)[0], ax=ax)


@pytest.mark.parametrize("display", DISPLAYS)
def test_without_matplotlib_the_extra_is_named(display, monkeypatch):
    clf = fitted(3)[0]
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(ModuleNotFoundError, match=r"pip install 'sugeno\[plot\]'"):
        display.from_estimator(clf)


@pytest.mark.parametrize("display", DISPLAYS)
def test_what_has_no_model_is_refused(display):
    X, y = table(2)
    ensemble = SugenoEnsembleClassifier(n_bags=2, max_rounds=2).fit(X, y)
    with pytest.raises(TypeError, match="Got SugenoEnsembleClassifier"):
        display.from_estimator(ensemble)
    from sklearn.exceptions import NotFittedError

    with pytest.raises(NotFittedError):
        display.from_estimator(SugenoClassifier())


def test_a_column_without_a_direction_has_one_bar():
    X, y = table(3)
    names = [*X.columns]
    clf = SugenoClassifier(levels=2, columns={names[0]: "free"}).fit(X, y)
    display = ImportanceDisplay.from_estimator(clf)
    assert sorted(display.criteria) == sorted(names)
    assert display.importances.tolist() == sorted(clf.feature_importances_, reverse=True)
