"""Cards are edited by points, levels and thresholds, with a report of who changes."""

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

import sugeno
from sugeno import Card, SugenoDistiller, SugenoOrdinalClassifier
from sugeno.cli.app import app
from sugeno.edit import CardEdit


def table(seed=0, n=150):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(
        {
            "age": rng.integers(1, 6, n) * 10.0,
            "price": rng.integers(1, 5, n),
            "home": rng.choice(["own", "rent", "free"], n),
        }
    )
    worth = X["age"] / 10 - X["price"] + 2 * (X["home"] == "own") + rng.normal(0, 0.5, n)
    X.loc[rng.random(n) < 0.15, "age"] = np.nan
    return X, np.digitize(worth, [0, 2])


@pytest.fixture(scope="module")
def two():
    X, y = table()
    return X, y, SugenoDistiller(form="points").fit(X, y > 0)


@pytest.fixture(scope="module")
def ordered():
    X, y = table()
    return X, y, SugenoOrdinalClassifier(form="points").fit(X, y)


def shown(form):
    return {one["condition"]: one["points"] for one in form.to_records()}


def conditions(form, name):
    return [text for text in form.literals if text.startswith(name)]


@pytest.mark.parametrize("case", ["two", "ordered"])
def test_points_are_those_of_the_table_and_the_report_counts_the_rows(case, request):
    X, y, clf = request.getfixturevalue(case)
    truth = y > 0 if case == "two" else y
    before = clf.model_.rules[0]
    for text, points in shown(before).items():
        edit = clf.edit(X, truth).set_points(text, points)
        assert edit.report.changed.size == 0
        assert shown(edit.cards[0]) == shown(before)
    last = conditions(before, "price")[-1]
    edit = clf.edit(X, truth).set_points(last, 9)
    assert shown(edit.cards[0]) == {**shown(before), last: 9}
    assert isinstance(edit, CardEdit)
    now, old = edit.classifier.predict(X), clf.predict(X)
    assert edit.report.changed.tolist() == np.flatnonzero(now != old).tolist()
    assert edit.report.errors_after == (now != truth).sum()
    assert edit.report.errors_before == (old != truth).sum()
    assert "instead of" in str(edit.report)
    assert all(form.support is not None for form in edit.model.rules)


def test_every_line_can_be_removed_and_the_others_keep_their_points(two):
    _, _, clf = two
    before = shown(clf.rules_)
    for text in before:
        after = shown(clf.edit().remove(text).cards[0])
        assert after == {one: points for one, points in before.items() if one != text}
    with pytest.raises(ValueError, match="one of those there are"):
        clf.edit().remove("price <= 77")


def test_conditions_are_given_by_their_places_too(two):
    _, _, clf = two
    texts = clf.edit().cards[0].literals
    for place, text in enumerate(texts):
        assert str(clf.edit().remove(place).cards) == str(clf.edit().remove(text).cards)
    assert shown(clf.edit().set_points(-1, 30).cards[0])[texts[-1]] == 30
    with pytest.raises(ValueError, match="one of those there are"):
        clf.edit().remove(len(texts))


def test_a_level_is_added_moved_and_left_out_where_it_adds_nothing(two):
    _, _, clf = two
    card = clf.rules_
    first, points = next((t, p) for t, p in shown(card).items() if t.startswith("price"))
    level = first.rpartition(" ")[2]
    moved = clf.edit().move_level("price", level, to=3.5)
    assert shown(moved.cards[0])["price <= 3.5"] == points
    assert first not in shown(moved.cards[0])
    added = clf.edit().set_points("price <= 77", 0)
    assert shown(added.cards[0]) == shown(card)
    with pytest.raises(ValueError, match="must not fall"):
        clf.edit().set_points("price <= 77", 40)
    with pytest.raises(ValueError, match=r"level must be one that has points of 'price' \(price"):
        clf.edit().move_level("price", 77, to=3)


@pytest.mark.parametrize("case", ["two", "ordered"])
def test_a_forbidden_criterion_does_not_decide(case, request):
    X, _, clf = request.getfixturevalue(case)
    rng = np.random.default_rng(0)
    for name in ("price", "home"):
        other = X.assign(**{name: rng.permutation(X[name])})
        worst, best = (clf.edit().forbid(name, assume=end) for end in ("worst", "best"))
        for edit in (worst, best):
            assert edit.classifier.predict(X).tolist() == edit.classifier.predict(other).tolist()
        least, most = (edit.classifier.predict(X) for edit in (worst, best))
        assert (least <= clf.predict(X)).all()
        assert (clf.predict(X) <= most).all()
    with pytest.raises(ValueError, match="'worst' or 'best'"):
        clf.edit().forbid("price", assume="no")


