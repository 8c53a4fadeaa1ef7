"""The page of ordered classes as text: all classes at once, counted as by hand."""

import html as markup
import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from report_models import contradicting, graded, payload, text_of

from sugeno import RuleSet, SugenoOrdinalClassifier
from sugeno.model.model import HeldOut, Learned
from sugeno.report import report_html

ORDER = ["poor", "fair", "good", "top"]


def figures(page):
    found = re.findall(r'<dt>(.*?)</dt><dd class="value">(.*?)</dd><dd>(.*?)</dd>', page)
    return {
        label: (value.replace("\u00a0", " "), markup.unescape(detail).replace("\u00a0", " "))
        for label, value, detail in found
    }


def test_classes_are_counted_as_by_hand():
    clf, X, y = graded()
    weight = np.random.default_rng(0).integers(0, 4, len(X))
    page = report_html(clf, X, y, sample_weight=weight)
    said = clf.predict(X)
    by_hand = [[weight[(y == a) & (said == b)].sum() for b in ORDER] for a in ORDER]
    cells = re.findall(r'data-cell="(\d) (\d)"[^>]* aria-label="([^"]*)">(\d+)<', page)
    assert {(int(a), int(b)): int(n) for a, b, _, n in cells} == {
        (a, b): n for a, line in enumerate(by_hand) for b, n in enumerate(line) if n
    }
    a, b, words, n = cells[0]
    assert words == f"{n}: in truth {ORDER[int(a)]}, decided {ORDER[int(b)]}"
    off = np.array([ORDER.index(s) - ORDER.index(t) for s, t in zip(said, y)])
    shown = figures(page)
    wrong = np.average(off != 0, weights=weight)
    assert shown["errors on these rows"][0] == f"{100 * wrong:.1f}".removesuffix(".0") + " %"
    high, low = weight[off > 0].sum(), weight[off < 0].sum()
    assert f"; {high} too high, {low} too low" in shown["errors on these rows"][1]
    far = np.average(np.abs(off) > 1, weights=weight)
    assert shown["classes off, in the mean"] == (
        f"{np.average(np.abs(off), weights=weight):.2f}",
        f"{100 * far:.1f}".removesuffix(".0") + " % off by two or more",
    )
    assert shown["rules"][0] == str(clf.rules_.n_rules)


@given(arrays(np.int64, st.tuples(st.integers(1, 20), st.just(3)), elements=st.integers(0, 2)))
def test_contradicting_pairs_of_several_classes_are_counted_as_one_by_one(cells):
    X, y = cells[:, :2].astype(float), cells[:, 2]
    clf = SugenoOrdinalClassifier(levels=1, directions=[1, -1])
    clf.fit([[0, 0], [1, 0], [2, 0]], [0, 1, 2])
    rows, n_pairs, examples = contradicting(text_of(report_html(clf, X, y)))
    pairs = [
        (i, j)
        for i in range(len(X))
        for j in range(len(X))
        if X[i, 0] >= X[j, 0] and X[i, 1] <= X[j, 1] and y[i] < y[j]
    ]
    assert n_pairs == len(pairs)
    assert rows == len({row for pair in pairs for row in pair})
    assert set(examples) <= set(pairs)


def test_rules_of_all_boundaries_reach_the_page_to_the_last_bit():
    clf, X, y = graded()
    page = report_html(clf, X, y)
    data = payload(page)
    for b, model in enumerate(clf.model_.decisive):
        boundary = data["boundaries"][b]
        first, last = boundary["literals"]
        literals = data["literals"][first:last]
        assert [literal[1] for literal in literals] == model.literals.levels.tolist()
        assert data["gains"][first:last] == model.probability.gains.tolist()
        sides = model.probability.rejected, model.probability.accepted
        assert boundary["steps"] == [[s.starts.tolist(), s.values.tolist()] for s in sides]
        rules = data["rules"][slice(*boundary["rules"])]
        assert [[i - first for i in rule] for rule in rules] == [list(s) for s in model.rules.sets]
        assert f"At least <strong>{ORDER[b + 1]}</strong>" in page
    assert page.count("data-rule=") == clf.rules_.n_rules == len(data["typical"])
    for b, boundary in enumerate(data["boundaries"]):
        for row in filter(None, data["typical"][slice(*boundary["rules"])]):
            assert ORDER.index(y[row]) > b
    assert data["rows"]["truth"] == "".join(str(ORDER.index(label)) for label in y)
    assert len(page) < 150_000


