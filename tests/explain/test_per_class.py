"""Classes without an order: why the likeliest one, and what makes it another."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris

from sugeno import SugenoClassifier

IRIS = load_iris(as_frame=True)
X, Y = IRIS.data, IRIS.target_names[IRIS.target]


@pytest.fixture(scope="module")
def three():
    return SugenoClassifier(levels=2, k=2, max_rules=3, directions=None).fit(X, Y)


@pytest.mark.parametrize("options", [{}, {"immutable": ["petal length (cm)"]}])
def test_every_change_that_is_told_leads_to_the_class_that_it_names(three, options):
    found = three.explain(X, **options)
    assert found.labels.tolist() == three.predict(X).tolist()
    moved, costs = found.nearest(), found.costs
    there = ~np.isnan(costs)
    assert there.any()
    assert np.isnan(moved[~there]).all()
    after = three.predict(pd.DataFrame(moved[there], columns=X.columns))
    records = found.to_records()
    assert after.tolist() == [records[row]["other"] for row in np.flatnonzero(there)]
    assert (after != found.labels[there]).all()
    if options:
        assert (moved[there, 2] == X.to_numpy()[there, 2]).all()
    for row in range(0, len(X), 17):
        one = found[row]
        assert one.text == found.sentences()[row]
        for way in one.counterfactuals:
            changed = X.iloc[[row]].copy()
            for change in way.changes:
                changed[change.criterion] = change.after
            assert three.predict(changed)[0] == way.label != one.label
        assert [way.cost for way in one.counterfactuals] == sorted(
            way.cost for way in one.counterfactuals
        )


def test_reasons_are_those_of_the_predicted_class_against_the_rest(three):
    found = three.explain(X)
    for row in range(0, len(X), 13):
        alone = three.per_class_[found.labels[row]].explain(X.iloc[[row]])[0]
        one = found[row]
        assert (one.rules, one.because) == (alone.rules, alone.because)
        assert one.accepted == alone.accepted == found.accepted[row]
        assert one.margins == alone.margins
        np.testing.assert_array_equal(found.margins[row], [m.room for m in alone.margins])
    assert found.fired.shape == (len(X), sum(map(len, three.rules_.values())))


def test_tables_and_words(three):
    found = three.explain(X)
    assert list(found.to_frame().columns) == list(found.to_records()[0])
    assert repr(found).endswith("… and 140 more rows")
    stuck = three.explain(X[:2], immutable=list(X.columns))
    assert stuck.sentences() == ["setosa. No way to another class was found."] * 2
    assert stuck[0].counterfactuals == ()


def test_missing_values_are_named():
    rows = X[["petal length (cm)"]].assign(constant=1.0)
    rows.iloc[::7, 0] = np.nan
    clf = SugenoClassifier(levels=1, missing="pessimistic", directions=None).fit(rows, Y)
    found = clf.explain(rows)
    texts = " ".join(found.sentences())
    assert "instead of missing" in texts
    there = ~np.isnan(found.costs)
    after = clf.predict(pd.DataFrame(found.nearest()[there], columns=rows.columns))
    assert (after != found.labels[there]).all()
