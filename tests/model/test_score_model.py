"""A finished sum of steps: decisions, ends, proofs."""

import numpy as np
import pytest

from random_models import rows_for
from random_sums import random_sum, sums_per_class
from sugeno import RuleSet, SugenoDistiller, SugenoEnsembleClassifier
from sugeno.model.fitted import ruled_model_of
from sugeno.plot import RulesDisplay

SEEDS = range(6)


def with_gaps(model, seed, n=200):
    X = rows_for(model, seed, n)
    X[np.random.default_rng([seed, 5]).random(X.shape) < 0.2] = np.nan
    return X


@pytest.mark.parametrize("seed", SEEDS)
def test_a_row_is_accepted_where_its_log_odds_exceed_those_of_the_cut(seed):
    model = random_sum(seed)
    X = with_gaps(model, seed)
    totals = model.totals(X)
    assert (model.accepted(X) == (model.log_odds(totals) > model.bar)).all()
    assert (model.accepted(X) == (model.margins(X) > 0)).all()
    around = np.arange(model.needed - 3, model.needed + 3)
    assert (model.accepts(around) == (model.log_odds(around) > model.bar)).all()


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
        found = model.accepted(rows)
        assert (found.min(), found.max()) == (low, high)


def test_words_for_a_sum_and_its_proof():
    model = random_sum(3)
    assert str(model.named("loan")).startswith("loan = yes by a sum of steps")
    assert repr(model) == f"<{model}>"
    assert "Monotone, proved" in str(model.verify_monotone())
    table = next(table for table in model.tables.single if table.size > 1)
    table[-1] -= 1 << 50
    proof = model.verify_monotone()
    assert not proof
    assert proof.faults[0] in model.literals.texts
    assert str(proof).startswith("Not proved monotone: the sum may fall at")


def test_readers_of_rules_say_what_to_do_instead():
    X, y = [[1], [2], [3], [4]] * 9, [0, 0, 1, 1] * 9
    clf = SugenoEnsembleClassifier(n_bags=2, max_rounds=5).fit(X, y)
    with pytest.raises(TypeError, match="a sum of steps, instead; distill it into rules"):
        RulesDisplay.from_estimator(clf)
    several = type("Several", (), {"model_": sums_per_class(0)})()
    with pytest.raises(TypeError, match="Got Several, a sum of steps, instead"):
        ruled_model_of(several)
    rules = SugenoDistiller(clf).fit(X, y)
    assert isinstance(rules.rules_, RuleSet)
