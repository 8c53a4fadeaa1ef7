"""Everything public explains itself with an example that runs (pytest runs the doctests)."""

import importlib
import inspect
import pkgutil
import re
from pathlib import Path

import pytest

import sugeno

ROOT = Path(__file__).parents[1]  # of the repository; the package may be an installed one


def public_objects():
    for info in pkgutil.walk_packages(sugeno.__path__, "sugeno."):
        if any(part.startswith("_") for part in info.name.split(".")):
            continue
        module = importlib.import_module(info.name)
        for name in getattr(module, "__all__", []):
            thing = getattr(module, name)
            if (inspect.isclass(thing) or inspect.isfunction(thing)) and (
                thing.__module__ == info.name
            ):
                yield pytest.param(thing, id=f"{info.name}.{name}")


@pytest.mark.parametrize("thing", list(public_objects()))
def test_public_names_have_a_docstring_with_an_example(thing):
    assert thing.__doc__, thing
    assert ">>>" in thing.__doc__, thing


@pytest.mark.parametrize("module", ["sugeno", "sugeno.export", "sugeno.report", "sugeno.datasets"])
def test_every_parameter_is_described(module):
    package = importlib.import_module(module)
    for name in package.__all__:
        thing = getattr(package, name)
        described = re.split(r"^Examples$", inspect.getdoc(thing) or "", flags=re.MULTILINE)[0]
        names = re.findall(r"^\*{0,2}(\w[\w, ]*?)(?: : .*)?$", described, re.MULTILINE)
        known = {one for line in names for one in re.split(r",\s*", line)}
        if callable(thing) and "Parameters\n------" in described:
            asked = {one for one in inspect.signature(thing).parameters if one != "kwargs"}
            assert not asked - known, name


@pytest.mark.parametrize("name", sugeno.__all__)
def test_names_of_the_package_are_there(name):
    assert hasattr(sugeno, name)


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md", *ROOT.glob("docs/**/*.md")])
def test_links_between_pages_lead_somewhere(page):
    page = ROOT / page
    text = re.sub(
        r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE
    )
    for target in (part.split(")")[0] for part in text.split("](")[1:]):
        if "://" not in target and not target.startswith("#"):
            assert (page.parent / target.split("#")[0]).exists(), f"{page.name}: {target}"


def test_the_picture_of_the_choice_names_what_is_there():
    picture = (ROOT / "docs" / "images" / "choose.svg").read_text(encoding="utf-8")
    named = set(re.findall(r"\bSugeno\w+|\bdistill\b", picture))
    assert len(named) >= 5
    assert named <= set(sugeno.__all__)
