"""The rule set: what it accepts, and how it reads."""

import math
import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracles import patterns_of
from sugeno import RuleSet
from sugeno.model.support import Support

NAMES = ["interview", "experience", "references"]


def hiring(**options):
    return RuleSet([{0, 1}, {2}], [6, 4, 7], criteria=NAMES, **options)


@st.composite
def rule_sets(draw, most_literals=6):
    m = draw(st.integers(1, most_literals))
    sets = draw(st.lists(st.frozensets(st.integers(0, m - 1)), max_size=5))
    levels = draw(st.lists(st.integers(-2, 2), min_size=m, max_size=m))
    directions = draw(st.lists(st.sampled_from([-1, 1]), min_size=m, max_size=m))
    return sets, levels, directions


def accepts(row, sets, levels, directions):
    return any(all(directions[j] * (row[j] - levels[j]) >= 0 for j in rule) for rule in sets)


@given(rule_sets(), st.integers(0, 2**32 - 1))
def test_a_row_is_accepted_if_it_satisfies_all_literals_of_a_rule(rules, seed):
    sets, levels, directions = rules
    X = np.random.default_rng(seed).integers(-3, 4, size=(40, len(levels)))
    expected = [accepts(row, sets, levels, directions) for row in X]
    model = RuleSet(sets, levels, directions=directions)
    assert model.predict(X).tolist() == expected
    assert model.predict(X[:3]).tolist() == expected[:3]


def test_few_rows_and_many_literals_give_the_same_verdicts_as_the_table():
    rng = np.random.default_rng(0)
    for m in (12, 25, 70):
        sets = [set(rng.choice(m, 3, replace=False).tolist()) for _ in range(6)]
        rules = RuleSet(sets, np.zeros(m))
        X = rng.normal(size=(500, m)) + 0.5
        expected = [accepts(row, sets, np.zeros(m), np.ones(m)) for row in X]
        assert rules.predict(X).tolist() == expected
        assert [bool(rules.predict(row[None])[0]) for row in X[:50]] == expected[:50]


def test_redundant_rules_are_dropped():
    rules = RuleSet([{0}, {0, 1}, {2, 1}, {0}], [1, 2, 3])
    assert rules.sets == ((0,), (1, 2))
    assert len(rules) == 2


def test_text_of_the_rules():
    assert str(hiring()) == "accept if references >= 7, or interview >= 6 and experience >= 4"
    assert list(hiring()) == ["references >= 7", "interview >= 6 and experience >= 4"]
    assert str(RuleSet([], [1])) == "accept never"
    assert str(RuleSet([[]], [1])) == "accept always"
    assert str(RuleSet([{0}], [3], criteria=["price"], directions=[-1])) == "accept if price <= 3"


def test_no_rule_accepts_nothing_and_the_empty_rule_everything():
    assert not RuleSet([], [1]).predict([[5]]).any()
    assert RuleSet([[]], [1]).predict([[-5]]).all()


def test_long_texts_have_one_rule_per_line():
    rules = RuleSet([{0, 1, 2}, {3, 4, 5}, {1, 5}], range(6), criteria=[c * 9 for c in "abcdef"])
    lines = str(rules).splitlines()
    assert lines[0] == "accept if"
    assert lines[1] == "  bbbbbbbbb >= 1 and fffffffff >= 5, or"
    assert len(lines) == 4


def test_representation_is_cut_but_text_is_not():
    rules = RuleSet([{j} for j in range(30)], range(30))
    assert "10 more rules" in repr(rules)
    assert "x29 >= 29" not in repr(rules)
    assert "x29 >= 29" in str(rules)
    assert repr(hiring()) == str(hiring())
    assert "10 more rules" in rules._repr_html_()


def test_several_levels_of_one_criterion():
    rules = RuleSet(
        [{0, 2}, {1}],
        [2, 5, 3],
        criteria=["grade", "price"],
        directions=[1, -1],
        literal_criteria=[0, 0, 1],
    )
    assert str(rules) == "accept if grade >= 5, or grade >= 2 and price <= 3"
    assert rules.predict([[2, 3], [2, 4], [5, 9]]).tolist() == [True, False, True]
    assert rules.literal_criteria.tolist() == [0, 0, 1]


