"""Rules keep the places that people see: an edited one stays where it is, an added one is last."""

import numpy as np
import pandas as pd
import pytest

import sugeno
from sugeno import RuleClassifier, RuleSet, SugenoClassifier, SugenoDistiller
from sugeno.datasets import load


@pytest.fixture(scope="module")
def distilled():
    X, y = load("LEV", return_X_y=True)
    return SugenoDistiller(n_rules=4, directions=None).fit(X, y)


@pytest.mark.parametrize("place", range(4))
def test_a_rule_is_removed_by_its_place_and_by_its_text(distilled, place):
    texts = list(distilled.rules_)
    left = texts[:place] + texts[place + 1 :]
    for rule in (place, texts[place]):
        edit = distilled.edit().remove(rule)
        assert list(edit.rules) == left
        assert edit.steps == (f"removed {texts[place]!r}",)


@pytest.mark.parametrize("place", range(4))
def test_a_rule_is_replaced_by_its_place(distilled, place):
    texts = list(distilled.rules_)
    edit = distilled.edit().replace(place, "x0 >= 4 and x1 >= 4 and x2 >= 4 and x3 >= 4")
    assert texts[place] not in set(edit.rules)
    if not edit.steps[1:]:  # else the new rule is redundant
        texts[place] = "x0 >= 4 and x1 >= 4 and x2 >= 4 and x3 >= 4"
        assert list(edit.rules) == texts


def test_added_rules_come_last_and_files_keep_the_order(distilled):
    texts = list(distilled.rules_)
    edited = distilled.edit().add("x3 >= 9").classifier
    assert list(edited.rules_) == [*texts, "x3 >= 9"]
    assert list(sugeno.loads(sugeno.dumps(edited)).rules_) == list(edited.rules_)


def test_a_rule_that_becomes_redundant_is_named_and_the_others_keep_their_order():
    rules = RuleSet.parse("a >= 3 and b >= 1, or a >= 1 and c >= 8, or b >= 5 and c >= 2")
    assert list(rules) == ["a >= 3 and b >= 1", "b >= 5 and c >= 2", "a >= 1 and c >= 8"]
    edit = RuleClassifier.from_rules(rules).edit().replace(1, "b >= 1")
    assert list(edit.rules) == ["b >= 1", "a >= 1 and c >= 8"]
    assert edit.origins == (1, 2)
    assert edit.steps[1:] == ("left out 'a >= 3 and b >= 1', which is redundant",)
    again = edit.add("b >= 1 and b >= 0").add("a >= 2 and a >= 4")
    assert list(again.rules) == ["b >= 1", "a >= 1 and c >= 8", "a >= 4"]
    assert again.origins == (1, 2, None)
    assert str(again.report).splitlines()[2:4] == [
        "added 'b >= 1 and b >= 0'",
        "left out 'b >= 1', which is redundant",
    ]
    twice = edit.replace(0, "a >= 5, or c >= 9").remove(2)
    assert list(twice.rules) == ["a >= 5", "c >= 9"]
    assert twice.origins == (1, None)


def gap():
    """Nobody has between 48,000 and 53,000; the level learned is 50,500, and it reads 50,000."""
    X = pd.DataFrame({"income": [20_000, 48_000, 53_000, 90_000] * 5})
    return SugenoClassifier(directions=None).fit(X, [0, 0, 1, 1] * 5), X, [0, 0, 1, 1] * 5


@pytest.mark.parametrize("with_rows", [False, True])
@pytest.mark.parametrize("level", ["48750", "50200", "50499", "50501", "52000.5", "60000"])
def test_what_a_person_wrote_stays_as_written(level, with_rows):
    clf, X, y = gap()
    assert clf.rules_.levels.tolist() == [50_500]
    assert list(clf.rules_) == ["income >= 50000"]
    rows = (X, y) if with_rows else ()
    moved = clf.edit(*rows).move_level("income", 50_000, to=level).classifier
    assert list(moved.rules_) == [f"income >= {level}"]
    assert moved.rules_.levels.tolist() == [float(level)]
    both = clf.edit(*rows).add(f"income >= {level} and income >= 1").classifier
    shown = list(both.rules_)
    assert shown == ([f"income >= {level}"] if float(level) < 50_500 else ["income >= 50000"])
    assert sugeno.loads(sugeno.dumps(both)).predict(X).tolist() == both.predict(X).tolist()
    given = RuleClassifier.from_rules(RuleSet.parse(f"income >= {level}"), *rows)
    assert list(given.rules_) == [f"income >= {level}"]
    said = given.explain(pd.DataFrame({"income": [48_000]})).sentences()
    (sentence,) = said
    assert sentence.endswith(f" if income rises from 48000 to {level}.")


@pytest.mark.parametrize("level", ["50000", "50000.0", "5e4"])
def test_what_reads_like_a_literal_that_is_there_means_it_however_it_is_written(level):
    clf, X, y = gap()
    edit = clf.edit(X, y).add(f"income >= {level}")
    assert edit.rules.levels[list(edit.rules.used)].tolist() == [50_500]
    further = clf.edit().add("income >= 49999").move_level("income", 49_999, to=float(level))
    assert sugeno.loads(sugeno.dumps(further.classifier)).rules_ == further.rules


def test_levels_in_one_gap_read_in_their_order_and_can_be_saved():
    rng = np.random.default_rng(0)
    clf, X, y = gap()
    for _ in range(50):
        edit = clf.edit(X, y) if rng.random() < 0.5 else clf.edit()
        for level in -np.sort(-rng.integers(47_900, 53_100, 3)):
            edit = edit.add(f"income >= {level}")
        texts = [float(part[2]) for part in edit.rules.literal_set.parts]
        assert texts == sorted(set(texts))
        assert sugeno.loads(sugeno.dumps(edit.classifier)).rules_ == edit.rules
