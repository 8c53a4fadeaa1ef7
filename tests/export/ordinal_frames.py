"""Rows for models of ordered classes, with gaps, and what exports must say about them."""

import duckdb
import numpy as np

from export.export_frames import arrow_table
from ordinal_models import ordinal_rows, random_ordinal_model
from random_models import pessimistic
from sugeno import OrdinalRuleClassifier

SEEDS = (1, 2, 5)


def classifier(seed, **options):
    return OrdinalRuleClassifier.of(random_ordinal_model(seed, **options))


def rows_with_gaps(model, seed, n, infinite=True):
    """Numbers with NaN, infinite ones and NULL, and which are NULL."""
    rng = np.random.default_rng([seed, 1])
    X = ordinal_rows(model, seed, n)
    labelled = [criterion.labels is not None for criterion in model.criteria]
    special = rng.random(X.shape) < 0.1
    special[:, labelled] = False
    values = [np.nan, np.inf, -np.inf, -0.0] if infinite else [np.nan, -0.0]
    X[special] = rng.choice(values, int(special.sum()))
    missing = rng.random(X.shape) < 0.05
    X[missing] = np.nan
    return X, missing


def table_of(model, X, missing):
    return arrow_table(model.boundaries[0], X, missing)


def labels_of(model, X):
    """The highest boundary that is passed, if NaN reaches no level."""
    places = np.sum([pessimistic(one, X)[0] for one in model.boundaries], axis=0)
    return model.classes.take(places).tolist()


def probabilities_of(model, X):
    """What each boundary says, away from the middle; what they dispute is shared by the classes."""
    each = [pessimistic(one, X)[1] for one in model.decisive]
    passed = []
    for b in range(len(each)):
        low, high = np.min(each[: b + 1], axis=0), np.max(each[b:], axis=0)
        share = round(4096 * (len(each) - b) / (len(each) + 1)) / 4096
        passed.append(low * (1 - share) + high * share)
    passed = np.column_stack(passed)
    whole = np.column_stack([np.ones(len(X)), passed, np.zeros(len(X))])
    return whole[:, :-1] - whole[:, 1:]


def on_duckdb(table, expressions):
    with duckdb.connect() as connection:
        connection.register("t", table)
        found = connection.execute(f"SELECT {', '.join(expressions)} FROM t").fetchall()
    return [list(column) for column in zip(*found)]