def test_literals_that_others_imply_are_left_out():
    rules = RuleSet([{0, 1}, {0, 2}, {1, 2}], [2, 5, 3], criteria="ab", literal_criteria=[0, 0, 1])
    assert rules.sets == ((1,), (0, 2))
    assert list(rules) == ["a >= 5", "a >= 2 and b >= 3"]
    assert rules.masks.ravel().tolist() == [0b011, 0b101]


@pytest.mark.parametrize("label", [None, "accept"])
def test_accept_is_said_without_a_label_and_where_the_label_says_so(label):
    assert str(RuleSet([{0}], [3], label=label)) == "accept if x0 >= 3"


@pytest.mark.parametrize(
    ("label", "head"),
    [("good", "good"), ("yes", "class yes"), (np.int64(1), "class 1"), (0, "class 0")],
)
def test_labels_are_named_and_bare_ones_are_classes(label, head):
    assert str(RuleSet([{0}], [3], label=label)) == f"{head} if x0 >= 3"
    assert str(RuleSet([], [3], label=label)) == f"{head} never"
    assert str(RuleSet([[]], [3], label=label)) == f"{head} always"
    assert RuleSet([{0}], [3], label=label) != RuleSet([{0}], [3])


@pytest.mark.parametrize(
    ("levels", "options", "message"),
    [
        ([1, 2], {"directions": [1]}, r"directions must hold one of \+1 and -1 per feature"),
        ([1, 2], {"directions": [1, 1, 1]}, r"shape \(2,\). Got shape \(3,\)"),
        ([1, 2], {"directions": [1, 0]}, "direction of feature 1 must be .* Got 0 instead"),
        ([1, 2], {"directions": [1, 2]}, "direction of feature 1 must be .* Got 2 instead"),
        ([1, 2], {"directions": "auto"}, r"directions must be \+1 or -1. Got 'auto'"),
        ([1, 2], {"directions": [1, "auto"]}, r"directions must be \+1 or -1"),
        ([1, 2], {"criteria": ["a", "a"]}, r"names of their own. Got \['a'\] more than once"),
        ([1, math.nan], {}, "none of them NaN"),
        ([[1, 2]], {}, "a list of numbers, one per literal"),
        ([1, 2], {"criteria": ["a"], "literal_criteria": [0]}, "for each of the 2 literals"),
        ([1, 2], {"criteria": ["a"], "literal_criteria": [0, 1]}, "index of a criterion, 0 to 0"),
        ([1, 2], {"criteria": ["a"], "literal_criteria": [-1, 0]}, "index of a criterion, 0 to 0"),
        ([1, 2], {"criteria": ["a", "b"], "literal_criteria": [1, 0]}, "in ascending order"),
        ([1, 2], {"criteria": ["a"], "literal_criteria": [0.0, 0.0]}, "index of a criterion"),
        ([2, 1], {"criteria": ["a"], "literal_criteria": [0, 0]}, "get harder to reach"),
        ([1, 1], {"criteria": ["a"], "literal_criteria": [0, 0]}, "get harder to reach"),
        (
            [1, 2],
            {"criteria": ["a"], "literal_criteria": [0, 0], "directions": [-1]},
            "get harder to reach",
        ),
        ([1, 2, 3], {"criteria": ["a", "b"]}, "one level for each of the 2 criteria. Got 3"),
    ],
)
def test_what_describes_the_literals_is_checked(levels, options, message):
    with pytest.raises(ValueError, match=message):
        RuleSet([], levels, **options)


@pytest.mark.parametrize("rule", [{3}, {-1}, {0, 7}])
def test_rules_consist_of_literals_that_there_are(rule):
    with pytest.raises(ValueError, match="A rule must consist of literals 0 to 2"):
        RuleSet([rule], [1, 2, 3])


def test_frames_are_read_by_column_name():
    data = {"references": [1, 8], "experience": [4, 0], "age": [30, 40], "interview": [6, 0]}
    expected = [True, True]
    for frame in (pd.DataFrame(data), pl.DataFrame(data)):
        assert hiring().predict(frame).tolist() == expected
    with pytest.raises(ValueError, match=r"column for each criterion. Got none for \['references'"):
        hiring().predict(pd.DataFrame(data).drop(columns="references"))


def test_wrong_input_is_refused():
    with pytest.raises(ValueError, match="X must have 3 columns"):
        hiring().predict([[1, 2]])
    with pytest.raises(ValueError, match="NaN"):
        hiring().predict([[1, 2, float("nan")]])
    with pytest.raises(ValueError, match=r"literals 0 to 2. Got \[3\]"):
        RuleSet([{3}], [1, 2, 3])
    with pytest.raises(ValueError, match="one level for each of the 2 criteria"):
        RuleSet([{0}], [1, 2, 3], criteria=["a", "b"])


