"""A finished sum of steps: decisions, ends, proofs."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from random_models import rows_for
from random_sums import ordered_sum, random_sum, sums_per_class
from sugeno import RuleClassifier, RuleSet, SugenoDistiller, SugenoEnsembleClassifier
from sugeno.plot import RulesDisplay

SEEDS = range(6)


def with_gaps(model, seed, n=200):
    X = rows_for(model, seed, n)
    X[np.random.default_rng([seed, 5]).random(X.shape) < 0.2] = np.nan
    return X


@pytest.mark.parametrize("seed", SEEDS)
def test_a_row_is_accepted_where_its_log_odds_exceed_those_of_the_cut(seed):
    (boundary,) = (model := random_sum(seed)).boundaries
    X = with_gaps(model, seed)
    totals = boundary.totals(X)
    assert (boundary.accepted(X) == (boundary.log_odds(totals) > boundary.bar)).all()
    assert (boundary.accepted(X) == (model.margins(X)[:, 0] > 0)).all()
    around = np.arange(boundary.needed - 3, boundary.needed + 3)
    assert (boundary.accepts(around) == (boundary.log_odds(around) > boundary.bar)).all()


@pytest.mark.parametrize("seed", SEEDS)
def test_ends_are_what_filling_in_can_lead_to(seed):
    model = random_sum(seed, missing="interval", labelled=False, m=3, most_levels=2)
    X = with_gaps(model, seed, 40)
    least, most = model.ends(X)
    levels = model.literals.levels
    fillings = np.concatenate([levels, np.nextafter(levels, -np.inf), levels - 1e9, levels + 1e9])
    rng = np.random.default_rng(seed)
    for row, low, high in zip(X, least, most):
        rows = np.where(np.isnan(row), rng.choice(fillings, (3000, row.size)), row)
        found = model.passed(rows)
        assert (found.min(), found.max()) == (low, high)


def test_words_for_a_sum_and_its_proof():
    model = random_sum(3)
    assert str(model.named("loan")).startswith("loan = yes by a sum of steps")
    assert repr(model) == f"<{model}>"
    assert "Monotone, proved" in str(model.verify_monotone())
    table = next(table for table in model.boundaries[0].tables.single if table.size > 1)
    table[-1] -= 1 << 50
    proof = model.verify_monotone()
    assert not proof
    assert proof.faults[0] in model.literals.texts
    assert str(proof).startswith("Not proved monotone: the sum may fall at")


def test_boundaries_that_are_not_nested_are_told():
    model = ordered_sum(0)
    assert model.verify_monotone()
    turned = replace(model, boundaries=model.boundaries[::-1])
    proof = turned.verify_monotone()
    assert proof.faults == ("at least good", "at least top")
    assert "may be without the class below" in str(proof)


def test_readers_of_rules_say_what_to_do_instead():
    X, y = [[1], [2], [3], [4]] * 9, [0, 0, 1, 1] * 9
    clf = SugenoEnsembleClassifier(n_bags=2, max_rounds=5).fit(X, y)
    with pytest.raises(TypeError, match="a sum of steps, instead; distill it into rules"):
        RulesDisplay.from_estimator(clf)
    with pytest.raises(TypeError, match="Got RuleClassifier, a sum of steps, instead"):
        RulesDisplay.from_estimator(RuleClassifier.of(sums_per_class(0)))
    rules = SugenoDistiller(clf).fit(X, y)
    assert isinstance(rules.rules_, RuleSet)


def test_a_column_that_two_criteria_read_is_counted_once():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 9, (300, 2)).astype(float)
    clf = SugenoEnsembleClassifier(columns={"a": "free", "b": "up"}, n_bags=4)
    clf.fit(pd.DataFrame(X, columns=["a", "b"]), (abs(X[:, 0] - 4) < 2) | (X[:, 1] > 6))
    assert str(clf.model_).endswith(": 2 of 2 criteria, 1 pair of criteria.")


def test_labels_are_written_as_they_are_in_the_table():
    X = np.arange(60.0).reshape(-1, 1)
    clf = SugenoEnsembleClassifier(n_bags=2).fit(X, np.repeat(["d1", "d2", "d3"], 20))
    assert str(clf.model_.models[0]).startswith("d1 by a sum of steps")
