"""The site opens from disk: no dead link, no request, every name has a page, search answers."""

import html
import importlib
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from report.accessibility import serious_barriers

ROOT = Path(__file__).parents[2]
pytestmark = [pytest.mark.xdist_group("site"), pytest.mark.no_cover]  # one build for all

#: Questions of new users, and the page that answers them.
QUESTIONS = {
    "text columns": "columns",
    "rare class": "rare-classes",
    "choose a cut-off": "when-not",
    "U-shaped column": "columns",
    "scorecard": "choose",
    "why was this row refused": "rules",
    "deploy to SQL": "exports",
    "fairness and limits": "when-not",
    "when not to use": "when-not",
    "what does proved mean": "when-not",
    "missing values": "missing",
    "save a model": "model-files",
    "ordered classes": "ordinal",
    "special codes": "columns",
    "how accurate": "accuracy",
    "add an export": "extend",
}
MODULES = (
    "sugeno",
    "sugeno.export",
    "sugeno.plot",
    "sugeno.report",
    "sugeno.datasets",
    "sugeno.paper.baselines",
    "sugeno.explain",
    "sugeno.edit",
)
DESKTOP, PHONE = {"width": 1280, "height": 900}, {"width": 390, "height": 844}
TUTORIALS = sorted(file.stem for file in (ROOT / "examples" / "tutorials").glob("[0-9]_*.py"))
#: Not things to document: a number, a module whose names have pages, and what methods call.
WITHOUT_PAGE = {"__version__", "export", "explain", "reasons"}
WITHOUT_PAGE |= {"Among", "EvaluationRows", "assembled", "assembled_card"}


class Page(HTMLParser):
    """Addresses that a page leads to, those that it loads, and its anchors."""

    def __init__(self, path):
        super().__init__()
        self.links, self.loads, self.anchors = set(), set(), set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        self.anchors.add(given.get("id"))
        if tag == "a" and given.get("href"):
            self.links.add(given["href"])
        if tag == "link" and given.get("rel") != "canonical" and given.get("href"):
            self.loads.add(given["href"])
        if tag in ("script", "img", "iframe") and given.get("src"):
            self.loads.add(given["src"])


@pytest.fixture(scope="module")
def pages(site):
    """All pages of the site; templates that the theme leaves in _static are none."""
    paths = sorted(set(site.rglob("*.html")) - set((site / "_static").rglob("*")))
    return {path.resolve(): Page(path) for path in paths}


def test_no_link_between_pages_is_dead(pages):
    dead = []
    for path, page in pages.items():
        for link in page.links | page.loads:
            parts = urlsplit(link)
            if parts.scheme or link.startswith("//"):
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            anchors = pages[target].anchors if target in pages else {parts.fragment}
            if not target.exists() or (parts.fragment and parts.fragment not in anchors):
                dead.append((path.name, link))
    assert not dead


def test_nothing_is_loaded_from_a_network(pages):
    foreign = {
        (path.name, address)
        for path, page in pages.items()
        for address in page.loads
        if urlsplit(address).scheme not in ("", "data") or address.startswith("//")
    }
    assert not foreign


@pytest.mark.parametrize("module", MODULES)
def test_every_public_name_has_a_page_with_an_example_and_a_way_to_the_guide(module, site):
    for name in set(importlib.import_module(module).__all__) - WITHOUT_PAGE:
        text = (site / "api" / f"{module}.{name}.html").read_text(encoding="utf-8")
        assert "In the guide" in text, name
        if "alias of" not in text:
            assert "&gt;&gt;&gt; " in text, name


def test_programs_find_the_pages_and_the_names(site):
    described = (site / "llms.txt").read_text(encoding="utf-8")
    assert "- [Get started](get-started.html): " in described
    assert "- [load](api/sugeno.load.html): Read a classifier" in described
    assert "In the guide" not in described
    assert (site / "objects.inv").stat().st_size > 1000
    assert (site / "switcher.json").exists()


def test_each_tutorial_was_run(site):
    assert len(TUTORIALS) == 5
    for name in TUTORIALS:
        text = (site / "tutorials" / f"{name}.html").read_text(encoding="utf-8")
        assert "sphx-glr-script-out" in text
        blocks = re.findall("<pre>(.*?)</pre>", text, re.DOTALL)
        assert all(re.sub("<[^>]+>", "", block).strip() for block in blocks)


@pytest.mark.no_cover
@pytest.mark.parametrize("name", TUTORIALS)
def test_the_notebook_of_a_tutorial_runs(name, site, tmp_path, monkeypatch, capsys):
    """Its cells run one after the other in one namespace, and print what the tutorial shows."""
    monkeypatch.chdir(tmp_path)
    (notebook,) = site.glob(f"_downloads/*/{name}.ipynb")
    page = (site / "tutorials" / f"{name}.html").read_text(encoding="utf-8")
    assert notebook.name in page
    names = {"__name__": "__main__"}
    for cell in json.loads(notebook.read_text(encoding="utf-8"))["cells"]:
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), notebook.name, "exec"), names)
    printed = {line.rstrip() for line in capsys.readouterr().out.splitlines() if line.strip()}
    measured = {line for line in printed if line.startswith("seconds:")}
    assert printed - measured <= set(printed_in(page))


def printed_in(page):
    """The lines that the parts of a tutorial printed."""
    for block in re.findall(r"sphx-glr-script-out.*?<pre>(.*?)</pre>", page, re.DOTALL):
        yield from map(str.rstrip, html.unescape(re.sub(r"<[^>]+>", "", block)).splitlines())


@pytest.fixture
def visit(chromium, site):
    """Open pages of the site from disk; the browser complains of nothing."""
    context = chromium.new_context(viewport=DESKTOP)
    page, complaints = context.new_page(), []
    page.on("console", lambda message: message.type == "error" and complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("requestfailed", lambda request: complaints.append(request.url))

    def visited(name):
        path, *query = name.partition("?")
        page.goto((site / path).as_uri() + "".join(query))
        return page

    yield visited
    context.close()
    assert not complaints


def test_a_browser_opens_every_page_without_complaint_and_a_phone_shows_its_width(
    visit, site, pages
):
    for path in pages:
        page = visit(str(path.relative_to(site.resolve())))
        assert page.locator("h1").count() == 1, path
        page.set_viewport_size(PHONE)
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], path
        page.set_viewport_size(DESKTOP)


@pytest.mark.parametrize("question", QUESTIONS)
def test_the_search_of_the_site_answers_the_questions_of_new_users(question, visit):
    page = visit(f"search.html?q={question.replace(' ', '+')}")
    page.locator("#search-results p.search-summary").filter(has_text="found").wait_for()
    found = page.locator("#search-results li > a").evaluate_all("links => links.map(a => a.href)")
    places = [urlsplit(link).path.rpartition("/")[2].removesuffix(".html") for link in found]
    assert QUESTIONS[question] in places[:5], places[:5]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_keeps_people_from_using_a_page(scheme, chromium, site):
    with chromium.new_context(color_scheme=scheme) as context:
        page = context.new_page()
        for name in ("index", "choose", "tutorials/1_credit", "api/sugeno.Card", "api", "accuracy"):
            page.goto((site / f"{name}.html").as_uri())
            assert not serious_barriers(page), name
