"""Training data on its way to a solver: utilities first, then patterns at a threshold.

A `Task` holds everything that does not depend on threshold, margin and k; a `Stage` adds threshold
and margin, and is what solvers see of the rows.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sugeno.class_weights import class_factors, costs_of_rows
from sugeno.directions import resolve_directions
from sugeno.literals import satisfied
from sugeno.measure import RowWeights
from sugeno.patterns import Patterns
from sugeno.quantiles import Quantiles, fit_quantiles, levels, utilities
from sugeno.threshold import median_threshold_of_rows, threshold_interval

__all__ = ["MarginError", "Stage", "Task", "at_threshold", "check_margin", "prepare"]

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True)
class Task:
    """Training data with its utilities.

    Attributes
    ----------
    X : ndarray of shape (n, m)
        Rows of positive weight, in original units.
    positive : ndarray of bool of shape (n,)
        Whether a row belongs to the positive class.
    weights : RowWeights
        Sample weights.
    costs : RowWeights
        Sample weights times class weights: what an error costs.
    knots : Quantiles
        The utilities, with the directions.
    criteria : tuple of str or None
        Names of the columns.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno.stages import prepare
    >>> from sugeno.measure import row_weights
    >>> X, y = np.array([[1.0], [2.0], [3.0]]), np.array([False, True, True])
    >>> task = prepare(X, y, row_weights(None, 3), np.array([0, 1]))
    >>> round(task.median_threshold, 3)
    0.333
    """

    X: Floats
    positive: Bools
    weights: RowWeights
    costs: RowWeights
    knots: Quantiles
    criteria: tuple[str, ...] | None

    @cached_property
    def median_threshold(self) -> float:
        """Solution of program (10)."""
        return median_threshold_of_rows(self.X, self.positive, self.costs, self.knots)

    @cached_property
    def mean_median_threshold(self) -> float:
        """Middle of the solutions of program (10) with numpy's median, whatever the ties."""
        medians = np.median(self.utilities, axis=1)
        low, high = threshold_interval(medians, self.positive, self.costs.values)
        return low + (high - low) / 2

    @cached_property
    def utilities(self) -> Floats:
        """Utilities of all rows."""
        return utilities(self.X, self.knots)

    def positive_utilities(self) -> tuple[Floats, NDArray[np.int64] | None]:
        """Utilities and costs of the positive rows."""
        costs = self.costs.take(self.positive)
        return utilities(self.X[self.positive], self.knots), costs.values


def prepare(
    X: Floats,
    positive: Bools,
    weights: RowWeights,
    classes: NDArray[Any],
    *,
    directions: ArrayLike | Mapping[str, int] | str | None = "auto",
    class_weight: Mapping[Any, float] | str | None = None,
    feature_names: NDArray[np.object_] | None = None,
) -> Task:
    """Orient the criteria, fit the utilities and price the errors.

    Parameters
    ----------
    X : ndarray of float64 of shape (n, m)
        Finite values; all rows have positive weight.
    positive : ndarray of bool of shape (n,)
        Whether a row belongs to the positive class; both classes occur.
    weights : RowWeights
        Weights of the rows.
    classes : ndarray of shape (2,)
        The negative and the positive label, for weights by label.
    directions : "auto", array-like, mapping or None, default="auto"
        "auto" takes the sign of a rank statistic per column; see `check_directions` for the rest.
    class_weight : mapping, "balanced" or None, default=None
        Price of an error by class.
    feature_names : ndarray of str of shape (m,), optional
        Names of the columns.

    Returns
    -------
    Task
        What all thresholds, margins and k have in common.

    Notes
    -----
    Costs one sort of each column, and a second one to find its direction.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno.stages import prepare
    >>> from sugeno.measure import row_weights
    >>> X, y = np.array([[1.0, 4.0], [2.0, 3.0]]), np.array([False, True])
    >>> prepare(X, y, row_weights(None, 2), np.array([0, 1])).knots.directions
    array([ 1, -1])
    """
    signs = resolve_directions(directions, X, positive, weights, feature_names)
    costs = weights
    if class_weight is not None:
        total, won = weights.total, weights.take(positive).total
        factors = class_factors(class_weight, classes, total - won, won)
        costs = costs_of_rows(weights, positive, factors)
    names = None if feature_names is None else tuple(map(str, feature_names))
    return Task(X, positive, weights, costs, fit_quantiles(X, weights, signs), names)


