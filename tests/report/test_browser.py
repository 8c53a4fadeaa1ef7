"""The page in a real browser: it decides as Python does, for everybody, and hurts nobody."""

import itertools

import numpy as np
import pandas as pd
import pytest
from accessibility import serious_barriers
from report_models import KINDS, address, awkward_rows, card, mixed_table, payload, plain
from sklearn.base import clone

from sugeno import (
    RuleClassifier,
    RuleSet,
    SugenoClassifier,
    SugenoClassifierCV,
    SugenoDistiller,
    SugenoEnsembleClassifier,
)
from sugeno.report import report_html
from sugeno.report._markup import embedded_json

pytestmark = pytest.mark.xdist_group("browser")  # one browser process

DECIDE = """async (addresses) => {
  const answers = [];
  for (const address of addresses) {
    await new Promise((done) => {
      addEventListener("hashchange", done, { once: true });
      location.hash = address;
    });
    answers.push([
      document.querySelector(".decision").classList.contains("positive"),
      document.querySelector(".chance").value,
    ]);
  }
  return answers;
}"""


@pytest.mark.parametrize("kind", KINDS)
def test_the_page_decides_as_python_does(kind, show):
    clf, X, y = KINDS[kind]()
    rows = awkward_rows(clf.model_, X)
    answers = show(report_html(clf, X, y)).evaluate(DECIDE, [address(x) for x in rows])
    assert [decision for decision, _ in answers] == clf.predict(rows).tolist()
    assert [float(chance) for _, chance in answers] == clf.predict_proba(rows)[:, 1].tolist()
    assert 0 < clf.predict(rows).sum() < len(rows)


@pytest.mark.parametrize("reading", ["pessimistic", "optimistic", "interval"])
def test_the_page_reads_missing_values_as_the_model_does(reading, show):
    X, y, signs = mixed_table()
    X[::7, 1], X[::5, 3] = np.nan, np.nan
    clf = SugenoClassifier(directions=signs, missing=reading, levels=3, max_rules=6, k=3).fit(X, y)
    rows = awkward_rows(clf.model_, X, missing=3, n=80)
    page = show(report_html(clf, X, y))
    answers = page.evaluate(DECIDE, [address(x) for x in rows])
    assert np.isnan(rows).any(axis=1).sum() > 30
    assert [decision for decision, _ in answers] == clf.predict(rows).tolist()
    assert [float(chance) for _, chance in answers] == clf.predict_proba(rows)[:, 1].tolist()
    page.get_by_label("Show").select_option("errors")
    assert f" of {(clf.predict(X) != y).sum()}" in page.locator("#table").inner_text()


@pytest.mark.parametrize(
    ("reading", "words"),
    [
        ("pessimistic", ["x0 ≥ 3 (is missing)", "x1 ≥ 3"]),
        ("optimistic", ["x0 is missing, read as the best", "x1 ≥ 3"]),
    ],
)
def test_a_missing_value_is_not_said_to_reach_a_level(reading, words, show):
    X = np.array(list(itertools.product(range(1, 6), repeat=2)), dtype=float)
    y = (X.min(axis=1) >= 3).astype(int)
    X[0, 0] = np.nan
    clf = SugenoClassifier(directions=None, levels=1, missing=reading).fit(X, y)
    page = show(report_html(clf, X, y), address="#x=;4")
    parts = page.locator(".chip .parts > span").evaluate_all(
        "all => all.map(part => part.lastChild.textContent)"
    )
    assert sorted(parts) == words


def test_a_model_that_refuses_missing_values_is_not_asked_about_them(show, panel):
    clf, X, y = plain()
    page = show(report_html(clf, X, y), address="#x=1;;0;0;0")
    before = panel(page)
    assert "" not in before.values
    page.get_by_label("x1, value").fill("")
    page.get_by_label("x1, value").press("Enter")
    assert panel(page) == before


