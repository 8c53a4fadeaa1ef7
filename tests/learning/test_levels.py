"""Levels of each criterion: where they lie, what is best at them, what they refuse."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import make_blobs
from sklearn.preprocessing import StandardScaler

from oracles import families_of, up_sets_of
from sugeno import SugenoClassifier
from sugeno._counts.patterns import Patterns
from sugeno._counts.weights import row_weights
from sugeno._learning.engine import SolverOptions, solve
from sugeno._learning.levels import MOST_LEVELS, cut_points, level_between, literals_between
from sugeno._scales.criterion import Criterion
from sugeno._scales.dates import days_of
from sugeno._scales.value_counts import ValueCounts
from sugeno._sets.chains import Chains
from sugeno._sets.masks import pack, unpack
from sugeno.model import grading
from sugeno.solvers.budget import Budget
from sugeno.solvers.closure import solve_closure
from sugeno.solvers.maxitive import solve_maxitive
from tables import table_of


def grid_table(seed, sizes, n=24):
    """Rows on a small grid with labels that no monotone classifier gets right."""
    rng = np.random.default_rng(seed)
    X = np.column_stack([rng.integers(0, size + 1, n) for size in sizes]).astype(float)
    # Both ends of every column occur, so that each value is a place on its chain.
    X[: max(sizes) + 1] = np.minimum(np.arange(max(sizes) + 1)[:, None], sizes)
    y = (X / np.maximum(sizes, 1)).sum(axis=1) + rng.normal(0, 0.7, n) > len(sizes) / 2
    y[:2] = [True, False]
    return X, y


def cells(X, sizes):
    return np.ravel_multi_index(X.T.astype(int), [s + 1 for s in sizes], order="F")


GRIDS = [(3,), (2, 2), (3, 1), (2, 1, 1)]


@pytest.mark.parametrize("normalized", [True, False])
@pytest.mark.parametrize("sizes", GRIDS, ids=str)
def test_all_levels_are_isotonic_separation(sizes, normalized):
    """No monotone labelling of the grid makes fewer errors than every level with k=None."""
    every = up_sets_of(sizes)
    every = every[~every[:, 0]]
    if normalized:
        every = every[every[:, -1]]
    for seed in range(12):
        X, y = grid_table(seed, sizes)
        weights = np.random.default_rng(seed).integers(1, 5, y.size)
        clf = SugenoClassifier(levels="all", directions=None, normalized=normalized)
        clf.fit(X, y, sample_weight=weights)
        fewest = ((every[:, cells(X, sizes)] != y) * weights).sum(axis=1).min()
        assert clf.objective_ == fewest
        assert clf.gap_ == 0
        assert weights[clf.predict(X) != y].sum() == fewest


@pytest.mark.parametrize("k", [1, 2])
@pytest.mark.parametrize("sizes", [(2, 2), (2, 1, 1), (2, 2, 1)], ids=str)
def test_rules_of_k_criteria_at_two_levels_are_the_best_of_all(sizes, k):
    """Every DNF of at most k criteria per rule, tried one by one."""
    families = [member for member, sets in families_of(sizes, k) if len(sets)]
    for seed in range(6):
        X, y = grid_table(seed, sizes)
        clf = SugenoClassifier(levels=2, k=k, directions=None).fit(X, y)
        places = cells(X, sizes)
        assert clf.objective_ == min(np.sum(member[places] != y) for member in families)
        assert clf.bound_ <= clf.objective_ == np.sum(clf.predict(X) != y)
        asked = clf.rules_.literal_criteria
        assert all(len({asked[j] for j in rule}) == len(rule) <= k for rule in clf.rules_.sets)


@pytest.mark.parametrize("levels", [2, "all"])
@pytest.mark.parametrize("k", [None, 2])
def test_a_level_that_no_row_distinguishes_changes_nothing(levels, k):
    """A row of weight 0 has a value of its own, and so a level that no row needs."""
    X, y = grid_table(3, (2, 2))
    clf = SugenoClassifier(levels=levels, k=k, directions=None).fit(X, y)
    extra, told = np.vstack([X, [[0.5, 1.5]]]), np.append(y, True)
    weights = np.append(np.ones(len(y)), 0)
    other = SugenoClassifier(levels=levels, k=k, directions=None).fit(extra, told, weights)
    assert other.rules_ == clf.rules_
    assert other.objective_ == clf.objective_
    rows = np.random.default_rng(0).uniform(-1, 3, (200, 2))
    np.testing.assert_array_equal(other.predict_proba(rows), clf.predict_proba(rows))


def test_splitting_a_level_changes_nothing():
    """Two literals that hold for the same rows are as good as one of them."""
    for seed in range(8):
        X, y = grid_table(seed, (2, 2))
        bits = np.column_stack([X[:, [0]] > [0, 1], X[:, [1]] > [0, 1]])
        split = bits[:, [0, 0, 1, 2, 3]]
        weights = row_weights(None, len(y))
        one = Patterns.from_rows(pack(bits), y.astype(int), weights, Chains((2, 2)))
        two = Patterns.from_rows(pack(split), y.astype(int), weights, Chains((3, 2)))
        assert solve_closure(one).objective == solve_closure(two).objective
        assert solve_maxitive(one, 1).objective == solve_maxitive(two, 1).objective
        assert solve_maxitive(one, 2).objective == solve_maxitive(two, 2).objective


def errors_alone(x, y):
    """Fewest errors of one criterion at one level of its own."""
    return min(np.sum((x >= level) != y) for level in [*np.unique(x)[1:]])


@pytest.mark.parametrize("seed", range(8))
def test_a_single_level_has_one_literal_and_is_at_least_as_good_as_each_criterion_alone(seed):
    X, y = grid_table(seed, (4, 3, 2), n=40)
    clf = SugenoClassifier(levels="single", directions=None).fit(X, y)
    assert sorted(clf.rules_.literal_criteria) == [0, 1, 2]
    assert clf.bound_ <= clf.objective_ == np.sum(clf.predict(X) != y)
    every = SugenoClassifier(levels="all", directions=None).fit(X, y)
    assert every.objective_ == clf.bound_ <= clf.objective_
    # Any start of the search has the best cut of a criterion within one move.
    assert clf.objective_ <= min(errors_alone(X[:, j], y) for j in range(3))


def test_no_single_level_can_be_moved_to_make_fewer_errors():
    X, y = grid_table(1, (4, 3), n=50)
    clf = SugenoClassifier(levels="single", directions=None).fit(X, y)
    chosen = clf.rules_.levels
    for j, size in enumerate((4, 3)):
        for level in range(1, size + 1):
            cuts = chosen.copy()
            cuts[j] = level
            binary = (cuts <= X).astype(float)
            best = SugenoClassifier(levels="all", directions=None).fit(binary, y).objective_
            assert clf.objective_ <= best


def test_a_search_without_time_keeps_levels_and_a_bound():
    X, y = grid_table(2, (4, 3, 2), n=40)
    clf = SugenoClassifier(levels="single", directions=None, time_limit=0).fit(X, y)
    assert sorted(clf.rules_.literal_criteria) == [0, 1, 2]
    assert clf.bound_ <= clf.objective_ == np.sum(clf.predict(X) != y)


@pytest.mark.parametrize("levels", [1, 3, "single", "all"])
@pytest.mark.parametrize("k", [None, 2])
def test_the_bound_never_exceeds_the_objective(levels, k):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 4))
    y = X.sum(axis=1) + rng.normal(0, 2, 80) > 0
    clf = SugenoClassifier(levels=levels, k=k, directions=None, time_limit=1).fit(X, y)
    assert 0 <= clf.bound_ <= clf.objective_ == np.sum(clf.predict(X) != y)
    assert clf.gap_ == clf.objective_ - clf.bound_


def test_more_levels_never_make_more_errors():
    X, y = grid_table(4, (5, 5), n=60)
    errors = [
        SugenoClassifier(levels=q, directions=None).fit(X, y).objective_ for q in (1, 5, "all")
    ]
    assert errors == sorted(errors, reverse=True)
    assert errors[-2] == errors[-1]


def test_a_constant_criterion_has_no_literal():
    X, y = grid_table(0, (3, 2))
    X = np.column_stack([X[:, 0], np.full(len(X), 7.0), X[:, 1]])
    for levels in (1, 2, "single", "all"):
        clf = SugenoClassifier(levels=levels, directions=None).fit(X, y)
        assert 1 not in clf.rules_.literal_criteria
        assert clf.feature_importances_[1] == 0


@pytest.mark.parametrize("levels", [2, "single"])
def test_few_levels_are_right_on_the_blobs_of_scikit_learn(levels):
    """Their tag poor_score leaves out this part of a check together with one that they fail."""
    X, y = make_blobs(n_samples=300, random_state=0)
    X, y = StandardScaler().fit_transform(X)[y != 2], y[y != 2]
    clf = SugenoClassifier(levels=levels).fit(X, y)
    assert clf.__sklearn_tags__().classifier_tags.poor_score
    assert clf.score(X, y) > 0.83


# ------------------------------------------------------------------ where the levels lie


def test_cuts_are_where_the_share_of_the_positive_class_changes_most():
    # The share is 0, 0, 1/2, 1/2, 1, 1: two cuts say all.
    weights = np.array([[4, 0], [4, 0], [2, 2], [2, 2], [0, 4], [0, 4]])
    counts = ValueCounts(np.arange(6.0), weights)
    assert cut_points(counts, 1, 2).tolist() == [1, 3]
    # Turned round, more of it speaks against the positive class: nothing is gained anywhere.
    assert cut_points(ValueCounts(np.arange(6.0), weights[::-1].copy()), -1, 2).tolist() == [1, 3]
    # The first cut to go is the one whose loss costs least likelihood.
    lopsided = np.array([[40, 0], [39, 1], [0, 40]])
    assert cut_points(ValueCounts(np.arange(3.0), lopsided), 1, 1).tolist() == [1]


def test_further_cuts_split_the_rows_evenly():
    counts = ValueCounts(np.arange(8.0), np.tile([1, 1], (8, 1)))
    found = cut_points(counts, 1, 3)
    assert found.size == 3
    assert np.diff([0, *(found + 1), 8]).max() <= 3


def test_all_means_every_value_up_to_a_cap():
    few = ValueCounts(np.arange(20.0), np.ones((20, 2), int))
    assert cut_points(few, 1, "all").tolist() == list(range(19))
    many = ValueCounts(np.arange(1000.0), np.ones((1000, 2), int))
    found = cut_points(many, 1, "all")
    assert found.size == MOST_LEVELS
    assert np.diff(found).max() <= 17


@given(
    st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=12),
    st.integers(1, 5),
    st.sampled_from([-1, 1]),
)
def test_there_are_at_most_so_many_cuts_between_values_that_occur(pairs, levels, direction):
    weights = np.array(pairs) + np.array([1, 0])
    found = cut_points(ValueCounts(np.arange(float(len(pairs))), weights), direction, levels)
    assert found.size <= min(levels, len(pairs) - 1)
    assert (np.diff(found) > 0).all()
    assert ((found >= 0) & (found < len(pairs) - 1)).all()


@given(st.lists(st.floats(-1e300, 1e300), min_size=2, max_size=9, unique=True))
def test_no_observed_value_lies_on_the_wrong_side_of_a_level(values):
    x = np.sort(np.array(values) + 0.0)
    X = np.column_stack([x, x])
    criteria = [Criterion("up"), Criterion("down", -1)]
    literals = literals_between(table_of(X, np.arange(x.size) % 2), criteria, "all")
    for j, direction in ((0, 1), (1, -1)):
        mine = literals.columns == j
        levels = literals.levels[mine] * direction
        assert (np.diff(levels) > 0).all()  # the weakest first
        reached = (X[:, [j]] * direction >= levels).sum(axis=0)
        assert reached.tolist() == list(range(np.unique(x).size - 1, 0, -1))


# ------------------------------------------------------------------ what is refused


@pytest.mark.parametrize("levels", [2, "single", "all"])
@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"margin": 0.1}, "margin=0.1"),
        ({"threshold": "joint"}, "threshold='joint'"),
        ({"threshold": 0.4}, "threshold=0.4"),
        ({"solver": "lp"}, "solver='lp'"),
        ({"k": 2, "subsets": "all"}, "subsets='all'"),
    ],
)
def test_what_needs_a_shared_threshold_is_refused(levels, given, message):
    X, y = grid_table(0, (2, 2, 2))
    with pytest.raises(ValueError, match=rf"levels={levels!r} gives .* {message}.*'shared'"):
        SugenoClassifier(levels=levels, **given).fit(X, y)


@pytest.mark.parametrize("levels", [0, -1, 1.5, "two", None, [2]])
def test_levels_of_another_kind_are_refused(levels):
    X, y = grid_table(0, (2, 2))
    with pytest.raises(ValueError, match="The 'levels' parameter of SugenoClassifier"):
        SugenoClassifier(levels=levels).fit(X, y)


def test_binary_utilities_have_no_quantile_utility():
    X, y = grid_table(0, (2, 2))
    clf = SugenoClassifier(levels=2, directions=None).fit(X, y)
    with pytest.raises(AttributeError, match="binary utility of its own; see rules_"):
        _ = clf.utility_
    assert ((clf.integral(X) >= clf.threshold_) == clf.predict(X)).all()


def test_no_solver_ignores_that_criteria_have_several_levels():
    X, y = grid_table(0, (2, 2))
    bits = np.column_stack([X[:, [0]] > [0, 1], X[:, [1]] > [0, 1]])
    weights = row_weights(None, len(y))
    patterns = Patterns.from_rows(pack(bits), y.astype(int), weights, Chains((2, 2)))
    with pytest.raises(ValueError, match="solver='lp' does not"):
        solve(patterns, 2, SolverOptions(solver="lp"), Budget.of(1.0))


@pytest.mark.parametrize("most", [3, 10**6])
def test_the_capacity_over_levels_has_the_family_of_the_rules(most, monkeypatch):
    """Also where grades for all small sets would be too many."""
    monkeypatch.setattr(grading, "_MOST_SETS", most)
    X, y = grid_table(5, (3, 3, 2), n=60)
    clf = SugenoClassifier(levels=3, directions=None).fit(X, y)
    chains = clf.model_.boundaries[0].literals.chains
    patterns = chains.masks_of(np.arange(chains.n_cells))  # all that a row can satisfy
    members = map(np.flatnonzero, unpack(patterns, chains.n_literals))
    above = [clf.capacity_(some.tolist()) >= clf.threshold_ for some in members]
    assert above == clf.rules_.accepts(patterns).tolist()
    assert ((clf.integral(X) >= clf.threshold_) == clf.predict(X)).all()


@pytest.mark.parametrize(
    ("worse", "better", "level"),
    [
        ("2019-11-20", "2020-02-03", "2020-01-01"),
        ("2020-01-20", "2020-02-03", "2020-02-01"),
        ("2020-02-03", "2020-01-20", "2020-02-01"),  # the earlier, the better
        ("2020-02-03 10:20", "2020-02-03 12:31", "2020-02-03 12:00"),
        ("2020-02-03", "2020-02-04", "2020-02-04"),
        ("2020-02-04", "2020-02-03", "2020-02-03"),
    ],
)
def test_levels_of_dates_are_round(worse, better, level):
    ends = days_of(worse), days_of(better)
    since = Criterion("since", 1 if ends[0] < ends[1] else -1, kind="date")
    found = level_between(since, *ends)
    assert found == days_of(level)
    assert since.reaches(ends[1], found)
    assert not since.reaches(ends[0], found)
