"""The page of ordered classes in a real browser: all boundaries follow every move."""

import numpy as np
import pandas as pd
import pytest
from accessibility import serious_barriers
from report_models import address, awkward_rows, graded, mixed_table, payload

from sugeno import SugenoOrdinalClassifier
from sugeno.report import report_html

pytestmark = pytest.mark.xdist_group("browser")  # one browser process

ORDER = ["poor", "fair", "good", "top"]
READ = """async (addresses) => {
  const answers = [];
  for (const address of addresses) {
    await new Promise((done) => {
      addEventListener("hashchange", done, { once: true });
      location.hash = address;
    });
    answers.push([
      Number(document.querySelector(".decision").dataset.place),
      [...document.querySelectorAll(".classes data")].map((share) => Number(share.value)),
    ]);
  }
  return answers;
}"""


def said_by_python(clf, rows):
    places = [ORDER.index(label) for label in clf.predict(rows)]
    return places, clf.predict_proba(rows)[:, np.argsort(np.argsort(clf.order_))].tolist()


@pytest.mark.parametrize("levels", ["shared", "distilled"])
def test_the_page_decides_as_python_does(levels, show, brief):
    clf, X, y = graded(levels=levels)
    rows = awkward_rows(clf.model_, X, n=100)
    answers = show(report_html(clf, X, y)).evaluate(READ, [address(x) for x in rows])
    places, shares = said_by_python(clf, rows)
    assert [place for place, _ in answers] == places
    assert [found for _, found in answers] == shares
    assert len(set(places)) > 2


@pytest.mark.parametrize("reading", ["pessimistic", "optimistic", "interval"])
def test_the_page_reads_missing_values_as_the_model_does(reading, show):
    X, y = graded()[1:]
    X[::7, 1], X[::5, 3] = np.nan, np.nan
    clf = SugenoOrdinalClassifier(levels=2, classes=ORDER, missing=reading, max_rules=4, k=3)
    clf.fit(X, y)
    rows = awkward_rows(clf.model_, X, missing=3, n=60)
    page = show(report_html(clf, X, y))
    answers = page.evaluate(READ, [address(x) for x in rows])
    places, shares = said_by_python(clf, rows)
    assert [place for place, _ in answers] == places
    assert [found for _, found in answers] == shares
    page.get_by_label("Show").select_option("errors")
    assert f" of {(clf.predict(X) != y).sum()}" in page.locator("#table").inner_text()


def open_row(page, number):
    page.get_by_label("Row number").fill(str(number))
    page.get_by_label("Row number").press("Enter")


def values(page, order):
    """The values in the panel, in the order of the columns."""
    boxes = page.locator(".criterion .top input[type=text]")
    found = np.empty(len(order))
    exact = boxes.evaluate_all("all => all.map(box => box.dataset.value)")
    found[order] = [float(value) for value in exact]
    return found


def reachable(model, x, stops, up):
    """The fewest criteria that, as far as they go, lead to a higher (lower) class."""
    signs = model.boundaries[0].literals.directions
    ends = [s[-1 if (sign > 0) == up else 0] for s, sign in zip(stops, signs)]
    now = model.passed(x[None])[0]
    best = None
    for chosen in range(1, 2 ** len(x)):
        mask = np.array([chosen >> j & 1 for j in range(len(x))], dtype=bool)
        then = model.passed(np.where(mask, ends, x)[None])[0]
        if (then > now) if up else (then < now):
            best = mask.sum() if best is None else min(best, mask.sum())
    return best


def test_each_way_up_and_down_is_a_smallest_one_and_says_where_it_leads(show):
    clf, X, y = graded()
    html = report_html(clf, X, y)
    page, data, model = show(html), payload(html), clf.model_
    stops = [np.array(criterion["stops"]) for criterion in data["criteria"]]
    for number in (1, 2, 3, 5):
        open_row(page, number)
        x = X[number - 1]
        now = model.passed(x[None])[0]
        for box, up in zip(page.locator(".ways").all(), (True, False)):
            texts = box.locator(".flip").all_inner_texts()
            fewest = reachable(model, x, stops, up)
            if fewest is None:
                word = "already" if now == (3 if up else 0) else "Nothing"
                assert word in box.inner_text()
            assert bool(texts) == (fewest is not None)
            for place, text in enumerate(texts):
                box.locator(".flip").nth(place).click()
                z = values(page, data["order"])
                then = model.passed(z[None])[0]
                assert then > now if up else then < now
                assert text.endswith(f": {ORDER[then]}")
                if place == 0:
                    assert (z != x).sum() == fewest
                page.get_by_role("button", name="Reset").click()


def test_every_boundary_says_whether_it_is_passed_and_by_which_rules(show):
    clf, X, y = graded()
    page = show(report_html(clf, X, y))
    for number in range(1, 8):
        open_row(page, number)
        x = X[[number - 1]]
        place = clf.model_.passed(x)[0]
        assert page.locator(".decision").inner_text() == ORDER[place].capitalize()
        for b, box in enumerate(page.locator("details.boundary").all()):
            summary = box.locator("summary").inner_text()
            rules = clf.rules_[b]
            reached = rules.literal_set.satisfied(x)
            held = [r for r in range(len(rules)) if (rules.masks[r] & ~reached[0] == 0).all()]
            assert f"at least {ORDER[b + 1]}" in summary
            by = ", ".join(str(r + 1) for r in held)
            assert summary.endswith(f"by rule {by}" if held else "no rule holds")
            assert box.evaluate("box => box.open") == (b in (place - 1, place))
            on = [
                i
                for i, c in enumerate(box.locator(".chip").all())
                if "on" in c.get_attribute("class").split()
            ]
            assert on == held
        shares = page.locator(".classes data").evaluate_all("all => all.map(s => Number(s.value))")
        assert shares == said_by_python(clf, x)[1][0]
        current = page.locator(".classes li[aria-current]")
        assert current.locator(".name").inner_text() == ORDER[place]


