"""``sugeno predict``: the decisions of a model on new rows."""

from __future__ import annotations

from typing import Any

import click

from sugeno.cli._many_files import decide_on_files, names_many_files
from sugeno.cli.errors import Command, Refusal
from sugeno.cli.learning import note, without_gaps
from sugeno.cli.models import (
    criteria_of,
    load_model,
    names_of,
)
from sugeno.cli.options import decimal_option, memory_option, out_option
from sugeno.cli.reading import read_table
from sugeno.cli.writing import FORMATS, format_of, write_table

__all__ = ["predict"]


@click.command(cls=Command, short_help="Decide on new rows.")
@click.argument("model")
@click.argument("data")
@out_option("File to write: .csv, .json or .parquet.  [default: -, the standard output]")
@click.option(
    "--format",
    "kind",
    type=click.Choice(FORMATS),
    help="Format of the file.  [default: by its name]",
)
@click.option("--only", is_flag=True, help="Write the new columns only.")
@click.option("--drop-missing", is_flag=True, help="Leave out rows with missing cells.")
@memory_option
@decimal_option
def predict(
    model: str,
    data: str,
    out: str | None,
    kind: str | None,
    only: bool,
    drop_missing: bool,
    memory: str | None,
    decimal: str | None,
) -> None:
    """Decide on the rows of DATA by the rules of MODEL.

    Columns are found by name. "prediction" and "probability" are added to them. The probability
    is that of the class that the rules describe; of ordered classes each has its own.

    A pattern such as 'new/*.parquet' names many files. DuckDB decides, and writes one file. Of
    ordered classes it has the decision alone.

    \b
      sugeno predict model.json new.csv -o decisions.csv
    """  # noqa: D301 (the mark keeps click from joining the lines)
    if names_many_files(data):
        decide_on_files(load_model(model), data, out, only, memory)
        return
    path = out or "-"
    written = format_of(path, kind)
    clf, table = load_model(model), read_table(data, decimal)
    if drop_missing:
        table = without_gaps(table, names_of(clf))
    columns = _decided(clf, criteria_of(clf, table))
    decided = columns["prediction"]
    if not only:
        taken = [name for name in columns if name in table.columns]
        if taken:
            raise Refusal(
                f"{table.origin} has a column {taken[0]!r} already; rename it, or write the new "
                "columns alone with --only."
            )
        columns = {**_as_given(table, written), **columns}
    write_table(columns, path, written, table.style)
    if path != "-":
        labels = clf.model_.classes.tolist()
        shown = labels[1:] if len(labels) == 2 else labels
        counts = ", ".join(f"{decided.count(label)} of them {label!r}" for label in shown)
        note(f"Wrote {path}: {len(decided)} rows, {counts}.")


def _decided(clf: Any, rows: Any) -> dict[str, list[Any]]:
    """The label, and the probability of the higher one of two classes, or of each of several."""
    labels = clf.model_.classes.tolist()
    chances = dict(zip(clf.classes_.tolist(), clf.predict_proba(rows).T.tolist()))
    named = {f"probability_{label}": chances[label] for label in labels}
    if len(labels) == 2:
        named = {"probability": chances[labels[1]]}
    return {"prediction": clf.predict(rows).tolist(), **named}


def _as_given(table: Any, kind: str) -> dict[str, list[Any]]:
    """Columns as texts for CSV; elsewhere those that hold numbers as numbers."""
    if kind == "csv":
        return dict(table.columns)
    return {name: table.typed(name) for name in table.columns}
