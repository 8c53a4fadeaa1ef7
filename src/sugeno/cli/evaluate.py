"""``sugeno evaluate``: how well the rules do on rows that they were not learned from."""

from __future__ import annotations

from collections.abc import Callable
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
    rows = rows_of(read_table(data, decimal), gaps=learner.missing is not None, **options)
    if rows.classes is not None:
        click.echo(_ordered_summary(rows, *_judged(rows, learner, cv, seed, _class_of)))
        return
    click.echo(_summary(rows, *_judged(rows, learner, cv, seed, _chance_of)))


def _chance_of(fitted: Any, X: Any) -> Any:
    """The probability of the positive class."""
    return fitted.model_.at_least(X)[:, 0]


def _class_of(fitted: Any, X: Any) -> Any:
    """The place of the class among ordered ones."""
    return fitted.model_.passed(X)


def _judged(
    rows: Rows, learner: Learner, cv: int, seed: int, answer: Callable[[Any, Any], Any]
) -> tuple[Any, Any, list[int], list[Any]]:
    """Answer on and fold of each row, rules per fold, the labels."""
    import numpy as np
    from sklearn.base import clone
    from sklearn.model_selection import StratifiedKFold

    rarest = int(np.unique(rows.y, return_counts=True)[1].min())
    if rarest < cv:
        raise Refusal(
            f"--cv {cv} needs {cv} rows of each class. Got {rarest} of the rarest one; "
            f"use --cv {max(2, rarest)} or more rows."
        )
    chances, fold_of, sizes = np.empty(len(rows.y)), np.empty(len(rows.y), int), []
    model = learner.for_rows(rows)
    with waiting("folds") as report, learner.quiet(rows):
        folds = StratifiedKFold(cv, shuffle=True, random_state=seed).split(rows.X, rows.y)
        for done, (train, test) in enumerate(folds):
            report(done, cv)
            fitted = clone(model).fit(rows.X[train], rows.y[train])
            chances[test] = answer(fitted, rows.X[test])
            fold_of[test] = done
            sizes.append(getattr(fitted.rules_, "n_rules", len(fitted.rules_)))
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


def _ordered_summary(
    rows: Rows, found: Any, fold_of: Any, sizes: list[int], classes: list[Any]
) -> str:
    import numpy as np

    place = {label: i for i, label in enumerate(classes)}
    true = np.array([place[label] for label in rows.y.tolist()])
    off = np.abs(true - found)
    folds = [off[fold_of == i] for i in range(len(sizes))]
    errors = np.array([(part > 0).mean() for part in folds])
    distances = np.array([part.mean() for part in folds])
    common, middle = int(np.bincount(true).argmax()), int(np.median(true))
    lines = [
        f"error      {errors.mean():.3f} ± {errors.std():.3f}  (mean and deviation of "
        f"{len(sizes)} folds; always {classes[common]!r}: {(true != common).mean():.3f})",
        f"distance   {distances.mean():.3f} ± {distances.std():.3f}  (classes off, in the mean; "
        f"always {classes[middle]!r}: {np.abs(true - middle).mean():.3f})",
        f"far off    {(off > 1).mean():.3f}  (rows that are off by more than one class)",
        f"rules      {np.mean(sizes):.1f}  (of {len(classes) - 1} class boundaries together)",
    ]
    return "\n".join(lines)


def _share(some: Any, of: Any) -> str:
    return f"{some.sum() / of.sum():.3f}" if of.any() else "-    "