@dataclass(frozen=True)
class Stage:
    """Patterns of the training rows at one threshold and margin.

    Attributes
    ----------
    beta, margin : float
        Threshold and margin.
    levels : ndarray of shape (m,)
        Levels of the criteria at the threshold, in original units.
    patterns : Patterns
        What the solver sees, priced by costs: positive rows with {u ≥ β + margin}, negative
        ones with {u ≥ β − margin}.
    priced : Patterns
        All rows with {u ≥ β}, priced by costs.
    counted : Patterns
        All rows with {u ≥ β}, by sample weight.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno.stages import at_threshold, prepare
    >>> from sugeno.measure import row_weights
    >>> X, y = np.array([[1.0], [2.0], [3.0]]), np.array([False, True, True])
    >>> task = prepare(X, y, row_weights(None, 3), np.array([0, 1]))
    >>> at_threshold(task, 0.5).levels
    array([2.])
    """

    beta: float
    margin: float
    levels: Floats
    patterns: Patterns
    priced: Patterns
    counted: Patterns


class MarginError(ValueError):
    """The margin is too large for the threshold.

    Examples
    --------
    >>> from sugeno.stages import check_margin
    >>> check_margin(0.5, 0.4)
    Traceback (most recent call last):
        ...
    sugeno.stages.MarginError: The 'margin' parameter must be less than min(β, 1 − β), ...
    """


def at_threshold(task: Task, beta: float, margin: float = 0.0) -> Stage:
    """Count the patterns of the rows; one comparison per entry, two with a margin.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno.stages import at_threshold, prepare
    >>> from sugeno.measure import row_weights
    >>> X, y = np.array([[1.0], [2.0], [3.0]]), np.array([False, True, True])
    >>> task = prepare(X, y, row_weights(None, 3), np.array([0, 1]))
    >>> at_threshold(task, 0.5).patterns.positive
    array([0, 2])
    """
    check_margin(margin, beta)
    at_beta = levels(task.knots, beta)
    rows = satisfied(task.X, at_beta, task.knots.directions)
    counted = Patterns.from_rows(rows, task.positive, task.weights, at_beta.size)
    same = task.costs is task.weights
    priced = counted if same else Patterns.from_rows(rows, task.positive, task.costs, at_beta.size)
    patterns = priced if margin == 0 else _margin_patterns(task, beta, margin)
    return Stage(beta, margin, at_beta, patterns, priced, counted)


def check_margin(margin: float, beta: float) -> None:
    """Refuse a margin that no utility could keep.

    Examples
    --------
    >>> from sugeno.stages import check_margin
    >>> check_margin(0.1, 0.5)
    """
    largest = min(beta, 1 - beta)
    if margin >= largest:
        raise MarginError(
            "The 'margin' parameter must be less than min(β, 1 − β), which is "
            f"{largest:.6g} at the threshold {beta:.6g}. Got {margin:g} instead; beyond it no "
            "row can be on the right side."
        )


def _margin_patterns(task: Task, beta: float, margin: float) -> Patterns:
    """Patterns that positive rows keep, and negative ones gain, when utilities err by a margin."""
    directions = task.knots.directions
    upper, lower = levels(task.knots, beta + margin), levels(task.knots, beta - margin)
    rows = satisfied(task.X, lower, directions)
    rows[task.positive] = satisfied(task.X[task.positive], upper, directions)
    return Patterns.from_rows(rows, task.positive, task.costs, upper.size)
