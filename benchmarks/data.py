"""The tables that are measured: drawn ones of any size, and the paper's twelve tasks."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sugeno.datasets import available, load

__all__ = ["noisy_table", "splits", "tasks"]

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

#: Tasks of a smoke run.
_FEW = ("ESL", "HAB")


def noisy_table(
    n: int, m: int, *, matter: int | None = None, noise: float = 1.0, seed: int = 0
) -> tuple[Floats, Bools]:
    """Draw normal criteria and labels: the sign of their sum plus noise of its own spread.

    Only the first `matter` criteria are in the sum, all if it is None. With noise 1 the labels of
    a quarter of the rows contradict the sum.
    """
    random = np.random.default_rng(seed)
    X = random.standard_normal((n, m))
    score = X[:, :matter].sum(axis=1) / np.sqrt(matter or m)
    return X, score + noise * random.standard_normal(n) > 0


def tasks(quick: bool) -> Iterator[tuple[str, Any]]:
    """Name and data of each task that is on this computer or can be fetched."""
    for info in available():
        if quick and info.name not in _FEW:
            continue
        try:
            yield info.name, load(info.name)
        except FileNotFoundError as error:
            # The rows say how many tasks they are about; this says why there are not more.
            print(error, file=sys.stderr)


def splits(y: NDArray[Any], share: float, number: int, seed: int) -> Iterator[tuple[Bools, Bools]]:
    """Random splits into training and test rows that keep the share of both classes."""
    random = np.random.default_rng(seed)
    for _ in range(number):
        train = np.zeros(y.size, dtype=np.bool_)
        for label in np.unique(y):
            rows = random.permutation(np.flatnonzero(y == label))
            train[rows[: round(share * rows.size)]] = True
        yield train, ~train
