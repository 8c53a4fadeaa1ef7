"""Isotonic regression over patterns by recursive minimum cuts.

The probabilities that fit the class weights best among all that grow with the pattern: the same
for squared error and for likelihood (docs/theory.md, 4). Cut the patterns where the gain over one
common mean is largest, go on with both sides, stop where no cut gains anything. Thresholding the
result at any cost gives a classifier that is optimal for that cost.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sugeno._counts.patterns import Patterns
from sugeno.solvers.closure import optimal_labels

__all__ = ["isotonic_probabilities"]


def isotonic_probabilities(
    patterns: Patterns, accepted: NDArray[np.bool_] | None = None
) -> NDArray[np.float64]:
    """Estimate the probability of the positive class for each pattern, monotone in the pattern.

    Parameters
    ----------
    patterns : Patterns
        Patterns with class weights; every pattern carries weight.
    accepted : ndarray of bool of shape (D,), optional
        A monotone labelling. If given, the probabilities agree with it: they are the best among
        those that exceed 1/2 exactly on the accepted patterns. For a labelling with the fewest
        errors that costs nothing: the unrestricted optimum is of this kind already.

    Returns
    -------
    ndarray of shape (D,)
        Probabilities of the positive class.

    Notes
    -----
    At most 2D − 1 cuts, in practice twice the number of distinct probabilities. Exact for
    integer weights up to a total of 2**30; above, cut weights are rounded to 61 bits.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._counts.patterns import Patterns
    >>> from sugeno._sets.chains import Chains
    >>> from sugeno.solvers.isotonic import isotonic_probabilities
    >>> masks, two = np.array([[1], [3]], dtype=np.uint64), Chains.single(2)
    >>> p = Patterns.of_two_classes(masks, np.array([3, 1]), np.array([1, 1]), two)
    >>> isotonic_probabilities(p)
    array([0.66666667, 0.66666667])
    """
    result = np.empty(len(patterns.masks))
    if accepted is None:
        blocks = [np.arange(len(result))]
    else:
        blocks = [np.flatnonzero(accepted), np.flatnonzero(~accepted)]
    while blocks:
        block = blocks.pop()
        upper = _best_split(patterns, block)
        if upper.any():
            blocks += [block[upper], block[~upper]]
        elif block.size:
            positive = int(patterns.positive[block].sum())
            result[block] = positive / (positive + int(patterns.negative[block].sum()))
    if accepted is None:
        return result
    # Clipping an isotonic regression to an interval gives the best one within that interval.
    just_above = np.nextafter(0.5, 1.0)
    return np.where(accepted, np.maximum(result, just_above), np.minimum(result, 0.5))


def _best_split(patterns: Patterns, block: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Upper part of the cut that departs most from the common mean; empty if none does."""
    positive, negative = patterns.positive[block], patterns.negative[block]
    wins, losses = int(positive.sum()), int(negative.sum())
    if block.size < 2 or wins == 0 or losses == 0:
        return np.zeros(block.size, dtype=np.bool_)
    if (wins + losses) ** 2 < 2**61:
        deviation = positive * losses - negative * wins
    else:
        exact = positive.astype(object) * losses - negative.astype(object) * wins
        shift = max(0, int(np.abs(exact).sum()).bit_length() - 61)
        deviation = (exact >> shift).astype(np.int64)
    upper = optimal_labels(patterns.masks[block], deviation, patterns.chains)
    return upper if int(deviation[upper].sum()) > 0 else np.zeros(block.size, dtype=np.bool_)