def test_names_of_classes_and_the_loss_that_a_model_remembers_are_said():
    clf, X, y = graded()
    page = report_html(clf, X, y, class_names=["<a>", "b", "c", "d"], error=(0.2, 0.1, 0.3))
    assert "<h1>From &lt;a&gt; to d</h1>" in page
    assert figures(page)["errors on new rows"][0] == "20 %"
    held_out = HeldOut(0.4321, 5, "nested choice over 5 folds")
    model = replace(clf.model_, learned=Learned(2, held_out=held_out))
    shown = figures(report_html(model, X, y))
    assert shown["loss of a held-out row"] == ("0.43", "nested choice over 5 folds")
    assert "loss of a held-out row" not in figures(report_html(model, X, y, new_rows=True))
    with pytest.raises(ValueError, match="class_names must hold a name for each of the 4 classes"):
        report_html(clf, X, y, class_names=["a", "b"])
    with pytest.raises(ValueError, match="y must hold the labels"):
        report_html(clf, X, np.full(len(X), "bad"))
    with pytest.raises(ValueError, match="y must have one label per row of X"):
        report_html(clf, X, y[:3])


def test_held_out_probabilities_of_all_classes_are_judged_in_their_order():
    clf, X, y = graded()
    assert clf.classes_.tolist() == sorted(ORDER) != ORDER
    page = report_html(clf, X, y, held_out=clf.predict_proba(X))
    shown = figures(page)["errors on held-out rows"][0]
    assert shown == f"{100 * (clf.predict(X) != y).mean():.1f}".removesuffix(".0") + " %"
    assert page.count('class="grades"') == 3


def test_two_ordered_classes_have_the_page_of_two():
    X, y = [[1], [2], [3], [4]], [1, 1, 2, 2]
    page = report_html(SugenoOrdinalClassifier(levels=1).fit(X, y), X, y)
    assert "<h1>Class 2 or class 1?</h1>" in page
    assert payload(page)["names"] == ["class 1", "class 2"]


def test_more_classes_than_digits_and_more_rules_than_the_grid_shows(monkeypatch):
    monkeypatch.setattr("sugeno.report._rules._SHOWN_EACH", 0)
    X = np.arange(80.0)[:, None]
    y = np.arange(80) // 2
    clf = SugenoOrdinalClassifier(levels="all", directions=None).fit(X, y)
    page = report_html(clf, X, y)
    assert payload(page)["rows"]["truth"] == y.tolist()
    assert page.count("data-rule=") == 39  # 60 in all are one for each boundary
    monkeypatch.setattr("sugeno.report._rules._SHOWN", 0)
    assert "39 more rules in the words below." in report_html(clf, X, y)


def test_a_class_for_nobody_and_one_for_everybody_are_said():
    clf, X, y = graded()
    models = list(clf.model_.boundaries)
    for b, sets in ((0, [()]), (2, [])):
        rules = RuleSet(
            sets,
            clf.rules_[b].levels,
            criteria=["x0", "x1", "x2", "x3", "x4"],
            directions=clf.directions_,
            literal_criteria=clf.rules_[b].literal_criteria,
        )
        models[b] = replace(models[b], form=rules)
    page = report_html(replace(clf.model_, boundaries=tuple(models)), X, y)
    assert "At least <strong>fair</strong>: every row" in page
    assert "At least <strong>top</strong>: no row" in page
