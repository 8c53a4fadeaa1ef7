"""What is open is what the best monotone classifiers disagree on: all of them, enumerated."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from costly import costly
from oracles import contains_any, up_sets
from sugeno import SugenoClassifier, SugenoDistiller

EVERY = np.arange(8, dtype=np.uint64)[:, None]
FAMILIES = np.array([u for u in up_sets(3) if not u[0]])


def table(seed, n=12, m=3, levels=2):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, levels, size=(n, m)).astype(float)
    X[:2] = [[0] * m, [levels - 1] * m]  # so that each criterion has a level
    return X, np.r_[0, 1, rng.integers(0, 2, n - 2)], rng.integers(1, 4, n)


@pytest.mark.parametrize("normalized", [True, False])
@pytest.mark.parametrize("seed", range(40))
def test_between_the_smallest_and_the_largest_optimum_everything_is_open(seed, normalized):
    X, y, w = table(seed)
    clf = SugenoClassifier(levels=1, directions=None, abstain=True, normalized=normalized)
    extent = clf.fit(X, y, w).model_.boundaries[0].extent
    patterns = (X @ [1, 2, 4]).astype(int)
    allowed = FAMILIES[FAMILIES[:, 7]] if normalized else FAMILIES
    errors = [w[family[patterns] != y].sum() for family in allowed]
    best = allowed[np.array(errors) == min(errors)]
    assert clf.objective_ == min(errors)
    np.testing.assert_array_equal(extent.surely(EVERY), best.all(axis=0))
    np.testing.assert_array_equal(extent.maybe(EVERY), best.any(axis=0))


@pytest.mark.parametrize("seed", range(20))
def test_a_model_that_is_no_optimum_settles_what_follows_from_its_labels(seed):
    X, y, w = table(seed)
    clf = SugenoClassifier(levels=1, directions=None, abstain=True, max_rules=1, rule_cost=2.0)
    (model,) = clf.fit(X, y, w).model_.boundaries
    patterns = np.unique((X @ [1, 2, 4]).astype(int))
    labels = model.rules.accepts(EVERY)
    allowed = FAMILIES[FAMILIES[:, 7]]
    errors = [w[f[(X @ [1, 2, 4]).astype(int)] != y].sum() for f in allowed]
    if w[labels[(X @ [1, 2, 4]).astype(int)] != y].sum() == min(errors):
        return  # an optimum after all
    agree = allowed[(allowed[:, patterns] == labels[patterns]).all(axis=1)]
    np.testing.assert_array_equal(model.extent.surely(EVERY), agree.all(axis=0))
    np.testing.assert_array_equal(model.extent.maybe(EVERY), agree.any(axis=0))


@costly
@given(st.integers(0, 2**32 - 1))
def test_the_model_lies_between_what_is_settled_and_so_do_all_its_kinds(seed):
    X, y, w = table(seed, n=30, m=4, levels=4)
    for clf in (
        SugenoClassifier(),
        SugenoClassifier(k=2),
        SugenoClassifier(levels=2, class_weight="balanced"),
        SugenoClassifier(levels="all"),
        SugenoClassifier(margin=0.05),
        SugenoClassifier(solver="lp"),
        SugenoClassifier(extension="lower", normalized=False),
    ):
        (model,) = clf.set_params(abstain=True, directions=None).fit(X, y, w).model_.boundaries
        rows = np.random.default_rng(seed).integers(-1, 5, size=(100, 4)).astype(float)
        least, most = model.limits(rows)
        accepted = model.accepted(rows)
        assert (least <= accepted).all()
        assert (accepted <= most).all()
        for masks in (model.extent.accepted, model.extent.rejected):
            others = [np.delete(masks, i, axis=0) for i in range(len(masks))]
            if masks is model.extent.rejected:
                masks, others = ~masks, [~other for other in others]
            inside = [contains_any(masks[i : i + 1], other)[0] for i, other in enumerate(others)]
            assert not any(inside)


def test_distilled_rules_and_clauses_lie_between_too():
    for seed in range(4):
        X, y, w = table(seed, n=60, m=3, levels=5)
        clf = SugenoDistiller(max_rules=3, abstain=True, directions=None).fit(X, y, w)
        rows = np.random.default_rng(seed).integers(-1, 6, size=(200, 3)).astype(float)
        least, most = clf.model_.boundaries[0].limits(rows)
        accepted = clf.model_.boundaries[0].accepted(rows)
        assert (least <= accepted).all()
        assert (accepted <= most).all()
