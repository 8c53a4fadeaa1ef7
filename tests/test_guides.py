"""All code on all pages runs, block by block, and prints what the page shows."""

import argparse
import contextlib
import doctest
import io
import re
import runpy
import shlex
import sys
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner

from sugeno.cli.app import app

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
FENCE = re.compile(r"^```(\w*)\n(.*?)^```\n", re.DOTALL | re.MULTILINE)
LOOSE = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
#: What runs elsewhere: a cluster is asked for its address; tests/paper has one on this machine.
ELSEWHERE = {"reproduction/dask.md"}


def blocks(text):
    """(language, content, what a block of text right after it shows or None) of all blocks."""
    found = list(FENCE.finditer(text))
    for block, after in zip(found, [*found[1:], None]):
        adjacent = after and not text[block.end() : after.start()].strip()
        shown = after[2] if adjacent and after[1] == "text" else None
        yield block[1], block[2], shown


def pages_with_code():
    for page in (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(DOCS.rglob("*.md"))):
        found = {language for language, *_ in blocks(page.read_text(encoding="utf-8"))}
        name = str(page.relative_to(DOCS if DOCS in page.parents else ROOT))
        if found & {"python", "console", "sh", "bash"} and name not in ELSEWHERE:
            yield pytest.param(page, id=name)


@pytest.mark.no_cover
@pytest.mark.parametrize("page", list(pages_with_code()))
def test_the_code_of_a_page_prints_what_the_page_shows(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = {"__name__": "page"}  # later blocks go on where earlier ones stopped
    for language, code, shown in blocks(page.read_text(encoding="utf-8")):
        assert language not in ("sh", "bash"), "commands are shown as console, with a $"
        if language == "python":
            program = compile(code, page.name, "exec")
            assert_prints(shown or "", lambda program=program: exec(program, names))
        for line, printed in commands(code) if language == "console" else ():
            check_command(line, printed)


def assert_prints(shown, function):
    """Compare what a function prints; white space is loose, and … stands for anything."""
    assert shown.strip() != "…", "a reader learns nothing from it"
    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        function()
    assert_alike(shown, text.getvalue())


def assert_alike(shown, got):
    want = shown.replace("…", "...")
    assert doctest.OutputChecker().check_output(want, got, LOOSE), f"{want}\n---\n{got}"


# --- Commands ---------------------------------------------------------------------------------


def commands(block):
    """(command, what is shown below it) of a block of the console."""
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        line, _, shown = part.partition("\n")
        yield line, shown


def check_command(line, shown):
    """Run a command; of one that takes long, or installs, look whether it is one."""
    program, *arguments = shlex.split(line, comments=True)
    if program == "sugeno" and arguments[0] == "reproduce":
        app.commands["reproduce"].make_context("reproduce", arguments[1:])
    elif program == "sugeno":
        assert_alike(shown, CliRunner().invoke(app, arguments, prog_name="sugeno").output)
    elif program == "head":
        count, file = int(arguments[0][1:]), Path(arguments[1])
        lines = file.read_text(encoding="utf-8").splitlines(keepends=True)[:count]
        assert_alike(shown, "".join(lines))
    elif program == "eval":
        asked = {"_SUGENO_COMPLETE": "bash_source"}
        assert "complete" in CliRunner().invoke(app, env=asked, prog_name="sugeno").output
    elif program == "python":
        assert arguments.pop(0) == "-m"
        assert_takes(*arguments)
    elif program == "make":
        targets = re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M)
        assert arguments[0] in targets
    elif program == "pip":
        assert_can_install(arguments)
    else:
        assert (program, arguments) == ("export", ["SUGENO_DATA=…"])


class _OptionsRead(Exception):
    pass


def assert_takes(module, *options):
    """A module that runs for minutes or hours takes these options."""
    read = argparse.ArgumentParser.parse_args

    def stop_after_reading(*args, **kwargs):
        read(*args, **kwargs)
        raise _OptionsRead

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(argparse.ArgumentParser, "parse_args", stop_after_reading)
        patch.setattr(sys, "argv", [module, *options])
        for imported in (module, f"{module}.__main__"):  # by another test
            patch.delitem(sys.modules, imported, raising=False)
        with pytest.raises(_OptionsRead):
            runpy.run_module(module, run_name="__main__")


def assert_can_install(arguments):
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    verb, *wanted = arguments
    assert verb == "install"
    if wanted[0] == "--group":
        assert wanted[1] in project["dependency-groups"]
    else:
        extras = re.fullmatch(r"\.(?:\[([\w,]+)\])?", wanted[0])[1] or ""
        known = project["project"]["optional-dependencies"]
        assert set(filter(None, extras.split(","))) <= set(known)


def test_the_page_about_the_command_line_shows_every_command():
    text = (DOCS / "command-line.md").read_text(encoding="utf-8")
    shown = {
        line.split()[1]
        for language, code, _ in blocks(text)
        if language == "console"
        for line, _ in commands(code)
        if line.startswith("sugeno ")
    }
    assert shown >= set(app.commands) - {"reproduce"}
