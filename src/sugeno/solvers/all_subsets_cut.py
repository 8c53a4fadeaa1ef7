"""A k-maxitive capacity by one minimum cut: positive rows share their weight among k-subsets.

For k < m a row is accepted if one of the k-subsets of its pattern is, and to choose which one is
hard. The paper ties each positive row to one of them, drawn at random. Here every positive row is
tied to all of them, in equal parts: the mean of the paper's program over all draws. It depends on
no draw, it is a closure problem again, and it prefers families that accept a row for several
reasons, which lose little when a criterion of a new row falls short.
"""

from __future__ import annotations

from itertools import combinations
from math import comb, lcm

import numpy as np
from numpy.typing import NDArray

from sugeno._counts.patterns import Patterns
from sugeno._counts.weights import TOTAL_BITS, RowWeights
from sugeno._sets.masks import Masks, contains_any, minimal, pack, set_sizes, unpack
from sugeno.solvers.base import Request, Solution, Solver
from sugeno.solvers.closure import solve_closure
from sugeno.solvers.cover import few_sets
from sugeno.solvers.maxitive import solve_maxitive
from sugeno.solvers.program import SubsetWeights

__all__ = ["SHARED", "all_subsets", "share_out", "solve_shared"]

#: Pairs of a pattern and one of its k-subsets that fit comfortably into memory.
MOST_PAIRS = 10_000_000
#: So many comparisons of a pattern with a k-set take as long as listing and sorting one pair.
_CHEAPER = 20


def solve_shared(patterns: Patterns, k: int, *, normalized: bool = True) -> Solution:
    """Find the k-maxitive family that is best when positive rows share their weight.

    A positive row whose pattern has more than k literals counts as right to the extent that its
    k-subsets are accepted, so its loss is 1 if it is rejected and less than 1 otherwise: the
    program bounds the number of errors from above, and for k = m it is that number. Of the sets
    that it accepts, few are kept: as many as it takes to accept the same observed patterns.

    Parameters
    ----------
    patterns : Patterns
        Observed patterns with class weights.
    k : int
        Largest size of a boundary set, less than the number of literals.
    normalized : bool, default=True
        Whether μ([m]) = 1. Where the program accepts nothing, the single set that makes the
        fewest errors is accepted then.

    Returns
    -------
    Solution
        The objective is the weight of the errors, not the value of the program; the bound is the
        fewest errors of any capacity.

    Notes
    -----
    Polynomial for fixed k: one maximum flow on at most C(m, k) + D nodes for D patterns.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._counts.patterns import Patterns
    >>> from sugeno._sets.chains import Chains
    >>> from sugeno.solvers.all_subsets_cut import solve_shared
    >>> masks = np.array([[1], [6], [7]], dtype=np.uint64)
    >>> p = Patterns.of_two_classes(
    ...     masks, np.array([0, 2, 4]), np.array([3, 0, 0]), Chains.single(3)
    ... )
    >>> solve_shared(p, 1).boundary_sets.ravel().tolist()
    [2]
    """
    shared = share_out(patterns, k)
    found = solve_closure(shared, normalized=normalized)
    small = found.accepted & (set_sizes(shared.masks) <= k)
    weights = patterns.positive + patterns.negative
    sets = few_sets(minimal(shared.masks[small]), patterns.masks, weights)
    if normalized and not len(sets):
        single = solve_maxitive(patterns, k, time_limit=0, max_rules=1).boundary_sets
        sets = sets if single is None else single
    accepted = contains_any(patterns.masks, sets)
    bound = solve_closure(patterns, normalized=normalized).bound
    return Solution.of_two_classes(accepted, sets, patterns.errors(accepted), bound)


def share_out(patterns: Patterns, k: int) -> Patterns:
    """Give the positive weight of each large pattern to its k-subsets, in equal parts.

    Parameters
    ----------
    patterns : Patterns
        Observed patterns with class weights.
    k : int
        Patterns with more literals than this are large.

    Returns
    -------
    Patterns
        Patterns whose positive rows have at most k literals. Its unit of weight is a fraction of
        the given one, small enough for exact parts; where the total would reach 2**60 so, parts
        are rounded down to the unit that still fits.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._counts.patterns import Patterns
    >>> from sugeno._sets.chains import Chains
    >>> from sugeno.solvers.all_subsets_cut import share_out
    >>> p = Patterns.of_two_classes(
    ...     np.array([[7]], np.uint64), np.array([2]), np.array([1]), Chains.single(3)
    ... )
    >>> shared = share_out(p, 2)
    >>> shared.masks.ravel(), shared.positive, shared.negative, round(shared.unit, 3)
    (array([3, 5, 6, 7], dtype=uint64), array([2, 2, 2, 0]), array([0, 0, 0, 3]), 0.333)
    """
    sizes = set_sizes(patterns.masks)
    _check_size(sizes, k)
    large = (sizes > k) & (patterns.positive > 0)
    small = (sizes <= k) & (patterns.positive > 0)
    unwanted = patterns.negative > 0
    counts = np.array([comb(size, k) for size in sizes[large].tolist()], dtype=np.int64)
    scale = _scale(patterns.total, counts)
    parts = patterns.positive[large] * scale // counts
    sets, shares = _shares(patterns.masks[large], parts, patterns.n_literals, k)
    rows = np.concatenate([patterns.masks[small], sets, patterns.masks[unwanted]])
    kept, lost = patterns.positive[small] * scale, patterns.negative[unwanted] * scale
    values = np.concatenate([kept, shares, lost])
    weights = RowWeights(values, values.size, patterns.unit / scale)
    positive = np.arange(values.size) < values.size - lost.size
    return Patterns.from_rows(rows, positive, weights, patterns.chains)


