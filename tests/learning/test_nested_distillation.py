"""Ordered classes from ensembles: what is taught, how many bags teach it, and what comes of it."""

from itertools import pairwise

import numpy as np
import pytest
from sklearn.base import clone

from ordinal_models import graded_table
from sugeno import SugenoOrdinalClassifier, SugenoOrdinalClassifierCV
from sugeno._counts.loss import Loss
from sugeno._counts.table import Table
from sugeno._counts.weights import row_weights
from sugeno._learning import distillation
from sugeno._learning.distillation import NestedDistillation
from sugeno._learning.effort import LearningEffort
from sugeno._learning.training import prepare
from sugeno.datasets import load_raw
from tables import rows_with_holes


def graded(n, m, n_classes, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 6, size=(n, m)).astype(float)
    score = X.mean(axis=1) + rng.normal(0, 0.4, n)
    return X, np.searchsorted(np.quantile(score, np.arange(1, n_classes) / n_classes), score)


@pytest.mark.parametrize(("n_classes", "bags"), [(2, 20), (5, 20), (6, 19), (10, 16)])
def test_many_boundaries_have_fewer_bags_each(n_classes, bags):
    X, y = graded(60, 2, n_classes)
    table = Table(X, y, row_weights(None, len(y)), row_weights(None, len(y)), n_classes)
    training = prepare(table, np.arange(n_classes), directions=None)
    effort = LearningEffort(max_rounds=5)
    teaching = NestedDistillation.of(training, Loss.of("mixed", n_classes), effort)
    assert [len(one.members.base) for one in teaching.ensembles] == [bags] * (n_classes - 1)


def test_the_default_depends_neither_on_the_order_of_rows_nor_on_how_weight_is_spread():
    raw = load_raw("LEV")
    X, y = np.asarray(raw.data, dtype=float), np.asarray(raw.target)
    kept = np.sort(np.random.default_rng(0).permutation(len(y))[:300])
    X, y = X[kept], y[kept]
    clf = SugenoOrdinalClassifier(directions=raw.directions).fit(X, y)
    order = np.random.default_rng(1).permutation(len(y))
    assert str(clone(clf).fit(X[order], y[order]).rules_) == str(clf.rules_)
    rows, first, weight = np.unique(
        np.column_stack([X, y]), axis=0, return_index=True, return_counts=True
    )
    assert len(rows) < len(y)
    spread = clone(clf).fit(X[first], y[first], sample_weight=weight)
    assert str(spread.rules_) == str(clf.rules_)


@pytest.mark.parametrize("seed", range(3))
def test_rules_of_the_default_are_nested_and_few(seed):
    X, y = graded(150, 6, 4, seed)
    clf = SugenoOrdinalClassifier(directions=None, random_state=seed).fit(X, y)
    rules = clf.model_.rules
    assert all(after.beyond(before) is None for before, after in pairwise(rules))
    assert max(map(len, rules)) <= 5
    assert max(len(members) for of in rules for members in of.sets) <= 4


def test_a_rare_class_that_a_rule_finds_is_predicted():
    # Three rows in 2000 gain less than a second rule would have to; they have the first one.
    rng = np.random.default_rng(0)
    X = rng.integers(0, 5, size=(2000, 2)).astype(float)
    X[:3] = 9
    rare = (X.sum(axis=1) > 8).astype(int)
    assert rare.sum() == 3
    clf = SugenoOrdinalClassifier(directions=None).fit(X, rare + (X.sum(axis=1) > 4))
    np.testing.assert_array_equal(clf.predict([[9, 9], [4, 4], [0, 0]]), [2, 1, 0])


@pytest.mark.usefixtures("brief")
def test_ensembles_are_grown_once_for_all_numbers_of_rules(monkeypatch):
    grown = []
    whole = distillation.fit_ensemble

    def noticed(*args):
        grown.append(1)
        return whole(*args)

    monkeypatch.setattr(distillation, "fit_ensemble", noticed)
    X, y = graded_table(n=80, n_classes=3)
    SugenoOrdinalClassifierCV(levels="distilled", cv=2).fit(X, y)
    assert len(grown) == 2 * (2 + 1)  # a boundary each, in two folds and at last


@pytest.mark.usefixtures("brief")
def test_each_boundary_is_taught_what_speaks_against_the_class_of_an_open_row(monkeypatch):
    X, y = rows_with_holes(3, n=50, n_classes=3)
    seen = []
    whole = NestedDistillation.of.__func__

    def remember(cls, *arguments, **named):
        seen.append(whole(cls, *arguments, **named))
        return seen[-1]

    monkeypatch.setattr(distillation.NestedDistillation, "of", classmethod(remember))
    SugenoOrdinalClassifier(missing="interval", directions=None).fit(X, y)
    for boundary in (0, 1):
        expected = np.where(y[:, None] > boundary, -np.inf, np.inf)
        expected = np.where(np.isnan(X), expected, X)
        np.testing.assert_array_equal(seen[0].taught[boundary].rows[: len(X)], expected)