def test_rows_of_the_table_are_decided_as_by_predict(show):
    clf, X, y = plain()
    page = show(report_html(clf, X, y))
    page.get_by_label("Show").select_option("errors")
    wrong = np.flatnonzero(clf.predict(X) != y)
    assert f" of {wrong.size}" in page.locator("#table").inner_text()
    numbers = page.locator(".rows tbody th").all_inner_texts()
    assert numbers == [str(i + 1) for i in wrong[: len(numbers)]]
    page.get_by_label("Show").select_option("all")
    page.get_by_role("button", name="probability").click()
    page.get_by_role("button", name="probability").click()
    first = int(page.locator(".rows tbody th").first.inner_text()) - 1
    chances = clf.predict_proba(X)[:, 1]
    assert chances[first] == chances.max()
    assert page.locator("th[aria-sort=descending]").inner_text().startswith("probability")


def test_a_slider_moved_by_key_changes_the_decision_the_address_and_what_is_read_out(show, panel):
    X, y = [[1], [2], [3], [4]], [0, 0, 1, 1]
    page = show(report_html(SugenoClassifier(directions=None).fit(X, y), X, y))
    assert panel(page).decision == "Class 0"
    assert "#" not in page.url
    page.get_by_role("slider", name="x0").press("ArrowRight")
    page.get_by_role("slider", name="x0").press("ArrowRight")
    assert panel(page).values == ["3"]
    assert panel(page).decision == "Class 1"
    assert "x=3" in page.url
    page.locator("#live", has_text="Class 1, probability of class 1: ").wait_for(state="attached")


def test_a_slider_of_many_values_stops_at_observed_ones(show, panel):
    clf, X, y = plain()
    page = show(report_html(clf, X, y))
    slider = page.get_by_role("slider", name="x1")
    for key in ("ArrowRight", "ArrowLeft", "PageUp", "PageDown", "Home", "End", "ArrowUp"):
        slider.press(key)
        value = page.get_by_label("x1, value").get_attribute("data-value")
        assert float(value) in X[:, 1]
        assert slider.get_attribute("aria-valuetext")


def test_a_case_travels_in_the_address(show, panel):
    clf, X, y = plain()
    html = report_html(clf, X, y)
    page = show(html)
    page.get_by_label("Row number").fill("17")
    page.get_by_label("Row number").press("Enter")
    page.locator(".criterion", has_text="x0").get_by_label("keep").check()
    page.get_by_label("x1, value").fill("0,30000000000000004")
    page.get_by_label("x1, value").press("Enter")
    page.get_by_label("x3, value").fill("1e300")
    page.get_by_label("x3, value").press("Enter")
    sent = panel(page)
    received = show(html, address=page.url[page.url.index("#") :])
    assert panel(received) == sent
    box = received.get_by_label("x1, value")
    assert (box.get_attribute("data-value"), box.input_value()) == ("0.30000000000000004", "0.3")
    assert received.locator(".criterion", has_text="x0").get_by_label("keep").is_checked()
    received.get_by_role("button", name="Reset").click()
    assert box.get_attribute("data-value") == repr(float(X[16, 1]))


@pytest.mark.parametrize("kind", KINDS)
def test_a_change_that_is_offered_flips_and_nothing_smaller_does(kind, show, panel):
    clf, X, y = KINDS[kind](60)
    html = report_html(clf, X, y)
    page = show(html)
    (model,), data = clf.model_.boundaries, payload(html)
    stops = [np.array(criterion["stops"]) for criterion in data["criteria"]]
    for number in range(1, 8):
        page.get_by_label("Row number").fill(str(number))
        page.get_by_label("Row number").press("Enter")
        x, before = X[number - 1], panel(page)
        now = model.accepted(x[None])[0]
        ways = []
        for way in page.locator(".flip").all():
            way.click()
            z = np.empty(x.size)
            z[data["order"]] = [float(value) for value in panel(page).values]
            ways.append(z)
            page.get_by_role("button", name="Reset").click()
            assert panel(page).values == before.values
        fewest = next(size for size in range(1, 6) if can_flip(model, x, stops, size))
        assert (ways[0] != x).sum() == fewest
        for z in ways:
            assert model.accepted(z[None])[0] != now
            for j in np.flatnonzero(z != x):
                between = stops[j][(stops[j] > min(x[j], z[j])) & (stops[j] < max(x[j], z[j]))]
                nearer = np.tile(z, (between.size + 1, 1))
                nearer[:, j] = [x[j], *between]
                assert (model.accepted(nearer) == now).all()


