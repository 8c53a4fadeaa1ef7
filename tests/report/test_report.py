"""The page as text: its figures are right, it is small, and no name in it becomes markup."""

import base64
import hashlib
import html as markup
import json
import re
from dataclasses import replace
from importlib.resources import files
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from report_models import (
    KINDS,
    contradicting,
    graded,
    mixed_table,
    payload,
    plain,
    several_levels,
    text_of,
)
from scipy.stats import binomtest, norm
from sklearn.metrics import confusion_matrix, precision_score, recall_score, roc_auc_score

import sugeno
from small_rules import classifier_of
from sugeno import (
    RuleClassifier,
    RuleSet,
    SugenoClassifier,
    SugenoDistiller,
)
from sugeno.model.boundary import Certificate
from sugeno.model.judged import Grades, wilson
from sugeno.model.model import HeldOut, Learned, Model
from sugeno.report import report_html


def figures(page):
    """Label, value and detail of the figures in the head."""
    found = re.findall(r'<dt>(.*?)</dt><dd class="value">(.*?)</dd><dd>(.*?)</dd>', page)
    return [tuple(markup.unescape(t).replace("\u00a0", " ") for t in figure) for figure in found]


@given(st.integers(0, 200), st.integers(1, 200))
def test_the_interval_is_wilsons(errors, rows):
    errors = min(errors, rows)
    theirs = binomtest(errors, rows).proportion_ci(method="wilson")
    np.testing.assert_allclose(wilson(errors, rows), (theirs.low, theirs.high), atol=1e-12)


@given(arrays(np.int64, st.tuples(st.integers(1, 25), st.just(3)), elements=st.integers(0, 3)))
def test_contradicting_pairs_are_counted_as_one_by_one(cells):
    X, y = cells[:, :2].astype(float), cells[:, 2] % 2
    clf = SugenoClassifier(directions=[1, -1]).fit([[0, 0], [1, 0], [0, 1]], [0, 1, 0])
    rows, n_pairs, examples = contradicting(text_of(report_html(clf, X, y)))
    pairs = [
        (i, j)
        for i in range(len(X))
        for j in range(len(X))
        if X[i, 0] >= X[j, 0] and X[i, 1] <= X[j, 1] and y[i] == 0 and y[j] == 1
    ]
    assert n_pairs == len(pairs)
    assert rows == len({row for pair in pairs for row in pair})
    assert set(examples) <= set(pairs)
    assert len(examples) >= bool(pairs)


def test_many_rows_are_compared_in_part_and_the_page_says_so():
    clf, X, y = plain()
    text = text_of(report_html(clf, np.tile(X, (40, 1)), np.tile(y, 40)))
    assert "rows (of 6 000 looked at)" in text


@pytest.mark.parametrize("kind", KINDS)
def test_what_a_rule_stands_on_is_counted_row_by_row(kind):
    clf, X, y = KINDS[kind]()
    weight = np.random.default_rng(0).integers(0, 4, len(X))
    page = report_html(clf, X, y, sample_weight=weight)
    rules = clf.rules_
    dnf = rules.formula.joint == "and"
    signs = rules.directions[rules.literal_criteria]
    reached = [
        [
            sign * x >= sign * t
            for x, sign, t in zip(row[rules.literal_criteria], signs, rules.levels)
        ]
        for row in X
    ]
    covered = [
        [all(row[i] for i in s) if dnf else not any(row[i] for i in s) for row in reached]
        for s in rules.formula.parts
    ]
    shown = re.findall(
        r'data-label="rows">.*?<span>(.*?)</span></div></td><td class="count" data-label="rightly">'
        r'(.*?)</td><td class="count" data-label="only by it">(.*?)</td>',
        page,
    )
    assert len(shown) == (0 if kind == "card" else len(rules))
    for r, typical in enumerate(payload(page)["typical"]):
        right = [c and (y[n] == 1) == dnf for n, c in enumerate(covered[r])]
        others = [any(covered[s][n] for s in range(len(rules)) if s != r) for n in range(len(X))]
        alone = [c and not o for c, o in zip(covered[r], others)]
        assert right[typical]
        if shown:
            n_covered, n_right, n_alone = (
                weight[np.array(p)].sum() for p in (covered[r], right, alone)
            )
            assert (int(shown[r][0]), int(shown[r][2])) == (n_covered, n_alone)
            # Of few rows an interval is shown.
            share = f"{100 * n_right / n_covered:.1f}".removesuffix(".0") + "\u00a0%"
            assert shown[r][1] == share or (n_covered < 30 and " to " in shown[r][1])


