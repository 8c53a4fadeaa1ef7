"""Explanations of ordered classes beside an enumeration of all rows and all subsets."""

import math
from dataclasses import replace
from itertools import combinations, pairwise

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from costly import costly
from ordinal_models import ordinal_rows, random_ordinal_model
from small_cards import nested_cards
from small_rules import boundary_of, rule_sets
from sugeno import OrdinalRuleClassifier, RuleSet
from sugeno.explain import explain, reasons
from sugeno.model.boundary import Certificate
from sugeno.model.class_rules import boundary_labels
from sugeno.model.model import Model

LABELS = np.array(["bad", "ok", "good", "best"])


@st.composite
def nested(draw):
    """Boundaries of rules about the same literals, nested by "and"; and all rows of places."""
    rules, X = draw(rule_sets(max_criteria=3, forms=("dnf",)))
    families = [rules]
    indices = st.frozensets(st.integers(0, rules.n_literals - 1))
    for _ in range(draw(st.integers(1, 2))):
        drawn = draw(st.lists(indices, max_size=4))
        sets = [one | two for one in drawn for two in map(frozenset, families[-1].sets)]
        families.append(
            RuleSet(
                sets,
                rules.literal_set.levels,
                criteria=rules.criteria,
                directions=rules.literal_set.directions,
                literal_criteria=rules.literal_set.columns,
            )
        )
    classes = LABELS[: len(families) + 1]
    models = [
        boundary_of(one, tuple(boundary_labels(np.array(classes), b)))
        for b, one in enumerate(families)
    ]
    return Model(classes, tuple(models), Certificate(0.0, 0.0)), X


@st.composite
def nested_points(draw):
    """One card of points with a threshold for each of two to four boundaries; and all rows."""
    n_classes = draw(st.integers(3, 5))
    classes = np.array([*LABELS, "perfect"])[:n_classes]
    return nested_cards(draw(st.integers(0, 2**32)), n_classes, 6, classes)


def smallest(X, holds, row):
    """First of the smallest sets of criteria that decide, whatever the others are."""
    m = X.shape[1]
    for size in range(m + 1):
        for kept in map(list, combinations(range(m), size)):
            if holds[(X[:, kept] == X[row, kept]).all(axis=1)].all():
                return [f"c{j}" for j in kept]
    raise AssertionError("all criteria together decide")


@costly
@given(st.one_of(nested(), nested_points()))
def test_reasons_barriers_and_ways_up_are_those_of_an_enumeration(case):
    model, X = case
    place = model.passed(X)
    found = explain(model, X)
    moved, costs = found.nearest(), found.costs
    for row, one in enumerate(found):
        here = place[row]
        assert one.label == model.classes[here]
        reason = [factor.criterion for factor in one.reason]
        assert reason == ([] if here == 0 else smallest(X, place >= here, row))
        top = here == len(model.boundaries)
        barrier = [factor.criterion for factor in one.barrier]
        assert barrier == ([] if top else smallest(X, place <= here, row))
        steps = [np.abs(other - X[row]).sum() for other in X[place > here]]
        if not steps:
            assert math.isnan(costs[row])
            assert one.counterfactuals == ()
            assert np.isnan(moved[row]).all()
            continue
        assert costs[row] == min(steps) == np.abs(moved[row] - X[row]).sum()
        reached = int(model.passed(moved[row : row + 1])[0])
        assert reached > here
        assert one.counterfactuals[0].label == model.classes[reached]
        assert one.text == f"{one.label}. {model.classes[reached]} if {one.counterfactuals[0]}."


