"""The estimator: what it learns, what it shows, what it refuses."""

import json
import pickle
from itertools import pairwise
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.datasets import make_blobs
from sklearn.metrics import accuracy_score
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from sugeno import (
    Capacity,
    QuantileUtility,
    RuleSet,
    SugenoClassifier,
    datasets,
    infer_directions,
    sugeno_integral,
)
from sugeno._counts.patterns import Patterns
from sugeno._counts.weights import row_weights
from sugeno._sets.chains import Chains
from sugeno._sets.masks import contains_any, pack
from sugeno.model.model import Model
from sugeno.solvers.closure import solve_closure
from sugeno.solvers.shares import share_out

EVERY_SOLVER = [
    {},
    {"k": 1},
    {"k": 2},
    {"solver": "lp"},
    {"solver": "lp", "k": 2},
    {"solver": "lp", "k": 2, "subsets": "top"},
    {"k": 2, "subsets": "all"},
    {"solver": "lp", "k": 2, "subsets": "all"},
]


def grades(seed=0, n=120, m=4, levels=5, noise=0.15):
    """Ordinal criteria and a noisy monotone label."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, levels, size=(n, m)).astype(float)
    y = (X.mean(axis=1) > (levels - 1) / 2) ^ (rng.random(n) < noise)
    y[:2] = [True, False]
    return X, y.astype(int)


def measurements(seed=0, n=120, m=4):
    """Continuous criteria and a noisy monotone label."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 1)) + rng.normal(size=(n, m))
    y = X.sum(axis=1) + rng.normal(size=n) > 0
    return X, y.astype(int)


def off_the_grid(X, seed=1, n=400):
    """Rows that mix observed values with others, inside and outside the observed range."""
    rng = np.random.default_rng(seed)
    rows = rng.choice(X.ravel(), size=(n, X.shape[1]))
    return np.where(rng.random(rows.shape) < 0.5, rows, rows + rng.normal(size=rows.shape) * 2)


def patterns_at(clf, X, y):
    """The patterns of the rows at the threshold of a fitted classifier."""
    rows = pack(clf.utility_.transform(X) >= clf.threshold_)
    return Patterns.from_rows(rows, y == 1, row_weights(None, len(y)), Chains.single(X.shape[1]))


# ------------------------------------------------------------------ the model that is learned


@pytest.mark.parametrize("data", [grades, measurements])
@pytest.mark.parametrize("options", EVERY_SOLVER)
def test_rules_and_integral_classify_alike_on_any_row(data, options):
    X, y = data()
    clf = SugenoClassifier(**options, random_state=0).fit(X, y)
    rows = np.vstack([X, off_the_grid(X)])
    integral = sugeno_integral(clf.utility_.transform(rows), clf.capacity_)
    accepted = clf.rules_.predict(rows)
    assert np.array_equal(clf.integral(rows), integral)
    assert np.array_equal(accepted, integral >= clf.threshold_)
    assert np.array_equal(accepted, clf.decision_function(rows) > 0)
    assert np.array_equal(accepted, clf.predict(rows) == 1)
    assert np.array_equal(accepted, clf.predict_proba(rows)[:, 1] > 0.5)


@given(st.integers(0, 10**6), st.sampled_from(EVERY_SOLVER))
def test_rules_and_integral_classify_alike_on_random_data(seed, options):
    X, y = grades(seed, n=30, m=3, levels=4)
    clf = SugenoClassifier(**options, random_state=0).fit(X, y)
    rows = off_the_grid(X, seed, n=60)
    assert np.array_equal(clf.rules_.predict(rows), clf.decision_function(rows) > 0)
    assert np.array_equal(clf.rules_.predict(rows), clf.integral(rows) >= clf.threshold_)


@pytest.mark.parametrize("options", EVERY_SOLVER)
def test_predictions_never_fall_when_a_criterion_gets_better(options):
    X, y = measurements()
    clf = SugenoClassifier(**options, random_state=0).fit(X, y)
    rng = np.random.default_rng(0)
    rows = off_the_grid(X)
    better = rows + clf.directions_ * rng.exponential(size=rows.shape)
    positive = lambda r: clf.predict_proba(r)[:, 1]  # noqa: E731
    for output in (clf.predict, clf.integral, clf.decision_function, positive):
        assert (output(better) >= output(rows)).all()


