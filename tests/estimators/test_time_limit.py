"""One budget of time for a whole fit: what has not begun when it is over is left out."""

import time

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

from sugeno import (
    SugenoClassifierCV,
    SugenoDistiller,
    SugenoEnsembleClassifier,
    SugenoOrdinalClassifier,
    SugenoOrdinalClassifierCV,
)

CHOOSERS = [(SugenoClassifierCV, 2), (SugenoOrdinalClassifierCV, 3)]


def graded(n_classes, n=120, m=6):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, m))
    score = X[:, :3].sum(axis=1) + rng.normal(size=n)
    return X, np.searchsorted(np.quantile(score, np.arange(1, n_classes) / n_classes), score)


@pytest.mark.parametrize(("chooser", "n_classes"), CHOOSERS)
def test_without_time_few_folds_are_done_and_the_favourite_is_learned(chooser, n_classes):
    clf = chooser(time_limit=1e-9, directions=None)
    with pytest.warns(ConvergenceWarning, match=r"of 5 folds were scored, and 1 of") as said:
        clf.fit(*graded(n_classes, 300, 150))
    assert len(said) == 1
    assert "The classifier is learned from all rows all the same" in str(said[0].message)
    assert 1 <= clf.n_splits_ < 5
    assert clf.levels_ == "distilled"
    mean = clf.cv_results_["mean_test_score"]
    assert np.isfinite(mean).sum() == 1
    assert np.isfinite(clf.best_score_)
    assert np.isfinite(clf.held_out_error_)


@pytest.mark.parametrize(("chooser", "n_classes"), CHOOSERS)
def test_without_time_a_single_kind_is_learned_all_the_same(chooser, n_classes):
    clf = chooser(levels=["shared", 2], time_limit=1e-9, directions=None)
    with pytest.warns(
        ConvergenceWarning, match="time_limit=1e-09 cut the comparison of kinds short"
    ):
        clf.fit(*graded(n_classes, 300, 150))
    assert clf.levels_ == "shared"


@pytest.mark.usefixtures("brief")
@pytest.mark.parametrize(("chooser", "n_classes"), CHOOSERS)
def test_with_enough_time_a_limit_changes_nothing(chooser, n_classes):
    X, y = graded(n_classes)
    limited = chooser(cv=2, time_limit=1e6, directions=None).fit(X, y)
    free = chooser(cv=2, time_limit=None, directions=None).fit(X, y)
    assert str(limited.rules_) == str(free.rules_)
    assert limited.best_score_ == free.best_score_


@pytest.mark.no_cover
@pytest.mark.filterwarnings("ignore:time_limit:sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize(
    ("classifier", "n_classes", "m"),
    [
        (SugenoClassifierCV(cv=2), 2, 100),
        (SugenoOrdinalClassifierCV(cv=2), 3, 100),
        (SugenoOrdinalClassifier(), 3, 400),
        (SugenoDistiller(), 2, 150),
        (SugenoEnsembleClassifier(n_bags=60), 2, 1500),
    ],
    ids=lambda one: type(one).__name__ if hasattr(one, "fit") else None,
)
def test_a_limit_shortens_the_whole_fit_of_a_wide_table(classifier, n_classes, m):
    X, y = graded(n_classes, 300, m)
    seconds = []
    for limit in (None, 0.01):
        start = time.process_time()  # of this process: the machine may be busy
        classifier.set_params(directions=None, time_limit=limit).fit(X, y)
        seconds.append(time.process_time() - start)
    assert set(classifier.predict(X)) <= set(y)
    assert seconds[1] < seconds[0] / 2


@pytest.mark.filterwarnings("ignore:time_limit:sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize(
    ("classifier", "n_classes"),
    [
        (SugenoClassifierCV(directions=None), 2),
        (SugenoOrdinalClassifier(directions=None), 3),
    ],
    ids=lambda one: type(one).__name__ if hasattr(one, "fit") else None,
)
def test_beyond_a_limit_a_fit_takes_less_than_one_that_has_no_time_at_all(classifier, n_classes):
    X, y = graded(n_classes, 300, 1000)
    seconds = {}
    for limit in (1e-9, 1.0):
        start = time.process_time()
        classifier.set_params(time_limit=limit).fit(X, y)
        seconds[limit] = time.process_time() - start
    # What is not ready at the deadline is a small part of what any fit has to do.
    assert seconds[1.0] - 1.0 < seconds[1e-9] / 2
