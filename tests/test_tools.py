"""The tools of the repository."""

import runpy
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
EXTRAS = runpy.run_path(str(ROOT / "tools" / "extras.py"))
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
