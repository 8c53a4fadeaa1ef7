"""The page of an ensemble: what it says, and that it adds up as Python does."""

import json
import re

import numpy as np
import pytest
from accessibility import serious_barriers
from report_models import address

from format.test_sum_files import homes
from random_models import rows_for
from random_sums import ordered_sum, random_sum, sums_per_class
from report.test_browser import DECIDE
from report.test_browser_order import READ
from sugeno import RuleClassifier, SugenoEnsembleClassifier
from sugeno.report import report_html, write_report

FEW = {"n_bags": 3, "max_rounds": 40}
pytestmark = [
    pytest.mark.xdist_group("browser"),
    pytest.mark.filterwarnings("ignore::sugeno.WeakDirectionWarning"),
]


@pytest.fixture(scope="module")
def paid():
    X, y = homes(200)
    return SugenoEnsembleClassifier(**FEW, positive="paid", costs={"missed": 2}).fit(X, y), X, y


@pytest.fixture(scope="module")
def page(paid):
    return report_html(*paid)


def test_the_head_has_errors_beside_those_of_the_largest_class(paid, page):
    clf, _, _ = paid
    head = page[page.index("<dl") : page.index("<nav")]
    assert f"{100 * (1 - clf.oob_score_):.1f}".removesuffix(".0") in head
    assert "errors on held-out rows" in head
    assert "errors of always saying lost" in head
    assert ">AUC<" in head
    assert "cost of a row" in head
    assert "Where its probability exceeds 33.3" in page


def test_criteria_stand_by_importance_and_labels_in_lists(paid, page):
    clf, _, _ = paid
    model = clf.model_
    shown = re.findall(r"<li><h3>([^<]*)", page)
    names = [model.criteria[j].name for j in model.importance_order]
    assert [name.split(" (")[0] for name in shown] == names
    effects = page[page.index('id="effects"') : page.index('id="pairs"')]
    assert '<th scope="row">parents</th>' in effects
    assert effects.count('class="curve"') == sum(
        not model.criteria[j].labels for j in model.importance_order
    )
    assert "Two criteria can add more" in page
    assert "Monotone, proved for all inputs" in page
    assert 'id="assumed"' in page


def test_the_effect_of_a_criterion_is_a_mean_over_the_rows():
    X = np.array([[a, b] for a in range(4) for b in range(4)] * 6, dtype=float)
    clf = SugenoEnsembleClassifier(**FEW, directions=[1, 1]).fit(X, X.min(axis=1) >= 2)
    model, told = clf.model_, report_html(clf, X, X.min(axis=1) >= 2)
    worst, best = X.copy(), X.copy()
    worst[:, 0], best[:, 0] = 0, 3
    rise = np.mean(model.margins(best) - model.margins(worst))
    assert f"adds up to {rise:.2f}" in told


@pytest.mark.parametrize("seed", range(3))
def test_the_page_adds_up_as_python_does(seed, show):
    model = random_sum(seed, labelled=False, m=4)
    rows = rows_for(model, seed, 60)
    rows = rows[np.isfinite(rows).all(axis=1)]
    rows[::7, 1] = np.nan
    clf = RuleClassifier.of(model)
    X = rows if not model.has_names else None
    html = report_html(model, _framed(model, rows) if X is None else X, model.decide(rows))
    answers = show(html).evaluate(DECIDE, [address(x) for x in rows])
    assert [decision for decision, _ in answers] == model.boundaries[0].accepted(rows).tolist()
    chances = [float(chance) for _, chance in answers]
    np.testing.assert_allclose(chances, model.boundaries[0].probabilities(rows), rtol=2e-15)
    assert clf.positive_ == model.classes[1]


@pytest.mark.parametrize("seed", range(3))
def test_the_page_of_ordered_classes_adds_up_as_python_does(seed, show):
    model = ordered_sum(seed, labelled=False, m=4)
    rows = rows_for(model.boundaries[seed], seed, 60)
    rows = rows[np.isfinite(rows).all(axis=1)]
    X = _framed(model, rows) if model.has_names else rows
    html = report_html(model, X, model.decide(rows))
    opened = show(html)
    answers = opened.evaluate(READ, [address(x) for x in rows])
    assert [place for place, _ in answers] == model.passed(rows).tolist()
    near = {"rtol": 1e-13, "atol": 1e-15}
    told = [shares for _, shares in answers]
    np.testing.assert_allclose(told, model.class_probabilities(rows), **near)
    assert "A row gets the highest class" in html
    assert opened.locator(".classes li").count() == 4
    assert serious_barriers(opened) == []