def supported(rules, patterns):
    """The same rules, with the training rows that they stand on."""
    return RuleSet.from_masks(
        rules.masks, rules.literal_set, named=True, support=Support.counted(rules.masks, patterns)
    )


def training():
    masks = np.array([[0], [3], [4], [7]], dtype=np.uint64)
    return patterns_of(masks, np.array([0, 6, 1, 3]), np.array([9, 2, 1, 1]), 3, unit=0.5)


def test_support_and_precision_come_from_the_training_patterns():
    records = supported(hiring(), training()).to_records()
    assert records == [
        {"rule": "references >= 7", "size": 1, "support": 3.0, "precision": 4 / 6, "unique": 1.0},
        {
            "rule": "interview >= 6 and experience >= 4",
            "size": 2,
            "support": 6.0,
            "precision": 9 / 12,
            "unique": 4.0,
        },
    ]


@pytest.mark.parametrize("levels_of_each", [1, 2])
def test_many_rules_stand_on_the_rows_that_satisfy_them(levels_of_each):
    rng = np.random.default_rng(0)
    criteria = np.repeat(np.arange(8 // levels_of_each), levels_of_each)
    levels = np.tile(np.arange(1, 1 + levels_of_each), 8 // levels_of_each)
    sets = [set(rng.choice(8, 4, replace=False).tolist()) for _ in range(200)]
    names = [f"x{j}" for j in range(8 // levels_of_each)]
    rules = RuleSet(sets, levels, criteria=names, literal_criteria=criteria)
    X = rng.integers(0, 3, (3000, 8 // levels_of_each))
    y, weights = rng.integers(0, 2, 3000), rng.integers(1, 4, 3000)
    reached = X[:, criteria] >= levels
    covered = np.array([reached[:, list(rule)].all(axis=1) for rule in rules.sets])
    sums = covered @ weights
    counted = rules.counted_on(X, y, weights).to_records()
    assert [r["support"] for r in counted] == sums.tolist()
    assert [r["precision"] for r in counted] == (covered @ (weights * y) / sums).tolist()
    alone = covered & (covered.sum(axis=0) == 1)
    assert [r["unique"] for r in counted] == (alone @ weights).tolist()


def test_a_rule_without_support_has_no_precision():
    patterns = patterns_of(np.array([[1]], np.uint64), np.array([1]), np.array([1]), 3)
    (record,) = supported(RuleSet([{0, 2}], [1, 1, 1]), patterns).to_records()
    assert record["support"] == 0
    assert math.isnan(record["precision"])


def test_the_table_as_a_frame():
    frame = supported(hiring(), training()).to_frame()
    assert isinstance(frame, pd.DataFrame)
    assert list(frame.columns) == ["rule", "size", "support", "precision", "unique"]
    assert frame["support"].tolist() == [3.0, 6.0]
    assert isinstance(hiring().to_frame("polars"), pl.DataFrame)
    assert list(RuleSet([], [1]).to_frame().columns) == ["rule", "size"]


def test_the_notebook_table_escapes_names():
    html = RuleSet([{0}], [1], criteria=["<b>"])._repr_html_()
    assert "&lt;b&gt; &gt;= 1" in html
    assert "accept never" in RuleSet([], [1])._repr_html_()


def test_equal_rule_sets_are_equal_and_survive_pickling():
    assert hiring() == hiring()
    assert hash(hiring()) == hash(hiring())
    assert hiring() != RuleSet([{0, 1}], [6, 4, 7], criteria=NAMES)
    assert hiring() != "accept if"
    copy = pickle.loads(pickle.dumps(supported(hiring(), training())))
    assert copy == hiring()
    assert copy.to_records() == supported(hiring(), training()).to_records()


def test_what_is_handed_in_or_out_cannot_change_the_rules():
    levels = np.array([6.0, 4.0, 7.0])
    rules = RuleSet([{0, 1}, {2}], levels, criteria=NAMES)
    levels[:] = 0
    rules.levels[:] = 0
    rules.masks[:] = 0
    rules.directions[:] = -1
    assert rules == hiring()
    assert rules.n_literals == 3
    assert rules.criteria == tuple(NAMES)
