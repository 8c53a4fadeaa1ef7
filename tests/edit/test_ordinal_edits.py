"""Edits of ordered classes change one boundary, and stay nested or are refused."""

import numpy as np
import pytest

import sugeno
from ordinal_models import graded_table
from sugeno import OrdinalRuleClassifier, SugenoOrdinalClassifier


def fitted(**options):
    X, y = graded_table(m=3, n_classes=3)
    clf = SugenoOrdinalClassifier(**{"levels": 2, "directions": None, **options})
    return clf.fit(X, y), X, y


@pytest.mark.parametrize("levels", [2, "shared"])
def test_an_edit_changes_the_classes_that_its_boundary_parts_and_no_others(levels):
    clf, X, y = fitted(levels=levels)
    edit = clf.edit(X, y, boundary=2).remove(0)
    again = edit.classifier
    assert isinstance(again, OrdinalRuleClassifier)
    before, after = clf.predict(X), again.predict(X)
    changed = np.flatnonzero(before != after)
    assert changed.tolist() == edit.report.changed.tolist()
    assert set(before[changed].tolist()) <= {2}
    assert set(after[changed].tolist()) <= {1}
    assert edit.report.errors_after == ((after >= 2) != (y >= 2)).sum()
    assert again.verify_monotone()
    assert sugeno.dumps(sugeno.loads(sugeno.dumps(again))) == sugeno.dumps(again)
    assert str(clf.rules_[0]) == str(again.rules_[0])
    assert again.gap_ == np.inf  # nothing is claimed about edited rules


def test_edits_that_are_not_nested_are_refused_by_the_rule_that_breaks_it():
    clf, _, _ = fitted()
    with pytest.raises(ValueError, match=r"at least 2, by 'x0 >= -1', and not at least 1; edit"):
        _ = clf.edit(boundary=2).add("x0 >= -1").classifier
    nothing = clf.edit(boundary=1)
    for rule in list(clf.rules_[0]):
        nothing = nothing.remove(rule)
    with pytest.raises(ValueError, match="Whoever passes a boundary must pass those before it"):
        _ = nothing.classifier
    wider = (
        clf.edit(boundary=1).add("x0 >= 5").classifier.edit(boundary=2).add("x0 >= 5").classifier
    )
    assert (wider.predict([[5, 0, 0]]) == [2]).all()


def test_what_is_no_boundary_is_refused():
    clf, X, y = fitted()
    with pytest.raises(ValueError, match=r"one of \[1, 2\]. Got 0 instead"):
        clf.edit(boundary=0)
    with pytest.raises(ValueError, match="given together"):
        clf.edit(X, boundary=1)
    with pytest.raises(ValueError, match=r"y must hold the labels \[0, 1, 2\]. Got \[7\]"):
        clf.edit(X, np.where(y == 0, 7, y), boundary=1)
