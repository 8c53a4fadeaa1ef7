"""Held-out rows are counted by class and probability, and a file keeps the counts."""

import json
from itertools import product

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import confusion_matrix, roc_auc_score
from sklearn.model_selection import StratifiedKFold

import sugeno
from sugeno import (
    RuleClassifier,
    SugenoClassifier,
    SugenoClassifierCV,
    SugenoEnsembleClassifier,
    SugenoOrdinalClassifierCV,
)
from sugeno._counts.loss import Loss
from sugeno.model.judged import Grades, Judged, shortfall, wilson
from sugeno.report import report_html

COSTS = {"missed": 5, "false alarm": 1}


def table(n=240, seed=0, shift=1.5):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 6, (n, 3)).astype(float)
    return X, (X.sum(axis=1) / 3 + rng.normal(0, 1, n) > 2.5 + shift).astype(int)


def fitted(**params):
    X, y = table()
    folds = list(StratifiedKFold(3).split(X, y))
    given = {"levels": "shared", "ks": [2], "directions": [1, 1, 1], "cv": folds}
    return SugenoClassifierCV(**{**given, **params}).fit(X, y), X, y, folds


def test_they_are_those_of_classifiers_that_had_not_seen_the_row():
    clf, X, y, folds = fitted(costs=COSTS)
    chances, decided = np.empty(len(y)), np.empty(len(y), dtype=int)
    for train, test in folds:
        one = SugenoClassifier(k=2, directions=[1, 1, 1], costs=COSTS).fit(X[train], y[train])
        chances[test], decided[test] = one.predict_proba(X[test])[:, 1], one.predict(X[test])
    np.testing.assert_array_equal(clf.held_out_confusion_, confusion_matrix(y, decided))
    assert clf.held_out_auc_ == pytest.approx(roc_auc_score(y, chances))
    cost = np.where(y > decided, 5, np.where(y < decided, 1, 0)).mean()
    assert clf.held_out_cost_ == pytest.approx(cost)
    records = clf.held_out_calibration_
    assert sum(one["rows"] for one in records) == len(y)
    assert sum(one["rows"] * one["happened"] for one in records) == pytest.approx(y.sum())
    assert sum(one["rows"] * one["said"] for one in records) == pytest.approx(chances.sum())
    assert all(one["low"] < one["happened"] < one["high"] or one["rows"] for one in records)


def test_without_costs_an_error_costs_1():
    clf, *_ = fitted()
    assert clf.held_out_cost_ == clf.held_out_error_


@pytest.mark.parametrize("seed", range(4))
def test_the_interval_of_the_auc_is_that_of_delong(seed):
    rng = np.random.default_rng(seed)
    above = rng.random(60) < 0.3
    chances = np.round(np.clip(above * 0.2 + rng.random(60) * 0.7, 0, 1), 1)
    grades = Grades.of(chances, above, np.ones(60))
    won = np.array(
        [[(a > b) + (a == b) / 2 for b in chances[~above]] for a in chances[above]], dtype=float
    )
    variance = sum(won.mean(axis=axis).var(ddof=1) / won.shape[1 - axis] for axis in (0, 1))
    # Of each row above the share of rows below it, and the reverse.
    low, high = grades.auc_interval
    assert grades.auc == pytest.approx(won.mean())
    assert (high - low) / 2 == pytest.approx(1.959964 * np.sqrt(variance), rel=0.02)


def test_a_file_keeps_them_and_its_page_says_the_same():
    clf, X, y, _ = fitted(costs=COSTS)
    again = sugeno.loads(sugeno.dumps(clf))
    for name in ("error", "cost", "auc", "auc_interval", "calibration"):
        assert getattr(again, f"held_out_{name}_") == getattr(clf, f"held_out_{name}_")
    np.testing.assert_array_equal(again.held_out_confusion_, clf.held_out_confusion_)
    one, other = (report_html(each, X, y) for each in (clf, again))
    assert one == other
    assert "errors on held-out rows" in one


