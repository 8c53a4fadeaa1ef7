"""Cards of points beside an enumeration of all rows that they can tell apart."""

import math
from dataclasses import replace
from itertools import combinations, product

import numpy as np
import pytest

from reasons import smallest_reason
from small_cards import card_boundary, model_of_card, nested_cards, small_card
from sugeno import Card, RuleSet, sugeno_integral
from sugeno._sets.masks import is_subset, pack, unpack
from sugeno.explain import explain
from sugeno.model.form import IMPOSSIBLE
from sugeno.model.model import Model

#: 1,000 cards in ten parts.
PARTS = [range(start, start + 100) for start in range(0, 1000, 100)]


def by_definition(card, X):
    """Points of each row, literal by literal."""
    score = np.zeros(len(X), dtype=int)
    columns, signs = card.literal_criteria, card.directions
    for j, level, points in zip(columns, card.levels, card.points, strict=True):
        score += points * (signs[j] * X[:, j] >= signs[j] * level)
    return score


@pytest.mark.parametrize("seeds", PARTS)
def test_rows_have_the_points_of_what_they_satisfy(seeds):
    for seed in seeds:
        card, X = small_card(seed)
        score, masks = by_definition(card, X), card.satisfied(X)
        assert (card.score(X) == score).all()
        assert (card.points_of(masks) == score).all()
        for accepted in (card.predict(X), card.accepts(masks), card.decide(X)):
            assert (accepted == (score >= card.needed)).all()


@pytest.mark.parametrize("seeds", PARTS)
def test_boundary_sets_are_the_minimal_accepted_sets_and_rules_of_them_decide_alike(seeds):
    for seed in seeds:
        card, X = small_card(seed)
        masks = card.satisfied(X)
        accepted = masks[card.predict(X)]
        inside = is_subset(accepted, accepted).sum(axis=0)
        minimal = accepted[inside == 1]
        assert {*map(tuple, card.boundary_sets)} == {*map(tuple, minimal)}
        rules = card.to_rules()
        assert (rules.predict(X) == card.predict(X)).all()
        if len(rules):
            assert (rules.dual().predict(X) == card.predict(X)).all()


@pytest.mark.parametrize("seeds", PARTS)
def test_a_reason_is_the_first_of_the_smallest_sufficient_sets_of_criteria(seeds):
    for seed in seeds:
        card, X = small_card(seed)
        verdicts, masks = card.predict(X), card.satisfied(X)
        owner, n = card.literal_set.chains.criteria, card.n_literals
        rng = np.random.default_rng(seed)
        for row in rng.choice(len(X), min(len(X), 6), replace=False):
            side = card.sides[int(verdicts[row])]
            state = side.state(masks[row : row + 1])
            (reason,) = unpack(side.reasons(state), n)
            assert not (reason & ~unpack(state, n)[0]).any()
            assert owner[reason].tolist() == smallest_reason(X, verdicts, row)
            # What is said decides, and nothing of it could be said more weakly.
            held = unpack(masks, n)[:, reason] == side.accepted
            assert (verdicts[held.all(axis=1)] == verdicts[row]).all()
            for literal in np.flatnonzero(reason):
                weaker = literal - 1 if side.accepted else literal + 1
                said = reason.copy()
                said[literal] = False
                if 0 <= weaker < n and owner[weaker] == owner[literal]:
                    said[weaker] = True
                held = unpack(masks, n)[:, said] == side.accepted
                assert (verdicts[held.all(axis=1)] != verdicts[row]).any()


def priced(rng, card, state, accepted):
    """Random prices of literals that rise with what they take along; some are forbidden."""
    prices = np.zeros(card.n_literals)
    chains = card.literal_set.chains
    for j in range(chains.n_criteria):
        mine = np.flatnonzero((chains.criteria == j) & state)
        # Who gives up a level gives up those beyond it; who gains one gains those before it.
        mine = mine[::-1] if accepted else mine
        steps = rng.integers(0, 5, mine.size).astype(float)
        steps[rng.random(mine.size) < 0.1] = IMPOSSIBLE
        prices[mine] = np.cumsum(steps)
    return np.minimum(prices, IMPOSSIBLE)


