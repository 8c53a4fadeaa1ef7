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
    """Learn rules or a card of points that people can read, from a table.

    Begin with: sugeno fit data.csv --target COLUMN -o model.json
    """


for _command in _COMMANDS:
    app.add_command(_command)
