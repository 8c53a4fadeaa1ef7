"""``sugeno evaluate``: how well the rules do on rows that they were not learned from."""

from __future__ import annotations

from typing import Any

import click

from sugeno.cli.errors import Command, Refusal
from sugeno.cli.learning import Learner, Rows, rows_of
from sugeno.cli.options import data_options, learning_options
from sugeno.cli.reading import read_table
from sugeno.cli.waiting import waiting

__all__ = ["evaluate"]


@click.command(cls=Command, short_help="Estimate the error by cross-validation.")
@click.argument("data")
@data_options
@learning_options
@click.option("--cv", default=10, show_default=True, type=click.IntRange(2), help="Folds.")
@click.option("--seed", default=0, show_default=True, type=click.IntRange(0), help="Of the folds.")
def evaluate(
    data: str,
    cv: int,
    seed: int,
    decimal: str | None,
    **options: Any,
) -> None:
    """Learn on all folds of DATA but one, and count the errors on that one, in turn.

    Everything is learned anew in each fold, the kind of model and the directions included.

    \b
      sugeno evaluate data.csv --target accepted --cv 10
    """  # noqa: D301 (the mark keeps click from joining the lines)
    learner = Learner.taken_from(options)
    rows = rows_of(read_table(data, decimal), **options)
    click.echo(_summary(rows, *_judged(rows, learner, cv, seed)))


def _judged(
    rows: Rows, learner: Learner, cv: int, seed: int
) -> tuple[Any, Any, list[int], list[Any]]:
    """Probability of the positive class and fold of each row, rules per fold, both labels."""
    import numpy as np
    from sklearn.base import clone
    from sklearn.model_selection import StratifiedKFold

    rarest = int(np.unique(rows.y, return_counts=True)[1].min())
    if rarest < cv:
        raise Refusal(
            f"--cv {cv} needs {cv} rows of each class. Got {rarest} of the rarer one; "
            f"use --cv {max(2, rarest)} or more rows."
        )
    chances, fold_of, sizes = np.empty(len(rows.y)), np.empty(len(rows.y), int), []
    model = learner.estimator(rows.names, rows.positive)
    with waiting("folds") as report, learner.quiet(rows):
        folds = StratifiedKFold(cv, shuffle=True, random_state=seed).split(rows.X, rows.y)
        for done, (train, test) in enumerate(folds):
            report(done, cv)
            fitted = clone(model).fit(rows.X[train], rows.y[train])
            chances[test] = fitted.model_.probabilities(rows.X[test])
            fold_of[test] = done
            sizes.append(len(fitted.rules_))
    return chances, fold_of, sizes, fitted.model_.classes.tolist()


def _summary(rows: Rows, chances: Any, fold_of: Any, sizes: list[int], classes: list[Any]) -> str:
    import numpy as np
    from sklearn.metrics import roc_auc_score

    negative, positive = classes
    actual, accepted = rows.y == positive, chances > 0.5
    errors = np.array([(actual != accepted)[fold_of == i].mean() for i in range(len(sizes))])
    share = actual.mean()
    common = positive if share >= 0.5 else negative
    lines = [
        f"error      {errors.mean():.3f} ± {errors.std():.3f}  (mean and deviation of "
        f"{len(sizes)} folds; always {common!r}: {min(share, 1 - share):.3f})",
        f"AUC        {roc_auc_score(actual, chances):.3f}",
        f"precision  {_share(actual & accepted, accepted)}  (accepted rows that are {positive!r})",
        f"recall     {_share(actual & accepted, actual)}  ({positive!r} rows that are accepted)",
        f"rules      {np.mean(sizes):.1f}",
    ]
    return "\n".join(lines)


def _share(some: Any, of: Any) -> str:
    return f"{some.sum() / of.sum():.3f}" if of.any() else "-    "
