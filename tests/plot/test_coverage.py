"""Error against coverage: what is counted, and what is drawn."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from sugeno import SugenoClassifier
from sugeno.plot import CoverageErrorDisplay
from sugeno.plot.errors import coverage_and_error


def table(n=200):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, 4))
    return X, np.where(X.sum(axis=1) + rng.normal(size=n) > 0, "yes", "no")


@pytest.mark.parametrize("weighted", [False, True])
def test_the_curve_is_what_counting_gives(weighted):
    rng = np.random.default_rng(1)
    certainty, wrong = rng.integers(0, 5, 50) / 4, rng.random(50) < 0.3
    weight = rng.integers(0, 3, 50) if weighted else np.ones(50)
    coverage, error = coverage_and_error(certainty, wrong, weight if weighted else None)
    for level, c, e in zip([1, 0.75, 0.5, 0.25, 0], coverage, error):
        taken = certainty >= level
        assert c == pytest.approx(weight[taken].sum() / weight.sum())
        assert e == pytest.approx(weight[taken & wrong].sum() / weight[taken].sum())
    assert coverage[-1] == 1


def test_open_rows_are_answered_last():
    X, y = table()
    clf = SugenoClassifier(levels=2, abstain=True, directions=None).fit(X[:60], y[:60])
    display = CoverageErrorDisplay.from_estimator(clf, X[60:], y[60:])
    closed = clf.predict_set(X[60:]).sum(axis=1) == 1
    assert 0 < closed.mean() < 1
    assert display.determined == closed.mean()
    place = display.coverage.tolist().index(pytest.approx(closed.mean()))
    wrong = clf.predict(X[60:]) != y[60:]
    assert display.error[place] == pytest.approx(wrong[closed].mean())
    assert display.error[-1] == pytest.approx(wrong.mean())


def test_others_can_be_drawn_beside_it():
    X, y = table()
    ours = SugenoClassifier(directions=None).fit(X, y)
    first = CoverageErrorDisplay.from_estimator(ours, X, y, sample_weight=np.ones(len(y)))
    second = CoverageErrorDisplay.from_estimator(
        LogisticRegression().fit(X, y), X, y, name="LR", ax=first.ax_
    )
    assert second.ax_ is first.ax_
    assert second.determined is None
    texts = [text.get_text() for text in first.ax_.get_legend().get_texts()]
    assert sorted(texts) == ["LR", "SugenoClassifier", "determined"]
    assert first.line_.get_linestyle() != second.line_.get_linestyle()
    np.testing.assert_array_equal(second.line_.get_ydata(), second.error)