def test_objective_is_the_number_of_training_errors_and_optimal():
    X, y = grades()
    for options in EVERY_SOLVER:
        clf = SugenoClassifier(**options, random_state=0).fit(X, y)
        assert clf.objective_ == np.sum(clf.predict(X) != y)
        assert clf.gap_ == clf.objective_ - clf.bound_ >= 0
    exact, program = SugenoClassifier().fit(X, y), SugenoClassifier(solver="lp").fit(X, y)
    assert exact.objective_ == program.objective_
    assert exact.gap_ == program.gap_ == 0


def test_objective_counts_errors_by_weight_and_class():
    X, y = grades()
    weights = np.random.default_rng(0).integers(0, 4, y.size) / 2
    clf = SugenoClassifier(class_weight={0: 3, 1: 0.25}).fit(X, y, sample_weight=weights)
    costs = weights * np.where(y == 1, 0.25, 3)
    assert clf.objective_ == pytest.approx(costs[clf.predict(X) != y].sum(), rel=1e-12)


def test_k_limits_the_criteria_in_a_rule():
    X, y = measurements(m=5)
    for k in (1, 2, 3):
        for solver in ("exact", "lp"):
            clf = SugenoClassifier(k=k, solver=solver, random_state=0).fit(X, y)
            assert max(map(len, clf.rules_.sets)) <= k
            assert clf.capacity_.is_k_maxitive(k)
            assert clf.k_ == k
    assert SugenoClassifier().fit(X, y).k_ == 5


def test_the_exact_solver_never_makes_more_errors_than_the_program():
    for seed in range(4):
        X, y = measurements(seed, m=5)
        for k in (1, 2, 3):
            exact = SugenoClassifier(k=k).fit(X, y)
            program = SugenoClassifier(k=k, solver="lp", random_state=seed).fit(X, y)
            assert exact.objective_ <= program.objective_
            assert exact.bound_ <= program.objective_


def test_fewer_and_cheaper_rules_on_request():
    X, y = measurements(m=5)
    free = SugenoClassifier(k=2).fit(X, y)
    assert len(free.rules_) > 2
    assert len(SugenoClassifier(k=2, max_rules=2).fit(X, y).rules_) <= 2
    assert len(SugenoClassifier(rule_cost=1000.0).fit(X, y).rules_) == 1
    priced = SugenoClassifier(k=2, literal_cost=2.0).fit(X, y)
    literals = sum(map(len, priced.rules_.sets))
    assert priced.objective_ == np.sum(priced.predict(X) != y) + 2 * literals
    assert literals < sum(map(len, free.rules_.sets))


def test_a_margin_counts_rows_that_are_not_robustly_right():
    X, y = measurements(n=80)
    clf = SugenoClassifier(margin=0.05).fit(X, y)
    U = clf.utility_.transform(X)
    worst = np.clip(np.where((y == 1)[:, None], U - 0.05, U + 0.05 + 1e-12), 0, 1)
    wrong = (sugeno_integral(worst, clf.capacity_) >= clf.threshold_) != y
    assert clf.objective_ == wrong.sum()
    assert clf.objective_ >= np.sum(clf.predict(X) != y)
    assert SugenoClassifier(margin=0.05, solver="lp").fit(X, y).objective_ == clf.objective_


def test_a_small_margin_is_the_limit_zero():
    X, y = grades()
    zero, small = (SugenoClassifier(margin=margin).fit(X, y) for margin in (0.0, 1e-6))
    assert np.array_equal(zero.predict(X), small.predict(X))
    assert zero.objective_ == small.objective_


def test_threshold_can_be_given():
    X, y = grades()
    clf = SugenoClassifier(threshold=0.3).fit(X, y)
    assert clf.threshold_ == 0.3
    patterns = patterns_at(clf, X, y)
    assert clf.objective_ == solve_closure(patterns).objective


@pytest.mark.parametrize("options", [{}, {"k": 2}, {"solver": "lp"}])
def test_the_alternating_threshold_never_makes_more_errors(options):
    for seed in range(5):
        X, y = grades(seed)
        median = SugenoClassifier(**options).fit(X, y)
        alternating = SugenoClassifier(threshold="alternating", **options).fit(X, y)
        assert alternating.objective_ <= median.objective_
        assert 0 < alternating.threshold_ < 1


