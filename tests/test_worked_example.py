"""Whoever follows the page "Worked examples" has added an export: the test does what it says."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import sugeno
from test_guides import assert_alike, blocks

ROOT = Path(__file__).parents[1]
SECTION = (ROOT / "docs" / "extend.md").read_text(encoding="utf-8").split("\n## ")[1]
BLOCKS = [(language, code) for language, code, _ in blocks(SECTION)]


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    """A folder with a copy of the package, changed as the page says."""
    folder = tmp_path_factory.mktemp("changed")
    source = folder / "src" / "sugeno"
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(Path(sugeno.__file__).parent, source, ignore=ignored)
    (source / "export" / "prolog.py").write_text(BLOCKS[0][1], encoding="utf-8")
    files = re.findall(r"[Ii]n `(src/[\w/]+\.py)`:", SECTION)
    changes = [code for language, code in BLOCKS if language == "diff"]
    for name, change in zip(files, changes, strict=True):
        replace(folder / name, change)
    return folder


def replace(file, change):
    """Change a file as the lines of a diff say."""
    before, after = (
        "".join(line[1:] for line in change.splitlines(keepends=True) if line[0] in signs)
        for signs in ("- ", "+ ")
    )
    text = file.read_text(encoding="utf-8")
    assert text.count(before) == 1, f"{file.name} has changed: {before}"
    file.write_text(text.replace(before, after), encoding="utf-8")


def run(package, *arguments):
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=package,
        env={**os.environ, "PYTHONPATH": str(package / "src")},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_new_export_is_public_and_its_example_runs(package):
    program = (
        "import doctest; from sugeno.export import to_prolog, prolog;"
        "print(to_prolog.__module__, doctest.testmod(prolog))"
    )
    found = run(package, "-c", program)
    assert found.startswith("sugeno.export.prolog TestResults(failed=0, attempted=3")


def test_the_command_line_writes_it(package):
    tried = next(code for language, code in BLOCKS[1:] if language == "python")
    save = "import sugeno; sugeno.save(clf, 'model.json')"
    run(package, "-c", f"from sugeno.export import to_prolog\n{tried}\n{save}")
    command, _, shown = BLOCKS[-1][1].removeprefix("$ ").partition("\n")
    assert_alike(shown, run(package, "-m", *command.split()))
