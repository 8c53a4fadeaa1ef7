"""Explanations of sums of steps: against all changes that there are."""

import math
from itertools import combinations

import numpy as np
import pandas as pd
import pytest

from random_models import rows_for
from random_sums import mixed_sum, ordered_sum, random_sum, sums_per_class
from sugeno import RuleClassifier, SugenoEnsembleClassifier
from sugeno.explain import explain

SEEDS = range(8)


def grid(model, j):
    """Values on, beside and between the levels of a criterion."""
    literals = model.literals
    mine = literals.columns == j
    numbers = np.concatenate([literals.levels[mine], literals.worse[mine], literals.better[mine]])
    numbers = numbers[np.isfinite(numbers)]
    if model.criteria[j].labels:
        return np.arange(len(model.criteria[j].labels), dtype=float)
    near = [np.nextafter(x, way) for x in numbers for way in (x, -np.inf, np.inf)]
    return np.unique([0.0, *near])


def cheapest(model, row, n_changed):
    """The fewest levels crossed that flip a row, by trying all values of so many criteria."""
    before, accepted = (
        model.boundaries[0].codes(row[None])[:, 0],
        model.boundaries[0].accepted(row[None])[0],
    )
    best = math.inf
    for chosen in combinations(range(len(model.criteria)), n_changed):
        values = np.meshgrid(*(grid(model, j) for j in chosen))
        rows = np.repeat(row[None], values[0].size, axis=0)
        for j, column in zip(chosen, values):
            rows[:, j] = column.ravel()
        flipped = model.boundaries[0].accepted(rows) != accepted
        crossed = abs(model.boundaries[0].codes(rows) - before[:, None]).sum(axis=0)
        best = min([best, *crossed[flipped].tolist()])
    return best


def changed(model, row, way):
    """A row after a change."""
    places = {criterion.name: j for j, criterion in enumerate(model.criteria)}
    after = row.copy()
    for change in way.changes:
        j = places[change.criterion]
        labels = model.criteria[j].labels
        after[j] = change.after if labels is None else labels.index(change.after)
    return after


@pytest.mark.parametrize("seed", SEEDS)
def test_the_cheapest_changes_are_those_of_brute_force(seed):
    model = random_sum(seed, m=3, labelled=seed % 2 == 0)
    rows = rows_for(model, seed, 12)
    for row, one in zip(rows, explain(model, rows, n_counterfactuals=99)):
        for way in one.counterfactuals:
            assert model.boundaries[0].accepted(changed(model, row, way)[None])[0] != one.accepted
        costs = [way.cost for way in one.counterfactuals]
        assert costs == sorted(costs)
        alone = min((way.cost for way in one.alone), default=math.inf)
        assert alone == cheapest(model, row, 1)
        assert min(costs, default=math.inf) == min(alone, cheapest(model, row, 2))
        assert one.impossible == (cheapest(model, row, 3) == math.inf)
        flips = {model.criteria[j].name for j in np.flatnonzero(model.can_flip(row[None])[0])}
        told = {way.changes[0].criterion for way in one.alone}
        # A label below the lowest one would flip some rows, and there is none.
        assert told == flips if seed % 2 else told <= flips


@pytest.mark.parametrize("seed", SEEDS)
def test_contributions_are_shapley_values_and_add_up(seed):
    model = random_sum(seed, m=3)
    rows = rows_for(model, seed, 20)
    told = explain(model, rows)
    one = told[0]
    total = one.base + sum(part.log_odds for part in one.contributions)
    assert total == pytest.approx(
        model.boundaries[0].log_odds(model.boundaries[0].totals(rows[:1]))[0], abs=1e-9
    )
    assert one.probability == model.boundaries[0].probabilities(rows[:1])[0]
    worst = np.zeros(3, dtype=np.intp)
    for row, contributions in zip(rows, told.contributions):
        codes = model.boundaries[0].codes(row[None])[:, 0]

        def value(members, codes=codes):
            kept = np.where(np.isin(np.arange(3), members), codes, worst)
            return int(model.boundaries[0].tables.sums(kept[:, None])[0])

        for j in range(3):
            others = [k for k in range(3) if k != j]
            orders = [((), 2), ((others[0],), 1), ((others[1],), 1), (tuple(others), 2)]
            shapley = sum(w * (value([j, *s]) - value([*s])) for s, w in orders) / 6
            assert contributions[j] == pytest.approx(
                model.boundaries[0].slope * shapley / model.boundaries[0].units, abs=1e-9
            )


@pytest.mark.parametrize("seed", range(4))
def test_ordered_classes_are_explained_at_both_boundaries(seed):
    model = ordered_sum(seed, m=3, labelled=False)
    rows = rows_for(model.boundaries[seed % 3], seed, 12)
    labels = model.classes.tolist()
    for row, one in zip(rows, explain(model, rows, n_counterfactuals=99)):
        place = int(model.passed(row[None])[0])
        assert one.label == labels[place]
        assert one.accepted == (place == 3)
        assert one.probability == model.class_probabilities(row[None])[0, place]
        assert (one.higher, one.lower) == (
            labels[place + 1] if place < 3 else None,
            labels[place - 1] if place else None,
        )
        for side, boundary in ((one.above, place), (one.below, place - 1)):
            if side is None:
                continue
            two = explain(model.at_boundary(boundary), row[None], n_counterfactuals=99)[0]
            assert side.impossible == two.impossible
            assert [w.cost for w in side.counterfactuals] == [w.cost for w in two.counterfactuals]
            assert side.contributions == two.contributions
            assert side.base == two.base
            for way in side.counterfactuals:
                reached = int(model.passed(changed(model, row, way)[None])[0])
                assert way.label == labels[reached] != one.label
        shown = one.below if one.above is None else one.above
        assert one.contributions == shown.contributions
        assert one.falls == (() if one.below is None else one.below.counterfactuals)