@pytest.mark.parametrize("weighted", [False, True])
def test_of_an_ensemble_they_are_those_of_rows_outside_the_bags(weighted):
    X, y = table()
    weight = np.where(y == 1, 3.0, 0.5) if weighted else None
    clf = SugenoEnsembleClassifier(n_bags=4, max_rounds=30, costs=COSTS).fit(X, y, weight)
    chances = clf.oob_decision_function_[:, 1]
    wrong = (chances > 1 / 6) != (y == 1)
    assert clf.held_out_error_ == pytest.approx(np.average(wrong, weights=weight))
    assert clf.held_out_error_ == pytest.approx(1 - clf.oob_score_)
    expected = roc_auc_score(y, chances, sample_weight=weight)
    assert clf.held_out_auc_ == pytest.approx(expected, abs=0.005)
    np.testing.assert_allclose(
        clf.held_out_confusion_, confusion_matrix(y, chances > 1 / 6, sample_weight=weight)
    )
    again = sugeno.loads(sugeno.dumps(clf))
    assert again.held_out_auc_interval_ == clf.held_out_auc_interval_


def test_ordered_classes_are_counted_at_each_boundary():
    X, y = table(shift=0)
    grades = y + (X[:, 0] > 3)
    rare = np.r_[grades, 3]  # a class that most folds do not know
    clf = SugenoOrdinalClassifierCV(levels=[2], cv=3).fit(np.vstack([X, [[5, 5, 5]]]), rare)
    assert clf.held_out_confusion_.shape == (4, 4)
    with pytest.raises(AttributeError, match="of ordered classes"):
        clf.held_out_auc_  # noqa: B018
    for b in range(2):
        side = RuleClassifier.of(clf.model_.at_boundary(b))
        assert side.held_out_confusion_[1].sum() == (rare > b).sum()
        assert 0.6 < side.held_out_auc_ < 1
    assert clf.model_.learned.held_out.judged.grades[2].above.sum() == 1


def test_what_was_not_measured_is_not_there():
    X, y = table()
    clf = SugenoClassifier().fit(X, y)
    assert not hasattr(clf, "held_out_error_")
    with pytest.raises(AttributeError, match="SugenoClassifierCV"):
        clf.held_out_auc_  # noqa: B018
    whole = json.loads(sugeno.dumps(fitted()[0]))
    del whole["models"][0]["learned"]["held_out"]["counts"]  # as files of earlier versions are
    early = sugeno.loads(json.dumps(whole))
    assert early.held_out_error_ == fitted()[0].held_out_error_
    with pytest.raises(AttributeError, match="fit it again"):
        early.held_out_confusion_  # noqa: B018
    assert "errors on held-out rows" in report_html(early, X, y)


def test_many_probabilities_are_joined_and_hardly_anything_is_lost():
    rng = np.random.default_rng(0)
    chances, weight = rng.beta(1, 12, 5000), rng.integers(0, 3, 5000).astype(float)
    above = rng.random(5000) < chances
    grades = Grades.of(chances, above, weight, cut=1 / 11)
    assert grades.chances.size <= 201
    assert (np.diff(grades.chances) > 0).all()
    assert grades.auc == pytest.approx(
        roc_auc_score(above, chances, sample_weight=weight), abs=0.005
    )
    passed = grades.chances > 1 / 11
    assert grades.above[passed].sum() == weight[above & (chances > 1 / 11)].sum()
    assert grades.below[passed].sum() == weight[~above & (chances > 1 / 11)].sum()
    said, rate, error = grades.mean
    assert said == pytest.approx(np.average(chances, weights=weight))
    assert rate == pytest.approx(np.average(above, weights=weight))
    assert abs(said - rate) < 3 * error


def counted(confusion, chances, below, above):
    grades = Grades(*(np.array(part, dtype=float) for part in (chances, below, above)))
    return Judged(np.array(confusion, dtype=float), (grades,))


TELLS = ([0.1, 0.4], [80, 10], [2, 8])
TELLS_NOT = ([0.1, 0.4], [45, 45], [5, 5])


