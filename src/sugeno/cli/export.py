"""``sugeno export``: a model in the language of the place where it will run."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from sugeno.cli.errors import Command, Refusal
from sugeno.cli.learning import note
from sugeno.cli.models import load_model
from sugeno.cli.options import out_option

__all__ = ["export"]

_FORMATS = ("sql", "onnx", "pmml", "dmn", "python")


@click.command(cls=Command, short_help="Write a model as SQL, ONNX, PMML, DMN, Python.")
@click.argument("model")
@click.option("--to", "language", type=click.Choice(_FORMATS), required=True, help="Language.")
@click.option("--dialect", help="Of SQL: duckdb, postgres, spark, bigquery, snowflake.")
@out_option("Where to.  [default: -, the standard output]")
def export(model: str, language: str, dialect: str | None, out: str | None) -> None:
    """Write MODEL so that it runs elsewhere and decides the same.

    \b
      sugeno export model.json --to sql --dialect postgres
      sugeno export model.json --to onnx -o model.onnx
    """  # noqa: D301 (the mark keeps click from joining the lines)
    from sugeno import export as exports

    if dialect is not None and language != "sql":
        raise Refusal(f"--dialect is for --to sql. Got --to {language} instead; leave it out.")
    clf = load_model(model)
    options = {} if dialect is None else {"dialect": dialect}
    written = getattr(exports, f"to_{language}")(clf, **options)
    content = _bytes(written)
    if out is None or out == "-":
        sys.stdout.buffer.write(content)
        return
    Path(out).write_bytes(content)
    note(f"Wrote {out}: {len(content)} bytes.")


def _bytes(written: object) -> bytes:
    """Text ends with a line; an ONNX model is a message that writes itself."""
    if isinstance(written, str):
        return (written.rstrip("\n") + "\n").encode()
    if isinstance(written, bytes):
        return written
    serialized: bytes = written.SerializeToString()  # type: ignore[attr-defined]
    return serialized