def flips(card, masks, verdicts, row, prices):
    """Every change of one row to another with the other verdict: price, literals that change."""
    n = card.n_literals
    owner = card.literal_set.chains.criteria
    have = unpack(masks[row : row + 1], n)[0]
    for other in unpack(masks[verdicts != verdicts[row]], n):
        gained, lost = other & ~have, have & ~other
        changed = gained if not verdicts[row] else lost
        if (lost if not verdicts[row] else gained).any():
            continue  # nobody pays for a change in the wrong direction
        last = {}
        for literal in np.flatnonzero(changed):
            # The furthest literal: the strongest that is gained, the weakest that is lost.
            last[owner[literal]] = (
                literal if not verdicts[row] else last.get(owner[literal], literal)
            )
        yield sum(prices[list(last.values())]), frozenset(np.flatnonzero(changed).tolist())


@pytest.mark.parametrize("seeds", PARTS)
def test_the_cheapest_flip_and_all_minimal_ones_in_order(seeds):
    for seed in seeds:
        card, X = small_card(seed)
        rng = np.random.default_rng(seed)
        verdicts, masks = card.predict(X), card.satisfied(X)
        for row in rng.choice(len(X), min(len(X), 4), replace=False):
            side = card.sides[int(verdicts[row])]
            state = side.state(masks[row : row + 1])
            bits = unpack(state, card.n_literals)[0]
            prices = priced(rng, card, bits, side.accepted)
            ways = [way for way in flips(card, masks, verdicts, row, prices) if way[0] < IMPOSSIBLE]
            best = min((way[0] for way in ways), default=math.inf)
            keys, turns = side.cheapest(state, prices[None])
            yielded = [*side.changes(state[0], prices)]
            if not ways:
                assert keys[0] >= IMPOSSIBLE
                assert not turns.any()
                assert not yielded
                continue
            assert keys[0] == best == yielded[0][0]
            found = [
                frozenset(np.flatnonzero(unpack(wide[None], card.n_literals)[0]).tolist())
                for _, _, wide in yielded
            ]
            minimal = {way for _, way in ways if not any(other < way for _, other in ways)}
            assert {*found} == minimal
            assert [key for key, *_ in yielded] == sorted(key for key, *_ in yielded)
            assert len(found) == len(set(found))


def test_multiplying_all_points_changes_nothing():
    for seed in range(200):
        card, X = small_card(seed)
        factor = 2 + seed % 4
        tripled = Card.of(card.literal_set, [factor * p for p in card.points], factor * card.needed)
        masks = card.satisfied(X)
        accepted = card.predict(X)
        assert (tripled.predict(X) == accepted).all()
        for one, other, mine in zip(card.sides, tripled.sides, (~accepted, accepted), strict=True):
            states = one.state(masks[mine])
            assert (one.reasons(states) == other.reasons(states)).all()
            prices = unpack(states, card.n_literals).astype(float)
            for mine_, theirs in zip(
                one.cheapest(states, prices), other.cheapest(states, prices), strict=True
            ):
                assert (mine_ == theirs).all()


def test_equal_points_are_the_k_of_m_classifier():
    for m, k in product(range(1, 6), range(1, 6)):
        if k <= m:
            card = Card([2] * m, [1] * m, needed=2 * k)
            ways = [set(way) for way in combinations(range(m), k)]
            assert card.to_rules() == RuleSet(ways, [1] * m)


def test_the_score_is_the_integral_of_the_additive_capacity():
    """Proposition 1: at every threshold the integral decides as the worth of what is reached."""
    for seed in range(200):
        card, X = small_card(seed, most_literals=8)
        capacity = card.additive_capacity
        utilities = unpack(card.satisfied(X), card.n_literals).astype(float)
        integral = np.asarray(sugeno_integral(utilities, capacity))
        assert (integral == card.score(X) / card.total).all()
        assert ((integral >= card.needed / card.total) == card.predict(X)).all()
        one, other = np.arange(card.n_literals) % 2 == np.arange(2)[:, None]
        worth = capacity.values(np.stack([one, other, one | other]))
        assert worth[2] == pytest.approx(worth[0] + worth[1])