@pytest.mark.parametrize("options", [{}, {"k": 2}, {"margin": 0.05}])
def test_the_joint_threshold_makes_the_fewest_errors_of_all(options):
    for seed in range(3):
        X, y = grades(seed, n=60)
        joint = SugenoClassifier(threshold="joint", **options).fit(X, y)
        levels = np.unique(joint.utility_.transform(X))
        margin = options.get("margin", 0)
        levels = levels[(levels > margin) & (levels < 1 - margin)]
        errors = [SugenoClassifier(threshold=b, **options).fit(X, y).objective_ for b in levels]
        # Levels that are no utility of a row count too: with a margin they can be better.
        assert joint.objective_ <= min(errors)
        assert joint.bound_ <= joint.objective_
    with pytest.raises(ValueError, match="threshold='joint' needs solver='exact'"):
        SugenoClassifier(threshold="joint", solver="lp").fit(X, y)


def test_with_all_subsets_the_joint_threshold_is_that_of_an_unrestricted_capacity():
    for seed in range(5):
        X, y = grades(seed, n=60)
        free = SugenoClassifier(threshold="joint").fit(X, y)
        found = SugenoClassifier(threshold="joint", k=2, subsets="all").fit(X, y)
        again = SugenoClassifier(threshold="joint", k=4, subsets="all").fit(X, y)
        assert found.threshold_ == again.threshold_ == free.threshold_
        assert free.objective_ == again.objective_ <= found.objective_
        assert found.bound_ == free.bound_
        assert str(again.rules_) == str(free.rules_)


def test_the_program_with_all_subsets_is_solved_by_both_solvers_alike():
    for seed in range(5):
        X, y = grades(seed)
        clf = SugenoClassifier(solver="lp", k=2, subsets="all").fit(X, y)
        parts = share_out(patterns_at(clf, X, y), 2)
        accepted = contains_any(parts.masks, clf.rules_.masks)
        assert parts.errors(accepted) == solve_closure(parts, normalized=False).objective
        again = SugenoClassifier(solver="lp", k=2, subsets="all", random_state=7).fit(X, y)
        assert str(again.rules_) == str(clf.rules_)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"subsets": "random"}, "subsets='random' needs solver='lp'"),
        ({"subsets": "top"}, "subsets='top' needs solver='lp'"),
        ({"subsets": "all", "max_rules": 2}, "need subsets=None, which counts rules"),
        ({"subsets": "all", "rule_cost": 0.5}, "need subsets=None, which counts rules"),
        ({"subsets": "all", "literal_cost": 0.5}, "need subsets=None, which counts rules"),
    ],
)
def test_settings_that_do_not_go_together_are_refused(options, message):
    X, y = grades()
    with pytest.raises(ValueError, match=message):
        SugenoClassifier(k=2, **options).fit(X, y)
    with pytest.raises(ValueError, match=message):
        SugenoClassifier(**options).fit(X, y)


def test_the_mean_median_takes_the_mean_of_the_two_middle_utilities():
    X, y = measurements(m=4)
    clf = SugenoClassifier(threshold="mean-median").fit(X, y)
    medians = np.sort(np.median(clf.utility_.transform(X), axis=1))
    negative = np.sum(y == 0)
    assert clf.threshold_ == pytest.approx((medians[negative - 1] + medians[negative]) / 2)
    odd = X[:, :3]
    same = SugenoClassifier(threshold="mean-median").fit(odd, y)
    assert same.threshold_ == pytest.approx(SugenoClassifier().fit(odd, y).threshold_)


def test_without_normalization_everything_may_be_rejected():
    X, y = np.array([[1.0], [2.0], [3.0], [4.0]]), np.array([0, 1, 0, 0])
    assert SugenoClassifier(directions=None).fit(X, y).predict([[9.0]]) == [1]
    free = SugenoClassifier(directions=None, normalized=False).fit(X, y)
    assert str(free.rules_) == "accept never"
    assert (free.decision_function(X) <= 0).all()
    assert (free.predict_proba(X)[:, 1] <= 0.5).all()


@pytest.mark.parametrize("extension", ["lower", "upper", "nearest"])
def test_extensions_agree_on_the_training_rows(extension):
    X, y = measurements(n=40, m=6)
    clf = SugenoClassifier(extension=extension).fit(X, y)
    assert np.array_equal(clf.predict(X), SugenoClassifier().fit(X, y).predict(X))


