"""Ordered classes: nested, monotone, exact, and two classes as the binary classifier has them."""

from itertools import product

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

from costly import costly
from oracles import up_sets
from sugeno import SugenoClassifier, SugenoOrdinalClassifier, monotone_labels
from sugeno.datasets import load
from sugeno.model.model import exactly, settled

KINDS = [
    {"levels": "shared", "loss": "absolute"},
    {"levels": "shared", "loss": "zero_one", "k": 2},
    {"levels": 2},
    {"levels": "all", "loss": "zero_one"},
    {"levels": 3, "max_rules": 2, "time_limit": 0},
    {"levels": "distilled"},
]


def table(seed, n=80, m=3, n_classes=4, levels=6):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, levels, size=(n, m)).astype(float)
    score = X @ rng.uniform(0.3, 1, m) + rng.normal(0, 1, n)
    y = np.searchsorted(np.quantile(score, np.arange(1, n_classes) / n_classes), score)
    return X, y


@pytest.mark.usefixtures("brief")
@pytest.mark.parametrize("kind", KINDS, ids=str)
@pytest.mark.parametrize("seed", range(3))
def test_classes_are_nested_and_improving_lowers_nothing(kind, seed):
    X, y = table(seed)
    clf = SugenoOrdinalClassifier(directions=None, **kind).fit(X, y)
    cells = np.array(list(product(np.arange(-0.5, 6.5), repeat=3)))
    accepted = np.array([rules.predict(cells) for rules in clf.rules_])
    assert (accepted[1:] <= accepted[:-1]).all()
    np.testing.assert_array_equal(clf.predict(cells), clf.order_[accepted.sum(axis=0)])
    higher = np.cumsum(clf.predict_proba(cells)[:, ::-1], axis=1)[:, ::-1]
    assert np.allclose(higher[:, 0], 1)
    assert (clf.predict_proba(cells) >= 0).all()
    np.testing.assert_array_equal(clf.model_.at_least(cells) > 0.5, accepted.T)
    np.testing.assert_array_equal(higher[:, 1:] > 0.5, accepted.T)
    likeliest = clf.classes_[clf.predict_proba(cells).argmax(axis=1)]
    np.testing.assert_array_equal(likeliest, clf.predict(cells))
    decided = clf.decision_function(cells).argmax(axis=1)
    np.testing.assert_array_equal(clf.classes_[decided], clf.predict(cells))
    labels, shape = clf.predict(cells).reshape(7, 7, 7), (7, 7, 7, -1)
    for axis in range(3):
        assert (np.diff(labels, axis=axis) >= 0).all()
        assert (np.diff(higher.reshape(shape), axis=axis) >= 0).all()
    assert clf.feature_importances_.sum() == pytest.approx(1)
    assert clf.bound_ <= clf.objective_ + 1e-9


@pytest.mark.usefixtures("brief")
@pytest.mark.parametrize("kind", KINDS, ids=str)
@pytest.mark.parametrize("seed", range(3))
def test_no_class_becomes_unlikely_because_another_one_is_predicted(kind, seed):
    X, y = table(seed, n_classes=5)
    clf = SugenoOrdinalClassifier(directions=None, **kind).fit(X, y)
    cells = np.array(list(product(np.arange(-0.5, 6.5), repeat=3)))
    ends = np.ones((len(cells), 1))
    by_boundaries = -np.diff(np.hstack([ends, clf.model_.at_least(cells), 0 * ends]), axis=1)
    shares = clf.predict_proba(cells)
    each = np.column_stack([one.probabilities(cells) for one in clf.model_.boundaries])
    low = np.hstack([ends, np.minimum.accumulate(each, axis=1)])
    high = np.hstack([np.maximum.accumulate(each[:, ::-1], axis=1)[:, ::-1], 0 * ends])
    assert (shares >= (low - high) / 3 - 1e-9).all()  # what all boundaries agree on
    predicted = (np.arange(len(cells)), clf.predict(cells))
    assert (shares[predicted] >= by_boundaries[predicted] - 1e-9).all()
    np.testing.assert_array_equal(shares.sum(axis=1), 1.0)


@pytest.mark.usefixtures("brief")
@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_no_class_is_impossible_because_the_boundaries_beside_it_disagree(kind):
    disputed = 0
    for seed in range(3):
        X, y = table(seed, n_classes=5)
        clf = SugenoOrdinalClassifier(directions=None, **kind).fit(X, y)
        cells = np.array(list(product(np.arange(-0.5, 6.5), repeat=3)))
        each = np.column_stack([one.probabilities(cells) for one in clf.model_.decisive])
        shares = clf.predict_proba(cells)
        for b in range(1, 4):
            more = each[:, b] - each[:, b - 1]  # the class between them would have less than none
            assert (shares[:, b] >= more / 5 - 1e-3).all()
            disputed += np.count_nonzero(more > 0.02)
    assert disputed or kind.get("form") == "points"


