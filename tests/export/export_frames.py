"""Rows that hit every level from both sides, with what predict refuses: gaps and infinity."""

import numpy as np
import pyarrow as pa

from random_models import pessimistic, random_model, rows_for
from small_rules import classifier_of

#: Classifiers of all kinds: one level and several, rules and clauses, labels, odd names.
SEEDS = (1, 2, 4, 7, 11, 12)


def classifier(seed, **options):
    return classifier_of(random_model(seed, **options))


def rows_with_gaps(model, seed, n):
    """Numbers (places of labels where there are some) with NaN, infinite ones and NULL.

    Returns the numbers, NaN where NULL is, and which entries are NULL.
    """
    rng = np.random.default_rng([seed, 1])
    X = rows_for(model, seed, n)
    labelled = [criterion.labels is not None for criterion in model.literals.criteria]
    special = rng.random(X.shape) < 0.1
    special[:, labelled] = False
    X[special] = rng.choice([np.nan, np.inf, -np.inf, -0.0], int(special.sum()))
    missing = rng.random(X.shape) < 0.05
    X[missing] = np.nan
    return X, missing


def arrow_table(model, X, missing):
    """The rows as an Arrow table: labels as text, NULL where an entry is missing."""
    columns = {}
    for criterion, column, gap in zip(model.literals.criteria, X.T, missing.T):
        if criterion.labels is None:
            columns[criterion.name] = pa.array(column, mask=gap)
        else:
            places = np.where(gap, 0, column).astype(int)
            columns[criterion.name] = pa.array(np.array(criterion.labels)[places], mask=gap)
    return pa.table(columns)


def expected(model, X, output):
    """What an export must say, from the model's own parts."""
    accepted, probability = pessimistic(model, X)
    if output == "accepted":
        return accepted.tolist()
    if output == "label":
        return model.labels.take(accepted).tolist()
    return probability.tolist()