@pytest.mark.parametrize(
    ("confusion", "grades", "costs", "parts"),
    [
        ([[85, 5], [4, 6]], TELLS, None, []),
        (
            [[90, 0], [10, 0]],
            TELLS,
            None,
            ["always saying no", "AUC 0.84", "'missed': 10", "Points"],
        ),
        ([[90, 0], [10, 0]], TELLS_NOT, None, ["Nor do its probabilities", "other columns"]),
        (
            [[0, 10], [0, 90]],
            ([0.5, 0.9], [8, 2], [9, 81]),
            None,
            ["'false alarm': 10", "a no taken"],
        ),
        ([[80, 10], [2, 8]], TELLS, {"missed": 10}, []),
        ([[90, 0], [10, 0]], TELLS, {"missed": 10}, ["costs no less than always saying yes"]),
        ([[90, 0], [0, 0]], ([0.1], [90], [0]), None, []),
        ([[90, 0], [0, 0]], ([0.1], [90], [0]), {"missed": 2}, ["More rows"]),
    ],
)
def test_rules_that_do_not_beat_one_class_say_what_would_help(confusion, grades, costs, parts):
    judged = counted(confusion, *grades)
    loss = None if costs is None else Loss.of(costs, 2)
    text = shortfall(judged, ["no", "yes"], loss)
    assert bool(text) == bool(parts)
    for part in parts:
        assert part in text
    shell = shortfall(judged, ["no", "yes"], loss, command=True)
    assert bool(shell) == bool(parts)
    assert "costs=" not in shell
    assert "form=" not in shell


def test_the_least_cost_of_one_class_for_all_rows_is_found():
    rng = np.random.default_rng(0)
    for missed, alarm in product((1, 3, 9), (1, 2)):
        loss = Loss.of({"missed": missed, "false alarm": alarm}, 2)
        confusion = rng.integers(1, 50, (2, 2)).astype(float)
        judged = Judged(confusion, ())
        (right, wrongly), (lost, found) = confusion
        assert judged.cost(loss) * confusion.sum() == pytest.approx(missed * lost + alarm * wrongly)
        never, always = missed * (lost + found), alarm * (right + wrongly)
        assert judged.costs_of_always(loss) * confusion.sum() == pytest.approx([never, always])
        assert judged.beats_constant(loss) == (missed * lost + alarm * wrongly < min(never, always))


def coins(seed, n=150):
    """Coin flips beside categories, many of a handful of rows each, and noise."""
    rng = np.random.default_rng(seed)
    table = pd.DataFrame(
        {
            "dozen": rng.choice([f"d{i}" for i in range(12)], n),
            "many": rng.choice([f"m{i}" for i in range(40)], n),
            "number": rng.normal(size=n).round(1),
        }
    )
    return table, rng.random(n) < (0.5, 0.3, 0.1)[seed % 3]


@pytest.mark.no_cover
def test_on_coin_flips_with_categories_of_noise_no_rule_looks_sure():
    rare = []
    for seed in range(30):
        table, y = coins(seed)
        clf = SugenoClassifier(levels="distilled").fit(table, y)
        assert clf.predict_proba(table)[:, 1].max() < 0.75
        records = clf.rules_.to_records()
        lowest = [wilson(one["support"] * one["precision"], one["support"])[0] for one in records]
        assert max(lowest, default=0) < 0.65
        rare += [len(records)] if seed % 3 == 2 else []
        shown = clf._repr_html_()
        assert ">100\u00a0%<" not in shown
    assert sum(rare) <= 2  # of a rare class almost nothing is claimed


def test_the_capacity_of_no_rules_names_both_sides_of_a_column():
    rng = np.random.default_rng(0)
    table = pd.DataFrame({"age": rng.integers(20, 70, 200), "x": rng.normal(size=200)})
    y = (abs(table["age"] - 45) > 12).to_numpy()
    columns = {"age": "free", "x": "up"}
    clf = SugenoClassifier(levels=1, columns=columns).fit(table, y)
    names = clf.capacity_.criteria
    assert len({*names}) == len(names)
    never = SugenoClassifier(levels="distilled", columns=columns).fit(table, rng.random(200) < 0.05)
    assert not len(never.rules_)
    assert never.capacity_.criteria == ("age, more", "age, less", "x")
    assert "never" in never._repr_html_() or "no row" in never._repr_html_()