def can_flip(model, x, stops, size):
    """Whether changing so many criteria, as far as they go, changes the decision."""
    now = model.accepted(x[None])[0]
    signs = model.literals.directions
    for chosen in itertools.combinations(range(x.size), size):
        z = x.copy()
        for j in chosen:
            best = stops[j][-1 if signs[j] > 0 else 0]
            worst = stops[j][0 if signs[j] > 0 else -1]
            z[j] = worst if now else best
        if model.accepted(z[None])[0] != now:
            return True
    return False


def test_what_is_kept_is_not_in_the_changes_offered(show, panel):
    clf, X, y = plain()
    page = show(report_html(clf, X, y))
    for name in [text.split(" ")[0] for text in panel(page).flips]:
        page.locator(".criterion", has=page.get_by_text(name, exact=True)).get_by_label(
            "keep"
        ).check()
        assert not any(f"{name} " in text for text in panel(page).flips)


def test_how_far_a_criterion_may_go_alone_is_what_the_rules_say(show):
    X = np.array(list(itertools.product(range(1, 6), repeat=2)), dtype=float)
    y = ((X[:, 0] >= 3) & (X[:, 1] >= 2)).astype(int)
    clf = SugenoClassifier(directions=None, levels="all").fit(X, y)
    page = show(report_html(clf, X, y), address="#x=5;1")
    notes = dict(zip(page.locator(".name").all_inner_texts(), page.locator(".alone").all()))
    assert notes["x0"].inner_text() == "no value changes it alone"
    assert notes["x1"].inner_text() == "at 2: class 1"
    page.evaluate(DECIDE, ["#x=5;2"])
    assert notes["x0"].inner_text() == "may fall to 3"
    assert notes["x1"].inner_text() == "must not fall"


def test_the_number_of_a_rule_shows_a_row_that_it_accepts(show):
    clf, X, y = plain()
    page = show(report_html(clf, X, y))
    for r in range(len(clf.rules_)):
        page.locator(f"[data-rule='{r}']").click()
        number = int(page.get_by_label("Row number").input_value())
        assert y[number - 1] == 1
        assert "on" in page.locator(".chip").nth(r).get_attribute("class").split()


def test_a_card_is_shown_as_points_that_are_added_up(show):
    clf, X, y = card()
    (form,) = (boundary.form for boundary in clf.model_.boundaries)
    page = show(report_html(clf, X, y))
    assert f"from {form.needed} of {form.total} points on" in page.locator(".lead").inner_text()
    assert "any of these" not in page.locator("body").inner_text()
    assert page.locator(".scores li").count() == form.total + 1
    assert page.locator(".scored").last.locator("li").count() == form.total + 1 - form.needed
    shown = [int(text) for text in page.locator(".card .number").all_inner_texts()]
    assert shown == [record["points"] for record in form.to_records()]
    assert page.get_by_role("columnheader", name="points from each level on").is_visible()
    for x in X[:20]:
        page.evaluate(DECIDE, [address(x)])
        said = page.locator(".verdict h3").last.inner_text()
        assert said == f"{form.score([x])[0]} points, {form.needed} are enough"
        added = page.locator(".chip.on .number").all_inner_texts()
        assert sum(int(text) for text in added) == form.score([x])[0]


