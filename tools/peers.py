"""Run the programs of other libraries, and compare what they print with the page that shows it.

    python tools/peers.py build/peers

Each program has an environment of its own in that folder. What it needs stands in its head, as
PEP 723 writes it. Further arguments choose programs; a program that prints something else ends
the run.
"""

from __future__ import annotations

import doctest
import re
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PROGRAMS = ROOT / "examples" / "peers"
PAGE = ROOT / "docs" / "coming-from.md"

_HEAD = re.compile(r"^# /// script\n(.*?)^# ///\n", re.DOTALL | re.MULTILINE)
_SHOWN = r"```{{literalinclude}} [^\n]*/{name}\n.*?```\n\s*```text\n(.*?)```\n"
_LOOSE = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


def requirements(program: Path) -> list[str]:
    """What the head of a program asks for, with this repository in the place of ``sugeno``."""
    head = _HEAD.search(program.read_text(encoding="utf-8"))
    if head is None:
        sys.exit(f"{program.name} does not say what it needs.")
    needed = tomllib.loads(re.sub(r"^# ?", "", head[1], flags=re.MULTILINE))["dependencies"]
    return [str(ROOT) if name == "sugeno" else name for name in needed]


def shown(program: Path) -> str:
    """What the page shows right after the program."""
    found = re.search(_SHOWN.format(name=program.name), PAGE.read_text(encoding="utf-8"), re.DOTALL)
    if found is None:
        sys.exit(f"{PAGE.name} does not show what {program.name} prints.")
    return found[1].replace("…", "...")


def check(program: Path, folder: Path) -> None:
    """Make an environment for a program, run it, and compare."""
    python = folder / program.stem / "bin" / "python"
    subprocess.run([sys.executable, "-m", "venv", "--clear", folder / program.stem], check=True)
    pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, *requirements(program)], check=True)
    done = subprocess.run([python, program], capture_output=True, text=True, check=False)
    if not doctest.OutputChecker().check_output(shown(program), done.stdout, _LOOSE):
        sys.exit(f"{program.name} printed:\n{done.stdout}{done.stderr}")


def main(arguments: Sequence[str]) -> None:
    """Check the programs that were asked for, or all."""
    folder = Path(arguments[0]).resolve()
    for program in [PROGRAMS / name for name in arguments[1:]] or sorted(PROGRAMS.glob("*.py")):
        print(f"{program.name} …", flush=True)
        check(program, folder)


if __name__ == "__main__":
    main(sys.argv[1:])
