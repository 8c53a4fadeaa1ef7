"""``sugeno report``: one HTML page that shows a model to the people who have to trust it."""

from __future__ import annotations

import click

from sugeno.cli.errors import Command
from sugeno.cli.learning import note, without_gaps
from sugeno.cli.models import as_labels, criteria_of, load_model
from sugeno.cli.options import decimal_option, out_option, target_options
from sugeno.cli.reading import read_table
from sugeno.cli.targets import read_labels
from sugeno.cli.waiting import waiting

__all__ = ["report"]


@click.command(cls=Command, short_help="Write a page to play with.")
@click.argument("model")
@click.argument("data")
@target_options
@click.option("--title", help="Heading of the page.")
@click.option("--new-rows", is_flag=True, help="The model was not learned from these rows.")
@decimal_option
@out_option("Where to.  [default: report.html]")
def report(
    model: str,
    data: str,
    target: str,
    positive: str | None,
    drop_missing: bool,
    title: str | None,
    new_rows: bool,
    decimal: str | None,
    out: str | None,
) -> None:
    """Write one HTML file about MODEL on the rows of DATA: rules, errors, a panel to play with.

    It needs no network and no server, and can be sent on.

    \b
      sugeno report model.json data.csv --target accepted -o report.html
    """  # noqa: D301 (the mark keeps click from joining the lines)
    import sugeno
    from sugeno.report import report_html

    clf, table = load_model(model), read_table(data, decimal)
    path = out or "report.html"
    if drop_missing:
        names = [criterion.name for criterion in clf.model_.literals.criteria]
        table = without_gaps(table, [target, *names])
    X = as_labels(clf, criteria_of(clf, table))
    y = read_labels(table, target, positive, clf.model_.classes.tolist())
    with waiting("writing the page"):
        page = report_html(
            clf,
            X,
            y,
            title=title,
            new_rows=new_rows,
            command=f"sugeno report {model} {data} --target {target} -o {path}",
            source=table.origin,
            model_json=sugeno.dumps(clf),
        )
    if path == "-":
        click.echo(page)
        return
    with open(path, "w", encoding="utf-8", errors="replace", newline="\n") as file:
        file.write(page)
    note(f"Wrote {path}: {len(y)} rows. Open it in a browser.")
