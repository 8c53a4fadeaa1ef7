"""``sugeno export``: a model in the language of the place where it will run."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from sugeno.cli.errors import Command, Refusal
from sugeno.cli.learning import note
from sugeno.cli.models import load_model
from sugeno.cli.options import out_option

__all__ = ["export"]

_LANGUAGES = ("sql", "onnx", "pmml", "dmn", "python")


@click.command(cls=Command, short_help="Write a model in another language.")
@click.argument("model")
@click.option(
    "--to", "language", type=click.Choice(_LANGUAGES), required=True, help="Language of the export."
)
@click.option("--dialect", help="Of SQL: duckdb, postgres, spark, bigquery, snowflake.")
@click.option("--output", help="Of SQL, what to compute: accepted, label or probability.")
@click.option(
    "--label", help="Of SQL and three or more classes: the class whose probability it is."
)
@out_option("File to write.  [default: -, the standard output]")
def export(
    model: str,
    language: str,
    dialect: str | None,
    output: str | None,
    label: str | None,
    out: str | None,
) -> None:
    """Write MODEL so that it runs elsewhere and decides the same.

    \b
      sugeno export model.json --to sql --dialect postgres
      sugeno export model.json --to python -o model.py
    """  # noqa: D301 (the mark keeps click from joining the lines)
    from sugeno import export as exports

    clf = load_model(model)
    labels = {str(one): one for one in clf.model_.classes.tolist()}
    given = {"dialect": dialect, "output": output, "label": labels.get(str(label), label)}
    options = {name: value for name, value in given.items() if value is not None}
    if options and language != "sql":
        raise Refusal(f"--{next(iter(options))} is for --to sql; leave it out.")
    content = _bytes(getattr(exports, f"to_{language}")(clf, **options))
    if out is None or out == "-":
        sys.stdout.buffer.write(content)
        return
    Path(out).write_bytes(content)
    note(f"Wrote {out}: {len(content)} bytes.")


def _bytes(written: Any) -> bytes:
    """Text ends with a line; an ONNX model is a message that writes itself."""
    if isinstance(written, str):
        return (written.rstrip("\n") + "\n").encode()
    serialized: bytes = written.SerializeToString()
    return serialized
