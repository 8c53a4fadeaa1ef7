"""What the data leave open: how little, and how much, an optimal model may accept.

Optimal families form a lattice. Whatever the smallest one accepts, all accept; whatever the largest
one rejects, all reject, and so do its subsets. Patterns between the two are a matter of choice.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sugeno._sets.masks import Masks, contains_any, minimal

__all__ = ["SettledPatterns"]


@dataclass(frozen=True, eq=False)
class SettledPatterns:
    """The patterns that are settled, by those that settle them.

    Attributes
    ----------
    accepted : ndarray of uint64 of shape (·, words)
        The smallest patterns that are accepted for certain, and with them all that contain one.
    rejected : ndarray of uint64 of shape (·, words)
        The largest patterns that are rejected for certain, and with them all that lie inside one.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno.model.settled import SettledPatterns
    >>> extent = SettledPatterns.of(np.array([[3], [7]], np.uint64), np.array([[1]], np.uint64))
    >>> asked = np.array([[1], [2], [3]], np.uint64)
    >>> extent.surely(asked), extent.maybe(asked)
    (array([False, False,  True]), array([False,  True,  True]))
    """

    accepted: Masks
    rejected: Masks

    @classmethod
    def of(cls, accepted: Masks, rejected: Masks) -> SettledPatterns:
        """Keep the patterns that no other one makes redundant."""
        return cls(minimal(accepted), ~minimal(~rejected))

    def surely(self, masks: Masks) -> NDArray[np.bool_]:
        """Tell which patterns are accepted for certain."""
        return contains_any(masks, self.accepted)

    def maybe(self, masks: Masks) -> NDArray[np.bool_]:
        """Tell which patterns are not rejected for certain."""
        return ~contains_any(~masks, ~self.rejected)
