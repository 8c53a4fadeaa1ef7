"""The estimator: what it learns, what it shows, what it refuses."""

import pickle
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from classifier_tables import EVERY_SOLVER, grades, measurements, off_the_grid
from oracles import up_sets
from sugeno import (
    QuantileUtility,
    SugenoClassifier,
    infer_directions,
    sugeno_integral,
)

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
    reached = (clf.utility_.transform(X) >= 0.3) @ (1 << np.arange(4))
    # Of all monotone families that refuse nothing and accept everything.
    families = [family for family in up_sets(4) if not family[0] and family[-1]]
    assert clf.objective_ == min((family[reached] != y).sum() for family in families)


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
    assert str(free.rules_) == "class 1 never"
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
    assert clf.model_.classes.tolist() == clf.classes_.tolist()
    (model,) = clf.model_.boundaries
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
    [((0, 1), "class 1 if"), (("no", "yes"), "class yes if"), (("bad", "good"), "good if")],
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
