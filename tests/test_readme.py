"""The README's code runs, and prints what the README says."""

import contextlib
import doctest
import io
import re
import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FENCE = re.compile(r"^```(\w*)\n(.*?)^```\n", re.DOTALL | re.MULTILINE)
LOOSE = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


def blocks():
    """(language, content, what a block of text right after it shows or None) of all blocks."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    found = list(FENCE.finditer(text))
    for block, after in zip(found, [*found[1:], None]):
        adjacent = after and not text[block.end() : after.start()].strip()
        shown = after[2] if adjacent and after[1] == "text" else None
        yield block[1], block[2], shown


def python_blocks():
    for number, (language, code, shown) in enumerate(blocks(), start=1):
        if language == "python":
            yield pytest.param(code, shown, id=f"block-{number}")


def assert_prints(shown, function):
    """Compare what a function prints; white space is loose, and … stands for anything."""
    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        function()
    want, got = shown.replace("…", "..."), text.getvalue()
    assert doctest.OutputChecker().check_output(want, got, LOOSE), f"{want}\n---\n{got}"


@pytest.mark.parametrize(("code", "shown"), list(python_blocks()))
def test_python_runs_and_prints_what_is_shown_below_it(code, shown, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    program = compile(code, "README.md", "exec")
    assert_prints("…" if shown is None else shown, lambda: exec(program, {"__name__": "readme"}))


def test_the_demo_prints_what_the_readme_shows(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    command = "$ make demo\n"
    shown = next(code for _, code, _ in blocks() if code.startswith(command))
    demo = ROOT / "examples" / "demo.py"
    assert_prints(
        shown.removeprefix(command), lambda: runpy.run_path(str(demo), run_name="__main__")
    )


def test_the_figures_of_the_readme_are_those_of_the_page_that_measures_them():
    page = (ROOT / "docs" / "accuracy.md").read_text(encoding="utf-8")
    errors = page.split("## Errors")[1].split("\n## ")[0]
    measured = {cells[0]: (cells[1], cells[-1]) for cells in table_of(errors)}
    names = {
        '`SugenoClassifierCV(form="rules")`': "CV",
        "`SugenoEnsembleClassifier()`": "ensemble",
        "EBM, monotone": "EBM",
        "XGBoost, monotone": "XGB",
        "logistic regression": "LR",
    }
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    shown = {cells[0]: tuple(cells[1:3]) for cells in table_of(text)}
    assert shown == {name: measured[column] for name, column in names.items()}


def table_of(text):
    """The rows of the tables of a page whose second cell is a number."""
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip("| ").split("|")]
        if len(cells) > 2 and re.fullmatch(r"\.\d+", cells[1]):
            yield cells


def test_the_readme_leads_to_every_page():
    start_or_include = {"index.md", "theory-index.md", "changelog.md", "contributing.md"}
    pages = {page.name for page in (ROOT / "docs").glob("*.md")} - start_or_include
    text = (ROOT / "README.md").read_text(encoding="utf-8").split("## Where to go on")[1]
    assert pages <= set(re.findall(r"\(docs/([\w-]+\.md)\)", text))


def test_the_readme_is_short():
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) < 150