def test_an_additive_capacity_of_many_literals_is_refused():
    card = Card([1] * 21, [1] * 21, needed=3)
    with pytest.raises(OverflowError, match="at most 20 literals"):
        card.additive_capacity  # noqa: B018


def test_too_many_ways_are_refused():
    card = Card([1] * 30, [1] * 30, needed=15)
    with pytest.raises(OverflowError, match="minimal ways to 15 points"):
        card.to_rules()


@pytest.mark.no_cover
def test_explanations_of_a_card_are_those_of_its_rules():
    for seed in range(60):
        card, X = small_card(seed)
        ours = explain(model_of_card(card), X)
        theirs = explain(_as_rules(card), X)
        assert (ours.costs == theirs.costs)[~np.isnan(theirs.costs)].all()
        for one, other in zip(ours, theirs, strict=True):
            assert one.label == other.label
            assert one.margins == other.margins
            assert [f.criterion for f in one.reason] == [f.criterion for f in other.reason]
            assert [c.cost for c in one.counterfactuals] == [c.cost for c in other.counterfactuals]


def _as_rules(card):
    boundary = card_boundary(card)
    return Model.of_two_classes(replace(boundary, form=boundary.form.to_rules()))


@pytest.mark.parametrize("n_classes", [2, 3, 4, 5])
def test_one_card_with_several_thresholds_is_nested(n_classes):
    for seed in range(100):
        model, X = nested_cards(seed, n_classes)
        score = by_definition(model.boundaries[0].form, X)
        cuts = [boundary.form.needed for boundary in model.boundaries]
        assert (model.passed(X) == np.searchsorted(cuts, score, side="right")).all()
        assert bool(model.verify_monotone())


def test_a_lower_threshold_lies_beyond_a_higher_one():
    card = Card([2, 1], [5, 6], needed=2)
    assert card.beyond(card.with_needed(1)) is None
    assert card.beyond(card.with_needed(3)) == "x0 >= 5"
    assert card.beyond(RuleSet([{1}], [5, 6])) == "x0 >= 5"
    assert card.beyond(RuleSet([{0}], [4, 6])) is None
    assert RuleSet([{1}], [5, 6]).beyond(card) == "x1 >= 6"


CARD = Card(
    [3, 1, 1, 1, 1],
    [5, 61, 68, 4, 2],
    needed=3,
    criteria=["bi_rads", "age", "shape", "margin"],
    literal_criteria=[0, 1, 1, 2, 3],
    label="malignant",
)
CHANCES = [0.08, 0.17, 0.33, 0.54, 0.73, 0.87, 0.94, 0.999]


def test_a_card_reads_as_people_know_it():
    shown = Card.of(
        CARD.literal_set, CARD.points, 3, named=True, label="malignant", chances=CHANCES
    )
    assert (
        str(shown)
        == repr(shown)
        == (
            "malignant from 3 of 7 points\n"
            "  bi_rads  >= 5: 3\n"
            "  age      >= 61: 1   >= 68: 2\n"
            "  shape    >= 4: 1\n"
            "  margin   >= 2: 1\n"
            "probability  0: 8 %   1: 17 %   2: 33 %   3: 54 %   4: 73 %   5: 87 %   6: 94 %\n"
            "             7: > 99 %"
        )
    )
    assert "age at least 61" in CARD.to_text("dnf", words=True)
    assert "age      at least 61: 1   at least 68: 2" in CARD.to_text(words=True)
    assert shown.chances == tuple(CHANCES)
    assert "<td>8 %</td>" in shown._repr_html_()
    assert "| 7 | > 99 % |" in shown.to_markdown()
    assert shown.with_needed(4).chances == tuple(CHANCES)


