"""``sugeno fit``: from a table to rules, and a model file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from sugeno.cli._many_files import fit_files, names_many_files
from sugeno.cli.errors import Command
from sugeno.cli.learning import Learner, Rows, note, rows_of, with_names
from sugeno.cli.models import save_model
from sugeno.cli.options import data_options, learning_options, memory_option, out_option
from sugeno.cli.reading import read_table
from sugeno.cli.waiting import waiting

if TYPE_CHECKING:
    from sugeno import OrdinalRuleClassifier, RuleClassifier

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
        clf: RuleClassifier | OrdinalRuleClassifier
        clf, summary = fit_files(data, learner, memory=memory, **options)
    else:
        rows = rows_of(read_table(data, decimal), gaps=learner.missing is not None, **options)
        with waiting("learning") as report, learner.quiet(rows):
            learned = learner.for_rows(rows, report).fit(rows.X, rows.y)
        clf = with_names(learned.model_, rows.names, rows.orders)
        summary = _summary(rows, clf, learned)
    if out is not None:
        save_model(clf, out)
    # The standard output is the model's where it was asked for there.
    click.echo(summary, err=out == "-")
    note(f"Wrote {out}." if out is not None else "Nothing was kept; -o model.json keeps the model.")


def _summary(rows: Rows, clf: Any, learned: Any) -> str:
    """Say what was learned and how good it is."""
    return _of_two(rows, clf, learned) if rows.classes is None else _of_ordered(rows, clf, learned)


def _of_ordered(rows: Rows, clf: OrdinalRuleClassifier, learned: Any) -> str:
    n, m = len(rows.y), len(rows.names)
    true, found = clf.model_.places(rows.y), clf.model_.passed(rows.X)
    wrong, distance = int((true != found).sum()), float(abs(true - found).mean())
    shares = [f"{int((rows.y == label).sum())} {label}" for label in clf.order_.tolist()]
    chosen = ""
    if hasattr(learned, "cv_results_"):
        limit = learned.max_rules_
        size = "" if limit is None else f", at most {limit} rules per class boundary"
        chosen = (
            f"\nChosen on rows left out, in {learned.n_splits_} folds: {learned.levels_}{size}."
        )
    return (
        f"{n} rows, {m} {'criterion' if m == 1 else 'criteria'}; the lowest class first: "
        f"{', '.join(shares)}.\n\n{clf.rules_}\n\n"
        f"Errors on these rows: {wrong} of {n} ({wrong / n:.1%}), {distance:.3f} classes off in "
        f"the mean.{chosen}"
    )


def _of_two(rows: Rows, clf: RuleClassifier, learned: Any) -> str:
    other, positive = clf.model_.classes.tolist()
    n, m, count = len(rows.y), len(rows.names), int((rows.y == positive).sum())
    wrong = int(((clf.model_.passed(rows.X) > 0) != (rows.y == positive)).sum())
    lines = [
        f"{n} rows, {m} {'criterion' if m == 1 else 'criteria'}; {count} "
        f"{'row' if count == 1 else 'rows'} ({count / n:.1%}) "
        f"{'is' if count == 1 else 'are'} {positive!r}, the others {other!r}.",
        "",
        str(clf.rules_),
        "",
        f"Errors on these rows: {wrong} of {n} ({wrong / n:.1%}).",
    ]
    if hasattr(learned, "cv_results_"):
        error = 1 - learned.best_score_
        lines.append(f"Errors on rows left out: {error:.1%}, in {learned.n_splits_} folds.")
    return "\n".join(lines)
