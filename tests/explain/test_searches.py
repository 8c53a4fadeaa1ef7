"""Where the other form of the rules is not written down, searches find the same answers."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from small_rules import model_of
from sugeno import RuleSet
from sugeno._sets import transversals
from sugeno._sets.transversals import Task, cheapest, cheapest_choices, smallest_cover
from sugeno.explain import explain
from sugeno.model import rules as rules_module


def too_long(*_):
    raise OverflowError


def random_case(m, levels, n_rules, seed, form="dnf", n=300):
    rng = np.random.default_rng(seed)
    sets = [
        rng.choice(m, 3, replace=False) * levels + rng.integers(0, levels, 3)
        for _ in range(n_rules)
    ]
    rules = RuleSet(
        sets,
        np.tile(np.arange(1, levels + 1), m),
        criteria=[f"c{j}" for j in range(m)],
        literal_criteria=np.repeat(np.arange(m), levels),
        form=form,
    )
    return model_of(rules), rng.integers(0, levels + 1, (n, m)).astype(float)


def sizes_of_reasons(explanations):
    return [len(record["reason"].split(" and ")) for record in explanations.to_records()]


@pytest.mark.parametrize("form", ["dnf", "cnf"])
@pytest.mark.parametrize("most", [1 << 20, 8, 0])
@pytest.mark.parametrize(("m", "levels"), [(8, 3), (12, 1), (23, 3)])
def test_one_form_gives_the_answers_of_both(form, most, m, levels, monkeypatch):
    """Wide choices are split, and in the end searched one by one; 23 × 3 literals need 2 words."""
    model, X = random_case(m, levels, 9, 0, form)
    prices = {f"c{j}": 1.0 + j % 3 for j in range(m)}
    both = explain(model, X, cost=prices, immutable=["c0"])
    wanted = both.costs, sizes_of_reasons(both)
    (rules,) = model.rules
    monkeypatch.setattr(rules_module, "minimal_transversals", too_long)
    monkeypatch.setattr(transversals, "_MOST_CHOICES", most)
    fresh = model_of(RuleSet.from_masks(rules.masks, rules.literal_set, form=form), observed=False)
    one = explain(fresh, X, cost=prices, immutable=["c0"])
    assert one.costs.tolist() == pytest.approx(wanted[0].tolist(), nan_ok=True)
    assert sizes_of_reasons(one) == wanted[1]
    moved = one.nearest()
    there = ~np.isnan(one.costs)
    assert (model.passed(moved[there]) != model.passed(X[there])).all()
    for row in range(0, 300, 37):
        assert str(one[row]) == one.sentences()[row]


@given(st.lists(st.integers(1, 255), max_size=6))
def test_the_smallest_cover_is_the_first_in_order(family):
    found = smallest_cover(family)
    subsets = (chosen for size in range(9) for chosen in combinations(range(8), size))
    meets = (c for c in subsets if all(any(one >> j & 1 for j in c) for one in family))
    wanted = next(meets)
    assert found == wanted
    sets = np.array([family or [0]], dtype=np.uint64)
    ones = np.uint64(1) << np.arange(8, dtype=np.uint64)
    choice = cheapest(Task(sets, ones, np.ones((1, 8)), np.ones((1, 8)), ones))
    assert choice.chosen[0] == sum(1 << j for j in wanted)
    assert choice.keys[0] == len(wanted)


def test_choices_come_in_order_of_price():
    family = [{0: 0, 1: 2}, {0: 1, 1: 3}]
    prices = [1.0, 4.0, 2.0, 2.5]
    found = list(cheapest_choices(family, prices, 1))
    totals = [total for total, _ in found]
    assert totals == sorted(totals)
    assert found[0] == (2.5, {1: 3})