@costly
@given(st.one_of(nested(), nested_points()))
def test_what_would_lower_a_row_and_its_margins_are_those_of_an_enumeration(case):
    model, X = case
    place = model.passed(X)
    found = explain(model, X)
    down, up = found.margins
    for row, one in enumerate(found):
        losing = [np.abs(other - X[row]).sum() for other in X[place < place[row]]]
        assert [way.cost for way in one.falls[:1]] == ([min(losing)] if losing else [])
        for j in range(X.shape[1]):
            alone = np.delete(X, j, axis=1) == np.delete(X[row], j)
            same = alone.all(axis=1)
            falls = [abs(x - X[row, j]) for x in X[same & (place < place[row]), j]]
            rises = [abs(x - X[row, j]) for x in X[same & (place > place[row]), j]]
            # It may fall to the last value that keeps the class, one unit before.
            assert down[row, j] == (min(falls) - 1 if falls else math.inf)
            assert up[row, j] == (min(rises) if rises else math.inf)


@costly
@given(seed=st.integers(0, 2**32))
def test_tables_sentences_and_objects_say_the_same(seed):
    model = random_ordinal_model(seed)
    X = ordinal_rows(model, seed, 25)
    found = explain(model, X)
    assert found.labels.tolist() == model.classes.take(model.passed(X)).tolist()
    for one, sentence, record in zip(found, found.sentences(), found.to_records()):
        assert one.text == sentence
        assert record["label"] == one.label
        assert record["rules"] == (None if one.lower is None else ", ".join(map(str, one.rules)))
        assert record["reason"] == (None if one.below is None else one.below.because)
        assert record["barrier"] == (None if one.above is None else one.above.because)
        ways = one.counterfactuals
        assert record["counterfactual"] == (str(ways[0]) if ways else None)
        assert record["higher"] == (ways[0].label if ways else None)
        assert math.isnan(record["cost"]) if not ways else record["cost"] == ways[0].cost
    assert len(found.to_frame()) == 25


def steps(immutable=()):
    rules = [RuleSet([{0}, {1}], levels, criteria=["a", "b"]) for levels in ([3, 6], [5, 8])]
    sides = [tuple(boundary_labels(np.array(LABELS), b)) for b in range(2)]
    models = [boundary_of(one, labels) for one, labels in zip(rules, sides)]
    model = Model(LABELS[:3], tuple(models), Certificate(0.0, 0.0))
    return explain(model, np.array([[0.0, 0.0], [4.0, 0.0], [9.0, 9.0]]), **immutable)


def test_limits_hold_at_every_boundary_and_a_generator_is_read_once():
    found = steps({"immutable": (name for name in ["a"])})
    assert found.sentences() == [
        "bad. ok if b rises from 0 to 6.",
        "ok. good if b rises from 0 to 8.",
        "good. No way to ok exists within these limits.",
    ]
    assert steps({"immutable": ["a", "b"]}).sentences()[1] == (
        "ok. No way to good exists within these limits."
    )
    assert steps({"permitted_range": {"a": (None, 4)}})[1].counterfactuals[0].changes[0].after == 8


def test_a_change_that_skips_a_class_says_which_class_it_leads_to():
    rules = [RuleSet([{0}], [3], criteria=["a"])] * 2
    sides = [tuple(boundary_labels(np.array(LABELS), b)) for b in range(2)]
    models = [boundary_of(one, labels) for one, labels in zip(rules, sides)]
    model = Model(LABELS[:3], tuple(models), Certificate(0.0, 0.0))
    (one,) = explain(model, np.array([[1.0]]))
    assert one.text == "bad. good if a rises from 1 to 3."
    assert (one.higher, one.counterfactuals[0].label) == ("ok", "good")


@pytest.mark.parametrize("against", ["higher", "lower"])
def test_letters_say_what_keeps_a_row_from_the_next_class(against):
    model = random_ordinal_model(3)
    X = ordinal_rows(model, 3, 60)
    found, letters = explain(model, X), reasons(model, X, max_reasons=99, against=against)
    for one, letter in zip(found, letters):
        other, kept = one.higher, one.barrier
        if other is None or (against == "lower" and one.lower is not None):
            other, kept = one.lower, one.reason
        given_factors = sorted(reason.criterion for reason in letter.reasons)
        assert given_factors == sorted(factor.criterion for factor in kept)
        assert (letter.row, letter.decision) == (one.row, one.label)
        assert letter.text.startswith(f"{one.label}, not {other}")
    assert len(letters.to_frame()) == sum(len(letter.reasons) for letter in letters)


