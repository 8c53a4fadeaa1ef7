"""The group of all commands."""

from __future__ import annotations

import click

from sugeno import __version__
from sugeno.cli.datasets import datasets
from sugeno.cli.edit import edit
from sugeno.cli.errors import Commands
from sugeno.cli.evaluate import evaluate
from sugeno.cli.explain import explain
from sugeno.cli.export import export
from sugeno.cli.fit import fit
from sugeno.cli.look import look
from sugeno.cli.predict import predict
from sugeno.cli.report import report
from sugeno.cli.reproduce import reproduce
from sugeno.cli.rules import rules

__all__ = ["app"]

#: In the order in which a new user needs them.
_COMMANDS = (
    look,
    fit,
    rules,
    predict,
    explain,
    report,
    edit,
    export,
    evaluate,
    datasets,
    reproduce,
)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="sugeno")
def app() -> None:
    """Monotone classifiers that people can read, learned with the Sugeno integral."""


for _command in _COMMANDS:
    app.add_command(_command)
