"""The site, built once from a copy of its sources, tutorials executed."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
#: What pages lie in, include and offer for download.
SOURCES = ("docs", "examples", "CHANGELOG.md", "CONTRIBUTING.md", "src/sugeno/_format/schema.json")
#: What a build in the repository writes beside the pages.
WRITTEN = shutil.ignore_patterns("api", "commands.md", "__pycache__")


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    """The folder of the pages; Sphinx has no warning."""
    for package in ("sphinx", "pydata_sphinx_theme", "numpydoc", "sphinx_gallery", "myst_parser"):
        pytest.importorskip(package, reason=f"needs {package}: pip install --group docs")
    sources = tmp_path_factory.mktemp("a folder with spaces ")
    for name in SOURCES:
        copy(ROOT / name, sources / name)
    shutil.rmtree(
        sources / "docs" / "tutorials", ignore_errors=True
    )  # of a build in the repository
    pages = sources / "pages"
    options = ["-W", "-n", "--keep-going", "-q", sources / "docs", pages]
    command = [sys.executable, "-m", "sphinx", *map(str, options)]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return pages


def copy(source, target):
    target.parent.mkdir(parents=True, exist_ok=True)
    if source.is_dir():
        shutil.copytree(source, target, ignore=WRITTEN)
    else:
        shutil.copy(source, target)