def test_the_upper_extension_accepts_what_the_lower_accepts():
    X, y = measurements(n=40, m=6)
    rows = off_the_grid(X)
    lower, nearest, upper = (
        SugenoClassifier(extension=name).fit(X, y).predict(rows)
        for name in ("lower", "nearest", "upper")
    )
    assert (lower <= nearest).all()
    assert (nearest <= upper).all()
    assert lower.sum() < upper.sum()


def test_directions_are_found_or_given():
    X, y = measurements(m=3)
    X[:, 1] *= -1
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    found = SugenoClassifier().fit(frame, y)
    assert found.directions_.tolist() == [1, -1, 1]
    known = infer_directions(frame, y)
    named = {"a": "auto", "b": -1, "c": 1}
    for directions in ([1, -1, 1], {"b": -1}, named, known, known.to_dict(), [1, "auto", 1]):
        given_ones = SugenoClassifier(directions=directions).fit(frame, y)
        assert given_ones.rules_ == found.rules_
    assert SugenoClassifier(directions=None).fit(frame, y).directions_.tolist() == [1, 1, 1]


def test_features_that_a_dict_does_not_name_are_found_from_the_data():
    X, y = measurements(m=3)
    X[:, 1:] *= -1
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    for directions in ({}, {"a": 1}, {"a": 1, "c": "auto"}):
        clf = SugenoClassifier(directions=directions).fit(frame, y)
        assert clf.directions_.tolist() == [1, -1, -1]
    against = SugenoClassifier(directions={"b": 1}).fit(frame, y)
    assert against.directions_.tolist() == [1, 1, -1]


def test_a_fitted_classifier_is_a_finished_model():
    X, y = grades()
    clf = SugenoClassifier(k=2).fit(X, y)
    model = clf.model_
    assert isinstance(model, Model)
    assert model.classes.tolist() == clf.classes_.tolist()
    assert (model.rules, model.k, model.threshold) == (clf.rules_, 2, clf.threshold_)
    certificate = model.certificate
    assert (certificate.objective, certificate.bound) == (clf.objective_, clf.bound_)
    assert certificate.gap == clf.gap_
    assert model.normalized
    assert model.capacity == clf.capacity_
    assert np.array_equal(model.accepted(X), clf.predict(X) == 1)
    assert np.array_equal(model.probabilities(X), clf.predict_proba(X)[:, 1])
    assert np.array_equal(model.integral(X), clf.integral(X))


def test_a_fitted_classifier_does_not_grow_with_the_rows():
    sizes = []
    for n in (2_000, 20_000):
        X, y = measurements(n=n)
        clf = SugenoClassifier(k=2, threshold=0.5, directions=None, time_limit=0).fit(X, y)
        sizes.append(len(pickle.dumps(clf)))
        # Thinned utilities give the same verdicts, to the last bit.
        whole = QuantileUtility().fit(X)
        rows = off_the_grid(X)
        reached = clf.utility_.transform(rows) >= 0.5
        assert np.array_equal(reached, whole.transform(rows) >= 0.5)
        assert np.array_equal(clf.integral(rows) >= 0.5, clf.predict(rows) == 1)
    assert sizes[1] < 1.2 * sizes[0] < 100_000


@pytest.mark.parametrize(
    ("labels", "head"),
    [((0, 1), "accept if"), (("no", "yes"), "accept if"), (("bad", "good"), "class 'good' if")],
)
def test_rules_say_which_class_they_decide(labels, head):
    X, y = grades()
    clf = SugenoClassifier().fit(X, np.array(labels)[y])
    assert str(clf.rules_).startswith(head)


def test_the_score_of_a_training_row_ranks_its_pattern():
    X, y = measurements(n=200, m=3)
    clf = SugenoClassifier().fit(X, y)
    probability = clf.predict_proba(X)[:, 1]
    value = clf.decision_function(X)
    order = np.argsort(probability, kind="stable")
    groups = np.split(value[order], np.flatnonzero(np.diff(probability[order])) + 1)
    for below, above in pairwise(groups):
        assert below.max() < above.min()


# ------------------------------------------------------------------ weights and invariances