def hostile():
    """Names, labels and classes that try to be something else."""
    names = [
        "</script><script>document.title='no'</script>",
        '"><img src=x onerror=alert(1)>',
        "multi\nline \u2028 & \u2029 tab\t",
        "السعر 🙂 'quoted' \\u003c ${1} $title",
        "averyveryverylongnamewithoutanyspace" * 4,
    ]
    X, y = plain()[1:]
    frame = pd.DataFrame(X, columns=names)
    labels = ["<b>low</b>", "</option></select>mid", "high`${alert(1)}`"]
    codes = np.digitize(X[:, 3], [0.8, 1.6])
    frame[names[3]] = pd.Categorical.from_codes(codes, labels, ordered=True)
    target = np.where(y == 1, "<script>alert('yes')</script>", "]]><!--no")
    clf = SugenoClassifier(positive=target[y == 1][0]).fit(frame, target)
    return clf, frame, target, names, labels


def test_names_and_values_that_look_like_code_are_shown_as_they_are(show):
    clf, frame, target, names, labels = hostile()
    html = report_html(clf, frame, target, title="</title><script>alert(2)</script>")
    page = show(html)
    assert sorted(
        page.locator(".name").evaluate_all("all => all.map(e => e.textContent)")
    ) == sorted(names)
    options = page.locator(".top select option").all_inner_texts()
    assert options == labels
    assert page.locator("h1").inner_text() == "</title><script>alert(2)</script>"
    assert page.locator(".decision").inner_text() in set(target)
    assert page.locator("script").count() == 2
    assert page.locator("img").count() == 0


