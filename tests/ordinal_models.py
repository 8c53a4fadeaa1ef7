"""Nested models of ordered classes without learning, with odd names, labels and levels."""

import numpy as np

from random_models import random_literals, random_model, random_probability, rows_for
from sugeno._sets.masks import minimal, pack
from sugeno.model.boundary import Boundary, Certificate
from sugeno.model.class_rules import boundary_labels
from sugeno.model.grading import binary_threshold
from sugeno.model.model import Model
from sugeno.model.rules import RuleSet

GRADES = np.array(["poor", "fair", "good", 'it\'s "top"'])


def random_ordinal_model(seed, *, labelled=True, classes=None, m=None, missing="error"):
    """Boundaries with levels of their own; rules that do not imply those before are left out."""
    rng = np.random.default_rng(seed)
    first = random_model(seed, labelled=labelled, form="dnf", m=m)
    criteria, named = first.literals.criteria, first.rules.named
    classes = GRADES[: int(rng.integers(3, 5))] if classes is None else classes
    boundaries = []
    for place in range(len(classes) - 1):
        literals = random_literals(rng, criteria, 3)
        sides = boundary_labels(classes, place)
        drawn = pack(rng.random((int(rng.integers(1, 9)), literals.levels.size)) < 0.35)
        rules = _rule_set(minimal(literals.chains.closed(drawn)), literals, named, sides[1])
        if boundaries:
            lower = boundaries[-1].form
            alone = [_rule_set(one[None], literals, named, None) for one in rules.masks]
            kept = [one.beyond(lower) is None for one in alone]
            rules = _rule_set(rules.masks[kept], literals, named, sides[1])
        boundaries.append(
            Boundary(
                labels=sides,
                form=rules,
                probability=random_probability(rng, literals.levels.size),
                certificate=Certificate(float(rng.integers(9)), 0.0),
                threshold=binary_threshold(rules),
                k=len(criteria),
                normalized=False,
                utility=None,
                importances=rng.dirichlet(np.ones(len(criteria))),
                missing=missing,
            )
        )
    return Model(classes, tuple(boundaries), Certificate(3.0, 1.0))


def _rule_set(masks, literals, named, label):
    return RuleSet.from_masks(masks, literals, named=named, label=label)


def ordinal_rows(model, seed, n):
    """Numbers that hit each level of each boundary from both sides."""
    parts = [rows_for(one, seed + i, n) for i, one in enumerate(model.boundaries)]
    rng = np.random.default_rng(seed)
    chosen = rng.integers(len(parts), size=(n, parts[0].shape[1]))
    return np.choose(chosen, parts)


def graded_table(n=120, m=4, n_classes=4, seed=0):
    """Rows on a grid, and classes that rise with them, with some noise."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 6, (n, m)).astype(float)
    score = X.mean(axis=1) + rng.normal(0, 0.4, n)
    cuts = np.quantile(score, np.arange(1, n_classes) / n_classes)
    return X, np.searchsorted(cuts, score)
