"""Reasons, counterfactuals and margins beside an enumeration of all rows and all subsets."""

import math

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from costly import costly
from reasons import smallest_reason
from small_cards import model_of_card, small_card
from small_rules import model_of, rule_sets
from sugeno import Card
from sugeno.explain import explain
from sugeno.model import rules as rules_module


def cheapest(X, verdicts, row, price):
    """Least price of a row with the other verdict, by a function of criterion, before, after."""
    prices = [math.inf]
    for other in X[verdicts != verdicts[row]]:
        changed = np.flatnonzero(other != X[row])
        prices.append(sum(price(f"c{j}", X[row, j], other[j]) for j in changed))
    return min(prices)


def names(factors):
    return [factor.criterion for factor in factors]


def too_long(*_):
    raise OverflowError


@pytest.fixture(params=["both forms", "one form only"])
def forms(request, monkeypatch):
    """With the other form written down, and without it."""
    if request.param == "one form only":
        monkeypatch.setattr(rules_module, "minimal_transversals", too_long)


FIXTURE = pytest.mark.usefixtures("forms")


def tried(function):
    return FIXTURE(settings(costly, suppress_health_check=list(HealthCheck))(function))


@tried
@given(rule_sets(max_rules=6))
def test_a_reason_is_the_first_of_the_smallest_sufficient_sets_of_criteria(case):
    rules, X = case
    verdicts = rules.predict(X)
    for row, explanation in enumerate(explain(model_of(rules), X)):
        assert explanation.accepted == verdicts[row]
        wanted = smallest_reason(X, verdicts, row)
        assert names(explanation.reason) == [f"c{j}" for j in wanted]
        # What is said about these criteria decides, not only their exact values.
        literals = rules.literal_set
        held = np.ones(len(X), dtype=bool)
        for factor in explanation.reason:
            texts = [pair[not explanation.accepted] for pair in literals.of_values]
            literal = texts.index(factor.text)
            j = literals.columns[literal]
            reached = (X[:, j] - literals.levels[literal]) * literals.directions[j] >= 0
            held &= reached == explanation.accepted
        assert held[row]
        assert (verdicts[held] == verdicts[row]).all()


@st.composite
def limited(draw):
    """Rules, and limits on what may change: fixed criteria, ranges, prices."""
    rules, X = draw(rule_sets())
    m = X.shape[1]
    fixed = draw(st.sets(st.integers(0, m - 1), max_size=1))
    bounds = {}
    for j in draw(st.sets(st.integers(0, m - 1), max_size=2)):
        value = st.sampled_from(sorted(set(X[:, j].tolist())))
        ends = sorted(draw(st.tuples(value, value)))
        bounds[f"c{j}"] = tuple(draw(st.sampled_from([end, None])) for end in ends)
    prices = draw(st.dictionaries(st.integers(0, m - 1), st.sampled_from([0.1, 0.7, 2, math.inf])))
    return rules, X, fixed, bounds, prices


def inside(bounds, name, value):
    low, high = bounds.get(name, (None, None))
    return (low is None or low <= value) and (high is None or value <= high)


@tried
@given(limited())
def test_the_nearest_counterfactual_is_the_cheapest_row_with_the_other_verdict(case):
    rules, X, fixed, bounds, prices = case
    verdicts = rules.predict(X)

    def price(name, before, after):
        j = int(name[1:])
        if j in fixed or not inside(bounds, name, after):
            return math.inf
        return prices.get(j, 1) * abs(after - before)

    found = explain(model_of(rules), X, immutable=fixed, permitted_range=bounds, cost=prices)
    moved = found.nearest()
    for row, cost in enumerate(found.costs):
        least = cheapest(X, verdicts, row, price)
        if math.isinf(least):
            assert math.isnan(cost)
            assert np.isnan(moved[row]).all()
            assert found[row].counterfactuals == ()
            continue
        assert cost == pytest.approx(least, abs=1e-6)
        assert rules.predict(moved[[row]])[0] != verdicts[row]
        changed = np.flatnonzero(moved[row] != X[row])
        assert sum(price(f"c{j}", X[row, j], moved[row, j]) for j in changed) == pytest.approx(
            least, abs=1e-6
        )


