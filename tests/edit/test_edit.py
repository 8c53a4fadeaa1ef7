"""Edits give new models that decide exactly as they say."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import sugeno
from classifier_tables import grades
from costly import costly
from estimators.test_any_columns import houses
from small_rules import classifier_of, model_of, rule_sets
from sugeno import RuleClassifier, RuleSet, SugenoClassifier
from sugeno._counts.weights import row_weights
from sugeno.edit import Edit, EvaluationRows, assembled


def judged(rules, X, seed):
    """A model, and rows with random labels to judge it by."""
    rng = np.random.default_rng(seed)
    positive = rng.random(len(X)) < 0.5
    return model_of(rules), EvaluationRows(X, positive, row_weights(None, len(X)))


def held(rules, text, X):
    """What a rule or a clause says about rows, read by another path."""
    one = RuleSet.parse(text, rules.criteria, directions=rules.directions.tolist())
    return one.predict(X)


def check_whole(edit, X):
    """The rest of the model fits the rules."""
    model = edit.boundary
    assert RuleClassifier.of(edit.model).verify_monotone()
    accepted = model.accepted(X)
    assert ((model.probabilities(X) > 0.5) == accepted).all()
    if 0 < accepted.sum() < accepted.size:  # no capacity accepts the empty set
        assert ((model.integral(X) >= model.threshold) == accepted).all()
    assert model.importances.sum() == pytest.approx(1)
    if edit.rows is None:
        assert model.certificate.gap == math.inf
    else:
        wrong = int((accepted != edit.rows.positive).sum())
        assert model.certificate.objective == wrong
        assert model.certificate.gap == wrong  # nothing is claimed to be proved
        assert edit.report.errors_after == wrong
        before = edit.original.boundaries[0].accepted(X)
        assert edit.report.changed.tolist() == np.flatnonzero(before != accepted).tolist()
        assert edit.report.newly_accepted.tolist() == np.flatnonzero(~before & accepted).tolist()
        assert edit.report.errors_before == (before != edit.rows.positive).sum()


@costly
@given(rule_sets(max_rules=4), st.integers(0, 99), st.booleans(), st.data())
def test_to_add_a_rule_is_or_and_to_add_a_clause_is_and(case, seed, with_rows, data):
    rules, X = case
    places = data.draw(st.sets(st.integers(0, X.shape[1] - 1), min_size=1))
    literals = [
        f"c{j} {'>=' if rules.directions[j] > 0 else '<='} "
        f"{rules.directions[j] * data.draw(st.integers(0, 4))}"
        for j in places
    ]
    text = data.draw(st.sampled_from([" and ", " or "])).join(literals)
    model, rows = judged(rules, X, seed)
    edit = Edit.of(model, rows if with_rows else None).add(text)
    old, said = rules.predict(X), held(rules, text, X)
    # A rule joins by "or", a clause by "and", whatever words the text has inside.
    expected = old | said if rules.form == "dnf" else old & said
    assert edit.boundary.accepted(X).tolist() == expected.tolist()
    check_whole(edit, X)


@costly
@given(rule_sets(max_rules=5), st.integers(0, 99), st.booleans(), st.data())
def test_to_remove_a_rule_leaves_the_others(case, seed, with_rows, data):
    rules, X = case
    assume(len(rules))
    model, rows = judged(rules, X, seed)
    place = data.draw(st.integers(0, len(rules) - 1))
    edit = Edit.of(model, rows if with_rows else None).remove(place)
    kept = np.delete(rules.masks, place, axis=0)
    expected = RuleSet.from_masks(kept, rules.literal_set, form=rules.form).predict(X)
    assert edit.boundary.accepted(X).tolist() == expected.tolist()
    assert len(edit.rules) == len(rules) - 1
    if rules.sets[place]:
        by_text = Edit.of(model).remove(list(rules)[place])
        assert by_text.rules == Edit.of(model).remove(place).rules
    check_whole(edit, X)


@costly
@given(
    rule_sets(), st.integers(0, 99), st.booleans(), st.sampled_from(["worst", "best"]), st.data()
)
def test_to_forbid_a_criterion_is_to_give_every_row_the_same_value(
    case, seed, with_rows, assumed, data
):
    rules, X = case
    model, rows = judged(rules, X, seed)
    j = data.draw(st.integers(0, X.shape[1] - 1))
    edit = Edit.of(model, rows if with_rows else None).forbid(j, assume=assumed)
    same = X.copy()
    good = X[:, j] * rules.directions[j]
    same[:, j] = X[good.argmax() if assumed == "best" else good.argmin(), j]
    assert edit.boundary.accepted(X).tolist() == rules.predict(same).tolist()
    other = X.copy()
    other[:, j] = np.random.default_rng(seed).permutation(X[:, j])
    assert edit.boundary.probabilities(other).tolist() == edit.boundary.probabilities(X).tolist()
    check_whole(edit, X)


@costly
@given(rule_sets(), st.integers(0, 99), st.booleans(), st.integers(-1, 5), st.data())
def test_to_move_a_level_is_to_write_another_number(case, seed, with_rows, to, data):
    rules, X = case
    used = sorted({one for members in rules.sets for one in members})
    assume(used)
    model, rows = judged(rules, X, seed)
    literal = data.draw(st.sampled_from(used))
    j = int(rules.literal_criteria[literal])
    level, to = rules.levels[literal], to * int(rules.directions[j])
    edit = Edit.of(model, rows if with_rows else None).move_level(f"c{j}", level, to=to)
    levels = rules.levels
    levels[literal] = to
    truth = (X[:, rules.literal_criteria] - levels) * rules.directions[rules.literal_criteria] >= 0
    if rules.form == "dnf":
        expected = [any(row[list(one)].all() for one in rules.sets) for row in truth]
    else:
        expected = [all(row[list(one)].any() for one in rules.sets) for row in truth]
    assert edit.boundary.accepted(X).tolist() == expected
    check_whole(edit, X)


def learned():
    X, y = grades()
    table = pd.DataFrame(X, columns=["interview", "price", "tests", "age"])
    return SugenoClassifier(levels=2, k=2).fit(table, y), table, y


def test_edits_follow_each_other_and_leave_the_classifier_alone():
    clf, X, y = learned()
    before, text = clf.predict(X), str(clf.rules_)
    edit = (
        clf.edit(X, y).forbid("age").add("interview >= 4").replace("interview >= 4", "tests >= 4")
    )
    edited = edit.classifier
    assert isinstance(edited, RuleClassifier)
    assert "age" not in str(edited.rules_)
    assert "tests >= 4" in list(edited.rules_)
    assert edited.objective_ == (edited.predict(X) != y).sum() == edit.report.errors_after
    assert edited.rules_.to_records() == edited.rules_.counted_on(X, y).to_records()
    assert edited.verify_monotone()
    assert (clf.predict(X) == before).all()
    assert str(clf.rules_) == text
    assert len(edit.steps) == len(edit.report.steps) == 3
    again = edited.edit(X, y).remove(0)
    assert len(again.rules) == len(edited.rules_) - 1
    assert sugeno.loads(sugeno.dumps(edited)).predict(X).tolist() == edited.predict(X).tolist()


def test_without_rows_probabilities_are_kept_where_nothing_changes():
    clf, X, _ = learned()
    edited = clf.edit().add("interview >= 99").classifier
    assert (edited.predict_proba(X) == clf.predict_proba(X)).all()
    assert edited.gap_ == math.inf
    assert sugeno.loads(sugeno.dumps(edited)).gap_ == math.inf
    assert "Without rows" in str(clf.edit().remove(0).report)


def test_weights_count_in_the_report():
    X, y = [[1], [2], [3], [4]], [0, 0, 1, 1]
    clf = SugenoClassifier().fit(X, y)
    report = clf.edit(X, y, [1, 1, 2.5, 1]).move_level(0, 2.5, to=4).report
    assert (report.errors_before, report.errors_after) == (0, 2.5)
    assert report.newly_refused.tolist() == [2]
    nothing = clf.edit(X, y).add("x0 >= 10")
    assert str(nothing.report).endswith("None of 4 rows changes. Errors: 0 before, 0 after.")
    assert repr(clf.edit()) == "nothing edited yet: class 1 if x0 >= 3"
    assert repr(nothing) == str(nothing.report)
    assert clf.edit().model is clf.model_


def test_labels_can_be_moved_to_labels():
    order = ["low", "med", "high"]
    safety = pd.Categorical(["low", "med", "high", "high"], order, ordered=True)
    table = pd.DataFrame({"safety": safety})
    clf = SugenoClassifier(levels="all", directions=None).fit(table, [0, 0, 1, 1])
    edit = clf.edit(table, [0, 0, 1, 1]).move_level("safety", "high", to="med")
    assert str(edit.rules) == "class 1 if safety >= med"
    assert edit.report.newly_accepted.tolist() == [1]
    assert edit.classifier.predict(table).tolist() == [0, 1, 1, 1]


def test_rules_alone_become_a_model():
    rules = RuleSet.parse("speed >= 5 and price <= 3", label="yes")
    many = RuleSet.parse(" or ".join(f"a{i} >= 1 and b{i} >= 1" for i in range(8)))
    model = assembled(rules, np.array(["no", "yes"]))
    assert model.importances.tolist() == [0.5, 0.5]
    assert assembled(many, np.array([0, 1])).importances == pytest.approx(
        np.full(16, 1 / 16), abs=0.02
    )
    assert classifier_of(model).predict(
        pd.DataFrame({"speed": [5, 4], "price": [3, 3]})
    ).tolist() == ["yes", "no"]


def test_a_classifier_of_joined_rules_with_and_without_rows():
    X = pd.DataFrame({"speed": [1, 6, 6, 9], "price": [1, 2, 9, 9]})
    rules = RuleSet.parse("speed >= 5", label="go") & RuleSet.parse("price <= 3", label="go")
    clf = RuleClassifier.from_rules(rules, X, ["no", "go", "no", "go"])
    assert clf.predict(X).tolist() == ["no", "go", "no", "no"]
    assert clf.positive_ == "go"
    assert clf.classes_.tolist() == ["go", "no"]
    assert clf.objective_ == clf.gap_ == 1
    assert clf.rules_.to_records()[0]["support"] == 1
    assert ((clf.predict_proba(X)[:, 0] > 0.5) == (clf.predict(X) == "go")).all()
    plain = RuleClassifier.from_rules(rules, classes=["no", "go"])
    assert plain.predict(X).tolist() == clf.predict(X).tolist()
    with pytest.raises(ValueError, match=r"two classes. Got \['no'\]"):
        RuleClassifier.from_rules(rules, X, ["no"] * 4)


@pytest.mark.parametrize(
    ("mistake", "message"),
    [
        (lambda e: e.add("intervieu >= 6"), "did you mean 'interview'"),
        (lambda e: e.remove(99), "A rule must be one of those there are"),
        (lambda e: e.remove("interview >= 77"), "A rule must be one of those there are"),
        (lambda e: e.move_level("price", 77, to=1), "must be one that a rule asks of 'price'"),
        (lambda e: e.move_level("prize", 3, to=1), "did you mean 'price'"),
        (lambda e: e.forbid("price", assume="any"), "assume must be 'worst' or 'best'"),
    ],
)
def test_mistakes_are_named(mistake, message):
    clf, _, _ = learned()
    with pytest.raises(ValueError, match=message):
        mistake(clf.edit())


def test_rows_need_labels_of_the_classifier():
    clf, X, y = learned()
    with pytest.raises(ValueError, match="X and y must be given together"):
        clf.edit(X)
    with pytest.raises(ValueError, match=r"y must hold the labels \[0, 1\]. Got \[7\]"):
        clf.edit(X, np.where(y, 7, 0))


def test_rules_of_one_of_several_classes_are_edited():
    X, y = houses()
    clf = SugenoClassifier(levels=2).fit(X, y)
    edit = clf.edit(X, y, boundary="green").add("age >= 30")
    edited = edit.classifier
    before, after = clf.predict(X), edited.predict(X)
    assert {*after[before != after]} == {"green"}
    moves = edit.report.moves
    assert sum(moves.counts.values()) == (before != after).sum() > 0
    assert (moves.errors_before, moves.errors_after) == ((before != y).sum(), (after != y).sum())
    assert f"{(before != after).sum()} of 300 rows are decided otherwise" in str(edit.report)
    assert str(edited.rules_["red"]) == str(clf.rules_["red"])
    with pytest.raises(ValueError, match="boundary must be one of the classes"):
        clf.edit(boundary="pink")
    with pytest.raises(ValueError, match="given together"):
        clf.edit(X, boundary="green")
    assert clf.edit(boundary="green").remove(0).report.moves is None


def test_an_edit_that_moves_no_row_says_so():
    X, y = houses()
    clf = SugenoClassifier(levels=2).fit(X, y)
    weights = np.full(len(y), 2)
    report = clf.edit(X, y, weights, boundary="green").add("age >= 1000").report
    assert report.moves.errors_after == 2 * (clf.predict(X) != y).sum()
    assert "Of all classes, none of 300 rows is decided otherwise." in str(report)
