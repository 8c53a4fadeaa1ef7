"""Rule sets in conjunctive form: one literal of every clause."""

import math
import pickle
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracles import contains_any, patterns_of
from sugeno import RuleSet, SugenoDistiller
from sugeno.model import support
from sugeno.model.support import Support
from sugeno.model.text import sentence

NAMES = ["interview", "experience", "references"]


def hiring(**options):
    return RuleSet([{0, 1}, {2}], [6, 4, 7], criteria=NAMES, form="cnf", **options)


@st.composite
def clause_sets(draw):
    """Clauses over up to three criteria with up to three levels each."""
    sizes = draw(st.lists(st.integers(0, 3), min_size=1, max_size=3).filter(sum))
    columns = np.repeat(np.arange(len(sizes)), sizes)
    literal = st.integers(0, columns.size - 1)
    sets = draw(st.lists(st.frozensets(literal), max_size=4))
    directions = draw(st.lists(st.sampled_from([-1, 1]), min_size=len(sizes), max_size=len(sizes)))
    ranks = np.concatenate([np.arange(size) for size in sizes])
    return sets, sizes, columns, ranks * np.array(directions)[columns], directions


def make(case, form="cnf"):
    sets, sizes, columns, levels, directions = case
    names = [f"c{j}" for j in range(len(sizes))]
    return RuleSet(
        sets, levels, criteria=names, directions=directions, literal_criteria=columns, form=form
    )


@given(clause_sets())
def test_a_row_is_accepted_if_it_satisfies_a_literal_of_every_clause(case):
    sets, sizes, columns, levels, directions = case
    signs = np.array(directions)
    X = np.array(list(product(range(-1, 3), repeat=len(sizes)))) * signs
    held = (X[:, columns] - levels) * signs[columns] >= 0
    expected = [all(any(row[j] for j in clause) for clause in sets) for row in held]
    rules = make(case)
    assert rules.predict(X).tolist() == expected
    # The boundary sets are the same classifier in disjunctive form.
    accepted = contains_any(rules.satisfied(X.astype(float)), rules.boundary_sets)
    assert accepted.tolist() == expected
    dnf = RuleSet.from_masks(rules.boundary_sets, rules.literal_set)
    assert dnf.predict(X).tolist() == expected
    again = pickle.loads(pickle.dumps(rules))
    assert again == rules
    assert again.predict(X).tolist() == expected


@given(clause_sets())
def test_clauses_keep_no_redundant_literal_and_no_redundant_clause(case):
    rules = make(case)
    columns = rules.literal_criteria
    for clause in rules.sets:
        assert len({columns[j] for j in clause}) == len(clause)
    for i in range(len(rules)):
        rest = [clause for j, clause in enumerate(rules.sets) if j != i]
        shorter = make((rest, *case[1:]))
        X = np.array(list(product(range(-1, 3), repeat=len(case[1])))) * np.array(case[4])
        assert (shorter.predict(X) != rules.predict(X)).any()


def test_clauses_read_as_a_sentence():
    assert str(hiring()) == "accept if references >= 7 and (interview >= 6 or experience >= 4)"
    assert str(RuleSet([{0, 1}], [6, 4], form="cnf")) == "accept if x0 >= 6 or x1 >= 4"
    assert list(hiring()) == ["references >= 7", "interview >= 6 or experience >= 4"]
    assert str(hiring(label="good")).startswith("good if references >= 7 and (")


def test_constants_of_both_forms():
    assert str(RuleSet([], [1], form="cnf")) == "accept always"
    assert str(RuleSet([[]], [1], form="cnf")) == "accept never"
    assert str(RuleSet([], [1])) == "accept never"
    assert str(RuleSet([[]], [1])) == "accept always"
    assert RuleSet([], [1], form="cnf").predict([[0], [2]]).all()
    assert not RuleSet([[]], [1], form="cnf").predict([[0], [2]]).any()
    assert len(RuleSet([[]], [1], form="cnf").boundary_sets) == 0
    assert RuleSet([], [1], form="cnf").boundary_sets.tolist() == [[0]]


def test_long_sentences_of_clauses_are_broken_between_clauses():
    clauses = [f"criterion{i} >= {i} or price <= {i}" for i in range(6)]
    text = sentence(clauses, "accept", "cnf")
    assert text.splitlines()[0] == "accept if"
    assert text.count(" and\n  (") == 5
    assert sentence(["a >= 1", "b >= 2 or c >= 3"], form="cnf") == (
        "accept if a >= 1 and (b >= 2 or c >= 3)"
    )


