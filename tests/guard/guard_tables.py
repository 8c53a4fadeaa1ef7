"""Tables of the guard: small, seeded, monotone with noise. Each has rows to learn and to ask."""

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pandas as pd

from sugeno import datasets


@dataclass(frozen=True)
class Table:
    """Rows to learn from, their labels, and rows on and off the grid to predict."""

    X: Any
    y: Any
    asked: Any


def _asked(X, seed):
    """The rows themselves, mixtures of their values, and values between and outside."""
    rng = np.random.default_rng(seed)
    mixed = np.column_stack([rng.choice(column, 60) for column in X.T])
    return np.concatenate([X, mixed, mixed + rng.choice([-2.5, -0.5, 0.5, 2.5], mixed.shape)])


def _parted(score, n_classes):
    """Codes of classes of about equal size."""
    return np.searchsorted(np.quantile(score, np.arange(1, n_classes) / n_classes), score)


def _grades(seed, n=90, m=4, n_classes=2, noise=1.0):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 5, (n, m)).astype(float)
    score = X @ rng.uniform(0.5, 1.5, m) + rng.normal(0, noise, n)
    return X, _parted(score, n_classes)


def _measures(seed, n=80, m=3, n_classes=2):
    """Numbers with one decimal; of the last column lower values are better."""
    rng = np.random.default_rng(seed)
    X = np.round(rng.normal(0, 2, (n, m)) + rng.normal(0, 2, (n, 1)), 1)
    y = _parted(X.sum(axis=1) + rng.normal(0, 2, n), n_classes)
    X[:, -1] = 10 - X[:, -1]
    return X, y


def _plain(X, y, seed=99):
    return Table(X, y, _asked(X, seed))


def _named(X, y, words):
    """A frame with names, and words for labels."""
    names = ["speed", "size", "price", "noise", "age"][: X.shape[1]]
    return Table(
        pd.DataFrame(X, columns=names),
        np.array(words)[y],
        pd.DataFrame(_asked(X, 98), columns=names),
    )


def _with_holes(seed, n_classes=2):
    rng = np.random.default_rng(seed)
    X, y = _grades(seed, n=70, m=3, n_classes=n_classes)
    holes = rng.random(X.shape) < 0.15
    holes[holes.all(axis=1), 0] = False
    asked = _asked(X, seed)
    gaps = rng.random(asked.shape) < 0.2
    return Table(np.where(holes, np.nan, X), y, np.where(gaps, np.nan, asked))


def _categories():
    """Ordered categoricals of pandas beside numbers, in the columns and in the labels."""
    X, y = _grades(21, n=80, m=3, n_classes=3)
    words = ["poor", "fair", "good", "very good", "superb"]
    kind = pd.CategoricalDtype(words, ordered=True)

    def frame(rows):
        codes = np.clip(np.floor(rows[:, 0]), 0, 4).astype(int)
        graded = pd.Categorical.from_codes(codes, dtype=kind)
        return pd.DataFrame({"grade": graded, "size": rows[:, 1], "fast": rows[:, 2] > 2})

    order = pd.CategoricalDtype(["no", "perhaps", "yes"], ordered=True)
    labels = pd.Series(pd.Categorical.from_codes(y, dtype=order))
    return Table(frame(X), labels, frame(_asked(X, 22)))


def _two_categories():
    """The same with two labels, of which the last category is positive."""
    table = _categories()
    kind = pd.CategoricalDtype(["yes", "no"], ordered=True)
    return Table(
        table.X, table.y.eq("no").map({True: "no", False: "yes"}).astype(kind), table.asked
    )


def _clusters(seed, words):
    """Classes without an order."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, len(words), 90)
    centres = rng.integers(0, 9, (len(words), 3))
    return _plain((centres[y] + rng.integers(-2, 3, (90, 3))).astype(float), np.array(words)[y])


def _shipped(name):
    bunch = datasets.load(name)
    return _plain(np.asarray(bunch.data, dtype=float), np.asarray(bunch.target))


_MADE = {
    "grades": lambda: _plain(*_grades(1)),
    "wide": lambda: _plain(*_grades(2, n=60, m=6)),
    "noisy": lambda: _plain(*_grades(13, n=70, m=7, noise=6)),
    "measures": lambda: _plain(*_measures(3)),
    "words": lambda: _named(*_measures(4), ["no", "yes"]),
    "holes": lambda: _with_holes(5),
    "three": lambda: _plain(*_grades(6, n_classes=3)),
    "five": lambda: _plain(*_grades(7, n=100, m=3, n_classes=5)),
    "three measures": lambda: _named(*_measures(8, n_classes=3), [1, 2, 3]),
    "three words": lambda: _named(*_measures(9, n_classes=3), ["low", "mid", "top"]),
    "three holes": lambda: _with_holes(10, n_classes=3),
    "categories": _categories,
    "two categories": _two_categories,
    "clusters": lambda: _clusters(11, ["ash", "birch", "cedar"]),
    "five clusters": lambda: _clusters(12, ["a", "b", "c", "d", "e"]),
    "ESL": lambda: _shipped("ESL"),
    "HAB": lambda: _shipped("HAB"),
}


@cache
def table(name):
    """The table of that name."""
    return _MADE[name]()


def whole_weights(name):
    """Whole weights of the rows, some of them 0."""
    return np.random.default_rng(31).integers(0, 4, len(table(name).y)).astype(float)


def weights(name):
    """Fractional weights of the rows."""
    return np.random.default_rng(32).uniform(0.1, 2, len(table(name).y))
