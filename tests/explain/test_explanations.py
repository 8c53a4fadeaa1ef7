"""What a person sees of an explanation."""

import math

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from small_rules import model_of
from sugeno import RuleSet, SugenoClassifier
from sugeno.explain import explain

NAMES = ["interview", "price", "references"]


def hiring(label=1, observed=True, classes=(0, 1)):
    rules = RuleSet(
        [{0, 1}, {2}], [6, 3, 7], criteria=NAMES, directions=[1, -1, 1], label=classes[1]
    )
    return model_of(rules, classes, observed)


def rows(*values):
    return np.array(values, dtype=float)


def test_the_sentence_of_a_refusal_and_of_an_acceptance():
    found = explain(hiring(), rows([5, 3, 4], [7, 2, 4]))
    assert str(found[0]) == "Class 0. Class 1 if interview rises from 5 to 6."
    assert str(found[1]) == "Class 1. Class 0 if interview falls from 7 to 5."
    assert found[0].because == "interview < 6 and references < 7"
    assert found[1].because == "interview >= 6 and price <= 3"
    assert repr(found) == "\n".join(found.sentences())


def test_classes_that_do_not_mean_yes_are_named():
    found = explain(hiring(classes=("bad", "good")), rows([5, 3, 4], [7, 2, 4]))
    assert found.sentences() == [
        "bad. good if interview rises from 5 to 6.",
        "good. bad if interview falls from 7 to 5.",
    ]
    assert found[0].counterfactuals[0].label == "good"


def test_decreasing_criteria_fall_to_get_better():
    (one,) = explain(hiring(), rows([6, 5, 4]), immutable=["references"])
    assert str(one) == "Class 0. Class 1 if price falls from 5 to 3."
    (change,) = one.counterfactuals[0].changes
    assert (change.criterion, change.before, change.after) == ("price", 5.0, 3.0)


def test_limits_are_hard_and_their_exhaustion_is_said():
    refused = rows([5, 9, 4])
    none = "Class 0. No counterfactual exists within these limits."
    found = explain(hiring(), refused, immutable=["references", 1])
    assert str(found[0]) == none
    assert found.to_records()[0]["counterfactual"] is None
    ranges = {"references": (None, 6), "price": (4, None)}
    assert explain(hiring(), refused, permitted_range=ranges).sentences() == [none]
    assert (
        explain(hiring(), refused, cost={"references": math.inf, "price": math.inf})[0].text == none
    )
    never = model_of(RuleSet([], [1.0]))
    assert str(explain(never, rows([5]))[0]) == "Class 0. No counterfactual exists."
    assert explain(never, rows([5]))[0].because == "whatever the values"


def test_a_range_that_cuts_between_the_level_and_the_observed_value_is_used_up_to_its_end():
    clf = SugenoClassifier(directions=None).fit([[1], [2], [5], [9]], [0, 0, 1, 1])
    assert str(clf.explain([[1]])[0].counterfactuals[0]) == "x0 rises from 1 to 5"
    level = clf.rules_.levels[0]
    found = clf.explain([[1]], permitted_range={"x0": (0, level)})
    assert found.nearest().tolist() == [[level]]
    below = clf.explain([[1]], permitted_range={"x0": (0, np.nextafter(level, 0))})
    assert np.isnan(below.costs).all()


def test_changes_go_to_observed_values_and_never_by_a_hair():
    clf = SugenoClassifier(directions=None, levels="all").fit([[1], [2], [5], [9]], [0, 0, 1, 1])
    assert clf.explain([[4.9999]]).nearest().tolist() == [[5.0]] or clf.predict([[4.9999]])[0] == 1
    assert clf.explain([[6.0]]).nearest().tolist() == [[2.0]]


def test_where_no_observed_value_is_known_the_text_says_beyond_the_level():
    model = hiring(observed=False)
    found = explain(model, rows([7, 2, 4], [5, 2, 4]))
    assert str(found[0]) == "Class 1. Class 0 if interview falls from 7 to below 6."
    assert str(found[1]) == "Class 0. Class 1 if interview rises from 5 to 6."
    assert model.passed(found.nearest()[:1]).tolist() == [0]
    found = explain(model, rows([7, 2, 4]), immutable="interview")
    assert str(found[0]) == "Class 1. Class 0 if price rises from 2 to above 3."