def test_missing_values_are_explained_as_they_are_read():
    model = random_ordinal_model(5, labelled=False, missing="pessimistic", m=3)
    X = ordinal_rows(model, 5, 40)
    X[::2, 1] = np.nan
    found = explain(model, X)
    assert found.labels.tolist() == model.classes.take(model.passed(X)).tolist()
    moved = found.nearest()
    there = ~np.isnan(found.costs)
    assert (model.passed(moved[there]) > model.passed(X[there])).all()


@pytest.mark.parametrize("missing", ["pessimistic", "optimistic", "interval"])
@pytest.mark.parametrize("n_classes", [2, 3, 5])
def test_a_card_with_gaps_is_explained_as_if_they_were_the_worst_or_the_best(missing, n_classes):
    for seed in range(6):
        model, X = nested_cards(seed, n_classes, 8)
        boundaries = tuple(replace(one, missing=missing) for one in model.boundaries)
        model = replace(model, boundaries=boundaries)
        gaps = np.random.default_rng(seed).random(X.shape) < 0.3
        holes, signs = np.where(gaps, np.nan, X), model.boundaries[0].literals.directions
        end = np.inf if missing == "optimistic" else -np.inf
        filled = np.where(gaps, signs * end, X)
        assert (model.passed(holes) == model.passed(filled)).all()
        least, most = model.ends(holes)
        at_worst, at_best = (
            model.passed(np.where(gaps, signs * one, X)) for one in (-np.inf, np.inf)
        )
        if missing == "interval":
            assert (least == at_worst).all()
            assert (most == at_best).all()
        found, plain = explain(model, holes), explain(model, filled)
        assert found.labels.tolist() == plain.labels.tolist()
        moved, there = found.nearest(), ~np.isnan(found.costs)
        risen = model.passed(moved[there]) - model.passed(holes[there])
        # Of two classes both are explained; of several what would lead to a higher one.
        assert (risen != 0 if n_classes == 2 else risen > 0).all()


def frame_for(model, X):
    columns = {}
    for j, criterion in enumerate(model.criteria):
        places = X[:, j].astype(int)
        columns[criterion.name] = (
            X[:, j] if criterion.labels is None else np.array(criterion.labels)[places]
        )
    return pd.DataFrame(columns)


@pytest.mark.parametrize("seed", range(4))
def test_the_classifier_explains_and_counts_its_rules_on_rows_of_a_frame(seed):
    model = random_ordinal_model(seed, m=3)
    X = ordinal_rows(model, seed, 50)
    clf = OrdinalRuleClassifier.of(model)
    rows = frame_for(model, X) if model.rules[0].named else X
    labels = clf.predict(rows)
    assert clf.explain(rows).sentences() == explain(model, X).sentences()
    assert clf.reasons(rows)[0].text == reasons(model, X)[0].text
    table = clf.rules_table(rows, labels)
    assert len(table) == model.rules.n_rules
    assert table["precision"].dropna().eq(1).all()  # the labels are those of the rules
    assert clf.verify_monotone()
    with pytest.raises(ValueError, match=r"Got \['?nobody'?\] instead"):
        clf.rules_table(rows, ["nobody"] * len(labels))
    with pytest.raises(ValueError, match="given together"):
        clf.rules_table(rows)


def test_boundaries_that_are_not_nested_are_not_proved_monotone():
    model = random_ordinal_model(1)
    lower, higher, *_ = model.boundaries
    turned = replace(model, boundaries=(higher, lower), classes=model.classes[:3])
    assert not all(
        (two.accepted(X) <= one.accepted(X)).all()
        for X in [ordinal_rows(model, 0, 500)]
        for one, two in pairwise(turned.boundaries)
    )
    proof = turned.verify_monotone()
    assert not proof
    assert "does not imply" in str(proof)