@tried
@given(rule_sets(max_rules=6))
def test_several_counterfactuals_are_all_the_minimal_ones_by_their_criteria(case):
    rules, X = case
    verdicts = rules.predict(X)
    found = explain(model_of(rules), X, n_counterfactuals=1000)
    lookup = {tuple(row): verdict for row, verdict in zip(X.tolist(), verdicts)}
    for row, explanation in enumerate(found):
        costs = [one.cost for one in explanation.counterfactuals]
        assert costs == sorted(costs)
        sets = [
            tuple(change.criterion for change in one.changes) for one in explanation.counterfactuals
        ]
        assert len(set(sets)) == len(sets)
        for one in explanation.counterfactuals:
            after = X[row].copy()
            for change in one.changes:
                after[int(change.criterion[1:])] = change.after
            assert lookup[tuple(after)] != verdicts[row]
            # A step less, by any criterion, would not do.
            for change in one.changes:
                j = int(change.criterion[1:])
                nearer = after.copy()
                nearer[j] -= np.sign(change.after - change.before)
                assert lookup[tuple(nearer)] == verdicts[row]
        # Every minimal change has its criteria among those shown.
        flipped = X[verdicts != verdicts[row]]
        moves = np.abs(flipped - X[row])
        signs = (flipped - X[row]) * rules.directions * (-1 if verdicts[row] else 1)
        moves = moves[(signs >= 0).all(axis=1)]
        for move in moves:
            smaller = (moves <= move).all(axis=1) & (moves < move).any(axis=1)
            if not smaller.any():
                assert tuple(f"c{j}" for j in np.flatnonzero(move)) in sets


@tried
@given(rule_sets(max_criteria=3), st.integers(0, 2**32 - 1))
def test_a_price_for_every_change_is_respected(case, seed):
    rules, X = case
    verdicts = rules.predict(X)
    rng = np.random.default_rng(seed)
    table = {}

    def price(name, before, after):
        if (name, before, after) not in table:
            table[name, before, after] = rng.choice([0.5, 1.0, 3.25, math.inf])
        return table[name, before, after]

    found = explain(model_of(rules), X, cost=price)
    moved = found.nearest()
    for row, cost in enumerate(found.costs):
        least = cheapest(X, verdicts, row, price)
        assert math.isnan(cost) if math.isinf(least) else cost == least
        if math.isfinite(least):
            assert rules.predict(moved[[row]])[0] != verdicts[row]
            first = found[row].counterfactuals[0]
            assert first.cost == least
            for change in first.changes:
                assert moved[row, int(change.criterion[1:])] == change.after


@costly
@given(st.one_of(rule_sets(max_criteria=4), st.integers(0, 2**32).map(small_card)))
def test_a_margin_ends_where_the_verdict_flips(case):
    form, X = case
    verdicts = form.predict(X)
    found = explain(model_of_card(form) if isinstance(form, Card) else model_of(form), X)
    margins = found.margins
    for row in range(len(X)):
        for j, margin in enumerate(found[row].margins):
            alone = (np.delete(X, j, axis=1) == np.delete(X[row], j)).all(axis=1)
            flipped = X[alone & (verdicts != verdicts[row]), j]
            assert margin.room == margins[row, j]
            if flipped.size == 0:
                assert margin.limit is None
                assert margin.room == math.inf
            elif verdicts[row]:  # one step less than the first fall that flips
                assert margin.room == np.abs(flipped - X[row, j]).min() - 1
                assert margin.room == abs(margin.limit - X[row, j])
            else:
                assert margin.room == np.abs(flipped - X[row, j]).min()
                assert margin.room == abs(margin.limit - X[row, j])


@costly
@given(rule_sets())
def test_the_table_says_what_the_objects_say(case):
    rules, X = case
    found = explain(model_of(rules), X)
    verdicts = rules.predict(X)
    masks = rules.satisfied(X)
    for row, (record, sentence) in enumerate(
        zip(found.to_records(), found.sentences(), strict=True)
    ):
        one = found[row]
        assert sentence == str(one)
        assert record["label"] == one.label == int(verdicts[row])
        assert record["reason"] == one.because
        assert record["rules"] == ", ".join(map(str, one.rules))
        if one.counterfactuals:
            assert record["counterfactual"] == str(one.counterfactuals[0])
            assert record["cost"] == one.counterfactuals[0].cost
        else:
            assert record["counterfactual"] is None
            assert math.isnan(record["cost"])
        fired = [
            i
            for i, (rule, members) in enumerate(zip(rules.masks, rules.sets))
            if (
                not (rule & ~masks[row]).any()
                if rules.form == "dnf"
                else not (rule & masks[row]).any()
            )
        ]
        assert list(one.rules) == fired == np.flatnonzero(found.fired[row]).tolist()


@costly
@given(rule_sets(max_criteria=8, max_levels=1, max_rules=8))
def test_reasons_with_up_to_eight_criteria(case):
    rules, X = case
    verdicts = rules.predict(X)
    found = explain(model_of(rules), X)
    for row in range(0, len(X), 1 + len(X) // 16):
        wanted = smallest_reason(X, verdicts, row)
        assert names(found[row].reason) == [f"c{j}" for j in wanted]
        assert found.costs[row] == pytest.approx(
            min(
                (np.abs(X[verdicts != verdicts[row]] - X[row]).sum(axis=1)),
                default=math.nan,
            ),
            nan_ok=True,
        )