@given(st.integers(0, 6), st.integers(0, 6), st.integers(0, 2**32 - 1))
def test_boundaries_settle_on_probabilities_that_fall_and_rise_with_each_of_them(up, down, seed):
    rng = np.random.default_rng(seed)
    chances = exactly(
        np.hstack([rng.uniform(0.5 + 1e-9, 1, (20, up)), rng.uniform(0, 0.5, (20, down + 1))])
    )
    found = settled(chances)
    assert (np.diff(found, axis=1) <= 0).all()
    np.testing.assert_array_equal(found > 0.5, chances > 0.5)
    ends = np.where(chances > 0.5, 1, 0.5)
    better = np.maximum(chances, exactly(np.minimum(chances + rng.exponential(0.1), ends)))
    assert (settled(better) >= found).all()
    falling = np.minimum.accumulate(chances, axis=1)
    np.testing.assert_array_equal(settled(falling), falling)  # what nobody disputes stays
    turned = 1 - settled(1 - chances[:, ::-1])[:, ::-1]
    np.testing.assert_allclose(turned, found, atol=1e-3)  # neither end comes first
    ones = np.ones((20, 1))
    shares = -np.diff(np.hstack([ones, found, 0 * ones]), axis=1)
    np.testing.assert_array_equal(shares[:, ::-1].cumsum(axis=1)[:, -2::-1], found)


@pytest.mark.parametrize("kind", KINDS[:5], ids=str)
def test_the_objective_is_the_loss_of_the_training_rows(kind):
    X, y = table(4)
    weights = np.random.default_rng(0).integers(1, 5, len(y))
    clf = SugenoOrdinalClassifier(directions=None, **kind).fit(X, y, weights)
    apart = np.abs(clf.predict(X) - y)
    wrong = np.minimum(apart, 1)
    loss = {"zero_one": wrong, "absolute": apart}.get(kind.get("loss"), wrong + apart)
    assert clf.objective_ == (weights * loss).sum()


@pytest.mark.usefixtures("brief")
def test_distilled_rules_say_what_they_cost_and_what_no_others_could():
    X, y = table(5)
    clf = SugenoOrdinalClassifier(directions=None, max_rules=3, k=2, loss="absolute").fit(X, y)
    assert clf.objective_ == np.abs(clf.predict(X) - y).sum()
    assert 0 <= clf.bound_ <= clf.objective_
    for rules in clf.rules_:
        assert 1 <= len(rules) <= 3
        assert max(map(len, rules.sets)) <= 2


def fewest(clf, X, y, loss):
    """The best one can do at the same thresholds, over all nested families of three criteria."""
    sets = [model.literals.satisfied(X)[:, 0].astype(int) for model in clf.model_.boundaries]
    families = [u for u in up_sets(3) if not u[0] and u[-1]]
    return min(
        sum(loss[c, p] for c, p in zip(y, sum(u[a].astype(int) for u, a in zip(chosen, sets))))
        for chosen in product(families, repeat=2)
        if (chosen[1] <= chosen[0]).all()
    )


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize(
    "loss", ["mixed", "absolute", "zero_one", [[0, 2, 3], [5, 0, 1], [4, 4, 0]]]
)
def test_no_capacity_costs_less_at_the_same_thresholds(seed, loss):
    X, y = table(seed, n=25, n_classes=3, levels=4)
    clf = SugenoOrdinalClassifier(levels="shared", loss=loss, directions=None).fit(X, y)
    apart = np.abs(np.subtract.outer(np.arange(3), np.arange(3)))
    wrong = np.minimum(apart, 1)
    known = {"absolute": apart, "zero_one": wrong, "mixed": apart + wrong}
    matrix = known.get(str(loss), loss)
    assert clf.objective_ == fewest(clf, X, y, np.asarray(matrix))
    assert clf.gap_ == 0


@pytest.mark.parametrize("loss", ["absolute", "zero_one"])
def test_all_levels_cost_what_monotone_labels_cost(loss):
    X, y = table(2, n=60)
    clf = SugenoOrdinalClassifier(levels="all", loss=loss, directions=None, normalized=False)
    least = monotone_labels(X, y, loss=loss, directions=None).cost
    # Rows that reach nothing have the lowest class: that may cost more than any labels do.
    worst = (X - X.min(axis=0) == 0).all(axis=1)
    assert clf.fit(X[~worst], y[~worst]).objective_ >= 0
    assert clf.objective_ == monotone_labels(X[~worst], y[~worst], loss=loss, directions=None).cost
    assert least >= clf.objective_