def test_a_rule_that_covers_nothing_has_no_typical_row():
    clf = RuleClassifier.of(SugenoClassifier().fit([[1], [2], [3], [4]], [0, 0, 1, 1]).model_)
    page = report_html(clf, [[1], [2]], [0, 0])
    assert payload(page)["typical"] == [None]
    assert "one class only" in page


@given(st.text(min_size=1))
def test_json_in_the_page_reads_back_and_ends_nothing(text):
    clf = SugenoClassifier().fit([[1], [2], [3], [4]], [0, 0, 1, 1])
    page = report_html(clf, [[1.5], [4]], [0, 1], class_names=[text, "other"])
    written = re.search(r'id="data">(.*?)</script>', page, re.DOTALL)[1]
    assert not set(written) & set("<>&\u2028\u2029")
    read = json.loads(written.encode("utf-8"))
    assert read["names"] == [text, "other"]
    assert read["rows"]["values"] == [[1.5, 4]]


def test_a_lone_surrogate_does_not_stop_the_writing(tmp_path):
    clf, X, y = plain()
    path = clf.report(X, y, tmp_path / "new" / "page.html", title="\ud800 …")
    assert "<h1>? …</h1>" in path.read_text(encoding="utf-8")
    assert payload(report_html(clf, X, y, class_names=["\ud800", "b"]))["names"] == ["\ud800", "b"]


def static_files(kind):
    """What a page of rules consists of; that of an ensemble adds up in a script of its own."""
    folder = files("sugeno.report").joinpath("static")
    names = {file.name for file in folder.iterdir() if file.name.endswith(kind)} - {"sums.js"}
    found = [folder.joinpath(name).read_text("utf-8") for name in sorted(names)]
    assert found
    return found


