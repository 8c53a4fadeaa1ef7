"""``sugeno evaluate``: how well the rules do on rows that they were not learned from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from sugeno.cli.errors import Command, Refusal
from sugeno.cli.judging import calibration_lines, confusion_lines, quality_lines
from sugeno.cli.learning import Learner, TrainingRows, rows_of, weak_directions_noted
from sugeno.cli.options import data_options, learning_options
from sugeno.cli.reading import read_table
from sugeno.cli.waiting import waiting
from sugeno.model.text import class_names

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from sugeno._counts.loss import Loss
    from sugeno.model.form import Form
    from sugeno.model.judged import Judged

__all__ = ["evaluate"]

#: Folds, where the rarest class has so many rows.
_USUAL_FOLDS = 10


@click.command(cls=Command, short_help="Estimate the error by cross-validation.")
@click.argument("data")
@data_options
@learning_options
@click.option(
    "--cv",
    type=click.IntRange(2),
    help="Number of folds.  [default: 10, or as many rows as the rarest class has]",
)
@click.option(
    "--seed", default=0, show_default=True, type=click.IntRange(0), help="Seed of the folds."
)
def evaluate(
    data: str,
    cv: int | None,
    seed: int,
    decimal: str | None,
    **options: Any,
) -> None:
    """Estimate the error on new rows by cross-validation.

    Each fold of DATA is decided by a model that was learned on the others. Everything is learned
    anew in each, the kind of model and the directions included.

    \b
      sugeno evaluate data.csv --target accepted --cv 10
    """  # noqa: D301 (the mark keeps click from joining the lines)
    learner = Learner.taken_from(options)
    rows = rows_of(read_table(data, decimal), columns=learner.columns, **options)
    judged = _judged(rows, learner, cv, seed)
    click.echo("\n".join(_summary(rows, judged, learner.loss)))


@dataclass(frozen=True)
class _Judged:
    """What classifiers say about rows that they did not learn from."""

    places: NDArray[np.intp]  # of the classes that were decided
    chances: NDArray[np.float64]  # of the highest class
    fold: NDArray[np.intp]
    sizes: list[tuple[int | None, int]]  # rules (none on a card) and conditions; not of ensembles
    classes: list[Any]

    @property
    def n_folds(self) -> int:
        """Number of folds."""
        return int(self.fold.max()) + 1

    def rules(self, whose: str = "") -> Iterator[str]:
        """The mean number of rules, or of what there is to read where some models are cards."""
        if not self.sizes:
            return
        rules = [number for number, _ in self.sizes if number is not None]
        conditions = sum(number for _, number in self.sizes) / len(self.sizes)
        if len(rules) == len(self.sizes):
            yield f"rules      {sum(rules) / len(rules):.1f}{whose}"
        else:
            yield f"conditions {conditions:.1f}{whose or '  (of rules, or on a card of points)'}"

    def by_fold(self, values: NDArray[Any]) -> NDArray[Any]:
        """Mean over the rows of each fold."""
        import numpy as np

        return np.array([values[self.fold == i].mean() for i in range(self.n_folds)])

    def counted(self, true: NDArray[np.intp], cut: float) -> Judged:
        """The rows by true and decided class, and those of two classes by probability."""
        import numpy as np

        from sugeno.model.judged import Judged

        n = len(self.classes)
        chances = np.tile(self.chances[:, None], n - 1)
        return Judged.of(true, self.places, chances, np.ones(len(true)), [cut] * (n - 1))


def _judged(rows: TrainingRows, learner: Learner, given: int | None, seed: int) -> _Judged:
    """Learn on all folds but one, and ask about that one, in turn."""
    import numpy as np
    from sklearn.base import clone
    from sklearn.model_selection import StratifiedKFold

    labels, counts = np.unique(rows.y, return_counts=True)
    rarest, cv = int(counts.min()), given or max(2, min(_USUAL_FOLDS, int(counts.min())))
    if rarest < cv:
        name = class_names(labels.tolist(), rows.target)[int(counts.argmin())]
        less = f"use --cv {rarest}, or" if rarest > 1 else "join it to others by --positive, or"
        raise Refusal(
            f"{cv} folds need {cv} rows of each class. Got {rarest} of {name}; {less} collect more "
            "rows."
        )
    n, sizes = len(rows.y), []
    places, chances, fold = np.empty(n, np.intp), np.empty(n), np.empty(n, np.intp)
    model = learner.for_rows(rows)
    with waiting("folds") as report, weak_directions_noted():
        folds = StratifiedKFold(cv, shuffle=True, random_state=seed).split(rows.frame, rows.y)
        for done, (train, test) in enumerate(folds):
            report(done, cv)
            learned, held_out = rows.take(train), rows.take(test)
            fitted = clone(model).fit(learned.frame, learned.labels)
            classes = fitted.model_.classes.tolist()
            places[test] = list(map(classes.index, fitted.predict(held_out.frame).tolist()))
            highest = fitted.classes_.tolist().index(classes[-1])
            chances[test] = fitted.predict_proba(held_out.frame)[:, highest]
            fold[test] = done
            if not fitted.model_.adds_up:
                rules = fitted.model_.rules
                sizes.append(_size([*rules.values()] if isinstance(rules, dict) else rules.shown))
    return _Judged(places, chances, fold, sizes, classes)


def _size(forms: Sequence[Form]) -> tuple[int | None, int]:
    """Number of rules, where all that decides are rules, and of conditions."""
    from sugeno import Card

    conditions = sum(form.size for form in forms)
    has_card = any(isinstance(form, Card) for form in forms)
    return None if has_card else sum(map(len, forms)), conditions


def _summary(rows: TrainingRows, judged: _Judged, costs: Loss | None) -> Iterator[str]:
    """The error beside that of always saying the most frequent class, and more."""
    import numpy as np

    from sugeno.model.judged import shortfall

    classes, names = judged.classes, class_names(judged.classes, rows.target)
    true = np.array([classes.index(label) for label in rows.y.tolist()])
    errors = judged.by_fold(true != judged.places)
    counted = judged.counted(true, 0.5 if costs is None else costs.cut)
    common, always = counted.largest
    yield (
        f"error      {errors.mean():.3f} ± {errors.std():.3f}  (mean and deviation of "
        f"{judged.n_folds} folds; always {names[common]}: {always:.3f})"
    )
    yield from quality_lines(counted, names, costs)
    if len(classes) == 2:
        yield from _of_two(true, judged, names[1])
    elif rows.classes is not None:
        yield from _of_several(true, judged, names)
    else:
        yield from judged.rules(f"  (of {len(classes)} classes together)")
    text = shortfall(counted, names, costs, command=True)
    yield from [text] if text else []
    yield ""
    yield from confusion_lines(counted.confusion, names)
    yield from calibration_lines(counted, names)


def _of_two(true: NDArray[np.intp], judged: _Judged, name: str) -> Iterator[str]:
    actual, accepted = true > 0, judged.places > 0
    right = actual & accepted
    yield f"precision  {_share(right, accepted)}  (of the rows decided {name}, those that are so)"
    yield f"recall     {_share(right, actual)}  (of the rows that are {name}, those decided so)"
    yield from judged.rules()


def _of_several(true: NDArray[np.intp], judged: _Judged, names: Sequence[str]) -> Iterator[str]:
    import numpy as np

    off, middle = np.abs(true - judged.places), int(np.median(true))
    distances = judged.by_fold(off)
    yield (
        f"distance   {distances.mean():.3f} ± {distances.std():.3f}  (classes off, in the mean; "
        f"always {names[middle]}: {np.abs(true - middle).mean():.3f})"
    )
    yield f"far off    {(off > 1).mean():.3f}  (rows that are off by more than one class)"
    boundaries = len(judged.classes) - 1
    yield from judged.rules(f"  (of {boundaries} class boundaries together)")


def _share(some: Any, of: Any) -> str:
    return f"{some.sum() / of.sum():.3f}" if of.any() else "-    "
