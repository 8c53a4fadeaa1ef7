"""Rules as people write them."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from small_rules import rule_sets
from sugeno import RuleSet, SugenoClassifier
from sugeno._scales.criterion import Criterion
from sugeno.model.drafts import Draft
from sugeno.model.parsing import parse


@given(rule_sets(), st.booleans())
def test_what_is_written_reads_back_as_the_same_rules(case, words):
    rules, X = case
    text = rules.to_text(words=words)
    again = RuleSet.parse(text, rules.criteria, directions=rules.directions.tolist())
    assert again.predict(X).tolist() == rules.predict(X).tolist()
    if words is False and len(rules) and all(rules.sets):
        # Rules stand in an order that depends on literals which none of them uses.
        same = rules if rules.form == again.form else rules.dual()
        assert sorted(again) == sorted(same)


@pytest.mark.parametrize(
    "text",
    [
        "interview >= 6 and price <= 3, or references >= 7",
        "accept if interview at least 6 and price at most 3, or references at least 7",
        "accept if\n  references ≥ 7, or\n  interview is at least 6 and price ≤ 3",
        "references>=7|interview>=6&price<=3",
        "(interview >= 6.0 and price <= 3e0) or (references >= 7).",
        "\"interview\" >= 6 and `price` <= 3 or 'references' >= +7",
        "good if references >= 7, or interview >= 6 and price <= 3",
    ],
)
def test_many_ways_to_write_the_same(text):
    rules = RuleSet.parse(text, ["interview", "price", "references"])
    assert str(rules) == "accept if references >= 7, or interview >= 6 and price <= 3"
    assert rules.directions.tolist() == [1, -1, 1]


def test_clauses():
    rules = RuleSet.parse("reject unless price <= 3 and (speed >= 5 or comfort >= 2)")
    assert rules.form == "cnf"
    assert str(rules) == "accept if price <= 3 and (speed >= 5 or comfort >= 2)"
    assert RuleSet.parse("never", ["a"]).predict([[1], [2]]).tolist() == [False, False]
    assert RuleSet.parse("accept always", ["a"]).predict([[1]]).tolist() == [True]
    assert parse("always") == ("dnf", [[]])
    assert parse("accept never") == ("dnf", [])


def test_strict_signs_read_as_written():
    rules = RuleSet.parse("speed > 5 and price < 3")
    assert str(rules) == "accept if speed > 5 and price < 3"
    assert rules.predict([[5, 2], [5.1, 3], [5.1, 2.9]]).tolist() == [False, False, True]


def test_names_with_anything_in_them():
    names = ["age and income", "a>=b", "x or y (%)", "x"]
    text = 'age and income >= 3 and "a>=b" >= 1 or x or y (%) at least 2, or x >= -.5'
    rules = RuleSet.parse(text, names)
    assert [len(members) for members in rules.sets] == [1, 1, 2]
    assert rules.criteria == tuple(names)


def test_labels_and_directions_of_a_model():
    criteria = (Criterion("safety", 1, ("low", "very low", "high")), Criterion("price", -1))
    draft = Draft(criteria, ())
    assert draft.read("safety at least very low and price <= 2").sets == (
        frozenset({(0, 1.0), (1, 2.0)}),
    )
    assert draft.read("safety > 'low'").sets == (frozenset({(0, 1.0)}),)
    with pytest.raises(
        ValueError, match=r"one of its labels.*Got 'hihg' instead; did you mean 'high'"
    ):
        draft.read("safety >= hihg")
    with pytest.raises(
        ValueError, match=r"the better the lower it is.*'price <= …'. Got 'price >= 3'"
    ):
        draft.read("price >= 3")


def test_a_text_that_reads_like_a_learned_literal_means_that_literal():
    X = pd.DataFrame({"speed": [1.0, 2.0, 3.0, 4.0]})
    clf = SugenoClassifier().fit(X, [0, 0, 1, 1])
    assert clf.rules_.levels.tolist() == [2.5]
    draft = clf.rules_.draft
    assert draft.read("speed >= 3").sets == draft.sets
    assert draft.read("speed >= 3.5").sets == (frozenset({(0, 3.5)}),)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("interveiw >= 6", "Got 'interveiw' instead; did you mean 'interview'"),
        ("Interview >= 6", "did you mean 'interview'"),
        ("interview >= six", "Expected a number for 'interview', got 'six'"),
        ("interview >= 6 price <= 3", "Expected 'and', 'or' or the end, got 'price <= 3'"),
        ("interview 6", "Expected a criterion, a sign and a value, got 'interview 6'"),
        ("'interview' 6 >= 3", "Got \"'interview' 6\" instead"),
        ("(interview >= 6", "Expected a closing bracket"),
        ("", "Expected a criterion"),
        ("interview >= 6 and", "Expected a criterion"),
    ],
)
def test_mistakes_are_named_with_a_remedy(text, message):
    with pytest.raises(ValueError, match="A rule must") as caught:
        RuleSet.parse(text, ["interview", "price"])
    assert message in str(caught.value)


def test_too_many_directions_or_products():
    with pytest.raises(ValueError, match=r"for each of the 1 criteria. Got 2"):
        RuleSet.parse("a >= 1", ["a"], directions=[1, 1])
    wide = " and ".join(f"(a{i} >= 1 and b{i} >= 1 or c{i} >= 1 and d{i} >= 1)" for i in range(14))
    with pytest.raises(ValueError, match="must multiply out to at most"):
        RuleSet.parse(f"({wide}) or z >= 1")


@given(rule_sets(), rule_sets(), st.integers(0, 3))
def test_and_and_or_are_exact(first, second, shift):
    """The second rule set has other names, some of them the same; both are asked by name."""
    one, two = first[0], second[0]
    names = [f"c{j + shift}" for j in range(len(two.criteria))]
    signs = dict(zip(one.criteria, one.directions.tolist()))
    signs = [signs.get(name, sign) for name, sign in zip(names, two.directions.tolist())]
    levels = np.abs(two.levels) * np.array(signs)[two.literal_criteria]
    two = RuleSet(
        two.sets,
        levels,
        criteria=names,
        directions=signs,
        literal_criteria=two.literal_criteria,
        form=two.form,
    )
    every = list(dict.fromkeys([*one.criteria, *names]))
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.integers(-4, 5, (200, len(every))), columns=every)
    both, either = one & two, one | two
    assert set(both.criteria) == set(every)
    a, b = one.predict(frame), two.predict(frame)
    assert (both.predict(frame) == (a & b)).all()
    assert (either.predict(frame) == (a | b)).all()


def test_products_that_nobody_can_read_are_refused():
    one, other = (
        RuleSet.parse(" or ".join(f"{name}{j} >= 1" for j in range(1025))) for name in "ab"
    )
    with pytest.raises(OverflowError, match="would be 1050625 sets"):
        one & other
    assert len(one | other) == 2050
    pairs = [f"(a{j} >= 1 or b{j} >= 1)" for j in range(21)]
    clauses = RuleSet.parse(" and ".join(pairs)).draft
    with pytest.raises(OverflowError, match="write them plainer"):
        clauses.read(" or ".join(pairs).replace("1 or b", "1 and b"))


def test_joining_refuses_what_does_not_fit():
    cheap = RuleSet.parse("price <= 3", label="good")
    with pytest.raises(ValueError, match="must agree about 'price'"):
        cheap & RuleSet.parse("price >= 3", label="good")
    with pytest.raises(ValueError, match=r"the same class. Got 'good' and 'bad'"):
        cheap | RuleSet.parse("price <= 3", label="bad")
    with pytest.raises(TypeError):
        cheap & 3
    with pytest.raises(TypeError):
        cheap | 3
