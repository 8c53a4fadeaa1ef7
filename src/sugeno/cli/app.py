"""The group of all commands."""

from __future__ import annotations

import click

from sugeno import __version__
from sugeno.cli.datasets import datasets
from sugeno.cli.reproduce import reproduce

__all__ = ["app"]


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="sugeno")
def app() -> None:
    """Monotone classifiers that people can read, learned with the Sugeno integral."""


app.add_command(datasets)
app.add_command(reproduce)