@pytest.mark.parametrize("options", [*EVERY_SOLVER, {"margin": 0.1}, {"class_weight": "balanced"}])
def test_a_weight_is_a_number_of_rows(options):
    X, y = grades(3, n=60)
    times = np.random.default_rng(0).integers(0, 4, y.size)
    times[:2] = 1
    order = np.random.default_rng(1).permutation(times.sum())
    clf = SugenoClassifier(**options, random_state=0)
    weighted = clone(clf).fit(X, y, sample_weight=times)
    repeated = clone(clf).fit(np.repeat(X, times, 0)[order], np.repeat(y, times)[order])
    assert weighted.rules_ == repeated.rules_
    assert weighted.threshold_ == repeated.threshold_
    assert weighted.capacity_ == repeated.capacity_
    assert weighted.objective_ == pytest.approx(repeated.objective_)
    assert weighted.rules_.to_records() == repeated.rules_.to_records()


def test_integer_class_weights_equal_sample_weights_in_threshold_and_errors():
    X, y = grades(n=60)
    by_class = SugenoClassifier(class_weight={0: 2, 1: 5}).fit(X, y)
    balanced = SugenoClassifier(class_weight="balanced").fit(X, y)
    share = {0: y.size / (2 * np.sum(y == 0)), 1: y.size / (2 * np.sum(y == 1))}
    explicit = SugenoClassifier(class_weight=share).fit(X, y)
    assert balanced.rules_ == explicit.rules_
    assert balanced.objective_ == pytest.approx(explicit.objective_)
    wrong = by_class.predict(X) != y
    assert by_class.objective_ == 2 * np.sum(wrong[y == 0]) + 5 * np.sum(wrong[y == 1])


def test_class_weights_beside_fractional_sample_weights():
    X, y = grades(n=60)
    weights = np.random.default_rng(0).random(y.size) + 0.1
    for class_weight in ("balanced", {0: 0.1, 1: 7.3}):
        clf = SugenoClassifier(class_weight=class_weight).fit(X, y, sample_weight=weights)
        assert 0 <= clf.gap_ <= 1e-9
        assert clf.objective_ > 0


def test_strictly_increasing_transforms_change_nothing():
    X, y = measurements()
    plain, warped = SugenoClassifier().fit(X, y), SugenoClassifier().fit(np.sinh(X), y)
    assert plain.threshold_ == warped.threshold_
    assert plain.rules_.sets == warped.rules_.sets
    assert np.array_equal(plain.predict(X), warped.predict(np.sinh(X)))


# ------------------------------------------------------------------ what scikit-learn users do


def test_fitted_attributes_are_there():
    X, y = grades()
    frame = pd.DataFrame(X, columns=list("abcd"))
    clf = SugenoClassifier().fit(frame, np.where(y == 1, "yes", "no"))
    assert clf.classes_.tolist() == ["no", "yes"]
    assert clf.n_features_in_ == 4
    assert clf.feature_names_in_.tolist() == list("abcd")
    assert isinstance(clf.utility_, QuantileUtility)
    assert isinstance(clf.capacity_, Capacity)
    assert isinstance(clf.rules_, RuleSet)
    assert clf.capacity_.criteria == clf.rules_.criteria == tuple("abcd")
    assert np.array_equal(clf.utility_.transform(frame), QuantileUtility().fit_transform(frame))


@pytest.mark.parametrize(
    "labels",
    [np.array(["bad", "good"]), np.array([False, True]), np.array([-1, 1]), np.array([2.0, 7.0])],
)
def test_labels_of_any_kind_come_back(labels):
    X, y = grades()
    clf = SugenoClassifier().fit(X, labels[y])
    assert clf.predict(X).dtype == labels.dtype
    assert np.array_equal(clf.predict(X), labels[SugenoClassifier().fit(X, y).predict(X)])
    assert clf.score(X, labels[y]) == SugenoClassifier().fit(X, y).score(X, y)


def test_tables_of_any_kind_give_the_same_model():
    X, y = grades(n=40)
    expected = SugenoClassifier().fit(X, y)
    frame = pd.DataFrame(X, columns=list("abcd"))
    tables = [X.tolist(), X.astype(int), X.astype(np.float32), np.asfortranarray(X)]
    for table in [*tables, frame, pl.DataFrame(frame.to_dict("list"))]:
        clf = SugenoClassifier().fit(table, y)
        assert clf.rules_.sets == expected.rules_.sets
        assert np.array_equal(clf.predict(table), expected.predict(X))
        assert np.array_equal(clf.rules_.predict(table), expected.predict(X) == 1)
        assert np.array_equal(clf.decision_function(table), expected.decision_function(X))