def test_limits_are_kept_and_prices_counted():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.integers(0, 6, (200, 3)), columns=["a", "b", "c"])
    clf = SugenoEnsembleClassifier(n_bags=2, max_rounds=40, directions=[1, 1, 1])
    clf.fit(X, X.sum(axis=1) > 8)
    told = clf.explain(X, immutable=["a"], permitted_range={"b": (None, 4)}, cost={"c": 5})
    ways = [(one, way) for one in told for way in one.counterfactuals]
    assert len(ways) > 50
    for _, way in ways:
        for change in way.changes:
            assert change.criterion != "a"
            assert change.criterion != "b" or change.after <= 4
    moved = {way.changes[0].criterion: way.cost for _, way in ways if len(way.changes) == 1}
    assert moved["c"] % 5 == 0
    asked = clf.explain(X[:30], cost=lambda name, before, after: abs(after - before) / 2)
    for row, one in enumerate(asked):
        for way in one.counterfactuals:
            spent = sum(abs(change.after - change.before) / 2 for change in way.changes)
            assert way.cost == pytest.approx(spent)
            assert row == one.row
    nothing = clf.explain(X[:1], immutable=["a", "b", "c"])
    assert nothing.sentences() == [
        f"{nothing._names[int(nothing.accepted[0])]}. No counterfactual exists within these limits."
    ]
    with pytest.raises(ValueError, match="n_counterfactuals must be at least 1"):
        clf.explain(X, n_counterfactuals=0)


def test_more_than_two_criteria_are_named_as_such():
    rng = np.random.default_rng(1)
    X = rng.integers(0, 2, (400, 4)).astype(float)
    clf = SugenoEnsembleClassifier(n_bags=2, directions=[1] * 4).fit(X, X.sum(axis=1) >= 3)
    one = clf.explain([[0, 0, 0, 0]])[0]
    assert not one.impossible
    assert not one.counterfactuals
    assert str(one) == "Class False. No change of one or two criteria leads to class True."
    two = clf.explain([[0, 1, 0, 1]], immutable=[0])[0]
    assert str(two) == "Class False. Class True if x2 rises from 0 to 1."


@pytest.mark.parametrize("seed", range(4))
def test_columns_without_a_direction_move_as_one(seed):
    model = mixed_sum(seed, kinds=("free", "turning", "number", "unordered"))
    rows = rows_for(model, seed, 30)
    own = {}
    for j, criterion in enumerate(model.criteria):
        own.setdefault(criterion.name, []).append(j)
    for places in own.values():  # criteria of a column read the same cell
        if len(places) > 1:
            for j in places:
                rows[:, j] = cell(model.criteria[j], rows[:, places[0]])
    told = explain(model, rows, n_counterfactuals=20)
    assert told.columns == tuple(own)
    assert told.contributions.shape == (30, len(own))
    for row, one in zip(rows, told):
        for way in one.counterfactuals:
            after = row.copy()
            for change in way.changes:
                for j in own[change.criterion]:
                    after[j] = cell(model.criteria[j], change.after)
            assert model.boundaries[0].accepted(after[None])[0] != one.accepted


def cell(criterion, value):
    """What a criterion reads where its column gets a value."""
    if criterion.labels:
        return criterion.labels.index(value)
    return value if criterion.within is None else np.clip(value, *criterion.within)


def test_texts_records_and_frames():
    X = pd.DataFrame({"interview": [2, 4, 6, 7] * 9, "price": [9, 8, 9, 7] * 9})
    clf = SugenoEnsembleClassifier(n_bags=2).fit(X, ["no", "no", "yes", "yes"] * 9)
    told = clf.explain(X[:12])
    assert repr(told).endswith("… and 2 more rows")
    assert "2 more rows" in told._repr_html_()
    assert "more" not in repr(told[:2])
    frame = told.to_frame("polars")
    assert frame["label"].to_list() == clf.predict(X[:12]).tolist()
    np.testing.assert_array_equal(frame["probability"], clf.predict_proba(X[:12])[:, 1])
    assert {"adds interview", "adds price", "alone", "counterfactual", "cost"} < {*frame.columns}
    assert told.to_records()[0]["cost"] == told[0].counterfactuals[0].cost
    assert str(told[0].contributions[0]).startswith(("interview 2: ", "price 9: "))
    missing = SugenoEnsembleClassifier(n_bags=2, missing="pessimistic").fit(X, X["price"] < 8)
    one = missing.explain(X[:1].assign(price=np.nan))[0]
    assert "price is 7 instead of missing" in str(one)
    several = RuleClassifier.of(sums_per_class(0, m=2, labelled=False))
    with pytest.raises(AttributeError, match="has no single model of classes without an order"):
        several.explain(np.zeros((1, 2)))
