"""Tables on which the classifier is tested."""

import numpy as np

from sugeno._counts.patterns import Patterns
from sugeno._counts.weights import row_weights
from sugeno._sets.chains import Chains
from sugeno._sets.masks import pack

#: Parameters that lead to each solver.
EVERY_SOLVER = [
    {},
    {"k": 1},
    {"k": 2},
    {"solver": "lp"},
    {"solver": "lp", "k": 2},
    {"solver": "lp", "k": 2, "subsets": "top"},
    {"k": 2, "subsets": "all"},
    {"solver": "lp", "k": 2, "subsets": "all"},
]


def grades(seed=0, n=120, m=4, levels=5, noise=0.15):
    """Ordinal criteria and a noisy monotone label."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, levels, size=(n, m)).astype(float)
    y = (X.mean(axis=1) > (levels - 1) / 2) ^ (rng.random(n) < noise)
    y[:2] = [True, False]
    return X, y.astype(int)


def measurements(seed=0, n=120, m=4):
    """Continuous criteria and a noisy monotone label."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 1)) + rng.normal(size=(n, m))
    y = X.sum(axis=1) + rng.normal(size=n) > 0
    return X, y.astype(int)


def off_the_grid(X, seed=1, n=400):
    """Rows that mix observed values with others, inside and outside the observed range."""
    rng = np.random.default_rng(seed)
    rows = rng.choice(X.ravel(), size=(n, X.shape[1]))
    return np.where(rng.random(rows.shape) < 0.5, rows, rows + rng.normal(size=rows.shape) * 2)


def patterns_at(clf, X, y):
    """The patterns of the rows at the threshold of a fitted classifier."""
    rows = pack(clf.utility_.transform(X) >= clf.threshold_)
    return Patterns.from_rows(rows, y == 1, row_weights(None, len(y)), Chains.single(X.shape[1]))