@costly
@given(st.integers(0, 2**32 - 1))
def test_the_class_is_the_number_of_thresholds_that_the_integral_reaches(seed):
    X, y = table(seed, m=3)
    clf = SugenoOrdinalClassifier(levels="shared", directions=None).fit(X, y)
    assert (np.diff(clf.thresholds_) > 0).all()
    rows = np.vstack([X, X + 0.5, X - 0.5])
    reached = (clf.integral(rows)[:, None] >= clf.thresholds_).sum(axis=1)
    np.testing.assert_array_equal(clf.order_[reached], clf.predict(rows))


def test_utilities_of_many_values_keep_every_threshold():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(3000, 2))
    y = np.digitize(X.sum(axis=1) + rng.normal(size=3000), [-1, 0.2, 1.5])
    clf = SugenoOrdinalClassifier(levels="shared", directions=None).fit(X, y)
    reached = (clf.integral(X)[:, None] >= clf.thresholds_).sum(axis=1)
    np.testing.assert_array_equal(reached, clf.predict(X))


@pytest.mark.parametrize("options", [{"k": None}, {"k": 2}, {"normalized": False}])
@pytest.mark.parametrize("seed", range(4))
def test_two_classes_are_those_of_the_binary_classifier_bit_for_bit(options, seed):
    X, y = table(seed, n_classes=2)
    weights = np.random.default_rng(seed).uniform(0.1, 2, len(y))
    for levels in ("shared", 2, "all"):
        pair = SugenoOrdinalClassifier(levels=levels, loss="zero_one", **options)
        pair.fit(X, y, weights)
        one = SugenoClassifier(levels=levels, **options).fit(X, y, weights)
        assert list(pair.rules_) == list(one.rules_)
        assert pair.objective_ == one.objective_
        assert pair.bound_ == pytest.approx(one.bound_, rel=1e-12)
        np.testing.assert_array_equal(pair.predict(X), one.predict(X))
        np.testing.assert_array_equal(pair.predict_proba(X)[:, 1], one.predict_proba(X)[:, 1])
        np.testing.assert_array_equal(
            np.sign(pair.decision_function(X)) > 0, np.sign(one.decision_function(X)) > 0
        )


@pytest.mark.usefixtures("brief")
@pytest.mark.parametrize("kind", [KINDS[0], KINDS[2], KINDS[5]], ids=str)
def test_order_and_repetition_of_rows_do_not_matter(kind):
    X, y = table(6)
    rng = np.random.default_rng(1)
    weights = rng.integers(0, 3, len(y))
    clf = SugenoOrdinalClassifier(directions=None, **kind)
    first = clone(clf).fit(X, y, weights)
    rows = rng.permutation(np.repeat(np.arange(len(y)), weights))
    second = clone(clf).fit(X[rows], y[rows])
    assert str(first.rules_) == str(second.rules_)


def test_rules_name_the_class_and_can_be_tabulated():
    X = pd.DataFrame({"size": [1, 2, 3, 4, 5, 6], "price": [6, 5, 4, 3, 2, 1]})
    y = pd.Series(["low", "low", "mid", "mid", "top", "top"], dtype="category")
    y = y.cat.set_categories(["low", "mid", "top"], ordered=True)
    clf = SugenoOrdinalClassifier(levels=1, k=1, time_limit=0).fit(X, y)
    assert str(clf.rules_).startswith("at least mid if ")
    assert "\nat least top if " in str(clf.rules_)
    assert repr(clf.rules_) == str(clf.rules_)
    assert clf.rules_.n_rules == len(clf.rules_.to_records())
    assert clf.rules_.to_records()[0]["boundary"] == "at least mid"
    assert "<td>at least mid</td>" in clf.rules_._repr_html_()
    assert clf.order_.tolist() == ["low", "mid", "top"]
    np.testing.assert_array_equal(clf.predict(X), y.to_numpy())


