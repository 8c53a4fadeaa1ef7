"""The README is short, leads to every page, and shows what is measured and what the demo prints."""

import re
import runpy
from pathlib import Path

from test_guides import assert_prints, blocks

ROOT = Path(__file__).parents[1]


def readme():
    return (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_demo_prints_what_the_readme_shows(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    command = "$ make demo\n"
    shown = next(code for _, code, _ in blocks(readme()) if code.startswith(command))
    demo = ROOT / "examples" / "demo.py"
    assert_prints(
        shown.removeprefix(command), lambda: runpy.run_path(str(demo), run_name="__main__")
    )


def test_the_figures_of_the_readme_are_those_of_the_page_that_measures_them():
    page = (ROOT / "docs" / "accuracy.md").read_text(encoding="utf-8")
    errors = page.split("## Errors")[1].split("\n## ")[0]
    measured = {cells[0]: (cells[1], cells[-1]) for cells in table_of(errors)}
    names = {
        "`SugenoClassifierCV()`": "CV",
        "`SugenoEnsembleClassifier()`": "ensemble",
        "EBM, monotone": "EBM",
        "XGBoost, monotone": "XGB",
        "logistic regression": "LR",
    }
    text = readme()
    shown = {cells[0]: tuple(cells[1:3]) for cells in table_of(text)}
    assert shown == {name: measured[column] for name, column in names.items()}


def test_the_figures_of_the_overview_are_those_of_the_pages_that_it_leads_to():
    overview = (ROOT / "docs" / "evidence.md").read_text(encoding="utf-8")
    shown = 0
    for line in overview.splitlines():
        figures = re.findall(r"(?<![\w.])\.\d{3,4}\b", line)
        for page in re.findall(r"\(([\w-]+\.md)\)", line) if figures else ():
            text = (ROOT / "docs" / page).read_text(encoding="utf-8")
            assert not [figure for figure in figures if figure not in text], page
            shown += len(figures)
    assert shown >= 5


def table_of(text):
    """The rows of the tables of a page whose second cell is a number."""
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip("| ").split("|")]
        if len(cells) > 2 and re.fullmatch(r"\.\d+", cells[1]):
            yield cells


def test_the_readme_leads_to_every_page():
    start_or_include = {"index.md", "theory-index.md", "changelog.md", "contributing.md"}
    written = {"commands.md"}  # where the site was built
    pages = {page.name for page in (ROOT / "docs").glob("*.md")} - start_or_include - written
    text = readme().split("## Where to go on")[1]
    assert pages <= set(re.findall(r"\(docs/([\w-]+\.md)\)", text))


def test_the_readme_is_short():
    assert len(readme().splitlines()) < 150
