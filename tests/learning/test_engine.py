"""Which solver answers, and what is refused instead of ignored."""

import numpy as np
import pytest

from sugeno import SugenoClassifier, SugenoClassifierCV
from sugeno._learning.engine import SolverOptions, check_settings, solver_for
from sugeno._learning.exact import narrowed, widened
from sugeno._sets.chains import Chains
from sugeno._sets.masks import contains_any
from sugeno.solvers.all_subsets_cut import SHARED
from sugeno.solvers.base import Solver
from sugeno.solvers.closure import CLOSURE
from sugeno.solvers.maxitive import MAXITIVE
from sugeno.solvers.registry import ENGINES, PROGRAM


def table(n=60, m=4, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, m))
    return X, (X.sum(axis=1) + rng.normal(size=n) > 0).astype(int)


@pytest.mark.parametrize(
    ("settings", "k", "solver"),
    [
        ({}, 4, CLOSURE),
        ({}, 2, MAXITIVE),
        ({"max_rules": 2}, 4, MAXITIVE),
        ({"rule_cost": 0.1}, 4, MAXITIVE),
        ({"literal_cost": 0.1}, 2, MAXITIVE),
        ({"subsets": "all"}, 2, SHARED),
        ({"subsets": "all"}, 4, CLOSURE),
        ({"subsets": "all", "max_rules": 2}, 2, None),
        ({"subsets": "top"}, 2, None),
        ({"solver": "lp"}, 2, PROGRAM),
        ({"solver": "lp", "subsets": "top"}, 2, PROGRAM),
        ({"solver": "lp", "max_rules": 2}, 2, None),
    ],
)
def test_the_first_solver_that_uses_what_was_asked_for_answers(settings, k, solver):
    assert solver_for(SolverOptions(**settings), k, Chains.single(4)) is solver


def test_several_levels_per_criterion_go_to_a_solver_that_takes_them():
    several = Chains((2, 1))
    assert solver_for(SolverOptions(), 1, several) is MAXITIVE
    assert solver_for(SolverOptions(solver="lp"), 1, several) is None
    assert solver_for(SolverOptions(subsets="all"), 1, several) is None


def test_a_new_solver_needs_only_a_declaration(monkeypatch):
    mine = Solver("mine", CLOSURE.solve, frozenset({"max_rules", "extension"}))
    monkeypatch.setitem(ENGINES, "exact", (mine,))
    X, y = table()
    assert SugenoClassifier(max_rules=1, extension="lower").fit(X, y).objective_ >= 0


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"max_rules": 5}, r"solver='lp' does not .* max_rules=5 .*use solver='exact'"),
        ({"rule_cost": 0.5}, r"rule_cost=0\.5"),
        ({"literal_cost": 0.5}, r"literal_cost=0\.5"),
        ({"extension": "upper"}, r"extension has no effect .*linear program .*default 'auto'"),
    ],
)
@pytest.mark.parametrize("k", [None, 2])
def test_the_linear_program_refuses_what_it_would_ignore(given, message, k):
    X, y = table()
    with pytest.raises(ValueError, match=message):
        SugenoClassifier(solver="lp", k=k, **given).fit(X, y)
    with pytest.raises(ValueError, match=message):
        SugenoClassifierCV(solver="lp", cv=2, **given).fit(X, y)


@pytest.mark.parametrize("time_limit", [0, 30, 31, 120, 121, None])
def test_the_linear_program_runs_to_its_end_whatever_the_limit(time_limit):
    X, y = table()
    usual = SugenoClassifier(solver="lp", k=2, random_state=0).fit(X, y)
    clf = SugenoClassifier(solver="lp", k=2, random_state=0, time_limit=time_limit).fit(X, y)
    assert str(clf.rules_) == str(usual.rules_)
    chosen = SugenoClassifierCV(solver="lp", levels="shared", cv=2, time_limit=time_limit)
    assert chosen.fit(X, y).objective_ >= 0


@pytest.mark.parametrize("given", [{"k": 2}, {"max_rules": 3}, {"k": 2, "subsets": "all"}])
def test_an_extension_is_refused_where_no_label_is_free(given):
    X, y = table()
    with pytest.raises(ValueError, match="extension has no effect"):
        SugenoClassifier(extension="lower", **given).fit(X, y)


def test_an_extension_that_one_k_of_a_path_uses_is_taken():
    X, y = table()
    for k in (1, 4):
        SugenoClassifierCV(levels="shared", ks=[k, 4], cv=2, extension="upper").fit(X, y)
    with pytest.raises(ValueError, match="extension has no effect"):
        SugenoClassifierCV(ks=[1, 2], cv=2, extension="upper").fit(X, y)


@pytest.mark.parametrize("solver", ["exact", "lp"])
@pytest.mark.parametrize("k", [None, 1, 2])
def test_defaults_and_a_seed_are_never_refused(solver, k):
    X, y = table()
    clf = SugenoClassifier(solver=solver, k=k, random_state=0).fit(X, y)
    again = SugenoClassifier(**clf.get_params()).fit(X, y)
    assert str(again.rules_) == str(clf.rules_)


@pytest.mark.parametrize("threshold", [5e-324, 1e-9, 1 - 1e-16])
def test_a_threshold_that_the_program_cannot_resolve_is_named(threshold):
    X, y = table()
    with pytest.raises(ValueError, match=r"needs a threshold .* Got threshold=.*solver='exact'"):
        SugenoClassifier(solver="lp", threshold=threshold).fit(X, y)
    assert SugenoClassifier(threshold=threshold).fit(X, y).threshold_ == threshold


def test_settings_are_checked_for_every_k():
    check_settings(SolverOptions(max_rules=3), "median", [1, 2, None], 3)
    with pytest.raises(ValueError, match="threshold='joint' needs solver='exact'"):
        check_settings(SolverOptions(solver="lp"), "joint", [None], 3)


def test_families_that_cross_are_widened_or_narrowed():
    first, second = np.array([[3]], np.uint64), np.array([[1], [6]], np.uint64)
    for families in (widened([first, second]), narrowed([first, second])):
        assert contains_any(families[1], families[0]).all()
    third = np.array([[7], [1]], np.uint64)
    assert narrowed([first, third])[1].tolist() == [[7]]