def test_the_policy_allows_this_script_and_this_style_and_nothing_else():
    clf, X, y = plain()
    page = report_html(clf, X, y)
    policy = markup.unescape(re.search(r'Content-Security-Policy" content="([^"]*)"', page)[1])
    assert policy.startswith("default-src 'none';")
    assert "unsafe" not in policy
    for tag, kind in (("style", ".css"), ("script", ".js")):
        inside = re.search(rf"<{tag}>(.*?)</{tag}>", page, re.DOTALL)[1]
        assert all(text in inside for text in static_files(kind))
        digest = base64.b64encode(hashlib.sha256(inside.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy
    body = page[page.index("<body>") : page.rindex("<script>")]
    assert " style=" not in body
    assert not re.search(r"\son\w+=", body)


def test_the_page_asks_for_nothing_from_elsewhere():
    clf, X, y = plain()
    page = report_html(clf, X, y)
    urls = set(re.findall(r"\w+://[^\s\"'`]+", page))
    assert urls == {"http://www.w3.org/2000/svg"}  # the name of a language, not a place


def test_the_script_is_small_and_so_is_the_page():
    assert sum(len(script.encode()) for script in static_files(".js")) < 40_000
    random = np.random.default_rng(0)
    X = random.normal(size=(10_000, 12))
    y = (X.sum(axis=1) + random.normal(size=10_000) > 0).astype(int)
    clf = SugenoClassifier(k=2, max_rules=5, time_limit=1).fit(X[:300], y[:300])
    page = report_html(clf, X, y)
    assert len(page.encode()) < 1_000_000
    rows = payload(page)["rows"]
    assert rows["total"] == 10_000
    assert len(rows["truth"]) == len(X[:: rows["step"]]) < 10_000
    assert rows["values"][3] == X[:: rows["step"], 3].tolist()
    whole = payload(report_html(clf, X.round(1), y))["rows"]
    assert (whole["step"], len(whole["truth"])) == (1, 10_000)


def test_many_criteria_leave_room_for_fewer_rows():
    random = np.random.default_rng(0)
    X = random.normal(size=(4000, 100))
    y = (X[:, :5].sum(axis=1) > 0).astype(int)
    clf = SugenoClassifier(k=1, time_limit=1).fit(X[:200], y[:200])
    page = report_html(clf, X, y, model_json="x" * 100_000)
    assert len(page.encode()) < 1_000_000
    assert 1 < payload(page)["rows"]["step"] < 100


@pytest.mark.parametrize("kind", KINDS)
def test_numbers_reach_the_page_to_the_last_bit(kind):
    clf, X, y = KINDS[kind]()
    data = payload(report_html(clf, X, y))
    literals, probability = clf.model_.boundaries[0].literals, clf.model_.boundaries[0].probability
    assert [literal[1] for literal in data["literals"]] == literals.levels.tolist()
    assert [tuple(rule) for rule in data["rules"]] == list(clf.rules_.formula.parts)
    assert data["gains"] == probability.gains.tolist()
    (boundary,) = data["boundaries"]
    for shown, side in zip(boundary["steps"], (probability.rejected, probability.accepted)):
        assert shown == [side.starts.tolist(), side.values.tolist()]
    assert np.array(data["rows"]["values"]).T.tolist() == X.tolist()


def test_the_same_rows_give_the_same_page_and_a_fingerprint_of_their_own():
    clf, X, y = plain()
    again = report_html(clf, X.copy(), y.copy())
    assert report_html(clf, X, y) == again
    other = X.copy()
    other[0, 1] = np.nextafter(other[0, 1], 9)
    prints = [
        re.search(r"Fingerprint of the rows</dt><dd>(\w+)", page)[1]
        for page in (again, report_html(clf, other, y))
    ]
    assert prints[0] != prints[1]


def test_a_frame_of_polars_is_read_by_name():
    clf, X, y = plain()
    names = list("abcde")
    frame = pl.DataFrame(X, schema=names)
    named = SugenoClassifier(directions=clf.directions_, k=2).fit(frame, y)
    turned = frame.select("x" if name == "" else name for name in reversed(names))
    assert report_html(named, frame, y) == report_html(named, turned, pl.Series(y))


def test_weights_count_as_repeated_rows():
    clf, X, y = plain()
    weight = np.random.default_rng(0).integers(1, 3, len(X))
    weighted = report_html(clf, X, y, sample_weight=weight)
    repeated = report_html(clf, np.repeat(X, weight, axis=0), np.repeat(y, weight))
    assert figures(weighted)[0] == figures(repeated)[0]
    for pattern in (r'<table class="grid">.*?</table>', r'<table class="plain">.*?</table>'):
        parts = [re.search(pattern, page, re.DOTALL)[0] for page in (weighted, repeated)]
        assert parts[0] == parts[1]


def test_errors_are_those_of_predict_and_named_for_what_they_are():
    clf, X, y = plain()
    wrong = int((clf.predict(X) != y).sum())
    (label, value, detail), *_ = figures(report_html(clf, X, y))
    assert label == "errors on these rows"
    assert value == f"{100 * wrong / len(X):.1f}".removesuffix(".0") + " %"
    assert "95 % interval" in detail
    assert figures(report_html(clf, X, y, new_rows=True))[0][0] == "errors on new rows"
    given_ = figures(report_html(clf, X, y, error=(0.2, 0.15, 0.25)))[0]
    assert given_ == ("errors on new rows", "20 %", f"between 15 % and 25 %; {value} on these rows")
    assert figures(report_html(clf, X, y, error=0.2))[0][1] == "20 %"


def test_the_error_that_a_model_remembers_from_held_out_rows_leads():
    clf, X, y = plain()
    held_out = HeldOut(0.234, 5, "nested choice over 5 folds")
    model = replace(clf.model_, learned=Learned("shared", held_out=held_out))
    here = 100 * (clf.predict(X) != y).mean()
    assert figures(report_html(model, X, y))[0] == (
        "errors on held-out rows",
        "23.4 %",
        f"nested choice over 5 folds; {here:.1f}".removesuffix(".0") + " % on these rows",
    )
    assert figures(report_html(model, X, y, new_rows=True))[0][0] == "errors on new rows"


def test_errors_of_the_largest_class_stand_beside_ours():
    clf, X, y = plain()
    kept = np.flatnonzero((y == 0) | (np.arange(len(y)) % 3 == 0))
    X, y = X[kept], y[kept]
    assert y.mean() < 0.5
    page = report_html(clf, X, y)
    label, value, _ = figures(page)[1]
    assert label == "errors of always saying class 0"
    assert value == f"{100 * y.mean():.1f}".removesuffix(".0") + " %"
    assert "no fewer errors" not in text_of(page)


def test_rules_that_are_no_better_than_the_largest_class_are_called_so():
    X = np.arange(40.0)[:, None]
    y = (np.arange(40) == 0).astype(int)
    clf = SugenoClassifier(directions=[1]).fit(X, y)
    text = text_of(report_html(clf, X, y))
    assert "no fewer errors than always saying class 0" in text
    alike = text_of(report_html(clf, X, np.zeros(40, dtype=int)))
    assert "no fewer errors" not in alike  # where nothing can be wrong, nothing is to be beaten


def test_of_a_rare_class_recall_precision_and_auc_are_said():
    clf, X, y = plain()
    kept = np.flatnonzero((y == 0) | (np.arange(len(y)) % 7 == 0))
    X, y, said = X[kept], y[kept], clf.predict(X[kept])
    label, value, detail = figures(report_html(clf, X, y))[2]
    assert label == "of class 1 found"
    assert value == f"{100 * recall_score(y, said):.1f}".removesuffix(".0") + " %"
    assert f"precision {100 * precision_score(y, said):.1f}".removesuffix(".0") in detail
    auc = roc_auc_score(y, clf.predict_proba(X)[:, 1])
    assert f"AUC {auc:.2f} (" in detail
    never = SugenoClassifier(directions=[1], normalized=False).fit([[1], [2], [3]], [1, 0, 0])
    shown = figures(report_html(never, np.arange(20.0)[:, None], [1] + [0] * 19))[2]
    assert shown[1] == "0 %"
    assert "precision" not in shown[2]


def test_numbers_of_the_section_on_quality_are_those_of_scikit_learn():
    clf, X, y = plain()
    weight = np.random.default_rng(0).integers(0, 4, len(X))
    page = report_html(clf, X, y, sample_weight=weight)
    said, chances = clf.predict(X), clf.predict_proba(X)[:, 1]
    section = page[page.index('id="good"') : page.index('<section id="rows"')]
    counts = confusion_matrix(y, said, sample_weight=weight)
    cells = re.findall(r'data-cell="(\d) (\d)"[^>]*>(\d+)<', section)
    assert {(int(a), int(b)): int(n) for a, b, n in cells} == {
        (a, b): counts[a, b] for a in (0, 1) for b in (0, 1) if counts[a, b]
    }
    for scorer in (precision_score, recall_score):
        for label in (0, 1):
            share = scorer(y, said, pos_label=label, sample_weight=weight)
            shown = f"{100 * share:.1f}".removesuffix(".0")
            assert f">{shown}\u00a0%<" in section
    assert f"AUC {roc_auc_score(y, chances, sample_weight=weight):.3f}," in section
    grades = payload(page)["grades"][0]
    for k, chance in enumerate(grades["chances"]):
        assert sum(grades["above"][k:]) == weight[(chances >= chance) & (y == 1)].sum()
        assert sum(grades["below"][k:]) == weight[(chances >= chance) & (y == 0)].sum()


def test_the_interval_of_the_auc_covers_it_as_often_as_it_says():
    random = np.random.default_rng(0)
    covered = 0
    for _ in range(300):
        above = random.random(80) < 0.3
        chances = random.normal(size=80) + 1.2 * above
        low, high = Grades.of(chances, above, np.ones(80)).auc_interval
        covered += low <= norm.cdf(1.2 / np.sqrt(2)) <= high
    assert 0.90 <= covered / 300 <= 0.99


@given(st.lists(st.tuples(st.integers(0, 1500), st.booleans()), min_size=2, max_size=60))
def test_probabilities_are_grouped_without_moving_a_cut_off(pairs):
    chances = np.array([c / 1500 for c, _ in pairs])
    above = np.array([side for _, side in pairs])
    grades = Grades.of(chances, above, np.ones(len(pairs)))
    for k, chance in enumerate(grades.chances):
        assert grades.above[k:].sum() == (above & (chances >= chance)).sum()
    half = int((grades.chances <= 0.5).sum())
    assert grades.below[half:].sum() == (~above & (chances > 0.5)).sum()
    if above.any() and not above.all():
        assert grades.auc == pytest.approx(roc_auc_score(above, chances))
        total = sum(total for _, total, _ in grades.calibration)
        assert total == len(pairs)


def test_very_many_probabilities_are_joined():
    chances = np.linspace(0, 1, 1001)
    grades = Grades.of(chances, chances > 0.3, np.ones(1001))
    assert grades.chances.size == 201
    assert grades.above.sum() == 700
    half = int((grades.chances <= 0.5).sum())
    assert half in (100, 101)
    assert grades.above[half:].sum() == 500


def test_what_was_said_of_rows_while_they_were_held_out_is_judged():
    clf, X, y = plain()
    labels = np.where(y == 1, "a good one", "bad")  # sorted, the higher class comes first
    named = SugenoClassifier(directions=clf.directions_, k=2, positive="a good one").fit(X, labels)
    chances = np.clip(y * 0.4 + np.random.default_rng(0).random(len(y)) * 0.6, 0, 1)
    both = np.column_stack([chances, 1 - chances])
    assert named.classes_.tolist() == ["a good one", "bad"]
    page = report_html(named, X, labels, held_out=both)
    wrong = ((chances > 0.5) != (y == 1)).mean()
    label, value, _ = figures(page)[0]
    assert label == "errors on held-out rows"
    assert value == f"{100 * wrong:.1f}".removesuffix(".0") + " %"
    assert 'data-cell="' not in page  # the rows of the page are decided by the model itself
    assert report_html(named, X, labels, held_out=chances).count(f">{value[:-2]}\u00a0%<")
    with pytest.raises(ValueError, match="held_out must hold a probability for each of the 300"):
        report_html(named, X, labels, held_out=chances[:9])


def test_the_path_of_rules_is_shown_where_the_classifier_has_one(brief, tmp_path):
    X, y, signs = mixed_table(120)
    distilled = SugenoDistiller(directions=signs, max_rules=4).fit(X, y)
    page = distilled.report(X, y, tmp_path / "page.html").read_text(encoding="utf-8")
    table = re.search(r'id="course".*?<tbody>(.*?)</tbody>', page, re.DOTALL)[1]
    shown = [
        re.findall(r">([\d.]+)(?:\u00a0%)?</t[hd]>", line) for line in table.split("</tr>")[:-1]
    ]
    path = {step["rules"]: step for step in reversed(distilled.path_)}
    assert [int(line[0]) for line in shown] == sorted(path)
    for rules, error, unlike in shown:
        step = path[int(rules)]
        assert float(error) == round(100 * step["error"], 1)
        assert float(unlike) == round(100 - 100 * step["fidelity"], 1)
    assert f'class="chosen"><th scope="row">{len(distilled.rules_)}<' in page
    assert 'id="course"' not in report_html(plain()[0], *plain()[1:])


def small_print(page):
    found = re.findall(r"<dt>(.*?)</dt><dd>(.*?)</dd>", page[page.index('id="small-print"') :])
    return {name: markup.unescape(text) for name, text in found}


def proved(certificate, learned):
    clf, X, y = plain()
    model = replace(clf.model_, certificate=certificate, learned=learned)
    return small_print(report_html(model, X, y)).get("What is proved")


def test_what_is_proved_is_said_of_what_was_bounded_and_of_nothing_else():
    errors = Learned("shared", bounded="training error")
    assert proved(Certificate(13091.0, 13091.0), errors) == (
        "The training error is 13\u202f091. No rules of the kind that was searched have less."
    )
    assert proved(Certificate(7.0, 2.5), errors) == (
        "The training error is 7. No rules of the kind that was searched have less than 2.5."
    )
    taught = Learned("distilled", "SugenoEnsembleClassifier", "disagreement with the teacher")
    text = proved(Certificate(3.0, 3.0), taught)
    assert text.startswith("On the taught rows the expected disagreement with the teacher, SugenoE")
    assert text.endswith("Nothing is proved about errors: other rules may make fewer.")
    assert "training error" not in text
    each = proved(Certificate(7.0, 2.5), Learned("distilled", "Teacher", "training error"))
    assert each == (
        "The loss on the training rows is 7. No monotone classifier over the conditions shown has "
        "less than 2.5, neither rules nor points. With other conditions rules may have less."
    )
    for learned in (None, Learned("given"), Learned("edited")):
        assert proved(Certificate(3.0, 3.0), learned) is None
    assert proved(Certificate(np.inf, 0.0), errors) is None


@pytest.mark.parametrize("protocol", [1, 2, 3])
def test_of_a_model_from_an_old_file_nothing_is_claimed_that_the_file_does_not_say(protocol):
    folder = Path(__file__).parents[1] / "format" / "golden" / f"protocol-{protocol}"
    models = [sugeno.load(path).model_ for path in sorted(folder.glob("*.json"))]
    assert models
    for model in models:
        X = pd.DataFrame({one.name: [(one.labels or [1.0])[0]] * 2 for one in model.criteria})
        page = report_html(model, X, model.classes[:2])
        assert (model.learned is None) == ("How it was learned" not in small_print(page))
        assert model.learned is not None or "What is proved" not in small_print(page)


def test_how_a_model_was_learned_is_said_where_it_is_known():
    clf, X, y = plain()
    for learned, words in (
        (Learned("given"), "written by people"),
        (Learned("edited"), "edited by people"),
        (Learned(3), "levels=3"),
        (Learned("distilled", "Teacher"), "levels='distilled', from the teacher Teacher"),
        (None, None),
    ):
        model = replace(clf.model_, learned=learned)
        assert small_print(report_html(model, X, y)).get("How it was learned") == words


def test_weak_directions_constant_and_idle_criteria_are_named():
    X, y, signs = mixed_table()
    X = np.column_stack([X, np.full(len(X), 7.0), np.random.default_rng(3).normal(size=len(X))])
    clf = SugenoClassifier(directions=[*(-signs[:1]), *signs[1:], 1, 1], k=2).fit(X, y)
    text = text_of(report_html(clf, X, y))
    assert "x0: these rows speak against the direction." in text
    assert "x5, x6: the evidence for the direction is weak; check it." in text
    assert "x5: the same value in all rows." in text


def test_missing_values_are_counted_and_left_out_of_the_evidence():
    clf, X, y = plain()
    with pytest.raises(ValueError, match="NaN"):
        report_html(clf, np.where(X > 4, np.nan, X), y)
    holes = X.copy()
    holes[:30, 0], holes[:, 2] = np.nan, np.nan
    lenient = Model.of_two_classes(replace(clf.model_.boundaries[0], missing="pessimistic"))
    page, without = report_html(lenient, holes, y), report_html(clf, X[30:], y[30:])
    table, complete = (one[one.index("agrees</th>") :] for one in (page, without))
    assert re.search(r"<th [^>]*>x0</th>.*?>30</td></tr>", table)
    assert f">{len(X)}</td></tr>" in table
    agrees = r'>x0</th><td>more</td><td class="count less">([^<]*)'
    assert re.search(agrees, table)[1] == re.search(agrees, complete)[1]
    assert payload(page)["rows"]["values"][0][:30] == [None] * 30
    around = payload(report_html(lenient, holes * np.nan, y))["criteria"][2]["stops"]
    assert np.isin(around, X[:, 2]).all()  # of the levels, which every axis has


def test_labels_stand_for_values_also_in_the_examples():
    labels = ["poor", "fair", "good"]
    frame = pd.DataFrame({"size": pd.Categorical(labels * 20, labels, ordered=True)})
    y = np.array([0, 0, 1] * 18 + [1, 0, 0] * 2)
    clf = SugenoClassifier(directions=None).fit(frame, y)
    page = report_html(clf, frame, y, sample_weight=0.33)
    assert re.search(r'<th scope="row">size</th><td>(fair|good)</td><td>poor</td>', page)
    assert payload(page)["criteria"][0]["labels"] == labels
    assert " 6.6 " in text_of(page)


def test_names_of_classes_baseline_source_command_and_model_are_shown():
    clf, X, y = plain()
    page = report_html(
        clf,
        X,
        y,
        class_names=["benign", "malignant"],
        baseline={"boosted trees": 0.137},
        source="A clinic, CC BY 4.0",
        command="sugeno report model.json data.csv",
        model_json='{"protocol": 1}',
    )
    text = text_of(page)
    assert "Malignant or benign?" in text
    assert "For comparison: boosted trees 13.7 %" in text
    assert "A clinic, CC BY 4.0" in text
    assert "sugeno report model.json data.csv" in text
    link = re.search(r'href="data:application/json;base64,([^"]*)" download="model.json"', page)
    assert base64.b64decode(link[1]) == b'{"protocol": 1}'


def test_the_file_of_a_classifier_offers_its_model_to_download(tmp_path):
    clf, X, y = several_levels()
    page = clf.report(X, y, tmp_path / "page.html").read_text(encoding="utf-8")
    link = re.search(r'href="data:application/json;base64,([^"]*)"', page)
    assert sugeno.loads(base64.b64decode(link[1])).rules_ == clf.rules_


def test_labels_that_no_model_file_can_hold_leave_the_download_out(tmp_path):
    clf, X, y = plain()
    days = np.array(["2026-01-01", "2026-01-02"], dtype="datetime64[D]")
    (boundary,) = clf.model_.boundaries
    odd = classifier_of(replace(boundary, labels=days))
    page = odd.report(X, days[y], tmp_path / "page.html").read_text(encoding="utf-8")
    assert "Download the model" not in page
    assert "Class 2026-01-02 or class 2026-01-01?" in text_of(page)


def again(page, X, y, folder, monkeypatch, **arrays):
    """Do as the page says to make it again, in a folder of its own."""
    monkeypatch.chdir(folder)
    link = re.search(r'href="data:application/json;base64,([^"]*)"', page)
    if link is not None:
        (folder / "model.json").write_bytes(base64.b64decode(link[1]))
    code = markup.unescape(re.search(r"<pre>([^<]*)</pre>(?:<p><a|\s*</section>)", page)[1])
    exec(code, {"X": X, "y": y, **arrays})
    return (folder / "report.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("kind", [plain, graded])
def test_the_code_that_makes_a_page_again_does(kind, tmp_path, monkeypatch):
    clf, X, y = kind()
    names = ["<low>", "b", "c", "d's"] if kind is graded else ["no", 'y"es']
    options = {
        "title": 'Sold & "gone"',
        "class_names": names,
        "error": (0.2, 0.1, 0.3),
        "baseline": {"trees": 0.1},
        "source": "here",
    }
    weight = np.random.default_rng(0).integers(1, 4, len(X))
    path = clf.report(X, y, tmp_path / "first.html", sample_weight=weight, **options)
    page = path.read_text(encoding="utf-8")
    assert again(page, X, y, tmp_path, monkeypatch, sample_weight=weight) == page


def test_the_page_of_a_model_alone_is_made_again_from_the_model(tmp_path, monkeypatch):
    clf, X, y = several_levels()
    page = report_html(clf.model_, X, y, new_rows=True)
    assert "new_rows=True" in page
    assert again(page, X, y, tmp_path, monkeypatch, model=clf.model_) == page


def test_of_ordered_classes_a_page_may_be_about_one_boundary():
    clf, X, y = graded()
    for b, label in enumerate(clf.model_.classes[1:]):
        page = report_html(clf, X, y, boundary=label)
        model = clf.model_.boundaries[b]
        above = np.isin(y, clf.model_.classes[b + 1 :])
        wrong = (model.accepted(X) != above).mean()
        assert f"At least {label} or below {label}?" in text_of(page)
        assert figures(page)[0][1] == f"{100 * wrong:.1f}".removesuffix(".0") + " %"
        assert payload(page)["rows"]["truth"] == "".join(map(str, above.astype(int)))
        assert report_html(clf.model_.at_boundary(b), X, model.labels[above.astype(int)]).count(
            "data-rule="
        ) == (page.count("data-rule="))
    with pytest.raises(ValueError, match="boundary must be the lowest class above"):
        report_html(clf, X, y, boundary="poor")
    with pytest.raises(ValueError, match="y must hold the labels"):
        report_html(clf, X, np.full(len(X), "bad"))


@pytest.mark.parametrize(
    ("form", "sets", "word"),
    [
        ("dnf", [], "class 0"),
        ("dnf", [()], "class 1"),
        ("cnf", [], "class 1"),
        ("cnf", [()], "class 0"),
    ],
)
def test_a_classifier_that_decides_alike_for_everyone_says_so(form, sets, word):
    clf, X, y = plain()
    rules = RuleSet(sets, clf.rules_.levels, form=form, directions=clf.directions_)
    (boundary,) = clf.model_.boundaries
    page = report_html(Model.of_two_classes(replace(boundary, form=rules)), X, y)
    assert f"Every row is {word} ." in text_of(page)


def test_more_rules_than_the_grid_shows_are_in_the_words():
    X = np.array([*product((0, 1), repeat=9)])
    y = (X.sum(axis=1) >= 4).astype(int)
    clf = SugenoClassifier(directions=None).fit(X, y)
    page = report_html(clf, X, y)
    shown = page.count("data-rule=")
    assert 0 < shown < len(clf.rules_) == 126
    assert f"{126 - shown} more rules in the words below." in text_of(page)


def test_far_outliers_do_not_squeeze_an_axis():
    clf, X, y = plain()
    X = X.copy()
    X[0, 1] = 1e6
    axis = payload(report_html(clf, X, y))["criteria"][1]
    assert axis["high"] < 100
    assert not axis["even"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"y": ["no"] * 300}, r"y must hold the labels \[0, 1\]. Got \['no'\]"),
        ({"y": [0, 1]}, "y must have one label per row of X, 300 of them. Got 2"),
        ({"X": np.ones((300, 2))}, "X must have 5 columns"),
        ({"class_names": ["a"]}, "class_names must hold a name for each of the 2 classes"),
        ({"error": 12}, "error must be a share of rows"),
        ({"sample_weight": -1}, "sample_weight must not be negative"),
    ],
)
def test_what_does_not_fit_is_refused_with_a_remedy(change, message):
    clf, X, y = plain()
    given_ = {"X": X, "y": y, **change}
    with pytest.raises(ValueError, match=message):
        report_html(clf, given_.pop("X"), given_.pop("y"), **given_)


def test_both_sides_of_a_column_are_one_criterion_and_costs_come_first():
    rng = np.random.default_rng(0)
    table = pd.DataFrame({"age": rng.integers(20, 70, 200), "x": rng.normal(size=200)})
    y = (abs(table["age"] - 45) > 12).to_numpy()
    clf = SugenoClassifier(levels=2, columns={"age": "free", "x": "up"}, costs={"missed": 3})
    shown = figures(report_html(clf.fit(table, y), table, y))
    assert shown[0][0] == "cost of a row (missed 3, false alarm 1)"
    dear = clf.set_params(costs={"missed": 3e6, "false alarm": 1e6}).fit(table, y)
    assert not re.search(r"\de[+]\d", str(figures(report_html(dear, table, y))[0]))
    assert any(label == "rows, 2 criteria" for label, _, _ in shown)
    assert shown[-1][2].endswith(" about 2 criteria")
