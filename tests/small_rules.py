"""Small rule sets with all rows that they can tell apart, and models made of rules alone."""

from dataclasses import replace

import numpy as np
from hypothesis import strategies as st

from sugeno import RuleClassifier, RuleSet
from sugeno.model.boundary import Boundary, Certificate
from sugeno.model.model import Model
from sugeno.model.probability import Probability, Steps


@st.composite
def rule_sets(draw, max_criteria=4, max_levels=3, max_rules=5, forms=("dnf", "cnf")):
    """A rule set over a few criteria with up to so many levels each, and all rows of places."""
    sizes = draw(
        st.lists(st.integers(0, max_levels), min_size=1, max_size=max_criteria).filter(sum)
    )
    m = len(sizes)
    columns = np.repeat(np.arange(m), sizes)
    sets = draw(st.lists(st.frozensets(st.integers(0, columns.size - 1)), max_size=max_rules))
    directions = np.array(draw(st.lists(st.sampled_from([-1, 1]), min_size=m, max_size=m)))
    ranks = np.concatenate([np.arange(1, size + 1) for size in sizes])
    rules = RuleSet(
        sets,
        ranks * directions[columns],
        criteria=[f"c{j}" for j in range(m)],
        directions=directions,
        literal_criteria=columns,
        form=draw(st.sampled_from(forms)),
    )
    places = np.stack(np.meshgrid(*(np.arange(size + 1) for size in sizes)), axis=-1)
    return rules, (places.reshape(-1, m) * directions).astype(float)


def model_of(rules, classes=(0, 1), observed=True):
    """A model of two classes that knows nothing but rules."""
    return Model.of_two_classes(boundary_of(rules, classes, observed))


def classifier_of(boundary):
    """A classifier of two classes with a boundary between them."""
    return RuleClassifier.of(Model.of_two_classes(boundary))


def boundary_of(rules, classes=(0, 1), observed=True):
    """A boundary that knows nothing but rules; observed values are one unit apart."""
    if observed:
        literals = rules.literal_set
        steps = literals.directions[literals.columns]
        known = replace(literals, better=literals.levels, worse=literals.levels - steps)
        rules = RuleSet.from_masks(
            rules.masks, known, named=True, label=classes[1], form=rules.form
        )
    half = Steps(np.zeros(1), np.array([0.5])), Steps(np.zeros(1), np.array([0.6]))
    m = len(rules.criteria)
    return Boundary(
        labels=np.array(classes),
        form=rules,
        probability=Probability(np.zeros(rules.n_literals), *half),
        certificate=Certificate(0.0, 0.0),
        threshold=0.5,
        k=m,
        normalized=False,
        utility=None,
        importances=np.full(m, 1 / m),
    )
