"""Print the lowest versions that pyproject.toml allows, as constraints for pip.

The lower bounds of the dependencies, of the extras and of the group ``test`` become pins, so that
there is one list and ``make compat`` tests what it claims:

    python tools/lowest.py > build/lowest.txt
    pip install --constraint build/lowest.txt --group test -e ".[experiments]"

Arguments such as ``scikit-learn==1.8.*`` take the place of the pin of the same package.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path

PYPROJECT = Path(__file__).resolve().parents[1] / "pyproject.toml"

_REQUIREMENT = re.compile(r"(?P<name>[\w.-]+)(\[[^]]*\])?\s*>=\s*(?P<version>[\w.]+)")


def requirements() -> Iterator[str]:
    """All requirements whose lower bound is a promise."""
    content = tomllib.loads(PYPROJECT.read_text(encoding="utf-8"))
    project = content["project"]
    yield from project["dependencies"]
    for extra in project["optional-dependencies"].values():
        yield from (line for line in extra if not line.startswith(f"{project['name']}["))
    yield from content["dependency-groups"]["test"]


def pin(requirement: str) -> str:
    """Hold a requirement at its lower bound."""
    found = _REQUIREMENT.match(requirement)
    if found is None:
        sys.exit(f"{requirement!r} has no lower bound; write the lowest version that is tested.")
    return f"{found['name']}=={found['version']}"


def constraints(instead: Sequence[str] = ()) -> list[str]:
    """All pins, some of them replaced."""
    lowest = {line.split("==")[0]: line for line in map(pin, requirements())}
    replaced = {line.split("==")[0]: line for line in instead}
    if strangers := replaced.keys() - lowest.keys():
        sys.exit(f"{PYPROJECT.name} requires no {', '.join(sorted(strangers))}.")
    return sorted((lowest | replaced).values())


if __name__ == "__main__":
    print("\n".join(constraints(sys.argv[1:])))
