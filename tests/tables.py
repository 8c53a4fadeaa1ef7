"""Counts of plain arrays for tests: a table in memory is the source that answers."""

import numpy as np

from sugeno._counts.table import Table
from sugeno._counts.weights import row_weights
from sugeno._scales.directions import rank_evidence
from sugeno._scales.knots import knots_of


def table_of(X, y=None, weights=None):
    """A table of rows with two classes; rows without weight are left out."""
    X = np.asarray(X, dtype=float)
    codes = np.zeros(len(X), dtype=np.intp) if y is None else np.asarray(y).astype(np.intp)
    given = weights if hasattr(weights, "total") else row_weights(weights, len(X))
    return Table.of(X, codes, given)


def fit_knots(X, weights=None, directions=None, saturate=False):
    """Knots of the empirical distribution functions of all columns."""
    table = table_of(X, weights=weights)
    signs = np.ones(table.n_criteria, np.int64) if directions is None else np.asarray(directions)
    counts = map(table.value_counts, range(table.n_criteria))
    return knots_of(counts, table.total, signs, saturate)


def rank_directions(X, y, weights=None):
    """Direction and AUC of each column looked at alone."""
    table = table_of(X, y, weights)
    found = [
        rank_evidence(table.value_counts(j, by_class=True), table.unit)
        for j in range(table.n_criteria)
    ]
    return np.array([one.direction for one in found]), np.array([one.auc for one in found])