def test_a_slider_moved_by_key_changes_the_class_and_what_is_read_out(show):
    X, y = [[1], [2], [3], [4], [5], [6]], [1, 1, 2, 2, 3, 3]
    clf = SugenoOrdinalClassifier(levels="all", directions=None).fit(X, y)
    page = show(report_html(clf, X, y), address="#row=1")
    seen = [page.locator(".decision").inner_text()]
    notes = [page.locator(".alone").inner_text()]
    for _ in range(4):
        page.get_by_role("slider", name="x0").press("ArrowRight")
        seen.append(page.locator(".decision").inner_text())
        notes.append(page.locator(".alone").inner_text())
    assert seen == ["Class 1", "Class 1", "Class 2", "Class 2", "Class 3"]
    assert notes[0] == "at 3: class 2"
    assert notes[2] == "was 1; at 5: class 3; must not fall"
    assert notes[3] == "was 1; at 5: class 3; may fall to 3"
    page.locator("#live", has_text="Class 3, place 3 of 3").wait_for(state="attached")
    assert "x=5" in page.url


def test_a_box_that_was_opened_stays_open_while_the_class_does(show):
    clf, X, y = graded()
    page = show(report_html(clf, X, y))
    open_row(page, int(np.flatnonzero(clf.predict(X) == "poor")[0]) + 1)
    last = page.locator("details.boundary").last
    assert not last.evaluate("box => box.open")
    last.locator("summary").click()
    page.locator(".criterion").first.get_by_label("keep").check()
    assert last.evaluate("box => box.open")


def test_a_number_in_the_table_of_classes_lists_its_rows(show):
    clf, X, y = graded()
    page = show(report_html(clf, X, y))
    said = clf.predict(X)
    wrong = page.locator(".confusion td:not(.same) button").all()
    assert wrong
    for button in wrong[:3]:
        truth, decided = (ORDER[int(c)] for c in button.get_attribute("data-cell").split())
        button.click()
        there = np.flatnonzero((y == truth) & (said == decided)) + 1
        numbers = page.locator(".rows tbody th").all_inner_texts()
        assert numbers == [str(i) for i in there[:20]]
        chosen = page.get_by_label("Show").evaluate("box => box.selectedOptions[0].textContent")
        assert chosen == f"{truth}, decided {decided}"
    places = np.array([[ORDER.index(a), ORDER.index(b)] for a, b in zip(y, said)])
    off = places[:, 1] - places[:, 0]
    for choice, count in (
        ("over", (off > 0).sum()),
        ("under", (off < 0).sum()),
        ("far", (abs(off) > 1).sum()),
    ):
        page.get_by_label("Show").select_option(choice)
        text = page.locator("#table").inner_text()
        assert f" of {count}" in text if count else "no rows" in text


def test_the_number_of_a_rule_shows_a_row_that_it_lets_pass(show):
    clf, X, y = graded()
    html = report_html(clf, X, y)
    page, data = show(html), payload(html)
    for b, boundary in enumerate(data["boundaries"]):
        first, last = boundary["rules"]
        rule = next(r for r in range(first, last) if data["typical"][r] is not None)
        page.locator(f"[data-rule='{rule}']").click()
        box = page.locator("details.boundary").nth(b)
        assert "on" in box.locator(".chip").nth(rule - first).get_attribute("class").split()


def hostile():
    names = ["</script><b>", '"><img src=x onerror=alert(1)>', "multi\nline", "🙂", "long" * 30]
    X, y = graded()[1:]
    frame = pd.DataFrame(X, columns=names)
    classes = ["<b>0</b>", "</script>1", "2" * 60, "${alert(3)}"]
    grades = np.array(classes)[[ORDER.index(label) for label in y]]
    signs = mixed_table(120)[2]
    again = SugenoOrdinalClassifier(levels=2, classes=classes, directions=signs, max_rules=3, k=3)
    return again.fit(frame, grades), frame, grades


@pytest.mark.parametrize("width", [360, 768, 1600])
@pytest.mark.parametrize("table", [hostile, graded])
def test_nothing_sticks_out_of_the_page(table, width, show):
    page = show(report_html(*table()), width=width)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.locator("script").count() == 2
    assert page.locator("img").count() == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_serious_barrier(scheme, show):
    page = show(report_html(*graded()), scheme=scheme)
    for summary in page.locator("summary").all():
        if not summary.evaluate("summary => summary.parentElement.open"):
            summary.click()
    assert serious_barriers(page) == []


def test_on_paper_there_are_rules_and_classes_and_no_controls(show):
    page = show(report_html(*graded()), width=794)
    page.emulate_media(media="print")
    assert page.locator(".grid").is_visible()
    assert page.locator(".confusion").is_visible()
    assert page.locator(".decision").is_visible()
    assert not page.locator(".ways").first.is_visible()
    assert not page.get_by_role("slider").first.is_visible()
