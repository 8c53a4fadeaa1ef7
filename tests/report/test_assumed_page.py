"""What was assumed about columns stands on the page, with options that really overrule it."""

import html as markup
import json
import re

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

import sugeno
from sugeno import SugenoClassifier
from sugeno.cli.app import app
from sugeno.report import report_html


def loans(n=400):
    """Columns of every kind, of which three cannot be learned from."""
    rng = np.random.default_rng(5)
    age = rng.integers(18, 80, n)
    home = rng.choice(["own", "rent", "parents", "a, b"], n)
    grade = pd.Categorical(rng.choice([*"CBA"], n), [*"CBA"], ordered=True)
    table = pd.DataFrame(
        {
            "row": np.arange(n),
            "land": "at",
            "junk": rng.integers(0, 5, n),
            "age": age,
            "income": np.where(rng.random(n) < 0.1, np.nan, rng.lognormal(8, 0.4, n).round()),
            "home": home,
            "street": rng.choice([f"{i} street" for i in range(9)], n),
            "phone": rng.choice(["yes", "no"], n),
            "grade": grade,
        }
    )
    merit = (abs(age - 50) < 16) * 1.5 + (home == "own") + (table.income > 3000) + (grade == "A")
    deny = np.where(merit + rng.normal(0, 0.4, n) > 1.5, "no", "yes")
    return table, pd.Series(deny, name="deny")


@pytest.fixture(scope="module")
def fitted():
    table, deny = loans()
    said = {"junk": "drop", "age": ("valley", 50.0)}
    return SugenoClassifier(columns=said, levels=2, max_rules=4).fit(table, deny), table, deny


def section(page):
    return re.search(r'<section id="assumed">.*?</section>', page, re.DOTALL)[0]


def plain_text(part):
    return markup.unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", part)))


def test_every_column_is_on_the_page_with_what_was_assumed_about_it(fitted):
    clf, table, deny = fitted
    shown = section(report_html(clf, table, deny))
    assert 'href="#assumed"' in report_html(clf, table, deny)
    text = plain_text(shown)
    for one in clf.columns_:
        assert one.column in text
        assert one.evidence in text
        assert one.missing in text
        assert one.left_out in text
    assert "row is left out: consecutive whole numbers, each once." in text
    assert "speaks for deny = yes" in text
    lines = re.findall(r"<tr><th scope=\"row\">(\w+)</th>(.*?)</tr>", shown)
    used = [one.column for one in clf.columns_ if not one.left_out]
    assert [name for name, _ in lines] == used
    assert "valley at 50" in dict(lines)["age"]
    assert "<td" in dict(lines)["home"]


def test_a_file_keeps_what_was_assumed(fitted):
    clf, table, deny = fitted
    loaded = sugeno.loads(sugeno.dumps(clf))
    assert section(report_html(loaded, table, deny)) == section(report_html(clf, table, deny))


def test_a_table_of_plain_numbers_has_nothing_assumed():
    X, y = [[1], [2], [3], [4]], [0, 0, 1, 1]
    page = report_html(SugenoClassifier().fit(X, y), X, y)
    assert 'id="assumed"' not in page
    assert "#assumed" not in page


def test_what_python_is_told_to_say_changes_what_is_assumed(fitted):
    clf, table, deny = fitted
    options = re.findall(r"<code>(columns=\{.*?)</code>", section(report_html(clf, table, deny)))
    shown = {}
    for option in map(markup.unescape, options):
        said = option.removeprefix("columns=")
        if "…" not in said:
            shown |= json.loads(said)
    assert set(shown) == {"row", "junk", "age", "income", "home", "phone", "grade"}
    before = {one.column: one for one in clf.columns_}
    for name, said in shown.items():
        again = SugenoClassifier(columns={**clf.columns, name: said}).fit(table, deny).columns_
        assert again[name] != before[name]
    assert '"street": ["' in markup.unescape(" ".join(options))


def test_the_command_line_is_told_its_own_options(fitted, tmp_path):
    _, table, deny = fitted
    data, model, page = tmp_path / "loans.csv", tmp_path / "model.json", tmp_path / "page.html"
    table.assign(deny=deny).to_csv(data, index=False)

    def run(*arguments):
        result = CliRunner().invoke(app, [*map(str, arguments)])
        assert result.exit_code == 0, result.output
        return result.output

    run("fit", data, "--target", "deny", "--levels", "1", "-o", model)
    run("report", model, data, "--target", "deny", "-o", page)
    shown = section(page.read_text(encoding="utf-8"))
    options = [markup.unescape(one) for one in re.findall(r"<code>(--column .*?)</code>", shown)]
    assert "--column row=keep" in options
    assert {"--column phone=yes,no", "--column phone=no,yes"} & {*options}
    assert "--column home=drop" in options  # a label with a comma cannot be listed
    before = run("look", data, "--target", "deny").splitlines()
    for option in options:
        said = option.removeprefix("--column ").strip("'")
        if "…" not in said:
            again = run("look", data, "--target", "deny", "--column", said).splitlines()
            name = said.split("=")[0]
            line, was = ([x for x in out if x.startswith(f"{name} ")] for out in (again, before))
            assert line != was


def test_findings_name_no_direction_of_a_column_that_has_none():
    rng = np.random.default_rng(0)
    table = pd.DataFrame({"age": rng.integers(18, 80, 300), "pay": rng.integers(1, 9, 300)})
    y = (abs(table.age - 50) < 15) & (table.pay >= 4)
    clf = SugenoClassifier(columns={"age": "free", "pay": "down"}).fit(table, y)
    found = re.findall(r"<li>([^<]*): these rows speak against", report_html(clf, table, y))
    assert found == ["pay"]