@pytest.mark.parametrize("width", [360, 768, 1600])
@pytest.mark.parametrize("table", [hostile, KINDS["clauses"], card])
def test_nothing_sticks_out_of_the_page(table, width, show):
    clf, X, y = table()[:3]
    page = show(report_html(clf, X, y), width=width)
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def wide(n=200, m=14):
    """More criteria in the rules than a grid has columns for; one class is rare."""
    random = np.random.default_rng(0)
    names = [f"a rather_long_name_{j}" if j % 2 else f"x{j}" for j in range(m)]
    frame = pd.DataFrame(random.normal(size=(n, m)), columns=names)
    rules = RuleSet([{j, j + 1} for j in range(0, m, 2)], [1, 0.123456] * (m // 2), criteria=names)
    clf = RuleClassifier.from_rules(rules, classes=["fine", "suspect"])
    return clf, frame, np.where(random.random(n) < 0.15, "suspect", "fine")


@pytest.mark.parametrize(
    ("width", "media"),
    [(390, "screen"), (1400, "screen"), (718, "print")],  # A4 with its margins
)
def test_rules_of_a_wide_table_are_lines_and_nothing_of_them_is_cut(width, media, show):
    clf, X, y = wide()
    page = show(report_html(clf, X, y), width=width)
    page.emulate_media(media=media)
    assert page.locator(".grid").count() == 0
    assert page.locator(".lines > li").count() == len(clf.rules_)
    asked = page.locator(".lines .asked").first.inner_text()
    assert asked.replace("\n", " ") == "x0 ≥ 1 and a rather_long_name_1 ≥ 0.123456"
    ends = page.locator(".listed *").evaluate_all(
        "all => all.filter(e => e.checkVisibility()).map(e => e.getBoundingClientRect().right)"
    )
    assert max(ends) <= width
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    cut = page.locator(".wide").evaluate_all("all => all.map(e => e.scrollWidth - e.clientWidth)")
    assert max(cut) <= 1  # no table has to be moved to be read
    if media == "screen":
        page.locator(".lines summary").first.click()
        assert page.locator(".pictures").first.is_visible()


def test_a_cut_off_that_is_moved_counts_as_python_does(show):
    clf, X, y = plain()
    weight = np.random.default_rng(0).integers(0, 3, len(X))
    page = show(report_html(clf, X, y, sample_weight=weight))
    chances = clf.predict_proba(X)[:, 1]
    box = page.locator(".cutoff")

    def counts():
        return dict(zip(box.locator("dt").all_inner_texts(), box.locator("dd").all_inner_texts()))

    def first(text):
        return int(text.split(" ")[0].replace("\u202f", ""))

    slider = box.get_by_role("slider")
    slider.press("Home")
    box.get_by_label("a missed one costs").fill("5")
    costs = []
    for cut in [*np.unique(chances), 2]:
        accepted = chances >= cut
        missed = weight[(y == 1) & ~accepted].sum()
        alarms = weight[(y == 0) & accepted].sum()
        shown = counts()
        assert shown["missed"] == f"{missed} of {weight[y == 1].sum()}"
        assert shown["false alarms"] == str(alarms)
        assert first(shown["cost"]) == 5 * missed + alarms
        costs.append(5 * missed + alarms)
        slider.press("ArrowRight")
    assert "never" in box.locator(".says").inner_text()
    box.get_by_role("button", name="Cheapest").click()
    assert first(counts()["cost"]) == min(costs)
    box.get_by_role("button", name="As decided above").click()
    said = clf.predict(X)
    assert counts()["false alarms"] == str(weight[(said == 1) & (y == 0)].sum())


def test_a_cut_off_begins_where_costs_put_it_and_counts_held_out_rows(show):
    X, y, signs = mixed_table(240)
    y = y & (np.arange(240) % 3 == 0)
    clf = SugenoClassifierCV(
        levels="shared", ks=[2], cv=2, directions=signs, costs={"missed": 5, "false alarm": 1}
    ).fit(X, y)
    page = show(report_html(clf, X, y))
    box = page.locator(".cutoff")
    shown = dict(zip(box.locator("dt").all_inner_texts(), box.locator("dd").all_inner_texts()))
    (_, alarms), (missed, _) = clf.held_out_confusion_
    assert alarms > 0
    assert shown["missed"] == f"{missed:g} of {y.sum()}"
    assert shown["false alarms"] == f"{alarms:g}"
    assert shown["cost"] == f"{5 * missed + alarms:g}"
    assert box.get_by_label("a missed one costs").input_value() == "5"
    box.get_by_label("a false alarm costs").fill("2")
    assert "A missed one costs 5, a false alarm 2." in box.locator(".says").inner_text()
    assert box.get_by_role("status").inner_text().endswith(f"cost {5 * missed + 2 * alarms:g}")
    page.emulate_media(media="print")
    assert box.locator(".says").is_visible()
    assert not box.get_by_role("slider").is_visible()


def test_the_cut_off_of_a_card_is_told_in_points(show):
    X, y, signs = mixed_table()
    clf = SugenoDistiller(form="points", directions=signs, random_state=0).fit(X, y)
    page = show(report_html(clf, X, y))
    box, needed = page.locator(".cutoff"), clf.rules_.needed
    assert f"here {needed} points" in box.locator(".says").inner_text()
    box.get_by_role("slider").press("ArrowLeft")
    assert f"here {needed - 1} point" in box.locator(".says").inner_text()


@pytest.mark.parametrize(("step", "name"), [(2, "2nd"), (3, "3rd"), (11, "11th"), (21, "21st")])
def test_part_of_the_rows_is_named_as_people_say_it(step, name, show, monkeypatch):
    clf, X, y = plain()
    size = len(embedded_json(X.T.tolist()))
    for bound in ("_MOST_CHARACTERS", "_FEWEST_CHARACTERS"):
        monkeypatch.setattr(f"sugeno.report._rows.{bound}", -(-size // step))
    page = show(report_html(clf, X, y))
    assert page.locator("#table .intro").inner_text().startswith(f"Every {name} row: ")
    assert f"every {name} of 300 rows is here" in page.locator("#panel").inner_text()


@pytest.mark.parametrize(
    ("kind", "scheme"),
    [("several levels", "light"), ("clauses", "dark"), ("card", "light"), ("card", "dark")],
)
def test_axe_finds_no_serious_barrier(kind, scheme, show):
    clf, X, y = KINDS[kind]()
    page = show(report_html(clf, X, y), scheme=scheme)
    for summary in page.locator("summary").all():
        summary.click()
    assert serious_barriers(page) == []


def test_every_control_can_be_reached_by_key(show):
    clf, X, y = plain(60)
    page = show(report_html(clf, X, y))
    wanted = page.locator(
        "main :is(button:not(:disabled), input, select, a[href], summary)"
    ).evaluate_all("all => all.filter(e => e.checkVisibility()).length")
    reached = page.evaluate("() => { globalThis.seen = new Set(); }")
    for _ in range(2 * wanted):
        page.keyboard.press("Tab")
        reached = page.evaluate(
            "() => { const e = document.activeElement;"
            " if (e.matches('main :is(button, input, select, a[href], summary)')) seen.add(e);"
            " return seen.size; }"
        )
    assert reached == wanted


def test_on_paper_there_are_rules_and_no_controls(show):
    clf, X, y = plain()
    page = show(report_html(clf, X, y), width=794)
    page.emulate_media(media="print")
    assert page.locator(".grid").is_visible()
    assert page.locator(".decision").is_visible()
    assert not page.get_by_role("slider").first.is_visible()
    assert not page.locator(".rows").is_visible()
    assert page.pdf()[:5] == b"%PDF-"


def test_without_scripts_the_rules_are_there(chromium, tmp_path):
    clf, X, y = plain()
    path = clf.report(X, y, tmp_path / "page.html")
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(path.as_uri())
    assert page.locator(".grid tbody tr:not(.boundary)").count() == len(clf.rules_)
    assert "need JavaScript" in page.locator("noscript").inner_text()
    context.close()


def people(n=300):
    """Those of middle age with an income pass, and rich ones of any age; age has no direction."""
    random = np.random.default_rng(3)
    X = pd.DataFrame({"age": random.integers(18, 90, n), "income": random.integers(5, 60, n)})
    X["children"] = random.integers(0, 4, n)
    passed = (abs(X["age"] - 50) < 16) & (X["income"] > 20) | (X["income"] - 3 * X["children"] > 50)
    return X, np.where(passed ^ (random.random(n) < 0.05), "yes", "no")


@pytest.mark.parametrize(
    "clf",
    [
        SugenoClassifier(levels=4, max_rules=4, k=3),
        SugenoDistiller(form="points"),
        SugenoEnsembleClassifier(n_bags=2, max_rounds=30),
    ],
    ids=lambda clf: type(clf).__name__,
)
@pytest.mark.usefixtures("brief")
def test_a_column_without_a_direction_is_one_and_its_changes_are_those_of_python(clf, show):
    X, y = people()
    clf = clone(clf).set_params(columns={"age": "free"}).fit(X, y)
    page = show(report_html(clf, X, y))
    names = page.locator(".criterion .name").all_text_contents()
    assert sorted(names) == ["age", "children", "income"]
    told, decided = clf.explain(X), clf.predict(X)
    for number in range(1, 40, 4):
        page.get_by_label("Row number").fill(str(number))
        page.get_by_label("Row number").press("Enter")
        expected = [way.changes for way in told[number - 1].counterfactuals]
        ways = page.locator(".flip").all_text_contents()
        assert len(ways[0].split(", ")) == min(map(len, expected)) if expected else ways == []
        said = page.locator(".criterion .alone").all_text_contents()
        alone = [text for text in said if "at " in text or "must not" in text or "may " in text]
        assert bool(alone) == any(len(changes) == 1 for changes in expected)
        for way in ways:
            changed = X.iloc[[number - 1]].copy()
            for change in way.split(", "):
                name, _, after = change.partition(" ")
                changed[name] = float(after.rpartition(" → ")[2])
            assert clf.predict(changed)[0] != decided[number - 1]