def test_names_of_a_frame_appear_in_the_rules():
    X = pd.DataFrame({"interview": [2, 4, 6, 7, 8, 9], "price": [9, 8, 8, 7, 3, 5]})
    clf = SugenoClassifier().fit(X, [0, 0, 0, 1, 1, 1])
    assert str(clf.rules_) == "accept if interview >= 7 and price <= 7"
    with pytest.raises(ValueError, match="feature names"):
        clf.predict(X.rename(columns={"price": "cost"}))


def test_pipeline_clone_pickle_and_grid_search():
    X, y = measurements()
    pipeline = make_pipeline(StandardScaler(), SugenoClassifier(k=2))
    assert cross_val_score(pipeline, X, y, cv=3).mean() > 0.6
    search = GridSearchCV(SugenoClassifier(), {"k": [1, 2], "margin": [0.0, 0.05]}, cv=3)
    search.fit(X, y, sample_weight=np.ones(y.size))
    assert set(search.best_params_) == {"k", "margin"}
    clf = SugenoClassifier().fit(X, y)
    copy = pickle.loads(pickle.dumps(clf))
    assert copy.rules_ == clf.rules_
    assert np.array_equal(copy.predict_proba(X), clf.predict_proba(X))
    assert np.array_equal(copy.decision_function(X), clf.decision_function(X))
    assert clone(clf).get_params() == clf.get_params()


def test_sample_weights_count_in_the_score():
    X, y = grades()
    clf = SugenoClassifier().fit(X, y)
    weights = np.random.default_rng(0).random(y.size)
    expected = accuracy_score(y, clf.predict(X), sample_weight=weights)
    assert clf.score(X, y, sample_weight=weights) == expected


def test_probabilities_are_the_frequencies_where_they_are_monotone():
    X = np.array([[0.0]] * 4 + [[1.0]] * 4)
    y = np.array([0, 0, 0, 1, 1, 1, 1, 0])
    probabilities = SugenoClassifier().fit(X, y).predict_proba([[0.0], [1.0]])
    assert probabilities.tolist() == [[0.75, 0.25], [0.25, 0.75]]


def test_thirty_features_need_no_table_of_all_sets():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 30))
    y = (X[:, :3].sum(axis=1) > 0).astype(int)
    clf = SugenoClassifier().fit(X, y)
    assert clf.score(X, y) >= 0.9
    assert np.array_equal(clf.decision_function(X) > 0, clf.predict(X) == 1)
    many = SugenoClassifier(k=1, solver="lp").fit(np.hstack([X, X, X]), y)
    assert many.n_features_in_ == 90


# ------------------------------------------------------------------ the paper's figures


