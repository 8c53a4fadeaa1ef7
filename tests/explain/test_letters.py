"""Reasons of decisions, as letters give them."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given

from costly import costly
from small_cards import model_of_card
from small_rules import model_of, rule_sets
from sugeno import Card, RuleClassifier, RuleSet, SugenoClassifier
from sugeno.explain import explain, reasons

NAMES = ["interview", "price", "references", "grade", "tests"]


def five(form="cnf"):
    """Accepted if any of five criteria is good: a refusal takes all five to explain."""
    signs = [1, -1, 1, 1, 1]
    rules = RuleSet([range(5)], [6, 3, 7, 2, 2], criteria=NAMES, directions=signs, form=form)
    return model_of(rules)


BAD = np.array([[5.0, 9.0, 1.0, 0.0, 0.0]])


def test_more_reasons_than_allowed_are_announced_and_not_cut_silently():
    (letter,) = reasons(five(), BAD)
    assert len(letter.reasons) == 4
    assert letter.needed == 5
    assert not letter.complete
    assert letter.text == (
        "Class 0. 4 of the 5 decisive factors:\n- interview is 5, below 6\n- price is 9, above 3\n"
        "- references is 1, below 7\n- grade is 0, below 2\n"
        "It takes all 5 to explain this decision; 1 more than can be listed here."
    )
    (whole,) = reasons(five(), BAD, max_reasons=5)
    assert whole.complete
    assert whole.text.startswith("Class 0. The 5 decisive factors:")


def test_codes_and_texts_are_those_of_the_user():
    codes, texts = {"interview": "R1", 1: "R2"}, {"price": "{criterion} {value} > {level} {odd}"}
    (letter,) = reasons(five(), BAD, codes=codes, texts=texts)
    assert str(letter.reasons[0]) == "R1: interview is 5, below 6"
    assert str(letter.reasons[1]) == "R2: price 9 > 3 {odd}"
    assert str(letter.reasons[2]) == "references is 1, below 7"


def test_the_factor_that_blocks_most_rules_comes_first():
    rules = RuleSet([{0, 2}, {1, 2}], [1, 1, 1], criteria=["a", "b", "c"])
    (letter,) = reasons(model_of(rules), np.array([[0.0, 0.0, 1.0]]))
    assert [one.criterion for one in letter.reasons] == ["a", "b"]
    rules = RuleSet([{0, 3}, {1, 3}, {2}], [1, 1, 1, 1], criteria=list("abcd"))
    (letter,) = reasons(model_of(rules), np.zeros((1, 4)))
    assert [one.criterion for one in letter.reasons] == ["d", "c"]


@costly
@given(rule_sets())
def test_reasons_are_the_smallest_sufficient_reason_of_each_decision(case):
    rules, X = case
    model = model_of(rules)
    letters = reasons(model, X, max_reasons=2)
    for row, one in enumerate(explain(model, X)):
        letter = letters[row]
        assert letter.decision == one.label
        assert letter.needed == len(one.reason)
        given_names = {reason.criterion for reason in letter.reasons}
        assert given_names <= {factor.criterion for factor in one.reason}
        assert len(given_names) == min(2, letter.needed)
    assert len(letters.to_records()) == sum(len(letter.reasons) for letter in letters)


@costly
@given(rule_sets())
def test_what_a_letter_says_of_a_value_is_true(case):
    rules, X = case
    values = {name: X[:, j] for j, name in enumerate(rules.criteria)}
    truth = {
        "at least": np.greater_equal,
        "at most": np.less_equal,
        "below": np.less,
        "above": np.greater,
    }
    for letter in reasons(model_of(rules), X, max_reasons=99):
        for reason in letter.reasons:
            said = f"{reason.criterion} is {float(values[reason.criterion][letter.row]):g}"
            assert reason.text.startswith(said)
            for words, holds in truth.items():
                if f", {words} " in reason.text:
                    level = float(reason.text.rsplit(" ", 1)[1])
                    assert holds(values[reason.criterion][letter.row], level)


def test_the_factor_that_most_rules_that_hold_speak_about_comes_first():
    rules = RuleSet([{0, 2}, {1, 2}], [1, 1, 1], criteria=["a", "b", "c"])
    (letter,) = reasons(model_of(rules), np.array([[0.0, 1.0, 1.0]]))
    assert [one.criterion for one in letter.reasons] == ["b", "c"]
    rules = RuleSet([{0, 3}, {1, 3}, {2, 3}], [1, 1, 1, 1], criteria=list("abcd"))
    (letter,) = reasons(model_of(rules), np.ones((1, 4)))
    assert [one.criterion for one in letter.reasons] == ["d", "a"]
    points = Card([1, 3], [1, 1], needed=4, criteria=["few", "many"])
    (letter,) = reasons(model_of_card(points), np.ones((1, 2)))
    assert [one.criterion for one in letter.reasons] == ["many", "few"]


LOANS = pd.DataFrame({"debt": [0.1, 0.2, 0.3, 0.5, 0.6, 0.7], "home": ["own", "rent"] * 3})


@pytest.mark.parametrize("words", [None, ("refused", "approved")])
def test_a_letter_explains_the_decision_that_was_made_in_the_words_of_the_target(words):
    y = pd.Series(["no", "no", "no", "yes", "yes", "yes"], name="deny")
    clf = SugenoClassifier(words=words, levels=1).fit(LOANS[["debt"]], y)
    good, bad = ("deny = no", "deny = yes") if words is None else ("Approved", "Refused")
    letters = clf.reasons(LOANS[["debt"]])
    assert [letter.decision for letter in letters] == y.tolist()
    assert str(letters[0]) == f"{good}. The decisive factor:\n- debt is 0.1, below 0.4"
    assert str(letters[5]) == f"{bad}. The decisive factor:\n- debt is 0.7, at least 0.4"
    assert not any("efused" in str(letter) for letter in letters[:3])
    assert clf.reasons(LOANS[["debt"]]).to_frame()["decision"].tolist() == y.tolist()


def test_a_text_says_what_is_missed_and_a_pair_also_what_is_reached():
    clf = SugenoClassifier(levels=1).fit(LOANS[["debt"]], [0, 0, 0, 1, 1, 1])
    rows, short = LOANS[["debt"]], "You owe {value}, less than {level}"
    alone = clf.reasons(rows, texts={"debt": short})
    assert alone[0].reasons[0].text == "You owe 0.1, less than 0.4"
    assert alone[5].reasons[0].text == "debt is 0.7, at least 0.4"
    both = clf.reasons(rows, texts={"debt": (short, "You owe {value}, {level} or more")})
    assert both[0].reasons[0].text == "You owe 0.1, less than 0.4"
    assert both[5].reasons[0].text == "You owe 0.7, 0.4 or more"


def test_categories_that_a_row_has_are_named_among_those_that_count():
    X = pd.DataFrame({"home": ["own", "parents", "rent"] * 12})
    clf = SugenoClassifier(levels=1).fit(X, X["home"] != "rent")
    texts = [letter.reasons[0].text for letter in clf.reasons(X[:3])]
    assert texts[2] == "home is rent, not parents or own"
    assert texts[0] == "home is own, one of parents or own"


def test_both_sides_of_a_column_have_the_code_of_the_column():
    X = pd.DataFrame({"age": np.arange(60.0)})
    clf = SugenoClassifier(levels=2, columns={"age": "free"}).fit(X, abs(X["age"] - 30) < 12)
    young, middle, old = clf.reasons(X.iloc[[2, 30, 58]], codes={"age": "A1"})
    assert {reason.code for letter in (young, middle, old) for reason in letter.reasons} == {"A1"}
    assert [reason.text.split(",")[0] for reason in middle.reasons] == ["age is 30"]


def test_accepted_rows_and_other_classes():
    letters = reasons(five(), np.array([[9.0, 9, 9, 9, 9]]))
    assert str(letters[0]) == "Class 1. The decisive factor:\n- interview is 9, at least 6"
    assert list(letters.to_frame().columns) == [
        "row", "decision", "rank", "needed", "criterion", "code", "text",
    ]  # fmt: skip
    X = pd.DataFrame({"speed": [1, 2, 3, 4]})
    clf = SugenoClassifier(positive="good").fit(X, ["bad", "bad", "good", "good"])
    assert str(clf.reasons(X)[0]) == "bad. The decisive factor:\n- speed is 1, below 3"
    never = model_of(RuleSet([], [1.0]))
    assert reasons(never, np.zeros((1, 1)))[0].text == "Class 0, whatever the values."


def test_a_sequence_with_a_beginning():
    letters = reasons(five(), np.repeat(BAD, 12, axis=0))
    assert len(letters[:3]) == 3
    assert repr(letters).endswith("… and 2 more rows")
    assert repr(reasons(five(), BAD)) == letters[0].text


def test_wrong_questions():
    with pytest.raises(ValueError, match=r"max_reasons must be at least 1. Got 0"):
        reasons(five(), BAD, 0)
    with pytest.raises(ValueError, match=r"against must be 'higher' or 'lower'. Got 'up'"):
        reasons(five(), BAD, against="up")
    with pytest.raises(ValueError, match=r"codes must be the name .* did you mean 'price'"):
        reasons(five(), BAD, codes={"prices": "R"})


def test_values_are_shown_as_people_write_them():
    """Digits that are noise are left out, and never so that a value seems to reach its level."""
    rules = RuleSet.parse("balance >= 730 and income >= 50000")
    clf = RuleClassifier.from_rules(rules)
    balance, income = [729.5264952072858, 729.9999999999], [44361.6250742669, 6e4]
    table = pd.DataFrame({"balance": balance, "income": income})
    found = clf.explain(table).sentences()
    assert found == [
        "Class False. Class True if balance rises from 729.526 to 730 and income rises from "
        "44361.6 to 50000.",
        "Class False. Class True if balance rises from 729.9999999999 to 730.",
    ]
    letters = clf.reasons(table)
    assert letters[0].reasons[0].text == "balance is 729.526, below 730"
    assert letters[1].reasons[0].text == "balance is 729.9999999999, below 730"


def test_sums_of_weights_have_no_exponent():
    X, y = [[1], [2], [3], [4]], [0, 0, 1, 1]
    clf = SugenoClassifier().fit(X, y)
    edit = clf.edit(X, y, [1, 1, 1309_0000, 1]).move_level("x0", 3, to=4)
    assert str(edit.report).endswith("Errors: 0 before, 13090000 after.")
    table = clf.rules_.counted_on(X, y, [1, 1, 1309_0000, 1])
    assert "| 13090001 |" in table.to_markdown()