def test_probabilities_follow_the_sorted_labels_whatever_their_order():
    X, y = table(3, n_classes=3)
    words = np.array(["small", "medium", "large"])[y]
    clf = SugenoOrdinalClassifier(levels="all", classes=["small", "medium", "large"])
    clf.fit(X, words)
    numbers = SugenoOrdinalClassifier(levels="all").fit(X, y)
    assert clf.classes_.tolist() == ["large", "medium", "small"]
    np.testing.assert_array_equal(clf.predict_proba(X), numbers.predict_proba(X)[:, ::-1])
    decided = clf.decision_function(X).argmax(axis=1)
    np.testing.assert_array_equal(clf.classes_[decided], clf.predict(X))
    frame = pl.DataFrame(X)
    framed = clone(clf).fit(frame, pl.Series(words))
    np.testing.assert_array_equal(framed.predict(frame), clf.predict(X))


@pytest.mark.parametrize(
    ("options", "y", "message"),
    [
        ({}, ["a", "b", "c", "c"], "alphabetical order"),
        ({"classes": ["a", "b", "c", "d"]}, ["a", "b", "c", "c"], r"no row of \['d'\]"),
        ({"loss": [[0, 1], [1, 0]]}, [0, 1, 2, 2], r"Got shape \(2, 2\)"),
        ({"k": 3}, [0, 1, 2, 2], "n_features=2"),
        ({"rule_cost": 1.0}, [0, 1, 2, 2], "does not read rule_cost"),
        ({"levels": "shared", "k": 1, "extension": "lower"}, [0, 1, 2, 2], "no effect"),
        ({}, [1, 1, 1, 1], "at least two classes"),
    ],
)
def test_what_cannot_be_meant_is_refused(options, y, message):
    with pytest.raises(ValueError, match=message):
        SugenoOrdinalClassifier(**options).fit([[1, 2], [2, 3], [3, 4], [4, 5]], y)


def test_only_one_integral_has_thresholds():
    clf = SugenoOrdinalClassifier(levels=1).fit([[1], [2], [3]], [0, 1, 2])
    for name in ("thresholds_", "capacity_"):
        with pytest.raises(AttributeError, match="levels='shared'"):
            getattr(clf, name)
    with pytest.raises(AttributeError, match="levels='shared'"):
        clf.integral([[1]])
    with pytest.raises(AttributeError, match="levels='shared'"):
        clf.model_.integral(np.ones((1, 1)))
    with pytest.raises(NotFittedError):
        SugenoOrdinalClassifier().predict([[1]])
    shared = clf.set_params(levels="shared").fit([[1], [2], [3]], [0, 1, 2])
    assert shared.capacity_.m == 1


def test_limits_hold_at_every_boundary_and_are_certified():
    X, y = table(8, n=120, m=4)
    free = SugenoOrdinalClassifier(levels="shared", directions=None, loss="absolute").fit(X, y)
    held = SugenoOrdinalClassifier(
        levels="shared", directions=None, loss="absolute", k=2, rule_cost=1.5, literal_cost=0.5
    ).fit(X, y)
    for model in held.model_.boundaries:
        assert max(len(members) for members in model.rules.sets) <= 2
    price = sum(1.5 * len(r) + 0.5 * sum(map(len, r.sets)) for r in held.rules_)
    assert held.objective_ == pytest.approx(np.abs(held.predict(X) - y).sum() + price)
    assert free.objective_ <= held.objective_
    assert held.bound_ <= held.objective_


@pytest.mark.usefixtures("brief")
def test_of_a_long_table_some_rows_stand_for_all():
    X, y = table(1, n=9000)
    weights = np.random.default_rng(0).integers(1, 4, 9000)
    order = np.random.default_rng(1).permutation(9000)
    clf = SugenoOrdinalClassifier(directions=None).fit(X, y, weights)
    other = clone(clf).fit(X[order], y[order], weights[order])
    assert str(clf.rules_) == str(other.rules_)
    assert np.abs(clf.predict(X) - y).mean() < 1


def test_a_class_of_one_row_by_accident_is_predicted_for_nobody(brief):
    rng = np.random.default_rng(0)
    X = rng.integers(1, 6, (300, 3))
    y = np.digitize(X.sum(axis=1), [7, 10])
    y[:2] = 3, 4  # of rows that are no better than others
    clf = SugenoOrdinalClassifier(levels="distilled").fit(X, y)
    assert str(clf.rules_).endswith("at least 3 never\nat least 4 never")
    assert set(clf.predict(X)) == {0, 1, 2}
    assert not np.signbit(clf.predict_proba(X)).any()


@pytest.mark.parametrize("name", ["ESL", "LEV"])
def test_public_tables_with_two_classes_are_learned_alike(name):
    task = load(name)
    pair = SugenoOrdinalClassifier(levels="shared", directions=None).fit(task.data, task.target)
    one = SugenoClassifier(directions=None).fit(task.data, task.target)
    assert list(pair.rules_) == list(one.rules_)
