"""Rules that were learned in an order of their own are edited by the places that people see."""

import pytest

from sugeno import SugenoDistiller
from sugeno.datasets import load


@pytest.fixture(scope="module")
def distilled():
    X, y = load("LEV", return_X_y=True)
    return SugenoDistiller(n_rules=4, directions=None).fit(X, y)


@pytest.mark.parametrize("place", range(4))
def test_a_rule_is_removed_by_its_place_and_by_its_text(distilled, place):
    texts = list(distilled.rules_)
    left = set(texts) - {texts[place]}
    for rule in (place, texts[place]):
        edit = distilled.edit().remove(rule)
        assert set(edit.rules) == left
        assert edit.steps == (f"removed {texts[place]!r}",)


@pytest.mark.parametrize("place", range(4))
def test_a_rule_is_replaced_by_its_place(distilled, place):
    texts = list(distilled.rules_)
    edit = distilled.edit().replace(place, "x0 >= 4 and x1 >= 4 and x2 >= 4 and x3 >= 4")
    assert texts[place] not in set(edit.rules)
    assert set(texts) - {texts[place]} <= set(edit.rules)
