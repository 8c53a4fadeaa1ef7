"""What it costs to predict one class where another is true, in whole numbers."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sugeno._counts.weights import TOTAL_BITS, RowWeights, row_weights

Ints = NDArray[np.int64]

#: What the two errors of two classes are called: a positive row that is decided to be negative,
#: and the reverse.
ERRORS = ("missed", "false alarm")


@dataclass(frozen=True)
class Loss:
    """A loss matrix: what it costs to predict class p where c is true.

    Attributes
    ----------
    matrix : ndarray of int64 of shape (C, C)
        Row: true class. Column: predicted class. Classes are ordered.
    unit : float
        What 1 in the matrix is worth.

    Examples
    --------
    >>> from sugeno._counts.loss import Loss
    >>> Loss.of("absolute", 3).matrix
    array([[0, 1, 2],
           [1, 0, 1],
           [2, 1, 0]])
    """

    matrix: Ints
    unit: float = 1.0

    @classmethod
    def of(cls, loss: str | ArrayLike | Mapping[str, float], n_classes: int) -> Loss:
        """Take a loss by name, a matrix of finite numbers that are not negative, or two costs."""
        places = np.arange(n_classes)
        apart = np.abs(places[:, None] - places)
        if isinstance(loss, str):
            wrong = np.minimum(apart, 1)
            known = {"zero_one": wrong, "absolute": apart, "mixed": wrong + apart}
            if loss not in known:
                raise ValueError(
                    f"loss must be one of {list(known)}, or a matrix with a row per true class and "
                    f"a column per predicted class. Got {loss!r} instead."
                )
            return cls(known[loss])
        if isinstance(loss, Mapping):
            return cls._of_matrix(_two_costs(loss, n_classes), n_classes)
        return cls._of_matrix(np.asarray(loss, dtype=np.float64), n_classes)

    @classmethod
    def _of_matrix(cls, given: NDArray[np.float64], n_classes: int) -> Loss:
        if given.shape != (n_classes, n_classes):
            raise ValueError(
                f"loss must have a row per true class and a column per predicted class, shape "
                f"({n_classes}, {n_classes}). Got shape {given.shape} instead; a class that does "
                "not occur has a row and a column only if classes= names it."
            )
        if not np.isfinite(given).all() or given.min() < 0:
            raise ValueError(
                "loss must hold finite numbers that are not negative. "
                f"Got {given.tolist()} instead."
            )
        if (given.argmin(axis=1) != np.arange(n_classes)).any():
            wrong = int(np.flatnonzero(given.argmin(axis=1) != np.arange(n_classes))[0])
            raise ValueError(
                "loss must be smallest where the prediction is right, and only there. Got "
                f"{given[wrong].tolist()} for class number {wrong} instead."
            )
        whole = row_weights(given.ravel(), given.size)
        values = whole.units
        shift = max(0, int(values.max()).bit_length() - 31)
        rounded = (values >> shift - 1) + 1 >> 1 if shift else values
        return cls(rounded.reshape(given.shape), math.ldexp(whole.unit, shift))

    @property
    def n_classes(self) -> int:
        """Number of classes C."""
        return len(self.matrix)

    @property
    def prices(self) -> NDArray[np.float64]:
        """The matrix in the user's units."""
        return np.multiply(self.matrix, self.unit, dtype=np.float64)

    @property
    def errors(self) -> dict[str, float]:
        """What the two errors of two classes cost, beyond what a right decision does.

        Examples
        --------
        >>> from sugeno._counts.loss import Loss
        >>> Loss.of({"missed": 10, "false alarm": 1}, 2).errors
        {'missed': 10.0, 'false alarm': 1.0}
        """
        (right, alarm), (missed, found) = self.prices.tolist()
        return dict(zip(ERRORS, (missed - found, alarm - right)))

    @property
    def cut(self) -> float:
        """The probability of the positive one of two classes beyond which saying so costs less.

        With costs c₁ of a missed row and c₀ of a false alarm, that is c₀ / (c₀ + c₁).

        Examples
        --------
        >>> from sugeno._counts.loss import Loss
        >>> Loss.of({"missed": 9, "false alarm": 1}, 2).cut
        0.1
        """
        missed, alarm = self.errors.values()
        return alarm / (alarm + missed)

    @property
    def grows(self) -> bool:
        """Whether no loss falls on the way from the true class to either side."""
        steps, place = np.diff(self.matrix, axis=1), np.arange(self.n_classes)
        above = place[:-1] >= place[:, None]
        return bool(((steps >= 0) | ~above).all() and ((steps <= 0) | above).all())

    def gains(self, lower: Ints, upper: Ints) -> Ints:
        """Return what passing each boundary saves, pattern by pattern: shape (D, C − 1).

        A row counts with its lower end at the boundaries below its class, which it should pass,
        and with its upper end at the others.

        Examples
        --------
        >>> import numpy as np
        >>> from sugeno._counts.loss import Loss
        >>> weights = np.array([[2, 0, 1]])
        >>> Loss.of("absolute", 3).gains(weights, weights)
        array([[-1, -1]])
        """
        saved = self.matrix[:, :-1] - self.matrix[:, 1:]
        passes = np.arange(self.n_classes)[:, None] > np.arange(self.n_classes - 1)
        gained: Ints = lower @ np.where(passes, saved, 0) + upper @ np.where(passes, 0, saved)
        return gained

    def excess_bits(self, total: int) -> int:
        """By how many bits weights of this total, times losses, may exceed 2**60.

        Examples
        --------
        >>> from sugeno._counts.loss import Loss
        >>> Loss.of("absolute", 3).excess_bits(2**59)
        1
        """
        steps = int(np.abs(np.diff(self.matrix, axis=1)).sum(axis=1).max())
        return max(0, (total * steps).bit_length() - TOTAL_BITS)

    def limited(self, weights: RowWeights) -> RowWeights:
        """Round weights so that they, times losses, add up to less than 2**60.

        Weights of up to about 40 binary digits in all stay as they are. What is positive stays so.

        Examples
        --------
        >>> from sugeno._counts.loss import Loss
        >>> from sugeno._counts.weights import TOTAL_BITS, RowWeights, row_weights
        >>> Loss.of("absolute", 3).limited(row_weights([2, 1], 2)).values
        array([2, 1])
        """
        shift = self.excess_bits(weights.total)
        if shift == 0 or weights.values is None:
            return weights
        halves = weights.values >> shift - 1
        rounded = np.maximum(halves + 1 >> 1, weights.values > 0)
        return RowWeights(rounded, weights.n, math.ldexp(weights.unit, shift))


def _two_costs(costs: Mapping[str, Any], n_classes: int) -> NDArray[np.float64]:
    """Costs of the two errors of two classes as a matrix; 1 where none is given."""
    if n_classes != 2:
        raise ValueError(
            f"costs of {' and '.join(map(repr, ERRORS))} are for two classes. Got {dict(costs)!r} "
            f"with {n_classes} classes instead; give a matrix with a row per true class and a "
            "column per predicted class."
        )
    unknown = [name for name in costs if name not in ERRORS]
    values = [costs.get(name, 1.0) for name in ERRORS]
    if unknown or not all(
        isinstance(value, Real) and 0 < float(value) < math.inf for value in values
    ):
        raise ValueError(
            "costs must be positive numbers for 'missed' (a row of the positive class that is not "
            "found) and 'false alarm' (another row that is taken for one). Got "
            f"{dict(costs)!r} instead."
        )
    missed, alarm = map(float, values)
    return np.array([[0.0, alarm], [missed, 0.0]])
