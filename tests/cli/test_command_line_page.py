"""The page about the command line shows what the commands print."""

import doctest
import re
import shlex
from pathlib import Path

from click.testing import CliRunner

from sugeno.cli.app import app

PAGE = Path(__file__).parents[2] / "docs" / "command-line.md"
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


def test_every_command_prints_what_the_page_shows(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    shown_commands = set()
    for line, shown in commands(PAGE.read_text(encoding="utf-8")):
        got = printed(line)
        shown_commands.add(line.split()[1])
        want = shown.replace("…", "...")
        assert doctest.OutputChecker().check_output(want, got, LOOSE), f"{line}\n{want}\n---\n{got}"
    assert shown_commands >= set(app.commands) - {"reproduce"}
