"""Rows with missing values are explained as they are read."""

import math

import numpy as np
import pandas as pd
import pytest

from sugeno import SugenoClassifier, SugenoOrdinalClassifier


def table():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.integers(0, 6, (80, 3)).astype(float), columns=["tests", "price", "age"])
    y = (X["tests"] - X["price"] + X["age"] > 2).astype(int)
    X = X.mask(rng.random(X.shape) < 0.1)
    X.iloc[:, 0] = X.iloc[:, 0].fillna(1.0)
    return X, y


@pytest.mark.parametrize("missing", ["pessimistic", "optimistic", "interval"])
def test_counterfactuals_of_rows_with_gaps_flip_the_decision(missing):
    X, y = table()
    clf = SugenoClassifier(levels=2, missing=missing).fit(X, y)
    found = clf.explain(X)
    assert (found.accepted == (clf.predict(X) == 1)).all()
    moved = found.nearest()
    possible = ~np.isnan(found.costs)
    assert possible.all()
    assert (clf.predict(pd.DataFrame(moved, columns=X.columns)) != clf.predict(X)).all()
    one = next(e for e in found if any("missing" in str(way) for way in e.counterfactuals))
    assert " instead of missing" in " ".join(map(str, one.counterfactuals))
    change = next(c for way in one.counterfactuals for c in way.changes if c.before is None)
    assert math.isfinite(change.after)
    assert [m.room for m in one.margins if m.value is None] == [math.inf] * sum(
        m.value is None for m in one.margins
    )
    assert found.sentences()[one.row] == str(one)


def test_letters_and_edits_of_rows_with_gaps():
    X, y = table()
    clf = SugenoClassifier(levels=2, missing="pessimistic").fit(X, y)
    texts = " ".join(letter.text for letter in clf.reasons(X))
    assert "price is missing\n" in texts or "age is missing\n" in texts
    edit = clf.edit(X, y).remove(0)
    assert edit.report.errors_before == (clf.predict(X) != y).sum()
    assert edit.report.errors_after == (edit.classifier.predict(X) != y).sum()
    assert edit.classifier.verify_monotone()


@pytest.mark.parametrize("missing", ["pessimistic", "optimistic", "interval"])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_a_missing_value_is_not_said_to_be_above_or_below_a_level(missing, n_classes):
    X, y = table()
    if n_classes == 2:
        clf = SugenoClassifier(levels=2, missing=missing).fit(X, y)
    else:
        grades = y + (X["tests"] > 3)
        clf = SugenoOrdinalClassifier(levels=2, missing=missing).fit(X, grades)
    found = clf.explain(X)
    told = found.to_frame()
    decisive = 0
    for row, one in enumerate(found):
        sides = [one.reason] if n_classes == 2 else [one.reason, one.barrier]
        for name, factors in zip(("reason", "barrier"), sides):
            for factor in factors:
                gap = pd.isna(X.iloc[row][factor.criterion])
                decisive += gap
                assert (factor.text == f"{factor.criterion} is missing") == gap
            if factors:
                assert told[name][row] == " and ".join(map(str, factors))
    assert decisive > 3
