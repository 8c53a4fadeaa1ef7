"""Section 3 of the paper: thresholding the integral, its special cases, its flexibility."""

from itertools import combinations, product
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from small_capacities import boolean_capacities, problems
from sugeno import Capacity, sugeno_integral


def accepts(rows, boundary_sets, beta):
    """Equation (6): some boundary set is satisfied in full."""
    return [any(all(u[j] >= beta for j in a) for a in boundary_sets) for u in rows]


@given(problems() | problems(normalized=False), st.floats(0, 1) | st.sampled_from([0.25, 0.5]))
def test_proposition_1_the_classifier_is_the_disjunction_of_its_boundary_sets(problem, beta):
    capacity, rows = problem
    binary = (rows >= 0.5).astype(float)
    for u in (rows, binary):
        expected = (sugeno_integral(u, capacity) >= beta).tolist()
        assert accepts(u, capacity.boundary_sets(beta), beta) == expected


@given(problems(), st.floats(0, 1))
def test_boundary_sets_are_the_minimal_sets_that_reach_the_threshold(problem, beta):
    capacity, _ = problem
    boundary = capacity.boundary_sets(beta)
    for a in boundary:
        assert capacity(a) >= beta
        assert all(capacity([i for i in a if i != j]) < beta for j in a)
        assert len(a) <= capacity.maxitivity
    assert not any(set(a) < set(b) for a in boundary for b in boundary)


@pytest.mark.parametrize("m", [1, 2, 3, 4, 5, 7])
def test_k_of_m_classifiers_are_a_special_case(m):
    rows = np.array(list(product([0, 1], repeat=m)))
    capacity = Capacity.counting(m)
    for k in range(1, m + 1):
        accepted = sugeno_integral(rows, capacity) >= k / m
        assert (accepted == (rows.sum(axis=1) >= k)).all()
        assert len(capacity.boundary_sets(k / m)) == comb(m, k)


@given(st.lists(st.sets(st.integers(0, 4), min_size=1), min_size=1, max_size=6))
def test_rule_set_classifiers_are_a_special_case(rules):
    rows = np.array(list(product([0, 1], repeat=5)))
    accepted = sugeno_integral(rows, Capacity.from_rules(rules, m=5)) >= 0.5
    assert accepted.tolist() == [any(all(u[j] for j in rule) for rule in rules) for u in rows]


@pytest.mark.parametrize("m", [1, 2, 3, 4, 5])
def test_sperner_construction_shatters_all_subsets_of_half_the_criteria(m):
    sets = list(combinations(range(m), m // 2)) if m > 1 else [(0,)]
    rows = np.zeros((len(sets), m))
    for row, members in enumerate(sets):
        rows[row, list(members)] = 1
    for labels in product([False, True], repeat=len(sets)):
        positive = [a for a, label in zip(sets, labels, strict=True) if label]
        # "All negative" needs the capacity that is zero everywhere.
        capacity = Capacity.from_rules(positive, m=m, normalized=bool(positive))
        assert (sugeno_integral(rows, capacity) >= 0.5).tolist() == list(labels)


def vc_dimension(labelings):
    """The size of the largest set of columns on which all labelings occur."""
    n = labelings.shape[1]
    shattered, dimension = [()], 0
    while shattered:
        dimension = len(shattered[0])
        larger = []
        for columns in shattered:
            for new in range(columns[-1] + 1 if columns else 0, n):
                chosen = [*columns, new]
                if len(np.unique(labelings[:, chosen], axis=0)) == 2 ** len(chosen):
                    larger.append(tuple(chosen))
        shattered = larger
    return dimension


@pytest.mark.parametrize("normalized", [False, True])
@pytest.mark.parametrize("m", [1, 2, 3, 4])
def test_vc_dimension_of_k_maxitive_classifiers_is_a_binomial_coefficient(m, normalized):
    # At a threshold a row is only the set of criteria that it satisfies: binary rows are enough.
    rows = np.array(list(product([0, 1], repeat=m)))
    models = [c for c in boolean_capacities(m) if c.normalized or not normalized]
    for k in range(1, m + 1):
        family = [c for c in models if c.is_k_maxitive(k)]
        labelings = np.array([sugeno_integral(rows, c) >= 0.5 for c in family])
        # With μ([m]) = 1 "all negative" is impossible on the k-subsets, which costs one where
        # k ≤ m / 2; and on a single criterion, where only one classifier is left.
        lost = int(normalized and (2 * k <= m or m == 1))
        assert vc_dimension(labelings) == comb(m, min(k, m // 2)) - lost


def test_all_boolean_capacities_are_listed():
    # Dedekind numbers without the function that accepts everything.
    assert [len(boolean_capacities(m)) for m in (1, 2, 3, 4)] == [2, 5, 19, 167]