@pytest.mark.parametrize("task", ["LEV", "HAB"])
@pytest.mark.parametrize("solver", ["exact", "lp"])
def test_error_is_that_of_the_fully_maxitive_column(task, solver):
    tables = Path(datasets.__file__).parents[1] / "paper" / "experiments" / "paper.json"
    paper = json.loads(tables.read_text(encoding="utf-8"))["table7"]["50"][task]
    data = datasets.load(task)
    X, y = np.asarray(data.data, dtype=float), np.asarray(data.target)
    clf = SugenoClassifier(directions=data.directions, solver=solver)
    errors = []
    for seed in range(20):
        order = np.random.default_rng(seed).permutation(y.size)
        train, test = np.split(order, [y.size // 2])
        errors.append(1 - clf.fit(X[train], y[train]).score(X[test], y[test]))
    assert np.mean(errors) == pytest.approx(paper["full"][0], abs=0.02)


# ------------------------------------------------------------------ bad input


def test_three_classes_are_refused():
    with pytest.raises(ValueError, match=r"Only binary .* Got 3 classes instead of 2; merge"):
        SugenoClassifier().fit([[1], [2], [3]], ["a", "b", "c"])


def test_one_class_is_refused():
    with pytest.raises(ValueError, match=r"two classes.* Got 1 class instead: 'a'"):
        SugenoClassifier().fit([[1], [2]], ["a", "a"])
    with pytest.raises(ValueError, match="two classes"):
        SugenoClassifier().fit([[1], [2]], ["a", "b"], sample_weight=[1, 0])


def test_a_class_without_weight_is_not_there():
    clf = SugenoClassifier().fit([[1], [2], [3]], ["a", "b", "c"], sample_weight=[1, 0, 1])
    assert clf.classes_.tolist() == ["a", "c"]


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_missing_and_infinite_values_are_refused(value):
    X, y = grades()
    clf = SugenoClassifier().fit(X, y)
    X[3, 1] = value
    word = "NaN" if np.isnan(value) else "infinity"
    for method in (clf.predict, clf.decision_function, clf.predict_proba, clf.rules_.predict):
        with pytest.raises(ValueError, match=word):
            method(X)
    with pytest.raises(ValueError, match=word):
        SugenoClassifier().fit(X, y)


def test_too_many_criteria_for_the_program():
    X, y = measurements(m=17)
    with pytest.raises(ValueError, match=r"109,293 variables.* Use solver='exact'"):
        SugenoClassifier(solver="lp", k=10).fit(X, y)
    SugenoClassifier(solver="lp", k=2, random_state=0).fit(X, y)
    # Without a limit on k the program over the patterns that occur has the same optimum.
    program = SugenoClassifier(solver="lp", directions=None).fit(X, y)
    assert program.objective_ == SugenoClassifier(directions=None).fit(X, y).objective_


@pytest.mark.parametrize("k", [0, -1, 1.5, 5, "2"])
def test_k_outside_its_range_is_refused(k):
    X, y = grades()
    with pytest.raises(ValueError, match=rf"The 'k' parameter .* Got .*{k}.* instead"):
        SugenoClassifier(k=k).fit(X, y)


@pytest.mark.parametrize("options", [{"threshold": 0.2, "margin": 0.2}, {"margin": 0.49}])
def test_a_margin_beyond_the_threshold_is_refused(options):
    X, y = grades()
    with pytest.raises(ValueError, match=r"less than min\(β, 1 − β\), which is .* instead"):
        SugenoClassifier(**options).fit(X, y)


def test_constant_features_never_matter():
    X, y = grades()
    wide = np.insert(X, 2, 7.0, axis=1)
    plain, padded = SugenoClassifier(threshold=0.4).fit(X, y), SugenoClassifier(threshold=0.4)
    padded.fit(wide, y)
    assert np.array_equal(plain.predict(X), padded.predict(wide))
    assert SugenoClassifier().fit(np.ones((4, 2)), [0, 1, 0, 1]).objective_ == 2


def test_weights_that_are_all_zero_or_negative_are_refused():
    X, y = grades()
    with pytest.raises(ValueError, match="zero everywhere"):
        SugenoClassifier().fit(X, y, sample_weight=np.zeros(y.size))
    with pytest.raises(ValueError, match="negative"):
        SugenoClassifier().fit(X, y, sample_weight=-np.ones(y.size))


@pytest.mark.parametrize(
    ("class_weight", "message"),
    [
        ({2: 1.0}, r"classes of y, which are \[0, 1\]. Got \[2\]"),
        ({0: -1.0}, "positive finite weights"),
        ({0: np.inf}, "positive finite weights"),
        ("even", "class_weight"),
    ],
)
def test_wrong_class_weights_are_refused(class_weight, message):
    X, y = grades()
    with pytest.raises(ValueError, match=message):
        SugenoClassifier(class_weight=class_weight).fit(X, y)


@pytest.mark.parametrize(
    "options",
    [
        {"margin": -0.1},
        {"margin": 0.5},
        {"threshold": 0.0},
        {"threshold": 1.0},
        {"threshold": "mean"},
        {"solver": "simplex"},
        {"extension": "middle"},
        {"subsets": "some"},
        {"time_limit": -1},
        {"max_rules": 0},
        {"rule_cost": -1},
        {"directions": "up"},
    ],
)
def test_parameters_outside_their_range_are_named(options):
    X, y = grades()
    (name,) = options
    with pytest.raises(ValueError, match=f"The '{name}' parameter of SugenoClassifier must be"):
        SugenoClassifier(**options).fit(X, y)


def test_blobs_need_directions_that_are_found():
    X, y = make_blobs(n_samples=300, centers=2, random_state=0)
    assert SugenoClassifier().fit(X, y).score(X, y) > 0.83
    assert SugenoClassifier(directions=None).fit(X, y).score(X, y) < 0.83
