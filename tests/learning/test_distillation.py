"""From a teacher to rules: exact where labels are hard, with a bound that holds."""

from itertools import product

import numpy as np
import pytest

from oracles import families_of, up_sets_of
from sugeno import SugenoClassifier, SugenoDistiller
from sugeno._distil.best_card import CardOptimum
from sugeno._distil.search import Effort
from sugeno._learning import distillation, teaching
from sugeno._learning.distillation import distil_rules
from sugeno._learning.teaching import TaughtVerdicts, Teaching
from sugeno._learning.training import prepare
from sugeno._scales.rows import oriented
from sugeno.datasets import load
from tables import table_of

SIZES = (2, 2, 1)


def hard_case(seed, n=30, sizes=SIZES):
    rng = np.random.default_rng(seed)
    X = np.column_stack([rng.integers(0, size + 1, n) for size in sizes]).astype(float)
    X[:3] = np.minimum(np.arange(3)[:, None], sizes)
    y = (X / sizes).sum(axis=1) + rng.normal(0, 0.7, n) > len(sizes) / 2
    y[:2] = [True, False]
    return X, y


def distil(training, teaching, *, seed=0, **options):
    """Ask a teacher, and search."""
    drawn = {name: options.pop(name) for name in ("draw", "n_varied") if name in options}
    taught = TaughtVerdicts.of(training, teaching, seed=seed, **drawn)
    return distil_rules(taught, seed=seed, **options)


def taught_by_labels(X, y, weights=None, **options):
    """Distil a teacher that says of every row what its label is."""
    training = prepare(table_of(X, y, weights), np.array([0, 1]), directions=np.ones(3, int))
    rows = oriented(training.table.X, training.knots.directions)
    cuts = [np.ones(np.unique(column).size - 1) for column in rows.T]
    truth = training.table.codes.astype(float)
    # No varied rows: what is taught are the training rows.
    given = {"max_rules": 6, "k": 3, "effort": Effort(restarts=20), "n_varied": 0, **options}
    return distil(training, Teaching(truth, lambda r: np.zeros(len(r)), cuts), **given)


def cells(X, sizes=SIZES):
    return np.ravel_multi_index(X.T.astype(int), [s + 1 for s in sizes], order="F")


@pytest.mark.parametrize("seed", range(8))
def test_learning_from_hard_labels_is_learning_from_them(seed):
    """The path ends at the fewest errors of any monotone labelling of the grid."""
    X, y = hard_case(seed)
    weights = np.random.default_rng(seed).integers(1, 4, len(y))
    found = taught_by_labels(X, y, weights)
    total = weights.sum()
    fewest = ((up_sets_of(SIZES)[:, cells(X)] != y) * weights).sum(axis=1).min()
    errors = [weights[found.accepted(size, X) != y].sum() for size in range(len(found))]
    assert errors[-1] == fewest
    assert total * found.least_disagreement == pytest.approx(fewest, abs=1e-3)
    for size, wrong in enumerate(errors):
        assert total * found.disagreement(size) == pytest.approx(wrong, abs=1e-3)
    # With enough rules and every level the classifier learned from the labels is as good.
    clf = SugenoClassifier(levels="all", directions=None, normalized=False)
    assert clf.fit(X, y, sample_weight=weights).objective_ >= fewest


def test_rows_are_drawn_as_it_is_told():
    X, y = hard_case(0)
    asked = []

    def draw(rows, n_rows, *, weight=None, together=None, seed=0):
        asked.append((weight.sum(), n_rows, seed))
        return rows[:n_rows]

    taught_by_labels(X, y, draw=draw, n_varied=7, seed=3)
    assert asked == [(30, 7, 3)]


def test_forms_are_compared_at_the_price_that_it_is_told():
    X = np.array(list(product([0.0, 1], repeat=3)))
    # One clause but for row (0, 1, 0), which counts half, or two rules.
    y = (X[:, 0] > 0) | ((X[:, 1] > 0) & (X[:, 2] > 0))
    weights = np.where((X == [0, 1, 0]).all(axis=1), 1, 2)
    found = {price: taught_by_labels(X, y, weights, price=price) for price in (0.01, 0.1)}
    assert [f.path.best(price).form for price, f in found.items()] == ["dnf", "cnf"]
    assert [f.best_size(price) for price, f in found.items()] == [2, 1]


@pytest.mark.parametrize("k", [1, 2])
def test_few_rules_of_few_criteria_are_the_best_ones(k):
    """Of every number of rules: all families of at most k criteria per rule, tried one by one."""
    families = families_of(SIZES, k)
    for seed in range(4):
        X, y = hard_case(seed)
        found = taught_by_labels(X, y, max_rules=3, k=k, forms=("dnf",))
        places = cells(X)
        for size in range(1, 4):
            best = min(
                np.sum(member[places] != y) for member, sets in families if len(sets) <= size
            )
            wrong = np.sum(found.accepted(size, X) != y)
            assert wrong == min(best, np.sum(found.accepted(0, X) != y))


def test_a_learnable_concept_is_learned_without_any_disagreement():
    X, _ = hard_case(0)
    y = (X[:, 0] >= 1) & (X[:, 1] >= 2) | (X[:, 2] >= 1)
    found = taught_by_labels(X, y)
    assert found.disagreement(2) == found.least_disagreement == 0
    model = found.model(2)
    assert model.certificate.objective == model.certificate.bound == 0
    assert (model.accepted(X) == y).all()


