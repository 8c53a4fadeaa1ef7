"""``sugeno report``: one HTML page that shows a model to the people who have to trust it."""

from __future__ import annotations

import shlex
from typing import Any

import click

from sugeno.cli.errors import Command, Refusal, did_you_mean
from sugeno.cli.learning import note
from sugeno.cli.models import labelled_rows
from sugeno.cli.options import decimal_option, out_option, target_options
from sugeno.cli.reading import read_table
from sugeno.cli.waiting import waiting

__all__ = ["report"]


@click.command(cls=Command, short_help="Write a page to play with.")
@click.argument("model")
@click.argument("data")
@target_options("Column with the classes.  [default: found by the labels]")
@click.option("--title", help="Heading of the page.")
@click.option("--new-rows", is_flag=True, help="The model was not learned from these rows.")
@click.option(
    "--boundary",
    metavar="LABEL",
    help="Of three and more classes: a page about this class (or higher) alone.",
)
@decimal_option
@out_option("File to write.  [default: report.html]")
def report(
    model: str,
    data: str,
    target: str | None,
    positive: str | None,
    drop_missing: bool,
    title: str | None,
    new_rows: bool,
    boundary: str | None,
    decimal: str | None,
    out: str | None,
) -> None:
    """Write one HTML file about MODEL on the rows of DATA: rules, errors, a panel to play with.

    The file needs no network and no server. Send it by mail, open it from disk.

    \b
      sugeno report model.json data.csv -o report.html
    """  # noqa: D301 (the mark keeps click from joining the lines)
    import sugeno
    from sugeno._format.protocol import MAX_BYTES
    from sugeno.report import report_html, write_report

    with click.open_file(model, "rb") as file:
        content = file.read(MAX_BYTES + 1)
    clf, table = sugeno.loads(content), read_table(data, decimal)
    path = out or "report.html"
    X, y = labelled_rows(clf, table, target, positive, drop_missing)
    options: dict[str, Any] = {
        "title": title,
        "new_rows": new_rows,
        "command": _command(),
        "boundary": _boundary(clf, boundary),
        "source": table.origin,
        "model_json": content.decode("utf-8"),
    }
    if path == "-":
        click.echo(report_html(clf, X, y, **options))
        return
    with waiting("writing the page"):
        write_report(clf, X, y, path, **options)
    note(f"Wrote {path}: {len(y)} rows. Open it in a browser.")


def _command() -> str:
    """Return the command that writes the page again: what was given to this one."""
    context = click.get_current_context()
    parts = ["sugeno", "report"]
    for parameter in context.command.params:
        value = context.params.get(parameter.name or "")
        if isinstance(parameter, click.Argument):
            parts.append(str(value))
        elif value is True:
            parts.append(parameter.opts[0])
        elif value not in (None, False):
            parts += [parameter.opts[0], str(value)]
    return shlex.join(parts)


def _boundary(clf: Any, text: str | None) -> Any:
    """The class that reads as the given text; None for all classes."""
    from sugeno.model.per_class import ModelPerClass

    if text is None:
        return None
    if clf.model_.classes.size == 2:
        raise Refusal("--boundary is for more than two classes; leave it out.")
    first = 0 if isinstance(clf.model_, ModelPerClass) else 1
    known = {str(label): label for label in clf.model_.classes.tolist()[first:]}
    if text not in known:
        raise Refusal(f"--boundary must be a class above another; {did_you_mean(text, known)}")
    return known[text]
