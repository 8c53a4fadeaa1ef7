"""The page about the command line shows what the commands print."""

import doctest
import re
import shlex
from pathlib import Path

from click.testing import CliRunner

from sugeno.cli.app import app

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"^```console\n(.*?)^```\n", re.DOTALL | re.MULTILINE)
LOOSE = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


def commands(text):
    """(command, what the page shows below it) of all blocks."""
    for block in BLOCK.findall(text):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            line, _, shown = part.partition("\n")
            yield line, shown


def printed(line):
    program, *arguments = shlex.split(line)
    if program == "head":
        count, file = int(arguments[0][1:]), Path(arguments[1])
        return "\n".join(file.read_text(encoding="utf-8").splitlines()[:count]) + "\n"
    assert program == "sugeno", line
    return CliRunner().invoke(app, arguments, prog_name="sugeno").output


def check_page(page):
    """Run the commands of a page one after the other; return the names of those that it shows."""
    shown_commands = set()
    for line, shown in commands(page.read_text(encoding="utf-8")):
        if line.startswith("make "):
            continue
        got = printed(line)
        shown_commands.add(line.split()[1])
        want = shown.replace("…", "...")
        assert doctest.OutputChecker().check_output(want, got, LOOSE), f"{line}\n{want}\n---\n{got}"
    return shown_commands


def test_every_command_prints_what_the_page_shows(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert check_page(ROOT / "docs" / "command-line.md") >= set(app.commands) - {"reproduce"}


def test_the_walk_in_the_readme_prints_what_it_shows(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert check_page(ROOT / "README.md") == {"datasets", "fit", "report"}
