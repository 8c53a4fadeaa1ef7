"""``sugeno datasets``: which of the paper's data sets are there; one of them as a CSV file."""

from __future__ import annotations

from typing import Any

import click

from sugeno.cli.errors import Command, Refusal
from sugeno.cli.learning import note
from sugeno.cli.options import out_option
from sugeno.cli.writing import format_of, write_table

__all__ = ["datasets"]

TARGET = "class"


@click.command(cls=Command, short_help="List data sets, or write one as CSV.")
@click.argument("name", required=False)
@click.option(
    "--raw", is_flag=True, help="Keep the target as it is, with all its classes or numbers."
)
@out_option("Write the data set there: .csv, .json or .parquet, or - for the standard output.")
def datasets(name: str | None, raw: bool, out: str | None) -> None:
    """List the data sets and where each comes from. With a NAME show one, or write it.

    \b
      sugeno datasets
      sugeno datasets LEV -o lev.csv
    """  # noqa: D301 (the mark keeps click from joining the lines)
    # Loading scikit-learn takes a second, which `sugeno --help` should not pay for.
    from sugeno.datasets import available, load, load_raw

    if name is None:
        if out is not None:
            raise Refusal("Say which data set: sugeno datasets LEV -o lev.csv.")
        click.echo(str(available()))
        return
    task: Any = load_raw(name) if raw else load(name)
    if out is None:
        click.echo(task.DESCR)
        return
    columns = {
        feature: [int(x) if x == int(x) else x for x in values.tolist()]
        for feature, values in zip(task.feature_names, task.data.T)
    }
    labels = task.target.tolist() if raw else [task.target_names[code] for code in task.target]
    columns[TARGET] = labels
    write_table(columns, out, format_of(out))
    if out != "-":
        signs = " ".join(
            f"--direction {feature}={'+' if sign > 0 else '-'}"
            for feature, sign in zip(task.feature_names, task.directions)
        )
        kind = "--ordered" if raw else f'--positive "{task.target_names[1]}"'
        note(f"Wrote {out}. Next: sugeno fit {out} --target {TARGET} {kind} {signs}")
