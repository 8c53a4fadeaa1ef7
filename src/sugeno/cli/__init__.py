"""The command line. One small module per command; see ``sugeno --help``."""

from __future__ import annotations

import sys
from importlib import import_module

__all__ = ["main"]

#: What the extra ``cli`` installs.
EXTRA = ("click", "rich")


def main() -> None:
    """Run the command line, or say which extra is missing.

    Examples
    --------
    >>> from sugeno.cli import main
    >>> main()  # doctest: +SKIP
    """
    try:
        command = import_module("sugeno.cli.app").app
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package not in EXTRA:
            raise
        sys.exit(
            f"The command line needs {package}, which is not installed. "
            "Install the extra 'cli': pip install 'sugeno[cli]'."
        )
    command(prog_name="sugeno")
