"""``sugeno fit``: from a table to rules, and a model file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from sugeno.cli._many_files import fit_files, names_many_files
from sugeno.cli.errors import Command
from sugeno.cli.judging import calibration_lines, confusion_lines, quality_lines
from sugeno.cli.learning import Learned, Learner, note, rows_of, weak_directions_noted
from sugeno.cli.models import save_model, sentences_of
from sugeno.cli.options import data_options, learning_options, memory_option, out_option
from sugeno.cli.reading import read_table
from sugeno.cli.waiting import waiting

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

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

    A pattern such as 'data/*.parquet' names many files, of any size. DuckDB reads them.

    \b
      sugeno fit data.csv --target accepted -o model.json
      sugeno fit data.csv -t accepted --direction price=- --order size=S,M,L
      sugeno fit data.csv -t rating --order rating=bad,ok,good
    """  # noqa: D301 (the mark keeps click from joining the lines)
    learner = Learner.taken_from(options)
    if names_many_files(data):
        learned = fit_files(data, learner, memory=memory, **options)
    else:
        rows = rows_of(read_table(data, decimal), columns=learner.columns, **options)
        with waiting("learning") as report, weak_directions_noted():
            clf = learner.for_rows(rows, report).fit(rows.frame, rows.labels)
        learned = Learned.of(clf, rows.frame, rows.y, rows.classes is not None)
    # The standard output is the model's where it was asked for there.
    click.echo("\n".join(_summary(learned)), err=out == "-")
    if out is not None:
        save_model(learned.clf, out)
    note(f"Wrote {out}." if out is not None else "Nothing was kept; -o model.json keeps the model.")


def _summary(learned: Learned) -> Iterator[str]:
    """Say what was learned and how good it is."""
    clf, model = learned.clf, learned.clf.model_
    # Columns that were left out are none, and both sides of a column are one.
    m = len({criterion.name for criterion in model.criteria})
    n, error, distance = _errors(learned.counts)
    yield f"{n:,} rows, {m} {'criterion' if m == 1 else 'criteria'}; {_shares(learned)}."
    yield ""
    if hasattr(clf, "columns_"):
        yield f"{clf.columns_}\n"
    yield from sentences_of(clf)
    yield ""
    off = f", {distance}" if learned.ordered else ""
    wrong = f"Errors on these rows: {round(error * n):,} of {n:,} ({error:.1%}){off}."
    yield f"{wrong} {learned.told}".rstrip()
    held_out = model.held_out
    if held_out is not None:
        yield _held_out(learned)
    yield _always(learned, error)
    if held_out is not None and held_out.judged is not None:
        yield ""
        yield from _judged(held_out.judged, model)


def _errors(counts: NDArray[np.float64]) -> tuple[int, float, str]:
    """How many rows there are, the share of wrong ones, and how far off decisions are."""
    n = counts.sum()
    places = range(len(counts))
    steps = sum(abs(i - j) * counts[i, j] for i in places for j in places)
    return round(n), float(1 - counts.trace() / n), f"{steps / n:.3f} classes off in the mean"


def _judged(judged: Judged, model: Model) -> Iterator[str]:
    """How good the decisions about held-out rows are."""
    from sugeno.model.judged import shortfall

    text = shortfall(judged, model.names, model.costs, command=True)
    yield from [text, ""] if text else []
    yield "Held-out rows:"
    yield from quality_lines(judged, model.names, model.costs)
    yield from confusion_lines(judged.confusion, model.names)
    yield from calibration_lines(judged, model.names)


def _shares(learned: Learned) -> str:
    """How many rows each class has."""
    names, counts = learned.clf.model_.names, learned.counts.sum(axis=1)
    n = counts.sum()
    if len(names) > 2:
        labels = learned.clf.model_.classes.tolist()
        order = ", the lowest first" if learned.ordered else ""
        return f"classes{order}: " + ", ".join(
            f"{label} ({count:,.0f} {'row' if count == 1 else 'rows'})"
            for label, count in zip(labels, counts.tolist())
        )
    (other, positive), count = names, round(counts[1])
    return (
        f"{count:,} {'row' if count == 1 else 'rows'} ({count / n:.1%}) "
        f"{'is' if count == 1 else 'are'} {positive}, the others {other}"
    )


def _always(learned: Learned, error: float) -> str:
    """The error of always saying the largest class, and a clear word if that is no worse."""
    model, counts = learned.clf.model_, learned.counts.sum(axis=1)
    always, name = 1 - counts.max() / counts.sum(), model.names[counts.argmax()]
    said = f"Always saying {name}: {always:.1%} errors."
    if model.held_out is not None or error < always:
        return said
    return f"{said} The rules do not beat that: more rows or other columns may help."


def _held_out(learned: Learned) -> str:
    """What cross-validation said: not the score of the winner, which profits from the choice."""
    clf, known = learned.clf, learned.clf.model_.held_out
    how = known.measured if clf.model_.adds_up else _in_folds(known.n_folds)
    if hasattr(clf, "n_sampled_"):
        how += f" of a sample of {clf.n_sampled_:,} distinct rows"
    if learned.ordered and known.judged is not None:
        _, error, distance = _errors(known.judged.confusion)
        return f"Errors on held-out rows: {error:.1%}, {distance}, {how}."
    return f"Errors on held-out rows: {known.error:.1%}, {how}."


def _in_folds(number: int) -> str:
    """How many folds there were; where the time was over, only one."""
    return "in one fold" if number == 1 else f"in {number} folds"
