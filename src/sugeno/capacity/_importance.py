"""Power indices: how much a criterion decides, and how two criteria act together.

At a level β a capacity is a monotone Boolean function of sets, given by its boundary sets. A
criterion is *pivotal* for a set if adding it, or taking it away, changes whether the level is
reached. The indices are means over sets A of the first difference (importance of a criterion)
or the second difference (interaction of a pair): over all sets alike for Banzhaf, and for
Shapley-Shubik with every size equally likely, which is the same as counting over all orders.
Criteria in no boundary set are never pivotal and do not change the others; they are left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from math import factorial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_random_state

from sugeno._sets.chains import Chains, spread_up
from sugeno._sets.masks import Masks, pack, unpack
from sugeno.capacity._focal import TABLE_CRITERIA, used_criteria
from sugeno.capacity._ground import GroundSet

Floats = NDArray[np.float64]

#: Blocks of this many packed words are held at once.
_BLOCK = 1 << 20


@dataclass(frozen=True, eq=False, repr=False)
class PowerIndex:
    """An index of the criteria, or of their pairs, with its standard error.

    Attributes
    ----------
    values : ndarray of shape (m,) or (m, m)
        Importance of each criterion, or interaction of each pair.
    standard_error : ndarray of the same shape
        Standard error of the values; zero if they were counted exactly.
    index : {"shapley", "banzhaf"}
        How the sets are weighted.
    beta : float
        The level.
    n_samples : int
        Number of sets that were drawn; zero if all were counted.
    ground : GroundSet
        The criteria and their names.

    Examples
    --------
    >>> from sugeno import Capacity
    >>> mu = Capacity.from_rules([("a", "b"), ("a", "c")], criteria=["a", "b", "c"])
    >>> mu.importance(0.5, index="banzhaf")
    Banzhaf importance at level 0.5 (exact)
    a  0.75
    b  0.25
    c  0.25
    """

    values: Floats
    standard_error: Floats
    index: str
    beta: float
    n_samples: int
    ground: GroundSet

    @property
    def exact(self) -> bool:
        """Whether all sets were counted."""
        return self.n_samples == 0

    def __repr__(self) -> str:
        kind = "importance" if self.values.ndim == 1 else "interaction"
        how = "exact" if self.exact else f"{self.n_samples} samples, ± standard error"
        title = f"{self.index.capitalize()} {kind} at level {self.beta:g} ({how})"
        return "\n".join([title, *self._lines()])

    def _lines(self) -> list[str]:
        names = self.ground.names or [str(j) for j in range(self.ground.m)]
        cells = list(combinations(range(self.ground.m), self.values.ndim))
        labels = [", ".join(names[j] for j in cell) for cell in cells]
        width = max(map(len, labels), default=0)
        errors = ["" if self.exact else f" ± {self.standard_error[cell]:.2g}" for cell in cells]
        return [
            f"{label:<{width}}  {self.values[cell]:.4g}{error}"
            for label, cell, error in zip(labels, cells, errors, strict=True)
        ]


def importance_of(
    boundary: Masks,
    ground: GroundSet,
    beta: float,
    index: str,
    n_samples: int,
    random_state: Any,
) -> PowerIndex:
    """Return the Shapley-Shubik or Banzhaf importance of each criterion.

    Parameters
    ----------
    boundary : ndarray of uint64 of shape (R, words)
        The boundary sets of the level, packed.
    ground : GroundSet
        The criteria.
    beta : float
        The level, for the record.
    index : {"shapley", "banzhaf"}
        How the sets are weighted.
    n_samples : int
        Number of sets to draw if more than 20 criteria occur in the boundary sets.
    random_state : int, RandomState instance or None
        Seed of the draws.

    Returns
    -------
    PowerIndex
        One value per criterion.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno.capacity._ground import GroundSet
    >>> from sugeno.capacity._importance import importance_of
    >>> boundary = np.array([[3]], dtype=np.uint64)
    >>> importance_of(boundary, GroundSet.of(3), 0.5, "shapley", 1, None).values
    array([0.5, 0.5, 0. ])
    """
    _check(index, n_samples)
    used, reduced = used_criteria(boundary, ground.m)
    values, errors = np.zeros(ground.m), np.zeros(ground.m)
    if used.size <= TABLE_CRITERIA:
        values[used] = np.diag(_exact(reduced, used.size, index))
        return PowerIndex(values, errors, index, float(beta), 0, ground)
    total = np.zeros(used.size)
    for sets in _draws(used.size, index, n_samples, len(reduced), random_state):
        total += unpack(_pivotal(reduced, sets), used.size).sum(axis=0)
    values[used], errors[used] = _mean_and_error(total, total, n_samples)
    return PowerIndex(values, errors, index, float(beta), n_samples, ground)


def interaction_of(
    boundary: Masks,
    ground: GroundSet,
    beta: float,
    index: str,
    n_samples: int,
    random_state: Any,
) -> PowerIndex:
    """Return the Shapley or Banzhaf interaction of each pair of criteria.

    Parameters as for :func:`importance_of`. The sampled version looks, for each drawn set and
    each criterion j, at which criteria are pivotal before and after moving j.

    Returns
    -------
    PowerIndex
        A symmetric matrix with a zero diagonal.

    Examples
    --------
    Two criteria of which one is enough replace each other.

    >>> import numpy as np
    >>> from sugeno.capacity._ground import GroundSet
    >>> from sugeno.capacity._importance import interaction_of
    >>> boundary = np.array([[1], [2]], dtype=np.uint64)
    >>> interaction_of(boundary, GroundSet.of(2), 0.5, "banzhaf", 1, None).values
    array([[ 0., -1.],
           [-1.,  0.]])
    """
    _check(index, n_samples)
    used, reduced = used_criteria(boundary, ground.m)
    values, errors = np.zeros((2, ground.m, ground.m))
    block = np.ix_(used, used)
    if used.size <= TABLE_CRITERIA:
        values[block] = _exact(reduced, used.size, index)
        np.fill_diagonal(values, 0.0)
        return PowerIndex(values, errors, index, float(beta), 0, ground)
    total, squares = np.zeros((2, used.size, used.size))
    for sets in _draws(used.size, index, n_samples, len(reduced), random_state):
        _add_second_differences(reduced, sets, total, squares)
    values[block], errors[block] = _mean_and_error(total, squares, n_samples)
    np.fill_diagonal(values, 0.0)
    np.fill_diagonal(errors, 0.0)
    return PowerIndex(values, errors, index, float(beta), n_samples, ground)


def _check(index: str, n_samples: object) -> None:
    if index not in ("shapley", "banzhaf"):
        raise ValueError(f"index must be 'shapley' or 'banzhaf'. Got {index!r} instead.")
    if isinstance(n_samples, bool) or not isinstance(n_samples, int | np.integer) or n_samples < 1:
        raise ValueError(f"n_samples must be an integer, at least 1. Got {n_samples!r} instead.")


def _exact(boundary: Masks, m: int, index: str) -> Floats:
    """Return importances on the diagonal and interactions elsewhere, by counting all sets.

    A sum of differences is a difference of sums: it is enough to know, for each size s, how many
    accepted sets of s criteria there are, how many of them hold i, and how many hold i and j.
    All of it in integers up to one last division, so the result is correctly rounded. Costs one
    table of 2**m sets and m² operations for each of them.
    """
    total, pairs = _accepted_counts(boundary, m)
    single = np.diagonal(pairs, axis1=1, axis2=2)
    gains = [single[s + 1] - (total[s] - single[s]) for s in range(m)]
    one = single[:, :, None] + single[:, None, :]
    changes = [
        pairs[s + 2] - (one[s + 1] - 2 * pairs[s + 1]) + (total[s] - one[s] + pairs[s])
        for s in range(m - 1)
    ]
    result = np.zeros((m, m))
    if m > 1:
        result[:] = _weighted_mean(changes, m - 2, index)
    if m > 0:
        np.fill_diagonal(result, _weighted_mean(gains, m - 1, index))
    return result


def _accepted_counts(boundary: Masks, m: int) -> tuple[list[int], NDArray[np.object_]]:
    """Count the accepted sets by size, and for each size those that hold both i and j."""
    accepted = np.zeros(1 << m, dtype=np.bool_)
    accepted[boundary[:, 0]] = True
    sets = np.flatnonzero(spread_up(accepted, Chains.single(m), np.logical_or)).astype(np.uint64)
    sizes = np.bitwise_count(sets)
    total, pairs = [], np.zeros((m + 1, m, m), dtype=object)
    for size in range(m + 1):
        bits = unpack(sets[sizes == size, None], m).astype(np.float64)
        total.append(len(bits))
        # Counts are far below 2**53, so the product is exact.
        pairs[size] = (bits.T @ bits).astype(np.int64).astype(object)
    return total, pairs


def _weighted_mean(sums: list[NDArray[np.object_]], others: int, index: str) -> Floats:
    """Average sums over sets of 0, 1, …, ``others`` other criteria."""
    if index == "banzhaf":
        weights, whole = [1] * (others + 1), 2**others
    else:
        weights = [factorial(s) * factorial(others - s) for s in range(others + 1)]
        whole = factorial(others + 1)
    weighted = sum(weight * part for weight, part in zip(weights, sums, strict=True))
    return np.asarray(weighted / whole, dtype=np.float64)


def _draws(m: int, index: str, n_samples: int, n_rules: int, random_state: Any) -> Iterator[Masks]:
    """Draw sets in blocks: each criterion with probability 1/2, or with a random probability.

    With a probability drawn uniformly from [0, 1] for each set, every size is equally likely:
    the mean over such sets is the Shapley index (Owen's multilinear extension).
    """
    random = check_random_state(random_state)
    step = max(1, _BLOCK // max(m, n_rules))
    for start in range(0, n_samples, step):
        n = min(step, n_samples - start)
        chance = 0.5 if index == "banzhaf" else random.random_sample((n, 1))
        yield pack(random.random_sample((n, m)) < chance)


def _pivotal(boundary: Masks, sets: Masks) -> Masks:
    """Return, for each set, the criteria that change its acceptance when moved.

    A criterion tips a rejected set if it is all that the set lacks of some boundary set, and an
    accepted set if it is in every boundary set that the set contains.
    """
    missing = boundary[None] & ~sets[:, None]
    lacking = np.bitwise_count(missing).sum(axis=2)
    contained = lacking == 0
    added = np.where((lacking == 1)[:, :, None], missing, np.uint64(0))
    shared = np.where(contained[:, :, None], boundary[None], ~np.uint64(0))
    lost: Masks = np.bitwise_and.reduce(shared, axis=1)
    won: Masks = np.bitwise_or.reduce(added, axis=1)
    return np.where(contained.any(axis=1)[:, None], lost, won)


def _add_second_differences(boundary: Masks, sets: Masks, total: Floats, squares: Floats) -> None:
    """Add the second differences of all pairs at the drawn sets, and their squares."""
    m = total.shape[0]
    holds = unpack(sets, m)
    before = unpack(_pivotal(boundary, sets), m).astype(np.int8)
    for j in range(m):
        moved = sets.copy()
        moved[:, j // 64] ^= np.uint64(1 << (j % 64))
        after = unpack(_pivotal(boundary, moved), m).astype(np.int8)
        change = np.where(holds[:, j, None], before - after, after - before)
        total[:, j] += change.sum(axis=0, dtype=np.int64)
        squares[:, j] += (change != 0).sum(axis=0)


def _mean_and_error(total: Floats, squares: Floats, n: int) -> tuple[Floats, Floats]:
    """Return means and standard errors.

    The variance is taken over two more draws than there were, one of them with an event, so
    that an event that was never seen does not pass for impossible.
    """
    variance = (squares + 1) / (n + 2) - (total / (n + 2)) ** 2
    return total / n, np.sqrt(variance / n)