@pytest.mark.parametrize("seed", range(4))
def test_the_bound_holds_for_every_number_of_rules_and_disagreement_never_rises(seed):
    X, y = hard_case(seed)
    rng = np.random.default_rng(seed)
    training = prepare(table_of(X, y), np.array([0, 1]), directions=np.array([1, -1, 1]))
    soft = rng.random(len(y))
    found = distil(
        training,
        Teaching(soft, lambda rows: 1 / (1 + np.exp(-rows.sum(axis=1)))),
        max_rules=5,
        k=2,
    )
    path = [found.disagreement(size) for size in range(len(found))]
    assert (np.diff(path) <= 0).all()
    assert 0 <= found.least_disagreement <= path[-1]
    summary = found.summary()
    assert [row["disagreement"] for row in summary] == path
    for size, row in enumerate(summary):
        accepted = found.accepted(size, X)
        assert row["rules"] <= size
        assert row["error"] == pytest.approx(np.mean(accepted != y))
        assert row["fidelity"] == pytest.approx(np.mean(accepted == found.taught.verdict))
        model = found.model(size)
        assert (model.accepted(X) == accepted).all()
        assert model.certificate.bound <= model.certificate.objective
        assert model.certificate.objective == pytest.approx(len(y) * row["disagreement"])


def test_the_price_of_a_rule_decides_how_many_there_are():
    X, y = hard_case(1)
    found = taught_by_labels(X, y)
    sizes = [len(found.path.sets[found.best_size(price)].rules) for price in (0, 0.01, 0.1, 1)]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] > sizes[-1] == 0


def test_a_long_table_is_thinned(monkeypatch):
    monkeypatch.setattr(teaching, "MOST_ROWS", 40)
    X, y = hard_case(2, n=400)
    order = np.random.default_rng(0).permutation(400)
    found = taught_by_labels(X, y)
    other = taught_by_labels(X[order], y[order])
    assert [s.rules for s in found.path.sets] == [s.rules for s in other.path.sets]
    assert found.path.patterns.gains.size <= 40
    error = np.mean(found.accepted(len(found) - 1, X) != y)
    fewest = (up_sets_of(SIZES)[:, cells(X)] != y).mean(axis=1).min()
    assert fewest <= error <= fewest + 0.1


def searched_carelessly(seed, forms):
    """A path that leaves something to be found among the rules that it met."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 5, (60, 4)).astype(float)
    y = X.sum(axis=1) + rng.normal(0, 3, 60) > 8
    training = prepare(table_of(X, y), np.array([0, 1]), directions=np.ones(4, int))
    careless = Effort(loss_multipliers=(1, 2), restarts=0, rounds=0, beam=8, first=8)
    teaching = Teaching(y.astype(float), lambda rows: rows.sum(axis=1) > 8, [np.ones(4)] * 4)
    found = distil(training, teaching, max_rules=6, k=3, effort=careless, n_varied=50, forms=forms)
    return X, found


@pytest.mark.parametrize("form", ["dnf", "cnf"])
def test_a_program_over_the_rules_met_finds_no_worse_sets(form):
    better = 0
    for seed in range(6):
        X, found = searched_carelessly(seed, [form])
        improved = found.improved(4, 5.0)
        gains = [one.gain for one in improved.path.sets]
        assert (np.diff(gains) >= 0).all()
        assert len(improved.path.sets[4].rules) <= 4
        before, after = found.disagreement(4), improved.disagreement(4)
        assert improved.least_disagreement <= after <= before
        better += after < before
        # What it says it gains is what it gains.
        one, patterns = improved.path.sets[4], found.path.patterns
        places = {int(j): i for i, j in enumerate(patterns.literals)}
        held = [patterns.reached[[places[j] for j in rule]] > 0 for rule in one.rules]
        if form == "dnf":
            covered = np.any([rule.all(axis=0) for rule in held], axis=0)
        else:
            covered = np.all([clause.any(axis=0) for clause in held], axis=0)
        assert patterns.gains[covered].sum() / patterns.units == pytest.approx(one.gain)
        model = improved.model(4)
        assert (model.accepted(X) == improved.accepted(4, X)).all()
        assert found.improved(4, 0.0) is found.improved(0, 5.0) is found
    assert better > 0


@pytest.mark.parametrize("forms", [("dnf",), ("cnf",)])
def test_pruned_rules_say_what_they_gain_and_are_worth_no_less(forms):
    for seed in range(6):
        X, y = hard_case(seed, n=60)
        found = taught_by_labels(X, y, forms=forms)
        for price in (0.0, 0.01, 0.05):
            pruned = found.pruned(price)
            for size, (before, after) in enumerate(zip(found.path.sets, pruned.path.sets)):
                worth = [s.gain - price * s.n_literals for s in (before, after)]
                assert worth[1] >= worth[0] - 1e-9
                wrong = np.mean(pruned.accepted(size, X) != y)
                assert pruned.disagreement(size) == pytest.approx(wrong, abs=1e-5)
                assert len(after.rules) <= max(len(before.rules), 0)
                summary = pruned.summary()[size]
                assert summary["literals"] == after.n_literals


def test_a_program_without_an_answer_leaves_the_card_as_it_is(monkeypatch):
    table = load("LEV")
    options = {"form": "points", "n_literals": 3, "directions": table.directions}
    plain = SugenoDistiller(**options).fit(table.data, table.target)
    nothing = CardOptimum(None, 0.0)
    monkeypatch.setattr(distillation, "best_card", lambda *given, **known: nothing)
    clf = SugenoDistiller(**options, improve=True).fit(table.data, table.target)
    assert clf.rules_ == plain.rules_
    assert clf.card_bound_ == 0