def test_forms_are_told_apart():
    clauses, rules = hiring(), RuleSet([{0, 1}, {2}], [6, 4, 7], criteria=NAMES)
    assert clauses != rules
    assert clauses == hiring()
    assert len({clauses, hiring(), rules}) == 2
    assert clauses.form == "cnf"
    assert clauses.label is None
    assert hiring(label="good").label == "good"
    assert rules.form == "dnf"
    with pytest.raises(ValueError, match=r"form must be 'dnf' or 'cnf'\. Got 'xor' instead"):
        RuleSet([{0}], [1], form="xor")


def test_the_order_in_which_clauses_are_given_does_not_matter():
    one = RuleSet([{0, 1}, {2}], [6, 4, 7], form="cnf")
    assert one == RuleSet([{2}, {1, 0}, {0, 1, 2}], [6, 4, 7], form="cnf")


def test_support_of_a_clause_are_the_rows_that_it_rejects():
    # Patterns over two literals: none, the first, the second, both.
    masks = np.arange(4, dtype=np.uint64)[:, None]
    patterns = patterns_of(masks, np.array([1, 2, 3, 4]), np.array([10, 20, 30, 40]), 2, unit=0.5)
    clauses = np.array([[0b01], [0b11], [0b00]], np.uint64)
    found = Support.of_clauses(clauses, patterns)
    assert found.weight.tolist() == [0.5 * 44, 0.5 * 11, 0.5 * 110]
    assert found.precision.tolist() == [40 / 44, 10 / 11, 100 / 110]
    nowhere = patterns_of(masks[3:], np.array([1]), np.array([1]), 2)
    assert math.isnan(Support.of_clauses(clauses[:1], nowhere).precision[0])


def test_support_is_left_out_where_counting_would_take_too_long(monkeypatch):
    masks = np.arange(4, dtype=np.uint64)[:, None]
    patterns = patterns_of(masks, np.array([1, 2, 3, 4]), np.array([10, 20, 30, 40]), 2)
    monkeypatch.setattr(support, "_MOST_PAIRS", 3)
    assert Support.counted(masks, patterns) is None
    assert Support.counted(masks[:0], patterns).weight.size == 0


@pytest.fixture(scope="module")
def learned():
    """A distilled model that needs a CNF: every criterion is a veto, one of two makes up."""
    rng = np.random.default_rng(0)
    X = rng.integers(0, 5, (150, 4)).astype(float)
    y = ((X[:, 0] >= 2) | (X[:, 1] >= 3)) & ((X[:, 2] >= 1) | (X[:, 3] >= 4))
    y &= (X[:, 1] >= 1) | (X[:, 3] >= 2)

    class Teacher:
        classes_ = np.array([False, True])

        def predict_proba(self, rows):
            good = ((rows[:, 0] >= 2) | (rows[:, 1] >= 3)) & ((rows[:, 2] >= 1) | (rows[:, 3] >= 4))
            good &= (rows[:, 1] >= 1) | (rows[:, 3] >= 2)
            return np.column_stack([~good, good]).astype(float)

    return SugenoDistiller(Teacher(), n_rules=3, max_rules=3, directions=None).fit(X, y), X, y


def test_a_teacher_of_three_clauses_is_found_in_conjunctive_form(learned):
    clf, X, y = learned
    assert clf.rules_.form == "cnf"
    assert len(clf.rules_) == 3
    assert (clf.predict(X) == y).all()
    assert clf.fidelity_ == 1
    assert clf.objective_ == clf.bound_ == 0


def test_records_of_learned_clauses_count_rejected_rows(learned):
    clf, X, y = learned
    for record, clause in zip(clf.rules_.to_records(), clf.rules_.sets, strict=True):
        columns, levels = clf.rules_.literal_criteria, clf.rules_.levels
        rejected = ~np.any([X[:, columns[j]] >= levels[j] for j in clause], axis=0)
        assert record["size"] == len(clause) == record["rule"].count(">=")
        assert record["support"] == rejected.sum()
        assert record["precision"] == np.mean(~y[rejected])


def test_the_capacity_of_clauses_has_their_family(learned):
    """Equation (4): the sets of literals whose capacity is at least β are those accepted."""
    clf, X, _ = learned
    m = clf.rules_.n_literals
    every = np.array(list(product([False, True], repeat=m)))
    sets = (every @ (1 << np.arange(m))).astype(np.uint64)[:, None]
    closed = clf.model_.boundaries[0].literals.chains.closed(sets)
    accepted = clf.rules_.accepts(closed)
    above = [
        clf.capacity_(np.flatnonzero(bits).tolist()) >= clf.threshold_
        for bits in np.unpackbits(closed.view(np.uint8), axis=1, bitorder="little")[:, :m]
    ]
    assert above == accepted.tolist()
    assert 0 < sum(above) < len(above)
    assert ((clf.integral(X) >= clf.threshold_) == clf.predict(X)).all()
