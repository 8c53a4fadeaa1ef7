"""The label of patterns that never occurred: what the default was chosen by."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.data import splits, tasks
from benchmarks.harness import Row, Section, markdown_table
from sugeno import SugenoClassifier

__all__ = ["run"]

_EXTENSIONS = ("lower", "upper", "nearest", "short", "auto")
_SHARES = (0.2, 0.5, 0.8)
#: What a list that people can read may cost in test error, against the extension that errs least.
_PRICE = 5e-4


def run(quick: bool) -> Section:
    """Test error and number of rules of each extension, on the same splits (k = None)."""
    number = 2 if quick else 20
    found = {name: _task(bunch, number) for name, bunch in tasks(quick)}
    mean = np.mean(list(found.values()), axis=0)
    overall = mean.mean(axis=0)
    errors = dict(zip(_EXTENSIONS, overall[:, 0]))
    measured = ", ".join(f"{e} {error:.4f}" for e, (error, _) in zip(_EXTENSIONS, overall))
    row = Row(
        f"test error by `extension`, mean over {len(found)} tasks and 3 training shares",
        measured,
        f"the default, auto, errs at most {_PRICE} more than the best other",
        errors["auto"] <= min(errors.values()) + _PRICE,
    )
    return Section(
        "Patterns that never occurred",
        [row],
        [
            f"Mean test error over {number} random splits per task and share; k = None.",
            _by_share(mean, overall),
            _by_task(found),
        ],
    )


def _task(bunch: Any, number: int) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Mean error and number of rules, by share and extension."""
    result = np.zeros((len(_SHARES), len(_EXTENSIONS), 2))
    for at, share in enumerate(_SHARES):
        for train, test in splits(bunch.target, share, number, seed=at):
            for column, extension in enumerate(_EXTENSIONS):
                model = SugenoClassifier(directions=bunch.directions, extension=extension)
                model.fit(bunch.data[train], bunch.target[train])
                wrong = model.predict(bunch.data[test]) != bunch.target[test]
                result[at, column] += wrong.mean(), len(model.rules_)
    return result / number


def _by_share(mean: Any, overall: Any) -> str:
    labels = [f"{share:.0%}" for share in _SHARES] + ["all"]
    rows = [
        (label, *(f"{error:.4f} ({rules:.1f})" for error, rules in line))
        for label, line in zip(labels, [*mean, overall])
    ]
    return markdown_table(["training share", *(f"{e} (rules)" for e in _EXTENSIONS)], rows)


def _by_task(found: dict[str, Any]) -> str:
    rows = [
        (name, *(f"{error:.4f} ({rules:.1f})" for error, rules in value.mean(axis=0)))
        for name, value in found.items()
    ]
    return markdown_table(["task", *(f"{e} (rules)" for e in _EXTENSIONS)], rows)
