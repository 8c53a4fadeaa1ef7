"""Probabilities for patterns, observed or not, from those of the observed ones."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sugeno.patterns import Masks, is_subset

__all__ = ["PatternProbabilities"]

Floats = NDArray[np.float64]

#: Pairs of sets that are compared in one go.
_BLOCK = 1 << 20


@dataclass(frozen=True)
class PatternProbabilities:
    """Monotone probabilities of the positive class.

    An observed pattern has the probability that was estimated for it. Another one lies between
    the largest probability of the observed patterns inside it and the smallest of those around
    it; it gets the mean of the two. Both bounds grow with the pattern, so the mean does.

    Attributes
    ----------
    masks : ndarray of uint64 of shape (D, words)
        The observed patterns.
    values : ndarray of shape (D,)
        Their probabilities, monotone in the pattern.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno.probability import PatternProbabilities
    >>> known = PatternProbabilities(np.array([[1], [7]], np.uint64), np.array([0.2, 0.8]))
    >>> known.of(np.array([[1], [3], [7]], np.uint64), np.array([False, True, True]))
    array([0.2, 0.5, 0.8])
    """

    masks: Masks
    values: Floats

    def of(self, masks: Masks, accepted: NDArray[np.bool_]) -> Floats:
        """Return the probability of each pattern, on the side of 1/2 where its label is.

        Rejected patterns get at most 1/2, accepted ones more. Costs a comparison of each distinct
        pattern with each observed one.
        """
        distinct, first, place = _distinct(masks)
        result = np.empty(len(distinct))
        step = max(1, _BLOCK // len(self.masks))
        for start in range(0, len(distinct), step):
            part = slice(start, start + step)
            result[part] = self._between(distinct[part])
        accept = accepted[first]
        above = np.maximum(result, np.nextafter(0.5, 1.0))
        return np.where(accept, above, np.minimum(result, 0.5))[place]

    def _between(self, masks: Masks) -> Floats:
        """Mean of the largest probability inside and the smallest around each set."""
        lowest, highest = self.values.min(), self.values.max()
        inside = np.where(is_subset(self.masks, masks).T, self.values, lowest).max(axis=1)
        around = np.where(is_subset(masks, self.masks), self.values, highest).min(axis=1)
        middle: Floats = inside + (around - inside) / 2
        return middle


def _distinct(masks: Masks) -> tuple[Masks, NDArray[np.intp], NDArray[np.intp]]:
    """Distinct sets, the place where each first stands, and the number of each given one."""
    if masks.shape[1] == 1:
        codes, first, place = np.unique(masks[:, 0], return_index=True, return_inverse=True)
        return codes[:, None], first, place
    distinct, first, place = np.unique(masks, axis=0, return_index=True, return_inverse=True)
    return distinct, first, place.reshape(-1)