def test_thresholds_move_and_stay_in_order(ordered):
    X, y, clf = ordered
    low, high = (card.needed for card in clf.rules_)
    edit = clf.edit(X, y).set_needed(high + 1, boundary=2)
    assert [card.needed for card in edit.cards] == [low, high + 1]
    assert edit.report.newly_accepted.size == 0
    assert "of a lower class now" in str(edit.report)
    assert "at least 2 needs" in str(edit.report)
    with pytest.raises(ValueError, match="must not fall from class to class"):
        clf.edit().set_needed(high + 1, boundary=1)
    with pytest.raises(ValueError, match="boundary must be"):
        clf.edit().set_needed(3)
    told = edit.classifier.predict_proba(X)
    assert clf.classes_[told.argmax(axis=1)].tolist() == edit.classifier.predict(X).tolist()


def test_without_rows_a_score_keeps_its_probability_on_the_side_where_it_is_now(two):
    _, _, clf = two
    card = clf.rules_
    edit = clf.edit().set_needed(card.needed + 1)
    old, new = (
        np.array(card.chances),
        np.array(edit.cards[0].chances or edit.model.rules[0].chances),
    )
    assert np.flatnonzero(old != new).tolist() == [card.needed]
    assert new[card.needed] == 0.5
    assert "give X and y" in str(edit.report)
    assert edit.model.certificate.objective == np.inf
    assert not clf.edit().steps
    assert repr(clf.edit()).startswith("nothing edited yet: class True from")
    plain = sugeno.RuleClassifier.of(_without_chances(clf.model_))
    assert set(plain.edit().set_needed(1).model.rules[0].chances) <= {0.5, np.nextafter(0.5, 1)}


def _without_chances(model):
    from dataclasses import replace

    (boundary,) = model.boundaries
    card = boundary.form
    bare = Card.of(card.literal_set, card.points, card.needed, named=True, label=card.spoken)
    return replace(model, boundaries=(replace(boundary, form=bare),))


@pytest.mark.parametrize("points", [-1, 1.5, True])
def test_points_are_whole_numbers(two, points):
    _, _, clf = two
    for edit in (
        lambda: clf.edit().set_needed(points),
        lambda: clf.edit().set_points("price <= 2", points),
    ):
        with pytest.raises(ValueError, match="whole number"):
            edit()
    with pytest.raises(ValueError, match="for one condition"):
        clf.edit().set_points("price <= 2 and price <= 3", 1)


def run(*given):
    found = CliRunner().invoke(app, [str(one) for one in given])
    return found.exit_code, found.output


def test_the_command_line_edits_a_card(ordered, tmp_path):
    X, y, clf = ordered
    path, new, data = tmp_path / "card.json", tmp_path / "new.json", tmp_path / "rows.csv"
    sugeno.save(clf, path)
    X.assign(y=y).to_csv(data, index=False)
    lines = list(shown(clf.rules_[0]))
    line = next(i for i, text in enumerate(lines, start=1) if text.startswith("price"))
    changes = ["--set", f"{line}: price<=3.5", "--needed", f"2: {clf.rules_[1].needed + 1}"]
    code, said = run("edit", path, *changes, "--data", data, "--target", "y", "-o", new)
    assert code == 0, said
    assert "moved the level of price" in said
    assert "of a lower class now" in said
    edited = sugeno.load(new)
    assert edited.rules_[1].needed == clf.rules_[1].needed + 1
    assert "price <= 3.5" in edited.rules_[0].literals
    code, said = run("edit", path, "--drop", 1, "--points", "price<=1: 30", "--forbid", "home")
    assert code == 0, said
    assert "gave 'price<=1' 30 points" in said
    for wrong, words in (
        (["--add", "age >= 3"], "no meaning for a card"),
        (["--needed", "7"], "must name a class"),
        (["--needed", "2: x"], "whole number of points"),
        (["--drop", "99"], "must be a line from 1 to"),
        (["--set", "price"], "must have the form"),
        (["--set", "1: price<=3" if line > 1 else "9: price<=3"], "by the number of its line"),
        ([], "Nothing to change"),
    ):
        code, said = run("edit", path, *wrong)
        assert code != 0
        assert words in said