@pytest.mark.parametrize("seed", range(60))
def test_a_condition_that_decides_alone_is_said(seed):
    card, X = small_card(seed, 6)
    accepted, literals = card.predict(X), card.literal_set
    held = np.array(
        [
            literals.directions[j] * X[:, j] >= literals.directions[j] * level
            for j, level in zip(literals.columns, literals.levels)
        ]
    )
    alone = [i for i, rows in enumerate(held) if (rows == accepted).all() and rows.any()]
    if card.alone is None:
        assert not alone or accepted.all() or not accepted.any()
        assert " if " not in str(card).splitlines()[0]
    else:
        assert card.alone in alone
        said = f" if {literals.texts[card.alone]}: from {card.needed} of {card.total} points"
        for shown in (str(card), card.to_markdown()):
            assert shown.splitlines()[0].endswith(said)


def test_a_threshold_that_all_or_no_points_pass():
    assert str(CARD.with_needed(0)).startswith("malignant always, whatever the points")
    assert str(CARD.with_needed(8)).startswith("malignant never, even with all 7 points")
    everything, nothing = CARD.with_needed(0).to_rules(), CARD.with_needed(8).to_rules()
    assert str(everything) == "malignant always"
    assert str(nothing) == "malignant never"


def test_tables_of_a_card():
    X = [[5, 30, 1, 1], [1, 70, 4, 2], [1, 62, 1, 1], [1, 10, 1, 1]]
    counted = CARD.counted_on(X, ["malignant", "malignant", "benign", "benign"])
    assert counted == CARD
    assert counted.to_records()[2] == {
        "condition": "age >= 68",
        "points": 2,
        "support": 1.0,
        "precision": 1.0,
    }
    assert counted.to_frame("pandas")["support"].tolist() == [1, 2, 1, 1, 1]
    assert CARD.to_frame("polars").columns == ["condition", "points"]
    assert counted.to_markdown().count("\n") == 8
    assert counted.fired(counted.satisfied(np.array(X, float))).sum(axis=1).tolist() == [1, 4, 1, 0]
    assert counted.speaking_for(pack(np.zeros((1, 5), bool)), False).tolist() == [[3, 2, 1, 1]]


def test_a_card_speaks_for_a_class_and_is_what_it_decides():
    assert list(CARD)[:2] == ["bi_rads >= 5 (+3)", "age >= 61 (+1)"]
    assert (len(CARD), CARD.size, CARD.total, CARD.used) == (5, 5, 7, (0, 1, 2, 3, 4))
    other = CARD.relabelled("ill")
    assert str(other).startswith("ill")
    assert other != CARD
    assert CARD.with_needed(3) == CARD
    assert hash(CARD.with_needed(3)) == hash(CARD)
    assert CARD != "card"
    assert CARD.with_needed(4, "ill").label == "ill"


def test_a_card_for_engines():
    formula = CARD.formula
    assert formula.parts == ((0,), (1,), (2,), (3,), (4,))
    assert (formula.points, formula.needed, formula.outer) == ((3, 1, 1, 1, 1), 3, None)


def test_faults_are_found():
    assert CARD.verify_monotone()
    wrong = Card.of(CARD.literal_set, [1, 1, 0, 1, 1], 2)
    assert wrong.verify_monotone().faults == ("a literal does not add points",)
    single = Card([1], [1], needed=1)
    assert "1 literal, each" in str(single.verify_monotone())


@pytest.mark.parametrize(
    ("points", "needed", "said"),
    [
        ([1, 0], 1, "points must hold a whole number of at least 1"),
        ([1, 1.5], 1, "points must hold a whole number of at least 1"),
        ([1], 1, "points must hold a whole number of at least 1 for each of the 2 literals"),
        ([1, 1], -1, "needed must be a whole number of points"),
        ([1, 1], 1.5, "needed must be a whole number of points"),
    ],
)
def test_wrong_points_are_refused(points, needed, said):
    with pytest.raises(ValueError, match=said):
        Card(points, [1, 1], needed=needed)


def test_large_points_are_added_without_overflow():
    card = Card([200, 200, 1000], [1, 1, 1], needed=400)
    assert card.score([[1, 1, 0], [1, 1, 1], [0, 0, 0]]).tolist() == [400, 1400, 0]


def test_missing_values_are_refused_by_name():
    with pytest.raises(ValueError, match="age"):
        CARD.predict([[1, np.nan, 1, 1]])