def test_ordered_labels_stay_labels():
    order = ["low", "med", "high"]
    safety = pd.Categorical(["low", "med", "high", "high"], order, ordered=True)
    table = pd.DataFrame({"safety": safety})
    clf = SugenoClassifier(levels="all", directions=None).fit(table, [0, 0, 1, 1])
    assert clf.explain(table[:1]).sentences() == [
        "Class 0. Class 1 if safety rises from low to high."
    ]
    one = clf.explain(table)[3]
    assert str(one) == "Class 1. Class 0 if safety falls from high to med."
    assert one.margins[0].limit == "high"
    assert one.margins[0].room == 0
    found = clf.explain(table[:1], permitted_range={"safety": (None, "med")})
    assert np.isnan(found.costs).all()
    with pytest.raises(ValueError, match=r"one of its labels.*did you mean 'med'"):
        clf.explain(table, permitted_range={"safety": (None, "medd")})


def test_several_are_in_order_of_cost_and_about_different_criteria():
    (one,) = explain(hiring(), rows([5, 5, 4]))
    assert [str(way) for way in one.counterfactuals] == [
        "references rises from 4 to 7",
        "interview rises from 5 to 6 and price falls from 5 to 3",
    ]
    assert [way.cost for way in one.counterfactuals] == [1.0, 2.0]
    (one,) = explain(hiring(), rows([5, 5, 4]), cost={"references": 3}, n_counterfactuals=1)
    assert [way.cost for way in one.counterfactuals] == [2.0]


@pytest.mark.parametrize(
    ("backend", "kind"), [("pandas", pd.DataFrame), ("polars", pl.DataFrame), ("pyarrow", pa.Table)]
)
def test_the_table_in_three_libraries(backend, kind):
    frame = explain(hiring(), rows([5, 3, 4], [7, 2, 8])).to_frame(backend)
    assert isinstance(frame, kind)
    columns = frame.column_names if backend == "pyarrow" else list(frame.columns)
    assert columns == ["label", "rules", "reason", "counterfactual", "cost"]


def test_a_sequence_that_shows_its_beginning():
    found = explain(hiring(), np.tile(rows([5, 3, 4]), (30, 1)))
    assert len(found) == 30
    assert found[-1].row == 29
    assert [one.row for one in found[3:6]] == [3, 4, 5]
    assert "… and 20 more rows" in repr(found)
    assert "20 more rows" in found._repr_html_()
    assert "more" not in found[:2][0].text
    with pytest.raises(IndexError):
        found[30]
    assert len(explain(hiring(), np.empty((0, 3))).to_records()) == 0


def test_explanations_are_the_same_alone_and_in_company():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 5))
    clf = SugenoClassifier(levels=3, directions=None).fit(X, X.sum(axis=1) + X[:, 0] > 0.3)
    prices = {j: float(p) for j, p in enumerate(rng.random(5))}
    found = clf.explain(X, cost=prices)
    for row in range(60):
        assert clf.explain(X[row : row + 1], cost=prices)[0].text == found[row].text
    assert (clf.predict(found.nearest()) != clf.predict(X)).all()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"immutable": ["Intervieu"]}, "immutable must be .* did you mean 'interview'"),
        ({"immutable": [3]}, "immutable must be the name of a criterion .* Got 3"),
        ({"permitted_range": {"price": 3}}, "must be a pair"),
        ({"permitted_range": {"price": (3, 1)}}, "must begin with its lowest value"),
        ({"permitted_range": {"price": ("a", None)}}, "must be a number. Got 'a'"),
        ({"cost": {"price": -1}}, "cost of 'price' must be a number of at least 0"),
        ({"cost": lambda *_: math.nan}, "at least 0 .* Got nan"),
        ({"n_counterfactuals": 0}, "n_counterfactuals must be at least 1. Got 0"),
    ],
)
def test_wrong_limits_are_refused_with_a_remedy(options, message):
    with pytest.raises(ValueError, match=message):
        explain(hiring(), rows([5, 3, 4]), **options).to_records()


def test_a_change_that_does_more_than_a_cheaper_one_is_not_shown():
    rules = RuleSet([{0, 1}, {0, 2}], [1, 1, 1], criteria=["a", "b", "c"])
    (one,) = explain(model_of(rules), rows([0, 1, 0]))
    assert [str(way) for way in one.counterfactuals] == ["a rises from 0 to 1"]
    clauses = RuleSet([{0, 1}, {0, 2}], [1, 1, 1], criteria=["a", "b", "c"], form="cnf")
    (one,) = explain(model_of(clauses), rows([1, 0, 1]))
    assert [str(way) for way in one.counterfactuals] == ["a falls from 1 to 0"]
