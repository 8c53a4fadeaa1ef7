"""The proof of monotonicity holds for what is learned, and fails on what is broken."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given

from classifier_tables import grades
from small_rules import boundary_of, classifier_of, rule_sets
from sugeno import RuleSet, SugenoClassifier
from sugeno._scales.criterion import Criterion
from sugeno.model.probability import Steps


@pytest.mark.parametrize("options", [{}, {"levels": 3}, {"k": 2}, {"class_weight": "balanced"}])
def test_learned_classifiers_are_proved_monotone(options):
    X, y = grades()
    proof = SugenoClassifier(**options).fit(X, y).verify_monotone()
    assert proof
    assert str(proof).startswith("Monotone, proved for all inputs: ")
    assert str(proof).endswith("; the probability never falls either.")
    assert "\n" not in str(proof)


@given(rule_sets())
def test_what_is_proved_is_true(case):
    rules, X = case
    assert rules.verify_monotone()
    accepted = rules.predict(X)
    good = X * rules.directions
    above = (good[:, None] >= good[None]).all(axis=2)
    assert not (above & ~accepted[:, None] & accepted[None]).any()


def model():
    rules = RuleSet([{0, 2}], [1, 2, 3], criteria=["a", "b"], literal_criteria=[0, 0, 1])
    return boundary_of(rules)


def broken(**changes):
    """A model with other literals than its rules were made for."""
    one = model()
    literals = replace(one.literals, **changes)
    return replace(one, form=RuleSet.from_masks(one.rules.masks, literals))


def with_probability(**changes):
    one = model()
    return replace(one, probability=replace(one.probability, **changes))


BROKEN = {
    "a has the direction 0": broken(criteria=(Criterion("a", 0), Criterion("b"))),
    "not in the order of the criteria": broken(columns=np.array([0, 1, 0])),
    "a level is NaN": broken(levels=np.array([1, 2, np.nan])),
    "levels of a do not get harder": broken(levels=np.array([2.0, 1.0, 3.0])),
    "literal that does not exist": replace(
        model(), form=RuleSet.from_masks(np.array([[9]], np.uint64), model().literals)
    ),
    "lacks a literal that it implies": replace(
        model(), form=RuleSet.from_masks(np.array([[2]], np.uint64), model().literals)
    ),
    "takes from the score": with_probability(gains=np.array([1.0, -1.0, 0.0])),
    "rejected rows falls": with_probability(
        rejected=Steps(np.array([0.0, 1.0]), np.array([0.4, 0.3]))
    ),
    "rejected row may have a probability above": with_probability(
        rejected=Steps(np.zeros(1), np.array([0.6]))
    ),
    "accepted row may have a probability of at most": with_probability(
        accepted=Steps(np.zeros(1), np.array([0.5]))
    ),
    "leaves the interval": with_probability(accepted=Steps(np.zeros(1), np.array([1.5]))),
}


@pytest.mark.parametrize("fault", BROKEN)
def test_a_corrupted_model_is_not_proved(fault):
    proof = classifier_of(BROKEN[fault]).verify_monotone()
    assert not proof
    assert fault in str(proof)
    assert str(proof).startswith("Not proved monotone: ")
