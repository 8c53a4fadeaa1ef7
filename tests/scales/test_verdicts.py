"""Verdicts on rows are those on the packed sets of the literals that the rows satisfy."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sugeno import RuleSet
from sugeno._scales.criterion import Criterion
from sugeno._scales.literals import Literals
from sugeno._scales.verdicts import verdicts
from sugeno._sets.masks import pack, unpack


def drawn(seed):
    """Literals of a few criteria, sets of them, and rows that often meet a level exactly."""
    random = np.random.default_rng(seed)
    m, n_levels = int(random.integers(1, 6)), int(random.integers(1, 4))
    directions = random.choice([-1, 1], m)
    columns = np.repeat(np.arange(m), n_levels)
    rungs = np.sort(random.integers(-3, 4, (m, n_levels)) / 2, axis=1)
    levels = np.where(directions[:, None] > 0, rungs, rungs[:, ::-1]).ravel()
    criteria = [Criterion(f"x{j}", int(direction)) for j, direction in enumerate(directions)]
    literals = Literals.of_levels(criteria, columns, levels)
    sizes = random.integers(0, 4, int(random.integers(0, 6)))
    sets = [tuple(random.integers(0, columns.size, size).tolist()) for size in sizes]
    kind = random.choice([np.float64, np.float32, np.int64])
    X = random.integers(-4, 5, (50, m)) / 2
    X = np.nextafter(X, X + random.integers(-1, 2, X.shape))  # just below and just above a level
    return literals, sets, X.astype(kind)


@given(st.integers(0, 2**32 - 1), st.booleans())
def test_verdicts_are_what_the_satisfied_literals_say(seed, clauses):
    literals, sets, X = drawn(seed)
    truth = unpack(literals.satisfied(X), literals.levels.size)
    inner, outer = (any, all) if clauses else (all, any)
    expected = [outer(inner(row[i] for i in members) for members in sets) for row in truth]
    found = verdicts(X, literals, sets, clauses=clauses)
    np.testing.assert_array_equal(found, expected)
    other_order = verdicts(np.asfortranarray(X), literals, sets, clauses=clauses)
    np.testing.assert_array_equal(other_order, expected)


@given(st.integers(0, 2**32 - 1), st.sampled_from(["dnf", "cnf"]))
def test_many_rows_are_decided_as_few(seed, form):
    literals, sets, X = drawn(seed)
    members = [[i in one for i in range(literals.levels.size)] for one in sets]
    bits = np.array(members, dtype=bool).reshape(-1, literals.levels.size)
    rules = RuleSet.from_sets(pack(bits), literals, form=form)
    many = np.tile(X, (40, 1))
    np.testing.assert_array_equal(rules.decide(many), np.tile(rules.decide(X), 40))


@pytest.mark.parametrize("rows", [50, 60_000])
@pytest.mark.parametrize(("value", "words"), [(np.nan, "contains NaN"), (np.inf, "infinity")])
def test_what_is_not_finite_is_refused_wherever_it_is(rows, value, words):
    rules = RuleSet([{0}, {1, 2}], [1.0, 2.0, 0.0], literal_criteria=[0, 0, 1])
    X = np.zeros((rows, 2))
    X[-1, 1] = value
    with pytest.raises(ValueError, match=words):
        rules.decide(X)
