"""Numbers near the largest ones are numbers like others."""

import warnings

import numpy as np
import pandas as pd
import pytest

from sugeno import (
    QuantileUtility,
    SugenoClassifier,
    SugenoClassifierCV,
    SugenoDistiller,
    SugenoEnsembleClassifier,
    SugenoNominalClassifier,
    SugenoOrdinalClassifier,
    SugenoOrdinalClassifierCV,
    infer_directions,
    monotone_labels,
    rule_stability,
)

HUGE = np.array([[-1e308, 1e308]] * 3 + [[1e308, -1e308]] * 3)
Y = [0, 0, 0, 1, 1, 1]


@pytest.mark.parametrize("table", [HUGE, pd.DataFrame(HUGE, columns=["a", "b"])])
def test_sums_that_overflow_do_not_show(table):
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        clf = SugenoClassifier(directions=[1, -1]).fit(table, Y)
        assert clf.predict(table).tolist() == Y
        assert clf.rules_.predict(table).tolist() == [False] * 3 + [True] * 3
        assert clf.predict_proba(table)[:, 1].argmax() >= 3
        QuantileUtility().fit(table)
        infer_directions(table, Y)


def test_rows_whose_sums_are_infinite_both_ways_are_classified_in_silence():
    clf = SugenoClassifier(directions=[1, -1]).fit(HUGE, Y)
    rows = np.tile([1e308, -1e308], (64, 1))
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        assert clf.predict(rows).all()


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_what_is_not_finite_is_refused_beside_huge_numbers(bad):
    clf = SugenoClassifier(directions=[1, -1]).fit(HUGE, Y)
    rows = HUGE.copy()
    rows[1, 1] = bad
    with pytest.raises(ValueError, match=r"contains NaN|contains infinity"):
        clf.predict(rows)


@pytest.mark.parametrize("weight", [1.7e308, 1e-320])
@pytest.mark.parametrize("labels", [Y, [0, 0, 1, 1, 2, 2]], ids=["two classes", "three"])
@pytest.mark.parametrize(
    "learner",
    [
        SugenoClassifier(directions=[1, -1]),
        SugenoClassifierCV(directions=[1, -1]),
        SugenoDistiller(directions=[1, -1]),
        SugenoEnsembleClassifier(directions=[1, -1]),
        SugenoNominalClassifier(SugenoClassifier(directions=[1, -1])),
        SugenoOrdinalClassifier(directions=[1, -1]),
        SugenoOrdinalClassifierCV(directions=[1, -1]),
    ],
    ids=lambda learner: type(learner).__name__,
)
def test_weights_whose_sum_is_no_number_are_refused(learner, labels, weight):
    with pytest.raises(ValueError, match="multiply all weights by a constant"):
        learner.fit(HUGE, labels, sample_weight=[weight] * 6)


def test_what_is_measured_on_rows_refuses_such_weights_too(tmp_path):
    clf, weights = SugenoClassifier(directions=[1, -1]).fit(HUGE, Y), [1.7e308] * 6
    for asked in (
        lambda: clf.rules_table(HUGE, Y, sample_weight=weights),
        lambda: clf.error_without(HUGE, Y, weights),
        lambda: clf.edit(HUGE, Y, weights),
        lambda: clf.report(HUGE, Y, tmp_path / "page.html", sample_weight=weights),
        lambda: rule_stability(clf, HUGE, Y, sample_weight=weights),
        lambda: infer_directions(HUGE, Y, sample_weight=weights),
        lambda: monotone_labels(HUGE, Y, directions=[1, -1], sample_weight=weights),
    ):
        with pytest.raises(ValueError, match="multiply all weights by a constant"):
            asked()


def test_huge_weights_are_weights_like_others():
    plain = SugenoClassifier(directions=[1, -1]).fit(HUGE, [0, 0, 1, 1, 1, 1])
    heavy = SugenoClassifier(directions=[1, -1])
    heavy.fit(HUGE, [0, 0, 1, 1, 1, 1], sample_weight=[2.0**990] * 6)
    assert heavy.rules_ == plain.rules_
    assert heavy.objective_ == 2.0**990 * plain.objective_ == 2.0**990
