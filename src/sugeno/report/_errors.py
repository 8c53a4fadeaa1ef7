"""Errors with their uncertainty, and what is proved."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from sugeno.model.boundary import Certificate
from sugeno.report._markup import Html, element, join
from sugeno.report._rows import Rows
from sugeno.report._words import amount, percent, plural

__all__ = [
    "Figure",
    "comparison",
    "error_figures",
    "figures",
    "given_error",
    "proof_figure",
    "wilson",
]

#: Standard deviations to either side of an interval of 95 %.
_Z = 1.959963984540054


@dataclass(frozen=True)
class Figure:
    """One number of the head: large, with a label, and with what has to be known about it."""

    value: str
    label: str
    detail: str = ""


def wilson(errors: float, rows: float) -> tuple[float, float]:
    """Wilson's interval of 95 % for a share.

    Examples
    --------
    >>> from sugeno.report._errors import wilson
    >>> [round(end, 3) for end in wilson(0, 50)]
    [0.0, 0.071]
    """
    share, spread = errors / rows, _Z**2 / rows
    middle = (share + spread / 2) / (1 + spread)
    half = math.sqrt(share * (1 - share) * spread + spread**2 / 4) / (1 + spread)
    return max(0.0, middle - half), min(1.0, middle + half)


def error_figures(
    rows: Rows, names: tuple[str, str], given: Any, clf: Any, new_rows: bool
) -> Figure:
    """The error, on new rows wherever it is known there."""
    wrong = rows.accepted != rows.positive
    total, weight = float(rows.weight.sum()), float(rows.weight[wrong].sum())
    low, high = wilson(weight, total)
    span = f"{percent(low)} to {percent(high)}"
    if given is not None:
        return given_error(given, weight / total)
    folds = None if new_rows else _folds(clf)
    if folds is not None:
        return folds
    kinds = [float(rows.weight[wrong & (rows.accepted == side)].sum()) for side in (True, False)]
    detail = f"95 % interval {span}; {amount(kinds[0])} wrongly {names[1]}, " + (
        f"{amount(kinds[1])} wrongly {names[0]}"
    )
    where = "new rows" if new_rows else "these rows"
    return Figure(percent(weight / total), f"errors on {where}", detail)


def given_error(given: Any, here: float) -> Figure:
    """A figure that the user measured: a share, or a share with its interval."""
    numbers = [float(number) for number in np.atleast_1d(given)]
    if len(numbers) not in (1, 3) or not all(0 <= number <= 1 for number in numbers):
        raise ValueError(
            "error must be a share of rows between 0 and 1, or such a share with the ends of its "
            f"interval, (share, low, high). Got {given!r} instead."
        )
    span = f"between {percent(numbers[1])} and {percent(numbers[2])}; " if numbers[1:] else ""
    return Figure(percent(numbers[0]), "errors on new rows", f"{span}{percent(here)} on these rows")


def _folds(clf: Any) -> Figure | None:
    """The error in the folds that chose the model, where they counted errors."""
    results = getattr(clf, "cv_results_", None)
    if results is None or getattr(clf, "scoring", None) is not None or clf.n_splits_ < 2:
        return None
    chosen = int(np.argmin(np.abs(results["mean_test_score"] - clf.best_score_)))
    spread = percent(float(results["std_test_score"][chosen]))
    return Figure(
        percent(1 - clf.best_score_),
        "errors on rows left out",
        f"mean of {clf.n_splits_} folds, ± {spread} between them; they also chose among "
        f"{plural(len(results['params']), 'kind')} of models",
    )


def proof_figure(certificate: Certificate, taught: bool) -> Figure:
    """What is proved about the rules, in training rows: they need not be the rows shown."""
    objective, bound = certificate.objective, certificate.bound
    what = "disagreement with the teacher" if taught else "training error"
    if not (math.isfinite(objective) and math.isfinite(bound)):
        return Figure("–", "nothing is proved", "these rules were given, not learned")
    if certificate.gap == 0:
        none = "no rule set of this kind has less"
        return Figure("proved", "the best there is", f"{none} {what} ({_short(objective)})")
    return Figure(
        f"≤ {_short(certificate.gap)}",
        "training rows from the best, proved",
        f"{what} {_short(objective)}; no rule set of this kind has less than {_short(bound)}",
    )


def _short(number: float) -> str:
    return f"{number:.3g}" if number < 100 else f"{number:.1f}".removesuffix(".0")


def comparison(ours: str, others: Mapping[str, float] | None) -> Html:
    """A line that sets the errors of others beside ours."""
    if not others:
        return Html("")
    listed = ", ".join(f"{name} {percent(float(error))}" for name, error in others.items())
    return element("p", f"For comparison: {listed}; these rules {ours}.", class_="compare")


def figures(shown: list[Figure]) -> Html:
    """Lay out the figures of the head."""
    tiles = (
        element(
            "div",
            element("dt", figure.label),
            element("dd", figure.value, class_="value"),
            element("dd", figure.detail),
        )
        for figure in shown
    )
    return element("dl", join(*tiles), class_="figures")
