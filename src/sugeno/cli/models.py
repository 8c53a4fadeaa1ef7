"""Model files, and the rows that a model is asked about."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from sugeno.cli.errors import Refusal, did_you_mean
from sugeno.cli.tables import Table

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from sugeno import RuleClassifier

__all__ = ["criteria_of", "load_model", "nameless", "save_model"]


def load_model(path: str) -> RuleClassifier:
    """Load a model from a file, or from the standard input where the path is ``-``.

    Examples
    --------
    >>> from sugeno.cli.models import load_model
    >>> load_model("model.json")  # doctest: +SKIP
    """
    import sugeno

    return sugeno.load(sys.stdin.buffer if path == "-" else path)


def save_model(clf: RuleClassifier, path: str) -> None:
    """Save a model to a file, or write it to the standard output where the path is ``-``.

    Examples
    --------
    >>> from sugeno.cli.models import save_model
    >>> save_model(clf, "model.json")  # doctest: +SKIP
    """
    import sugeno

    if path == "-":
        click.echo(sugeno.dumps(clf), nl=False)
    else:
        sugeno.save(clf, path)


def criteria_of(clf: RuleClassifier, table: Table) -> NDArray[np.float64]:
    """Values of the criteria of a model, labels by their places; other columns are ignored.

    Examples
    --------
    >>> from sugeno import RuleClassifier, SugenoClassifier
    >>> from sugeno.cli.models import criteria_of
    >>> from sugeno.cli.tables import Table
    >>> clf = RuleClassifier.of(SugenoClassifier().fit([[1], [4]], [0, 1]).model_)
    >>> criteria_of(clf, Table("new.csv", {"name": ["A"], "x0": ["3"]}, [2]))
    array([[3.]])
    """
    criteria = clf.model_.literals.criteria
    missing = [c.name for c in criteria if c.name not in table.columns]
    if missing:
        hint = did_you_mean(missing[0], table.columns)
        shown = ", ".join(map(repr, missing))
        raise Refusal(f"{table.origin} lacks criteria of the model: {shown}; {hint}")
    orders = {c.name: c.labels for c in criteria if c.labels is not None}
    return table.numbers([c.name for c in criteria], orders)


@contextmanager
def nameless() -> Iterator[None]:
    """Let an array pass whose columns were put in order by name already.

    Examples
    --------
    >>> from sugeno.cli.models import nameless
    >>> with nameless():
    ...     pass
    """
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="X does not have valid feature names")
        yield
