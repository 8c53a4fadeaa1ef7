"""What the values of a criterion, looked at alone, say about its direction: the rank statistic.

Pairs are counted in exact integers, so that a direction depends on the measure only. Criteria lie
end to end in one array: of small ones a look at each alone would be all overhead.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sugeno._scales.value_counts import ValueCounts

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

#: Below this |z| a direction could easily be chance (5 % on either side).
WEAK_Z = 1.645

_LIMB = 2**21 - 1


@dataclass(frozen=True)
class RankEvidence:
    """What the values of one criterion, looked at alone, say about its direction.

    Attributes
    ----------
    direction : int
        The sign of AUC - 1/2; a tie gives +1.
    auc : float
        Share of the pairs of rows of different classes in which the row of the higher class has
        the higher value, ties counted half.
    z : float
        AUC - 1/2 in standard deviations that it has when a criterion says nothing.
    """

    direction: int
    auc: float
    z: float

    @property
    def weak(self) -> bool:
        """Whether the direction could easily be chance."""
        return abs(self.z) < WEAK_Z


def rank_evidence(counts: Sequence[ValueCounts], unit: float = 1.0) -> list[RankEvidence]:
    """Find the directions of criteria from their value counts by class.

    Parameters
    ----------
    counts : sequence of ValueCounts
        Counts by class of each criterion; at least two classes have weight.
    unit : float, default=1.0
        What one unit of weight is worth in rows, for the strength of the evidence.

    Returns
    -------
    list of RankEvidence
        Direction, AUC and strength for each criterion.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._scales.evidence import rank_evidence
    >>> from sugeno._scales.value_counts import ValueCounts
    >>> counts = ValueCounts(np.array([1.0, 2.0]), np.array([[0, 3], [4, 1]]))
    >>> [one.direction for one in rank_evidence([counts])]
    [-1]
    """
    if not counts:
        return []
    line = _Line.of(counts)
    wins, pairs = line.compared()
    # Python divides integers of any size with one rounding. Values may be known in one class only.
    aucs = [won / (2 * of) if of else 0.5 for won, of in zip(wins, pairs)]
    spreads = line.spreads()
    return [
        RankEvidence(1 if won >= of else -1, auc, _z(auc, of, total, spread, unit))
        for won, of, auc, total, spread in zip(wins, pairs, aucs, line.totals, spreads)
    ]


@dataclass(frozen=True)
class _Line:
    """The counts of several criteria, laid end to end.

    Attributes
    ----------
    weights : ndarray of int64 of shape (v, C)
        Weight of each class on each value.
    total : ndarray of int64 of shape (v,)
        Weight of each value.
    sizes, starts : ndarray of intp
        How many values each criterion has, and where the first one is.
    totals : list of int
        Weight of each criterion.
    """

    weights: Ints
    total: Ints
    sizes: NDArray[np.intp]
    starts: NDArray[np.intp]
    totals: list[int]

    @classmethod
    def of(cls, counts: Sequence[ValueCounts]) -> _Line:
        sizes = np.array([one.values.size for one in counts], dtype=np.intp)
        starts = np.cumsum(sizes) - sizes
        total = np.concatenate([one.total for one in counts])
        weights = np.concatenate([one.weights for one in counts])
        return cls(weights, total, sizes, starts, np.add.reduceat(total, starts).tolist())

    def compared(self) -> tuple[list[int], list[int]]:
        """Pairs of rows of different classes: twice those in order, ties once; and all of them."""
        wins, pairs = [0] * len(self.totals), [0] * len(self.totals)
        lower = self.weights[:, 0]
        for code in range(1, self.weights.shape[1]):
            if code > 1:
                lower = lower + self.weights[:, code - 1]
            higher = self.weights[:, code]
            above, below = (np.add.reduceat(part, self.starts).tolist() for part in (higher, lower))
            met = [a * b for a, b in zip(above, below)]
            # Each value beats the weight of lower classes below it, and ties with that at it.
            won = self._products(higher, 2 * self._running(lower) - lower, 2 * max(met))
            wins = [sum(both) for both in zip(wins, won)]
            pairs = [sum(both) for both in zip(pairs, met)]
        return wins, pairs

    def spreads(self) -> list[float]:
        """One minus the sum of the cubes of the shares of the values: 0 for a constant."""
        shares = self.total / np.repeat(self.totals, self.sizes)
        cubes = np.add.reduceat(shares * shares * shares, self.starts)
        return [1.0 - one for one in cubes.tolist()]

    def _running(self, weight: Ints) -> Ints:
        """Running sums within each criterion."""
        # Should the sum over all criteria overflow, its differences would still be right.
        running = weight.cumsum()
        before = running[self.starts] - weight[self.starts]
        result: Ints = running - np.repeat(before, self.sizes)
        return result

    def _products(self, a: Ints, b: Ints, largest: int) -> list[int]:
        """Scalar products by criterion of non-negative integers; none exceeds the largest."""
        if largest < 1 << 62:
            sums: list[int] = np.add.reduceat(a * b, self.starts).tolist()
            return sums
        ends = self.starts + self.sizes
        return [_exact_dot(a[i:j], b[i:j]) for i, j in zip(self.starts, ends)]


def _exact_dot(a: Ints, b: Ints) -> int:
    """Scalar product of non-negative integers, exact whatever its size.

    The integers are cut into limbs of 21 bits. A product of two limbs has 42 bits, so that a
    million of them can be added in 64.
    """
    result = 0
    for low, high in itertools.product((0, 21, 42), repeat=2):
        products = (a >> low & _LIMB) * (b >> high & _LIMB)
        parts = np.add.reduceat(products, np.arange(0, a.size, 2**20))
        result += sum(parts.tolist()) << low + high
    return result


def _z(auc: float, pairs: int, total: int, spread: float, unit: float) -> float:
    """Mann-Whitney statistic with ties, the weights being counts."""
    share = pairs / total**2  # for two classes: the product of their shares
    precision = 12 * max(total * unit - 1, 0.0) * share
    # No spread (a constant criterion) or no more than one row: nothing is known.
    if spread <= 0 or precision <= 0:
        return 0.0
    return (auc - 0.5) / math.sqrt(spread / precision)