def all_subsets(patterns: Patterns, k: int) -> SubsetWeights:
    """Return the same shares for the linear program, in the weight units of the patterns.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._counts.patterns import Patterns
    >>> from sugeno._sets.chains import Chains
    >>> from sugeno.solvers.all_subsets_cut import all_subsets
    >>> p = Patterns.of_two_classes(
    ...     np.array([[7]], np.uint64), np.array([2]), np.array([1]), Chains.single(3)
    ... )
    >>> all_subsets(p, 2).weights.round(3)
    array([0.667, 0.667, 0.667])
    """
    shared = share_out(patterns, k)
    some = shared.positive > 0
    weights = shared.positive[some].astype(np.float64) * (shared.unit / patterns.unit)
    return SubsetWeights(shared.masks[some], weights)


def _check_size(sizes: NDArray[np.intp], k: int) -> None:
    pairs = sum(comb(size, k) for size in sizes.tolist())
    if pairs > MOST_PAIRS:
        raise ValueError(
            f"subsets='all' with k={k} would have to list {pairs:,} subsets of the "
            f"{sizes.size:,} patterns in the training data, more than the {MOST_PAIRS:,} it "
            "accepts. Use subsets=None, which needs none of them, or a smaller k."
        )


def _scale(total: int, counts: NDArray[np.int64]) -> int:
    """Factor that makes all parts whole, or the largest power of two that fits."""
    whole = lcm(*set(counts.tolist()))
    if total * whole < 1 << TOTAL_BITS:
        return whole
    return 1 << max(0, TOTAL_BITS - total.bit_length())


def _shares(
    masks: Masks, parts: NDArray[np.int64], n_literals: int, k: int
) -> tuple[Masks, NDArray[np.int64]]:
    """k-subsets of the patterns, and the parts that they get."""
    pairs = sum(comb(size, k) for size in set_sizes(masks).tolist())
    if comb(n_literals, k) * len(masks) > _CHEAPER * pairs:
        sets, pattern = _k_subsets(masks, n_literals, k)
        return sets, parts[pattern]
    # Most patterns contain most of the k-sets there are: go through these, once each.
    sets = _k_subsets(pack(np.ones((1, n_literals), dtype=np.bool_)), n_literals, k)[0]
    shares = np.zeros(len(sets), dtype=np.int64)
    for pattern, part in zip(masks, parts.tolist()):
        shares[((sets & ~pattern) == 0).all(axis=1)] += part
    some = shares > 0
    return sets[some], shares[some]


def _k_subsets(masks: Masks, n_literals: int, k: int) -> tuple[Masks, NDArray[np.intp]]:
    """List the k-subsets of all sets, each with the number of the set it comes from."""
    sizes = set_sizes(masks)
    parts, origins = [masks[:0]], [np.empty(0, dtype=np.intp)]
    for size in np.unique(sizes).tolist():
        alike = np.flatnonzero(sizes == size)
        literals = np.nonzero(unpack(masks[alike], n_literals))[1].reshape(-1, size)
        chosen = literals[:, np.array(list(combinations(range(size), k)))].reshape(-1, k)
        part = np.zeros((len(chosen), masks.shape[1]), dtype=np.uint64)
        for literal in chosen.T:
            part[np.arange(len(part)), literal // 64] |= np.uint64(1) << (literal % 64).astype("u8")
        parts.append(part)
        origins.append(np.repeat(alike, len(chosen) // alike.size))
    return np.concatenate(parts), np.concatenate(origins)


def _answer(request: Request) -> Solution:
    return solve_shared(request.patterns, request.k, normalized=request.normalized)


SHARED = Solver(
    "a minimum cut over all k-subsets",
    _answer,
    frozenset({"k", "margin", "subsets='all'"}),
    several_levels=False,
)
