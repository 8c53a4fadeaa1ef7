"""Classes without an order: why the likeliest one, and what makes it another."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris

from estimators.test_any_columns import houses
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
        if alone.accepted:
            assert (one.rules, one.because) == (alone.rules, alone.because)
        else:  # what speaks against the class is no reason for it
            assert (one.rules, one.reason, one.likeliest) == ((), (), True)
            assert "the likeliest" in one.because
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


@pytest.fixture(scope="module")
def mixed():
    X, y = houses()
    return SugenoClassifier(levels=2, k=2, max_rules=3).fit(X, y), X


LIMITS = [
    {},
    {"immutable": ["home"]},
    {"immutable": [0], "permitted_range": {"age": (30, None)}},
    {"cost": {"age": 3.0}},
]


@pytest.mark.parametrize("options", LIMITS)
def test_changes_of_cells_lead_where_they_are_said_to(mixed, options):
    clf, X = mixed
    found = clf.explain(X, **options)
    assert found.labels.tolist() == clf.predict(X).tolist()
    moved, before, after = [], [], []
    for row in range(0, len(X), 7):
        one = found[row]
        assert one.text == found.sentences()[row]
        for way in one.counterfactuals:
            cells = dict(X.iloc[row])
            for change in way.changes:
                assert change.after != "missing"
                days = change.criterion == "seen"
                cells[change.criterion] = (
                    pd.Timestamp(0) + pd.Timedelta(change.after, "D") if days else change.after
                )
                assert not (options and change.criterion in ("home",) and "immutable" in options)
            moved.append(cells)
            before.append(one.label)
            after.append(way.label)
    assert len(moved) > 20
    assert clf.predict(pd.DataFrame(moved).astype(X.dtypes)).tolist() == after
    assert all(one != other for one, other in zip(before, after))
    assert found.margins.shape == found.nearest().shape
    assert {record["other"] for record in found.to_records()} <= {"red", "green", "blue", None}


def test_limits_of_cells_are_about_columns(mixed):
    clf, X = mixed
    with pytest.raises(ValueError, match="columns of the table, which are home, age, seen, id"):
        clf.explain(X[:1], immutable=["house"])
    assert "id" in clf.columns_.columns
    clf.explain(X[:1], immutable=["id"])  # which no class reads
    called = []
    clf.explain(X[:2], cost=lambda name, before, after: called.append(name) or 1.0).sentences()
    assert {*called} <= {"home", "age", "seen"}


def test_dates_are_written_and_limited_as_dates(mixed):
    clf, X = mixed
    texts = " ".join(clf.explain(X, immutable=["home", "age"]).sentences())
    assert "seen rises from 20" in texts or "seen falls from 20" in texts
    limit = {"seen": ("2016-01-01", None)}
    for one in clf.explain(X[:40], immutable=["home", "age"], permitted_range=limit):
        for way in one.counterfactuals:
            assert all(change.after >= 16801 for change in way.changes)
    with pytest.raises(ValueError, match=r"must be a date, such as 2026-01-31\. Got 'soon'"):
        clf.explain(X[:1], permitted_range={"seen": ("soon", None)})


def test_letters_give_the_reason_of_the_class_that_was_decided(three):
    letters, found = three.reasons(X, max_reasons=99), three.explain(X)
    for row, letter in enumerate(letters):
        assert letter.decision == found.labels[row]
        rules_of = np.array(three.classes_)[three.predict_set(X.iloc[[row]])[0]]
        if letter.decision not in rules_of:
            assert (letter.reasons, letter.needed) == ((), 0)
            assert letter.text == f"{letter.decision}, the likeliest. The rules of no class hold."
            continue
        factors = sorted(factor.criterion for factor in found[row].reason)
        assert sorted(reason.criterion for reason in letter.reasons) == factors
        others = [str(label) for label in rules_of if label != letter.decision]
        more = f", likelier than {' and '.join(others)}, whose rules hold too" if others else ""
        assert letter.text.startswith(f"{letter.decision}{more}. The ")
    assert {len(three.predict_set(X.iloc[[row]])[0].nonzero()[0]) for row in range(150)} >= {0, 1}
    assert letters.to_frame()["decision"].isin(three.classes_).all()


def test_codes_and_texts_of_letters_are_about_columns(mixed):
    clf, X = mixed
    letters = clf.reasons(X[:60], codes={"home": "H1", 1: "A1"}, texts={"id": "nobody reads it"})
    codes = {reason.code for letter in letters for reason in letter.reasons}
    assert {"H1", "A1"} <= codes <= {"H1", "A1", "seen"}
    with pytest.raises(ValueError, match="codes must be about columns of the table, which are"):
        clf.reasons(X[:1], codes={"house": "H1"})
