"""Facts about the search: exact on tiny tables, blind to what cannot matter."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest

from distil.cuts import all_cuts
from sugeno._distil.path import distil_path
from sugeno._distil.patterns import merge_rows
from sugeno._distil.pool import Pool
from sugeno._distil.search import Effort, PathSearch


def rules_of(criteria, max_criteria):
    """Every conjunction of literals of different criteria."""
    for size in range(1, max_criteria + 1):
        for rule in combinations(range(len(criteria)), size):
            if len(set(criteria[list(rule)])) == size:
                yield rule


def brute_force(X, d, criteria, levels, max_rules, max_criteria, form):
    """The highest gain of a rule set of each size, by trying all of them."""
    reached = X[:, criteria] >= levels
    join = np.all if form == "dnf" else np.any
    masks = {tuple(join(reached[:, list(r)], axis=1)) for r in rules_of(criteria, max_criteria)}
    masks = np.array(sorted(masks)).reshape(-1, len(X))
    gains = []
    for size in range(1, max_rules + 1):
        best = -np.inf
        for chosen in combinations(range(len(masks)), min(size, len(masks))):
            some = masks[list(chosen)]
            best = max(best, d @ (some.any(axis=0) if form == "dnf" else some.all(axis=0)))
        gains.append(best)
    constant = 0.0 if form == "dnf" else d.sum()
    return np.maximum.accumulate([constant, *gains])


@pytest.mark.parametrize("form", ["dnf", "cnf"])
@pytest.mark.parametrize("seed", range(12))
def test_the_path_of_a_tiny_table_is_optimal_by_brute_force(form, seed):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 3, (25, 3)).astype(float)
    d = rng.integers(-8, 9, 25).astype(float)
    criteria, levels = all_cuts(X)
    effort = Effort(restarts=40)
    path = distil_path(
        X, d, criteria, levels, max_rules=3, max_criteria=2, forms=[form], effort=effort
    )
    expected = brute_force(X, d, criteria, levels, 3, 2, form)
    assert [s.gain for s in path.sets] == expected.tolist()


@pytest.mark.parametrize("seed", range(6))
def test_no_monotone_function_of_two_criteria_is_better_than_many_rules(seed):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 4, (40, 2)).astype(float)
    d = rng.normal(size=40).round(2)
    heights = [h for h in product(range(5), repeat=4) if list(h) == sorted(h, reverse=True)]
    best = max(d @ (X[:, 1] >= np.array(h)[X[:, 0].astype(int)]) for h in heights)
    path = distil_path(X, d, *all_cuts(X), max_rules=4, max_criteria=2)
    assert path.sets[-1].gain == pytest.approx(best, abs=1e-4)


def sample(seed=0, n=120, m=5):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, m)).round(1)
    d = X.sum(axis=1) + rng.normal(size=n)
    return X, d


def test_the_order_of_rows_does_not_matter_to_the_last_bit():
    X, d = sample()
    literals = all_cuts(np.quantile(X, np.linspace(0, 1, 8), axis=0))
    shuffled = np.random.default_rng(1).permutation(len(X))
    path = distil_path(X, d, *literals, max_rules=6)
    again = distil_path(X[shuffled], d[shuffled], *literals, max_rules=6)
    assert path.sets == again.sets
    assert path.pool == again.pool


def test_repeated_rows_are_rows_of_higher_gain():
    X, d = sample()
    d = np.rint(8 * d)
    literals = all_cuts(np.quantile(X, np.linspace(0, 1, 6), axis=0))
    path = distil_path(X, 3 * d, *literals, max_rules=5)
    again = distil_path(np.repeat(X, 3, axis=0), np.repeat(d, 3), *literals, max_rules=5)
    assert path.sets == again.sets


def test_a_level_that_no_row_distinguishes_changes_nothing():
    X = np.random.default_rng(2).integers(0, 4, (80, 3)).astype(float)
    d = X.sum(axis=1) - 4.5
    criteria, levels = all_cuts(X)
    path = distil_path(X, d, criteria, levels, max_rules=4)
    split = distil_path(
        X,
        d,
        np.repeat(criteria, 2),
        np.repeat(levels, 2) + np.tile([0, 0.2], len(levels)),
        max_rules=4,
    )
    assert [s.gain for s in path.sets] == [s.gain for s in split.sets]
    for before, after in zip(path.sets, split.sets, strict=True):
        # Each original literal became two.
        assert before.rules == tuple(tuple(i // 2 for i in rule) for rule in after.rules)


def test_hard_labels_count_errors():
    rng = np.random.default_rng(3)
    X = rng.integers(0, 5, (100, 4)).astype(float)
    y = (X.sum(axis=1) + rng.normal(size=100) > 8).astype(int)
    literals = all_cuts(X)
    path = distil_path(X, 2.0 * y - 1, *literals, max_rules=6)
    for rules in path.sets:
        errors = np.sum(rules.accepts(X, *literals) != y)
        assert errors == y.sum() - rules.gain


def test_a_cnf_is_a_dnf_of_the_dual():
    X, d = sample(4)
    criteria, levels = all_cuts(np.quantile(X, np.linspace(0, 1, 5), axis=0))
    cnf = distil_path(X, d, criteria, levels, max_rules=4, forms=["cnf"])
    # Turned round, "misses level t" reads "reaches the value just above −t".
    order = np.lexsort((-levels, criteria))
    above = np.nextafter(-levels, np.inf)[order]
    dnf = distil_path(-X, -d, criteria, above, max_rules=4, forms=["dnf"])
    units = cnf.patterns.units
    total = cnf.patterns.gains.sum(dtype=np.float64) / units
    assert [s.gain for s in cnf.sets] == [s.gain + total for s in dnf.sets]
    for one, other in zip(cnf.sets, dnf.sets, strict=True):
        rejected = other.accepts(-X, criteria, above)
        assert np.sum(d[one.accepts(X, criteria, levels)]) == pytest.approx(
            np.sum(d[~rejected]), abs=1e-3
        )


def test_clauses_stand_only_where_fewer_of_them_do():
    X = np.array(list(product([0.0, 1], repeat=4)))
    first, second, third, fourth = X.T > 0
    literals = all_cuts(X)
    clauses = np.where((first | second) & (third | fourth), 1.0, -1.0)  # or four rules
    path = distil_path(X, clauses, *literals, max_rules=6)
    assert path.best() == path.sets[2]
    assert {s.form for s in path.sets[1:]} == {"cnf"}
    assert path.best().rules == ((0, 1), (2, 3))
    rules = np.where((first & second) | (third & fourth), 1.0, -1.0)  # or four clauses
    path = distil_path(X, rules, *literals, max_rules=6)
    assert {s.form for s in path.sets[1:]} == {"dnf"}
    assert path.best().rules == ((0, 1), (2, 3))
    either = np.where(first | second, 1.0, -1.0)  # one clause; two rules
    assert distil_path(X, either, *literals, max_rules=6).best().form == "cnf"
    both = np.where(first & second, 1.0, -1.0)  # one rule; two clauses
    assert distil_path(X, both, *literals, max_rules=6).best().form == "dnf"
    one = np.where(first, 1.0, -1.0)  # one rule and one clause: as short
    assert distil_path(X, one, *literals, max_rules=6).best().form == "dnf"


def test_forms_are_compared_at_the_number_of_rules_that_is_asked_for():
    X = np.array(list(product([0.0, 1], repeat=4)))
    # Two clauses, or four rules.
    gains = np.where(X[:, :2].any(axis=1) & X[:, 2:].any(axis=1), 1.0, -1.0)
    clauses = distil_path(X, gains, *all_cuts(X), max_rules=4, n_rules=2)
    assert (clauses.sets[2].form, clauses.sets[2].gain) == ("cnf", 9.0)
    rules = distil_path(X, gains, *all_cuts(X), max_rules=4, n_rules=4)
    assert (rules.sets[4].form, rules.sets[4].gain) == ("dnf", 9.0)  # as good: rules


def test_fewer_clauses_that_are_worth_less_do_not_stand():
    X = np.array(list(product([0.0, 1], repeat=2)))
    either = np.where(X.any(axis=1), 1.0, -1.0)
    # With one criterion each: two rules say it, and the best clauses are one that does not.
    path = distil_path(X, either, *all_cuts(X), max_rules=3, max_criteria=1)
    clauses = distil_path(X, either, *all_cuts(X), max_rules=3, max_criteria=1, forms=["cnf"])
    assert path.best() == path.sets[2] != clauses.best()
    assert (path.best().gain, path.best().form) == (3.0, "dnf")


def test_forms_are_compared_at_the_price_of_a_rule():
    X = np.array(list(product([0.0, 1], repeat=3)))
    first, second, third = X.T > 0
    # Four of these eight rows gain: by one clause but for a little, or by two rules.
    gains = np.where(first | second, 1.0, -1.0) - 1.5 * (~third & second & ~first)
    free = distil_path(X, gains, *all_cuts(X), max_rules=4)
    dear = distil_path(X, gains, *all_cuts(X), max_rules=4, price=0.75)
    assert (free.best().form, len(free.best().rules), free.best().gain) == ("dnf", 2, 5.0)
    best = dear.best(0.75)
    assert (best.form, len(best.rules), best.gain) == ("cnf", 1, 4.5)


def test_gain_is_the_sum_over_accepted_rows():
    X, d = sample(5)
    literals = all_cuts(np.quantile(X, np.linspace(0, 1, 7), axis=0))
    path = distil_path(X, d, *literals, max_rules=8)
    for rules in path.sets:
        assert d[rules.accepts(X, *literals)].sum() == pytest.approx(rules.gain, abs=1e-3)


def test_the_path_rises_and_keeps_its_limits():
    X, d = sample(6)
    criteria, levels = all_cuts(np.quantile(X, np.linspace(0, 1, 7), axis=0))
    path = distil_path(X, d, criteria, levels, max_rules=7, max_criteria=2)
    assert np.all(np.diff([s.gain for s in path.sets]) >= 0)
    for size, rules in enumerate(path.sets):
        assert len(rules.rules) <= size
        for rule in rules.rules:
            assert len(rule) <= 2
            assert len(set(criteria[list(rule)])) == len(rule)


@pytest.mark.parametrize("max_criteria", [1, 2, 4])
def test_no_criterion_twice_in_a_rule(max_criteria):
    X, d = sample(7, m=2)
    literals = all_cuts(X)
    path = distil_path(X, d, *literals, max_rules=3, max_criteria=max_criteria)
    assert max(len(r) for s in path.sets for r in s.rules) <= min(max_criteria, 2)


def test_degenerate_tables():
    empty = np.empty(0, dtype=np.intp), np.empty(0)
    one = np.zeros(1, dtype=np.intp), np.array([0.5])
    ramp = np.arange(4.0)[:, None]
    # No literal: the better constant.
    assert distil_path(ramp, np.ones(4), *empty).best().form == "cnf"
    assert distil_path(ramp, -np.ones(4), *empty).best().gain == 0
    # One class: a constant is best, whatever the literals.
    assert distil_path(ramp, np.ones(4), *one).best().rules == ()
    # One row, one criterion, constant columns, gains that are all zero.
    assert distil_path(ramp[:1], np.ones(1), *one).best().gain == 1
    assert distil_path(ramp, np.array([-1.0, 1, 1, 1]), *one, max_rules=1).best().gain == 3
    assert distil_path(np.ones((5, 2)), np.array([1.0, -1, 1, -1, 1]), *one).best().gain == 1
    assert distil_path(ramp, np.zeros(4), *one).best().rules == ()


def test_ties_go_to_fewer_rules():
    X = np.array([[0.0, 0], [0, 1], [1, 0], [1, 1]])
    path = distil_path(X, np.array([-1.0, -1, -1, 1]), *all_cuts(X), max_rules=4)
    assert path.best() == path.sets[1]
    assert path.best(price=2.0).rules == ()


def test_a_pool_grows_and_keeps_the_shorter_of_equal_rules():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 12, (300, 3)).astype(float)
    criteria, levels = all_cuts(X)
    patterns = merge_rows(X, rng.normal(size=300), criteria, levels)
    pool = Pool(patterns)
    rules = np.array([r for r in combinations(range(33), 2) if criteria[r[0]] != criteria[r[1]]])
    places = pool.add(rules)
    assert len(pool.rules) > 256  # more than it had room for
    for rule, place in zip(rules, places, strict=True):
        covered = (patterns.reached[list(rule)] > 0).all(axis=0)
        assert (pool.covers[place] > 0).tolist() == covered.tolist()
    # One that is met in more words first: the same cover, in fewer words.
    pool = Pool(patterns)
    assert pool.add(np.array([[0, 0, 11], [0, 0, 0]])) != [0, 0]
    twice = np.array([[0, 1], [1, 1]])  # level 1 implies level 0
    (first, second) = pool.add(twice)
    assert first == second
    assert pool.rules[first] == (1,)


def test_a_search_without_time_still_has_rules_and_one_with_time_no_worse_ones():
    rng = np.random.default_rng(5)
    X = rng.integers(0, 6, (200, 4)).astype(float)
    d = (X.sum(axis=1) - 10 + rng.normal(0, 3, 200)).round(2)
    table = (X, d, *all_cuts(X))
    hasty = distil_path(*table, max_rules=5, out_of_time=lambda: True)
    patient = distil_path(*table, max_rules=5)
    assert 0 < len(hasty.sets[5].rules) <= 5
    assert hasty.sets[5].gain > 0
    assert len(hasty.pool) < len(patient.pool)
    assert all(a.gain <= b.gain for a, b in zip(hasty.sets, patient.sets))


def test_nothing_is_refined_when_time_is_over(monkeypatch):
    rng = np.random.default_rng(5)
    X = rng.integers(0, 6, (60, 3)).astype(float)
    patterns = merge_rows(X, rng.normal(size=60), *all_cuts(X))
    search = PathSearch(patterns, 4, 2, out_of_time=lambda: True)
    search.start()
    monkeypatch.setattr(search, "_descend", lambda chosen: pytest.fail("went on"))
    search.refine(4)


def test_more_than_five_clauses_are_for_who_asks():
    rng = np.random.default_rng(0)
    X = (rng.random((800, 14)) < 0.8).astype(float)
    accepted = np.logical_and.reduce([X[:, j] + X[:, j + 7] >= 1 for j in range(7)])
    d = np.where(accepted, 1.0, -1.0)
    given = X, d, np.arange(14), np.ones(14)
    asked = distil_path(*given, max_rules=8, forms=("cnf",)).sets[-1]
    assert (asked.form, len(asked.rules), asked.gain) == ("cnf", 7, accepted.sum())
    assert distil_path(*given, max_rules=8, n_rules=7).sets[7].form == "cnf"
    for one in distil_path(*given, max_rules=8).sets:
        assert one.form == "dnf" or len(one.rules) <= 5
