"""What classes are called, in rules, reasons, letters, files and edits."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

from sugeno import SugenoClassifier, SugenoClassifierCV, SugenoOrdinalClassifier, dumps, loads
from sugeno.report import report_html

X = pd.DataFrame({"ratio": [1, 2, 3, 4, 5, 6], "debt": [1, 3, 2, 4, 6, 5]})
DENY = np.array(["no", "no", "no", "yes", "yes", "yes"])


@pytest.mark.parametrize(
    "y",
    [pd.Series(DENY, name="deny"), pl.Series("deny", DENY), pd.DataFrame({"deny": DENY})],
    ids=["pandas", "polars", "frame"],
)
@pytest.mark.filterwarnings("ignore:A column-vector y")
def test_the_target_is_named_where_a_label_alone_says_nothing(y):
    clf = SugenoClassifier().fit(X, y)
    assert str(clf.rules_).startswith("deny = yes if ")
    assert clf.rules_.to_text("cnf").startswith("deny = no unless ")
    assert str(clf.explain(X[:1])[0]).startswith("deny = no. deny = yes if ")
    assert str(clf.reasons(X[:1])[0]).startswith("deny = no. The ")
    assert str(clf.reasons(X[-1:])[0]).startswith("deny = yes. The 2 decisive factors:")
    assert "deny: yes or no?" in report_html(clf, X, DENY)
    assert loads(dumps(clf)).rules_ == clf.rules_
    edited = clf.edit(X, DENY).add("ratio >= 2")
    assert str(edited.rules).startswith("deny = yes if ")


def test_a_name_that_says_nothing_is_left_out():
    assert str(SugenoClassifier().fit(X, pd.Series(DENY, name="y")).rules_)[:9] == "class yes"
    assert str(SugenoClassifier().fit(X, pd.Series(DENY, name=3)).rules_)[:9] == "class yes"


def test_words_of_one_s_own():
    clf = SugenoClassifierCV(cv=2, words=("denied", "granted")).fit(X, DENY)
    assert str(clf.rules_).startswith("denied if ")
    assert str(clf.explain(X[:1])[0]).startswith("Granted. Denied if ")
    again = loads(dumps(clf))
    assert str(again.explain(X[:1])[0]).startswith("Granted. Denied if ")


@pytest.mark.parametrize("words", [("a",), ("a", "b", "c")])
def test_words_are_two(words):
    with pytest.raises(ValueError, match="two texts for two classes"):
        SugenoClassifier(words=words).fit(X, DENY)


def test_words_of_three_classes_are_refused():
    with pytest.raises(ValueError, match="with 3 classes instead"):
        SugenoClassifier(words=("a", "b")).fit(X, [1, 1, 2, 2, 3, 3])


def test_each_of_three_classes_is_named_alone_and_among_all():
    y = pd.Series([1, 1, 2, 2, 3, 3], name="grade")
    clf = SugenoClassifier().fit(X, y)
    assert str(clf.rules_[1]).startswith("grade = 1 if ")
    assert str(clf.per_class_[1].rules_) == str(clf.rules_[1])
    assert str(clf.explain(X[:1])[0]).startswith("grade = 1. ")
    assert str(loads(dumps(clf)).rules_[1]) == str(clf.rules_[1])
    unnamed = SugenoClassifier().fit(X, y.to_numpy())
    assert str(unnamed.rules_[1]).startswith("class 1 if ")


def test_ordered_classes_have_the_target_too():
    y = pd.Series([1, 1, 2, 2, 3, 3], name="grade")
    clf = SugenoOrdinalClassifier(levels=1).fit(X, y)
    assert clf.model_.names == ("grade = 1", "grade = 2", "grade = 3")
    assert str(clf.explain(X[:1])[0]).startswith("grade = 1. grade = 2 if ")


def test_categories_become_others():
    table = pd.DataFrame({"home": ["rent", "own", "own"] * 20, "x": np.arange(60) % 7})
    y = pd.Series((table["home"] == "own").to_numpy(), name="paid")
    clf = SugenoClassifier().fit(table, y)
    said = str(clf.explain(table[:1])[0])
    assert said == "paid = False. paid = True if home were own instead of rent."
    assert str(clf.reasons(table[:1])[0]).endswith("- home is rent")
