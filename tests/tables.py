"""Counts of plain arrays for tests: a table in memory is the source that answers."""

import numpy as np

from sugeno._counts.table import Table
from sugeno._counts.weights import row_weights
from sugeno._scales.evidence import rank_evidence
from sugeno._scales.knots import knots_of

#: What a missing value may mean.
POLICIES = ("pessimistic", "optimistic", "interval")


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
    counts = [table.value_counts(j, by_class=True) for j in range(table.n_criteria)]
    found = rank_evidence(counts, table.unit)
    return np.array([one.direction for one in found]), np.array([one.auc for one in found])


def rows_with_holes(seed, n=40, m=3, share=0.2, levels=6, n_classes=2):
    """Rows with holes; no row is empty, and the first one is whole."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, levels, size=(n, m)).astype(float)
    score = X @ rng.uniform(0.3, 1, m) + rng.normal(0, 1, n)
    y = np.searchsorted(np.quantile(score, np.arange(1, n_classes) / n_classes), score)
    holes = rng.random(X.shape) < share
    holes[holes.all(axis=1), 0] = False
    holes[0] = False
    return np.where(holes, np.nan, X), y
