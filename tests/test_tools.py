"""The tools of the repository."""

import runpy
import shutil
import tomllib
from pathlib import Path

import pytest

import sugeno

ROOT = Path(__file__).parents[1]
EXTRAS = runpy.run_path(str(ROOT / "tools" / "extras.py"))
RELEASE = runpy.run_path(str(ROOT / "tools" / "release.py"))
PEERS = runpy.run_path(str(ROOT / "tools" / "peers.py"))
LOWEST = runpy.run_path(str(ROOT / "tools" / "lowest.py"))


def test_the_lowest_versions_are_those_of_pyproject():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    pins = [LOWEST["pin"](requirement) for requirement in LOWEST["requirements"]()]
    needed = [line.replace(">=", "==") for line in project["dependencies"]]
    assert pins[: len(needed)] == needed
    assert any(pin.startswith("matplotlib==") for pin in pins)  # an extra
    assert any(pin.startswith("dask==") for pin in pins)  # for the tests, with an extra of its own


def test_a_requirement_without_a_lower_bound_is_refused():
    with pytest.raises(SystemExit, match="'numpy<3' has no lower bound"):
        LOWEST["pin"]("numpy<3")


def test_a_pin_can_be_replaced_but_not_invented():
    pins = LOWEST["constraints"](["scikit-learn==1.8.*"])
    assert "scikit-learn==1.8.*" in pins
    assert len(pins) == len(LOWEST["constraints"]())
    with pytest.raises(SystemExit, match="requires no sklearn"):
        LOWEST["constraints"](["sklearn==1.8.*"])


def test_every_extra_has_a_program_that_uses_it():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert set(EXTRAS["PROGRAMS"]) == {"core", *project["optional-dependencies"]}


def test_the_program_for_no_extra_ends_where_the_extras_are_there(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit, match="matplotlib should be missing here"):
        exec(EXTRAS["PROGRAMS"]["core"], {})


RELEASED = """# Changelog

## [Unreleased]

## [1.2.0] - 2026-11-18

- Rules.
"""


@pytest.fixture
def ready(tmp_path):
    """A repository that may be tagged v1.2.0."""
    (tmp_path / "src" / "sugeno").mkdir(parents=True)
    for name, line in (
        ("pyproject.toml", 'version = "1.2.0"\n'),
        ("src/sugeno/__init__.py", '__version__ = "1.2.0"\n'),
        ("CITATION.cff", "version: 1.2.0\n"),
        ("CHANGELOG.md", RELEASED),
    ):
        (tmp_path / name).write_text(line, encoding="utf-8")
    return tmp_path


def test_the_repository_states_one_version(tmp_path):
    # The package may be an installed one.
    (tmp_path / "src" / "sugeno").mkdir(parents=True)
    shutil.copy(sugeno.__file__, tmp_path / "src" / "sugeno")
    for name in ("pyproject.toml", "CITATION.cff", "CHANGELOG.md"):
        shutil.copy(ROOT / name, tmp_path)
    assert not list(RELEASE["version_problems"](tmp_path, ""))


def test_a_version_that_agrees_with_its_tag_and_its_changes_can_be_released(ready):
    assert not list(RELEASE["version_problems"](ready, "v1.2.0"))


@pytest.mark.parametrize(
    ("name", "wrong", "tag", "problem"),
    [
        ("CITATION.cff", "version: 1.1.0\n", "", "CITATION.cff says 1.1.0"),
        ("src/sugeno/__init__.py", '__version__ = "1.2.1"\n', "", "__init__.py says 1.2.1"),
        ("CITATION.cff", "version: 1.2.0\n", "v1.3.0", "The tag is v1.3.0"),
        ("CHANGELOG.md", "## [1.1.0] - 2026-11-18\n- Rules.\n", "v1.2.0", "no changes under"),
        ("CHANGELOG.md", "## [1.2.0] - soon\n- Rules.\n", "v1.2.0", "no changes under"),
        (
            "CHANGELOG.md",
            RELEASED.replace("ed]\n", "ed]\n- More.\n"),
            "v1.2.0",
            "under [Unreleased]",
        ),
    ],
)
def test_what_contradicts_the_version_is_found(name, wrong, tag, problem, ready):
    (ready / name).write_text(wrong, encoding="utf-8")
    (found,) = RELEASE["version_problems"](ready, tag)
    assert problem in found


def test_a_file_without_a_version_ends_the_check(ready):
    (ready / "CITATION.cff").write_text("title: sugeno\n", encoding="utf-8")
    with pytest.raises(SystemExit, match=r"CITATION\.cff states no version"):
        RELEASE["stated_versions"](ready)


def test_builds_that_differ_are_found(tmp_path):
    for folder, content in (("first", b"1"), ("second", b"2")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "sugeno.whl").write_bytes(content)
    (tmp_path / "first" / "old.whl").write_bytes(b"")
    builds = [sorted((tmp_path / folder).iterdir()) for folder in ("first", "second")]
    old, differs = RELEASE["byte_problems"](*builds)
    assert "old.whl comes from one of two builds" in old
    assert "sugeno.whl differs between two builds" in differs
    assert not list(RELEASE["byte_problems"](builds[1], builds[1]))


@pytest.mark.parametrize("program", sorted((ROOT / "examples" / "peers").glob("*.py")))
def test_a_program_of_another_library_says_what_it_needs_and_the_page_what_it_prints(program):
    assert any("==" in name for name in PEERS["requirements"](program))
    assert PEERS["shown"](program).strip()
