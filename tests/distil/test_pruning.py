"""Facts about pruned rules: no move is left that helps, and nothing is lost on the way."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from distil.cuts import all_cuts
from sugeno._distil.patterns import merge_rows
from sugeno._distil.pruning import pruned_rules


def covered(reached, rule):
    return reached[list(rule)].all(axis=0)


def worth(patterns, rules, price):
    """Gain of what some rule covers, less the price of all literals, by its definition."""
    reached = patterns.reached > 0
    some = np.any([covered(reached, rule) for rule in rules], axis=0)
    gain = patterns.gains[some].sum(dtype=np.float64) / patterns.units
    return gain - price * sum(map(len, rules))


def moves(patterns, rules, max_criteria):
    """Every set of rules that one move leads to, as the docstring of the module lists them."""
    line = [int(c) for c in patterns.criteria]
    for i, rule in enumerate(rules):
        rest = rules[:i] + rules[i + 1 :]
        if rest:
            yield rest
        for j, literal in enumerate(rule):
            others = rule[:j] + rule[j + 1 :]
            if others:
                yield (*rest, others)
            for moved in range(literal - 2, literal + 3):
                if 0 <= moved < len(line) and line[moved] == line[literal]:
                    yield (*rest, (*others, moved))
    for one, other in combinations(rules, 2):
        rest = tuple(r for r in rules if r not in (one, other))
        first, second = ({line[j]: j for j in rule} for rule in (one, other))
        for wanted in (first.keys() & second.keys(), first.keys() | second.keys()):
            if 0 < len(wanted) <= max_criteria:
                for pick in (min, max):
                    pairs = ([d[c] for d in (first, second) if c in d] for c in wanted)
                    yield (*rest, tuple(map(pick, pairs)))


def case(seed, n=60, m=3, values=4):
    """Patterns of a random table, and some rules over them."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, values, (n, m)).astype(float)
    d = X.sum(axis=1) - X.mean() * m + rng.normal(0, 2, n)
    patterns = merge_rows(X, d, *all_cuts(X))
    rules = []
    for _ in range(5):
        some = rng.choice(m, rng.integers(1, m + 1), replace=False)
        rules.append(tuple(int(rng.choice(np.flatnonzero(patterns.criteria == c))) for c in some))
    return X, d, patterns, rules


@pytest.mark.parametrize("seed", range(30))
def test_no_move_is_left_that_helps(seed):
    *_, patterns, rules = case(seed)
    for price in (0.0, 0.5, 3.0):
        found = pruned_rules(patterns, rules, price=price, max_criteria=3)
        best = worth(patterns, found, price)
        assert best >= worth(patterns, rules, price)
        for other in moves(patterns, found, 3):
            assert worth(patterns, other, price) <= best + 1e-9


def test_rules_that_only_repeat_others_go_and_the_last_rule_stays():
    X = np.array([[0.0, 0], [0, 1], [1, 0], [1, 1]])
    patterns = merge_rows(X, np.array([-4.0, -1, 3, 4]), *all_cuts(X))
    assert pruned_rules(patterns, [(0, 1), (0,)], price=0.1, max_criteria=2) == ((0,),)
    assert len(pruned_rules(patterns, [(0, 1), (1,)], price=100.0, max_criteria=2)) == 1
    assert pruned_rules(patterns, [], price=0.1, max_criteria=2) == ()


def test_two_rules_become_what_they_have_in_common():
    # One criterion decides; two rules ask for it and for something beside it.
    X = np.array([[a, b, c] for a in (0, 1) for b in (0, 1) for c in (0, 1)], dtype=float)
    d = np.where(X[:, 0] > 0, 1.0, -1.0)
    patterns = merge_rows(X, d, *all_cuts(X))
    assert pruned_rules(patterns, [(0, 1), (0, 2)], price=0.01, max_criteria=3) == ((0,),)


def test_two_rules_become_one_that_asks_for_both_if_that_is_short_enough():
    X = np.array([[a, b] for a in (0, 1) for b in (0, 1)], dtype=float)
    patterns = merge_rows(X, np.array([-5.0, -5, -5, 3]), *all_cuts(X))
    assert pruned_rules(patterns, [(0,), (1,)], price=0.01, max_criteria=2) == ((0, 1),)
    assert len(pruned_rules(patterns, [(0,), (1,)], price=0.01, max_criteria=1)[0]) == 1


@pytest.mark.parametrize("seed", range(5))
def test_neither_the_order_of_rows_nor_repeating_them_matters(seed):
    X, d, _, rules = case(seed)
    d = np.rint(d * 8)
    shuffled = np.random.default_rng(seed).permutation(len(X))
    tables = [
        (X, 2 * d, rules),
        (X[shuffled], 2 * d[shuffled], rules[::-1]),
        (np.repeat(X, 2, axis=0), np.repeat(d, 2), rules + rules[:2]),
    ]
    found = {
        pruned_rules(merge_rows(X, d, *all_cuts(X)), given, price=2.0, max_criteria=3)
        for X, d, given in tables
    }
    assert len(found) == 1


@pytest.mark.parametrize("seed", range(5))
def test_clauses_are_pruned_as_rules_of_the_dual(seed):
    *_, patterns, rules = case(seed)
    dual = patterns.dual()
    found = pruned_rules(dual, rules, price=0.5, max_criteria=3)
    for other in moves(dual, found, 3):
        assert worth(dual, other, 0.5) <= worth(dual, found, 0.5) + 1e-9