def _framed(model, rows):
    import pandas as pd

    return pd.DataFrame(rows, columns=[one.name for one in model.criteria])


def test_a_page_about_texts_and_gaps_decides_shows_and_hurts_nobody(paid, page, show):
    clf, X, y = paid
    opened = show(page)
    opened.get_by_label("Show").select_option("errors")
    assert f" of {(clf.predict(X) != y).sum()}" in opened.locator("#table").inner_text()
    opened.get_by_label("Row number").fill("1")
    opened.get_by_label("Row number").press("Enter")
    told = clf.explain(X[:1])
    adds = opened.locator(".adds data").evaluate_all("all => all.map(one => Number(one.value))")
    assert sum(adds) == pytest.approx(told.contributions.sum(), abs=1e-9)
    chance = float(opened.locator(".chance").get_attribute("value"))
    assert chance == pytest.approx(clf.predict_proba(X[:1])[0, 1], rel=1e-14)
    for width, scheme in ((1280, "light"), (390, "dark")):
        seen = show(page, width=width, scheme=scheme)
        assert serious_barriers(seen) == []
        overflow = "document.documentElement.scrollWidth - innerWidth"
        assert seen.evaluate(overflow) <= 0


def test_both_readings_of_a_column_move_together(show):
    rng = np.random.default_rng(0)
    X, _ = homes(200)
    age = rng.integers(20, 70, 200)
    frame = X[["home"]].assign(age=age.astype(float))
    clf = SugenoEnsembleClassifier(**FEW, columns={"age": "free"}).fit(frame, abs(age - 45) < 9)
    assert sum(one.name == "age" for one in clf.model_.criteria) == 2
    opened = show(report_html(clf, frame, abs(age - 45) < 9))
    boxes = opened.get_by_label("age, value")
    boxes.first.fill("45")
    boxes.first.press("Enter")
    assert boxes.evaluate_all("all => all.map(box => box.value)") == ["45"]
    chance = float(opened.locator(".chance").get_attribute("value"))
    row = opened.get_by_label("Row number").input_value()
    case = frame.iloc[[int(row) - 1]].assign(age=45.0)
    assert chance == pytest.approx(clf.predict_proba(case)[0, 1], rel=1e-14)


def test_classes_without_an_order_have_a_page_each(tmp_path):
    model = sums_per_class(2, m=3, labelled=False)
    rows = rows_for(model.models[0], 2, 60)
    X = _framed(model, rows) if model.models[0].has_names else rows
    path = write_report(model, X, model.decide(rows), tmp_path / "all.html")
    assert path.read_text(encoding="utf-8").count("by a sum of steps") == 3
    one = (tmp_path / "all-1.html").read_text(encoding="utf-8")
    assert "What each criterion adds" in one


def test_what_nothing_adds_to_is_shown_as_such():
    X, y = np.ones((20, 2)), [0] * 5 + [1] * 15
    clf = SugenoEnsembleClassifier(**FEW, directions=None).fit(X, y)
    html = report_html(clf, X, y)
    assert "No two criteria add anything together." in html


def test_the_data_of_the_page_is_the_model(paid, page):
    clf, _, _ = paid
    data = json.loads(re.search(r'id="data">(.*?)</script>', page)[1])
    tables = clf.model_.boundaries[0].tables
    assert data["sum"]["boundaries"][0]["constant"] == tables.constant
    assert data["sum"]["boundaries"][0]["needed"] == clf.model_.boundaries[0].needed
    assert len(data["sum"]["pairs"]) == len(tables.pairs)


def test_more_criteria_unfold():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 3, (200, 16)).astype(float)
    clf = SugenoEnsembleClassifier(n_bags=2, max_rounds=30, directions=[1] * 16)
    clf.fit(X, X.sum(axis=1) > 16)
    assert "more criteria</summary>" in report_html(clf, X, X.sum(axis=1) > 16)
