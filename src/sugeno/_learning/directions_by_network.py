"""Directions by a model: Appendix B of the paper.

A flexible model is asked what happens when a feature is raised, and the rows vote. Only who asks
for it pays for the import of a neural network.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning
from sklearn.neural_network import MLPClassifier
from sklearn.preprocessing import StandardScaler

from sugeno._counts.source import Source
from sugeno._counts.table import Table
from sugeno._counts.weights import RowWeights
from sugeno._scales.directions import WEAK_SHARE, Directions
from sugeno._scales.kinds import Column
from sugeno._scales.knots import knots_of, utilities

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

#: So many rows are enough to vote.
_ENOUGH_ROWS = 20_000
#: Kinds of columns that have a direction; categories have an order.
_NUMBERS = ("number", "date", "ordered")


def voted_directions(
    source: Source, columns: Sequence[Column] | None, names: Sequence[str] | NDArray[Any] | None
) -> Directions:
    """Let a sample of the rows vote on the columns of numbers; of several classes on the middle.

    Cells without a value count as the median.
    """
    table = source.sample(_ENOUGH_ROWS)
    if table.n_classes > 2:
        table = table.at_boundary(table.n_classes // 2 - 1)
    asked = [*range(source.n_criteria)]
    X = table.X.copy()
    if columns is not None:
        for j in asked:
            X[np.isin(X[:, j], columns[j].codes), j] = np.nan
        asked = [j for j in asked if _in_question(columns[j]) and not np.isnan(X[:, j]).all()]
    if not asked:
        nothing = np.zeros(0)
        return Directions(nothing.astype(np.int64), (), nothing, nothing > 0, "model")
    X = X[:, asked]
    X = np.where(np.isnan(X), np.nanmedian(X, axis=0), X)
    known = [f"x{j}" for j in asked] if names is None else [str(names[j]) for j in asked]
    return directions_by_model(replace(table, X=X, missing="error"), tuple(known), 0)


def _in_question(column: Column) -> bool:
    """Whether a column has numbers in an order, and nobody has said which way it points."""
    return column.kind in _NUMBERS and not column.left_out and column.way is None


def directions_by_model(table: Table, names: tuple[str, ...], random_state: object) -> Directions:
    """Let the rows vote on what a neural network does when a feature is raised (Appendix B).

    This needs the rows themselves, not only counts of them.
    """
    X, y, weights = table.X, table.codes > 0, table.weights
    m = X.shape[1]
    knots = knots_of(map(table.value_counts, range(m)), weights.total, np.ones(m, dtype=np.int64))
    U, labels, counts = _distinct_rows(utilities(X, knots), y, weights)
    network = _fit_network(U, labels, np.multiply(counts, weights.unit), random_state)
    votes = np.array([_votes(U, j, counts, network) for j in range(m)]) * weights.unit
    up, down = votes.T
    cast = up + down
    share = np.divide(up, cast, out=np.full(m, 0.5), where=cast > 0)
    weak = (share >= WEAK_SHARE[0]) & (share <= WEAK_SHARE[1])
    directions = np.where(up >= down, 1, -1).astype(np.int64)
    return Directions(directions, names, share, weak, "model", up, down)


def _distinct_rows(U: Floats, y: Bools, weights: RowWeights) -> tuple[Floats, Bools, Ints]:
    """Distinct labelled rows in a canonical order, and their weights.

    The network then sees the measure and not the rows: neither their order nor the way in which
    a weight is spread over equal rows can change what it learns.
    """
    rows, place = np.unique(np.column_stack([U, y]), axis=0, return_inverse=True)
    counts = np.zeros(rows.shape[0], dtype=np.int64)
    np.add.at(counts, place.ravel(), weights.units)
    return rows[:, :-1], rows[:, -1] > 0, counts


def _fit_network(U: Floats, y: Bools, weights: Floats, random_state: object) -> _Network:
    """Fit a small neural network to standardised utilities."""
    scaler = StandardScaler().set_output(transform="default").fit(U, sample_weight=weights)
    model = MLPClassifier(
        hidden_layer_sizes=(16,),
        activation="tanh",
        solver="lbfgs",
        alpha=1.0,
        max_iter=300,
        random_state=random_state,
    )
    with warnings.catch_warnings():
        # The votes need the sign of a slope, not the last digits of an optimum.
        warnings.simplefilter("ignore", ConvergenceWarning)
        # scikit-learn 1.7 hands SciPy an option that SciPy 1.16 deprecates.
        warnings.filterwarnings("ignore", ".*iprint", DeprecationWarning)
        model.fit(scaler.transform(U), y, sample_weight=weights)
    return _Network(scaler, model)


@dataclass(frozen=True)
class _Network:
    """A fitted network; its output is the log-odds, which unlike probabilities do not saturate."""

    scaler: StandardScaler
    model: MLPClassifier

    def __call__(self, U: Floats) -> Floats:
        (inner, outer), (inner_bias, outer_bias) = self.model.coefs_, self.model.intercepts_
        hidden = np.tanh(self.scaler.transform(U) @ inner + inner_bias)
        output: Floats = (hidden @ outer + outer_bias)[:, 0]
        return output


def _votes(U: Floats, j: int, counts: Ints, network: _Network) -> tuple[int, int]:
    """Weight of the rows whose output goes up, and down, when feature j goes one step up.

    A step leads to the next observed value. Rows at the highest one cannot take it.
    """
    steps = np.unique(U[:, j])
    place = np.searchsorted(steps, U[:, j])
    able = place < steps.size - 1
    raised = U[able]
    raised[:, j] = steps[place[able] + 1]
    change = network(raised) - network(U[able]) if able.any() else np.zeros(0)
    return int(counts[able][change > 0].sum()), int(counts[able][change < 0].sum())
