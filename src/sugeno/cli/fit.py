"""``sugeno fit``: from a table to rules, and a model file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from sugeno.cli._many_files import fit_files, names_many_files
from sugeno.cli.errors import Command
from sugeno.cli.judging import calibration_lines, confusion_lines, quality_lines
from sugeno.cli.learning import Learner, Rows, note, rows_of, weak_directions_noted
from sugeno.cli.models import adds_up, save_model, sentences_of
from sugeno.cli.options import data_options, learning_options, memory_option, out_option
from sugeno.cli.reading import read_table
from sugeno.cli.waiting import waiting

if TYPE_CHECKING:
    from sugeno.model.judged import Judged
    from sugeno.model.model import Model

__all__ = ["fit"]


@click.command(cls=Command, short_help="Learn rules from a table.")
@click.argument("data")
@data_options
@learning_options
@memory_option
@out_option("Where to keep the model: a JSON file, or - for the standard output.")
def fit(
    data: str,
    out: str | None,
    decimal: str | None,
    memory: str | None,
    **options: Any,
) -> None:
    """Learn rules from DATA, a CSV or Parquet file, or - for the standard input.

    A pattern such as 'data/*.parquet' names many files, of any size: DuckDB counts.

    \b
      sugeno fit data.csv --target accepted -o model.json
      sugeno fit data.csv -t accepted --direction price=- --order size=S,M,L
      sugeno fit data.csv -t rating --order rating=bad,ok,good
    """  # noqa: D301 (the mark keeps click from joining the lines)
    learner = Learner.taken_from(options)
    if names_many_files(data):
        clf, summary = fit_files(data, learner, memory=memory, **options)
    else:
        rows = rows_of(read_table(data, decimal), columns=learner.columns, **options)
        with waiting("learning") as report, weak_directions_noted():
            clf = learner.for_rows(rows, report).fit(rows.frame, rows.labels)
        summary = _summary(rows, clf)
    # The standard output is the model's where it was asked for there.
    click.echo(summary, err=out == "-")
    if out is not None:
        save_model(clf, out)
    note(f"Wrote {out}." if out is not None else "Nothing was kept; -o model.json keeps the model.")


def _summary(rows: Rows, clf: Any) -> str:
    """Say what was learned and how good it is."""
    wrong = int((clf.predict(rows.frame) != rows.y).sum())
    # Columns that were left out are none, and both sides of a column are one.
    n, m = len(rows.y), len({criterion.name for criterion in clf.model_.criteria})
    lines = [
        f"{n} rows, {m} {'criterion' if m == 1 else 'criteria'}; {_shares(rows, clf)}.",
        "",
        *([f"{clf.columns_}\n"] if hasattr(clf, "columns_") else []),
        "\n".join(sentences_of(clf)),
        "",
        f"Errors on these rows: {wrong} of {n} ({wrong / n:.1%}){_distance(rows, clf)}.",
    ]
    model = clf.model_
    held_out = model.held_out
    if held_out is not None:
        lines.append(_held_out(rows, clf))
    lines.append(_always(rows, clf, wrong / n))
    if held_out is not None and held_out.judged is not None:
        lines += ["", *_judged(held_out.judged, model)]
    return "\n".join(lines)


def _judged(judged: Judged, model: Model) -> Iterator[str]:
    """How good the decisions about held-out rows are."""
    from sugeno.model.judged import shortfall

    text = shortfall(judged, model.names, model.costs, command=True)
    yield from [text, ""] if text else []
    yield "Held-out rows:"
    yield from quality_lines(judged, model.names, model.costs)
    yield from confusion_lines(judged.confusion, model.names)
    yield from calibration_lines(judged, model.names)


def _shares(rows: Rows, clf: Any) -> str:
    """How many rows each class has."""
    classes = clf.model_.classes.tolist()
    counts = [int((rows.y == label).sum()) for label in classes]
    if len(classes) > 2:
        shown = ", ".join(f"{count} {label}" for count, label in zip(counts, classes))
        return shown if rows.classes is None else f"the lowest class first: {shown}"
    (other, positive), count = clf.model_.names, counts[1]
    return (
        f"{count} {'row' if count == 1 else 'rows'} ({count / len(rows.y):.1%}) "
        f"{'is' if count == 1 else 'are'} {positive}, the others {other}"
    )


def _always(rows: Rows, clf: Any, error: float) -> str:
    """The error of always saying the largest class, and a clear word if that is no worse."""
    model = clf.model_
    counts = [int((rows.y == label).sum()) for label in model.classes.tolist()]
    largest = counts.index(max(counts))
    always, name = 1 - max(counts) / len(rows.y), model.names[largest]
    said = f"Always saying {name}: {always:.1%} errors."
    if model.held_out is not None or error < always:
        return said
    return f"{said} The rules do not beat that: more rows or other columns may help."


def _distance(rows: Rows, clf: Any) -> str:
    """How far off ordered classes are."""
    model = clf.model_
    if rows.classes is None or model.classes.size == 2:
        return ""
    off = abs(model.places(rows.y) - model.places(clf.predict(rows.frame)))
    return f", {float(off.mean()):.3f} classes off in the mean"


def _held_out(rows: Rows, clf: Any) -> str:
    """What cross-validation said."""
    if rows.classes is None:
        # Not the score of the winner, which profits from the choice.
        known = clf.model_.held_out
        how = known.measured if adds_up(clf) else f"in {known.n_folds} folds"
        return f"Errors on held-out rows: {known.error:.1%}, {how}."
    size = "" if clf.max_rules_ is None else f", at most {clf.max_rules_} rules per class boundary"
    return f"Chosen on rows left out, in {clf.n_splits_} folds: {clf.levels_}{size}."
